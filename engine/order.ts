/** In what order the members of a group get their turn. Ties go by position (engine.md, Groups). */
import { type Candidate, isPromised } from './candidate.ts';
import type { BidOffer } from './decision.ts';
import type { Turns } from './lead.ts';
import type { GroupMode, Money } from './plan.ts';

type Rank = (candidate: Candidate) => number;

/** The candidate with the highest rank comes first. Auctions are ordered by rankBids once the bids are in. */
export function orderCandidates(mode: GroupMode, candidates: Candidate[], turns: Turns | undefined): Candidate[] {
  switch (mode) {
    case 'priority':
    case 'auction':
      return candidates;
    case 'highestPrice':
      return sortBy(candidates, knownPrice);
    case 'roundRobin':
      return sortBy(candidates, (candidate) => -(turnOf(candidate, turns)?.lastTurnAt ?? Number.NEGATIVE_INFINITY));
    case 'weighted':
      return sortBy(candidates, shortfall(candidates, turns));
  }
}

/** Bid x quality factor; a tier that names its price only in its answer stands with its minimum. */
export function rankBids(candidates: Candidate[]): Candidate[] {
  return sortBy(candidates, (candidate) => knownPrice(candidate) * candidate.tier.config.qualityFactor);
}

/** What was offered at the ping and still stands comes first, in the order it was told in; everybody else follows in theirs. */
export function asOffered(candidates: Candidate[], offers: readonly BidOffer[] | undefined): Candidate[] {
  if (!offers) return candidates;
  const places = new Map(offers.map(({ buyerTierId }, place) => [buyerTierId, place]));
  const placeOf = ({ tier }: Candidate) => places.get(tier.config.id) ?? offers.length;
  const [promised, others] = [candidates.filter(isPromised), candidates.filter((candidate) => !isPromised(candidate))];
  return [...promised.toSorted((a, b) => placeOf(a) - placeOf(b)), ...others];
}

function knownPrice(candidate: Candidate): Money {
  const { price } = candidate.tier.config;
  return candidate.price ?? (price.kind === 'bid' ? (price.minimum ?? 0) : price.price);
}

/** How far each is below its share of the next turn, in exact multiples of the total weight. */
function shortfall(candidates: Candidate[], turns: Turns | undefined): Rank {
  const taken = (candidate: Candidate) => turnOf(candidate, turns)?.turns ?? 0;
  const totalTurns = candidates.reduce((sum, candidate) => sum + taken(candidate), 0);
  const totalWeight = candidates.reduce((sum, { member }) => sum + member.weight, 0);
  return (candidate) => candidate.member.weight * (totalTurns + 1) - taken(candidate) * totalWeight;
}

function turnOf(candidate: Candidate, turns: Turns | undefined) {
  return turns?.find(candidate.member.groupId, candidate.tier.config.id);
}

/** Equal ranks, two infinities among them, keep the order of positions. */
function sortBy(candidates: Candidate[], rank: Rank): Candidate[] {
  const ranked = candidates.map((candidate) => ({ candidate, rank: rank(candidate) }));
  ranked.sort((a, b) => (a.rank === b.rank ? a.candidate.member.position - b.candidate.member.position : b.rank - a.rank));
  return ranked.map(({ candidate }) => candidate);
}
