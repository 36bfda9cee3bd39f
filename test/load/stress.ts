/**
 * `npm run bench -- stress`: what the bad days of one cost the others. A buyer that hangs, three times the load that the node carries, ten thousand
 * leads that wait, and a long run at half load (SOAK_MINUTES, 5). One node with the limits it has by itself, and everything on one machine.
 */
import type { ChildProcess } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type Db, openDb, openPool } from '#server/kit/database.ts';
import { buildWorld, jsonEndpoint, type World } from '#test/harness/world.ts';
import { type Measured, quantile, run } from './generator.ts';
import { killAll, memoryOf, start } from './processes.ts';
import { waitingLeads } from './waiting.ts';
import { withDatabase } from './with-database.ts';

const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);
const SOAK_MINUTES = Number(process.env.SOAK_MINUTES ?? 5);
const PUBLISHERS = 10;
/** Of all publishers together while one of their buyers hangs. */
const PER_SECOND = 300;
const CALLERS = 128;
const OVERLOAD = 3;
const WAITING = 10_000;
const SAMPLE_MS = 5_000;
const MIB = 2 ** 20;
/** MAX_IN_FLIGHT as an installation has it that says nothing. */
const USUAL_LIMIT = { MAX_IN_FLIGHT: '4000' };
const path = '/api/v1/leads';

interface Node {
  child: ChildProcess;
  url: string;
}

export const benchStress = (): Promise<void> =>
  withDatabase(async (databaseUrl) => {
    const admin = openPool(databaseUrl, 2);
    try {
      await bench(admin, databaseUrl);
    } finally {
      killAll();
      await admin.end();
    }
  });

async function bench(admin: pg.Pool, databaseUrl: string): Promise<void> {
  const db = openDb(admin);
  const { port } = await start('buyers.ts', []);
  const buyersUrl = `http://127.0.0.1:${port}`;
  const usual = await treeOf(db, [`${buyersUrl}/usual/no`, `${buyersUrl}/usual/no`, `${buyersUrl}/usual/yes`]);
  const sound = await Promise.all(Array.from({ length: PUBLISHERS }, () => treeOf(db, [`${buyersUrl}/usual/yes`])));
  const hanging = await treeOf(db, [`${buyersUrl}/hang`]);
  const slow = await treeOf(db, [`${buyersUrl}/slow`], 30_000);
  const node = await startNode(databaseUrl, USUAL_LIMIT);
  console.log(
    `${cpus().length} x ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; generator, buyers, PostgreSQL and node share the machine\n`,
  );
  await run({ ...loadOf(node, usual), seconds: 3, callers: CALLERS });
  await hang(node, sound, hanging);
  const peak = await overload(node, usual);
  await soak(node, usual, peak / 2);
  node.child.kill('SIGKILL');
  // One that takes more at once than an installation does by itself.
  const roomy = await startNode(databaseUrl, {});
  await run({ ...loadOf(roomy, usual), seconds: 3, callers: CALLERS });
  await waitingLeads({ app: roomy.child, url: roomy.url, slow, fast: sound[0]!, count: WAITING });
}

async function startNode(databaseUrl: string, env: Record<string, string>): Promise<Node> {
  const { child, port } = await start('sluice.ts', [databaseUrl], env);
  return { child, url: `http://127.0.0.1:${port}` };
}

/** A publisher whose leads go to buyers at these addresses, one after another. */
function treeOf(db: Db, urls: string[], timeLimitMs = 5_000): Promise<World> {
  const tiers = urls.map((url) => ({ url, timeLimitMs, endpoint: { post: { ...jsonEndpoint(url, 'post').post, url } } }));
  return buildWorld(db, { groups: [{ mode: 'priority', tiers }] });
}

const loadOf = ({ url }: Node, world: World) => ({ url, path, headers: { authorization: `Bearer ${world.key}` } });

/** Ten publishers with a buyer each: all buyers well, then one of them silent. The others are told of. */
async function hang(node: Node, sound: World[], hanging: World): Promise<void> {
  const each = { seconds: SECONDS, perSecond: PER_SECOND / PUBLISHERS };
  const of = async (worlds: World[], beside: World) => {
    const running = run({ ...loadOf(node, beside), ...each });
    const all = await Promise.all(worlds.map((world) => run({ ...loadOf(node, world), ...each })));
    await running;
    return told(all);
  };
  const [others, tenth] = [sound.slice(1), sound[0]!];
  const well = await of(others, tenth);
  const ill = await of(others, hanging);
  console.log(`One buyer of ${PUBLISHERS} hangs, ${PER_SECOND} leads a second; the leads of the other publishers:`);
  console.table({ 'all buyers well': well, 'one hangs': ill, ratio: { ...ratios(ill, well), failed: '' } });
}

