import { isTooLong, isWallMinute, type Span, spans } from '#web/ui/period.ts';

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

/** What is not whole, or of a version of before, is today. */
export function readTimeSpan(): TimeSpan {
  const today: TimeSpan = { timespan: 'today', startDate: '', endDate: '' };
  try {
    const { timespan, startDate, endDate } = JSON.parse(readTimeSpanText()) as Partial<TimeSpan>;
    const known = spans.find((one) => one === timespan);
    const [from, to] = [startDate ?? '', endDate ?? ''];
    const isRange = isWallMinute(from) && isWallMinute(to) && !isTooLong(from, to);
    if (!known || (known === 'customRange' && !isRange)) return today;
    return { timespan: known, startDate: from, endDate: to };
  } catch {
    return today;
  }
}
