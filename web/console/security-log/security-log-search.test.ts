import { expect, test } from 'vitest';
import { hasFilter, readSecurityLogSearch, toSecurityLogFilters } from './security-log-search.ts';

test('what cannot be meant falls out of the address of sign-ins and refusals', () => {
  const wrong = { userId: '1', kind: 'other', outcome: 'fine', period: 'lastYear', from: 'now', to: 7, q: 'x' };
  expect(readSecurityLogSearch(wrong)).toEqual({});
  expect(readSecurityLogSearch({ period: 'customRange', from: '2026-11-01T00:00' })).toEqual({});
  const right = { userId: '01890000-0000-7000-8000-000000000001', kind: 'sign-in', outcome: 'not-done', period: 'last7Days' };
  expect(readSecurityLogSearch(right)).toEqual(right);
  expect([hasFilter({}), hasFilter({ kind: 'sign-in' })]).toEqual([false, true]);
});

test('console §9: days are those of the reporting zone', () => {
  const now = Date.parse('2026-11-28T03:00:00Z');
  expect(toSecurityLogFilters({ kind: 'limit', period: 'today' }, 'America/New_York', now)).toEqual({
    ...{ kind: 'limit', from: '2026-11-27T05:00:00.000Z', to: '2026-11-28T05:00:00.000Z' },
  });
  const own = { period: 'customRange', from: '2026-11-01T08:00', to: '2026-11-01T08:59' } as const;
  expect(toSecurityLogFilters(own, 'UTC', now)).toEqual({ from: '2026-11-01T08:00:00.000Z', to: '2026-11-01T09:00:00.000Z' });
});
