/**
 * Keeps of every hour that is over what reports count of it (decision 0024), and of the running one, where it has many leads, of every slot. One node at a time; killed at any
 * moment, nothing is counted wrong: an hour or slot is marked until the transaction that counts it commits, and what is marked is read from its rows.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Kysely, PostgresDialect, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '#db/types.ts';
import { HOUR_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import { CUBES, FACT_COLUMNS, type FactTable, WEEKLY } from './cubes.ts';
import { FOR_COUNTING, factsOf, type Piece } from './facts.sql.ts';
import { slotsOf } from './read-facts.sql.ts';
import { type CountedSlots, NO_SLOTS, SLOT_MS, type Span, type SplitSpan, splitHour } from './split-span.ts';
import { type Grain, insertFacts, isSlotted, SLOTTED, storedFacts, tableOf } from './stored-facts.ts';
import { stretchOf, weekOf } from './stretches.ts';

/** An hour is left alone until its last leads have ended; later ones cost a count more. */
const GRACE_MS = 120_000;
/** Where no lead or visit was seen yet, hours so long ago are counted anyway: a first one may be on its way. */
const FIRST_REACH_MS = 3 * HOUR_MS;
const EVERY_MS = 5_000;
/** After a run it rests so many times as long as that took, but no longer than this: where leads change all the while, counting must not take from taking them. */
const RESTS = 2;
const REST_AT_MOST_MS = 60_000;
/** Where another node is at it, this one need not be next. */
const REST_BESIDE_MS = 15_000;
/** How long transactions of before are waited for; what is still marked then is counted another time. */
const WAIT_AT_MOST_MS = 60_000;
/** Counted in one transaction, as many as take about so long: it must not hold a snapshot for ever, nor pay for each hour alone. */
const MOST_HOURS = 24;
const AIM_MS = 1_000;
/** How long nothing is counted in a week before it is summed up. */
const WEEK_REST_MS = 10 * 60_000;
/** Fewer leads than these are read from their rows in no time: the running hour is counted no further. */
const SLOT_LEADS = 200;
/** So many make every report slow: their slots are counted as soon as most leads have ended, and once more when the others have. */
const PEAK_LEADS = 5_000;
const PEAK_GRACE_MS = 5_000;
const SLOTS_AT_ONCE = 30;
const LOCK_WITHIN = '500ms';
const TABLES = Object.keys(FACT_COLUMNS) as FactTable[];

/** A table, and the column that says of which hour or slot a row is. */
interface Named {
  table: string;
  id: string;
}
const SLOT_MARKS: Named = { table: 'report_slot_mark', id: 'slot_id' };
const OF_SLOTS: Named[] = [...SLOTTED.map((table) => ({ table: tableOf(table, 'slot'), id: 'hour_id' })), SLOT_MARKS];

/** Called between the steps; what it throws ends the run there. For tests that kill a node. */
export type BetweenSteps = (step: 'advanced' | 'waited' | 'counted') => void | Promise<void>;

/** Whatever is left out is as it is in production. */
export interface Rolling {
  between?: BetweenSteps;
  /** Asked between the steps; true ends the run. */
  isClosing?: () => boolean;
  weekRestMs?: number;
  slotLeads?: number;
  peakLeads?: number;
}

/** How many hours were counted; undefined when another node is at it. */
export async function rollReports(pool: pg.Pool, now: number, { weekRestMs = WEEK_REST_MS, ...rolling }: Rolling = {}) {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    const lock = await client.query(`select pg_try_advisory_lock(hashtext('sluice reports')) as mine`);
    if (!lock.rows[0].mine) return undefined;
    const run = { ...AS_EVER, ...rolling, now };
    const hours = await rollOn(client, run);
    await keepWeeks(client, now, weekRestMs, run.isClosing);
    await client.query(`select pg_advisory_unlock(hashtext('sluice reports'))`);
    return hours;
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    // A connection that failed may still hold the lock: it is closed, not kept.
    client.release(failed);
  }
}

interface Run {
  now: number;
  between: BetweenSteps;
  isClosing: () => boolean;
  slotLeads: number;
  peakLeads: number;
}
const AS_EVER = { between: () => {}, isClosing: () => false, slotLeads: SLOT_LEADS, peakLeads: PEAK_LEADS };

