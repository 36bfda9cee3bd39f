/** One condition on one field, compiled: the configured value is normalised as the field itself is. */
import type { Explanation } from './decision.ts';
import { readFieldValue, withZeros } from './field-value.ts';
import type { Fields, FilterFields } from './filter.ts';
import type { PatternBudget } from './pattern.ts';
import type { FieldConfig, FilterLeaf } from './plan.ts';

export interface CompiledLeaf {
  field: string;
  is: FilterLeaf['is'];
  /** The configured value as a person reads it. */
  value: string;
  holds(fields: Fields): boolean;
}

type Compare = (actual: string) => boolean;
/** Text to a thing that < and > order rightly. */
export type Key = (text: string) => number | string;
export type Operand = string | number | boolean;

const VALUE_LIMIT = 10_000;
const OPERATORS: ReadonlySet<string> = new Set([
  'equal',
  'notEqual',
  'in',
  'notIn',
  'between',
  'atLeast',
  'atMost',
  'moreThan',
  'lessThan',
  'contains',
  'startsWith',
  'endsWith',
  'matches',
  'present',
  'absent',
]);

/** A text instead of a leaf says what is wrong with it. */
export function compileLeaf(leaf: FilterLeaf, known: FilterFields, patterns: PatternBudget): CompiledLeaf | string {
  const field = known.fields.get(leaf.field);
  if (!field) return `the field ${String(leaf.field)} does not exist`;
  if (!OPERATORS.has(leaf.is)) return `the operator ${String(leaf.is)} does not exist`;
  const value = readableValue(leaf);
  if (value === undefined) return `the condition on ${leaf.field} needs a value`;
  const holds = compileHolds(leaf, field, known.country, patterns);
  return typeof holds === 'string' ? holds : { field: leaf.field, is: leaf.is, value, holds };
}

/** States what is so: held true means the condition was met (and should not have been). The lead's own value is never told. */
export function explainLeaf(leaf: CompiledLeaf, fields: Fields, others: number): Explanation {
  const { field, is, value } = leaf;
  return { code: 'filter-missed', params: { field, is, value, held: leaf.holds(fields), missing: !fields[field], others } };
}

function readableValue(leaf: FilterLeaf): string | undefined {
  if (!hasValue(leaf)) return '';
  const values = (Array.isArray(leaf.value) ? leaf.value : [leaf.value]) as unknown[];
  const wrong = values.length > VALUE_LIMIT || values.some((value) => !['string', 'number', 'boolean'].includes(typeof value));
  if (wrong || Array.isArray(leaf.value) !== (leaf.is === 'in' || leaf.is === 'notIn' || leaf.is === 'between')) return undefined;
  if (leaf.is === 'between') return values.length === 2 ? values.join(' and ') : undefined;
  const shown = values.slice(0, 12).join(', ');
  return values.length > 12 ? `${shown} and ${values.length - 12} more` : shown;
}

function compileHolds(
  leaf: FilterLeaf,
  field: FieldConfig,
  country: 'us' | 'uk',
  patterns: PatternBudget,
): ((fields: Fields) => boolean) | string {
  const name = leaf.field;
  if (!hasValue(leaf)) return leaf.is === 'present' ? (fields) => Boolean(fields[name]) : (fields) => !fields[name];
  const compare = compileCompare(leaf, field, country, patterns);
  if (typeof compare === 'string') return compare;
  const ifAbsent = leaf.is === 'notEqual' || leaf.is === 'notIn';
  return (fields) => (fields[name] ? compare(fields[name]) : ifAbsent);
}

type ValueLeaf = Exclude<FilterLeaf, { is: 'present' | 'absent' }>;

function hasValue(leaf: FilterLeaf): leaf is ValueLeaf {
  return leaf.is !== 'present' && leaf.is !== 'absent';
}

function compileCompare(leaf: ValueLeaf, field: FieldConfig, country: 'us' | 'uk', patterns: PatternBudget): Compare | string {
  switch (leaf.is) {
    case 'equal':
    case 'notEqual':
    case 'in':
    case 'notIn':
      return compileMembership(leaf, field, country);
    case 'between':
    case 'atLeast':
    case 'atMost':
    case 'moreThan':
    case 'lessThan':
      return compileOrder(leaf, field, country);
    case 'contains':
    case 'startsWith':
    case 'endsWith':
      return compileText(leaf.is, fold(leaf.value));
    case 'matches':
      return compileMatch(leaf.value, patterns);
  }
}

