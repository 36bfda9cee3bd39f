/** What is taken from caps and duplicates before a tier is contacted, and what a refusal means. */

import { probeClaims, probeOf } from './breaker.ts';
import { type Candidate, decideCandidate, needsPing, quoteFor, type Refusal as Refused } from './candidate.ts';
import { addClaims, asking, type CapAmounts, type CapOwner, capReasonKey, explainCapRefusal } from './cap.ts';
import type { Walk } from './clock.ts';
import { duplicateClaim } from './duplicate.ts';
import type { CapClaim, EffectResult, Refusal, Reservation } from './effect.ts';
import { validateByThirdParties } from './outside.ts';
import type { Money } from './plan.ts';
import { isQuote, leastPayout } from './price.ts';
import { promisedClaims } from './promote.ts';
import { type Ask, ask, explanation, type Run, stopRun } from './run.ts';

/** So many tiers stand in one round trip at most; a longer group takes another. */
const RESERVATIONS_PER_EFFECT = 20;

/** What a post reservation holds in money; an answer above it needs more, see sale.ts. */
export interface Reserved {
  revenue: Money;
  payout: Money;
}

/** Sold and money are taken, and sent as `sentNow` says. */
export function postReservation(run: Run, candidate: Candidate): Reservation {
  const reserved = reservedFor(run, candidate);
  const claims = tierClaims(run, candidate, { ...sentNow(run, candidate), sold: 1, money: reserved.revenue });
  addClaims(claims, run.tier.caps, { sold: 1, money: reserved.payout }, run.now);
  claims.push(...promisedClaims(run, candidate.bid?.promotion));
  return withDuplicate(run, candidate, { subject: subjectOf(candidate), purpose: 'post', claims }, false);
}

/** Sent is taken, sold and money are only asked for room: for what the post would take. */
export function pingReservation(run: Run, candidate: Candidate): Reservation {
  return askingReservation(run, candidate, sentNow(run, candidate));
}

/** Takes nothing: is there room for this tier, where nothing is going to be sent? */
export function roomReservation(run: Run, candidate: Candidate): Reservation {
  return askingReservation(run, candidate, isContacted(candidate) ? {} : { sent: 0 });
}

function askingReservation(run: Run, candidate: Candidate, sent: CapAmounts): Reservation {
  const claims = tierClaims(run, candidate, { ...sent, sold: 0, money: 0 });
  addClaims(claims, run.tier.caps, { sold: 0, money: 0 }, run.now);
  const { revenue, payout } = reservedFor(run, candidate);
  const moneyOf = ({ scopeId }: CapClaim) => (scopeId === run.tier.config.id ? payout : revenue);
  const asked = claims.map((claim) => (claim.measure === 'money' ? asking(claim, moneyOf(claim)) : claim));
  return withDuplicate(run, candidate, { subject: subjectOf(candidate), purpose: 'ping', claims: asked }, true);
}

/** An unknown price reserves the least it can be; the rest is asked for when the buyer has named it. */
export function reservedFor(run: Run, candidate: Candidate): Reserved {
  return reservedAt(run, candidate, candidate.price ?? candidate.tier.floor);
}

export function reservedAt(run: Run, candidate: Candidate, revenue: Money): Reserved {
  const quoted = quoteFor(run.tier, candidate, revenue);
  return { revenue, payout: isQuote(quoted) ? quoted.payout : leastPayout(run.tier.config.priceModel) };
}

export function subjectOf(candidate: Candidate): Reservation['subject'] {
  return { kind: 'buyerTier', id: candidate.tier.config.id };
}

/** Nothing where the tier was contacted for this lead, at a ping of its publisher maybe. An offer of one that is never pinged was made without it. */
const isContacted = ({ bid, tier }: Candidate): boolean => bid !== undefined && tier.config.delivery === 'pingPost';

/** Whether a service may still say that nothing is sent. */
const awaitsCheck = (run: Run, { tier }: Candidate): boolean => tier.config.thirdParty !== undefined && !run.tried.has(tier.config.id);

/** Of caps that count what is sent: what is not sent after all takes no place, so that one that awaits a check only asks for it, see takeForCall. */
function sentNow(run: Run, candidate: Candidate): CapAmounts {
  if (isContacted(candidate)) return {};
  return { sent: awaitsCheck(run, candidate) ? 0 : 1 };
}

/** Of a probe's place only whether it is free: it is taken right before the call, see takeForCall. */
function tierClaims(run: Run, candidate: Candidate, amounts: CapAmounts): CapClaim[] {
  const claims = probeClaims(run, candidate.tier, 0);
  addClaims(claims, candidate.tier.caps, amounts, run.now);
  addClaims(claims, candidate.tier.buyerCaps, amounts, run.now);
  return claims;
}

function withDuplicate(run: Run, candidate: Candidate, reservation: Reservation, look: boolean): Reservation {
  const rule = candidate.tier.config.duplicate;
  const duplicate = rule && duplicateClaim(rule, candidate.tier.config.id, run.fields, run.now, look);
  return duplicate ? { ...reservation, duplicate } : reservation;
}

function reservationFor(run: Run, candidate: Candidate): Reservation {
  return needsPing(candidate) ? pingReservation(run, candidate) : postReservation(run, candidate);
}

export function holdsSomething(reservation: Reservation): boolean {
  return reservation.claims.length > 0 || reservation.duplicate !== undefined;
}

