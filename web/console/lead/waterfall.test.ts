import { expect, test } from 'vitest';
import { callBars, clockMarks, timeShares } from './waterfall.ts';

const call = (offsetMs: number, elapsedMs: number) => ({ offsetMs, elapsedMs });

test('the shares fill the bar', () => {
  const shares = timeShares({ totalMs: 100, ownMs: 5, storeMs: 5, servicesMs: 20, buyersMs: 40 });
  expect(shares.map(({ kind }) => kind)).toEqual(['own', 'store', 'services', 'buyers']);
  expect(shares.reduce((sum, share) => sum + share.percent, 0)).toBeCloseTo(100);
  const none = timeShares({ totalMs: 0, ownMs: 0, storeMs: 0, servicesMs: 0, buyersMs: 0 });
  expect(none.map(({ kind, percent }) => [kind, percent])).toEqual([
    ['own', 0],
    ['store', 0],
    ['buyers', 0],
  ]);
});
test('bars lie where their time was, and never leave the track', () => {
  const { bars, endMs } = callBars([call(0, 500), call(500, 500), call(999, 0)], 1000);
  expect(endMs).toBe(1000);
  expect(bars.map(({ left, width }) => [left, width])).toEqual([
    [0, 50],
    [50, 50],
    [99.4, 0.6],
  ]);
});
test('an answer after the end stretches the clock', () => {
  expect(callBars([call(100, 2000)], 900).endMs).toBe(2100);
});
test.each([1, 37, 900, 1366, 30_000])('the clock of %d ms has few and round marks', (endMs) => {
  const marks = clockMarks(endMs);
  expect(marks.length).toBeGreaterThanOrEqual(2);
  expect(marks.length).toBeLessThanOrEqual(6);
  expect(marks[0]).toBe(0);
});
