/** Loss notices as they are kept: due with the lead's result (lead-beside.sql.ts), ended here. */
import type { Selectable } from 'kysely';
import type { Database } from '#db/types.ts';
import { type OrganizationKeys, openJson, sealJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import type { StoredWire } from '#server/lead/intake.ts';

const SEALED_AS = 'loss_notice.wire';

/** told: the buyer answered with a code of 2xx. dropped: there were too many at once, or our node stopped. */
export type NoticeOutcome = 'told' | 'refused' | 'error' | 'timeout' | 'dropped';

export interface EndedNotice {
  leadId: string;
  buyerTierId: string;
  outcome: NoticeOutcome;
  startedAt: number;
  elapsedMs: number;
  timing: { connectMs?: number | undefined; waitMs: number; readMs: number };
  statusCode: number | null;
  wire: StoredWire | undefined;
}

export async function endNotice(db: Db, keys: OrganizationKeys, ended: EndedNotice): Promise<void> {
  const { leadId, buyerTierId, timing, wire } = ended;
  await db
    .updateTable('loss_notice')
    .set({
      outcome: ended.outcome,
      started_at: new Date(ended.startedAt),
      elapsed_ms: ended.elapsedMs,
      connect_ms: timing.connectMs ?? null,
      wait_ms: timing.waitMs,
      read_ms: timing.readMs,
      status_code: ended.statusCode,
      wire: wire ? sealJson(keys, SEALED_AS, `${leadId} ${buyerTierId}`, wire) : null,
    })
    .where('organization_id', '=', keys.organizationId)
    .where('lead_id', '=', leadId)
    .where('buyer_tier_id', '=', buyerTierId)
    .execute();
}

export type NoticeOfLead = Omit<Selectable<Database['loss_notice']>, 'wire'> & { wire: StoredWire | undefined };

export async function listNotices(db: Db, keys: OrganizationKeys, leadId: string): Promise<NoticeOfLead[]> {
  const rows = await db
    .selectFrom('loss_notice')
    .selectAll()
    .where('organization_id', '=', keys.organizationId)
    .where('lead_id', '=', leadId)
    .orderBy('buyer_tier_id')
    .execute();
  return rows.map(({ wire, ...row }) => ({
    ...row,
    wire: wire ? openJson<StoredWire>(keys, SEALED_AS, `${leadId} ${row.buyer_tier_id}`, wire) : undefined,
  }));
}
