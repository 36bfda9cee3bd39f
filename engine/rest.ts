/**
 * A buyer that takes no more for now says so (429) and when to come back: its tier rests until then. That is a limit and not a fault:
 * the breaker counts it as an answer. Pure: the rests and the time come in.
 */
import { breakerRefusal, callRefusal } from './breaker.ts';
import type { Refusal } from './candidate.ts';
import type { BuyerTierPlan } from './compiled.ts';
import type { Instant } from './plan.ts';
import { explanation, type Run } from './run.ts';

/** A rest that would last longer is believed for so long. */
export const LONGEST_REST_MS = 86_400_000;

/** Until when a tier rests, as it is at the moment of asking; undefined for one that never was asked to. */
export interface Rests {
  find(buyerTierId: string): Instant | undefined;
}

/** Why nothing may be sent to the tier for now, whatever the lead is. */
export function shutRefusal(run: Run, tier: BuyerTierPlan): Refusal | undefined {
  return restRefusal(run, tier) ?? breakerRefusal(run, tier);
}

/** The last word before a call: the buyer may have asked for a rest, or its breaker opened, since the tier was chosen. */
export function lastRefusal(run: Run, tier: BuyerTierPlan): Refusal | undefined {
  return restRefusal(run, tier) ?? callRefusal(run, tier);
}

export function restRefusal(run: Run, tier: BuyerTierPlan): Refusal | undefined {
  const until = run.lead.rests?.find(tier.config.id);
  if (until === undefined || run.now >= until) return undefined;
  return { filterReasonKey: 11, why: explanation('buyer-resting', { until }) };
}
