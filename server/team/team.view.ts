import type { OnlineUserView, TeamMemberView } from '#contract/team.ts';
import { nameDevice } from '#server/session/name-device.ts';
import { readBound } from '#server/session/session.sql.ts';
import { TOKEN_LASTS_MS } from '#server/token/one-time-token.ts';
import type { listMembers } from './team.sql.ts';

type Row = Awaited<ReturnType<typeof listMembers>>[number];

export function viewMember(
  row: Row,
  selfId: string,
  companies: ReadonlyMap<string, { name: string; isArchived: boolean }>,
  now = Date.now(),
): TeamMemberView {
  const invitedAt = row.invited_at?.getTime();
  const bound = readBound(row);
  const isUnanswered = row.status === 'invited' || row.status === 'rejected';
  const known = isUnanswered
    ? {
        userId: null,
        email: row.invited_email ?? '',
        first_name: row.invited_first_name,
        last_name: row.invited_last_name,
        isTwoFactorOn: null,
      }
    : {
        userId: row.user_id,
        email: row.email ?? '',
        first_name: row.first_name ?? '',
        last_name: row.last_name ?? '',
        isTwoFactorOn: row.mfa_enabled_at !== null,
      };
  return {
    _id: row.id,
    ...known,
    role: row.role as TeamMemberView['role'],
    status: row.status as TeamMemberView['status'],
    invitedAt: row.invited_at?.toISOString() ?? null,
    isExpired: row.status === 'invited' && invitedAt !== undefined && invitedAt + TOKEN_LASTS_MS.invitation <= now,
    lastSeenAt: row.seen_at?.toISOString() ?? null,
    isRestricted: row.restricted_user_ids.includes(row.user_id),
    isSelf: row.user_id === selfId,
    bound: bound && {
      ...bound,
      companyName: companies.get(bound.companyId)?.name ?? '',
      isArchived: companies.get(bound.companyId)?.isArchived ?? false,
    },
    permissions: row.permissions as TeamMemberView['permissions'],
  };
}

export interface OnlineRow {
  id: string;
  user_id: string;
  first_name: string;
  last_name: string;
  email: string;
  address: string;
  user_agent: string;
  created_at: Date;
  seen_at: Date;
}

/** Colleagues see names; how and from where somebody signed in is for who runs the team, and for themselves. */
export function viewOnline(row: OnlineRow, ownSessionId: string | undefined, runsTeam: boolean): OnlineUserView {
  const isOwnSession = row.id === ownSessionId;
  const tells = runsTeam || isOwnSession;
  return {
    _id: row.id,
    userId: row.user_id,
    first_name: row.first_name,
    last_name: row.last_name,
    email: tells ? row.email : '',
    device: tells ? nameDevice(row.user_agent) : '',
    network: tells ? row.address : '',
    since: row.created_at.toISOString(),
    lastSeenAt: row.seen_at.toISOString(),
    isOwnSession,
  };
}
