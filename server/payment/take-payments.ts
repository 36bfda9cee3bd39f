/** Takes what a processor reports: each transaction is one payment, however often and in whatever order it is told of. */
import { MOST_REPORTS, type PaymentCall, type TakenPayment } from '#contract/payment.ts';
import { parseMoney } from '#engine/money.ts';
import { UNSORTED } from '#engine/move.ts';
import type { Instant } from '#engine/plan.ts';
import { lookUpBins } from '#server/bin/bin.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { isPersonGone, withoutWords } from '#server/lead/person-gone.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Tx } from '#server/record/record-model.ts';
import { findPaidLead, type PaidLead } from './find-paid-lead.sql.ts';
import { foldPayment, isSame, type Reported } from './fold-payment.ts';
import {
  countedOf,
  forgetInPayment,
  insertReport,
  listReports,
  lockPayment,
  type PaymentRow,
  storePayment,
  transactionHash,
} from './payment.sql.ts';
import { changeHours, type HourChange, NOBODY } from './payment-hour.sql.ts';
import type { ProcessorSeat } from './payment-processor.sql.ts';
import { keptReason, readBin, shownTransaction, withoutAddresses } from './payment-text.ts';

export interface PaymentOrder {
  db: Db;
  tenants: Tenants;
  organization: OrganizationPlan;
  processor: ProcessorSeat;
  now: Instant;
}

interface Told {
  call: PaymentCall;
  hash: string;
  lead: PaidLead | 'unknown' | 'several' | undefined;
  bin: string | undefined;
}

/** One answer for each call, in their order. All of them are stored, or none. */
export async function takePayments(order: PaymentOrder, calls: readonly PaymentCall[]): Promise<TakenPayment[]> {
  const { db, tenants, organization, processor } = order;
  const { organizationId, keys } = organization;
  const own = tenants.of(organizationId);
  const told: Told[] = [];
  for (const call of calls)
    told.push({
      call,
      hash: transactionHash(keys, processor.id, call.transactionId),
      lead: call.leadId === undefined ? undefined : await findPaidLead(own, organization, processor.verticalId, call.leadId),
      bin: call.bin === undefined ? undefined : readBin(call.bin),
    });
  // Those of one transaction stay in their order; two calls take transactions in the same order, so that neither waits for the other for ever.
  const inOrder = [...told.keys()].sort((a, b) => (told[a]!.hash === told[b]!.hash ? a - b : told[a]!.hash < told[b]!.hash ? -1 : 1));
  return inTenant(db, organizationId, async (tx) => {
    const answers: TakenPayment[] = [];
    const changes: HourChange[] = [];
    for (const at of inOrder) answers[at] = await takeOne(tx, order, told[at]!, changes);
    await changeHours(tx, organizationId, changes);
    return answers;
  });
}

