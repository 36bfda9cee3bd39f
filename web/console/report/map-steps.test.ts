import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MOST_STEPS, shadeOf, stepsOf } from './map-steps.ts';

test('about as many states in each shade', () => {
  expect(stepsOf([1, 2, 3, 4, 5, 6, 7, 8, 9, 1000])).toEqual([
    { from: 1, to: 2 },
    { from: 3, to: 4 },
    { from: 5, to: 6 },
    { from: 7, to: 8 },
    { from: 9, to: 1000 },
  ]);
});

test('equal values have one shade, none and less than none have none', () => {
  const steps = stepsOf([4, 4, 4, 0, -2]);
  expect(steps).toEqual([{ from: 4, to: 4 }]);
  expect([4, 0, -2].map((value) => shadeOf(steps, value))).toEqual([MOST_STEPS, 0, 0]);
  expect(stepsOf([])).toEqual([]);
});

test('more is never paler', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 500 }), { maxLength: 60 }), (values) => {
      const steps = stepsOf(values);
      const shades = values.toSorted((a, b) => a - b).map((value) => shadeOf(steps, value));
      expect(shades).toEqual(shades.toSorted((a, b) => a - b));
      expect(values.every((value) => value > 0 === shadeOf(steps, value) > 0)).toBe(true);
    }),
  );
});
