import { expect, test } from 'vitest';
import { compile } from './compile.ts';
import { fractionOf, type Habit, habitKey, openReplay, type RecordedCall, type StoredLead } from './replay.ts';
import { addDecision, emptyTally } from './replay-tally.ts';
import { configurationOf, type Scenario } from './scenario.ts';

const BEGINS = Date.parse('2026-11-02T15:00:00Z');
const MINUTE = 60_000;

const scenario = (more: Partial<Scenario> = {}): Scenario => ({
  title: '',
  story: '',
  groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }],
  buyerTiers: { ann: { price: '20.00', buyer: 'Ann' }, bob: { price: '12.00', buyer: 'Bob' } },
  leads: [],
  ...more,
});
const planOf = (more: Partial<Scenario> = {}) => compile(configurationOf(scenario(more))).plan;
const lead = (id: string, calls: RecordedCall[] = [], more: Partial<StoredLead> = {}): StoredLead => ({
  ...{ id, publisherTierId: 'publisherTier', at: BEGINS, fields: { email: `${id}@example.com`, phone: '+12125550100', state: 'CA' } },
  ...{ calls, checks: [] },
  ...more,
});
const said = (buyerTierId: string, outcome: RecordedCall['outcome'], more: Partial<RecordedCall> = {}): RecordedCall => ({
  ...{ buyerTierId, leg: 'post', outcome, elapsedMs: 10 },
  ...more,
});
const rules = (habits: Record<string, Habit> = {}, unrecorded: 'habit' | 'rejects' = 'habit') => ({
  habits: new Map(Object.entries(habits)),
  unrecorded,
});
const verdicts = (decision: ReturnType<ReturnType<typeof openReplay>['take']>) =>
  decision.verdicts
    .map((one) => `${one.buyerTierId} ${one.outcome}`)
    .toSorted()
    .join(', ');

test('replay: a buyer says what it said to that very lead, at the price it named then', () => {
  const replay = openReplay(planOf(), rules());
  expect(verdicts(replay.take(lead('a', [said('ann', 'rejected'), said('bob', 'accepted', { price: 140_000 })])))).toBe(
    'ann rejected, bob sold',
  );
  expect(replay.take(lead('b', [said('ann', 'timeout')], {})).verdicts[0]).toMatchObject({ outcome: 'timeouts' });
  expect(replay.sources).toEqual({ recorded: 3, drawn: 0, unknown: 1 });
});

test('replay: what was never asked is drawn as often as the tier accepts, at its mean price, the same at every replay', () => {
  const plan = planOf({ groups: [{ name: 'main', mode: 'priority', members: ['bid'] }], buyerTiers: { bid: { price: 'bid' } } });
  const habits = { [habitKey('bid', 'post')]: { calls: 200, accepted: 50, meanPrice: 83_300, meanMs: 40 } };
  const run = () => {
    const replay = openReplay(plan, rules(habits));
    return Array.from({ length: 4_000 }, (_, at) => replay.take(lead(`lead-${at}`)));
  };
  const first = run();
  const sold = first.filter((one) => one.status === 'sold');
  // A quarter: three standard deviations of 4,000 draws are 82.
  expect(Math.abs(sold.length - 1_000)).toBeLessThan(82);
  expect(new Set(sold.map((one) => one.sales[0]!.revenue))).toEqual(new Set([83_300]));
  expect(run().map((one) => one.status)).toEqual(first.map((one) => one.status));
});

test('replay: a cap goes on from where it stood when the span began', () => {
  const cap = { measure: 'sold' as const, period: 'overall' as const, limit: 3, timeZone: 'UTC' };
  const configuration = configurationOf(scenario());
  const [ann, bob] = configuration.buyerTiers;
  const plan = compile({ ...configuration, buyerTiers: [{ ...ann!, caps: [cap] }, bob!] }).plan;
  const sells = (begun: ReadonlyMap<string, number>) => {
    const replay = openReplay(plan, { ...rules(), begun });
    const yes = [said('ann', 'accepted'), said('bob', 'accepted')];
    return ['a', 'b', 'c', 'd'].map((id) => verdicts(replay.take(lead(id, yes))).split(' ', 2)[1]);
  };
  expect(sells(new Map())).toEqual(['sold,', 'sold,', 'sold,', 'filtered,']);
  expect(sells(new Map([['ann:sold:overall:ever', 2]]))).toEqual(['sold,', 'filtered,', 'filtered,', 'filtered,']);
});

test('replay: a tier that is tried at another price pays that one, whatever its answers named then', () => {
  const replay = openReplay(planOf(), { ...rules(), repriced: new Set(['bob']) });
  const answers = [said('ann', 'rejected', { price: 50_000 }), said('bob', 'accepted', { price: 90_000 })];
  expect(replay.take(lead('a', answers)).sales[0]).toMatchObject({ buyerTierId: 'bob', revenue: 120_000 });
});

test('replay: which tiers nobody asked in the span is told by name, so that their no is not taken for one', () => {
  const replay = openReplay(planOf(), rules({ [habitKey('bob', 'post')]: { calls: 4, accepted: 4, meanMs: 5 } }));
  replay.take(lead('a'));
  expect([...replay.neverAsked]).toEqual(['ann']);
});

