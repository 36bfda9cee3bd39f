/** Which leads stand behind a figure, as the leads list's own filters. */
import { DIMENSIONS } from './report-names.ts';
import { type FilterName, filterNames, type ReportSearch, spanOf } from './report-search.ts';

/** What the list alone can be narrowed by. */
const LIST_FILTERS: Readonly<Record<string, string>> = {
  reason: 'reason',
  variant: 'variantId',
  group: 'triedGroupId',
  filterReason: 'filterReason',
};

/** What a report counts of buyers: those that were tried, or those that bought. The list has a filter for each. */
export type CountedOf = 'tried' | 'sold';
const OF_BUYERS: Readonly<Record<CountedOf, Readonly<Record<string, string>>>> = {
  tried: { buyerId: 'triedBuyerId', buyerTierId: 'triedTierId' },
  sold: { buyerId: 'soldBuyerId', buyerTierId: 'soldTierId' },
};

/** Of the report as it is narrowed, and of one value; undefined where the list cannot be narrowed to it. Tests and bare pings stay out, as in the report. */
export function leadsBehind(
  search: ReportSearch,
  by: readonly string[],
  keys: readonly { _id: string }[],
  counted: CountedOf = 'tried',
): Record<string, string> | undefined {
  const own: Record<string, string> = {};
  for (const [at, dimension] of by.entries()) {
    const filter = DIMENSIONS[dimension]?.filter ?? LIST_FILTERS[dimension];
    // A tier that was tried in no group, as one that bought after the lead was interrupted, is of none that could be named; what was not filtered has no filter reason.
    const isNone = (dimension === 'group' && keys[at]!._id === '') || (dimension === 'filterReason' && keys[at]!._id === '0');
    if (!filter || isNone) return undefined;
    own[OF_BUYERS[counted][filter] ?? filter] = keys[at]!._id;
  }
  const within = Object.entries(narrowing(search)).map(([name, value]) => [OF_BUYERS[counted][name] ?? name, value]);
  return { ...Object.fromEntries(within), ...own, test: 'false', pings: 'false' };
}

/** As other reports are narrowed to the same. */
export function narrowing(search: ReportSearch): Record<string, string> {
  const { period, from, to } = spanOf(search);
  const filters = filterNames.flatMap((name: FilterName) => (search[name] === undefined ? [] : [[name, search[name]] as const]));
  return { ...Object.fromEntries(filters), period, ...(from && to && { from, to }) };
}
