/** The address of a page as a view keeps it, and back. */
import { type ReportSearch, readPaymentSearch, readReportSearch, spanOf } from './report-search.ts';

/** Of a page that has views: how its address is read, and what of it is to be seen now. */
export interface ViewAddress<Search extends { view?: string | undefined }> {
  read: (raw: Record<string, unknown>) => Search;
  whole: (search: Search) => Search;
}

/** Of reports: a span that was only remembered is named, one that is called "this week" stays so; what was searched for falls away. */
export const REPORT_ADDRESS: ViewAddress<ReportSearch> = {
  read: readReportSearch,
  whole: ({ q: _q, ...search }) => ({ ...search, ...spanOf(search) }),
};

export const PAYMENT_ADDRESS: ViewAddress<ReportSearch> = { ...REPORT_ADDRESS, read: readPaymentSearch };

/** What is to be seen now; `columns` are those in sight. */
export function toViewSearch<Search extends { view?: string | undefined }>(
  address: ViewAddress<Search>,
  search: Search,
  columns: readonly string[] | undefined,
): Record<string, string> {
  const { view: _, ...all } = { ...address.whole(search), ...(columns && columns.length > 0 && { columns: columns.join(',') }) };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** The address that opens a view. */
export const fromView = <Search extends { view?: string | undefined }>(
  address: ViewAddress<Search>,
  id: string,
  kept: Record<string, string>,
): Search => ({ ...address.read(kept), view: id });

/** Whether something else is to be seen than the view keeps. */
export function isOtherThan<Search extends { view?: string | undefined }>(
  address: ViewAddress<Search>,
  kept: Record<string, string>,
  search: Search,
  columns: readonly string[] | undefined,
): boolean {
  const meant = toViewSearch(address, address.read(kept), kept.columns === undefined ? undefined : kept.columns.split(','));
  const shown = toViewSearch(address, search, kept.columns === undefined ? undefined : columns);
  const names = new Set([...Object.keys(meant), ...Object.keys(shown)]);
  return [...names].some((name) => meant[name] !== shown[name]);
}

/** An address that says no more than a span leaves room for the view that a page opens with. */
export const isBare = (search: object): boolean => Object.keys(search).every((name) => ['period', 'from', 'to'].includes(name));
