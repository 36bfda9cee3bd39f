/** Tests and their variants as they are kept, and as the engine is told of the running ones. */
import type { Selectable } from 'kysely';
import { sql } from 'kysely';
import type { TreeGroup } from '#contract/tree.ts';
import type { Database } from '#db/types.ts';
import { parseMoney } from '#engine/money.ts';
import type { AbTestConfig, GroupConfig, Margin, VariantConfig } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';

export type AbTestRow = Selectable<Database['ab_test']>;
export type VariantRow = Selectable<Database['ab_variant']>;

export function listVariants(db: Db, organizationId: string, testIds: string[]): Promise<VariantRow[]> {
  if (testIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom('ab_variant')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('ab_test_id', 'in', testIds)
    .orderBy('position')
    .execute();
}

export function findRunningTest(db: Db, organizationId: string, campaignId: string): Promise<{ id: string; name: string } | undefined> {
  return db
    .selectFrom('ab_test')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .where('status', '=', 'running')
    .executeTakeFirst();
}

/** What leads are split by now. */
export async function listRunningTests(db: Db, organizationId: string): Promise<AbTestConfig[]> {
  const tests = await db
    .selectFrom('ab_test')
    .select(['id', 'campaign_id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'running')
    .execute();
  const variants = await listVariants(
    db,
    organizationId,
    tests.map(({ id }) => id),
  );
  const byTest = Map.groupBy(variants, (variant) => variant.ab_test_id);
  return tests.map(({ id, campaign_id, name }) => ({
    id,
    campaignId: campaign_id,
    name,
    variants: (byTest.get(id) ?? []).map(readVariant),
  }));
}

export function readVariant(row: VariantRow): VariantConfig {
  return {
    id: row.id,
    name: row.name,
    sharePercent: row.share_percent,
    ...(row.groups !== null && { groups: (row.groups as TreeGroup[]).map(readGroup) }),
    ...(row.margin !== null && { margin: row.margin as Margin }),
    ...(row.floor !== null && { floor: parseMoney(row.floor) ?? 0 }),
    ...(row.price_percent !== null && { pricePercent: Number(row.price_percent) }),
  };
}

function readGroup({ _id, name, mode, timeLimitMs, members }: TreeGroup): GroupConfig {
  return {
    id: _id!,
    name,
    mode,
    ...(timeLimitMs !== null && { timeLimitMs }),
    members: members.map(({ buyerTierId, weight }) => ({ buyerTierId, ...(weight !== null && { weight }) })),
  };
}

/** Names and modes of the groups that variants have of their own, those of tests that are over too: their leads stay readable. */
export async function listVariantGroups(db: Db, organizationId: string): Promise<{ id: string; name: string; mode: string }[]> {
  const { rows } = await sql<{ id: string; name: string; mode: string }>`
    select g ->> '_id' as id, g ->> 'name' as name, g ->> 'mode' as mode
    from ab_variant v, jsonb_array_elements(v.groups) g where v.organization_id = ${organizationId} and v.groups is not null`.execute(db);
  return rows;
}

/** Sums of the leads of one variant that reached its tree; those that end in _squares and _cross are over consumers, of whom one may send several. */
export interface Measured {
  variant_id: string;
  consumers: number;
  leads: number;
  sold: number;
  revenue: string;
  payout: string;
  margin: string;
  leads_squares: number;
  sold_squares: number;
  revenue_squares: number;
  margin_squares: number;
  /** Products with the consumer's number of leads. */
  sold_cross: number;
  revenue_cross: number;
  margin_cross: number;
}

/** Tests, pings and leads that were refused before any tree are left out: no variant had a part in them. */
const REACHED = sql`not r.test and l.mode <> 'ping' and r.status not in ('invalid', 'rejected', 'duplicate')`;
/** Of one consumer. */
const OF_ONE = sql`count(*)::float8 as n, count(*) filter (where r.status = 'sold')::float8 as s, sum(r.revenue) as y, sum(r.payout) as p, sum(r.margin) as m`;
/** Over the consumers `c`. */
const SUMS = sql`count(*)::int as consumers, coalesce(sum(n), 0)::int as leads, coalesce(sum(s), 0)::int as sold,
  coalesce(sum(y), 0)::numeric(19, 4)::text as revenue, coalesce(sum(p), 0)::numeric(19, 4)::text as payout, coalesce(sum(m), 0)::numeric(19, 4)::text as margin,
  coalesce(sum(n * n), 0) as leads_squares, coalesce(sum(s * s), 0) as sold_squares, coalesce(sum(y::float8 ^ 2), 0) as revenue_squares,
  coalesce(sum(m::float8 ^ 2), 0) as margin_squares, coalesce(sum(s * n), 0) as sold_cross, coalesce(sum(y::float8 * n), 0) as revenue_cross,
  coalesce(sum(m::float8 * n), 0) as margin_cross`;

export async function measureVariants(
  db: Db,
  organizationId: string,
  { id, started_at }: Pick<AbTestRow, 'id' | 'started_at'>,
): Promise<Measured[]> {
  if (!started_at) return [];
  const { rows } = await sql<Measured>`with c as (
      select v.variant_id, ${OF_ONE} from lead_variant v
        join lead l on l.organization_id = v.organization_id and l.id = v.lead_id
        join lead_result r on r.organization_id = v.organization_id and r.lead_id = v.lead_id
        where v.organization_id = ${organizationId} and v.ab_test_id = ${id} and v.lead_id >= ${idFloor(started_at.getTime())} and ${REACHED}
        group by v.variant_id, v.consumer)
    select variant_id, ${SUMS} from c group by variant_id`.execute(db);
  return rows;
}

/** So many of a campaign's leads are enough to plan by, however many there are. */
const PLANNED_BY_MOST = 20_000;

export type MeasuredBefore = Omit<Measured, 'variant_id'> & { first_at: Date | null };

/** The same of a campaign's newest leads since an instant, each as a consumer of its own; `first_at`: when the first of them came. Looked up by seat, of which there is an index. */
export async function measureCampaign(db: Db, organizationId: string, campaignId: string, since: number): Promise<MeasuredBefore> {
  const { rows } = await sql<MeasuredBefore>`
    with l as (
      select newest.id, newest.mode from publisher_tier t
        cross join lateral (select x.id, x.mode, x.campaign_id from lead x
          where x.organization_id = t.organization_id and x.publisher_tier_id = t.id and x.id >= ${idFloor(since)}
          order by x.id desc limit ${PLANNED_BY_MOST}) newest
        where t.organization_id = ${organizationId} and t.campaign_id = ${campaignId} and newest.campaign_id = t.campaign_id
        order by newest.id desc limit ${PLANNED_BY_MOST}),
    c as (select ${OF_ONE}, min(uuid7_instant(l.id)) as at from l
      join lead_result r on r.organization_id = ${organizationId} and r.lead_id = l.id
      where ${REACHED} group by l.id)
    select ${SUMS}, min(at) as first_at from c`.execute(db);
  return rows[0]!;
}

/** How many leads each test has, of those that count. */
export async function countLeadsOf(db: Db, organizationId: string, testIds: string[]): Promise<Map<string, number>> {
  if (testIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; leads: number }>`select v.ab_test_id as id, count(*)::int as leads from lead_variant v
    join lead l on l.organization_id = v.organization_id and l.id = v.lead_id
    join lead_result r on r.organization_id = v.organization_id and r.lead_id = v.lead_id
    where v.organization_id = ${organizationId} and v.ab_test_id = any(${testIds}::uuid[]) and ${REACHED} group by v.ab_test_id`.execute(
    db,
  );
  return new Map(rows.map(({ id, leads }) => [id, leads]));
}

/** Variants of every test of a vertical that was started, as reports name them. */
export async function listStartedVariants(db: Db, organizationId: string, verticalId: string): Promise<{ _id: string; name: string }[]> {
  return db
    .selectFrom('ab_variant as v')
    .innerJoin('ab_test as t', (join) => join.onRef('t.organization_id', '=', 'v.organization_id').onRef('t.id', '=', 'v.ab_test_id'))
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['v.id as _id', sql<string>`t.name || ', ' || v.name`.as('name')])
    .where('v.organization_id', '=', organizationId)
    .where('c.vertical_id', '=', verticalId)
    .where('t.started_at', 'is not', null)
    .execute();
}

/** What of a campaign was changed from one instant to another: its tree by publishing, its own terms by editing. */
export function listCampaignChanges(db: Db, organizationId: string, campaignId: string, from: Date, to: Date) {
  return db
    .selectFrom('change_log')
    .select(['id', 'user_name', 'action', 'after'])
    .where('organization_id', '=', organizationId)
    .where('record_id', '=', campaignId)
    .where('model', '=', 'campaign')
    .where('id', '>=', idFloor(from.getTime()))
    .where('id', '<', idFloor(to.getTime()))
    .where('action', 'in', ['publish', 'edit'])
    .orderBy('id')
    .limit(50)
    .execute();
}
