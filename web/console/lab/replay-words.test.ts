import { describe, expect, it } from 'vitest';
import type { ReplayAsked } from '#contract/replay.ts';
import { beginReplay, changedSettings, type ReplayChoice, toReplayBody } from './replay-draft.ts';
import { moneyDifference, settingWords, treeWords } from './replay-words.ts';

const campaign: ReplayChoice = {
  _id: 'c1',
  name: 'Main',
  hasDraft: true,
  versions: [],
  publisherTiers: [],
  settings: { margin: { kind: 'percent', percent: 20 }, floor: '5.00', maxSales: 1, timeLimitMs: 30_000 },
};

describe('console §2: a replay is asked for', () => {
  it('begins with the draft and the settings as they are, and sends only what is another', () => {
    const draft = beginReplay(campaign);
    expect(draft.tree).toBe('draft');
    expect(changedSettings(campaign, draft)).toEqual({});
    expect(changedSettings(campaign, { ...draft, floor: '', maxSales: '3', margin: '25' })).toEqual({
      floor: null,
      maxSales: 3,
      margin: { kind: 'percent', percent: 25 },
    });
    expect(beginReplay({ ...campaign, hasDraft: false }).tree).toBe('live');
  });

  it('names an older tree by its id', () => {
    const body = toReplayBody(
      { region: 'us', vertical: 'payday' },
      campaign,
      { ...beginReplay(campaign), tree: 'v7' },
      { from: 'a', to: 'b' },
    );
    expect(body).toMatchObject({ tree: { kind: 'version', versionId: 'v7' }, settings: {}, from: 'a', to: 'b' });
  });
});

describe('console §2: a replay is told in words', () => {
  const asked = {
    settings: { floor: null, maxSales: 2 },
    tree: { kind: 'version', versionId: 'v' },
    treePublishedAt: '2026-11-01T00:00:00Z',
  };
  it('which tree and which settings', () => {
    expect(treeWords(asked as ReplayAsked, () => 'Nov 1')).toBe('the tree of Nov 1');
    expect(settingWords(asked as ReplayAsked, (amount) => `$${amount}`)).toEqual(['no floor', 'up to 2 sales a lead']);
  });

  it.each([
    ['110.00', '120.00', '-10.00'],
    ['0.3', '0.1', '0.20'],
    ['-1.0001', '2.00', '-3.0001'],
    ['999999999.9999', '0.00', '999999999.9999'],
  ])('%s less %s is %s, exactly', (after, before, difference) => expect(moneyDifference(after, before)).toBe(difference));
});
