/** A shell in memory: drives route() with a fake clock, an in-memory ledger and scripted buyers. Used by tests and the demo history. */
import { type BreakersInMemory, keepBreakers } from './breaker-memory.ts';
import { type BreakerWatch, watchLead } from './breaker-watch.ts';
import type { Plan } from './compiled.ts';
import type { Decision } from './decision.ts';
import type { Answer, BuyerCall, Effect, EffectResult, OutsideCheck, OutsideVerdict } from './effect.ts';
import type { RouteLead, Turn } from './lead.ts';
import { createLedger, type InMemoryLedger } from './ledger.ts';
import type { Instant } from './plan.ts';
import { route } from './route.ts';

/** What a buyer will say, and after how long. Slower than its time limit is a time-out. */
export type ScriptedAnswer = Partial<Omit<Answer, 'elapsedMs'>> & { delayMs?: number; publisherGone?: boolean };

export interface World {
  clock: { now: Instant };
  ledger: InMemoryLedger;
  /** Turns taken, by `groupId buyerTierId`. */
  turns: Map<string, Turn>;
  breakers: BreakersInMemory;
  /** Until when tiers rest, by id. */
  rests: Map<string, Instant>;
  /** Leads under way that called a tier with a breaker, by lead id. */
  watches: Map<string, BreakerWatch>;
  answer: (call: BuyerCall, at: Instant) => ScriptedAnswer;
  check: (check: OutsideCheck) => OutsideVerdict & { delayMs?: number };
  /** Milliseconds each reservation takes. */
  storeMs: number;
}

export interface SimulatedLead {
  decision: Decision;
  effects: Effect[];
  results: EffectResult[];
}

/** A world at `now` where nothing is used yet and every buyer says no, unless told otherwise. */
export function createWorld(now: Instant, parts: Partial<World> = {}): World {
  return {
    clock: { now },
    ledger: createLedger(),
    turns: new Map(),
    breakers: keepBreakers(),
    rests: new Map(),
    watches: new Map(),
    answer: () => ({ outcome: 'rejected' }),
    check: () => ({ outcome: 'passed' }),
    storeMs: 1,
    ...parts,
  };
}

/** Runs one lead to its end, and books its sales and turns. */
export function runLead(plan: Plan, lead: RouteLead, world: World): SimulatedLead {
  const steps = startLead(plan, lead, world);
  const effects: Effect[] = [];
  const results: EffectResult[] = [];
  let step = steps.next();
  while (!step.done) {
    effects.push(step.value);
    const result = carryOut(world, lead.id, step.value);
    results.push(result);
    step = steps.next(result);
  }
  bookDecision(world, lead.id, step.value);
  return { decision: step.value, effects, results };
}

/** The lead's generator, with the world's turns; for shells that run several leads side by side. */
export function startLead(plan: Plan, lead: RouteLead, world: World): ReturnType<typeof route> {
  const turns = lead.turns ?? { find: (groupId: string, buyerTierId: string) => world.turns.get(`${groupId} ${buyerTierId}`) };
  const watch = watchLead((buyerTierId, call) => world.breakers.count(buyerTierId, call, world.clock.now));
  world.watches.set(lead.id, watch);
  const rests = { find: (buyerTierId: string) => world.rests.get(buyerTierId) };
  return route(plan, { ...lead, turns, breakers: world.breakers, rests }, { now: world.clock.now });
}

/** Carries one effect out in memory; the world's clock moves by what it takes. */
export function carryOut(world: World, leadId: string, effect: Effect): EffectResult {
  switch (effect.kind) {
    case 'reserve':
      return reserve(world, leadId, effect);
    case 'release':
      world.ledger.release(leadId, effect);
      return { kind: 'release', now: world.clock.now };
    case 'check':
      return check(world, effect.checks);
    case 'call':
      return call(world, leadId, effect.calls);
  }
}

function reserve(world: World, leadId: string, effect: Extract<Effect, { kind: 'reserve' }>): EffectResult {
  world.clock.now += world.storeMs;
  const result = world.ledger.reserve(leadId, effect, world.clock.now);
  for (const index of result.granted) world.watches.get(leadId)?.granted(effect.reservations[index]!);
  return { kind: 'reserve', now: world.clock.now, ...result };
}

function check(world: World, checks: OutsideCheck[]): EffectResult {
  const verdicts = checks.map((one) => ({ one, said: world.check(one) }));
  world.clock.now += Math.max(0, ...verdicts.map(({ one, said }) => Math.min(said.delayMs ?? 0, one.timeoutMs)));
  return {
    kind: 'check',
    now: world.clock.now,
    verdicts: verdicts.map(({ one, said }) => ((said.delayMs ?? 0) > one.timeoutMs ? { outcome: 'timeout' } : said)),
  };
}

/** All at once: the clock moves by the slowest. */
function call(world: World, leadId: string, calls: BuyerCall[]): EffectResult {
  const startedAt = world.clock.now;
  const scripts = calls.map((one) => world.answer(one, world.clock.now));
  const answers = calls.map((one, index) => answerOf(one, scripts[index]!));
  world.clock.now += Math.max(0, ...answers.map((answer) => answer.elapsedMs));
  for (const [index, { outcome, restsUntil }] of answers.entries()) {
    if (restsUntil !== undefined) world.rests.set(calls[index]!.buyerTierId, restsUntil);
    world.watches.get(leadId)?.callEnded(calls[index]!.buyerTierId, startedAt, outcome === 'error' || outcome === 'timeout');
  }
  const publisherGone = scripts.some((script) => script.publisherGone);
  return { kind: 'call', now: world.clock.now, answers, ...(publisherGone ? { publisherGone } : {}) };
}

function answerOf(call: BuyerCall, script: ScriptedAnswer): Answer {
  const { delayMs = 5, publisherGone: _, ...said } = script;
  const base = { reasons: [], captures: {}, sent: true };
  if (delayMs > call.timeoutMs) return { ...base, outcome: 'timeout', sent: script.sent ?? true, elapsedMs: call.timeoutMs };
  return { ...base, outcome: 'rejected', ...said, elapsedMs: delayMs };
}

/** Settles sales, counts turns and tells what a probe found out, once the lead has ended. */
export function bookDecision(world: World, leadId: string, decision: Decision): void {
  world.ledger.settle(leadId, decision);
  world.watches.get(leadId)?.leadEnded();
  world.watches.delete(leadId);
  for (const { groupId, buyerTierId, leg, startedAt } of decision.attempts) {
    if (leg !== 'post') continue;
    const key = `${groupId} ${buyerTierId}`;
    world.turns.set(key, { lastTurnAt: startedAt, turns: (world.turns.get(key)?.turns ?? 0) + 1 });
  }
}
