/** Inviting somebody to the team, and inviting again. */
import type { Transaction } from 'kysely';
import type { RegionPermission } from '#contract/session.ts';
import type { Database } from '#db/types.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { beyondTenant } from '#server/kit/tenant.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { requireAddress } from '#server/session/require-address.ts';
import { mayMail } from '#server/session/sign-in-tries.ts';
import { issueToken } from '#server/token/one-time-token.ts';
import { invitationMail } from './team.mail.ts';
import { endEntrances, lockMemberOfUser, setMember } from './team.sql.ts';

export interface Invitation {
  organizationId: string;
  inviter: { userId: string; name: string };
  email: string;
  firstName: string;
  lastName: string;
  permissions: RegionPermission[];
}

export interface InvitingParts {
  mailer: Mailer;
  addresses: Addresses;
}

type Tx = Transaction<Database>;

/** In the organization's tenant transaction. Somebody who rejected or was removed may be invited again. */
export async function inviteMember(tx: Tx, parts: InvitingParts, invitation: Invitation): Promise<void> {
  const { organizationId, permissions, inviter } = invitation;
  const userId = await beyondTenant(tx, (all) => findOrInsertUser(all, invitation));
  const known = await lockMemberOfUser(tx, organizationId, userId);
  if (known && (known.status === 'active' || known.status === 'disabled'))
    throw new HttpError(409, 'member_exists', 'This person is on your team already.');
  if (known?.status === 'invited')
    throw new HttpError(409, 'member_invited', 'This person is invited already. Send the invitation again if it did not arrive.');
  const asked = { status: 'invited', role: 'member', permissions, invited_by: inviter.userId, invited_at: new Date() } as const;
  const memberId = known?.id ?? newId();
  if (known) await setMember(tx, organizationId, memberId, asked);
  else await insertMember(tx, { ...asked, organization_id: organizationId, id: memberId, user_id: userId });
  await beyondTenant(tx, (all) => sendInvitation(all, parts, { organizationId, memberId, userId, inviter: inviter.name }));
}

async function insertMember(
  tx: Tx,
  row: {
    organization_id: string;
    id: string;
    user_id: string;
    role: string;
    status: string;
    permissions: RegionPermission[];
    invited_by: string;
    invited_at: Date;
  },
): Promise<void> {
  const inserted = await tx
    .insertInto('team_member')
    .values({ ...row, permissions: JSON.stringify(row.permissions) })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n)
    throw new HttpError(409, 'member_invited', 'This person is invited already. Send the invitation again if it did not arrive.');
}

/** The account of this address, or a new one without a password: it opens nothing until the person answers. */
async function findOrInsertUser(tx: Tx, { email, firstName, lastName }: Invitation): Promise<string> {
  const plain = requireAddress(email);
  await tx
    .insertInto('app_user')
    .values({ id: newId(), email: plain, first_name: firstName.trim(), last_name: lastName.trim() })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .execute();
  const row = await tx.selectFrom('app_user').select('id').where('email', '=', plain).executeTakeFirstOrThrow();
  return row.id;
}

/** A new link; whatever link there was before ends. For the installation's own role. */
export async function sendInvitation(
  tx: Tx,
  { mailer, addresses }: InvitingParts,
  { organizationId, memberId, userId, inviter }: { organizationId: string; memberId: string; userId: string; inviter: string },
): Promise<void> {
  const { email } = await tx.selectFrom('app_user').select('email').where('id', '=', userId).executeTakeFirstOrThrow();
  if (!(await mayMail(tx, 'invitation', email)))
    throw new HttpError(429, 'invitation_rate_limited', 'This address was sent many invitations already. Try again in an hour.', {
      retryAfterSeconds: 3600,
    });
  await endEntrances(tx, organizationId, userId);
  const token = await issueToken(tx, 'invitation', { userId, organizationId, teamMemberId: memberId });
  const user = await tx.selectFrom('app_user').select(['email', 'first_name']).where('id', '=', userId).executeTakeFirstOrThrow();
  const organization = await tx.selectFrom('organization').select('name').where('id', '=', organizationId).executeTakeFirstOrThrow();
  const url = `${addresses.origin()}/invitation/${token}`;
  await mailer.file(
    tx,
    'invitation',
    user.email,
    invitationMail({ firstName: user.first_name, inviter, organization: organization.name, url }),
  );
}
