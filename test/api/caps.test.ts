import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildWorld, dollars, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

let database: TestDatabase;
let nodes: [TestNode, TestNode];
let buyer: ScriptedBuyer;

beforeAll(async () => {
  database = await freshDatabase();
  nodes = [await startNode(database.url), await startNode(database.url)];
  buyer = await startBuyer();
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await buyer.close();
  await database.drop();
});

const day = (limit: number, measure: 'sold' | 'sent' | 'money' = 'sold') =>
  ({ measure, period: 'day', limit, timeZone: 'America/New_York' }) as const;

async function openWorld(spec: WorldSpec): Promise<World> {
  const world = await buildWorld(nodes[0].db, spec);
  await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
  buyer.calls.length = 0;
  return world;
}

let counter = 0;
function lead(more: Record<string, string> = {}) {
  counter += 1;
  return { ...LEAD, email: `cap${counter}@example.com`, phone: `212555${String(1000 + counter)}`, ...more };
}

async function postMany(world: World, count: number, more: (index: number) => Record<string, string> = () => ({})) {
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      nodes[index % 2]!.post('/api/v1/leads', lead(more(index)), { authorization: `Bearer ${world.key}` }),
    ),
  );
}

const sold = (answers: { json: { status: string } }[]) => answers.filter((answer) => answer.json.status === 'accepted').length;
const posts = () => buyer.calls.filter((call) => call.path === '/post').length;

