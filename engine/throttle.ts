/**
 * The throttle of a buyer tier: while its calls are too slow or fail too often it gets only a share of its leads, each by its own draw.
 * The rest of them goes on without waiting for it, and the share shows when it is well again. Pure: counts and the time come in.
 */
import type { Candidate, Refusal } from './candidate.ts';
import type { BuyerTierPlan } from './compiled.ts';
import { DRAWS, drawOf } from './draw.ts';
import type { Instant, ThrottleConfig } from './plan.ts';
import { explanation, type Run } from './run.ts';

/** What of its calls was counted within its look-back. */
export interface ThrottleTally {
  calls: number;
  failures: number;
  /** Took longer than the tier's throttle allows, however they ended. */
  slow: number;
}

/** A tier that gets its share only, with what began it. */
export interface Throttled extends ThrottleTally {
  since: Instant;
  lookBackMinutes: number;
}

/** Tiers that are throttled, as they are at the moment of asking. */
export interface Throttles {
  find(buyerTierId: string): Throttled | undefined;
}

export const isSlow = (config: ThrottleConfig, elapsedMs: number): boolean => config.slow !== undefined && elapsedMs > config.slow.afterMs;

export function isUnwell({ failurePercent, slow }: ThrottleConfig, tally: ThrottleTally): boolean {
  const reaches = (count: number, percent: number | undefined) => percent !== undefined && count * 100 >= percent * tally.calls;
  return tally.calls > 0 && (reaches(tally.failures, failurePercent) || reaches(tally.slow, slow?.percent));
}

/**
 * Calls have just ended; `tally` is of the whole look-back, them included. Returns `before` itself where nothing changes. A tier that gets
 * a share of its leads has made a share of its calls, and fewer of them say that it is well.
 */
export function nextThrottled(
  config: ThrottleConfig,
  before: Throttled | undefined,
  tally: ThrottleTally,
  now: Instant,
): Throttled | undefined {
  const enough = before ? Math.ceil((config.minimumCalls * config.sharePercent) / 100) : config.minimumCalls;
  if (tally.calls < enough) return before;
  if (!isUnwell(config, tally)) return undefined;
  return before ?? { since: now, ...tally, lookBackMinutes: config.lookBackMinutes };
}

/** Why this lead is not one of the share. A bid that stands was drawn for when it was asked. */
export function throttleRefusal(run: Run, { tier, bid }: Candidate): Refusal | undefined {
  const share = bid ? undefined : shareOf(run, tier);
  if (!share || isDrawn(share.throttle, run.lead.id, tier.config.id)) return undefined;
  return { filterReasonKey: 12, why: explanation('throttled', share.params) };
}

/** That the tier gets a share only at the moment, of which a lead may be one or not; undefined where it gets all. */
export function throttleNote(run: Run, tier: BuyerTierPlan): Refusal | undefined {
  const share = shareOf(run, tier);
  return share && { filterReasonKey: 12, why: explanation('throttled-share', share.params) };
}

function shareOf(run: Run, { config: { throttle, id } }: BuyerTierPlan) {
  const throttled = throttle && run.lead.throttles?.find(id);
  if (!throttle || !throttled) return undefined;
  const { since, calls, failures, slow, lookBackMinutes } = throttled;
  const { sharePercent } = throttle;
  return { throttle, params: { sharePercent, since, calls, failures, slow, slowMs: throttle.slow?.afterMs ?? null, lookBackMinutes } };
}

export const isDrawn = ({ sharePercent }: ThrottleConfig, leadId: string, tierId: string): boolean =>
  drawOf(leadId, tierId) < (sharePercent * DRAWS) / 100;
