/** Sums of payments: whole hours from what is kept of them, the edges of a span and what no cube tells from the payments themselves. */
import { type RawBuilder, sql } from 'kysely';
import type { PaymentDimension, PaymentMeasures } from '#contract/payment.ts';
import { tellSum } from '#engine/money.ts';
import { HOUR_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import { orderOf, orderSql } from '#server/report/row-order.ts';
import type { Span } from '#server/report/split-span.ts';
import { NOBODY, type PaymentCube } from './payment-hour.sql.ts';

export const PAYMENT_COLUMNS = {
  ...{ processor: 'processor_id', move: 'move', bin: 'bin', reason: 'reason', campaign: 'campaign_id', publisher: 'publisher_id' },
  ...{ publisherTier: 'publisher_tier_id', buyer: 'buyer_id', buyerTier: 'buyer_tier_id' },
} as const satisfies Record<PaymentDimension, string>;
export type PaymentColumn = (typeof PAYMENT_COLUMNS)[PaymentDimension];
export type PaymentFilters = Partial<Record<PaymentColumn, string>>;

/** The smallest first. */
const KNOWN: Record<PaymentCube, readonly PaymentColumn[]> = {
  sum: ['processor_id'],
  bin: ['processor_id', 'move', 'bin'],
  wide: ['processor_id', 'move', 'reason', 'campaign_id', 'publisher_id', 'publisher_tier_id', 'buyer_id', 'buyer_tier_id'],
};

const COUNTS = ['attempts', 'approved', 'declined', 'refunds', 'chargebacks'] as const;
const SUMS = ['approved_sum', 'refunded_sum', 'charged_back_sum'] as const;
const SUM_OF: Readonly<Record<string, (typeof SUMS)[number]>> = {
  ...{ approvedAmount: 'approved_sum', refundedAmount: 'refunded_sum', chargedBackAmount: 'charged_back_sum' },
};

export interface PaymentsAsked {
  scope: ReportScope;
  span: Span;
  /** To be told in the same way as well. */
  before?: Span;
  filters: PaymentFilters;
  /** Money of other currencies is in no sum. */
  currency: string;
}

export const NO_PAYMENTS: PaymentMeasures = {
  ...{ attempts: 0, approved: 0, declined: 0, refunds: 0, chargebacks: 0 },
  ...{ approvedAmount: '0.00', refundedAmount: '0.00', chargedBackAmount: '0.00' },
};

interface Sums extends Record<(typeof COUNTS)[number], number>, Record<(typeof SUMS)[number], string> {}

interface PaymentsOf {
  now: PaymentMeasures;
  /** Where the span before was asked for. */
  before?: PaymentMeasures;
}
export interface PaymentsBy {
  /** In the order that was asked for, of what there was in either span; of nobody the key is empty. */
  rows: (PaymentsOf & { key: string })[];
  /** All others together, and how many they are. */
  rest: PaymentsOf & { values: number };
}

interface PaymentsOverTime {
  total: PaymentMeasures;
  /** By the unit that begins at one of the points. */
  series: ReadonlyMap<number, PaymentMeasures>;
}
export interface PaymentSums extends PaymentsBy, PaymentsOverTime {
  /** Whether there are payments in other currencies, which are in no sum. */
  hasOtherCurrencies: boolean;
  /** Of the span before, where that was asked for. */
  before: PaymentsOverTime | undefined;
}

/** How spans are told: by the values of one dimension, the first `most` in the order of `sort`, the most attempts first without one; and by time, points being where units begin, in order. */
export interface PaymentsTold {
  by?: { dimension: PaymentDimension; most: number; sort?: string | undefined };
  points?: readonly number[];
  pointsBefore?: readonly number[];
}

/**
 * Values and points of time stand beside each other: told by both, payments are as many as they are; where no cube tells the value they are gone through once all the same.
 * They are added up by currency first, which leaves few rows to place in time and in order. Processors send any text as a reason, so there may be a value for each payment.
 */
export async function sumPayments(
  db: Db,
  asked: PaymentsAsked,
  { by, points = [], pointsBefore = [] }: PaymentsTold,
): Promise<PaymentSums> {
  const { before } = asked;
  const column = by && PAYMENT_COLUMNS[by.dimension];
  const most = by?.most ?? 0;
  const place = sql`least(place, ${sql.lit(most + 1)})`;
  // As numbers: years before the first have no text that both sides write alike.
  const startsOf = (all: readonly number[]) =>
    sql`array(select to_timestamp(s) from unnest(${all.map((at) => at / 1000)}::float8[]) with ordinality as p (s, nth) order by nth)`;
  const isOnce = column !== undefined && cubeOf(asked, [column]) === undefined;
  const from = (columns: PaymentColumn[]) => (isOnce ? sql`p` : sql`(${spans(asked, columns)})`);
  const sums = [
    ...(isOnce ? [sql`p as materialized (${spans(asked, [column])})`] : []),
    ...(column
      ? [
          sql`k as materialized (select ${sql.ref(column)}::text as key, is_before, currency, ${summed} from ${from([column])} as p
            group by ${sql.ref(column)}, is_before, currency)`,
        ]
      : []),
    column && points.length === 0
      ? sql`h as (select null::timestamptz as at, k.* from k)`
      : sql`h as materialized (select at, is_before, currency, ${summed} from ${from([])} as p group by at, is_before, currency)`,
  ];
  type Found = Sums & { kind: 'row' | 'point' | 'all'; is_before: boolean; key: string; values: number; place: number; others: number };
  const { rows: found } = await sql<Found>`
    with ${sql.join(sums)}
    select 'all' as kind, is_before, null as key, 0 as values, 0 as place, others, ${sql.join([...COUNTS.map((name) => sql.ref(name)), ...SUMS.map((name) => sql`${sql.ref(name)}::text`)])}
      from (select is_before, coalesce(sum(attempts) filter (where currency <> ${asked.currency}), 0)::int as others, ${inCurrency(asked)}
        from h group by is_before having sum(attempts) > 0) as a
    union all
    select 'point', is_before, null, 0, width_bucket(at, case when is_before then ${startsOf(pointsBefore)} else ${startsOf(points)} end), 0, ${texts}
      from (select at, is_before, ${inCurrency(asked)} from h where ${sql.lit(points.length > 0)} group by at, is_before having sum(attempts) > 0) as h group by 2, 5
    ${column ? sql`union all select 'row', is_before, min(key), max(place)::int, ${place}, 0, ${texts} from (${placed(asked, by.sort)}) as o group by 2, 5` : sql``}
    order by 1, 5`.execute(db);
  const of = (kind: 'row' | 'point' | 'all', isBefore = false) => found.filter((row) => row.kind === kind && row.is_before === isBefore);
  const overTime = (all: readonly number[], isBefore: boolean): PaymentsOverTime => ({
    total: viewSums(of('all', isBefore)[0]),
    series: new Map(of('point', isBefore).map((row) => [all[row.place - 1]!, viewSums(row)])),
  });
  const both = (rows: readonly Found[]): PaymentsOf => ({
    now: viewSums(rows.find((row) => !row.is_before)),
    ...(before && { before: viewSums(rows.find((row) => row.is_before)) }),
  });
  const byPlace = [
    ...Map.groupBy(
      found.filter(({ kind }) => kind === 'row'),
      (row) => row.place,
    ),
  ];
  const rest = byPlace.find(([at]) => at > most)?.[1] ?? [];
  return {
    ...overTime(points, false),
    rows: byPlace.filter(([at]) => at <= most).map(([, rows]) => ({ key: rows[0]!.key === NOBODY ? '' : rows[0]!.key, ...both(rows) })),
    rest: { values: Math.max(0, ...rest.map(({ values }) => values - most)), ...both(rest) },
    hasOtherCurrencies: (of('all')[0]?.others ?? 0) > 0,
    before: before && overTime(pointsBefore, true),
  };
}

/** What both spans are made of. */
function spans({ before, ...asked }: PaymentsAsked, columns: readonly PaymentColumn[]): RawBuilder<unknown> {
  const told = [{ span: asked.span, isBefore: false }, ...(before ? [{ span: before, isBefore: true }] : [])];
  return sql.join(
    told.map(({ span, isBefore }) => sql`select ${sql.lit(isBefore)} as is_before, s.* from (${source({ ...asked, span }, columns)}) as s`),
    sql` union all `,
  );
}

/** The figures of each key by span, and the place of the key in the order that was asked for. */
function placed(asked: PaymentsAsked, sort: string | undefined): RawBuilder<unknown> {
  const order = orderOf(sort, Object.keys(NO_PAYMENTS), asked.before !== undefined);
  const ofKey = (name: string, isBefore: boolean) => sql.ref(`of_key_${name}_${isBefore ? 'before' : 'now'}`);
  // Of one span alone a key has one line, which need not be added up.
  const figure = (name: string, isBefore: boolean) =>
    asked.before
      ? sql`coalesce(sum(${sql.ref(name)}) filter (where is_before = ${sql.lit(isBefore)}) over (partition by key), 0)`
      : sql.ref(name);
  const compared = (order ? [...COUNTS, ...SUMS] : ['attempts']).flatMap((name) =>
    (asked.before ? [false, true] : [false]).map((isBefore) => sql`${figure(name, isBefore)} as ${ofKey(name, isBefore)}`),
  );
  const places = [
    ...(order ? [orderSql(order, (name, isBefore) => ofKey(SUM_OF[name] ?? name, isBefore))] : []),
    ...[sql`${ofKey('attempts', false)} desc`, sql`key collate "C"`],
  ];
  return sql`select key, is_before, ${names}, dense_rank() over (order by ${sql.join(places)}) as place
    from (select k.*, ${sql.join(compared)} from (select key, is_before, ${inCurrency(asked)} from k group by key, is_before having sum(attempts) > 0) as k) as f`;
}

export async function sumOtherCurrencies(
  db: Db,
  asked: PaymentsAsked,
): Promise<{ currency: string; approved: number; approvedAmount: string }[]> {
  const { rows } = await sql<{ currency: string; approved: number; sum: string }>`
    select currency, sum(approved)::int as approved, sum(approved_sum)::text as sum from (${source(asked, [])}) as p
    where currency <> ${asked.currency} group by 1 having sum(attempts) > 0 order by 1`.execute(db);
  return rows.map(({ currency, approved, sum }) => ({ currency, approved, approvedAmount: tellSum(sum) }));
}

const names = sql.join([...COUNTS, ...SUMS].map((name) => sql.ref(name)));
const summed = sql.join([...COUNTS, ...SUMS].map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`));
const texts = sql.join([
  ...COUNTS.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`),
  ...SUMS.map((name) => sql`sum(${sql.ref(name)})::text as ${sql.ref(name)}`),
]);