async function rollOn(client: pg.PoolClient, run: Run): Promise<number> {
  const { now, between, isClosing } = run;
  await advance(client, Math.floor((now - GRACE_MS) / HOUR_MS) * HOUR_MS);
  const advanced = await advanceSlots(client, run);
  await between('advanced');
  if (!(await othersEnded(client, isClosing))) return 0;
  await between('waited');
  await rollSlots(client, run, advanced);
  const counted = await rollHours(client, run);
  await dropSlots(client);
  return counted;
}

/** What is marked while this goes on is left to the next run: where leads of an hour change all the while, this one would never end. */
async function rollHours(client: pg.PoolClient, { now, between, isClosing }: Run): Promise<number> {
  const began = await client.query<{ at: string }>('select clock_timestamp()::text as at');
  let counted = 0;
  let atOnce = 1;
  while (!isClosing()) {
    const marked = await client.query<{ organization_id: string; hour_ids: string[] }>(
      `with newest as (select organization_id, hour_id from report_mark where marked_at <= $1 order by hour_id desc limit 1)
      select n.organization_id, array(select distinct m.hour_id from report_mark m where m.organization_id = n.organization_id and m.marked_at <= $1
        and m.hour_id >= uuid7_floor(uuid7_instant(n.hour_id) - interval '${MOST_HOURS} hours') order by m.hour_id desc limit ${atOnce}) as hour_ids
      from newest n`,
      [began.rows[0]!.at],
    );
    const next = marked.rows[0];
    if (!next) return counted;
    const countsSince = performance.now();
    await countHours(client, next.organization_id, next.hour_ids, now, between);
    const tookMs = performance.now() - countsSince;
    atOnce = tookMs > AIM_MS ? Math.ceil(atOnce / 2) : Math.min(MOST_HOURS, tookMs < AIM_MS / 4 ? atOnce * 2 : atOnce);
    counted += next.hour_ids.length;
  }
  return counted;
}

/** Moves every organization's progress on to the end of the last hour that is over, and marks what lies between. */
async function advance(client: pg.PoolClient, over: number): Promise<void> {
  await client.query(
    `with due as (
        select o.id as organization_id, coalesce(p.rolled_before, least(
            (select uuid7_hour(l.id) from lead l where l.organization_id = o.id order by l.id limit 1),
            (select uuid7_floor(h.hour_at) from page_hour h where h.organization_id = o.id order by h.hour_at limit 1), $2::uuid)) as from_id
        from organization o left join report_progress p on p.organization_id = o.id
        where p.rolled_before is null or p.rolled_before < $1::uuid),
      marked as (
        insert into report_mark (organization_id, hour_id, id)
          select d.organization_id, uuid7_floor(h), gen_random_uuid()
          from due d cross join generate_series(uuid7_instant(d.from_id), uuid7_instant($1::uuid) - interval '1 hour', interval '1 hour') as h)
      insert into report_progress (organization_id, rolled_before) select organization_id, $1::uuid from due
        on conflict (organization_id) do update set rolled_before = excluded.rolled_before`,
    [idFloor(over), idFloor(over - FIRST_REACH_MS)],
  );
}

/**
 * Moves the slots of organizations on, as far as enough leads have come, and marks what lies between. They go on where they were, so that an hour that is over has all of its
 * own; where they were left behind they begin anew with the running hour.
 */
