import { describe, expect, test } from 'vitest';
import { addDays, dayOf, dayStart, instantOf, monthStart, type TimeZone, timeZones, wallMinuteOf, weekdayOf } from './zone.ts';

const iso = (ms: number) => new Date(ms).toISOString();

describe('console §4, account §9: a day begins where the reporting zone says', () => {
  test('New York, winter and summer', () => {
    expect(iso(dayStart('2026-01-15', 'America/New_York'))).toBe('2026-01-15T05:00:00.000Z');
    expect(iso(dayStart('2026-07-15', 'America/New_York'))).toBe('2026-07-15T04:00:00.000Z');
  });
  test('London, winter and summer', () => {
    expect(iso(dayStart('2026-01-15', 'Europe/London'))).toBe('2026-01-15T00:00:00.000Z');
    expect(iso(dayStart('2026-07-15', 'Europe/London'))).toBe('2026-07-14T23:00:00.000Z');
  });
  test('the days the clocks change are 23 and 25 hours long', () => {
    const hours = (day: string, zone: TimeZone) => (dayStart(addDays(day, 1), zone) - dayStart(day, zone)) / 3_600_000;
    expect(hours('2026-03-08', 'America/New_York')).toBe(23);
    expect(hours('2026-11-01', 'America/New_York')).toBe(25);
    expect(hours('2026-03-29', 'Europe/London')).toBe(23);
    expect(hours('2026-10-25', 'Europe/London')).toBe(25);
  });
  test('the day of an instant is the zone’s own', () => {
    const instant = Date.parse('2026-11-27T02:30:00Z');
    expect(dayOf(instant, 'UTC')).toBe('2026-11-27');
    expect(dayOf(instant, 'America/New_York')).toBe('2026-11-26');
  });
});

describe('wall-clock minutes', () => {
  test('go to an instant and back in every zone', () => {
    for (const zone of timeZones)
      for (const wall of ['2026-02-28T23:59', '2026-06-01T00:00', '2026-12-31T12:34'])
        expect(wallMinuteOf(instantOf(wall, zone), zone)).toBe(wall);
  });
  test('a minute that the spring skips becomes the later one', () => {
    expect(wallMinuteOf(instantOf('2026-03-08T02:30', 'America/New_York'), 'America/New_York')).toBe('2026-03-08T03:30');
  });
  test('a minute that the autumn repeats becomes the first of the two', () => {
    expect(iso(instantOf('2026-11-01T01:30', 'America/New_York'))).toBe('2026-11-01T05:30:00.000Z');
  });
});

test('calendar arithmetic crosses months, years and leap days', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(monthStart('2026-01-31', -1)).toBe('2025-12-01');
  expect(weekdayOf('2026-11-23')).toBe(0);
  expect(weekdayOf('2026-11-29')).toBe(6);
});
