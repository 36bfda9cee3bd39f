/** What flows through a campaign today: by publisher tier, by end, by buyer tier; test leads and bare pings left out. */
import { sql } from 'kysely';
import type { FlowAnswer } from '#contract/tree.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';

export async function readFlow(
  db: Db,
  organizationId: string,
  campaignId: string,
  from: number,
): Promise<Omit<FlowAnswer, 'status' | 'warnings'>> {
  const leads = db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .where('l.organization_id', '=', organizationId)
    .where('l.campaign_id', '=', campaignId)
    .where('l.id', '>=', idFloor(from))
    .where('l.test', '=', false)
    .where('l.mode', '<>', 'ping');
  const attempted = db
    .selectFrom('attempt as a')
    .innerJoin('lead as l', (join) => join.onRef('l.organization_id', '=', 'a.organization_id').onRef('l.id', '=', 'a.lead_id'))
    .where('a.organization_id', '=', organizationId)
    .where('l.campaign_id', '=', campaignId)
    .where('a.lead_id', '>=', idFloor(from))
    .where('l.id', '>=', idFloor(from))
    .where('a.test', '=', false);
  const leadCount = sql<number>`count(distinct a.lead_id)::int`.as('leads');
  const [ends, publisherTiers, attempts, groups, sales] = await Promise.all([
    leads
      .select([sql<string>`coalesce(r.status, 'received')`.as('status'), sql<number>`count(*)::int`.as('leads')])
      .groupBy(sql`1`)
      .execute(),
    leads
      .select(['l.publisher_tier_id as id', sql<number>`count(*)::int`.as('leads')])
      .select(sql<number>`count(*) filter (where r.status = 'sold')::int`.as('sold'))
      .groupBy('l.publisher_tier_id')
      .execute(),
    attempted
      .select(['a.buyer_tier_id as id', leadCount, sql<number>`count(*)::int`.as('attempts')])
      .select(sql<number>`count(*) filter (where a.outcome = 'timeouts')::int`.as('timeouts'))
      .groupBy('a.buyer_tier_id')
      .execute(),
    attempted.select(['a.group_id as id', leadCount]).groupBy('a.group_id').execute(),
    db
      .selectFrom('sale as s')
      .innerJoin('lead as l', (join) => join.onRef('l.organization_id', '=', 's.organization_id').onRef('l.id', '=', 's.lead_id'))
      .select(['s.buyer_tier_id as id', sql<number>`count(*)::int`.as('sold'), sql<string>`sum(s.revenue)::numeric(19, 4)`.as('revenue')])
      .where('s.organization_id', '=', organizationId)
      .where('l.campaign_id', '=', campaignId)
      .where('s.lead_id', '>=', idFloor(from))
      .where('l.id', '>=', idFloor(from))
      .where('s.test', '=', false)
      .groupBy('s.buyer_tier_id')
      .execute(),
  ]);
  const soldBy = new Map(sales.map((row) => [row.id, row]));
  return {
    ends: Object.fromEntries(ends.map((row) => [row.status, row.leads])),
    publisherTiers: publisherTiers.map(({ id, leads: count, sold }) => ({ _id: id, leads: count, sold })),
    groups: groups.map(({ id, leads: count }) => ({ _id: id, leads: count })),
    buyerTiers: attempts.map(({ id, leads: count, attempts: tries, timeouts }) => ({
      _id: id,
      leads: count,
      attempts: tries,
      timeouts,
      sold: soldBy.get(id)?.sold ?? 0,
      revenue: money(soldBy.get(id)?.revenue ?? null),
    })),
  };
}