async function advanceSlots(client: pg.PoolClient, { now, slotLeads, peakLeads }: Run): Promise<Advanced> {
  const [usual, soon] = [GRACE_MS, PEAK_GRACE_MS].map((graceMs) => Math.floor((now - graceMs) / SLOT_MS) * SLOT_MS) as [number, number];
  const come = (before: string, leads: string) =>
    `b.start_id < ${before} and exists (select from lead l where l.organization_id = b.organization_id and l.id >= b.start_id and l.id < ${before} offset ${leads})`;
  const { rows } = await client.query<{ organization_id: string; start_id: string }>(
    `with due as (
        select b.organization_id, b.start_id, case when b.goes_on then b.from_id else b.start_id end as from_id, b.goes_on, t.before_id
        from report_progress p left join report_slot_progress s on s.organization_id = p.organization_id
        cross join lateral (select p.organization_id, s.from_id, s.before_id >= uuid7_floor(uuid7_instant(p.rolled_before) - interval '1 hour') is true as goes_on) as g
        cross join lateral (select g.*, case when g.goes_on then s.before_id else p.rolled_before end as start_id) as b
        cross join lateral (select case when ${come('$2::uuid', '$4')} then $2::uuid when ${come('$1::uuid', '$3')} then $1::uuid end as before_id) as t
        where t.before_id is not null),
      ${OF_SLOTS.map(({ table }, at) => `emptied${at} as (delete from ${table} t using due d where not d.goes_on and t.organization_id = d.organization_id)`).join(', ')},
      marked as (
        insert into report_slot_mark (organization_id, slot_id, id)
          select d.organization_id, uuid7_floor(s), gen_random_uuid()
          from due d cross join generate_series(uuid7_instant(d.start_id), uuid7_instant(d.before_id) - interval '1 millisecond', interval '${SLOT_MS} milliseconds') as s),
      moved as (
        insert into report_slot_progress (organization_id, from_id, before_id) select organization_id, from_id, before_id from due
          on conflict (organization_id) do update set from_id = excluded.from_id, before_id = excluded.before_id)
      select organization_id, start_id from due`,
    [idFloor(usual), idFloor(soon), slotLeads - 1, peakLeads - 1],
  );
  return new Map(rows.map(({ organization_id, start_id }) => [organization_id, start_id]));
}

/** From which slot on an organization's were moved on. */
type Advanced = ReadonlyMap<string, string>;

/**
 * Each marked slot once: where leads change all the while, the last would keep the roller from all else. Young ones that were counted already are left to their rows: leads of
 * them still end, and it would be once more for each of them.
 */
async function rollSlots(client: pg.PoolClient, { now, between, isClosing }: Run, advanced: Advanced): Promise<void> {
  const { rows } = await client.query<{ organization_id: string; slot_ids: string[] }>(
    `select m.organization_id, array_agg(distinct m.slot_id order by m.slot_id desc) as slot_ids
      from report_slot_mark m join report_slot_progress s on s.organization_id = m.organization_id
      left join unnest($2::uuid[], $3::uuid[]) as a (organization_id, start_id) on a.organization_id = m.organization_id
      where m.slot_id >= s.from_id and (m.slot_id < $1 or m.slot_id >= a.start_id) group by 1`,
    [idFloor(now - GRACE_MS), [...advanced.keys()], [...advanced.values()]],
  );
  for (const { organization_id, slot_ids } of rows)
    for (let at = 0; at < slot_ids.length && !isClosing(); at += SLOTS_AT_ONCE)
      await countSlots(client, organization_id, slot_ids.slice(at, at + SLOTS_AT_ONCE), between);
}

/** Those of the last hour that is over stay: most late changes are of it, and each would else cost a count of all of it. */
async function dropSlots(client: pg.PoolClient): Promise<void> {
  await client.query(
    `with old as (
        select s.organization_id, b.from_id from report_slot_progress s join report_progress p on p.organization_id = s.organization_id
        cross join lateral (select uuid7_floor(uuid7_instant(p.rolled_before) - interval '1 hour') as from_id) as b where s.from_id < b.from_id),
      ${OF_SLOTS.map(({ table, id }, at) => `gone${at} as (delete from ${table} t using old o where t.organization_id = o.organization_id and t.${id} < o.from_id)`).join(', ')}
      update report_slot_progress s set from_id = o.from_id from old o where s.organization_id = o.organization_id`,
  );
}

/**
 * Who has looked how far is counted and may still write by that: `mark_report` draws a number, and holds this table from before it looks until after it has committed. Who comes to
 * it later sees the progress that was moved. Numbers alone would do as well, but they are of the whole server: an hour's work in another database would be waited for.
 */
const LOOKED = `select distinct p.virtualtransaction as id from pg_locks p join pg_locks x on x.virtualtransaction = p.virtualtransaction
  where p.locktype = 'relation' and p.relation = 'report_progress'::regclass and p.database = (select oid from pg_database where datname = current_database())
    and p.granted and x.granted and x.locktype = 'transactionid' and x.mode = 'ExclusiveLock' and p.pid is distinct from pg_backend_pid()`;

