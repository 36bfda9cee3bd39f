import { describe, expect, it } from 'vitest';
import type { FeedSchedule } from '#contract/export.ts';
import { lastDue, nextDue } from './schedule.ts';

const at = (text: string) => Date.parse(text);
const last = (schedule: FeedSchedule, now: string) => new Date(lastDue(schedule, at(now))).toISOString();
const next = (schedule: FeedSchedule, now: string) => new Date(nextDue(schedule, at(now))).toISOString();
const daily = (clock: string): FeedSchedule => ({ every: 'day', at: clock, timeZone: 'America/New_York' });

describe('a feed is due', () => {
  it('every hour at its minute', () => {
    const hourly: FeedSchedule = { every: 'hour', minute: 15 };
    expect([last(hourly, '2026-11-29T10:14:59Z'), last(hourly, '2026-11-29T10:15:00Z')]).toEqual([
      '2026-11-29T09:15:00.000Z',
      '2026-11-29T10:15:00.000Z',
    ]);
    expect(next(hourly, '2026-11-29T10:15:00Z')).toBe('2026-11-29T11:15:00.000Z');
  });

  it('every day at its time of the zone', () => {
    expect([last(daily('06:30'), '2026-11-29T11:29:00Z'), last(daily('06:30'), '2026-11-29T11:30:00Z')]).toEqual([
      '2026-11-28T11:30:00.000Z',
      '2026-11-29T11:30:00.000Z',
    ]);
    expect(next(daily('06:30'), '2026-11-29T11:30:00Z')).toBe('2026-11-30T11:30:00.000Z');
  });

  it('once on the day whose clocks skip its time, and once on that on which it comes twice', () => {
    // 8 March 2026, 02:00 becomes 03:00; 1 November 2026, 02:00 becomes 01:00.
    expect(last(daily('02:30'), '2026-03-08T12:00:00Z')).toBe('2026-03-08T07:00:00.000Z');
    expect(next(daily('02:30'), '2026-03-08T07:00:00Z')).toBe('2026-03-09T06:30:00.000Z');
    expect([last(daily('01:30'), '2026-11-01T05:31:00Z'), last(daily('01:30'), '2026-11-01T06:31:00Z')]).toEqual([
      '2026-11-01T05:30:00.000Z',
      '2026-11-01T05:30:00.000Z',
    ]);
  });

  it('on its day of the week or the month, or the last of a month that has no such day', () => {
    const friday: FeedSchedule = { every: 'week', weekday: 4, at: '00:00', timeZone: 'UTC' };
    expect([last(friday, '2026-11-26T12:00:00Z'), last(friday, '2026-11-27T00:00:00Z')]).toEqual([
      '2026-11-20T00:00:00.000Z',
      '2026-11-27T00:00:00.000Z',
    ]);
    const ultimo: FeedSchedule = { every: 'month', day: 31, at: '23:00', timeZone: 'UTC' };
    expect([last(ultimo, '2026-03-01T00:00:00Z'), next(ultimo, '2026-03-01T00:00:00Z')]).toEqual([
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T23:00:00.000Z',
    ]);
    expect(next(ultimo, '2026-03-31T23:00:00Z')).toBe('2026-04-30T23:00:00.000Z');
  });

  it('the next moment is the one whose last it is, through two years of every zone', () => {
    const schedules: FeedSchedule[] = ['America/New_York', 'Europe/London', 'UTC'].flatMap((timeZone): FeedSchedule[] => [
      { every: 'day', at: '01:30', timeZone: timeZone as 'UTC' },
      { every: 'day', at: '02:30', timeZone: timeZone as 'UTC' },
      { every: 'week', weekday: 6, at: '02:30', timeZone: timeZone as 'UTC' },
      { every: 'month', day: 29, at: '01:00', timeZone: timeZone as 'UTC' },
    ]);
    for (const schedule of schedules) {
      let moment = lastDue(schedule, at('2026-01-01T00:00:00Z'));
      for (let n = 0; n < 730 && moment < at('2028-01-01T00:00:00Z'); n++) {
        const then = nextDue(schedule, moment);
        expect(then).toBeGreaterThan(moment);
        expect(lastDue(schedule, then)).toBe(then);
        expect(lastDue(schedule, then - 1)).toBe(moment);
        moment = then;
      }
    }
  });
});
