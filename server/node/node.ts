/** This app node among others: it says that it lives, and finishes the leads of nodes that no longer do. */
import type pg from 'pg';
import { listMigrations } from '#db/migrate.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { endForgotten, type Interrupted, interruptLeads } from './interrupt-leads.ts';

const BEAT_MS = 2_000;
/** Every so many beats: leads that nobody is working on any more. */
const FORGOTTEN_EVERY = 60;
export const DEAD_AFTER_MS = 10_000;

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
}): Promise<NodeLife> {
  const { pool, nodeId, onError } = options;
  const known = listMigrations().at(-1) ?? '';
  const beat = () =>
    pool.query('insert into node (id, last_migration) values ($1, $2) on conflict (id) do update set seen_at = now()', [nodeId, known]);
  await beat();
  let busy = false;
  // A node that could not reach the database itself knows nothing about the others: they may have been cut off like it.
  let reachedSince = performance.now();
  let beats = 0;
  const timer = setInterval(async () => {
    if (busy) return;
    busy = true;
    try {
      await beat();
      if (performance.now() - reachedSince < DEAD_AFTER_MS) return;
      const leads = await interruptLeads(pool, options.planBook, DEAD_AFTER_MS);
      if (beats++ % FORGOTTEN_EVERY === 0) leads.push(...(await endForgotten(pool, options.planBook)));
      if (leads.length > 0) options.interrupted(leads);
    } catch (error) {
      reachedSince = performance.now();
      onError(error);
    } finally {
      busy = false;
    }
  }, BEAT_MS);
  return {
    async leave() {
      clearInterval(timer);
      await pool.query('delete from node where id = $1', [nodeId]).catch(() => {});
    },
  };
}
