/** What must hold for every tree, every buyer and every order of events; a failure prints its seed. */
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { keepBreakers } from './breaker-memory.ts';
import { compile } from './compile.ts';
import type { Plan } from './compiled.ts';
import type { Decision } from './decision.ts';
import type { BuyerCall, Effect, EffectResult } from './effect.ts';
import { explain } from './explain.ts';
import type { RouteLead, RouteMode } from './lead.ts';
import { parseMoney } from './money.ts';
import type { Filter, GroupMode } from './plan.ts';
import { requiredMargin } from './price.ts';
import { TIER_PROCESS_LIMIT } from './route.ts';
import { ANSWER_RESERVE_MS } from './run.ts';
import { configurationOf, type Scenario } from './scenario.ts';
import { leadOf } from './scenario-lead.ts';
import { bookDecision, carryOut, createWorld, runLead, type ScriptedAnswer, startLead, type World } from './simulate.ts';

/** `npm run simulate` runs each property so many times as often, which makes more than 100,000 leads. */
const TIMES = Number(process.env.SIMULATE ?? 1);
const RUNS = 150 * TIMES;
let simulated = 0;
afterAll(() => {
  if (TIMES > 1) console.log(`${simulated.toLocaleString('en')} leads simulated`);
});

/** A Friday, an hour before a change of the local hour. */
const NOON = Date.parse('2026-10-30T15:59:59Z');
const MODES: GroupMode[] = ['priority', 'highestPrice', 'auction', 'roundRobin', 'weighted'];

/** Trees in which most leads could be sold, and every rule stands somewhere. */
const seldom = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 });
const price = fc.integer({ min: 500, max: 3_000 }).map((cents) => (cents / 100).toFixed(2));
const little = fc.integer({ min: 0, max: 800 }).map((cents) => (cents / 100).toFixed(2));
const cap = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('sold', 'sent', 'money'),
    fc.constantFrom('per hour', 'per day', 'per week', 'per month', 'overall'),
  )
  .map(([limit, measure, period]) => `${measure === 'money' ? `${limit * 15}.00` : limit} ${measure} ${period}`);
const filter = fc.constantFrom<Filter>(
  { field: 'state', is: 'in', value: ['CA', 'TX'] },
  { not: { field: 'income', is: 'lessThan', value: 2000 } },
  { field: 'bin_move', is: 'notIn', value: ['Low'] },
);
const duplicate = fc.constantFrom(
  'any of email, phone within 30 days',
  'all of email, zip within 30 days',
  'any of email within 1 days, sold only',
);

const tier = fc.record({
  status: fc.constantFrom('active', 'active', 'active', 'active', 'paused'),
  buyer: fc.constantFrom('Acme', 'Best', 'Cash', 'Dime', 'Easy'),
  caps: fc.array(cap, { maxLength: 2 }),
  price: fc.oneof(
    price,
    fc.constant('bid'),
    little.map((minimum) => `bid from ${minimum}`),
  ),
  delivery: fc.constantFrom('post', 'pingPost'),
  floor: seldom(little),
  postPriceRule: fc.constantFrom('take', 'refuse', 'takeAndFlag'),
  qualityFactor: fc.constantFrom(0.5, 1, 2),
  timeLimitMs: fc.integer({ min: 1, max: 2_000 }),
  afterTimeout: fc.constantFrom('next', 'hold'),
  hours: seldom(fc.constantFrom('Mon-Sun 00:00-24:00', 'Mon-Fri 09:00-12:00')),
  filter: seldom(filter),
  duplicate: seldom(duplicate),
  check: seldom(fc.constantFrom('pass', 'refuse')),
  lists: seldom(fc.subarray(['Customers', 'Complaints'])),
  breaker: fc.constantFrom(undefined, undefined, '50% of 2 in 1 minutes, pause 1 minutes', '100% of 1 in 1 minutes, pause 1 minutes'),
});

