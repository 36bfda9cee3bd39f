/** What the publisher gets and what we keep of a price, exactly (engine.md, Price). */
import type { Explanation, PromotionShare } from './decision.ts';
import { formatMoney, percentOf } from './money.ts';
import type { Margin, Money, PriceModel, PromotionConfig } from './plan.ts';

export interface Quote {
  revenue: Money;
  payout: Money;
  margin: Money;
  /** What of the payout a promotion adds. */
  promotion?: PromotionShare;
}

/** The least we keep of a revenue; a percent is rounded up to the next ten-thousandth. */
export function requiredMargin(margin: Margin, revenue: Money): Money {
  return margin.kind === 'fixed' ? margin.amount : percentOf(revenue, margin.percent, 'up');
}

/** The payout a model promises for a revenue; a share is rounded down. */
function payoutOf(model: PriceModel, revenue: Money, required: Money): Money {
  switch (model.kind) {
    case 'fixed':
      return model.price;
    case 'minimum':
      return Math.max(revenue - required, 0);
    case 'share':
      return percentOf(revenue, model.sharePercent, 'down');
  }
}

/** Where share and margin are more than any price, whatever is bought would be held; undefined where there is room for both. */
export function shareProblem(model: PriceModel, margin: Margin): string | undefined {
  if (model.kind !== 'share' || margin.kind !== 'percent' || model.sharePercent + margin.percent <= 100) return undefined;
  return `${model.sharePercent} percent for the publisher and a margin of ${margin.percent} percent are more than the whole price, so what is bought is held`;
}

/** A quote has payout + margin = revenue and margin >= required; otherwise the refusal says what is short. */
export function quote(model: PriceModel, margin: Margin, revenue: Money): Quote | Explanation {
  const required = requiredMargin(margin, revenue);
  const payout = payoutOf(model, revenue, required);
  if (model.kind === 'minimum' && payout < model.price) {
    return { code: 'payout-under-minimum', params: { ...figures(revenue, payout, required), minimum: formatMoney(model.price) } };
  }
  return quotePayout(margin, revenue, payout);
}

/** The same for a payout that stands, with what a promotion has added to it: that may take more than the least margin where it is allowed to. */
export function quotePayout(margin: Margin, revenue: Money, payout: Money, promotion?: PromotionShare): Quote | Explanation {
  const required = requiredMargin(margin, revenue);
  const least = promotion?.belowMargin ? Math.max(0, required - promotion.extra) : required;
  if (revenue - payout < least) return { code: 'margin-too-small', params: figures(revenue, payout, least) };
  return { revenue, payout, margin: revenue - payout, ...(promotion && { promotion }) };
}

/** What a promotion wants to add to a quote, and what of it the margin has room for; a percent is rounded down. */
export function raiseOf(
  { raise, belowMargin }: Pick<PromotionConfig, 'raise' | 'belowMargin'>,
  margin: Margin,
  quote: Quote,
): { wanted: Money; extra: Money } {
  const wanted = raise.kind === 'fixed' ? raise.amount : percentOf(quote.payout, raise.percent, 'down');
  const room = belowMargin ? quote.margin : quote.margin - requiredMargin(margin, quote.revenue);
  return { wanted, extra: Math.max(0, Math.min(wanted, room)) };
}

/** The quote with what a promotion adds, which comes out of the margin. */
export function withPromotion({ revenue, payout, margin }: Quote, promotion: PromotionShare): Quote {
  return { revenue, payout: payout + promotion.extra, margin: margin - promotion.extra, promotion };
}

const figures = (revenue: Money, payout: Money, required: Money) => ({
  revenue: formatMoney(revenue),
  payout: formatMoney(payout),
  left: formatMoney(revenue - payout),
  required: formatMoney(required),
});

export function isQuote(result: Quote | Explanation): result is Quote {
  return 'payout' in result;
}

/** What a sale at an unknown price will cost at least in payout; 0 where that depends on the price. */
export function leastPayout(model: PriceModel): Money {
  return model.kind === 'share' ? 0 : model.price;
}
