import { expect, test } from 'vitest';
import type { AttemptView } from '#contract/lead.ts';
import { attemptBars, clockMarks, timeShares } from './waterfall.ts';

const attempt = (offsetMs: number, elapsedMs: number) => ({ offsetMs, elapsedMs }) as AttemptView;

test('the shares fill the bar', () => {
  const shares = timeShares({ totalMs: 100, ownMs: 5, storeMs: 5, buyersMs: 40 });
  expect(shares.reduce((sum, share) => sum + share.percent, 0)).toBeCloseTo(100);
  expect(timeShares({ totalMs: 0, ownMs: 0, storeMs: 0, buyersMs: 0 }).every((share) => share.percent === 0)).toBe(true);
});
test('bars lie where their time was, and never leave the track', () => {
  const { bars, endMs } = attemptBars([attempt(0, 500), attempt(500, 500), attempt(999, 0)], 1000);
  expect(endMs).toBe(1000);
  expect(bars.map(({ left, width }) => [left, width])).toEqual([
    [0, 50],
    [50, 50],
    [99.4, 0.6],
  ]);
});
test('an answer after the end stretches the clock', () => {
  expect(attemptBars([attempt(100, 2000)], 900).endMs).toBe(2100);
});
test.each([1, 37, 900, 1366, 30_000])('the clock of %d ms has few and round marks', (endMs) => {
  const marks = clockMarks(endMs);
  expect(marks.length).toBeGreaterThanOrEqual(2);
  expect(marks.length).toBeLessThanOrEqual(6);
  expect(marks[0]).toBe(0);
});
