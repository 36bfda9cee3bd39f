/** Times by bucket, eight an octave (latency_bucket in db/migrations/0024-reports.sql). */

/** How many fell in each. */
export type Buckets = ReadonlyMap<number, number>;

const PER_OCTAVE = 8;
/** Milliseconds at which a bucket begins. */
export const bucketFrom = (bucket: number): number => (bucket === 0 ? 0 : 2 ** (bucket / PER_OCTAVE));
/** What stands for all times in it: at most 4.5 percent from any of them that is a millisecond or more. */
const middleOf = (bucket: number): number => 2 ** ((bucket + 0.5) / PER_OCTAVE);

/** The time, in whole milliseconds, that a share of them did not pass; null where there are none. */
export function percentile(buckets: Buckets, share: number): number | null {
  const total = [...buckets.values()].reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  let left = Math.max(1, Math.ceil(total * share));
  for (const [bucket, count] of [...buckets].sort(([a], [b]) => a - b)) {
    left -= count;
    if (left <= 0) return Math.round(middleOf(bucket));
  }
  return null;
}
