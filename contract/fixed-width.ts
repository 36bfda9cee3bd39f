/** Public lists whose lines have no separators: each column stands at its place. Widths in characters, as the Federal Reserve Banks describe both files of their E-Payments Routing Directory. */

interface FixedWidth {
  label: string;
  /** Of its columns, one after the other. */
  widths: readonly number[];
  /** A line of it, be the blanks at its end there or not. */
  looks: RegExp;
  /** What of a bank its columns hold. */
  bank: { code: number; name: number };
}

export const FIXED_WIDTHS = {
  // Routing number, office, servicing bank, record type, date, new routing number, name, address, city, state, ZIP and its extension, telephone in three parts, status, view, filler.
  fedach: {
    label: 'Nothing: FedACH directory',
    widths: [9, 1, 9, 1, 6, 9, 36, 36, 20, 2, 5, 4, 3, 3, 4, 1, 1, 5],
    looks: /^\d{9}[A-Z ]\d{9}[012]\d{15}.{94}[\d ]{19}\d.?\s{0,5}$/,
    bank: { code: 0, name: 6 },
  },
  // Routing number, telegraphic name, name, state, city, eligible for funds, for settlement only, for securities, date.
  fedwire: {
    label: 'Nothing: Fedwire directory',
    widths: [9, 18, 36, 2, 25, 1, 1, 1, 8],
    looks: /^\d{9}.{54}[A-Z]{2}.{25}[YN][S ][YN][\d ]{0,8}\s*$/,
    bank: { code: 0, name: 2 },
  },
} as const satisfies Record<string, FixedWidth>;
export type FixedWidthName = keyof typeof FIXED_WIDTHS;

export const isFixedWidth = (name: string): name is FixedWidthName => name in FIXED_WIDTHS;

export function splitFixedWidth(line: string, name: FixedWidthName): string[] {
  let from = 0;
  return FIXED_WIDTHS[name].widths.map((width) => {
    from += width;
    return line.slice(from - width, from).trim();
  });
}

/** Undefined where a line is of none of them. */
export const guessFixedWidth = (line: string): FixedWidthName | undefined =>
  (Object.keys(FIXED_WIDTHS) as FixedWidthName[]).find((name) => FIXED_WIDTHS[name].looks.test(line));
