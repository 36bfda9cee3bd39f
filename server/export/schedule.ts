/** When a feed is due. Pure. */
import type { FeedSchedule } from '#contract/export.ts';
import { HOUR_MS, instantOfLocal, localTimeAt, MINUTE_MS, monthStart, parseLocalMinute, weekdayOf } from '#engine/zone.ts';

/**
 * The last moment up to `now` at which it was due. A clock time that a change of the clocks skips is the moment of the change, one that comes
 * twice is the first of the two: every day has one. What a run covers goes from moment to moment, so that no change of the clocks leaves a lead out.
 */
export function lastDue(schedule: FeedSchedule, now: number): number {
  if (schedule.every === 'hour') {
    const past = schedule.minute * MINUTE_MS;
    return Math.floor((now - past) / HOUR_MS) * HOUR_MS + past;
  }
  const today = localTimeAt(schedule.timeZone, now).day;
  let back = 0;
  // The day of `now` itself may have its moment yet to come.
  while (dueOn(schedule, today, back) > now) back += 1;
  return dueOn(schedule, today, back);
}

/** The first moment after `now`. */
export function nextDue(schedule: FeedSchedule, now: number): number {
  if (schedule.every === 'hour') return lastDue(schedule, now) + HOUR_MS;
  const today = localTimeAt(schedule.timeZone, now).day;
  let back = 1;
  while (dueOn(schedule, today, back) <= now) back -= 1;
  return dueOn(schedule, today, back);
}

type Daily = Exclude<FeedSchedule, { every: 'hour' }>;

/** So many days, weeks or months before the one that `today` lies in. */
function dueOn(schedule: Daily, today: number, back: number): number {
  return instantOfLocal(schedule.timeZone, dayBefore(schedule, today, back), parseLocalMinute(schedule.at)!);
}

function dayBefore(schedule: Daily, today: number, back: number): number {
  switch (schedule.every) {
    case 'day':
      return today - back;
    case 'week':
      return today - weekdayOf(today) + schedule.weekday - 7 * back;
    case 'month': {
      const first = monthStart(today, -back);
      return Math.min(first + schedule.day - 1, monthStart(first, 1) - 1);
    }
  }
}
