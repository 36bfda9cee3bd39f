/**
 * Stored leads once more through a tree, each at its own time, in a world held in memory: caps, duplicates, hours, breakers and turns are as they come
 * to be in it. Buyers answer what they answered that very lead; what they were never asked is answered by a stated rule, the same at every replay.
 */
import { keepBreakers } from './breaker-memory.ts';
import type { Plan } from './compiled.ts';
import type { Decision } from './decision.ts';
import type { AnswerOutcome, BuyerCall, OutsideCheck, OutsideVerdict, Refusal, Reservation } from './effect.ts';
import type { LeadFacts } from './facts.ts';
import { createLedger, type InMemoryLedger } from './ledger.ts';
import type { Instant, Money } from './plan.ts';
import { bookDecision, carryOut, createWorld, type ScriptedAnswer, startLead } from './simulate.ts';

export interface RecordedCall {
  buyerTierId: string;
  leg: 'ping' | 'post';
  outcome: AnswerOutcome;
  /** The bid at ping, the price at post; absent where the buyer named none. */
  price?: Money;
  elapsedMs: number;
  unclear?: boolean;
}

export interface RecordedCheck {
  /** The publisher tier or buyer tier that asked. */
  subjectId: string;
  outcome: OutsideVerdict['outcome'];
  elapsedMs: number;
}

export interface StoredLead {
  id: string;
  publisherTierId: string;
  at: Instant;
  /** Normalised. */
  fields: Readonly<Record<string, string>>;
  facts?: LeadFacts;
  calls: readonly RecordedCall[];
  checks: readonly RecordedCheck[];
  /** The lead of before the span that it was refused as a duplicate of. */
  earlier?: { leadId: string; claimedAt: Instant };
}

/** How a buyer tier answered one leg over the span. */
export interface Habit {
  calls: number;
  accepted: number;
  /** Of what it accepted with a price. */
  meanPrice?: Money;
  meanMs: number;
}

/** habit: as often as the tier accepts, at its mean price, drawn by lead and tier. A tier without calls in the span rejects, as all do by `rejects`. */
export type UnrecordedRule = 'habit' | 'rejects';

export interface ReplayRules {
  /** By habitKey. */
  habits: ReadonlyMap<string, Habit>;
  unrecorded: UnrecordedRule;
  /** How far caps were used when the span began, by counter; none: not at all. */
  begun?: ReadonlyMap<string, number>;
  /** Tiers with another fixed price than they had: the price that an answer on record names is the old one. */
  repriced?: ReadonlySet<string>;
}

/** Where answers came from; `unknown`: a tier without a single call in the span was asked. */
export interface AnswerSources {
  recorded: number;
  drawn: number;
  unknown: number;
}

export interface Replay {
  /** Leads must come in order of time. */
  take(lead: StoredLead): Decision;
  sources: AnswerSources;
  /** Buyer tiers behind `unknown`. */
  neverAsked: ReadonlySet<string>;
}

/** Longer than any campaign's own time limit, which is what then counts: how long a publisher would have waited is not stored. */
const PATIENCE_MS = 300_000;

export const habitKey = (buyerTierId: string, leg: 'ping' | 'post'): string => `${buyerTierId} ${leg}`;

export function openReplay(plan: Plan, rules: ReplayRules): Replay {
  const sources: AnswerSources = { recorded: 0, drawn: 0, unknown: 0 };
  const neverAsked = new Set<string>();
  let lead: StoredLead;
  const world = createWorld(0, {
    ledger: knowingEarlier(() => lead, rules.begun),
    breakers: keepBreakers(plan),
    storeMs: 0,
    answer: (call) => answerOf(lead, call, rules, { sources, neverAsked }),
    check: (check) => checkOf(lead, check),
  });
  return {
    sources,
    neverAsked,
    take(next) {
      lead = next;
      world.clock.now = next.at;
      const { id, publisherTierId, fields, facts, at } = next;
      const asked = { id, publisherTierId, fields, mode: 'full' as const, test: false, deadlineAt: at + PATIENCE_MS };
      const steps = startLead(plan, facts ? { ...asked, facts } : asked, world);
      let step = steps.next();
      while (!step.done) step = steps.next(carryOut(world, id, step.value));
      bookDecision(world, id, step.value);
      return step.value;
    },
  };
}

