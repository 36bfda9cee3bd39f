/** A buyer gives a lead back: judged, written down and entered in the ledger in one transaction, once. */

import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { type EnteredBy, type Entry, houseOf, insertEntries } from '#server/ledger/entry.sql.ts';
import { queueWebhooks } from '#server/webhook/webhook.sql.ts';
import { findReturnRules, insertReturn, type ReturnRow, type SoldLead } from './return.sql.ts';

export interface ReturnOrder {
  reason: string;
  note: string;
  /** A decimal; the whole price when absent. */
  amount?: string | undefined;
  via: ReturnRow['via'];
  /** Absent where the buyer itself asks. */
  by?: EnteredBy;
  /** When it was asked for, where that was earlier: the days a buyer has are counted up to then. */
  askedAt?: Instant;
}

const DAY_MS = 24 * 3_600_000;

/** What a return comes to, of which nothing is done yet. Throws an HttpError that says why it may not be. */
export async function judgeReturn(tx: Db, organizationId: string, sold: SoldLead, order: ReturnOrder, now: Instant): Promise<ReturnRow> {
  const rules = await findReturnRules(tx, organizationId, sold);
  if (sold.test) throw new HttpError(422, 'return_lead_test', 'This is a test lead: nobody paid for it, so there is nothing to give back.');
  const reason = rules.reasons.find((one) => one.toLowerCase() === order.reason.toLowerCase());
  if (!reason) throw new HttpError(400, 'return_reason_unknown', `Give one of these reasons: ${rules.reasons.join(', ')}.`);
  if ((order.askedAt ?? now) > sold.soldAt + rules.days * DAY_MS) throw tooLate(sold.soldAt, rules.days);
  const parts = partsOf(sold, amountOf(sold, order.amount), rules.reducesPayout);
  return { ...sold, ...parts, reason, note: order.note, via: order.via, by: order.by, returnedAt: now };
}

/** Throws an HttpError that says why not. `sold` must be of this organization, and of the buyer who asks. */
export async function returnLead(tx: Db, organizationId: string, sold: SoldLead, order: ReturnOrder, now: Instant): Promise<ReturnRow> {
  const row = await judgeReturn(tx, organizationId, sold, order, now);
  if (!(await insertReturn(tx, organizationId, row))) throw returnRepeated();
  await insertEntries(tx, organizationId, now, entriesOf(organizationId, row), order.by);
  await queueWebhooks(tx, organizationId, sold.leadId, 'lead.returned', now);
  return row;
}

export const returnRepeated = (): HttpError =>
  new HttpError(409, 'return_repeated', 'This lead was returned before. A lead is returned once.');

function tooLate(soldAt: Instant, days: number): HttpError {
  const day = new Date(soldAt).toISOString().slice(0, 10);
  const span = days === 1 ? '1 day' : `${days} days`;
  return new HttpError(422, 'return_late', `It was sold on ${day}; a return is taken within ${span}. Ask for an adjustment instead.`);
}

function amountOf({ revenue }: SoldLead, text: string | undefined): Money {
  const amount = text === undefined ? revenue : parseMoney(text);
  if (amount === undefined || amount <= 0)
    throw new HttpError(400, 'return_amount_invalid', 'The amount must be more than nothing, such as 12.50.');
  if (amount > revenue)
    throw new HttpError(
      400,
      'return_amount_too_large',
      `The lead was sold for ${formatMoney(revenue)}; no more than that can be given back.`,
    );
  return amount;
}

/** The publisher gives back its part of what is given back, rounded in its favour; the house bears the rest. */
function partsOf(sold: SoldLead, amount: Money, reducesPayout: boolean): { revenue: Money; payout: Money; margin: Money } {
  const payout = reducesPayout ? Number((BigInt(sold.payout) * BigInt(amount)) / BigInt(sold.revenue)) : 0;
  return { revenue: amount, payout, margin: amount - payout };
}

function entriesOf(organizationId: string, row: ReturnRow): Entry[] {
  const { verticalId, leadId, saleIndex } = row;
  const at = (tierId: string) => ({ verticalId, tierId, leadId, saleIndex });
  return [
    { party: { kind: 'buyer', id: row.buyerId }, kind: 'return', amount: row.revenue, sale: at(row.buyerTierId), note: row.reason },
    {
      party: { kind: 'publisher', id: row.publisherId },
      kind: 'return',
      amount: -row.payout,
      sale: at(row.publisherTierId),
      note: row.reason,
    },
    { party: houseOf(organizationId), kind: 'return', amount: -row.margin, sale: at(row.publisherTierId), note: row.reason },
  ];
}
