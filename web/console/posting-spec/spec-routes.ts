/** features-api below region and vertical (product.md, key 24). */
import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { onlyMeant } from '../only-meant.ts';
import { readListSearch } from '../set-up/list-search.ts';

export interface SpecSearch {
  q?: string;
  page?: number;
}

export function readSpecSearch(raw: Record<string, unknown>): SpecSearch {
  const page = Math.floor(Number(raw.page));
  return {
    ...(typeof raw.q === 'string' && raw.q.trim() !== '' && { q: raw.q.slice(0, 200) }),
    ...(page > 1 && page < 10_000 && { page }),
  };
}

const webhook = lazyRouteComponent(() => import('../webhook/WebhookPage.tsx'), 'WebhookPage');

export const specRoutes = <Parent extends AnyRoute>(parent: Parent) =>
  [
    createRoute({
      getParentRoute: () => parent,
      path: '/features-api',
      validateSearch: onlyMeant(readSpecSearch),
      component: lazyRouteComponent(() => import('./PostingSpecsPage.tsx'), 'PostingSpecsPage'),
    }),
    createRoute({
      getParentRoute: () => parent,
      path: '/features-api/webhooks',
      validateSearch: onlyMeant(readListSearch),
      component: lazyRouteComponent(() => import('../webhook/WebhooksPage.tsx'), 'WebhooksPage'),
    }),
    createRoute({ getParentRoute: () => parent, path: '/features-api/webhooks/new', component: webhook }),
    createRoute({ getParentRoute: () => parent, path: '/features-api/webhooks/$id', component: webhook }),
  ] as const;
