import { expect, test } from 'vitest';
import { buyerColumns, publisherColumns } from './portal-columns.tsx';
import { readPortalSearch } from './portal-search.ts';

test('a tab, a span and a month are read; what cannot be meant falls away', () => {
  expect(readPortalSearch({ tab: 'leads', period: 'thisWeek', month: '2026-11', by: 'subId', subId: 'site 7' })).toEqual({
    tab: 'leads',
    period: 'thisWeek',
    month: '2026-11',
    by: 'subId',
    subId: 'site 7',
  });
  expect(
    readPortalSearch({ tab: 'prices', period: 'ever', month: '2026-13', by: 'buyer', tier: '7', status: '<b>', subId: 'x'.repeat(201) }),
  ).toEqual({});
});

test('console §2: the columns of a table are read by their names', () => {
  expect(readPortalSearch({ tab: 'leads', columns: 'status,payout' })).toEqual({ tab: 'leads', columns: 'status,payout' });
  expect(readPortalSearch({ columns: 'status;payout' })).toEqual({});
  for (const columns of [buyerColumns, publisherColumns]) {
    const all = { columns: columns.map(({ id }) => id).join(',') };
    expect(readPortalSearch(all)).toEqual(all);
  }
});

test('a typed span needs both of its ends', () => {
  const from = '2026-11-01T00:00';
  expect(readPortalSearch({ period: 'customRange', from })).toEqual({});
  expect(readPortalSearch({ period: 'customRange', from, to: '2026-11-02T00:00' })).toEqual({
    period: 'customRange',
    from,
    to: '2026-11-02T00:00',
  });
});
