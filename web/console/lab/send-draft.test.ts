import { expect, test } from 'vitest';
import type { LabTier, LabTreeAnswer } from '#contract/lab.ts';
import { faultsOf } from './FieldInputs.tsx';
import { readSendSearch } from './lab-routes.ts';
import {
  hearingOf,
  hiddenOf,
  type LabCampaign,
  seatName,
  seatsOf,
  shownOf,
  testValueLines,
  toAnswers,
  treeChoice,
  treeOptions,
} from './send-draft.ts';

const seat = { _id: 's1', name: 'Main seat', publisherName: 'Harbour', status: 'active' };
const campaign: LabCampaign = {
  ...{ _id: 'c1', name: 'Main', hasDraft: false, isTested: false, publisherTiers: [seat, { ...seat, _id: 's2', status: 'paused' }] },
  versions: ['v3', 'v2'].map((_id) => ({ _id, publishedAt: `at ${_id}`, note: _id === 'v2' ? 'before' : '' })),
  testValues: { field: 'email', sold: 'a@example.com', error: 'e@example.com' },
  settings: { margin: { kind: 'percent', percent: 20 }, floor: null, maxSales: 1, timeLimitMs: 30_000 },
};
const tier = (_id: string, part: Partial<LabTier> = {}): LabTier => ({
  ...{ _id, name: _id, buyerName: 'B', status: 'active', fixedPrice: null, says: 'buys', price: null },
  testFlags: { ping: null, post: [] },
  ...part,
});

test('console §3 testing-lab: trees are the published one, a draft where there is one, and those of before', () => {
  expect(treeOptions(campaign, (at) => at)).toEqual([
    { value: 'published', label: 'The published tree' },
    { value: 'draft', label: 'The draft (there is none)', disabled: true },
    { value: 'v2', label: 'As published at v2: before' },
  ]);
  expect([treeChoice('draft'), treeChoice('v2')]).toEqual([{ tree: 'draft' }, { tree: 'version', versionId: 'v2' }]);
});

test('console §3 testing-lab: a seat is told with its campaign, and whether it takes leads at all', () => {
  expect(seatsOf([campaign]).map(seatName)).toEqual(['Harbour, Main seat (Main)', 'Harbour, Main seat (Main), paused']);
});

test('console §3 testing-lab: each tier says what it is told now or was told last, with a price only where it buys', () => {
  const groups: LabTreeAnswer['groups'] = [
    { name: 'One', mode: 'priority', buyerTiers: [tier('a', { says: 'silent' }), tier('b', { price: '9.00' })] },
    { name: 'Two', mode: 'priority', buyerTiers: [tier('c', { price: '9.00' }), tier('d')] },
  ];
  expect(toAnswers(groups, { c: { says: 'rejects', price: '9.00' }, d: { says: 'buys', price: '12.5' } })).toEqual([
    { buyerTierId: 'a', says: 'silent', price: null },
    { buyerTierId: 'b', says: 'buys', price: '9.00' },
    { buyerTierId: 'c', says: 'rejects', price: null },
    { buyerTierId: 'd', says: 'buys', price: '12.5' },
  ]);
});

test('what is personal of a past lead is hidden and not typed; the rest stands in its field', () => {
  const past = {
    ...{ status: true as const, publisherTierId: 's1' },
    fields: { email: { value: 'a•••', isMasked: true }, state: { value: 'NY', isMasked: false } },
  };
  expect([shownOf(past), hiddenOf(past)]).toEqual([{ email: '', state: 'NY' }, { email: 'a•••' }]);
});

test('test values of a campaign say what they do; those it has not are not told', () => {
  expect(testValueLines(campaign.testValues).map(({ value, does }) => `${value} ${does}`)).toEqual([
    'a@example.com is always sold',
    'e@example.com ends in an error',
  ]);
  expect(testValueLines(null)).toEqual([]);
});

test('a fault stands until its field is changed', () => {
  const errors = [
    { field: 'email', message: 'is no address' },
    { field: 'zip', message: 'is required' },
  ];
  expect(faultsOf(errors, { email: 'x' }, { email: 'x@y.example', zip: '' })).toEqual({ zip: 'is required' });
});

test('of an address only ids are meant, and a past lead goes before a sample', () => {
  const id = '01a222d5-5cd9-71c2-9385-dd3de573ce3e';
  expect(readSendSearch({ tier: 'x', sample: id, lead: id })).toEqual({ lead: id });
  expect(readSendSearch({ tier: id, sample: id })).toEqual({ tier: id, sample: id });
});

test('console §3 testing-lab: a buyer is told of a test where every request of its says so, and only active tiers are called', () => {
  const tiers = [
    tier('told', { testFlags: { ping: null, post: ['is_test'] } }),
    tier('both', { testFlags: { ping: ['t'], post: ['t', 'X-Test'] } }),
    tier('silent ping', { testFlags: { ping: [], post: ['t'] } }),
    tier('silent post', { testFlags: { ping: ['t'], post: [] } }),
    tier('silent', { testFlags: { ping: [], post: [] } }),
    tier('paused', { status: 'paused' }),
  ];
  const { all, told, untold } = hearingOf([{ name: 'G', mode: 'priority', buyerTiers: tiers }]);
  expect(all).toBe(5);
  expect(told.map(({ tier: { _id }, places }) => [_id, places])).toEqual([
    ['told', ['is_test']],
    ['both', ['t', 'X-Test']],
  ]);
  expect(untold.map(({ tier: { _id }, legs }) => [_id, legs])).toEqual([
    ['silent ping', ['ping']],
    ['silent post', ['post']],
    ['silent', ['ping', 'post']],
  ]);
});
