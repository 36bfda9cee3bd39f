import { expect, test } from 'vitest';
import { barsOf, otherLimit, suggestedLimitMs } from './other-limit.ts';

const buckets = [
  { fromMs: 100, calls: 50, sold: 20, revenue: '400.00', timeouts: 0 },
  { fromMs: 800, calls: 10, sold: 4, revenue: '80.1002', timeouts: 0 },
  { fromMs: 1900, calls: 12, sold: 1, revenue: '0.20', timeouts: 9 },
];
const lates = [
  { fromMs: 2100, calls: 3, revenue: '60.00' },
  { fromMs: 6000, calls: 2, revenue: '7.50' },
];

test('a shorter limit loses what took longer, a longer one wins what came late, each with its revenue', () => {
  const [none, noneWon] = [
    { lostAnswers: 0, lostSales: 0, lostRevenue: '0.0000' },
    { wonSales: 0, wonRevenue: '0.0000' },
  ];
  expect(otherLimit({ buckets, lates }, 500)).toEqual({ lostAnswers: 13, lostSales: 5, lostRevenue: '80.3002', ...noneWon });
  expect(otherLimit({ buckets, lates }, 2000)).toEqual({ ...none, ...noneWon });
  expect(otherLimit({ buckets, lates }, 3000)).toEqual({ ...none, wonSales: 3, wonRevenue: '60.0000' });
  expect(otherLimit({ buckets, lates }, 9000)).toMatchObject({ wonSales: 5, wonRevenue: '67.5000' });
});
test('the suggestion leaves room above what 99 of 100 answers take', () => {
  expect([suggestedLimitMs({ p99Ms: 812 }), suggestedLimitMs({ p99Ms: 12 }), suggestedLimitMs({ p99Ms: null })]).toEqual([1300, 100, null]);
});
test('bars hold every call once', () => {
  const bars = barsOf(buckets);
  expect(bars[0]).toEqual({ fromMs: 100, answered: 50, timeouts: 0 });
  expect(bars.at(-1)).toEqual({ fromMs: 1500, answered: 3, timeouts: 9 });
  expect(bars.reduce((sum, { answered, timeouts }) => sum + answered + timeouts, 0)).toBe(72);
  expect(barsOf([])).toEqual([]);
});
