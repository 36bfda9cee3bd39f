import type { Span } from '#web/ui/period.ts';

/** The time span last chosen, under the spec's name and shape (console §3); it goes along when signing out. */
export interface TimeSpan {
  timespan: Span;
  startDate: string;
  endDate: string;
}
const storageKey = 'timespanObj';

export const rememberTimeSpan = (span: TimeSpan): void => localStorage.setItem(storageKey, JSON.stringify(span));
export const readTimeSpanText = (): string =>
  localStorage.getItem(storageKey) ?? JSON.stringify({ timespan: 'today', startDate: '', endDate: '' });
