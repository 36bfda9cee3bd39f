import { expect, test } from 'vitest';
import { evenShares, findFault, newDraft, newVariant, sumOf, toFields, treeOptions } from './test-draft.ts';

const complete = { ...newDraft('campaign'), name: 'Bob first' };

test('console §3 ab-testing: shares are split evenly, and always come to 100%', () => {
  for (const count of [2, 3, 4, 5]) {
    const split = evenShares(Array.from({ length: count }, (_, at) => newVariant(String(at), '1')));
    expect(sumOf(split)).toBe(100);
  }
});
test('console §3 ab-testing: what is left as live is sent as nothing', () => {
  const [control, b] = complete.variants;
  const fields = toFields({
    ...complete,
    variants: [control!, { ...b!, tree: 'draft', marginKind: 'percent', margin: '20', floor: '5', price: '90' }],
  });
  expect(fields.variants).toEqual([
    { _id: null, name: 'Control', sharePercent: 50, tree: null, margin: null, floor: null, pricePercent: null },
    {
      _id: null,
      name: 'B',
      sharePercent: 50,
      tree: { from: 'draft' },
      margin: { kind: 'percent', percent: 20 },
      floor: '5',
      pricePercent: 90,
    },
  ]);
});
test('console §3 ab-testing: the first fault is found by its input', () => {
  expect(findFault(complete)).toBeUndefined();
  expect(findFault({ ...complete, campaignId: '' })?.path).toBe('campaignId');
  expect(findFault({ ...complete, variants: complete.variants.map((one) => ({ ...one, share: '40' })) })?.text).toBe(
    'The shares come to 80%, not to 100%.',
  );
  expect(findFault({ ...complete, variants: [complete.variants[0]!, { ...complete.variants[1]!, marginKind: 'fixed' }] })?.path).toBe(
    'variants.1.margin',
  );
});
test('console §3 ab-testing: a tree is as live, as saved, the draft, or one that was published', () => {
  const campaign = {
    _id: 'c',
    name: 'C',
    draftAt: '2026-11-28T10:00:00.000Z',
    versions: [{ _id: 'v', publishedAt: '2026-11-01T08:30:00.000Z', note: 'opening' }],
  };
  expect(treeOptions(campaign, 'The draft as of then').map(({ value }) => value)).toEqual(['live', 'kept', 'draft', 'v']);
  expect(treeOptions({ ...campaign, draftAt: null }, undefined).map(({ label }) => label)).toEqual([
    'As live',
    'Published 2026-11-01 08:30 UTC, opening',
  ]);
});
