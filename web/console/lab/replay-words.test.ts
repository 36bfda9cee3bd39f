import { describe, expect, it } from 'vitest';
import type { LabTier } from '#contract/lab.ts';
import type { ReplayResult, ReplayView } from '#contract/replay.ts';
import { beginReplay, isAnySetting, toReplayBody, triedSettings } from './replay-draft.ts';
import { countRows, endsAs, filterRows, moneyDifference, settingWords, treeWords } from './replay-words.ts';
import type { LabCampaign } from './send-draft.ts';

const campaign: LabCampaign = {
  ...{ _id: 'c1', name: 'Main', hasDraft: true, isTested: false, versions: [], testValues: null, publisherTiers: [] },
  settings: { margin: { kind: 'percent', percent: 20 }, floor: '5.00', maxSales: 1, timeLimitMs: 30_000 },
};
const tier: LabTier = {
  ...{ _id: 't1', name: 'Night', buyerName: 'Ann', status: 'active', fixedPrice: '10.00', says: 'buys', price: null },
  testFlags: { ping: null, post: [] },
};
const none = { margin: null, floor: null, maxSales: null, timeLimitMs: null, buyerTiers: [] };

describe('console §2: a replay is asked for', () => {
  it('begins with the draft and the settings as they are, and sends only what is another', () => {
    const draft = beginReplay(campaign);
    expect(draft.tree).toBe('draft');
    expect(triedSettings(campaign, draft)).toEqual(none);
    expect(isAnySetting(triedSettings(campaign, draft))).toBe(false);
    const tiers = [
      { tier, status: 'paused' as const, price: '', floor: '' },
      { tier: { ...tier, _id: 't2' }, status: '' as const, price: '', floor: '' },
    ];
    expect(triedSettings(campaign, { ...draft, floor: '', maxSales: '3', margin: '25', tiers })).toEqual({
      ...none,
      ...{ floor: '0', maxSales: 3, margin: { kind: 'percent', percent: 25 } },
      buyerTiers: [{ _id: 't1', status: 'paused', price: null, floor: null }],
    });
    expect(beginReplay({ ...campaign, hasDraft: false }).tree).toBe('published');
  });

  it('names an older tree by its id', () => {
    const body = toReplayBody(campaign, { ...beginReplay(campaign), tree: 'v7' }, { from: 'a', to: 'b' });
    expect(body).toMatchObject({ change: { tree: 'version', versionId: 'v7' }, settings: none, from: 'a', to: 'b' });
  });
});

describe('console §2: a replay is told in words', () => {
  it('which tree and which settings', () => {
    const view = { change: { tree: 'version', versionId: 'v' }, settings: { ...none, floor: '0', maxSales: 2 } } as unknown as ReplayView;
    expect(treeWords(view)).toBe('an earlier tree');
    expect(settingWords(view, (amount) => `$${amount}`)).toEqual(['no floor', 'up to 2 sales a lead']);
  });

  it.each([
    ['110.00', '120.00', '-10.00'],
    ['0.3', '0.1', '0.20'],
    ['-1.0001', '2.00', '-3.0001'],
    ['999999999.9999', '0.00', '999999999.9999'],
  ])('%s less %s is %s, exactly', (after, before, difference) => expect(moneyDifference(after, before)).toBe(difference));

  it('what was counted on any of the three sides has its line, the most frequent first', () => {
    const counts = { really: { sold: 3 }, published: { sold: 2, held: 1 }, changed: { unsold: 9 } };
    expect(
      countRows(
        (side) => counts[side] as Record<string, number>,
        (word) => word.toUpperCase(),
      ),
    ).toEqual([
      { label: 'UNSOLD', really: 0, published: 0, changed: 9 },
      { label: 'SOLD', really: 3, published: 2, changed: 0 },
      { label: 'HELD', really: 0, published: 1, changed: 0 },
    ]);
  });

  it('console §4: why tiers were left out is added up over all of them, by its key', () => {
    const ends = (really: object, changed: object) => ({ really: { ends: really }, published: { ends: {} }, changed: { ends: changed } });
    const tiers = [ends({ 'filtered 1': 2, sold: 5 }, { 'filtered 7': 1 }), ends({ 'filtered 1': 3 }, { filtered: 4 })];
    expect(filterRows(tiers as unknown as ReplayResult['buyerTiers'])).toEqual([
      { label: 'Daily cap', really: 5, published: 0, changed: 0 },
      { label: 'Another rule', really: 0, published: 0, changed: 4 },
      { label: 'Filter', really: 0, published: 0, changed: 1 },
    ]);
    expect(endsAs({ 'filtered 1': 2, filtered: 1, sold: 5 }, 'filtered')).toBe(3);
  });
});
