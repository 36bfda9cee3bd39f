/** Reports as files: a line for each row, with all figures or those that are asked for. */

import type { CsvCell } from '#contract/csv.ts';
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type {
  AttemptMeasures,
  CompareAnswer,
  LeadMeasures,
  MapReportAnswer,
  ReasonReportAnswer,
  TimeoutReportAnswer,
} from '#contract/report.ts';
import type { NamedRow } from './build-report.ts';
import type { Dimension } from './report.sql.ts';

type Measure = keyof LeadMeasures | keyof AttemptMeasures;

/** What follows from others of the row, as its page has it: a share in percent, or what is left. */
const DERIVED = {
  soldShare: { of: ['sold', 'attempts'], value: ([sold, attempts]) => percent(sold!, attempts!) },
  winRate: { of: ['wins', 'bids'], value: ([wins, bids]) => percent(wins!, bids!) },
  followedShare: { of: ['followed', 'links'], value: ([followed, links]) => percent(followed!, links!) },
  lost: { of: ['links', 'followed'], value: ([links, followed]) => links! - followed! },
} as const satisfies Record<string, { of: readonly Measure[]; value: (parts: number[]) => CsvCell }>;

type Figure = Measure | keyof typeof DERIVED;

const percent = (part: number, whole: number): CsvCell => (whole === 0 ? null : ((part / whole) * 100).toFixed(1));
const isDerived = (name: Figure): name is keyof typeof DERIVED => name in DERIVED;

/** Whether a row with `measures` has the figure. */
const isIn = (measures: readonly string[], name: Figure) =>
  isDerived(name) ? DERIVED[name].of.every((part) => measures.includes(part)) : measures.includes(name);

function cellOf(row: Record<string, CsvCell>, name: Figure): CsvCell {
  return isDerived(name) ? DERIVED[name].value(DERIVED[name].of.map((part) => Number(row[part]))) : (row[name] ?? null);
}

const HEADS: Record<Figure, string> = {
  ...{ attempts: OUTCOME_WORDS.attempts, sold: OUTCOME_WORDS.sold, soldShare: `${ACCEPT_RATE} %` },
  ...{ rejected: OUTCOME_WORDS.rejected, terrors: OUTCOME_WORDS.terrors },
  ...{ timeouts: OUTCOME_WORDS.timeouts, filtered: OUTCOME_WORDS.filtered },
  ...{
    open: 'Open',
    pings: 'Pings',
    bids: 'Bids',
    wins: 'Wins',
    winRate: 'Bids won %',
    revenue: 'Revenue',
    payout: 'Payout',
    margin: 'Margin',
    epl: 'EPL',
  },
  ...{ returned: 'Returned', returnedRevenue: 'Returned revenue', returnedPayout: 'Returned payout', returnedMargin: 'Returned margin' },
  ...{
    links: 'Links given',
    followed: 'Links followed',
    followedShare: 'Followed %',
    lost: 'Not followed',
    p50Ms: 'p50 ms',
    p75Ms: 'p75 ms',
    p90Ms: 'p90 ms',
  },
  ...{ followP50Ms: 'Until followed, p50 ms', followP90Ms: 'Until followed, p90 ms' },
};

const DIMENSION_HEADS: Record<Dimension, string> = {
  ...{ publisher: 'Publisher', publisherTier: 'Publisher tier', campaign: 'Campaign', subId: 'Sub id', variant: 'Variant' },
  ...{ reason: 'Decline reason', buyer: 'Buyer', buyerTier: 'Buyer tier', group: 'Group', filterReason: 'Filter reason' },
  ...{ state: 'State', vertical: 'Vertical', region: 'Region' },
};

