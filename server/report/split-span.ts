/** Which hours of a span are read from what is kept of them, and which from the rows themselves. */
import { HOUR_MS } from '#engine/zone.ts';
import type { Piece } from './facts.sql.ts';

/** Milliseconds since the epoch; `to` is left out. */
export interface Span {
  from: number;
  to: number;
}

export interface SplitSpan {
  /** Whole hours, those that follow each other as one. */
  kept: Span[];
  raw: Piece[];
}

/** Kept is a whole hour before `rolledBefore` that is not marked; everything else of the span is raw, hour by hour. */
export function splitSpan({ from, to }: Span, rolledBefore: number, marked: ReadonlySet<number>): SplitSpan {
  const split: SplitSpan = { kept: [], raw: [] };
  if (from >= to) return split;
  for (let hour = Math.floor(from / HOUR_MS) * HOUR_MS; hour < to; hour += HOUR_MS) {
    const end = hour + HOUR_MS;
    const isWhole = hour >= from && end <= to;
    if (isWhole && end <= rolledBefore && !marked.has(hour)) addSpan(split.kept, { from: hour, to: end });
    else split.raw.push({ hour, from: Math.max(hour, from), to: Math.min(end, to) });
  }
  return split;
}

/** As one with the last, where it follows that. */
export function addSpan(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last?.to === from) last.to = to;
  else spans.push({ from, to });
}
