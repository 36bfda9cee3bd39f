/** Lists of values as people paste them: lines, commas, semicolons or tabs; out of a spreadsheet, a mail or a file. */
import { FILTER_VALUES_MOST, TEXT_LIMIT } from '#contract/tier.ts';

export interface TakenValues {
  values: string[];
  /** New among them. */
  taken: number;
  doubles: number;
  tooLong: number;
  /** Beyond the most a condition may hold. */
  over: number;
}

/** Adds what the text holds to the values that are there already, each once and in its order. */
export function takeValues(text: string, known: readonly string[] = []): TakenValues {
  const all = new Set(known);
  const found: TakenValues = { values: [], taken: 0, doubles: 0, tooLong: 0, over: 0 };
  for (const piece of text.split(/[\n\r,;\t]+/)) {
    const value = unquote(piece.trim());
    if (value === '') continue;
    if (value.length > TEXT_LIMIT) found.tooLong += 1;
    else if (all.has(value)) found.doubles += 1;
    else if (all.size >= FILTER_VALUES_MOST) found.over += 1;
    else {
      all.add(value);
      found.taken += 1;
    }
  }
  return { ...found, values: [...all] };
}

const unquote = (text: string): string => /^"(.*)"$/s.exec(text)?.[1]?.trim() ?? text;

/** What became of a pasted list, in a sentence; '' where nothing is to be said. */
export function sayTaken({ taken, doubles, tooLong, over }: TakenValues, count: (number: number) => string = String): string {
  const left = [
    doubles > 0 && `${count(doubles)} ${doubles === 1 ? 'was' : 'were'} there already`,
    tooLong > 0 && `${count(tooLong)} ${tooLong === 1 ? 'is' : 'are'} longer than ${TEXT_LIMIT} characters`,
    over > 0 && `${count(over)} ${over === 1 ? 'is' : 'are'} beyond the ${count(FILTER_VALUES_MOST)} that fit`,
  ].filter((one): one is string => typeof one === 'string');
  const said = `${count(taken)} ${taken === 1 ? 'value' : 'values'} taken`;
  return left.length === 0 ? `${said}.` : `${said}; left out: ${left.join(', ')}.`;
}
