/** Reports as files: a line for each row, with all figures or those that are asked for. */

import type { CsvCell } from '#contract/csv.ts';
import type {
  BidPriceAnswer,
  CompareAnswer,
  LeadMeasures,
  MapReportAnswer,
  ReasonReportAnswer,
  TimeoutReportAnswer,
} from '#contract/report.ts';
import {
  BID_PRICE_WORDS,
  beforeWord,
  changeWord,
  DIMENSION_WORDS,
  FIGURE_WORDS,
  fileHead,
  PAGE_WORDS,
  PAYMENT_WORDS,
  REASON_WORDS,
  TIMEOUT_WORDS,
} from '#contract/report-words.ts';
import { askedColumns } from '#server/kit/csv-file.ts';
import type { NamedRow } from './build-report.ts';
import type { Dimension } from './report.sql.ts';
import { DERIVED, type Figure, figureOf, isDerived, isIn } from './row-order.ts';

/** Of a whole, to a tenth of a per cent; empty of nothing. */
export const percent = (part: number, whole: number): CsvCell => (whole === 0 ? null : ((part / whole) * 100).toFixed(1));

const isShare = (name: Figure): boolean => isDerived(name) && DERIVED[name].isShare;

/** A share is told in percent. */
function cellOf(row: object, name: Figure): CsvCell {
  if (!isDerived(name)) return (row as Record<string, CsvCell>)[name] ?? null;
  const value = figureOf(row, name);
  return value !== null && isShare(name) ? (value * 100).toFixed(1) : value;
}

/** What the second has more; of shares in points. Null where one of both has none. */
function moreOf(first: CsvCell, second: CsvCell, isOfShares: boolean): CsvCell {
  if (first === null || second === null) return null;
  const more = Number(second) - Number(first);
  if (isOfShares) return more.toFixed(1);
  return typeof first === 'string' ? more.toFixed(4) : more;
}

interface ComparedFigure<Measures> {
  id: string;
  word: string;
  cell: (now: Measures) => CsvCell;
  /** Its cells are shares in per cent. */
  isShare: boolean;
}

/** A figure of rows, and beside it what it was before and how far it moved where that is asked for. `none` is what rows had before that were not there. */
export function comparedColumns<Measures>({ id, word, cell, isShare }: ComparedFigure<Measures>, hasBefore: boolean, none: Measures) {
  type Row = { now: Measures; before?: Measures | undefined };
  const own = { id, head: fileHead(id, word), cell: ({ now }: Row) => cell(now) };
  if (!hasBefore) return [own];
  return [
    own,
    { id: `${id}Before`, head: fileHead(id, beforeWord(word)), cell: ({ before = none }: Row) => cell(before) },
    {
      ...{ id: `${id}Change`, head: fileHead(id, changeWord(word)) },
      cell: ({ now, before = none }: Row) => moreOf(cell(before), cell(now), isShare),
    },
  ];
}

const WORDS: Record<Figure, string> = { ...FIGURE_WORDS, ...PAGE_WORDS, ...PAYMENT_WORDS };
/** In the order of files. */
const FIGURES: readonly Figure[] = [
  ...(['views', 'submits', 'submitShare', 'leads', 'attempts', 'approved', 'declined', 'rate', 'approvedAmount'] as const),
  ...(['refunds', 'refundedAmount', 'chargebacks', 'chargedBackAmount'] as const),
  ...(['sold', 'conversion', 'soldShare', 'rejected', 'terrors', 'timeouts', 'filtered', 'open'] as const),
  ...(['pings', 'bids', 'wins', 'winRate', 'revenue', 'payout', 'margin', 'epl'] as const),
  ...(['returned', 'returnedRevenue', 'returnedPayout', 'returnedMargin'] as const),
  ...(['links', 'followed', 'followedShare', 'lost', 'p50Ms', 'p75Ms', 'p90Ms', 'followP50Ms', 'followP90Ms'] as const),
];
const headOf = (name: Figure): string => fileHead(name, WORDS[name]);
const beforeHead = (name: Figure): string => fileHead(name, beforeWord(WORDS[name]));

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
  const columns = FIGURES.filter((name) => isIn(Object.keys(none), name)).flatMap((name) =>
    comparedColumns<object>({ id: name, word: WORDS[name], cell: (now) => cellOf(now, name), isShare: isShare(name) }, hasBefore, none),
  );
  return askedColumns(columns, asked);
}

