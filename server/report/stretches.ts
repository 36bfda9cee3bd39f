/**
 * A stretch is what lies between two midnights, whichever reporting zone's they are. A day of any zone is a row of whole stretches, also where
 * the clocks change; so what is kept of stretches serves the days of all three. A week is whole stretches too: from Monday to Monday by UTC, which is one of them.
 */
import { reportingTimeZone } from '#contract/organization.ts';
import { capWindowAt } from '#engine/window.ts';
import { HOUR_MS } from '#engine/zone.ts';
import type { Span } from './split-span.ts';

const beginsStretch = (hour: number): boolean =>
  reportingTimeZone.options.some((zone) => capWindowAt('day', zone, hour).windowStartAt === hour);

/** The stretch that an hour lies in. */
export function stretchOf(hour: number): Span {
  let from = hour;
  while (!beginsStretch(from)) from -= HOUR_MS;
  let to = hour + HOUR_MS;
  while (!beginsStretch(to)) to += HOUR_MS;
  return { from, to };
}

const WEEK_MS = 168 * HOUR_MS;
/** The first Monday there was. */
const MONDAY = 96 * HOUR_MS;

/** The week that an instant lies in. */
export function weekOf(instant: number): Span {
  const from = Math.floor((instant - MONDAY) / WEEK_MS) * WEEK_MS + MONDAY;
  return { from, to: from + WEEK_MS };
}

/** Whole stretches that follow each other: the whole weeks among them, and the stretches before and after those. */
export function cutWeeks({ from, to }: Span): { weeks: Span | undefined; stretches: Span[] } {
  const [first, last] = [weekOf(from - 1).to, weekOf(to).from];
  if (first >= last) return { weeks: undefined, stretches: [{ from, to }] };
  const beside = [
    { from, to: first },
    { from: last, to },
  ];
  return { weeks: { from: first, to: last }, stretches: beside.filter((span) => span.from < span.to) };
}

/** Whole hours that follow each other: the whole stretches among them, and the hours before and after those. */
export function cutStretches({ from, to }: Span): { stretches: Span | undefined; hours: Span[] } {
  let first = from;
  while (first < to && !beginsStretch(first)) first += HOUR_MS;
  let last = to;
  while (last > first && !beginsStretch(last)) last -= HOUR_MS;
  if (first >= last) return { stretches: undefined, hours: [{ from, to }] };
  const beside = [
    { from, to: first },
    { from: last, to },
  ];
  return { stretches: { from: first, to: last }, hours: beside.filter((span) => span.from < span.to) };
}
