/** So many per window, by name, in this node's memory: a sliding count over two halves, cheap and without surprises at the edge. */
export interface RateLimiter {
  /** 0 when taken, else how many ms to wait. */
  take(name: string, limit: number, windowMs: number, now: number): number;
}

export function openRateLimiter(): RateLimiter {
  const seen = new Map<string, { windowStart: number; count: number; before: number }>();
  return {
    take(name, limit, windowMs, now) {
      const windowStart = Math.floor(now / windowMs) * windowMs;
      const known = seen.get(name);
      const fresh =
        known?.windowStart === windowStart
          ? known
          : { windowStart, count: 0, before: known?.windowStart === windowStart - windowMs ? known.count : 0 };
      const share = 1 - (now - windowStart) / windowMs;
      if (fresh.count + fresh.before * share >= limit) return Math.max(1, windowStart + windowMs - now);
      fresh.count += 1;
      seen.set(name, fresh);
      if (seen.size > 10_000) for (const [other, entry] of seen) if (entry.windowStart < windowStart - windowMs) seen.delete(other);
      return 0;
    },
  };
}
