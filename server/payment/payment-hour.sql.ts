/** Payments added up by the hour, kept exact in the transaction that writes them. */
import { sql } from 'kysely';
import type { PaymentResult } from '#contract/payment.ts';
import { formatMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import { HOUR_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';

/** Where a payment has no lead, or its lead no buyer; a table's key holds no null. */
export const NOBODY = '00000000-0000-0000-0000-000000000000';

/** A payment as it is counted. */
export interface CountedPayment {
  verticalId: string;
  processorId: string;
  attemptedAt: Instant;
  result: PaymentResult;
  amount: Money;
  refunded: Money | undefined;
  chargedBack: Money | undefined;
  currency: string;
  reason: string;
  bin: string;
  move: number;
  test: boolean;
  campaignId: string;
  publisherId: string;
  publisherTierId: string;
  buyerId: string;
  buyerTierId: string;
}

export interface HourChange {
  payment: CountedPayment;
  /** 1 counts it, -1 takes it out of the count. */
  by: 1 | -1;
}

const NO_LEAD = { campaignId: NOBODY, publisherId: NOBODY, publisherTierId: NOBODY, buyerId: NOBODY, buyerTierId: NOBODY };
/** What each does not tell. Sums are kept since `payment_sums_from()` (migration 0063). */
const CUBES = {
  sum: { move: 0, bin: '', reason: '', ...NO_LEAD },
  wide: { bin: '' },
  bin: { reason: '', ...NO_LEAD },
} as const satisfies Record<string, Partial<CountedPayment>>;
export type PaymentCube = keyof typeof CUBES;

const MEASURES = [
  'attempts',
  'approved',
  'declined',
  'refunds',
  'chargebacks',
  'approved_sum',
  'refunded_sum',
  'charged_back_sum',
] as const;

/** Test payments are counted nowhere. Rows are written in the order of their keys, so that two writers wait for each other only one way. */
export async function changeHours(db: Db, organizationId: string, changes: readonly HourChange[]): Promise<void> {
  const rows = new Map<string, ReturnType<typeof rowOf>>();
  for (const { payment, by } of changes) {
    if (payment.test) continue;
    for (const cube of Object.keys(CUBES) as PaymentCube[]) {
      const row = rowOf(cube, payment);
      const key = JSON.stringify(row.key);
      const sums = rows.get(key)?.sums ?? row.sums.map(() => 0);
      rows.set(key, { key: row.key, sums: row.sums.map((more, at) => sums[at]! + by * more) });
    }
  }
  const changed = [...rows].filter(([, { sums }]) => sums.some((more) => more !== 0)).sort(([a], [b]) => (a < b ? -1 : 1));
  if (changed.length === 0) return;
  const values = changed.map(([, { key, sums }]) => {
    const counts = sums.map((more, at) => (at < 5 ? sql`${more}::int` : sql`${formatMoney(more)}::numeric`));
    return sql`(${keyOf(organizationId, key)}, ${sql.join(counts)})`;
  });
  const sums = MEASURES.map((name) => sql`${sql.ref(name)} = payment_hour.${sql.ref(name)} + excluded.${sql.ref(name)}`);
  await sql`insert into payment_hour (${KEY}, ${sql.join(MEASURES.map((name) => sql.ref(name)))})
    values ${sql.join(values)}
    on conflict (${KEY}) do update set ${sql.join(sums)}`.execute(db);
  // A row that counts nothing any more would keep the words it stands for, such as a reason that was made of a person.
  const lessened = changed.flatMap(([, { key, sums }]) => (sums[0]! < 0 ? [sql`(${keyOf(organizationId, key)})`] : []));
  if (lessened.length > 0) await sql`delete from payment_hour where attempts = 0 and (${KEY}) in (${sql.join(lessened)})`.execute(db);
}

const KEY = sql.raw(
  'organization_id, vertical_id, cube, hour_at, processor_id, move, bin, reason, campaign_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id, currency',
);

function keyOf(organizationId: string, key: readonly (string | number)[]) {
  const [vertical, cube, hour, processor, move, bin, reason, ...rest] = key;
  const [currency, ...ids] = rest.toReversed();
  return sql`${organizationId}::uuid, ${vertical}::uuid, ${cube}, ${new Date(hour as number)}::timestamptz, ${processor}::uuid, ${move}::smallint, ${bin}, ${reason},
    ${sql.join(ids.toReversed().map((id) => sql`${id}::uuid`))}, ${currency}`;
}

function rowOf(cube: PaymentCube, payment: CountedPayment): { key: (string | number)[]; sums: number[] } {
  const one = { ...payment, ...CUBES[cube] };
  const isDeclined = one.result === 'declined';
  return {
    key: [
      ...[one.verticalId, cube, Math.floor(one.attemptedAt / HOUR_MS) * HOUR_MS, one.processorId, one.move, one.bin, one.reason],
      ...[one.campaignId, one.publisherId, one.publisherTierId, one.buyerId, one.buyerTierId, one.currency],
    ],
    sums: [
      ...[1, isDeclined ? 0 : 1, isDeclined ? 1 : 0, one.refunded === undefined ? 0 : 1, one.chargedBack === undefined ? 0 : 1],
      ...[isDeclined ? 0 : one.amount, one.refunded ?? 0, one.chargedBack ?? 0],
    ],
  };
}
