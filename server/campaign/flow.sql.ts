/** What flows through a campaign today: by publisher tier, by end, by buyer tier; test leads and bare pings left out. */
import { type RawBuilder, sql } from 'kysely';
import type { FlowAnswer } from '#contract/tree.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { FOR_COUNTING } from '#server/report/facts.sql.ts';

/**
 * Leads are counted once at a tier or group, however often it called, so that no tally tells them: the day's rows are read, once each. In a transaction that goes on
 * to do nothing else: from here on it counts.
 */
export async function readFlow(
  tx: Db,
  organizationId: string,
  campaignId: string,
  from: number,
): Promise<Omit<FlowAnswer, 'status' | 'warnings'>> {
  const of = (table: string, id: string): RawBuilder<unknown> =>
    sql`${sql.ref(`${table}.organization_id`)} = ${organizationId} and ${sql.ref(`${table}.${id}`)} >= ${idFloor(from)}::uuid and not ${sql.ref(`${table}.test`)}`;
  const leads = sql`l as (select l.id, l.publisher_tier_id, l.mode from lead l where ${of('l', 'id')} and l.campaign_id = ${campaignId})`;
  await FOR_COUNTING.execute(tx);
  const ended = await sql<{ status: string | null; id: string | null; leads: number; sold: number }>`with ${leads}
    select e.status, e.id, count(*)::int as leads, count(*) filter (where e.status = 'sold')::int as sold
    from (select l.publisher_tier_id as id, coalesce(r.status, 'received') as status
      from l left join lead_result r on r.lead_id = l.id and ${of('r', 'lead_id')} where l.mode <> 'ping') as e
    group by grouping sets ((e.status), (e.id))`.execute(tx);
  const called = await sql<{ tier: string | null; group: string | null; leads: number; calls: number; timeouts: number }>`with ${leads},
    c as materialized (select a.lead_id, a.buyer_tier_id as tier, a.group_id as group, count(*) as calls, count(*) filter (where a.outcome = 'timeouts') as timeouts
      from attempt a join l on l.id = a.lead_id where ${of('a', 'lead_id')} group by 1, 2, 3)
    select tier, null::uuid as group, count(*)::int as leads, sum(calls)::int as calls, sum(timeouts)::int as timeouts
      from (select lead_id, tier, sum(calls) as calls, sum(timeouts) as timeouts from c group by 1, 2) as t group by 1
    union all
    select null, c.group, count(*)::int, 0, 0 from (select distinct c.lead_id, c.group from c) as c group by 2`.execute(tx);
  const sales = await sql<{ tier: string; sold: number; revenue: string }>`with ${leads}
    select s.buyer_tier_id as tier, count(*)::int as sold, sum(s.revenue)::numeric(19, 4) as revenue
    from sale s join l on l.id = s.lead_id where ${of('s', 'lead_id')} group by 1`.execute(tx);
  const soldBy = new Map(sales.rows.map((row) => [row.tier, row]));
  return {
    ends: Object.fromEntries(ended.rows.flatMap(({ status, leads: count }) => (status === null ? [] : [[status, count]]))),
    publisherTiers: ended.rows.flatMap(({ id, leads: count, sold }) => (id === null ? [] : [{ _id: id, leads: count, sold }])),
    groups: called.rows.flatMap(({ group, leads: count }) => (group === null ? [] : [{ _id: group, leads: count }])),
    buyerTiers: called.rows.flatMap(({ tier, leads: count, calls, timeouts }) =>
      tier === null
        ? []
        : [
            {
              ...{ _id: tier, leads: count, attempts: calls, timeouts },
              ...{ sold: soldBy.get(tier)?.sold ?? 0, revenue: money(soldBy.get(tier)?.revenue ?? null) },
            },
          ],
    ),
  };
}
