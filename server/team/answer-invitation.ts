/** Accepting and rejecting: of two answers at one moment the first counts, and the other hears how it stands. */
import { MESSAGES } from '#contract/message.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { getUser } from '#server/session/session.sql.ts';
import { takeToken } from '#server/token/one-time-token.ts';
import { getInvitation, type InvitationRow, standingOf } from './invitation.sql.ts';
import { noticeOwner } from './notice-owner.ts';
import { noticeMail } from './team.mail.ts';

/** The account an invited person makes while accepting. */
export interface NewAccount {
  firstName: string;
  lastName: string;
  passwordHash: string;
}

/** The invitation, when it waits for an answer; throws what has become of it. */
export async function requireOpenInvitation(db: Db, token: string): Promise<InvitationRow> {
  const invitation = await getInvitation(db, token);
  const standing = standingOf(invitation);
  if (standing !== null) throw closed(standing);
  return invitation;
}

export function closed(standing: 1 | 3 | 4): HttpError {
  if (standing === 1) return new HttpError(409, 'invitation_accepted', MESSAGES.invitaionAlreadyAccepted);
  if (standing === 3) return new HttpError(409, 'invitation_rejected', MESSAGES.invitaionAlreadyRejected);
  return new HttpError(410, 'invitation_deleted', MESSAGES.invitaionDeleted);
}

/** With an account, the link proves the address: it is confirmed, and whatever was set at it before does not count. */
export async function acceptInvitation(db: Db, mailer: Mailer, token: string, account: NewAccount | undefined): Promise<void> {
  await answer(db, token, 'active', async (tx, invitation) => {
    if (account) await openAccount(tx, invitation.user_id, account);
    const { first_name, last_name } = await getUser(tx, invitation.user_id);
    const name = `${first_name} ${last_name}`.trim();
    await noticeOwner(
      tx,
      mailer,
      invitation.organization_id,
      noticeMail(
        `${name} has joined ${invitation.organization_name}`,
        `${name} (${invitation.email}) has accepted the invitation to your team.`,
      ),
    );
  });
}

export async function rejectInvitation(db: Db, mailer: Mailer, token: string): Promise<void> {
  await answer(db, token, 'rejected', async (tx, { organization_id, organization_name, email }) => {
    const content = noticeMail(`${email} has rejected your invitation`, `${email} has rejected the invitation to ${organization_name}.`);
    await noticeOwner(tx, mailer, organization_id, content);
  });
}

async function answer(
  db: Db,
  token: string,
  status: 'active' | 'rejected',
  then: (tx: Db, invitation: InvitationRow) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const invitation = await getInvitation(tx, token);
    // The member before the token, as everybody else who changes an invitation does.
    await tx
      .selectFrom('team_member')
      .select('id')
      .where('organization_id', '=', invitation.organization_id)
      .where('id', '=', invitation.member_id)
      .forUpdate()
      .execute();
    const taken = await takeToken(tx, 'invitation', token);
    const standing = standingOf(taken ? invitation : await getInvitation(tx, token));
    if (!taken || standing !== null) throw closed(standing ?? 4);
    const changed = await tx
      .updateTable('team_member')
      .set({ status, answered_at: new Date() })
      .where('organization_id', '=', invitation.organization_id)
      .where('id', '=', invitation.member_id)
      .where('status', '=', 'invited')
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n) throw closed(standingOf(await getInvitation(tx, token)) ?? 4);
    await then(tx, invitation);
  });
}

async function openAccount(tx: Db, userId: string, { firstName, lastName, passwordHash }: NewAccount): Promise<void> {
  const now = new Date();
  const opened = await tx
    .updateTable('app_user')
    .set({
      first_name: firstName.trim(),
      last_name: lastName.trim(),
      password_hash: passwordHash,
      password_changed_at: now,
      email_confirmed_at: now,
      mfa_secret: null,
      mfa_enabled_at: null,
    })
    .where('id', '=', userId)
    // An account that was confirmed meanwhile keeps its password.
    .where((eb) => eb.or([eb('password_hash', 'is', null), eb('email_confirmed_at', 'is', null)]))
    .executeTakeFirst();
  if (opened.numUpdatedRows === 0n) throw new HttpError(409, 'user_activated', MESSAGES.userAlreadyActivated);
  await tx.deleteFrom('session').where('user_id', '=', userId).execute();
}
