import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { PortalKind } from '#contract/portal.ts';
import type { HomeSearch } from '../home/home-search.ts';
import type { PortalSearch } from './portal-search.ts';

const routes = {
  buyer: getRouteApi('/framed/setup/home-buyer'),
  publisher: getRouteApi('/framed/setup/home-publisher'),
};

export type Search = PortalSearch & Pick<HomeSearch, 'q' | 'open' | 'page' | 'sort'>;

/** What the address says, and the way to say something else. */
export function usePortalSearch(kind: PortalKind): { search: Search; change: (part: Search) => void } {
  const search = routes[kind].useSearch() as Search;
  const navigate = useNavigate();
  const change = (part: Search) =>
    void navigate({ to: `/setup/home-${kind}`, search: { ...search, ...part } as never, replace: true, resetScroll: false });
  return { search, change };
}
