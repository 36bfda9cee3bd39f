/** Lists of values as people paste them: lines, commas, semicolons or tabs; out of a spreadsheet, a mail or a file. */
import { FIELD_OPTIONS, FILTER_VALUES_MOST, IP_RANGES_MOST, TEXT_LIMIT } from '#contract/tier.ts';

export interface ListLimits {
  /** Values a list may hold. */
  most: number;
  /** Characters a value may have. */
  longest: number;
  /** What stands between values. */
  between: RegExp;
}
export const FILTER_LIST: ListLimits = { most: FILTER_VALUES_MOST, longest: TEXT_LIMIT, between: /[\n\r,;\t]+/ };
export const OPTION_LIST: ListLimits = { ...FILTER_LIST, ...FIELD_OPTIONS };
export const REASON_LIST: ListLimits = { most: 30, longest: 100, between: /[\n\r;\t]+/ };
export const ADDRESS_LIST: ListLimits = { most: IP_RANGES_MOST, longest: 60, between: /[\s,;]+/ };

export interface TakenValues {
  values: string[];
  /** New among them. */
  taken: number;
  doubles: number;
  tooLong: number;
  /** Beyond the most a list may hold. */
  over: number;
}

/** Adds what the text holds to the values that are there already, each once and in its order. */
export function takeValues(text: string, known: readonly string[] = [], limits = FILTER_LIST): TakenValues {
  const all = new Set(known);
  const found: TakenValues = { values: [], taken: 0, doubles: 0, tooLong: 0, over: 0 };
  for (const piece of text.split(limits.between)) {
    const value = unquote(piece.trim());
    if (value === '') continue;
    if (value.length > limits.longest) found.tooLong += 1;
    else if (all.has(value)) found.doubles += 1;
    else if (all.size >= limits.most) found.over += 1;
    else {
      all.add(value);
      found.taken += 1;
    }
  }
  return { ...found, values: [...all] };
}

/** The text of a list that is being pasted; null for a single value, which is pasted like any text. */
export function listPasted({ clipboardData }: { clipboardData: DataTransfer }, { between }: ListLimits): string | null {
  const text = clipboardData.getData('text').trim();
  return between.test(text) ? text : null;
}

const unquote = (text: string): string => /^"(.*)"$/s.exec(text)?.[1]?.trim() ?? text;

/** What became of a pasted list, in a sentence; '' where nothing is to be said. */
export function sayTaken(
  { taken, doubles, tooLong, over }: TakenValues,
  count: (number: number) => string = String,
  limits = FILTER_LIST,
): string {
  const left = [
    doubles > 0 && `${count(doubles)} ${doubles === 1 ? 'was' : 'were'} there already`,
    tooLong > 0 && `${count(tooLong)} ${tooLong === 1 ? 'is' : 'are'} longer than ${limits.longest} characters`,
    over > 0 && `${count(over)} ${over === 1 ? 'is' : 'are'} beyond the ${count(limits.most)} that fit`,
  ].filter((one): one is string => typeof one === 'string');
  const said = `${count(taken)} ${taken === 1 ? 'value' : 'values'} taken`;
  return left.length === 0 ? `${said}.` : `${said}; left out: ${left.join(', ')}.`;
}
