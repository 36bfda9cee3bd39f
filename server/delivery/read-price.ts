/** Prices as buyers write them, to exact Money; never through a float. */
import { parseMoney } from '#engine/money.ts';
import type { Money } from '#engine/plan.ts';

export interface PriceNotation {
  decimal?: 'auto' | '.' | ',' | undefined;
  unit?: 'unit' | 'cent' | undefined;
}
export interface ReadPrice {
  price: Money;
  /** More than four fraction digits: cut towards zero, so that a buyer is never billed more than it said. */
  rounded: boolean;
}

/** '8.50', '$12.50', '1,250.00', '12,50', 'USD 8' -> Money; undefined for '', '-', null, NaN, 1e309 and anything else. */
export function readPrice(text: string, notation: PriceNotation = {}): ReadPrice | undefined {
  const decimal = plainDecimal(text, notation.decimal ?? 'auto');
  const found = decimal === undefined ? undefined : /^(-?)(\d*)\.?(\d*)$/.exec(decimal);
  if (!found) return undefined;
  const [, sign, whole = '', fraction = ''] = found;
  const shifted = notation.unit === 'cent' ? shiftTwo(whole, fraction) : { whole, fraction };
  const price = parseMoney(`${sign}${shifted.whole.replace(/^0+(?=\d)/, '') || '0'}.${shifted.fraction.slice(0, 4).padEnd(1, '0')}`);
  return price === undefined ? undefined : { price, rounded: /[1-9]/.test(shifted.fraction.slice(4)) };
}

/** Two digits of the whole become fraction: 1250 cents are 12.50. */
function shiftTwo(whole: string, fraction: string): { whole: string; fraction: string } {
  const padded = whole.padStart(3, '0');
  return { whole: padded.slice(0, -2), fraction: `${padded.slice(-2)}${fraction}` };
}

const shape =
  /^([-+]?)\s*(?:US\$|CA\$|USD|GBP|EUR|CAD|[$£€])?\s*([-+]?)\s*(\d[\d.,' \u00a0\u202f’]*|[.,]\d+)\s*(?:USD|GBP|EUR|CAD|[$£€])?$/i;

/** Currency signs and thousands taken off: '-1250.00'. Undefined where it is no number in this notation. */
export function plainDecimal(text: string, decimal: 'auto' | '.' | ','): string | undefined {
  if (text.length > 40) return undefined;
  const found = shape.exec(text.trim());
  if (!found || (found[1] && found[2])) return undefined;
  const digits = found[3]!.trim().replace(/(?<=\d)[' \u00a0\u202f’](?=\d{3}(?!\d))/g, '');
  const point = decimal === 'auto' ? guessPoint(digits) : decimal;
  const group = point === '.' ? ',' : '.';
  const [whole = '', fraction, ...rest] = digits.split(point);
  if (rest.length > 0 || (fraction !== undefined && !/^\d*$/.test(fraction))) return undefined;
  const grouped = whole.split(group);
  const isGrouped =
    grouped.length === 1 ? /^\d*$/.test(whole) : /^\d{1,3}$/.test(grouped[0]!) && grouped.slice(1).every((part) => /^\d{3}$/.test(part));
  if (!isGrouped) return undefined;
  const sign = found[1] === '-' || found[2] === '-' ? '-' : '';
  return `${sign}${grouped.join('') || '0'}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** The later of two separators is the decimal one; a lone comma is, unless exactly three digits follow it; a repeated one never is. */
function guessPoint(digits: string): '.' | ',' {
  const dots = digits.split('.').length - 1;
  const commas = digits.split(',').length - 1;
  if (dots > 0 && commas > 0) return digits.lastIndexOf('.') > digits.lastIndexOf(',') ? '.' : ',';
  if (dots > 1) return ',';
  return commas === 1 && !/^\d{1,3},\d{3}$/.test(digits) ? ',' : '.';
}
