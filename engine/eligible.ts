/** The eligibility checker: which buyer tiers could take this lead now, and why not. Reserves and sends nothing. */

import { admitReservation } from './admit.ts';
import { bare } from './bare.ts';
import { type Candidate, candidateOf } from './candidate.ts';
import { buyerTierRefusal, publisherTierRefusal } from './check.ts';
import type { CampaignPlan, Plan } from './compiled.ts';
import type { Explanation, FilterReasonKey } from './decision.ts';
import type { Reservation } from './effect.ts';
import type { RouteLead } from './lead.ts';
import type { Instant } from './plan.ts';
import { roomReservation } from './reserve.ts';
import { shutRefusal } from './rest.ts';
import { explanation, type Run, startRun } from './run.ts';
import { takeVariant } from './split.ts';
import { throttleNote } from './throttle.ts';

export interface Eligibility {
  /** Why the publisher tier would not take the lead; absent where it would, caps and duplicates aside. */
  refusal?: Explanation;
  /** Asks only for room, takes nothing: the shell reads it against its counters with the mode 'each'. */
  room?: Reservation;
  tiers: TierEligibility[];
}

export interface TierEligibility {
  buyerTierId: string;
  groupId: string;
  eligible: boolean;
  /** Of one that is eligible: what may keep it from a lead all the same. */
  filterReasonKey?: FilterReasonKey;
  why?: Explanation;
  room?: Reservation;
}

/** `lead.fields` must be normalised. Caps and duplicates are in `room`, for the shell to ask and explainRefusal to word. */
export function eligible(plan: Plan, lead: RouteLead, now: Instant): Eligibility {
  const seat = plan.publisherTiers.get(lead.publisherTierId);
  if (!seat) {
    const why = plan.brokenPublisherTiers.get(lead.publisherTierId);
    return { refusal: why ?? explanation('publisher-tier-unknown', { publisherTierId: lead.publisherTierId }), tiers: [] };
  }
  const { tier } = takeVariant(seat, lead);
  // A ping only looks, and that is all an eligibility check may do.
  const run = startRun({ ...lead, mode: 'ping' }, bare(lead.fields ?? {}), { tier, promotions: plan.promotions }, now);
  const refusal = publisherTierRefusal(tier, run.fields, now, lead.facts);
  return { ...(refusal ? { refusal: refusal.why } : {}), room: admitReservation(run), tiers: listTiers(run, tier.campaign) };
}

function listTiers(run: Run, campaign: CampaignPlan): TierEligibility[] {
  const seated = campaign.groups.flatMap(({ members }) => members.map((member) => checkTier(run, candidateOf(run, member))));
  const leftOut = campaign.leftOut.map(({ buyerTierId, groupId, why }) => ({ buyerTierId, groupId, eligible: false, why }));
  return [...seated, ...leftOut];
}

function checkTier(run: Run, candidate: Candidate): TierEligibility {
  const place = { buyerTierId: candidate.tier.config.id, groupId: candidate.member.groupId };
  const refusal =
    buyerTierRefusal(candidate.tier, run.tier, run.fields, run.now, candidate, run.lead.facts) ?? shutRefusal(run, candidate.tier);
  // Whether a lead is one of a share is drawn for that lead.
  if (!refusal) return { ...place, eligible: true, ...throttleNote(run, candidate.tier), room: roomReservation(run, candidate) };
  const { filterReasonKey, why } = refusal;
  return { ...place, eligible: false, why, ...(filterReasonKey ? { filterReasonKey } : {}) };
}
