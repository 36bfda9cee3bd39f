/**
 * Keeps calls that made no lead (refused, answered with an earlier lead's answer, questions after a lead) without the caller waiting. What one
 * organization may fill is bounded: of calls beyond its rate, the first of each kind is kept with the number of those that came like it.
 */
import type pg from 'pg';

export interface CallRow {
  organizationId: string;
  id: string;
  publisherTierId: string;
  leadId: string | null;
  /** First characters of the key it came with. */
  keyPrefix: string | null;
  method: string;
  /** Never with anything in it that a caller typed. */
  path: string;
  statusCode: number;
  code: string;
  elapsedMs: number;
  /** Sealed. */
  wire: Buffer;
}

export interface CallLog {
  /** Never waits and never throws; `seal` makes the row only where it is kept. */
  record(kind: { organizationId: string; publisherTierId: string; code: string }, seal: () => CallRow): void;
  /** Writes what is left. */
  close(): Promise<void>;
}

interface Kept {
  row: CallRow;
  more: number;
}

const FLUSH_EVERY_MS = 250;
/** So many calls of one organization are kept one by one in each window; kinds of calls beyond them once a window. */
const WINDOW_MS = 10_000;
const PER_WINDOW = 200;
const BYTES_PER_WINDOW = 4 * 1024 * 1024;
const MOST_KINDS = 500;
/** What may wait for the database, of all organizations: rows, and bytes of what they hold. */
const MOST_WAITING = 5_000;
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
const LARGEST_BATCH = 500;

export function openCallLog(options: { pool: pg.Pool; now: () => number; onError: (error: unknown) => void }): CallLog {
  const { pool, now, onError } = options;
  const waiting: Kept[] = [];
  let waitingBytes = 0;
  let windowStart = 0;
  /** Of this window: what was kept one by one, by organization. */
  let taken = new Map<string, { calls: number; bytes: number }>();
  /** Of this window: calls beyond the rate, by organization, tier and code. */
  let alike = new Map<string, Kept>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function enqueue(kept: Kept): void {
    if (waiting.length >= MOST_WAITING || waitingBytes + kept.row.wire.length > MOST_WAITING_BYTES) return;
    waiting.push(kept);
    waitingBytes += kept.row.wire.length;
  }

  function turnWindow(): void {
    const start = Math.floor(now() / WINDOW_MS) * WINDOW_MS;
    if (start === windowStart) return;
    windowStart = start;
    taken = new Map();
    for (const kept of alike.values()) enqueue(kept);
    alike = new Map();
  }

  function flush(): void {
    timer = undefined;
    turnWindow();
    const rows = waiting.splice(0, LARGEST_BATCH);
    waitingBytes -= rows.reduce((sum, { row }) => sum + row.wire.length, 0);
    if (rows.length > 0) writing = writing.then(() => insertCalls(pool, rows)).catch(onError);
    if (waiting.length > 0 || alike.size > 0) later();
  }

  function later(): void {
    timer ??= setTimeout(flush, FLUSH_EVERY_MS);
    timer.unref();
  }

  return {
    record({ organizationId, publisherTierId, code }, seal) {
      turnWindow();
      const { calls, bytes } = taken.get(organizationId) ?? { calls: 0, bytes: 0 };
      const kind = `${organizationId} ${publisherTierId} ${code}`;
      const known = alike.get(kind);
      if (calls < PER_WINDOW && bytes < BYTES_PER_WINDOW) {
        const row = seal();
        taken.set(organizationId, { calls: calls + 1, bytes: bytes + row.wire.length });
        enqueue({ row, more: 0 });
      } else if (known) known.more += 1;
      else if (alike.size < MOST_KINDS) alike.set(kind, { row: seal(), more: 0 });
      later();
    },
    async close() {
      clearTimeout(timer);
      windowStart = 0;
      while (waiting.length > 0 || alike.size > 0) {
        flush();
        clearTimeout(timer);
        await writing;
      }
      await writing;
    },
  };
}

async function insertCalls(pool: pg.Pool, kept: readonly Kept[]): Promise<void> {
  const of = <Value>(value: (row: CallRow) => Value): Value[] => kept.map(({ row }) => value(row));
  await pool.query({
    name: 'insert-calls',
    text: `insert into api_call (organization_id, id, publisher_tier_id, lead_id, key_prefix, method, path, status_code, code, elapsed_ms, wire, more)
      select * from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::text[], $8::smallint[], $9::text[], $10::real[], $11::bytea[], $12::int[])
      on conflict do nothing`,
    values: [
      of((row) => row.organizationId),
      of((row) => row.id),
      of((row) => row.publisherTierId),
      of((row) => row.leadId),
      of((row) => row.keyPrefix),
      of((row) => row.method),
      of((row) => row.path),
      of((row) => row.statusCode),
      of((row) => row.code),
      of((row) => row.elapsedMs),
      of((row) => row.wire),
      kept.map(({ more }) => more),
    ],
  });
}
