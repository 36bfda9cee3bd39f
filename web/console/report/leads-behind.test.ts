import { expect, test } from 'vitest';
import { leadsBehind } from './leads-behind.ts';

test('the leads of a row are those of its value, within what the report is narrowed to', () => {
  expect(leadsBehind({ period: 'lastWeek', campaignId: 'c' }, ['publisherTier'], [{ _id: 't' }])).toEqual({
    ...{ period: 'lastWeek', campaignId: 'c', publisherTierId: 't', test: 'false', pings: 'false' },
  });
  const range = { period: 'customRange', from: '2026-11-01T00:00', to: '2026-11-02T00:00' } as const;
  expect(leadsBehind({ ...range, sort: '-sold' }, ['publisher', 'buyer'], [{ _id: 'p' }, { _id: 'b' }])).toEqual({
    ...{ ...range, publisherId: 'p', triedBuyerId: 'b', test: 'false', pings: 'false' },
  });
});
test('of sales the leads are those that the buyer bought, also where the report is narrowed to it', () => {
  expect(leadsBehind({ period: 'today', buyerId: 'b' }, ['buyerTier'], [{ _id: 't' }], 'sold')).toEqual({
    ...{ period: 'today', soldBuyerId: 'b', soldTierId: 't', test: 'false', pings: 'false' },
  });
});
test('a variant is narrowed to, and so are leads of no test', () => {
  for (const _id of ['v', ''])
    expect(leadsBehind({ period: 'today' }, ['variant'], [{ _id }])).toEqual({
      period: 'today',
      variantId: _id,
      test: 'false',
      pings: 'false',
    });
});
test('a reason is narrowed to, and so are leads of none', () => {
  for (const _id of ['publisher-validation-failed', ''])
    expect(leadsBehind({ period: 'today' }, ['reason'], [{ _id }])).toEqual({
      ...{ period: 'today', reason: _id, test: 'false', pings: 'false' },
    });
});
test('a group is narrowed to with the buyer of the report; where none is known there is nothing to narrow to', () => {
  expect(leadsBehind({ period: 'today', buyerId: 'b' }, ['group'], [{ _id: 'g' }])).toEqual({
    ...{ period: 'today', triedBuyerId: 'b', triedGroupId: 'g', test: 'false', pings: 'false' },
  });
  expect(leadsBehind({ period: 'today' }, ['group'], [{ _id: '' }])).toBeUndefined();
});
test('a filter reason is narrowed to; of what was not filtered there is none', () => {
  expect(leadsBehind({ period: 'today', buyerTierId: 't' }, ['filterReason'], [{ _id: '3' }])).toEqual({
    ...{ period: 'today', triedTierId: 't', filterReason: '3', test: 'false', pings: 'false' },
  });
  expect(leadsBehind({ period: 'today' }, ['filterReason'], [{ _id: '0' }])).toBeUndefined();
});
