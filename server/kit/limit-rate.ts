/** So many a minute by name, in this node's memory; who comes after those hears 429 and how long to wait. */
import { HttpError } from './http-error.ts';
import type { RateLimiter } from './rate-limiter.ts';

const MINUTE_MS = 60_000;

/** Takes one. Returns how to give it back, where it turned out to be none that counts. Throws 429 with `code` where all are taken. */
export function limitRate(limiter: RateLimiter, name: string, aMinute: number, code: string, now = Date.now()): () => void {
  const waitMs = limiter.take(name, aMinute, MINUTE_MS, now);
  if (waitMs === 0) return () => limiter.giveBack(name, MINUTE_MS, now);
  const retryAfterSeconds = Math.ceil(waitMs / 1000);
  throw new HttpError(429, code, `Too many calls. Wait ${retryAfterSeconds} seconds.`, { retryAfterSeconds });
}
