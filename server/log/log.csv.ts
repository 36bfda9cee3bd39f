/** The logs as files: everything that a search finds, however far back, page by page while it is read. */

import { setImmediate } from 'node:timers/promises';
import type { CsvCell } from '#contract/csv.ts';
import type { AttemptLogRow, CallLogRow } from '#contract/log.ts';
import { CALL_OUTCOME_WORDS } from '#contract/outcome-words.ts';
import { wallTime } from '#server/kit/csv-file.ts';

const PAGE = 200;
/** Rows between two looks at what else there is to do: a lead that comes in does not wait for a whole page. */
const YIELD_EVERY = 20;

type Column<Row> = [head: string, cell: (row: Row, zone: string) => CsvCell];

export const ATTEMPT_COLUMNS: readonly Column<AttemptLogRow>[] = [
  ['Began', (row, zone) => wallTime(row.startedAt, zone)],
  ['Buyer', (row) => row.buyerName],
  ['Buyer tier', (row) => row.buyerTierName],
  ['Leg', (row) => row.leg],
  ['Outcome', (row) => CALL_OUTCOME_WORDS[row.outcome]],
  ['Reason', (row) => row.reason],
  ['HTTP status', (row) => row.statusCode],
  ['Bid', (row) => row.bid],
  ['Price', (row) => row.price],
  ['Took ms', (row) => Math.round(row.elapsedMs)],
  ['Connect ms', (row) => roundOrNull(row.connectMs)],
  ['Wait ms', (row) => roundOrNull(row.waitMs)],
  ['Read ms', (row) => roundOrNull(row.readMs)],
  ['Publisher', (row) => row.publisherName],
  ['Publisher tier', (row) => row.publisherTierName],
  ['Test', (row) => row.test],
  ['Lead id', (row) => row.leadId],
];

export const CALL_COLUMNS: readonly Column<CallLogRow>[] = [
  ['Came', (row, zone) => wallTime(row.at, zone)],
  ['Publisher', (row) => row.publisherName],
  ['Publisher tier', (row) => row.publisherTierName],
  ['Key', (row) => row.keyPrefix],
  ['Call', (row) => row.call],
  ['Method', (row) => row.method],
  ['Path', (row) => row.path],
  ['Ended as', (row) => row.end],
  ['HTTP status', (row) => row.statusCode],
  ['Code', (row) => row.code],
  ['Reason', (row) => row.reasonLabel],
  ['Took ms', (row) => Math.round(row.elapsedMs)],
  ['More like it', (row) => row.more],
  ['Test', (row) => row.test],
  ['Lead id', (row) => row.leadId],
];

const roundOrNull = (ms: number | null): number | null => (ms === null ? null : Math.round(ms));

/** The first column is a time of the zone. */
export const headerOf = <Row>(columns: readonly Column<Row>[], zone: string): string[] =>
  columns.map(([head], at) => (at === 0 ? `${head} (${zone})` : head));
export const lineOf = <Row>(columns: readonly Column<Row>[], row: Row, zone: string): CsvCell[] =>
  columns.map(([, cell]) => cell(row, zone));

/** `find` is asked for each page, and throws when the reader may read no further. */
export async function* walkLog<Query extends object, Row>(
  query: Query,
  find: (page: Query & { before: string | undefined; limit: number }) => Promise<{ rows: Row[]; older: string | null }>,
): AsyncGenerator<Row> {
  let before: string | undefined;
  do {
    const { rows, older } = await find({ ...query, before, limit: PAGE });
    for (const [at, row] of rows.entries()) {
      if (at % YIELD_EVERY === 0) await setImmediate();
      yield row;
    }
    before = older ?? undefined;
  } while (before);
}
