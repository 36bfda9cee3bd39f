/** The ownership goes to another member; the one before keeps every page, ticked. */
import type { Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { beyondTenant } from '#server/kit/tenant.ts';
import type { Mailer } from '#server/mail/mail.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireUnbound } from './bind-member.ts';
import { fullTree } from './permission-tree.ts';
import { logMember } from './team.log.ts';
import { noticeMail } from './team.mail.ts';
import { endSessionsOf, lockMember, lockOwner, setMember } from './team.sql.ts';

/** In the tenant transaction. Every session of both ends here; whoever asked is given a new one by the caller. */
export async function handOverOwnership(
  tx: Transaction<Database>,
  mailer: Mailer,
  person: SignedIn,
  memberId: string,
  ip: string,
): Promise<void> {
  const { organizationId } = person;
  const owner = await lockOwner(tx, organizationId);
  // Of two hand-overs at one moment the second finds that the person is no longer the owner.
  if (!owner || (owner.userId !== person.userId && !person.isSuperAdmin))
    throw new HttpError(403, 'team_forbidden', 'Only the owner of the organization may do this. Ask them.');
  const heir = await lockMember(tx, organizationId, memberId);
  if (heir.id === owner.id) throw new HttpError(409, 'member_is_owner', 'This member is the owner already.');
  if (heir.status !== 'active') throw new HttpError(409, 'member_not_active', 'Only an active member can become the owner.');
  requireUnbound(heir);
  await beyondTenant(tx, (all) => requireLivingAccount(all, heir.userId));
  await setMember(tx, organizationId, owner.id, { role: 'member', permissions: await fullTree(tx, organizationId) });
  await setMember(tx, organizationId, heir.id, { role: 'owner' });
  for (const member of [owner, heir]) await logMember(tx, person, ip, member.id, member);
  for (const { userId } of [owner, heir]) await endSessionsOf(tx, organizationId, userId);
  await beyondTenant(tx, async (all) => {
    const { name } = await all.selectFrom('organization').select('name').where('id', '=', organizationId).executeTakeFirstOrThrow();
    const people = await all
      .selectFrom('app_user')
      .select(['id', 'email', 'first_name', 'last_name'])
      .where('id', 'in', [owner.userId, heir.userId])
      .execute();
    const next = people.find((one) => one.id === heir.userId)!;
    for (const { email } of people)
      await mailer.file(
        all,
        'security-notice',
        email,
        noticeMail(
          `The ownership of ${name} was handed over`,
          `${next.first_name} ${next.last_name} (${next.email}) is now the owner of ${name}.`,
        ),
      );
  });
}

/** An organization must not be left to an account that cannot sign in. */
async function requireLivingAccount(all: Transaction<Database>, userId: string): Promise<void> {
  const account = await all
    .selectFrom('app_user')
    .select(['status', 'email_confirmed_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
  if (account.status !== 'active' || !account.email_confirmed_at)
    throw new HttpError(409, 'member_not_active', 'Only an active member can become the owner.');
}
