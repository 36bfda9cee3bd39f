import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import { eligible } from './eligible.ts';
import { explain } from './explain.ts';
import { explainRefusal } from './reserve.ts';
import { configurationOf } from './scenario.ts';

const { plan } = compile(
  configurationOf({
    title: '',
    story: '',
    leads: [],
    publisherTier: { hours: 'Mon-Fri 09:00-17:00' },
    groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob', 'ghost'] }],
    buyerTiers: { ann: { caps: ['5 sold per day'] }, bob: { filter: { field: 'state', is: 'equal', value: 'TX' } } },
  }),
);
const lead = {
  id: 'lead',
  publisherTierId: 'publisherTier',
  fields: { email: 'a@b.co', state: 'CA' },
  mode: 'full',
  test: false,
  deadlineAt: 0,
} as const;

test('eligibility: who could take this lead now, who not and why; nothing is taken', () => {
  const { refusal, tiers } = eligible(plan, lead, Date.parse('2026-11-28T15:00:00Z'));
  expect(explain(refusal!)).toBe('Closed by operation hours; opens 2026-11-30 14:00 UTC.');
  expect(tiers.map((tier) => [tier.buyerTierId, tier.eligible, tier.why ? explain(tier.why) : ''])).toEqual([
    ['ann', true, ''],
    ['bob', false, 'Filter: state is not TX.'],
    ['ghost', false, 'Left out because of its configuration: the buyer tier ghost does not exist.'],
  ]);
  expect(tiers[0]!.room!.claims.map((claim) => claim.amount)).toEqual([0]);
});

test('eligibility: an open breaker says so; of a half-open one the place of the probe is only asked for', () => {
  const watched = compile(
    configurationOf({
      title: '',
      story: '',
      leads: [],
      groups: [{ name: 'main', mode: 'priority', members: ['ann'] }],
      buyerTiers: { ann: { breaker: '50% of 2 in 5 minutes, pause 5 minutes' } },
    }),
  );
  const openUntil = Date.parse('2026-11-28T15:05:00Z');
  const open = { openedAt: 0, openUntil, since: 0, calls: 2, failures: 2, lookBackMinutes: 5, failedProbes: 0 };
  const asked = { ...lead, deadlineAt: openUntil + 10_000, breakers: { find: () => open } };
  expect(eligible(watched.plan, asked, openUntil - 1).tiers).toMatchObject([{ eligible: false, filterReasonKey: 9 }]);
  const [tier] = eligible(watched.plan, asked, openUntil).tiers;
  expect(tier!.eligible).toBe(true);
  expect(tier!.room!.claims).toMatchObject([{ period: 'probe', limit: 1, amount: 0 }]);
});

test('eligibility: a throttled tier could take any lead, and says that it gets a share of them', () => {
  const throttle = { sharePercent: 20, failurePercent: 50, minimumCalls: 4, lookBackMinutes: 5 };
  const world = configurationOf({
    title: '',
    story: '',
    leads: [],
    groups: [{ name: 'main', mode: 'priority', members: ['ann'] }],
    buyerTiers: { ann: {} },
  });
  const tiers = world.buyerTiers.map((tier) => ({ ...tier, throttle }));
  const since = Date.parse('2026-11-28T15:00:00Z');
  const unwell = { since, calls: 4, failures: 3, slow: 0, lookBackMinutes: 5 };
  const { plan } = compile({ ...world, buyerTiers: tiers });
  const told = Array.from({ length: 40 }, (_, at) => {
    const asked = { ...lead, id: `lead ${at}`, deadlineAt: since + 10_000, throttles: { find: () => unwell } };
    const [tier] = eligible(plan, asked, since).tiers;
    expect(tier!.room).toBeDefined();
    return [tier!.eligible, tier!.filterReasonKey, explain(tier!.why!)].join(' | ');
  });
  expect([...new Set(told)]).toEqual([
    'true | 12 | Throttled since 2026-11-28 15:00 UTC: 3 of 4 calls failed in the last 5 minutes. Only 20% of its leads are sent meanwhile.',
  ]);
});

test('eligibility: lists and moves say who may not have the lead', () => {
  const listed = compile(
    configurationOf({
      title: '',
      story: '',
      leads: [],
      groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }],
      buyerTiers: { ann: { lists: ['Customers'] }, bob: { filter: { field: 'bank_move', is: 'equal', value: 'Medium' } } },
    }),
  );
  const asked = { ...lead, fields: { ...lead.fields, routingNumber: '021000021' }, facts: { lists: ['Customers'] } };
  const now = Date.parse('2026-11-27T15:00:00Z');
  const { refusal, tiers } = eligible(listed.plan, asked, now);
  expect(refusal).toBeUndefined();
  expect(tiers.map(({ filterReasonKey, why }) => [filterReasonKey, explain(why!)])).toEqual([
    [7, 'On the list Customers.'],
    [7, 'Filter: bank_move is not Medium.'],
  ]);
  const blocked = eligible(listed.plan, { ...asked, facts: { lists: [], bank: { name: 'First Example', move: 1 } } }, now);
  expect(explain(blocked.refusal!)).toBe('The bank First Example is blocked.');
});

test('eligibility: an unknown publisher tier has nobody', () => {
  expect(eligible(plan, { ...lead, publisherTierId: 'x' }, 0)).toMatchObject({
    refusal: { code: 'publisher-tier-unknown' },
    tiers: [],
  });
});

test('eligibility: a known price asks for room for all of it, in the money of the buyer and of the publisher tier', () => {
  const { plan } = compile(
    configurationOf({
      title: '',
      story: '',
      leads: [],
      publisherTier: { price: 'share 80%', caps: ['20.00 money per day'] },
      groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }],
      buyerTiers: { ann: { price: '20.00', funds: '30.00' }, bob: { price: 'bid from 4.00', caps: ['9.00 money per day'] } },
    }),
  );
  const { tiers } = eligible(plan, lead, Date.parse('2026-11-28T15:00:00Z'));
  const asked = tiers.map(({ room }) => room!.claims.map(({ amount, limit, asked }) => [amount, limit, asked]));
  expect(asked).toEqual([
    [
      [0, 100_001, 200_000],
      [0, 40_001, 160_000],
    ],
    [
      [0, 50_001, 40_000],
      [0, 168_001, 32_000],
    ],
  ]);
  const full = { by: 'cap', claim: tiers[0]!.room!.claims[0]!, used: 200_000 } as const;
  expect(explain(explainRefusal(full, 'buyer').why)).toBe('The balance of the buyer does not pay for it: 10.00 left, 20.00 needed.');
});
