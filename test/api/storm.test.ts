/** What a hostile tester found once, each as a test of its own. */
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildWorld, dollars, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let first: ScriptedBuyer;
let second: ScriptedBuyer;
const rejections: unknown[] = [];
const note = (error: unknown) => rejections.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  node = await startTestWorld();
  first = await startBuyer();
  second = await startBuyer();
});
afterEach(() => expect(rejections).toEqual([]));
afterAll(async () => {
  process.off('unhandledRejection', note);
  await node.stop();
  await Promise.all([first.close(), second.close()]);
});

let counter = 0;
const lead = () => ({ ...LEAD, email: `storm${++counter}@example.com` });
const auth = (world: World) => ({ authorization: `Bearer ${world.key}` });
const cap = (limit: number) => ({ measure: 'sold', period: 'overall', limit, timeZone: 'UTC' }) as const;
const rows = async (sql: string, values: unknown[] = []) => (await node.pool.query(sql, values)).rows;

async function openWorld(spec: WorldSpec): Promise<World> {
  const world = await buildWorld(node.db, spec);
  await node.planBook.reload(world.organizationId);
  return world;
}

async function admin(): Promise<pg.Client> {
  const url = new URL(node.database.url);
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  return client;
}

/** Cuts every connection to the database and lets none in for a while. */
async function away(ms: number): Promise<void> {
  const client = await admin();
  const name = new URL(node.database.url).pathname.slice(1);
  await client.query(`alter database ${name} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
  await new Promise((resolve) => setTimeout(resolve, ms));
  await client.query(`alter database ${name} with allow_connections true`);
  await client.end();
}

describe('while the database is away', () => {
  it('a late answer is kept, and no promise goes unheard', async () => {
    first.answer(() => ({ ...ACCEPT, delayMs: 700 }));
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url, timeLimitMs: 200 }] }] });
    const answer = await node.post('/api/v1/leads', lead(), auth(world));
    expect(answer.json.status).toBe('rejected');
    await away(1_500);
    await expect
      .poll(() => rows('select outcome from late_answer where lead_id = $1', [answer.json.leadId]).catch(() => []), { timeout: 8_000 })
      .toEqual([{ outcome: 'accepted' }]);
  });

  it('a place in a cap that a refusal gives back is not lost', async () => {
    let down: Promise<void> | undefined;
    first.answer(async () => {
      down ??= away(1_200);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return REJECT;
    });
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url, caps: [cap(1)] }] }] });
    const refused = await node.post('/api/v1/leads', lead(), auth(world));
    expect(refused.json.status).toBe('rejected');
    await down;
    first.answer(() => ACCEPT);
    await expect
      .poll(() => rows('select used from counter where organization_id = $1', [world.organizationId]).catch(() => []), { timeout: 8_000 })
      .toEqual([{ used: 0 }]);
    expect((await node.post('/api/v1/leads', lead(), auth(world))).json.status).toBe('accepted');
  });

  it('a caller in a hurry is told that the answer comes later; the sale is kept, and sending again tells it', async () => {
    let down: Promise<void> | undefined;
    first.answer(async () => {
      down ??= away(2_500);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return ACCEPT;
    });
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url }] }] });
    const body = { ...lead(), timeoutMs: 600 };
    const began = Date.now();
    const delayed = await node.post('/api/v1/leads', body, auth(world));
    expect([delayed.statusCode, delayed.json.code]).toEqual([503, 'answer_delayed']);
    expect(Date.now() - began).toBeLessThan(2_500);
    await down;
    await expect
      .poll(async () => (await node.post('/api/v1/leads', body, auth(world))).json.status, { timeout: 10_000, interval: 300 })
      .toBe('accepted');
    expect(await rows('select revenue from sale where organization_id = $1', [world.organizationId])).toEqual([{ revenue: '20.0000' }]);
  });
});

describe('a short outage in the middle of a lead', () => {
  it.each([
    ['with a place in a cap to take', [cap(1)], [{ used: 1 }]],
    ['with nothing to take', [], []],
  ])('G3: the next tier is asked all the same, once, %s', async (_, caps, used) => {
    let down: Promise<void> | undefined;
    let asked = 0;
    first.answer(async () => {
      down ??= away(1_000);
      await new Promise((resolve) => setTimeout(resolve, 150));
      return REJECT;
    });
    second.answer(() => {
      asked += 1;
      return ACCEPT;
    });
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url }, { url: second.url, caps }] }] });
    const body = { ...lead(), timeoutMs: 10_000 };
    const answer = await node.post('/api/v1/leads', body, auth(world));
    await down;
    expect([answer.json.status, asked]).toEqual(['accepted', 1]);
    await expect
      .poll(() => rows('select used from counter where organization_id = $1', [world.organizationId]).catch(() => 'away'), {
        timeout: 8_000,
      })
      .toEqual(used);
    expect(await rows('select from reservation where organization_id = $1 and unknown_since is not null', [world.organizationId])).toEqual(
      [],
    );
    expect((await node.post('/api/v1/leads', body, auth(world))).json.leadId).toBe(answer.json.leadId);
  });
});

describe('a database that is slow', () => {
  it('D9: makes intake say 503 in time, and what was then not taken is not taken', async () => {
    first.answer(() => ACCEPT);
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url, caps: [cap(5)] }] }] });
    const blocker = new pg.Client({ connectionString: node.database.url });
    await blocker.connect();
    await blocker.query('begin; lock table lead in exclusive mode');
    const body = lead();
    const began = Date.now();
    const refused = await node.post('/api/v1/leads', body, auth(world));
    expect([refused.statusCode, refused.json.code]).toEqual([503, 'store_unavailable']);
    expect(Date.now() - began).toBeLessThan(3_000);
    await blocker.query('rollback');
    await blocker.end();
    expect(await rows('select from lead where organization_id = $1', [world.organizationId])).toHaveLength(0);
    expect((await node.post('/api/v1/leads', body, auth(world))).json.status).toBe('accepted');
  });

  it('a deadlock with somebody else is tried again; the sale stands', async () => {
    const world = await openWorld({
      groups: [
        {
          mode: 'priority',
          tiers: [
            {
              url: first.url,
              caps: [{ ...cap(0), measure: 'money', limit: dollars(900) }],
              buyerCaps: [{ ...cap(0), measure: 'money', limit: dollars(900) }],
            },
          ],
        },
      ],
    });
    const other = new pg.Client({ connectionString: node.database.url });
    other.on('error', () => {});
    await other.connect();
    first.answer(async () => {
      const names = (
        await rows('select counter from counter where organization_id = $1 order by counter collate "C"', [world.organizationId])
      ).map((row) => row.counter);
      await other.query('begin; set local deadlock_timeout = 10000');
      await other.query('update counter set used = used where organization_id = $1 and counter = $2', [world.organizationId, names.at(-1)]);
      setTimeout(() => {
        other
          .query('update counter set used = used where organization_id = $1 and counter = $2', [world.organizationId, names[0]])
          .catch(() => {})
          .finally(() => other.query('rollback').catch(() => {}));
      }, 300);
      return { body: JSON.stringify({ result: 'accepted', price: '7.00' }) };
    });
    const answer = await node.post('/api/v1/leads', lead(), auth(world));
    expect(answer.json).toMatchObject({ status: 'accepted', price: '5.60' });
    expect(await rows('select distinct used from counter where organization_id = $1', [world.organizationId])).toEqual([
      { used: dollars(7) },
    ]);
    await other.end();
  });
});

describe('what a buyer says', () => {
  it.each(['B\u0000-1', 'half \ud800 pair', 'x'.repeat(100_000)])('can be no reference that spoils a sale (%#)', async (id) => {
    first.answer(() => ({ body: JSON.stringify({ result: 'accepted', price: '20.00', id, buyerRef: id }) }));
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url }] }] });
    expect((await node.post('/api/v1/leads', lead(), auth(world))).json.status).toBe('accepted');
    expect(await rows('select revenue from sale where organization_id = $1', [world.organizationId])).toHaveLength(1);
  });
});

describe('a hostile body', () => {
  it('does not hold up the node: quotes without end', async () => {
    const world = await openWorld({});
    const began = Date.now();
    const answer = await node.post('/api/v1/leads', `{"a":"${'\\"'.repeat(120_000)}`, {
      ...auth(world),
      'content-type': 'application/json',
    });
    expect(answer.statusCode).toBe(400);
    expect(Date.now() - began).toBeLessThan(500);
  });
});

