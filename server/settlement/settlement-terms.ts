/** By which terms a lead is settled: those it was routed by, its variant of a test and what was promised at its ping included. */
import type { Candidate } from '#engine/candidate.ts';
import { quoteFor } from '#engine/candidate.ts';
import { compileBuyerTier } from '#engine/compile-tier.ts';
import type { BuyerTierPlan, PublisherTierPlan } from '#engine/compiled.ts';
import type { PromotionShare } from '#engine/decision.ts';
import { formatMoney, parseMoney, percentOf } from '#engine/money.ts';
import type { Instant, Money, PriceModel } from '#engine/plan.ts';
import { isQuote, type Quote, raiseOf, requiredMargin } from '#engine/price.ts';
import { quotedAt, ruledPrice } from '#engine/sale.ts';
import { takeVariant } from '#engine/split.ts';
import type { Db } from '#server/kit/database.ts';
import type { Explained, VariantTerms } from '#server/lead/intake.ts';
import { findPing } from '#server/lead/posting.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { knownPrice } from './known-price.ts';
import type { LeadToSettle } from './settled-lead.sql.ts';
import type { OpenLead } from './settlement.sql.ts';
import { SettlementRefused } from './settlement-refused.ts';

export interface Terms {
  seat: PublisherTierPlan;
  /** Undefined where the tier can no longer be used. */
  tier: BuyerTierPlan | undefined;
  /** The bid, or the price that is configured, and what was promised for it. */
  agreed: Pick<Candidate, 'price' | 'bid'>;
}

export async function findTerms(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  open: OpenLead,
  { variant, variantTerms }: Pick<Explained, 'variant' | 'variantTerms'>,
): Promise<Terms> {
  const live = organization.plan.publisherTiers.get(lead.publisherTierId);
  if (!live)
    throw new SettlementRefused(
      'settlement_tier_left_out',
      'The publisher tier of this lead is left out of routing. Put it right first, so that its price is known.',
    );
  const running = variant ? takeVariant(live, { variantId: variant.variantId }).tier : live;
  const seat = variantTerms ? withTerms(running, variantTerms) : running;
  return { seat, tier: findTier(organization, seat, lead, open), agreed: await findAgreed(tx, organization, lead, open) };
}

/** What is promised to a lead of a test is paid whatever became of the test since. */
function withTerms(seat: PublisherTierPlan, { priceModel, margin, floor }: VariantTerms): PublisherTierPlan {
  const { floor: _, ...config } = seat.campaign.config;
  const campaign = { ...seat.campaign, config: { ...config, margin, ...(floor !== undefined && { floor }) } };
  return { ...seat, campaign, config: { ...seat.config, priceModel } };
}

/** One that has left the tree is compiled by itself; which leads it wants, and when, does not matter any more. */
function findTier(organization: OrganizationPlan, seat: PublisherTierPlan, lead: LeadToSettle, open: OpenLead): BuyerTierPlan | undefined {
  const member = seat.campaign.groups.flatMap((group) => group.members).find(({ tier }) => tier.config.id === open.buyer_tier_id);
  if (member) return member.tier;
  const config = organization.buyerTierConfigs.get(open.buyer_tier_id);
  const vertical = organization.plan.verticals.get(lead.verticalId);
  if (!config || !vertical) return undefined;
  const { filter: _filter, duplicate: _duplicate, hours: _hours, pauseDates: _pauses, suppressionLists: _lists, ...terms } = config;
  const compiled = compileBuyerTier(terms, vertical);
  return Array.isArray(compiled) ? undefined : compiled;
}

