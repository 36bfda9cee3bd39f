/** The spans a report is asked for, and the points of time in one. */
import type { ReportUnit } from '#contract/report.ts';
import { LONGEST_SPAN_YEARS, MOST_POINTS } from '#contract/report-limits.ts';
import { capWindowAt } from '#engine/window.ts';
import { DAY_MS } from '#engine/zone.ts';
import { requireSpan } from '#server/kit/asked-span.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Span } from './split-span.ts';

interface Asked {
  from: string;
  to: string;
  beforeFrom?: string | undefined;
  beforeTo?: string | undefined;
  timeZone: string;
}

/** Throws an HttpError where one cannot be meant. */
export function spansOf({ from, to, beforeFrom, beforeTo, timeZone }: Asked, now: number): { span: Span; before: Span } {
  const span = checked({ from: Date.parse(from), to: Date.parse(to) }, timeZone, now);
  const length = span.to - span.from;
  const before = checked(
    {
      from: beforeFrom === undefined ? span.from - length : Date.parse(beforeFrom),
      to: beforeTo === undefined ? span.from : Date.parse(beforeTo),
    },
    timeZone,
    now,
  );
  return { span, before };
}

function checked(span: Span, timeZone: string, now: number): Span {
  const tomorrow = capWindowAt('day', timeZone, capWindowAt('day', timeZone, now).resetsAt!);
  requireSpan('report', span, tomorrow.resetsAt!);
  if (span.to - span.from > LONGEST_SPAN_YEARS * 366 * DAY_MS)
    throw new HttpError(400, 'report_span_long', `Choose a span of at most ${LONGEST_SPAN_YEARS} years.`);
  return span;
}

/** The instants at which the units of a span begin; the first may begin before it. */
export function pointsOf({ from, to }: Span, unit: ReportUnit, timeZone: string): number[] {
  const points: number[] = [];
  for (let at = from; at < to; at = capWindowAt(unit, timeZone, at).resetsAt!) {
    if (points.length === MOST_POINTS)
      throw new HttpError(400, 'report_points_many', 'That is too fine for so long a span. Choose days, weeks or months.');
    points.push(capWindowAt(unit, timeZone, at).windowStartAt!);
  }
  return points;
}
