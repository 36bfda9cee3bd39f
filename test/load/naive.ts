/**
 * `npm run bench -- naive`: designs that this field is full of beside ours, on the same PostgreSQL: a cap that is counted and then sold under, a duplicate
 * that is looked for and then written, buyers that are asked one after another. Says what goes wrong with them, and what it costs that nothing does with ours.
 */
import pg from 'pg';
import { Pool } from 'undici';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { BookResult, ReserveOp } from '#server/lead/book.sql.ts';
import { type LeadStore, openLeadStore } from '#server/lead/lead.store.ts';
import { buildWorld, jsonEndpoint } from '#test/harness/world.ts';
import { nextLead, quantile, run } from './generator.ts';
import { killAll, start } from './processes.ts';
import { withDatabase } from './with-database.ts';

/** Half of them on each of two nodes. */
const CALLERS = 32;
const CAP = 500;
const TRIES = 5_000;
const CONSUMERS = 200;
const SENDERS = 16;
const BUYERS = 10;
const SECONDS = Number(process.env.BENCH_SECONDS ?? 8);

export const benchNaive = (): Promise<void> =>
  withDatabase(async (url) => {
    const clients = Array.from({ length: CALLERS }, () => new pg.Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    const stores = [0, 1].map(() => openLeadStore({ connectionString: url, nodeId: newId() }));
    const admin = openPool(url, 2);
    try {
      const { organizationId } = await buildWorld(openDb(admin), {});
      await admin.query(`create table naive_sale (tier int not null, sold_at timestamptz not null default now());
        create index on naive_sale (tier);
        create table naive_cap (tier int primary key, used int not null);
        create table naive_lead (email text not null, came_at timestamptz not null default now());
        create index on naive_lead (email)`);
      console.log(`A cap of ${CAP}, ${TRIES} leads, ${CALLERS} at once over two nodes:`);
      console.table({
        'counted, then inserted': await sellUnderCap((at) => countThenInsert(clients[at]!)),
        'one row, updated where there is room': await sellByRow(admin, clients),
        'ours (book)': await sellUnderCap(bookerOf(stores, organizationId)),
      });
      console.log(`${CONSUMERS} consumers, each sent ${SENDERS} times at once, one of which is to pass:`);
      console.table({
        'looked for, then written': await sendAgain((at, email) => lookThenWrite(clients[at]!, email)),
        'ours (book)': await sendAgain(claimerOf(stores, organizationId)),
      });
      console.log(`An auction among ${BUYERS} buyers that answer in 20 ms:`);
      console.table(await auctions(url));
    } finally {
      killAll();
      await Promise.all([...clients.map((client) => client.end()), ...stores.map((store) => store.close()), admin.end()]);
    }
  });

interface Sold {
  sold: number;
  'over the cap': number;
  'leads/s': number;
}

/** `sell`: whether the caller at this place may have one more. */
async function sellUnderCap(sell: (caller: number) => Promise<boolean>): Promise<Sold> {
  let [left, sold] = [TRIES, 0];
  const began = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async (_, caller) => {
      while (left-- > 0) if (await sell(caller)) sold += 1;
    }),
  );
  return { sold, 'over the cap': Math.max(0, sold - CAP), 'leads/s': rate(TRIES, began) };
}

async function countThenInsert(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query('select count(*)::int as sold from naive_sale where tier = 1');
  if (rows[0].sold >= CAP) return false;
  await client.query('insert into naive_sale (tier) values (1)');
  return true;
}

async function sellByRow(admin: pg.Pool, clients: pg.Client[]): Promise<Sold> {
  await admin.query('insert into naive_cap values (1, 0)');
  return sellUnderCap(async (at) => {
    const { rowCount } = await clients[at]!.query('update naive_cap set used = used + 1 where tier = 1 and used < $1', [CAP]);
    return rowCount === 1;
  });
}

/** The store that a caller at this place stands before, by turns. */
const storeOf = (stores: LeadStore[], at: number): LeadStore => stores[at % stores.length]!;
const isGranted = ([result]: BookResult[]): boolean => result?.granted === true;

