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
 * In two steps: first the sums of each key, and of each hour, which are few; then the figures of all of it by key, by time and in all. The
 * figures are many, and each would be added up for every kept row otherwise. Keys and hours stand beside each other: told apart together they
 * would be as many as what is kept; by themselves keys are read by the week, and hours from a cube that knows no key.
 */
async function readBy<Measures>(
  look: Look,
  table: FactTable,
  formulas: Formulas<Measures>,
  { span, before, filters, most = MOST_FILE_ROWS, sort }: Asked,
  by: Dimension[],
  time: Time | undefined,
): Promise<FiguresBy<Measures>> {
  const isCut = by.includes('subId');
  const narrowed = columnsOf(filters);
  const both = { table, filters, keys: [...by.map((one) => COLUMN[one]), ...narrowed] };
  const spans = [
    { span, rowsAs: 'rows_now', isBefore: false },
    ...(before ? [{ span: before, rowsAs: 'rows_before', isBefore: true }] : []),
  ];
  const rows = spans.flatMap((one) => {
    const read = look.rows({ ...both, span: one.span });
    return read ? [sql`${sql.ref(one.rowsAs)} as materialized (${read})`] : [];
  });
  const sourceOf = (asked: { keys: string[]; isHourly?: boolean; isTimeless?: boolean }) =>
    sql.join(
      spans.map(
        ({ isBefore, ...one }) =>
          sql`select ${sql.lit(isBefore)} as is_before, s.* from (${look.facts({ ...both, ...one, ...asked })}) as s`,
      ),
      sql` union all `,
    );
  const sums = sql.join(FACT_COLUMNS[table].sums.map((name) => sql.raw(`sum(${name}) as ${name}`)));
  const keys = by.map((_, at) => sql.ref(`key${at}`));
  const named = by.map((one, at) => sql`${keyOf(one, look.scope)} as ${keys[at]}`);
  const hour = time ? [sql`hour_id`] : [];
  const byKey = sql`k as materialized (select ${sql.join([...named, sql`is_before`, sums])} from (${sourceOf({ keys: both.keys, isTimeless: true })}) as f
    where ${matching(filters)} group by ${sql.raw([...by, 'is_before'].map((_, at) => at + 1).join(', '))} having ${isAny(FACT_COLUMNS[table].sums)})`;
  const byHour = sql`h as materialized (select ${sql.join([...hour, sql`is_before`, sums])} from (${sourceOf({ keys: narrowed, isHourly: time?.unit === 'hour', isTimeless: !time })}) as f
    where ${matching(filters)} group by ${sql.join([...hour, sql`is_before`])})`;
  const others = ['is_before', ...FACT_COLUMNS[table].sums];
  const told = isCut ? cut(keys, others, most, formulas, orderOf(sort, Object.keys(formulas), before !== undefined)) : sql`k`;
  const figures = sql.join(selected(formulas));
  const nameless = keys.map(() => sql`null::text`);
  const found = await sql<Record<string, string | number | null> & { at?: Date; is_before: boolean }>`
    with ${sql.join([...rows, ...(by.length > 0 ? [byKey] : []), ...(time || by.length === 0 ? [byHour] : []), ...hoursOf(time)])}
    select 'all' as kind, is_before, ${sql.join([...keys.map((key, at) => sql`${nameless[at]} as ${key}`), sql`null::timestamptz as at`])}, false as is_rest, 0 as row_count, ${figures}
      from ${sql.raw(time || by.length === 0 ? 'h' : 'k')} group by is_before
    ${time ? sql`union all select 'point', is_before, ${sql.join([...nameless, sql`at`])}, false, 0, ${figures} from h join u using (hour_id) group by at, is_before` : sql``}
    ${
      by.length > 0
        ? sql`union all select 'row', is_before, ${sql.join([...keys.map((key) => sql`${key}::text`), sql`null`])}, ${isCut ? sql`is_rest, max(place)::int` : sql`false, 0`}, ${figures}
            from ${told} group by ${sql.join([...keys, ...(isCut ? [sql`is_rest`] : []), sql`is_before`])}`
        : sql``
    }`.execute(look.db);
  const view = (row: (typeof found.rows)[number] | undefined) => viewMeasures<Measures>(formulas, row);
  const of = (kind: 'all' | 'point' | 'row', isBefore: boolean) =>
    found.rows.filter((row) => row.kind === kind && row.is_before === isBefore);
  const toldOf = (isBefore: boolean): Told<Measures> => ({
    total: view(of('all', isBefore)[0]),
    series: new Map(of('point', isBefore).map((row) => [row.at!.getTime(), view(row)])),
  });
  const keysOf = (row: (typeof found.rows)[number]) => by.map((_, at) => String(row[`key${at}`] ?? ''));
  const rowsOf = (isBefore: boolean) => new Map(of('row', isBefore).map((row) => [row.is_rest ? REST : nameOf(keysOf(row)), row]));
  const [now, past] = [rowsOf(false), rowsOf(true)];
  const rowOf = (name: string): FiguresRow<Measures> => ({ now: view(now.get(name)), ...(before && { before: view(past.get(name)) }) });
  const names = [...new Set([...now.keys(), ...past.keys()])];
  const rowCount = Math.max(0, ...found.rows.map((row) => Number(row.row_count)));
  return {
    ...toldOf(false),
    rows: names.filter((name) => name !== REST).map((name) => ({ keys: keysOf((now.get(name) ?? past.get(name))!), ...rowOf(name) })),
    rest: names.includes(REST) ? { rows: rowCount - most, ...rowOf(REST) } : undefined,
    before: before && toldOf(true),
  };
}

