import { expect, test } from 'vitest';
import { gateOpening, waterGate } from './water-gate.ts';

test('account §9, console §1: the waiting animation has the measures of the specification', () => {
  expect(waterGate).toMatchObject({ width: 90, height: 50, framesPerSecond: 24, frames: 29, tint: 0.65, baseOpacity: 0.7 });
});
test('console §1: the loop closes: the gate is shut at both ends and open in between', () => {
  expect(gateOpening(0)).toBeCloseTo(0);
  expect(gateOpening(waterGate.frames)).toBeCloseTo(0);
  expect(gateOpening(waterGate.still)).toBeGreaterThan(0.98);
});
