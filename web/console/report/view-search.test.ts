import { expect, it } from 'vitest';
import { fromView, isBare, isOtherThan, REPORT_ADDRESS, toViewSearch } from './view-search.ts';

it('keeps the span by its name, filters, grouping, order and columns, and not which view it began as', () => {
  const search = { period: 'thisWeek', by: 'campaign', sort: '-sold', publisherId: 'p', view: 'v' } as const;
  expect(toViewSearch(REPORT_ADDRESS, search, ['attempts', 'sold'])).toEqual({
    ...{ period: 'thisWeek', by: 'campaign', sort: '-sold', publisherId: 'p', columns: 'attempts,sold' },
  });
});

it('opens as it was kept, without what no address has', () => {
  expect(fromView(REPORT_ADDRESS, 'v', { period: 'lastWeek', sort: 'sold', evil: '<b>', from: 'x' })).toEqual({
    period: 'lastWeek',
    sort: 'sold',
    view: 'v',
  });
});

it('says when something else is to be seen', () => {
  const kept = { period: 'lastWeek', columns: 'attempts,sold' };
  const now = { period: 'lastWeek', view: 'v' } as const;
  expect(isOtherThan(REPORT_ADDRESS, kept, now, ['attempts', 'sold'])).toBe(false);
  expect(isOtherThan(REPORT_ADDRESS, kept, now, ['sold'])).toBe(true);
  expect(isOtherThan(REPORT_ADDRESS, kept, { ...now, subId: 'a' }, ['attempts', 'sold'])).toBe(true);
  expect(isOtherThan(REPORT_ADDRESS, kept, { ...now, period: 'today' }, ['attempts', 'sold'])).toBe(true);
});

it('an address with no more than a span is bare', () => {
  expect(isBare({})).toBe(true);
  expect(isBare({ period: 'customRange', from: 'a', to: 'b' })).toBe(true);
  expect(isBare({ period: 'today', by: 'state' })).toBe(false);
});
