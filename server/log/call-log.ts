/**
 * Keeps calls that made no lead (refused, answered with an earlier lead's answer, questions after a lead) without the caller waiting. What one
 * organization may fill is bounded (kit/bounded-log.ts).
 */
import type pg from 'pg';
import { type Bounds, type Kept, openBoundedLog } from '#server/kit/bounded-log.ts';

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

const BOUNDS: Bounds = {
  windowMs: 10_000,
  perWindow: 200,
  bytesPerWindow: 4 * 1024 * 1024,
  folds: false,
  mostGroups: Number.POSITIVE_INFINITY,
  mostKinds: 500,
  mostKindsOfGroup: Number.POSITIVE_INFINITY,
  mostWaiting: 5_000,
  mostWaitingBytes: 64 * 1024 * 1024,
};

export function openCallLog(options: {
  pool: pg.Pool;
  now: () => number;
  onError: (error: unknown) => void;
  onLost: (lines: number) => void;
}): CallLog {
  const { pool, now, onError, onLost } = options;
  const log = openBoundedLog<CallRow>({
    ...{ bounds: BOUNDS, now, onError, onLost },
    bytesOf: (row) => row.wire.length,
    write: (rows) => insertCalls(pool, rows),
  });
  return {
    record: ({ organizationId, publisherTierId, code }, seal) =>
      log.record({ group: organizationId, kind: `${publisherTierId} ${code}` }, seal),
    close: log.close,
  };
}

async function insertCalls(pool: pg.Pool, kept: readonly Kept<CallRow>[]): Promise<void> {
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
