/** One look at what is counted: kept hours and raw rows of the same moment, so that every answer is exact whatever the roller is doing. */
import { type RawBuilder, sql } from 'kysely';
import { HOUR_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import { type Cube, cubeFor, FACT_COLUMNS, type FactTable, WEEKLY } from './cubes.ts';
import { FOR_COUNTING, factsOf, isOneOf } from './facts.sql.ts';
import { type Counted, type CountedSlots, NO_SLOTS, type Span, type SplitSpan, splitSpan } from './split-span.ts';
import { type Grain, isSlotted, storedFacts } from './stored-facts.ts';
import { cutStretches, cutWeeks } from './stretches.ts';

export interface ReportScope {
  organizationId: string;
  verticalId: string;
  /** Verticals that are counted together, in place of that one. */
  verticals?: readonly { verticalId: string; regionId: string }[];
}

export const verticalIdsOf = ({ verticalId, verticals }: ReportScope): string[] =>
  verticals ? verticals.map((one) => one.verticalId) : [verticalId];

export interface AskedFacts {
  table: FactTable;
  span: Span;
  /** Columns that are told apart or narrowed. */
  keys: readonly string[];
  /** What is narrowed, by column: of rows that are not counted yet only those are read. Whoever asks narrows what is kept. */
  filters?: Partial<Record<string, string>>;
  /** All where they are left out; few are read in a simpler way. */
  sums?: readonly string[];
  /** Told by the hour: `hour_id` is every row's own hour then, else one of the same day in every zone. */
  isHourly?: boolean;
  /** Not told by time at all: `hour_id` is any, and rows may be less than nothing, or add up to it: a week from which something is taken away that lies beside the span. */
  isTimeless?: boolean;
  /** What `rows` gives of it, or of more keys, stands in the statement by this name. */
  rowsAs?: string;
}

export interface Look {
  db: Db;
  scope: ReportScope;
  /** Hour, the asked keys and sums of a span, as something to select from. Throws an HttpError where such keys are not counted together. */
  facts(asked: AskedFacts): RawBuilder<unknown>;
  /** The part of it that is not kept yet; undefined where all is. It costs as much as all else: whoever asks for a span in two ways reads it once. */
  rows(asked: AskedFacts): RawBuilder<unknown> | undefined;
}

/** Where so few spans are kept apart from each other, the planner is shown each. */
const SHOWN_RANGES = 40;

/** Everything that `use` reads is of one snapshot. `db` must be the tenant's. */
export function lookAtFacts<T>(db: Db, scope: ReportScope, use: (look: Look) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      await FOR_COUNTING.execute(tx);
      const state = await findState(tx, scope);
      return use({
        ...{ db: tx, scope },
        facts: (asked) => sourceOf(asked, scope, splitOf(state, asked), state.weeks),
        rows: (asked) => rowsOf(asked, scope, splitOf(state, asked)),
      });
    });
}

interface RollState extends Counted {
  /** The hour of the first lead or visit; undefined where there is none. */
  firstHour: number | undefined;
  /** When those begin that are kept. */
  weeks: Set<number>;
}

