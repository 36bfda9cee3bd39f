/** Figures of leads and of buyer tiers tried: by dimension, and by time. */
import { type RawBuilder, sql } from 'kysely';
import type { AttemptDimension, AttemptMeasures, LeadDimension, LeadMeasures, ReportUnit } from '#contract/report.ts';
import { MOST_FILE_ROWS } from '#contract/report-limits.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { CUBES, FACT_COLUMNS, type FactTable, TIME_UNKNOWN, tells, VERTICAL_KEY } from './cubes.ts';
import { type Buckets, percentile } from './percentile.ts';
import type { Look, ReportScope } from './read-facts.sql.ts';
import { orderOf, orderSql, type RowOrder } from './row-order.ts';
import type { Span } from './split-span.ts';

export type Dimension = LeadDimension | AttemptDimension;

const COLUMN: Record<Dimension, string> = {
  publisher: 'publisher_id',
  publisherTier: 'publisher_tier_id',
  campaign: 'campaign_id',
  subId: 'sub_id',
  variant: 'variant_id',
  state: 'state',
  reason: 'reason',
  buyer: 'buyer_id',
  buyerTier: 'buyer_tier_id',
  group: 'group_id',
  filterReason: 'filter_key',
  vertical: VERTICAL_KEY,
  region: VERTICAL_KEY,
};

/** What a dimension is told apart by. A region is that of the vertical. */
function keyOf(dimension: Dimension, { verticals = [] }: ReportScope): RawBuilder<unknown> {
  if (dimension !== 'region') return sql.ref(COLUMN[dimension]);
  const of = (key: 'regionId' | 'verticalId') => sql`${verticals.map((one) => one[key])}::uuid[]`;
  return sql`(${of('regionId')})[array_position(${of('verticalId')}, ${sql.ref(VERTICAL_KEY)})]`;
}

/** By column: ids; a sub id and the code of a state to the letter. */
export type ReportFilters = Partial<Record<string, string>>;

export interface FiguresRow<Measures> {
  now: Measures;
  /** Where the span before was asked for. */
  before?: Measures | undefined;
}
interface Told<Measures> {
  total: Measures;
  /** By the instant at which a unit begins, in milliseconds; units without anything are missing, and all where none was asked for. */
  series: Map<number, Measures>;
}
export interface FiguresBy<Measures> extends Told<Measures> {
  /** Every combination of the dimensions that occurs, in either span; what a column does not tell is ''. */
  rows: (FiguresRow<Measures> & { keys: string[] })[];
  /** Those that are not among the rows, as many as were asked for being there: how many, and all of them together. */
  rest: (FiguresRow<Measures> & { rows: number }) | undefined;
  /** Of the span before, where that was asked for. */
  before: Told<Measures> | undefined;
}

interface Asked {
  span: Span;
  /** To be told row by row as well. */
  before?: Span | undefined;
  filters: ReportFilters;
  /** Sub ids are as many as publishers like, and only so many are read, the first in the order; as a file has where it is left out. Of other dimensions all are read. */
  most?: number | undefined;
  /** Of the rows that are read; those of the most attempts without it, and where it says the same. */
  sort?: string | undefined;
}

/** What a column adds up to, of the rows that are meant. */
type Sum = (column: string) => RawBuilder<unknown>;
type Formula = (sum: Sum) => RawBuilder<unknown>;
type Formulas<Measures> = Record<keyof Measures, Formula>;

const count =
  (column: string): Formula =>
  (sum) =>
    sql`coalesce(${sum(column)}, 0)::int8`;
const amount =
  (column: string): Formula =>
  (sum) =>
    sql`coalesce(${sum(column)}, 0)::numeric(19, 4)`;
const MONEY = ['revenue', 'payout', 'margin', 'epl', 'returnedRevenue', 'returnedPayout', 'returnedMargin'] as const;

/** What leads and tiers tried have in common. */
const SHARED = {
  ...{ attempts: count('attempts'), sold: count('sold'), rejected: count('rejected'), terrors: count('terrors') },
  ...{ timeouts: count('timeouts'), filtered: count('filtered'), pings: count('pings'), bids: count('bids') },
  ...{ revenue: amount('revenue'), payout: amount('payout'), margin: amount('margin'), returned: count('returned') },
  returnedRevenue: amount('returned_revenue'),
  returnedPayout: amount('returned_payout'),
  returnedMargin: amount('returned_margin'),
  epl: ((sum) => sql`coalesce(${sum('revenue')} / nullif(${sum('attempts')}, 0), 0)::numeric(19, 4)`) satisfies Formula,
};
const LEAD_SQL: Formulas<LeadMeasures> = { ...SHARED, open: count('open') };

