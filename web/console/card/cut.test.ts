import { expect, it } from 'vitest';
import { cutOf } from './cut.ts';

it.each([
  [
    { width: 400, height: 200 },
    { zoom: 1, x: 50, y: 50 },
    { left: 100, top: 0, side: 200 },
  ],
  [
    { width: 400, height: 200 },
    { zoom: 2, x: 100, y: 100 },
    { left: 300, top: 100, side: 100 },
  ],
  [
    { width: 200, height: 400 },
    { zoom: 1, x: 0, y: 0 },
    { left: 0, top: 0, side: 200 },
  ],
  [
    { width: 100, height: 100 },
    { zoom: 0.1, x: 0, y: 0 },
    { left: 0, top: 0, side: 100 },
  ],
])('a square of %j by %j never goes beyond the edge', (size, cut, square) => {
  expect(cutOf(size, cut)).toEqual(square);
});
