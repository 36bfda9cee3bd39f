/** Which sub-domains can be had: not those in use, and not, for a while, those that another organization gave up. */
import type { Db } from '#server/kit/database.ts';

/** Whether a sub-domain, lower-cased, is another's than `own`'s. For the installation's own role. */
export async function isSubDomainTaken(db: Db, subDomain: string, own?: string): Promise<boolean> {
  const [used, former] = await Promise.all([
    db.selectFrom('organization').select('id').where('sub_domain', '=', subDomain).executeTakeFirst(),
    db.selectFrom('former_sub_domain').select('held_for as id').where('sub_domain', '=', subDomain).executeTakeFirst(),
  ]);
  return [used, former].some((holder) => holder !== undefined && holder.id !== own);
}

/** Keeps the present sub-domain for its organization while it changes to another. For the installation's own role. */
export async function keepFormerSubDomain(db: Db, organizationId: string, next: string): Promise<void> {
  const { sub_domain } = await db
    .selectFrom('organization')
    .select('sub_domain')
    .where('id', '=', organizationId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  await db.deleteFrom('former_sub_domain').where('held_for', '=', organizationId).where('sub_domain', '=', next).execute();
  if (sub_domain === next) return;
  await db
    .insertInto('former_sub_domain')
    .values({ sub_domain, held_for: organizationId })
    .onConflict((conflict) => conflict.column('sub_domain').doUpdateSet({ held_for: organizationId, given_up_at: new Date() }))
    .execute();
}
