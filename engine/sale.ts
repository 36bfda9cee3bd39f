/** Handing the lead over, and what a buyer's answer to that is worth. */
import { callBuyers, explainDecline, recordAttempt, type SoundAnswer } from './answer.ts';
import { type Candidate, decideCandidate, quoteFor, type Refusal } from './candidate.ts';
import { addClaims } from './cap.ts';
import { floorOf } from './check.ts';
import { explainNoTime, postTime, type Walk } from './clock.ts';
import type { Explanation, Outcome, Sale } from './decision.ts';
import type { BuyerCall, CapClaim } from './effect.ts';
import { formatMoney } from './money.ts';
import { validateByThirdParties } from './outside.ts';
import type { Instant, Money } from './plan.ts';
import { isQuote, type Quote } from './price.ts';
import { payPromotion, promotionFigures } from './promote.ts';
import { reservedFor, subjectOf, takeProbes } from './reserve.ts';
import { lastRefusal } from './rest.ts';
import { type Ask, addStep, ask, explanation, type Run, stopRun } from './run.ts';

/** Posts to a tier whose room is reserved (`held`: there is something to give back). Its verdict stands afterwards. */
export function* postLead(run: Run, walk: Walk, candidate: Candidate, held: boolean): Ask<void> {
  const reserved = reservedFor(run, candidate);
  const [valid] = yield* takeProbes(run, yield* validateByThirdParties(run, walk, [candidate]));
  const timeoutMs = postTime(run, walk, candidate.tier);
  const not = valid ? notPostable(run, walk, candidate, timeoutMs) : undefined;
  if (not) decideCandidate(run, candidate, not.outcome, not.refusal);
  if (!valid || not || timeoutMs === undefined) return yield* release(run, candidate, held);
  const { answers, startedAt } = yield* callBuyers(run, [{ candidate, call: postCall(candidate, timeoutMs) }]);
  const answer = answers[0]!;
  if (answer.outcome === 'accepted') return yield* settle(run, candidate, answer, startedAt, reserved);
  const { outcome, why: no, holds } = readRefusal(candidate, answer);
  recordAttempt(run, candidate, 'post', startedAt, answer, outcome, bidOf(candidate));
  decideCandidate(
    run,
    candidate,
    outcome,
    outcome === 'rejected' && !holds ? { reason: 'buyer-tier-response-rejected', why: no } : { why: no },
  );
  if (holds) hold(run, candidate);
  else yield* release(run, candidate, held);
}

/** What the tier bid at ping; absent for a price that is configured. */
function bidOf(candidate: Candidate): Money | undefined {
  return candidate.bid ? candidate.price : undefined;
}

interface NotPostable {
  outcome: Outcome;
  refusal: Refusal;
}

function notPostable(run: Run, walk: Walk, candidate: Candidate, timeoutMs: number | undefined): NotPostable | undefined {
  const { bid, tier } = candidate;
  if (bid && bid.expiresAt <= run.now)
    return { outcome: 'rejected', refusal: { why: explanation('bid-expired', { expiredAt: bid.expiresAt }) } };
  if (timeoutMs === undefined) return { outcome: 'notReached', refusal: { why: explainNoTime(run, walk) } };
  const shut = lastRefusal(run, tier);
  return shut && { outcome: 'filtered', refusal: shut };
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

/** The buyer may hold the lead as its own: nobody else is offered it and its reservations stay. */
function hold(run: Run, candidate: Candidate): void {
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
      const why = holds ? explanation('held-unclear', { reasons }) : explanation('buyer-error', { leg: 'post', sent, reasons });
      return { outcome: 'terrors', why, holds };
    }
  }
}

/** An accepted lead is sold at the price the rules allow, or held: it is never offered to another buyer. */
function* settle(
  run: Run,
  candidate: Candidate,
  answer: SoundAnswer,
  startedAt: Instant,
  reserved: { revenue: Money; payout: Money },
): Ask<void> {
  const priced = priceOf(run, candidate, answer);
  const affordable = isQuote(priced) ? yield* fitUnderCaps(run, candidate, priced, reserved) : priced;
  const sold = isQuote(affordable);
  recordAttempt(run, candidate, 'post', startedAt, answer, sold ? 'sold' : 'rejected', bidOf(candidate));
  if (sold) return sell(run, candidate, answer, yield* payPromotion(run, candidate, affordable));
  decideCandidate(run, candidate, 'rejected', { why: affordable });
  hold(run, candidate);
}

/** The price that counts: agreed before, named now, or the tier's minimum, in the light of the post price rule. */
function priceOf(run: Run, candidate: Candidate, answer: SoundAnswer): Quote | Explanation {
  const agreed = candidate.price;
  const named = answer.price;
  const { price: terms, postPriceRule } = candidate.tier.config;
  const minimum = terms.kind === 'bid' ? terms.minimum : undefined;
  if (named === undefined || named === agreed) return quoted(run, candidate, agreed ?? minimum);
  if (agreed === undefined || postPriceRule !== 'refuse') return quoted(run, candidate, named);
  // Nothing but the agreed price is taken: a higher one is billed as agreed, a lower one is in dispute.
  if (named > agreed) return quoted(run, candidate, agreed);
  return explanation('held-price-refused', { agreed: formatMoney(agreed), named: formatMoney(named) });
}

function quoted(run: Run, candidate: Candidate, revenue: Money | undefined): Quote | Explanation {
  if (revenue === undefined) return explanation('held-no-price');
  const result = quoteFor(run.tier, candidate, revenue);
  const floor = floorOf(candidate.tier, run.campaign);
  if (isQuote(result) && revenue >= floor) return result;
  return explanation('held-price-too-low', {
    named: formatMoney(revenue),
    floor: formatMoney(floor),
    ...(isQuote(result) ? {} : result.params),
  });
}

/** A price above what is reserved needs more room; without it the sale counts at the reserved price, never over a cap. */
function* fitUnderCaps(
  run: Run,
  candidate: Candidate,
  priced: Quote,
  reserved: { revenue: Money; payout: Money },
): Ask<Quote | Explanation> {
  const claims: CapClaim[] = [];
  const more = { revenue: Math.max(0, priced.revenue - reserved.revenue), payout: Math.max(0, priced.payout - reserved.payout) };
  if (more.revenue > 0) addClaims(claims, [...candidate.tier.caps, ...candidate.tier.buyerCaps], { money: more.revenue }, run.now);
  if (more.payout > 0) addClaims(claims, run.tier.caps, { money: more.payout }, run.now);
  if (claims.length === 0) return priced;
  const result = yield* ask(run, {
    kind: 'reserve',
    mode: 'first',
    reservations: [{ subject: subjectOf(candidate), purpose: 'raise', claims }],
  });
  return result?.granted?.includes(0) ? priced : heldToCap(run, candidate, priced, reserved.revenue);
}

function heldToCap(run: Run, candidate: Candidate, priced: Quote, revenue: Money): Quote | Explanation {
  const lower = revenue > 0 ? quoted(run, candidate, revenue) : undefined;
  const params = { named: formatMoney(priced.revenue), taken: formatMoney(revenue) };
  if (!lower || !isQuote(lower)) return explanation('held-price-over-cap', params);
  addStep(run, explanation('price-held-to-cap', params), candidate.member.groupId, candidate.tier.config.id);
  return lower;
}

function sell(run: Run, candidate: Candidate, answer: SoundAnswer, { revenue, payout, margin, promotion }: Quote): void {
  const { config } = candidate.tier;
  const agreed = candidate.price;
  const postPriceDiffers = answer.price !== undefined && answer.price !== (agreed ?? answer.price);
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