const group = fc.record({
  mode: fc.constantFrom(...MODES),
  size: fc.integer({ min: 1, max: 24 }),
  timeLimitMs: seldom(fc.integer({ min: 1, max: 3_000 })),
});

const campaign = fc.record({
  margin: fc.oneof(
    little,
    fc.integer({ min: 0, max: 30 }).map((percent) => `${percent}.5%`),
  ),
  floor: seldom(little),
  maxSales: fc.integer({ min: 1, max: 3 }),
  timeLimitMs: fc.integer({ min: 1, max: 20_000 }),
});

const publisherTier = fc.record({
  price: fc.oneof(
    little.map((fixed) => `fixed ${fixed}`),
    little.map((minimum) => `minimum ${minimum}`),
    fc.constant('share 66.6667%'),
  ),
  caps: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.array(cap, { maxLength: 2 }) }),
  duplicate: seldom(duplicate),
  check: seldom(fc.constantFrom('pass', 'refuse')),
  lists: seldom(fc.subarray(['Do not call'])),
});

const promotion = fc.record({
  name: fc.constantFrom('first', 'second', 'third', 'fourth', 'fifth'),
  raise: fc.constantFrom('0.50', '2.00', '9.00', '10%', '33.3333%', '300%'),
  for: fc.constantFrom('publisherTier', 'subId 1', 'publisher', 'campaign'),
  days: fc.constantFrom('from 2026-10-01', '2026-10-30 to 2026-10-30', 'from 2026-10-31'),
  leads: seldom(fc.integer({ min: 0, max: 3 })),
  money: seldom(fc.constantFrom('0.50', '4.00', '10.0001')),
  belowMargin: fc.boolean(),
});

/** Buyer caps are the buyer's, so every tier of a buyer has the same ones. */
const tree: fc.Arbitrary<Scenario> = fc
  .record({
    tiers: fc.array(tier, { minLength: 1, maxLength: 26 }),
    buyerCaps: fc.array(cap, { maxLength: 1 }),
    groups: fc.array(group, { minLength: 1, maxLength: 4 }),
    campaign,
    publisherTier,
    promotions: fc.uniqueArray(promotion, { maxLength: 4, selector: ({ name }) => name }),
  })
  .map(({ tiers, buyerCaps, groups, ...rest }) => {
    const ids = tiers.map((_, index) => `tier-${index}`);
    const seats = groups.map(({ size }) => ids.splice(0, size));
    const drawn = {
      title: '',
      story: '',
      groups: groups.map(({ mode, timeLimitMs }, index) => ({ name: `group-${index}`, mode, timeLimitMs, members: seats[index]! })),
      buyerTiers: Object.fromEntries(tiers.map((short, index) => [`tier-${index}`, { ...short, buyerCaps }])),
      leads: [],
      ...rest,
    };
    // JSON leaves out what is undefined, as a story would.
    return JSON.parse(JSON.stringify(drawn)) as Scenario;
  });

/** Buyers that are honest, sloppy or hostile. */
const answer: fc.Arbitrary<ScriptedAnswer> = fc
  .record({
    outcome: fc.oneof(
      { weight: 6, arbitrary: fc.constant('accepted' as const) },
      { weight: 4, arbitrary: fc.constantFrom('rejected' as const, 'duplicate' as const, 'error' as const, 'timeout' as const) },
      { weight: 1, arbitrary: fc.constantFrom('pending' as const, 'nonsense' as 'error') },
    ),
    price: seldom(
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: 0, max: 400_000 }) },
        { weight: 1, arbitrary: fc.constantFrom(Number.NaN, -50_000, Number.POSITIVE_INFINITY, 1e15, 0.5, Number.MIN_VALUE) },
      ),
    ),
    delayMs: fc.oneof(
      { weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 2_500 }) },
    ),
    sent: fc.boolean(),
    expiresAt: fc.option(fc.integer({ min: NOON - 1_000, max: NOON + 60_000 }), { nil: undefined, freq: 1 }),
    publisherGone: fc.nat(20).map((drawn) => drawn === 0),
  })
  .map((drawn) => Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined)) as ScriptedAnswer);

