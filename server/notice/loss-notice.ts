/** Who is told that it lost: whoever bid well enough, was not posted to, while another bought, and has a loss notice in its endpoint. Not who has the lead by another tier, bought or held. Pure. */
import type { BidOffer, Decision } from '#engine/decision.ts';
import type { Money } from '#engine/plan.ts';
import type { WireEntry } from '#server/lead/live-world.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

export interface LossNotice {
  buyerTierId: string;
  groupId: string;
  /** What it bid; undefined where its price is configured. */
  bid: Money | undefined;
  /** What the winner pays. */
  winning: Money;
  /** What its ping answered, for the notice to refer to. */
  captures: Record<string, string>;
}

/** Another was before it, or its money, its caps or the time that was left had no room. */
const LOST: ReadonlySet<string> = new Set(['outbid', 'cap-reached', 'funds-short', 'deadline', 'group-time-up', 'bid-expired']);

/** `offers`: those of the ping that a post refers to. */
export function noticesOf(
  organization: OrganizationPlan,
  decision: Decision,
  wires: readonly WireEntry[],
  offers: readonly BidOffer[] = [],
): LossNotice[] {
  if (decision.sales.length === 0) return [];
  const winning = Math.max(...decision.sales.map(({ revenue }) => revenue));
  const holders = (decision.heldBuyerTierIds ?? []).flatMap((tierId) => organization.buyerWires.get(tierId)?.buyerId ?? []);
  const winners = new Set([...decision.sales.map(({ buyerId }) => buyerId), ...holders]);
  return decision.verdicts.flatMap(({ buyerTierId, groupId, why }) => {
    const buyer = organization.buyerWires.get(buyerTierId);
    if (!buyer?.wire?.lost || !LOST.has(why.code) || winners.has(buyer.buyerId)) return [];
    const lost = lostBid(decision, buyerTierId, offers);
    if (!lost) return [];
    const captures =
      lost.captures ?? wires.findLast(({ call }) => call.buyerTierId === buyerTierId && call.leg === 'ping')?.answer?.captures;
    return [{ buyerTierId, groupId, bid: lost.bid, winning, captures: captures ?? {} }];
  });
}

/** What it bid last, well enough, where no post followed. */
function lostBid(
  { attempts }: Decision,
  buyerTierId: string,
  offers: readonly BidOffer[],
): { bid?: Money; captures?: LossNotice['captures'] } | undefined {
  const last = attempts.findLast((attempt) => attempt.buyerTierId === buyerTierId);
  if (last) return last.leg === 'ping' && last.outcome === 'notReached' ? last : undefined;
  return offers.find((offer) => offer.buyerTierId === buyerTierId);
}
