/**
 * After a crash (engine.md "Crash"): leads that a dead node had under way end as `error: interrupted`; nothing is sold again. One node at a time
 * looks for them, and ends them in pieces: a lead that cannot be ended now keeps no other, and is tried again.
 */
import type pg from 'pg';
import { isDatabaseAway } from '#server/kit/database-away.ts';
import { idFloor } from '#server/kit/ids.ts';
import { workAlone } from '#server/kit/work-alone.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { interruptLead, readOpen } from './interrupt-lead.ts';

export interface Interrupted {
  organizationId: string;
  leadId: string;
  verticalId: string;
}

/** A lead lives at most 5 minutes; a result that could not be stored is tried for 10 more. */
const OLDEST_MS = 16 * 60_000;
/** How long after its arrival a lead without a result is nobody's any more, and how far back it is worth looking. */
const FORGOTTEN_AFTER_MS = 20 * 60_000;
const FORGOTTEN_UNTIL_MS = 3 * 3_600_000;
/** A transaction ends so many. */
const PIECE = 100;
/** A lead that somebody holds is passed by. */
const WAIT_MS = 1_000;

const WORK = 'sluice interrupted leads';
/** Told of a lead that could not be ended. */
type OnError = (error: unknown) => void;
const untold: OnError = () => {};

/** Those of nodes that were not heard of for so long. Empty where another node is at it. */
export async function interruptLeads(
  pool: pg.Pool,
  planBook: Pick<PlanBook, 'list'>,
  deadAfterMs: number,
  onError = untold,
): Promise<Interrupted[]> {
  const dead = `select id, seen_at from node where seen_at < now() - $1 * interval '1 millisecond'`;
  if ((await pool.query(dead, [deadAfterMs])).rowCount === 0) return [];
  const done = await workAlone(pool, WORK, async (client) => {
    const interrupted: Interrupted[] = [];
    for (const { id, seen_at } of (await client.query<{ id: string; seen_at: Date }>(dead, [deadAfterMs])).rows) {
      const seenAt = seen_at.getTime();
      const span = { nodeId: id, from: seenAt - OLDEST_MS, to: seenAt + deadAfterMs + OLDEST_MS };
      let isWhole = true;
      const left: OnError = (error) => {
        isWhole = false;
        onError(error);
      };
      interrupted.push(...(await endOpen(client, planBook, span, left)));
      // A lead that could not be ended, as while the last statement of its node is under way still, is tried again with the next look; one that never
      // can is forgotten in the end, and ends with those. A node that lives after all stays on the list.
      if (!isWhole && Date.now() - seenAt < FORGOTTEN_AFTER_MS) continue;
      await client.query(`delete from node where id = $1 and seen_at < now() - $2 * interval '1 millisecond'`, [id, deadAfterMs]);
    }
    return interrupted;
  });
  return done ?? [];
}

/** Those that no node is working on though theirs is alive: stored in a moment in which the node took them for refused. Empty where another node is at it. */
export async function endForgotten(
  pool: pg.Pool,
  planBook: Pick<PlanBook, 'list'>,
  now = Date.now(),
  onError = untold,
): Promise<Interrupted[]> {
  const span = { from: now - FORGOTTEN_UNTIL_MS, to: now - FORGOTTEN_AFTER_MS };
  return (await workAlone(pool, WORK, (client) => endOpen(client, planBook, span, onError))) ?? [];
}

/** Those of this node of which nobody knows whether they were taken: where they were, they end, and nobody was handed them. */
export async function endDoubtful(
  pool: pg.Pool,
  planBook: Pick<PlanBook, 'list'>,
  organizationId: string,
  ids: readonly string[],
  onError = untold,
): Promise<Interrupted[]> {
  const organization = planBook.list().find((one) => one.organizationId === organizationId);
  if (!organization) return [];
  const client = await pool.connect();
  try {
    return await endPieces(client, organization, ids, onError, true);
  } finally {
    client.release();
  }
}

interface Span {
  /** Of this node alone. */
  nodeId?: string;
  /** Milliseconds since the epoch: leads that came in between. */
  from: number;
  to: number;
}

async function endOpen(client: pg.PoolClient, planBook: Pick<PlanBook, 'list'>, span: Span, onError: OnError): Promise<Interrupted[]> {
  const interrupted: Interrupted[] = [];
  for (const organization of planBook.list()) {
    const ids = await listOpen(client, organization.organizationId, span);
    interrupted.push(...(await endPieces(client, organization, ids, onError)));
  }
  return interrupted;
}

async function endPieces(
  client: pg.PoolClient,
  organization: OrganizationPlan,
  ids: readonly string[],
  onError: OnError,
  isUnsent = false,
): Promise<Interrupted[]> {
  const interrupted: Interrupted[] = [];
  for (let at = 0; at < ids.length; at += PIECE)
    interrupted.push(...(await endPiece(client, organization, ids.slice(at, at + PIECE), onError, isUnsent)));
  return interrupted;
}

/**
 * Leads without a result, the oldest first. Both sides are read by organization and span, once: the planner takes a span of ids for one row, however
 * many leads came in it, and would look through all results of the span for each.
 */
export async function listOpen(client: pg.ClientBase, organizationId: string, { nodeId, from, to }: Span): Promise<string[]> {
  return inTransaction(client, async () => {
    await client.query(`select set_config('enable_nestloop', 'off', true), set_config('jit', 'off', true)`);
    const { rows } = await client.query<{ id: string }>(
      `select l.id from lead l
        where l.organization_id = $1 and l.id >= $2 and l.id < $3 ${nodeId === undefined ? '' : 'and l.node_id = $4'}
          and not exists (select from lead_result r where r.organization_id = $1 and r.lead_id >= $2 and r.lead_id < $3 and r.lead_id = l.id)
        order by l.id`,
      [organizationId, idFloor(from), idFloor(to), ...(nodeId === undefined ? [] : [nodeId])],
    );
    return rows.map(({ id }) => id);
  });
}

/** Where one of them cannot be ended, each by itself. */
async function endPiece(
  client: pg.PoolClient,
  organization: OrganizationPlan,
  ids: readonly string[],
  onError: OnError,
  isUnsent: boolean,
): Promise<Interrupted[]> {
  try {
    return await endTogether(client, organization, ids, isUnsent);
  } catch (error) {
    if (isDatabaseAway(error)) throw error;
    if (ids.length > 1) {
      const ended: Interrupted[] = [];
      for (const id of ids) ended.push(...(await endPiece(client, organization, [id], onError, isUnsent)));
      return ended;
    }
    onError(error);
    return [];
  }
}

/** `isUnsent`: whatever is noted or booked of them, no buyer was handed one. */
function endTogether(
  client: pg.PoolClient,
  organization: OrganizationPlan,
  ids: readonly string[],
  isUnsent: boolean,
): Promise<Interrupted[]> {
  const { organizationId } = organization;
  return inTransaction(client, async () => {
    await client.query(`select set_config('lock_timeout', $1, true)`, [String(WAIT_MS)]);
    const interrupted: Interrupted[] = [];
    for (const lead of await readOpen(client, organizationId, ids))
      if (await interruptLead(client, organization, isUnsent ? { ...lead, posts: [] } : lead))
        interrupted.push({ organizationId, leadId: lead.id, verticalId: lead.vertical_id });
    return interrupted;
  });
}

async function inTransaction<T>(client: pg.ClientBase, use: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await use();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
