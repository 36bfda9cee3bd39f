import { expect, test } from 'vitest';
import type { VariantResult } from '#contract/ab-test.ts';
import { inPercent, neededFor, signed, tellFinding, tellLeft, tellVariant } from './test-words.ts';

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
  const tree = { from: '', own: [], groups: [{ name: 'Top', mode: 'priority', tiers: ['Ann, First', 'Bob, Second'] }] };
  expect(tellVariant({ tree, margin: { kind: 'percent', percent: 20 }, floor: '5.00', pricePercent: 110, isLive: false }, 'USD')).toEqual([
    'Its own tree: Top (Ann, First; Bob, Second).',
    'A margin of at least 20%.',
    'A floor of $5.00.',
    'Publishers’ prices at 110% of what their tiers say.',
  ]);
  expect(tellVariant({ tree: null, margin: null, floor: null, pricePercent: null, isLive: true }, 'USD')).toEqual([]);
});
test('console §3 ab-testing: the finding is one sentence, and says that it is open while it is', () => {
  const result = (verdict: 'better' | 'worse' | 'open', liftPercent: number, low: number, high: number): VariantResult => ({
    ...{
      variantId: 'v',
      consumers: 500,
      leads: 500,
      sold: 300,
      revenue: '0.00',
      payout: '0.00',
      margin: '0.00',
      epl: '0.00',
      marginPerLead: '0.00',
    },
    against: { liftPercent, difference: 0, once: null, anytime: { low, high }, acceptRate: null, verdict },
  });
  expect(tellFinding('B', result('better', 20, 2, 6), 'revenue', 20)).toBe(
    'B brings 20.0% more per lead than the control, at least 10.0%.',
  );
  expect(tellFinding('B', result('worse', -20, -6, -2), 'margin', 20)).toBe(
    'B leaves us 20.0% less per lead than the control, at least 10.0%.',
  );
  expect(tellFinding('B', result('open', 2, -1, 2), 'revenue', 20)).toBe('B is open: anything from −5.0% to +10.0% per lead is possible.');
  expect(tellFinding('B', { ...result('open', 2, -1, 2), against: null }, 'revenue', 20)).toBe('B: too few leads to say anything yet.');
});
