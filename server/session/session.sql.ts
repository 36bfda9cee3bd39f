/** Sessions are rows; the cookie holds 256 random bits and the row only their hash. */
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { BoundTo, RegionPermission } from '#contract/session.ts';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { endTokens } from '#server/token/one-time-token.ts';
import { NO_PROOF, type Proof, readProof } from './proof.ts';

export interface SignedIn {
  sessionId: string;
  userId: string;
  email: string;
  firstName: string;
  lastName: string;
  isSuperAdmin: boolean;
  organizationId: string;
  /** owner or member; null for a super admin who is not on the team. */
  role: 'owner' | 'member' | null;
  permissions: RegionPermission[];
  /** A member of a portal: everything but that company's home is closed (signed-in.ts). */
  bound: BoundTo | null;
  /** Named in the organization's allowFSUsers (account §6). */
  isRestricted: boolean;
  isActivated: boolean;
  lastPage: LastPage | null;
  /** The zone the person reports in; null follows the organization. */
  reportingTimeZone: string | null;
  expiresAt: Date;
  /** How the person was last known in this session. */
  proof: Proof;
  hasSecondFactor: boolean;
}

/** Where somebody was when the last session ended. */
export interface LastPage {
  url: string;
  timeStamp: { timespan: string; startDate: string; endDate: string } | null;
}

/** mfa-setup and mfa-code wait for the second factor; full without an organization waits for a choice. */
export type SessionStage = 'mfa-setup' | 'mfa-code' | 'full';

export interface NewSession {
  userId: string;
  organizationId: string | null;
  stage: SessionStage;
  /** Of the credentials it began with, as they were when they were looked at. */
  credentialEpoch: number;
  /** Where it began: shown to the person, to tell sessions apart. */
  address: string;
  userAgent: string;
  /** When it goes on with another session: that one's end. */
  endsAt?: Date | null | undefined;
  proof: Proof;
}

const SESSION_MS = 12 * 3_600_000;
const PENDING_MS = 10 * 60_000;
/** The console signs out after 30 minutes and a minute's warning (console §4); a browser that is gone cannot, so the server does. */
export const IDLE_MS = 35 * 60_000;
const SEEN_EVERY_MS = 60_000;

/** Begins a session and returns the cookie's value and the session's name. */
export async function insertSession(db: Db, session: NewSession): Promise<{ token: string; sessionId: string }> {
  const token = randomBytes(32).toString('base64url');
  const { credential_epoch } = await getUser(db, session.userId);
  if (credential_epoch !== session.credentialEpoch)
    throw new HttpError(401, 'session_refused', 'The password was changed a moment ago. Sign in with the new one.');
  const isWaiting = session.stage !== 'full' || session.organizationId === null;
  const { id } = await db
    .insertInto('session')
    .values({
      token_hash: sha256(token),
      user_id: session.userId,
      organization_id: session.organizationId,
      stage: session.stage,
      credential_epoch: session.credentialEpoch,
      address: session.address,
      user_agent: session.userAgent.slice(0, 300),
      proof: JSON.stringify(session.proof),
      expires_at: session.endsAt ?? new Date(Date.now() + (isWaiting ? PENDING_MS : SESSION_MS)),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  if (session.stage === 'full' && session.organizationId) await markMemberSeen(db, session.userId, session.organizationId, new Date());
  return { token, sessionId: id };
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
      's.id as session_id',
      's.seen_at',
      's.expires_at',
      's.proof',
      'u.mfa_enabled_at',
      'u.id',
      'u.email',
      'u.first_name',
      'u.last_name',
      'u.is_super_admin',
    ])
    .select([
      'u.email_confirmed_at',
      'u.last_page',
      'u.reporting_time_zone',
      'o.id as organization_id',
      'o.restricted_user_ids',
      'm.role',
      'm.permissions',
      'm.buyer_id',
      'm.publisher_id',
    ])
    .where('s.token_hash', '=', sha256(token))
    .where('s.stage', '=', 'full')
    .whereRef('s.credential_epoch', '=', 'u.credential_epoch')
    .where('s.expires_at', '>', new Date())
    .where('s.seen_at', '>', new Date(Date.now() - IDLE_MS))
    .where('u.status', '=', 'active')
    .where('o.status', '=', 'active')
    .executeTakeFirst();
  if (!row || (row.role === null && !row.is_super_admin)) return undefined;
  const bound = row.is_super_admin ? null : readBound(row);
  return {
    sessionId: row.session_id,
    userId: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    isSuperAdmin: row.is_super_admin,
    organizationId: row.organization_id,
    role: row.role as 'owner' | 'member' | null,
    permissions: bound ? [] : ((row.permissions as RegionPermission[] | null) ?? []),
    bound,
    isRestricted: row.restricted_user_ids.includes(row.id),
    isActivated: row.email_confirmed_at !== null,
    lastPage: row.last_page as LastPage | null,
    reportingTimeZone: row.reporting_time_zone,
    expiresAt: row.expires_at,
    proof: readProof(row.proof),
    hasSecondFactor: row.mfa_enabled_at !== null,
  };
}

