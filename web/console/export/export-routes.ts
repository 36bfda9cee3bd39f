/** Exports and feeds below region and vertical. */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { readListSearch } from '../set-up/list-search.ts';

function readPageSearch(raw: Record<string, unknown>): { page?: number } {
  const page = Math.floor(Number(raw.page));
  return page > 1 && page < 10_000 ? { page } : {};
}

const feed = lazyRouteComponent(() => import('./FeedPage.tsx'), 'FeedPage');

export const exportRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/data-mgmt/outbound',
      validateSearch: onlyMeant(readPageSearch),
      component: lazyRouteComponent(() => import('./ExportsPage.tsx'), 'ExportsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/data-mgmt/outbound/feeds',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('./FeedsPage.tsx'), 'FeedsPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/data-mgmt/outbound/feeds/new', component: feed }),
    createRoute({ getParentRoute: () => parent, path: '/data-mgmt/outbound/feeds/$id', component: feed }),
  ] as const;
