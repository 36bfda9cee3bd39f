/** What route() asks of its shell, effect by effect. */
import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import { payoutOf } from './conclude.ts';
import type { Effect, OutsideVerdict } from './effect.ts';
import { parseMoney } from './money.ts';
import { configurationOf, type Scenario, type ShortBuyerTier } from './scenario.ts';
import { leadOf } from './scenario-lead.ts';
import { createWorld, runLead, type ScriptedAnswer } from './simulate.ts';

const NOW = Date.parse('2026-11-27T15:00:00Z');

function run(
  parts: Pick<Scenario, 'groups' | 'buyerTiers'> & Partial<Scenario>,
  answers: Record<string, ScriptedAnswer>,
  lead: Partial<ReturnType<typeof leadOf>> = {},
  verdict: OutsideVerdict['outcome'] | (OutsideVerdict & { delayMs: number }) = 'passed',
) {
  const { plan } = compile(configurationOf({ title: '', story: '', leads: [], ...parts }));
  const world = createWorld(NOW, {
    answer: (call) => answers[`${call.buyerTierId} ${call.leg}`] ?? answers[call.buyerTierId] ?? { outcome: 'rejected' },
    check: () => (typeof verdict === 'string' ? { outcome: verdict } : verdict),
  });
  return { ...runLead(plan, { ...leadOf({ at: '', expect: { status: 'sold' } }, 'lead', NOW), ...lead }, world), world };
}

function told(effects: Effect[]): string[] {
  return effects.map(tellEffect);
}

function tellEffect(effect: Effect): string {
  switch (effect.kind) {
    case 'reserve':
      return `reserve ${effect.mode} ${effect.reservations.map((one) => `${one.subject.id} ${one.purpose} ${one.claims.map((claim) => `${claim.measure}+${claim.amount}`).join(' ')}`.trim()).join(', ')}`;
    case 'release':
      return `release ${effect.subject.id} ${effect.purpose}`;
    case 'check':
      return `check ${effect.checks.map((one) => one.subject.id).join(', ')}`;
    case 'call':
      return `call ${effect.calls.map((one) => `${one.buyerTierId} ${one.leg}`).join(', ')}`;
  }
}

const CAPS = ['5 sold per day', '5 sent per day', '90.00 money per day'];
const BID = { price: 'bid', delivery: 'pingPost', caps: CAPS } as const;

test('engine: where nothing is to be reserved, the shell is asked for calls only', () => {
  const { effects } = run(
    { groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }], buyerTiers: { ann: {}, bob: {} } },
    { bob: { outcome: 'accepted' } },
  );
  expect(told(effects)).toEqual(['call ann post', 'call bob post']);
});

test('engine: one reservation covers the whole group; sold and money are given back on a no', () => {
  const { effects } = run(
    {
      groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }],
      buyerTiers: { ann: { caps: CAPS }, bob: { caps: ['1 sold overall'] } },
    },
    { bob: { outcome: 'accepted' } },
  );
  expect(told(effects)).toEqual([
    'reserve first ann post sold+1 sent+1 money+200000, bob post sold+1',
    'call ann post',
    'release ann post',
    'reserve first bob post sold+1',
    'call bob post',
  ]);
});

test('engine: an auction asks for room, pings at once, and counts a lead as sent once per tier', () => {
  const { effects, decision } = run(
    { groups: [{ name: 'main', mode: 'auction', members: ['ann', 'bob'] }], buyerTiers: { ann: BID, bob: BID } },
    {
      'ann ping': { outcome: 'accepted', price: parseMoney('12.00')!, captures: { pingId: 'p-1' } },
      'ann post': { outcome: 'accepted', captures: { buyerRef: 'r-1' } },
      'bob ping': { outcome: 'accepted', price: parseMoney('9.00')! },
    },
  );
  expect(told(effects)).toEqual([
    'reserve each ann ping sold+0 sent+1 money+0, bob ping sold+0 sent+1 money+0',
    'call ann ping, bob ping',
    'reserve first ann post sold+1 money+120000, bob post sold+1 money+90000',
    'call ann post',
  ]);
  const post = effects.at(-1) as Extract<Effect, { kind: 'call' }>;
  expect(post.calls[0]).toMatchObject({ price: 120_000, captures: { pingId: 'p-1' } });
  expect(decision.sales[0]).toMatchObject({ bid: 120_000, buyerRef: 'r-1', postPriceDiffers: false });
  expect(decision.attempts.map((attempt) => [attempt.index, attempt.leg, attempt.outcome])).toEqual([
    [0, 'ping', 'notReached'],
    [1, 'ping', 'notReached'],
    [2, 'post', 'sold'],
  ]);
});

