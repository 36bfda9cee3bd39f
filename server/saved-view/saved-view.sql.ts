/** Saved views as they are kept. */
import { type Selectable, sql } from 'kysely';
import { MOST_VIEWS, type ViewPage } from '#contract/saved-view.ts';
import type { SavedView as SavedViewTable } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';
import { isId } from '#server/kit/ids.ts';

export type ViewRow = Selectable<SavedViewTable>;

/** Whose, and of which report. */
export interface ViewPlace {
  organizationId: string;
  verticalId: string;
  page: ViewPage;
  userId: string;
}

/** The member's own first, then what others share, each by name. */
export async function listViews(db: Db, { organizationId, verticalId, page, userId }: ViewPlace): Promise<ViewRow[]> {
  return db
    .selectFrom('saved_view')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('page', '=', page)
    .where('removed_at', 'is', null)
    .where(({ or, eb }) => or([eb('user_id', '=', userId), eb('shared', '=', true)]))
    .orderBy(sql`user_id <> ${userId}::uuid`)
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .execute();
}

export async function findDefaultView(db: Db, { organizationId, verticalId, page, userId }: ViewPlace): Promise<string | undefined> {
  const row = await db
    .selectFrom('default_view')
    .select('view_id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('vertical_id', '=', verticalId)
    .where('page', '=', page)
    .executeTakeFirst();
  return row?.view_id;
}

/** Held until the transaction ends. Removed ones too. */
export async function lockView(tx: Db, organizationId: string, id: string): Promise<(ViewRow & { region_id: string }) | undefined> {
  if (!isId(id)) return undefined;
  return tx
    .selectFrom('saved_view as w')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'w.organization_id').onRef('v.id', '=', 'w.vertical_id'))
    .selectAll('w')
    .select('v.region_id')
    .where('w.organization_id', '=', organizationId)
    .where('w.id', '=', id)
    .forUpdate('w')
    .executeTakeFirst();
}

/** Whether the member has room for one more; two calls of the same member are asked one after the other. */
export async function hasRoom(tx: Db, { organizationId, verticalId, page, userId }: ViewPlace): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`saved view ${organizationId} ${userId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('saved_view')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('page', '=', page)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count) < MOST_VIEWS;
}

/** `changed` with the next version. */
export async function updateView(
  tx: Db,
  { organization_id, id }: Pick<ViewRow, 'organization_id' | 'id'>,
  changed: { name?: string; search?: string; shared?: boolean; removed_at?: Date | null },
): Promise<ViewRow> {
  return tx
    .updateTable('saved_view')
    .set(({ eb }) => ({ ...changed, version: eb('version', '+', 1), updated_at: new Date() }))
    .where('organization_id', '=', organization_id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

type Member =
  | 'soldBuyerId'
  | 'soldTierId'
  | 'triedBuyerId'
  | 'triedTierId'
  | 'campaignId'
  | 'publisherId'
  | 'publisherTierId'
  | 'buyerId'
  | 'buyerTierId'
  | 'processorId'
  | 'groupId'
  | 'triedGroupId'
  | 'variantId'
  | 'pageId';
/** Where each is found with name and status, and how one is called. */
const RECORDS: Record<Member, readonly [from: string, word: string]> = {
  campaignId: ['campaign', 'campaign'],
  publisherId: ['publisher', 'publisher'],
  publisherTierId: ['publisher_tier', 'publisher tier'],
  ...{ buyerId: ['buyer', 'buyer'], triedBuyerId: ['buyer', 'buyer'], soldBuyerId: ['buyer', 'buyer'] },
  ...{ triedTierId: ['buyer_tier', 'buyer tier'], soldTierId: ['buyer_tier', 'buyer tier'] },
  buyerTierId: ['buyer_tier', 'buyer tier'],
  processorId: ['payment_processor', 'payment processor'],
  ...{ groupId: [alwaysActive('tree_group'), 'group'], triedGroupId: [alwaysActive('tree_group'), 'group'] },
  variantId: [alwaysActive('ab_variant'), 'variant'],
  pageId: [
    '(select organization_id, id, name, status from landing_page union all select organization_id, id, name, status from card) as page',
    'page',
  ],
};
/** Of two that are compared. */
const COMPARED: Record<string, Member> = {
  ...{ publisher: 'publisherId', publisherTier: 'publisherTierId', buyer: 'buyerId', buyerTier: 'buyerTierId', campaign: 'campaignId' },
};

/** What views are narrowed to and is archived or gone, in sentences, by the view's id. */
export async function noteViews(db: Db, organizationId: string, views: readonly ViewRow[]): Promise<Map<string, string[]>> {
  const named = views.flatMap((view) => idsIn(view.search as Record<string, string>).map((one) => ({ view: view.id, ...one })));
  const notes = new Map<string, string[]>();
  for (const [member, of] of Map.groupBy(named, (one) => one.member)) {
    const [from, word] = RECORDS[member];
    const ids = of.map(({ id }) => id).filter(isId);
    const { rows } = await sql<{ id: string; name: string; status: string }>`
      select id, name, status from ${sql.raw(from)} where organization_id = ${organizationId}::uuid and id = any(${ids}::uuid[])`.execute(
      db,
    );
    const known = new Map(rows.map((row) => [row.id, row]));
    for (const { view, id } of of) {
      const row = known.get(id);
      if (row && row.status !== 'archived') continue;
      const note = row ? `The ${word} ${row.name} is archived.` : `A ${word} of this view is not there any more. Take that filter away.`;
      notes.set(view, [...(notes.get(view) ?? []), note]);
    }
  }
  return notes;
}

function idsIn(search: Record<string, string>): { member: Member; id: string }[] {
  const compared = COMPARED[search.of ?? ''];
  return Object.entries(search).flatMap(([name, id]) => {
    const member = (name === 'a' || name === 'b') && compared ? compared : name;
    // Of none at all is a filter too.
    return isMember(member) && id !== '' ? [{ member, id }] : [];
  });
}

/** What has no status is there, or is not. */
function alwaysActive(table: string): string {
  return `(select organization_id, id, name, 'active' as status from ${table}) as ${table}`;
}

const isMember = (name: string): name is Member => Object.hasOwn(RECORDS, name);
