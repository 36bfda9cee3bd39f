/** Today of buyers, publishers and their tiers, straight from the rows, over several verticals at once. */
import { sql } from 'kysely';
import type { BuyerDay, PublisherDay } from '#contract/home.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';

export interface Scope {
  organizationId: string;
  verticalIds: readonly string[];
  /** Instants; `to` is left out. */
  span: { from: number; to: number };
}

export interface Subject {
  id: string;
  name: string;
  status: string;
}

export interface SubjectTier extends Subject {
  subjectId: string;
  verticalId: string;
}

/** Those that are not archived, with their tiers in these verticals. */
export async function listSubjects(db: Db, kind: 'buyer' | 'publisher', { organizationId, verticalIds }: Scope) {
  const [subjects, tiers] = await Promise.all([
    db
      .selectFrom(kind)
      .select(['id', 'name', 'status'])
      .where('organization_id', '=', organizationId)
      .where('status', '<>', 'archived')
      .execute(),
    verticalIds.length === 0
      ? []
      : kind === 'buyer'
        ? listBuyerTiers(db, organizationId, verticalIds)
        : listPublisherTiers(db, organizationId, verticalIds),
  ]);
  return { subjects: subjects as Subject[], tiers: tiers as SubjectTier[] };
}

function listBuyerTiers(db: Db, organizationId: string, verticalIds: readonly string[]) {
  return db
    .selectFrom('buyer_tier')
    .select(['id', 'name', 'status', 'buyer_id as subjectId', 'vertical_id as verticalId'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', 'in', verticalIds)
    .where('status', '<>', 'archived')
    .orderBy('name')
    .execute();
}

function listPublisherTiers(db: Db, organizationId: string, verticalIds: readonly string[]) {
  return db
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['t.id', 't.name', 't.status', 't.publisher_id as subjectId', 'c.vertical_id as verticalId'])
    .where('t.organization_id', '=', organizationId)
    .where('c.vertical_id', 'in', verticalIds)
    .where('t.status', '<>', 'archived')
    .orderBy('t.name')
    .execute();
}

/** By buyer id and by buyer tier id; who was not called is not in it. */
export async function readBuyerDays(db: Db, { organizationId, verticalIds, span }: Scope): Promise<Map<string, BuyerDay>> {
  if (verticalIds.length === 0) return new Map();
  const ofBoth = sql<string>`coalesce(buyer_tier_id, buyer_id)`;
  const byBoth = sql`grouping sets ((buyer_id), (buyer_tier_id))`;
  const within = <Table extends 'attempt' | 'sale'>(table: Table) =>
    db
      .selectFrom(table as 'attempt')
      .where('organization_id', '=', organizationId)
      .where('vertical_id', 'in', verticalIds)
      .where('lead_id', '>=', idFloor(span.from))
      .where('lead_id', '<', idFloor(span.to))
      .where('test', '=', false)
      .groupBy(byBoth)
      .select(ofBoth.as('id'));
  const [attempts, sales] = await Promise.all([
    within('attempt')
      .select([
        sql<number>`count(*)::int`.as('attempts'),
        sql<number>`count(*) filter (where outcome = 'timeouts')::int`.as('timeouts'),
        sql<number>`count(*) filter (where outcome = 'terrors')::int`.as('terrors'),
        sql<number | null>`percentile_cont(0.5) within group (order by elapsed_ms)`.as('p50'),
      ])
      .execute(),
    within('sale')
      .select([sql<number>`count(*)::int`.as('sold'), sql<string>`sum(revenue)::numeric(19, 4)`.as('revenue')])
      .execute(),
  ]);
  const sold = new Map(sales.map((row) => [row.id, row]));
  return new Map(
    attempts.map(({ id, p50, ...counted }) => [
      id,
      {
        ...counted,
        sold: sold.get(id)?.sold ?? 0,
        revenue: money(sold.get(id)?.revenue ?? null),
        p50Ms: p50 === null ? null : Math.round(p50),
      },
    ]),
  );
}

/** By publisher id and by publisher tier id; who sent nothing is not in it. */
export async function readPublisherDays(db: Db, { organizationId, verticalIds, span }: Scope): Promise<Map<string, PublisherDay>> {
  if (verticalIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .where('l.organization_id', '=', organizationId)
    .where('l.vertical_id', 'in', verticalIds)
    .where('l.id', '>=', idFloor(span.from))
    .where('l.id', '<', idFloor(span.to))
    .where('l.test', '=', false)
    .where('l.mode', '<>', 'ping')
    .groupBy(sql`grouping sets ((l.publisher_id), (l.publisher_tier_id))`)
    .select([
      sql<string>`coalesce(l.publisher_tier_id, l.publisher_id)`.as('id'),
      sql<number>`count(*)::int`.as('leads'),
      sql<number>`count(*) filter (where r.status = 'sold')::int`.as('sold'),
      sql<number>`count(*) filter (where r.status in ('invalid', 'rejected', 'duplicate'))::int`.as('refused'),
      sql<string>`coalesce(sum(r.payout), 0)::numeric(19, 4)`.as('payout'),
      sql<string>`coalesce(sum(r.revenue), 0)::numeric(19, 4)`.as('revenue'),
    ])
    .execute();
  return new Map(rows.map(({ id, ...day }) => [id, { ...day, payout: money(day.payout), revenue: money(day.revenue) }]));
}
