/** Tiers that are throttled, one row each; written under the lock of their breaker (breaker.sql.ts). */
import type { Throttled } from '#engine/throttle.ts';
import type { Db } from '#server/kit/database.ts';

/** Of one organization or of all. */
export async function listThrottled(db: Db, organizationId?: string) {
  let select = db.selectFrom('throttled_tier').selectAll();
  if (organizationId) select = select.where('organization_id', '=', organizationId);
  const rows = await select.execute();
  return rows.map(({ organization_id, buyer_tier_id, since, calls, failures, slow, look_back_minutes }) => {
    const throttled: Throttled = { since: since.getTime(), calls, failures, slow, lookBackMinutes: look_back_minutes };
    return { organizationId: organization_id, buyerTierId: buyer_tier_id, throttled };
  });
}

export async function insertThrottled(db: Db, organizationId: string, buyerTierId: string, throttled: Throttled): Promise<void> {
  const { since, calls, failures, slow, lookBackMinutes } = throttled;
  await db
    .insertInto('throttled_tier')
    .values({
      organization_id: organizationId,
      buyer_tier_id: buyerTierId,
      ...{ since: new Date(since), calls, failures, slow, look_back_minutes: lookBackMinutes },
    })
    .execute();
}

export async function deleteThrottled(db: Db, organizationId: string, buyerTierId: string): Promise<void> {
  await db.deleteFrom('throttled_tier').where('organization_id', '=', organizationId).where('buyer_tier_id', '=', buyerTierId).execute();
}
