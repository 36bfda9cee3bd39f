/** What an invitation's token leads to, and where the invitation stands. For the installation's own role: the token is the authority. */

import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';

export type InvitationRow = NonNullable<Awaited<ReturnType<typeof findRow>>>;

export async function getInvitation(db: Db, token: string): Promise<InvitationRow> {
  const row = await findRow(db, token);
  if (!row)
    throw new HttpError(
      404,
      'invitation_unknown',
      'There is no such invitation. Open the link of the mail once more, or ask for a new one.',
    );
  return row;
}

async function findRow(db: Db, token: string) {
  return db
    .selectFrom('one_time_token as t')
    .innerJoin('team_member as m', (join) =>
      join.onRef('m.organization_id', '=', 't.organization_id').onRef('m.id', '=', 't.team_member_id'),
    )
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .innerJoin('organization as o', 'o.id', 'm.organization_id')
    .leftJoin('app_user as inviter', 'inviter.id', 'm.invited_by')
    .leftJoin('team_member as of_inviter', (join) =>
      join
        .onRef('of_inviter.organization_id', '=', 'm.organization_id')
        .onRef('of_inviter.user_id', '=', 'm.invited_by')
        .on('of_inviter.status', '=', 'active'),
    )
    .select([
      't.used_at',
      't.expires_at',
      'm.id as member_id',
      'm.status as member_status',
      'o.id as organization_id',
      'o.name as organization_name',
    ])
    .select(['o.status as organization_status', 'u.id as user_id', 'u.email', 'u.password_hash'])
    .select(['m.invited_first_name as first_name', 'm.invited_last_name as last_name'])
    .select([
      'u.email_confirmed_at',
      'u.status as user_status',
      'inviter.is_super_admin as inviter_is_super_admin',
      'of_inviter.id as inviter_member_id',
    ])
    .where('t.token_hash', '=', sha256(token))
    .where('t.purpose', '=', 'invitation')
    .executeTakeFirst();
}

/** Account §2: 1 already accepted, 3 already rejected, 4 deleted or no longer good; null while it waits for an answer. */
export function standingOf(row: InvitationRow, now = Date.now()): 1 | 3 | 4 | null {
  if (row.member_status === 'active' || row.member_status === 'disabled') return 1;
  if (row.member_status === 'rejected') return 3;
  const inviterStands = row.inviter_member_id !== null || row.inviter_is_super_admin === true;
  const isGood = row.used_at === null && row.expires_at.getTime() > now && inviterStands;
  const isOpen = row.member_status === 'invited' && row.organization_status === 'active' && row.user_status === 'active';
  return isGood && isOpen ? null : 4;
}

/** Somebody with a password of their own, at an address that was confirmed: only they may answer as themselves. */
export function isUser(row: InvitationRow): boolean {
  return row.password_hash !== null && row.email_confirmed_at !== null;
}
