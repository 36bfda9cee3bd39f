/** The end of a lead that failed for a reason of ours: on record with all that was sent, answered, and what a buyer may hold stays reserved. */
import type { AttemptRecord, Decision, Outcome } from '#engine/decision.ts';
import type { Answer } from '#engine/effect.ts';
import type { RouteLead } from '#engine/lead.ts';
import { takeVariant } from '#engine/split.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { LeadWorld, WireEntry } from './live-world.ts';
import { NOWHERE } from './new-lead.ts';
import { groupOfTier } from './variant.ts';

/** What its engine knew is gone with it; what was sent, at which price, and by which variant it went is known still, for whoever settles it. */
export function failedDecision(organization: OrganizationPlan, lead: RouteLead, world: Pick<LeadWorld, 'wires' | 'inDoubt'>): Decision {
  const seat = organization.plan.publisherTiers.get(lead.publisherTierId);
  const { variant, split } = seat ? takeVariant(seat, lead) : {};
  const groupOf = groupOfTier(organization, lead.publisherTierId, lead);
  return {
    status: 'error',
    reason: 'interrupted',
    why: { code: 'interrupted', params: {} },
    errors: [],
    sales: [],
    offers: [],
    attempts: world.wires.map((wire, index) => attemptOf(wire, index, groupOf(wire.call.buyerTierId) ?? NOWHERE)),
    verdicts: [],
    steps: [],
    heldBuyerTierIds: world.inDoubt(),
    ...(variant && split && { variant: { testId: split.testId, variantId: variant.variantId } }),
  };
}

function attemptOf({ call, startedAt, answer }: WireEntry, index: number, groupId: string): AttemptRecord {
  const { buyerTierId, leg, price: agreed } = call;
  const bid = leg === 'post' ? agreed : answer?.price;
  return {
    ...{ buyerTierId, groupId, leg, startedAt, index },
    elapsedMs: answer?.elapsedMs ?? 0,
    answer: answer?.outcome ?? 'error',
    outcome: outcomeOf(leg, answer, (answer?.price ?? agreed ?? 0) > 0),
    reasons: answer?.reasons ?? [],
    ...(bid !== undefined && { bid }),
    ...(leg === 'post' && answer?.price !== undefined && { price: answer.price }),
  };
}

/** A post that was taken has come to nothing yet; a ping that was taken is a bid where it has a price. */
function outcomeOf(leg: 'ping' | 'post', answer: Answer | undefined, isPriced: boolean): Outcome {
  switch (answer?.outcome) {
    case 'accepted':
      if (leg === 'post') return 'terrors';
      return isPriced ? 'notReached' : 'rejected';
    case 'rejected':
    case 'duplicate':
    case 'pending':
      return 'rejected';
    case 'timeout':
      return 'timeouts';
    default:
      return 'terrors';
  }
}
