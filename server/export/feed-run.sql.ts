/** Runs of feeds: which are due, whose they are, and what came of them. */
import { type Selectable, sql } from 'kysely';
import type { ExportContent, FeedDestination, FeedSchedule } from '#contract/export.ts';
import type { Database } from '#db/types.ts';
import { MINUTE_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { Tx } from '#server/record/record-model.ts';
import { lastDue } from './schedule.ts';

/** A lead is stored well within this time after it came; a run waits so long after the moment that it covers leads up to. */
export const SETTLED_MS = 3 * MINUTE_MS;

export type FeedRow = Omit<Selectable<Database['export_feed']>, 'schedule' | 'content' | 'destination'> & {
  schedule: FeedSchedule;
  content: ExportContent;
  destination: FeedDestination;
};
export type RunRow = Selectable<Database['export_run']>;

const feedColumns = (db: Db, organizationId: string, id: string) =>
  db.selectFrom('export_feed').selectAll().where('organization_id', '=', organizationId).where('id', '=', id);

export async function findFeed(db: Db, organizationId: string, id: string): Promise<FeedRow | undefined> {
  return (await feedColumns(db, organizationId, id).executeTakeFirst()) as FeedRow | undefined;
}

/** Makes the runs that are due: one for each feed, however many moments passed since the last. For the installation's own role. */
export async function planRuns(db: Db, now: number): Promise<void> {
  const feeds = await db
    .selectFrom('export_feed as f')
    .innerJoin('organization as o', 'o.id', 'f.organization_id')
    .select(['f.organization_id', 'f.id', 'f.schedule', 'f.covered_to'])
    .where('f.status', '=', 'active')
    .where('o.status', '=', 'active')
    .execute();
  for (const feed of feeds) {
    const to = lastDue(feed.schedule as FeedSchedule, now - SETTLED_MS);
    if (to <= feed.covered_to.getTime()) continue;
    await inTenant(db, feed.organization_id, async (tx) => {
      const row = (await feedColumns(tx, feed.organization_id, feed.id).forUpdate().skipLocked().executeTakeFirst()) as FeedRow | undefined;
      if (row?.status !== 'active') return;
      const due = lastDue(row.schedule, now - SETTLED_MS);
      if (due > row.covered_to.getTime()) await insertRun(tx, row, due, now);
    });
  }
}

/** Covers what came since the run before it. The feed is locked. */
export async function insertRun(tx: Tx, feed: FeedRow, to: number, now: number): Promise<string> {
  const id = newId(now);
  await tx
    .insertInto('export_run')
    .values({
      ...{ organization_id: feed.organization_id, id, feed_id: feed.id },
      ...{ from_at: feed.covered_to, to_at: new Date(to), due_at: new Date(now) },
    })
    .execute();
  await tx
    .updateTable('export_feed')
    .set({ covered_to: new Date(to) })
    .where('organization_id', '=', feed.organization_id)
    .where('id', '=', feed.id)
    .execute();
  return id;
}

export interface ClaimedRun {
  feed: FeedRow;
  run: RunRow;
  takenUntil: Date;
}

/** A run that is due, of a feed that nobody is at: runs of one feed are made in their order, and by one node at a time. None of the organizations that are `busy`. For the installation's own role. */
export async function claimRun(db: Db, now: number, leaseMs: number, busy: readonly string[] = []): Promise<ClaimedRun | undefined> {
  const isFree = sql<boolean>`not exists (select from export_run x where x.organization_id = r.organization_id and x.feed_id = r.feed_id and x.taken_until > clock_timestamp())`;
  const isNext = sql<boolean>`(r.was_built or not exists (select from export_run x where x.organization_id = r.organization_id and x.feed_id = r.feed_id
    and x.state = 'due' and not x.was_built and x.from_at < r.from_at))`;
  const found = await db
    .selectFrom('export_run as r')
    .innerJoin('export_feed as f', (join) => join.onRef('f.organization_id', '=', 'r.organization_id').onRef('f.id', '=', 'r.feed_id'))
    .innerJoin('organization as o', 'o.id', 'r.organization_id')
    .select(['r.organization_id', 'r.feed_id'])
    .where('r.state', '=', 'due')
    .where('r.due_at', '<=', new Date(now))
    .where('f.status', '=', 'active')
    .where('o.status', '=', 'active')
    .where(isFree)
    .where(isNext)
    .$if(busy.length > 0, (query) => query.where('r.organization_id', 'not in', busy))
    .orderBy('r.due_at')
    .limit(20)
    .execute();
  for (const { organization_id: organizationId, feed_id: feedId } of found) {
    const claimed = await inTenant(db, organizationId, async (tx) => {
      const feed = (await feedColumns(tx, organizationId, feedId).forUpdate().skipLocked().executeTakeFirst()) as FeedRow | undefined;
      if (feed?.status !== 'active') return undefined;
      // Looked at anew: another node may have been here since.
      const { rows } = await sql<RunRow>`
        update export_run set taken_until = date_trunc('milliseconds', clock_timestamp()) + ${leaseMs}::int * interval '1 millisecond'
        where organization_id = ${organizationId}::uuid and id = (
          select r.id from export_run r where r.organization_id = ${organizationId}::uuid and r.feed_id = ${feedId}::uuid and r.state = 'due'
            and r.due_at <= ${new Date(now)} and ${isFree} and ${isNext} order by r.from_at, r.id limit 1)
        returning *`.execute(tx);
      return rows[0] && { feed, run: rows[0], takenUntil: rows[0].taken_until! };
    });
    if (claimed) return claimed;
  }
  return undefined;
}

/** Goes on being this node's; false where it is another's by now. Says until when. */
export async function holdRun(db: Db, claimed: ClaimedRun, leaseMs: number, more: Partial<RunUpdate> = {}): Promise<boolean> {
  const { rows } = await sql<{ taken_until: Date }>`
    update export_run set taken_until = date_trunc('milliseconds', clock_timestamp()) + ${leaseMs}::int * interval '1 millisecond'
      ${more.place === undefined ? sql`` : sql`, place = ${JSON.stringify(more.place)}::jsonb`}
    where organization_id = ${claimed.run.organization_id}::uuid and id = ${claimed.run.id}::uuid and taken_until = ${claimed.takenUntil}
    returning taken_until`.execute(db);
  if (rows[0]) claimed.takenUntil = rows[0].taken_until;
  return rows[0] !== undefined;
}
interface RunUpdate {
  place: unknown;
}

export interface RunEnd {
  state: RunRow['state'];
  dueAt: number;
  at: number;
  tries: number;
  elapsedMs: number | null;
  failure: string | null;
  remark: string | null;
  place: unknown;
}

/** False where it was another node's by then. */
export async function endRun(db: Db, { run, takenUntil }: ClaimedRun, ended: RunEnd): Promise<boolean> {
  const done = await db
    .updateTable('export_run')
    .set({
      ...{ state: ended.state, due_at: new Date(ended.dueAt), taken_until: null, last_at: new Date(ended.at), tries: ended.tries },
      ended_at: ended.state === 'due' ? null : new Date(ended.at),
      ...{ elapsed_ms: ended.elapsedMs, failure: ended.failure, remark: ended.remark, place: JSON.stringify(ended.place) },
    })
    .where('organization_id', '=', run.organization_id)
    .where('id', '=', run.id)
    .where('taken_until', '=', takenUntil)
    .executeTakeFirst();
  return done.numUpdatedRows === 1n;
}

/** Let go of as it is: whoever looks next goes on. */
export async function leaveRun(db: Db, { run, takenUntil }: ClaimedRun): Promise<void> {
  await db
    .updateTable('export_run')
    .set({ taken_until: null })
    .where('organization_id', '=', run.organization_id)
    .where('id', '=', run.id)
    .where('taken_until', '=', takenUntil)
    .execute();
}

/** `since` null: the last run came to where it goes. */
export async function noteFeedFailing(db: Db, organizationId: string, id: string, since: Date | null): Promise<void> {
  await db
    .updateTable('export_feed')
    .set({ failing_since: since })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('failing_since', since === null ? 'is not' : 'is', null)
    .execute();
}

export function listRuns(db: Db, organizationId: string, feedId: string, before: string | undefined, limit: number): Promise<RunRow[]> {
  return db
    .selectFrom('export_run')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('feed_id', '=', feedId)
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** From its first try on, from now; its file is made anew where its bytes are gone. */
export async function runAgain(
  tx: Tx,
  organizationId: string,
  feedId: string,
  id: string,
  now: number,
): Promise<'due' | 'underWay' | 'unknown'> {
  const run = await tx
    .selectFrom('export_run')
    .select(['state', sql<boolean>`coalesce(taken_until >= clock_timestamp(), false)`.as('is_taken')])
    .where('organization_id', '=', organizationId)
    .where('feed_id', '=', feedId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!run) return 'unknown';
  if (run.is_taken) return 'underWay';
  const file = await tx
    .selectFrom('export_file')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('whole_at', 'is not', null)
    .where('erased_at', 'is', null)
    .where('kept_until', '>', new Date(now))
    .executeTakeFirst();
  await tx
    .updateTable('export_run')
    .set({ state: 'due', due_at: new Date(now), tries: 0, taken_until: null, ended_at: null, failure: null, remark: null, place: '{}' })
    .$if(!file, (update) => update.set({ is_built: false }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  return 'due';
}
