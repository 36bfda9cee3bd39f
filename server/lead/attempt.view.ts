/** The calls to buyers for one lead, as they went over the wire, masked. */
import type { AttemptView } from '#contract/lead.ts';
import type { FirstTry } from '#server/delivery/outbound-again.ts';
import type { Hop } from '#server/delivery/outbound-redirect.ts';
import { sayFailure } from '#server/delivery/say-failure.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { StoredWire } from './intake.ts';
import { money } from './lead-list.sql.ts';
import type { LateAnswer, LeadRecord } from './lead-view.sql.ts';
import { maskReceived, maskSent, maskUrl } from './mask-document.ts';
import type { Masking } from './mask-text.ts';

export function viewAttempts(organization: OrganizationPlan, record: LeadRecord, masking: Masking): AttemptView[] {
  const { attempts, wires, lates, row: lead } = record;
  return attempts.map((row) => {
    const wire = wires[row.attempt_index] ?? { reasons: [] };
    const late = lates.find((one) => one.attempt_index === row.attempt_index);
    return {
      _id: `${lead.id}-${row.attempt_index}`,
      buyerTierId: row.buyer_tier_id,
      buyerTierName: organization.buyerWires.get(row.buyer_tier_id)?.name ?? '',
      buyerName: organization.buyerWires.get(row.buyer_tier_id)?.buyerName ?? '',
      groupName: organization.groupNames.get(row.group_id)?.name ?? '',
      leg: row.leg as AttemptView['leg'],
      outcome: row.outcome as AttemptView['outcome'],
      startedAt: row.started_at.toISOString(),
      offsetMs: Math.max(0, row.started_at.getTime() - idInstant(lead.id)),
      isAnswered: row.status_code !== null,
      elapsedMs: row.elapsed_ms,
      connectMs: row.connect_ms,
      waitMs: row.wait_ms,
      readMs: row.read_ms,
      bid: moneyOrNull(row.bid),
      price: moneyOrNull(row.price),
      reasons: wire.reasons.map(masking.leaf),
      lateAnswer: late ? viewLate(late) : null,
      wire: viewWire(wire, masking),
    };
  });
}

function moneyOrNull(text: string | null): string | null {
  return text === null ? null : money(text);
}

function viewLate(late: LateAnswer): AttemptView['lateAnswer'] {
  return { outcome: late.outcome, price: moneyOrNull(late.price), afterMs: late.after_ms };
}

export function viewWire({ request, response, failure, firstTry, hops = [], warnings }: StoredWire, masking: Masking): AttemptView['wire'] {
  if (!request) return null;
  return {
    method: request.method,
    url: maskUrl(masking, request.url),
    requestHeaders: maskHeaders(request.headers, masking),
    requestBody: maskSent(masking, request.body ?? ''),
    hops: hops.map((hop) => viewHop({ ...hop, url: maskUrl(masking, hop.url) })),
    statusCode: response?.status ?? null,
    responseHeaders: maskHeaders(response?.headers ?? {}, masking),
    responseBody: maskReceived(masking, response?.body ?? ''),
    warnings: [
      ...(firstTry ? [sayFirstTry(firstTry)] : []),
      ...(failure ? [masking.text(`${failure.why}${failure.detail ? `: ${failure.detail}` : ''}`)] : []),
      ...(warnings ?? []).map((warning) => masking.name(`${warning.code}${warning.at ? ` (${warning.at})` : ''}`)),
    ],
  };
}

/** Words of ours and codes of the system: nothing of a person. */
const sayFirstTry = (firstTry: FirstTry): string => `tried twice; at first: ${sayFailure(firstTry)}`;

export const viewHop = ({ status, method, url }: Hop) => ({ statusCode: status, method, url });

/** Of the headers that say how a message was sent only the values of others are anybody's words. */
const OWN = new Set([
  'content-type',
  'content-length',
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-encoding',
  'host',
]);

function maskHeaders(headers: Record<string, string>, masking: Masking): Record<string, string> {
  const masked = Object.entries(headers).map(([name, value]) => [
    masking.name(name),
    OWN.has(name) ? masking.name(value) : /^https?:/i.test(value) ? maskUrl(masking, value) : masking.leaf(value),
  ]);
  return Object.fromEntries(masked);
}
