import { expect, test } from 'vitest';
import { afterPostHeld, priceRulesHeld, timeHeld } from './tier-held.ts';

test('console §3: a closed section of the tier’s form says what is typed in it, a draft’s that came back too', () => {
  const begun = { floor: '', postPriceRule: 'take', qualityFactor: '1' };
  expect(priceRulesHeld(begun)).toBe('no floor; whatever price the post names is taken');
  expect(priceRulesHeld({ floor: '9', postPriceRule: 'refuse', qualityFactor: '1.5' })).toBe(
    'floor 9; another price of the post counts as declined; bids weigh × 1.5',
  );
  expect(priceRulesHeld({ ...begun, qualityFactor: '1.0' })).toBe(priceRulesHeld(begun));
  expect(afterPostHeld({ pendingHours: '72', returnDays: '' })).toBe('a pending sale is decided within 72 hours');
  expect(afterPostHeld({ pendingHours: '2', returnDays: '30' })).toBe('a pending sale is decided within 2 hours; returned within 30 days');
  expect(timeHeld({ timeLimitMs: '1500', afterTimeout: 'hold' })).toBe('without an answer in 1.5 s the lead is held');
});
