/** lead-flow/data-request below region and vertical (product.md, key 6). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

export const dataRequestRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/lead-flow/data-request',
      component: lazyRouteComponent(() => import('./DataRequestPage.tsx'), 'DataRequestPage'),
    }),
  ] as const;
