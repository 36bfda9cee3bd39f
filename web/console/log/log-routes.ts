/** The server logs below region and vertical (product.md, key 13). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { readAttemptLogSearch, readCallLogSearch } from './log-search.ts';

export const logRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/server-logs/buyer-tier-logs',
      validateSearch: onlyMeant(readAttemptLogSearch),
      component: lazyRouteComponent(() => import('./AttemptLog.tsx'), 'AttemptLog'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/server-logs/api-process-logs',
      validateSearch: onlyMeant(readCallLogSearch),
      component: lazyRouteComponent(() => import('./CallLog.tsx'), 'CallLog'),
    }),
  ] as const;
