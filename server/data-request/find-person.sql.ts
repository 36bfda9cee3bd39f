/** A consumer's leads by the keyed hashes of searchable values, and the pings that came before them. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { idFloor, isId } from '#server/kit/ids.ts';
import { lookupHashes } from '#server/lead/lead-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

/** Holds nothing of the person in plain: hashes that only the organization's key makes, or one lead. */
export interface PersonSought {
  hashes: string[];
  leadIds: string[];
  /** Where to look. */
  verticalIds: string[];
}

/** What came in [since, before) only, in milliseconds since the epoch. `since` narrows what is found by no index. */
export interface SoughtSpan {
  before?: number;
  since?: number;
}

export function seekPerson(organization: OrganizationPlan, verticalIds: string[], text: string): PersonSought {
  const id = text.toLowerCase();
  if (isId(id)) return { hashes: [], leadIds: [id], verticalIds };
  const hashes = verticalIds.flatMap((verticalId) => lookupHashes(organization, verticalId, text));
  return { hashes: [...new Set(hashes)], leadIds: [], verticalIds };
}

const cameBefore = (before: number | undefined) => (before === undefined ? sql`` : sql`and l.id < ${idFloor(before)}::uuid`);

/** Leads by id, with each the ping that it was posted after. */
const found = (organizationId: string, { hashes, leadIds, verticalIds, before }: PersonSought & SoughtSpan) => sql`
  with own as (
    select l.id, l.ping_id from lead_lookup k join lead l on l.organization_id = k.organization_id and l.id = k.lead_id
      where k.organization_id = ${organizationId}::uuid and k.value_hash = any(${hashes}::uuid[]) and l.vertical_id = any(${verticalIds}::uuid[]) ${cameBefore(before)}
    union
    select l.id, l.ping_id from lead l
      where l.organization_id = ${organizationId}::uuid and l.id = any(${leadIds}::uuid[]) and l.vertical_id = any(${verticalIds}::uuid[]) ${cameBefore(before)}
  ), found as (select id from own union select ping_id from own where ping_id is not null)`;

/** The newest first, before `before`. */
export async function listFound(
  db: Db,
  organizationId: string,
  sought: PersonSought,
  before: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${found(organizationId, sought)}
    select id from found ${before && isId(before) ? sql`where id < ${before}::uuid` : sql``} order by id desc limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** The oldest first, after `after`. */
export async function listToErase(
  db: Db,
  organizationId: string,
  sought: PersonSought & SoughtSpan,
  after: string | undefined,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`${found(organizationId, sought)}
    select id from found ${after === undefined ? sql`` : sql`where id > ${after}::uuid`} order by id limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

export async function countFound(db: Db, organizationId: string, sought: PersonSought, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`${found(organizationId, sought)}
    select count(*)::int as total from (select from found limit ${most}) as few`.execute(db);
  return rows[0]!.total;
}

/** Calls that were answered by a lead, or asked after it. */
export async function countCallsOf(db: Db, organizationId: string, leadId: string): Promise<number> {
  const { calls } = await db
    .selectFrom('api_call')
    .select(sql<number>`count(*)::int`.as('calls'))
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .executeTakeFirstOrThrow();
  return calls;
}
