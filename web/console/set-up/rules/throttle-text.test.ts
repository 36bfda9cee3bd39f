import { expect, it } from 'vitest';
import { checkThrottle, freshThrottle, throttleSentence, toThrottle, toThrottleText } from './throttle-text.ts';

it('a throttle says what it does, of failures, of slow answers, or of both', () => {
  expect(throttleSentence(freshThrottle)).toBe(
    'While 30% or more of the calls fail within 5 minutes, of at least 10, 20 of 100 leads are sent; the others go on to the next tier. It ends by itself when the buyer is well again.',
  );
  expect(throttleSentence({ ...freshThrottle, failurePercent: '', slowMs: '2000', slowPercent: '40' })).toContain(
    'While 40% or more take longer than 2000 ms within 5 minutes',
  );
  expect(throttleSentence({ ...freshThrottle, slowMs: '2000', slowPercent: '40' })).toContain('calls fail, or 40% or more take');
});

it('what is missing or out of bounds is said, and only what is whole is sent', () => {
  expect(checkThrottle(null)).toBeNull();
  expect(checkThrottle({ ...freshThrottle, failurePercent: '' })).toBe('Say how many calls may fail, how many may be slow, or both.');
  expect(checkThrottle({ ...freshThrottle, slowMs: '2000' })).toBe('Say both of slow calls: from how many ms on, and how many of them.');
  expect(checkThrottle({ ...freshThrottle, sharePercent: '100' })).toBe('The share of the leads must be from 1 to 99.');
  expect(checkThrottle({ ...freshThrottle, minimumCalls: '' })).toBe('The fewest calls must be from 1 to 10000.');
  const both = { sharePercent: 20, failurePercent: 30, slow: { afterMs: 2000, percent: 40 }, minimumCalls: 10, lookBackMinutes: 5 };
  expect(toThrottle(toThrottleText(both))).toEqual(both);
  expect(toThrottle(freshThrottle)).toEqual({ sharePercent: 20, failurePercent: 30, minimumCalls: 10, lookBackMinutes: 5 });
});
