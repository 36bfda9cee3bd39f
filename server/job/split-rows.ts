/**
 * Rows of a file that comes in pieces, found by their bytes: line ends and quotes are the same in UTF-8 and in the older Western code pages, so that a
 * row can be found before anything is decoded.
 */

export interface FoundRows {
  rows: FoundRow[];
  /** Bytes and lines up to the end of the last of them. */
  bytes: number;
  lines: number;
}

export interface FoundRow {
  /** Of its first line; the file begins with 1. */
  line: number;
  /** Undefined where no row can be so long: a quote that is never closed, or no text at all. */
  text: string | undefined;
}

const [LINE_FEED, CARRIAGE_RETURN, QUOTE, BLANK] = [0x0a, 0x0d, 0x22, 0x20];
const LONGEST_ROW = 64 * 1024;

/** At most `most` whole rows from the beginning of `bytes`, their cells cut by `cut`; the last one needs no line end where `isEnd`. `line`: of the first byte. */
export function findRows(bytes: Buffer, line: number, most: number, cut: string, isEnd: boolean): FoundRows {
  const found: FoundRows = { rows: [], bytes: 0, lines: 0 };
  const delimiter = cut.charCodeAt(0);
  while (found.rows.length < most && found.bytes < bytes.length) {
    const end = endOfRow(bytes, found.bytes, delimiter, isEnd);
    if (!end) break;
    const piece = bytes.subarray(found.bytes, end.next);
    found.rows.push({ line: line + found.lines, text: end.tooLong ? undefined : textOf(piece) });
    found.lines += countLines(piece);
    found.bytes = end.next;
  }
  return found;
}

/** Where the next row begins; undefined while the row is not all there. A row without an end is given up at its first line end. */
function endOfRow(bytes: Buffer, from: number, delimiter: number, isEnd: boolean): { next: number; tooLong: boolean } | undefined {
  let isQuoted = false;
  let isCellStart = true;
  const last = Math.min(bytes.length, from + LONGEST_ROW);
  for (let at = from; at < last; at++) {
    const byte = bytes[at];
    if (isQuoted) {
      if (byte === QUOTE && bytes[at + 1] === QUOTE) at += 1;
      else if (byte === QUOTE) isQuoted = false;
    } else if (byte === LINE_FEED) return { next: at + 1, tooLong: false };
    else if (byte === QUOTE && isCellStart) isQuoted = true;
    else isCellStart = byte === delimiter || (isCellStart && byte === BLANK);
  }
  const isWhole = isEnd && last === bytes.length;
  if (isWhole && !isQuoted) return { next: last, tooLong: false };
  if (!isWhole && last - from < LONGEST_ROW) return undefined;
  const lineEnd = bytes.indexOf(LINE_FEED, from);
  if (lineEnd >= 0 && lineEnd < last) return { next: lineEnd + 1, tooLong: true };
  return { next: last, tooLong: true };
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
