/** The logs as files: the columns of their pages. */
import type { CsvCell } from '#contract/csv.ts';
import type { AttemptLogRow, CallLogRow } from '#contract/log.ts';
import { CALL_OUTCOME_WORDS } from '#contract/outcome-words.ts';
import { askedColumns, wallTime } from '#server/kit/csv-file.ts';

/** A column of the page, by its id there: one column of the file, or several. */
interface Column<Row> {
  id: string;
  heads: readonly string[];
  cells: (row: Row, zone: string) => CsvCell[];
}

const ATTEMPT_COLUMNS: readonly Column<AttemptLogRow>[] = [
  { id: 'began', heads: ['Began'], cells: (row, zone) => [wallTime(row.startedAt, zone)] },
  { id: 'buyer', heads: ['Buyer', 'Buyer tier', 'Leg'], cells: (row) => [row.buyerName, row.buyerTierName, row.leg] },
  { id: 'outcome', heads: ['Outcome'], cells: (row) => [CALL_OUTCOME_WORDS[row.outcome]] },
  { id: 'said', heads: ['Reason'], cells: (row) => [row.reason] },
  { id: 'http', heads: ['HTTP status'], cells: (row) => [row.statusCode] },
  { id: 'price', heads: ['Bid', 'Price'], cells: (row) => [row.bid, row.price] },
  { id: 'took', heads: ['Took ms'], cells: (row) => [Math.round(row.elapsedMs)] },
  {
    id: 'parts',
    heads: ['Connect ms', 'Wait ms', 'Read ms'],
    cells: (row) => [roundOrNull(row.connectMs), roundOrNull(row.waitMs), roundOrNull(row.readMs)],
  },
  { id: 'publisher', heads: ['Publisher', 'Publisher tier'], cells: (row) => [row.publisherName, row.publisherTierName] },
];

const CALL_COLUMNS: readonly Column<CallLogRow>[] = [
  { id: 'came', heads: ['Came'], cells: (row, zone) => [wallTime(row.at, zone)] },
  { id: 'publisher', heads: ['Publisher', 'Publisher tier'], cells: (row) => [row.publisherName, row.publisherTierName] },
  { id: 'key', heads: ['Key'], cells: (row) => [row.keyPrefix] },
  { id: 'call', heads: ['Call'], cells: (row) => [row.call] },
  { id: 'address', heads: ['Method', 'Path'], cells: (row) => [row.method, row.path] },
  { id: 'ended', heads: ['Ended as'], cells: (row) => [row.end] },
  { id: 'http', heads: ['HTTP status'], cells: (row) => [row.statusCode] },
  { id: 'code', heads: ['Code'], cells: (row) => [row.code] },
  { id: 'why', heads: ['Reason', 'More like it'], cells: (row) => [row.reasonLabel, row.more] },
  { id: 'took', heads: ['Took ms'], cells: (row) => [Math.round(row.elapsedMs)] },
];

const roundOrNull = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

const TIMES = ['began', 'came'];

/** The asked columns, all where none is asked for. What tells a test from a lead, and whose lead it was, stands in every line. */
function logCsv<Row extends { test: boolean; leadId: string | null }>(columns: readonly Column<Row>[], asked: string, zone: string) {
  const shown = askedColumns(columns, asked);
  const headsOf = ({ id, heads }: Column<Row>) => (TIMES.includes(id) ? heads.map((head) => `${head} (${zone})`) : heads);
  return {
    header: [...shown.flatMap(headsOf), 'Test', 'Lead id'],
    line: (row: Row): CsvCell[] => [...shown.flatMap(({ cells }) => cells(row, zone)), row.test, row.leadId],
  };
}
export const attemptLogCsv = (asked: string, zone: string) => logCsv(ATTEMPT_COLUMNS, asked, zone);
export const callLogCsv = (asked: string, zone: string) => logCsv(CALL_COLUMNS, asked, zone);
