/**
 * A stretch is what lies between two midnights, whichever reporting zone's they are. A day of any zone is a row of whole stretches, also where
 * the clocks change; so what is kept of stretches serves the days of all three.
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
