/** BINs as numbers of eight digits: a shorter one stands for all that begin with it. */

export interface BinSpan {
  first: number;
  last: number;
  digits: number;
}

/** '457173' -> 45717300 to 45717399; undefined for a text that is no BIN of six to eight digits. */
export function readBinDigits(text: string): BinSpan | undefined {
  const digits = text.replace(/[\s-]/g, '');
  if (!/^\d{6,8}$/.test(digits)) return undefined;
  return { first: Number(digits.padEnd(8, '0')), last: Number(digits.padEnd(8, '9')), digits: digits.length };
}

/** '457173' or '457173-457179', each six to eight digits, or longer as account ranges are published: those are cut to eight. */
export function readBinRange(from: string, to = from): BinSpan | undefined {
  const [first, last] = [readBinDigits(cut(from)), readBinDigits(cut(to))];
  if (!first || !last || first.first > last.last) return undefined;
  return { first: first.first, last: last.last, digits: Math.max(first.digits, last.digits) };
}

const cut = (text: string): string => text.replace(/[\s-]/g, '').replace(/^(\d{8})\d{1,11}$/, '$1');

/** As people write it: '457173', or '457173–457179'. */
export function sayBinRange({ first, last, digits }: BinSpan): string {
  const [from, to] = [first, last].map((bin) => String(bin).padStart(8, '0').slice(0, digits));
  return from === to ? from! : `${from}–${to}`;
}
