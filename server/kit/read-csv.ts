/** CSV as spreadsheets write it (RFC 4180): quoted cells may hold separators, quotes and line ends. */

export interface CsvRow {
  /** Where it begins, as an editor counts lines. */
  line: number;
  cells: string[];
}

/** Rows that hold anything, separated by commas, semicolons or tabs, whichever the first line has most of. Undefined where a quote is never closed. */
export function readCsv(text: string): CsvRow[] | undefined {
  const input = text.replace(/^\uFEFF/, '');
  const separator = separatorOf(input);
  const rows: CsvRow[] = [];
  let row: CsvRow = { line: 1, cells: [] };
  let cell = '';
  let line = 1;
  let isQuoted = false;
  const endRow = () => {
    row.cells.push(cell.trim());
    if (row.cells.some((one) => one !== '')) rows.push(row);
    cell = '';
    row = { line, cells: [] };
  };
  for (let at = 0; at < input.length; at++) {
    const letter = input[at]!;
    if (letter === '\n') line += 1;
    if (isQuoted) {
      if (letter !== '"') cell += letter;
      else if (input[at + 1] === '"') cell += input[at++];
      else isQuoted = false;
    } else if (letter === '"' && cell.trim() === '') {
      isQuoted = true;
      cell = '';
    } else if (letter === separator) {
      row.cells.push(cell.trim());
      cell = '';
    } else if (letter === '\n') endRow();
    else if (letter !== '\r') cell += letter;
  }
  endRow();
  return isQuoted ? undefined : rows;
}

function separatorOf(text: string): string {
  const first = text.split('\n', 1)[0]!;
  const countOf = (letter: string) => first.split(letter).length;
  return [',', ';', '\t'].toSorted((a, b) => countOf(b) - countOf(a))[0]!;
}