/** The first of `waiting` for which there is room, and those behind it; those before it have their verdict. */
export function* reserveFirst(run: Run, waiting: Candidate[]): Ask<{ granted?: Candidate; held: boolean; rest: Candidate[] }> {
  const asked = waiting.slice(0, RESERVATIONS_PER_EFFECT);
  const reservations = asked.map((candidate) => reservationFor(run, candidate));
  if (reservations[0] && !holdsSomething(reservations[0])) return { granted: asked[0]!, held: false, rest: waiting.slice(1) };
  const result = yield* ask(run, { kind: 'reserve', mode: 'first', reservations });
  const index = (result?.granted ?? []).find((place) => asked[place] !== undefined) ?? asked.length;
  refuseAll(run, asked.slice(0, index), result);
  const granted = asked[index];
  return granted ? { granted, held: true, rest: waiting.slice(index + 1) } : { held: false, rest: waiting.slice(asked.length) };
}

/** All of `asked` for which there is room; the others have their verdict. */
export function* reserveEach(run: Run, asked: Candidate[], reservationOf: (candidate: Candidate) => Reservation): Ask<Candidate[]> {
  const reservations = asked.map(reservationOf);
  if (!reservations.some(holdsSomething)) return asked;
  const result = yield* ask(run, { kind: 'reserve', mode: 'each', reservations });
  const granted = new Set(result?.granted ?? []);
  refuseAll(
    run,
    asked.map((candidate, index) => (granted.has(index) ? undefined : candidate)),
    result,
  );
  return asked.filter((_, index) => granted.has(index));
}

/**
 * Those of `asked` that services let pass and that have all they take right before a call; the others have their verdict. `isStillCalled` gives it to whoever is
 * not called after all, for whom nothing is taken.
 */
export function* takeForCall(run: Run, walk: Walk, asked: Candidate[], isStillCalled: (candidate: Candidate) => boolean): Ask<Candidate[]> {
  const checked = new Set(asked.filter((candidate) => awaitsCheck(run, candidate)));
  const callable = (yield* validateByThirdParties(run, walk, asked)).filter(isStillCalled);
  const reservations = new Map(callable.map((candidate) => [candidate, callReservation(run, candidate, checked.has(candidate))]));
  const taking = callable.filter((candidate) => reservations.get(candidate)!.claims.length > 0);
  if (taking.length === 0) return callable;
  const taken = yield* reserveEach(run, taking, (candidate) => reservations.get(candidate)!);
  for (const candidate of taken) {
    const probe = probeOf(reservations.get(candidate)!.claims);
    if (probe !== undefined) run.probes.set(candidate.tier.config.id, probe);
  }
  return callable.filter((candidate) => !taking.includes(candidate) || taken.includes(candidate));
}

/** A probe's place, and where a service was asked first that of what is sent. */
function callReservation(run: Run, candidate: Candidate, isChecked: boolean): Reservation {
  const { tier } = candidate;
  const claims = probeClaims(run, tier, 1);
  if (isChecked && !isContacted(candidate)) addClaims(claims, [...tier.caps, ...tier.buyerCaps], { sent: 1 }, run.now);
  return { subject: subjectOf(candidate), purpose: 'call', claims };
}

/** `asked` at its index in the effect; undefined where it was granted. */
function refuseAll(run: Run, asked: (Candidate | undefined)[], result: Extract<EffectResult, { kind: 'reserve' }> | undefined): void {
  for (const [index, candidate] of asked.entries()) {
    if (!candidate) continue;
    const refusal = result?.refused?.find((refused) => refused.index === index)?.refusal;
    refuseCandidate(run, candidate, refusal);
  }
}

function refuseCandidate(run: Run, candidate: Candidate, refusal: Refusal | undefined): undefined {
  if (!refusal) return decideCandidate(run, candidate, 'notReached', { why: explanation('reservation-unanswered') });
  const owner = ownerOf(run, candidate, refusal);
  const refused = explainRefusal(refusal, owner);
  // What was promised at the ping cannot be paid any more, and nothing is sold for less than that.
  if (owner === 'promotion') return decideCandidate(run, candidate, 'notReached', { why: refused.why });
  const ours = refusal.by === 'cap' && refusal.claim.scopeId === run.tier.config.id;
  if (!ours) return decideCandidate(run, candidate, 'filtered', refused);
  // The publisher tier's own cap is full: no fault of the buyer's, and nobody else can be sold to either.
  if (refusal.claim.measure === 'sold') stopRun(run, refused.why);
  decideCandidate(run, candidate, 'notReached', { why: refused.why });
}

function ownerOf(run: Run, candidate: Candidate, refusal: Refusal): CapOwner {
  if (refusal.by !== 'cap' || refusal.claim.scopeId === candidate.tier.config.id) return 'buyerTier';
  if (refusal.claim.scopeId === candidate.bid?.promotion?.promotionId) return 'promotion';
  return refusal.claim.scopeId === run.tier.config.id ? 'publisherTier' : 'buyer';
}

export function explainRefusal(refusal: Refusal, owner: CapOwner): Refused {
  if (refusal.by === 'cap') return { filterReasonKey: capReasonKey(refusal.claim.period), why: explainCapRefusal(refusal, owner) };
  const { earlierLeadId, claimedAt } = refusal;
  return { filterReasonKey: 8, reason: 'buyer-tier-check-duplicate-failed', why: explanation('duplicate', { earlierLeadId, claimedAt }) };
}
