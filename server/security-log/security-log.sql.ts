/** The log of sign-ins and refusals, as the owner reads it. */
import { sql } from 'kysely';
import { SECURITY_WENT_WELL, type SecurityKind, type SecurityOutcome } from '#contract/security-words.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { LOOKED_AT, type LookedPage, pageOf } from '#server/kit/looked-at.ts';

export interface SecurityListing {
  userId?: string | undefined;
  kind?: SecurityKind | undefined;
  outcome?: SecurityOutcome | 'not-done' | undefined;
  /** ISO instants, [from, to). */
  from?: string | undefined;
  to?: string | undefined;
  /** Ids sort by time: what happened before this one. */
  before?: string | undefined;
  limit: number;
}

/** One page, the newest first; what the filters choose is looked for among the newest so many (kit/looked-at.ts). */
export async function findSecurityLines(db: Db, organizationId: string, listing: SecurityListing): Promise<LookedPage<SecurityLine>> {
  const found = await chosen(db, organizationId, listing)
    .orderBy('s.id', 'desc')
    .limit(listing.limit + 1)
    .execute();
  const end = found.length > listing.limit ? null : await findEnd(db, organizationId, listing);
  return pageOf(found, listing.limit, ({ id }) => id, end);
}

/** The line at which a page ends that has looked at as many as it may. */
async function findEnd(db: Db, organizationId: string, listing: SecurityListing): Promise<string | null> {
  const last = await spanOf(db, organizationId, listing)
    .select('s.id')
    .orderBy('s.id', 'desc')
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return last?.id ?? null;
}

export type SecurityLine = Awaited<ReturnType<ReturnType<typeof chosen>['execute']>>[number];

function chosen(db: Db, organizationId: string, listing: SecurityListing) {
  const { kind, outcome, userId } = listing;
  const newest = spanOf(db, organizationId, listing).selectAll('s').orderBy('s.id', 'desc').limit(LOOKED_AT);
  let select = db.selectFrom(newest.as('s')).selectAll('s');
  if (kind) select = select.where('s.kind', '=', kind);
  if (outcome === 'not-done') select = select.where('s.outcome', 'not in', SECURITY_WENT_WELL);
  else if (outcome) select = select.where('s.outcome', '=', outcome);
  if (userId) select = select.where((eb) => eb.or([eb('s.user_id', '=', userId), eb('s.by_user_id', '=', userId)]));
  return select;
}

/** What the key finds. */
function spanOf(db: Db, organizationId: string, { before, from, to }: SecurityListing) {
  let select = db.selectFrom('security_log as s').where('s.organization_id', '=', organizationId);
  if (before) select = select.where('s.id', '<', before);
  // Ids sort by time: a span of time is a span of ids.
  if (from) select = select.where('s.id', '>=', idFloor(Date.parse(from)));
  if (to) select = select.where('s.id', '<', idFloor(Date.parse(to)));
  return select;
}

/** Everybody who is or was on the team, by name. */
export function listTeamEver(db: Db, organizationId: string) {
  const name = sql<string>`coalesce(nullif(trim(u.first_name || ' ' || u.last_name), ''), u.email)`;
  return db
    .selectFrom('team_member as m')
    .innerJoin('app_user as u', 'u.id', 'm.user_id')
    .select(['m.user_id', name.as('name')])
    .where('m.organization_id', '=', organizationId)
    .where('m.status', 'in', ['active', 'disabled', 'removed'])
    .orderBy('name')
    .execute();
}
