import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Place } from '../api/lead.ts';
import { openedIn, turnOpen } from './log-search.ts';

/** Where one is and what the address narrows the log to, with the ways to change it. */
export function useLogAddress<Search extends { open?: string | undefined; columns?: string | undefined }>() {
  const { region = '', vertical = '' } = useParams({ strict: false });
  const said: object = useSearch({ strict: false });
  const search = said as Search;
  const navigate = useNavigate();
  const go = (next: Partial<Search>) => void navigate({ to: '.', search: next as never, replace: true, resetScroll: false });
  const place: Place = { region, vertical };
  const { open, columns, ...filters } = search;
  return {
    ...{ place, search, change: (part: Partial<Search>) => go({ ...search, ...part }) },
    clear: () => go((columns === undefined ? {} : { columns }) as Partial<Search>),
    /** What the log is asked for by, whatever is open or in sight. */
    filters: filters as Search,
    opened: openedIn(open),
    toggle: (id: string) => go({ ...search, open: turnOpen(open, id) }),
  };
}