/** Notes that the person of a session gave factors just now, and leaves what they gave before. */
export async function setProof(db: Db, sessionId: string, given: Partial<Proof>): Promise<void> {
  await db
    .updateTable('session')
    .set({ proof: sql`proof || ${JSON.stringify(given)}::jsonb` })
    .where('id', '=', sessionId)
    .execute();
}

/** Who somebody is in an organization right now, away from any session: what goes on without them asks whether they still may. */
export async function findPerson(db: Db, userId: string, organizationId: string): Promise<SignedIn | undefined> {
  const row = await db
    .selectFrom('app_user as u')
    .innerJoin('organization as o', (join) => join.on('o.id', '=', organizationId))
    .leftJoin('team_member as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').onRef('m.organization_id', '=', 'o.id').on('m.status', '=', 'active'),
    )
    .select(['u.id', 'u.email', 'u.first_name', 'u.last_name', 'u.is_super_admin', 'u.email_confirmed_at', 'u.reporting_time_zone'])
    .select(['u.mfa_enabled_at', 'o.restricted_user_ids', 'm.role', 'm.permissions', 'm.buyer_id', 'm.publisher_id'])
    .where('u.id', '=', userId)
    .where('u.status', '=', 'active')
    .where('o.status', '=', 'active')
    .executeTakeFirst();
  if (!row || (row.role === null && !row.is_super_admin)) return undefined;
  const bound = row.is_super_admin ? null : readBound(row);
  return {
    ...{ sessionId: '', userId: row.id, email: row.email, firstName: row.first_name, lastName: row.last_name, organizationId },
    ...{ isSuperAdmin: row.is_super_admin, role: row.role as SignedIn['role'], bound, lastPage: null },
    permissions: bound ? [] : ((row.permissions as RegionPermission[] | null) ?? []),
    isRestricted: row.restricted_user_ids.includes(row.id),
    isActivated: row.email_confirmed_at !== null,
    reportingTimeZone: row.reporting_time_zone,
    expiresAt: new Date(),
    proof: NO_PROOF,
    hasSecondFactor: row.mfa_enabled_at !== null,
  };
}

/** Of a row of team_member. Who operates the installation is bound to nobody. */
export function readBound({ buyer_id, publisher_id }: { buyer_id: string | null; publisher_id: string | null }): BoundTo | null {
  if (buyer_id !== null) return { kind: 'buyer', companyId: buyer_id };
  return publisher_id === null ? null : { kind: 'publisher', companyId: publisher_id };
}

/** Notes that the person is there, for lists of sessions and of the team; a row moves at most once a minute. */
export async function touchSession(db: Db, person: Pick<SignedIn, 'sessionId' | 'userId' | 'organizationId'>): Promise<void> {
  const seen_at = new Date();
  const moved = await db
    .updateTable('session')
    .set({ seen_at })
    .where('id', '=', person.sessionId)
    .where('seen_at', '<', new Date(seen_at.getTime() - SEEN_EVERY_MS))
    .executeTakeFirst();
  if (moved.numUpdatedRows > 0n) await markMemberSeen(db, person.userId, person.organizationId, seen_at);
}

async function markMemberSeen(db: Db, userId: string, organizationId: string, seen_at: Date): Promise<void> {
  await db
    .updateTable('team_member')
    .set({ seen_at })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .execute();
}

