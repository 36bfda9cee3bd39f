/**
 * Values that are one person's own whatever field they stand in: e-mail addresses, phone numbers, and long numbers such as that of a social security
 * card. By them a person is known where no index leads: in sample leads and in calls that made no lead.
 */
import { type Country, readFieldValue } from '#engine/field-value.ts';
import type { FieldConfig } from '#engine/plan.ts';
import type { VerticalPlace } from './vertical-place.ts';

/** The long numbers of a lead: in fields of class P3, and in personal ones that leads are found by. `fields` are normalised. */
export function longNumbersOf({ config, searchable }: VerticalPlace, fields: Readonly<Record<string, string>>): string[] {
  const found = config.fields.filter((field) => isNumbered(field, searchable)).map(({ fieldName }) => longNumber(fields[fieldName] ?? ''));
  return found.filter((number) => number !== undefined);
}

/** Routing numbers and BINs are their bank's, and dates are many people's. */
const NUMBERED: ReadonlySet<string> = new Set(['string', 'number', 'integer']);

const isNumbered = ({ type, privacyClass, fieldName }: FieldConfig, searchable: readonly string[]): boolean =>
  NUMBERED.has(type) && (privacyClass === 'P3' || (privacyClass === 'P2' && searchable.includes(fieldName)));

/** '219-09-9471' -> '219099471'. Undefined for what is too short to be one person's, for words, and for what is typed to fill a field. */
export function longNumber(text: string): string | undefined {
  if (text.length > 40 || !/^[\p{L}\p{N} ./-]+$/u.test(text)) return undefined;
  const signs = text.toLowerCase().replace(/[ ./-]/g, '');
  const digits = signs.replace(/\P{N}/gu, '');
  const isOne = signs.length >= 9 && digits.length >= 6 && !/\p{L}{5}/u.test(signs);
  return isOne && !isFilling(signs) ? signs : undefined;
}

const RUNS = ['01234567890123456789', '98765432109876543210'];
const isFilling = (signs: string): boolean => new Set(signs).size === 1 || RUNS.some((run) => run.includes(signs));

/** A publisher may fill a body with more; nobody's lead has a tenth of it. */
const PIECES_READ = 1_000;

/**
 * What each piece of something that was sent may be, as intake would have read it. Undefined where there are more pieces than are read.
 */
export function ownValuesIn(pieces: readonly string[], country: Country): string[] | undefined {
  const telling = [...new Set(pieces)].filter(isTelling);
  if (telling.length > PIECES_READ) return undefined;
  return telling.flatMap((piece) => {
    const text = piece.normalize('NFC').trim();
    return [emailIn(text, country), phoneIn(text, country), longNumber(text)].filter((value) => value !== undefined);
  });
}

const emailIn = (text: string, country: Country) => (text.includes('@') ? readFieldValue({ type: 'email' }, country, text) : undefined);

function phoneIn(text: string, country: Country): string | undefined {
  const digits = text.replace(/\D/g, '').length;
  return text.length <= 40 && digits >= 7 && digits <= 16 ? readFieldValue({ type: 'phone' }, country, text) : undefined;
}

const isTelling = (piece: string): boolean => /[@\p{N}]/u.test(piece);

/** Of a body that cannot be read as a lead: what stands between its signs, each word of that, and both without what they stand in. */
export function piecesOf(body: string): string[] {
  const between = body.split(/["'<>&={}[\],;|\t\r\n]+/).filter(isTelling);
  if (between.length > PIECES_READ) return between;
  return between
    .flatMap((piece) => [piece, decoded(piece)])
    .flatMap((piece) => [piece, ...piece.split(/\s+/)])
    .flatMap((piece) => [piece, piece.replace(/^[\s:()]+|[\s:().]+$/g, '')]);
}

function decoded(piece: string): string {
  try {
    return decodeURIComponent(piece.replaceAll('+', ' '));
  } catch {
    return piece;
  }
}
