/** Who is told that it lost: whoever bid well enough, was not posted to because another bought, and has a loss notice in its endpoint. Pure. */
import type { BidOffer, Decision } from '#engine/decision.ts';
import { parseMoney } from '#engine/money.ts';
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

/** `offers`: those of the ping that a post refers to. */
export function noticesOf(
  organization: OrganizationPlan,
  decision: Decision,
  wires: readonly WireEntry[],
  offers: readonly BidOffer[] = [],
): LossNotice[] {
  if (decision.sales.length === 0) return [];
  return decision.verdicts.flatMap(({ buyerTierId, groupId, why }) => {
    if (why.code !== 'outbid' || !organization.buyerWires.get(buyerTierId)?.wire?.lost) return [];
    const answer = wires.findLast(({ call }) => call.buyerTierId === buyerTierId && call.leg === 'ping')?.answer;
    const captures = answer?.captures ?? offers.find((one) => one.buyerTierId === buyerTierId)?.captures ?? {};
    return [{ buyerTierId, groupId, bid: amountOf(why.params.bid), winning: amountOf(why.params.winning) ?? 0, captures }];
  });
}

const amountOf = (text: unknown): Money | undefined => (typeof text === 'string' ? parseMoney(text) : undefined);
