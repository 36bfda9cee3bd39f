/** Mode ping: offers from the first group that has any, in the order in which the post will take them; nobody is posted to. */
import { BID_VALID_MS, collectBids } from './bid.ts';
import { type Candidate, decideCandidate, needsPing } from './candidate.ts';
import type { Walk } from './clock.ts';
import { formatMoney } from './money.ts';
import { orderCandidates, rankBids } from './order.ts';
import type { GroupMode } from './plan.ts';
import { isQuote, quote } from './price.ts';
import { promisePromotion, promotionFigures } from './promote.ts';
import { reserveEach, roomReservation } from './reserve.ts';
import { type Ask, explanation, type Run, stopRun } from './run.ts';

export function* collectOffers(run: Run, walk: Walk, mode: GroupMode, candidates: Candidate[]): Ask<void> {
  const known = candidates.filter((candidate) => !needsPing(candidate) && candidate.price !== undefined);
  for (const candidate of candidates) if (!needsPing(candidate) && candidate.price === undefined) refuseUnpriced(run, candidate);
  const bids = yield* collectBids(run, walk, candidates.filter(needsPing));
  // A bid may be more than the money that is left, and a ping may have taken what another tier of its buyer needs.
  const asked = [...known, ...bids.filter((candidate) => claimsMoney(run, candidate))];
  const roomy = asked.length === 0 ? [] : yield* reserveEach(run, asked, (candidate) => roomReservation(run, candidate));
  const all = [...roomy, ...bids.filter((candidate) => !asked.includes(candidate))];
  const ordered = mode === 'auction' ? rankBids(all) : orderCandidates(mode, inTree(all, candidates), run.lead.turns);
  for (const candidate of ordered) yield* offer(run, candidate);
  if (run.offers.length > 0) stopRun(run, explanation('offers-before-turn'));
}

const claimsMoney = (run: Run, candidate: Candidate): boolean =>
  roomReservation(run, candidate).claims.some(({ measure }) => measure === 'money');

/** Bids come as their buyers answer. */
const inTree = (found: Candidate[], candidates: Candidate[]): Candidate[] => {
  const places = new Map(candidates.map(({ tier }, place) => [tier.config.id, place]));
  return found.toSorted((a, b) => places.get(a.tier.config.id)! - places.get(b.tier.config.id)!);
};

function refuseUnpriced(run: Run, candidate: Candidate): void {
  decideCandidate(run, candidate, 'notReached', { why: explanation('price-unknown-at-ping') });
}

function* offer(run: Run, candidate: Candidate): Ask<undefined> {
  const bid = candidate.price!;
  const base = quote(run.tier.config.priceModel, run.campaign.config.margin, bid);
  if (!isQuote(base)) return decideCandidate(run, candidate, 'filtered', { why: base });
  const expiresAt = candidate.bid?.expiresAt ?? run.now + BID_VALID_MS;
  const { payout, promotion } = yield* promisePromotion(run, candidate, base);
  const captures = candidate.bid?.captures ?? {};
  run.offers.push({ buyerTierId: candidate.tier.config.id, bid, payout, captures, expiresAt, ...(promotion && { promotion }) });
  decideCandidate(run, candidate, 'notReached', {
    why: explanation('offered', { bid: formatMoney(bid), payout: formatMoney(payout), expiresAt, ...promotionFigures(promotion) }),
  });
}