function told(all: Measured[]) {
  const latency = all.flatMap((one) => one.latency);
  return {
    'leads/s': Math.round(all.reduce((sum, one) => sum + one.perSecond, 0)),
    'p50 ms': round(quantile(latency, 0.5)),
    'p99 ms': round(quantile(latency, 0.99)),
    failed: all.reduce((sum, one) => sum + one.failed, 0),
  };
}

const ratios = (one: ReturnType<typeof told>, other: ReturnType<typeof told>) => ({
  'leads/s': round(one['leads/s'] / other['leads/s']),
  'p50 ms': round(one['p50 ms'] / other['p50 ms']),
  'p99 ms': round(one['p99 ms'] / other['p99 ms']),
});

/** What is sold while three times as much is sent as the node carries, what the rest is told, and whether it is itself again. Returns the peak. */
async function overload(node: Node, world: World): Promise<number> {
  const load = { ...loadOf(node, world), seconds: SECONDS };
  const peak = await run({ ...load, callers: CALLERS });
  const calm = { ...load, perSecond: peak.perSecond * 0.3 };
  const before = await run(calm);
  const over = await run({ ...load, perSecond: peak.perSecond * OVERLOAD });
  const rightAfter = await run({ ...calm, warmUpSeconds: 0 });
  const after = await run(calm);
  const sold = (over.sent - over.failed) / SECONDS;
  console.log(`${OVERLOAD} times the load that the node carries, 3 buyers in 20 ms:`);
  console.table({
    'peak, leads/s': Math.round(peak.perSecond),
    'sent, leads/s': Math.round(peak.perSecond * OVERLOAD),
    'sold, leads/s': Math.round(sold),
    'of the peak': round(sold / peak.perSecond),
    'turned away': over.refused.latency.length,
    'turned away with Retry-After': over.refused.told,
    'turned away within, p50 ms': round(quantile(over.refused.latency, 0.5)),
    'turned away within, p99 ms': round(quantile(over.refused.latency, 0.99)),
    'neither sold nor turned away': over.failed - over.refused.latency.length,
    'at 0.3 of the peak, p99 ms': round(quantile(before.latency, 0.99)),
    'right afterwards': round(quantile(rightAfter.latency, 0.99)),
    'and then': round(quantile(after.latency, 0.99)),
  });
  return peak.perSecond;
}

/** At half load for some minutes: whether memory climbs, and the tail with it. */
async function soak(node: Node, world: World, perSecond: number): Promise<void> {
  const memory: { atMs: number; mib: number }[] = [];
  let isOver = false;
  const began = performance.now();
  const sampling = (async () => {
    while (!isOver) {
      memory.push({ atMs: performance.now() - began, mib: (await memoryOf(node.child)) / MIB });
      await sleep(SAMPLE_MS);
    }
  })();
  const rounds: Measured[] = [];
  while (performance.now() - began < SOAK_MINUTES * 60_000)
    rounds.push(await run({ ...loadOf(node, world), seconds: 20, perSecond, warmUpSeconds: 0.5 }));
  isOver = true;
  await sampling;
  // What it takes to warm up is no climb.
  const settled = memory.slice(Math.floor(memory.length / 3));
  const third = Math.max(1, Math.floor(rounds.length / 3));
  console.log(`${SOAK_MINUTES} minutes at half load (${Math.round(perSecond)} leads a second):`);
  console.table({
    'leads sold': rounds.reduce((sum, one) => sum + one.sent - one.failed, 0),
    failed: rounds.reduce((sum, one) => sum + one.failed, 0),
    'memory at first, MiB': Math.round(memory[0]!.mib),
    'memory after a third, MiB': Math.round(settled[0]!.mib),
    'memory at last, MiB': Math.round(memory.at(-1)!.mib),
    'climb after the first third, MiB an hour': round(climb(settled)),
    'p99 of the first third, ms': round(told(rounds.slice(0, third))['p99 ms']),
    'p99 of the last third, ms': round(told(rounds.slice(-third))['p99 ms']),
  });
}

/** The slope of the line that lies closest to all of them, per hour. */
function climb(samples: { atMs: number; mib: number }[]): number {
  const mean = (of: (one: { atMs: number; mib: number }) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length;
  const [at, mib] = [mean((one) => one.atMs), mean((one) => one.mib)];
  const spread = mean((one) => (one.atMs - at) ** 2);
  return spread === 0 ? 0 : (mean((one) => (one.atMs - at) * (one.mib - mib)) / spread) * 3_600_000;
}

const round = (value: number): number => Math.round(value * 100) / 100;
