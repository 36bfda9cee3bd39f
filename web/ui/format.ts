import { type TimeZone, timeZoneLabel, type WallMinute, wallMinuteOf } from './zone.ts';

/** $12.50, or USD 12.50 where the organization prefers the code. */
export type CurrencyDisplay = 'symbol' | 'code';

const moneyFormats = new Map<string, Intl.NumberFormat>();
function moneyFormat(currency: string, currencyDisplay: CurrencyDisplay, maximumFractionDigits: number): Intl.NumberFormat {
  const name = `${currency} ${currencyDisplay} ${maximumFractionDigits}`;
  const known = moneyFormats.get(name);
  if (known) return known;
  const made = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    currencyDisplay,
    minimumFractionDigits: 2,
    maximumFractionDigits,
  });
  moneyFormats.set(name, made);
  return made;
}

/** What is less than nothing stands behind a real minus, before the sign of the currency: −$5.00. Nowhere in brackets or without it. */
const written = (format: Intl.NumberFormat, amount: string): string => format.format(amount as `${number}`).replace('-', '−');

/** Exact, for prices, one lead's amounts and accounts, which have to add up. The decimal text goes to the formatter as text, never through a float. */
export const formatMoney = (amount: string, currency: string, display: CurrencyDisplay = 'symbol'): string =>
  written(moneyFormat(currency, display, 4), amount);

const LESS_THAN_A_CENT = /^-?0*\.00\d*[1-9]/;

/** For columns and sums that are read at a glance: to the cent, but never something as nothing. The exact amount belongs beside it, in a title. */
export const formatCents = (amount: string, currency: string, display: CurrencyDisplay = 'symbol'): string =>
  written(moneyFormat(currency, display, LESS_THAN_A_CENT.test(amount) ? 4 : 2), amount);

/** A sentence of the server's, its amounts ("USD 12.50") as the organization writes them. */
export const localAmounts = (sentence: string, currency: string, display: CurrencyDisplay = 'symbol'): string =>
  sentence.replace(new RegExp(`\\b${currency} (-?\\d+\\.\\d{2,4})(?!\\d)`, 'g'), (_, amount: string) =>
    formatMoney(amount, currency, display),
  );

const counts = new Intl.NumberFormat('en-US');
export const formatCount = (count: number): string => counts.format(count);

export const formatRate = (part: number, whole: number): string => (whole === 0 ? '–' : `${((part / whole) * 100).toFixed(1)}%`);

/** 87 ms, 1.24 s, 1 min 3 s. */
export function formatElapsed(ms: number): string {
  if (ms < 1) return ms <= 0 ? '0 ms' : '<1 ms';
  // Rounded before the unit is chosen: nothing takes 1000 ms or 60.00 s.
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`;
  const hundredths = Math.round(ms / 10);
  if (hundredths < 6000) return `${(hundredths / 100).toFixed(2)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const instants = new Map<string, Intl.DateTimeFormat>();
const instantFormat = (key: string, zone: TimeZone, options: Intl.DateTimeFormatOptions) => {
  const known = instants.get(key + zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', { ...options, timeZone: zone });
  instants.set(key + zone, made);
  return made;
};

/** "Nov 27, 2026, 1:05:09 PM EST"; the spec's "medium" with the zone's label. */
export const formatInstant = (iso: string, zone: TimeZone): string =>
  `${instantFormat('medium', zone, { dateStyle: 'medium', timeStyle: 'medium' }).format(new Date(iso))} ${timeZoneLabel[zone]}`;

/** "Nov 27, 13:05:09"; for table cells, where the year is noise. */
export const formatShortInstant = (iso: string, zone: TimeZone): string =>
  instantFormat('short', zone, {
    month: 'short',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(new Date(iso));

/** A sentence of the server's, its moments ("2026-11-28 05:00 UTC") as the reporting zone has them. */
export const localTimes = (sentence: string, zone: TimeZone): string =>
  sentence.replace(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC\b/g, (_, day: string, minute: string) => {
    const wall = wallMinuteOf(Date.parse(`${day}T${minute}:00Z`), zone);
    return `${wall.replace('T', ' ')} ${timeZoneLabel[zone]}`;
  });

export const formatClock = (iso: string, zone: TimeZone): string =>
  instantFormat('clock', zone, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' }).format(new Date(iso));

/** "Friday, November 27 2026"; the spec's long date. */
export function formatLongDay(ms: number, zone: TimeZone): string {
  const part: Record<string, string> = {};
  const format = instantFormat('long', zone, { weekday: 'long', month: 'long', day: '2-digit', year: 'numeric' });
  for (const { type, value } of format.formatToParts(ms)) part[type] = value;
  return `${part.weekday}, ${part.month} ${part.day} ${part.year}`;
}

/** "Friday, November 27 2026 1:05PM", of a minute on the wall; the spec's long date with the time. */
export function formatLongMinute(wall: WallMinute): string {
  const at = new Date(`${wall}:00Z`);
  const clock = instantFormat('minute', 'UTC', { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' }).format(at);
  return `${formatLongDay(at.getTime(), 'UTC')} ${clock.replace(/\s/, '')}`;
}

/** "just now", "12 s ago", "3 min ago", "2 h ago", "yesterday", "5 days ago"; then the date speaks for itself. */
export function formatAgo(iso: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(iso)) / 1000));
  if (seconds < 5) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)} h ago`;
  const days = Math.floor(seconds / 86_400);
  return days === 1 ? '1 day ago' : `${days} days ago`;
}
