/**
 * Today against yesterday, straight from the rows of leads, attempts and sales. A day is the civil day of the reporting time
 * zone; ids sort by time, so a span of time is a span of ids.
 */

import { sql } from 'kysely';
import { DISPLAY_LIMIT } from '#contract/console-constants.ts';
import type { Figures, OverviewAnswer } from '#contract/lead.ts';
import { formatMoney, parseSum } from '#engine/money.ts';
import { capWindowAt } from '#engine/window.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';

interface Scope {
  organizationId: string;
  verticalId: string;
}

interface Span {
  from: number;
  to: number;
}

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

export async function readFigures(db: Db, scope: Scope, span: Span): Promise<Figures> {
  const [leads, attempts, returned] = await Promise.all([
    countLeads(db, scope, span),
    countAttempts(db, scope, span),
    sumReturns(db, scope, span),
  ]);
  const net = (of: 'revenue' | 'payout' | 'margin') => formatMoney(parseSum(leads[of]) - parseSum(returned[of]));
  return { ...leads, ...attempts, returned, net: { revenue: net('revenue'), payout: net('payout'), margin: net('margin') } };
}

/** What counts as a lead here: no test, no bare ping. With its result, once there is one. */
function leadsIn(db: Db, scope: Scope, span: Span) {
  return db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .where('l.organization_id', '=', scope.organizationId)
    .where('l.vertical_id', '=', scope.verticalId)
    .where('l.id', '>=', idFloor(span.from))
    .where('l.id', '<', idFloor(span.to))
    .where('l.test', '=', false)
    .where('l.mode', '<>', 'ping');
}

async function countLeads(db: Db, scope: Scope, span: Span) {
  const row = await leadsIn(db, scope, span)
    .select([
      sql<number>`count(*)::int`.as('leads'),
      sql<number>`count(*) filter (where r.status = 'sold')::int`.as('sold'),
      sql<string>`coalesce(sum(r.revenue), 0)::numeric(19, 4)`.as('revenue'),
      sql<string>`coalesce(sum(r.payout), 0)::numeric(19, 4)`.as('payout'),
      sql<string>`coalesce(sum(r.margin), 0)::numeric(19, 4)`.as('margin'),
      sql<string>`coalesce(sum(r.revenue) / nullif(count(*), 0), 0)::numeric(19, 4)`.as('epl'),
    ])
    .executeTakeFirstOrThrow();
  return {
    leads: row.leads,
    sold: row.sold,
    revenue: money(row.revenue),
    payout: money(row.payout),
    margin: money(row.margin),
    epl: money(row.epl),
  };
}

async function countAttempts(db: Db, scope: Scope, span: Span) {
  return db
    .selectFrom('attempt')
    .select([
      sql<number>`count(*)::int`.as('attempts'),
      sql<number>`count(*) filter (where outcome = 'timeouts')::int`.as('timeouts'),
      sql<number>`count(*) filter (where outcome = 'terrors')::int`.as('terrors'),
    ])
    .where('organization_id', '=', scope.organizationId)
    .where('vertical_id', '=', scope.verticalId)
    .where('lead_id', '>=', idFloor(span.from))
    .where('lead_id', '<', idFloor(span.to))
    .where('test', '=', false)
    .executeTakeFirstOrThrow();
}

