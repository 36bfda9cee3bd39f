/** A consumer's leads by the keyed hashes of searchable values, and the pings that came before them. */
import { type RawBuilder, sql } from 'kysely';
import { keyedHash } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, isId } from '#server/kit/ids.ts';
import { lookupHashes } from '#server/lead/lead-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { longNumber } from './own-value.ts';

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
  const number = longNumber(text);
  if (number !== undefined) hashes.push(keyedHash(organization.keys, 'lookup', number));
  return { hashes: [...new Set(hashes)], leadIds: [], verticalIds };
}

/** A lead that was found, and the ping that it was posted after, where that is not found by itself. */
export interface FoundLead {
  id: string;
  pingId: string | null;
}

/** Of both. */
export const idsOf = (found: readonly FoundLead[]): string[] => found.flatMap(({ id, pingId }) => (pingId === null ? [id] : [id, pingId]));

interface Stretch {
  order: 'asc' | 'desc';
  /** Ids in between, both left out. */
  above?: string | undefined;
  below?: string | undefined;
  most: number;
}

/** Read in the order of the index by value: a stretch costs what it gives, however many leads share a value. */
function inStretch(
  organizationId: string,
  { hashes, leadIds, verticalIds }: PersonSought,
  { order, above, below, most }: Stretch,
): RawBuilder<unknown> {
  const [by, limit] = [sql.raw(order), sql`limit ${most}`];
  const within = (id: RawBuilder<unknown>) =>
    sql`${above === undefined ? sql`true` : sql`${id} > ${above}::uuid`} and ${below === undefined ? sql`true` : sql`${id} < ${below}::uuid`}`;
  return sql`select id from (
      select k.lead_id as id from unnest(${hashes}::uuid[]) as h (value_hash) cross join lateral (
        select k.lead_id from lead_lookup k
          where k.organization_id = ${organizationId}::uuid and k.value_hash = h.value_hash and ${within(sql`k.lead_id`)}
            and (select l.vertical_id from lead l where l.organization_id = k.organization_id and l.id = k.lead_id) = any(${verticalIds}::uuid[])
          order by k.lead_id ${by} ${limit}) as k
      union
      select l.id from lead l
        where l.organization_id = ${organizationId}::uuid and l.id = any(${leadIds}::uuid[]) and l.vertical_id = any(${verticalIds}::uuid[]) and ${within(sql`l.id`)}
    ) as ids order by id ${by} ${limit}`;
}

async function listStretch(db: Db, organizationId: string, sought: PersonSought, stretch: Stretch): Promise<FoundLead[]> {
  const { hashes, leadIds } = sought;
  const { rows } = await sql<{ id: string; ping_id: string | null }>`
    select l.id, case when l.ping_id = any(${leadIds}::uuid[]) or exists (select from lead_lookup k
        where k.organization_id = l.organization_id and k.value_hash = any(${hashes}::uuid[]) and k.lead_id = l.ping_id) then null else l.ping_id end as ping_id
      from (${inStretch(organizationId, sought, stretch)}) as own join lead l on l.organization_id = ${organizationId}::uuid and l.id = own.id
      order by l.id ${sql.raw(stretch.order)}`.execute(db);
  return rows.map(({ id, ping_id }) => ({ id, pingId: ping_id }));
}

/** The newest first, before `before`. */
export const listFound = (
  db: Db,
  organizationId: string,
  sought: PersonSought,
  before: string | undefined,
  limit: number,
): Promise<FoundLead[]> =>
  listStretch(db, organizationId, sought, { order: 'desc', below: before && isId(before) ? before : undefined, most: limit });

/** The oldest first, after `after`. */
export const listToErase = (
  db: Db,
  organizationId: string,
  sought: PersonSought & SoughtSpan,
  after: string | undefined,
  limit: number,
): Promise<FoundLead[]> => {
  const below = sought.before === undefined ? undefined : idFloor(sought.before);
  return listStretch(db, organizationId, sought, { order: 'asc', above: after, below, most: limit });
};

/** Leads and their pings, `most` at most. */
export async function countFound(db: Db, organizationId: string, sought: PersonSought, most: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with own as materialized (${inStretch(organizationId, sought, { order: 'desc', most })})
    select count(*)::int as total from (
      select id from own union select l.ping_id from own join lead l on l.organization_id = ${organizationId}::uuid and l.id = own.id where l.ping_id is not null
      limit ${most}) as few`.execute(db);
  return rows[0]!.total;
}

/** Those of the hashes that more than `most` leads have. */
export async function listShared(db: Db, organizationId: string, hashes: string[], most: number): Promise<Set<string>> {
  const { rows } = await sql<{ value_hash: string }>`select h.value_hash from unnest(${hashes}::uuid[]) as h (value_hash)
    where (select count(*) from (select from lead_lookup k where k.organization_id = ${organizationId}::uuid and k.value_hash = h.value_hash
      limit ${most + 1}) as few) > ${most}`.execute(db);
  return new Set(rows.map(({ value_hash }) => value_hash));
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
