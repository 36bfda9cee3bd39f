/** A lead that is not kept, in the shape in which stored leads are read back, so that the lab tells it in the same words. */
import { openJson } from '#server/kit/crypto.ts';
import type { Explained, IncomingLead, StoredWire } from '#server/lead/intake.ts';
import type { ResultRow } from '#server/lead/lead.sql.ts';
import type { LeadRecord } from '#server/lead/lead-view.sql.ts';
import { newLead, type Prepared } from '#server/lead/new-lead.ts';
import { openStoredFields } from '#server/lead/stored-fields.ts';

export function recordUnstored(incoming: IncomingLead, prepared: Prepared, result: ResultRow, startedAt: number): LeadRecord {
  const { keys, organizationId } = incoming.organization;
  const { leadId, verticalId } = result;
  const lead = newLead(incoming, prepared, leadId, startedAt);
  const own = { organization_id: organizationId, lead_id: leadId, vertical_id: verticalId };
  const timing = (row: { elapsedMs: number; connectMs: number | null; waitMs: number | null; readMs: number | null }) => ({
    elapsed_ms: row.elapsedMs,
    connect_ms: row.connectMs,
    wait_ms: row.waitMs,
    read_ms: row.readMs,
  });
  return {
    row: {
      id: leadId,
      publisher_tier_id: lead.publisherTierId,
      campaign_id: lead.campaignId,
      vertical_id: lead.verticalId,
      sub_id: lead.subId,
      test: true,
      fields: lead.fields,
      status: result.status,
      reason: result.reason,
      revenue: result.revenue,
      payout: result.payout,
      margin: result.margin,
      attempt_count: result.attempts.length,
      elapsed_ms: result.elapsedMs,
      buyers_ms: result.buyersMs,
      page_name: null,
      store_ms: result.storeMs,
      duplicate_of: result.duplicateOf,
      finished_at: new Date(result.finishedAt),
    },
    stored: openStoredFields(keys, leadId, lead.fields),
    explained: openJson<Explained>(keys, 'lead_result.explained', leadId, result.explained),
    // Through JSON, as it would be stored: what is undefined is not there.
    verdicts: JSON.parse(JSON.stringify(result.verdicts)) as LeadRecord['verdicts'],
    wires: result.wires ? openJson<StoredWire[]>(keys, 'lead_result.wires', leadId, result.wires) : [],
    notices: [],
    // Their amounts stand in the explanation; these are those of returns, of which there are none.
    sales: result.sales.map(({ buyerTierId }) => ({
      lead_id: leadId,
      buyer_tier_id: buyerTierId,
      revenue: null,
      payout: null,
      margin: null,
    })),
    attempts: result.attempts.map((row) => ({
      ...own,
      attempt_index: row.index,
      buyer_id: row.buyerId,
      buyer_tier_id: row.buyerTierId,
      group_id: row.groupId,
      test: true,
      leg: row.leg,
      outcome: row.outcome,
      answer: row.answer,
      started_at: new Date(row.startedAt),
      ...timing(row),
      bid: row.bid,
      price: row.price,
      status_code: row.statusCode,
    })),
    checks: result.checks.map((row) => ({
      ...own,
      call_index: row.index,
      service_id: row.serviceId,
      purpose: row.purpose,
      subject_id: row.subjectId,
      outcome: row.outcome,
      test: true,
      started_at: new Date(row.startedAt),
      ...timing(row),
      status_code: row.statusCode,
      wire: openJson<StoredWire>(keys, 'service_call.wire', `${leadId} ${row.index}`, row.wire),
    })),
    lates: [],
    redirect: undefined,
    returns: [],
    returnTerms: { reasons: [], daysOf: () => 0 },
    settlements: [],
    isToSettle: false,
  };
}
