/** Answers that came too late belong to no lead's result. */
import type pg from 'pg';

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