/** Waits for every transaction that may have looked before the progress moved; false where one takes too long. */
async function othersEnded(client: pg.PoolClient, isClosing: () => boolean): Promise<boolean> {
  const looked = async () => (await client.query<{ id: string }>(LOOKED)).rows.map(({ id }) => id);
  let left = new Set(await looked());
  for (const until = Date.now() + WAIT_AT_MOST_MS; left.size > 0; left = new Set((await looked()).filter((id) => left.has(id)))) {
    if (Date.now() >= until || isClosing()) return false;
    await sleep(25);
  }
  return true;
}

async function countHours(
  client: pg.PoolClient,
  organizationId: string,
  hourIds: string[],
  now: number,
  between: BetweenSteps,
): Promise<void> {
  await inSnapshot(client, async () => {
    const stretches = spansOf(hourIds.map(idInstant), stretchOf);
    const isEmpty = await areEmpty(client, organizationId, stretches);
    const hours = hourIds.map(idInstant).map((from) => ({ from, to: from + HOUR_MS }));
    const counted = await findSlots(client, organizationId);
    if (!isEmpty)
      for (const table of TABLES)
        await keep(client, table, 'hour', organizationId, splitHours(hours, isSlotted(table) ? counted : NO_SLOTS), hourIds);
    await dropMarks(client, { table: 'report_mark', id: 'hour_id' }, organizationId, hourIds);
    if (!isEmpty) await keepStretches(client, organizationId, stretches);
    await openWeeks(client, organizationId, hourIds, now);
    await between('counted');
  });
}

async function countSlots(client: pg.PoolClient, organizationId: string, slotIds: string[], between: BetweenSteps): Promise<void> {
  await inSnapshot(client, async () => {
    const raw = slotIds.map(idInstant).map((from) => ({ hour: from, from, to: from + SLOT_MS }));
    for (const table of SLOTTED) await keep(client, table, 'slot', organizationId, { slots: [], raw }, slotIds);
    await dropMarks(client, SLOT_MARKS, organizationId, slotIds);
    await between('counted');
  });
}

/** Those that the snapshot sees: what a statement of it takes away is what any of them would find. */
async function dropMarks(client: pg.PoolClient, { table, id }: Named, organizationId: string, ids: string[]): Promise<void> {
  await client.query(`delete from ${table} where organization_id = $1 and ${id} = any($2::uuid[])`, [organizationId, ids]);
}

async function findSlots(client: pg.PoolClient, organizationId: string): Promise<CountedSlots> {
  const slots = await client.query('select from_id, before_id from report_slot_progress where organization_id = $1', [organizationId]);
  const marks = await client.query<{ slot_id: string }>('select distinct slot_id from report_slot_mark where organization_id = $1', [
    organizationId,
  ]);
  return slotsOf(
    slots.rows[0],
    marks.rows.map(({ slot_id }) => slot_id),
  );
}

type Split = Pick<SplitSpan, 'slots' | 'raw'>;

/** What need not be counted again of some hours, and what must. */
function splitHours(hours: Span[], counted: CountedSlots): Split {
  const split: Split = { slots: [], raw: [] };
  for (const hour of hours) splitHour(hour, counted, split);
  return split;
}

