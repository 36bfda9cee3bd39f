/** The log of who changed what: written in the transaction of the change, read by the organization's owner. */
import { type SelectQueryBuilder, sql } from 'kysely';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, newId } from '#server/kit/ids.ts';
import { LOOKED_AT, type LookedPage, pageOf } from '#server/kit/looked-at.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export type ChangeAction = 'add' | 'edit' | 'remove' | 'restore' | 'order' | 'publish' | 'look' | 'erase';

export interface ChangeRow {
  address: string;
  model: string;
  recordId: string;
  recordName: string;
  action: ChangeAction;
  /** Values by field name; secrets only by the word that they changed. */
  before: Record<string, unknown>;
  after: Record<string, unknown>;
  rollsBack: string | null;
  /** Who asked for it, beside who said yes. */
  askedBy?: string;
}

/** Who changes something: a person, or a buyer that calls with its key. */
export type Changer = Pick<SignedIn, 'organizationId' | 'userId' | 'firstName' | 'lastName' | 'email'>;

export const nameOfChanger = ({ firstName, lastName, email }: Changer): string => `${firstName} ${lastName}`.trim() || email;

/** A change that changed nothing leaves no line. */
export async function insertChange(tx: Db, person: Changer, change: ChangeRow): Promise<void> {
  if (change.action === 'edit' && Object.keys(change.after).length === 0) return;
  await tx
    .insertInto('change_log')
    .values({
      organization_id: person.organizationId,
      id: newId(),
      user_id: person.userId,
      user_name: change.askedBy === undefined ? nameOfChanger(person) : `${nameOfChanger(person)}, asked by ${change.askedBy}`,
      address: change.address,
      model: change.model,
      record_id: change.recordId,
      record_name: change.recordName.slice(0, 200),
      action: change.action,
      before: JSON.stringify(change.before),
      after: JSON.stringify(change.after),
      rolls_back: change.rollsBack,
    })
    .execute();
}

export interface ChangeListing {
  model?: string | undefined;
  recordId?: string | undefined;
  userId?: string | undefined;
  search?: string | undefined;
  /** ISO instants, [from, to). */
  from?: string | undefined;
  to?: string | undefined;
  /** Ids sort by time: what was changed before this one. */
  before?: string | undefined;
  limit: number;
}

/** The newest first; a text is looked for in all of them. */
export function listChanges(db: Db, organizationId: string, listing: ChangeListing) {
  return matching(narrowed(db, organizationId, listing).selectAll('c'), listing)
    .orderBy('c.id', 'desc')
    .limit(listing.limit)
    .execute();
}

/** One page, the newest first; a text is looked for among the newest so many (kit/looked-at.ts). */
export async function findChanges(db: Db, organizationId: string, listing: ChangeListing): Promise<LookedPage<LoggedChange>> {
  const page = { ...listing, limit: listing.limit + 1 };
  if (!listing.search) return pageOf(await listChanges(db, organizationId, page), listing.limit, ({ id }) => id, null);
  const newest = narrowed(db, organizationId, listing).selectAll('c').orderBy('c.id', 'desc').limit(LOOKED_AT);
  const found = await matching(db.selectFrom(newest.as('c')).selectAll('c'), listing)
    .orderBy('c.id', 'desc')
    .limit(page.limit)
    .execute();
  const last = await narrowed(db, organizationId, listing)
    .select('c.id')
    .orderBy('c.id', 'desc')
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return pageOf(found, listing.limit, ({ id }) => id, last?.id ?? null);
}

/** What indexes find. */
function narrowed(db: Db, organizationId: string, { model, recordId, userId, before, from, to }: ChangeListing) {
  let select = db.selectFrom('change_log as c').where('c.organization_id', '=', organizationId);
  if (model) select = select.where('c.model', '=', model);
  if (recordId) select = select.where('c.record_id', '=', recordId);
  if (userId) select = select.where('c.user_id', '=', userId);
  if (before) select = select.where('c.id', '<', before);
  // Ids sort by time: a span of time is a span of ids.
  if (from) select = select.where('c.id', '>=', idFloor(Date.parse(from)));
  if (to) select = select.where('c.id', '<', idFloor(Date.parse(to)));
  return select;
}

function matching<Row>(
  select: SelectQueryBuilder<Database & { c: Database['change_log'] }, 'c', Row>,
  { search }: ChangeListing,
): SelectQueryBuilder<Database & { c: Database['change_log'] }, 'c', Row> {
  if (!search) return select;
  return select.where(sql<boolean>`(c.record_name || ' ' || c.user_name) ilike ${`%${search.replace(/[\\%_]/g, '\\$&')}%`}`);
}

/** Everybody who ever changed something, by the name they had when they did so last. */
export function listChangers(db: Db, organizationId: string) {
  return db
    .selectFrom('change_log')
    .select(['user_id', sql<string>`split_part((array_agg(user_name order by id desc))[1], ', asked by ', 1)`.as('name')])
    .where('organization_id', '=', organizationId)
    .groupBy('user_id')
    .orderBy('name')
    .execute();
}

export type LoggedChange = Awaited<ReturnType<typeof listChanges>>[number];

export function findChange(db: Db, organizationId: string, id: string) {
  return db.selectFrom('change_log').selectAll().where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst();
}

export function findLastChange(db: Db, organizationId: string, model: string, recordId: string) {
  return db
    .selectFrom('change_log')
    .select(['id', 'action'])
    .where('organization_id', '=', organizationId)
    .where('model', '=', model)
    .where('record_id', '=', recordId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What took something back among the changes of these records, the oldest first. */
export function listRollBacks(db: Db, organizationId: string, recordIds: string[]) {
  return db
    .selectFrom('change_log')
    .select(['id', 'rolls_back'])
    .where('organization_id', '=', organizationId)
    .where('record_id', 'in', recordIds)
    .where('rolls_back', 'is not', null)
    .orderBy('id')
    .execute();
}

/** Changes of the same record after this one, the oldest first. What happened to it, such as a payment of a buyer, is no change of it. */
export function listLaterChanges(db: Db, organizationId: string, change: { id: string; model: string; record_id: string }) {
  return db
    .selectFrom('change_log')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('model', '=', change.model)
    .where('record_id', '=', change.record_id)
    .where('id', '>', change.id)
    .orderBy('id')
    .execute();
}
