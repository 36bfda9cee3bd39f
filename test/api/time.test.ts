import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildWorld, LEAD, type TierSpec, type World, type WorldSpec } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let slow: ScriptedBuyer;
let next: ScriptedBuyer;
let counter = 0;

beforeAll(async () => {
  node = await startTestWorld();
  slow = await startBuyer();
  next = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await Promise.all([slow.close(), next.close()]);
});
beforeEach(() => {
  slow.calls.length = 0;
  next.calls.length = 0;
  next.answer(() => ACCEPT);
});

async function openWorld(afterTimeout: 'next' | 'hold', more: WorldSpec = {}): Promise<World> {
  const tiers: TierSpec[] = [
    { url: slow.url, timeLimitMs: 200, afterTimeout, caps: [{ measure: 'sold', period: 'day', limit: 5, timeZone: 'UTC' }] },
    { url: next.url },
  ];
  const world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers }], ...more });
  await node.planBook.reload(world.organizationId);
  return world;
}
const lead = () => ({ ...LEAD, email: `time${++counter}@example.com` });
const auth = (world: World) => ({ authorization: `Bearer ${world.key}` });
const used = async (world: World) =>
  (await node.pool.query('select used from counter where organization_id = $1', [world.organizationId])).rows[0]?.used;

describe('a buyer that does not answer in time', () => {
  it('loses the lead to the next one, and its cap is given back', async () => {
    slow.answer(() => ({ hang: true }));
    const world = await openWorld('next');
    const began = Date.now();
    const answer = await node.post('/api/v1/leads', lead(), auth(world));
    expect(answer.json.status).toBe('accepted');
    expect(Date.now() - began).toBeLessThan(1500);
    expect(next.calls).toHaveLength(1);
    await expect.poll(() => used(world)).toBe(0);
  });

  it('D3, E4, E10: keeps the lead where the tier says hold: nobody else is offered it, cap and lead wait to be settled', async () => {
    slow.answer(() => ({ hang: true }));
    const world = await openWorld('hold');
    const answer = await node.post('/api/v1/leads', lead(), auth(world));
    expect([answer.statusCode, answer.json.status, answer.json.code]).toEqual([202, 'queued', 'lead_held']);
    expect(next.calls).toHaveLength(0);
    expect(await used(world)).toBe(1);
    const rows = await node.pool.query('select unknown_since from reservation where organization_id = $1', [world.organizationId]);
    expect(rows.rows[0].unknown_since).toBeInstanceOf(Date);
  });

  it('E4: nor tells anything (it breaks off) is treated alike: hold keeps the lead, next goes on', async () => {
    slow.answer(() => ({ reset: true }));
    const holding = await openWorld('hold');
    const held = await node.post('/api/v1/leads', lead(), auth(holding));
    expect([held.statusCode, held.json.code, next.calls.length]).toEqual([202, 'lead_held', 0]);
    expect(await used(holding)).toBe(1);
    const going = await openWorld('next');
    const sold = await node.post('/api/v1/leads', lead(), auth(going));
    expect([sold.json.status, next.calls.length]).toEqual(['accepted', 1]);
  });

  it('E10: and says yes later is on record as a late accept, never as a sale', async () => {
    slow.answer(() => ({ ...ACCEPT, delayMs: 500 }));
    const world = await openWorld('next');
    const { json } = await node.post('/api/v1/leads', lead(), auth(world));
    expect(json.status).toBe('accepted');
    await expect
      .poll(async () => (await node.pool.query('select outcome, price from late_answer where lead_id = $1', [json.leadId])).rows, {
        timeout: 3000,
      })
      .toEqual([{ outcome: 'accepted', price: '20.0000' }]);
    const sales = await node.pool.query('select buyer_tier_id from sale where lead_id = $1', [json.leadId]);
    expect(sales.rows).toEqual([{ buyer_tier_id: world.tiers[1]!.buyerTierId }]);
  });

  it('D6: never takes longer than the publisher waits', async () => {
    slow.answer(() => ({ hang: true }));
    next.answer(() => ({ hang: true }));
    const world = await openWorld('next');
    const began = Date.now();
    const answer = await node.post('/api/v1/leads', { ...lead(), timeoutMs: 400 }, auth(world));
    expect(answer.json.status).toBe('rejected');
    expect(Date.now() - began).toBeLessThan(700);
  });
});

describe('a publisher that hangs up', () => {
  it('stops further buyers; what happened is on record', async () => {
    slow.answer(() => ({ body: '{"result":"rejected"}', delayMs: 300 }));
    const world = await openWorld('next', {
      groups: [{ mode: 'priority', tiers: [{ url: slow.url, timeLimitMs: 2000 }, { url: next.url }] }],
    });
    const body = JSON.stringify(lead());
    const call = request(`${node.url}/api/v1/leads`, {
      method: 'POST',
      headers: { ...auth(world), 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    });
    call.on('error', () => {});
    call.end(body);
    await expect.poll(() => slow.calls.length).toBe(1);
    call.destroy();
    await expect
      .poll(async () => (await node.pool.query('select status from lead_result where organization_id = $1', [world.organizationId])).rows, {
        timeout: 3000,
      })
      .toEqual([{ status: 'unsold' }]);
    expect(next.calls).toHaveLength(0);
  });
});

describe('switches of a publisher tier', () => {
  it('terse hides price and reason; always-200 keeps the true code in a header', async () => {
    const tiers = [{ url: next.url }];
    const world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers }], publisher: { terse: true, always200: true } });
    await node.planBook.reload(world.organizationId);
    const sold = await node.post('/api/v1/leads', lead(), auth(world));
    expect(sold.json).toMatchObject({ status: 'accepted' });
    expect(sold.json.price).toBeUndefined();
    const invalid = await node.post('/api/v1/leads', { ...lead(), state: 'ZZ' }, auth(world));
    expect([invalid.statusCode, invalid.headers.get('x-status-code'), invalid.json.reason]).toEqual([200, '422', undefined]);
  });

  it('only listed addresses may call', async () => {
    const world = await buildWorld(node.db, { publisher: { ipAllow: ['203.0.113.0/24'] } });
    const open = await buildWorld(node.db, { publisher: { ipAllow: ['127.0.0.0/8'] } });
    await Promise.all([node.planBook.reload(world.organizationId), node.planBook.reload(open.organizationId)]);
    const refused = await node.post('/api/v1/leads', lead(), auth(world));
    expect([refused.statusCode, refused.json.code]).toEqual([403, 'address_refused']);
    expect((await node.post('/api/v1/leads', lead(), auth(open))).statusCode).toBe(200);
  });
});
