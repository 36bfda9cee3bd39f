/** Everything that runs in one app node, put together and taken apart in the right order. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import type { DemoSignIn } from '#contract/demo.ts';
import { keepPartitions, migrate } from '#db/migrate.ts';
import { buildApp } from './app.ts';
import { type BreakerBook, openBreakerBook } from './breaker/breaker-book.ts';
import { tellOwner } from './breaker/tell-owner.ts';
import type { ChangeSeal } from './change-log/seal-changes.ts';
import { createOutbound, type Outbound } from './delivery/outbound.ts';
import { parseAllowList } from './delivery/outbound-address.ts';
import { withMail } from './delivery/outbound-mail.ts';
import { type ErasureRegister, keepRegularly, openErasureRegister } from './erasure/erasure-register.ts';
import { openFeedRunner } from './export/feed-runner.ts';
import type { Ways } from './export/send-file.ts';
import { openFeed } from './feed/feed.ts';
import { openStateBook } from './health/state-book.ts';
import { PRODUCT_HELP } from './help/content/product-help.ts';
import { openHelpBook } from './help/help-book.ts';
import { loadHelp } from './help/load-help.ts';
import { JOB_KINDS } from './job/job-kinds.ts';
import { openJobRunner } from './job/job-runner.ts';
import { openAddresses } from './kit/addresses.ts';
import { openClock } from './kit/clock.ts';
import { type Config, ConfigError } from './kit/config.ts';
import { type Db, openDb, openPool } from './kit/database.ts';
import { type EmbeddedServer, startEmbeddedPostgres } from './kit/embedded-postgres.ts';
import { traceOf } from './kit/error-trace.ts';
import { COUNTING, givingWay, NO_HELPERS } from './kit/give-way.ts';
import { newId } from './kit/ids.ts';
import { DRAIN_MS, openLeaving } from './kit/leaving.ts';
import { openReaders, preferReplica } from './kit/replica.ts';
import { retrying } from './kit/retry.ts';
import { openTenants } from './kit/tenant.ts';
import { openReplayRunner } from './lab/replay-runner.ts';
import { openFactBook } from './lead/fact-book.ts';
import { openFairShare } from './lead/fair-share.ts';
import type { Intake } from './lead/intake.ts';
import { keepAfterwards } from './lead/keep-afterwards.ts';
import { openLeadStore } from './lead/lead.store.ts';
import { findAnswer } from './lead/posting.sql.ts';
import { insertLate } from './lead/record.sql.ts';
import { openRotation } from './lead/rotation.ts';
import { openCallLog } from './log/call-log.ts';
import { type Mailer, openMailer } from './mail/mail.ts';
import { followNode } from './metric/follow-node.ts';
import { measureOutbound } from './metric/measure-outbound.ts';
import { openMetrics } from './metric/open-metrics.ts';
import { openDoubts } from './node/doubts.ts';
import { joinNodes } from './node/node.ts';
import { sweepRegularly } from './node/sweep.ts';
import { openNoticeSender } from './notice/notice-sender.ts';
import { findKeys, openPlanBook, type PlanBook } from './plan/plan-book.ts';
import { openSetUpConnections } from './record/set-up-connections.ts';
import { linkOf } from './redirect/redirect-link.ts';
import { openReportRoller } from './report/roll-reports.ts';
import { openRestBook, type RestBook } from './rest/rest-book.ts';
import { openSecurityLog } from './security-log/security-log.ts';
import { openTracing } from './trace/open-tracing.ts';
import { openUnmappedCounter } from './unmapped/count-unmapped.ts';
import { openWebhookSender } from './webhook/webhook-sender.ts';

/** As it stands in package.json. */
export const VERSION = (JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')) as { version: string }).version;

export interface Installation {
  app: FastifyInstance;
  db: Db;
  pool: pg.Pool;
  planBook: PlanBook;
  mailer: Mailer;
  breakers: BreakerBook;
  rests: RestBook;
  erasures: ErasureRegister;
  nodeId: string;
  /** Finishes what is under way, then lets go of everything. */
  close(): Promise<void>;
}

export interface DatabaseAt {
  url: string;
  leave(): Promise<void>;
}

/** The database of this installation: an operator's own, or the embedded server in the data folder. Throws ConfigError when it is out of reach. */
export async function reachDatabase(config: Config): Promise<DatabaseAt> {
  if (config.databaseUrl) {
    await knockAt(config.databaseUrl);
    return { url: config.databaseUrl, leave: async () => {} };
  }
  const server: EmbeddedServer = await startEmbeddedPostgres(join(config.dataDir, 'postgres'));
  await createDatabase(server);
  return { url: server.url('sluice'), leave: () => server.leave() };
}

const KNOCK_WITHIN_MS = 10_000;

async function knockAt(url: string): Promise<void> {
  // Never the address as it was given: it holds the password.
  if (!URL.canParse(url)) throw new ConfigError('DATABASE_URL: cannot be read; it looks like postgres://user:password@host:5432/database.');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: KNOCK_WITHIN_MS, application_name: 'sluice start' });
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new ConfigError(`DATABASE_URL: ${whyUnreachable(error, new URL(url))}`);
  } finally {
    await client.end().catch(() => {});
  }
}

