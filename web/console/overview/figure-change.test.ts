import { expect, test } from 'vitest';
import { moneyChange, percentChange, pointChange } from './figure-change.ts';

test('more leads is good news, more payout is neither', () => {
  expect(percentChange(110, 100, 'good')).toEqual({ text: '10%', direction: 'up', feeling: 'good' });
  expect(moneyChange('110.00', '100.00', 'neutral')).toEqual({ text: '10%', direction: 'up', feeling: 'neutral' });
});
test('a loss that grew is down, whatever the signs', () => {
  expect(moneyChange('-20.00', '-10.00', 'good')).toMatchObject({ direction: 'down', feeling: 'bad' });
});
test('nothing to compare with gives no change', () => {
  expect(percentChange(5, 0, 'good')).toBeNull();
  expect(pointChange({ part: 1, whole: 2 }, { part: 0, whole: 0 })).toBeNull();
});
test('a rate moves in points', () => {
  expect(pointChange({ part: 46, whole: 100 }, { part: 40, whole: 100 })).toEqual({ text: '6.0 points', direction: 'up', feeling: 'good' });
});