async function findState(tx: Db, { organizationId }: ReportScope): Promise<RollState> {
  const first = await tx
    .selectFrom('lead')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const visit = await tx
    .selectFrom('page_hour')
    .select('hour_at')
    .where('organization_id', '=', organizationId)
    .orderBy('hour_at')
    .limit(1)
    .executeTakeFirst();
  const progress = await tx
    .selectFrom('report_progress')
    .select('rolled_before')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const marks = await tx.selectFrom('report_mark').select('hour_id').distinct().where('organization_id', '=', organizationId).execute();
  const slots = await tx
    .selectFrom('report_slot_progress')
    .select(['from_id', 'before_id'])
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const slotMarks = await tx
    .selectFrom('report_slot_mark')
    .select('slot_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .execute();
  const weeks = await tx
    .selectFrom('report_week')
    .select('week_id')
    .where('organization_id', '=', organizationId)
    .where('is_kept', '=', true)
    .execute();
  const begun = [...(first ? [Math.floor(idInstant(first.id) / HOUR_MS) * HOUR_MS] : []), ...(visit ? [visit.hour_at.getTime()] : [])];
  return {
    firstHour: begun.length > 0 ? Math.min(...begun) : undefined,
    rolledBefore: progress ? idInstant(progress.rolled_before) : 0,
    marked: new Set(marks.map(({ hour_id }) => idInstant(hour_id))),
    slots: slotsOf(
      slots,
      slotMarks.map(({ slot_id }) => slot_id),
    ),
    weeks: new Set(weeks.map(({ week_id }) => idInstant(week_id))),
  };
}

/** As it is stored. */
export const slotsOf = (slots: { from_id: string; before_id: string } | undefined, markedIds: string[]): CountedSlots =>
  slots ? { from: idInstant(slots.from_id), to: idInstant(slots.before_id), marked: new Set(markedIds.map(idInstant)) } : NO_SLOTS;

/** Hours of before there was anything are not looked at one by one. */
const splitOf = ({ firstHour, ...counted }: RollState, { table, span: { from, to } }: AskedFacts): SplitSpan =>
  firstHour === undefined
    ? { kept: [], slots: [], raw: [] }
    : splitSpan({ from: Math.max(from, firstHour), to }, isSlotted(table) ? counted : { ...counted, slots: NO_SLOTS });

const columnsOf = ({ table, keys, sums = FACT_COLUMNS[table].sums }: AskedFacts) =>
  sql.raw(['hour_id', ...new Set(keys), ...sums].join(', '));

function rowsOf(asked: AskedFacts, scope: ReportScope, { raw }: Pick<SplitSpan, 'raw'>): RawBuilder<unknown> | undefined {
  if (raw.length === 0) return undefined;
  const { table, filters = {} } = asked;
  const wanted = { keys: [...new Set(asked.keys)], filters, isOfSales: isOfSales(asked), isOfCalls: isOfCalls(asked) };
  return sql`select ${columnsOf(asked)} from (${factsOf(table, scope.organizationId, raw, { verticalIds: verticalIdsOf(scope), ...wanted })}) as r`;
}

function sourceOf(
  asked: AskedFacts,
  scope: ReportScope,
  { kept, slots, raw }: SplitSpan,
  keptWeeks: ReadonlySet<number>,
): RawBuilder<unknown> {
  const { organizationId } = scope;
  const verticalIds = verticalIdsOf(scope);
  const { table, isHourly, isTimeless, rowsAs, sums = FACT_COLUMNS[table].sums } = asked;
  const cube = cubeFor(table, asked.keys);
  const columns = columnsOf(asked);
  const taken = sql.raw(['hour_id', ...new Set(asked.keys), ...sums.map((name) => `-${name} as ${name}`)].join(', '));
  const keptRows = (grain: Grain, spans: Span[], isTaken = false) =>
    sql`select ${grain === 'slot' ? sql`uuid7_hour(hour_id) as ${columns}` : isTaken ? taken : columns} from ${storedFacts(table, grain, sums)} as k
      where organization_id = ${organizationId} and ${isOneOf('vertical_id', verticalIds)} and ${isOf(grain, cube)} and ${isWithin(spans)}`;
  const cuts = isHourly ? [{ stretches: undefined, hours: kept }] : kept.map(cutStretches);
  const whole = cuts.flatMap(({ stretches }) => stretches ?? []);
  const byWeek =
    isTimeless && WEEKLY.includes(table) ? whole.map((span) => cutWeeks(span, keptWeeks)) : [{ weeks: [], minus: [], stretches: whole }];
  const weeks = byWeek.flatMap((cut) => cut.weeks);
  const minus = byWeek.flatMap((cut) => cut.minus);
  const days = byWeek.flatMap((cut) => cut.stretches);
  const hours = cuts.flatMap((cut) => cut.hours);
  const parts = [
    ...(weeks.length > 0 ? [keptRows('week', weeks)] : []),
    ...(minus.length > 0 ? [keptRows('day', minus, true)] : []),
    ...(days.length > 0 ? [keptRows('day', days)] : []),
    ...(slots.length > 0 ? [keptRows('slot', slots)] : []),
    ...(hours.length > 0 || weeks.length + days.length + slots.length + raw.length === 0 ? [keptRows('hour', hours)] : []),
    ...(raw.length > 0 ? [rowsAs ? sql`select ${columns} from ${sql.ref(rowsAs)}` : rowsOf(asked, scope, { raw })!] : []),
  ];
  return sql.join(parts, sql` union all `);
}

/** What sales alone tell of attempts. */
const OF_SALES = [
  'wins',
  'sales',
  'revenue',
  'payout',
  'margin',
  'returned',
  'returned_revenue',
  'returned_payout',
  'returned_margin',
  'links',
  'followed',
];
const NOT_OF_SALES = ['group_id', 'filter_key'];

const isOfSales = ({ table, keys, sums }: AskedFacts): boolean =>
  table === 'attempt_tally' &&
  sums !== undefined &&
  sums.every((sum) => OF_SALES.includes(sum)) &&
  !keys.some((key) => NOT_OF_SALES.includes(key));

const OF_CALLS = ['calls', 'timeouts', 'terrors'];
const isOfCalls = ({ table, sums }: AskedFacts): boolean =>
  table === 'latency_tally' && sums !== undefined && sums.every((sum) => OF_CALLS.includes(sum));

const isOf = (grain: Grain, { name }: Cube) => sql`grain = ${sql.lit(grain)} and cube = ${sql.lit(name)}`;

function isWithin(spans: Span[]): RawBuilder<unknown> {
  if (spans.length === 0) return sql`false`;
  const ends = (of: keyof Span) => sql`${spans.map((span) => idFloor(span[of]))}::uuid[]`;
  if (spans.length > SHOWN_RANGES)
    return sql`hour_id >= ${idFloor(Math.min(...spans.map(({ from }) => from)))}::uuid and hour_id < ${idFloor(Math.max(...spans.map(({ to }) => to)))}::uuid
      and exists (select from unnest(${ends('from')}, ${ends('to')}) as k (a, b) where hour_id >= k.a and hour_id < k.b)`;
  const ranges = spans.map(({ from, to }) => sql`(hour_id >= ${idFloor(from)}::uuid and hour_id < ${idFloor(to)}::uuid)`);
  return sql`(${sql.join(ranges, sql` or `)})`;
}
