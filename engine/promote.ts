/** What a promotion adds for one lead: promised with an offer at the ping, paid when a buyer has taken the lead. */
import type { Candidate } from './candidate.ts';
import { addClaims, asking } from './cap.ts';
import type { PromotionPlan } from './compiled.ts';
import type { PromotionShare } from './decision.ts';
import type { CapClaim } from './effect.ts';
import { formatMoney } from './money.ts';
import { type Quote, raiseOf, withPromotion } from './price.ts';
import { promotionClaims, promotionRoom } from './promotion.ts';
import { subjectOf } from './reserve.ts';
import { type Ask, addStep, ask, explanation, type Run } from './run.ts';

/** The quote with the first promotion that may add something and has room for it. Whether one is on is decided by when the lead came. */
export function* payPromotion(run: Run, candidate: Candidate, quote: Quote): Ask<Quote> {
  // Promised at the ping: its room was taken with the post.
  if (quote.promotion) return told(run, candidate, quote, candidate.bid?.promotion?.extra ?? quote.promotion.extra);
  return yield* findPromotion(run, candidate, quote, function* (promotion, extra) {
    const claims = promotionClaims(promotion, extra, run.now);
    addClaims(claims, run.tier.caps, { money: extra }, run.now);
    return yield* reserveFor(run, candidate, claims);
  });
}

/** The same for an offer: nothing is taken, so that what is promised is asked for again at the post. */
export function* promisePromotion(run: Run, candidate: Candidate, quote: Quote): Ask<Quote> {
  return yield* findPromotion(run, candidate, quote, (promotion, extra) => {
    const claims = promotionRoom(promotion, extra, run.now);
    addClaims(claims, run.tier.caps, { money: 0 }, run.now);
    const asked = claims.map((claim) => (claim.scopeId === run.tier.config.id ? asking(claim, quote.payout + extra) : claim));
    return askRoom(run, candidate, asked);
  });
}

/** What the post of a promised offer takes from the promotion; nothing where the plan does not have it any more. */
export function promisedClaims(run: Run, promotion: PromotionShare | undefined): CapClaim[] {
  const plan = promotion && run.promotions.get(promotion.promotionId);
  return plan ? promotionClaims(plan, promotion.extra, run.now) : [];
}

/** For the sentence about a sale or an offer. */
export const promotionFigures = (promotion: PromotionShare | undefined): Record<string, string> =>
  promotion ? { promotion: promotion.name, extra: formatMoney(promotion.extra) } : {};

type Room = (promotion: PromotionPlan, extra: number) => Ask<boolean>;

function* findPromotion(run: Run, candidate: Candidate, quote: Quote, hasRoom: Room): Ask<Quote> {
  for (const promotion of run.tier.promotions) {
    if (!promotion.isOnAt(run.startedAt)) continue;
    const { config } = promotion;
    const { wanted, extra } = raiseOf(config, run.campaign.config.margin, quote);
    if (extra === 0) say(run, candidate, 'promotion-cut', { promotion: config.name, wanted: formatMoney(wanted) });
    else if (!(yield* hasRoom(promotion, extra))) say(run, candidate, 'promotion-used-up', { promotion: config.name });
    else {
      const { id, name, belowMargin } = config;
      return told(run, candidate, withPromotion(quote, { promotionId: id, name, extra, belowMargin }), wanted);
    }
  }
  return quote;
}

function told(run: Run, candidate: Candidate, quote: Quote, wanted: number): Quote {
  const { name, extra } = quote.promotion!;
  say(run, candidate, 'promotion-paid', { promotion: name, extra: formatMoney(extra), wanted: formatMoney(wanted) });
  return quote;
}

function say(
  run: Run,
  candidate: Candidate,
  code: 'promotion-paid' | 'promotion-cut' | 'promotion-used-up',
  params: Record<string, string>,
): void {
  addStep(run, explanation(code, params), candidate.member.groupId, candidate.tier.config.id);
}

function* reserveFor(run: Run, candidate: Candidate, claims: CapClaim[]): Ask<boolean> {
  const reservations = [{ subject: subjectOf(candidate), purpose: 'promotion' as const, claims }];
  const result = yield* ask(run, { kind: 'reserve', mode: 'first', reservations });
  return result?.granted?.includes(0) ?? false;
}

function* askRoom(run: Run, candidate: Candidate, claims: CapClaim[]): Ask<boolean> {
  const reservations = [{ subject: subjectOf(candidate), purpose: 'ping' as const, claims }];
  const result = yield* ask(run, { kind: 'reserve', mode: 'first', reservations });
  return result?.granted?.includes(0) ?? false;
}
