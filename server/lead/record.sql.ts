/** Rows that belong to no lead's result: calls that made no lead, and answers that came too late. */
import type pg from 'pg';

export interface CallRow {
  organizationId: string;
  id: string;
  publisherTierId: string;
  leadId: string | null;
  method: string;
  path: string;
  statusCode: number;
  code: string;
  elapsedMs: number;
  /** Sealed. */
  wire: Buffer;
}

export interface LateRow {
  organizationId: string;
  leadId: string;
  attemptIndex: number;
  buyerTierId: string;
  outcome: string;
  price: string | null;
  afterMs: number;
  /** Sealed. */
  wire: Buffer;
  arrivedAt: number;
}

export async function insertCall(pool: pg.Pool, row: CallRow): Promise<void> {
  await pool.query({
    name: 'insert-call',
    text: `insert into api_call (organization_id, id, publisher_tier_id, lead_id, method, path, status_code, code, elapsed_ms, wire)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) on conflict do nothing`,
    values: [
      row.organizationId,
      row.id,
      row.publisherTierId,
      row.leadId,
      row.method,
      row.path,
      row.statusCode,
      row.code,
      row.elapsedMs,
      row.wire,
    ],
  });
}

export async function insertLate(pool: pg.Pool, row: LateRow): Promise<void> {
  await pool.query({
    name: 'insert-late',
    text: `insert into late_answer (organization_id, lead_id, attempt_index, buyer_tier_id, outcome, price, after_ms, wire, arrived_at)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
    values: [
      row.organizationId,
      row.leadId,
      row.attemptIndex,
      row.buyerTierId,
      row.outcome,
      row.price,
      row.afterMs,
      row.wire,
      new Date(row.arrivedAt),
    ],
  });
}