test('engine: a price above what was reserved asks for the difference before it counts', () => {
  const { effects, world } = run(
    { groups: [{ name: 'main', mode: 'priority', members: ['ann'] }], buyerTiers: { ann: { price: 'bid from 5.00', caps: CAPS } } },
    { ann: { outcome: 'accepted', price: parseMoney('8.00')! } },
  );
  expect(told(effects)).toEqual([
    'reserve first ann post sold+1 sent+1 money+50000',
    'call ann post',
    'reserve first ann raise money+30000',
  ]);
  expect(world.ledger.open()).toEqual([]);
  expect([...world.ledger.counters().values()].map((counter) => counter.used)).toEqual([1, 1, 80_000]);
});

test('engine: a price under what was reserved gives the rest back to the money cap', () => {
  const { world } = run(
    { groups: [{ name: 'main', mode: 'priority', members: ['ann'] }], buyerTiers: { ann: { caps: CAPS } } },
    { ann: { outcome: 'accepted', price: parseMoney('8.00')! } },
  );
  expect([...world.ledger.counters().values()].map((counter) => counter.used)).toEqual([1, 1, 80_000]);
});

test('engine: third-party validation is asked once per tier, before anything is sent', () => {
  const { effects } = run(
    {
      groups: [{ name: 'main', mode: 'auction', members: ['ann', 'bob'] }],
      buyerTiers: { ann: { ...BID, check: 'refuse' }, bob: { price: '1.00', check: 'refuse' } },
    },
    { 'ann ping': { outcome: 'accepted', price: parseMoney('12.00')! } },
  );
  expect(told(effects).filter((line) => line.startsWith('check') || line.startsWith('call'))).toEqual([
    'check ann',
    'call ann ping',
    'call ann post',
    'check bob',
    'call bob post',
  ]);
});

test.each(['post', 'ping'] as const)(
  'engine Caps: a service that leaves no time for the %s takes no place under a cap of what is sent',
  (leg) => {
    const ann: ShortBuyerTier = {
      check: 'refuse',
      caps: ['1 sent per day'],
      ...(leg === 'ping' && { price: 'bid', delivery: 'pingPost' }),
    };
    const { decision, effects, world } = run(
      { groups: [{ name: 'main', mode: 'priority', members: ['ann'] }], buyerTiers: { ann } },
      { ann: { outcome: 'accepted' } },
      { deadlineAt: NOW + 300 },
      { outcome: 'passed', delayMs: 240 },
    );
    expect([decision.status, decision.verdicts[0]?.outcome]).toEqual(['unsold', 'notReached']);
    expect(told(effects).filter((line) => line.startsWith('call'))).toEqual([]);
    expect([...world.ledger.counters().values()].filter(({ used }) => used > 0)).toEqual([]);
  },
);

test('console §4: the verdict of a tier whose validation refuses names buyer-tier-third-party-service-validation-failed', () => {
  const { decision } = run(
    { groups: [{ name: 'main', mode: 'priority', members: ['ann'] }], buyerTiers: { ann: { check: 'refuse' } } },
    {},
    {},
    'refused',
  );
  expect(decision.verdicts).toMatchObject([{ outcome: 'filtered', reason: 'buyer-tier-third-party-service-validation-failed' }]);
});

