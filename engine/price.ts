/** What the publisher gets and what we keep of a price, exactly (engine.md, Price). */
import type { Explanation } from './decision.ts';
import { formatMoney, percentOf } from './money.ts';
import type { Margin, Money, PriceModel } from './plan.ts';

export interface Quote {
  revenue: Money;
  payout: Money;
  margin: Money;
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

/** A quote has payout + margin = revenue and margin >= required; otherwise the refusal says what is short. */
export function quote(model: PriceModel, margin: Margin, revenue: Money): Quote | Explanation {
  const required = requiredMargin(margin, revenue);
  const payout = payoutOf(model, revenue, required);
  if (model.kind === 'minimum' && payout < model.price) {
    return { code: 'payout-under-minimum', params: { ...figures(revenue, payout, required), minimum: formatMoney(model.price) } };
  }
  return quotePayout(margin, revenue, payout);
}

/** The same for a payout that stands. */
export function quotePayout(margin: Margin, revenue: Money, payout: Money): Quote | Explanation {
  const required = requiredMargin(margin, revenue);
  if (revenue - payout < required) return { code: 'margin-too-small', params: figures(revenue, payout, required) };
  return { revenue, payout, margin: revenue - payout };
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
