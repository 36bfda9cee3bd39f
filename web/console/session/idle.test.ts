import { expect, test } from 'vitest';
import { idlenessAt } from './idle.ts';

const minutes = (count: number) => count * 60_000;
test.each([
  [0, { state: 'active' }],
  [minutes(30), { state: 'active' }],
  [minutes(30) + 1, { state: 'warning', secondsLeft: 59 }],
  [minutes(30) + 1000, { state: 'warning', secondsLeft: 58 }],
  [minutes(30) + 58_999, { state: 'warning', secondsLeft: 1 }],
  [minutes(30) + 59_000, { state: 'over' }],
  [minutes(600), { state: 'over' }],
])('console §4: %i ms after the last action', (gapMs, idleness) => {
  expect(idlenessAt(1_000_000, 1_000_000 + gapMs)).toEqual(idleness);
});
