/** What can be told of conditions on one field before any lead has come: values that it never has, and conditions that leave none. */
import type { FilterFields } from './filter.ts';
import { compileLeaf, type Key, keyFor, normalText, type Operand } from './filter-leaf.ts';
import { openPatternBudget } from './pattern.ts';
import type { FieldConfig, FilterLeaf } from './plan.ts';

const ONE_FIELD = { patterns: 500, size: 100_000 };

/** Sentences on values that a choice does not offer, without their full stop. */
export function strangeChoices(leaf: FilterLeaf, { fields, country }: FilterFields): string[] {
  const field = fields.get(leaf.field);
  if (field?.type !== 'choice') return [];
  const offered = new Set((field.options ?? []).map((option) => keyFor(field)(option)));
  const strange = valuesOf(leaf).filter((value) => !offered.has(keyFor(field)(normalText(value, field, country) ?? '')));
  if (strange.length === 0) return [];
  const said = strange.slice(0, 3).map((value) => `“${String(value).slice(0, 100)}”`);
  return [`${said.join(', ')} ${strange.length === 1 ? 'is' : 'are'} not among the choices of ${leaf.field}; choose one that is`];
}

/** A value that no lead has: fields without one are left out of leads. */
export function emptyValue(leaf: FilterLeaf): string[] {
  if (!('value' in leaf) || leaf.is === 'matches') return [];
  // A blank may well be part of a value.
  const isPart = leaf.is === 'contains' || leaf.is === 'startsWith' || leaf.is === 'endsWith';
  const isEmpty = [leaf.value].flat().some((value) => (isPart ? value : String(value).trim()) === '');
  return isEmpty ? [`the condition on ${leaf.field} names an empty value; write one, or ask whether there is any`] : [];
}

/** What holds of a value that a lead has exactly where the condition does not; none for those that have no such word. */
export function oppositeOf(leaf: FilterLeaf): FilterLeaf[] {
  const { field } = leaf;
  switch (leaf.is) {
    case 'equal':
      return [{ field, is: 'notEqual', value: leaf.value }];
    case 'in':
      return [{ field, is: 'notIn', value: leaf.value }];
    case 'present':
      return [{ field, is: 'absent' }];
    case 'absent':
      return [{ field, is: 'present' }];
    default:
      return [];
  }
}

/** Whether conditions on one field can be told to leave no value that meets all of them; false where that is not known. */
export function neverTogether(leaves: FilterLeaf[], known: FilterFields): boolean {
  const field = known.fields.get(leaves[0]!.field);
  if (!field || leaves.length < 2) return false;
  const patterns = openPatternBudget('a filter', ONE_FIELD);
  const compiled = leaves.map((leaf) => compileLeaf(leaf, known, patterns)).filter((leaf) => typeof leaf !== 'string');
  const meetAll = (fields: Record<string, string>) => compiled.every((leaf) => leaf.holds(fields));
  if (leaves.some(({ is }) => is === 'absent')) return !meetAll({});
  const naming = leaves.find(({ is }) => is === 'equal' || is === 'in');
  if (naming) return !valuesOf(naming).some((value) => meetAll({ [field.fieldName]: normalText(value, field, known.country) ?? '' }));
  return leavesNoRange(leaves, field, known.country);
}

/** The values that a condition of membership names. */
function valuesOf(leaf: FilterLeaf): Operand[] {
  if (leaf.is === 'equal' || leaf.is === 'notEqual') return [leaf.value];
  return leaf.is === 'in' || leaf.is === 'notIn' ? leaf.value : [];
}

interface Bound {
  at: ReturnType<Key>;
  /** The bound itself is left out. */
  open: boolean;
}

function leavesNoRange(leaves: FilterLeaf[], field: FieldConfig, country: FilterFields['country']): boolean {
  const bounds = (value: Operand, open: boolean): Bound[] => {
    const text = normalText(value, field, country);
    return text === undefined ? [] : [{ at: keyFor(field)(text), open }];
  };
  const lows = leaves.flatMap((leaf) => {
    if (leaf.is === 'between') return bounds(leaf.value[0], false);
    return leaf.is === 'atLeast' || leaf.is === 'moreThan' ? bounds(leaf.value, leaf.is === 'moreThan') : [];
  });
  const highs = leaves.flatMap((leaf) => {
    if (leaf.is === 'between') return bounds(leaf.value[1], false);
    return leaf.is === 'atMost' || leaf.is === 'lessThan' ? bounds(leaf.value, leaf.is === 'lessThan') : [];
  });
  return lows.some((low) => highs.some((high) => low.at > high.at || (low.at === high.at && (low.open || high.open))));
}