const lead = fc.record({
  fields: fc.record({
    email: fc.nat(11).map((person) => `person${person}@example.com`),
    phone: fc.constantFrom('', '', '2125550100'),
    state: fc.constantFrom('CA', 'CA', 'TX', 'NY', 'CA', 'TX', 'Nowhere'),
    income: fc.constantFrom('', '1500', '3000', '3000'),
    bin: fc.constantFrom('', '45717360', '4571736012345678'),
  }),
  onLists: fc.subarray(['Do not call', 'Customers', 'Complaints', 'Another'], { maxLength: 2 }),
  bank: seldom(fc.record({ name: fc.constant('First Example'), move: fc.constantFrom(1 as const, 3 as const, 3 as const) })),
  bin: seldom(
    fc.record({
      range: fc.constant('457173'),
      move: fc.constantFrom(1 as const, 2 as const, 3 as const),
      combination: fc.constantFrom(1 as const, 2 as const, 3 as const, 4 as const),
    }),
  ),
  mode: fc.constantFrom<RouteMode>('full', 'full', 'full', 'full', 'ping', 'post'),
  patienceMs: fc.oneof(
    { weight: 4, arbitrary: fc.integer({ min: 2_000, max: 20_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -100, max: 2_000 }) },
  ),
});

const run = fc.record({
  tree,
  leads: fc.array(lead, { minLength: 1, maxLength: 12 }),
  answers: fc.array(answer, { minLength: 1, maxLength: 30 }),
  order: fc.infiniteStream(fc.nat(11)),
});
type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;

interface Ended {
  lead: RouteLead;
  startedAt: number;
  decision: Decision;
  /** `at`: the time the engine knew of when it asked for the call; leads share one clock. */
  calls: { call: BuyerCall; at: number }[];
}

/** What was not drawn is left out, as in a story. */
const given = ({ bank, bin, ...short }: Run['leads'][number]) => ({ ...short, ...(bank && { bank }), ...(bin && { bin }) });

const EFFECT_LIMIT = 500;

function openWorld({ answers }: Pick<Run, 'answers'>, plan: Plan): World {
  let said = 0;
  return createWorld(NOON, {
    breakers: keepBreakers(plan),
    answer: () => answers[said++ % answers.length]!,
    check: () => ({ outcome: said++ % 5 === 0 ? 'refused' : 'passed' }),
  });
}

/** All leads at once on one ledger: whose effect is carried out next is drawn. `asked` hears of every effect when it is asked for. */
function runTogether(
  { leads, answers, order }: Run,
  plan: Plan,
  world = openWorld({ answers }, plan),
  asked: (effect: Effect, by: Pick<Ended, 'lead' | 'startedAt'>, toldAt: number) => void = () => {},
): { ended: Ended[]; world: World } {
  const ended: Ended[] = [];
  simulated += leads.length;
  const open = leads.map((short, index) => {
    const started = leadOf({ at: '', expect: { status: 'sold' }, ...given(short) }, `lead-${world.clock.now}-${index}`, world.clock.now);
    const steps = startLead(plan, started, world);
    return {
      lead: started,
      startedAt: world.clock.now,
      steps,
      step: steps.next(),
      calls: [] as Ended['calls'],
      effects: 0,
      toldAt: world.clock.now,
    };
  });
  while (open.length > 0) {
    const index = order.next().value! % open.length;
    const one = open[index]!;
    if (one.step.done) {
      bookDecision(world, one.lead.id, one.step.value);
      ended.push({ ...one, decision: one.step.value });
      open.splice(index, 1);
    } else {
      one.step = one.steps.next(carry(world, one, one.step.value));
      if (!one.step.done) asked(one.step.value, one, one.toldAt);
    }
  }
  return { ended, world };
}

