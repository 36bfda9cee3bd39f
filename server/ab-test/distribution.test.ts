import { expect, test } from 'vitest';
import { chiSquareAbove, normalQuantile, studentBelow, studentQuantile } from './distribution.ts';

test.each([
  [0.975, 1, 12.706_204_736],
  [0.975, 5, 2.570_581_836],
  [0.975, 30, 2.042_272_456],
  [0.995, 10, 3.169_272_673],
  [0.9, 2, 1.885_618_083],
])('Student: %d of it lies below its quantile with %d degrees, as the tables say', (probability, degrees, quantile) => {
  expect(studentQuantile(probability, degrees)).toBeCloseTo(quantile, 7);
  expect(studentBelow(quantile, degrees)).toBeCloseTo(probability, 9);
});
test('Student is symmetrical, and becomes the normal distribution', () => {
  expect(studentBelow(-1.3, 7)).toBeCloseTo(1 - studentBelow(1.3, 7), 12);
  expect(studentQuantile(0.975, 1e6)).toBeCloseTo(normalQuantile(0.975), 5);
  expect(normalQuantile(0.975)).toBeCloseTo(1.959_963_985, 8);
  expect(normalQuantile(0.8)).toBeCloseTo(0.841_621_234, 8);
});
test.each([
  [3.841_458_821, 1, 0.05],
  [5.991_464_547, 2, 0.05],
  [9.487_729_037, 4, 0.05],
  [18.466_826_953, 4, 0.001],
  [0.710_723_021, 4, 0.95],
])('chi-square: above %d with %d degrees lies %d, as the tables say', (x, degrees, probability) => {
  expect(chiSquareAbove(x, degrees)).toBeCloseTo(probability, 9);
});
