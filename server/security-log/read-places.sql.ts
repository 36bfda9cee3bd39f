/** Where lines of the security log stand, whom they are about, and how people are called there: by three queries for a whole batch. */
import type pg from 'pg';
import { SECURITY_WENT_WELL } from '#contract/security-words.ts';
import type { SecurityEvent } from './security-log.ts';

/** A line as it stands in one organization. */
export interface Place {
  organizationId: string;
  /** Null: nobody that is known. */
  userId: string | null;
  userName: string;
  byName: string | null;
  network: string;
  device: string;
}

export interface Places {
  /** None where no organization is concerned. */
  placesOf(event: SecurityEvent): Place[];
}

interface SessionRow {
  hash: string;
  user_id: string;
  organization_id: string | null;
}

interface MemberRow {
  organization_id: string;
  user_id: string;
  status: string;
  is_active: boolean;
  invited_name: string;
}

interface UserRow {
  id: string;
  name: string;
  is_super_admin: boolean;
}

export async function readPlaces(pool: pg.Pool, events: readonly SecurityEvent[]): Promise<Places> {
  const { rows: sessions } = await pool.query<SessionRow>(
    `select encode(token_hash, 'hex') as hash, user_id, organization_id from session where token_hash in (select decode(hash, 'hex') from unnest($1::text[]) as hash)`,
    [distinct(events.map(({ subject }) => ('tokenHash' in subject ? subject.tokenHash : null)))],
  );
  const named = events.flatMap(({ subject, byUserId }) => ['userId' in subject ? subject.userId : null, byUserId]);
  const userIds = distinct([...named, ...sessions.map((row) => row.user_id)]);
  const { rows: members } = await pool.query<MemberRow>(
    `select m.organization_id, m.user_id, m.status, o.status = 'active' as is_active,
        coalesce(nullif(trim(m.invited_first_name || ' ' || m.invited_last_name), ''), m.invited_email, '') as invited_name
      from team_member m join organization o on o.id = m.organization_id where m.user_id = any($1::uuid[])`,
    [userIds],
  );
  const { rows: users } = await pool.query<UserRow>(
    `select id, coalesce(nullif(trim(first_name || ' ' || last_name), ''), email) as name, is_super_admin from app_user where id = any($1::uuid[])`,
    [userIds],
  );
  const people = new Map(users.map((row) => [row.id, row]));
  const teams = new Map<string, MemberRow[]>();
  for (const row of members) teams.set(row.user_id, [...(teams.get(row.user_id) ?? []), row]);
  const memberOf = (userId: string, organizationId: string) => teams.get(userId)?.find((row) => row.organization_id === organizationId);

  /** An account's name is the organization's to know once the person has joined; before, it knows what it invited them by. */
  function nameAt(organizationId: string, userId: string): string {
    const [person, member] = [people.get(userId), memberOf(userId, organizationId)];
    if (person?.is_super_admin || JOINED.includes(member?.status ?? '')) return person?.name ?? '';
    return member?.invited_name ?? '';
  }

  const isOfTeam = (organizationId: string, userId: string): boolean =>
    !!people.get(userId)?.is_super_admin || ['active', 'disabled'].includes(memberOf(userId, organizationId)?.status ?? '');

  /** Of an organization that has disabled the person, what was refused at its own address. One who was removed is a stranger. */
  function teamsOf(userId: string, { calledAt, outcome }: SecurityEvent): string[] {
    const isTheirs = ({ organization_id, status }: MemberRow) =>
      status === 'active' || (status === 'disabled' && organization_id === calledAt && !SECURITY_WENT_WELL.includes(outcome));
    return (teams.get(userId) ?? []).filter((row) => row.is_active && isTheirs(row)).map((row) => row.organization_id);
  }

  function concerned(event: SecurityEvent): { organizationId: string; userId: string | null }[] {
    const { subject, calledAt } = event;
    if ('organizationId' in subject) return [subject];
    if ('isStranger' in subject) return calledAt === null ? [] : [{ organizationId: calledAt, userId: null }];
    const at = (userId: string) => teamsOf(userId, event).map((organizationId) => ({ organizationId, userId }));
    if ('isAnywhere' in subject) return at(subject.userId);
    const session = sessions.find(({ hash }) => hash === subject.tokenHash);
    if (!session) return [];
    return session.organization_id ? [{ organizationId: session.organization_id, userId: session.user_id }] : at(session.user_id);
  }

  return {
    placesOf: (event) =>
      concerned(event).map(({ organizationId, userId }) => {
        const { byUserId, network, device } = event;
        const actor = byUserId ?? userId;
        // From where somebody calls who is not of the team is not the organization's to know.
        const isKept = actor === null || isOfTeam(organizationId, actor);
        return {
          ...{ organizationId, userId, userName: userId ? nameAt(organizationId, userId) : '' },
          byName: byUserId && nameAt(organizationId, byUserId),
          ...(isKept ? { network, device } : { network: '', device: '' }),
        };
      }),
  };
}

const JOINED = ['active', 'disabled', 'removed'];
const distinct = (ids: readonly (string | null)[]): string[] => [...new Set(ids.filter((id): id is string => id !== null))];
