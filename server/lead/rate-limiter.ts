/** So many per window, by name, in this node's memory: a sliding count over two halves, cheap and without surprises at the edge. */
export interface RateLimiter {
  /** 0 when taken, else how many ms to wait. */
  take(name: string, limit: number, windowMs: number, now: number): number;
  /** The same without taking. */
  look(name: string, limit: number, windowMs: number, now: number): number;
}

export function openRateLimiter(): RateLimiter {
  const seen = new Map<string, { windowStart: number; count: number; before: number }>();

  function entryAt(name: string, windowMs: number, now: number) {
    const windowStart = Math.floor(now / windowMs) * windowMs;
    const known = seen.get(name);
    if (known?.windowStart === windowStart) return known;
    return { windowStart, count: 0, before: known?.windowStart === windowStart - windowMs ? known.count : 0 };
  }

  function waitFor(entry: { windowStart: number; count: number; before: number }, limit: number, windowMs: number, now: number): number {
    const share = 1 - (now - entry.windowStart) / windowMs;
    return entry.count + entry.before * share >= limit ? Math.max(1, entry.windowStart + windowMs - now) : 0;
  }

  return {
    look: (name, limit, windowMs, now) => waitFor(entryAt(name, windowMs, now), limit, windowMs, now),
    take(name, limit, windowMs, now) {
      const entry = entryAt(name, windowMs, now);
      const waitMs = waitFor(entry, limit, windowMs, now);
      if (waitMs > 0) return waitMs;
      entry.count += 1;
      seen.set(name, entry);
      if (seen.size > 10_000) for (const [other, old] of seen) if (old.windowStart < entry.windowStart - windowMs) seen.delete(other);
      return 0;
    },
  };
}
