/** A member that passed the static checks, with what is known of its price. */
import type { BuyerTierPlan, Member, PublisherTierPlan } from './compiled.ts';
import type { BidOffer, Explanation, FilterReasonKey, Outcome, PromotionShare, Reason } from './decision.ts';
import type { Instant, Margin, Money } from './plan.ts';
import { isQuote, type Quote, quote, quotePayout, raiseOf, withPromotion } from './price.ts';
import { decide, type Run } from './run.ts';

export interface Bid {
  /** What the publisher was promised for it, where it was offered at its ping. */
  promised?: Money;
  /** What of that a promotion adds. */
  promotion?: PromotionShare;
  captures: Record<string, string>;
  expiresAt: Instant;
}

export interface Candidate {
  readonly member: Member;
  readonly tier: BuyerTierPlan;
  /** Known price or bid; absent where the buyer names it in its answer. */
  readonly price?: Money;
  /** Present where a bid stands: the tier is posted without another ping. */
  readonly bid?: Bid;
}

export function candidateOf(run: Run, member: Member): Candidate {
  const { tier } = member;
  const offer = run.lead.offers?.find((candidate) => candidate.buyerTierId === tier.config.id && candidate.expiresAt > run.now);
  if (offer) return { member, tier, price: offer.bid, bid: promisedBid(offer) };
  return tier.config.price.kind === 'fixed' ? { member, tier, price: tier.config.price.price } : { member, tier };
}

function promisedBid({ payout, promotion, captures, expiresAt }: BidOffer): Bid {
  return { promised: payout, captures, expiresAt, ...(promotion && { promotion }) };
}

/** What a sale to it at `revenue` gives everybody; what was promised at ping is paid for the price it was promised for. */
export function quoteFor(seat: PublisherTierPlan, { price, bid }: Pick<Candidate, 'price' | 'bid'>, revenue: Money): Quote | Explanation {
  const { priceModel } = seat.config;
  const { margin } = seat.campaign.config;
  if (bid?.promised === undefined || revenue !== price) return quoteAnew(quote(priceModel, margin, revenue), margin, bid?.promotion);
  return quotePayout(margin, revenue, bid.promised, bid.promotion);
}

/** The buyer pays another price than it bid: of a promised promotion as much is paid as the margin has room for. */
function quoteAnew(base: Quote | Explanation, margin: Margin, promised: PromotionShare | undefined): Quote | Explanation {
  if (!promised || !isQuote(base)) return base;
  const { extra } = raiseOf({ raise: { kind: 'fixed', amount: promised.extra }, belowMargin: promised.belowMargin }, margin, base);
  return withPromotion(base, { ...promised, extra });
}

/** An offer of the lead's ping that still stood when its group began; a tier that bid anew since has none. */
export function isPromised({ bid }: Candidate): boolean {
  return bid?.promised !== undefined;
}

export function needsPing(candidate: Candidate): boolean {
  return candidate.tier.config.delivery === 'pingPost' && candidate.bid === undefined;
}

export interface Refusal {
  filterReasonKey?: FilterReasonKey;
  reason?: Reason;
  why: Explanation;
}

export function decideCandidate(run: Run, candidate: Candidate, outcome: Outcome, refusal: Refusal): undefined {
  decide(run, { buyerTierId: candidate.tier.config.id, groupId: candidate.member.groupId, outcome, ...refusal });
}
