import { describe, expect, test } from 'vitest';
import { type BreakerState, type CountedCall, lookBackFrom, nextState, shouldOpen, tallyOf } from './breaker.ts';
import { keepBreakers } from './breaker-memory.ts';
import { watchLead } from './breaker-watch.ts';
import { compile } from './compile.ts';
import { configurationOf, type Scenario } from './scenario.ts';
import { leadOf } from './scenario-lead.ts';
import { bookDecision, carryOut, createWorld, startLead, type World } from './simulate.ts';

const CONFIG = { failurePercent: 70, minimumCalls: 10, lookBackMinutes: 5, pauseMinutes: 2 };
const NOON = Date.parse('2026-11-27T12:00:30Z');
const MINUTE = 60_000;
const CLOSED: BreakerState = { open: undefined, countedFrom: 0 };
const call = (failed: boolean, more: Partial<CountedCall> = {}): CountedCall => ({ startedAt: NOON, failed, elapsedMs: 5, ...more });

describe('engine Breaker: when it opens', () => {
  test.each([
    [{ calls: 9, failures: 9 }, false],
    [{ calls: 10, failures: 6 }, false],
    [{ calls: 10, failures: 7 }, true],
    [{ calls: 1000, failures: 699 }, false],
    [{ calls: 1000, failures: 700 }, true],
    [{ calls: 0, failures: 0 }, false],
  ])('%o: %s', (tally, opens) => {
    expect(shouldOpen(CONFIG, tally)).toBe(opens);
  });

  test('a look-back reaches back at least as far as it says', () => {
    expect(lookBackFrom(CONFIG, NOON)).toBe(Date.parse('2026-11-27T11:55:00Z'));
  });

  test('it opens for its pause and remembers why', () => {
    const { open } = nextState(CONFIG, CLOSED, [call(true)], { calls: 12, failures: 9 }, NOON);
    expect(open).toEqual({
      openedAt: NOON,
      openUntil: NOON + 2 * MINUTE,
      since: NOON,
      calls: 12,
      failures: 9,
      lookBackMinutes: 5,
      failedProbes: 0,
    });
  });

  test('below the threshold the state is the same one: nothing has to be told', () => {
    expect(nextState(CONFIG, CLOSED, [call(true)], { calls: 10, failures: 6 }, NOON)).toBe(CLOSED);
  });

  test('calls that began before the count did, and all of an open breaker, do not count', () => {
    const calls = [call(true, { startedAt: NOON - 1 }), call(true), call(false)];
    expect(tallyOf({ open: undefined, countedFrom: NOON }, calls)).toEqual({ calls: 2, failures: 1 });
    expect(tallyOf(openState(), calls)).toEqual({ calls: 0, failures: 0 });
  });
});

const openState = () => nextState(CONFIG, CLOSED, [], { calls: 10, failures: 10 }, NOON);

describe('engine Breaker: half-open', () => {
  const later = NOON + 3 * MINUTE;

  test('a good probe closes it and the count begins anew', () => {
    const state = nextState(CONFIG, openState(), [call(false, { probe: NOON })], { calls: 0, failures: 0 }, later);
    expect(state).toEqual({ open: undefined, countedFrom: later });
  });

  test('a bad probe opens it again, since the same moment and for the same reason', () => {
    const { open } = nextState(CONFIG, openState(), [call(true, { probe: NOON })], { calls: 0, failures: 0 }, later);
    expect(open).toMatchObject({ openedAt: later, openUntil: later + 2 * MINUTE, since: NOON, calls: 10, failures: 10, failedProbes: 1 });
  });

  test('what is no probe, and the probe of an earlier pause, decide nothing', () => {
    const state = openState();
    const strays = [call(true), call(false), call(false, { probe: NOON - MINUTE }), call(true, { probe: NOON - MINUTE })];
    expect(nextState(CONFIG, state, strays, { calls: 0, failures: 0 }, later)).toBe(state);
  });
});

test('engine Breaker: a probe is told as one answer for its lead, a bad one at once', () => {
  const told: [string, boolean, number | undefined][] = [];
  const probing = () => {
    told.length = 0;
    const watch = watchLead((id, { failed, probe }) => told.push([id, failed, probe]));
    const claim = {
      counter: '',
      scopeId: 'ann',
      measure: 'sent',
      period: 'probe',
      windowStartAt: 5,
      resetsAt: 9,
      limit: 1,
      amount: 1,
    } as const;
    watch.granted({ subject: { kind: 'buyerTier', id: 'ann' }, purpose: 'ping', claims: [claim] });
    return watch;
  };
  const good = probing();
  good.callEnded('ann', NOON, false, 5);
  good.callEnded('ann', NOON, false, 5);
  good.callEnded('bob', NOON, true, 5);
  expect(told).toEqual([['bob', true, undefined]]);
  good.leadEnded();
  expect(told.at(-1)).toEqual(['ann', false, 5]);
  const bad = probing();
  bad.callEnded('ann', NOON, false, 5);
  bad.callEnded('ann', NOON, true, 5);
  bad.leadEnded();
  expect(told).toEqual([['ann', true, 5]]);
  probing().leadEnded();
  expect(told).toEqual([]);
});