type StoredAttemptMeasures = Omit<AttemptMeasures, 'p50Ms' | 'p75Ms' | 'p90Ms' | 'followP50Ms' | 'followP90Ms'>;
const ATTEMPT_SQL: Formulas<StoredAttemptMeasures> = {
  ...SHARED,
  ...{ wins: count('wins'), links: count('links'), followed: count('followed') },
};

/** Told by time as well, where a unit is given. */
export interface Time {
  unit: ReportUnit;
  zone: string;
  /** Times to answer as well. */
  hasTimes?: boolean;
}

export const readLeadFigures = (look: Look, asked: Asked, by: LeadDimension[], time?: Time): Promise<FiguresBy<LeadMeasures>> =>
  readBy<LeadMeasures>(look, 'lead_tally', LEAD_SQL, asked, by, time);

const noLatency: Latency = { p50Ms: null, p75Ms: null, p90Ms: null, followP50Ms: null, followP90Ms: null };

export async function readAttemptFigures(
  look: Look,
  asked: Asked,
  by: AttemptDimension[],
  time?: Time,
): Promise<FiguresBy<AttemptMeasures>> {
  const { span, before, filters } = asked;
  const figures = await readBy<StoredAttemptMeasures>(look, 'attempt_tally', ATTEMPT_SQL, asked, by, time);
  const timed = time?.hasTimes ? time : undefined;
  const latencies = await readLatencies(look, span, filters, by, timed);
  const past = before && (await readLatencies(look, before, filters, by, timed));
  const told = ({ total, series }: Told<StoredAttemptMeasures>, of: typeof latencies): Told<AttemptMeasures> => ({
    total: { ...total, ...(of?.total ?? noLatency) },
    series: new Map([...series].map(([at, now]) => [at, { ...now, ...(of?.series.get(at) ?? noLatency) }])),
  });
  const row = ({ now, before: then }: FiguresRow<StoredAttemptMeasures>, name?: string): FiguresRow<AttemptMeasures> => ({
    now: { ...now, ...(latencies?.rows.get(name ?? '') ?? noLatency) },
    ...(then && { before: { ...then, ...(past?.rows.get(name ?? '') ?? noLatency) } }),
  });
  return {
    ...told(figures, latencies),
    rows: figures.rows.map(({ keys, ...of }) => ({ keys, ...row(of, nameOf(keys)) })),
    rest: figures.rest && { rows: figures.rest.rows, ...row(figures.rest) },
    before: figures.before && told(figures.before, past),
  };
}

/**
 * In two steps: first the sums of each key and hour, which are few; then the figures of all of it by key, by time and in all. The
 * figures are many, and each would be added up for every kept row otherwise.
 */
