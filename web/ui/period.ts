import { MESSAGES } from '#contract/message.ts';
import { LONGEST_SPAN_YEARS } from '#contract/report-limits.ts';
import { addDays, type Day, dayOf, dayStart, instantOf, monthStart, type TimeZone, type WallMinute, weekdayOf } from './zone.ts';

/** The spec's time spans (console §3), in its order. */
export const spans = ['today', 'yesterday', 'thisWeek', 'lastWeek', 'thisMonth', 'lastMonth', 'last3Months', 'customRange'] as const;
export type Span = (typeof spans)[number];
/** Of the change log: how far back one looks for what went wrong. */
export const logSpans = ['today', 'last7Days', 'last30Days', 'customRange'] as const;
export type LogSpan = (typeof logSpans)[number];
export const spanLabel: Record<Span | LogSpan, string> = {
  today: 'Today',
  yesterday: 'Yesterday',
  thisWeek: 'This week',
  lastWeek: 'Last week',
  thisMonth: 'This month',
  lastMonth: 'Last month',
  last3Months: 'Last 3 months',
  last7Days: 'Last 7 days',
  last30Days: 'Last 30 days',
  customRange: 'Custom range',
};

export interface DayRange {
  first: Day;
  /** The last day, included. */
  last: Day;
}

/** Weeks begin on Monday. `last3Months` is this month and the two before it; the last 7 or 30 days have today as their last. */
export function spanDays(span: Exclude<Span | LogSpan, 'customRange'>, today: Day): DayRange {
  const monday = addDays(today, -weekdayOf(today));
  switch (span) {
    case 'today':
      return { first: today, last: today };
    case 'yesterday':
      return { first: addDays(today, -1), last: addDays(today, -1) };
    case 'thisWeek':
      return { first: monday, last: today };
    case 'lastWeek':
      return { first: addDays(monday, -7), last: addDays(monday, -1) };
    case 'thisMonth':
      return { first: monthStart(today), last: today };
    case 'lastMonth':
      return { first: monthStart(today, -1), last: addDays(monthStart(today), -1) };
    case 'last3Months':
      return { first: monthStart(today, -2), last: today };
    case 'last7Days':
      return { first: addDays(today, -6), last: today };
    case 'last30Days':
      return { first: addDays(today, -29), last: today };
  }
}

export interface InstantRange {
  /** ISO 8601 UTC, included. */
  from: string;
  /** ISO 8601 UTC, the first instant after the range. */
  to: string;
}

export function spanInstants(span: Exclude<Span | LogSpan, 'customRange'>, nowMs: number, zone: TimeZone): InstantRange {
  const { first, last } = spanDays(span, dayOf(nowMs, zone));
  return { from: new Date(dayStart(first, zone)).toISOString(), to: new Date(dayStart(addDays(last, 1), zone)).toISOString() };
}

/**
 * What a span is compared with: the one before it. Of a span that is not over, as much of the one before as has passed of it; of a typed
 * range, one as long that ends where it begins.
 */
export function beforeInstants(span: Span, { from, to }: InstantRange, nowMs: number, zone: TimeZone): InstantRange {
  const [start, end] = [Date.parse(from), Date.parse(to)];
  const range = (first: number, last: number) => ({ from: new Date(first).toISOString(), to: new Date(last).toISOString() });
  if (span === 'customRange') return range(start - (end - start), start);
  const first = dayStart(firstDayBefore(span, dayOf(start, zone)), zone);
  return range(first, nowMs >= end ? start : Math.min(start, first + Math.max(60_000, nowMs - start)));
}

function firstDayBefore(span: Exclude<Span, 'customRange'>, first: Day): Day {
  if (span === 'today' || span === 'yesterday') return addDays(first, -1);
  if (span === 'thisWeek' || span === 'lastWeek') return addDays(first, -7);
  return monthStart(first, span === 'last3Months' ? -3 : -1);
}

/** A typed range, minute precision; the `to` minute is included whole. */
export function customInstants(from: WallMinute, to: WallMinute, zone: TimeZone): InstantRange {
  return { from: new Date(instantOf(from, zone)).toISOString(), to: new Date(instantOf(to, zone) + 60_000).toISOString() };
}

/** Of the calendar, too: an address may hold anything. */
export function isWallMinute(text: string): boolean {
  const instant = Date.parse(`${text}:00Z`);
  // A day too many would go on in the next month.
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d$/.test(text) && !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Longer than a report is made over. */
export const isTooLong = (from: WallMinute, to: WallMinute): boolean =>
  Date.parse(`${to}:00Z`) + 60_000 - Date.parse(`${from}:00Z`) > LONGEST_SPAN_YEARS * 366 * 86_400_000;

/** What is wrong with a typed range, by field; null when nothing is. */
export function rangeProblem(from: WallMinute, to: WallMinute, today: Day): { field: 'from' | 'to'; message: string } | null {
  if (!isWallMinute(from)) return { field: 'from', message: 'Choose a start date and time.' };
  if (!isWallMinute(to)) return { field: 'to', message: 'Choose an end date and time.' };
  const tomorrow = addDays(today, 1);
  if (from.slice(0, 10) > tomorrow) return { field: 'from', message: MESSAGES.futureDate };
  if (to.slice(0, 10) > tomorrow) return { field: 'to', message: MESSAGES.futureDate };
  if (to < from) return { field: 'to', message: 'The end must not be before the start.' };
  if (isTooLong(from, to)) return { field: 'from', message: `Choose a span of at most ${LONGEST_SPAN_YEARS} years.` };
  return null;
}
