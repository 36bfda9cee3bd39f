/** Inviting somebody to the team, and inviting again. */
import type { Transaction } from 'kysely';
import type { BoundTo, RegionPermission } from '#contract/session.ts';
import type { Database } from '#db/types.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { beyondTenant } from '#server/kit/tenant.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { requireAddress } from '#server/session/require-address.ts';
import { mayMail } from '#server/session/sign-in-tries.ts';
import { issueToken } from '#server/token/one-time-token.ts';
import { bindingColumns } from './bind-member.ts';
import { invitationMail } from './team.mail.ts';
import { endEntrances, lockMemberOfUser, setMember } from './team.sql.ts';

export interface Invitation {
  organizationId: string;
  inviter: { userId: string; name: string };
  email: string;
  firstName: string;
  lastName: string;
  permissions: RegionPermission[];
  /** To the portal of a company. */
  bound?: BoundTo | null;
  /** Not sent yet: nobody writes to strangers in the name of somebody whose own address is unconfirmed. */
  isHeld?: boolean;
}

export interface InvitingParts {
  mailer: Mailer;
  addresses: Addresses;
}

type Tx = Transaction<Database>;

/** In the organization's tenant transaction; returns the member's id. Somebody who rejected or was removed may be invited again. */
export async function inviteMember(tx: Tx, parts: InvitingParts, invitation: Invitation): Promise<string> {
  const { organizationId, permissions, inviter } = invitation;
  const userId = await beyondTenant(tx, (all) => findOrInsertUser(all, invitation));
  const known = await lockMemberOfUser(tx, organizationId, userId);
  if (known && (known.status === 'active' || known.status === 'disabled'))
    throw new HttpError(409, 'member_exists', 'This person is on your team already.');
  if (known?.status === 'invited')
    throw new HttpError(409, 'member_invited', 'This person is invited already. Send the invitation again if it did not arrive.');
  const asked = {
    ...({ status: 'invited', role: 'member', permissions, invited_by: inviter.userId, invited_at: new Date() } as const),
    invited_email: requireAddress(invitation.email),
    invited_first_name: invitation.firstName.trim(),
    invited_last_name: invitation.lastName.trim(),
    ...bindingColumns(invitation.bound ?? null),
  };
  const memberId = known?.id ?? newId();
  if (known) await setMember(tx, organizationId, memberId, asked);
  else await insertMember(tx, { ...asked, organization_id: organizationId, id: memberId, user_id: userId });
  if (!invitation.isHeld)
    await beyondTenant(tx, (all) => sendInvitation(all, parts, { organizationId, memberId, userId, inviter: inviter.name }));
  return memberId;
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
    invited_email: string;
    invited_first_name: string;
    invited_last_name: string;
    buyer_id: string | null;
    publisher_id: string | null;
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

/** The account of this address, or a new one without name and password: it opens nothing until the person answers. */
async function findOrInsertUser(tx: Tx, { email }: Invitation): Promise<string> {
  const plain = requireAddress(email);
  await tx
    .insertInto('app_user')
    .values({ id: newId(), email: plain, first_name: '', last_name: '' })
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
  const { email, firstName } = await getInvited(tx, organizationId, memberId);
  if (!(await mayMail(tx, 'invitation', email)))
    throw new HttpError(429, 'invitation_rate_limited', 'This address was sent many invitations already. Try again in an hour.', {
      retryAfterSeconds: 3600,
    });
  await endEntrances(tx, organizationId, userId);
  const token = await issueToken(tx, 'invitation', { userId, organizationId, teamMemberId: memberId });
  const organization = await tx.selectFrom('organization').select('name').where('id', '=', organizationId).executeTakeFirstOrThrow();
  const url = `${addresses.origin()}/invitation/${token}`;
  await mailer.file(tx, 'invitation', email, invitationMail({ firstName, inviter, organization: organization.name, url }));
}

async function getInvited(tx: Tx, organizationId: string, memberId: string): Promise<{ email: string; firstName: string }> {
  const row = await tx
    .selectFrom('team_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['u.email', 'm.invited_first_name'])
    .where('m.organization_id', '=', organizationId)
    .where('m.id', '=', memberId)
    .executeTakeFirstOrThrow();
  return { email: row.email, firstName: row.invited_first_name };
}

/**
 * Sends what an owner's registration held back until its link was followed. Whoever confirms the address in another way, by a new
 * password or an invitation, may not be who registered: those send what they want from the team's page. For the installation's own role.
 */
export async function sendHeldInvitations(
  tx: Tx,
  parts: InvitingParts,
  owner: { id: string; first_name: string; last_name: string },
): Promise<void> {
  const held = await tx
    .selectFrom('team_member as m')
    .select(['m.organization_id', 'm.id', 'm.user_id'])
    .where('m.invited_by', '=', owner.id)
    .where('m.status', '=', 'invited')
    .where((eb) => eb.not(eb.exists(eb.selectFrom('one_time_token as t').select('t.user_id').whereRef('t.team_member_id', '=', 'm.id'))))
    .orderBy('m.id')
    .execute();
  const inviter = `${owner.first_name} ${owner.last_name}`.trim();
  for (const { organization_id, id, user_id } of held)
    await sendInvitation(tx, parts, { organizationId: organization_id, memberId: id, userId: user_id, inviter }).catch((error) => {
      // An address that had many invitations waits; the owner can send this one again from the team's page.
      if (!(error instanceof HttpError)) throw error;
    });
}
