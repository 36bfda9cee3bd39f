/** Handing the lead over, and what a buyer's answer to that is worth. */
import { callBuyers, explainDecline, explainError, recordAttempt, type SoundAnswer } from './answer.ts';
import { type Candidate, decideCandidate, quoteFor, type Refusal } from './candidate.ts';
import { addClaims } from './cap.ts';
import { floorOf } from './check.ts';
import { explainNoTime, postTime, type Walk } from './clock.ts';
import type { BuyerTierPlan, PublisherTierPlan } from './compiled.ts';
import type { Explanation, Outcome, Sale } from './decision.ts';
import type { BuyerCall, CapClaim, EffectResult } from './effect.ts';
import { formatMoney } from './money.ts';
import type { BuyerTierConfig, Instant, Money } from './plan.ts';
import { isQuote, type Quote } from './price.ts';
import { payPromotion, promotionFigures } from './promote.ts';
import { type Reserved, reservedAt, reservedFor, subjectOf, takeForCall } from './reserve.ts';
import { lastRefusal, restRefusal } from './rest.ts';
import { type Ask, addStep, ask, explanation, type Run, stopRun } from './run.ts';

/** Posts to a tier whose room is reserved (`held`: there is something to give back). Its verdict stands afterwards. */
export function* postLead(run: Run, walk: Walk, candidate: Candidate, held: boolean): Ask<void> {
  const reserved = reservedFor(run, candidate);
  const isStillCalled = () => timeForPost(run, walk, candidate, restRefusal(run, candidate.tier)) !== undefined;
  const [valid] = yield* takeForCall(run, walk, [candidate], isStillCalled);
  const timeoutMs = valid && timeForPost(run, walk, candidate, lastRefusal(run, candidate.tier));
  if (timeoutMs === undefined) return yield* release(run, candidate, held);
  const { answers, startedAt } = yield* callBuyers(run, [{ candidate, call: postCall(candidate, timeoutMs) }]);
  const answer = answers[0]!;
  if (answer.outcome === 'accepted') return yield* settle(run, candidate, answer, startedAt, reserved);
  const { outcome, why: no, holds } = readRefusal(candidate, answer);
  recordAttempt(run, candidate, 'post', startedAt, answer, outcome, candidate.price);
  decideCandidate(
    run,
    candidate,
    outcome,
    outcome === 'rejected' && !holds ? { reason: 'buyer-tier-response-rejected', why: no } : { why: no },
  );
  if (holds) yield* hold(run, candidate, reserved, answer.price);
  else yield* release(run, candidate, held);
}

/** What the tier bid at ping; absent for a price that is configured. */
function bidOf(candidate: Candidate): Money | undefined {
  return candidate.bid ? candidate.price : undefined;
}

/** Undefined where it is not posted to after all: then it has its verdict. */
function timeForPost(run: Run, walk: Walk, candidate: Candidate, shut: Refusal | undefined): number | undefined {
  const { bid } = candidate;
  const timeoutMs = postTime(run, walk, candidate.tier);
  if (bid && bid.expiresAt <= run.now) {
    decideCandidate(run, candidate, 'rejected', { why: explanation('bid-expired', { expiredAt: bid.expiresAt }) });
    return undefined;
  }
  if (timeoutMs === undefined) decideCandidate(run, candidate, 'notReached', { why: explainNoTime(run, walk) });
  else if (shut) decideCandidate(run, candidate, 'filtered', shut);
  return shut ? undefined : timeoutMs;
}

function postCall(candidate: Candidate, timeoutMs: number): BuyerCall {
  const call: BuyerCall = { buyerTierId: candidate.tier.config.id, leg: 'post', timeoutMs };
  if (candidate.price !== undefined) call.price = candidate.price;
  if (candidate.bid) call.captures = candidate.bid.captures;
  return call;
}

function* release(run: Run, candidate: Candidate, held: boolean): Ask<void> {
  if (held) yield* ask(run, { kind: 'release', subject: subjectOf(candidate), purpose: 'post' });
}

/**
 * The buyer may hold the lead as its own: nobody else is offered it and its reservations stay, raised to the price it named. Where that does
 * not fit it is held all the same, because the buyer has it; settling asks for the room again.
 */
