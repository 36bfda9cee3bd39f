/** Rules that are sound and yet can never hold: told when they are written, because nothing else would ever say why a tier does not buy. */

import type { FilterFields } from './filter.ts';
import { emptyRange } from './filter-leaf.ts';
import { formatMoney } from './money.ts';
import type { Filter, TierPrice } from './plan.ts';

/** Sentences without their full stop, beginning in lower case; for a filter that compiles. */
export function neverMatches(filter: Filter, known: FilterFields): string[] {
  if ('all' in filter) return filter.all.flatMap((part) => neverMatches(part, known));
  if ('not' in filter) return neverMatches(filter.not, known);
  if (!('any' in filter)) return emptyRange(filter, known);
  if (filter.any.length === 0)
    return ['a group of which any condition must hold has none, so no lead passes it; add a condition or remove the group'];
  return filter.any.flatMap((part) => neverMatches(part, known));
}

export function neverBuys({ price, floor }: { price: TierPrice; floor?: number }): string[] {
  if (price.kind !== 'fixed' || floor === undefined || price.price >= floor) return [];
  return [
    `the fixed price ${formatMoney(price.price)} is under the floor ${formatMoney(floor)}, so the tier would never buy; lower the floor or remove it`,
  ];
}
