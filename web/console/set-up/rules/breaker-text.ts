/** A breaker's setting as it is typed, and what it says in words. */
import type { BreakerView } from '#contract/tier.ts';

export type BreakerText = Record<keyof BreakerView, string>;

export const freshBreaker: BreakerText = { failurePercent: '50', minimumCalls: '10', lookBackMinutes: '5', pauseMinutes: '5' };

const MOST: Record<keyof BreakerView, { most: number; what: string }> = {
  failurePercent: { most: 100, what: 'The share of failed calls' },
  minimumCalls: { most: 10_000, what: 'The fewest calls' },
  lookBackMinutes: { most: 1440, what: 'The minutes looked back' },
  pauseMinutes: { most: 1440, what: 'The minutes of the pause' },
};
const names = Object.keys(MOST) as (keyof BreakerView)[];

export const toBreakerText = (breaker: BreakerView | null): BreakerText | null =>
  breaker && (Object.fromEntries(names.map((name) => [name, String(breaker[name])])) as BreakerText);

export const toBreaker = (text: BreakerText | null): BreakerView | null =>
  text && (Object.fromEntries(names.map((name) => [name, Number(text[name])])) as BreakerView);

export function checkBreaker(text: BreakerText | null): string | null {
  const wrong = text && names.find((name) => !(Number(text[name]) >= 1 && Number(text[name]) <= MOST[name].most));
  return wrong ? `${MOST[wrong].what} must be from 1 to ${MOST[wrong].most}.` : null;
}

/** Empty while a figure is missing. */
export function breakerSentence(text: BreakerText): string {
  if (checkBreaker(text)) return '';
  const { failurePercent, minimumCalls, lookBackMinutes, pauseMinutes } = toBreaker(text)!;
  const failed = failurePercent === 100 ? 'all calls' : `${failurePercent}% or more of the calls`;
  return (
    `When ${failed} within ${minutes(lookBackMinutes)} end in an error or without an answer, and there were at least ${minimumCalls}, ` +
    `nothing is sent for ${minutes(pauseMinutes)}. Then one lead at a time tries it again. A decline is no failure.`
  );
}

export const minutes = (count: number): string => (count === 1 ? 'one minute' : `${count} minutes`);
