/**
 * `npm run bench`: what the product costs beside a bare server doing the same calls, on this machine, in this run. With `-- console`, `naive`, `plan`, `replay`, `reports`, `stress` or `web`: the file of that name.
 * Figures are ratios; the machine they were taken on is printed with them.
 */
import { once } from 'node:events';
import { cpus, totalmem } from 'node:os';
import { openDb, openPool } from '#server/kit/database.ts';
import { buildWorld, jsonEndpoint, type World, type WorldSpec } from '#test/harness/world.ts';
import { benchConsole } from './console.ts';
import { type Measured, quantile, run } from './generator.ts';
import { benchNaive } from './naive.ts';
import { benchPlan } from './plan.ts';
import { killAll, start } from './processes.ts';
import { benchReplay } from './replay.ts';
import { benchReports } from './reports.ts';
import { benchStress } from './stress.ts';
import { waitingLeads } from './waiting.ts';
import { benchWeb } from './web.ts';
import { withDatabase } from './with-database.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const CALLERS = 32;
const BUYER_COUNTS = (process.env.BENCH_BUYERS ?? '1,3,10').split(',').map(Number);

if (process.argv[2] === 'console') await benchConsole();
else if (process.argv[2] === 'naive') await benchNaive();
else if (process.argv[2] === 'plan') benchPlan();
else if (process.argv[2] === 'replay') await benchReplay();
else if (process.argv[2] === 'reports') await benchReports();
else if (process.argv[2] === 'stress') await benchStress();
else if (process.argv[2] === 'web') await benchWeb();
else await benchLeads();

async function benchLeads(): Promise<void> {
  const settings = process.env.BENCH_LOG ? { log_min_duration_statement: process.env.BENCH_LOG } : {};
  await withDatabase(async (url) => {
    try {
      await bench(url);
    } finally {
      killAll();
    }
  }, settings);
}

async function bench(url: string): Promise<void> {
  const admin = openPool(url, 2);
  const db = openDb(admin);
  const { child: market, port } = await start('buyers.ts', []);
  const buyersUrl = `http://127.0.0.1:${port}`;
  const usualUrl = `${buyersUrl}/usual`;
  const rounds: Round[] = [];
  for (const count of BUYER_COUNTS)
    rounds.push({ name: 'at once', count, buyersUrl, callers: CALLERS, world: await buildWorld(db, treeOf(buyersUrl, count)) });
  for (const count of BUYER_COUNTS)
    rounds.push({ name: '20 ms', count, buyersUrl: usualUrl, callers: CALLERS * 4, world: await buildWorld(db, treeOf(usualUrl, count)) });
  const slow = await buildWorld(db, { groups: [{ mode: 'priority', tiers: [tierAt(`${buyersUrl}/slow`, 30_000)] }], timeLimitMs: 60_000 });
  const app = await start('sluice.ts', [url]);
  const appUrl = `http://127.0.0.1:${app.port}`;

  console.log(
    `${cpus().length} x ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ${SECONDS} s each; generator, buyers, PostgreSQL and server share the machine\n`,
  );
  // Code that was never run is slow to begin with; the first figures would measure that.
  await run({
    url: appUrl,
    path: '/api/v1/leads',
    headers: { authorization: `Bearer ${rounds[0]!.world.key}` },
    seconds: 3,
    callers: CALLERS,
  });
  const rows = [];
  for (const round of rounds) rows.push(await compare(round, appUrl, url));
  console.table(rows);
  await waitingLeads({ app: app.child, url: appUrl, slow, fast: rounds[0]!.world, count: 2_000 });
  const ended = once(app.child, 'exit');
  app.child.kill('SIGTERM');
  // It writes its profile, where one is asked for, as it ends.
  await ended;
  market.kill();
  await admin.end();
}

interface Round {
  /** How long the buyers take. */
  name: string;
  count: number;
  buyersUrl: string;
  callers: number;
  world: World;
}

/** All but the last buyer say no. */
function treeOf(buyersUrl: string, count: number): WorldSpec {
  const tiers = Array.from({ length: count }, (_, at) => tierAt(`${buyersUrl}/${at === count - 1 ? 'yes' : 'no'}`, 10_000));
  return { groups: [{ mode: 'priority', tiers }] };
}

function tierAt(url: string, timeLimitMs: number) {
  const endpoint = jsonEndpoint(url, 'post');
  return { url, timeLimitMs, endpoint: { post: { ...endpoint.post, url } } };
}

async function compare({ name, count, buyersUrl, callers, world }: Round, appUrl: string, databaseUrl: string) {
  const headers = { authorization: `Bearer ${world.key}` };
  const bare = await start('bare.ts', [databaseUrl, buyersUrl, String(count)]);
  const bareFull = await run({ url: `http://127.0.0.1:${bare.port}`, path: '/', headers: {}, seconds: SECONDS, callers });
  const bareHalf = await run({
    url: `http://127.0.0.1:${bare.port}`,
    path: '/',
    headers: {},
    seconds: SECONDS,
    perSecond: bareFull.perSecond / 2,
  });
  bare.child.kill('SIGKILL');
  const full = await run({ url: appUrl, path: '/api/v1/leads', headers, seconds: SECONDS, callers });
  const half = await run({ url: appUrl, path: '/api/v1/leads', headers, seconds: SECONDS, perSecond: full.perSecond / 2 });
  return {
    'buyers answer': name,
    buyers: count,
    'bare leads/s': Math.round(bareFull.perSecond),
    'leads/s': Math.round(full.perSecond),
    ratio: round(full.perSecond / bareFull.perSecond),
    'own p50 ms': round(quantile(half.own, 0.5)),
    'own p99 ms': round(quantile(half.own, 0.99)),
    // The whole time of a bare answer at half of its own load: how quiet the machine is.
    'bare p99 ms': round(quantile(bareHalf.latency, 0.99)),
    'own p99 at peak': round(quantile(full.own, 0.99)),
    failed: failedOf(bareFull, bareHalf, full, half),
  };
}

function failedOf(...all: Measured[]): number {
  return all.reduce((sum, one) => sum + one.failed, 0);
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