const STORY: Scenario = {
  title: '',
  story: '',
  groups: [{ name: 'Main', mode: 'priority', members: ['ann'] }],
  buyerTiers: { ann: { breaker: '50% of 2 in 5 minutes, pause 1 minutes' } },
  leads: [],
};

describe('engine Breaker: the place of a probe', () => {
  /** A world in which ann has failed, at the moment her pause ends. */
  function halfOpen() {
    const { plan } = compile(configurationOf(STORY));
    const world = createWorld(NOON, { breakers: keepBreakers(plan) });
    for (const _ of [1, 2]) world.breakers.count('ann', { startedAt: NOON, failed: true, elapsedMs: 5 }, NOON);
    world.clock.now = world.breakers.find('ann')!.openUntil;
    return { plan, world };
  }
  const begin = (plan: ReturnType<typeof compile>['plan'], world: World, id: string) => {
    const lead = leadOf({ at: '', expect: { status: 'sold' } }, id, world.clock.now);
    const steps = startLead(plan, lead, world);
    let step = steps.next();
    // Up to the call: what is asked of the ledger and of services before it.
    while (!step.done && ['reserve', 'check', 'release'].includes(step.value.kind)) step = steps.next(carryOut(world, id, step.value));
    return { id, steps, step };
  };

  test('of many leads one gets it, and a probe lost in a crash frees it when its time would have been over', () => {
    const { plan, world } = halfOpen();
    const leads = Array.from({ length: 20 }, (_, index) => begin(plan, world, `lead-${index}`));
    const calling = leads.filter(({ step }) => !step.done && step.value.kind === 'call');
    expect(calling).toHaveLength(1);
    expect(leads[1]!.step.done && leads[1]!.step.value.verdicts[0]!.why.code).toBe('breaker-probing');
    world.clock.now += 20_000;
    expect(begin(plan, world, 'while it lives').step.done).toBe(true);
    world.clock.now += 15_000;
    expect(begin(plan, world, 'after its time').step.done).toBe(false);
  });

  test('a lead that its third party refused was no probe: the next one is, at once', () => {
    const { plan } = compile(configurationOf({ ...STORY, buyerTiers: { ann: { ...STORY.buyerTiers.ann, check: 'pass' } } }));
    let said = 0;
    const world = createWorld(NOON, {
      breakers: keepBreakers(plan),
      check: () => ({ outcome: said++ === 0 ? 'refused' : 'passed' }),
    });
    for (const _ of [1, 2]) world.breakers.count('ann', { startedAt: NOON, failed: true, elapsedMs: 5 }, NOON);
    world.clock.now = world.breakers.find('ann')!.openUntil;
    expect(begin(plan, world, 'screened out').step.done).toBe(true);
    const { step } = begin(plan, world, 'next');
    expect(!step.done && step.value.kind).toBe('call');
  });

  test('when the probe answers, the next lead goes through as any other', () => {
    const { plan, world } = halfOpen();
    const { id, steps, step } = begin(plan, world, 'probe');
    let next = step;
    while (!next.done) next = steps.next(carryOut(world, id, next.value));
    expect(world.breakers.find('ann')).toBeDefined();
    bookDecision(world, id, next.value);
    expect(world.breakers.find('ann')).toBeUndefined();
    for (const one of ['a', 'b']) expect(begin(plan, world, one).step.done).toBe(false);
  });

  test('a lead that passed before the breaker opened is not sent afterwards', () => {
    const { plan } = compile(configurationOf({ ...STORY, buyerTiers: { ann: { ...STORY.buyerTiers.ann, caps: ['9 sold per day'] } } }));
    const world = createWorld(NOON, { breakers: keepBreakers(plan) });
    const { id, steps, step } = begin(plan, world, 'early');
    expect(!step.done && step.value.kind).toBe('call');
    const lead = leadOf({ at: '', expect: { status: 'sold' } }, 'late', world.clock.now);
    const late = startLead(plan, lead, world);
    const reserve = late.next();
    const granted = carryOut(world, 'late', reserve.value as never);
    for (const _ of [1, 2]) world.breakers.count('ann', { startedAt: NOON, failed: true, elapsedMs: 5 }, world.clock.now);
    const release = late.next(granted);
    expect(!release.done && release.value.kind).toBe('release');
    const end = late.next(carryOut(world, 'late', release.value as never));
    expect(end.done && end.value.verdicts[0]).toMatchObject({ outcome: 'filtered', filterReasonKey: 9, why: { code: 'breaker-open' } });
    void [id, steps];
  });
});
