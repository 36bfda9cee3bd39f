/** Reading CSV (RFC 4180) of any delimiter: one row's text to its cells. */

/** A quote inside a cell that does not begin with one is a plain character, as spreadsheets read it. */
export function splitCsvLine(line: string, delimiter: string): string[] {
  if (!line.includes('"')) return line.split(delimiter).map((cell) => cell.trim());
  const cells: string[] = [];
  let at = 0;
  while (at <= line.length) {
    const [cell, end] =
      line[skipBlanks(line, at)] === '"' ? readQuoted(line, skipBlanks(line, at), delimiter) : readPlain(line, at, delimiter);
    cells.push(cell);
    at = end + 1;
  }
  return cells;
}

function skipBlanks(line: string, from: number): number {
  let at = from;
  while (line[at] === ' ') at += 1;
  return at;
}

function readPlain(line: string, from: number, delimiter: string): [cell: string, end: number] {
  const end = line.indexOf(delimiter, from);
  return end < 0 ? [line.slice(from).trim(), line.length] : [line.slice(from, end).trim(), end];
}

function readQuoted(line: string, quote: number, delimiter: string): [cell: string, end: number] {
  let cell = '';
  let at = quote + 1;
  for (;;) {
    const close = line.indexOf('"', at);
    if (close < 0) return [cell + line.slice(at), line.length];
    cell += line.slice(at, close);
    if (line[close + 1] !== '"') {
      const end = line.indexOf(delimiter, close + 1);
      return [cell, end < 0 ? line.length : end];
    }
    cell += '"';
    at = close + 2;
  }
}
