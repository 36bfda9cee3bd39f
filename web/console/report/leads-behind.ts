/** Which leads stand behind a figure, as the leads list's own filters. */
import { DIMENSIONS } from './report-names.ts';
import { type FilterName, filterNames, type ReportSearch, spanOf } from './report-search.ts';

/** What the list alone can be narrowed by. */
const LIST_FILTERS: Readonly<Record<string, string>> = { reason: 'reason', variant: 'variantId' };

/** Of the report as it is narrowed, and of one value; undefined where the list cannot be narrowed to it. Tests and bare pings stay out, as in the report. */
export function leadsBehind(
  search: ReportSearch,
  by: readonly string[],
  keys: readonly { _id: string }[],
): Record<string, string> | undefined {
  const own: Record<string, string> = {};
  for (const [at, dimension] of by.entries()) {
    const filter = DIMENSIONS[dimension]?.filter ?? LIST_FILTERS[dimension];
    if (!filter) return undefined;
    own[filter] = keys[at]!._id;
  }
  return { ...narrowing(search), ...own, test: 'false', pings: 'false' };
}

export function narrowing(search: ReportSearch): Record<string, string> {
  const { period, from, to } = spanOf(search);
  const filters = filterNames.flatMap((name: FilterName) => (search[name] === undefined ? [] : [[name, search[name]] as const]));
  return { ...Object.fromEntries(filters), period, ...(from && to && { from, to }) };
}
