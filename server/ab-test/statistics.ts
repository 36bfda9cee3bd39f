/**
 * How a variant compares with the control. Which formula, and why: docs/decisions/0023.
 * Every figure is of leads that reached the tree, and of the consumers who sent them; money is in currency units here, because means and variances of it are no amounts any more.
 */
import { chiSquareAbove, normalQuantile, studentQuantile } from './distribution.ts';

/** What is known of a mean: how many consumers it is of, and how much one of them differs from another. */
export interface Sample {
  count: number;
  mean: number;
  /** Of one; of the mean it is the count'th part. */
  variance: number;
}

/** Sums over consumers: of their leads, of what these brought, of the squares of both, and of their product. */
export interface ConsumerSums {
  count: number;
  leads: number;
  total: number;
  leadSquares: number;
  squares: number;
  cross: number;
}

/**
 * What a lead brings on average, and how sure that is. Consumers are split, and several leads of one are alike: so the variance is that of
 * consumers, by the delta method for a ratio of two sums. With one lead each it is the plain variance.
 */
export function perLead({ count, leads, total, leadSquares, squares, cross }: ConsumerSums): Sample {
  if (leads === 0) return { count, mean: 0, variance: 0 };
  const mean = total / leads;
  if (count < 2) return { count, mean, variance: 0 };
  const spread = Math.max(0, squares - 2 * mean * cross + mean ** 2 * leadSquares) / (count - 1);
  return { count, mean, variance: spread / (leads / count) ** 2 };
}

export interface Interval {
  low: number;
  high: number;
}

/** The difference of two means with Welch's interval: variances may differ. Right for one look. Undefined where there is too little to say. */
export function welchInterval(control: Sample, variant: Sample, alpha: number): Interval | undefined {
  const parts = [control, variant].map((sample) => ({ count: sample.count, share: sample.variance / sample.count }));
  if (parts.some(({ count }) => count < 2)) return undefined;
  const variance = parts.reduce((sum, { share }) => sum + share, 0);
  if (variance === 0) return undefined;
  const degrees = variance ** 2 / parts.reduce((sum, { share, count }) => sum + share ** 2 / (count - 1), 0);
  return around(variant.mean - control.mean, studentQuantile(1 - alpha / 2, degrees) * Math.sqrt(variance));
}

/**
 * The same, right at every look however often somebody looks and whenever they stop: the mixture sequential test of Johari, Pekelis and Walsh (2017)
 * turned round. `scale` is the size of effect it is sharpest for, fixed before the test.
 */
export function anytimeInterval(control: Sample, variant: Sample, alpha: number, scale: number): Interval | undefined {
  if (control.count < ANYTIME_FROM || variant.count < ANYTIME_FROM) return undefined;
  const variance = control.variance / control.count + variant.variance / variant.count;
  if (variance === 0 || !(scale > 0)) return undefined;
  const mixed = variance + scale ** 2;
  const reach = Math.sqrt(((variance * mixed) / scale ** 2) * (2 * Math.log(1 / alpha) + Math.log(mixed / variance)));
  return around(variant.mean - control.mean, reach);
}

/** Its means are treated as normal, which so many leads allow. */
export const ANYTIME_FROM = 100;

/** How many times as many leads there are as if each were of another consumer, for the same certainty; 1 where each is. */
export function designEffect({ count, mean, variance }: Sample, leads: number): number {
  const plain = (mean * (1 - mean)) / leads;
  return count < 2 || plain === 0 ? 1 : Math.max(1, variance / count / plain);
}

/** The difference of two rates with Newcombe's hybrid score interval (1998, method 10): sound for few leads and for rates near 0 or 1. */
export function rateInterval(
  control: [hits: number, of: number],
  variant: [hits: number, of: number],
  alpha: number,
): Interval | undefined {
  if (control[1] === 0 || variant[1] === 0) return undefined;
  const [p1, p2] = [variant[0] / variant[1], control[0] / control[1]];
  const [a, b] = [wilson(variant, alpha), wilson(control, alpha)];
  return {
    low: p1 - p2 - Math.sqrt((p1 - a.low) ** 2 + (b.high - p2) ** 2),
    high: p1 - p2 + Math.sqrt((a.high - p1) ** 2 + (p2 - b.low) ** 2),
  };
}

function wilson([hits, of]: [number, number], alpha: number): Interval {
  const z = normalQuantile(1 - alpha / 2);
  const p = hits / of;
  const centre = (p + z ** 2 / (2 * of)) / (1 + z ** 2 / of);
  const reach = (z * Math.sqrt((p * (1 - p)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of);
  return { low: centre - reach, high: centre + reach };
}

const POWER = 0.8;

/** Consumers of the whole test with which a difference of `effect` is found in 8 of 10 tests. Shares of control and variant are parts of 1. */
export function consumersNeeded(
  variance: number,
  effect: number,
  shares: { control: number; variant: number },
  alpha: number,
): number | undefined {
  if (!(variance > 0) || !(effect > 0)) return undefined;
  const z = normalQuantile(1 - alpha / 2) + normalQuantile(POWER);
  return Math.ceil((z ** 2 * variance * (1 / shares.control + 1 / shares.variant)) / effect ** 2);
}

/** How likely consumers fall as unevenly as this by luck, when they are split by these percents; below SPLIT_DOUBT the split itself is in doubt. */
export function splitLikelihood(counts: number[], sharePercents: number[]): number {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return 1;
  const distance = counts.reduce((sum, count, at) => {
    const due = (total * sharePercents[at]!) / 100;
    return sum + (count - due) ** 2 / due;
  }, 0);
  return chiSquareAbove(distance, counts.length - 1);
}

export const SPLIT_DOUBT = 0.001;

const around = (middle: number, reach: number): Interval => ({ low: middle - reach, high: middle + reach });
