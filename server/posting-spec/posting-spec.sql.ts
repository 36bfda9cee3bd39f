/** Publisher tiers as their specifications are handed out. */
import { sql } from 'kysely';
import { SPECS_ON_A_PAGE } from '#contract/posting-spec.ts';
import type { Db } from '#server/kit/database.ts';

export interface SpecTier {
  id: string;
  name: string;
  kind: string;
  status: string;
  publisher_id: string;
  publisher_name: string;
  publisher_status: string;
  campaign_name: string;
  spec_open: boolean;
  spec_epoch: number;
  living_keys: number;
}

/** The living of a vertical, by publisher and name; `total`: of all pages. */
export async function listSpecTiers(
  db: Db,
  organizationId: string,
  verticalId: string,
  { q, page }: { q: string; page: number },
): Promise<{ rows: SpecTier[]; total: number }> {
  let select = db
    .selectFrom('publisher_tier as t')
    .innerJoin('publisher as p', (join) => join.onRef('p.organization_id', '=', 't.organization_id').onRef('p.id', '=', 't.publisher_id'))
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .where('t.organization_id', '=', organizationId)
    .where('c.vertical_id', '=', verticalId)
    .where('t.status', '<>', 'archived')
    .where('p.status', '<>', 'archived')
    .where('c.status', '<>', 'archived');
  if (q.trim() !== '') {
    const wanted = `%${q.trim().replace(/[\\%_]/g, '\\$&')}%`;
    select = select.where(sql<boolean>`(t.name || ' ' || p.name || ' ' || c.name) ilike ${wanted}`);
  }
  const { total } = await select.select(sql<number>`count(*)::int`.as('total')).executeTakeFirstOrThrow();
  const rows = await select
    .select(['t.id', 't.name', 't.kind', 't.status', 't.publisher_id', 'p.name as publisher_name', 'p.status as publisher_status'])
    .select(['c.name as campaign_name', 't.spec_open', 't.spec_epoch'])
    .select(
      sql<number>`(select count(*)::int from posting_key k where k.organization_id = t.organization_id and k.publisher_tier_id = t.id
        and k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`.as('living_keys'),
    )
    .orderBy('p.name')
    .orderBy('t.name')
    .orderBy('t.id')
    .limit(SPECS_ON_A_PAGE)
    .offset((page - 1) * SPECS_ON_A_PAGE)
    .execute();
  return { rows, total };
}

/** Held until the transaction ends; undefined for one that is archived or not there. */
export async function findSpecTier(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'c.organization_id').onRef('v.id', '=', 'c.vertical_id'))
    .innerJoin('organization as o', 'o.id', 't.organization_id')
    .select(['t.id', 't.name', 't.kind', 't.spec_open', 't.spec_epoch', 'c.vertical_id', 'v.region_id', 'o.sub_domain'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', id)
    .where('t.status', '<>', 'archived')
    .forUpdate('t')
    .executeTakeFirst();
}

export async function storeSpec(
  db: Db,
  organizationId: string,
  id: string,
  next: { spec_open: boolean; spec_epoch: number },
): Promise<void> {
  await db.updateTable('publisher_tier').set(next).where('organization_id', '=', organizationId).where('id', '=', id).execute();
}
