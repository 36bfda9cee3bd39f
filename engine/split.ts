/** A campaign under test: its consumers split over variants, each of them the campaign with something changed. */
import type { PublisherTierPlan, SplitPlan, VariantSeat } from './compiled.ts';
import type { RouteLead } from './lead.ts';
import { percentOf } from './money.ts';
import type { AbTestConfig, PriceModel, VariantConfig } from './plan.ts';

/** Consumers fall into so many equal parts; a percent of them is a hundredth of these. */
export const BUCKETS = 10_000;

/** The variant of the lead and the seat as that has it; the seat itself where nothing is tested, or nobody can say whose lead it is. */
export function takeVariant(
  seat: PublisherTierPlan,
  lead: Pick<RouteLead, 'bucket' | 'variantId'>,
): { tier: PublisherTierPlan; variant?: VariantSeat; split?: SplitPlan } {
  const { split } = seat;
  const variant = split && findVariant(split, lead);
  return variant ? { tier: variant.seat, variant, split } : { tier: seat };
}

function findVariant({ variants }: SplitPlan, { bucket, variantId }: Pick<RouteLead, 'bucket' | 'variantId'>): VariantSeat | undefined {
  const known = variants.find((one) => one.variantId === variantId);
  if (known || bucket === undefined) return known;
  return variants.find((one) => bucket < one.below);
}

/** What keeps a test from running; undefined where it can. */
export function splitProblem({ variants }: AbTestConfig): string | undefined {
  if (variants.length < 2 || variants.length > 5) return 'a test has 2 to 5 variants';
  if (variants.some(({ sharePercent }) => !Number.isSafeInteger(sharePercent) || sharePercent < 1))
    return 'each variant gets 1 percent or more';
  if (variants.reduce((sum, { sharePercent }) => sum + sharePercent, 0) !== 100)
    return 'the shares of the variants must come to 100 percent';
  if (!variants.some(isControl)) return 'one variant must be the control, which changes nothing';
  const percent = variants.find(({ pricePercent = 100 }) => !(pricePercent >= 1 && pricePercent <= 500));
  return percent && 'prices must be 1 to 500 percent of what the tiers say';
}

export const isControl = ({ groups, margin, floor, pricePercent }: VariantConfig): boolean =>
  groups === undefined && margin === undefined && floor === undefined && pricePercent === undefined;

/** A publisher's price in percent of what it is; amounts are rounded down. */
export function scalePrice(model: PriceModel, percent: number): PriceModel {
  if (model.kind === 'share')
    return { kind: 'share', sharePercent: Math.min(100, Math.round(model.sharePercent * percent * 100) / 10_000) };
  return { kind: model.kind, price: percentOf(model.price, percent, 'down') };
}