function whyUnreachable(error: unknown, { hostname, port, username, pathname }: URL): string {
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const at = `${hostname || 'localhost'}:${port || 5432}`;
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `there is no host ${hostname}.`;
  if (code === '28P01' || code === '28000') return `PostgreSQL at ${at} does not let the user ${username} in with this password.`;
  if (code === '3D000') return `PostgreSQL at ${at} has no database ${pathname.slice(1)}. Make it, or name another.`;
  if (/^(E[A-Z]+|)$/.test(code)) return `PostgreSQL does not answer at ${at} (${code || message.split('\n')[0]}).`;
  return `PostgreSQL at ${at} refuses: ${message.split('\n')[0]}.`;
}

async function createDatabase(server: EmbeddedServer): Promise<void> {
  const pool = openPool(server.url('postgres'), 1);
  const exists = await pool.query(`select from pg_database where datname = 'sluice'`);
  // Two nodes may both find nothing: the second one's complaint means that it is there.
  if (exists.rowCount === 0)
    await pool.query('create database sluice').catch((error) => {
      if (error.code !== '42P04' && error.code !== '23505') throw error;
    });
  await pool.end();
}

/** Takes no new calls, finishes those under way, and does not wait for callers to let go of idle connections. */
async function drain(app: FastifyInstance): Promise<void> {
  const idle = setInterval(() => app.server.closeIdleConnections(), 50);
  const last = setTimeout(() => app.server.closeAllConnections(), DRAIN_MS);
  await app.close();
  clearInterval(idle);
  clearTimeout(last);
}

