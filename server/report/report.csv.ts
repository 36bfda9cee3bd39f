/** Reports as files: a line for each row, with all figures or those that are asked for. */

import type { CsvCell } from '#contract/csv.ts';
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type {
  BidPriceAnswer,
  CompareAnswer,
  LeadMeasures,
  MapReportAnswer,
  ReasonReportAnswer,
  TimeoutReportAnswer,
} from '#contract/report.ts';
import { askedColumns } from '#server/kit/csv-file.ts';
import type { NamedRow } from './build-report.ts';
import type { Dimension } from './report.sql.ts';
import { DERIVED, type Figure, figureOf, isDerived, isIn } from './row-order.ts';

const percent = (part: number, whole: number): CsvCell => (whole === 0 ? null : ((part / whole) * 100).toFixed(1));

/** A share is told in percent. */
function cellOf(row: object, name: Figure): CsvCell {
  if (!isDerived(name)) return (row as Record<string, CsvCell>)[name] ?? null;
  const value = figureOf(row, name);
  return value !== null && DERIVED[name].isShare ? (value * 100).toFixed(1) : value;
}

/** What the other has more; of shares in points. Null where one of both has none. */
function moreOf(one: object, other: object, name: Figure): CsvCell {
  const [first, second] = [cellOf(one, name), cellOf(other, name)];
  if (first === null || second === null) return null;
  const more = Number(second) - Number(first);
  if (isDerived(name) && DERIVED[name].isShare) return more.toFixed(1);
  return typeof first === 'string' ? more.toFixed(4) : more;
}

