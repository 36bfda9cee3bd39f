/** A look-up of BINs as a file: a line for each that was asked for, in the words of the page. */
import { BIN_HEADS, decidedByText, type FoundBin, kindText, NO_BIN, notBinText } from '#contract/bin.ts';
import type { CsvCell } from '#contract/csv.ts';
import { moveText } from '#contract/move.ts';

export const binLookUpCsv = (
  asked: readonly string[],
  found: readonly FoundBin[],
): { header: string[]; rows: AsyncGenerator<CsvCell[]> } => ({
  header: [...BIN_HEADS],
  rows: lines(asked, found),
});

async function* lines(asked: readonly string[], found: readonly FoundBin[]): AsyncGenerator<CsvCell[]> {
  for (const [at, one] of found.entries())
    yield one.bin === null
      ? [notBinText(asked[at]!), NO_BIN]
      : [one.bin, moveText(one.move), decidedByText(one), one.range, one.issuer, one.scheme, kindText(one), one.country];
}
