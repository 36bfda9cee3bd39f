import type { OpenBreaker } from '#engine/breaker.ts';
import { explain } from '#engine/explain.ts';
import { utcMinute } from '#engine/utc-minute.ts';

/** One sentence on a breaker that is not closed: until when nothing is sent and why, or that the next lead tries the buyer again. */
export function sayBreaker(open: OpenBreaker, now: number): string {
  const { openUntil, calls, failures, lookBackMinutes, failedProbes } = open;
  if (now < openUntil) return explain({ code: 'breaker-open', params: { openUntil, calls, failures, lookBackMinutes, failedProbes } });
  return `Breaker half-open since ${utcMinute(openUntil)}: the next lead tries whether the buyer works again.`;
}