function* hold(run: Run, candidate: Candidate, reserved: Reserved, named?: Money): Ask<void> {
  if (named !== undefined) {
    const refusal = yield* raise(run, candidate, reservedAt(run, candidate, named), reserved);
    if (refusal) {
      addStep(run, explanation('held-over-cap', { named: formatMoney(named) }), candidate.member.groupId, candidate.tier.config.id);
      yield* takeRest(run, candidate, refusal);
    }
  }
  run.held.push(candidate.tier.config.id);
  stopRun(run, explanation('held-before-turn', { buyerTierId: candidate.tier.config.id }));
}

interface PostRefusal {
  outcome: Outcome;
  why: Explanation;
  holds: boolean;
}

/** No answer, or none that tells anything, holds only where the tier says so and the request may have arrived; a pending answer always holds. */
function readRefusal(candidate: Candidate, answer: SoundAnswer): PostRefusal {
  const reasons = answer.reasons.join('; ');
  const { elapsedMs, sent } = answer;
  switch (answer.outcome) {
    case 'pending':
      return { outcome: 'rejected', why: explanation('held-pending', { reasons }), holds: true };
    case 'timeout': {
      const holds = sent && candidate.tier.config.afterTimeout === 'hold';
      const why = holds ? explanation('held-timeout', { elapsedMs }) : explanation('buyer-timeout', { leg: 'post', elapsedMs });
      return { outcome: 'timeouts', why, holds };
    }
    case 'duplicate':
      return { outcome: 'rejected', why: explanation('buyer-duplicate', { leg: 'post', reasons }), holds: false };
    case 'rejected':
      return { outcome: 'rejected', why: explainDecline('post', answer), holds: false };
    case 'error':
    case 'accepted': {
      const holds = sent && answer.unclear === true && candidate.tier.config.afterTimeout === 'hold';
      const why = holds ? explanation('held-unclear', { reasons }) : explainError('post', answer);
      return { outcome: 'terrors', why, holds };
    }
  }
}

/** An accepted lead is sold at the price the rules allow, or held: it is never offered to another buyer. */
function* settle(run: Run, candidate: Candidate, answer: SoundAnswer, startedAt: Instant, reserved: Reserved): Ask<void> {
  const priced = priceOf(run, candidate, answer);
  const affordable = isQuote(priced) ? yield* fitUnderCaps(run, candidate, priced, reserved) : priced;
  const sold = isQuote(affordable);
  recordAttempt(run, candidate, 'post', startedAt, answer, sold ? 'sold' : 'rejected', candidate.price);
  if (sold) return sell(run, candidate, answer, yield* payPromotion(run, candidate, affordable));
  decideCandidate(run, candidate, 'rejected', { why: affordable });
  yield* hold(run, candidate, reserved, isQuote(priced) ? priced.revenue : answer.price);
}

function priceOf(run: Run, candidate: Candidate, answer: SoundAnswer): Quote | Explanation {
  const price = ruledPrice(candidate.tier.config, candidate.price, answer.price);
  return typeof price === 'number' ? quotedAt(run.tier, candidate.tier, candidate, price) : price;
}

/** The price that counts: agreed before, named now, or the tier's minimum, in the light of the post price rule. */
export function ruledPrice(
  { price: terms, postPriceRule }: Pick<BuyerTierConfig, 'price' | 'postPriceRule'>,
  agreed: Money | undefined,
  named: Money | undefined,
): Money | Explanation {
  const minimum = terms.kind === 'bid' ? terms.minimum : undefined;
  // Nothing is no price: many send it who bill what was agreed. Where only that may be billed, the two are in dispute.
  const isNone = named === undefined || (named === 0 && (agreed === undefined || postPriceRule !== 'refuse'));
  if (isNone || named === agreed) return agreed ?? minimum ?? explanation('held-no-price');
  if (agreed === undefined || postPriceRule !== 'refuse') return named;
  // Nothing but the agreed price is taken: a higher one is billed as agreed, a lower one is in dispute.
  if (named > agreed) return agreed;
  return explanation('held-price-refused', { agreed: formatMoney(agreed), named: formatMoney(named) });
}

/** What a sale at that price gives everybody, where floor and margin allow it. */
export function quotedAt(
  seat: PublisherTierPlan,
  tier: BuyerTierPlan,
  known: Pick<Candidate, 'price' | 'bid'>,
  revenue: Money,
): Quote | Explanation {
  const result = quoteFor(seat, known, revenue);
  const floor = floorOf(tier, seat.campaign);
  if (isQuote(result) && revenue >= floor) return result;
  return explanation('held-price-too-low', {
    named: formatMoney(revenue),
    floor: formatMoney(floor),
    ...(isQuote(result) ? {} : result.params),
  });
}

