/**
 * What a node did for a lead that another took from it and ended, and of which somebody has settled a part since: its calls are kept behind those that are
 * known, so that nobody has the lead without its being on record. A buyer that took it, or may have, is held to be settled; the places of its post stay taken.
 */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { markReport } from '#server/report/mark-report.sql.ts';
import type { AttemptRow, ResultRow } from './lead.sql.ts';

export function keepAfterwards(db: Db, organizationId: string, row: ResultRow): Promise<void> {
  const { leadId } = row;
  return inTenant(db, organizationId, async (tx) => {
    // Settlements of the lead wait, and come after or before all of this.
    await sql`select from lead_result where organization_id = ${organizationId} and lead_id = ${leadId} for update`.execute(tx);
    const known = await tx
      .selectFrom('attempt')
      .select(['attempt_index', 'buyer_tier_id', 'leg'])
      .where('organization_id', '=', organizationId)
      .where('lead_id', '=', leadId)
      .execute();
    const isKnown = ({ buyerTierId, leg }: AttemptRow) => known.some((one) => one.buyer_tier_id === buyerTierId && one.leg === leg);
    const attempts = row.attempts.filter((attempt) => !isKnown(attempt));
    if (attempts.length === 0) return;
    const next = Math.max(-1, ...known.map(({ attempt_index }) => attempt_index)) + 1;
    await tx
      .insertInto('attempt')
      .values(attempts.map((attempt, at) => rowOf(organizationId, row, attempt, next + at)))
      .execute();
    for (const { buyerTierId, outcome, leg } of attempts)
      if (leg === 'post' && (outcome === 'sold' || row.unknown.includes(buyerTierId))) await hold(tx, organizationId, leadId, buyerTierId);
    await markReport(tx, organizationId, [leadId]);
  });
}

/** One that was taken has come to nothing yet. */
function rowOf(organizationId: string, { leadId, verticalId, test }: ResultRow, attempt: AttemptRow, index: number) {
  return {
    organization_id: organizationId,
    lead_id: leadId,
    attempt_index: index,
    vertical_id: verticalId,
    buyer_id: attempt.buyerId,
    buyer_tier_id: attempt.buyerTierId,
    group_id: attempt.groupId,
    test,
    leg: attempt.leg,
    outcome: attempt.outcome === 'sold' ? 'terrors' : attempt.outcome,
    answer: attempt.answer,
    started_at: new Date(attempt.startedAt),
    elapsed_ms: attempt.elapsedMs,
    connect_ms: attempt.connectMs,
    wait_ms: attempt.waitMs,
    read_ms: attempt.readMs,
    bid: attempt.bid,
    price: attempt.price,
    status_code: attempt.statusCode,
  };
}

const hold = (tx: Db, organizationId: string, leadId: string, buyerTierId: string) =>
  sql`insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at, unknown_since)
    select organization_id, id, ${buyerTierId}::uuid, 'post', node_id, now(), now() from lead where organization_id = ${organizationId} and id = ${leadId}
    on conflict (organization_id, lead_id, subject_id, purpose) do update set unknown_since = now()`.execute(tx);
