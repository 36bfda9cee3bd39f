/** The reporting time zones and their labels (account §9). A day begins where the chosen zone says it does. */
export const timeZones = ['UTC', 'America/New_York', 'Europe/London'] as const;
export type TimeZone = (typeof timeZones)[number];
export const timeZoneLabel: Record<TimeZone, string> = { UTC: 'UTC', 'America/New_York': 'EST', 'Europe/London': 'BST' };
export const timeZonePlace: Record<TimeZone, string> = { UTC: 'Universal time', 'America/New_York': 'New York', 'Europe/London': 'London' };

/** A calendar day, "YYYY-MM-DD", and a wall-clock minute, "YYYY-MM-DDTHH:mm". */
export type Day = string;
export type WallMinute = string;

const clocks = new Map<TimeZone, Intl.DateTimeFormat>();
const clockOf = (zone: TimeZone) => {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  clocks.set(zone, made);
  return made;
};

const wallMs = (instantMs: number, zone: TimeZone): number => {
  const part: Record<string, string> = {};
  for (const { type, value } of clockOf(zone).formatToParts(instantMs)) part[type] = value;
  return Date.parse(`${part.year}-${part.month}-${part.day}T${part.hour}:${part.minute}:${part.second}Z`);
};

export const dayOf = (instantMs: number, zone: TimeZone): Day => new Date(wallMs(instantMs, zone)).toISOString().slice(0, 10);
export const wallMinuteOf = (instantMs: number, zone: TimeZone): WallMinute => new Date(wallMs(instantMs, zone)).toISOString().slice(0, 16);

/** The instant of a wall-clock minute. In a spring gap the later instant; in an autumn fold the earlier one. */
export function instantOf(wall: WallMinute, zone: TimeZone): number {
  const target = Date.parse(`${wall}:00Z`);
  const offsetAt = (ms: number) => wallMs(ms, zone) - ms;
  const candidates = [offsetAt(target - 86_400_000), offsetAt(target + 86_400_000)].map((offset) => target - offset);
  const exact = candidates.filter((ms) => wallMs(ms, zone) === target);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...candidates);
}

export const dayStart = (day: Day, zone: TimeZone): number => instantOf(`${day}T00:00`, zone);

export const addDays = (day: Day, count: number): Day =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * 86_400_000).toISOString().slice(0, 10);

/** The first day of the month `count` months away. */
export function monthStart(day: Day, count = 0): Day {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return new Date(Date.UTC(year, month - 1 + count, 1)).toISOString().slice(0, 10);
}

/** Monday is 0. */
export const weekdayOf = (day: Day): number => (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