async function takeOne(tx: Tx, order: PaymentOrder, told: Told, changes: HourChange[]): Promise<TakenPayment> {
  const { organization, processor, now } = order;
  const { organizationId } = organization;
  const { call } = told;
  const before = await lockPayment(tx, organizationId, processor.id, told.hash);
  const reports = before ? await listReports(tx, organizationId, before.id) : [];
  // What was erased, or counted long ago and swept, is begun anew: nothing of it is left.
  const after = await joined(tx, organization, before ?? begin(order, told), told);
  const isGone = after.leadId !== null && (await isPersonGone(tx, organization.keys, after.leadId));
  const spoken: Reported = {
    ...{ result: call.result, amount: call.amount === undefined ? undefined : parseMoney(call.amount) },
    currency: call.currency ?? (isAttempt(call) ? after.currency : undefined),
    ...{ reason: keptReason(call.reason ?? ''), happenedAt: call.at, receivedAt: now },
  };
  // Nothing of the consumer is kept in words: reports show them to whoever may see payments.
  const hide = isGone ? withoutWords : hideIn(told.lead);
  const said = { ...spoken, reason: hide(spoken.reason) };
  const isRepeated = reports.some((one) => isSame(one, said) || isSame(one, spoken));
  const shown = { transactionId: call.transactionId, leadId: after.leadId };
  if (isRepeated && before && isUnchanged(before, after)) return { ...shown, outcome: 'same', msg: 'This was said before.' };
  if (!isRepeated && reports.length >= MOST_REPORTS)
    return { ...shown, outcome: 'refused', msg: `${MOST_REPORTS} reports of this transaction are kept, and no more.` };
  const all = isRepeated ? reports : [...reports, said];
  const folded: PaymentRow = { ...after, ...foldPayment(all, after.currency) };
  await storePayment(tx, organizationId, folded);
  if (!isRepeated) await insertReport(tx, organizationId, folded.id, reports.length, said);
  if (before) changes.push({ payment: countedOf(before), by: -1 });
  changes.push({ payment: countedOf(folded), by: 1 });
  // The name of the transaction, and what was said before it was known of whom.
  if (folded.leadId !== null && before?.leadId !== folded.leadId)
    changes.push(...(await forgetInPayment(tx, organizationId, folded, hide)));
  return { ...shown, outcome: 'taken', msg: noteOf(told, folded) };
}

const isAttempt = ({ result }: PaymentCall): boolean => result === 'approved' || result === 'declined';

/** What is kept of a text about a lead: without its consumer, and without any e-mail address. */
const hideIn =
  (lead: Told['lead']) =>
  (text: string): string =>
    withoutAddresses(typeof lead === 'object' ? lead.hide(text) : text);

function begin({ organization, processor, now }: PaymentOrder, { call, hash }: Told): PaymentRow {
  return {
    ...{ id: newId(now), verticalId: processor.verticalId, processorId: processor.id },
    ...{ transactionHash: hash, transactionId: withoutAddresses(shownTransaction(call.transactionId)) },
    ...{ result: call.result, attemptedAt: now, amount: 0, refunded: undefined, chargedBack: undefined, reason: '' },
    ...{ currency: organization.plan.currency, bin: '', move: 0, leadId: null, test: false },
    ...{ campaignId: NOBODY, publisherId: NOBODY, publisherTierId: NOBODY, buyerId: NOBODY, buyerTierId: NOBODY },
  };
}

/** With the lead and the BIN that are told now; what was known stays where nothing is. The move is that of this moment, where either is new. */
async function joined(tx: Tx, organization: OrganizationPlan, before: PaymentRow, { lead, bin }: Told): Promise<PaymentRow> {
  const found = typeof lead === 'object' ? lead : undefined;
  const { bin: ownBin, hide: _, ...ids } = found ?? { bin: '', hide: undefined };
  const after = { ...before, ...ids, bin: bin ?? (before.bin || ownBin) };
  if (after.bin === '' || (after.bin === before.bin && after.leadId === before.leadId)) return after;
  const place = { campaignId: idOrNull(after.campaignId), publisherId: idOrNull(after.publisherId) };
  const [looked] = await lookUpBins(tx, organization.organizationId, [after.bin], place);
  return { ...after, move: looked?.move ?? UNSORTED };
}

const idOrNull = (id: string): string | null => (id === NOBODY ? null : id);
const isUnchanged = (before: PaymentRow, after: PaymentRow): boolean =>
  before.bin === after.bin && before.leadId === after.leadId && before.buyerTierId === after.buyerTierId;

function noteOf({ lead, call }: Told, after: PaymentRow): string {
  if (lead === 'unknown') return 'Counted without this lead: there is none of this vertical by that id.';
  if (lead === 'several') return 'Counted without this lead: several are found by that. Send our id of it.';
  const inAll = (after.refunded ?? 0) + (after.chargedBack ?? 0) > after.amount ? ' More went back than was paid.' : '';
  if (call.leadId === undefined && after.leadId === null) return `Counted without a lead.${inAll}`;
  return after.test ? 'Kept and not counted: it is of a test lead.' : `Counted.${inAll}`;
}