function compileMembership(
  leaf: Extract<ValueLeaf, { is: 'equal' | 'notEqual' | 'in' | 'notIn' }>,
  field: FieldConfig,
  country: 'us' | 'uk',
) {
  const key = keyFor(field);
  const values = Array.isArray(leaf.value) ? leaf.value : [leaf.value];
  const texts = values.map((value) => normalText(value, field, country));
  const bad = values.find((_, index) => texts[index] === undefined);
  if (bad !== undefined) return notAValue(bad, field);
  const wanted = new Set(texts.map((text) => key(text!)));
  const positive = leaf.is === 'equal' || leaf.is === 'in';
  return (actual: string) => wanted.has(key(actual)) === positive;
}

function compileOrder(
  leaf: Extract<ValueLeaf, { is: 'between' | 'atLeast' | 'atMost' | 'moreThan' | 'lessThan' }>,
  field: FieldConfig,
  country: 'us' | 'uk',
) {
  const key = keyFor(field);
  const values: Operand[] = leaf.is === 'between' ? leaf.value : [leaf.value];
  const texts = values.map((value) => normalText(value, field, country));
  const bad = values.find((_, index) => texts[index] === undefined);
  if (bad !== undefined) return notAValue(bad, field);
  const [low, high] = texts.map((text) => key(text!));
  return orderTest(leaf.is, key, low!, high);
}

/** What is wrong with a range that ends before it begins; nothing for every other condition. */
export function emptyRange(leaf: FilterLeaf, { fields, country }: FilterFields): string[] {
  const field = fields.get(leaf.field);
  if (leaf.is !== 'between' || !field) return [];
  const [from, to] = leaf.value.map((value) => normalText(value, field, country)).map((text) => text && keyFor(field)(text));
  if (from === undefined || to === undefined || from <= to) return [];
  return [
    `the condition on ${leaf.field} ends at ${leaf.value[1]}, before it begins at ${leaf.value[0]}, so no lead meets it; turn them round`,
  ];
}

function orderTest(is: 'between' | 'atLeast' | 'atMost' | 'moreThan' | 'lessThan', key: Key, low: number | string, high = low): Compare {
  switch (is) {
    case 'between':
      return (actual) => key(actual) >= low && key(actual) <= high;
    case 'atLeast':
      return (actual) => key(actual) >= low;
    case 'atMost':
      return (actual) => key(actual) <= low;
    case 'moreThan':
      return (actual) => key(actual) > low;
    case 'lessThan':
      return (actual) => key(actual) < low;
  }
}

function compileText(is: 'contains' | 'startsWith' | 'endsWith', part: string): Compare {
  if (is === 'contains') return (actual) => fold(actual).includes(part);
  return is === 'startsWith' ? (actual) => fold(actual).startsWith(part) : (actual) => fold(actual).endsWith(part);
}

/** Matches any part of the value; anchor with ^ and $ to match the whole. */
function compileMatch(text: string, patterns: PatternBudget): Compare | string {
  const pattern = patterns.take(text);
  return typeof pattern === 'string' ? pattern : (actual) => pattern.test(actual);
}

/** Numbers and dates must read as such; a text the field itself would refuse is compared as it stands. */
export function normalText(value: Operand, field: FieldConfig, country: 'us' | 'uk'): string | undefined {
  const text = String(value).normalize('NFC').trim();
  const padded = typeof value === 'number' ? withZeros(text, field.type, country) : text;
  const normal = readFieldValue(field, country, padded);
  return normal ?? (isStrict(field) ? undefined : padded);
}

function isStrict(field: FieldConfig): boolean {
  return isNumeric(field) || field.type === 'date' || field.type === 'boolean';
}

function isNumeric(field: FieldConfig): boolean {
  return field.type === 'number' || field.type === 'integer' || field.type === 'money';
}

export function keyFor(field: FieldConfig): Key {
  if (isNumeric(field)) return Number;
  return field.type === 'date' || field.type === 'boolean' ? (text) => text : fold;
}

function notAValue(value: Operand, field: FieldConfig): string {
  return `“${String(value).slice(0, 100)}” is not a value of the ${field.type} field ${field.fieldName}`;
}

function fold(text: string): string {
  return text.toLowerCase();
}
