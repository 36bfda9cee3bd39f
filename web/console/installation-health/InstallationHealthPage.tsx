import { useQuery } from '@tanstack/react-query';
import type { CheckView, InstallationHealth, NodeView, QueueView } from '#contract/installation-health.ts';
import { FigureCardSkeleton } from '#web/ui/FigureCard.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconAlertTriangle, IconCheck } from '#web/ui/icons.ts';
import { TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { installationHealthQuery } from '../api/installation-health.ts';
import { levelWords, queueWords, sayDuration, saySize, sayState, waitingText } from './health-words.ts';
import '#web/ui/stacking-table.css';
import '#web/ui/figure-card.css';
import './installation-health.css';

/** How the installation is: its nodes, its database, what waits, and what somebody should look at. For super admins. */
export function InstallationHealthPage() {
  const health = useQuery(installationHealthQuery);
  const state = health.data && sayState(health.data.checks);
  return (
    <div className="page">
      <title>Installation health · Sluice</title>
      <div className="page-head">
        <h1>Installation health</h1>
        {state && <span className={`pill ${state.tone}`}>{state.text}</span>}
        {health.data && (
          <span className="push muted small" data-testid="read">
            Read <TimeAgo at={health.data.readAt} />
          </span>
        )}
      </div>
      {health.isPending && <Pending />}
      {health.isError && !health.data && (
        <section className="card" aria-label="Installation health">
          <ErrorState error={health.error} onRetry={() => void health.refetch()} />
        </section>
      )}
      {health.data && (
        <>
          {health.isError && (
            <p className="card health-stale" role="status">
              <IconAlertTriangle size={17} className="warn" aria-hidden />
              These figures are old: the last try to read them anew did not succeed. {health.error.message}
            </p>
          )}
          <Health health={health.data} />
        </>
      )}
    </div>
  );
}

const FIGURES = ['Nodes', 'Leads under way', 'Connections', 'Database', 'Leads held', 'Oldest mail'] as const;

function Pending() {
  return (
    <>
      <dl className="health-figures">
        {FIGURES.map((label) => (
          <FigureCardSkeleton key={label} label={label} />
        ))}
      </dl>
      <div className="card card-body health-pending">
        <SkeletonLines count={6} height={22} />
      </div>
    </>
  );
}

function Health({ health }: { health: InstallationHealth }) {
  const toLookAt = health.checks.filter(({ level }) => level !== 'ok');
  const well = health.checks.filter(({ level }) => level === 'ok');
  return (
    <>
      <Figures health={health} />
      <section className="card health-block" aria-labelledby="health-look">
        <header>
          <h2 id="health-look">What to look at</h2>
          <span className="push muted small">
            {well.length === 1 ? 'One other check is well' : `${formatCount(well.length)} other checks are well`}
          </span>
        </header>
        {toLookAt.length === 0 ? (
          <p className="card-body health-well">
            <IconCheck size={18} className="good" aria-hidden />
            Nothing. This is read anew every 15 seconds while you are here.
          </p>
        ) : (
          <Checks checks={toLookAt} />
        )}
      </section>
      <section className="card health-block" aria-labelledby="health-nodes">
        <header>
          <h2 id="health-nodes">Nodes</h2>
        </header>
        <Nodes nodes={health.nodes} />
      </section>
      <div className="health-sides">
        <section className="card" aria-labelledby="health-queues">
          <header>
            <h2 id="health-queues">What waits</h2>
            <span className="push muted small">of all organizations</span>
          </header>
          <Queues queues={health.queues} />
        </section>
        <section className="card" aria-labelledby="health-database">
          <header>
            <h2 id="health-database">Database</h2>
          </header>
          <Database database={health.database} />
        </section>
      </div>
      <section className="card health-block" aria-labelledby="health-checks">
        <header>
          <h2 id="health-checks">Checks that are well</h2>
          <span className="push muted small">by the settings and the machine of the node that answers</span>
        </header>
        {well.length === 0 ? <EmptyState title="None is." /> : <Checks checks={well} />}
      </section>
    </>
  );
}

function Figures({ health: { nodes, database, queues } }: { health: InstallationHealth }) {
  const living = nodes.filter(({ isLiving }) => isLiving);
  const silent = nodes.length - living.length;
  const versions = new Set(living.map(({ version }) => version));
  const total = (of: (node: NodeView) => number) => living.reduce((sum, node) => sum + of(node), 0);
  const queue = (key: QueueView['key']) => queues.find((one) => one.key === key)!;
  const taken = database.connectionsActive + database.connectionsIdle + database.connectionsInTransaction;
  const held = queue('heldLeads');
  const mails = queue('mails');
  return (
    <dl className="health-figures" aria-label="Figures">
      <Figure
        label="Nodes"
        value={formatCount(living.length)}
        tone={silent > 0 ? 'bad' : versions.size > 1 ? 'warn' : undefined}
        foot={
          silent > 0 ? `${silent} silent` : versions.size > 1 ? `${versions.size} versions` : `version ${[...versions][0] || 'unknown'}`
        }
      />
      <Figure
        label="Leads under way"
        value={formatCount(total(({ leadsUnderWay }) => leadsUnderWay))}
        foot={`${formatCount(total(({ leadsEnded }) => leadsEnded))} ended`}
      />
      <Figure label="Connections" value={formatCount(taken)} foot={`of ${formatCount(database.connectionsMost)}`} />
      <Figure label="Database" value={saySize(database.bytes)} foot={`PostgreSQL ${database.version.split(' ')[0]}`} />
      <Figure
        label="Leads held"
        value={waitingText(held)}
        foot={held.oldestSeconds === null ? 'none waits' : `oldest ${sayDuration(held.oldestSeconds)}`}
      />
      <Figure
        label="Oldest mail"
        value={mails.oldestSeconds === null ? '–' : sayDuration(mails.oldestSeconds)}
        foot={mails.waiting === 0 ? 'none waits' : `${waitingText(mails)} wait`}
      />
    </dl>
  );
}

function Figure({
  label,
  value,
  foot,
  tone,
}: {
  label: (typeof FIGURES)[number];
  value: string;
  foot: string;
  tone?: 'bad' | 'warn' | undefined;
}) {
  return (
    <div className="card figure-card">
      <dt>{label}</dt>
      <dd className="figure-value tabular">{value}</dd>
      <dd className={`figure-foot tabular ${tone ?? 'muted'}`}>{foot}</dd>
    </div>
  );
}

function Checks({ checks }: { checks: CheckView[] }) {
  return (
    <ul className="health-checks">
      {checks.map(({ level, part, what, mend }) => (
        <li key={`${part} ${what}`}>
          <span className={`pill ${levelWords[level].tone}`}>{levelWords[level].word}</span>
          <div>
            <span className="health-what">{what}</span>
            {mend && <span className="muted">{mend}</span>}
          </div>
          <span className="muted small">{part}</span>
        </li>
      ))}
    </ul>
  );
}

function Nodes({ nodes }: { nodes: NodeView[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label="Table of nodes" tabIndex={0}>
      <table className="plain-table stacking">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">State</th>
            <th scope="col">Version</th>
            <th scope="col">Started</th>
            <th scope="col">Last heartbeat</th>
            <th scope="col" className="num">
              Under way
            </th>
            <th scope="col" className="num">
              Leads ended
            </th>
          </tr>
        </thead>
        <tbody>
          {nodes.map((node) => (
            <tr key={node._id}>
              <td>
                <span className="health-node">
                  <strong>{node.host || 'A machine without a name'}</strong>
                  {node.isThis && <span className="pill info">Answers you</span>}
                  <span className="muted mono">{node._id.slice(-12)}</span>
                </span>
              </td>
              <td data-head="State">
                <span className={`status-word ${node.isLiving ? 'good' : 'bad'}`}>
                  <span className="dot" aria-hidden />
                  {node.isLiving ? 'Runs' : 'Silent'}
                </span>
              </td>
              <td data-head="Version">{node.version || 'unknown'}</td>
              <td data-head="Started">
                <TimeAgo at={node.startedAt} />
              </td>
              <td data-head="Last heartbeat">
                <TimeAgo at={node.seenAt} />
              </td>
              <td data-head="Under way" className="num">
                {formatCount(node.leadsUnderWay)}
              </td>
              <td data-head="Leads ended" className="num">
                {formatCount(node.leadsEnded)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Queues({ queues }: { queues: QueueView[] }) {
  return (
    <table className="plain-table health-queues">
      <thead>
        <tr>
          <th scope="col">What</th>
          <th scope="col" className="num">
            Waiting
          </th>
          <th scope="col" className="num">
            Longest
          </th>
        </tr>
      </thead>
      <tbody>
        {queues.map((queue) => (
          <tr key={queue.key}>
            <td>
              <span className="health-what">{queueWords[queue.key].name}</span>
              <span className="muted small">{queueWords[queue.key].about}</span>
            </td>
            <td className={`num ${queue.waiting === 0 ? 'muted' : ''}`}>{waitingText(queue)}</td>
            <td className="num muted">{queue.oldestSeconds === null ? '–' : sayDuration(queue.oldestSeconds)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Database({ database }: { database: InstallationHealth['database'] }) {
  const { replica, partitionMonths, longestTransactionSeconds } = database;
  const facts: [string, string][] = [
    ['Version', `PostgreSQL ${database.version}`],
    ['Size', saySize(database.bytes)],
    ['Connections at work', formatCount(database.connectionsActive)],
    ['Connections idle', formatCount(database.connectionsIdle)],
    ['Idle within a transaction', formatCount(database.connectionsInTransaction)],
    ['Most that are allowed', formatCount(database.connectionsMost)],
    ['Longest transaction', longestTransactionSeconds === null ? 'none' : sayDuration(longestTransactionSeconds)],
    ['Replica', replica ? (replica.behindSeconds === null ? 'does not answer' : `${sayDuration(replica.behindSeconds)} behind`) : 'none'],
    ['Room for leads', partitionMonths < 0 ? 'not for this month' : `this month and ${partitionMonths} more`],
  ];
  return (
    <dl className="health-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
