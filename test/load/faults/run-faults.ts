/**
 * Two nodes, a PostgreSQL of their own, ten buyers with ledgers and thirty-two publishers: nodes and database are killed at random moments while
 * leads are sold, then everybody's books are compared. The order of events follows the seed; what runs when on a busy machine does not.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { migrate } from '#db/migrate.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { type EmbeddedServer, freePort, startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';
import { buildWorld, jsonEndpoint, type TierSpec } from '#test/harness/world.ts';
import { judge, type Verdict } from './judge.ts';
import { TEMPERS, TIME_LIMIT_MS } from './ledger-buyers.ts';
import { type Publishers, startPublishers } from './publishers.ts';

export type Fault = 'node' | 'bothNodes' | 'database' | 'everything';

export interface Report extends Verdict {
  seed: string;
  rounds: Record<Fault, number>;
  /** Leads that somebody was waiting for at one of the moments of killing. */
  underWayAtKills: number;
  /** Milliseconds from a start to the node's readiness, from the database's to the next answered lead, and from a lead's first sending to its answer; the longest. */
  longestStartMs: number;
  longestBackMs: number;
  longestUnansweredMs: number;
  toOthers: Publishers['toOthers'];
}

/** Buyers whose cap is reached during a run of this length, by their place. */
const CAPS = new Map([
  [1, 40],
  [9, 200],
]);

