/** Figures of a day of buyers and publishers, as files have them. */
import type { CsvCell } from '#contract/csv.ts';
import { BUYER_DAY_WORDS, PUBLISHER_DAY_WORDS } from '#contract/day-words.ts';
import type { BuyerDay, PublisherDay } from '#contract/home.ts';
import { fileHead } from '#contract/report-words.ts';
import { percent } from '#server/report/report.csv.ts';

type Cells<Day> = Partial<Record<string, (day: Day) => CsvCell>>;

/** Those of the words that a table has, by their names. */
const dayCsv =
  <Day extends object, Name extends string>(words: Readonly<Record<Name, string>>, cells: Cells<Day>) =>
  (names: readonly Name[] = Object.keys(words) as Name[]) => ({
    header: names.map((name) => fileHead(name, words[name])),
    cells: (day: Day): CsvCell[] => names.map((name) => cells[name]?.(day) ?? (day as Record<string, CsvCell>)[name] ?? null),
  });

/** An accept rate is one of the calls, as the page has it. */
export const buyerDayCsv = dayCsv<Partial<BuyerDay> & Pick<BuyerDay, 'sold' | 'attempts'>, keyof typeof BUYER_DAY_WORDS>(BUYER_DAY_WORDS, {
  soldShare: ({ sold, attempts }) => percent(sold, attempts),
});
export const publisherDayCsv = dayCsv<Partial<PublisherDay> & Pick<PublisherDay, 'sold' | 'leads'>, keyof typeof PUBLISHER_DAY_WORDS>(
  PUBLISHER_DAY_WORDS,
  { soldShare: ({ sold, leads }) => percent(sold, leads) },
);
