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
    const [leads, calls] = [await countLeads(look, days.today, true), await countCalls(look, days.today, true)];
    const [today, yesterday] = [dayOf(leads.hours, calls.hours), await readDay(look, days.yesterday)];
    return {
      today: await figuresOf(look, days.today, total(today)),
      yesterdaySoFar: await figuresOf(look, days.yesterdaySoFar, await soFar(look, days, yesterday)),
      yesterday: await figuresOf(look, days.yesterday, total(yesterday)),
      hours: hoursOf(days, timeZone, today, yesterday),
      topPublishers: (await rankPublishers(look, leads.publishers)).slice(0, DISPLAY_LIMIT),
      topBuyers: (await rankBuyers(look, days.today, calls.buyers)).slice(0, DISPLAY_LIMIT),
    };
  });
}

/** All that sent a lead, those of the most revenue first. */
export const listPublishersOf = (db: Db, scope: Scope, span: Span): Promise<OverviewAnswer['topPublishers']> =>
  lookAtFacts(db, scope, async (look) => rankPublishers(look, (await countLeads(look, span, true)).publishers));

/** All that were called, those of the most revenue first. */
export const listBuyersOf = (db: Db, scope: Scope, span: Span): Promise<OverviewAnswer['topBuyers']> =>
  lookAtFacts(db, scope, async (look) => rankBuyers(look, span, (await countCalls(look, span, true)).buyers));

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

const readDay = async (look: Look, span: Span): Promise<Day> =>
  dayOf((await countLeads(look, span)).hours, (await countCalls(look, span)).hours);

function dayOf(leads: LeadSums[], calls: CallSums[]): Day {
  const day = new Map<number, Sums>();
  const add = (hourId: string, sums: Partial<Sums>) => day.set(idInstant(hourId), { ...NOTHING, ...day.get(idInstant(hourId)), ...sums });
  for (const { hour_id, leads: count, sold, revenue, payout, margin } of leads)
    add(hour_id!, { leads: count, sold, revenue: parseSum(revenue), payout: parseSum(payout), margin: parseSum(margin) });
  for (const { hour_id, attempts, timeouts, terrors } of calls) add(hour_id!, { attempts, timeouts, terrors });
  return day;
}

/** Of an hour or of a publisher; what it is not of is null. */
interface LeadSums {
  hour_id: string | null;
  publisher_id: string | null;
  leads: number;
  sold: number;
  revenue: string;
  payout: string;
  margin: string;
}

/** What counts as a lead here: no test, no bare ping. Where publishers are wanted too, rows that are not counted yet are read once for both. */
async function countLeads(look: Look, span: Span, isByPublisher = false): Promise<{ hours: LeadSums[]; publishers: LeadSums[] }> {
  const source = look.facts({ table: 'lead_tally', span, keys: isByPublisher ? ['publisher_id'] : [], isHourly: true });
  const { rows } = await sql<LeadSums>`
    select hour_id, ${isByPublisher ? sql`publisher_id` : sql`null::uuid as publisher_id`}, sum(attempts)::int as leads, sum(sold)::int as sold, sum(revenue)::numeric(19, 4) as revenue,
      sum(payout)::numeric(19, 4) as payout, sum(margin)::numeric(19, 4) as margin
    from (${source}) as f group by grouping sets ((hour_id)${isByPublisher ? sql`, (publisher_id)` : sql``})`.execute(look.db);
  return { hours: rows.filter((row) => row.hour_id !== null), publishers: rows.filter((row) => row.hour_id === null) };
}

/** Of an hour, or of a buyer's calls that took about as long. */
interface CallSums {
  hour_id: string | null;
  buyer_id: string | null;
  bucket: number | null;
  attempts: number;
  timeouts: number;
  terrors: number;
}

/** Every call to a buyer, of pings and of posts; likewise. */
async function countCalls(look: Look, span: Span, isByBuyer = false): Promise<{ hours: CallSums[]; buyers: CallSums[] }> {
  const ofBuyers = isByBuyer ? ['buyer_id', 'bucket'] : [];
  const source = look.facts({
    ...{ table: 'latency_tally', span, keys: ['leg', ...ofBuyers], isHourly: true },
    sums: ['calls', 'timeouts', 'terrors'],
  });
  const { rows } = await sql<CallSums>`
    select hour_id, ${isByBuyer ? sql`buyer_id, bucket` : sql`null::uuid as buyer_id, null::smallint as bucket`}, sum(calls)::int as attempts, sum(timeouts)::int as timeouts, sum(terrors)::int as terrors
    from (${source}) as f where leg <> 'redirect' group by grouping sets ((hour_id)${isByBuyer ? sql`, (buyer_id, bucket)` : sql``})`.execute(
    look.db,
  );
  return { hours: rows.filter((row) => row.hour_id !== null), buyers: rows.filter((row) => row.hour_id === null) };
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

async function rankPublishers({ db, scope }: Look, publishers: LeadSums[]): Promise<OverviewAnswer['topPublishers']> {
  const active = publishers.filter(({ leads }) => leads > 0);
  const names = await namesOf(
    db,
    'publisher',
    scope,
    active.map(({ publisher_id }) => publisher_id!),
  );
  return active
    .flatMap(({ publisher_id: _id, leads, sold, payout, revenue }) => {
      const name = names.get(_id!);
      return name === undefined ? [] : [{ _id: _id!, name, leads, sold, payout: money(payout), revenue: money(revenue) }];
    })
    .sort(byRevenue);
}

async function rankBuyers(look: Look, span: Span, called: CallSums[]): Promise<OverviewAnswer['topBuyers']> {
  const byBuyer = Map.groupBy(called, ({ buyer_id }) => buyer_id!);
  const names = await namesOf(look.db, 'buyer', look.scope, [...byBuyer.keys()]);
  const sales = look.facts({ table: 'attempt_tally', span, keys: ['buyer_id'], sums: ['sales', 'revenue'] });
  const { rows: sold } = await sql<{ buyer_id: string; sold: number; revenue: string }>`
    select buyer_id, sum(sales)::int as sold, sum(revenue)::numeric(19, 4) as revenue from (${sales}) as f group by 1`.execute(look.db);
  const soldBy = new Map(sold.map((row) => [row.buyer_id, row]));
  return [...byBuyer]
    .flatMap(([_id, calls]) => {
      const name = names.get(_id);
      if (name === undefined) return [];
      const sum = (of: 'attempts' | 'timeouts') => calls.reduce((all, one) => all + one[of], 0);
      const timed = new Map(calls.filter(({ bucket }) => bucket !== TIME_UNKNOWN).map(({ bucket, attempts }) => [bucket!, attempts]));
      const { sold: leads = 0, revenue = '0' } = soldBy.get(_id) ?? {};
      const figures = { attempts: sum('attempts'), timeouts: sum('timeouts'), p50Ms: percentile(timed, 0.5) };
      return [{ _id, name, sold: leads, revenue: money(revenue), ...figures }];
    })
    .sort(byRevenue);
}

interface Ranked {
  name: string;
  revenue: string;
}
const byRevenue = (one: Ranked, other: Ranked) => parseSum(other.revenue) - parseSum(one.revenue) || one.name.localeCompare(other.name);

async function namesOf(db: Db, table: 'buyer' | 'publisher', { organizationId }: ReportScope, ids: string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(table)
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}
