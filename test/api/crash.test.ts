import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let database: TestDatabase;
let survivor: TestNode;
let buyer: ScriptedBuyer;
let world: World;
let victims: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  buyer = await startBuyer();
  survivor = await startNode(database.url);
  world = await buildWorld(survivor.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [{ url: buyer.url, timeLimitMs: 20_000, caps: [{ measure: 'sold', period: 'day', limit: 100, timeZone: 'UTC' }] }],
      },
    ],
  });
  await survivor.planBook.reload(world.organizationId);
});
afterEach(() => {
  for (const victim of victims) victim.kill('SIGKILL');
  victims = [];
});
afterAll(async () => {
  await survivor.close();
  await buyer.close();
  await database.drop();
});

/** Another node as a process of its own, to be killed. */
async function startVictim(): Promise<{ url: string; kill: (signal: NodeJS.Signals) => void; ended: Promise<void> }> {
  const child = fork(join(import.meta.dirname, '..', 'load', 'sluice.ts'), [database.url], {
    execPath: join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'node'),
  });
  victims.push(child);
  const { port } = await new Promise<{ port: number }>((resolve) =>
    child.once('message', (message) => resolve(message as { port: number })),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    kill: (signal) => child.kill(signal),
    ended: new Promise((resolve) => child.once('exit', () => resolve())),
  };
}

const post = (url: string, email: string) =>
  fetch(`${url}/api/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...LEAD, email }),
  });

describe('a node that is killed while a buyer has the lead', () => {
  it('G1: leaves the lead to be finished as interrupted by another node: attempt unknown, cap kept, never sold again', async () => {
    buyer.answer(() => ({ hang: true }));
    buyer.calls.length = 0;
    const victim = await startVictim();
    const lost = post(victim.url, 'crash@example.com').catch(() => undefined);
    await expect.poll(() => buyer.calls.length, { timeout: 5000 }).toBe(1);
    victim.kill('SIGKILL');
    await lost;
    const { leadId } = { leadId: JSON.parse(buyer.calls[0]!.body).lead_id as string };
    await survivor.pool.query(`update node set seen_at = now() - interval '1 minute' where id <> $1`, [survivor.nodeId]);
    await expect
      .poll(async () => (await survivor.pool.query('select status, reason from lead_result where lead_id = $1', [leadId])).rows, {
        timeout: 20_000,
      })
      .toEqual([{ status: 'error', reason: 'interrupted' }]);
    expect((await survivor.pool.query('select answer, outcome, buyer_tier_id from attempt where lead_id = $1', [leadId])).rows).toEqual([
      { answer: 'unknown', outcome: 'terrors', buyer_tier_id: world.tiers[0]!.buyerTierId },
    ]);
    expect(
      (await survivor.pool.query('select unknown_since is not null as unknown from reservation where lead_id = $1', [leadId])).rows,
    ).toEqual([{ unknown: true }]);
    expect((await survivor.pool.query('select used from counter where organization_id = $1', [world.organizationId])).rows).toEqual([
      { used: 1 },
    ]);

    // The publisher tries again, at another node: it gets that answer, and no buyer hears of the lead a second time.
    buyer.answer(() => ACCEPT);
    const again = await post(survivor.url, 'crash@example.com');
    expect(again.status).toBe(500);
    expect(await again.json()).toMatchObject({ status: 'error', code: 'lead_interrupted', leadId });
    expect(buyer.calls).toHaveLength(1);
  });
});

describe('a node that is told to stop', () => {
  it('G4: finishes what is under way first', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: 400 }));
    const victim = await startVictim();
    const under = post(victim.url, 'stop@example.com');
    await new Promise((resolve) => setTimeout(resolve, 150));
    victim.kill('SIGTERM');
    const answer = await under;
    expect(await answer.json()).toMatchObject({ status: 'accepted' });
    await victim.ended;
    expect((await survivor.pool.query('select count(*)::int as nodes from node where id <> $1', [survivor.nodeId])).rows[0].nodes).toBe(0);
  });
});

describe('a database that goes away', () => {
  it('G3: cutting every connection loses no lead and stops no node', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: 60 }));
    const answers = Array.from({ length: 30 }, (_, n) =>
      post(survivor.url, `cut${n}@example.com`).then(async (response) => ({
        statusCode: response.status,
        json: (await response.json()) as { status: string; leadId: string },
      })),
    );
    await new Promise((resolve) => setTimeout(resolve, 40));
    await cutConnections();
    const done = await Promise.all(answers);
    for (const { statusCode, json } of done)
      expect([200, 503]).toContain(statusCode === 200 && json.status !== 'accepted' ? 0 : statusCode);
    const accepted = done.filter((one) => one.statusCode === 200).map((one) => one.json.leadId);
    const stored = await survivor.pool.query(`select count(*)::int as sold from lead_result where status = 'sold' and lead_id = any($1)`, [
      accepted,
    ]);
    expect(stored.rows[0].sold).toBe(accepted.length);
    await expect.poll(async () => (await post(survivor.url, `after${Date.now()}@example.com`)).status, { timeout: 5000 }).toBe(200);
  });

  it('D9: intake answers 503 with Retry-After within two seconds, and takes leads again by itself', async () => {
    const { pathname } = new URL(database.url);
    const admin = await adminClient();
    await admin.query(`alter database ${pathname.slice(1)} with allow_connections false`);
    await cutConnections();
    try {
      const began = Date.now();
      const response = await post(survivor.url, 'away@example.com');
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).toBe('2');
      expect(await response.json()).toMatchObject({ status: 'error', code: 'store_unavailable' });
      expect(Date.now() - began).toBeLessThan(2500);
    } finally {
      await admin.query(`alter database ${pathname.slice(1)} with allow_connections true`);
      await admin.end();
    }
    buyer.answer(() => ACCEPT);
    await expect.poll(async () => (await post(survivor.url, `back${Date.now()}@example.com`)).status, { timeout: 5000 }).toBe(200);
  });
});

describe('engine Breaker: a node that is killed while its lead is the probe', () => {
  it('takes the place along only for as long as the lead would have lived', async () => {
    const breaker = { failurePercent: 100, minimumCalls: 1, lookBackMinutes: 5, pauseMinutes: 5 };
    const place = await buildWorld(survivor.db, {
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url, timeLimitMs: 20_000, breaker }] }],
    });
    await survivor.planBook.reload(place.organizationId);
    const victim = await startVictim();
    const send = (url: string, email: string) =>
      fetch(`${url}/api/v1/leads`, {
        method: 'POST',
        headers: { authorization: `Bearer ${place.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...LEAD, email }),
      });
    const known = () => survivor.breakers.of(place.organizationId).find(place.tiers[0]!.buyerTierId);
    /** As if so much more time had passed since the pause. */
    const letPass = async (seconds: number) => {
      const before = known()!.openUntil;
      await survivor.pool.query(`update breaker set open_until = open_until - $1 * interval '1 second' where organization_id = $2`, [
        seconds,
        place.organizationId,
      ]);
      await survivor.pool.query(`select pg_notify('sluice_breaker', $1)`, [place.organizationId]);
      await expect.poll(() => known()!.openUntil).toBe(before - seconds * 1000);
    };
    buyer.answer(() => ({ status: 500 }));
    await send(survivor.url, 'probe0@example.com');
    await expect.poll(() => known() !== undefined).toBe(true);
    // The victim has heard of the breaker as well: it calls nobody.
    await expect
      .poll(async () => {
        const before = buyer.calls.length;
        await send(victim.url, `heard${before}@example.com`);
        return buyer.calls.length - before;
      })
      .toBe(0);
    await letPass(301);
    buyer.answer(() => ({ hang: true }));
    buyer.calls.length = 0;
    // The victim, too, has to have heard that the pause is over.
    const lost: Promise<unknown>[] = [];
    await expect
      .poll(
        async () => {
          lost.push(send(victim.url, `probe${lost.length + 1}@example.com`).catch(() => undefined));
          await new Promise((resolve) => setTimeout(resolve, 150));
          return buyer.calls.length;
        },
        { timeout: 5000 },
      )
      .toBe(1);
    victim.kill('SIGKILL');
    await Promise.all(lost);

    buyer.answer(() => ACCEPT);
    const refused = await send(survivor.url, 'early@example.com');
    expect([(await refused.json()).status, buyer.calls.length]).toEqual(['rejected', 1]);
    // 30 seconds that the campaign gives a lead, and one slice.
    await letPass(46);
    const probe = await send(survivor.url, 'late@example.com');
    expect([(await probe.json()).status, buyer.calls.length]).toEqual(['accepted', 2]);
    await expect.poll(() => known() === undefined).toBe(true);
  });
});