function carry(
  world: World,
  one: { lead: RouteLead; calls: Ended['calls']; effects: number; toldAt: number },
  effect: Effect,
): EffectResult {
  expect(one.effects++, 'every lead ends').toBeLessThan(EFFECT_LIMIT);
  if (effect.kind === 'call') one.calls.push(...effect.calls.map((call) => ({ call, at: one.toldAt })));
  const result = carryOut(world, one.lead.id, effect);
  one.toldAt = result.now;
  for (const [counter, { used, limit }] of world.ledger.counters()) expect(used, `never over a cap: ${counter}`).toBeLessThanOrEqual(limit);
  return result;
}

function holds(title: string, invariant: (ended: Ended, scenario: Scenario, plan: Plan) => void): void {
  test(title, () => {
    fc.assert(
      fc.property(run, (drawn) => {
        const { plan } = compile(configurationOf(drawn.tree));
        const { ended } = runTogether(drawn, plan);
        expect(ended.length).toBe(drawn.leads.length);
        for (const one of ended) invariant(one, drawn.tree, plan);
      }),
      { numRuns: RUNS },
    );
  });
}

holds('engine: a lead is never sold twice to one buyer, nor more often than the campaign allows', ({ decision }, scenario) => {
  const buyers = decision.sales.map((sale) => sale.buyerId);
  expect(new Set(buyers).size).toBe(buyers.length);
  expect(buyers.length).toBeLessThanOrEqual(scenario.campaign!.maxSales!);
});

holds(
  'console §3: nobody is offered a lead that one of its lists holds, and nobody at all one whose bank or BIN is blocked',
  (one, scenario) => {
    const { lists, bank, bin } = one.lead.facts!;
    const isOn = (named: string[] | undefined) => named?.some((list) => lists.includes(list)) ?? false;
    for (const { call } of one.calls) {
      expect(isOn(scenario.buyerTiers[call.buyerTierId]!.lists)).toBe(false);
      expect(isOn(scenario.publisherTier?.lists)).toBe(false);
      expect([bank?.move, bin?.move]).not.toContain(1);
    }
  },
);

const endsAt = ({ lead: { deadlineAt }, startedAt }: Pick<Ended, 'lead' | 'startedAt'>, { campaign }: Scenario): number =>
  Math.min(deadlineAt, startedAt + campaign!.timeLimitMs!);

holds('engine, D6: no call is started past the deadline, and none is given time beyond it', ({ calls, ...routed }, scenario) => {
  const last = endsAt(routed, scenario);
  for (const { call, at } of calls) {
    expect(call.timeoutMs).toBeGreaterThan(0);
    expect(at + call.timeoutMs).toBeLessThanOrEqual(last - ANSWER_RESERVE_MS);
    expect(call.timeoutMs).toBeLessThanOrEqual(scenario.buyerTiers[call.buyerTierId]!.timeLimitMs ?? 1_000);
  }
});

