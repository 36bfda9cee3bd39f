/** Days on which the demo buyers do not buy: the next public holiday of their country, and a day that has passed. */
import type { PauseDates } from '#engine/plan.ts';
import { DAY_MS, formatLocalDate, localTimeAt } from '#engine/zone.ts';

const HOLIDAYS = {
  us: [
    ['01-01', "New Year's Day"],
    ['06-19', 'Juneteenth'],
    ['07-04', 'Independence Day'],
    ['11-11', 'Veterans Day'],
    ['12-25', 'Christmas Day'],
  ],
  uk: [
    ['01-01', "New Year's Day"],
    ['05-01', 'May Day'],
    ['08-31', 'Summer bank holiday'],
    ['12-25', 'Christmas Day'],
  ],
} as const;

const AHEAD_DAYS = 3;

/** The first holiday that is at least a few days away. */
export function nextHoliday(country: 'us' | 'uk', timeZone: string, now: number): PauseDates['days'][number] {
  const soonest = dateAt(timeZone, now + AHEAD_DAYS * DAY_MS);
  const years = [Number(soonest.slice(0, 4)), Number(soonest.slice(0, 4)) + 1];
  const all = years.flatMap((year) => HOLIDAYS[country].map(([day, note]) => ({ from: `${year}-${day}`, to: `${year}-${day}`, note })));
  return all.find((one) => one.from >= soonest)!;
}

/** A pause of the past, so that history has leads it turned away. */
export function daysAgo(count: number, timeZone: string, now: number, note: string): PauseDates['days'][number] {
  const day = dateAt(timeZone, now - count * DAY_MS);
  return { from: day, to: day, note };
}

function dateAt(timeZone: string, instant: number): string {
  return formatLocalDate(localTimeAt(timeZone, instant).day);
}
