/** What the address of a report says, and what is asked of the server for it. */
import type { PaymentResult } from '#contract/payment.ts';
import type { CompareKind, ReportUnit } from '#contract/report.ts';
import { MOST_POINTS } from '#contract/report-limits.ts';
import { beforeInstants, customInstants, type InstantRange, isWallMinute, type Span, spanInstants, spans } from '#web/ui/period.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import type { Place } from '../api/lead.ts';
import { readTimeSpan } from '../time-span.ts';

export interface ReportSearch {
  period?: Span | undefined;
  /** Wall-clock minutes of the reporting zone, only with `customRange`. */
  from?: string | undefined;
  to?: string | undefined;
  by?: string | undefined;
  unit?: ReportUnit | undefined;
  /** Of a chart, a map or a matrix. */
  measure?: string | undefined;
  /** Of a table: their names, by commas; those that the person chose last without. */
  columns?: string | undefined;
  /** The saved view that this began as. */
  view?: string | undefined;
  /** A column, with a minus before it from the most to the least. */
  sort?: string | undefined;
  campaignId?: string | undefined;
  publisherId?: string | undefined;
  publisherTierId?: string | undefined;
  subId?: string | undefined;
  /** The code of one. */
  state?: string | undefined;
  buyerId?: string | undefined;
  buyerTierId?: string | undefined;
  /** Of payments: 0 to 4, six to eight digits, why it was declined, and which of them are listed. Of payments alone a record, BIN or reason is '' for those of none. */
  processorId?: string | undefined;
  move?: string | undefined;
  bin?: string | undefined;
  reason?: string | undefined;
  result?: PaymentResult | undefined;
  /** Of payments: the id of a transaction or of a lead. */
  q?: string | undefined;
  /** The state that is looked at on the map. */
  chosen?: string | undefined;
  /** What two of are compared, and which: ids, slugs, sub ids or codes. */
  of?: CompareKind | undefined;
  a?: string | undefined;
  b?: string | undefined;
  /** The second of two spans; the span before the first without one. */
  bPeriod?: Span | undefined;
  bFrom?: string | undefined;
  bTo?: string | undefined;
}

export const filterNames = [
  ...(['campaignId', 'publisherId', 'publisherTierId', 'subId', 'state', 'buyerId', 'buyerTierId'] as const),
  ...(['processorId', 'move', 'bin', 'reason'] as const),
] as const;
export const paymentResults = ['approved', 'declined', 'refunded', 'chargeback'] as const satisfies readonly PaymentResult[];
const LONG: readonly string[] = ['subId', 'reason'];
export const compareKinds = [
  ...(['publisher', 'publisherTier', 'buyer', 'buyerTier', 'campaign', 'group', 'variant', 'reason'] as const),
  ...(['subId', 'state', 'vertical', 'region', 'span'] as const),
] as const satisfies readonly CompareKind[];
export type FilterName = (typeof filterNames)[number];
export const units = ['hour', 'day', 'week', 'month'] as const satisfies readonly ReportUnit[];

const readText = (value: unknown, longest: number) =>
  (typeof value === 'string' || typeof value === 'number') && String(value).trim() !== '' ? String(value).slice(0, longest) : undefined;
const readWord = (value: unknown) => (typeof value === 'string' && /^-?[A-Za-z0-9,]{1,60}$/.test(value) ? value : undefined);
const readMinute = (value: unknown) => (typeof value === 'string' && isWallMinute(value) ? value : undefined);

function readSpan(name: unknown, start: unknown, end: unknown): Pick<ReportSearch, 'period' | 'from' | 'to'> {
  const period = spans.find((one) => one === name);
  const [from, to] = [readMinute(start), readMinute(end)];
  if (period !== 'customRange') return { period };
  return from !== undefined && to !== undefined ? { period, from, to } : {};
}

/** A value that cannot be meant falls away. */
export function readReportSearch(raw: Record<string, unknown>): ReportSearch {
  const own = readSpan(raw.period, raw.from, raw.to);
  const other = readSpan(raw.bPeriod, raw.bFrom, raw.bTo);
  const search: ReportSearch = {
    ...own,
    ...{ bPeriod: other.period, bFrom: other.from, bTo: other.to },
    of: compareKinds.find((one) => one === raw.of),
    ...{ a: readText(raw.a, 200), b: readText(raw.b, 200), chosen: readWord(raw.chosen) },
    by: readWord(raw.by),
    unit: units.find((one) => one === raw.unit),
    measure: readWord(raw.measure),
    sort: readWord(raw.sort),
    columns: typeof raw.columns === 'string' && /^[A-Za-z0-9,]{1,600}$/.test(raw.columns) ? raw.columns : undefined,
    ...{ view: readText(raw.view, 60), q: readText(raw.q, 200) },
    result: paymentResults.find((one) => one === raw.result),
    ...Object.fromEntries(filterNames.map((name) => [name, readText(raw[name], LONG.includes(name) ? 200 : 60)])),
  };
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}

