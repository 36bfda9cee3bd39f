/** Promotions: dated payout rises (engine.md, Price). Whose they are, when they are on, and what they take from their own caps. */
import { addClaims, asking, compileCaps } from './cap.ts';
import type { PromotionPlan } from './compiled.ts';
import type { CapClaim } from './effect.ts';
import { isMoney } from './money.ts';
import type { Instant, Money, PromotionConfig, PromotionTarget, PublisherTierConfig, Raise } from './plan.ts';
import { compileHours } from './schedule.ts';
import { instantOfLocal, isTimeZone, parseLocalDate } from './zone.ts';

/** What a promotion without a cap may pay: counted all the same, so that a cap that is set later knows what was paid before. */
const WITHOUT_LIMIT = Number.MAX_SAFE_INTEGER;
const NARROWEST_FIRST: readonly PromotionTarget['kind'][] = ['publisherTier', 'subId', 'publisher', 'campaign'];

/** A text instead of a promotion says what is wrong with it. */
export function compilePromotion(config: PromotionConfig): PromotionPlan | string {
  const { id, timeZone, leadCap = WITHOUT_LIMIT, moneyCap = WITHOUT_LIMIT } = config;
  if (!isTimeZone(timeZone)) return `the time zone ${timeZone} does not exist`;
  const [first, last] = [parseLocalDate(config.from), config.to === undefined ? undefined : parseLocalDate(config.to)];
  if (first === undefined || (config.to !== undefined && !(last !== undefined && first <= last)))
    return 'its first day must be a day, and not after its last';
  const fault = raiseProblem(config.raise);
  if (fault) return fault;
  const hours = config.hours && compileHours(config.hours);
  if (typeof hours === 'string') return hours;
  const caps = compileCaps(id, [
    { measure: 'sold', period: 'overall', limit: leadCap, timeZone },
    { measure: 'money', period: 'overall', limit: moneyCap, timeZone },
  ]);
  if (!Array.isArray(caps)) return caps;
  const beginsAt = instantOfLocal(timeZone, first, 0);
  const endsAt = last === undefined ? Number.POSITIVE_INFINITY : instantOfLocal(timeZone, last + 1, 0);
  const isOnAt = (now: Instant) => config.status === 'active' && beginsAt <= now && now < endsAt && (hours?.isOpenAt(now) ?? true);
  return { config, caps, isOnAt };
}

function raiseProblem(raise: Raise): string | undefined {
  if (raise.kind === 'fixed') return isMoney(raise.amount) && raise.amount > 0 ? undefined : 'the raise must be an amount above 0';
  return raise.percent > 0 && raise.percent <= 1_000 ? undefined : 'the raise must be more than 0 and at most 1000 percent';
}

/** Those that are for this seat: the narrowest target first, then the one that began last, then the one that was made last. */
export function promotionsFor(seat: PublisherTierConfig, verticalId: string, promotions: Iterable<PromotionPlan>): PromotionPlan[] {
  return [...promotions]
    .filter(({ config }) => config.verticalId === verticalId && config.status === 'active' && isFor(config.target, seat))
    .sort(({ config: a }, { config: b }) => narrowestFirst(a, b));
}

/** Which of two pays where both could. */
export function narrowestFirst(a: PromotionConfig, b: PromotionConfig): number {
  return rankOf(a) - rankOf(b) || compare(b.from, a.from) || compare(b.id, a.id);
}

const rankOf = ({ target }: PromotionConfig): number => NARROWEST_FIRST.indexOf(target.kind);
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** What of a publisher tier decides whether a promotion is for it. */
export type PromotedSeat = Pick<PublisherTierConfig, 'id' | 'subId' | 'publisherId' | 'campaignId'>;

export function isFor(target: PromotionTarget, seat: PromotedSeat): boolean {
  switch (target.kind) {
    case 'publisherTier':
      return target.publisherTierId === seat.id;
    case 'subId':
      return target.subId === seat.subId;
    case 'publisher':
      return target.publisherId === seat.publisherId;
    case 'campaign':
      return target.campaignId === seat.campaignId;
  }
}

/** One sold lead and `extra` of its money. */
export function promotionClaims({ caps }: PromotionPlan, extra: Money, now: Instant): CapClaim[] {
  const claims: CapClaim[] = [];
  addClaims(claims, caps, { sold: 1, money: extra }, now);
  return claims;
}

/** Only asks whether all of that would fit; takes nothing. */
export function promotionRoom({ caps }: PromotionPlan, extra: Money, now: Instant): CapClaim[] {
  const claims: CapClaim[] = [];
  addClaims(claims, caps, { sold: 0, money: 0 }, now);
  return claims.map((claim) => (claim.measure === 'money' ? asking(claim, extra) : claim));
}