async function readBy<Measures>(
  look: Look,
  table: FactTable,
  formulas: Formulas<Measures>,
  { span, before, filters, most = MOST_FILE_ROWS, sort }: Asked,
  by: Dimension[],
  time: Time | undefined,
): Promise<FiguresBy<Measures>> {
  const factsOf = (of: Span) =>
    look.facts({
      ...{ table, span: of, filters, isHourly: time?.unit === 'hour' },
      keys: [...by.map((one) => COLUMN[one]), ...columnsOf(filters)],
    });
  const source = sql`select false as is_before, n.* from (${factsOf(span)}) as n${before ? sql` union all select true, b.* from (${factsOf(before)}) as b` : sql``}`;
  const keys = by.map((_, at) => sql.ref(`key${at}`));
  const named = by.map((one, at) => sql`${keyOf(one, look.scope)} as ${sql.ref(`key${at}`)}`);
  const sums = FACT_COLUMNS[table].sums.map((name) => sql.raw(`sum(${name}) as ${name}`));
  const inner = [...named, sql`is_before`, ...(time ? [sql`hour_id`] : [])];
  const columns = sql.raw(inner.map((_, at) => at + 1).join(', '));
  const isCut = by.includes('subId');
  const others = ['is_before', ...(time ? ['hour_id'] : []), ...FACT_COLUMNS[table].sums];
  const told = isCut ? cut(keys, others, most, formulas, orderOf(sort, Object.keys(formulas), before !== undefined)) : sql`c`;
  const places = isCut ? [...keys, sql`is_rest`] : keys;
  const sets = [
    ...(by.length > 0 ? [sql`(${sql.join(places)}, is_before)`] : []),
    ...(time ? [sql`(at, is_before)`] : []),
    sql`(is_before)`,
  ];
  const found = await sql<Record<string, string | number | null> & { at?: Date; is_before: boolean }>`
    with c as materialized (select ${sql.join([...inner, ...sums])} from (${source}) as f where ${matching(filters)} group by ${columns})${hoursOf(time)}
    select ${sql.join([
      sql`is_before`,
      ...keys.map((key, at) => sql`${key}::text as ${sql.ref(`name${at}`)}`),
      ...(by.length > 0 ? [sql`grouping(${keys[0]}) = 0 as is_row`] : []),
      ...(time ? [sql`at`, sql`grouping(at) = 0 as is_point`] : []),
      ...(isCut ? [sql`is_rest`, sql`max(place)::int8 as row_count`] : []),
      ...selected(formulas),
    ])}
    from ${told} ${time ? sql`join u using (hour_id)` : sql``}
    group by grouping sets (${sql.join(sets)})`.execute(look.db);
  const view = (row: (typeof found.rows)[number] | undefined) => viewMeasures<Measures>(formulas, row);
  const of = (isBefore: boolean) => found.rows.filter((row) => row.is_before === isBefore);
  const toldOf = (rows: typeof found.rows): Told<Measures> => ({
    total: view(rows.find((row) => !row.is_row && !row.is_point)),
    series: new Map(rows.filter((row) => row.is_point).map((row) => [row.at!.getTime(), view(row)])),
  });
  const keysOf = (row: (typeof found.rows)[number]) => by.map((_, at) => String(row[`name${at}`] ?? ''));
  const rowsOf = (rows: typeof found.rows) =>
    new Map(rows.filter((row) => row.is_row).map((row) => [row.is_rest ? REST : nameOf(keysOf(row)), row]));
  const [now, past] = [rowsOf(of(false)), rowsOf(of(true))];
  const rowOf = (name: string): FiguresRow<Measures> => ({ now: view(now.get(name)), ...(before && { before: view(past.get(name)) }) });
  const names = [...new Set([...now.keys(), ...past.keys()])];
  const rowCount = Math.max(0, ...found.rows.filter((row) => !row.is_row && !row.is_point).map((row) => Number(row.row_count ?? 0)));
  return {
    ...toldOf(of(false)),
    rows: names.filter((name) => name !== REST).map((name) => ({ keys: keysOf((now.get(name) ?? past.get(name))!), ...rowOf(name) })),
    rest: names.includes(REST) ? { rows: rowCount - most, ...rowOf(REST) } : undefined,
    before: before && toldOf(of(true)),
  };
}

/** In place of the name of a row. */
const REST = '';

/** The units of time in which the hours of `c` lie, as `u`. */
const hoursOf = (time: Time | undefined) =>
  time
    ? sql`, u as materialized (select hour_id, ${startOf(time.unit, time.zone)} as at from (select distinct hour_id from c) as h)`
    : sql``;

/** What is told, with every key that is not among the first `most` as one: `is_rest`. `place` counts the keys. */
function cut<Measures>(
  keys: RawBuilder<unknown>[],
  others: string[],
  most: number,
  formulas: Formulas<Measures>,
  order: RowOrder | undefined,
): RawBuilder<unknown> {
  const [by, rest] = [sql.join(keys), sql.join(others.map((name) => sql.ref(name)))];
  const shown = keys.map((key) => sql`case when place <= ${most} then ${key} end as ${key}`);
  const measure = (name: string, isBefore: boolean) =>
    formulas[name as keyof Measures]((column) => sql.raw(`of_key_${column}_${isBefore ? 'before' : 'now'}`));
  const sums = (order ? others.filter((name) => name !== 'is_before' && name !== 'hour_id') : ['attempts']).flatMap((name) =>
    (['now', 'before'] as const).map(
      (of) =>
        sql`coalesce(sum(${sql.ref(name)}) filter (where ${sql.raw(of === 'before' ? '' : 'not ')}is_before) over (partition by ${by}), 0) as ${sql.ref(`of_key_${name}_${of}`)}`,
    ),
  );
  const places = sql.join([...(order ? [orderSql(order, measure)] : []), sql`of_key_attempts_now desc`, by]);
  return sql`(select ${sql.join(shown)}, ${rest}, place, place > ${most} as is_rest from (
      select *, dense_rank() over (order by ${places}) as place from (select *, ${sql.join(sums)} from c) as k
    ) as r) as told`;
}

/** All three zones are whole hours from UTC: an hour of theirs is an hour of ours. Weeks begin on Monday. */
export const startOf = (unit: ReportUnit, zone: string): RawBuilder<unknown> =>
  unit === 'hour' ? sql`uuid7_instant(hour_id)` : sql`date_trunc(${sql.lit(unit)}, uuid7_instant(hour_id), ${sql.lit(zone)})`;

/** What some filters narrow. */
export const columnsOf = (filters: ReportFilters): string[] => Object.keys(filters).filter((column) => filters[column] !== undefined);

