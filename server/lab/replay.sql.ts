/** Replays as they are kept. */
import { sql } from 'kysely';
import { REPLAYS_OPEN_MOST, type ReplayBody } from '#contract/replay.ts';
import type { TreeGroup } from '#contract/tree.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { Tx } from '#server/record/record-model.ts';
import type { ReplayOutcome } from './run-replay.ts';

/** So many are listed, the newest first. */
const LISTED = 50;

export interface NewReplay {
  verticalId: string;
  campaignId: string;
  personId: string;
  settings: ReplayBody;
  published: readonly TreeGroup[];
  changed: readonly TreeGroup[];
}

export async function insertReplay(tx: Tx, organizationId: string, replay: NewReplay): Promise<string> {
  const id = newId();
  await tx
    .insertInto('replay')
    .values({
      organization_id: organizationId,
      id,
      vertical_id: replay.verticalId,
      campaign_id: replay.campaignId,
      person_id: replay.personId,
      settings: JSON.stringify(replay.settings),
      published: JSON.stringify(replay.published),
      changed: JSON.stringify(replay.changed),
    })
    .execute();
  return id;
}

/** Whether the organization may start another: those that wait or run are few. */
export async function hasRoomForReplay(tx: Tx, organizationId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`replays of ${organizationId}`}, 0))`.execute(tx);
  const { open } = await tx
    .selectFrom('replay')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('organization_id', '=', organizationId)
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  return open < REPLAYS_OPEN_MOST;
}

const columns = (db: Db) =>
  db
    .selectFrom('replay as r')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 'r.organization_id').onRef('c.id', '=', 'r.campaign_id'))
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'r.organization_id').onRef('v.id', '=', 'r.vertical_id'))
    .leftJoin('app_user as u', 'u.id', 'r.person_id')
    .select([
      'r.id',
      'r.status',
      'r.settings',
      'r.total',
      'r.done',
      'r.failure',
      sql<number | null>`(r.result -> 'changed' ->> 'margin')::float8 - (r.result -> 'published' ->> 'margin')::float8`.as('margin_change'),
      'r.created_at',
      'r.ended_at',
      'r.vertical_id',
      'v.region_id',
    ])
    .select(['c.id as campaign_id', 'c.name as campaign_name', 'u.first_name', 'u.last_name', 'u.email']);

export const listReplays = (db: Db, organizationId: string, verticalId: string) =>
  columns(db)
    .where('r.organization_id', '=', organizationId)
    .where('r.vertical_id', '=', verticalId)
    .orderBy('r.id', 'desc')
    .limit(LISTED)
    .execute();
export type ReplayRow = Awaited<ReturnType<typeof listReplays>>[number];

export const findReplay = (db: Db, organizationId: string, id: string) =>
  columns(db)
    .innerJoin('region as g', (join) => join.onRef('g.organization_id', '=', 'v.organization_id').onRef('g.id', '=', 'v.region_id'))
    .select(['r.published', 'r.changed', 'r.result', 'v.slug as vertical_slug', 'g.slug as region_slug'])
    .where('r.organization_id', '=', organizationId)
    .where('r.id', '=', id)
    .executeTakeFirst();

export interface ClaimedReplay {
  organizationId: string;
  id: string;
  verticalId: string;
  campaignId: string;
  settings: ReplayBody;
  published: TreeGroup[];
  changed: TreeGroup[];
  /** Nodes that were lost while they worked on it. */
  lost: number;
}

/** The oldest that nobody works on; one whose node was lost begins anew, and comes to the same. */
export async function claimReplay(db: Db, nodeId: string, leaseMs: number): Promise<ClaimedReplay | undefined> {
  const { rows } = await sql<{
    organization_id: string;
    id: string;
    vertical_id: string;
    campaign_id: string;
    settings: ReplayBody;
    published: TreeGroup[];
    changed: TreeGroup[];
    lost: number;
  }>`
    update replay set status = 'running', started_at = coalesce(started_at, clock_timestamp()), done = 0, lost = lost + (status = 'running')::int, lease_holder = ${nodeId}::uuid,
      lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where (organization_id, id) in (
      select organization_id, id from replay
        where status in ('waiting', 'running') and (lease_until is null or lease_until < clock_timestamp())
        order by id limit 1 for update skip locked
    ) returning organization_id, id, vertical_id, campaign_id, settings, published, changed, lost`.execute(db);
  const row = rows[0];
  if (!row) return undefined;
  const { organization_id, vertical_id, campaign_id, ...rest } = row;
  return { organizationId: organization_id, verticalId: vertical_id, campaignId: campaign_id, ...rest };
}

/** Renews the lease; false where the replay was cancelled or is another node's by now. */
export async function noteProgress(
  db: Db,
  nodeId: string,
  replay: Pick<ClaimedReplay, 'organizationId' | 'id'>,
  progress: { done: number; total: number },
  leaseMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update replay set done = ${progress.done}, total = ${progress.total}, lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
      where organization_id = ${replay.organizationId}::uuid and id = ${replay.id}::uuid and status = 'running' and lease_holder = ${nodeId}::uuid`.execute(
    db,
  );
  return numAffectedRows === 1n;
}

export type ReplayEnd = { status: 'done'; result: ReplayOutcome } | { status: 'failed'; failure: string } | { status: 'cancelled' };

/** Once only: one that is over stays as it is. False where it was over already. `nodeId`: only if it is that node's. */
export async function endReplay(db: Db, organizationId: string, id: string, end: ReplayEnd, nodeId?: string): Promise<boolean> {
  const done =
    end.status === 'done' ? { result: JSON.stringify(end.result), done: end.result.really.leads, total: end.result.really.leads } : {};
  const { numUpdatedRows } = await db
    .updateTable('replay')
    .set({
      status: end.status,
      ended_at: new Date(),
      lease_until: null,
      lease_holder: null,
      ...done,
      ...(end.status === 'failed' && { failure: end.failure }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .$if(nodeId !== undefined, (query) => query.where('lease_holder', '=', nodeId!))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Whoever looks next begins it at once. */
export async function giveReplayBack(
  db: Db,
  nodeId: string,
  { organizationId, id }: Pick<ClaimedReplay, 'organizationId' | 'id'>,
): Promise<void> {
  await db
    .updateTable('replay')
    .set({ status: 'waiting', lease_until: null, lease_holder: null, done: 0 })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .where('lease_holder', '=', nodeId)
    .execute();
}
