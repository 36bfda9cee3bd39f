/** What the address of a list says: search, status, order and page live there and nowhere else. */
export interface ListSearch {
  q?: string | undefined;
  status?: 'active' | 'paused' | 'archived' | undefined;
  /** A field, with a minus before it from the last to the first. */
  sort?: string | undefined;
  page?: number | undefined;
  /** Instead of publishers or buyers, the tiers of all of them in this vertical. */
  list?: 'tiers' | undefined;
}

export const pageSize = 50;
const statuses = ['active', 'paused', 'archived'] as const;

export function readListSearch(raw: Record<string, unknown>): ListSearch {
  const page = Math.floor(Number(raw.page));
  const found: ListSearch = {
    q: typeof raw.q === 'string' && raw.q.trim() !== '' ? raw.q.slice(0, 200) : undefined,
    status: statuses.find((one) => one === raw.status),
    sort: typeof raw.sort === 'string' && /^-?[A-Za-z]{1,40}$/.test(raw.sort) ? raw.sort : undefined,
    page: page > 1 && page < 10_000 ? page : undefined,
    list: raw.list === 'tiers' ? 'tiers' : undefined,
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** The call's own words for it. Archived records are only shown when asked for. */
export function toListing(model: string, search: ListSearch, condition: Record<string, unknown>, columns: readonly string[]) {
  const field = search.sort?.replace('-', '');
  const sorted = field && columns.includes(field) ? [{ field, descending: search.sort!.startsWith('-') }] : undefined;
  return {
    model,
    condition: { ...condition, ...(search.status && { status: search.status }) },
    ...(search.q && { search: search.q }),
    ...(sorted && { sort: sorted }),
    ...(search.status === 'archived' && { withArchived: true }),
    skip: ((search.page ?? 1) - 1) * pageSize,
    limit: pageSize,
  };
}

/** A click on a head sorts by it, a second one turns the order, a third takes it away. */
export function turnSort(sort: string | undefined, field: string): string | undefined {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` ? undefined : field;
}