const MAY_BE_NONE = ['campaignId', 'publisherId', 'publisherTierId', 'buyerId', 'buyerTierId', 'bin', 'reason'] as const;

/** Of payments, which are narrowed to those of none too. */
export const readPaymentSearch = (raw: Record<string, unknown>): ReportSearch => ({
  ...readReportSearch(raw),
  ...Object.fromEntries(MAY_BE_NONE.filter((name) => raw[name] === '').map((name) => [name, ''])),
});

/** The span in the address, or else the one last chosen anywhere (console §3), or today. */
export function spanOf(search: ReportSearch): { period: Span; from?: string | undefined; to?: string | undefined } {
  if (search.period) return { period: search.period, from: search.from, to: search.to };
  const last = readTimeSpan();
  return { period: last.timespan, ...(last.timespan === 'customRange' && { from: last.startDate, to: last.endDate }) };
}

export function instantsOf(search: ReportSearch, zone: TimeZone, nowMs: number): InstantRange {
  const { period, from, to } = spanOf(search);
  if (period !== 'customRange') return spanInstants(period, nowMs, zone);
  return from && to ? customInstants(from, to, zone) : spanInstants('today', nowMs, zone);
}

const DAY_MS = 86_400_000;
const UNIT_DAYS: Record<ReportUnit, number> = { hour: 1 / 24, day: 1, week: 7, month: 28 };

const daysOf = ({ from, to }: InstantRange): number => (Date.parse(to) - Date.parse(from)) / DAY_MS;

/** As fine as can still be read; a unit that was chosen of a shorter span falls away where a longer one has more points than are drawn. */
export function unitOf(search: ReportSearch, span: InstantRange): ReportUnit {
  const days = daysOf(span);
  if (search.unit && days / UNIT_DAYS[search.unit] < MOST_POINTS) return search.unit;
  return days <= 2.1 ? 'hour' : days <= 95 ? 'day' : days <= 750 ? 'week' : 'month';
}

/** The span of the page, or the other one that it is compared with, where that is longer: both are drawn by the same unit. */
export function drawnSpan(search: ReportSearch, zone: TimeZone, nowMs: number): InstantRange {
  const own = instantsOf(search, zone, nowMs);
  if (search.of !== 'span' || !search.bPeriod) return own;
  const other = instantsOf({ period: search.bPeriod, from: search.bFrom, to: search.bTo }, zone, nowMs);
  return daysOf(other) > daysOf(own) ? other : own;
}

/** What is compared: two records, verticals or states, or two spans, the second being the one before unless another is chosen. */
export function comparedQuery(search: ReportSearch, zone: TimeZone, nowMs: number): Record<string, string | undefined> {
  const { of, a, b, bPeriod, bFrom, bTo } = search;
  if (of !== 'span') return { of, a, b };
  const other = bPeriod ? instantsOf({ period: bPeriod, from: bFrom, to: bTo }, zone, nowMs) : undefined;
  const { from, to } = other ?? beforeInstants(spanOf(search).period, instantsOf(search, zone, nowMs), nowMs, zone);
  return { of, bFrom: from, bTo: to };
}

export interface AskedRows {
  by?: string | undefined;
  /** Those that the report knows. */
  filters: readonly FilterName[];
  sort?: string | undefined;
  /** Rows with what they had in the span before. */
  hasRowsBefore?: boolean | undefined;
  /** Points with their times to answer. */
  hasPointTimes?: boolean | undefined;
  /** The buyer tier that time-outs are told of by time. */
  seriesOf?: string | undefined;
}

/** The call's own query. */
export function toReportQuery(
  place: Place,
  search: ReportSearch,
  { by, filters, sort, hasRowsBefore, hasPointTimes, seriesOf }: AskedRows,
  zone: TimeZone,
  nowMs: number,
): Record<string, string> {
  const span = instantsOf(search, zone, nowMs);
  const { period } = spanOf(search);
  const before = beforeInstants(period, span, nowMs, zone);
  const given = Object.fromEntries(filters.map((name) => [name, search[name]]));
  const all = {
    ...{ region: place.region, vertical: place.vertical, timeZone: zone },
    ...{ ...span, beforeFrom: before.from, beforeTo: before.to, unit: unitOf(search, drawnSpan(search, zone, nowMs)) },
    ...{ by, sort, seriesOf, rowsBefore: hasRowsBefore ? 'true' : undefined, pointTimes: hasPointTimes ? 'true' : undefined },
    ...given,
    ...(search.of && comparedQuery(search, zone, nowMs)),
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
