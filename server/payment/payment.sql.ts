/** Payments and what was reported of them. Money is ten-thousandths. */
import { type Selectable, sql } from 'kysely';
import type { PaymentResult } from '#contract/payment.ts';
import type { Payment } from '#db/types.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import type { FoldedPayment, Reported } from './fold-payment.ts';
import { type CountedPayment, changeHours, type HourChange } from './payment-hour.sql.ts';

export interface PaymentRow extends CountedPayment, FoldedPayment {
  id: string;
  transactionHash: string;
  transactionId: string;
  leadId: string | null;
}

/** The same transaction id of two processors is two payments. */
export const transactionHash = (keys: OrganizationKeys, processorId: string, transactionId: string): string =>
  keyedHash(keys, 'payment transaction', `${processorId} ${transactionId}`);

export const countedOf = (row: PaymentRow): CountedPayment => row;

const readRow = (row: Selectable<Payment>): PaymentRow => ({
  ...{ id: row.id, verticalId: row.vertical_id, processorId: row.processor_id },
  ...{ transactionHash: row.transaction_hash, transactionId: row.transaction_id },
  ...{ attemptedAt: row.attempted_at.getTime(), result: row.result as PaymentResult, amount: parseMoney(row.amount)! },
  refunded: row.refunded === null ? undefined : parseMoney(row.refunded),
  chargedBack: row.charged_back === null ? undefined : parseMoney(row.charged_back),
  ...{ currency: row.currency, reason: row.reason, bin: row.bin, move: row.move, leadId: row.lead_id, test: row.test },
  ...{ campaignId: row.campaign_id, publisherId: row.publisher_id, publisherTierId: row.publisher_tier_id },
  ...{ buyerId: row.buyer_id, buyerTierId: row.buyer_tier_id },
});

/** Its transaction is this caller's alone until the database transaction ends, also where nothing was heard of it yet. */
export async function lockPayment(db: Db, organizationId: string, processorId: string, hash: string): Promise<PaymentRow | undefined> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${hash}, 0))`.execute(db);
  const row = await db
    .selectFrom('payment')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('processor_id', '=', processorId)
    .where('transaction_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
  return row && readRow(row);
}

export async function listReports(db: Db, organizationId: string, paymentId: string): Promise<Reported[]> {
  const rows = await db
    .selectFrom('payment_report')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('payment_id', '=', paymentId)
    .orderBy('report_index')
    .execute();
  return rows.map((row) => ({
    ...{ result: row.result as PaymentResult, amount: row.amount === null ? undefined : parseMoney(row.amount), reason: row.reason },
    ...{ currency: row.currency ?? undefined, happenedAt: row.happened_at?.getTime(), receivedAt: row.received_at.getTime() },
  }));
}

/** How much was said of each, by its id. */
export async function countReports(db: Db, organizationId: string, paymentIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('payment_report')
    .select(({ fn }) => ['payment_id', fn.countAll<string>().as('count')])
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`payment_id = any(${paymentIds}::uuid[])`)
    .groupBy('payment_id')
    .execute();
  return new Map(rows.map(({ payment_id, count }) => [payment_id, Number(count)]));
}

export async function storePayment(db: Db, organizationId: string, row: PaymentRow): Promise<void> {
  const values = {
    ...{ attempted_at: new Date(row.attemptedAt), result: row.result, amount: formatMoney(row.amount) },
    refunded: row.refunded === undefined ? null : formatMoney(row.refunded),
    charged_back: row.chargedBack === undefined ? null : formatMoney(row.chargedBack),
    ...{ currency: row.currency, reason: row.reason, bin: row.bin, move: row.move, lead_id: row.leadId, test: row.test },
    ...{ campaign_id: row.campaignId, publisher_id: row.publisherId, publisher_tier_id: row.publisherTierId },
    ...{ buyer_id: row.buyerId, buyer_tier_id: row.buyerTierId },
  };
  await db
    .insertInto('payment')
    .values({
      ...{ organization_id: organizationId, id: row.id, vertical_id: row.verticalId, processor_id: row.processorId },
      ...{ transaction_hash: row.transactionHash, transaction_id: row.transactionId },
      ...values,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doUpdateSet(values))
    .execute();
}

export async function insertReport(db: Db, organizationId: string, paymentId: string, index: number, said: Reported): Promise<void> {
  await db
    .insertInto('payment_report')
    .values({
      ...{ organization_id: organizationId, payment_id: paymentId, report_index: index, result: said.result, reason: said.reason },
      amount: said.amount === undefined ? null : formatMoney(said.amount),
      currency: said.currency ?? null,
      happened_at: said.happenedAt === undefined ? null : new Date(said.happenedAt),
      received_at: new Date(said.receivedAt),
    })
    .execute();
}

/** Of the payments of a lead: texts of the processor that are made of its person go, and the count of the hour follows. `hide` says what is left of a text. */
export async function forgetInPayments(db: Db, organizationId: string, leadId: string, hide: (text: string) => string): Promise<void> {
  const rows = await db
    .selectFrom('payment')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .orderBy('transaction_hash')
    .forUpdate()
    .execute();
  const changes: HourChange[] = [];
  for (const found of rows) changes.push(...(await forgetInPayment(db, organizationId, readRow(found), hide)));
  await changeHours(db, organizationId, changes);
}

/** The same of one payment; answers what that changes in the count of the hour. */
export async function forgetInPayment(
  db: Db,
  organizationId: string,
  before: PaymentRow,
  hide: (text: string) => string,
): Promise<HourChange[]> {
  const reports = await listReports(db, organizationId, before.id);
  for (const [index, { reason }] of reports.entries())
    if (hide(reason) !== reason)
      await db
        .updateTable('payment_report')
        .set({ reason: hide(reason) })
        .where('organization_id', '=', organizationId)
        .where('payment_id', '=', before.id)
        .where('report_index', '=', index)
        .execute();
  const after = { ...before, transactionId: hide(before.transactionId), reason: hide(before.reason) };
  if (after.transactionId === before.transactionId && after.reason === before.reason) return [];
  await db
    .updateTable('payment')
    .set({ transaction_id: after.transactionId, reason: after.reason })
    .where('organization_id', '=', organizationId)
    .where('id', '=', before.id)
    .execute();
  return [
    { payment: before, by: -1 },
    { payment: after, by: 1 },
  ];
}
