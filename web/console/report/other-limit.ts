/** What another time limit would have cost or won, out of how long answers took. */
import type { TimeoutReportAnswer } from '#contract/report.ts';

type Tier = TimeoutReportAnswer['tiers'][number];

export interface OtherLimit {
  /** Answers, bids among them, that took longer than the limit: they would have been time-outs. */
  lostAnswers: number;
  /** Sales that came of them, and what those brought: a decimal string, as all money. */
  lostSales: number;
  lostRevenue: string;
  /** Late accepts that came within it, and what those would have brought. */
  wonSales: number;
  wonRevenue: string;
}

/** To within the 9 percent that a bucket is wide: what falls into the bucket of the limit counts as within it. */
export function otherLimit({ buckets, lates }: Pick<Tier, 'buckets' | 'lates'>, limitMs: number): OtherLimit {
  const longer = buckets.filter(({ fromMs }) => fromMs >= limitMs);
  const within = lates.filter(({ fromMs }) => fromMs < limitMs);
  return {
    lostAnswers: sum(longer, ({ calls, timeouts }) => calls - timeouts),
    lostSales: sum(longer, ({ sold }) => sold),
    lostRevenue: revenueOf(longer),
    wonSales: sum(within, ({ calls }) => calls),
    wonRevenue: revenueOf(within),
  };
}

const sum = <One>(rows: readonly One[], of: (row: One) => number) => rows.reduce((all, row) => all + of(row), 0);
const revenueOf = (rows: readonly { revenue: string }[]) =>
  (sum(rows, ({ revenue }) => Math.round(Number(revenue) * 10_000)) / 10_000).toFixed(4);

/** A limit that hardly any answer would miss: half as long again as what 99 of 100 take, in tenths of a second; null without answers. */
export const suggestedLimitMs = ({ p99Ms }: Pick<Tier, 'p99Ms'>): number | null =>
  p99Ms === null ? null : Math.max(100, Math.ceil((p99Ms * 1.5) / 100) * 100);

const EDGES = [
  0, 25, 50, 100, 150, 200, 300, 400, 500, 750, 1000, 1500, 2000, 3000, 4000, 5000, 7500, 10_000, 15_000, 20_000, 30_000, 60_000,
];

/** The buckets as few bars that people can read, from the first to the last that has something. */
export function barsOf(buckets: Tier['buckets']): { fromMs: number; answered: number; timeouts: number }[] {
  const bars = EDGES.map((fromMs, at) => {
    const within = buckets.filter((bucket) => bucket.fromMs >= fromMs && bucket.fromMs < (EDGES[at + 1] ?? Number.POSITIVE_INFINITY));
    const timeouts = within.reduce((sum, bucket) => sum + bucket.timeouts, 0);
    return { fromMs, timeouts, answered: within.reduce((sum, bucket) => sum + bucket.calls, 0) - timeouts };
  });
  const isUsed = (bar: (typeof bars)[number]) => bar.answered + bar.timeouts > 0;
  return bars.slice(Math.max(0, bars.findIndex(isUsed)), bars.findLastIndex(isUsed) + 1);
}
