/** One step of an import: the next rows, or, where it replaces what was there, some of what the file did not have. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ImportSettings, importSettings } from '#contract/import.ts';
import { isStorable } from '#contract/storable.ts';
import { JobFailed, type JobStep, type JobWork } from '#server/job/job-kind.ts';
import { FIRST_ROW, type RowPlace, readRows } from '#server/job/read-rows.ts';
import { LONGEST_ROW, type RowProblem } from '#server/job/split-rows.ts';
import type { Tx } from '#server/record/record-model.ts';

/** Cells by what their column holds. */
export type ImportRow = { line: number } & Record<string, string | number>;

export interface Taken {
  tally: Record<string, number>;
  errors: { line: number; message: string }[];
}

export interface Importer<Read> {
  /** Once, before anything is read. */
  begin?: (tx: Tx, work: JobWork, settings: ImportSettings) => Promise<void>;
  /** What a row says, or what is wrong with it. */
  read: (cell: (role: string) => string, work: JobWork, settings: ImportSettings, context: unknown) => Read | string;
  /** What reading needs to know, asked once a step. */
  context?: (tx: Tx, work: JobWork) => Promise<unknown>;
  store: (tx: Tx, work: JobWork, settings: ImportSettings, rows: Read[]) => Promise<Record<string, number>>;
  /** Of what an import that replaces did not bring; how many went. */
  removeRest: (tx: Tx, work: JobWork, most: number) => Promise<number>;
}

interface Place extends RowPlace {
  phase: 'rows' | 'rest';
}

const ROWS_OF_A_STEP = 4_000;
/** Other work of this node gets its turn in between. */
const ROWS_OF_A_TURN = 250;
const REMOVED_OF_A_STEP = 10_000;

const PROBLEMS: Readonly<Record<RowProblem, string>> = {
  openQuote: 'has a quote that is never closed',
  tooLong: `is longer than ${LONGEST_ROW / 1024} KiB: is the delimiter right?`,
};

export async function importStep<Read>(tx: Tx, work: JobWork, importer: Importer<Read>): Promise<JobStep> {
  const settings = importSettings.parse(work.settings);
  const place = work.place as Partial<Place>;
  if (place.phase === 'rest') return removeStep(tx, work, importer, place as Place);
  if (place.phase === undefined) await importer.begin?.(tx, work, settings);
  const from = place.phase === undefined ? FIRST_ROW : (place as Place);
  const { rows, bytes, next, isEnd } = await readRows(work, from, ROWS_OF_A_STEP, settings.delimiter);
  const context = await importer.context?.(tx, work);
  const good: Read[] = [];
  const errors: Taken['errors'] = [];
  const readCells = (cells: string[]) =>
    cells.every(isStorable) ? importer.read(readCell(cells, settings), work, settings, context) : 'holds a NUL character: it is no text';
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_OF_A_TURN === 0) await nextTurn();
    const isHeader = row.line === 1 && settings.hasHeader;
    if (isHeader && 'problem' in row && row.problem === 'tooLong') throw new JobFailed(`The header ${PROBLEMS.tooLong}`);
    if (isHeader || ('cells' in row && row.cells.every((cell) => cell === ''))) continue;
    const read = 'cells' in row ? readCells(row.cells) : PROBLEMS[row.problem];
    if (typeof read === 'string') errors.push({ line: row.line, message: read });
    else good.push(read);
  }
  const tally = good.length > 0 ? await importer.store(tx, work, settings, good) : {};
  const hasRest = isEnd && settings.mode === 'replace';
  const wrong = work.errorCount + errors.length;
  const failure = hasRest ? whyNothingGoes(work.rowsDone + good.length + errors.length - wrong, wrong, settings) : undefined;
  const phase = hasRest ? 'rest' : 'rows';
  return {
    ...{ place: { phase, ...next } satisfies Place, bytes, rows: good.length + errors.length, tally, errors },
    isDone: isEnd && !hasRest,
    ...(failure && { failure }),
  };
}

/** Of an import that replaces: a file that was read in a wrong way would empty what it fills. */
function whyNothingGoes(read: number, wrong: number, { despiteErrors }: ImportSettings): string | undefined {
  if (read === 0)
    return 'No row of the file could be read, so nothing was taken out. Look at what separates its columns and what each holds, and import it again.';
  if (wrong <= read || despiteErrors) return undefined;
  return `${wrong} of ${read + wrong} rows could not be read, so nothing was taken out; the others were added. Put the file or the choice of its columns right and import it again, or choose that it replaces although most rows are wrong.`;
}

const readCell =
  (cells: string[], { columns }: ImportSettings) =>
  (role: string): string => {
    const at = columns[role];
    return (at === undefined ? undefined : cells[at])?.trim() ?? '';
  };

async function removeStep<Read>(tx: Tx, work: JobWork, importer: Importer<Read>, place: Place): Promise<JobStep> {
  const removed = await importer.removeRest(tx, work, REMOVED_OF_A_STEP);
  return { place, bytes: 0, rows: 0, tally: { removed }, errors: [], isDone: removed < REMOVED_OF_A_STEP };
}
