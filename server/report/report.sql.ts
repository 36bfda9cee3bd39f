/** Figures of leads and of buyer tiers tried: by dimension, and by time. */
import { type RawBuilder, sql } from 'kysely';
import type { AttemptDimension, AttemptMeasures, LeadDimension, LeadMeasures, ReportUnit } from '#contract/report.ts';
import { MOST_FILE_ROWS } from '#contract/report-limits.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { CUBES, FACT_COLUMNS, type FactTable, TIME_UNKNOWN, tells, VERTICAL_KEY } from './cubes.ts';
import { type Buckets, percentile } from './percentile.ts';
import type { Look, ReportScope } from './read-facts.sql.ts';
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

export interface FiguresBy<Measures> {
  /** Every combination of the dimensions that occurs; what a column does not tell is ''. */
  rows: { keys: string[]; now: Measures }[];
  /** Those that are not among the rows, as many as were asked for being there: how many, and all of them together. */
  rest: { rows: number; now: Measures } | undefined;
  total: Measures;
  /** By the instant at which a unit begins, in milliseconds; units without anything are missing, and all where none was asked for. */
  series: Map<number, Measures>;
}

interface Asked {
  span: Span;
  filters: ReportFilters;
  /** Sub ids are as many as publishers like, and only so many are read, those of the most attempts; as a file has where it is left out. Of other dimensions all are read. */
  most?: number | undefined;
}

