import { expect, test } from 'vitest';
import { stepsDone } from './activation-steps.ts';

test.each([
  [0, 0],
  [499, 0],
  [500, 1],
  [1999, 1],
  [2000, 2],
  [3500, 3],
  [4999, 3],
  [5000, 4],
  [5500, 5],
  [5999, 5],
  [6000, 6],
])('account §4: %i ms after the confirmation %i steps are checked off', (elapsedMs, done) => {
  expect(stepsDone(elapsedMs)).toBe(done);
});
