/**
 * Keeps lines without anybody waiting for them. What one group may fill is bounded: of lines beyond its rate, the first of each kind is kept with
 * the number of those that came like it. What there is no room for, and what could not be written, is counted.
 */

export interface Kept<Row> {
  row: Row;
  /** How many came like it and are not kept. */
  more: number;
}

export interface Bounds {
  windowMs: number;
  /** Lines of one group that are kept one by one in each window; kinds of lines beyond them once a window. */
  perWindow: number;
  bytesPerWindow: number;
  /** Whether what belongs to groups beyond `mostGroups` shares one more; else it is kept by kind alone. */
  folds: boolean;
  mostGroups: number;
  /** Kinds of lines beyond the rate: of all groups together, and of one. */
  mostKinds: number;
  mostKindsOfGroup: number;
  /** What may wait for the database, of all groups: rows, and bytes of what they hold. */
  mostWaiting: number;
  mostWaitingBytes: number;
}

export interface BoundedLog<Row> {
  /** Never waits and never throws; `make` is called only where the row is kept. `isFolded`: it stands for those of many groups. */
  record(line: { group: string; kind: string }, make: (isFolded: boolean) => Row): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

interface Taken {
  rows: number;
  bytes: number;
  kinds: number;
}

/** The group of those that there are too many of. */
const FOLDED = '';
const FLUSH_EVERY_MS = 250;
const LARGEST_BATCH = 500;

export function openBoundedLog<Row>(options: {
  bounds: Bounds;
  bytesOf: (row: Row) => number;
  write: (rows: readonly Kept<Row>[]) => Promise<void>;
  now: () => number;
  onError: (error: unknown) => void;
  /** So many lines are not kept. */
  onLost: (lines: number) => void;
}): BoundedLog<Row> {
  const { bounds, bytesOf, write, now, onError, onLost } = options;
  const waiting: Kept<Row>[] = [];
  let waitingBytes = 0;
  let windowStart = 0;
  /** Of this window: what was kept one by one, and how many kinds beyond it, by group. */
  let taken = new Map<string, Taken>();
  /** Of this window: lines beyond the rate, by kind. */
  let alike = new Map<string, Kept<Row>>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;

  function enqueue(kept: Kept<Row>): void {
    const bytes = bytesOf(kept.row);
    if (waiting.length >= bounds.mostWaiting || waitingBytes + bytes > bounds.mostWaitingBytes) onLost(1 + kept.more);
    else {
      waiting.push(kept);
      waitingBytes += bytes;
    }
  }

  function turnWindow(): void {
    const start = Math.floor(now() / bounds.windowMs) * bounds.windowMs;
    if (start === windowStart) return;
    windowStart = start;
    taken = new Map();
    for (const kept of alike.values()) enqueue(kept);
    alike = new Map();
  }

  /** While a batch is being written nothing is taken: what the database keeps waiting stays where it is bounded. */
  function flush(): void {
    timer = undefined;
    turnWindow();
    if (!writing && waiting.length > 0)
      writing = writeNext().finally(() => {
        writing = undefined;
      });
    if (waiting.length > 0 || alike.size > 0) later();
  }

  async function writeNext(): Promise<void> {
    const rows = waiting.splice(0, LARGEST_BATCH);
    waitingBytes -= rows.reduce((sum, { row }) => sum + bytesOf(row), 0);
    try {
      await write(rows);
    } catch (error) {
      onError(error);
      onLost(rows.reduce((sum, { more }) => sum + 1 + more, 0));
    }
  }

  /** What a group has taken in this window; undefined where there are too many groups. */
  function takenBy(group: string): Taken | undefined {
    const known = taken.get(group);
    if (known || (taken.size >= bounds.mostGroups && group !== FOLDED)) return known;
    const nothing = { rows: 0, bytes: 0, kinds: 0 };
    taken.set(group, nothing);
    return nothing;
  }

  function keepAlike(held: Taken | undefined, kind: string, make: () => Row): void {
    const known = alike.get(kind);
    if (known) known.more += 1;
    else if (alike.size < bounds.mostKinds && (held?.kinds ?? 0) < bounds.mostKindsOfGroup) {
      alike.set(kind, { row: make(), more: 0 });
      if (held) held.kinds += 1;
    } else onLost(1);
  }

  function later(): void {
    timer ??= setTimeout(flush, FLUSH_EVERY_MS);
    timer.unref();
  }

  return {
    record({ group, kind }, make) {
      turnWindow();
      const own = takenBy(group);
      const isFolded = !own && bounds.folds;
      const held = isFolded ? takenBy(FOLDED) : own;
      if (held && held.rows < bounds.perWindow && held.bytes < bounds.bytesPerWindow) {
        const row = make(isFolded);
        held.rows += 1;
        held.bytes += bytesOf(row);
        enqueue({ row, more: 0 });
      } else keepAlike(held, `${isFolded ? FOLDED : group}\n${kind}`, () => make(isFolded));
      later();
    },
    async close() {
      clearTimeout(timer);
      await writing;
      while (waiting.length > 0 || alike.size > 0) {
        // What was counted finds room once all that waits is written.
        if (waiting.length === 0) windowStart = 0;
        flush();
        clearTimeout(timer);
        await writing;
      }
    },
  };
}
