import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bucketFrom, percentile } from './percentile.ts';

const bucketOf = (ms: number) => Math.floor(8 * Math.log2(Math.max(ms, 1)));

test('a percentile out of buckets is within 4.5 percent of the exact one', () => {
  fc.assert(
    fc.property(
      fc.array(fc.double({ min: 20, max: 300_000, noNaN: true }), { minLength: 1, maxLength: 200 }),
      fc.constantFrom(0.5, 0.75, 0.9),
      (times, share) => {
        const buckets = new Map<number, number>();
        for (const ms of times) buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1);
        const exact = times.sort((a, b) => a - b)[Math.max(1, Math.ceil(times.length * share)) - 1]!;
        // Half a millisecond is the rounding.
        expect(Math.abs(percentile(buckets, share)! - exact)).toBeLessThanOrEqual(exact * 0.045 + 0.5);
      },
    ),
  );
});

test('nothing has no percentile, and the first bucket begins with nothing', () => {
  expect(percentile(new Map(), 0.5)).toBeNull();
  expect([bucketFrom(0), bucketFrom(8)]).toEqual([0, 2]);
});