/** A ledger that knows of no lead before the span, but for what is on record of each: that it came before. */
function knowingEarlier(current: () => StoredLead, begun: ReadonlyMap<string, number> | undefined): InMemoryLedger {
  const ledger = createLedger(begun);
  return {
    ...ledger,
    reserve(leadId, effect, now) {
      const refusal = effect.reservations.length === 1 ? earlierRefusal(current(), effect.reservations[0]!) : undefined;
      return refusal ? { granted: [], refused: [{ index: 0, refusal }] } : ledger.reserve(leadId, effect, now);
    },
  };
}

function earlierRefusal({ earlier }: StoredLead, { purpose, duplicate }: Reservation): Refusal | undefined {
  if (!earlier || purpose !== 'admit' || !duplicate || earlier.claimedAt < duplicate.since) return undefined;
  return { by: 'duplicate', earlierLeadId: earlier.leadId, claimedAt: earlier.claimedAt };
}

function answerOf(
  lead: StoredLead,
  call: BuyerCall,
  rules: ReplayRules,
  { sources, neverAsked }: { sources: AnswerSources; neverAsked: Set<string> },
): ScriptedAnswer {
  const recorded = lead.calls.find((one) => one.buyerTierId === call.buyerTierId && one.leg === call.leg);
  if (recorded) {
    sources.recorded += 1;
    return withoutOldPrice(sayRecorded(recorded), call, rules);
  }
  const habit = rules.habits.get(habitKey(call.buyerTierId, call.leg));
  if (habit) sources.drawn += 1;
  else {
    sources.unknown += 1;
    neverAsked.add(call.buyerTierId);
  }
  return rules.unrecorded === 'habit' && habit ? withoutOldPrice(draw(lead, call, habit), call, rules) : { outcome: 'rejected' };
}

function withoutOldPrice(said: ScriptedAnswer, { buyerTierId }: BuyerCall, { repriced }: ReplayRules): ScriptedAnswer {
  if (!repriced?.has(buyerTierId)) return said;
  const { price: _, ...rest } = said;
  return rest;
}

function sayRecorded({ outcome, price, elapsedMs, unclear }: RecordedCall): ScriptedAnswer {
  // What timed out then took at least as long as it was given, whatever it is given now.
  const said: ScriptedAnswer = { outcome, delayMs: outcome === 'timeout' ? Number.POSITIVE_INFINITY : elapsedMs };
  if (price !== undefined) said.price = price;
  if (unclear) said.unclear = true;
  return said;
}

function draw(lead: StoredLead, call: BuyerCall, { calls, accepted, meanPrice, meanMs }: Habit): ScriptedAnswer {
  const isYes = fractionOf(`${lead.id} ${call.buyerTierId} ${call.leg}`) * calls < accepted;
  if (!isYes) return { outcome: 'rejected', delayMs: meanMs };
  return meanPrice === undefined ? { outcome: 'accepted', delayMs: meanMs } : { outcome: 'accepted', price: meanPrice, delayMs: meanMs };
}

/** A service that was not asked then lets the lead pass. */
function checkOf(lead: StoredLead, { subject }: OutsideCheck): OutsideVerdict & { delayMs?: number } {
  const recorded = lead.checks.find((one) => one.subjectId === subject.id);
  return recorded ? { outcome: recorded.outcome, delayMs: recorded.elapsedMs } : { outcome: 'passed' };
}

/** [0, 1), the same for the same text: FNV-1a with the last mixing of MurmurHash3, so that texts that differ in one letter fall far apart. */
export function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