/** What each row is of, its figures, and the ids of what it is of. */
export function reportCsv({ by, ...figures }: ReportCsv) {
  const shown = figureColumns(figures);
  const heads = by.map((one) => DIMENSION_WORDS[one]);
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
  const known = FIGURES.filter((name) => isIn(figures, name));
  const columns = known.flatMap((name) => [
    { id: name as string, head: headOf(name), of: 'now' as const, name },
    ...(BESIDE.includes(name) ? [{ id: `${name}Before`, head: beforeHead(name), of: 'before' as const, name }] : []),
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
export interface PageColumn<Row> {
  id: string;
  heads: readonly string[];
  cells: (row: Row) => CsvCell[];
}
export const columnsBy =
  <Row, Id extends string>(words: Readonly<Record<Id, string>>) =>
  (id: Id, cell: (row: Row) => CsvCell): PageColumn<Row> => ({ id, heads: [fileHead(id, words[id])], cells: (row) => [cell(row)] });

interface ReasonLine {
  count: number;
  before: number;
  whole: number;
}

const ofReason = columnsBy<ReasonLine, keyof typeof REASON_WORDS>(REASON_WORDS);
const REASON_COLUMNS = [
  ofReason('count', ({ count }) => count),
  ofReason('countShare', ({ count, whole }) => percent(count, whole)),
  ofReason('before', ({ before }) => before),
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
const ofTimeouts = columnsBy<TimeoutTier, keyof typeof TIMEOUT_WORDS>(TIMEOUT_WORDS);
const { calls, timeouts, shareBefore, lateAccepts } = TIMEOUT_WORDS;
const TIMEOUT_COLUMNS: readonly PageColumn<TimeoutTier>[] = [
  ofTimeouts('timeLimit', (tier) => tier.timeLimitMs),
  ofTimeouts('calls', (tier) => tier.calls),
  ofTimeouts('timeouts', (tier) => tier.timeouts),
  ofTimeouts('timeoutShare', (tier) => percent(tier.timeouts, tier.calls)),
  {
    id: 'shareBefore',
    heads: [beforeWord(calls), beforeWord(timeouts), fileHead('shareBefore', shareBefore)],
    cells: (tier) => [tier.callsBefore, tier.timeoutsBefore, percent(tier.timeoutsBefore, tier.callsBefore)],
  },
  ofTimeouts('p50Ms', (tier) => tier.p50Ms),
  ofTimeouts('p75Ms', (tier) => tier.p75Ms),
  ofTimeouts('p90Ms', (tier) => tier.p90Ms),
  ofTimeouts('p99Ms', (tier) => tier.p99Ms),
  { id: 'lateAccepts', heads: [lateAccepts, `${lateAccepts} p90 ms`], cells: (tier) => [tier.lateAccepts, tier.lateP90Ms] },
];

export function timeoutCsv({ tiers }: TimeoutReportAnswer, asked: string) {
  const shown = askedColumns(TIMEOUT_COLUMNS, asked);
  return {
    header: [DIMENSION_WORDS.buyerTier, ...shown.flatMap(({ heads }) => heads), 'Buyer tier id'],
    rows: each(tiers, (tier): CsvCell[] => [tier.buyerTier.name, ...shown.flatMap(({ cells }) => cells(tier)), tier.buyerTier._id]),
  };
}

export function bidPriceCsv({ tiers }: BidPriceAnswer) {
  return {
    header: [
      DIMENSION_WORDS.buyerTier,
      ...Object.entries(BID_PRICE_WORDS).map(([id, word]) => fileHead(id, word)),
      `${DIMENSION_WORDS.buyerTier} id`,
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
  const figures = FIGURES.filter((name) => isIn(known, name));
  return {
    header: ['Figure', ...names, 'Difference', 'Difference %'],
    rows: each(figures, (name): CsvCell[] => {
      const [first, second] = [cellOf(a, name), cellOf(b, name)];
      if (first === null || second === null) return [headOf(name), first, second, null, null];
      const [one, other] = [Number(first), Number(second)];
      // Shares move in points.
      const percentMore = one === 0 || isShare(name) ? null : (((other - one) / Math.abs(one)) * 100).toFixed(1);
      return [headOf(name), first, second, moreOf(first, second, isShare(name)), percentMore];
    }),
  };
}

export async function* each<From>(rows: readonly From[], line: (row: From) => CsvCell[]): AsyncGenerator<CsvCell[]> {
  for (const row of rows) yield line(row);
}