/** A change that the snapshot does not see has a mark that it does not see, and that one stays. */
async function inSnapshot(client: pg.PoolClient, work: () => Promise<void>): Promise<void> {
  await client.query('begin isolation level repeatable read');
  // A busy hour may take longer than a page would wait for.
  await client.query(`set local statement_timeout = '15min'`);
  await FOR_COUNTING.execute(onConnection(client));
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const rowsOf = (organizationId: string) =>
  sql`f.organization_id = ${organizationId}::uuid and f.vertical_id in (select v.id from vertical v where v.organization_id = ${organizationId}::uuid)`;

/** Every cube of some hours or slots, in one pass over their rows; of hours, slots are taken as they are kept. */
async function keep(
  client: pg.PoolClient,
  table: FactTable,
  grain: 'hour' | 'slot',
  organizationId: string,
  { slots, raw }: Split,
  ids: string[],
): Promise<void> {
  await forget(client, table, grain, organizationId, ids);
  const { keys, sums } = FACT_COLUMNS[table];
  const told = sql.raw(['vertical_id', 'hour_id', 'cube', ...keys].join(', '));
  const parts = [
    ...(raw.length > 0 ? [countedRows(table, organizationId, raw)] : []),
    ...(slots.length > 0 ? [slotsAsHours(table, organizationId, slots)] : []),
  ];
  const c =
    parts.length === 1
      ? parts[0]!
      : sql`select ${told}, ${sql.raw(summed(sums))} from (${sql.join(parts, sql` union all `)}) as p group by ${told}`;
  await insertFacts(table, grain, organizationId, sql`(${c})`).execute(onConnection(client));
}

function countedRows(table: FactTable, organizationId: string, pieces: Piece[]): RawBuilder<unknown> {
  const { keys, sums } = FACT_COLUMNS[table];
  const sets = CUBES[table].map((cube) => `(${['vertical_id', 'hour_id', ...cube.keys].join(', ')})`);
  // As grouping() says it: a bit for each key, set where the cube does not tell it.
  const bitsOf = (told: readonly string[]) => keys.reduce((bits, key) => bits * 2 + (told.includes(key) ? 0 : 1), 0);
  const cubes = CUBES[table].map(({ name, keys: told }) => `when ${bitsOf(told)} then '${name}'`);
  return sql`(with f as materialized (${factsOf(table, organizationId, pieces)})
    select vertical_id, hour_id, ${sql.raw(`case grouping(${keys.join(', ')}) ${cubes.join(' ')} end as cube, ${keys.join(', ')}, ${summed(sums)}
      from f group by grouping sets (${sets.join(', ')})`)})`;
}

function slotsAsHours(table: FactTable, organizationId: string, slots: Span[]): RawBuilder<unknown> {
  const { keys, sums } = FACT_COLUMNS[table];
  const told = sql.raw(['f.vertical_id', 'uuid7_hour(f.hour_id)', 'f.cube', ...keys.map((key) => `f.${key}`)].join(', '));
  const ids = (of: keyof Span) => sql`${slots.map((span) => idFloor(span[of]))}::uuid[]`;
  const bounds = boundsOf(slots);
  return sql`(select f.vertical_id, uuid7_hour(f.hour_id) as hour_id, f.cube, ${sql.raw([...keys.map((key) => `f.${key}`), summed(sums)].join(', '))}
    from unnest(${ids('from')}, ${ids('to')}) as s (from_id, to_id) join ${storedFacts(table, 'slot')} as f on f.hour_id >= s.from_id and f.hour_id < s.to_id
    where ${rowsOf(organizationId)} and f.grain = 'slot' and f.cube = any(${CUBES[table].map(({ name }) => name)}::text[])
      and f.hour_id >= ${bounds.from}::uuid and f.hour_id < ${bounds.to}::uuid
    group by ${told})`;
}

const spansOf = (hours: number[], spanOf: (hour: number) => Span): Span[] => [
  ...new Map(hours.map((hour) => [spanOf(hour).from, spanOf(hour)])).values(),
];
const boundsOf = (spans: Span[]) => ({
  from: idFloor(Math.min(...spans.map(({ from }) => from))),
  to: idFloor(Math.max(...spans.map(({ to }) => to))),
});

/** Neither is there anything to be counted in them, nor was there: most hours of the night, of a small organization or before it began. */
async function areEmpty(client: pg.PoolClient, organizationId: string, stretches: Span[]): Promise<boolean> {
  const { from, to } = boundsOf(stretches);
  const kept = TABLES.map(
    (table) => sql`exists (select from ${sql.table(table)} as f where ${rowsOf(organizationId)} and f.grain in ('hour', 'day')
      and f.cube = any(${CUBES[table].map(({ name }) => name)}::text[]) and f.hour_id >= ${from}::uuid and f.hour_id < ${to}::uuid)`,
  );
  const { rows } = await sql<{ has_any: boolean }>`select exists (
      select from lead where organization_id = ${organizationId}::uuid and id >= ${from}::uuid and id < ${to}::uuid)
    or exists (select from page_hour where organization_id = ${organizationId}::uuid
      and hour_at >= uuid7_instant(${from}::uuid) and hour_at < uuid7_instant(${to}::uuid))
    or ${sql.join(kept, sql` or `)} as has_any`.execute(onConnection(client));
  return !rows[0]!.has_any;
}

/** The stretches that some hours lie in, from the kept hours; those that have an hour still to be counted are read by the hour until then. */
async function keepStretches(client: pg.PoolClient, organizationId: string, all: Span[]): Promise<void> {
  const bounds = boundsOf(all);
  const open = await client.query<{ hour_id: string }>(
    `select hour_id from report_mark where organization_id = $1 and hour_id >= $2 and hour_id < $3`,
    [organizationId, bounds.from, bounds.to],
  );
  const progress = await client.query<{ rolled_before: string }>('select rolled_before from report_progress where organization_id = $1', [
    organizationId,
  ]);
  const rolledBefore = idInstant(progress.rows[0]!.rolled_before);
  const waiting = new Set(open.rows.map(({ hour_id }) => stretchOf(idInstant(hour_id)).from));
  const whole = all.filter(({ from, to }) => to <= rolledBefore && !waiting.has(from));
  for (const table of TABLES) {
    await forget(client, table, 'day', organizationId, all.map(idOf));
    if (whole.length > 0) await keepWhole(client, { table, grain: 'day', from: 'hour' }, organizationId, whole);
  }
}

/** The weeks that some hours lie in are read by their stretches from now on. */
async function openWeeks(client: pg.PoolClient, organizationId: string, hourIds: string[], now: number): Promise<void> {
  const weekIds = spansOf(hourIds.map(idInstant), weekOf).map(idOf);
  for (const table of WEEKLY) await forget(client, table, 'week', organizationId, weekIds);
  await client.query(
    `insert into report_week (organization_id, week_id, is_kept, changed_at) select $1, w, false, $3 from unnest($2::uuid[]) w
      on conflict (organization_id, week_id) do update set is_kept = false, changed_at = excluded.changed_at`,
    [organizationId, weekIds, new Date(now)],
  );
}

/** A week of which no hour is still to be counted. */
const WHOLE_WEEK = `uuid7_floor(uuid7_instant(w.week_id) + interval '7 days') <= p.rolled_before
  and not exists (select from report_mark m where m.organization_id = w.organization_id and m.hour_id >= w.week_id and m.hour_id < uuid7_floor(uuid7_instant(w.week_id) + interval '7 days'))`;

/** Sums up, from their stretches, weeks in which nothing was counted for a while: where changes trickle in, each would write all of a week again. */
async function keepWeeks(client: pg.PoolClient, now: number, restMs: number, isClosing: () => boolean): Promise<void> {
  const { rows } = await client.query<{ organization_id: string; week_id: string }>(
    `select w.organization_id, w.week_id from report_week w join report_progress p on p.organization_id = w.organization_id
      where not w.is_kept and w.changed_at <= $1 and ${WHOLE_WEEK} order by w.week_id desc`,
    [new Date(now - restMs)],
  );
  for (const { organization_id, week_id } of rows) {
    if (isClosing() || !(await hasPartitions(client, week_id))) return;
    await inSnapshot(client, () => keepWeek(client, organization_id, week_id));
  }
}

async function keepWeek(client: pg.PoolClient, organizationId: string, weekId: string): Promise<void> {
  const found = await client.query(
    `select from report_week w join report_progress p on p.organization_id = w.organization_id where w.organization_id = $1 and w.week_id = $2 and ${WHOLE_WEEK}`,
    [organizationId, weekId],
  );
  if (found.rows.length === 0) return;
  const week = weekOf(idInstant(weekId));
  for (const table of WEEKLY) {
    await forget(client, table, 'week', organizationId, [weekId]);
    await keepWhole(client, { table, grain: 'week', from: 'day' }, organizationId, [week]);
  }
  await client.query('update report_week set is_kept = true where organization_id = $1 and week_id = $2', [organizationId, weekId]);
}

/** The first hour of a week may lie in a month that nothing else has come from. Whoever reads is not waited for long; then it is made another time. */
async function hasPartitions(client: pg.PoolClient, weekId: string): Promise<boolean> {
  await client.query('begin');
  try {
    await client.query(`set local lock_timeout = '${LOCK_WITHIN}'`);
    await client.query('select ensure_week_partitions($1)', [weekId]);
    await client.query('commit');
    return true;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    if ((error as { code?: string }).code === '55P03') return false;
    throw error;
  }
}

const idOf = ({ from }: Span): string => idFloor(from);

/** What is kept of a grain is the sum of a finer one. */
interface Kept {
  table: FactTable;
  grain: Grain;
  from: Grain;
}

async function keepWhole(client: pg.PoolClient, { table, grain, from }: Kept, organizationId: string, whole: Span[]): Promise<void> {
  const { keys, sums } = FACT_COLUMNS[table];
  const ids = (of: keyof Span) => sql`${whole.map((span) => idFloor(span[of]))}::uuid[]`;
  const bounds = boundsOf(whole);
  const finer = sql`(select f.vertical_id, f.cube, s.from_id as hour_id, ${sql.raw(keys.join(', '))}, ${sql.raw(summed(sums))}
    from unnest(${ids('from')}, ${ids('to')}) as s (from_id, to_id)
    join ${storedFacts(table, from)} as f on f.hour_id >= s.from_id and f.hour_id < s.to_id
    where ${rowsOf(organizationId)} and f.grain = ${from} and f.cube = any(${CUBES[table].map(({ name }) => name)}::text[])
      and f.hour_id >= ${bounds.from}::uuid and f.hour_id < ${bounds.to}::uuid
    group by f.vertical_id, f.cube, s.from_id, ${sql.raw(keys.join(', '))})`;
  await insertFacts(table, grain, organizationId, finer).execute(onConnection(client));
}

/** By key: every vertical, every cube, these hours. */
async function forget(client: pg.PoolClient, table: FactTable, grain: Grain, organizationId: string, hourIds: string[]): Promise<void> {
  await sql`delete from ${sql.table(tableOf(table, grain))} as f
    where ${rowsOf(organizationId)} and f.grain = ${grain} and f.cube = any(${CUBES[table].map(({ name }) => name)}::text[])
      and f.hour_id = any(${hourIds}::uuid[])`.execute(onConnection(client));
}

const summed = (sums: readonly string[]) => sums.map((name) => `sum(${name}) as ${name}`).join(', ');

/** Queries on this one connection, within whatever transaction it is in. */
function onConnection(client: pg.PoolClient): Db {
  const connection = { query: client.query.bind(client), release: () => {} };
  return new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { connect: async () => connection as never, end: async () => {} } }),
  });
}

