/** The window a cap counts in: the local hour, civil day, Monday week or month of its zone, as UTC instants. */
import type { CapPeriod, Instant } from './plan.ts';
import { HOUR_MS, instantOfLocal, localTimeAt, monthStart, offsetChangeBetween, offsetMsAt, weekdayOf } from './zone.ts';

/** Half-open [windowStartAt, resetsAt); both null for 'overall'. */
export interface CapWindow {
  windowStartAt: Instant | null;
  resetsAt: Instant | null;
}

interface Span {
  windowStartAt: Instant;
  resetsAt: Instant;
}

const EVER: CapWindow = { windowStartAt: null, resetsAt: null };
const lastByZone = new Map<string, Span>();

/** Windows of one zone and period follow each other without gap or overlap, also over clock changes (reliability G7). */
export function capWindowAt(period: CapPeriod, zone: string, instant: Instant): CapWindow {
  if (period === 'overall') return EVER;
  const key = `${period} ${zone}`;
  const last = lastByZone.get(key);
  if (last && last.windowStartAt <= instant && instant < last.resetsAt) return last;
  const span = period === 'hour' ? hourAt(zone, instant) : daysAt(period, zone, instant);
  lastByZone.set(key, span);
  return span;
}

/** A clock change inside an hour ends it: the repeated hour is a new one. */
function hourAt(zone: string, instant: Instant): Span {
  const offset = offsetMsAt(zone, instant);
  const start = Math.floor((instant + offset) / HOUR_MS) * HOUR_MS - offset;
  const end = start + HOUR_MS;
  return {
    windowStartAt: offsetMsAt(zone, start) === offset ? start : offsetChangeBetween(zone, start, instant),
    resetsAt: offsetMsAt(zone, end - 1) === offset ? end : offsetChangeBetween(zone, instant, end - 1),
  };
}

function daysAt(period: 'day' | 'week' | 'month', zone: string, instant: Instant): Span {
  let first = firstDay(period, localTimeAt(zone, instant).day);
  // Where a clock falls back over midnight the old date returns for a while; the new window has begun all the same.
  while (instant >= instantOfLocal(zone, followingFirstDay(period, first), 0)) first = followingFirstDay(period, first);
  return { windowStartAt: instantOfLocal(zone, first, 0), resetsAt: instantOfLocal(zone, followingFirstDay(period, first), 0) };
}

function firstDay(period: 'day' | 'week' | 'month', day: number): number {
  if (period === 'day') return day;
  return period === 'week' ? day - weekdayOf(day) : monthStart(day);
}

function followingFirstDay(period: 'day' | 'week' | 'month', first: number): number {
  if (period === 'day') return first + 1;
  return period === 'week' ? first + 7 : monthStart(first, 1);
}
