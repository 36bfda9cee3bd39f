/** A buyer's file of leads to give back. */
import { RETURN_LINES_MOST, RETURN_NOTE_MOST } from '#contract/lead-return.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { readCsv } from '#server/kit/read-csv.ts';

export interface FileLine {
  line: number;
  lead: string;
  reason: string;
  amount: string;
  note: string;
}

const COLUMNS = ['lead', 'reason', 'amount', 'note'] as const;

/** Throws an HttpError where the file as a whole cannot be read: then nothing of it is returned. */
export function readReturnFile(text: string): FileLine[] {
  const rows = readCsv(text);
  if (!rows) throw unreadable('A quote is opened and never closed.');
  const [head, ...lines] = rows;
  const names = head?.cells.map((cell) => cell.toLowerCase()) ?? [];
  const unknown = names.filter((name) => !COLUMNS.some((column) => column === name));
  if (!names.includes('lead') || !names.includes('reason')) throw unreadable('Its first line must name the columns lead and reason.');
  if (unknown.length > 0) throw unreadable(`It has columns that are not known: ${unknown.join(', ')}. Known are ${COLUMNS.join(', ')}.`);
  if (new Set(names).size < names.length) throw unreadable(`Its first line names a column twice: ${names.join(', ')}.`);
  if (lines.length === 0) throw unreadable('There is no line below its header.');
  if (lines.length > RETURN_LINES_MOST) throw unreadable(`It has ${lines.length} lines; send at most ${RETURN_LINES_MOST} at once.`);
  const cellOf = (cells: string[], name: string) => cells[names.indexOf(name)] ?? '';
  return lines.map(({ line, cells }) => ({
    line,
    lead: cellOf(cells, 'lead'),
    reason: cellOf(cells, 'reason'),
    amount: cellOf(cells, 'amount'),
    note: firstOf(cellOf(cells, 'note'), RETURN_NOTE_MOST),
  }));
}

/** As much as fits, and no half of a character. */
function firstOf(text: string, most: number): string {
  const cut = text.slice(0, most);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

function unreadable(why: string): HttpError {
  return new HttpError(400, 'return_file_invalid', `The file could not be read, and nothing was returned. ${why}`);
}
