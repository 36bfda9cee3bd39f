import { expect, test } from 'vitest';
import { explain } from './explain.ts';

const usd = { currency: 'USD' };

test('amounts in sentences have their currency, at most four decimals and no trailing noise; other figures have none', () => {
  const bought = { code: 'bought', params: { revenue: '20.00', payout: '16.1234', margin: '3.8766', flagged: false } } as const;
  expect(explain(bought, usd)).toBe('Bought for USD 20.00: USD 16.1234 to the publisher, USD 3.8766 margin.');
  expect(explain({ code: 'posted', params: { price: null, timeoutMs: 900 } }, usd)).toBe('Posted, with 900 ms to answer.');
  const cap = { owner: 'buyer', period: 'day', resetsAt: null, amount: '5.00' } as const;
  expect(explain({ code: 'cap-reached', params: { ...cap, measure: 'money', used: '98.00', limit: '100.00' } }, usd)).toMatch(
    /USD 98\.00 of USD 100\.00 used, USD 5\.00 more does not fit\.$/,
  );
  expect(explain({ code: 'cap-reached', params: { ...cap, measure: 'sold', used: 3, limit: 3 } }, usd)).toMatch(
    / sold cap.* reached: 3 of 3\.$/,
  );
  expect(explain(bought)).toBe('Bought for 20.00: 16.1234 to the publisher, 3.8766 margin.');
});
