/** The questions to third-party services about one lead, as they went over the wire, masked; and how long they took. */
import type { CheckView } from '#contract/lead.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { viewWire } from './attempt.view.ts';
import type { LeadRecord, StoredCheck } from './lead-view.sql.ts';
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

/** Milliseconds during which at least one service was being waited for: those asked side by side count once. */
export function servicesTime(checks: readonly Pick<StoredCheck, 'started_at' | 'elapsed_ms'>[]): number {
  let until = Number.NEGATIVE_INFINITY;
  let sum = 0;
  const spans = checks.map((one) => [one.started_at.getTime(), one.started_at.getTime() + one.elapsed_ms] as const);
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    sum += Math.max(0, to - Math.max(from, until));
    until = Math.max(until, to);
  }
  return sum;
}