/** In place of the name of a row. */
const REST = '';

/** The units of time in which the hours of `h` lie, as `u`. */
const hoursOf = (time: Time | undefined) =>
  time ? [sql`u as materialized (select hour_id, ${startOf(time.unit, time.zone)} as at from (select distinct hour_id from h) as d)`] : [];

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
  const sums = (order ? others.filter((name) => name !== 'is_before') : ['attempts']).flatMap((name) =>
    (['now', 'before'] as const).map(
      (of) =>
        sql`coalesce(sum(${sql.ref(name)}) filter (where ${sql.raw(of === 'before' ? '' : 'not ')}is_before) over (partition by ${by}), 0) as ${sql.ref(`of_key_${name}_${of}`)}`,
    ),
  );
  const places = sql.join([...(order ? [orderSql(order, measure)] : []), sql`of_key_attempts_now desc`, by]);
  return sql`(select ${sql.join(shown)}, ${rest}, place, place > ${most} as is_rest from (
      select *, dense_rank() over (order by ${places}) as place from (select *, ${sql.join(sums)} from k) as s
    ) as r) as told`;
}

/** All three zones are whole hours from UTC: an hour of theirs is an hour of ours. Weeks begin on Monday. */
export const startOf = (unit: ReportUnit, zone: string): RawBuilder<unknown> =>
  unit === 'hour' ? sql`uuid7_instant(hour_id)` : sql`date_trunc(${sql.lit(unit)}, uuid7_instant(hour_id), ${sql.lit(zone)})`;

/** Something is there: in what is told by no time rows may add up to nothing. */
export const isAny = (sums: readonly string[]): RawBuilder<unknown> => sql.raw(`(${sums.map((name) => `sum(${name}) <> 0`).join(' or ')})`);

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

interface Latencies {
  rows: Map<string, Latency>;
  series: Map<number, Latency>;
  total: Latency;
}

/** Rows have none where times are not told apart by what is asked: by who sent a lead and whom it was sent to at once. Undefined where it is narrowed like that. */
async function readLatencies(
  look: Look,
  span: Span,
  filters: ReportFilters,
  by: AttemptDimension[],
  time: Time | undefined,
): Promise<Latencies | undefined> {
  const asked = [...by.map((one) => COLUMN[one]), ...columnsOf(filters)];
  if (!CUBES.latency_tally.some((cube) => tells(cube, asked)))
    return by.length > 0 ? readLatencies(look, span, filters, [], time) : undefined;
  const both = { table: 'latency_tally', span, filters, rowsAs: 'read', sums: ['calls'] } as const;
  const rows = look.rows({ ...both, keys: [...asked, 'leg', 'bucket'] });
  const byKey = look.facts({ ...both, keys: [...asked, 'leg', 'bucket'], isTimeless: true });
  const byHour = look.facts({
    ...{ ...both, keys: [...columnsOf(filters), 'leg', 'bucket'] },
    ...{ isHourly: time?.unit === 'hour', isTimeless: time === undefined },
  });
  const keys = by.map((_, at) => sql.ref(`key${at}`));
  const named = by.map((one, at) => sql`${keyOf(one, look.scope)} as ${keys[at]}`);
  const summed = (source: RawBuilder<unknown>, told: RawBuilder<unknown>[]) => {
    const columns = [...told, sql`leg = 'redirect' as is_follow`, sql`bucket`];
    return sql`(select ${sql.join([...columns, sql`sum(calls) as calls`])} from (${source}) as f
      where ${matching(filters)} and bucket <> ${sql.lit(TIME_UNKNOWN)} group by ${sql.raw(columns.map((_, at) => at + 1).join(', '))} having ${isAny(['calls'])})`;
  };
  const nameless = keys.map(() => sql`null::text`);
  const buckets = sql`is_follow, bucket, sum(calls)::int8 as calls`;
  const found = await sql<Record<string, string> & BucketRow & { kind: 'all' | 'point' | 'row'; at?: Date }>`
    with ${sql.join([
      ...(rows ? [sql`read as materialized (${rows})`] : []),
      sql`h as materialized ${summed(byHour, time ? [sql`hour_id`] : [])}`,
      ...hoursOf(time),
    ])}
    select 'all' as kind, ${sql.join([...keys.map((key, at) => sql`${nameless[at]} as ${key}`), sql`null::timestamptz as at`])}, ${buckets} from h group by is_follow, bucket
    ${time ? sql`union all select 'point', ${sql.join([...nameless, sql`at`])}, ${buckets} from h join u using (hour_id) group by at, is_follow, bucket` : sql``}
    ${
      keys.length > 0
        ? sql`union all select 'row', ${sql.join([...keys.map((key) => sql`${key}::text`), sql`null`])}, is_follow, bucket, calls::int8 from ${summed(byKey, named)} as k`
        : sql``
    }`.execute(look.db);
  const of = (kind: 'all' | 'point' | 'row') => found.rows.filter((row) => row.kind === kind);
  const told = <Of>(rows: typeof found.rows, nameIt: (row: (typeof rows)[number]) => Of) =>
    new Map([...Map.groupBy(rows, nameIt)].map(([name, buckets]) => [name, latencyOf(buckets)]));
  return {
    rows: told(of('row'), (row) => nameOf(by.map((_, at) => String(row[`key${at}`] ?? '')))),
    series: told(of('point'), (row) => row.at!.getTime()),
    total: latencyOf(of('all')),
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
