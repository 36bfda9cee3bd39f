import { expect, test } from 'vitest';
import { hasFilter, placeOfPage, readChangeLogSearch, toChangeLogFilters } from './change-log-search.ts';

const id = '01890000-0000-7000-8000-000000000001';

test('what cannot be meant falls out of the change log’s address', () => {
  const wrong = { q: ' ', recordId: 'x', model: 'a b', userId: '1', period: 'lastYear', from: 'now', back: 'https://elsewhere.example/' };
  expect(readChangeLogSearch(wrong)).toEqual({});
  expect(readChangeLogSearch({ period: 'customRange', from: '2026-11-01T00:00' })).toEqual({});
  for (const back of ['//elsewhere.example/setup/us/payday/buyers', '/setup/us', '/setup/us/payday/../../login', '/setup/us/payday/a?x=1'])
    expect(readChangeLogSearch({ back })).toEqual({});
  const right = {
    q: 'acme',
    recordId: id,
    model: 'buyerTier',
    userId: id,
    period: 'last7Days',
    back: `/setup/us/payday/tier/edit/${id}?of=buyer`,
  };
  expect(readChangeLogSearch(right)).toEqual(right);
  expect(placeOfPage(right.back)).toEqual({ region: 'us', vertical: 'payday' });
  expect([hasFilter({ back: right.back }), hasFilter({ q: 'a' })]).toEqual([false, true]);
});

test('console §9: days are those of the reporting zone, today among the last 7', () => {
  const now = Date.parse('2026-11-28T03:00:00Z');
  expect(toChangeLogFilters({ q: 'acme', period: 'today' }, 'America/New_York', now)).toEqual({
    ...{ search: 'acme', from: '2026-11-27T05:00:00.000Z', to: '2026-11-28T05:00:00.000Z' },
  });
  expect(toChangeLogFilters({ period: 'last7Days' }, 'UTC', now)).toEqual({
    from: '2026-11-22T00:00:00.000Z',
    to: '2026-11-29T00:00:00.000Z',
  });
  expect(toChangeLogFilters({ period: 'last30Days' }, 'UTC', now).from).toBe('2026-10-30T00:00:00.000Z');
  const own = { period: 'customRange', from: '2026-11-01T08:00', to: '2026-11-01T08:59' } as const;
  expect(toChangeLogFilters(own, 'UTC', now)).toEqual({ from: '2026-11-01T08:00:00.000Z', to: '2026-11-01T09:00:00.000Z' });
});
