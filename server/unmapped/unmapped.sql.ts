/** Values without a translation as they are counted: a row for each mapping row that met one, begun anew when its tier changes or a day has passed without. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';

export interface UnmappedCount {
  buyerTierId: string;
  /** The mapping row's name at the buyer. */
  target: string;
  sends: number;
  /** When they went out, not when they are written: a tier may be put right in between. In ms. */
  firstAt: number;
  lastAt: number;
}

const DAY_MS = 86_400_000;

/** Adds to what is counted; a tier that is no longer there is passed over. */
export async function addUnmapped(db: Db, organizationId: string, counts: UnmappedCount[]): Promise<void> {
  const rows = counts.map(({ firstAt, lastAt, ...one }) => ({ ...one, since: new Date(firstAt), last: new Date(lastAt) }));
  const anew = sql`x.last_at < excluded.since - interval '1 day' or x.last_at < (select t.updated_at from buyer_tier t where t.organization_id = x.organization_id and t.id = x.buyer_tier_id)`;
  await sql`insert into unmapped_value as x (organization_id, buyer_tier_id, target, sends, since, last_at)
    select t.organization_id, t.id, n.target, n.sends, n.since, n.last
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n ("buyerTierId" uuid, target text, sends int, since timestamptz, last timestamptz)
      join buyer_tier t on t.organization_id = ${organizationId}::uuid and t.id = n."buyerTierId"
      order by t.id, n.target
    on conflict (organization_id, buyer_tier_id, target) do update set
      sends = excluded.sends + case when ${anew} then 0 else x.sends end,
      since = case when ${anew} then excluded.since else least(x.since, excluded.since) end,
      last_at = greatest(x.last_at, excluded.last_at)`.execute(db);
}

/** Those of the last day at these tiers, as the tiers stand now; by tier, the most frequent first. */
export async function listUnmapped(db: Db, organizationId: string, buyerTierIds: string[], now: number) {
  if (buyerTierIds.length === 0) return [];
  const rows = await db
    .selectFrom('unmapped_value as x')
    .innerJoin('buyer_tier as t', (join) => join.onRef('t.organization_id', '=', 'x.organization_id').onRef('t.id', '=', 'x.buyer_tier_id'))
    .select(['x.buyer_tier_id', 'x.target', 'x.sends', 'x.since'])
    .where('x.organization_id', '=', organizationId)
    .where('x.buyer_tier_id', 'in', buyerTierIds)
    .where('x.last_at', '>', new Date(now - DAY_MS))
    .whereRef('x.last_at', '>=', 't.updated_at')
    .orderBy('x.sends', 'desc')
    .orderBy('x.target')
    .execute();
  return rows.map((row) => ({ buyerTierId: row.buyer_tier_id, target: row.target, sends: row.sends, since: row.since.getTime() }));
}
