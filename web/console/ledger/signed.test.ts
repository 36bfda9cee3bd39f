import { expect, it } from 'vitest';
import { isMinus, isNothing, turned } from './signed.ts';

it('turns amounts round without touching a digit', () => {
  expect(['12.50', '-12.50', '0.00', '0.0001', '-0.0001'].map(turned)).toEqual(['-12.50', '12.50', '0.00', '-0.0001', '0.0001']);
});

it('knows what is less than nothing, and what is nothing', () => {
  expect(['-1.00', '-0.00', '0.00', '1.00'].map(isMinus)).toEqual([true, false, false, false]);
  expect(['-0.00', '0', '0.0000', '0.0001'].map(isNothing)).toEqual([true, true, true, false]);
});
