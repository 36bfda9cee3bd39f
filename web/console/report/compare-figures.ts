/** The figures of a comparison, in their order, and how far the second side is from the first. */
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { CompareMeasures } from '#contract/report.ts';

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
  { label: OUTCOME_WORDS.attempts, kind: 'count', of: (now) => now.attempts },
  { label: OUTCOME_WORDS.sold, kind: 'count', of: (now) => now.sold },
  { label: ACCEPT_RATE, kind: 'rate', of: (now) => share(now.sold, now.attempts) },
  { label: OUTCOME_WORDS.rejected, kind: 'count', of: (now) => now.rejected },
  { label: OUTCOME_WORDS.terrors, kind: 'count', of: (now) => now.terrors },
  { label: OUTCOME_WORDS.timeouts, kind: 'count', of: (now) => now.timeouts },
  { label: OUTCOME_WORDS.filtered, kind: 'count', of: (now) => now.filtered },
  { label: 'Open', kind: 'count', of: (now) => now.open },
  { label: 'Pings', kind: 'count', of: (now) => now.pings, begins: true },
  { label: 'Bids', kind: 'count', of: (now) => now.bids },
  { label: 'Wins', kind: 'count', of: (now) => now.wins },
  { label: 'Bids won', kind: 'rate', of: (now) => share(now.wins, now.bids) },
  { label: 'Revenue', kind: 'money', of: (now) => Number(now.revenue), begins: true },
  { label: 'Payout', kind: 'money', of: (now) => Number(now.payout) },
  { label: 'Margin', kind: 'money', of: (now) => Number(now.margin) },
  { label: 'EPL', kind: 'money', of: (now) => Number(now.epl) },
  { label: 'Returned', kind: 'count', of: (now) => now.returned, begins: true },
  { label: 'Returned revenue', kind: 'money', of: (now) => Number(now.returnedRevenue) },
  { label: 'Returned payout', kind: 'money', of: (now) => Number(now.returnedPayout) },
  { label: 'Returned margin', kind: 'money', of: (now) => Number(now.returnedMargin) },
  { label: 'Links given', kind: 'count', of: (now) => now.links, begins: true },
  { label: 'Redirected', kind: 'count', of: (now) => now.followed },
  { label: 'Of the links', kind: 'rate', of: (now) => share(now.followed, now.links) },
  { label: 'Median delay', kind: 'time', of: (now) => now.followP50Ms },
  { label: 'p90 delay', kind: 'time', of: (now) => now.followP90Ms },
  { label: 'Median answer time', kind: 'time', of: (now) => now.p50Ms, begins: true },
  { label: 'p75 answer time', kind: 'time', of: (now) => now.p75Ms },
  { label: 'p90 answer time', kind: 'time', of: (now) => now.p90Ms },
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