const TEXTS = ['sub_id', 'state', 'reason'];
export const matching = (filters: ReportFilters): RawBuilder<unknown> =>
  Object.entries(filters).reduce(
    (all, [column, value]) =>
      value === undefined ? all : sql`${all} and ${sql.ref(column)} = ${TEXTS.includes(column) ? sql`${value}` : sql`${value}::uuid`}`,
    sql`true`,
  );

const selected = <Measures>(formulas: Formulas<Measures>) =>
  Object.entries<Formula>(formulas).map(([name, formula]) => sql`${formula((column) => sql`sum(${sql.ref(column)})`)} as ${sql.ref(name)}`);

/** Nothing of anything where there is no row. */
function viewMeasures<Measures>(
  formulas: Formulas<Measures>,
  row: Record<string, string | number | null | Date | boolean> | undefined,
): Measures {
  const isMoney = (name: string) => (MONEY as readonly string[]).includes(name);
  return Object.fromEntries(
    Object.keys(formulas).map((name) => [name, isMoney(name) ? money(String(row?.[name] ?? '0.0000')) : Number(row?.[name] ?? 0)]),
  ) as Measures;
}

const nameOf = (keys: string[]): string => JSON.stringify(keys);

/** Undefined where times are not told apart by what is asked: by who sent a lead and whom it was sent to at once. */
async function readLatencies(look: Look, span: Span, filters: ReportFilters, by: AttemptDimension[], time: Time | undefined) {
  const asked = [...by.map((one) => COLUMN[one]), ...columnsOf(filters)];
  if (!CUBES.latency_tally.some((cube) => tells(cube, asked))) return undefined;
  const source = look.facts({
    ...{ table: 'latency_tally', span, filters, isHourly: time?.unit === 'hour' },
    ...{ keys: [...asked, 'leg', 'bucket'], sums: ['calls'] },
  });
  const keys = by.map((_, at) => sql.ref(`key${at}`));
  const named = by.map((one, at) => sql`${keyOf(one, look.scope)} as ${keys[at]}`);
  const inner = [...named, sql`leg = 'redirect' as is_follow`, sql`bucket`, ...(time ? [sql`hour_id`] : [])];
  const sets = [
    ...(keys.length > 0 ? [sql`(${sql.join([...keys, sql`is_follow`, sql`bucket`])})`] : []),
    ...(time ? [sql`(at, is_follow, bucket)`] : []),
    sql`(is_follow, bucket)`,
  ];
  const { rows } = await sql<Record<string, string> & BucketRow & { is_row?: boolean; at?: Date; is_point?: boolean }>`
    with c as materialized (select ${sql.join([...inner, sql`sum(calls) as calls`])} from (${source}) as f
      where ${matching(filters)} and bucket <> ${sql.lit(TIME_UNKNOWN)} group by ${sql.raw(inner.map((_, at) => at + 1).join(', '))})${hoursOf(time)}
    select ${sql.join([
      ...keys.map((key) => sql`${key}::text as ${key}`),
      ...(keys.length > 0 ? [sql`grouping(${keys[0]}) = 0 as is_row`] : []),
      ...(time ? [sql`at`, sql`grouping(at) = 0 as is_point`] : []),
      ...[sql`is_follow`, sql`bucket`, sql`sum(calls)::int8 as calls`],
    ])}
    from c ${time ? sql`join u using (hour_id)` : sql``} group by grouping sets (${sql.join(sets)})`.execute(look.db);
  const told = <Of>(of: typeof rows, nameIt: (row: (typeof rows)[number]) => Of) =>
    new Map([...Map.groupBy(of, nameIt)].map(([name, buckets]) => [name, latencyOf(buckets)]));
  return {
    rows: told(
      rows.filter((row) => row.is_row),
      (row) => nameOf(by.map((_, at) => String(row[`key${at}`] ?? ''))),
    ),
    series: told(
      rows.filter((row) => row.is_point),
      (row) => row.at!.getTime(),
    ),
    total: latencyOf(rows.filter((row) => !row.is_row && !row.is_point)),
  };
}

interface BucketRow {
  is_follow: boolean;
  bucket: number;
  calls: number;
}

type Latency = Pick<AttemptMeasures, 'p50Ms' | 'p75Ms' | 'p90Ms' | 'followP50Ms' | 'followP90Ms'>;

function latencyOf(rows: BucketRow[]): Latency {
  const buckets = (isFollow: boolean): Buckets =>
    new Map(rows.filter((row) => row.is_follow === isFollow).map((row) => [row.bucket, row.calls]));
  const [calls, follows] = [buckets(false), buckets(true)];
  return {
    ...{ p50Ms: percentile(calls, 0.5), p75Ms: percentile(calls, 0.75), p90Ms: percentile(calls, 0.9) },
    ...{ followP50Ms: percentile(follows, 0.5), followP90Ms: percentile(follows, 0.9) },
  };
}
