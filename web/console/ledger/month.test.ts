import { expect, it } from 'vitest';
import { isMonth, lastMonths, monthBeside, monthName, monthNow } from './month.ts';

it('goes over the ends of years', () => {
  expect([monthBeside('2026-12', 1), monthBeside('2026-01', -1), monthBeside('2026-11', -23)]).toEqual(['2027-01', '2025-12', '2024-12']);
  expect(lastMonths('2026-02', 3)).toEqual(['2026-02', '2026-01', '2025-12']);
});

it('is the month of the zone', () => {
  const now = Date.parse('2026-11-01T02:00:00Z');
  expect([monthNow('UTC', now), monthNow('America/New_York', now)]).toEqual(['2026-11', '2026-10']);
  expect(monthName('2026-11')).toBe('November 2026');
});

it('takes months only', () => {
  expect(['2026-11', '2026-13', '26-11', '2026-1', undefined, 202611].map(isMonth)).toEqual([true, false, false, false, false, false]);
});
