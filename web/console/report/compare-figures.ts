/** The figures of a comparison, in their order, and how far the second side is from the first. */
import type { CompareMeasures } from '#contract/report.ts';
import { FIGURE_WORDS } from '#contract/report-words.ts';

export interface ComparedFigure {
  label: string;
  kind: 'count' | 'money' | 'rate' | 'time';
  /** Null where it is not known, or is no figure of what is compared. */
  of: (now: CompareMeasures) => number | null;
  /** Begins the next group of figures. */
  begins?: true;
}

const share = (part: number | null, whole: number | null) => (part === null || !whole ? null : (part / whole) * 100);

const FIGURES: readonly ComparedFigure[] = [
  { label: FIGURE_WORDS.attempts, kind: 'count', of: (now) => now.attempts },
  { label: FIGURE_WORDS.sold, kind: 'count', of: (now) => now.sold },
  { label: FIGURE_WORDS.soldShare, kind: 'rate', of: (now) => share(now.sold, now.attempts) },
  { label: FIGURE_WORDS.rejected, kind: 'count', of: (now) => now.rejected },
  { label: FIGURE_WORDS.terrors, kind: 'count', of: (now) => now.terrors },
  { label: FIGURE_WORDS.timeouts, kind: 'count', of: (now) => now.timeouts },
  { label: FIGURE_WORDS.filtered, kind: 'count', of: (now) => now.filtered },
  { label: FIGURE_WORDS.open, kind: 'count', of: (now) => now.open },
  { label: FIGURE_WORDS.pings, kind: 'count', of: (now) => now.pings, begins: true },
  { label: FIGURE_WORDS.bids, kind: 'count', of: (now) => now.bids },
  { label: FIGURE_WORDS.wins, kind: 'count', of: (now) => now.wins },
  { label: FIGURE_WORDS.winRate, kind: 'rate', of: (now) => share(now.wins, now.bids) },
  { label: FIGURE_WORDS.revenue, kind: 'money', of: (now) => Number(now.revenue), begins: true },
  { label: FIGURE_WORDS.payout, kind: 'money', of: (now) => Number(now.payout) },
  { label: FIGURE_WORDS.margin, kind: 'money', of: (now) => Number(now.margin) },
  { label: FIGURE_WORDS.epl, kind: 'money', of: (now) => Number(now.epl) },
  { label: FIGURE_WORDS.returned, kind: 'count', of: (now) => now.returned, begins: true },
  { label: FIGURE_WORDS.returnedRevenue, kind: 'money', of: (now) => Number(now.returnedRevenue) },
  { label: FIGURE_WORDS.returnedPayout, kind: 'money', of: (now) => Number(now.returnedPayout) },
  { label: FIGURE_WORDS.returnedMargin, kind: 'money', of: (now) => Number(now.returnedMargin) },
  { label: FIGURE_WORDS.links, kind: 'count', of: (now) => now.links, begins: true },
  { label: FIGURE_WORDS.followed, kind: 'count', of: (now) => now.followed },
  { label: FIGURE_WORDS.followedShare, kind: 'rate', of: (now) => share(now.followed, now.links) },
  { label: FIGURE_WORDS.followP50Ms, kind: 'time', of: (now) => now.followP50Ms },
  { label: FIGURE_WORDS.followP90Ms, kind: 'time', of: (now) => now.followP90Ms },
  { label: FIGURE_WORDS.p50Ms, kind: 'time', of: (now) => now.p50Ms, begins: true },
  { label: FIGURE_WORDS.p75Ms, kind: 'time', of: (now) => now.p75Ms },
  { label: FIGURE_WORDS.p90Ms, kind: 'time', of: (now) => now.p90Ms },
];

export interface Compared extends ComparedFigure {
  a: number | null;
  b: number | null;
  /** What the second has more; of rates in points. */
  more: number | null;
  /** The same in per cent of the first; null where that is nothing, and of rates, which move in points. */
  percent: number | null;
}

/** What neither side has is left out. */
export function compareFigures(a: CompareMeasures, b: CompareMeasures): Compared[] {
  return FIGURES.map((figure) => {
    const [one, other] = [figure.of(a), figure.of(b)];
    const more = one === null || other === null ? null : other - one;
    const percent = more === null || !one || figure.kind === 'rate' ? null : (more / Math.abs(one)) * 100;
    return { ...figure, a: one, b: other, more, percent };
  }).filter((figure) => figure.a !== null || figure.b !== null);
}
