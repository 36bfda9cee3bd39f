/** Reports as files: a line for each row, with all figures or those that are asked for. */
import type { CsvCell } from '#contract/csv.ts';
import type {
  AttemptMeasures,
  CompareAnswer,
  CompareMeasures,
  LeadMeasures,
  MapReportAnswer,
  ReasonReportAnswer,
  TimeoutReportAnswer,
} from '#contract/report.ts';
import type { NamedRow } from './build-report.ts';
import type { Dimension } from './report.sql.ts';

type Figure = keyof LeadMeasures | keyof AttemptMeasures;

const HEADS: Record<Figure, string> = {
  ...{ attempts: 'Attempts', sold: 'Sold', rejected: 'Rejected', terrors: 'Errors', timeouts: 'Time-outs', filtered: 'Filtered' },
  ...{ open: 'Open', pings: 'Pings', bids: 'Bids', wins: 'Wins', revenue: 'Revenue', payout: 'Payout', margin: 'Margin', epl: 'EPL' },
  ...{ returned: 'Returned', returnedRevenue: 'Returned revenue', returnedPayout: 'Returned payout', returnedMargin: 'Returned margin' },
  ...{ links: 'Links given', followed: 'Links followed', p50Ms: 'p50 ms', p75Ms: 'p75 ms', p90Ms: 'p90 ms' },
  ...{ followP50Ms: 'Until followed, p50 ms', followP90Ms: 'Until followed, p90 ms' },
};

const DIMENSION_HEADS: Record<Dimension, string> = {
  ...{ publisher: 'Publisher', publisherTier: 'Publisher tier', campaign: 'Campaign', subId: 'Sub id', variant: 'Variant' },
  ...{ reason: 'Reason', buyer: 'Buyer', buyerTier: 'Buyer tier', group: 'Group', filterReason: 'Filter reason' },
  ...{ state: 'State', vertical: 'Vertical', region: 'Region' },
};

/** The asked figures in our order; unknown ones fall away, and none asked for means all. The ids of a row end it. */
export function reportCsv(by: readonly Dimension[], figures: readonly string[], asked: string) {
  const wanted = new Set(asked.split(','));
  const known = Object.keys(HEADS).filter((name) => figures.includes(name)) as Figure[];
  const shown = known.some((name) => wanted.has(name)) ? known.filter((name) => wanted.has(name)) : known;
  const heads = by.map((one) => DIMENSION_HEADS[one]);
  return {
    header: [...heads, ...shown.map((name) => HEADS[name]), ...heads.map((head) => `${head} id`)],
    line: ({ keys, now }: NamedRow<Record<string, unknown> | LeadMeasures | AttemptMeasures>): CsvCell[] => [
      ...keys.map(({ name }) => name),
      ...shown.map((name) => (now as Record<string, CsvCell>)[name] ?? null),
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
    ...['Buyer tier', 'Time limit ms', 'Calls', 'Time-outs', 'Calls before', 'Time-outs before', 'p50 ms', 'p75 ms', 'p90 ms', 'p99 ms'],
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
  const [a, b] = [sides[0].total, sides[1].total];
  const figures = (Object.keys(HEADS) as Figure[]).filter(
    (name): name is Figure & keyof CompareMeasures => a[name as keyof CompareMeasures] != null,
  );
  return {
    header: ['Figure', ...names, 'Difference', 'Difference %'],
    rows: each(figures, (name): CsvCell[] => {
      const [one, other] = [Number(a[name]), Number(b[name] ?? 0)];
      const more = typeof a[name] === 'string' ? (other - one).toFixed(4) : other - one;
      return [
        HEADS[name],
        a[name],
        b[name],
        b[name] === null ? null : more,
        one === 0 ? null : (((other - one) / Math.abs(one)) * 100).toFixed(1),
      ];
    }),
  };
}

export async function* each<From>(rows: readonly From[], line: (row: From) => CsvCell[]): AsyncGenerator<CsvCell[]> {
  for (const row of rows) yield line(row);
}