test('replay: by the other rule a tier that was not asked rejects, and so does one that nobody asked in the span', () => {
  const habits = { [habitKey('ann', 'post')]: { calls: 1, accepted: 1, meanMs: 5 } };
  expect(verdicts(openReplay(planOf(), rules(habits, 'rejects')).take(lead('a')))).toBe('ann rejected, bob rejected');
  expect(verdicts(openReplay(planOf(), rules(habits)).take(lead('a')))).toBe('ann sold, bob notReached');
  expect(verdicts(openReplay(planOf(), rules()).take(lead('a')))).toBe('ann rejected, bob rejected');
});

test('replay: caps, hours and duplicates run by the leads’ own time', () => {
  const plan = planOf({
    publisherTier: { duplicate: 'any of email within 30 days' },
    buyerTiers: { ann: { caps: ['1 sold per day'] }, bob: { hours: 'Mon-Fri 09:00-17:00' } },
  });
  const replay = openReplay(plan, rules());
  const yes = [said('ann', 'accepted'), said('bob', 'accepted')];
  const at = (hours: number) => ({ at: BEGINS + hours * 60 * MINUTE });
  expect(verdicts(replay.take(lead('a', yes, at(0))))).toBe('ann sold, bob notReached');
  expect(verdicts(replay.take(lead('b', yes, at(1))))).toBe('ann filtered, bob sold');
  expect(replay.take(lead('c', yes, { ...at(2), fields: { email: 'a@example.com', state: 'CA' } })).status).toBe('duplicate');
  // Closed in the evening; the next day the cap begins anew.
  expect(verdicts(replay.take(lead('d', yes, at(9))))).toBe('ann filtered, bob filtered');
  expect(verdicts(replay.take(lead('e', yes, at(24))))).toBe('ann sold, bob notReached');
});

test('replay: a duplicate of a lead from before the span stays one, while the window reaches that far', () => {
  const earlier = { leadId: 'old', claimedAt: BEGINS - 20 * 24 * 60 * MINUTE };
  const take = (days: number) =>
    openReplay(planOf({ publisherTier: { duplicate: `any of email within ${days} days` } }), rules()).take(
      lead('a', [said('ann', 'accepted')], { earlier }),
    );
  expect(take(30)).toMatchObject({ status: 'duplicate', duplicateOfLeadId: 'old' });
  expect(take(10).status).toBe('sold');
});

test('replay: a breaker counts only the calls of its look-back, however many leads there are', () => {
  const plan = planOf({ buyerTiers: { ann: { breaker: '70% of 10 in 5 minutes, pause 5 minutes' }, bob: {} } });
  const replay = openReplay(plan, rules());
  const began = performance.now();
  for (let n = 0; n < 20_000; n++) replay.take(lead(`l${n}`, [said('ann', n % 2 ? 'error' : 'rejected')], { at: BEGINS + n * MINUTE }));
  const broken = Array.from({ length: 12 }, (_, n) =>
    replay.take(lead(`x${n}`, [said('ann', 'error')], { at: BEGINS + 20_000 * MINUTE + n })),
  );
  expect(broken.at(-1)!.verdicts[0]).toMatchObject({ outcome: 'filtered', filterReasonKey: 9 });
  // Twenty thousand calls kept and looked through each time took minutes.
  expect(performance.now() - began).toBeLessThan(20_000);
});

test('replay tally: money adds up over leads, tiers and groups', () => {
  const replay = openReplay(planOf({ publisherTier: { price: 'share 80%' } }), rules());
  const tally = emptyTally();
  addDecision(tally, replay.take(lead('a', [said('ann', 'accepted')])));
  addDecision(tally, replay.take(lead('b', [said('ann', 'rejected'), said('bob', 'accepted')])));
  addDecision(tally, replay.take(lead('c', [said('ann', 'rejected'), said('bob', 'rejected')])));
  expect(tally).toMatchObject({ leads: 3, sold: 2, sales: 2, revenue: 320_000, reasons: { 'buyer-all-tier-failed': 1 } });
  expect(tally.payout + tally.margin).toBe(tally.revenue);
  expect(tally.buyerTiers.ann).toMatchObject({ asked: 3, sales: 1, revenue: 200_000, ends: { sold: 1, rejected: 2 } });
  expect(tally.buyerTiers.bob).toMatchObject({ asked: 2, ends: { notReached: 1, sold: 1, rejected: 1 } });
  expect(Object.values(tally.groups)).toMatchObject([{ asked: 3, sales: 2, revenue: 320_000 }]);
});

test('a fraction is the same for the same text, and even over texts that differ in one place', () => {
  expect(fractionOf('a b post')).toBe(fractionOf('a b post'));
  const tenths = new Array(10).fill(0);
  for (let n = 0; n < 20_000; n++) tenths[Math.floor(fractionOf(`lead ${n} tier post`) * 10)] += 1;
  for (const count of tenths) expect(Math.abs(count - 2_000)).toBeLessThan(200);
});
