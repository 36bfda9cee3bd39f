import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, test } from 'vitest';
import type { CapPeriod } from './plan.ts';
import { capWindowAt } from './window.ts';
import { HOUR_MS, instantOfLocal, isTimeZone, localTimeAt, offsetMsAt, parseLocalDate } from './zone.ts';

const ZONES = [
  'UTC',
  'America/New_York',
  'Europe/London',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Havana',
  'Pacific/Apia',
  'Pacific/Chatham',
  'Asia/Tehran',
  'Asia/Beirut',
  'Africa/Casablanca',
  'Antarctica/Troll',
  'America/Asuncion',
];
const PERIODS: CapPeriod[] = ['hour', 'day', 'week', 'month'];

/** Civil windows as ISO texts. */
function window(period: CapPeriod, zone: string, at: string): [string, string, number] {
  const { windowStartAt, resetsAt } = capWindowAt(period, zone, Date.parse(at));
  return [new Date(windowStartAt!).toISOString(), new Date(resetsAt!).toISOString(), (resetsAt! - windowStartAt!) / HOUR_MS];
}

describe('G7: a cap window is the local civil window', () => {
  test.each<[CapPeriod, string, string, string, string, number]>([
    ['day', 'America/New_York', '2026-03-08T12:00:00Z', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z', 23],
    ['day', 'America/New_York', '2026-11-01T12:00:00Z', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z', 25],
    ['day', 'Asia/Kathmandu', '2026-06-01T00:00:00Z', '2026-05-31T18:15:00.000Z', '2026-06-01T18:15:00.000Z', 24],
    ['day', 'America/Sao_Paulo', '2018-11-04T12:00:00Z', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z', 23],
    ['day', 'Pacific/Apia', '2011-12-30T09:00:00Z', '2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z', 24],
    ['hour', 'Asia/Kolkata', '2026-06-01T10:00:00Z', '2026-06-01T09:30:00.000Z', '2026-06-01T10:30:00.000Z', 1],
    ['hour', 'America/New_York', '2026-11-01T05:59:59Z', '2026-11-01T05:00:00.000Z', '2026-11-01T06:00:00.000Z', 1],
    ['hour', 'America/New_York', '2026-11-01T06:00:00Z', '2026-11-01T06:00:00.000Z', '2026-11-01T07:00:00.000Z', 1],
    ['hour', 'Australia/Lord_Howe', '2026-04-04T15:10:00Z', '2026-04-04T15:00:00.000Z', '2026-04-04T15:30:00.000Z', 0.5],
    ['week', 'America/New_York', '2026-11-01T12:00:00Z', '2026-10-26T04:00:00.000Z', '2026-11-02T05:00:00.000Z', 169],
    ['month', 'Europe/London', '2028-02-29T12:00:00Z', '2028-02-01T00:00:00.000Z', '2028-03-01T00:00:00.000Z', 29 * 24],
    ['month', 'Europe/London', '2026-10-31T23:59:59Z', '2026-09-30T23:00:00.000Z', '2026-11-01T00:00:00.000Z', 31 * 24 + 1],
  ])('%s in %s at %s', (period, zone, at, start, end, hours) => expect(window(period, zone, at)).toEqual([start, end, hours]));

  test('overall never starts again', () => expect(capWindowAt('overall', 'UTC', 0)).toEqual({ windowStartAt: null, resetsAt: null }));
});

const zone = fc.constantFrom(...ZONES);
const instant = fc.integer({ min: Date.parse('1995-01-01T00:00:00Z'), max: Date.parse('2035-01-01T00:00:00Z') });

test('G7: every instant lies in its window, and windows follow each other without gap or overlap', () => {
  fc.assert(
    fc.property(zone, fc.constantFrom(...PERIODS), instant, (name, period, at) => {
      const { windowStartAt, resetsAt } = capWindowAt(period, name, at);
      expect(windowStartAt! <= at && at < resetsAt!).toBe(true);
      for (const inside of [windowStartAt!, resetsAt! - 1]) expect(capWindowAt(period, name, inside)).toEqual({ windowStartAt, resetsAt });
      expect(capWindowAt(period, name, resetsAt!).windowStartAt).toBe(resetsAt);
      expect(capWindowAt(period, name, windowStartAt! - 1).resetsAt).toBe(windowStartAt);
    }),
    { numRuns: 2_000 },
  );
});

test('G7: local time is what Temporal says it is', () => {
  fc.assert(
    fc.property(zone, instant, (name, at) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(name);
      expect(offsetMsAt(name, at)).toBe(zoned.offsetNanoseconds / 1e6);
      const local = localTimeAt(name, at);
      expect(local).toEqual({
        day: parseLocalDate(zoned.toPlainDate().toString()),
        weekday: zoned.dayOfWeek - 1,
        minute: zoned.hour * 60 + zoned.minute,
      });
      expect(instantOfLocal(name, local.day, 0)).toBe(zoned.startOfDay().epochMilliseconds);
    }),
    { numRuns: 2_000 },
  );
});

test('a zone that does not exist is told, not thrown', () => {
  expect(isTimeZone('America/Atlantis')).toBe(false);
  expect(isTimeZone('')).toBe(false);
  expect(isTimeZone('Europe/London')).toBe(true);
});
