/** Rules that are sound and yet can never hold: told when they are written, because nothing else would ever say why a tier does not buy. */

import { emptyValue, neverTogether, oppositeOf, strangeChoices } from './contradiction.ts';
import type { FilterFields } from './filter.ts';
import { emptyRange } from './filter-leaf.ts';
import { formatMoney } from './money.ts';
import type { Filter, FilterLeaf, Hours, TierPrice } from './plan.ts';

/** Sentences without their full stop, beginning in lower case; for a filter that compiles. */
export function neverMatches(filter: Filter, known: FilterFields): string[] {
  if ('all' in filter) {
    const parts = filter.all.flatMap((part) => neverMatches(part, known));
    return parts.length > 0 ? parts : contradictions(filter, known);
  }
  if ('not' in filter) return slips(filter.not, known);
  if (!('any' in filter)) return slips(filter, known);
  if (filter.any.length === 0)
    return ['a group of which any condition must hold has none, so no lead passes it; add a condition or remove the group'];
  return filter.any.flatMap((part) => neverMatches(part, known));
}

/** What is wrong with single conditions wherever they stand, also where they must not hold. */
function slips(filter: Filter, known: FilterFields): string[] {
  if ('all' in filter) return filter.all.flatMap((part) => slips(part, known));
  if ('any' in filter) return filter.any.flatMap((part) => slips(part, known));
  if ('not' in filter) return slips(filter.not, known);
  return [...emptyValue(filter), ...emptyRange(filter, known), ...strangeChoices(filter, known)];
}

/** Of the conditions that must hold together, groups of such conditions among them, those on one field. */
function contradictions(filter: Filter, known: FilterFields): string[] {
  const together = Map.groupBy(conditionsOf(filter), ({ field }) => field);
  return [...together].flatMap(([field, leaves]) =>
    neverTogether(leaves, known)
      ? [`the conditions on ${field} contradict each other, so no lead meets all of them; let any of them be enough, or remove one`]
      : [],
  );
}

/** A condition that must not hold is the opposite one that must, where there is one. */
function conditionsOf(part: Filter): FilterLeaf[] {
  if ('all' in part) return part.all.flatMap(conditionsOf);
  if ('any' in part) return part.any.length === 1 ? conditionsOf(part.any[0]!) : [];
  if (!('not' in part)) return [part];
  return 'is' in part.not ? oppositeOf(part.not) : [];
}

export function neverBuys({ price, floor }: { price: TierPrice; floor?: number }): string[] {
  if (price.kind !== 'fixed' || floor === undefined || price.price >= floor) return [];
  return [
    `the fixed price ${formatMoney(price.price)} is under the floor ${formatMoney(floor)}, so the tier would never buy; lower the floor or remove it`,
  ];
}

export function neverOpens({ week }: Hours): string[] {
  if (week.some((spans) => spans.length > 0)) return [];
  return ['no day of the week has hours, so it would be closed for ever; give it some, or pause it instead'];
}