const count = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::int8`;
const amount = (column: string) => sql`coalesce(sum(${sql.ref(column)}), 0)::numeric(19, 4)`;
const MONEY = ['revenue', 'payout', 'margin', 'epl', 'returnedRevenue', 'returnedPayout', 'returnedMargin'] as const;

/** What leads and tiers tried have in common. */
const SHARED = {
  ...{ attempts: count('attempts'), sold: count('sold'), rejected: count('rejected'), terrors: count('terrors') },
  ...{ timeouts: count('timeouts'), filtered: count('filtered'), pings: count('pings'), bids: count('bids') },
  ...{ revenue: amount('revenue'), payout: amount('payout'), margin: amount('margin'), returned: count('returned') },
  returnedRevenue: amount('returned_revenue'),
  returnedPayout: amount('returned_payout'),
  returnedMargin: amount('returned_margin'),
  epl: sql`coalesce(sum(revenue) / nullif(sum(attempts), 0), 0)::numeric(19, 4)`,
};
const LEAD_SQL: Record<keyof LeadMeasures, RawBuilder<unknown>> = { ...SHARED, open: count('open') };

type StoredAttemptMeasures = Omit<AttemptMeasures, 'p50Ms' | 'p75Ms' | 'p90Ms' | 'followP50Ms' | 'followP90Ms'>;
const ATTEMPT_SQL: Record<keyof StoredAttemptMeasures, RawBuilder<unknown>> = {
  ...SHARED,
  ...{ wins: count('wins'), links: count('links'), followed: count('followed') },
};

/** Told by time as well, where a unit is given. */
interface Time {
  unit: ReportUnit;
  zone: string;
}

export const readLeadFigures = (look: Look, asked: Asked, by: LeadDimension[], time?: Time): Promise<FiguresBy<LeadMeasures>> =>
  readBy<LeadMeasures>(look, 'lead_tally', LEAD_SQL, asked, by, time);

const noLatency = { p50Ms: null, p75Ms: null, p90Ms: null, followP50Ms: null, followP90Ms: null };

export async function readAttemptFigures(
  look: Look,
  asked: Asked,
  by: AttemptDimension[],
  time?: Time,
): Promise<FiguresBy<AttemptMeasures>> {
  const figures = await readBy<StoredAttemptMeasures>(look, 'attempt_tally', ATTEMPT_SQL, asked, by, time);
  const latencies = await readLatencies(look, asked, by);
  const withLatency = (now: StoredAttemptMeasures, keys: string[] | null): AttemptMeasures => ({
    ...now,
    ...(latencies?.get(nameOf(keys)) ?? noLatency),
  });
  return {
    rows: figures.rows.map(({ keys, now }) => ({ keys, now: withLatency(now, keys) })),
    rest: figures.rest && { ...figures.rest, now: { ...figures.rest.now, ...noLatency } },
    total: withLatency(figures.total, null),
    series: new Map([...figures.series].map(([at, now]) => [at, { ...now, ...noLatency }])),
  };
}

/**
 * In two steps: first the sums of each key and hour, which are few; then the figures of all of it by key, by time and in all. The
 * figures are many, and each would be added up for every kept row otherwise.
 */
async function readBy<Measures>(
  look: Look,
  table: FactTable,
  measures: Record<keyof Measures, RawBuilder<unknown>>,
  { span, filters, most = MOST_FILE_ROWS }: Asked,
  by: Dimension[],
  time: Time | undefined,
): Promise<FiguresBy<Measures>> {
  const source = look.facts({
    ...{ table, span, filters, isHourly: time?.unit === 'hour' },
    keys: [...by.map((one) => COLUMN[one]), ...columnsOf(filters)],
  });
  const keys = by.map((_, at) => sql.ref(`key${at}`));
  const named = by.map((one, at) => sql`${keyOf(one, look.scope)} as ${sql.ref(`key${at}`)}`);
  const sums = FACT_COLUMNS[table].sums.map((name) => sql.raw(`sum(${name}) as ${name}`));
  const inner = [...named, ...(time ? [sql`hour_id`] : [])];
  const columns = sql.raw(inner.length === 0 ? '()' : inner.map((_, at) => at + 1).join(', '));
  const hours = time
    ? sql`, u as materialized (select hour_id, ${startOf(time.unit, time.zone)} as at from (select distinct hour_id from c) as h)`
    : sql``;
  const isCut = by.includes('subId');
  const told = isCut ? cut(keys, [...(time ? ['hour_id'] : []), ...FACT_COLUMNS[table].sums], most) : sql`c`;
  const places = isCut ? [...keys, sql`is_rest`] : keys;
  const sets = [...(by.length > 0 ? [sql`(${sql.join(places)})`] : []), ...(time ? [sql`(at)`] : []), sql`()`];
  const found = await sql<Record<string, string | number | null> & { at?: Date }>`
    with c as materialized (select ${sql.join([...inner, ...sums])} from (${source}) as f where ${matching(filters)} group by ${columns})${hours}
    select ${sql.join([
      ...keys.map((key, at) => sql`${key}::text as ${sql.ref(`name${at}`)}`),
      ...(by.length > 0 ? [sql`grouping(${keys[0]}) = 0 as is_row`] : []),
      ...(time ? [sql`at`, sql`grouping(at) = 0 as is_point`] : []),
      ...(isCut ? [sql`is_rest`, sql`max(place)::int8 as row_count`] : []),
      ...selected(measures),
    ])}
    from ${told} ${time ? sql`join u using (hour_id)` : sql``}
    group by grouping sets (${sql.join(sets)})`.execute(look.db);
  const view = (row: (typeof found.rows)[number]) => viewMeasures<Measures>(measures, row);
  const total = found.rows.find((row) => !row.is_row && !row.is_point)!;
  const rest = found.rows.find((row) => row.is_row && row.is_rest);
  return {
    rows: found.rows
      .filter((row) => row.is_row && !row.is_rest)
      .map((row) => ({ keys: by.map((_, at) => String(row[`name${at}`] ?? '')), now: view(row) })),
    rest: rest && { rows: Number(total.row_count) - most, now: view(rest) },
    total: view(total),
    series: new Map(found.rows.filter((row) => row.is_point).map((row) => [row.at!.getTime(), view(row)])),
  };
}

/** What is told, with every key that is not among the `most` of the most attempts as one: `is_rest`. `place` counts the keys. */
function cut(keys: RawBuilder<unknown>[], others: string[], most: number): RawBuilder<unknown> {
  const [by, rest] = [sql.join(keys), sql.join(others.map((name) => sql.ref(name)))];
  const shown = keys.map((key) => sql`case when place <= ${most} then ${key} end as ${key}`);
  return sql`(select ${sql.join(shown)}, ${rest}, place, place > ${most} as is_rest from (
      select *, dense_rank() over (order by of_key desc, ${by}) as place from (select *, sum(attempts) over (partition by ${by}) as of_key from c) as k
    ) as r) as told`;
}

/** All three zones are whole hours from UTC: an hour of theirs is an hour of ours. Weeks begin on Monday. */
export const startOf = (unit: ReportUnit, zone: string): RawBuilder<unknown> =>
  unit === 'hour' ? sql`uuid7_instant(hour_id)` : sql`date_trunc(${sql.lit(unit)}, uuid7_instant(hour_id), ${sql.lit(zone)})`;

/** What some filters narrow. */
export const columnsOf = (filters: ReportFilters): string[] => Object.keys(filters).filter((column) => filters[column] !== undefined);

const TEXTS = ['sub_id', 'state'];
export const matching = (filters: ReportFilters): RawBuilder<unknown> =>
  Object.entries(filters).reduce(
    (all, [column, value]) =>
      value === undefined ? all : sql`${all} and ${sql.ref(column)} = ${TEXTS.includes(column) ? sql`${value}` : sql`${value}::uuid`}`,
    sql`true`,
  );

const selected = (measures: Record<string, RawBuilder<unknown>>) =>
  Object.entries(measures).map(([name, expression]) => sql`${expression} as ${sql.ref(name)}`);

function viewMeasures<Measures>(measures: Record<keyof Measures, unknown>, row: Record<string, string | number | null>): Measures {
  const isMoney = (name: string) => (MONEY as readonly string[]).includes(name);
  return Object.fromEntries(
    Object.keys(measures).map((name) => [name, isMoney(name) ? money(row[name] as string) : Number(row[name])]),
  ) as Measures;
}

const nameOf = (keys: string[] | null): string => (keys === null ? 'all' : JSON.stringify(keys));

/** Undefined where times are not told apart by what is asked: by who sent a lead and whom it was sent to at once. */
async function readLatencies(look: Look, { span, filters }: Asked, by: AttemptDimension[]) {
  const asked = [...by.map((one) => COLUMN[one]), ...columnsOf(filters)];
  if (!CUBES.latency_tally.some((cube) => tells(cube, asked))) return undefined;
  const source = look.facts({ table: 'latency_tally', span, filters, keys: [...asked, 'leg', 'bucket'], sums: ['calls'] });
  const keys = by.map((_, at) => sql.ref(`key${at}`));
  const named = by.map((one, at) => sql`${keyOf(one, look.scope)} as ${keys[at]}`);
  const isTotal = keys.length > 0 ? sql`grouping(${keys[0]}) > 0` : sql`true`;
  const sets = [...(keys.length > 0 ? [sql`(${sql.join([...keys, sql`is_follow`, sql`bucket`])})`] : []), sql`(is_follow, bucket)`];
  const { rows } = await sql<Record<string, string | number> & { is_follow: boolean; bucket: number; calls: number; is_total: boolean }>`
    select ${sql.join([...keys.map((key) => sql`${key}::text as ${key}`), sql`is_follow`, sql`bucket`, sql`sum(calls)::int8 as calls`, sql`${isTotal} as is_total`])}
    from (select ${sql.join([...named, sql`leg = 'redirect' as is_follow`, sql`bucket`, sql`calls`])} from (${source}) as f where ${matching(filters)} and bucket <> ${sql.lit(TIME_UNKNOWN)}) as n
    group by grouping sets (${sql.join(sets)})`.execute(look.db);
  const groups = Map.groupBy(rows, (row) => nameOf(row.is_total ? null : by.map((_, at) => String(row[`key${at}`] ?? ''))));
  return new Map([...groups].map(([name, of]) => [name, latencyOf(of)]));
}

function latencyOf(
  rows: { is_follow: boolean; bucket: number; calls: number }[],
): typeof noLatency | Record<keyof typeof noLatency, number | null> {
  const buckets = (isFollow: boolean): Buckets =>
    new Map(rows.filter((row) => row.is_follow === isFollow).map((row) => [row.bucket, row.calls]));
  const [calls, follows] = [buckets(false), buckets(true)];
  return {
    ...{ p50Ms: percentile(calls, 0.5), p75Ms: percentile(calls, 0.75), p90Ms: percentile(calls, 0.9) },
    ...{ followP50Ms: percentile(follows, 0.5), followP90Ms: percentile(follows, 0.9) },
  };
}
