/** One reader per field type: the text as sent (trimmed, NFC) becomes the text we keep, or undefined when it is not one. */
import { parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { formatMoney, parseMoney } from './money.ts';
import type { FieldConfig, FieldType } from './plan.ts';
import { findStateCode } from './state.ts';
import { formatLocalDate, parseLocalDate } from './zone.ts';

export type Country = 'us' | 'uk';
type Reader = (text: string, country: Country, field: Pick<FieldConfig, 'options'>) => string | undefined;

const readers: Record<FieldType, Reader> = {
  string: (text) => text,
  email: readEmail,
  phone: readPhone,
  url: readUrl,
  number: (text) => readNumber(text, true),
  integer: (text) => readNumber(text, false),
  date: readDate,
  boolean: readBoolean,
  choice: readChoice,
  state: (text, country) => findStateCode(country, text),
  zip: (text, country) => (country === 'us' ? readUsZip(text) : readUkPostcode(text)),
  ip: readIp,
  money: readAmount,
  routing: (text, country) => readRouting(text, country),
  bin: readBin,
};

export function readFieldValue(field: Pick<FieldConfig, 'type' | 'options'>, country: Country, text: string): string | undefined {
  return readers[field.type](text, country, field);
}

/** A code of digits that JSON carried as a number gets back the zeros it begins with. */
export function withZeros(text: string, type: FieldType, country: Country): string {
  if (type === 'zip' && country === 'us') return text.padStart(5, '0');
  if (type === 'routing') return text.padStart(country === 'us' ? 9 : 6, '0');
  return text;
}

/** Lower case, one @, sane lengths, a dotted domain; deliberately less than RFC 5322 allows and no more than mail servers take. */
function readEmail(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at).toLowerCase();
  const domain = text.slice(at + 1).toLowerCase();
  if (at < 1 || at > 64 || text.length > 254) return undefined;
  if (!/^[\p{L}\p{N}\p{M}.!#$%&'*+/=?^_`{|}~-]+$/u.test(local) || /^\.|\.\.|\.$/.test(local)) return undefined;
  return isDomain(domain) ? `${local}@${domain}` : undefined;
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.');
  const last = labels.at(-1) ?? '';
  return labels.length > 1 && /^(xn--[a-z0-9-]+|\p{L}{2,})$/u.test(last) && labels.every((label) => isDomainLabel(label));
}

function isDomainLabel(label: string): boolean {
  return label.length <= 63 && /^[\p{L}\p{N}]([\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label);
}

/** Ten digits of the North American plan, as most publishers send them: the same result without the library's work. */
const PLAIN_US = /^(?:\+?1)?[2-9]\d{9}$/;

/** E.164 of a number that is possible in its country; an extension is dropped. Ten to fifteen digits (document 1 §5). */
function readPhone(text: string, country: Country): string | undefined {
  if (text.length > 40) return undefined;
  if (country === 'us' && PLAIN_US.test(text)) return `+1${text.slice(-10)}`;
  const phone = parsePhoneNumberFromString(text, { defaultCountry: country === 'us' ? 'US' : 'GB', extract: false });
  if (!phone?.isPossible()) return undefined;
  return phone.number.length >= 11 && phone.number.length <= 16 ? phone.number : undefined;
}

/** Kept as written. */
function readUrl(text: string): string | undefined {
  return /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text) ? text : undefined;
}

/** Plain or comma-grouped decimal -> no sign of plus, no idle zeros: '1,250.50' -> '1250.5'. */
function readNumber(text: string, hasFraction: boolean): string | undefined {
  const parts = /^([+-]?)(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,10}))?$/.exec(text);
  if (!parts) return undefined;
  const whole = parts[2]!.replaceAll(',', '').replace(/^0+(?=\d)/, '');
  const fraction = (parts[3] ?? '').replace(/0+$/, '');
  if (fraction && !hasFraction) return undefined;
  const digits = fraction ? `${whole}.${fraction}` : whole;
  return parts[1] === '-' && digits !== '0' ? `-${digits}` : digits;
}

function readAmount(text: string): string | undefined {
  const number = readNumber(text.replace(/^([+-]?)[$£]\s*/, '$1'), true);
  const amount = number === undefined ? undefined : parseMoney(number);
  return amount === undefined ? undefined : formatMoney(amount);
}

/** ISO everywhere; month first in the us, day first in the uk. Checked against the calendar, years 1900 to 2100. */
function readDate(text: string, country: Country): string | undefined {
  const iso = isoDate(text, country);
  const day = iso === undefined ? undefined : parseLocalDate(iso);
  if (day === undefined) return undefined;
  const date = formatLocalDate(day);
  return date >= '1900-01-01' && date <= '2100-12-31' ? date : undefined;
}

function isoDate(text: string, country: Country): string | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
  if (!parts) return undefined;
  const [first, second] = [parts[1]!.padStart(2, '0'), parts[2]!.padStart(2, '0')];
  return country === 'us' ? `${parts[3]}-${first}-${second}` : `${parts[3]}-${second}-${first}`;
}

const TRUE_WORDS = new Set(['true', 'yes', 'y', 't', '1', 'on', 'ok']);
const FALSE_WORDS = new Set(['false', 'no', 'n', 'f', '0', 'off']);

function readBoolean(text: string): string | undefined {
  const word = text.toLowerCase();
  if (TRUE_WORDS.has(word)) return 'true';
  return FALSE_WORDS.has(word) ? 'false' : undefined;
}

/** Stored as the option is written. */
function readChoice(text: string, _country: Country, field: Pick<FieldConfig, 'options'>): string | undefined {
  const folded = text.toLowerCase();
  return field.options?.find((option) => option.normalize('NFC').toLowerCase() === folded);
}

function readUsZip(text: string): string | undefined {
  const parts = /^(\d{5})(?:[- ]?(\d{4}))?$/.exec(text);
  if (!parts) return undefined;
  return parts[2] ? `${parts[1]}-${parts[2]}` : parts[1];
}

function readUkPostcode(text: string): string | undefined {
  const code = text.toUpperCase().replace(/\s+/g, '');
  if (!/^(GIR0AA|[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2})$/.test(code)) return undefined;
  return `${code.slice(0, -3)} ${code.slice(-3)}`;
}

/** IPv6 in its shortest form. */
function readIp(text: string): string | undefined {
  if (/^(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(\.(25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}$/.test(text)) return text;
  if (!/^[0-9a-f:.]{2,45}$/i.test(text) || !text.includes(':') || !URL.canParse(`http://[${text}]/`)) return undefined;
  return new URL(`http://[${text}]/`).hostname.slice(1, -1);
}

/** us: nine digits with the ABA's checksum. uk: a sort code of six. Blanks and hyphens are dropped. */
function readRouting(text: string, country: Country): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  if (country === 'uk') return /^\d{6}$/.test(digits) ? digits : undefined;
  return /^\d{9}$/.test(digits) && isAbaNumber(digits) ? digits : undefined;
}

/** Weights 3, 7, 1 over the nine digits; nine zeros would pass and are no bank's. */
function isAbaNumber(digits: string): boolean {
  const sum = [...digits].reduce((total, digit, index) => total + Number(digit) * [3, 7, 1][index % 3]!, 0);
  return sum > 0 && sum % 10 === 0;
}

/** The first six to eight digits of a card number; of a whole one (12 to 19) the first eight, the rest is dropped. */
function readBin(text: string): string | undefined {
  const digits = text.replace(/[\s-]/g, '');
  return /^(\d{6,8}|\d{12,19})$/.test(digits) ? digits.slice(0, 8) : undefined;
}