/** The asked figures in our order; unknown ones fall away, and none asked for means all. The ids of a row end it. */
export function reportCsv(by: readonly Dimension[], figures: readonly string[], asked: string) {
  const wanted = new Set(asked.split(','));
  const known = (Object.keys(HEADS) as Figure[]).filter((name) => isIn(figures, name));
  const shown = known.some((name) => wanted.has(name)) ? known.filter((name) => wanted.has(name)) : known;
  const heads = by.map((one) => DIMENSION_HEADS[one]);
  return {
    header: [...heads, ...shown.map((name) => HEADS[name]), ...heads.map((head) => `${head} id`)],
    line: ({ keys, now }: NamedRow<Record<string, unknown> | LeadMeasures | AttemptMeasures>): CsvCell[] => [
      ...keys.map(({ name }) => name),
      ...shown.map((name) => cellOf(now as Record<string, CsvCell>, name)),
      ...keys.map(({ _id }) => _id),
    ],
  };
}

export const reasonCsv = ({ reasons, filterReasons }: ReasonReportAnswer) => ({
  header: ['Of', 'Reason', 'Key', 'Count', 'Before'],
  rows: each(
    [...reasons.map((one) => ({ of: 'Lead', ...one })), ...filterReasons.map((one) => ({ of: 'Buyer tier', ...one }))],
    ({ of, label, key, count, before }): CsvCell[] => [of, label, key, count, before],
  ),
});

export const timeoutCsv = ({ tiers }: TimeoutReportAnswer) => ({
  header: [
    ...[
      'Buyer tier',
      'Time limit ms',
      'Calls',
      OUTCOME_WORDS.timeouts,
      'Calls before',
      `${OUTCOME_WORDS.timeouts} before`,
      'p50 ms',
      'p75 ms',
      'p90 ms',
      'p99 ms',
    ],
    ...['Late accepts', 'Late accepts p90 ms', 'Buyer tier id'],
  ],
  rows: each(tiers, (tier): CsvCell[] => [
    ...[tier.buyerTier.name, tier.timeLimitMs, tier.calls, tier.timeouts, tier.callsBefore, tier.timeoutsBefore],
    ...[tier.p50Ms, tier.p75Ms, tier.p90Ms, tier.p99Ms, tier.lateAccepts, tier.lateP90Ms, tier.buyerTier._id],
  ]),
});

/** A line for each state, with the buyers for it where those are counted. */
export function mapCsv({ rows, coverage }: MapReportAnswer, figures: readonly string[], asked: string) {
  const { header, line } = reportCsv(['state'], figures, asked);
  const buyers = new Map(coverage?.map((one) => [one.state, one]));
  const more = (state: string): CsvCell[] => (coverage ? [buyers.get(state)?.asked ?? 0, buyers.get(state)?.bought ?? 0] : []);
  return {
    header: [...header, ...(coverage ? ['Buyers asked', 'Buyers that bought'] : [])],
    rows: each(rows, (row): CsvCell[] => [...line(row), ...more(row.keys[0]!._id)]),
  };
}

/** A line for each figure: both sides, what the second has more, and that as a share of the first. */
export function compareCsv({ sides }: CompareAnswer, names: readonly [string, string]) {
  const [a, b] = sides.map(({ total }) => total as Record<string, CsvCell>) as [Record<string, CsvCell>, Record<string, CsvCell>];
  // A figure that only one of both has is shown too.
  const known = Object.keys(a).filter((name) => [a, b].some((side) => side[name] != null));
  const figures = (Object.keys(HEADS) as Figure[]).filter((name) => isIn(known, name));
  return {
    header: ['Figure', ...names, 'Difference', 'Difference %'],
    rows: each(figures, (name): CsvCell[] => {
      const [first, second] = [cellOf(a, name), cellOf(b, name)];
      if (first === null || second === null) return [HEADS[name], first, second, null, null];
      const [one, other] = [Number(first), Number(second)];
      const more = isDerived(name) ? (other - one).toFixed(1) : typeof first === 'string' ? (other - one).toFixed(4) : other - one;
      return [HEADS[name], first, second, more, one === 0 ? null : (((other - one) / Math.abs(one)) * 100).toFixed(1)];
    }),
  };
}

export async function* each<From>(rows: readonly From[], line: (row: From) => CsvCell[]): AsyncGenerator<CsvCell[]> {
  for (const row of rows) yield line(row);
}
