import { expect, test } from 'vitest';
import { sayValue } from './request-words.ts';

test('values of a request are said in words', () => {
  const said = (name: string, value: unknown) => sayValue(name, value, 'USD');
  expect(said('caps', [])).toBe('No cap');
  expect(said('caps', [{ measure: 'money', period: 'day', limit: '500.00', timeZone: 'UTC' }])).toBe('$500.00 per day');
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
