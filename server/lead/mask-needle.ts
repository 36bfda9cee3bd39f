/** What to look for in a text to find one personal value again, however somebody has written it. */
import { DOTS, maskPersonal, type PersonalValue } from './mask.ts';
import { fold, lettersIn } from './mask-fold.ts';

/** Looked for among letters and digits; see mask-fold.ts. */
export interface Needle {
  skeleton: string;
  /** Signs may stand between any two characters (phones, dates, numbers, e-mails), or only where the value has some. */
  loose: boolean;
  /** How many signs stand before each character in the value itself. */
  gapBefore: Uint8Array;
  /** Must not be part of a longer word or number. */
  wholeWord: boolean;
  /** At least so many characters must be set apart from each other; 3/7/85 is a date, 3785 is not. */
  separators: number;
  /** A plain word, which may as well be the name of a field. */
  plainWord: boolean;
  mask: string;
}

/** Only so much of a long value is looked for; what follows it is masked as far as it goes on. */
export const LONGEST_NEEDLE = 48;

/** Says nothing about anybody, and would make answers unreadable. */
const COMMON = new Set(['true', 'false', 'yes', 'no', 'y', 'n', 'on', 'off', 'ok', 'null', 'none', '']);

export function isCommon(skeleton: string): boolean {
  return COMMON.has(skeleton);
}

export function needlesOf(personal: PersonalValue): Needle[] {
  const { field, value } = personal;
  const mask = maskPersonal(field, value);
  const whole = needle(value, mask, field?.type === 'email');
  const more = [...phones(value, mask), ...dates(value), ...localPart(value), ...nameParts(personal), ...amounts(personal, mask)];
  return [...(whole ? [whole] : []), ...more];
}

/** Undefined for what is too short, or too short a number, to be recognised inside a text. */
function needle(value: string, mask: string, isEmail = false): Needle | undefined {
  const folded = fold(value);
  const skeleton = lettersIn(folded);
  const isNumber = /^\d+$/.test(skeleton);
  const isWide = /^[\u2e80-\uffff]+$/.test(skeleton);
  if (skeleton.length < (isNumber ? 4 : isWide ? 2 : 3) || isCommon(skeleton)) return undefined;
  const hasDigit = /\d/.test(skeleton);
  const length = Math.min(skeleton.length, LONGEST_NEEDLE);
  return {
    skeleton,
    loose: isEmail || value.includes('@') || (hasDigit && skeleton.length >= 7),
    gapBefore: Uint8Array.from({ length }, (_, at) => (at > 0 ? Math.min(255, Math.max(0, folded.starts[at]! - folded.ends[at - 1]!)) : 0)),
    wholeWord: skeleton.length < (isNumber ? 9 : isWide ? 2 : 5),
    separators: 0,
    plainWord: /^\p{L}+$/u.test(value.trim()),
    mask,
  };
}

function loose(skeleton: string, mask: string, more: Partial<Needle> = {}): Needle {
  return {
    skeleton,
    loose: true,
    gapBefore: new Uint8Array(skeleton.length),
    wholeWord: false,
    separators: 0,
    plainWord: false,
    mask,
    ...more,
  };
}

/** The national number, which every spelling holds: +1 614.555.0177, (614) 555-0177, 16145550177. */
function phones(value: string, mask: string): Needle[] {
  const national = nationalDigits(value);
  return national === undefined ? [] : [loose(national, mask)];
}

/** Undefined for what is no phone number by its looks. */
export function nationalDigits(value: string): string | undefined {
  if (!/^[\s\d()+./-]+(?:(?:x|ext)[.\s]*\d+)?$/i.test(value)) return undefined;
  const digits = value.replace(/(?:x|ext)[.\s]*\d+$/i, '').replace(/\D/g, '');
  if (digits.length < 10 || digits.length > 16) return undefined;
  return digits.replace(/^00/, '').replace(/^(?:1(?=\d{10}$)|440?(?=\d{9,10}$)|0(?=\d{9,10}$))/, '');
}

const MONTHS = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];

function dates(value: string): Needle[] {
  return calendarDates(value).flatMap(([year, month, day]) => {
    const months = [...numbers(month), MONTHS[month - 1]!.slice(0, 3), MONTHS[month - 1]!];
    const days = [...numbers(day), ...['st', 'nd', 'rd', 'th'].map((ending) => `${day}${ending}`)];
    const orders = [String(year), String(year).slice(2)].flatMap((y) =>
      months.flatMap((m) => days.flatMap((d) => [y + m + d, y + d + m, m + d + y, d + m + y])),
    );
    return [...new Set(orders)].map((one) => loose(one, DOTS, { wholeWord: true, separators: one.length < 6 ? 2 : 0 }));
  });
}

function numbers(figure: number): string[] {
  return [String(figure), String(figure).padStart(2, '0')];
}

/** ISO, or with slashes, dots or dashes: then both readings. */
export function calendarDates(value: string): [year: number, month: number, day: number][] {
  const iso = /^\s*(\d{4})-?(\d{2})-?(\d{2})(?:T.*)?\s*$/.exec(value);
  const other = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})\s*$/.exec(value);
  const [a, b, c] = (iso ?? other ?? []).slice(1).map(Number);
  if (a === undefined || b === undefined || c === undefined) return [];
  const readings: [number, number, number][] = iso
    ? [[a, b, c]]
    : [
        [c, a, b],
        [c, b, a],
      ];
  return readings.filter(([year, month, day]) => year > 1850 && year < 2150 && month >= 1 && month <= 12 && day >= 1 && day <= 31);
}

/** Often taken for a name: "user ada.lovelace exists". */
function localPart(value: string): Needle[] {
  const at = value.lastIndexOf('@');
  const local = at > 0 ? needle(value.slice(0, at), DOTS) : undefined;
  return local && local.skeleton.length >= 6 ? [{ ...local, wholeWord: true, plainWord: false }] : [];
}

const MOST_NAMES = 4;

/** A full name in one field comes back in another order: "LOVELACE, ADA". */
function nameParts({ field, value }: PersonalValue): Needle[] {
  const parts = field?.type === 'string' ? value.trim().split(/[\s,]+/) : [];
  if (parts.length < 2 || parts.length > MOST_NAMES || !parts.every((part) => /^[\p{L}\p{M}.'’-]+$/u.test(part))) return [];
  return parts.flatMap((part) => needle(part, maskPersonal(field, part)) ?? []).map((one) => ({ ...one, wholeWord: true }));
}

/** Amounts are also written with and without their cents. */
function amounts({ field, value }: PersonalValue, mask: string): Needle[] {
  if (field?.type !== 'money' && field?.type !== 'number' && field?.type !== 'integer') return [];
  return amountSpellings(value).flatMap((one) => needle(one, mask) ?? []);
}

export function amountSpellings(value: string): string[] {
  const amount = Number(value);
  return Number.isFinite(amount)
    ? [String(amount), amount.toFixed(2), amount.toLocaleString('en-US'), String(Math.round(amount * 100))]
    : [];
}
