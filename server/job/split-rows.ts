/**
 * Rows of a file that comes in pieces, found by their bytes: line ends and quotes are the same in UTF-8 and in the older Western code pages, so that a
 * row can be found before anything is decoded.
 */

export interface FoundRows {
  rows: FoundRow[];
  /** Bytes and lines up to the end of the last of them. */
  bytes: number;
  lines: number;
  /** The last of them is longer than a row may be, and its end has not come: what follows up to a line end is still of it. */
  isSkipping: boolean;
}

/** `openQuote`: a quote is never closed. `tooLong`: it has more bytes than a row may have. */
export type RowProblem = 'openQuote' | 'tooLong';

/** `line`: its first; the file begins with 1. */
export type FoundRow = { line: number; text: string } | UnreadRow;

export interface UnreadRow {
  line: number;
  problem: RowProblem;
}

const [LINE_FEED, CARRIAGE_RETURN, QUOTE, BLANK] = [0x0a, 0x0d, 0x22, 0x20];
/** In bytes. */
export const LONGEST_ROW = 64 * 1024;

export interface FindRows {
  /** The line of the first byte. */
  line: number;
  most: number;
  /** Between cells. */
  cut: string;
  /** Nothing follows: the last row needs no line end. */
  isEnd: boolean;
  /** As the call before left it: the bytes begin within a row that is too long. */
  isSkipping?: boolean | undefined;
}

/** At most `most` whole rows from the beginning of `bytes`. A row that is too long is told once, and skipped to its line end. */
export function findRows(bytes: Buffer, { line, most, cut, isEnd, isSkipping = false }: FindRows): FoundRows {
  const found: FoundRows = { rows: [], bytes: 0, lines: 0, isSkipping };
  const delimiter = cut.charCodeAt(0);
  while (found.bytes < bytes.length) {
    if (found.isSkipping) skip(found, bytes);
    else {
      if (found.rows.length === most) break;
      const end = endOfRow(bytes, found.bytes, delimiter, isEnd);
      if (!end) break;
      const piece = bytes.subarray(found.bytes, end.next);
      const { problem } = end;
      found.rows.push({ line: line + found.lines, ...(problem ? { problem } : { text: textOf(piece) }) });
      found.lines += countLines(piece);
      found.bytes = end.next;
      found.isSkipping = problem === 'tooLong';
    }
  }
  return found;
}

/** Up to the end of a line, or of what has come. */
function skip(found: FoundRows, bytes: Buffer): void {
  const lineEnd = bytes.indexOf(LINE_FEED, found.bytes);
  found.bytes = lineEnd < 0 ? bytes.length : lineEnd + 1;
  if (lineEnd < 0) return;
  found.lines += 1;
  found.isSkipping = false;
}

/** Where the next row begins; undefined while the row is not all there. One whose quote stays open is given up at its first line end, one that is too long where it became so. */
function endOfRow(bytes: Buffer, from: number, delimiter: number, isEnd: boolean): { next: number; problem?: RowProblem } | undefined {
  let isQuoted = false;
  let isCellStart = true;
  const last = Math.min(bytes.length, from + LONGEST_ROW);
  for (let at = from; at < last; at++) {
    const byte = bytes[at];
    if (isQuoted) {
      if (byte === QUOTE && bytes[at + 1] === QUOTE) at += 1;
      else if (byte === QUOTE) isQuoted = false;
    } else if (byte === LINE_FEED) return { next: at + 1 };
    else if (byte === QUOTE && isCellStart) isQuoted = true;
    else isCellStart = byte === delimiter || (isCellStart && byte === BLANK);
  }
  const isWhole = isEnd && last === bytes.length;
  if (isWhole && !isQuoted) return { next: last };
  if (!isWhole && last - from < LONGEST_ROW) return undefined;
  const lineEnd = isQuoted ? bytes.subarray(from, last).indexOf(LINE_FEED) : -1;
  if (lineEnd >= 0) return { next: from + lineEnd + 1, problem: 'openQuote' };
  return { next: last, problem: isWhole ? 'openQuote' : 'tooLong' };
}

function textOf(piece: Buffer): string {
  let end = piece.length;
  while (end > 0 && (piece[end - 1] === LINE_FEED || piece[end - 1] === CARRIAGE_RETURN)) end -= 1;
  return decode(piece.subarray(0, end));
}

const utf8 = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');

/** UTF-8, or else what spreadsheets of the West wrote before. */
function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}

function countLines(piece: Buffer): number {
  let lines = 0;
  for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) lines += 1;
  return lines;
}

/** A file of two bytes a character would be read as nothing but errors. */
export const isUtf16 = (beginning: Buffer): boolean =>
  beginning.length > 1 && ((beginning[0] === 0xff && beginning[1] === 0xfe) || (beginning[0] === 0xfe && beginning[1] === 0xff));

/** Archives and the files of spreadsheet programs begin so; no text holds a NUL. */
export const isNoText = (beginning: Buffer): boolean => beginning.subarray(0, 4).equals(ARCHIVE) || beginning.includes(0);
const ARCHIVE = Buffer.from('PK\x03\x04');
