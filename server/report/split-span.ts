/** Which hours of a span are read from what is kept of them, which slots of others, and what from the rows themselves. */
import { HOUR_MS } from '#engine/zone.ts';
import type { Piece } from './facts.sql.ts';

/** Milliseconds since the epoch; `to` is left out. */
export interface Span {
  from: number;
  to: number;
}

/** The running hour is counted by so many milliseconds: whole parts of an hour. */
export const SLOT_MS = 10_000;

export interface SplitSpan {
  /** Whole hours, those that follow each other as one. */
  kept: Span[];
  /** Whole slots beside those, likewise. */
  slots: Span[];
  raw: Piece[];
}

/** What is counted, but for what is marked: told by when it begins. */
export interface Counted {
  /** All hours before it. */
  rolledBefore: number;
  marked: ReadonlySet<number>;
  slots: CountedSlots;
}
export interface CountedSlots extends Span {
  marked: ReadonlySet<number>;
}
export const NO_SLOTS: CountedSlots = { from: 0, to: 0, marked: new Set() };

/** Of whole hours those that are counted, of all else whole slots that are; what is left is raw, hour by hour. */
export function splitSpan({ from, to }: Span, { rolledBefore, marked, slots }: Counted): SplitSpan {
  const split: SplitSpan = { kept: [], slots: [], raw: [] };
  if (from >= to) return split;
  for (let hour = hourOf(from); hour < to; hour += HOUR_MS) {
    const end = hour + HOUR_MS;
    const isWhole = hour >= from && end <= to;
    if (isWhole && end <= rolledBefore && !marked.has(hour)) addSpan(split.kept, { from: hour, to: end });
    else splitHour({ from: Math.max(hour, from), to: Math.min(end, to) }, slots, split);
  }
  return readFewSlots(split);
}

/** Each span of slots costs some time to find: where changes have cut them into many, the shortest are read from their rows. */
const MOST_SLOT_SPANS = 40;

function readFewSlots(split: SplitSpan): SplitSpan {
  if (split.slots.length <= MOST_SLOT_SPANS) return split;
  const longest = new Set(split.slots.toSorted((a, b) => b.to - b.from - (a.to - a.from)).slice(0, MOST_SLOT_SPANS));
  const slots: Span[] = [];
  const pieces = [...split.raw];
  for (const span of split.slots) {
    if (longest.has(span)) slots.push(span);
    else pieces.push(...byHour(span));
  }
  const raw: Piece[] = [];
  for (const piece of pieces.sort((a, b) => a.from - b.from)) {
    const last = raw.at(-1);
    if (last?.hour === piece.hour && last.to === piece.from) last.to = piece.to;
    else raw.push({ ...piece });
  }
  return { ...split, slots, raw };
}

const hourOf = (instant: number): number => Math.floor(instant / HOUR_MS) * HOUR_MS;

/** Spans of slots may go on over the end of an hour. */
function byHour({ from, to }: Span): Piece[] {
  const pieces: Piece[] = [];
  for (let at = from; at < to; at = pieces.at(-1)!.to) pieces.push({ hour: hourOf(at), from: at, to: Math.min(to, hourOf(at) + HOUR_MS) });
  return pieces;
}

/** A part of one hour, or all of it. */
export function splitHour({ from, to }: Span, counted: CountedSlots, split: Pick<SplitSpan, 'slots' | 'raw'>): void {
  const hour = hourOf(from);
  if (to <= counted.from || from >= counted.to) {
    split.raw.push({ hour, from, to });
    return;
  }
  const raw: Span[] = [];
  for (let at = from; at < to; ) {
    const slot = Math.floor(at / SLOT_MS) * SLOT_MS;
    const end = slot + SLOT_MS;
    const isCounted = slot === at && end <= to && slot >= counted.from && end <= counted.to && !counted.marked.has(slot);
    addSpan(isCounted ? split.slots : raw, { from: at, to: Math.min(end, to) });
    at = Math.min(end, to);
  }
  split.raw.push(...raw.map((span) => ({ hour, ...span })));
}

/** As one with the last, where it follows that. */
export function addSpan(spans: Span[], { from, to }: Span): void {
  const last = spans.at(-1);
  if (last?.to === from) last.to = to;
  else spans.push({ from, to });
}
