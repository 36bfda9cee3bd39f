/** Joins the gauges to what they are read from: this node itself, and the state of the installation in the database. */
import { statfs } from 'node:fs/promises';
import type pg from 'pg';
import type { Seen, StateBook } from '#server/health/state-book.ts';
import type { GaugeName } from './metric-list.ts';
import type { Metrics } from './open-metrics.ts';

/** What of this node is read at each reading. */
export interface NodeSources {
  version: string;
  pools: Record<string, pg.Pool>;
  state: StateBook;
  intake: { underWay: () => number; limit: number; fingerprints: () => number };
  store: { waiting: () => number };
  outbound: { underWay: () => number; limit: number };
  noticesWaiting: () => number;
  spansWaiting: () => number;
  isLeaving: () => boolean;
  /** The folder whose disk is watched. */
  dataDir: string;
}

type Plain = Exclude<
  GaugeName,
  | 'sluice_jobs_waiting'
  | 'sluice_database_connections'
  | 'sluice_pool_connections'
  | 'sluice_pool_limit'
  | 'sluice_pool_waiting'
  | 'sluice_build_info'
>;

export function followNode(metrics: Metrics, from: NodeSources): void {
  let seen: Seen | undefined;
  let freeBytes: number | undefined;
  metrics.before(async () => {
    [seen, freeBytes] = await Promise.all([from.state.look(), freeAt(from.dataDir)]);
  });
  /** Nothing is said of what is not known. */
  const plain = (name: Plain, read: () => number | undefined | null) =>
    metrics.follow(name, (set) => {
      const value = read();
      if (value !== undefined && value !== null) set({}, value);
    });
  const ofState = (name: Plain, read: (seen: Seen) => number | undefined | null) => plain(name, () => seen && read(seen));

  plain('sluice_intake_under_way', from.intake.underWay);
  plain('sluice_intake_limit', () => from.intake.limit);
  plain('sluice_intake_fingerprints_under_way', from.intake.fingerprints);
  plain('sluice_store_waiting', from.store.waiting);
  plain('sluice_outbound_under_way', from.outbound.underWay);
  plain('sluice_outbound_limit', () => from.outbound.limit);
  plain('sluice_notices_waiting', from.noticesWaiting);
  plain('sluice_trace_spans_waiting', from.spansWaiting);
  plain('sluice_node_ready', () => (from.isLeaving() ? 0 : 1));
  plain('sluice_disk_free_bytes', () => freeBytes);
  metrics.follow('sluice_build_info', (set) => set({ version: from.version }, 1));

  plain('sluice_database_up', () => (seen ? 1 : 0));
  ofState('sluice_database_read_seconds', ({ tookMs }) => tookMs / 1_000);
  ofState('sluice_database_bytes', ({ bytes }) => bytes);
  ofState('sluice_database_longest_transaction_seconds', ({ state }) => state.longest_transaction ?? 0);
  ofState('sluice_database_replica_behind_seconds', ({ replicaBehindS }) => replicaBehindS);
  metrics.follow('sluice_database_connections', (set) => {
    if (!seen) return;
    set({ state: 'active' }, seen.state.connections_active);
    set({ state: 'idle' }, seen.state.connections_idle);
    set({ state: 'idle-in-transaction' }, seen.state.connections_in_transaction);
    set({ state: 'limit' }, seen.state.connections_most);
  });
  ofState('sluice_mails_waiting', ({ state }) => state.mails);
  ofState('sluice_mails_oldest_seconds', ({ state }) => state.mails_oldest ?? 0);
  ofState('sluice_webhook_calls_waiting', ({ state }) => state.webhook_calls);
  ofState('sluice_webhook_calls_overdue_seconds', ({ state }) => state.webhook_calls_overdue ?? 0);
  ofState('sluice_webhooks_failing', ({ state }) => state.webhooks_failing);
  metrics.follow('sluice_jobs_waiting', (set) => {
    if (!seen) return;
    set({ state: 'waiting' }, seen.state.jobs_waiting);
    set({ state: 'running' }, seen.state.jobs_running);
    set({ state: 'stuck' }, seen.state.jobs_stuck);
  });
  ofState('sluice_jobs_oldest_seconds', ({ state }) => state.jobs_oldest ?? 0);
  ofState('sluice_feed_runs_waiting', ({ state }) => state.feed_runs);
  ofState('sluice_feed_runs_overdue_seconds', ({ state }) => state.feed_runs_overdue ?? 0);
  ofState('sluice_leads_unknown', ({ state }) => state.held);
  ofState('sluice_leads_unknown_oldest_seconds', ({ state }) => state.held_oldest ?? 0);
  ofState('sluice_sales_pending', ({ state }) => state.pending);
  ofState('sluice_report_counts_waiting', ({ state }) => state.report_hours);
  ofState('sluice_report_oldest_seconds', ({ state }) => state.report_oldest ?? 0);
  ofState('sluice_retention_oldest_seconds', ({ state }) => state.retention_oldest ?? 0);
  ofState('sluice_partition_months_ahead', ({ state }) => state.partition_months);
  ofState('sluice_nodes_living', ({ state }) => state.nodes_living);
  ofState('sluice_nodes_dead', ({ state }) => state.nodes_dead);
  ofState('sluice_sessions_active', ({ state }) => state.sessions);
  ofState('sluice_breakers_open', ({ state }) => state.breakers_open);
  ofState('sluice_tiers_throttled', ({ state }) => state.tiers_throttled);
  ofState('sluice_tiers_resting', ({ state }) => state.tiers_resting);

  const pools = Object.entries(from.pools).map(([name, pool]) => ({ name, pool }));
  metrics.follow('sluice_pool_connections', (set) => {
    for (const { name, pool } of pools) {
      set({ pool: name, state: 'in-use' }, pool.totalCount - pool.idleCount);
      set({ pool: name, state: 'idle' }, pool.idleCount);
    }
  });
  metrics.follow('sluice_pool_limit', (set) => {
    for (const { name, pool } of pools) set({ pool: name }, pool.options.max);
  });
  metrics.follow('sluice_pool_waiting', (set) => {
    for (const { name, pool } of pools) set({ pool: name }, pool.waitingCount);
  });
}

async function freeAt(folder: string): Promise<number | undefined> {
  const found = await statfs(folder).catch(() => undefined);
  return found && found.bavail * found.bsize;
}
