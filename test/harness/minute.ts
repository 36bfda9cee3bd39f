import type { Db } from '#server/kit/database.ts';
import { takeTry } from '#server/kit/throttle.ts';

/** How long a test may take that counts what a limit lets through. */
const ROOM_MS = 15_000;
const MINUTE_MS = 60_000;

/**
 * Waits for the next minute where this one is nearly over. Counts of limits slide: what was counted before the minute (or hour) turned weighs a little less
 * after it, so that one or two more get through. Tests that say how many exactly begin with this.
 */
export async function insideOneMinute(): Promise<void> {
  const leftMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  if (leftMs < ROOM_MS) await new Promise((resolve) => setTimeout(resolve, leftMs));
}

/** Takes all tries but `left` of a limit. */
export async function useUp(db: Db, name: string, limit: number, windowMs: number, left = 0): Promise<void> {
  for (let taken = 0; taken < limit - left; taken++) await takeTry(db, name, limit, windowMs);
}