holds('engine: every buyer tier of the tree has exactly one verdict, and a sentence for it', ({ decision }, scenario) => {
  const seated = scenario.groups.flatMap((group) => group.members);
  expect(decision.verdicts.map((verdict) => verdict.buyerTierId).sort()).toEqual([...seated].sort());
  for (const why of [decision.why, ...decision.steps, ...decision.verdicts.map((verdict) => verdict.why)]) {
    expect(explain(why)).toMatch(/^[A-Z\d].*\.$/s);
    expect(explain(why)).not.toMatch(/undefined|NaN|\[object/);
  }
});

holds('engine, D5: payout + margin = revenue, margin is never short, floors hold, sums are exact', ({ decision }, _scenario, plan) => {
  const { campaign, config } = plan.publisherTiers.get('publisherTier')!;
  for (const { revenue, payout, margin, promotion } of [...decision.sales]) {
    expect(payout + margin).toBe(revenue);
    const least = promotion?.belowMargin ? 0 : requiredMargin(campaign.config.margin, revenue);
    expect(margin).toBeGreaterThanOrEqual(least);
    if (promotion) expect(margin + promotion.extra).toBeGreaterThanOrEqual(requiredMargin(campaign.config.margin, revenue));
    expect(payout - (promotion?.extra ?? 0)).toBeGreaterThanOrEqual(config.priceModel.kind === 'share' ? 0 : config.priceModel.price);
  }
  for (const offer of decision.offers) expect(offer.payout).toBeLessThanOrEqual(offer.bid);
});

holds('engine: at most 20 tiers are contacted, none that is paused, none posted twice', ({ calls }, scenario) => {
  expect(new Set(calls.map(({ call }) => call.buyerTierId)).size).toBeLessThanOrEqual(TIER_PROCESS_LIMIT);
  const legs = calls.map(({ call }) => `${call.buyerTierId} ${call.leg}`);
  expect(new Set(legs).size).toBe(legs.length);
  for (const { call } of calls) expect(scenario.buyerTiers[call.buyerTierId]!.status).not.toBe('paused');
});

test('engine Breaker: while it is open nobody is called, and half-open only one lead at a time', () => {
  let probes = 0;
  fc.assert(
    fc.property(run, fc.array(fc.constantFrom(0, 5_000, 30_000, 61_000), { minLength: 2, maxLength: 6 }), (drawn, pauses) => {
      const { plan } = compile(configurationOf(failing(drawn.tree)));
      const world = openWorld(drawn, plan);
      for (const pause of pauses) {
        world.clock.now += pause;
        const probing = new Map<string, Pick<Ended, 'lead' | 'startedAt'>>();
        runTogether(drawn, plan, world, (effect, by, toldAt) => {
          for (const { buyerTierId } of effect.kind === 'call' ? effect.calls : []) {
            const breaker = world.breakers.find(buyerTierId);
            if (!breaker) continue;
            expect(toldAt, 'a probe comes after the pause').toBeGreaterThanOrEqual(breaker.openUntil);
            const name = `${buyerTierId} ${breaker.openedAt}`;
            const other = probing.get(name);
            // A probe that found nothing out, because its call never left, makes room when its lead is over.
            if (other && other !== by) expect(toldAt, 'one probe at a time').toBeGreaterThanOrEqual(endsAt(other, drawn.tree));
            probing.set(name, by);
            probes += 1;
          }
        });
      }
    }),
    { numRuns: RUNS },
  );
  expect(probes).toBeGreaterThan(5);
});

/** The tree with nothing in the way of its tiers but their breakers. */
function failing(scenario: Scenario): Scenario {
  const buyerTiers = Object.entries(scenario.buyerTiers).map(([id, { delivery, price, timeLimitMs, buyer, check, breaker }]) => [
    id,
    { delivery, price, timeLimitMs, buyer, check, breaker: breaker ?? '50% of 1 in 1 minutes, pause 1 minutes' },
  ]);
  return JSON.parse(JSON.stringify({ ...scenario, buyerTiers: Object.fromEntries(buyerTiers), publisherTier: {} })) as Scenario;
}

holds('E10: a buyer that accepted has bought or is held, and nobody is offered a held lead', ({ decision, lead: routed }) => {
  const accepted = decision.attempts
    .filter((attempt) => attempt.leg === 'post' && attempt.answer === 'accepted')
    .map((attempt) => attempt.buyerTierId);
  const kept = [...decision.sales.map((sale) => sale.buyerTierId), ...(decision.heldBuyerTierIds ?? [])];
  expect(kept).toEqual(expect.arrayContaining(accepted));
  expect(decision.heldBuyerTierIds?.length ?? 0).toBeLessThanOrEqual(1);
  if (decision.heldBuyerTierIds) expect(decision.attempts.at(-1)!.buyerTierId).toBe(decision.heldBuyerTierIds[0]);
  if (routed.mode === 'ping') expect(decision.attempts.filter((attempt) => attempt.leg === 'post')).toEqual([]);
});

test('engine: when all leads have ended, only held tiers hold a reservation', () => {
  fc.assert(
    fc.property(run, (drawn) => {
      const { plan } = compile(configurationOf(drawn.tree));
      const { ended, world } = runTogether(drawn, plan);
      const held = new Set(
        ended.flatMap(({ lead: { id }, decision }) =>
          (decision.heldBuyerTierIds ?? []).flatMap((tierId) => [`${id} ${tierId} post`, `${id} ${tierId} raise`]),
        ),
      );
      const lent = world.ledger.open().filter((name) => !held.has(name));
      const heldLeads = new Set([...held].map((name) => name.split(' ')[0]));
      // The admission of a held lead stays as long as the lead itself.
      expect(lent.filter((name) => !(name.endsWith(' admit') && heldLeads.has(name.split(' ')[0])))).toEqual([]);
    }),
    { numRuns: RUNS },
  );
});

test('engine: sold and money counters say exactly what was sold and held', () => {
  fc.assert(
    fc.property(run, (drawn) => {
      const overall = {
        ...drawn.tree,
        buyerTiers: Object.fromEntries(
          Object.entries(drawn.tree.buyerTiers).map(([id, short]) => [
            id,
            { ...short, buyerCaps: [], caps: ['3 sold overall', '50.00 money overall'] },
          ]),
        ),
      };
      const { plan } = compile(configurationOf(overall));
      const { ended, world } = runTogether(drawn, plan);
      for (const id of Object.keys(overall.buyerTiers)) {
        const sales = ended.flatMap(({ decision }) => decision.sales.filter((sale) => sale.buyerTierId === id));
        const held = ended.filter(({ decision }) => decision.heldBuyerTierIds?.includes(id)).length;
        const revenue = sales.reduce((sum, sale) => sum + sale.revenue, 0);
        expect(world.ledger.used(`${id}:sold:overall:ever`)).toBe(sales.length + held);
        if (held === 0) expect(world.ledger.used(`${id}:money:overall:ever`)).toBe(revenue);
        expect(revenue).toBeLessThanOrEqual(500_000);
      }
    }),
    { numRuns: RUNS },
  );
});

test('engine Price: the counters of a promotion say exactly what it has paid, and are never over', () => {
  let paid = 0;
  fc.assert(
    fc.property(run, (drawn) => {
      const { plan, problems } = compile(configurationOf(drawn.tree));
      expect(problems).toEqual([]);
      const { ended, world } = runTogether(drawn, plan);
      const posts = ended.map(({ lead: posted, decision }) => ({ ...posted, mode: 'post' as const, offers: decision.offers }));
      for (const [index, post] of posts.filter(({ offers }) => offers.length > 0).entries())
        ended.push({ lead: post, startedAt: world.clock.now, ...runLead(plan, { ...post, id: `post ${index}` }, world), calls: [] });
      for (const { name, leads, money } of drawn.tree.promotions!) {
        const shares = ended
          .flatMap(({ decision }) => decision.sales.flatMap((sale) => sale.promotion ?? []))
          .filter((one) => one.name === name);
        const extra = shares.reduce((sum, share) => sum + share.extra, 0);
        const held = ended.some(({ decision }) => decision.heldBuyerTierIds);
        paid += shares.length;
        expect(shares.length).toBeLessThanOrEqual(leads ?? Number.POSITIVE_INFINITY);
        expect(extra).toBeLessThanOrEqual(money === undefined ? Number.POSITIVE_INFINITY : parseMoney(money)!);
        if (held) continue;
        expect(world.ledger.used(`${name}:sold:overall:ever`)).toBe(shares.length);
        expect(world.ledger.used(`${name}:money:overall:ever`)).toBe(extra);
      }
    }),
    { numRuns: 500 },
  );
  // The worlds are drawn: usually there are far more.
  expect(paid, 'promotions are paid in these worlds').toBeGreaterThan(10);
});

test('engine Price: the post goes first to the offer whose price its ping was told, and pays that where the buyer names no other', () => {
  let kept = 0;
  fc.assert(
    fc.property(run, fc.array(fc.nat(5), { minLength: 1, maxLength: 5 }), (drawn, turns) => {
      const { plan } = compile(configurationOf(unhurried(drawn.tree)));
      // Some of the caps are used up by then.
      const { world } = runTogether(drawn, plan);
      world.clock.now = NOON + 10_000;
      const started = leadOf(
        { at: '', expect: { status: 'sold' }, fields: { email: 'new@example.com', phone: '' } },
        'ping',
        world.clock.now,
      );
      const { decision: told } = runLead(plan, { ...started, mode: 'ping' }, world);
      const [first] = told.offers;
      const { maxSales } = drawn.tree.campaign!;
      expect(told.promisedSales?.[0]).toEqual(maxSales! > 1 && first ? { payout: first.payout, expiresAt: first.expiresAt } : undefined);
      expect(told.promisedSales?.length ?? 0).toBeLessThanOrEqual(maxSales!);
      if (!first || first.expiresAt <= world.clock.now + 1_000) return;
      // Whose turn it is may have changed since.
      for (const [at, { buyerTierId }] of told.offers.entries())
        for (const { name } of drawn.tree.groups)
          world.turns.set(`${name} ${buyerTierId}`, {
            lastTurnAt: world.clock.now - turns[at % turns.length]!,
            turns: turns[at % turns.length]!,
          });
      world.answer = () => ({ outcome: 'accepted' });
      const { decision } = runLead(plan, { ...started, id: 'post', mode: 'post', offers: told.offers }, world);
      expect(decision.attempts[0]).toMatchObject({ leg: 'post', buyerTierId: first.buyerTierId, bid: first.bid });
      expect(decision.sales[0]).toMatchObject({ buyerTierId: first.buyerTierId, revenue: first.bid, payout: first.payout });
      kept += 1;
    }),
    { numRuns: RUNS * 2 },
  );
  expect(kept, 'pings are offered something in these worlds').toBeGreaterThan(10);
});

/** The tree with time for everything, and without outside services and breakers: those may say no to the post that had nothing to say at the ping. */
function unhurried(scenario: Scenario): Scenario {
  const { check: _, ...publisherTier } = scenario.publisherTier!;
  const buyerTiers = Object.entries(scenario.buyerTiers).map(([id, { check: _check, breaker: _breaker, ...short }]) => [
    id,
    { ...short, timeLimitMs: 2_000 },
  ]);
  const groups = scenario.groups.map(({ timeLimitMs: _limit, ...group }) => group);
  return {
    ...scenario,
    groups,
    publisherTier,
    buyerTiers: Object.fromEntries(buyerTiers),
    campaign: { ...scenario.campaign, timeLimitMs: 60_000 },
  };
}

test('engine: whatever the world says, the generator returns a decision and never throws', () => {
  const nonsense = fc.oneof(
    fc.record(
      {
        kind: fc.constantFrom('reserve', 'release', 'call', 'check', 'what'),
        now: fc.oneof(fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY)),
        granted: fc.array(fc.integer({ min: -2, max: 30 })),
        refused: fc.constant([]),
        answers: fc.array(fc.oneof(fc.constant(undefined), answer), { maxLength: 30 }),
        verdicts: fc.constant([]),
      },
      { requiredKeys: ['kind'] },
    ),
    fc.constant(undefined),
  );
  fc.assert(
    fc.property(tree, lead, fc.infiniteStream(nonsense), (scenario, short, results) => {
      const { plan } = compile(configurationOf(scenario));
      const world = createWorld(NOON);
      const steps = startLead(plan, leadOf({ at: '', expect: { status: 'sold' }, ...short }, 'lead', NOON), world);
      let step = steps.next();
      for (let effects = 0; !step.done; effects++) {
        expect(effects).toBeLessThan(EFFECT_LIMIT);
        step = steps.next(results.next().value as unknown as EffectResult);
      }
      expect(step.value.verdicts.length).toBe(scenario.groups.flatMap((group) => group.members).length);
    }),
    { numRuns: RUNS * 2 },
  );
});
