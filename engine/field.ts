/** The fields of a vertical: what a publisher sent becomes normalised text, or one plain message per field (engine.md, first check). */
import type { FieldError } from './decision.ts';
import { type Country, readFieldValue, withZeros } from './field-value.ts';
import { openPatternBudget, type Pattern } from './pattern.ts';
import type { FieldConfig, VerticalConfig } from './plan.ts';

export interface NormalisedLead {
  /** Normalised text by field name; a field that is absent or blank has no entry. */
  fields: Record<string, string>;
  errors: FieldError[];
  /** Names that the vertical does not know: stored, warned about, never refused. */
  unknown: string[];
}

interface FieldReader {
  field: FieldConfig;
  pattern: Pattern | undefined;
}

/** The texts of document 1 §5. */
export const FIELD_MESSAGES = {
  required: '{field} is required',
  single: '{field} must be a single value',
  minChar: '{field} must be at least {n} characters',
  maxChar: '{field} must not exceed {n} characters',
  min: '{field} must be at least {n}',
  max: '{field} must not exceed {n}',
  email: 'Please enter a valid email address (e.g., name@example.com)',
  phone: 'Please enter a valid phone number (10-15 digits, numbers only)',
  url: 'Please enter a valid URL (e.g., https://example.com)',
  numbers: 'Please enter numbers only',
  valid: 'Please enter a valid {field}',
} as const;

const readersByVertical = new WeakMap<VerticalConfig, FieldReader[]>();

/**
 * Normalises first, then checks; at most one error per field. `partial` (a ping) requires only fields that go into a ping.
 * Never throws, whatever JSON values come in.
 */
export function normaliseLead(vertical: VerticalConfig, rawFields: Record<string, unknown>, partial = false): NormalisedLead {
  const lead: NormalisedLead = { fields: Object.create(null) as Record<string, string>, errors: [], unknown: [] };
  const readers = readersOf(vertical);
  for (const reader of readers) readField(reader, vertical.country, rawFields, partial, lead);
  const known = new Set(readers.map(({ field }) => field.fieldName));
  lead.unknown = Object.keys(rawFields).filter((name) => !known.has(name));
  return lead;
}

/** Of one vertical: every lead meets all of them. */
const FIELD_PATTERNS = { patterns: 100, size: 4_000 };

/** The pattern of every field that has one, by its name; a text instead says why it cannot be applied. */
export function readFieldPatterns(fields: readonly Pick<FieldConfig, 'fieldName' | 'pattern'>[]): Map<string, Pattern | string> {
  const budget = openPatternBudget('the fields of a vertical', FIELD_PATTERNS);
  return new Map(fields.flatMap(({ fieldName, pattern }) => (pattern ? [[fieldName, budget.take(pattern)] as const] : [])));
}

function readersOf(vertical: VerticalConfig): FieldReader[] {
  const kept = readersByVertical.get(vertical);
  if (kept) return kept;
  const patterns = readFieldPatterns(vertical.fields);
  const readers = vertical.fields.map((field) => {
    const pattern = patterns.get(field.fieldName);
    return { field, pattern: typeof pattern === 'string' ? undefined : pattern };
  });
  readersByVertical.set(vertical, readers);
  return readers;
}

function readField(reader: FieldReader, country: Country, raw: Record<string, unknown>, partial: boolean, lead: NormalisedLead): void {
  const { field } = reader;
  const value = Object.hasOwn(raw, field.fieldName) ? raw[field.fieldName] : undefined;
  const read = readValue(reader, country, value, field.required && (field.inPing || !partial));
  if (read.message !== undefined) lead.errors.push({ field: field.fieldName, message: named(read.message, field) });
  else if (read.normal !== undefined) lead.fields[field.fieldName] = read.normal;
}

/** Either the normal text, or a message, or neither for an absent value that may be absent. */
function readValue(reader: FieldReader, country: Country, value: unknown, required: boolean): { normal?: string; message?: string } {
  const { field } = reader;
  const text = textOf(value, field, country);
  if (text === undefined) return { message: FIELD_MESSAGES.single };
  if (text === '') return required ? { message: FIELD_MESSAGES.required } : {};
  // PostgreSQL stores no NUL, and half a surrogate pair is no character.
  if (text.includes('\0') || !text.isWellFormed()) return { message: FIELD_MESSAGES.valid };
  const normal = readFieldValue(field, country, text);
  if (normal === undefined) return { message: typeMessage(field) };
  const message = boundMessage(reader, text, normal);
  return message === undefined ? { normal } : { message };
}

function named(message: string, field: FieldConfig): string {
  return message.replace('{field}', () => field.fieldHumanName || field.fieldName);
}

/** Trimmed NFC text; '' for nothing; undefined for lists and objects. */
function textOf(value: unknown, field: FieldConfig, country: Country): string | undefined {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value.normalize('NFC').trim();
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return withZeros(String(value), field.type, country);
}

function typeMessage(field: FieldConfig): string {
  switch (field.type) {
    case 'email':
      return FIELD_MESSAGES.email;
    case 'phone':
      return FIELD_MESSAGES.phone;
    case 'url':
      return FIELD_MESSAGES.url;
    case 'number':
    case 'integer':
      return FIELD_MESSAGES.numbers;
    default:
      return FIELD_MESSAGES.valid;
  }
}

function boundMessage(reader: FieldReader, typed: string, normal: string): string | undefined {
  return lengthMessage(reader.field, typed) ?? amountMessage(reader.field, normal) ?? patternMessage(reader, normal);
}

/** Length is that of what was typed: characters as people count them (code points), digits of a phone. */
function lengthMessage(field: FieldConfig, typed: string): string | undefined {
  if (field.minChar === undefined && field.maxChar === undefined) return undefined;
  if (!['string', 'email', 'url', 'zip', 'number', 'integer', 'phone'].includes(field.type)) return undefined;
  const length = field.type === 'phone' ? typed.replace(/\P{Nd}/gu, '').length : [...typed].length;
  if (field.minChar !== undefined && length < field.minChar) return numbered(FIELD_MESSAGES.minChar, field.minChar);
  if (field.maxChar !== undefined && length > field.maxChar) return numbered(FIELD_MESSAGES.maxChar, field.maxChar);
  return undefined;
}

function amountMessage(field: FieldConfig, normal: string): string | undefined {
  if (field.type !== 'number' && field.type !== 'integer' && field.type !== 'money') return undefined;
  if (field.min !== undefined && Number(normal) < field.min) return numbered(FIELD_MESSAGES.min, field.min);
  if (field.max !== undefined && Number(normal) > field.max) return numbered(FIELD_MESSAGES.max, field.max);
  return undefined;
}

function numbered(message: string, n: number): string {
  return message.replace('{n}', String(n));
}

/** As in an HTML form, a pattern must match the whole value. */
function patternMessage(reader: FieldReader, normal: string): string | undefined {
  return reader.pattern && !reader.pattern.fits(normal) ? FIELD_MESSAGES.valid : undefined;
}
