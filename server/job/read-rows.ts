/** The next rows of what was handed in to a job, part by part. */
import { isFixedWidth } from '#contract/fixed-width.ts';
import { type Delimiter, splitLine } from '#contract/import.ts';
import { whyNoText } from '#contract/text-file.ts';
import { JobFailed, type JobWork } from './job-kind.ts';
import { type FoundRows, findRows, type UnreadRow } from './split-rows.ts';

/** What comes next begins `offset` bytes into `part`, on `line`: the next row, or, where it is skipping, what is left of one that is too long. */
export interface RowPlace {
  part: number;
  offset: number;
  line: number;
  isSkipping?: boolean;
}
export const FIRST_ROW: RowPlace = { part: 0, offset: 0, line: 1 };

export interface ReadRows {
  rows: ({ line: number; cells: string[] } | UnreadRow)[];
  bytes: number;
  next: RowPlace;
  isEnd: boolean;
}

/** At most `most` rows from `place` on. */
export async function readRows(work: JobWork, place: RowPlace, most: number, delimiter: Delimiter): Promise<ReadRows> {
  const pieces: Buffer[] = [];
  let last = place.part;
  for (; ; last++) {
    const piece = await work.readPart(last);
    if (!piece) throw new JobFailed('What was handed in is not all there. Start the import again.');
    const problem = last === 0 ? whyNoText(piece) : undefined;
    if (problem) throw new JobFailed(problem);
    pieces.push(last === place.part ? piece.subarray(place.offset) : piece);
    const isEnd = last >= work.parts - 1;
    const { line, isSkipping } = place;
    // Where nothing separates columns nothing is quoted either.
    const cut = isFixedWidth(delimiter) ? undefined : delimiter;
    const found = findRows(Buffer.concat(pieces), { line, most, cut, isEnd, isSkipping });
    if (found.bytes === 0 && !isEnd) continue;
    const rows = found.rows.map((row) => ('text' in row ? { line: row.line, cells: splitLine(row.text, delimiter) } : row));
    return { rows, bytes: found.bytes, ...placeAfter(work, place, pieces, found) };
  }
}

function placeAfter({ parts }: JobWork, place: RowPlace, pieces: Buffer[], found: FoundRows) {
  let left = found.bytes;
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
  return { next: { part, offset, line: place.line + found.lines, isSkipping: found.isSkipping }, isEnd: part >= parts };
}
