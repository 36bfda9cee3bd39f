/**
 * The breaker of a buyer tier (engine.md "Breaker"): when too many calls fail it opens, and nothing is sent for a while. Then it is
 * half-open: one lead at a time is let through as a probe, whose answer closes it or opens it again. Pure: counts and the time come in.
 */
import type { Refusal } from './candidate.ts';
import type { BuyerTierPlan } from './compiled.ts';
import type { CapClaim } from './effect.ts';
import type { BreakerConfig, Instant } from './plan.ts';
import { ANSWER_RESERVE_MS, explanation, type Run } from './run.ts';

/** A breaker that is not closed: open until `openUntil`, half-open from then on. */
export interface OpenBreaker {
  /** When the pause began that runs, or ran out last; it names the probe that follows. */
  openedAt: Instant;
  openUntil: Instant;
  /** When it opened first since it was last closed. */
  since: Instant;
  /** What opened it: so many calls within so many minutes, and so many of them failed. */
  calls: number;
  failures: number;
  lookBackMinutes: number;
  /** Probes that failed since. */
  failedProbes: number;
}

/** Breakers that are not closed, as they are at the moment of asking. */
export interface Breakers {
  find(buyerTierId: string): OpenBreaker | undefined;
}

/** Calls that were begun before `countedFrom` do not count: the count began anew there. */
export interface BreakerState {
  open: OpenBreaker | undefined;
  countedFrom: Instant;
}

export interface Tally {
  calls: number;
  failures: number;
}

/** A call that is over. `probe`: it was made as the probe of the pause that began then. */
export interface CountedCall {
  startedAt: Instant;
  failed: boolean;
  elapsedMs: number;
  probe?: Instant;
}

const MINUTE_MS = 60_000;
/** A probe's place is taken in slices of time, so that the place of one that was lost in a crash frees itself. */
const SLICE_MS = 15_000;

/** Those of `calls` that count while the breaker is closed; an open one counts nothing, and waits for its probe. */
export const countedOf = (state: BreakerState, calls: readonly CountedCall[]): CountedCall[] =>
  state.open ? [] : calls.filter((call) => call.startedAt >= state.countedFrom);

export function tallyOf(state: BreakerState, calls: readonly CountedCall[]): Tally {
  const counted = countedOf(state, calls);
  return { calls: counted.length, failures: counted.filter((call) => call.failed).length };
}

/** `calls` have just ended; `tally` is of the whole look-back, them included. Returns `state` itself where nothing changes. */
export function nextState(
  config: BreakerConfig,
  state: BreakerState,
  calls: readonly CountedCall[],
  tally: Tally,
  now: Instant,
): BreakerState {
  const { open } = state;
  if (!open) return shouldOpen(config, tally) ? { ...state, open: openBreaker(config, tally, now) } : state;
  const answers = calls.filter((call) => call.probe === open.openedAt);
  if (answers.length === 0) return state;
  if (answers.every((call) => !call.failed)) return { open: undefined, countedFrom: now };
  return { ...state, open: { ...open, ...pauseFrom(config, now), failedProbes: open.failedProbes + 1 } };
}

export function shouldOpen(config: BreakerConfig, { calls, failures }: Tally): boolean {
  return calls >= config.minimumCalls && failures * 100 >= config.failurePercent * calls;
}

function openBreaker(config: BreakerConfig, tally: Tally, now: Instant): OpenBreaker {
  return { ...pauseFrom(config, now), since: now, ...tally, lookBackMinutes: config.lookBackMinutes, failedProbes: 0 };
}

function pauseFrom(config: BreakerConfig, now: Instant): Pick<OpenBreaker, 'openedAt' | 'openUntil'> {
  return { openedAt: now, openUntil: now + config.pauseMinutes * MINUTE_MS };
}

/** The first minute of a look-back that ends at `now`. Minutes count as a whole, so that it never reaches back less than it says. */
export function lookBackFrom(config: Pick<BreakerConfig, 'lookBackMinutes'>, now: Instant): Instant {
  return minuteOf(now) - config.lookBackMinutes * MINUTE_MS;
}

export function minuteOf(instant: Instant): Instant {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

/** Why the tier is not offered this lead; a half-open one is: whether its probe is free is for the reservation to say. */
export function breakerRefusal(run: Run, tier: BuyerTierPlan): Refusal | undefined {
  const breaker = breakerOf(run, tier);
  if (!breaker || run.now >= breaker.openUntil || isProbing(run, tier, breaker)) return undefined;
  const { openUntil, since, calls, failures, lookBackMinutes, failedProbes } = breaker;
  const why = explanation('breaker-open', { openUntil, since, calls, failures, lookBackMinutes, failedProbes });
  return { filterReasonKey: 9, why };
}

/** The last word before a call: the breaker may have opened since the tier was chosen, and only the probe itself passes one that has. */
export function callRefusal(run: Run, tier: BuyerTierPlan): Refusal | undefined {
  const breaker = breakerOf(run, tier);
  if (!breaker || isProbing(run, tier, breaker)) return undefined;
  return breakerRefusal(run, tier) ?? { filterReasonKey: 9, why: explanation('breaker-probing', { openedAt: breaker.openedAt }) };
}

/**
 * What a lead takes from a half-open tier right before it calls it: the place of its one probe, for as long as the lead may live. So a second probe can only
 * begin when the first is certainly over, and one whose node died stands in nobody's way for longer than that. The claims count as
 * sent: what the probe found out decides on the breaker, and is not given back. `amount` 0 asks whether the place is free.
 */
export function probeClaims(run: Run, tier: BuyerTierPlan, amount: number): CapClaim[] {
  const breaker = breakerOf(run, tier);
  if (!breaker || run.now < breaker.openUntil || isProbing(run, tier, breaker)) return [];
  const { openedAt, openUntil } = breaker;
  const scopeId = tier.config.id;
  const name = `${scopeId}:sent:probe:${new Date(openedAt).toISOString()}`;
  const first = Math.floor((run.now - openUntil) / SLICE_MS);
  const last = Math.max(first, Math.floor((run.endsAt + ANSWER_RESERVE_MS - openUntil) / SLICE_MS));
  return Array.from({ length: last - first + 1 }, (_, at) => ({
    counter: `${name}:${first + at}`,
    scopeId,
    measure: 'sent',
    period: 'probe',
    windowStartAt: openedAt,
    resetsAt: openUntil + (first + at + 1) * SLICE_MS,
    limit: 1,
    amount,
  }));
}

/** The pause whose probe these claims take, or undefined. */
export function probeOf(claims: readonly CapClaim[]): Instant | undefined {
  return claims.find((claim) => claim.period === 'probe' && claim.amount > 0)?.windowStartAt ?? undefined;
}

/** Without a setting there is nothing to look up. */
function breakerOf(run: Run, tier: BuyerTierPlan): OpenBreaker | undefined {
  return tier.config.breaker && run.lead.breakers?.find(tier.config.id);
}

function isProbing(run: Run, tier: BuyerTierPlan, breaker: OpenBreaker): boolean {
  return run.probes.get(tier.config.id) === breaker.openedAt;
}