export interface WaitingSession {
  sessionId: string;
  userId: string;
  stage: SessionStage;
  proof: Proof;
}

/** A sign-in that is not over: it waits for the second factor, or for an organization to be chosen. */
export async function findWaiting(db: Db, token: string): Promise<WaitingSession | undefined> {
  const row = await db
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.stage', 's.proof'])
    .where('s.token_hash', '=', sha256(token))
    .where((eb) => eb.or([eb('s.stage', '<>', 'full'), eb('s.organization_id', 'is', null)]))
    .whereRef('s.credential_epoch', '=', 'u.credential_epoch')
    .where('s.expires_at', '>', new Date())
    .where('u.status', '=', 'active')
    .executeTakeFirst();
  return row && { sessionId: row.id, userId: row.user_id, stage: row.stage as SessionStage, proof: readProof(row.proof) };
}

/** A person's running sessions, the newest first. */
export function listSessions(db: Db, userId: string) {
  return db
    .selectFrom('session as s')
    .innerJoin('organization as o', 'o.id', 's.organization_id')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .whereRef('s.credential_epoch', '=', 'u.credential_epoch')
    .select(['s.id', 'o.name as organization', 's.user_agent', 's.address', 's.created_at', 's.seen_at'])
    .where('s.user_id', '=', userId)
    .where('s.stage', '=', 'full')
    .where('s.expires_at', '>', new Date())
    .where('s.seen_at', '>', new Date(Date.now() - IDLE_MS))
    .orderBy('s.created_at', 'desc')
    .execute();
}

/** Ends one session of the person's, with what it may have handed over; false when there is no such session. */
export async function endSession(db: Db, userId: string, sessionId: string): Promise<boolean> {
  await endTokens(db, 'hand-over', userId);
  const gone = await db.deleteFrom('session').where('user_id', '=', userId).where('id', '=', sessionId).executeTakeFirst();
  return gone.numDeletedRows > 0n;
}

/** Ends every session of a person, but for one when it is named, and every hand-over that is on its way to become one. */
export async function endSessions(db: Db, userId: string, butFor?: string): Promise<void> {
  await endTokens(db, 'hand-over', userId);
  let ending = db.deleteFrom('session').where('user_id', '=', userId);
  if (butFor) ending = ending.where('id', '<>', butFor);
  await ending.execute();
}

export async function setLastPage(db: Db, userId: string, lastPage: LastPage): Promise<void> {
  await db
    .updateTable('app_user')
    .set({ last_page: JSON.stringify(lastPage) })
    .where('id', '=', userId)
    .execute();
}

export async function findUserByEmail(db: Db, email: string) {
  return db.selectFrom('app_user').selectAll().where('email', '=', email).where('status', '=', 'active').executeTakeFirst();
}

export async function findUser(db: Db, userId: string) {
  return db.selectFrom('app_user').selectAll().where('id', '=', userId).where('status', '=', 'active').executeTakeFirst();
}

/** Somebody who was found a moment ago; throws when they are gone. */
export async function getUser(db: Db, userId: string) {
  return db.selectFrom('app_user').selectAll().where('id', '=', userId).where('status', '=', 'active').executeTakeFirstOrThrow();
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUser>>>;

/** Organizations a person may enter, by name: those of the team; a super admin's are all. */
export async function listOrganizations(db: Db, user: { id: string; isSuperAdmin: boolean }) {
  let organizations = db
    .selectFrom('organization as o')
    .select(['o.id', 'o.name', 'o.sub_domain', 'o.time_zone', 'o.currency', 'o.legal_footer', 'o.preferences'])
    .select(['o.logo_version', 'o.light_logo_version'])
    .where('o.status', '=', 'active');
  if (!user.isSuperAdmin)
    organizations = organizations.where((eb) =>
      eb.exists(
        eb
          .selectFrom('team_member as m')
          .select('m.id')
          .whereRef('m.organization_id', '=', 'o.id')
          .where('m.user_id', '=', user.id)
          .where('m.status', '=', 'active'),
      ),
    );
  return organizations.orderBy('o.name').execute();
}