const HEADS: Record<Figure, string> = {
  ...{ views: 'Views', submits: 'Submits', submitShare: 'Of the views %', leads: 'Leads' },
  ...{ attempts: OUTCOME_WORDS.attempts, approved: 'Approved', declined: 'Declined', rate: 'Approval rate %' },
  ...{ approvedAmount: 'Amount approved', refunds: 'Refunds', refundedAmount: 'Amount refunded' },
  ...{ chargebacks: 'Chargebacks', chargedBackAmount: 'Amount charged back' },
  ...{ sold: OUTCOME_WORDS.sold, conversion: 'Conversion %', soldShare: `${ACCEPT_RATE} %` },
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

interface FigureColumns {
  /** Columns of the page. */
  asked: string;
  /** Whether rows have what the span before had. */
  hasBefore: boolean;
  /** A row without anything. */
  none: object;
}
interface ReportCsv extends FigureColumns {
  by: readonly Dimension[];
}

/** The asked figures in our order, each with what it was before and how far it moved where that is asked for; unknown ones fall away, and none asked for means all. */
export function figureColumns({ asked, hasBefore, none }: FigureColumns) {
  const columns = (Object.keys(HEADS) as Figure[])
    .filter((name) => isIn(Object.keys(none), name))
    .flatMap((name) => [
      { id: name as string, head: HEADS[name], cell: ({ now }: Figures) => cellOf(now, name) },
      ...(hasBefore
        ? [
            { id: `${name}Before`, head: `${HEADS[name]} before`, cell: ({ before = none }: Figures) => cellOf(before, name) },
            { id: `${name}Change`, head: `${HEADS[name]} change`, cell: ({ now, before = none }: Figures) => moreOf(before, now, name) },
          ]
        : []),
    ]);
  return askedColumns(columns, asked);
}
type Figures = Pick<NamedRow<object>, 'now' | 'before'>;

/** What each row is of, its figures, and the ids of what it is of. */
export function reportCsv({ by, ...figures }: ReportCsv) {
  const shown = figureColumns(figures);
  const heads = by.map((one) => DIMENSION_HEADS[one]);
  return {
    header: [...heads, ...shown.map(({ head }) => head), ...heads.map((head) => `${head} id`)],
    line: (row: Line): CsvCell[] => [
      ...row.keys.map(({ name }) => name),
      ...shown.map(({ cell }) => cell(row)),
      ...row.keys.map(({ _id }) => _id),
    ],
  };
}
type Line = NamedRow<object>;

/** Of what is told by time: the figures of a point, and beside some of them what the point at the same place of the span before had. */
export function pointCsv(figures: readonly string[], asked: string) {
  const known = (Object.keys(HEADS) as Figure[]).filter((name) => isIn(figures, name));
  const columns = known.flatMap((name) => [
    { id: name as string, head: HEADS[name], of: 'now' as const, name },
    ...(BESIDE.includes(name) ? [{ id: `${name}Before`, head: `${HEADS[name]} before`, of: 'before' as const, name }] : []),
  ]);
  const shown = askedColumns(columns, asked);
  return {
    header: shown.map(({ head }) => head),
    line: (point: { now: LeadMeasures; before: LeadMeasures | undefined }): CsvCell[] =>
      shown.map(({ of, name }) => (point[of] ? cellOf(point[of], name) : null)),
  };
}
const BESIDE: readonly Figure[] = ['attempts', 'sold', 'revenue'];

/** A column of a page, by its id there: one column of the file, or several. */
interface PageColumn<Row> {
  id: string;
  heads: readonly string[];
  cells: (row: Row) => CsvCell[];
}

interface ReasonLine {
  count: number;
  before: number;
  whole: number;
}

const REASON_COLUMNS: readonly PageColumn<ReasonLine>[] = [
  { id: 'count', heads: ['Count'], cells: ({ count }) => [count] },
  { id: 'countShare', heads: ['Of all %'], cells: ({ count, whole }) => [percent(count, whole)] },
  { id: 'before', heads: ['Before'], cells: ({ before }) => [before] },
];

/** Reasons as shares of all leads, filter reasons of all tiers that were filtered. */
export function reasonCsv({ attempts, reasons, filterReasons }: ReasonReportAnswer, asked: string) {
  const shown = askedColumns(REASON_COLUMNS, asked);
  const filtered = filterReasons.reduce((sum, { count }) => sum + count, 0);
  return {
    header: ['Of', 'Reason', 'Key', ...shown.flatMap(({ heads }) => heads)],
    rows: each(
      [
        ...reasons.map((one) => ({ of: 'Lead', whole: attempts, ...one })),
        ...filterReasons.map((one) => ({ of: 'Buyer tier', whole: filtered, ...one })),
      ],
      (row): CsvCell[] => [row.of, row.label, row.key, ...shown.flatMap(({ cells }) => cells(row))],
    ),
  };
}

type TimeoutTier = TimeoutReportAnswer['tiers'][number];
const TIMEOUT_COLUMNS: readonly PageColumn<TimeoutTier>[] = [
  { id: 'timeLimit', heads: ['Time limit ms'], cells: (tier) => [tier.timeLimitMs] },
  { id: 'calls', heads: ['Calls'], cells: (tier) => [tier.calls] },
  { id: 'timeouts', heads: [OUTCOME_WORDS.timeouts], cells: (tier) => [tier.timeouts] },
  { id: 'timeoutShare', heads: [`${OUTCOME_WORDS.timeouts} %`], cells: (tier) => [percent(tier.timeouts, tier.calls)] },
  {
    id: 'shareBefore',
    heads: ['Calls before', `${OUTCOME_WORDS.timeouts} before`, `${OUTCOME_WORDS.timeouts} before %`],
    cells: (tier) => [tier.callsBefore, tier.timeoutsBefore, percent(tier.timeoutsBefore, tier.callsBefore)],
  },
  { id: 'p50Ms', heads: ['p50 ms'], cells: (tier) => [tier.p50Ms] },
  { id: 'p75Ms', heads: ['p75 ms'], cells: (tier) => [tier.p75Ms] },
  { id: 'p90Ms', heads: ['p90 ms'], cells: (tier) => [tier.p90Ms] },
  { id: 'p99Ms', heads: ['p99 ms'], cells: (tier) => [tier.p99Ms] },
  { id: 'lateAccepts', heads: ['Late accepts', 'Late accepts p90 ms'], cells: (tier) => [tier.lateAccepts, tier.lateP90Ms] },
];

export function timeoutCsv({ tiers }: TimeoutReportAnswer, asked: string) {
  const shown = askedColumns(TIMEOUT_COLUMNS, asked);
  return {
    header: ['Buyer tier', ...shown.flatMap(({ heads }) => heads), 'Buyer tier id'],
    rows: each(tiers, (tier): CsvCell[] => [tier.buyerTier.name, ...shown.flatMap(({ cells }) => cells(tier)), tier.buyerTier._id]),
  };
}

export function bidPriceCsv({ tiers }: BidPriceAnswer) {
  return {
    header: [
      ...['Buyer tier', 'Wins', 'At another price', 'At another price %', 'Below the bid', 'Bid', 'Paid', 'Difference', 'Buyer tier id'],
    ],
    rows: each(tiers, ({ buyerTier, wins, otherPrice, lower, bid, paid, difference }): CsvCell[] => [
      ...[buyerTier.name, wins, otherPrice, percent(otherPrice, wins), lower, bid, paid, difference, buyerTier._id],
    ]),
  };
}

/** A line for each state, with the buyers for it where those are counted. */
export function mapCsv({ rows, coverage }: MapReportAnswer, asked: Omit<ReportCsv, 'by'>) {
  const { header, line } = reportCsv({ ...asked, by: ['state'] });
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
      // Shares move in points.
      const percentMore = one === 0 || HEADS[name].endsWith('%') ? null : (((other - one) / Math.abs(one)) * 100).toFixed(1);
      return [HEADS[name], first, second, moreOf(a, b, name), percentMore];
    }),
  };
}

export async function* each<From>(rows: readonly From[], line: (row: From) => CsvCell[]): AsyncGenerator<CsvCell[]> {
  for (const row of rows) yield line(row);
}
