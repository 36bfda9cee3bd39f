import { expect, test } from 'vitest';
import { breakerSentence, checkBreaker, freshBreaker, toBreaker, toBreakerText } from './breaker-text.ts';

test('engine Breaker: what is typed goes to the server and comes back as it was', () => {
  expect(toBreakerText(toBreaker(freshBreaker))).toEqual(freshBreaker);
  expect([toBreaker(null), toBreakerText(null)]).toEqual([null, null]);
});

test.each([
  ['failurePercent', '101', 'The share of failed calls must be from 1 to 100.'],
  ['minimumCalls', '', 'The fewest calls must be from 1 to 10000.'],
  ['pauseMinutes', '0', 'The minutes of the pause must be from 1 to 1440.'],
  ['lookBackMinutes', '1441', 'The minutes looked back must be from 1 to 1440.'],
])('engine Breaker: %s of "%s" is refused before it is sent', (name, text, refusal) => {
  expect(checkBreaker({ ...freshBreaker, [name]: text })).toBe(refusal);
  expect(breakerSentence({ ...freshBreaker, [name]: text })).toBe('');
});

test('engine Breaker: the setting says in words what it does', () => {
  expect(checkBreaker(freshBreaker)).toBeNull();
  expect(breakerSentence({ ...freshBreaker, failurePercent: '100', pauseMinutes: '1' })).toBe(
    'When all calls within 5 minutes end in an error or without an answer, and there were at least 10, nothing is sent for one minute. Then one lead at a time tries it again. A decline is no failure.',
  );
});
