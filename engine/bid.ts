/** Pings: asking members for bids, and which bids count. */
import { callBuyers, explainDecline, explainError, recordAttempt, type SoundAnswer } from './answer.ts';
import { type Candidate, decideCandidate, type Refusal } from './candidate.ts';
import { floorOf } from './check.ts';
import { explainNoTime, pingTime, type Walk } from './clock.ts';
import type { Explanation, Outcome } from './decision.ts';
import type { BuyerCall } from './effect.ts';
import { formatMoney } from './money.ts';
import type { Instant } from './plan.ts';
import { isQuote, quote } from './price.ts';
import { pingReservation, reserveEach, takeForCall } from './reserve.ts';
import { lastRefusal, restRefusal } from './rest.ts';
import { type Ask, addStep, explanation, type Run, TIER_PROCESS_LIMIT } from './run.ts';

/** A bid without an expiry of its own is good for so long. */
export const BID_VALID_MS = 120_000;
/** A bid that holds longer is believed for so long: its ping sells once, which is remembered for thirty days after the post. */
const BID_LONGEST_MS = 29 * 86_400_000;

/** Reserves room for all of `asked` the limit still allows, pings them at once and gives back those with a usable bid. */
export function* collectBids(run: Run, walk: Walk, asked: Candidate[]): Ask<Candidate[]> {
  const granted: Candidate[] = [];
  let waiting = asked.filter((candidate) => pingTime(run, walk, candidate.tier) !== undefined);
  for (const candidate of asked)
    if (!waiting.includes(candidate)) decideCandidate(run, candidate, 'notReached', { why: explainNoTime(run, walk) });
  while (waiting.length > 0 && run.tried.size + granted.length < TIER_PROCESS_LIMIT) {
    const places = TIER_PROCESS_LIMIT - run.tried.size - granted.length;
    granted.push(...(yield* reserveEach(run, waiting.slice(0, places), (candidate) => pingReservation(run, candidate))));
    waiting = waiting.slice(places);
  }
  for (const candidate of waiting)
    decideCandidate(run, candidate, 'notReached', { why: explanation('tier-limit', { limit: TIER_PROCESS_LIMIT }) });
  return yield* pingAll(run, walk, granted);
}

/** Pings tiers whose room is reserved. */
export function* pingAll(run: Run, walk: Walk, reserved: Candidate[]): Ask<Candidate[]> {
  const isStillCalled = (candidate: Candidate) => timeForPing(run, walk, candidate, restRefusal(run, candidate.tier)) !== undefined;
  const calls = (yield* takeForCall(run, walk, reserved, isStillCalled)).flatMap((candidate) => pingCall(run, walk, candidate));
  if (calls.length === 0) return [];
  const { answers, startedAt } = yield* callBuyers(run, calls);
  return calls.flatMap(({ candidate }, index) => readBid(run, candidate, answers[index]!, startedAt));
}

function pingCall(run: Run, walk: Walk, candidate: Candidate): { candidate: Candidate; call: BuyerCall }[] {
  const timeoutMs = timeForPing(run, walk, candidate, lastRefusal(run, candidate.tier));
  if (timeoutMs === undefined) return [];
  const call: BuyerCall = { buyerTierId: candidate.tier.config.id, leg: 'ping', timeoutMs };
  if (candidate.price !== undefined) call.price = candidate.price;
  return [{ candidate, call }];
}

/** Undefined where it is not pinged after all: then it has its verdict. */
function timeForPing(run: Run, walk: Walk, candidate: Candidate, shut: Refusal | undefined): number | undefined {
  const timeoutMs = pingTime(run, walk, candidate.tier);
  if (timeoutMs === undefined) decideCandidate(run, candidate, 'notReached', { why: explainNoTime(run, walk) });
  else if (shut) decideCandidate(run, candidate, 'filtered', shut);
  return shut ? undefined : timeoutMs;
}

/** A usable bid makes a priced candidate; anything else is the tier's verdict. */
function readBid(run: Run, candidate: Candidate, answer: SoundAnswer, startedAt: Instant): Candidate[] {
  const bid = bidOf(candidate, answer);
  const refusal = pingRefusal(run, candidate, answer, bid);
  recordAttempt(run, candidate, 'ping', startedAt, answer, refusal?.outcome ?? 'notReached');
  if (refusal || bid === undefined) {
    const { outcome, why } = refusal ?? { outcome: 'rejected' as const, why: explanation('no-bid') };
    decideCandidate(run, candidate, outcome, outcome === 'rejected' ? { reason: 'buyer-tier-response-rejected', why } : { why });
    return [];
  }
  addStep(run, explanation('bid', { bid: formatMoney(bid) }), candidate.member.groupId, candidate.tier.config.id);
  const expiresAt = Math.min(answer.expiresAt ?? run.now + BID_VALID_MS, run.now + BID_LONGEST_MS);
  return [{ ...candidate, price: bid, bid: { captures: answer.captures, expiresAt } }];
}

/** A configured price stands whatever the ping says; otherwise the answer names the bid. */
function bidOf(candidate: Candidate, answer: SoundAnswer): number | undefined {
  const { price } = candidate.tier.config;
  return price.kind === 'fixed' ? price.price : answer.price;
}

interface PingRefusal {
  outcome: Outcome;
  why: Explanation;
}

function pingRefusal(run: Run, candidate: Candidate, answer: SoundAnswer, bid: number | undefined): PingRefusal | undefined {
  switch (answer.outcome) {
    case 'accepted':
      return bidRefusal(run, candidate, answer, bid);
    case 'timeout':
      return { outcome: 'timeouts', why: explanation('buyer-timeout', { leg: 'ping', elapsedMs: answer.elapsedMs }) };
    case 'error':
      return {
        outcome: 'terrors',
        why: explainError('ping', answer),
      };
    case 'duplicate':
      return { outcome: 'rejected', why: explanation('buyer-duplicate', { leg: 'ping', reasons: answer.reasons.join('; ') }) };
    case 'pending':
    case 'rejected':
      return { outcome: 'rejected', why: explainDecline('ping', answer) };
  }
}

/** "Accepted, not posted": the buyer wanted it, the bid does not do. */
function bidRefusal(run: Run, candidate: Candidate, answer: SoundAnswer, bid: number | undefined): PingRefusal | undefined {
  if (bid === undefined || bid <= 0) return { outcome: 'rejected', why: explanation('no-bid') };
  const floor = floorOf(candidate.tier, run.campaign);
  if (bid < floor)
    return { outcome: 'rejected', why: explanation('bid-under-floor', { bid: formatMoney(bid), floor: formatMoney(floor) }) };
  const quoted = quote(run.tier.config.priceModel, run.campaign.config.margin, bid);
  if (!isQuote(quoted)) return { outcome: 'rejected', why: explanation('bid-under-margin', { bid: formatMoney(bid), ...quoted.params }) };
  if (answer.expiresAt !== undefined && answer.expiresAt <= run.now)
    return { outcome: 'rejected', why: explanation('bid-expired', { expiredAt: answer.expiresAt }) };
  return undefined;
}
