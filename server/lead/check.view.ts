/** The questions to third-party services about one lead, as they went over the wire, masked. */
import type { CheckView } from '#contract/lead.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { viewWire } from './attempt.view.ts';
import type { LeadRecord } from './lead-view.sql.ts';
import type { Masking } from './mask-text.ts';

export function viewChecks(organization: OrganizationPlan, { checks, row: lead }: LeadRecord, masking: Masking): CheckView[] {
  return checks.map((row) => {
    const buyerTierId = row.purpose === 'thirdParty' ? row.subject_id : null;
    return {
      _id: `${lead.id}-service-${row.call_index}`,
      serviceName: organization.serviceWires.get(row.service_id)?.name ?? '',
      purpose: row.purpose as CheckView['purpose'],
      buyerTierId,
      buyerTierName: buyerTierId && (organization.buyerWires.get(buyerTierId)?.name ?? ''),
      outcome: row.outcome as CheckView['outcome'],
      startedAt: row.started_at.toISOString(),
      offsetMs: Math.max(0, row.started_at.getTime() - idInstant(lead.id)),
      elapsedMs: row.elapsed_ms,
      connectMs: row.connect_ms,
      waitMs: row.wait_ms,
      readMs: row.read_ms,
      reasons: row.wire.reasons.map(masking.leaf),
      wire: viewWire(row.wire, masking),
    };
  });
}
