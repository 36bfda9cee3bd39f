/** So many per window, by name, in this node's memory: a sliding count over two halves, cheap and without surprises at the edge. */
export interface RateLimiter {
  /** 0 when taken, else how many ms to wait. */
  take(name: string, limit: number, windowMs: number, now: number): number;
  /** Undoes what was taken at `takenAt`. */
  giveBack(name: string, windowMs: number, takenAt: number): void;
}

interface Entry {
  windowMs: number;
  windowStart: number;
  count: number;
  before: number;
}

/** Between two looks for names that nobody has used for two windows. */
const TIDY_EVERY_MS = 10_000;

export function openRateLimiter(): RateLimiter {
  const seen = new Map<string, Entry>();
  let tidiedAt = 0;

  function entryAt(name: string, windowMs: number, now: number): Entry {
    const windowStart = startOf(windowMs, now);
    const known = seen.get(name);
    if (known?.windowStart === windowStart) return known;
    return { windowMs, windowStart, count: 0, before: known?.windowStart === windowStart - windowMs ? known.count : 0 };
  }

  function tidy(now: number): void {
    if (Math.abs(now - tidiedAt) < TIDY_EVERY_MS) return;
    tidiedAt = now;
    for (const [name, { windowStart, windowMs }] of seen) if (windowStart + 2 * windowMs <= now) seen.delete(name);
  }

  return {
    take(name, limit, windowMs, now) {
      tidy(now);
      const entry = entryAt(name, windowMs, now);
      const share = 1 - (now - entry.windowStart) / windowMs;
      if (entry.count + entry.before * share >= limit) return Math.max(1, entry.windowStart + windowMs - now);
      entry.count += 1;
      seen.set(name, entry);
      return 0;
    },
    giveBack(name, windowMs, takenAt) {
      const entry = seen.get(name);
      if (!entry) return;
      const takenIn = startOf(windowMs, takenAt);
      if (entry.windowStart === takenIn) entry.count = Math.max(0, entry.count - 1);
      else if (entry.windowStart === takenIn + windowMs) entry.before = Math.max(0, entry.before - 1);
    },
  };
}

function startOf(windowMs: number, instant: number): number {
  return Math.floor(instant / windowMs) * windowMs;
}