async function adminClient() {
  const { default: pg } = await import('pg');
  const url = new URL(database.url);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

async function cutConnections(): Promise<void> {
  const admin = await adminClient();
  await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [new URL(database.url).pathname.slice(1)]);
  await admin.end();
}

describe('a node that is killed during a replay', () => {
  it('leaves it to another, which begins it anew; one that takes three nodes with it is ended and says so', async () => {
    const { email, password } = await buildUser(survivor.db, world.organizationId);
    const victim = await startVictim();
    const own = { 'x-requested-with': 'sluice', 'content-type': 'application/json' };
    const call = (path: string, body: unknown, cookie = '') =>
      fetch(victim.url + path, { method: 'POST', headers: { ...own, cookie }, body: JSON.stringify(body) });
    const cookie = (await call('/team-login', { email, password })).headers.get('set-cookie')!.split(';')[0]!;
    const replayIs = async (id: string) =>
      (await survivor.pool.query('select status, failure, lost, lease_holder from replay where id = $1', [id])).rows[0];
    // The thread reads no lead before its node is gone.
    const blocker = await survivor.pool.connect();
    await blocker.query('begin');
    await blocker.query('lock table lead in access exclusive mode');
    const [from, to] = [-3_600_000, 60_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const started = await call(
      '/api/console/lab/replays',
      { campaignId: world.campaignId, from, to, change: { tree: 'published' } },
      cookie,
    );
    const { replayId } = (await started.json()) as { replayId: string };
    await expect.poll(async () => (await replayIs(replayId)).status, { timeout: 5_000 }).toBe('running');
    expect((await replayIs(replayId)).lease_holder).not.toBe(survivor.nodeId);
    victim.kill('SIGKILL');
    await victim.ended;
    await blocker.query('rollback');
    blocker.release();
    const endLease = (more = '') =>
      survivor.pool.query(`update replay set lease_until = now() - interval '1 second'${more} where id = $1`, [replayId]);
    await endLease();
    await expect.poll(() => replayIs(replayId), { timeout: 20_000 }).toMatchObject({ status: 'done', failure: null, lost: 1 });
    // As if the next two had been lost with it too.
    await endLease(`, status = 'running', ended_at = null, result = null, lost = 2`);
    await expect
      .poll(() => replayIs(replayId), { timeout: 20_000 })
      .toMatchObject({
        ...{ status: 'failed', lost: 3 },
        failure: expect.stringMatching(/^It was begun 3 times, and each time its node was lost\./),
      });
  });
});