/** A price above what is reserved needs more room; without it the sale counts at the reserved price, never over a cap. */
function* fitUnderCaps(run: Run, candidate: Candidate, priced: Quote, reserved: Reserved): Ask<Quote | Explanation> {
  return (yield* raise(run, candidate, priced, reserved)) ? heldToCap(run, candidate, priced, reserved.revenue) : priced;
}

type NoRoom = (EffectResult & { kind: 'reserve' }) | 'unanswered';

/** Takes what a price is above what is reserved; what was answered where that does not fit. */
function* raise(run: Run, candidate: Candidate, priced: Reserved, reserved: Reserved): Ask<NoRoom | undefined> {
  const claims: CapClaim[] = [];
  const more = { revenue: Math.max(0, priced.revenue - reserved.revenue), payout: Math.max(0, priced.payout - reserved.payout) };
  if (more.revenue > 0) addClaims(claims, [...candidate.tier.caps, ...candidate.tier.buyerCaps], { money: more.revenue }, run.now);
  if (more.payout > 0) addClaims(claims, run.tier.caps, { money: more.payout }, run.now);
  return claims.length === 0 ? undefined : yield* askForRise(run, candidate, claims);
}

function* askForRise(run: Run, candidate: Candidate, claims: CapClaim[]): Ask<NoRoom | undefined> {
  const result = yield* ask(run, {
    kind: 'reserve',
    mode: 'first',
    reservations: [{ subject: subjectOf(candidate), purpose: 'raise', claims }],
  });
  return result?.granted?.includes(0) ? undefined : (result ?? 'unanswered');
}

/** What is left of the buyer's cap or balance that has no room for a held lead is kept for it: else one lead after the other would be sent, and held, for a price that cannot be paid. */
function* takeRest(run: Run, candidate: Candidate, noRoom: NoRoom): Ask<void> {
  const refusal = noRoom === 'unanswered' ? undefined : noRoom.refused?.[0]?.refusal;
  // The publisher tier's own is there for other buyers too.
  if (refusal?.by !== 'cap' || refusal.claim.measure !== 'money' || refusal.claim.scopeId === run.tier.config.id) return;
  const left = refusal.claim.limit - refusal.used;
  if (left > 0) yield* askForRise(run, candidate, [{ ...refusal.claim, amount: left }]);
}

function heldToCap(run: Run, candidate: Candidate, priced: Quote, revenue: Money): Quote | Explanation {
  const lower = revenue > 0 ? quotedAt(run.tier, candidate.tier, candidate, revenue) : undefined;
  const params = { named: formatMoney(priced.revenue), taken: formatMoney(revenue) };
  if (!lower || !isQuote(lower)) return explanation('held-price-over-cap', params);
  addStep(run, explanation('price-held-to-cap', params), candidate.member.groupId, candidate.tier.config.id);
  return lower;
}

function sell(run: Run, candidate: Candidate, answer: SoundAnswer, { revenue, payout, margin, promotion }: Quote): void {
  const { config } = candidate.tier;
  const agreed = candidate.price;
  const named = answer.price === 0 && config.postPriceRule === 'take' ? undefined : answer.price;
  const postPriceDiffers = named !== undefined && named !== (agreed ?? named);
  const sale: Sale = { buyerTierId: config.id, buyerId: config.buyerId, revenue, payout, margin, postPriceDiffers };
  if (promotion) sale.promotion = promotion;
  const bid = bidOf(candidate);
  if (bid !== undefined) sale.bid = bid;
  if (answer.redirectUrl !== undefined) sale.redirectUrl = answer.redirectUrl;
  const buyerRef = answer.captures.buyerRef ?? answer.captures.leadId;
  if (buyerRef !== undefined) sale.buyerRef = buyerRef;
  run.sales.push(sale);
  run.boughtBy.add(config.buyerId);
  const flagged = postPriceDiffers && config.postPriceRule === 'takeAndFlag';
  const figures = {
    revenue: formatMoney(revenue),
    payout: formatMoney(payout),
    margin: formatMoney(margin),
    flagged,
    ...promotionFigures(promotion),
  };
  decideCandidate(run, candidate, 'sold', { why: explanation('bought', figures) });
  if (run.sales.length >= run.campaign.config.maxSales) stopRun(run, explanation('sold-before-turn', { sales: run.sales.length }));
}
