/** This app node among others: it says that it lives, and finishes the leads of nodes that no longer do. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { listMigrations } from '#db/migrate.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { type Doubts, openDoubts } from './doubts.ts';
import { giveBackPlaces } from './give-back-places.ts';
import { endDoubtful, endForgotten, type Interrupted, interruptLeads } from './interrupt-leads.ts';

const BEAT_MS = 2_000;
/** Every so many beats: leads that nobody is working on any more, and what they still hold. */
const FORGOTTEN_EVERY = 60;
export const DEAD_AFTER_MS = 10_000;
/** Longer than a statement goes on whose connection was lost, and until what it booked is given back by whoever sent it. */
const DOUBTFUL_AFTER_MS = 5_000;
/** A node that leaves waits so long for what it does for others. */
const LEAVES_AFTER_MS = 2_000;

export interface NodeFigures {
  version: string;
  /** Name of the machine. */
  host: string;
  leadsEnded: number;
  leadsUnderWay: number;
}

const NOTHING_TOLD: NodeFigures = { version: '', host: '', leadsEnded: 0, leadsUnderWay: 0 };

export interface NodeLife {
  /** Ends the heartbeat and takes this node off the list; its leads must be finished before. */
  leave(): Promise<void>;
}

export async function joinNodes(options: {
  pool: pg.Pool;
  nodeId: string;
  planBook: PlanBook;
  interrupted: (leads: Interrupted[]) => void;
  onError: (error: unknown) => void;
  /** What others are told of this node, with each heartbeat. */
  told?: () => NodeFigures;
  /** Leads of this node that may stand though it was said that they were not taken. */
  doubts?: Doubts;
  metrics?: Counting;
}): Promise<NodeLife> {
  const { pool, nodeId, onError, told = () => NOTHING_TOLD, doubts = openDoubts(), metrics = NO_COUNTING } = options;
  const known = listMigrations().at(-1) ?? '';
  const beat = async () => {
    const { version, host, leadsEnded, leadsUnderWay } = told();
    await pool.query(
      `insert into node (id, version, host, leads_ended, leads_under_way, last_migration) values ($1, $2, $3, $4, $5, $6)
        on conflict (id) do update set seen_at = now(), leads_ended = excluded.leads_ended, leads_under_way = excluded.leads_under_way`,
      [nodeId, version, host, leadsEnded, leadsUnderWay, known],
    );
  };
  await beat();
  let isBeating = false;
  let tidying: Promise<void> | undefined;
  // A node that could not reach the database itself knows nothing about the others: they may have been cut off like it.
  let reachedSince = performance.now();
  let beats = 0;
  const ended = (leads: Interrupted[]) => {
    metrics.add('sluice_leads_interrupted_total', {}, leads.length);
    if (leads.length > 0) options.interrupted(leads);
  };
  const endOwn = async (afterMs: number) => {
    const doubtful = doubts.take(afterMs);
    try {
      for (const [organizationId, ids] of doubtful) {
        ended(await endDoubtful(pool, options.planBook, organizationId, ids, onError));
        doubtful.delete(organizationId);
      }
    } catch (error) {
      doubts.putBack(doubtful);
      throw error;
    }
  };
  const endThoseOfOthers = async () => {
    const leads = await interruptLeads(pool, options.planBook, DEAD_AFTER_MS, onError);
    if (beats++ % FORGOTTEN_EVERY === 0) {
      leads.push(...(await endForgotten(pool, options.planBook, Date.now(), onError)));
      await giveBackPlaces(pool);
    }
    ended(leads);
  };
  /** Takes as long as it takes: meanwhile this node goes on saying that it lives. */
  const tidy = async () => {
    try {
      const reachedForMs = performance.now() - reachedSince;
      if (reachedForMs >= DOUBTFUL_AFTER_MS) await endOwn(DOUBTFUL_AFTER_MS);
      if (reachedForMs >= DEAD_AFTER_MS) await endThoseOfOthers();
    } catch (error) {
      reachedSince = performance.now();
      onError(error);
    }
  };
  const timer = setInterval(async () => {
    if (isBeating) return;
    isBeating = true;
    const began = performance.now();
    try {
      await beat();
      metrics.add('sluice_heartbeats_total', { outcome: 'written' });
      // As good as away: what it was sent meanwhile it may be about to do.
      if (performance.now() - began > DOUBTFUL_AFTER_MS) reachedSince = performance.now();
      tidying ??= tidy().finally(() => {
        tidying = undefined;
      });
    } catch (error) {
      metrics.add('sluice_heartbeats_total', { outcome: 'failed' });
      reachedSince = performance.now();
      onError(error);
    } finally {
      isBeating = false;
    }
  }, BEAT_MS);
  return {
    async leave() {
      clearInterval(timer);
      await Promise.race([tidying, sleep(LEAVES_AFTER_MS, undefined, { ref: false })]);
      await endOwn(0).catch(onError);
      await pool.query('delete from node where id = $1', [nodeId]).catch(() => {});
    },
  };
}