async function findAgreed(tx: Db, organization: OrganizationPlan, lead: LeadToSettle, open: OpenLead): Promise<Terms['agreed']> {
  const ping = lead.pingId ? await findPing(tx, organization, lead.publisherTierId, lead.pingId) : undefined;
  // One that had run out was pinged anew, and posted by its new bid.
  const postedAt = open.posted_at?.getTime() ?? 0;
  const offer = ping?.offers.find((one) => one.buyerTierId === open.buyer_tier_id && postedAt < one.expiresAt);
  if (offer) {
    const { bid: price, payout: promised, promotion, captures, expiresAt } = offer;
    return { price, bid: { promised, captures, expiresAt, ...(promotion && { promotion }) } };
  }
  const bid = open.bid === null ? undefined : parseMoney(open.bid);
  const terms = organization.buyerTierConfigs.get(open.buyer_tier_id)?.price;
  const price = bid ?? (terms?.kind === 'fixed' ? terms.price : undefined);
  return price === undefined ? {} : { price };
}

/**
 * What a person says is a fact: a price too low for the publisher's terms pays it what it can, and one sale more than the campaign allows was
 * paid to the publisher already. `salesBefore` counts the lead's.
 */
export function quoteFact({ seat, agreed }: Terms, price: Money, salesBefore: number): Quote {
  if (salesBefore >= seat.campaign.config.maxSales) return { revenue: price, payout: 0, margin: price };
  const quoted = quoteFor(seat, agreed, price);
  if (isQuote(quoted)) return quoted;
  const payout = Math.min(leastOf(seat.config.priceModel, price), price);
  return { revenue: price, payout, margin: price - payout };
}

/** Promotions that may raise a quote, in their order, as a sale at once asks for them: those that were on when the lead came. None beside one that was promised. */
export function openRises({ seat }: Terms, quote: Quote, cameAt: Instant, salesBefore: number): PromotionShare[] {
  const { margin, maxSales } = seat.campaign.config;
  if (quote.promotion || salesBefore >= maxSales || quote.margin < requiredMargin(margin, quote.revenue)) return [];
  return seat.promotions.flatMap((promotion) => {
    if (!promotion.isOnAt(cameAt)) return [];
    const { id: promotionId, name, belowMargin } = promotion.config;
    const { extra } = raiseOf(promotion.config, margin, quote);
    return extra > 0 ? [{ promotionId, name, extra, belowMargin }] : [];
  });
}

function leastOf(model: PriceModel, price: Money): Money {
  return model.kind === 'share' ? percentOf(price, model.sharePercent, 'down') : model.price;
}

/** What the buyer says later is worth what it would have been at once: its price rule, the floors and the margin hold. */
export function quoteSaid(
  organization: OrganizationPlan,
  terms: Terms,
  open: OpenLead,
  said: Money | undefined,
  salesBefore: number,
): Quote {
  const { tier, agreed, seat } = terms;
  // Its floor, its caps and what its buyer may spend are not known: only a person can say that it was sold all the same.
  if (!tier)
    throw new SettlementRefused(
      'settlement_tier_left_out',
      'The buyer tier of this lead is left out of routing, so that its price cannot be judged. It stays held until we settle it.',
    );
  const named = said ?? knownPrice(organization, open);
  const price = ruledPrice(tier.config, agreed.price, named);
  if (named === 0) throw priceMissing();
  if (typeof price !== 'number') throw refusedPrice(price.code, named, agreed.price);
  const quoted = quotedAt(seat, tier, agreed, price);
  if (!isQuote(quoted))
    throw new SettlementRefused(
      'settlement_price_low',
      `${formatMoney(price)} is less than the floor or the margin of this lead allows. It stays held until we settle it.`,
    );
  if (salesBefore >= seat.campaign.config.maxSales)
    throw new SettlementRefused(
      'settlement_sold_out',
      'The lead was sold as often as its campaign allows before you said so. It stays held until we settle it.',
    );
  return quoted;
}

const priceMissing = () =>
  new SettlementRefused('settlement_price_missing', 'Say what the buyer pays: nothing is known of the price.', 400);

function refusedPrice(code: string, named: Money | undefined, agreed: Money | undefined): SettlementRefused {
  if (code === 'held-no-price' || named === undefined || agreed === undefined) return priceMissing();
  return new SettlementRefused(
    'settlement_price_refused',
    `${formatMoney(named)} is less than the ${formatMoney(agreed)} that were agreed. It stays held until we settle it.`,
  );
}
