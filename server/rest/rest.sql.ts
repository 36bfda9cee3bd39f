/** Rests as they are kept: one row a tier whose buyer has asked for one (429, Retry-After), with when it ends. */
import { sql } from 'kysely';
import type { Instant } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';

/** Rests that are not over, of one organization or of all. */
export async function listRests(db: Db, now: Instant, organizationId?: string) {
  let select = db.selectFrom('buyer_rest').selectAll().where('rests_until', '>', new Date(now));
  if (organizationId) select = select.where('organization_id', '=', organizationId);
  const rows = await select.execute();
  return rows.map((row) => ({
    organizationId: row.organization_id,
    buyerTierId: row.buyer_tier_id,
    until: row.rests_until.getTime(),
  }));
}

/** The longest that anybody heard counts; all nodes hear of it. */
export async function storeRest(db: Db, organizationId: string, buyerTierId: string, until: Instant): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('buyer_rest')
      .values({ organization_id: organizationId, buyer_tier_id: buyerTierId, rests_until: new Date(until) })
      .onConflict((conflict) =>
        conflict
          .columns(['organization_id', 'buyer_tier_id'])
          .doUpdateSet({ rests_until: sql`greatest(buyer_rest.rests_until, excluded.rests_until)` }),
      )
      .execute();
    await announce(tx, organizationId);
  });
}

/** Somebody has seen to the tier, or it has become another one: what was asked for it before says nothing any more. Until when it would have rested. */
export async function endRest(tx: Db, organizationId: string, buyerTierId: string): Promise<Instant | undefined> {
  const row = await tx
    .deleteFrom('buyer_rest')
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .returning('rests_until')
    .executeTakeFirst();
  if (row) await announce(tx, organizationId);
  return row?.rests_until.getTime();
}

/** Nodes hear of it when the transaction commits. */
async function announce(tx: Db, organizationId: string): Promise<void> {
  await sql`select pg_notify('sluice_rest', ${organizationId})`.execute(tx);
}
