/**
 * Local time by IANA zone. Offsets are asked of Temporal once per zone and UTC quarter hour and remembered (bounded),
 * because every zone rule since 1973 changes on a quarter hour; all else is integer arithmetic.
 */
import { Temporal } from 'temporal-polyfill';
import type { Instant } from './plan.ts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
const QUARTER_MS = 900_000;
const OFFSETS_KEPT_PER_ZONE = 4_096;

/** Local days are counted from 1970-01-01; weekday 0 is Monday. */
export interface LocalTime {
  day: number;
  weekday: number;
  minute: number;
}

const offsetsByZone = new Map<string, Map<number, number>>();

export function isTimeZone(zone: string): boolean {
  try {
    offsetMsAt(zone, 0);
    return true;
  } catch {
    return false;
  }
}

/** Local time less UTC, in milliseconds. Throws RangeError for a zone that does not exist (compile refuses those). */
export function offsetMsAt(zone: string, instant: Instant): number {
  const quarter = Math.floor(instant / QUARTER_MS);
  const known = offsetsByZone.get(zone);
  const kept = known?.get(quarter);
  if (kept !== undefined) return kept;
  const offset = askTemporal(zone, quarter * QUARTER_MS);
  return remember(zone, known, quarter, offset);
}

function askTemporal(zone: string, instant: Instant): number {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone).offsetNanoseconds / 1_000_000;
}

function remember(zone: string, known: Map<number, number> | undefined, quarter: number, offset: number): number {
  const offsets = known ?? new Map<number, number>();
  if (!known) offsetsByZone.set(zone, offsets);
  if (offsets.size >= OFFSETS_KEPT_PER_ZONE) offsets.clear();
  offsets.set(quarter, offset);
  return offset;
}

export function localTimeAt(zone: string, instant: Instant): LocalTime {
  const local = instant + offsetMsAt(zone, instant);
  const day = Math.floor(local / DAY_MS);
  return { day, weekday: weekdayOf(day), minute: Math.floor((local - day * DAY_MS) / MINUTE_MS) };
}

/** 1970-01-01 was a Thursday. */
export function weekdayOf(day: number): number {
  return (((day + 3) % 7) + 7) % 7;
}

/** The first instant at which the local clock has reached `minute` of `day`; a clock time that is skipped gives the moment of the jump. */
export function instantOfLocal(zone: string, day: number, minute: number): Instant {
  const local = day * DAY_MS + minute * MINUTE_MS;
  const before = offsetMsAt(zone, local - DAY_MS);
  const after = offsetMsAt(zone, local + DAY_MS);
  if (offsetMsAt(zone, local - before) === before) return local - before;
  if (offsetMsAt(zone, local - after) === after) return local - after;
  return offsetChangeBetween(zone, local - after, local - before);
}

/** The moment within (from, to] at which the offset becomes what it is at `to`. */
export function offsetChangeBetween(zone: string, from: Instant, to: Instant): Instant {
  const target = offsetMsAt(zone, to);
  let change = Math.floor(to / QUARTER_MS) * QUARTER_MS;
  while (change - QUARTER_MS > from && offsetMsAt(zone, change - QUARTER_MS) === target) change -= QUARTER_MS;
  return change;
}

/** '2026-02-29' -> undefined; '2026-02-28' -> its day number. */
export function parseLocalDate(text: string): number | undefined {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return undefined;
  const day = dayOf(Number(parts[1]), Number(parts[2]), Number(parts[3]));
  return formatLocalDate(day) === text ? day : undefined;
}

export function dayOf(year: number, month: number, dayOfMonth: number): number {
  return Date.UTC(year, month - 1, dayOfMonth) / DAY_MS;
}

export function formatLocalDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** First day of the month `day` falls in, moved by `months`. */
export function monthStart(day: number, months = 0): number {
  const date = new Date(day * DAY_MS);
  return dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1 + months, 1);
}

/** '09:30' -> 570, '24:00' -> 1440. */
export function parseLocalMinute(text: string): number | undefined {
  const parts = /^([01]\d|2[0-4]):([0-5]\d)$/.exec(text);
  if (!parts) return undefined;
  const minute = Number(parts[1]) * 60 + Number(parts[2]);
  return minute <= 1_440 ? minute : undefined;
}
