/** A throttle's setting as it is typed, and what it says in words. Failures and slow answers may each be left empty, one of them not. */
import type { ThrottleView } from '#contract/tier.ts';
import { minutes } from './breaker-text.ts';

export interface ThrottleText {
  sharePercent: string;
  failurePercent: string;
  slowMs: string;
  slowPercent: string;
  minimumCalls: string;
  lookBackMinutes: string;
}

export const freshThrottle: ThrottleText = {
  ...{ sharePercent: '20', failurePercent: '30', slowMs: '', slowPercent: '' },
  ...{ minimumCalls: '10', lookBackMinutes: '5' },
};

export const toThrottleText = (throttle: ThrottleView | null): ThrottleText | null =>
  throttle && {
    sharePercent: String(throttle.sharePercent),
    failurePercent: String(throttle.failurePercent ?? ''),
    slowMs: String(throttle.slow?.afterMs ?? ''),
    slowPercent: String(throttle.slow?.percent ?? ''),
    minimumCalls: String(throttle.minimumCalls),
    lookBackMinutes: String(throttle.lookBackMinutes),
  };

export const toThrottle = (text: ThrottleText | null): ThrottleView | null =>
  text && {
    sharePercent: Number(text.sharePercent),
    ...(text.failurePercent !== '' && { failurePercent: Number(text.failurePercent) }),
    ...(text.slowMs !== '' && { slow: { afterMs: Number(text.slowMs), percent: Number(text.slowPercent) } }),
    minimumCalls: Number(text.minimumCalls),
    lookBackMinutes: Number(text.lookBackMinutes),
  };

const LIMITS: Record<keyof ThrottleText, { most: number; what: string; optional?: true }> = {
  sharePercent: { most: 99, what: 'The share of the leads' },
  failurePercent: { most: 100, what: 'The share of failed calls', optional: true },
  slowMs: { most: 300_000, what: 'The time of a slow call', optional: true },
  slowPercent: { most: 100, what: 'The share of slow calls', optional: true },
  minimumCalls: { most: 10_000, what: 'The fewest calls' },
  lookBackMinutes: { most: 1440, what: 'The minutes looked back' },
};

export function checkThrottle(text: ThrottleText | null): string | null {
  if (!text) return null;
  const isWrong = (name: keyof ThrottleText) => {
    if (text[name] === '') return !LIMITS[name].optional;
    return !(Number(text[name]) >= 1 && Number(text[name]) <= LIMITS[name].most);
  };
  const wrong = (Object.keys(LIMITS) as (keyof ThrottleText)[]).find(isWrong);
  if (wrong) return `${LIMITS[wrong].what} must be from 1 to ${LIMITS[wrong].most}.`;
  if ((text.slowMs === '') !== (text.slowPercent === '')) return 'Say both of slow calls: from how many ms on, and how many of them.';
  return text.failurePercent === '' && text.slowMs === '' ? 'Say how many calls may fail, how many may be slow, or both.' : null;
}

/** Empty while a figure is missing. */
export function throttleSentence(text: ThrottleText): string {
  if (checkThrottle(text)) return '';
  const { sharePercent, failurePercent, slow, minimumCalls, lookBackMinutes } = toThrottle(text)!;
  const whens = [
    failurePercent !== undefined && `${failurePercent}% or more of the calls fail`,
    slow !== undefined && `${slow.percent}% or more take longer than ${slow.afterMs} ms`,
  ].filter(Boolean);
  return (
    `While ${whens.join(', or ')} within ${minutes(lookBackMinutes)}, of at least ${minimumCalls}, ` +
    `${sharePercent} of 100 leads are sent; the others go on to the next tier. It ends by itself when the buyer is well again.`
  );
}