describe('two nodes on one database', () => {
  it('D3, D4, 1.2 isolation level: sell exactly 50 of 200 leads that come at once against a cap of 50', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: Math.random() * 40 }));
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url, caps: [day(50)] }] }] });
    const answers = await postMany(world, 200);
    expect(sold(answers)).toBe(50);
    expect(posts()).toBe(50);
    const counters = await nodes[0].pool.query('select used from counter where organization_id = $1', [world.organizationId]);
    expect(counters.rows).toEqual([{ used: 50 }]);
  });

  it('D3: never go over a cap whose buyer also says no, and fill it when demand goes on', async () => {
    let call = 0;
    buyer.answer(() => ({ ...(call++ % 3 === 0 ? REJECT : ACCEPT), delayMs: Math.random() * 20 }));
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url, caps: [day(40)] }] }] });
    let total = 0;
    for (let round = 0; round < 6 && total < 40; round++) total += sold(await postMany(world, 60));
    expect(total).toBe(40);
    const reservations = await nodes[0].pool.query('select from reservation where organization_id = $1', [world.organizationId]);
    expect(reservations.rowCount).toBe(0);
  });

  it('share the caps of one buyer over its tiers', async () => {
    buyer.answer(() => ACCEPT);
    const tier = { url: buyer.url, buyer: 'Shared', buyerCaps: [day(10)] };
    const world = await openWorld({
      groups: [
        {
          mode: 'priority',
          tiers: [
            { ...tier, name: 'A' },
            { ...tier, name: 'B' },
          ],
        },
      ],
    });
    expect(sold(await postMany(world, 60))).toBe(10);
  });

  it('D3: stop at a money cap to the cent', async () => {
    buyer.answer(() => ACCEPT);
    const world = await openWorld({
      groups: [
        {
          mode: 'priority',
          tiers: [{ url: buyer.url, price: { kind: 'fixed', price: dollars(12.5) }, caps: [day(dollars(100), 'money')] }],
        },
      ],
    });
    buyer.answer(() => ({ body: JSON.stringify({ result: 'accepted' }) }));
    const answers = await postMany(world, 40);
    expect(sold(answers)).toBe(8);
    const counters = await nodes[0].pool.query('select used from counter where organization_id = $1', [world.organizationId]);
    expect(counters.rows).toEqual([{ used: dollars(100) }]);
  });

  it('count a sent cap by calls, whatever the answer', async () => {
    buyer.answer(() => REJECT);
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url, caps: [day(15, 'sent')] }] }] });
    await postMany(world, 60);
    expect(posts()).toBe(15);
  });

  it('hold a publisher to its own cap of sold leads', async () => {
    buyer.answer(() => ACCEPT);
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }], publisher: { caps: [day(12)] } });
    expect(sold(await postMany(world, 50))).toBe(12);
    expect(posts()).toBe(12);
  });

  it('D2: take one of 100 equal consumers that come at once in different spellings', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: 30 }));
    const world = await openWorld({
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }],
      publisher: { duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 30, counts: 'received' } },
    });
    const answers = await postMany(world, 100, (index) => ({
      email: index % 2 ? 'Same@Example.com ' : 'same@example.com',
      first_name: `N${index}`,
    }));
    expect(sold(answers)).toBe(1);
    const duplicates = answers.filter((answer) => answer.json.status === 'duplicate');
    expect(duplicates).toHaveLength(99);
    expect(duplicates[0]!.json.reason).toBe('publisher-tier-lead-duplicate-failed');
    expect(posts()).toBe(1);
  });

  it('D1: take 100 equal calls with one key that come at once as one lead, and answer all alike', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: 60 }));
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
    const body = lead();
    const headers = { authorization: `Bearer ${world.key}`, 'idempotency-key': 'one-of-100' };
    const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => nodes[index % 2]!.post('/api/v1/leads', body, headers)));
    expect(answers.map((answer) => answer.json)).toEqual(Array(100).fill(answers[0]!.json));
    expect([answers[0]!.json.status, posts()]).toEqual(['accepted', 1]);
    const { rows } = await nodes[0].pool.query('select count(*)::int as leads from lead where organization_id = $1', [
      world.organizationId,
    ]);
    expect(rows).toEqual([{ leads: 1 }]);
  });

  it.each([0, 1, 12, 60, 200, 400])(
    'D1: sell a lead once whose caller hangs up after %i bytes of the answer and sends it again',
    async (bytes) => {
      buyer.answer(() => ({ ...ACCEPT, delayMs: 30 }));
      const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
      const body = JSON.stringify(lead());
      await new Promise<void>((resolve) => {
        let read = 0;
        const socket = connect(Number(new URL(nodes[0].url).port), '127.0.0.1', () => {
          socket.write(
            `POST /api/v1/leads HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${world.key}\r\ncontent-type: application/json\r\n`,
          );
          socket.write(`connection: close\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
          if (bytes === 0)
            expect
              .poll(posts)
              .toBe(1)
              .then(() => socket.destroy());
        });
        socket.on('data', (part) => {
          read += part.length;
          if (bytes > 0 && read >= bytes) socket.destroy();
        });
        socket.on('close', () => resolve());
      });
      const again = await nodes[1].post('/api/v1/leads', body, {
        authorization: `Bearer ${world.key}`,
        'content-type': 'application/json',
      });
      const once = await nodes[0].post('/api/v1/leads', body, { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' });
      expect([again.json.status, once.json, posts()]).toEqual(['accepted', again.json, 1]);
    },
  );

  it('D2: never take empty values for the same consumer', async () => {
    buyer.answer(() => ACCEPT);
    const world = await openWorld({
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }],
      publisher: { duplicate: { fields: ['phone'], match: 'any', windowDays: 30, counts: 'received' } },
    });
    expect(sold(await postMany(world, 10, () => ({ phone: '' })))).toBe(10);
  });

  it('D2: never sell one consumer twice to a buyer tier with a duplicate window', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: 20 }));
    const world = await openWorld({
      groups: [
        { mode: 'priority', tiers: [{ url: buyer.url, duplicate: { fields: ['email'], match: 'any', windowDays: 7, counts: 'sold' } }] },
      ],
    });
    const answers = await postMany(world, 40, (index) => ({ email: 'twice@example.com', first_name: `N${index}` }));
    expect(sold(answers)).toBe(1);
    expect(posts()).toBe(1);
  });

  it('hear of a changed configuration within a second', async () => {
    buyer.answer(() => ACCEPT);
    const world = await openWorld({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
    const { announceConfiguration } = await import('#server/plan/configuration.sql.ts');
    await nodes[0].db.transaction().execute(async (change) => {
      await change.updateTable('buyer_tier').set({ status: 'paused' }).where('organization_id', '=', world.organizationId).execute();
      await announceConfiguration(change, world.organizationId);
    });
    await expect.poll(async () => sold(await postMany(world, 2)), { timeout: 1000, interval: 50 }).toBe(0);
  });

  it('D10: refuse a suspended organization and a revoked key on both nodes, in the middle of a burst; others go on', async () => {
    buyer.answer(() => ACCEPT);
    const { announceConfiguration } = await import('#server/plan/configuration.sql.ts');
    const spec: WorldSpec = { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] };
    const [suspended, revoked, other] = [await openWorld(spec), await openWorld(spec), await openWorld(spec)];
    const change = (world: World, table: 'organization' | 'posting_key') =>
      nodes[0].db.transaction().execute(async (tx) => {
        if (table === 'organization') {
          await tx.updateTable('organization').set({ status: 'suspended' }).where('id', '=', world.organizationId).execute();
        } else
          await tx.updateTable('posting_key').set({ revoked_at: new Date() }).where('organization_id', '=', world.organizationId).execute();
        await announceConfiguration(tx, world.organizationId);
      });
    const codes = async (world: World) => (await postMany(world, 4)).map((answer) => answer.json.code ?? answer.json.status);
    const bursts = [suspended, revoked, other].map((world) => postMany(world, 20));
    await Promise.all([change(suspended, 'organization'), change(revoked, 'posting_key')]);
    await expect.poll(() => codes(suspended), { timeout: 1_000, interval: 50 }).toEqual(Array(4).fill('organization_suspended'));
    await expect.poll(() => codes(revoked), { timeout: 1_000, interval: 50 }).toEqual(Array(4).fill('key_revoked'));
    expect(await codes(other)).toEqual(Array(4).fill('lead_sold'));
    for (const answer of (await Promise.all(bursts)).flat()) expect([200, 401, 403]).toContain(answer.statusCode);
    expect(sold((await Promise.all(bursts))[2]!)).toBe(20);
  });
});
