/**
 * Today against yesterday, from what is kept of hours that are over and from the rows of the others (server/report). A day is the civil day of the
 * reporting time zone. Returns stand apart: they count on the day they were given back, as the books have it.
 */

import { sql } from 'kysely';
import { DISPLAY_LIMIT } from '#contract/console-constants.ts';
import type { Figures, OverviewAnswer } from '#contract/lead.ts';
import { formatMoney, parseSum } from '#engine/money.ts';
import type { Money } from '#engine/plan.ts';
import { capWindowAt } from '#engine/window.ts';
import { HOUR_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { TIME_UNKNOWN } from '#server/report/cubes.ts';
import { percentile } from '#server/report/percentile.ts';
import { type Look, lookAtFacts, type ReportScope } from '#server/report/read-facts.sql.ts';
import type { Span } from '#server/report/split-span.ts';

type Scope = Pick<ReportScope, 'organizationId' | 'verticalId'>;

export interface Days {
  today: Span;
  yesterday: Span;
  /** Yesterday up to the same distance from midnight as now. */
  yesterdaySoFar: Span;
}

export function daysAt(timeZone: string, now: number): Days {
  const start = capWindowAt('day', timeZone, now).windowStartAt!;
  const before = capWindowAt('day', timeZone, start - 1).windowStartAt!;
  return {
    today: { from: start, to: now + 1 },
    yesterday: { from: before, to: start },
    yesterdaySoFar: { from: before, to: Math.min(start, before + (now - start)) },
  };
}

/** All that the page shows of leads and calls, of one moment. */
export function readOverview(db: Db, scope: Scope, days: Days, timeZone: string): Promise<OverviewFigures> {
  return lookAtFacts(db, scope, async (look) => {
    const [today, yesterday] = [await readDay(look, days.today), await readDay(look, days.yesterday)];
    return {
      today: await figuresOf(look, days.today, total(today)),
      yesterdaySoFar: await figuresOf(look, days.yesterdaySoFar, await soFar(look, days, yesterday)),
      yesterday: await figuresOf(look, days.yesterday, total(yesterday)),
      hours: hoursOf(days, timeZone, today, yesterday),
      topPublishers: await topPublishers(look, days.today),
      topBuyers: await topBuyers(look, days.today),
    };
  });
}

export type OverviewFigures = Omit<OverviewAnswer, 'status' | 'asOf' | 'warnings'>;

/** What is added up of an hour. */
interface Sums {
  leads: number;
  sold: number;
  revenue: Money;
  payout: Money;
  margin: Money;
  attempts: number;
  timeouts: number;
  terrors: number;
}
/** By the instant at which an hour begins. */
type Day = ReadonlyMap<number, Sums>;

const NOTHING: Sums = { leads: 0, sold: 0, revenue: 0, payout: 0, margin: 0, attempts: 0, timeouts: 0, terrors: 0 };
const SUMS = Object.keys(NOTHING) as (keyof Sums)[];
const total = (day: Day): Sums => [...day.values()].reduce(added, NOTHING);
const added = (one: Sums, other: Sums): Sums => Object.fromEntries(SUMS.map((name) => [name, one[name] + other[name]])) as unknown as Sums;

async function readDay(look: Look, span: Span): Promise<Day> {
  const day = new Map<number, Sums>();
  const add = (hourId: string, sums: Partial<Sums>) => day.set(idInstant(hourId), { ...NOTHING, ...day.get(idInstant(hourId)), ...sums });
  for (const { hour_id, revenue, payout, margin, ...counts } of await countLeads(look, span))
    add(hour_id, { ...counts, revenue: parseSum(revenue), payout: parseSum(payout), margin: parseSum(margin) });
  for (const { hour_id, ...counts } of await countCalls(look, span)) add(hour_id, counts);
  return day;
}

/** What counts as a lead here: no test, no bare ping. */
async function countLeads(look: Look, span: Span) {
  const source = look.facts({ table: 'lead_tally', span, keys: [], isHourly: true });
  const { rows } = await sql<{ hour_id: string; leads: number; sold: number; revenue: string; payout: string; margin: string }>`
    select hour_id, sum(attempts)::int as leads, sum(sold)::int as sold, sum(revenue)::numeric(19, 4) as revenue,
      sum(payout)::numeric(19, 4) as payout, sum(margin)::numeric(19, 4) as margin
    from (${source}) as f group by 1`.execute(look.db);
  return rows;
}

/** Every call to a buyer, of pings and of posts. */
async function countCalls(look: Look, span: Span) {
  const source = look.facts({ table: 'latency_tally', span, keys: ['leg'], isHourly: true });
  const { rows } = await sql<{ hour_id: string; attempts: number; timeouts: number; terrors: number }>`
    select hour_id, sum(calls)::int as attempts, sum(timeouts)::int as timeouts, sum(terrors)::int as terrors
    from (${source}) as f where leg <> 'redirect' group by 1`.execute(look.db);
  return rows;
}

/** Whole hours of yesterday, and the part of one that has gone by of today's. */
async function soFar(look: Look, { yesterdaySoFar: { from, to } }: Days, yesterday: Day): Promise<Sums> {
  const begun = from + Math.floor((to - from) / HOUR_MS) * HOUR_MS;
  const whole = total(new Map([...yesterday].filter(([hour]) => hour < begun)));
  return begun < to ? added(whole, total(await readDay(look, { from: begun, to }))) : whole;
}

async function figuresOf({ db, scope }: Look, span: Span, { leads, sold, attempts, timeouts, terrors, ...sums }: Sums): Promise<Figures> {
  const returned = await sumReturns(db, scope, span);
  const net = (of: 'revenue' | 'payout' | 'margin') => formatMoney(sums[of] - parseSum(returned[of]));
  return {
    ...{ leads, sold, attempts, timeouts, terrors, returned },
    ...{ revenue: formatMoney(sums.revenue), payout: formatMoney(sums.payout), margin: formatMoney(sums.margin) },
    epl: formatMoney(leads === 0 ? 0 : Math.round(sums.revenue / leads)),
    net: { revenue: net('revenue'), payout: net('payout'), margin: net('margin') },
  };
}

/** By the day it was given back, as the books have it. */
async function sumReturns(db: Db, scope: ReportScope, span: Span): Promise<Figures['returned']> {
  const sumOf = (party: 'buyer' | 'publisher' | 'house', sign: 1 | -1) =>
    sql<string>`coalesce(${sql.lit(sign)} * sum(amount) filter (where party_kind = ${sql.lit(party)}), 0)::numeric(19, 4)`;
  const row = await db
    .selectFrom('ledger_entry')
    .select([
      sql<number>`(count(*) filter (where party_kind = 'buyer'))::int`.as('leads'),
      sumOf('buyer', 1).as('revenue'),
      sumOf('publisher', -1).as('payout'),
      sumOf('house', -1).as('margin'),
    ])
    .where('organization_id', '=', scope.organizationId)
    .where('vertical_id', '=', scope.verticalId)
    .where('kind', '=', 'return')
    .where('id', '>=', idFloor(span.from))
    .where('id', '<', idFloor(span.to))
    .executeTakeFirstOrThrow();
  return { leads: row.leads, revenue: money(row.revenue), payout: money(row.payout), margin: money(row.margin) };
}

/** One entry per elapsed or coming local hour of today, with the same hour of yesterday beside it. */
function hoursOf(days: Days, timeZone: string, today: Day, yesterday: Day): OverviewAnswer['hours'] {
  const dayEnd = capWindowAt('day', timeZone, days.today.from).resetsAt!;
  const hours: OverviewAnswer['hours'] = [];
  for (let at = days.today.from; at < dayEnd; at += HOUR_MS) {
    const [now = NOTHING, before = NOTHING] = [today.get(at), yesterday.get(days.yesterday.from + (at - days.today.from))];
    hours.push({
      hour: new Date(at).toISOString(),
      ...{ leads: now.leads, sold: now.sold, revenue: formatMoney(now.revenue) },
      ...{ leadsYesterday: before.leads, soldYesterday: before.sold, revenueYesterday: formatMoney(before.revenue) },
    });
  }
  return hours;
}

async function topPublishers(look: Look, span: Span): Promise<OverviewAnswer['topPublishers']> {
  const source = look.facts({ table: 'lead_tally', span, keys: ['publisher_id'] });
  const { rows } = await sql<{ _id: string; name: string; leads: number; sold: number; payout: string; revenue: string }>`
    select p.id as _id, p.name, sum(attempts)::int as leads, sum(sold)::int as sold, sum(payout)::numeric(19, 4) as payout,
      sum(revenue)::numeric(19, 4) as revenue
    from (${source}) as f join publisher p on p.organization_id = ${look.scope.organizationId} and p.id = f.publisher_id
    group by 1, 2 having sum(attempts) > 0 order by sum(revenue) desc, p.name limit ${DISPLAY_LIMIT}`.execute(look.db);
  return rows.map((row) => ({ ...row, payout: money(row.payout), revenue: money(row.revenue) }));
}

async function topBuyers(look: Look, span: Span): Promise<OverviewAnswer['topBuyers']> {
  const calls = look.facts({ table: 'latency_tally', span, keys: ['buyer_id', 'leg', 'bucket'] });
  const called = await sql<{ buyer_id: string; bucket: number; calls: number; timeouts: number }>`
    select buyer_id, bucket, sum(calls)::int as calls, sum(timeouts)::int as timeouts
    from (${calls}) as f where leg <> 'redirect' group by 1, 2`.execute(look.db);
  const sales = look.facts({ table: 'attempt_tally', span, keys: ['buyer_id'] });
  const { rows: named } = await sql<{ _id: string; name: string; sold: number; revenue: string }>`
    select b.id as _id, b.name, coalesce(s.sold, 0) as sold, coalesce(s.revenue, 0)::numeric(19, 4) as revenue
    from buyer b left join (select buyer_id, sum(sales)::int as sold, sum(revenue) as revenue from (${sales}) as f group by 1) as s on s.buyer_id = b.id
    where b.organization_id = ${look.scope.organizationId} and b.id = any(${[...new Set(called.rows.map((row) => row.buyer_id))]}::uuid[])
    order by coalesce(s.revenue, 0) desc, b.name limit ${DISPLAY_LIMIT}`.execute(look.db);
  const byBuyer = Map.groupBy(called.rows, (row) => row.buyer_id);
  return named.map(({ revenue, ...row }) => {
    const own = byBuyer.get(row._id)!;
    const sum = (of: 'calls' | 'timeouts') => own.reduce((all, one) => all + one[of], 0);
    const timed = new Map(own.filter(({ bucket }) => bucket !== TIME_UNKNOWN).map(({ bucket, calls }) => [bucket, calls]));
    return { ...row, revenue: money(revenue), attempts: sum('calls'), timeouts: sum('timeouts'), p50Ms: percentile(timed, 0.5) };
  });
}