export interface ReportRoller {
  close(): Promise<void>;
}

export function openReportRoller(pool: pg.Pool, onError: (error: unknown) => void, metrics: Counting = NO_COUNTING): ReportRoller {
  let isClosing = false;
  let running: Promise<unknown> | undefined;
  let restsUntil = 0;
  const look = () => {
    if (running || performance.now() < restsUntil) return;
    // Waiting for others is no work.
    let began = performance.now();
    const between = (step: Parameters<BetweenSteps>[0]) => {
      if (step === 'waited') began = performance.now();
    };
    running = rollReports(pool, Date.now(), { isClosing: () => isClosing, between })
      .then((hours) => {
        metrics.add('sluice_report_rolls_total', { outcome: hours === undefined ? 'left' : 'done' });
        metrics.add('sluice_report_counts_total', {}, hours ?? 0);
        return hours === undefined ? REST_BESIDE_MS : 0;
      })
      .catch((error) => {
        metrics.add('sluice_report_rolls_total', { outcome: 'failed' });
        onError(error);
        return REST_BESIDE_MS;
      })
      .then((restMs) => {
        const ended = performance.now();
        restsUntil = ended + Math.min(REST_AT_MOST_MS, Math.max(restMs, RESTS * (ended - began)));
        running = undefined;
      });
  };
  const timer = setInterval(look, EVERY_MS);
  timer.unref();
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await running;
    },
  };
}
