/** console §3 "ab-testing": the formulas, against figures that others have published, and against what they promise. */
import { expect, test } from 'vitest';
import { randomOf } from '#db/seed/random.ts';
import {
  anytimeInterval,
  consumersNeeded,
  designEffect,
  perLead,
  rateInterval,
  type Sample,
  splitLikelihood,
  welchInterval,
} from './statistics.ts';

/** Leads of as many consumers. */
const sampleOf = (values: number[]): Sample => sampleBy(values.map((value) => [value]));
/** Leads by consumer. */
const sampleBy = (consumers: number[][]): Sample => {
  const sum = (of: (leads: number[]) => number) => consumers.reduce((total, leads) => total + of(leads), 0);
  const totalOf = (leads: number[]) => leads.reduce((total, value) => total + value, 0);
  return perLead({
    count: consumers.length,
    leads: sum((leads) => leads.length),
    total: sum(totalOf),
    leadSquares: sum((leads) => leads.length ** 2),
    squares: sum((leads) => totalOf(leads) ** 2),
    cross: sum((leads) => totalOf(leads) * leads.length),
  });
};

/** From what is usually published: how many, their mean and their variance. */
const summary = (count: number, mean: number, variance: number): Sample => ({ count, mean, variance });

test('Welch: with equal sizes and variances it is the interval of the tables, 28 degrees of freedom', () => {
  const { low, high } = welchInterval(summary(15, 20, 4), summary(15, 23, 4), 0.05)!;
  const reach = 2.048_407 * Math.sqrt(8 / 15);
  expect([low, high].map((edge) => edge.toFixed(4))).toEqual([(3 - reach).toFixed(4), (3 + reach).toFixed(4)]);
});
test('Welch: the published pair with 25.0 degrees of freedom (means 20.8 and 23.0, variances 7.9 and 3.8)', () => {
  const { low, high } = welchInterval(summary(15, 20.8, 7.9), summary(15, 23, 3.8), 0.05)!;
  const reach = 2.059_9 * Math.sqrt(7.9 / 15 + 3.8 / 15);
  expect((high - low) / 2).toBeCloseTo(reach, 3);
});

test('a lead per consumer: mean and variance are the plain ones', () => {
  expect(sampleOf([1, 2, 6])).toEqual({ count: 3, mean: 3, variance: 7 });
});
test('several leads of a consumer are no more certain than one, when they are all alike', () => {
  const random = randomOf('repeats').next;
  const once = Array.from({ length: 500 }, () => [lead(random, 0.3)]);
  const [single, repeated] = [sampleBy(once), sampleBy(once.map(([value]) => [value!, value!, value!]))];
  expect(repeated.mean).toBeCloseTo(single.mean, 10);
  expect(repeated.variance / repeated.count).toBeCloseTo(single.variance / single.count, 10);
  const sold = sampleBy(once.map(([value]) => Array.from({ length: 3 }, () => (value! > 0 ? 1 : 0))));
  expect(designEffect(sold, 1_500)).toBeCloseTo(3, 1);
  expect(designEffect(sampleOf(once.map(([value]) => (value! > 0 ? 1 : 0))), 500)).toBeCloseTo(1, 1);
});

test('two rates: Newcombe’s own example, 56 of 70 against 48 of 80', () => {
  const { low, high } = rateInterval([48, 80], [56, 70], 0.05)!;
  expect(low).toBeCloseTo(0.0524, 4);
  expect(high).toBeCloseTo(0.3339, 4);
});
test('two rates: Newcombe’s example at the edge, 10 of 10 against 0 of 20', () => {
  const { low, high } = rateInterval([0, 20], [10, 10], 0.05)!;
  expect(low).toBeCloseTo(0.6791, 4);
  expect(high).toBeCloseTo(1, 4);
});

test('consumers needed: 16 variances over the square of the effect per variant, as the rule of thumb says', () => {
  const total = consumersNeeded(100, 1, { control: 0.5, variant: 0.5 }, 0.05)!;
  expect(total / 2).toBeCloseTo(15.7 * 100, -1);
  expect(consumersNeeded(100, 0.5, { control: 0.5, variant: 0.5 }, 0.05)! / total).toBeCloseTo(4, 2);
  expect(consumersNeeded(100, 1, { control: 0.9, variant: 0.1 }, 0.05)!).toBeGreaterThan(2.5 * total);
  expect(consumersNeeded(0, 1, { control: 0.5, variant: 0.5 }, 0.05)).toBeUndefined();
});

test('the split: what luck explains passes, what it does not is in doubt', () => {
  expect(splitLikelihood([5_020, 4_980], [50, 50])).toBeGreaterThan(0.5);
  expect(splitLikelihood([5_300, 4_700], [50, 50])).toBeLessThan(1e-8);
  expect(splitLikelihood([900, 100], [90, 10])).toBe(1);
  expect(splitLikelihood([0, 0], [50, 50])).toBe(1);
});

/** Leads of a real shape: most earn nothing, the sold ones much. */
const lead = (random: () => number, rate: number): number => (random() < rate ? 20 + 30 * random() : 0);

const newStream = () => ({ count: 0, leads: 0, total: 0, leadSquares: 0, squares: 0, cross: 0 });
function addTo(stream: ReturnType<typeof newStream>, value: number): void {
  for (const name of ['count', 'leads', 'leadSquares'] as const) stream[name] += 1;
  for (const name of ['total', 'cross'] as const) stream[name] += value;
  stream.squares += value * value;
}

test('who looks after every 100 leads finds a difference that is none: by Welch in many tests, by the anytime interval in at most 1 of 20', () => {
  const [tests, looks] = [300, 40];
  const wrong = { welch: 0, anytime: 0 };
  const random = randomOf('looks').next;
  for (let run = 0; run < tests; run++) {
    const streams = [newStream(), newStream()];
    const seen = { welch: false, anytime: false };
    for (let look = 0; look < looks; look++) {
      for (const stream of streams) for (let at = 0; at < 100; at++) addTo(stream, lead(random, 0.3));
      const [control, variant] = streams.map(perLead) as [Sample, Sample];
      const excludes = (interval: { low: number; high: number } | undefined) =>
        interval !== undefined && (interval.low > 0 || interval.high < 0);
      seen.welch ||= excludes(welchInterval(control, variant, 0.05));
      seen.anytime ||= excludes(anytimeInterval(control, variant, 0.05, 1));
    }
    wrong.welch += Number(seen.welch);
    wrong.anytime += Number(seen.anytime);
  }
  expect(wrong.welch / tests).toBeGreaterThan(0.15);
  expect(wrong.anytime / tests).toBeLessThanOrEqual(0.05);
});

test('a difference that is there is found by the anytime interval before long', () => {
  const random = randomOf('difference').next;
  const [control, variant] = [
    sampleOf(Array.from({ length: 4_000 }, () => lead(random, 0.3))),
    sampleOf(Array.from({ length: 4_000 }, () => lead(random, 0.36))),
  ];
  expect(anytimeInterval(control, variant, 0.05, 1)!.low).toBeGreaterThan(0);
  expect(anytimeInterval(sampleOf([1, 2]), variant, 0.05, 1)).toBeUndefined();
});