test('engine: each call gets the least of publisher, campaign, group and tier; a ping leaves time for the post', () => {
  const timeouts = (parts: Partial<Scenario>, patienceMs: number, groupMs?: number) => {
    const groups: Scenario['groups'] = [
      { name: 'main', mode: 'auction', members: ['ann'], ...(groupMs === undefined ? {} : { timeLimitMs: groupMs }) },
    ];
    const { effects } = run(
      { groups, buyerTiers: { ann: { price: 'bid', delivery: 'pingPost', timeLimitMs: 5_000 } }, ...parts },
      { 'ann ping': { outcome: 'accepted', price: 1, delayMs: 0 } },
      { deadlineAt: NOW + patienceMs },
    );
    return effects.flatMap((effect) => (effect.kind === 'call' ? effect.calls.map((call) => call.timeoutMs) : []));
  };
  expect(timeouts({}, 60_000)).toEqual([5_000, 5_000]);
  expect(timeouts({}, 3_025)).toEqual([2_000, 3_000]);
  expect(timeouts({ campaign: { timeLimitMs: 325 } }, 60_000)).toEqual([200, 300]);
  expect(timeouts({}, 60_000, 700)).toEqual([700, 5_000]);
  expect(timeouts({}, 60_000, 49)).toEqual([]);
});

test('engine: a test lead has no effect at all, not even on a cap that is full, and a payout to tell the publisher', () => {
  const { effects, decision } = run(
    {
      publisherTier: { price: 'share 80%', caps: ['0 sent overall'] },
      groups: [{ name: 'main', mode: 'priority', members: ['ann'] }],
      buyerTiers: { ann: {} },
    },
    {},
    { test: true },
  );
  expect(effects).toEqual([]);
  expect(decision).toMatchObject({ status: 'sold', sales: [], test: { result: 'sold' } });
  expect(payoutOf(decision)).toBe(80_000);
});

test('engine: after a change of the tree the first offer that stands is still the first post', () => {
  const offerOf = (buyerTierId: string, bid: string, expiresAt: number) => {
    return { buyerTierId, bid: parseMoney(bid)!, payout: parseMoney(bid)!, captures: {}, expiresAt };
  };
  const [first, second] = ['first', 'second'].map((name, at) => ({ name, mode: 'priority' as const, members: [['ann'], ['bob']][at]! }));
  const callsWith = (annsOffer: number, bobsOffer: number) => {
    const offers = [offerOf('bob', '12.00', bobsOffer), offerOf('ann', '9.00', annsOffer)];
    return told(run({ groups: [first!, second!], buyerTiers: { ann: BID, bob: BID } }, {}, { mode: 'post', offers }).effects).filter(
      (line) => line.startsWith('call'),
    );
  };
  expect(callsWith(NOW + 60_000, NOW + 60_000)).toEqual(['call bob post', 'call ann post']);
  expect(callsWith(NOW + 60_000, NOW)).toEqual(['call ann post', 'call bob ping']);
});

test('engine Caps: a tier for which no time is left is not counted as sent, whatever its turn would have been', () => {
  const late = { outcome: 'timeout', delayMs: 5_000 } as const;
  const sentAfter = (mode: 'priority' | 'auction', others: Scenario['buyerTiers']['bob'], groupMs?: number) => {
    const group = { name: 'main', mode, members: ['ann', 'bob', 'cat'], ...(groupMs !== undefined && { timeLimitMs: groupMs }) };
    const { effects, world } = run(
      { groups: [group], buyerTiers: { ann: { price: 'bid', delivery: 'pingPost', timeLimitMs: 5_000 }, bob: others, cat: others } },
      { ann: late, 'ann ping': { outcome: 'accepted', price: parseMoney('30.00')! }, 'ann post': late },
      { deadlineAt: NOW + 300 },
    );
    const counters = [...world.ledger.counters()].filter(([name, { used }]) => name.includes(':sent:') && used > 0).map(([name]) => name);
    return [told(effects).filter((line) => line.startsWith('call')), counters];
  };
  expect(sentAfter('priority', { caps: CAPS })).toEqual([['call ann ping', 'call ann post'], []]);
  expect(sentAfter('priority', BID)).toEqual([['call ann ping', 'call ann post'], []]);
  expect(sentAfter('auction', { caps: CAPS })).toEqual([['call ann ping', 'call ann post'], []]);
  expect(sentAfter('auction', BID, 49)).toEqual([[], []]);
});
