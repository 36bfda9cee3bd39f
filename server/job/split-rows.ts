/**
 * Rows of a file that comes in pieces, found by their bytes: line ends and quotes are the same in UTF-8 and in the older Western code pages, so that a
 * row can be found before anything is decoded.
 */
import { decodeFile } from '#contract/text-file.ts';

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
/** What editors of Windows put before a text in UTF-8. */
const MARK = Buffer.from('\uFEFF');
/** In bytes. */
export const LONGEST_ROW = 64 * 1024;

export interface FindRows {
  /** The line of the first byte. */
  line: number;
  most: number;
  /** Between cells, which may be quoted; undefined where a row is a line, whatever it has. */
  cut: string | undefined;
  /** Nothing follows: the last row needs no line end. */
  isEnd: boolean;
  /** As the call before left it: the bytes begin within a row that is too long. */
  isSkipping?: boolean | undefined;
}

/** At most `most` whole rows from the beginning of `came`. A row that is too long is told once, and skipped to its line end. */
export function findRows(came: Buffer, { line, most, cut, isEnd, isSkipping = false }: FindRows): FoundRows {
  // What a carriage return ends is known by what follows it.
  const bytes = !isEnd && came.at(-1) === CARRIAGE_RETURN ? came.subarray(0, -1) : came;
  const found: FoundRows = { rows: [], bytes: 0, lines: 0, isSkipping };
  const delimiter = cut?.charCodeAt(0);
  while (found.bytes < bytes.length) {
    if (found.isSkipping) skip(found, bytes);
    else {
      if (found.rows.length === most) break;
      const end = endOfRow(bytes, found.bytes, delimiter, isEnd);
      if (!end) break;
      const piece = bytes.subarray(found.bytes, end.next);
      const { problem } = end;
      found.rows.push({ line: line + found.lines, ...(problem ? { problem } : { text: textOf(piece) }) });
      found.lines += countLines(bytes, found.bytes, end.next);
      found.bytes = end.next;
      found.isSkipping = problem === 'tooLong';
    }
  }
  return found;
}

/** Up to the end of a line, or of what has come. */
function skip(found: FoundRows, bytes: Buffer): void {
  const next = nextLine(bytes, found.bytes, bytes.length);
  found.bytes = next ?? bytes.length;
  if (next === undefined) return;
  found.lines += 1;
  found.isSkipping = false;
}

/** Where the next row begins; undefined while the row is not all there. One whose quote stays open is given up at its first line end, one that is too long where it became so. */
function endOfRow(
  bytes: Buffer,
  from: number,
  delimiter: number | undefined,
  isEnd: boolean,
): { next: number; problem?: RowProblem } | undefined {
  let isQuoted = false;
  let isCellStart = delimiter !== undefined;
  const last = Math.min(bytes.length, from + LONGEST_ROW);
  for (let at = pastMark(bytes, from); at < last; at++) {
    const byte = bytes[at];
    if (isQuoted) {
      if (byte === QUOTE && bytes[at + 1] === QUOTE) at += 1;
      else if (byte === QUOTE) isQuoted = false;
    } else if (endsLine(bytes, at)) return { next: at + 1 };
    else if (byte === QUOTE && isCellStart) isQuoted = true;
    else isCellStart = byte === delimiter || (isCellStart && byte === BLANK);
  }
  const isWhole = isEnd && last === bytes.length;
  if (isWhole && !isQuoted) return { next: last };
  if (!isWhole && last - from < LONGEST_ROW) return undefined;
  const lineEnd = isQuoted ? nextLine(bytes, from, last) : undefined;
  if (lineEnd !== undefined) return { next: lineEnd, problem: 'openQuote' };
  return { next: last, problem: isWhole ? 'openQuote' : 'tooLong' };
}

/** A line feed, with or without a carriage return before it, or a carriage return alone, as old Macs wrote. */
const endsLine = (bytes: Buffer, at: number): boolean =>
  bytes[at] === LINE_FEED || (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] !== LINE_FEED);

/** Undefined where no line ends between the two. */
function nextLine(bytes: Buffer, from: number, to: number): number | undefined {
  for (let at = from; at < to; at++) if (endsLine(bytes, at)) return at + 1;
  return undefined;
}

const pastMark = (bytes: Buffer, from: number): number =>
  bytes.subarray(from, from + MARK.length).equals(MARK) ? from + MARK.length : from;

function textOf(piece: Buffer): string {
  const from = pastMark(piece, 0);
  let end = piece.length;
  while (end > from && (piece[end - 1] === LINE_FEED || piece[end - 1] === CARRIAGE_RETURN)) end -= 1;
  return decodeFile(piece.subarray(from, end));
}

function countLines(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let next = nextLine(bytes, from, to); next !== undefined; next = nextLine(bytes, next, to)) lines += 1;
  return lines;
}
