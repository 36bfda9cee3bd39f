/** A look-up of BINs as a file: a line for each that was asked for, in the words of the page. */
import { BIN_HEADS, decidedByText, type FoundBin, kindText } from '#contract/bin.ts';
import type { CsvCell } from '#contract/csv.ts';
import { moveLabel } from '#contract/move.ts';

export const binLookUpCsv = (found: readonly FoundBin[]): { header: string[]; rows: AsyncGenerator<CsvCell[]> } => ({
  header: [...BIN_HEADS],
  rows: lines(found),
});

async function* lines(found: readonly FoundBin[]): AsyncGenerator<CsvCell[]> {
  for (const one of found)
    yield one.bin === null
      ? ['No BIN: six to eight digits.']
      : [one.bin, `${one.move} ${moveLabel(one.move)}`, decidedByText(one), one.range, one.issuer, one.scheme, kindText(one), one.country];
}