export async function runFaults(rounds: Record<Fault, number>, seed: string, say: (line: string) => void = () => {}): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-faults-'));
  const children = new Set<ChildProcess>();
  const random = randomOf(seed);
  const port = await freePort();
  // Durable as in production: what was acknowledged is on the disk.
  const startDatabase = () => startEmbeddedPostgres(join(folder, 'postgres'), { port: String(port) });
  let server: EmbeddedServer | undefined;
  let pool: pg.Pool | undefined;
  try {
    server = await startDatabase();
    const url = await makeDatabase(server);
    pool = openPool(url, 2);
    const ledger = join(folder, 'ledger.jsonl');
    const market = await start(children, join(import.meta.dirname, 'ledger-buyers.ts'), [ledger, seed]);
    const world = await buildWorld(openDb(pool), {
      groups: [{ mode: 'roundRobin', tiers: TEMPERS.map((_, at) => tierOf(`http://127.0.0.1:${market.port}`, at)) }],
      timeLimitMs: 10_000,
    });
    const nodes = await Promise.all([0, 1].map(() => startNode(children, url)));
    const troubled = new Map<number, number>();
    const isTroubled = (at: number) => (troubled.get(at) ?? 0) > Date.now();
    const publishers = startPublishers(world.key, () => nodes.map(({ url: at }) => at), isTroubled);
    const report = { longestStartMs: 0, longestBackMs: 0 };
    const inDoubt = new Set<string>();
    const remember = () => {
      for (const consumer of publishers.underWay) inDoubt.add(consumer);
    };

    const killNode = async (at: number) => {
      troubled.set(at, Number.POSITIVE_INFINITY);
      remember();
      nodes[at]!.child.kill('SIGKILL');
      await once(nodes[at]!.child, 'exit');
      const began = Date.now();
      nodes[at] = await startNode(children, url);
      report.longestStartMs = Math.max(report.longestStartMs, Date.now() - began);
      troubled.set(at, Date.now() + 2_000);
    };
    const killDatabase = async () => {
      for (const at of [0, 1]) troubled.set(at, Number.POSITIVE_INFINITY);
      remember();
      killPostgres(join(folder, 'postgres', 'cluster'));
      await sleep(300);
      await startDatabase();
      const [before, began] = [publishers.acknowledged.length, Date.now()];
      while (publishers.acknowledged.length === before && Date.now() - began < 30_000) await sleep(20);
      report.longestBackMs = Math.max(report.longestBackMs, Date.now() - began);
      for (const at of [0, 1]) troubled.set(at, Date.now() + 3_000);
    };
    const strike: Record<Fault, () => Promise<unknown>> = {
      node: () => killNode(random() < 0.5 ? 0 : 1),
      bothNodes: () => Promise.all([killNode(0), killNode(1)]),
      database: killDatabase,
      everything: async () => {
        // The nodes start while the database is away: they are begun again until it is there.
        const back = killDatabase();
        await Promise.all([killNode(0), killNode(1), back]);
      },
    };
    for (const fault of shuffled(rounds, random)) {
      await sleep(500 + random() * 2_000);
      await strike[fault]();
      say(`${fault}: ${publishers.acknowledged.length} acknowledged so far`);
    }
    await sleep(2_000);
    await publishers.stop();
    await settle(pool);
    const verdict = await judge(pool, publishers, ledger, CAPS);
    return {
      ...verdict,
      ...report,
      longestUnansweredMs: publishers.longestMs,
      underWayAtKills: inDoubt.size,
      seed,
      rounds,
      toOthers: publishers.toOthers,
    };
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await pool?.end().catch(() => {});
    await server?.leave().catch(() => {});
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What could not be told apart is held: a buyer that bought and whose answer was lost must not meet a second one. */
function tierOf(market: string, at: number): TierSpec {
  const url = `${market}/${at}`;
  const limit = CAPS.get(at);
  return {
    ...{ url, name: `Buyer ${at}`, buyer: `Buyer ${at}`, timeLimitMs: TIME_LIMIT_MS, afterTimeout: 'hold' },
    ...(limit !== undefined && { caps: [{ measure: 'sold', period: 'overall', limit, timeZone: 'UTC' }] }),
    endpoint: { post: { ...jsonEndpoint(url, 'post').post, url } },
  };
}

async function makeDatabase(server: EmbeddedServer): Promise<string> {
  const pool = openPool(server.url('postgres'), 1);
  await pool.query('create database sluice');
  await pool.end();
  await migrate(server.url('sluice'));
  return server.url('sluice');
}

interface RunningNode {
  child: ChildProcess;
  url: string;
}

const START_PATIENCE_MS = 60_000;

/** One that ends before it is ready, as it does while the database is away, is started again. */
async function startNode(children: Set<ChildProcess>, databaseUrl: string): Promise<RunningNode> {
  const until = Date.now() + START_PATIENCE_MS;
  for (;;) {
    try {
      const { child, port } = await start(children, join(import.meta.dirname, '..', 'sluice.ts'), [databaseUrl]);
      return { child, url: `http://127.0.0.1:${port}` };
    } catch (error) {
      if (Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

async function start(children: Set<ChildProcess>, file: string, args: string[]): Promise<{ child: ChildProcess; port: number }> {
  const child = fork(file, args, { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  children.add(child);
  child.once('exit', () => children.delete(child));
  const { port } = await new Promise<{ port: number }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { port: number }));
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code} before it was ready.`)));
  });
  return { child, port };
}

/** The postmaster and every process of its, at once, as when the machine loses its power; but for the disk, which keeps what was written. */
function killPostgres(cluster: string): void {
  const postmaster = Number(readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  for (const pid of [postmaster, ...childrenOf(postmaster)]) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended by itself.
    }
  }
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => parentOf(pid) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    // The name of a process stands in brackets and may hold anything; its parent is the second word after them.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]);
  } catch {
    return undefined;
  }
}

/** Until every lead has ended: those of killed nodes are ended by the others once these have been silent for a while. */
async function settle(pool: pg.Pool): Promise<void> {
  const open =
    'select count(*)::int as open from lead l where not exists (select from lead_result r where r.organization_id = l.organization_id and r.lead_id = l.id)';
  for (const until = Date.now() + 60_000; Date.now() < until; await sleep(500)) if ((await pool.query(open)).rows[0].open === 0) return;
}

function shuffled(rounds: Record<Fault, number>, random: () => number): Fault[] {
  const all = Object.entries(rounds).flatMap(([fault, count]) => Array.from({ length: count }, () => fault as Fault));
  return all
    .map((fault) => ({ fault, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ fault }) => fault);
}

/** Numbers from 0 to 1 that follow from the seed (mulberry32). */
function randomOf(seed: string): () => number {
  let state = [...seed].reduce((hash, sign) => Math.imul(hash ^ sign.charCodeAt(0), 0x01000193), 0x811c9dc5);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