export async function openInstallation(
  config: Config,
  url: string,
  options: { demoSignIns?: DemoSignIn[]; outbound?: Outbound } = {},
): Promise<Installation> {
  await migrate(url);
  const pool = openPool(url, config.databasePool);
  await keepPartitions(pool, new Date());
  const db = openDb(pool);
  await loadHelp(db, PRODUCT_HELP);
  const nodeId = newId();
  const clock = openClock();
  let app: FastifyInstance | undefined;
  const early: unknown[] = [];
  const warnings: string[] = [];
  let isClosing = false;
  const metrics = openMetrics();
  const note = (error: unknown, worker: Worker) => {
    // What was under way when the end came has nothing to ask the database any more.
    if (isClosing) return;
    metrics.add('sluice_background_errors_total', { worker });
    if (app) app.log.warn({ err: traceOf(error), worker }, 'background work failed');
    else early.push(error);
  };
  const onErrorOf = (worker: Worker) => (error: unknown) => note(error, worker);
  const planBook = await openPlanBook({ db, connectionString: url, masterKey: config.masterKey, onError: onErrorOf('plans') }).catch(
    async (error) => {
      await pool.end();
      throw error;
    },
  );
  // Before anything is answered: whoever was erased since the backup that this database may be of is erased again.
  const erasures = await openErasureRegister({
    ...{ db, pool, planBook, path: config.erasureRegister },
    warn: (what) => (app ? app.log.warn(what) : warnings.push(what)),
  }).catch(async (error) => {
    await planBook.close();
    await pool.end();
    throw error;
  });
  const doubts = openDoubts();
  const store = openLeadStore({ connectionString: url, nodeId, now: clock.now, metrics, doubts });
  const feed = openFeed({ pool, connectionString: url, nodeId });
  const help = openHelpBook(db);
  const mailer = openMailer({
    pool,
    masterKey: config.masterKey,
    smtpUrl: config.smtpUrl,
    hasMailbox: config.appEnv !== 'production',
    from: config.mailFrom,
    onError: onErrorOf('mail'),
    metrics,
  });
  const allow = parseAllowList(config.outboundAllow.join(','));
  const calls = options.outbound ?? createOutbound({ allow, concurrencyPerBuyer: config.buyerConcurrency, traceTo: config.traces.to });
  const outbound = measureOutbound(withMail(calls, mailer, { concurrencyPerBuyer: config.buyerConcurrency }), metrics);
  const addresses = openAddresses(config, () => portOf(app) ?? config.port);
  const breakers = await openBreakerBook({
    db,
    connectionString: url,
    tell: (tx, organizationId, buyerTierId, open) => {
      metrics.add('sluice_breakers_opened_total', {});
      return tellOwner(tx, { mailer, addresses }, organizationId, buyerTierId, open);
    },
    onError: onErrorOf('breakers'),
  });
  const facts = openFactBook(url, clock.now);
  const rests = await openRestBook({ db, connectionString: url, onError: onErrorOf('rests') });
  const unmapped = openUnmappedCounter({ db, clock: clock.now, onError: onErrorOf('unmapped') });
  const notices = openNoticeSender({ db, outbound, clock: clock.now, onError: onErrorOf('notices'), metrics });
  const webhooks = openWebhookSender({ db, planBook, outbound, clock: clock.now, onError: onErrorOf('webhooks'), metrics });
  const tracing = openTracing(config.traces, { version: VERSION, nodeId }, clock.now, metrics);
  let leadsEnded = 0;
  const load = { underWay: 0, share: openFairShare(config.maxInFlight, () => planBook.list().length > 1) };
  const intake: Intake = {
    store,
    facts,
    rotation: await openRotation(db),
    breakers,
    rests,
    unmapped,
    deliver: { outbound },
    notices,
    metrics,
    clock: clock.now,
    linkOf: (organization, leadId) => linkOf(addresses, organization, leadId),
    findAnswer: (organization, publisherTierId, leadId) => findAnswer(db, organization, publisherTierId, leadId),
    keepAfterwards: (organizationId, row) => retrying(8, 250, () => keepAfterwards(db, organizationId, row)),
    // Late answers are rare and never waited for: a database that is away for a while must not lose them.
    recordLate: (late) => {
      metrics.add('sluice_late_answers_total', { outcome: late.outcome });
      return retrying(8, 250, () => insertLate(pool, late));
    },
    inFlight: new Map(),
    ended: (lead) => {
      leadsEnded += 1;
      feed.ended(lead);
      metrics.add('sluice_leads_total', { status: lead.status });
      metrics.observe('sluice_lead_own_seconds', {}, lead.ownMs / 1_000);
      metrics.observe('sluice_lead_store_seconds', {}, lead.storeMs / 1_000);
      metrics.observe('sluice_lead_others_seconds', {}, lead.othersMs / 1_000);
    },
  };
  const life = await joinNodes({
    pool,
    nodeId,
    planBook,
    interrupted: (leads) => leads.forEach(feed.ended),
    onError: onErrorOf('heartbeat'),
    told: () => ({ version: VERSION, host: hostname(), leadsEnded, leadsUnderWay: load.underWay }),
    doubts,
    metrics,
  });
  const partitions = setInterval(() => void keepPartitions(pool, new Date()).catch(onErrorOf('partitions')), 6 * 3_600_000);
  partitions.unref();
  const leaving = openLeaving(config.leaveMs);
  const ready = () => pool.query('select 1');
  const tenants = openTenants(url, config.databasePool);
  const readers = config.databaseReplicaUrl
    ? preferReplica(tenants, config.databaseReplicaUrl, {
        max: config.databasePool,
        onAway: (why) => app?.log.warn(`The replica is left alone for a moment: ${why}`),
      })
    : openReaders(url, config.databasePool);
  const setUp = openSetUpConnections(url);
  const counting = openPool(url, 1, { onConnect: givingWay(COUNTING), options: NO_HELPERS, idleTimeoutMillis: 0 });
  const state = openStateBook({
    pool,
    hasMail: config.smtpUrl !== undefined,
    replicaBehindS: readers.behindS,
    onError: onErrorOf('state'),
  });
  followNode(metrics, {
    version: VERSION,
    pools: { main: pool, tenants: tenants.pool, 'set-up': setUp.pool, facts: facts.pool, readers: readers.pool, counting },
    state,
    intake: { underWay: () => load.underWay, limit: config.maxInFlight, fingerprints: () => intake.inFlight.size },
    store: { waiting: store.waiting },
    outbound: { underWay: outbound.underWayInAll, limit: config.buyerConcurrency },
    noticesWaiting: notices.waiting,
    spansWaiting: tracing.waiting,
    isLeaving: leaving.hasBegun,
    dataDir: config.dataDir,
  });
  const jobs = openJobRunner({
    db,
    nodeId,
    kinds: JOB_KINDS,
    keysOf: (organizationId) => findKeys(db, config.masterKey, planBook, organizationId),
    onError: onErrorOf('jobs'),
    metrics,
  });
  const ways: Ways = { outbound, mailer, allow };
  const feeds = openFeedRunner({
    ...ways,
    db,
    keysOf: (organizationId) => findKeys(db, config.masterKey, planBook, organizationId),
    clock: clock.now,
    onError: onErrorOf('feeds'),
    metrics,
  });
  const replays = openReplayRunner({ db, databaseUrl: url, nodeId, planBook, onError: onErrorOf('replays') });
  const onLostOf = (log: 'calls' | 'security') => (lines: number) => metrics.add('sluice_log_lines_lost_total', { log }, lines);
  const callLog = openCallLog({ pool, now: clock.now, onError: onErrorOf('call-log'), onLost: onLostOf('calls') });
  const security = openSecurityLog({ pool, now: clock.now, onError: onErrorOf('security-log'), onLost: onLostOf('security') });
  app = await buildApp({
    config,
    db,
    pool,
    setUp,
    tenants,
    readers,
    planBook,
    mailer,
    addresses,
    calls: callLog,
    security,
    intake,
    breakers,
    jobs,
    feeds,
    erasures,
    ways,
    replays,
    rests,
    feed,
    help,
    metrics,
    tracing,
    load,
    state,
    nodeId,
    leaving,
    ready,
    demoSignIns: options.demoSignIns ?? [],
  });
  for (const error of early) app.log.warn({ err: traceOf(error) }, 'background work failed');
  for (const what of warnings) app.log.warn(what);
  const sealed = (seal: ChangeSeal) => app?.log.info(seal, 'change log sealed');
  const sweeper = sweepRegularly({ pool, db, planBook, mailer, addresses, sealed }, onErrorOf('sweeper'), metrics);
  const alike = keepRegularly(erasures, onErrorOf('erasures'));
  const roller = openReportRoller(counting, onErrorOf('reports'), metrics);
  const close = async () => {
    await leaving.begin();
    isClosing = true;
    clearInterval(partitions);
    // What it is counting may take longer than anybody waits for leads, and is counted anew where it is cut off.
    const counted = roller.close();
    await Promise.all([sweeper.close(), alike.close(), jobs.close(), replays.close(), feeds.close()]);
    await drain(app!);
    await Promise.all([callLog.close(), security.close(), notices.close(), webhooks.close()]);
    // Leads under way may go out as mail.
    await mailer.close();
    await store.close();
    await Promise.all([breakers.close(), rests.close(), facts.close(), unmapped.close()]);
    await Promise.all([feed.close(), planBook.close(), outbound.close()]);
    await life.leave();
    await tracing.close();
    metrics.close();
    clock.close();
    await counted;
    await Promise.all([pool.end(), setUp.close(), counting.end(), readers.close(), tenants.close()]);
  };
  return { app, db, pool, planBook, mailer, breakers, rests, erasures, nodeId, close };
}

/** What works beside the leads, by the words that its failures are counted under. */
type Worker =
  | 'plans'
  | 'mail'
  | 'breakers'
  | 'unmapped'
  | 'erasures'
  | 'rests'
  | 'notices'
  | 'webhooks'
  | 'heartbeat'
  | 'partitions'
  | 'state'
  | 'jobs'
  | 'feeds'
  | 'replays'
  | 'call-log'
  | 'security-log'
  | 'sweeper'
  | 'reports';

/** Where the app really listens: tests let the machine choose. */
function portOf(app: FastifyInstance | undefined): number | undefined {
  const address = app?.server.address();
  return typeof address === 'object' ? address?.port : undefined;
}
