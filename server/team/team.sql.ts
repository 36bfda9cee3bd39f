/** Members of one organization. Every query runs in the organization's tenant transaction, and names the organization as well. */
import { sql } from 'kysely';
import type { BoundTo, RegionPermission, RegionView } from '#contract/session.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { readBound } from '#server/session/session.sql.ts';

export interface MemberRow {
  id: string;
  userId: string;
  role: 'owner' | 'member';
  status: 'invited' | 'active' | 'disabled' | 'rejected' | 'removed';
  permissions: RegionPermission[];
  bound: BoundTo | null;
}

const MEMBER_COLUMNS = ['id', 'user_id', 'role', 'status', 'permissions', 'buyer_id', 'publisher_id'] as const;

/** Everybody on the team and everybody invited; who was removed is not on the list. */
export async function listMembers(db: Db, organizationId: string) {
  return (
    db
      .selectFrom('team_member as m')
      // Of somebody who has not answered, the second wall shows no account: only what was typed.
      .leftJoin('app_user as u', 'u.id', 'm.user_id')
      .innerJoin('organization as o', 'o.id', 'm.organization_id')
      .select(['m.id', 'm.user_id', 'm.role', 'm.status', 'm.permissions', 'm.invited_at', 'm.seen_at', 'm.buyer_id', 'm.publisher_id'])
      .select(['m.invited_email', 'm.invited_first_name', 'm.invited_last_name'])
      .select(['u.email', 'u.first_name', 'u.last_name', 'u.mfa_enabled_at', 'o.restricted_user_ids'])
      .where('m.organization_id', '=', organizationId)
      .where('m.status', '<>', 'removed')
      .orderBy(sql`m.role = 'owner' desc`)
      .orderBy('u.first_name')
      .orderBy('m.id')
      .execute()
  );
}

/** Locks the member for the rest of the transaction; another organization's answers as one that is not there. */
export async function lockMember(db: Db, organizationId: string, id: string): Promise<MemberRow> {
  const row = isId(id)
    ? await db
        .selectFrom('team_member')
        .select(MEMBER_COLUMNS)
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .where('status', '<>', 'removed')
        .forUpdate()
        .executeTakeFirst()
    : undefined;
  if (!row) throw new HttpError(404, 'member_unknown', 'There is no such member on your team.');
  return viewRow(row);
}

export async function lockMemberOfUser(db: Db, organizationId: string, userId: string): Promise<MemberRow | undefined> {
  const row = await db
    .selectFrom('team_member')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row && viewRow(row);
}

export async function lockOwner(db: Db, organizationId: string): Promise<MemberRow | undefined> {
  const row = await db
    .selectFrom('team_member')
    .select(MEMBER_COLUMNS)
    .where('organization_id', '=', organizationId)
    .where('role', '=', 'owner')
    .where('status', '=', 'active')
    .orderBy('id')
    .forUpdate()
    .executeTakeFirst();
  return row && viewRow(row);
}

function viewRow(row: {
  id: string;
  user_id: string;
  role: string;
  status: string;
  permissions: unknown;
  buyer_id: string | null;
  publisher_id: string | null;
}): MemberRow {
  return {
    id: row.id,
    userId: row.user_id,
    role: row.role as MemberRow['role'],
    status: row.status as MemberRow['status'],
    permissions: row.permissions as RegionPermission[],
    bound: readBound(row),
  };
}

export async function setMember(
  db: Db,
  organizationId: string,
  id: string,
  change: {
    role?: MemberRow['role'];
    status?: MemberRow['status'];
    permissions?: RegionPermission[];
    invited_by?: string;
    invited_at?: Date;
    buyer_id?: string | null;
    publisher_id?: string | null;
  },
): Promise<void> {
  const { permissions, ...rest } = change;
  await db
    .updateTable('team_member')
    .set({ ...rest, ...(permissions && { permissions: JSON.stringify(permissions) }) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** A change of what somebody may ends every session in this organization: the next one begins with what holds now. Returns how many there were. */
export async function endSessionsOf(db: Db, organizationId: string, userId: string): Promise<number> {
  const gone = await db
    .deleteFrom('session')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return Number(gone.numDeletedRows);
}

/** Ends what could still open this organization to somebody: invitations and hand-overs. For the installation's own role. */
export async function endEntrances(db: Db, organizationId: string, userId: string): Promise<void> {
  await db
    .updateTable('one_time_token')
    .set({ expires_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('purpose', 'in', ['invitation', 'hand-over'])
    .where('used_at', 'is', null)
    .execute();
}

/** Regions, with their verticals, but no archived ones: what permissions are ticked in. */
export async function listPlaces(db: Db, organizationId: string) {
  const [regions, verticals] = await Promise.all([
    db
      .selectFrom('region')
      .select(['id', 'slug', 'name', 'country'])
      .where('organization_id', '=', organizationId)
      .where('status', '<>', 'archived')
      .orderBy('id')
      .execute(),
    db
      .selectFrom('vertical')
      .select(['id', 'slug', 'name', 'uid', 'region_id'])
      .where('organization_id', '=', organizationId)
      .where('status', '<>', 'archived')
      .orderBy('id')
      .execute(),
  ]);
  return {
    regions: regions.map(({ id, slug, name, country }) => ({ _id: id, slug, name, country: country as RegionView['country'] })),
    verticals: verticals.map(({ id, slug, name, uid, region_id }) => ({ _id: id, slug, name, uid, regionId: region_id })),
  };
}