const inCurrency = ({ currency }: PaymentsAsked): RawBuilder<unknown> =>
  sql.join([
    ...COUNTS.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`),
    ...SUMS.map((name) => sql`coalesce(sum(${sql.ref(name)}) filter (where currency = ${currency}), 0) as ${sql.ref(name)}`),
  ]);

/** The smallest that knows what is asked. */
function cubeOf({ filters }: PaymentsAsked, columns: readonly PaymentColumn[]): PaymentCube | undefined {
  const needed = [...columns, ...(Object.keys(filters) as PaymentColumn[])];
  return (Object.keys(KNOWN) as PaymentCube[]).find((one) => needed.every((column) => KNOWN[one].includes(column)));
}

/** What a span is made of, hour by hour or payment by payment, narrowed. */
function source(asked: PaymentsAsked, columns: readonly PaymentColumn[]): RawBuilder<unknown> {
  const { scope, span, filters } = asked;
  const cube = cubeOf(asked, columns);
  const whole = { from: Math.ceil(span.from / HOUR_MS) * HOUR_MS, to: Math.floor(span.to / HOUR_MS) * HOUR_MS };
  const isKept = cube !== undefined && whole.from < whole.to;
  const raw = isKept
    ? [
        { from: span.from, to: whole.from },
        { from: whole.to, to: span.to },
      ].filter(({ from, to }) => from < to)
    : [span];
  const parts = [...(isKept ? fromHours(scope, cube, whole, filters) : []), ...raw.map((one) => fromPayments(scope, one, filters))];
  return sql.join(parts, sql` union all `);
}

const DIMENSIONS = sql.join([...new Set(Object.values(PAYMENT_COLUMNS)), 'currency'].map((name) => sql.ref(name)));

/** Before there were sums, `bin` tells all that they tell. */
const fromHours = (scope: ReportScope, cube: PaymentCube, span: Span, filters: PaymentFilters): RawBuilder<unknown>[] =>
  cube === 'sum'
    ? [
        fromCube(scope, 'sum', span, filters, sql` and hour_at >= payment_sums_from()`),
        fromCube(scope, 'bin', span, filters, sql` and hour_at < payment_sums_from()`),
      ]
    : [fromCube(scope, cube, span, filters)];

const fromCube = (
  { organizationId, verticalId }: ReportScope,
  cube: PaymentCube,
  { from, to }: Span,
  filters: PaymentFilters,
  since = sql``,
) => sql`
  select hour_at as at, ${DIMENSIONS}, ${sql.join([...COUNTS, ...SUMS].map((name) => sql.ref(name)))} from payment_hour
    where organization_id = ${organizationId}::uuid and vertical_id = ${verticalId}::uuid and cube = ${cube}
      and hour_at >= ${new Date(from)} and hour_at < ${new Date(to)}${since}${narrowed(filters)}`;

const fromPayments = ({ organizationId, verticalId }: ReportScope, { from, to }: Span, filters: PaymentFilters) => sql`
  select date_trunc('hour', attempted_at, 'UTC') as at, ${DIMENSIONS}, 1 as attempts, (result <> 'declined')::int as approved, (result = 'declined')::int as declined,
      (refunded is not null)::int as refunds, (charged_back is not null)::int as chargebacks,
      case when result <> 'declined' then amount else 0 end as approved_sum, coalesce(refunded, 0) as refunded_sum, coalesce(charged_back, 0) as charged_back_sum
    from payment where organization_id = ${organizationId}::uuid and vertical_id = ${verticalId}::uuid and not test
      and attempted_at >= ${new Date(from)} and attempted_at < ${new Date(to)}${narrowed(filters)}`;

/** Of the table that the query is of. */
export const narrowed = (filters: PaymentFilters): RawBuilder<unknown> =>
  sql.join(
    Object.entries(filters).map(([column, value]) => sql` and ${sql.ref(column)}::text = ${value}`),
    sql``,
  );

/** Nothing of anything where there is no row. */
const viewSums = (row: Sums | undefined): PaymentMeasures =>
  row
    ? {
        ...{ attempts: row.attempts, approved: row.approved, declined: row.declined, refunds: row.refunds, chargebacks: row.chargebacks },
        approvedAmount: tellSum(row.approved_sum),
        refundedAmount: tellSum(row.refunded_sum),
        chargedBackAmount: tellSum(row.charged_back_sum),
      }
    : NO_PAYMENTS;
