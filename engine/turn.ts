/** Candidates in their order, one after the other, until the lead is sold or nothing is left to try. */
import { collectBids, pingAll } from './bid.ts';
import { type Candidate, decideCandidate, isPromised, needsPing } from './candidate.ts';
import { scheduleRefusal } from './check.ts';
import { explainNoTime, pingTime, postTime, startWalk, type Walk } from './clock.ts';
import type { Explanation } from './decision.ts';
import { asOffered, rankBids } from './order.ts';
import { reserveFirst } from './reserve.ts';
import { shutRefusal } from './rest.ts';
import { type Ask, explanation, type Run, TIER_PROCESS_LIMIT } from './run.ts';
import { postLead } from './sale.ts';

/** One reservation covers all that wait, so that a capped tier costs no round trip of its own. */
export function* offerInTurn(run: Run, walk: Walk, candidates: Candidate[]): Ask<void> {
  let waiting = candidates;
  while (true) {
    waiting = stillFit(run, walk, waiting);
    if (run.stop || waiting.length === 0) return;
    const { granted, held, rest } = yield* reserveFirst(run, waiting);
    waiting = rest;
    if (granted && needsPing(granted)) yield* pingThenPost(run, walk, granted);
    else if (granted) yield* postLead(run, walk, granted, held);
  }
}

/** Post to those that were offered at the ping; then ping all that can be pinged, rank their bids with the known prices, post to the best, then the next. */
export function* auction(run: Run, walk: Walk, candidates: Candidate[]): Ask<void> {
  const promised = candidates.filter(isPromised);
  if (promised.length === 0) return yield* bidding(run, walk, candidates);
  // An offer does not run out while others are asked what they would bid.
  yield* offerInTurn(run, walk, asOffered(promised, run.lead.offers));
  const anew = startWalk(run, walk.group);
  const others = candidates.filter((candidate) => !isPromised(candidate));
  if (!run.stop) yield* bidding(run, anew, stillFit(run, anew, others));
}

function* bidding(run: Run, walk: Walk, candidates: Candidate[]): Ask<void> {
  const known = candidates.filter((candidate) => !needsPing(candidate));
  const bids = yield* collectBids(run, walk, candidates.filter(needsPing));
  yield* offerInTurn(run, walk, rankBids([...known, ...bids]));
}

/** The ping's reservation asked only for room: the post takes its own. */
function* pingThenPost(run: Run, walk: Walk, candidate: Candidate): Ask<void> {
  const bids = yield* pingAll(run, walk, [candidate]);
  const fit = run.stop ? [] : stillFit(run, walk, bids);
  if (fit.length === 0) return;
  const { granted, held } = yield* reserveFirst(run, fit);
  if (granted) yield* postLead(run, walk, granted, held);
}

/** Time has passed, sales were made and breakers may have opened since the static checks; those that no longer fit get their verdict. */
function stillFit(run: Run, walk: Walk, waiting: Candidate[]): Candidate[] {
  return waiting.filter((candidate) => {
    const closed = scheduleRefusal(candidate.tier, run.now) ?? shutRefusal(run, candidate.tier);
    if (closed) decideCandidate(run, candidate, 'filtered', closed);
    const why = closed ? undefined : unfit(run, walk, candidate);
    if (why) decideCandidate(run, candidate, why.code === 'bid-expired' ? 'rejected' : 'notReached', { why });
    return !closed && !why;
  });
}

function unfit(run: Run, walk: Walk, candidate: Candidate): Explanation | undefined {
  const { config } = candidate.tier;
  if (run.boughtBy.has(config.buyerId)) return explanation('buyer-already-bought', { buyer: config.buyerName });
  if (candidate.bid && candidate.bid.expiresAt <= run.now) return explanation('bid-expired', { expiredAt: candidate.bid.expiresAt });
  if (run.tried.size >= TIER_PROCESS_LIMIT && !run.tried.has(config.id)) return explanation('tier-limit', { limit: TIER_PROCESS_LIMIT });
  // Nothing is booked for a call that is not going to be made.
  const timeMs = needsPing(candidate) ? pingTime(run, walk, candidate.tier) : postTime(run, walk, candidate.tier);
  return timeMs === undefined ? explainNoTime(run, walk) : undefined;
}
