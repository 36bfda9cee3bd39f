/** The payments behind a figure, the newest attempt first, each with all that was reported of it. */
import { sql } from 'kysely';
import { PAYMENTS_SHOWN, type PaymentListAnswer, type PaymentResult, type PaymentView } from '#contract/payment.ts';
import { formatMoney } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import { isId } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import type { Span } from '#server/report/split-span.ts';
import { paymentNamer } from './build-payment-report.ts';
import type { Reported } from './fold-payment.ts';
import { listReports } from './payment.sql.ts';
import { NOBODY } from './payment-hour.sql.ts';
import { narrowed, type PaymentFilters } from './payment-report.sql.ts';

export interface PaymentListOrder {
  scope: ReportScope;
  span: Span;
  filters: PaymentFilters;
  result: PaymentResult | undefined;
  /** `older` of the answer before. */
  before: string | undefined;
}

/** Test payments are left out, as in the report. */
export async function listPayments(
  db: Db,
  { scope, span, filters, result, before }: PaymentListOrder,
): Promise<Omit<PaymentListAnswer, 'status'>> {
  const { organizationId, verticalId } = scope;
  const place = readPlace(before);
  let select = db
    .selectFrom('payment')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('test', '=', false)
    .where('attempted_at', '>=', new Date(span.from))
    .where('attempted_at', '<', new Date(span.to))
    .where(sql<boolean>`true${narrowed(filters)}`);
  // What was refunded or charged back was approved first, as figures have it.
  if (result === 'approved') select = select.where('result', '<>', 'declined');
  if (result === 'declined') select = select.where('result', '=', 'declined');
  if (result === 'refunded') select = select.where('refunded', 'is not', null);
  if (result === 'chargeback') select = select.where('charged_back', 'is not', null);
  if (place) select = select.where(sql<boolean>`(attempted_at, id) < (${place.at}, ${place.id}::uuid)`);
  const rows = await select
    .orderBy('attempted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(PAYMENTS_SHOWN + 1)
    .execute();
  const shown = rows.slice(0, PAYMENTS_SHOWN);
  const namers = {
    processor: await paymentNamer(db, scope, 'processor', []),
    publisher: await paymentNamer(
      db,
      scope,
      'publisher',
      shown.map((row) => row.publisher_id),
    ),
    buyer: await paymentNamer(
      db,
      scope,
      'buyer',
      shown.map((row) => row.buyer_id),
    ),
  };
  const nobodyOr = (id: string) => (id === NOBODY ? '' : id);
  const payments: PaymentView[] = [];
  for (const row of shown) {
    const reports = await listReports(db, organizationId, row.id);
    payments.push({
      ...{ _id: row.id, transactionId: row.transaction_id, processor: namers.processor(row.processor_id) },
      ...{ attemptedAt: row.attempted_at.toISOString(), result: row.result as PaymentResult, amount: money(row.amount) },
      refunded: row.refunded === null ? null : money(row.refunded),
      chargedBack: row.charged_back === null ? null : money(row.charged_back),
      ...{ currency: row.currency, reason: row.reason, bin: row.bin, move: row.move, leadId: row.lead_id },
      ...{ publisher: namers.publisher(nobodyOr(row.publisher_id)), buyer: namers.buyer(nobodyOr(row.buyer_id)) },
      reports: reports.map(viewReport),
    });
  }
  const last = shown.at(-1);
  return { payments, older: rows.length > shown.length && last ? `${last.attempted_at.getTime()}.${last.id}` : null };
}

/** A payment of a consumer, for who asked for their data. */
export interface LeadPayment {
  processor: string;
  transactionId: string;
  attemptedAt: string;
  currency: string;
  bin: string;
  reports: { result: string; amount: string | null; reason: string; happenedAt: string | null; receivedAt: string }[];
}

/** Those of a lead, the first first; of test leads too. */
export async function listPaymentsOf(db: Db, organizationId: string, leadId: string): Promise<LeadPayment[]> {
  const rows = await db
    .selectFrom('payment as p')
    .innerJoin('payment_processor as s', (join) =>
      join.onRef('s.organization_id', '=', 'p.organization_id').onRef('s.id', '=', 'p.processor_id'),
    )
    .select(['p.id', 'p.transaction_id', 'p.attempted_at', 'p.currency', 'p.bin', 's.name'])
    .where('p.organization_id', '=', organizationId)
    .where('p.lead_id', '=', leadId)
    .orderBy('p.attempted_at')
    .orderBy('p.id')
    .execute();
  const payments: LeadPayment[] = [];
  for (const row of rows)
    payments.push({
      ...{ processor: row.name, transactionId: row.transaction_id, attemptedAt: row.attempted_at.toISOString() },
      ...{ currency: row.currency, bin: row.bin, reports: (await listReports(db, organizationId, row.id)).map(viewReport) },
    });
  return payments;
}

const viewReport = ({ result, amount, reason, happenedAt, receivedAt }: Reported) => ({
  ...{ result, amount: amount === undefined ? null : formatMoney(amount), reason },
  happenedAt: happenedAt === undefined ? null : new Date(happenedAt).toISOString(),
  receivedAt: new Date(receivedAt).toISOString(),
});

/** Milliseconds and an id; whatever else is said begins at the start. */
function readPlace(before: string | undefined): { at: Date; id: string } | undefined {
  const [at, id] = (before ?? '').split('.');
  return at && /^\d{1,14}$/.test(at) && isId(id) ? { at: new Date(Number(at)), id } : undefined;
}
