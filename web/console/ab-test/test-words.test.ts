import { expect, test } from 'vitest';
import { inPercent, neededFor, signed, tellLeft, tellVariant } from './test-words.ts';

test('console §3 ab-testing: a lift is told with its sign', () => {
  expect([signed(4.24), signed(-0.81), signed(0)]).toEqual(['+4.2%', '−0.8%', '+0.0%']);
});
test('console §3 ab-testing: an interval is told in percent of the control, and not where that earns nothing', () => {
  expect(inPercent({ low: -1, high: 3 }, 20)).toEqual({ low: -5, high: 15 });
  expect([inPercent(null, 20), inPercent({ low: 0, high: 1 }, 0)]).toEqual([undefined, undefined]);
});
test('console §3 ab-testing: half the effect needs four times the leads', () => {
  expect(neededFor(1_000, 10, 5)).toBe(4_000);
});
test('console §3 ab-testing: what is left is told in leads and days', () => {
  expect(tellLeft({ leadsPerDay: 100 }, 200, 1_000)).toBe('800 leads to go: about 8 days at 100 a day.');
  expect(tellLeft({ leadsPerDay: 0 }, 0, 1_000)).toBe('1,000 leads to go.');
  expect(tellLeft({ leadsPerDay: 100 }, 1_200, 1_000)).toBe('The plan is fulfilled.');
});
test('console §3 ab-testing: a variant tells what it changes', () => {
  const tree = { from: '', groups: [{ name: 'Top', mode: 'priority', tiers: ['Ann, First', 'Bob, Second'] }] };
  expect(tellVariant({ tree, margin: { kind: 'percent', percent: 20 }, floor: '5.00', pricePercent: 110 }, 'USD')).toEqual([
    'Its own tree: Top (Ann, First; Bob, Second).',
    'A margin of at least 20%.',
    'A floor of $5.00.',
    'Publishers’ prices at 110% of what their tiers say.',
  ]);
  expect(tellVariant({ tree: null, margin: null, floor: null, pricePercent: null }, 'USD')).toEqual([]);
});
