/** Opening hours and pause dates, compiled to minutes and day numbers once. */
import type { Hours, Instant, PauseDates } from './plan.ts';
import { formatLocalDate, instantOfLocal, isTimeZone, localTimeAt, parseLocalDate, parseLocalMinute, weekdayOf } from './zone.ts';

/** Minutes of the local day, half-open. */
interface MinuteSpan {
  from: number;
  to: number;
}

export interface OpeningHours {
  timeZone: string;
  isOpenAt(instant: Instant): boolean;
  /** The next instant at which it opens; null when it never does. */
  opensAfter(instant: Instant): Instant | null;
}

export interface Pause {
  timeZone: string;
  /** The pause that covers the local day of `instant`. */
  findAt(instant: Instant): { from: string; to: string; note: string; endsAt: Instant } | undefined;
}

const DAYS_SEARCHED = 15;

/** A text instead of hours says what is wrong with them. */
export function compileHours(hours: Hours): OpeningHours | string {
  if (!isTimeZone(hours.timeZone)) return `the time zone ${hours.timeZone} does not exist`;
  if (!Array.isArray(hours.week) || hours.week.length !== 7) return 'the week needs seven days';
  const week = hours.week.map((spans) => spans.map(readSpan).sort((a, b) => a.from - b.from));
  if (week.some((spans) => spans.some((span) => !(span.from < span.to)))) return 'each opening needs a from before its to, as HH:MM';
  return openingHours(hours.timeZone, week);
}

function readSpan(span: { from: string; to: string }): MinuteSpan {
  return { from: parseLocalMinute(span.from) ?? Number.NaN, to: parseLocalMinute(span.to) ?? Number.NaN };
}

function openingHours(timeZone: string, week: MinuteSpan[][]): OpeningHours {
  // The last answer holds until that opening, so that a closed tier costs one look-up per lead.
  let closed = { fromAt: Number.POSITIVE_INFINITY, opensAt: null as Instant | null };
  const isOpenAt = (instant: Instant) => {
    const local = localTimeAt(timeZone, instant);
    return week[local.weekday]!.some((span) => span.from <= local.minute && local.minute < span.to);
  };
  const opensAfter = (instant: Instant) => {
    if (instant >= closed.fromAt && closed.opensAt !== null && instant < closed.opensAt) return closed.opensAt;
    closed = { fromAt: instant, opensAt: findOpening(timeZone, week, instant) };
    return closed.opensAt;
  };
  return { timeZone, isOpenAt, opensAfter };
}

function findOpening(timeZone: string, week: MinuteSpan[][], after: Instant): Instant | null {
  const today = localTimeAt(timeZone, after).day;
  for (let day = today; day < today + DAYS_SEARCHED; day++) {
    for (const span of week[weekdayOf(day)]!) {
      const opensAt = instantOfLocal(timeZone, day, span.from);
      // A span that a clock change skips as a whole opens nothing.
      if (opensAt > after && localTimeAt(timeZone, opensAt).minute < span.to) return opensAt;
    }
  }
  return null;
}

/** A text instead of a pause says what is wrong with it. */
export function compilePause(pause: PauseDates): Pause | string {
  if (!isTimeZone(pause.timeZone)) return `the time zone ${pause.timeZone} does not exist`;
  const days = pause.days.map((span) => ({
    from: parseLocalDate(span.from) ?? Number.NaN,
    to: parseLocalDate(span.to) ?? Number.NaN,
    note: span.note ?? '',
  }));
  if (days.some((span) => !(span.from <= span.to))) return 'each pause needs a first day not after its last, as YYYY-MM-DD';
  return { timeZone: pause.timeZone, findAt: (instant) => findPause(pause.timeZone, days, instant) };
}

function findPause(timeZone: string, days: { from: number; to: number; note: string }[], instant: Instant) {
  if (days.length === 0) return undefined;
  const today = localTimeAt(timeZone, instant).day;
  const found = days.find((span) => span.from <= today && today <= span.to);
  if (!found) return undefined;
  const { from, to, note } = found;
  return { from: formatLocalDate(from), to: formatLocalDate(to), note, endsAt: instantOfLocal(timeZone, to + 1, 0) };
}
