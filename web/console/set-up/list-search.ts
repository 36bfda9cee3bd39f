/** What the address of a list says: search, filters, order and page live there and nowhere else. */
export interface ListSearch {
  q?: string | undefined;
  status?: 'active' | 'paused' | 'archived' | undefined;
  /** Records of one publisher, buyer or campaign, by its id. */
  publisherId?: string | undefined;
  buyerId?: string | undefined;
  campaignId?: string | undefined;
  delivery?: 'post' | 'pingPost' | undefined;
  /** Of publisher tiers. */
  kind?: 'api' | 'lander' | undefined;
  /** Of banks and BIN ranges: 1 to 4; none: of ranges without one. */
  move?: '1' | '2' | '3' | '4' | 'none' | undefined;
  /** A field, with a minus before it from the last to the first. */
  sort?: string | undefined;
  page?: number | undefined;
  /** Instead of publishers or buyers, the tiers of all of them in this vertical. */
  list?: 'tiers' | undefined;
}

/** Fields that a list can be narrowed by beside its status. */
export type FilterField = 'publisherId' | 'buyerId' | 'campaignId' | 'delivery' | 'kind' | 'move';

/** Console §9: the display limit is 10, unless somebody chooses longer pages. */
export const pageSizes = [10, 25, 50, 100] as const;
export const defaultPageSize = 10;
const statuses = ['active', 'paused', 'archived'] as const;
const deliveries = ['post', 'pingPost'] as const;
const kinds = ['api', 'lander'] as const;
const moves = ['1', '2', '3', '4', 'none'] as const;

const readId = (value: unknown) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined);

export function readListSearch(raw: Record<string, unknown>): ListSearch {
  const page = Math.floor(Number(raw.page));
  return withoutGaps({
    q: typeof raw.q === 'string' && raw.q.trim() !== '' ? raw.q.slice(0, 200) : undefined,
    status: statuses.find((one) => one === raw.status),
    publisherId: readId(raw.publisherId),
    buyerId: readId(raw.buyerId),
    campaignId: readId(raw.campaignId),
    delivery: deliveries.find((one) => one === raw.delivery),
    kind: kinds.find((one) => one === raw.kind),
    move: moves.find((one) => one === String(raw.move)),
    sort: typeof raw.sort === 'string' && /^-?[A-Za-z]{1,40}$/.test(raw.sort) ? raw.sort : undefined,
    page: page > 1 && page < 10_000 ? page : undefined,
    list: raw.list === 'tiers' ? 'tiers' : undefined,
  });
}

const withoutGaps = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

interface ListingParts {
  condition: Record<string, unknown>;
  columns: readonly string[];
  /** Fields that a line needs beside its columns. */
  also?: readonly string[] | undefined;
  filters: readonly FilterField[];
  pageSize: number;
}

/** The call's own words for it. Archived records are only shown when asked for. */
export function toListing(model: string, search: ListSearch, { condition, columns, also = [], filters, pageSize }: ListingParts) {
  const field = search.sort?.replace('-', '');
  const sorted = field && columns.includes(field) ? [{ field, descending: search.sort!.startsWith('-') }] : undefined;
  const narrowed = withoutGaps(Object.fromEntries(filters.map((one) => [one, search[one] === 'none' ? null : search[one]])));
  return {
    model,
    condition: { ...narrowed, ...condition, ...(search.status && { status: search.status }) },
    ...(search.q && { search: search.q }),
    ...(sorted && { sort: sorted }),
    ...(search.status === 'archived' && { withArchived: true }),
    // Not the whole of each: a tier's endpoint and rules weigh more than its line.
    fields: [...new Set([...columns, ...also])],
    skip: ((search.page ?? 1) - 1) * pageSize,
    limit: pageSize,
  };
}

/** A click on a head sorts by it, a second one turns the order, a third takes it away. */
export function turnSort(sort: string | undefined, field: string): string | undefined {
  if (sort === field) return `-${field}`;
  return sort === `-${field}` ? undefined : field;
}

/** Lists inside the page of a record, or beside each other on one: their part of its address has the list's name before a dot. */
export const innerLists = ['tiers', 'contacts', 'regions', 'verticals'] as const;
export type InnerList = (typeof innerLists)[number];

export function readInnerList(raw: Record<string, unknown>, list: InnerList): ListSearch {
  const own = Object.entries(raw).filter(([name]) => name.startsWith(`${list}.`));
  return readListSearch(Object.fromEntries(own.map(([name, value]) => [name.slice(list.length + 1), value])));
}

export const writeInnerList = (list: InnerList, search: ListSearch): Record<string, unknown> =>
  Object.fromEntries(Object.entries(search).map(([name, value]) => [`${list}.${name}`, value]));

/** The address of a record's page with its lists as they can be meant. */
export const readInnerLists = (raw: Record<string, unknown>): Record<string, unknown> =>
  Object.assign({}, ...innerLists.map((list) => writeInnerList(list, readInnerList(raw, list))));

/** Without what its lists show: the page is the same one, however they are searched. */
export function withoutInnerLists(searchText: string): string {
  const kept = [...new URLSearchParams(searchText)].filter(([name]) => !innerLists.some((list) => name.startsWith(`${list}.`)));
  return kept.length === 0 ? '' : `?${new URLSearchParams(kept)}`;
}
