/** Months as "2026-11", as statements are asked for. */
import type { TimeZone } from '#web/ui/zone.ts';

export const isMonth = (text: unknown): text is string => typeof text === 'string' && /^20\d{2}-(0[1-9]|1[0-2])$/.test(text);

/** The month it is now in the zone. */
export function monthNow(zone: TimeZone, now: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, year: 'numeric', month: '2-digit' }).format(now);
}

/** So many months later, or earlier. */
export function monthBeside(month: string, by: number): string {
  const [year, count] = month.split('-').map(Number) as [number, number];
  const at = year * 12 + count - 1 + by;
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
}

/** "November 2026" */
export const monthName = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'long', year: 'numeric' }).format(Date.parse(`${month}-15T00:00:00Z`));

/** This month and those before it, the newest first. */
export const lastMonths = (now: string, count: number): string[] => Array.from({ length: count }, (_, at) => monthBeside(now, -at));
