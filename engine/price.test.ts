import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MONEY_MAX } from './money.ts';
import type { Margin, PriceModel } from './plan.ts';
import { isQuote, quote, quotePayout, raiseOf, requiredMargin, withPromotion } from './price.ts';

const percent = fc.integer({ min: 0, max: 1_000_000 }).map((steps) => steps / 10_000);
const amount = fc.integer({ min: 0, max: MONEY_MAX });
const model: fc.Arbitrary<PriceModel> = fc.oneof(
  amount.map((price) => ({ kind: 'fixed' as const, price })),
  amount.map((price) => ({ kind: 'minimum' as const, price })),
  percent.map((sharePercent) => ({ kind: 'share' as const, sharePercent })),
);
const margin: fc.Arbitrary<Margin> = fc.oneof(
  amount.map((fixed) => ({ kind: 'fixed' as const, amount: fixed })),
  percent.map((of) => ({ kind: 'percent' as const, percent: of })),
);

test('engine: a quote splits revenue exactly and never leaves less than the margin', () => {
  fc.assert(
    fc.property(model, margin, amount, (priceModel, campaignMargin, revenue) => {
      const result = quote(priceModel, campaignMargin, revenue);
      if (!isQuote(result)) return;
      expect(result.payout + result.margin).toBe(revenue);
      expect(result.payout).toBeGreaterThanOrEqual(0);
      expect(result.margin).toBeGreaterThanOrEqual(requiredMargin(campaignMargin, revenue));
    }),
  );
});

test('engine: a fixed price is refused when a ten-thousandth is missing from the margin', () => {
  const terms = [
    { kind: 'fixed', price: 180_000 },
    { kind: 'percent', percent: 10 },
  ] as const;
  expect(quote(...terms, 200_000)).toEqual({ revenue: 200_000, payout: 180_000, margin: 20_000 });
  expect(quote(...terms, 199_999)).toMatchObject({ code: 'margin-too-small', params: { left: '1.9999', required: '2.00' } });
});

test('engine: a required margin of a percent is rounded up, for us', () => {
  expect(requiredMargin({ kind: 'percent', percent: 33.3333 }, 100)).toBe(34);
});

test('engine: a share of everything leaves no margin and is refused where one is required', () => {
  expect(quote({ kind: 'share', sharePercent: 100 }, { kind: 'fixed', amount: 1 }, 200_000)).toMatchObject({ code: 'margin-too-small' });
});

test('engine Price: a promotion comes out of the margin, whole where there is room, cut where there is none', () => {
  fc.assert(
    fc.property(model, margin, amount, amount, percent, fc.boolean(), fc.boolean(), (...drawn) => {
      const [priceModel, campaignMargin, revenue, fixed, of, isFixed, belowMargin] = drawn;
      const base = quote(priceModel, campaignMargin, revenue);
      if (!isQuote(base)) return;
      const raise = isFixed ? { kind: 'fixed' as const, amount: fixed } : { kind: 'percent' as const, percent: of };
      const { wanted, extra } = raiseOf({ raise, belowMargin }, campaignMargin, base);
      const raised = withPromotion(base, { promotionId: 'one', name: 'One', extra, belowMargin });
      expect(raised.payout + raised.margin).toBe(revenue);
      expect(raised.margin).toBeGreaterThanOrEqual(belowMargin ? 0 : requiredMargin(campaignMargin, revenue));
      expect(raised.payout).toBe(base.payout + extra);
      if (extra < wanted) expect(raised.margin).toBe(belowMargin ? 0 : requiredMargin(campaignMargin, revenue));
      // What was promised stands as long as margin and revenue do.
      expect(isQuote(quotePayout(campaignMargin, revenue, raised.payout, raised.promotion))).toBe(true);
    }),
  );
});