function bookerOf(stores: LeadStore[], organizationId: string): (caller: number) => Promise<boolean> {
  const tierId = newId();
  const ref = { counter: `${tierId}:sold:overall:ever`, scopeId: tierId, measure: 'sold', period: 'overall', resetsAt: null };
  return async (caller) => {
    const op: ReserveOp = {
      ...{ kind: 'reserve', effect: { first: true }, leadId: newId(), subjectId: tierId, purpose: 'post' },
      claims: [{ ref, limit: CAP, amount: 1 }],
      hold: [{ counter: ref.counter, amount: 1 }],
    };
    return isGranted(await storeOf(stores, caller).book(organizationId, [op]));
  };
}

/** `send`: whether this lead of the consumer passes. */
async function sendAgain(send: (sender: number, email: string) => Promise<boolean>) {
  let [passed, twice] = [0, 0];
  const began = performance.now();
  for (let consumer = 0; consumer < CONSUMERS; consumer++) {
    const all = await Promise.all(Array.from({ length: SENDERS }, (_, sender) => send(sender, `again${consumer}@example.com`)));
    const count = all.filter(Boolean).length;
    passed += count;
    if (count > 1) twice += 1;
  }
  return { passed, 'consumers that passed more than once': twice, 'leads/s': rate(CONSUMERS * SENDERS, began) };
}

async function lookThenWrite(client: pg.Client, email: string): Promise<boolean> {
  const { rows } = await client.query('select from naive_lead where email = $1 limit 1', [email]);
  if (rows.length > 0) return false;
  await client.query('insert into naive_lead (email) values ($1)', [email]);
  return true;
}

function claimerOf(stores: LeadStore[], organizationId: string): (sender: number, email: string) => Promise<boolean> {
  const scopeId = newId();
  const prints = new Map<string, string>();
  return async (sender, email) => {
    const print = prints.get(email) ?? newId();
    prints.set(email, print);
    const op: ReserveOp = {
      ...{ kind: 'reserve', effect: { first: true }, leadId: newId(), subjectId: scopeId, purpose: 'admit', claims: [] },
      duplicate: { prints: [{ scopeId, print }], since: 0, claim: true, returns: false },
    };
    return isGranted(await storeOf(stores, sender).book(organizationId, [op]));
  };
}

/** A buyer is asked for its bid, then the best one is handed the lead. */
async function auctions(databaseUrl: string) {
  const { port } = await start('buyers.ts', []);
  const buyersUrl = `http://127.0.0.1:${port}/usual`;
  const admin = openPool(databaseUrl, 2);
  const { post } = jsonEndpoint(buyersUrl, 'post');
  const leg = { ...post, url: `${buyersUrl}/yes` };
  const tiers = Array.from({ length: BUYERS }, () => ({
    ...{ url: buyersUrl, delivery: 'pingPost' as const, price: { kind: 'bid' as const }, timeLimitMs: 5_000 },
    endpoint: { ping: leg, post: leg },
  }));
  const world = await buildWorld(openDb(admin), { groups: [{ mode: 'auction', tiers }] });
  await admin.end();
  const app = await start('sluice.ts', [databaseUrl]);
  const headers = { authorization: `Bearer ${world.key}` };
  const ours = await run({ url: `http://127.0.0.1:${app.port}`, path: '/api/v1/leads', headers, seconds: SECONDS, perSecond: 10 });
  const latency = await oneAfterAnother(buyersUrl);
  return {
    'one after another': { 'p50 ms': Math.round(quantile(latency, 0.5)), 'p99 ms': Math.round(quantile(latency, 0.99)), failed: 0 },
    ours: {
      'p50 ms': Math.round(quantile(ours.latency, 0.5)),
      'p99 ms': Math.round(quantile(ours.latency, 0.99)),
      failed: ours.failed,
    },
  };
}

async function oneAfterAnother(buyersUrl: string): Promise<number[]> {
  const { origin, pathname } = new URL(buyersUrl);
  const buyers = new Pool(origin, { connections: 16 });
  const latency: number[] = [];
  for (const until = performance.now() + SECONDS * 1000; performance.now() < until; ) {
    const began = performance.now();
    const body = nextLead();
    for (let call = 0; call <= BUYERS; call++) {
      const answer = await buyers.request({
        method: 'POST',
        path: `${pathname}/yes`,
        headers: { 'content-type': 'application/json' },
        body,
      });
      await answer.body.json();
    }
    latency.push(performance.now() - began);
  }
  await buyers.close();
  return latency;
}

const rate = (count: number, began: number): number => Math.round((count * 1000) / (performance.now() - began));
