/** From what was measured to what may be said of it. Pure. */
import type { TestMetric, VariantResult } from '#contract/ab-test.ts';
import { formatMoney, parseSum } from '#engine/money.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Measured } from './ab-test.sql.ts';
import {
  anytimeInterval,
  consumersNeeded,
  designEffect,
  perLead,
  rateInterval,
  type Sample,
  SPLIT_DOUBT,
  splitLikelihood,
  welchInterval,
} from './statistics.ts';

/** All comparisons of a test together are wrong in at most 1 of 20. */
const ALPHA = 0.05;

export interface JudgedTest {
  metric: TestMetric;
  /** In currency units per lead; null before the start. */
  scale: number | null;
  minimumEffect: number;
  /** The control first. */
  variants: { id: string; sharePercent: number }[];
}

/** Of each comparison with the control: one of several has to be surer of itself (Bonferroni). */
export const alphaOf = ({ variants }: Pick<JudgedTest, 'variants'>): number => ALPHA / Math.max(1, variants.length - 1);

export function judgeVariants(test: JudgedTest, measured: Measured[]): VariantResult[] {
  const found = test.variants.map(({ id }) => measured.find((one) => one.variant_id === id) ?? nothing(id));
  const [control] = found;
  return found.map((variant, at) => ({ ...figuresOf(variant), against: at === 0 ? null : compare(test, control!, variant) }));
}

const nothing = (variant_id: string): Measured => ({
  ...{ variant_id, consumers: 0, leads: 0, sold: 0, revenue: '0', payout: '0', margin: '0' },
  ...{ leads_squares: 0, sold_squares: 0, revenue_squares: 0, margin_squares: 0, sold_cross: 0, revenue_cross: 0, margin_cross: 0 },
});

function figuresOf({ variant_id, consumers, leads, sold, revenue, payout, margin }: Measured): Omit<VariantResult, 'against'> {
  // As in every report: rounded to the nearest ten-thousandth.
  const each = (text: string) => formatMoney(leads === 0 ? 0 : Math.round(parseSum(text) / leads));
  return {
    ...{ variantId: variant_id, consumers, leads, sold, revenue: money(revenue), payout: money(payout), margin: money(margin) },
    ...{ epl: each(revenue), marginPerLead: each(margin) },
  };
}

type Sums = Omit<Measured, 'variant_id'>;

/** What decides, per lead. */
export const sampleOf = (sums: Sums, metric: TestMetric): Sample =>
  perLead({
    ...{ count: sums.consumers, leads: sums.leads, leadSquares: sums.leads_squares, total: Number(sums[metric]) },
    squares: metric === 'revenue' ? sums.revenue_squares : sums.margin_squares,
    cross: metric === 'revenue' ? sums.revenue_cross : sums.margin_cross,
  });

/** Sold of leads, as many as they are worth when those of one consumer are alike. */
function soldOf(sums: Sums): [hits: number, of: number] {
  const { consumers, leads, leads_squares, sold, sold_squares, sold_cross } = sums;
  const rate = perLead({ count: consumers, leads, leadSquares: leads_squares, total: sold, squares: sold_squares, cross: sold_cross });
  const times = designEffect(rate, leads);
  return [sold / times, leads / times];
}

function compare(test: JudgedTest, control: Measured, variant: Measured): VariantResult['against'] {
  if (control.leads === 0 || variant.leads === 0) return null;
  const alpha = alphaOf(test);
  const [a, b] = [sampleOf(control, test.metric), sampleOf(variant, test.metric)];
  const difference = b.mean - a.mean;
  const anytime = (test.scale !== null && anytimeInterval(a, b, alpha, test.scale)) || null;
  return {
    liftPercent: a.mean > 0 ? (difference / a.mean) * 100 : null,
    difference,
    once: welchInterval(a, b, alpha) ?? null,
    anytime,
    acceptRate: rateInterval(soldOf(control), soldOf(variant), alpha) ?? null,
    verdict: anytime && anytime.low > 0 ? 'better' : anytime && anytime.high < 0 ? 'worse' : 'open',
  };
}

/** Leads of the whole test that finding the minimum effect takes, judged by `control`; the smallest variant is what it waits for. */
export function planLeads(test: JudgedTest, control: Sums): number | null {
  const sample = sampleOf(control, test.metric);
  const effect = (sample.mean * test.minimumEffect) / 100;
  const leadsEach = control.leads / Math.max(1, control.consumers);
  const [own, ...others] = test.variants.map(({ sharePercent }) => sharePercent / 100);
  const needed = others.map((share) => consumersNeeded(sample.variance, effect, { control: own!, variant: share }, alphaOf(test)) ?? 0);
  return Math.ceil(Math.max(0, ...needed) * leadsEach) || null;
}

/** Where the split itself is in doubt, whatever the figures say. */
export function doubtSplit({ variants }: JudgedTest, results: VariantResult[]): { likelihood: number } | null {
  const likelihood = splitLikelihood(
    results.map(({ consumers }) => consumers),
    variants.map(({ sharePercent }) => sharePercent),
  );
  return likelihood < SPLIT_DOUBT ? { likelihood } : null;
}
