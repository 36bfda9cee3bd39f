/** The next rows of what was handed in to a job, part by part. */
import { splitCsvLine } from '#contract/csv-read.ts';
import { JobFailed, type JobWork } from './job-kind.ts';
import { findRows, isUtf16 } from './split-rows.ts';

/** The next row begins `offset` bytes into `part`, on `line`. */
export interface RowPlace {
  part: number;
  offset: number;
  line: number;
}
export const FIRST_ROW: RowPlace = { part: 0, offset: 0, line: 1 };

export interface ReadRows {
  rows: { line: number; cells: string[] | undefined }[];
  bytes: number;
  next: RowPlace;
  isEnd: boolean;
}

/** At most `most` rows from `place` on; a row without cells could not be read. */
export async function readRows(work: JobWork, place: RowPlace, most: number, delimiter: string): Promise<ReadRows> {
  const pieces: Buffer[] = [];
  let last = place.part;
  for (; ; last++) {
    const piece = await work.readPart(last);
    if (!piece) throw new JobFailed('What was handed in is not all there. Start the import again.');
    if (last === 0 && isUtf16(piece)) throw new JobFailed('The file is written in UTF-16. Save it as "CSV UTF-8" and import that.');
    pieces.push(last === place.part ? piece.subarray(place.offset) : piece);
    const isLast = last >= work.parts - 1;
    const found = findRows(Buffer.concat(pieces), place.line, most, delimiter, isLast);
    if (found.rows.length === 0 && !isLast) continue;
    const rows = found.rows.map(({ line, text }) => ({ line, cells: text === undefined ? undefined : splitCsvLine(text, delimiter) }));
    return { rows, bytes: found.bytes, ...placeAfter(work, place, pieces, found.bytes, found.lines) };
  }
}

function placeAfter({ parts }: JobWork, place: RowPlace, pieces: Buffer[], bytes: number, lines: number) {
  let left = bytes;
  let part = place.part;
  let offset = place.offset;
  for (const piece of pieces) {
    if (left < piece.length) {
      offset += left;
      break;
    }
    left -= piece.length;
    part += 1;
    offset = 0;
  }
  return { next: { part, offset, line: place.line + lines }, isEnd: part >= parts };
}
