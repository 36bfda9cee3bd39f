/** What payment processors told of the past: some of the consumers that were sold paid a fee by card, taken by the same code as every report. */
import { sql } from 'kysely';
import { MOST_PAYMENTS, type PaymentCall, type PaymentResult } from '#contract/payment.ts';
import { DAY_MS, HOUR_MS } from '#engine/zone.ts';
import type { MasterKey } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import { openTenants } from '#server/kit/tenant.ts';
import { listProcessorSeats, type ProcessorSeat } from '#server/payment/payment-processor.sql.ts';
import { takePayments } from '#server/payment/take-payments.ts';
import { findConfiguration } from '#server/plan/configuration.sql.ts';
import { compileOrganization } from '#server/plan/plan-book.ts';
import { CARDS } from './insert-bins.ts';
import type { InsertedOrganization } from './insert-world.ts';
import { randomOf } from './random.ts';

interface Past {
  connectionString: string;
  masterKey: MasterKey;
  until: number;
}

/** Of 100 sold leads. */
const PAID_BY_CARD = 22;
const FEES = ['19.00', '29.00', '29.00', '49.00'];
const DECLINES = {
  'Insufficient funds': 9,
  'Do not honour': 5,
  'Expired card': 2,
  'Suspected fraud': 1,
  'Card not active': 1,
};
/** Of 1,000 approved ones. */
const [REFUNDED, CHARGED_BACK] = [35, 9];
const AFTER_MS: Partial<Record<PaymentResult, [number, number]>> = {
  refunded: [DAY_MS, 9 * DAY_MS],
  chargeback: [6 * DAY_MS, 20 * DAY_MS],
};

export async function makePayments(db: Db, organizations: InsertedOrganization[], past: Past): Promise<void> {
  const tenants = openTenants(past.connectionString, 1);
  try {
    for (const { id } of organizations) {
      const organization = compileOrganization(past.masterKey, id, (await findConfiguration(db, id))!);
      for (const processor of await listProcessorSeats(db, id)) {
        const calls = (await listSold(db, id, processor)).flatMap((sold) => callsOf(sold, past.until));
        const order = { db, tenants, organization, processor, now: past.until };
        for (let at = 0; at < calls.length; at += MOST_PAYMENTS) await takePayments(order, calls.slice(at, at + MOST_PAYMENTS));
      }
    }
  } finally {
    await tenants.close();
  }
}

/** The same ones in every demo world of one past. */
async function listSold(db: Db, organizationId: string, { verticalId }: ProcessorSeat): Promise<string[]> {
  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from lead_result where organization_id = ${organizationId} and vertical_id = ${verticalId} and status = 'sold' and not test
      and ('x' || substr(md5(lead_id::text), 7, 6))::bit(24)::int % 100 < ${PAID_BY_CARD} order by lead_id`.execute(db);
  return rows.map((row) => row.lead_id);
}

/** The first try some minutes or hours after the sale, and what came of it later. */
function callsOf(leadId: string, until: number): PaymentCall[] {
  const random = randomOf('payment', leadId);
  const { bin, declined } = CARDS[Number(random.weighted(SHARES))]!;
  const payment = { transactionId: `CW-${random.digits(10)}`, leadId, bin, amount: random.pick(FEES) };
  const at = Math.floor(idInstant(leadId) + random.between(4 / 60, 30) * HOUR_MS);
  const call = (result: PaymentResult, at: number, said: Partial<PaymentCall> = {}): PaymentCall[] =>
    at > until ? [] : [{ ...payment, result, at, ...said }];
  if (random.chance(declined)) return call('declined', at, { reason: random.weighted(DECLINES) });
  const later = random.integer(1, 1_000);
  const result = later <= REFUNDED ? 'refunded' : later <= REFUNDED + CHARGED_BACK ? 'chargeback' : undefined;
  const approved = call('approved', at);
  if (!result || approved.length === 0) return approved;
  const [from, to] = AFTER_MS[result]!;
  const reason = result === 'refunded' ? 'Asked for the money back' : 'Did not recognise the charge';
  return [...approved, ...call(result, Math.floor(at + random.between(from, to)), { reason })];
}

const SHARES = Object.fromEntries(CARDS.map(({ share }, at) => [at, share]));