/** By the day it was given back, as the books have it. */
async function sumReturns(db: Db, scope: Scope, span: Span): Promise<Figures['returned']> {
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
export async function readHours(db: Db, scope: Scope, days: Days, timeZone: string): Promise<OverviewAnswer['hours']> {
  const dayEnd = capWindowAt('day', timeZone, days.today.from).resetsAt!;
  const [today, yesterday] = await Promise.all([
    countHours(db, scope, { from: days.today.from, to: dayEnd }),
    countHours(db, scope, days.yesterday),
  ]);
  const hours: OverviewAnswer['hours'] = [];
  for (let at = days.today.from; at < dayEnd; at += HOUR_MS) {
    const now = today.get(at);
    const before = yesterday.get(days.yesterday.from + (at - days.today.from));
    hours.push({
      hour: new Date(at).toISOString(),
      leads: now?.leads ?? 0,
      sold: now?.sold ?? 0,
      revenue: money(now?.revenue ?? null),
      leadsYesterday: before?.leads ?? 0,
      soldYesterday: before?.sold ?? 0,
      revenueYesterday: money(before?.revenue ?? null),
    });
  }
  return hours;
}

const HOUR_MS = 3_600_000;

async function countHours(db: Db, scope: Scope, span: Span) {
  const rows = await leadsIn(db, scope, span)
    .select([
      sql<number>`floor(extract(epoch from uuid7_instant(l.id)) / 3600)::int`.as('hour'),
      sql<number>`count(*)::int`.as('leads'),
      sql<number>`count(*) filter (where r.status = 'sold')::int`.as('sold'),
      sql<string>`coalesce(sum(r.revenue), 0)::numeric(19, 4)`.as('revenue'),
    ])
    .groupBy('hour')
    .execute();
  return new Map(rows.map((row) => [row.hour * HOUR_MS, row]));
}

export async function topPublishers(db: Db, scope: Scope, span: Span): Promise<OverviewAnswer['topPublishers']> {
  const rows = await leadsIn(db, scope, span)
    .innerJoin('publisher as p', (join) => join.onRef('p.organization_id', '=', 'l.organization_id').onRef('p.id', '=', 'l.publisher_id'))
    .select([
      'p.id',
      'p.name',
      sql<number>`count(*)::int`.as('leads'),
      sql<number>`count(*) filter (where r.status = 'sold')::int`.as('sold'),
      sql<string>`coalesce(sum(r.payout), 0)::numeric(19, 4)`.as('payout'),
      sql<string>`coalesce(sum(r.revenue), 0)::numeric(19, 4)`.as('revenue'),
    ])
    .groupBy(['p.id', 'p.name'])
    .orderBy('revenue', 'desc')
    .orderBy('p.name')
    .limit(DISPLAY_LIMIT)
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    leads: row.leads,
    sold: row.sold,
    payout: money(row.payout),
    revenue: money(row.revenue),
  }));
}

export async function topBuyers(db: Db, scope: Scope, span: Span): Promise<OverviewAnswer['topBuyers']> {
  const attempts = db
    .selectFrom('attempt as a')
    .select([
      'a.buyer_id',
      sql<number>`count(*)::int`.as('attempts'),
      sql<number>`count(*) filter (where a.outcome = 'timeouts')::int`.as('timeouts'),
      sql<number | null>`percentile_cont(0.5) within group (order by a.elapsed_ms)`.as('p50'),
    ])
    .where('a.organization_id', '=', scope.organizationId)
    .where('a.vertical_id', '=', scope.verticalId)
    .where('a.lead_id', '>=', idFloor(span.from))
    .where('a.lead_id', '<', idFloor(span.to))
    .where('a.test', '=', false)
    .groupBy('a.buyer_id');
  const sales = db
    .selectFrom('sale as s')
    .select(['s.buyer_id', sql<number>`count(*)::int`.as('sold'), sql<string>`sum(s.revenue)::numeric(19, 4)`.as('revenue')])
    .where('s.organization_id', '=', scope.organizationId)
    .where('s.vertical_id', '=', scope.verticalId)
    .where('s.lead_id', '>=', idFloor(span.from))
    .where('s.lead_id', '<', idFloor(span.to))
    .where('s.test', '=', false)
    .groupBy('s.buyer_id');
  const rows = await db
    .selectFrom(attempts.as('a'))
    .leftJoin(sales.as('s'), 's.buyer_id', 'a.buyer_id')
    .innerJoin('buyer as b', (join) => join.onRef('b.id', '=', 'a.buyer_id').on('b.organization_id', '=', scope.organizationId))
    .select(['b.id', 'b.name', 'a.attempts', 'a.timeouts', 'a.p50', 's.sold', 's.revenue'])
    .orderBy(sql`coalesce(s.revenue, 0)`, 'desc')
    .orderBy('b.name')
    .limit(DISPLAY_LIMIT)
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    attempts: row.attempts,
    sold: row.sold ?? 0,
    revenue: money(row.revenue),
    timeouts: row.timeouts,
    p50Ms: row.p50 === null ? null : Math.round(row.p50),
  }));
}
