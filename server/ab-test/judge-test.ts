/** From what was measured to what may be said of it. Pure. */
import type { TestMetric, VariantResult } from '#contract/ab-test.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Measured } from './ab-test.sql.ts';
import {
  anytimeInterval,
  leadsNeeded,
  meanOf,
  rateInterval,
  type Sample,
  SPLIT_DOUBT,
  splitLikelihood,
  varianceOf,
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
  ...{ variant_id, leads: 0, sold: 0, revenue: '0', payout: '0', margin: '0', revenue_squares: 0, margin_squares: 0 },
});

function figuresOf({ variant_id, leads, sold, revenue, payout, margin }: Measured): Omit<VariantResult, 'against'> {
  const told = (text: string) => formatMoney(parseMoney(text) ?? 0);
  // As in every report: rounded to the nearest ten-thousandth.
  const perLead = (text: string) => formatMoney(leads === 0 ? 0 : Math.round((parseMoney(text) ?? 0) / leads));
  return {
    ...{ variantId: variant_id, leads, sold, revenue: told(revenue), payout: told(payout), margin: told(margin) },
    ...{ epl: perLead(revenue), marginPerLead: perLead(margin) },
  };
}

export const sampleOf = (measured: Omit<Measured, 'variant_id'>, metric: TestMetric): Sample => ({
  count: measured.leads,
  sum: Number(metric === 'revenue' ? measured.revenue : measured.margin),
  squares: metric === 'revenue' ? measured.revenue_squares : measured.margin_squares,
});

function compare(test: JudgedTest, control: Measured, variant: Measured): VariantResult['against'] {
  if (control.leads === 0 || variant.leads === 0) return null;
  const alpha = alphaOf(test);
  const [a, b] = [sampleOf(control, test.metric), sampleOf(variant, test.metric)];
  const difference = meanOf(b) - meanOf(a);
  const anytime = (test.scale !== null && anytimeInterval(a, b, alpha, test.scale)) || null;
  return {
    liftPercent: meanOf(a) > 0 ? (difference / meanOf(a)) * 100 : null,
    difference,
    once: welchInterval(a, b, alpha) ?? null,
    anytime,
    acceptRate: rateInterval([control.sold, control.leads], [variant.sold, variant.leads], alpha) ?? null,
    verdict: anytime && anytime.low > 0 ? 'better' : anytime && anytime.high < 0 ? 'worse' : 'open',
  };
}

/** Leads of the whole test that finding the minimum effect takes, judged by `control`; the smallest variant is what it waits for. */
export function planLeads(test: JudgedTest, control: Omit<Measured, 'variant_id'>): number | null {
  const sample = sampleOf(control, test.metric);
  const effect = (meanOf(sample) * test.minimumEffect) / 100;
  const [own, ...others] = test.variants.map(({ sharePercent }) => sharePercent / 100);
  const needed = others.map((share) => leadsNeeded(varianceOf(sample), effect, { control: own!, variant: share }, alphaOf(test)) ?? 0);
  return Math.max(0, ...needed) || null;
}

/** Where the split itself is in doubt, whatever the figures say. */
export function doubtSplit({ variants }: JudgedTest, results: VariantResult[]): { likelihood: number } | null {
  const likelihood = splitLikelihood(
    results.map(({ leads }) => leads),
    variants.map(({ sharePercent }) => sharePercent),
  );
  return likelihood < SPLIT_DOUBT ? { likelihood } : null;
}
