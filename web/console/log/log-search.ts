/** What the addresses of the two logs say; filters live nowhere else. */
import type { CallEnd, CallKind, LoggedOutcome } from '#contract/log.ts';
import { customInstants, isWallMinute, type Span, spanInstants, spans } from '#web/ui/period.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { statuses } from '../lead/lead-words.ts';

interface Common {
  q?: string | undefined;
  period?: Span | undefined;
  /** Wall-clock minutes of the reporting zone, only with `customRange`. */
  from?: string | undefined;
  to?: string | undefined;
  test?: 'true' | 'false' | undefined;
  text?: string | undefined;
  /** The saved view that this began as. */
  view?: string | undefined;
  /** Ids of the lines that are open, by commas. */
  open?: string | undefined;
  /** Those in sight, by commas; those that the person chose last without. */
  columns?: string | undefined;
}

interface OfPublishers {
  campaignId?: string | undefined;
  publisherId?: string | undefined;
  publisherTierId?: string | undefined;
  /** A status, a class such as 5xx, or of calls to buyers `none`. */
  http?: string | undefined;
}

export interface AttemptLogSearch extends Common, OfPublishers {
  buyerId?: string | undefined;
  buyerTierId?: string | undefined;
  outcome?: LoggedOutcome | undefined;
  leg?: 'ping' | 'post' | undefined;
  reason?: string | undefined;
  tookMs?: string | undefined;
}

export interface CallLogSearch extends Common, OfPublishers {
  end?: CallEnd | undefined;
  call?: CallKind | undefined;
  /** The internal reason of the lead. */
  reason?: string | undefined;
  code?: string | undefined;
}

type Raw = Record<string, unknown>;
const readText = (value: unknown, longest: number) =>
  typeof value === 'string' && value.trim() !== '' ? value.slice(0, longest) : undefined;
const readOneOf = <Value extends string>(value: unknown, allowed: readonly Value[]) => allowed.find((one) => one === value);
const readMinute = (value: unknown) => (typeof value === 'string' && isWallMinute(value) ? value : undefined);
const readId = (value: unknown) => (typeof value === 'string' && /^[0-9a-f-]{36}$/.test(value) ? value : undefined);
const meant = <Search extends object>(search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as Search;

// Said here too, so that the first page carries no schemas.
export const outcomes = ['sold', 'rejected', 'terrors', 'timeouts', 'bid'] as const satisfies readonly LoggedOutcome[];
export const callKinds = ['full', 'ping', 'post', 'status'] as const satisfies readonly CallKind[];
export const callEnds: readonly CallEnd[] = [...statuses, 'refused', 'replayed', 'asked'];
export const SLOW = ['500', '1000', '3000', '5000', '10000'] as const;

function readCommon(raw: Raw): Common {
  const [from, to] = [readMinute(raw.from), readMinute(raw.to)];
  const period = readOneOf(raw.period, spans);
  const isCustom = period === 'customRange' && from !== undefined && to !== undefined;
  return {
    q: readText(raw.q, 200),
    period: period === 'customRange' && !isCustom ? undefined : period,
    ...(isCustom && { from, to }),
    test: readOneOf(raw.test, ['true', 'false']),
    text: readText(raw.text, 200),
    view: readText(raw.view, 60),
    open: readOpen(raw.open),
    columns: typeof raw.columns === 'string' && /^[A-Za-z0-9,]{1,400}$/.test(raw.columns) ? raw.columns : undefined,
  };
}

const readOfPublishers = (raw: Raw, http: RegExp): OfPublishers => ({
  campaignId: readId(raw.campaignId),
  publisherId: readId(raw.publisherId),
  publisherTierId: readId(raw.publisherTierId),
  http: http.test(String(raw.http)) ? String(raw.http) : undefined,
});
const HTTP_STATUS = /^[1-5](\d\d|xx)$/;
const HTTP_ANSWER = /^([1-9](\d\d|xx)|none)$/;

/** So many lines stand open at once. */
const OPEN_MOST = 10;
const CALL_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-\d{1,4})?$/;
export const openedIn = (open: string | undefined): string[] => open?.split(',') ?? [];

function readOpen(value: unknown): string | undefined {
  const ids = typeof value === 'string' ? value.split(',').filter((id) => CALL_ID.test(id)) : [];
  return [...new Set(ids)].slice(0, OPEN_MOST).join(',') || undefined;
}

/** With a line opened or closed; of too many, the one that was opened first closes. */
export function turnOpen(open: string | undefined, id: string): string | undefined {
  const ids = openedIn(open);
  const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id].slice(-OPEN_MOST);
  return next.join(',') || undefined;
}

/** A value that cannot be meant falls away. */
export const readAttemptLogSearch = (raw: Raw): AttemptLogSearch =>
  meant({
    ...readCommon(raw),
    ...readOfPublishers(raw, HTTP_ANSWER),
    buyerId: readId(raw.buyerId),
    buyerTierId: readId(raw.buyerTierId),
    outcome: readOneOf(raw.outcome, outcomes),
    leg: readOneOf(raw.leg, ['ping', 'post']),
    reason: readText(raw.reason, 200),
    tookMs: readOneOf(raw.tookMs, SLOW),
  });

export const readCallLogSearch = (raw: Raw): CallLogSearch =>
  meant({
    ...readCommon(raw),
    ...readOfPublishers(raw, HTTP_STATUS),
    end: readOneOf(raw.end, callEnds),
    call: readOneOf(raw.call, callKinds),
    reason: readText(raw.reason, 80),
    code: typeof raw.code === 'string' && /^[a-z_]{1,60}$/.test(raw.code) ? raw.code : undefined,
  });

/** The call's own filters: names of spans become instants of the reporting zone at the moment of asking. */
export function toLogFilters(
  place: { region: string; vertical: string },
  { period, from, to, open: _open, view: _view, columns: _columns, ...filters }: AttemptLogSearch | CallLogSearch,
  zone: TimeZone,
  nowMs: number,
): Record<string, string> {
  const span = !period ? {} : period !== 'customRange' ? spanInstants(period, nowMs, zone) : customInstants(from!, to!, zone);
  const given = { ...place, ...filters, ...span };
  return Object.fromEntries(Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** What is open or in sight narrows nothing, nor does the name of a view. */
export const isNarrowed = ({ open: _open, view: _view, columns: _columns, ...filters }: AttemptLogSearch | CallLogSearch): boolean =>
  Object.values(filters).some((one) => one !== undefined);

/** What views keep: neither lines that are open nor what was searched for, which may be of a person; nor a reason in a buyer's words. */
const kept = <Search extends AttemptLogSearch | CallLogSearch>({ q: _q, text: _text, open: _open, ...search }: Search) => search as Search;
export const ATTEMPT_LOG_ADDRESS = {
  read: readAttemptLogSearch,
  whole: (search: AttemptLogSearch) => kept<AttemptLogSearch>({ ...search, reason: undefined }),
};
export const CALL_LOG_ADDRESS = { read: readCallLogSearch, whole: kept<CallLogSearch> };
