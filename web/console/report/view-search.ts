/** The address of a report as a view keeps it, and back. */
import { type ReportSearch, readReportSearch, spanOf } from './report-search.ts';

/** What is to be seen now: a span that was only remembered is named, one that is called "this week" stays so; `columns` are those in sight. */
export function toViewSearch(search: ReportSearch, columns: readonly string[] | undefined): Record<string, string> {
  const { view: _, ...all } = { ...search, ...spanOf(search), ...(columns && columns.length > 0 && { columns: columns.join(',') }) };
  return Object.fromEntries(Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])));
}

/** The address that opens a view. */
export const fromView = (id: string, kept: Record<string, string>): ReportSearch => ({ ...readReportSearch(kept), view: id });

/** Whether something else is to be seen than the view keeps. */
export function isOtherThan(kept: Record<string, string>, search: ReportSearch, columns: readonly string[] | undefined): boolean {
  const meant = toViewSearch(readReportSearch(kept), kept.columns === undefined ? undefined : kept.columns.split(','));
  const shown = toViewSearch(search, kept.columns === undefined ? undefined : columns);
  const names = new Set([...Object.keys(meant), ...Object.keys(shown)]);
  return [...names].some((name) => meant[name] !== shown[name]);
}

/** An address that says no more than a span leaves room for the view that a page opens with. */
export const isBare = (search: ReportSearch): boolean => Object.keys(search).every((name) => ['period', 'from', 'to'].includes(name));
