import { expect, test } from 'vitest';
import { sayValue, sayWindow } from './request-words.ts';

test('values of a request are said in words', () => {
  const said = (name: string, value: unknown) => sayValue(name, value, 'USD');
  expect(said('caps', [])).toBe('No cap');
  expect(said('caps', [{ measure: 'money', period: 'day', limit: '500.00', timeZone: 'UTC' }])).toBe('$500.00 per day (UTC)');
  expect(said('caps', [{ measure: 'sold', period: 'overall', limit: 1200, timeZone: 'UTC' }])).toBe('1,200 sold overall');
  expect(said('hours', null)).toBe('Always open');
  const open = [{ from: '08:00', to: '18:00' }];
  expect(said('hours', { timeZone: 'UTC', week: [open, open, open, open, open, [], []] })).toContain('Fri 08:00–18:00; Sat closed');
  expect(said('pauseDates', { timeZone: 'UTC', days: [{ from: '2026-12-24', to: '2026-12-26' }] })).toBe('2026-12-24 to 2026-12-26 (UTC)');
  expect(said('price', { kind: 'fixed', price: '12.50' })).toBe('$12.50');
  expect(said('ipAllow', [])).toBe('Any');
  expect(said('phone', '')).toBe('None');
  expect(said('status', 'paused')).toBe('Paused');
});

test('product: a cap says whose day it is of, and when that began and ends', () => {
  const day = { period: 'day', timeZone: 'America/New_York', startsAt: '2026-11-30T05:00:00Z', resetsAt: '2026-12-01T05:00:00Z' } as const;
  expect(sayWindow(day)).toBe('Day of America/New_York: began Nov 30, 00:00, starts again Dec 1, 00:00');
  const week = { period: 'week', timeZone: 'Asia/Kathmandu', startsAt: '2026-11-29T18:15:00Z', resetsAt: '2026-12-06T18:15:00Z' } as const;
  expect(sayWindow(week)).toBe('Week of Asia/Kathmandu: began Nov 30, 00:00, starts again Dec 7, 00:00');
  expect(sayWindow({ period: 'overall', timeZone: 'UTC', startsAt: null, resetsAt: null })).toBe('Of all time: it does not start again');
});
