/**
 * A registration whose address nobody confirmed goes after a week, and gives its sub-domain and address back. While a mail with a
 * link is on its way it stays, but never longer than a month.
 */
import { sql, type Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;
const KEPT_AT_MOST_MS = 30 * DAY_MS;
const AT_ONCE = 100;

/** Returns how many went; one that cannot go keeps no other, and is thrown about at the end. For the installation's own role. */
export async function expireRegistrations(db: Db, now: number): Promise<number> {
  const { rows } = await sql<{ id: string }>`select u.id from app_user u where ${isStale(now)}
    order by u.password_changed_at limit ${AT_ONCE}`.execute(db);
  let gone = 0;
  const failures: unknown[] = [];
  for (const { id } of rows)
    try {
      if (await db.transaction().execute((tx) => expire(tx, id, now))) gone += 1;
    } catch (error) {
      failures.push(error);
    }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} registrations could not be ended.`);
  return gone;
}

/** Unconfirmed for long, and the organization holds nothing but its owner and invitations that were never sent: nobody else was in it. */
function isStale(now: number) {
  const at = (agoMs: number) => new Date(now - agoMs);
  return sql<boolean>`u.email_confirmed_at is null and u.password_hash is not null and not u.is_super_admin
    and u.password_changed_at < ${at(KEPT_MS)}
    and (u.password_changed_at < ${at(KEPT_AT_MOST_MS)} or not exists (select from one_time_token t
      where t.user_id = u.id and t.purpose = 'activation' and t.used_at is null and t.expires_at > ${at(0)}))
    and not exists (select from team_member m where m.user_id = u.id and m.role = 'owner' and (
      exists (select from team_member o where o.organization_id = m.organization_id and o.user_id <> u.id and o.status in ('active', 'disabled'))
      or exists (select from session s where s.organization_id = m.organization_id)
      or exists (select from region r where r.organization_id = m.organization_id)
      or exists (select from one_time_token t where t.organization_id = m.organization_id and t.purpose = 'invitation')))`;
}

async function expire(tx: Transaction<Database>, userId: string, now: number): Promise<boolean> {
  await tx.selectFrom('app_user').select('id').where('id', '=', userId).forUpdate().execute();
  // Asked again under the lock: a confirmation, or a new mail, at this moment wins.
  const stale = await sql`select from app_user u where u.id = ${userId} and ${isStale(now)}`.execute(tx);
  if (stale.rows.length === 0) return false;
  await tx.deleteFrom('session').where('user_id', '=', userId).execute();
  const owned = await tx
    .selectFrom('team_member')
    .select('organization_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .execute();
  for (const { organization_id } of owned) await removeEmpty(tx, organization_id);
  const elsewhere = await tx.selectFrom('team_member').select('id').where('user_id', '=', userId).executeTakeFirst();
  if (elsewhere) await forgetAccount(tx, userId);
  else await tx.deleteFrom('app_user').where('id', '=', userId).execute();
  return true;
}

/** Somebody else's invitation stays: behind it is an address without an account again. */
async function forgetAccount(tx: Transaction<Database>, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_code').where('user_id', '=', userId).execute();
  await tx
    .updateTable('app_user')
    .set({ password_hash: null, password_changed_at: null, mfa_secret: null, mfa_enabled_at: null, first_name: '', last_name: '' })
    .where('id', '=', userId)
    .execute();
}

async function removeEmpty(tx: Transaction<Database>, organizationId: string): Promise<void> {
  const members = await tx.deleteFrom('team_member').where('organization_id', '=', organizationId).returning('user_id').execute();
  await tx.deleteFrom('organization').where('id', '=', organizationId).execute();
  const ids = members.map((row) => row.user_id);
  // Accounts that were only ever named here, and never opened.
  await tx
    .deleteFrom('app_user as u')
    .where('u.id', 'in', ids)
    .where('u.password_hash', 'is', null)
    .where((eb) => eb.not(eb.exists(eb.selectFrom('team_member as m').select('m.id').whereRef('m.user_id', '=', 'u.id'))))
    .execute();
}