describe('callers that wait together', () => {
  it('one that hangs up does not stop the tree for the others', async () => {
    first.answer(() => ({ ...REJECT, delayMs: 400 }));
    second.answer(() => ACCEPT);
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url }, { url: second.url }] }] });
    const body = JSON.stringify(lead());
    const abort = new AbortController();
    const headers = { ...auth(world), 'content-type': 'application/json' };
    const gone = fetch(`${node.url}/api/v1/leads`, { method: 'POST', headers, body, signal: abort.signal }).catch(() => 'gone');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const stays = node.post('/api/v1/leads', body, headers);
    await new Promise((resolve) => setTimeout(resolve, 50));
    abort.abort();
    expect(await gone).toBe('gone');
    expect((await stays).json.status).toBe('accepted');
  });

  it('each waits only as long as it said', async () => {
    first.answer(() => ({ ...ACCEPT, delayMs: 1_200 }));
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: first.url }] }] });
    const body = lead();
    const patient = node.post('/api/v1/leads', body, auth(world));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const began = Date.now();
    const hasty = await node.post('/api/v1/leads', { ...body, timeoutMs: 200 }, auth(world));
    expect([hasty.statusCode, hasty.json.code]).toEqual([409, 'lead_in_flight']);
    expect(Date.now() - began).toBeLessThan(900);
    expect((await patient).json.status).toBe('accepted');
  });
});

describe('a configuration that cannot be read', () => {
  it.each([
    ['buyer_tier', 'caps', '{}'],
    ['buyer_tier', 'caps', '[null]'],
    ['buyer_tier', 'price', 'null'],
    ['buyer_tier', 'duplicate', '"x"'],
    ['publisher_tier', 'price_model', 'null'],
    ['campaign', 'margin', 'null'],
  ])('%s.%s = %s leaves that part out and nothing else', async (table, column, value) => {
    const broken = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: first.url }] }] });
    const sound = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: second.url }] }] });
    await node.pool.query(`update ${table} set ${column} = $2::jsonb where organization_id = $1`, [broken.organizationId, value]);
    await node.planBook.reload(broken.organizationId);
    await node.planBook.reload(sound.organizationId);
    second.answer(() => ACCEPT);
    expect((await node.post('/api/v1/leads', lead(), auth(sound))).json.status).toBe('accepted');
    const answer = await node.post('/api/v1/leads', lead(), auth(broken));
    expect([answer.statusCode, answer.json.status]).toEqual([200, 'rejected']);
    expect(node.planBook.find(broken.organizationId)!.problems.length).toBeGreaterThan(0);
  });
});
