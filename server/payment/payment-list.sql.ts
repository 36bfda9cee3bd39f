/** The payments behind a figure, the newest attempt first, each with all that was reported of it. */
import { type Selectable, sql } from 'kysely';
import { PAYMENTS_SHOWN, type PaymentListAnswer, type PaymentResult, type PaymentView } from '#contract/payment.ts';
import type { Database } from '#db/types.ts';
import { formatMoney } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import { isId } from '#server/kit/ids.ts';
import { LOOKED_AT } from '#server/kit/looked-at.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import type { Span } from '#server/report/split-span.ts';
import { listProcessors, paymentNamer } from './build-payment-report.ts';
import type { Reported } from './fold-payment.ts';
import { countReports, listReports, transactionHash } from './payment.sql.ts';
import { NOBODY } from './payment-hour.sql.ts';
import { narrowed, type PaymentFilters } from './payment-report.sql.ts';

export interface PaymentListOrder {
  scope: ReportScope;
  /** Those alone, in any span. */
  ids: readonly string[] | undefined;
  span: Span;
  filters: PaymentFilters;
  result: PaymentResult | undefined;
  /** `older` of the answer before. */
  before: string | undefined;
}

type Row = Selectable<Database['payment']>;

/** Payments of a transaction by its processor's id, to the letter, whichever processor that was, and those of a lead by our id. */
export async function findPaymentIds(
  db: Db,
  { organizationId, keys }: OrganizationPlan,
  scope: ReportScope,
  text: string,
): Promise<string[]> {
  const processors = (await listProcessors(db, scope)).map(({ id }) => id);
  const hashes = processors.map((id) => transactionHash(keys, id, text));
  const leadId = text.toLowerCase();
  const { rows } = await sql<{ id: string }>`
    select p.id from unnest(${processors}::uuid[], ${hashes}::uuid[]) as n (processor_id, hash)
      join payment p on p.organization_id = ${organizationId}::uuid and p.processor_id = n.processor_id and p.transaction_hash = n.hash
    union
    select id from payment where organization_id = ${organizationId}::uuid and lead_id = ${isId(leadId) ? leadId : null}::uuid limit ${LOOKED_AT}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

/** Test payments are left out, as in the report. What no index finds is looked for among so many payments and no more. */
export async function listPayments(db: Db, order: PaymentListOrder): Promise<Omit<PaymentListAnswer, 'status'>> {
  const { rows, older, lookedTo } = await readPage(db, order, PAYMENTS_SHOWN);
  const named = await nameRows(db, order.scope, rows);
  const payments: PaymentView[] = [];
  for (const [at, row] of rows.entries())
    payments.push({ ...named[at]!, reports: (await listReports(db, order.scope.organizationId, row.id)).map(viewReport) });
  return { payments, older, lookedTo };
}

type NamedPayment = Omit<PaymentView, 'reports'>;
/** One payment, and how much was said of it. */
export type PaymentLine = NamedPayment & { reportCount: number };

/** All of them, for a file; `stillMay` is asked before each page. */
export async function* walkPayments(db: Db, order: PaymentListOrder, stillMay: () => Promise<unknown>): AsyncGenerator<PaymentLine> {
  for (let { before } = order; ; ) {
    const { rows, older } = await readPage(db, { ...order, before }, WALKED_AT_ONCE);
    const named = await nameRows(db, order.scope, rows);
    const counts = await countReports(
      db,
      order.scope.organizationId,
      rows.map(({ id }) => id),
    );
    for (const one of named) yield { ...one, reportCount: counts.get(one._id) ?? 0 };
    if (older === null) return;
    before = older;
    await stillMay();
  }
}

const WALKED_AT_ONCE = 500;

async function readPage(
  db: Db,
  order: PaymentListOrder,
  limit: number,
): Promise<{ rows: Row[]; older: string | null; lookedTo: string | null }> {
  const { result, filters } = order;
  let select = db
    .selectFrom(lookedAt(db, order).limit(LOOKED_AT).as('p'))
    .selectAll('p')
    .where('test', '=', false)
    .where(sql<boolean>`true${narrowed(filters)}`);
  // What was refunded or charged back was approved first, as figures have it.
  if (result === 'approved') select = select.where('result', '<>', 'declined');
  if (result === 'declined') select = select.where('result', '=', 'declined');
  if (result === 'refunded') select = select.where('refunded', 'is not', null);
  if (result === 'chargeback') select = select.where('charged_back', 'is not', null);
  const found = await select
    .orderBy('attempted_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, older: cursorOf(rows.at(-1)!), lookedTo: null };
  const last = await lookedAt(db, order)
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return { rows, older: last ? cursorOf(last) : null, lookedTo: last?.attempted_at.toISOString() ?? null };
}

/** By index alone: those of the ids, or of the vertical and span, back from the cursor. */
function lookedAt(db: Db, { scope: { organizationId, verticalId }, ids, span, before }: PaymentListOrder) {
  const place = readPlace(before);
  let select = db.selectFrom('payment').selectAll().where('organization_id', '=', organizationId).where('vertical_id', '=', verticalId);
  if (ids) select = select.where(sql<boolean>`id = any(${ids}::uuid[])`);
  else select = select.where('attempted_at', '>=', new Date(span.from)).where('attempted_at', '<', new Date(span.to));
  if (place) select = select.where(sql<boolean>`(attempted_at, id) < (${place.at}, ${place.id}::uuid)`);
  return select.orderBy('attempted_at', 'desc').orderBy('id', 'desc');
}

const cursorOf = ({ attempted_at, id }: Pick<Row, 'attempted_at' | 'id'>): string => `${attempted_at.getTime()}.${id}`;

async function nameRows(db: Db, scope: ReportScope, rows: readonly Row[]): Promise<NamedPayment[]> {
  const namers = {
    processor: await paymentNamer(db, scope, 'processor', []),
    publisher: await paymentNamer(
      db,
      scope,
      'publisher',
      rows.map((row) => row.publisher_id),
    ),
    buyer: await paymentNamer(
      db,
      scope,
      'buyer',
      rows.map((row) => row.buyer_id),
    ),
  };
  const nobodyOr = (id: string) => (id === NOBODY ? '' : id);
  return rows.map((row) => ({
    ...{ _id: row.id, transactionId: row.transaction_id, processor: namers.processor(row.processor_id) },
    ...{ attemptedAt: row.attempted_at.toISOString(), result: row.result as PaymentResult, amount: money(row.amount) },
    refunded: row.refunded === null ? null : money(row.refunded),
    chargedBack: row.charged_back === null ? null : money(row.charged_back),
    ...{ currency: row.currency, reason: row.reason, bin: row.bin, move: row.move, leadId: row.lead_id },
    ...{ publisher: namers.publisher(nobodyOr(row.publisher_id)), buyer: namers.buyer(nobodyOr(row.buyer_id)) },
  }));
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
