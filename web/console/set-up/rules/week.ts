/** Opening hours as people see and type them. */
import type { HoursRule } from '#contract/tier.ts';

export type Span = HoursRule['week'][number][number];
export type Week = HoursRule['week'];
export const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;

const minutesOf = (clock: string): number => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
const clockOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

/** Spans in order, with those that touch made one. */
export function tidySpans(spans: readonly Span[]): Span[] {
  const sorted = spans.map(({ from, to }) => [minutesOf(from), minutesOf(to)] as const).sort((a, b) => a[0] - b[0]);
  const merged: [number, number][] = [];
  for (const [from, to] of sorted) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (from < to) merged.push([from, to]);
  }
  return merged.map(([from, to]) => ({ from: clockOf(from), to: clockOf(to) }));
}

/** How much of an hour is open: none, some or all of it. */
export function hourState(spans: readonly Span[], hour: number): 'none' | 'some' | 'all' {
  const [from, to] = [hour * 60, hour * 60 + 60];
  const open = spans.reduce((sum, span) => sum + Math.max(0, Math.min(to, minutesOf(span.to)) - Math.max(from, minutesOf(span.from))), 0);
  return open === 0 ? 'none' : open >= 60 ? 'all' : 'some';
}

/** Opens or closes one hour and leaves the rest of the day as it is. */
export function setHour(spans: readonly Span[], hour: number, isOpen: boolean): Span[] {
  const [from, to] = [hour * 60, hour * 60 + 60];
  if (isOpen) return tidySpans([...spans, { from: clockOf(from), to: clockOf(to) }]);
  return tidySpans(
    spans
      .flatMap((span) => [
        { from: span.from, to: clockOf(Math.min(minutesOf(span.to), from)) },
        { from: clockOf(Math.max(minutesOf(span.from), to)), to: span.to },
      ])
      .filter((span) => minutesOf(span.from) < minutesOf(span.to)),
  );
}

export const sayDay = (spans: readonly Span[]): string => spans.map(({ from, to }) => `${from}-${to}`).join(', ');

/** '08:30-12:00, 13-17' as spans; undefined when it cannot be read. */
export function readDay(text: string): Span[] | undefined {
  if (text.trim() === '') return [];
  const spans: Span[] = [];
  for (const part of text.split(/[,;]/)) {
    const found = /^\s*(\d{1,2})(?::?(\d\d))?\s*[-–]\s*(\d{1,2})(?::?(\d\d))?\s*$/.exec(part);
    if (!found) return undefined;
    const from = Number(found[1]) * 60 + Number(found[2] ?? 0);
    const to = Number(found[3]) * 60 + Number(found[4] ?? 0);
    if (from >= to || to > 24 * 60 || Number(found[2] ?? 0) > 59 || Number(found[4] ?? 0) > 59) return undefined;
    spans.push({ from: clockOf(from), to: clockOf(to) });
  }
  return tidySpans(spans);
}

export const emptyWeek = (): Week => [[], [], [], [], [], [], []];
export const officeWeek = (): Week =>
  [0, 1, 2, 3, 4, 5, 6].map((day) => (day < 5 ? [{ from: '08:00', to: '18:00' }] : [])) as unknown as Week;
