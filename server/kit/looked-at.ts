/**
 * What no index finds is looked for among so many rows, back from the cursor, and no more: a page costs the same however many there are. It says
 * how far back it came, and the next one goes on from there.
 */
import { idInstant } from './ids.ts';

/** Rows that one page looks at. */
export const LOOKED_AT = 20_000;
const LEAST_OF_EACH = 1_000;

/** Of each tier, where a page looks at several side by side. */
export const lookedAtEach = (tierIds: readonly string[]): number =>
  Math.max(LEAST_OF_EACH, Math.ceil(LOOKED_AT / Math.max(1, tierIds.length)));

export interface LookedPage<Row> {
  rows: Row[];
  /** Where the next page begins; null at the end. */
  older: string | null;
  /** How far back a page came that is not full and not the last. ISO 8601. */
  lookedTo: string | null;
}

/**
 * `found`: the newest first, one more than the page has where there are more. `end`: the newest cursor at which a tier was left. Of what is older
 * than that, not all is known.
 */
export function pageOf<Row>(found: Row[], limit: number, cursorOf: (row: Row) => string, end: string | null): LookedPage<Row> {
  const known = end === null ? found : found.filter((row) => cursorOf(row) >= end);
  const rows = known.slice(0, limit);
  const older = known.length > limit ? cursorOf(rows.at(-1)!) : end;
  return { rows, older, lookedTo: lookedTo({ rows, older }, limit) };
}

/** A page that is not full, and is not the last, ended where a search looks no further. */
export const lookedTo = ({ rows, older }: { rows: unknown[]; older: string | null }, limit: number): string | null =>
  older !== null && rows.length < limit ? new Date(idInstant(older)).toISOString() : null;
