/**
 * Searches what is sealed: each call has to be opened and masked to know whether it holds what is looked for, so one search reads so many calls, for
 * so long, and no more. It says how far back it came, and goes on from there.
 */
import { setImmediate } from 'node:timers/promises';

const READ_AT_MOST = 5_000;
const READ_AT_ONCE = 200;
const LOOK_AT_MOST_MS = 1_000;
/** Between two looks at what else there is to do: a lead that comes in does not wait for a search. */
const YIELD_EVERY_MS = 5;

interface Asked {
  before?: string | undefined;
  limit: number;
}

interface Through<Query, Row, Seen> {
  query: Query;
  /** The newest first; `end`: where the next page begins, null at the end. */
  read: (page: Query) => Promise<{ rows: Row[]; end: string | null }>;
  /** Undefined where the row is none of those looked for. */
  see: (row: Row) => Seen | undefined;
  cursorOf: (row: Row) => string;
}

/** `older`: where the next page begins, maybe before this one is full; null at the end. */
export async function lookThrough<Query extends Asked, Row, Seen>({
  query,
  read,
  see,
  cursorOf,
}: Through<Query, Row, Seen>): Promise<{ rows: Seen[]; older: string | null }> {
  const began = performance.now();
  let yielded = began;
  const rows: Seen[] = [];
  let before = query.before;
  for (let count = 0; count < READ_AT_MOST; ) {
    const page = await read({ ...query, before, limit: READ_AT_ONCE });
    for (const [at, row] of page.rows.entries()) {
      const seen = see(row);
      if (seen) rows.push(seen);
      const isLast = at === page.rows.length - 1;
      const isEnough = rows.length === query.limit || performance.now() - began > LOOK_AT_MOST_MS;
      if (isEnough && !(isLast && page.end === null)) return { rows, older: isLast ? page.end : cursorOf(row) };
      if (performance.now() - yielded > YIELD_EVERY_MS) {
        await setImmediate();
        yielded = performance.now();
      }
    }
    if (page.end === null || performance.now() - began > LOOK_AT_MOST_MS) return { rows, older: page.end };
    before = page.end;
    count += READ_AT_ONCE;
  }
  return { rows, older: before ?? null };
}

/** As texts are compared: in any case, and blanks do not count, for a document may be shown in other lines than it came. */
export const readable = (text: string): string => text.replace(/\s+/g, '').toLowerCase();
