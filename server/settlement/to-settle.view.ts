/** An open lead in words. */
import type { ToSettleItem } from '#contract/settlement.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { knownPrice } from './known-price.ts';
import type { OpenLead } from './settlement.sql.ts';

const HOUR_MS = 3_600_000;

export function viewOpen(organization: OrganizationPlan, open: OpenLead): ToSettleItem {
  const buyer = organization.buyerWires.get(open.buyer_tier_id);
  const seat = organization.publisherSeats.get(open.publisher_tier_id);
  const price = knownPrice(organization, open) ?? (open.refused_price === null ? undefined : parseMoney(open.refused_price));
  const isPending = open.refused === null && open.kind === 'held' && open.answer === 'pending' && open.pending_hours !== null;
  return {
    leadId: open.lead_id,
    buyerTierId: open.buyer_tier_id,
    buyerName: buyer?.buyerName ?? '',
    buyerTierName: buyer?.name ?? '',
    publisherName: seat?.publisherName ?? '',
    publisherTierName: seat?.name ?? '',
    test: open.test,
    kind: open.kind,
    receivedAt: new Date(idInstant(open.lead_id)).toISOString(),
    since: open.since.toISOString(),
    answer: open.answer ?? 'unknown',
    text: textOf(open),
    refused: open.refused,
    price: price === undefined ? null : formatMoney(price),
    expiresAt: isPending ? new Date(open.since.getTime() + open.pending_hours! * HOUR_MS).toISOString() : null,
    soldTo: open.sold_tier_ids.map((id) => organization.buyerWires.get(id)?.buyerName ?? ''),
  };
}

function textOf({ kind, answer, late_after_ms }: OpenLead): string {
  if (kind === 'late')
    return `The buyer accepted after ${Math.round(late_after_ms ?? 0)} ms, when its time was over; the lead went on without it.`;
  if (late_after_ms !== null) return `The buyer did not answer in time, and accepted after ${Math.round(late_after_ms)} ms.`;
  switch (answer) {
    case 'pending':
      return 'The buyer said it will decide later.';
    case 'timeout':
      return 'The buyer did not answer.';
    case 'accepted':
      return 'The buyer accepted, but not at a price that the rules allow.';
    case 'error':
      return 'What the buyer answered does not tell whether it bought.';
    default:
      return 'Our node failed after the lead had been handed over: the answer was never heard.';
  }
}
