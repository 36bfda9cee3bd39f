/**
 * A stretch is what lies between two midnights, whichever reporting zone's they are. A day of any zone is a row of whole stretches, also where
 * the clocks change; so what is kept of stretches serves the days of all three. A week is whole stretches too: from Monday to Monday by UTC, which is one of them.
 */
import { reportingTimeZone } from '#contract/organization.ts';
import { capWindowAt } from '#engine/window.ts';
import { HOUR_MS } from '#engine/zone.ts';
import { addSpan, type Span } from './split-span.ts';

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

export interface CutWeeks {
  weeks: Span[];
  /** What of those weeks is not meant: whole stretches. */
  minus: Span[];
  stretches: Span[];
}

/**
 * Whole stretches that follow each other: the weeks among them that are kept, told by when they begin, and the stretches beside those. A kept week of which more than half is
 * meant is taken whole, less the rest of it: what is kept of a week is always the sum of what is kept of its stretches.
 */
export function cutWeeks({ from, to }: Span, kept: ReadonlySet<number>): CutWeeks {
  const cut: CutWeeks = { weeks: [], minus: [], stretches: [] };
  for (let at = from; at < to; ) {
    const week = weekOf(at);
    const end = Math.min(week.to, to);
    if (kept.has(week.from) && end - at > WEEK_MS / 2) {
      addSpan(cut.weeks, week);
      for (const rest of [
        { from: week.from, to: at },
        { from: end, to: week.to },
      ])
        if (rest.from < rest.to) cut.minus.push(rest);
    } else addSpan(cut.stretches, { from: at, to: end });
    at = end;
  }
  return cut;
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
