/** How entries of suppression lists are kept, and how a lead is compared with them: as 128 bits of a hash, never as the value. */
import { hash } from 'node:crypto';
import { readFieldValue, withZeros } from '#engine/field-value.ts';
import type { EntryForm, FieldConfig, SuppressionListConfig } from '#engine/plan.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';

type Country = 'us' | 'uk';
type Holds = SuppressionListConfig['holds'];
export interface EntryList extends Pick<SuppressionListConfig, 'holds' | 'form'> {
  country: Country;
  /** Of a list of texts: the fields of its name, of all verticals, each of its country. Entries are read as they read what leads bring. */
  fields: readonly (Pick<FieldConfig, 'type' | 'options'> & { country: Country })[];
}

const HEX_LENGTH: Readonly<Record<Exclude<EntryForm, 'plain'>, number>> = { md5: 32, sha1: 40, sha256: 64 };

/** What is said of an entry that is none. */
export function entryProblem({ holds, form }: EntryList): string {
  if (form !== 'plain') return `is no ${form.toUpperCase()} hash: ${HEX_LENGTH[form]} hexadecimal digits`;
  return { email: 'is no e-mail address', phone: 'is no phone number', text: 'is empty, too long, or nothing that the field can hold' }[
    holds
  ];
}

/** The hashes under which the entry is kept: one, or as many as the fields of a list of texts read it in ways. None for a text that is no entry. */
export function hashEntry(keys: OrganizationKeys, list: EntryList, text: string): string[] {
  if (list.form === 'plain') return readEntry(list, text).map((normal) => keyedHash(keys, 'suppression', normal));
  const hash = readHex(list.form, text);
  return hash === undefined ? [] : [hash];
}

/** Where an entry may stand that is to be taken out. */
export interface KeptEntry {
  /** As it is read today. */
  hashes: string[];
  /** As it was read when its list had no field yet, or the field was another, or went by the list's own country: asked where today's hashes find nothing. */
  earlier: string[];
}

/** Undefined for a text that never was an entry. */
export function findHashes(keys: OrganizationKeys, list: EntryList, text: string): KeptEntry | undefined {
  const hashes = hashEntry(keys, list, text);
  const earlier = list.form === 'plain' && list.holds === 'text' ? readEarlier(list, text) : [];
  if (hashes.length === 0 && earlier.length === 0) return undefined;
  return { hashes, earlier: earlier.map((normal) => keyedHash(keys, 'suppression', normal)).filter((hash) => !hashes.includes(hash)) };
}

/** The hashes under which a list would hold the lead; `fields` are normalised. */
export function leadHashes(
  keys: OrganizationKeys,
  list: SuppressionListConfig,
  types: readonly FieldConfig[],
  fields: Readonly<Record<string, string>>,
): string[] {
  const names =
    list.holds === 'text' ? [list.fieldName!] : types.filter(({ type }) => type === list.holds).map(({ fieldName }) => fieldName);
  const values = names.map((name) => fields[name]).filter((value) => value !== undefined);
  const { form } = list;
  if (form === 'plain') return values.map((value) => keyedHash(keys, 'suppression', list.holds === 'text' ? fold(value) : value));
  return values.flatMap((value) => spellings(list.holds, value)).map((spelling) => readHex(form, hash(form, spelling, 'hex'))!);
}

const LONGEST = 500;

function readEntry({ holds, country, fields }: EntryList, text: string): string[] {
  const trimmed = trim(text);
  if (trimmed === undefined) return [];
  if (holds !== 'text') return [readFieldValue({ type: holds }, country, trimmed)].filter((normal) => normal !== undefined);
  // A list may be there before its field.
  return fields.length === 0 ? [fold(trimmed)] : readTexts(fields, trimmed);
}

function readEarlier({ country, fields }: EntryList, text: string): string[] {
  const trimmed = trim(text);
  if (trimmed === undefined) return [];
  return [
    ...new Set([
      fold(trimmed),
      ...readTexts(
        fields.map((field) => ({ ...field, country })),
        trimmed,
      ),
    ]),
  ];
}

function readTexts(fields: EntryList['fields'], text: string): string[] {
  const readings = fields.map((field) => readFieldValue(field, field.country, withZeros(text, field.type, field.country)));
  return [...new Set(readings.filter((normal) => normal !== undefined).map(fold))];
}

/** Undefined for what can be no entry of any list. */
function trim(text: string): string | undefined {
  const trimmed = text.normalize('NFC').trim();
  return trimmed === '' || trimmed.length > LONGEST || !trimmed.isWellFormed() ? undefined : trimmed;
}

const fold = (text: string): string => text.toLowerCase();

/** The first 128 bits in the form of a UUID; of an MD5 that is all of it. */
function readHex(form: Exclude<EntryForm, 'plain'>, text: string): string | undefined {
  const hex = text.trim().toLowerCase();
  if (hex.length !== HEX_LENGTH[form] || !/^[0-9a-f]+$/.test(hex)) return undefined;
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

/** Who hashed a phone number may have left out its plus sign or its country; texts are hashed as they are or in small letters. */
function spellings(holds: Holds, value: string): string[] {
  if (holds === 'text') return [...new Set([value, fold(value)])];
  if (holds === 'email') return [value];
  const digits = value.slice(1);
  if (digits.startsWith('1')) return [value, digits, digits.slice(1)];
  return digits.startsWith('44') ? [value, digits, `0${digits.slice(2)}`, digits.slice(2)] : [value, digits];
}
