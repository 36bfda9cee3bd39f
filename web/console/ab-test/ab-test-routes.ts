/** The pages of A/B tests below region and vertical (product.md, key 28). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

const page = lazyRouteComponent(() => import('./AbTestPage.tsx'), 'AbTestPage');

export const abTestRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/ab-testing',
      component: lazyRouteComponent(() => import('./AbTestsPage.tsx'), 'AbTestsPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/ab-testing/new', component: page }),
    createRoute({ getParentRoute: () => parent, path: '/ab-testing/$id', component: page }),
  ] as const;
