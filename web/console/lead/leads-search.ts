import type { LeadStatusWord } from '#contract/lead.ts';
import { customInstants, isWallMinute, type Span, spanInstants, spans } from '#web/ui/period.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { isStatus } from './lead-words.ts';

/** What the address of the leads list says; the address is the only place where filters live. */
export interface LeadsSearch {
  status?: LeadStatusWord | undefined;
  campaignId?: string | undefined;
  publisherId?: string | undefined;
  publisherTierId?: string | undefined;
  /** Set to '' for leads without one. */
  subId?: string | undefined;
  /** Set to '' for leads of which it is not known. */
  state?: string | undefined;
  buyerId?: string | undefined;
  buyerTierId?: string | undefined;
  /** What reports count as its attempts. */
  triedBuyerId?: string | undefined;
  triedTierId?: string | undefined;
  triedGroupId?: string | undefined;
  /** The filter reason key by which one of its tiers was passed by. */
  filterReason?: string | undefined;
  soldBuyerId?: string | undefined;
  soldTierId?: string | undefined;
  /** Bought at another price than was bid. */
  otherPrice?: 'true' | undefined;
  /** Set to '' for leads of no A/B test. */
  variantId?: string | undefined;
  /** A landing page, or the card of a lander. */
  pageId?: string | undefined;
  /** Set to '' for leads of none. */
  reason?: string | undefined;
  period?: Span | undefined;
  /** Wall-clock minutes of the reporting zone, only with `customRange`. */
  from?: string | undefined;
  to?: string | undefined;
  q?: string | undefined;
  test?: 'true' | 'false' | undefined;
  pings?: 'true' | 'false' | undefined;
  /** Ids of the columns in sight, with commas between them; without it those that were last chosen. */
  columns?: string | undefined;
  /** The saved view that this began as. */
  view?: string | undefined;
  before?: string | undefined;
  after?: string | undefined;
  limit?: number | undefined;
}

export const pageSizes = [25, 50, 100, 200] as const;
export const defaultPageSize = 50;

const readText = (value: unknown, longest: number) =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, longest) : undefined;
const readFilterReason = (value: unknown) => (/^([1-9]|1[0-2])$/.test(String(value ?? '')) ? String(value) : undefined);
const readOneOf = <Value extends string>(value: unknown, allowed: readonly Value[]) => allowed.find((one) => one === value);
const readMinute = (value: unknown) => (typeof value === 'string' && isWallMinute(value) ? value : undefined);

/** A value that cannot be meant falls away, and the address is cleaned with it. */
export function readLeadsSearch(raw: Record<string, unknown>): LeadsSearch {
  const from = readMinute(raw.from);
  const to = readMinute(raw.to);
  const period = readOneOf(raw.period, spans);
  const custom = period === 'customRange' && from !== undefined && to !== undefined;
  const size = Number(raw.limit);
  return dropEmpty({
    status: isStatus(raw.status) ? raw.status : undefined,
    campaignId: readText(raw.campaignId, 60),
    publisherId: readText(raw.publisherId, 60),
    publisherTierId: readText(raw.publisherTierId, 60),
    subId: typeof raw.subId === 'string' || typeof raw.subId === 'number' ? String(raw.subId).slice(0, 200) : undefined,
    state: typeof raw.state === 'string' ? raw.state.slice(0, 3) : undefined,
    buyerId: readText(raw.buyerId, 60),
    buyerTierId: readText(raw.buyerTierId, 60),
    ...{ triedBuyerId: readText(raw.triedBuyerId, 60), triedTierId: readText(raw.triedTierId, 60) },
    triedGroupId: readText(raw.triedGroupId, 60),
    filterReason: readFilterReason(raw.filterReason),
    ...{ soldBuyerId: readText(raw.soldBuyerId, 60), soldTierId: readText(raw.soldTierId, 60) },
    otherPrice: readOneOf(raw.otherPrice, ['true']),
    variantId: typeof raw.variantId === 'string' ? raw.variantId.slice(0, 60) : undefined,
    pageId: readText(raw.pageId, 60),
    reason: typeof raw.reason === 'string' ? raw.reason.slice(0, 80) : undefined,
    period: period === 'customRange' && !custom ? undefined : period,
    from: custom ? from : undefined,
    to: custom ? to : undefined,
    q: readText(raw.q, 200),
    test: readOneOf(raw.test, ['true', 'false']),
    pings: readOneOf(raw.pings, ['true', 'false']),
    ...{ columns: readText(raw.columns, 400), view: readText(raw.view, 60) },
    before: readText(raw.before, 60),
    after: readText(raw.after, 60),
    limit: size !== defaultPageSize ? pageSizes.find((one) => one === size) : undefined,
  });
}

const dropEmpty = (search: LeadsSearch): LeadsSearch =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

/** The call's own query: names become instants of the reporting zone at the moment of asking. */
export function toLeadsQuery(
  place: { region: string; vertical: string },
  search: LeadsSearch,
  zone: TimeZone,
  nowMs: number,
): URLSearchParams {
  const { period, from, to, limit, view: _view, columns: _columns, ...filters } = search;
  const range = periodInstants(search, zone, nowMs);
  const given = { ...place, ...filters, ...range, limit: String(limit ?? defaultPageSize) };
  return new URLSearchParams(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function periodInstants({ period, from, to }: LeadsSearch, zone: TimeZone, nowMs: number) {
  if (!period) return {};
  if (period !== 'customRange') return spanInstants(period, nowMs, zone);
  return from && to ? customInstants(from, to, zone) : {};
}

/** The filters alone, without page and page size. */
export const filterNames = [
  ...([
    'status',
    'campaignId',
    'publisherId',
    'publisherTierId',
    'subId',
    'state',
    'buyerId',
    'buyerTierId',
    'triedBuyerId',
    'triedTierId',
    'triedGroupId',
    'filterReason',
    'soldBuyerId',
    'soldTierId',
    'otherPrice',
    'variantId',
    'pageId',
    'reason',
  ] as const),
  ...(['period', 'test', 'pings', 'q'] as const),
];
export const hasFilter = (search: LeadsSearch): boolean => filterNames.some((name) => search[name] !== undefined);
/** A changed filter starts again at the newest lead: a cursor of the old list means nothing in the new one. */
export const withFilter = (search: LeadsSearch, change: Partial<LeadsSearch>): LeadsSearch => {
  const { before, after, ...kept } = search;
  return dropEmpty({ ...kept, ...change });
};

/** What a view keeps of it: neither the page that is shown nor what was searched for, which may be of a person. */
export const LEADS_ADDRESS = {
  read: readLeadsSearch,
  whole: ({ q: _, before: __, after: ___, ...kept }: LeadsSearch): LeadsSearch => kept,
};
