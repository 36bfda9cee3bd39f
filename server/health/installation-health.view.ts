/** How the installation is, as super admins see it. */
import type { CheckView, InstallationHealth, NodeView, QueueKey, QueueView } from '#contract/installation-health.ts';
import { DEAD_AFTER_MS } from '#server/node/node.ts';
import type { Check } from './live-checks.ts';
import { MOST, MOST_HELD, type NodeRow } from './read-state.sql.ts';
import type { Seen } from './state-book.ts';

export interface HealthParts {
  seen: Seen;
  nodes: NodeRow[];
  nodeId: string;
  checks: Check[];
  hasReplica: boolean;
}

export function viewInstallation({ seen, nodes, nodeId, checks, hasReplica }: HealthParts): InstallationHealth {
  const { state, bytes, replicaBehindS, readAt } = seen;
  return {
    status: true,
    readAt: readAt.toISOString(),
    nodes: nodes.map((row) => viewNode(row, nodeId)),
    database: {
      version: state.server_version,
      bytes,
      connectionsActive: state.connections_active,
      connectionsIdle: state.connections_idle,
      connectionsInTransaction: state.connections_in_transaction,
      connectionsMost: state.connections_most,
      longestTransactionSeconds: whole(state.longest_transaction),
      replica: hasReplica ? { behindSeconds: whole(replicaBehindS ?? null) } : null,
      partitionMonths: state.partition_months,
    },
    queues: [
      queue('mails', state.mails, MOST, state.mails_oldest),
      queue('webhookCalls', state.webhook_calls, MOST, state.webhook_calls_overdue),
      queue('jobs', state.jobs_waiting + state.jobs_running, MOST, state.jobs_oldest),
      queue('feeds', state.feed_runs, MOST, state.feed_runs_overdue),
      queue('reportHours', state.report_hours, MOST, state.report_oldest),
      queue('heldLeads', state.held, MOST_HELD, state.held_oldest),
      queue('pendingSales', state.pending, MOST_HELD, null),
    ],
    checks: checks.map(viewCheck).sort((a, b) => ORDER.indexOf(a.level) - ORDER.indexOf(b.level)),
  };
}

const ORDER: readonly CheckView['level'][] = ['bad', 'warn', 'ok'];

function viewNode(row: NodeRow, nodeId: string): NodeView {
  return {
    _id: row.id,
    version: row.version,
    host: row.host,
    startedAt: row.started_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    isLiving: row.silent_ms < DEAD_AFTER_MS,
    isThis: row.id === nodeId,
    leadsEnded: row.leads_ended,
    leadsUnderWay: row.leads_under_way,
  };
}

const queue = (key: QueueKey, waiting: number, most: number, oldest: number | null): QueueView => ({
  key,
  waiting,
  isMore: waiting >= most,
  oldestSeconds: waiting === 0 ? null : whole(oldest),
});

const viewCheck = ({ part, finding: { level, what, mend } }: Check): CheckView => ({ level, part, what, mend: mend ?? null });

const whole = (seconds: number | null): number | null => (seconds === null ? null : Math.max(0, Math.round(seconds)));
