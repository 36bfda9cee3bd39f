/** Which sub-domains can be had: not those in use, and not, for a while, those that another organization gave up. */
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { takeTry } from '#server/kit/throttle.ts';

/** So many names an organization gave up last are held for it, and so often a day it may take another: nobody sits on many. */
const HELD_MOST = 3;
const CHANGES = { limit: 5, windowMs: 86_400_000 };

/** Whether a sub-domain, lower-cased, is another's than `own`'s. For the installation's own role. */
export async function isSubDomainTaken(db: Db, subDomain: string, own?: string): Promise<boolean> {
  const [used, former] = await Promise.all([
    db.selectFrom('organization').select('id').where('sub_domain', '=', subDomain).executeTakeFirst(),
    db.selectFrom('former_sub_domain').select('held_for as id').where('sub_domain', '=', subDomain).executeTakeFirst(),
  ]);
  return [used, former].some((holder) => holder !== undefined && holder.id !== own);
}

/** Keeps the sub-domain that an organization gives up for it. `former` was read under the organization's lock. For the installation's own role. */
export async function keepFormerSubDomain(db: Db, organizationId: string, former: string, next: string, now: number): Promise<void> {
  if (former === next) return;
  const waitMs = await takeTry(db, `sub-domain of ${organizationId}`, CHANGES.limit, CHANGES.windowMs, now);
  if (waitMs > 0)
    throw new HttpError(429, 'sub_domain_rate_limited', 'The sub-domain was changed often today. Try again tomorrow.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
  await db.deleteFrom('former_sub_domain').where('held_for', '=', organizationId).where('sub_domain', '=', next).execute();
  await db
    .insertInto('former_sub_domain')
    .values({ sub_domain: former, held_for: organizationId, given_up_at: new Date(now) })
    .onConflict((conflict) => conflict.column('sub_domain').doUpdateSet({ held_for: organizationId, given_up_at: new Date(now) }))
    .execute();
  const kept = db
    .selectFrom('former_sub_domain')
    .select('sub_domain')
    .where('held_for', '=', organizationId)
    .orderBy('given_up_at', 'desc')
    .limit(HELD_MOST);
  await db.deleteFrom('former_sub_domain').where('held_for', '=', organizationId).where('sub_domain', 'not in', kept).execute();
}
