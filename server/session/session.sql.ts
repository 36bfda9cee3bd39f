/** Sessions are rows; the cookie holds 256 random bits and the row only their hash. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { RegionPermission } from '#contract/session.ts';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';

export interface SignedIn {
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  isSuperAdmin: boolean;
  organizationId: string;
  /** owner or member; null for a super admin who is not on the team. */
  role: 'owner' | 'member' | null;
  permissions: RegionPermission[];
  /** Named in the organization's allowFSUsers (account §6). */
  isRestricted: boolean;
  isActivated: boolean;
  lastPage: LastPage | null;
  /** The zone the person reports in; null follows the organization. */
  reportingTimeZone: string | null;
}

/** Where somebody was when the last session ended. */
export interface LastPage {
  url: string;
  timeStamp: { timespan: string; startDate: string; endDate: string } | null;
}

const SESSION_MS = 12 * 3_600_000;

/** How a session begins: whole unless the second factor is still to be shown, and from where. */
export interface SessionStart {
  stage?: 'mfa-setup' | 'mfa-code' | 'full';
  address?: string;
  userAgent?: string;
}

/** Begins a session and returns the cookie's value. */
export async function insertSession(db: Db, userId: string, organizationId: string, start: SessionStart = {}): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(Date.now() + SESSION_MS);
  await db
    .insertInto('session')
    .values({
      token_hash: sha256(token),
      user_id: userId,
      organization_id: organizationId,
      expires_at,
      stage: start.stage ?? 'full',
      address: start.address ?? '',
      user_agent: (start.userAgent ?? '').slice(0, 300),
    })
    .execute();
  if (start.stage === undefined || start.stage === 'full') await markMemberSeen(db, userId, organizationId, new Date());
  return token;
}

export async function deleteSession(db: Db, token: string): Promise<void> {
  await db.deleteFrom('session').where('token_hash', '=', sha256(token)).execute();
}

/** Who this is, right now: a disabled user or member, or a suspended organization, ends every session at once. */
export async function findSession(db: Db, token: string): Promise<SignedIn | undefined> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .innerJoin('organization as o', 'o.id', 's.organization_id')
    .leftJoin('team_member as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').onRef('m.organization_id', '=', 's.organization_id').on('m.status', '=', 'active'),
    )
    .select([
      'u.id',
      'u.email',
      'u.first_name',
      'u.last_name',
      'u.is_super_admin',
      'o.id as organization_id',
      'm.role',
      'm.permissions',
      'u.email_confirmed_at',
      'u.last_page',
      'u.reporting_time_zone',
      's.seen_at',
      's.id as session_id',
      'o.restricted_user_ids',
    ])
    .where('s.token_hash', '=', sha256(token))
    .where('s.stage', '=', 'full')
    .where('s.expires_at', '>', new Date())
    .where('u.status', '=', 'active')
    .where('o.status', '=', 'active')
    .executeTakeFirst();
  if (!row || (row.role === null && !row.is_super_admin)) return undefined;
  if (Date.now() - row.seen_at.getTime() > SEEN_EVERY_MS) await markSeen(db, row.session_id, row.id, row.organization_id);
  return {
    userId: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    isSuperAdmin: row.is_super_admin,
    organizationId: row.organization_id,
    role: row.role as 'owner' | 'member' | null,
    permissions: (row.permissions as RegionPermission[] | null) ?? [],
    isRestricted: row.restricted_user_ids.includes(row.id),
    isActivated: row.email_confirmed_at !== null,
    lastPage: row.last_page as LastPage | null,
    reportingTimeZone: row.reporting_time_zone,
  };
}

/** That somebody is here is written down once a minute, not at every call. */
const SEEN_EVERY_MS = 60_000;

async function markSeen(db: Db, sessionId: string, userId: string, organizationId: string): Promise<void> {
  const seen_at = new Date();
  await db.updateTable('session').set({ seen_at }).where('id', '=', sessionId).execute();
  await markMemberSeen(db, userId, organizationId, seen_at);
}

async function markMemberSeen(db: Db, userId: string, organizationId: string, seen_at: Date): Promise<void> {
  await db
    .updateTable('team_member')
    .set({ seen_at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

export async function findUserByEmail(db: Db, email: string) {
  return db.selectFrom('app_user').selectAll().where('email', '=', email).where('status', '=', 'active').executeTakeFirst();
}

/** Organizations a user may enter, by name. */
export async function listOrganizations(db: Db, userId: string) {
  return (
    db
      .selectFrom('team_member as m')
      .innerJoin('organization as o', 'o.id', 'm.organization_id')
      .select(['o.id', 'o.name', 'o.sub_domain', 'o.time_zone', 'o.currency', 'o.legal_footer', 'o.preferences'])
      // A logo's address changes with the logo.
      .select(sql<string | null>`left(md5(o.logo), 12)`.as('logo_version'))
      .select(sql<string | null>`left(md5(o.light_logo), 12)`.as('light_logo_version'))
      .where('m.user_id', '=', userId)
      .where('m.status', '=', 'active')
      .where('o.status', '=', 'active')
      .orderBy('o.name')
      .execute()
  );
}
