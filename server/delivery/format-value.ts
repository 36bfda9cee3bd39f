/** Formatters: one text in, the text the buyer wants out. Pure; an empty text stays empty. */
import { createHash } from 'node:crypto';
import type { Formatter } from '#contract/endpoint.ts';
import { parseMoney } from '#engine/money.ts';
import { readBoolean } from './boolean-word.ts';
import { formatDate } from './format-date.ts';
import type { WarningCode } from './wire.ts';

export type Warn = (code: WarningCode) => void;
export type FormatText = (text: string, warn: Warn) => string;

/** One function for a whole list of formatters; what cannot be formatted is sent as it is, with a warning. */
export function compileFormatters(formatters: readonly Formatter[]): FormatText {
  const steps = formatters.map(compileFormatter);
  return (text, warn) => {
    let result = text;
    for (const step of steps) if (result !== '') result = step(result, warn);
    return result;
  };
}

function compileFormatter(formatter: Formatter): FormatText {
  switch (formatter.kind) {
    case 'date':
      return (text, warn) => formatDate(text, formatter.pattern, formatter.timeZone ?? 'UTC') ?? kept(text, warn, 'not-a-date');
    case 'phone':
      return (text) => formatPhone(text, formatter.pattern);
    case 'case':
      return (text) => changeCase(text, formatter.to);
    case 'digits':
      return (text) => text.replace(/\D+/g, '');
    case 'trim':
      return (text) => text.trim();
    case 'ascii':
      return (text) => toAscii(text);
    case 'number':
    case 'price':
      return (text, warn) => roundDecimal(text, formatter.decimals) ?? kept(text, warn, 'not-a-number');
    case 'cents':
      return (text, warn) => toCents(text) ?? kept(text, warn, 'not-a-number');
    case 'boolean':
      return (text, warn) => booleanText(text, formatter, warn);
    case 'hash':
      return (text) => createHash(formatter.algorithm).update(text).digest('hex');
    case 'slice':
      return (text) => slice(text, formatter.from, formatter.length);
    case 'range':
      return (text, warn) => bandLabel(text, formatter.bands) ?? kept(text, warn, 'unmapped-value');
  }
}

function kept(text: string, warn: Warn, code: WarningCode): string {
  warn(code);
  return text;
}

/** '+15551234567' is the national 5551234567; '+447911123456' is 07911123456. An extension is not part of the number. */
function formatPhone(text: string, pattern: string): string {
  const digits = text.replace(/(?:x|ext\.?)\s*\d+\s*$/i, '').replace(/\D+/g, '');
  const national = nationalDigits(text.trim().startsWith('+'), digits);
  if (pattern === 'e164') return text.trim().startsWith('+') ? `+${digits}` : `+1${national}`;
  if (pattern === 'digits') return digits;
  if (pattern === 'national') return national;
  let next = 0;
  const filled = pattern.replace(/#/g, () => national[next++] ?? '');
  return next >= national.length ? filled : national;
}

function nationalDigits(international: boolean, digits: string): string {
  if (international && digits.startsWith('44')) return `0${digits.slice(2)}`;
  return digits.length === 11 && digits.startsWith('1') ? digits.slice(1) : digits;
}

function changeCase(text: string, to: 'upper' | 'lower' | 'title'): string {
  if (to === 'upper') return text.toUpperCase();
  if (to === 'lower') return text.toLowerCase();
  return text.toLowerCase().replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toUpperCase());
}

const asciiTwins: Record<string, string> = {
  ...{ ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', œ: 'oe', Œ: 'OE', ð: 'd', Ð: 'D', þ: 'th', Þ: 'Th' },
  ...{ '’': "'", '‘': "'", '“': '"', '”': '"', '–': '-', '—': '-', '…': '...', '€': 'EUR', '£': 'GBP', '\u00a0': ' ' },
};

/** Accents fall off, known signs are spelt, everything else outside ASCII is dropped. */
export function toAscii(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at 0.
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  const spelt = text.replace(/[^\p{ASCII}]/gu, (sign) => asciiTwins[sign] ?? sign);
  return spelt.normalize('NFKD').replace(/[^\p{ASCII}]/gu, '');
}

/** Decimal digits only, rounded half away from zero. */
function roundDecimal(text: string, decimals: number): string | undefined {
  const found = /^\s*(-?)(\d+)(?:\.(\d*))?\s*$/.exec(text);
  if (!found) return undefined;
  const digits = `${found[2]}${(found[3] ?? '').padEnd(decimals + 1, '0')}`;
  const cut = found[2]!.length + decimals;
  const rounded = BigInt(digits.slice(0, cut)) + (digits[cut]! >= '5' ? 1n : 0n);
  const padded = rounded.toString().padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  return `${rounded === 0n ? '' : found[1]}${whole}${decimals > 0 ? `.${padded.slice(-decimals)}` : ''}`;
}

function toCents(text: string): string | undefined {
  const money = parseMoney(text.trim());
  return money === undefined ? undefined : String(Math.sign(money) * Math.floor((Math.abs(money) + 50) / 100));
}

function booleanText(text: string, words: { yes: string; no: string }, warn: Warn): string {
  const value = readBoolean(text);
  if (value === undefined) return kept(text, warn, 'not-a-boolean');
  return value ? words.yes : words.no;
}

function slice(text: string, from: number, length: number | undefined): string {
  const start = from < 0 ? Math.max(text.length + from, 0) : from;
  return text.slice(start, length === undefined ? undefined : start + length);
}

function bandLabel(text: string, bands: { from?: number | undefined; to?: number | undefined; label: string }[]): string | undefined {
  const value = Number(text);
  if (!Number.isFinite(value)) return undefined;
  return bands.find((band) => value >= (band.from ?? Number.NEGATIVE_INFINITY) && value <= (band.to ?? Number.POSITIVE_INFINITY))?.label;
}
