/** What is kept of how a lead came to its result where that was damaged: what its columns and sales still tell. */
import type { Decision, LeadStatus, Reason } from '#engine/decision.ts';
import { parseMoney } from '#engine/money.ts';
import type { Explained } from '#server/lead/intake.ts';
import type { StoredVerdict } from '#server/lead/lead-view.sql.ts';
import { answerDecision } from '#server/lead/posting.answer.ts';
import type { Tx } from '#server/record/record-model.ts';

export async function explainLost(tx: Tx, organizationId: string, leadId: string): Promise<Explained> {
  const row = await tx
    .selectFrom('lead_result as r')
    .innerJoin('lead as l', (join) => join.onRef('l.organization_id', '=', 'r.organization_id').onRef('l.id', '=', 'r.lead_id'))
    .innerJoin('organization as o', 'o.id', 'r.organization_id')
    .select(['r.status', 'r.reason', 'r.elapsed_ms', 'r.verdicts', 'l.mode', 'l.test', 'o.currency'])
    .where('r.organization_id', '=', organizationId)
    .where('r.lead_id', '=', leadId)
    .executeTakeFirstOrThrow();
  const decision: Decision = {
    status: row.status as LeadStatus,
    ...(row.reason !== null && { reason: row.reason as Reason }),
    why: { code: 'explanation-lost', params: {} },
    sales: await listSold(tx, organizationId, leadId),
    ...{ errors: [], offers: [], attempts: [], verdicts: [], steps: [] },
  };
  const { why, errors, steps, sales, offers } = decision;
  const given = answerDecision(decision, {
    ...{ leadId, mode: row.mode as 'full' | 'ping' | 'post', test: row.test, currency: row.currency },
    ...{ terse: false, redirectUrl: undefined, elapsedMs: row.elapsed_ms, unknownFields: [] },
  });
  const unreached = [{ why, buyerTierIds: (row.verdicts as unknown as StoredVerdict[]).map(({ t }) => t) }];
  return { why, errors, steps, unreached, sales, offers, warnings: [], given };
}

async function listSold(tx: Tx, organizationId: string, leadId: string): Promise<Decision['sales']> {
  const rows = await tx
    .selectFrom('sale')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .orderBy('sale_index')
    .execute();
  return rows.map((row) => ({
    ...{ buyerTierId: row.buyer_tier_id, buyerId: row.buyer_id, postPriceDiffers: row.post_price_differs },
    ...{ revenue: parseMoney(row.revenue)!, payout: parseMoney(row.payout)!, margin: parseMoney(row.margin)! },
    ...(row.bid !== null && { bid: parseMoney(row.bid)! }),
  }));
}
