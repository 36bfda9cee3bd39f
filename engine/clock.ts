/** How much time a call gets: the least of publisher, campaign, group and tier, and never too little to be of use. */
import type { BuyerTierPlan, GroupPlan } from './compiled.ts';
import type { Explanation } from './decision.ts';
import type { Instant } from './plan.ts';
import { explanation, MINIMUM_CALL_MS, type Run } from './run.ts';

/** A group being walked. */
export interface Walk {
  readonly group: GroupPlan;
  /** When the group's own time is up; in an auction that is the time for bids. */
  readonly endsAt: Instant;
}

/** Of what is left for the lead, a ping leaves a third to the post that has to follow. */
const PING_SHARE = 2 / 3;

export function startWalk(run: Run, group: GroupPlan): Walk {
  return { group, endsAt: run.now + (group.config.timeLimitMs ?? Number.POSITIVE_INFINITY) };
}

/** Milliseconds for a post, undefined when a call is not worth starting any more. */
export function postTime(run: Run, walk: Walk, tier: BuyerTierPlan): number | undefined {
  const groupLeft = walk.group.config.mode === 'auction' ? Number.POSITIVE_INFINITY : walk.endsAt - run.now;
  return callTime(Math.min(run.endsAt - run.now, groupLeft), tier);
}

export function pingTime(run: Run, walk: Walk, tier: BuyerTierPlan): number | undefined {
  const leadLeft = run.endsAt - run.now;
  return callTime(Math.min(run.lead.mode === 'ping' ? leadLeft : leadLeft * PING_SHARE, walk.endsAt - run.now), tier);
}

function callTime(leftMs: number, tier: BuyerTierPlan): number | undefined {
  return leftMs < MINIMUM_CALL_MS ? undefined : Math.floor(Math.min(leftMs, tier.config.timeLimitMs));
}

/** Which clock ran out. */
export function explainNoTime(run: Run, walk: Walk): Explanation {
  const leadLeft = run.endsAt - run.now;
  if (walk.endsAt - run.now < leadLeft && walk.endsAt - run.now < MINIMUM_CALL_MS) {
    return explanation('group-time-up', { group: walk.group.config.name, limitMs: walk.group.config.timeLimitMs ?? null });
  }
  return explanation('deadline', { leftMs: Math.max(0, Math.floor(leadLeft)), neededMs: MINIMUM_CALL_MS });
}
