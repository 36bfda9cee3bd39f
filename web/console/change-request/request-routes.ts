/** change-requests below region and vertical: what portals ask for, for who sets up. */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';

export interface RequestsSearch {
  which?: 'decided';
  page?: number;
}

export function readRequestsSearch(raw: Record<string, unknown>): RequestsSearch {
  const page = Math.floor(Number(raw.page));
  return { ...(raw.which === 'decided' && { which: 'decided' as const }), ...(page > 1 && page <= 1000 && { page }) };
}

export const changeRequestRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/change-requests',
      validateSearch: onlyMeant(readRequestsSearch),
      component: lazyRouteComponent(() => import('./ChangeRequestsPage.tsx'), 'ChangeRequestsPage'),
    }),
  ] as const;
