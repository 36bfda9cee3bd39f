import { expect, test } from 'vitest';
import { readListSearch, toListing, turnSort } from './list-search.ts';

test('what cannot be meant falls out of a list’s address', () => {
  expect(readListSearch({ q: ' ', status: 'sold', sort: 'x y', page: '-2', list: 'all' })).toEqual({});
  expect(readListSearch({ q: 'acme', status: 'paused', sort: '-name', page: '3', list: 'tiers' })).toEqual({
    list: 'tiers',
    q: 'acme',
    status: 'paused',
    sort: '-name',
    page: 3,
  });
});

test('a page of a list asks for its part, and for archived ones only when they are wanted', () => {
  const listing = toListing('buyer', { q: 'a', sort: '-name', page: 3 }, { verticalId: 'v' }, ['name']);
  expect(listing).toEqual({
    model: 'buyer',
    condition: { verticalId: 'v' },
    search: 'a',
    sort: [{ field: 'name', descending: true }],
    skip: 100,
    limit: 50,
  });
  expect(toListing('buyer', { sort: 'secret', status: 'archived' }, {}, ['name'])).toMatchObject({
    condition: { status: 'archived' },
    withArchived: true,
  });
});

test('a head sorts, turns and lets go', () => {
  expect([turnSort(undefined, 'name'), turnSort('name', 'name'), turnSort('-name', 'name'), turnSort('name', 'status')]).toEqual([
    'name',
    '-name',
    undefined,
    'status',
  ]);
});
