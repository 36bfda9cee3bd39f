import { expect, test } from 'vitest';
import { readInnerList, readInnerLists, readListSearch, toListing, turnSort, withoutInnerLists, writeInnerList } from './list-search.ts';

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

const list = { condition: {}, columns: ['name'], filters: ['buyerId', 'delivery'] as const, pageSize: 50 };

test('a page of a list asks for its part, and for archived ones only when they are wanted', () => {
  const listing = toListing('buyer', { q: 'a', sort: '-name', page: 3 }, { ...list, condition: { verticalId: 'v' } });
  expect(listing).toEqual({
    model: 'buyer',
    condition: { verticalId: 'v' },
    search: 'a',
    sort: [{ field: 'name', descending: true }],
    skip: 100,
    limit: 50,
    fields: ['name'],
  });
  expect(toListing('buyer', { sort: 'secret', status: 'archived' }, list)).toMatchObject({
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

test('console §9: a page is as long as was chosen, and filters of the list go into its condition', () => {
  const buyerId = '01890000-0000-7000-8000-000000000001';
  const search = readListSearch({ buyerId, campaignId: buyerId, publisherId: 'none', delivery: 'pingPost', page: '3' });
  expect(search).toEqual({ buyerId, campaignId: buyerId, delivery: 'pingPost', page: 3 });
  const listing = toListing('buyerTier', search, { ...list, condition: { verticalId: 'v' }, pageSize: 10 });
  expect(listing).toMatchObject({ condition: { buyerId, delivery: 'pingPost', verticalId: 'v' }, skip: 20, limit: 10 });
  expect(listing.condition).not.toHaveProperty('campaignId');
  expect(toListing('buyer', {}, { ...list, columns: ['name', 'status'], also: ['mayEdit'] }).fields).toEqual(['name', 'status', 'mayEdit']);
  // What the page itself narrows to is not widened by the address.
  expect(toListing('buyerTier', search, { ...list, condition: { buyerId: 'own' } })).toMatchObject({ condition: { buyerId: 'own' } });
});

test('console §3: banks and BIN ranges are narrowed to a move, or to none', () => {
  expect([readListSearch({ move: '1' }), readListSearch({ move: 2 }), readListSearch({ move: '5' })]).toEqual([
    { move: '1' },
    { move: '2' },
    {},
  ]);
  const conditionOf = (move: unknown) => toListing('binRange', readListSearch({ move }), { ...list, filters: ['move'] }).condition;
  expect([conditionOf('3'), conditionOf('none'), conditionOf('x')]).toEqual([{ move: '3' }, { move: null }, {}]);
});

test('the lists of a record’s page each have their part of its address', () => {
  const raw = { like: 'x', 'tiers.q': 'web', 'tiers.status': 'sold', 'contacts.page': '2', 'contacts.q': ' ' };
  expect([readInnerList(raw, 'tiers'), readInnerList(raw, 'contacts')]).toEqual([{ q: 'web' }, { page: 2 }]);
  expect(readInnerLists(raw)).toEqual({ 'tiers.q': 'web', 'contacts.page': 2 });
  expect(writeInnerList('tiers', { q: 'web', status: 'paused' })).toEqual({ 'tiers.q': 'web', 'tiers.status': 'paused' });
  expect(withoutInnerLists('?tiers.q=web&of=buyer&contacts.page=2')).toBe('?of=buyer');
  expect(withoutInnerLists('?tiers.q=web')).toBe('');
});
