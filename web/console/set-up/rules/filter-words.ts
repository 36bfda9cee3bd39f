/** The visual filter: its operators in words, which fit a field, and what a new condition begins with. */
import { MOVES, moveFieldsOf } from '#contract/move.ts';
import type { FilterLeafRule, FilterRule } from '#contract/tier.ts';

export interface FieldRow {
  _id: string;
  fieldName: string;
  fieldHumanName: string;
  type: string;
  options: string[] | null;
  /** What an option is called, where that is not how rules hold it. */
  labels?: Readonly<Record<string, string>>;
}

/** What conditions may name: the fields, and the moves that follow from them. */
export function filterFields(fields: readonly FieldRow[]): FieldRow[] {
  const labels = Object.fromEntries(MOVES.map(({ move, word, label }) => [word, `${move} ${label}`]));
  return [...fields, ...moveFieldsOf(fields).map((field) => ({ ...field, _id: field.fieldName, labels }))];
}

export type Operator = FilterLeafRule['is'];

export const operatorWord: Record<Operator, string> = {
  equal: 'is',
  notEqual: 'is not',
  in: 'is one of',
  notIn: 'is none of',
  between: 'is between',
  atLeast: 'is at least',
  atMost: 'is at most',
  moreThan: 'is more than',
  lessThan: 'is less than',
  contains: 'contains',
  startsWith: 'starts with',
  endsWith: 'ends with',
  matches: 'matches (RE2)',
  present: 'is given',
  absent: 'is missing',
};

const ORDERED = ['number', 'integer', 'money', 'date'];
const ORDER: Operator[] = ['atLeast', 'atMost', 'moreThan', 'lessThan', 'between'];
const TEXT: Operator[] = ['contains', 'startsWith', 'endsWith', 'matches'];

export function operatorsOf(type: string): Operator[] {
  const all = Object.keys(operatorWord) as Operator[];
  if (ORDERED.includes(type)) return all.filter((one) => !TEXT.includes(one));
  if (type === 'boolean') return ['equal', 'notEqual', 'present', 'absent'];
  return all.filter((one) => !ORDER.includes(one));
}

/** The same condition under another operator, as far as its value can be kept. */
export function withOperator(leaf: FilterLeafRule, is: Operator): FilterLeafRule {
  const texts = valuesOf(leaf).map(String);
  const { field } = leaf;
  switch (is) {
    case 'present':
    case 'absent':
      return { field, is };
    case 'in':
    case 'notIn':
      return { field, is, value: texts.length > 0 ? texts : [''] };
    case 'between':
      return { field, is, value: [texts[0] ?? '', texts[1] ?? ''] };
    default:
      return { field, is, value: texts[0] ?? '' } as FilterLeafRule;
  }
}

export const valuesOf = (leaf: FilterLeafRule): (string | number | boolean)[] => ('value' in leaf ? [leaf.value].flat() : []);

export const newLeaf = (field: FieldRow): FilterLeafRule =>
  ORDERED.includes(field.type) ? { field: field.fieldName, is: 'atLeast', value: '' } : { field: field.fieldName, is: 'equal', value: '' };

export type Group = { all: FilterRule[] } | { any: FilterRule[] } | { not: FilterRule };
export const isLeaf = (rule: FilterRule): rule is FilterLeafRule => 'is' in rule;

/** How a group reads: its children, and the word that joins them. `none` is a `not` around an `any`. */
export function openGroup(rule: Group): { join: 'all' | 'any' | 'none'; children: FilterRule[] } {
  if ('all' in rule) return { join: 'all', children: rule.all };
  if ('any' in rule) return { join: 'any', children: rule.any };
  const inner = rule.not;
  return { join: 'none', children: !isLeaf(inner) && 'any' in inner ? inner.any : [inner] };
}

export function makeGroup(join: 'all' | 'any' | 'none', children: FilterRule[]): Group {
  if (join === 'none') return { not: { any: children } };
  return join === 'all' ? { all: children } : { any: children };
}

/** Conditions that were begun and left without a value would match nothing: they are named before they are sent. */
export function unfinished(rule: FilterRule | null): string | null {
  if (!rule) return null;
  if (!isLeaf(rule)) {
    const { children } = openGroup(rule);
    if (children.length === 0) return 'A group of conditions is empty.';
    return children.map(unfinished).find((one) => one !== null) ?? null;
  }
  const values = valuesOf(rule);
  return 'value' in rule && (values.length === 0 || values.some((one) => one === ''))
    ? `The condition on ${rule.field} needs a value.`
    : null;
}
