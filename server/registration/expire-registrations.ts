/**
 * A registration whose address nobody confirmed goes after a week, and gives its sub-domain and address back. The person may ask
 * for another mail until then; each holds it for three days more.
 */
import type { Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;

/** Returns how many went. For the installation's own role. */
export async function expireRegistrations(db: Db, now: number): Promise<number> {
  const stale = await db
    .selectFrom('app_user as u')
    .select('u.id')
    .where('u.email_confirmed_at', 'is', null)
    .where('u.password_hash', 'is not', null)
    .where('u.password_changed_at', '<', new Date(now - KEPT_MS))
    .where('u.is_super_admin', '=', false)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('one_time_token as t')
            .select('t.user_id')
            .whereRef('t.user_id', '=', 'u.id')
            .where('t.purpose', 'in', ['activation', 'password-reset'])
            .where('t.used_at', 'is', null)
            .where('t.expires_at', '>', new Date(now)),
        ),
      ),
    )
    .limit(100)
    .execute();
  for (const { id } of stale) await db.transaction().execute((tx) => expire(tx, id));
  return stale.length;
}

async function expire(tx: Transaction<Database>, userId: string): Promise<void> {
  // Asked again under a lock: a confirmation at this moment wins.
  const user = await tx.selectFrom('app_user').select('email_confirmed_at').where('id', '=', userId).forUpdate().executeTakeFirst();
  if (!user || user.email_confirmed_at) return;
  await tx.deleteFrom('session').where('user_id', '=', userId).execute();
  const owned = await tx
    .selectFrom('team_member')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .execute();
  for (const { organization_id } of owned) await removeEmpty(tx, organization_id);
  const elsewhere = await tx.selectFrom('team_member').select('id').where('user_id', '=', userId).executeTakeFirst();
  if (elsewhere)
    await tx
      .updateTable('app_user')
      .set({ password_hash: null, password_changed_at: null, mfa_secret: null, mfa_enabled_at: null, first_name: '', last_name: '' })
      .where('id', '=', userId)
      .execute();
  else await tx.deleteFrom('app_user').where('id', '=', userId).execute();
}

/** Nobody could sign in to it, so it holds nothing but its owner and invitations that were never sent. */
async function removeEmpty(tx: Transaction<Database>, organizationId: string): Promise<void> {
  const invited = await tx.deleteFrom('team_member').where('organization_id', '=', organizationId).returning('user_id').execute();
  await tx.deleteFrom('organization').where('id', '=', organizationId).execute();
  const ids = invited.map((row) => row.user_id);
  // Accounts that were only ever named here, and never opened.
  await tx
    .deleteFrom('app_user as u')
    .where('u.id', 'in', ids)
    .where('u.password_hash', 'is', null)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('team_member as m').select('m.id').whereRef('m.user_id', '=', 'u.id'))))
    .execute();
}
