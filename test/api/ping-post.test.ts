import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import { ACCEPT, type BuyerCall, type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildWorld, jsonEndpoint, LEAD, type TierSpec, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let low: ScriptedBuyer;
let high: ScriptedBuyer;
let world: World;
let counter = 0;

const bids =
  (price: string) =>
  (call: BuyerCall): ScriptedAnswer => ({ body: JSON.stringify({ result: 'accepted', price, id: `${call.path}-${price}` }) });
/** Each ping is another consumer's: the same one within a minute would get the first answer. */
const somePing = () => ({ state: 'NY', zip: '01234', monthly_income: String(3000 + ++counter) });
const lead = () => ({ ...LEAD, email: `ping${++counter}@example.com` });
const auth = () => ({ authorization: `Bearer ${world.key}` });

beforeAll(async () => {
  node = await startTestWorld();
  low = await startBuyer();
  high = await startBuyer();
  const tier = (url: string) => ({ url, delivery: 'pingPost', price: { kind: 'bid' } }) as const;
  world = await buildWorld(node.db, {
    groups: [{ mode: 'auction', tiers: [tier(low.url), tier(high.url)] }],
    publisher: { pingsPerMinute: 100 },
  });
  await node.planBook.reload(world.organizationId);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([low.close(), high.close()]);
});
beforeEach(() => {
  low.calls.length = 0;
  high.calls.length = 0;
  low.answer(bids('10.00'));
  high.answer(bids('15.00'));
});

describe('an auction', () => {
  it('pings all at once and posts to the highest bid only', async () => {
    const answer = await node.post('/api/v1/leads', lead(), auth());
    expect(answer.json).toMatchObject({ status: 'accepted', price: '12.00' });
    expect(low.calls.map((call) => call.path)).toEqual(['/ping']);
    expect(high.calls.map((call) => call.path)).toEqual(['/ping', '/post']);
  });

  it('H3: shows no consumer to a buyer before it has bought', async () => {
    await node.post('/api/v1/leads', lead(), auth());
    const ping = JSON.parse(low.calls[0]!.body);
    expect(ping).toMatchObject({ state: 'NY', zip: '01234' });
    expect(low.calls[0]!.body).not.toMatch(/Ada|ping\d+@example|2125550123/);
    expect(high.calls[1]!.body).toContain('@example.com');
  });

  it('wire-quirks 29: carries what the ping answer named to the post', async () => {
    await node.post('/api/v1/leads', lead(), auth());
    expect(JSON.parse(high.calls[1]!.body).ping_ref).toBe('/ping-15.00');
  });

  it('D6: posts to the next bid when the best buyer says no', async () => {
    high.answer((call) => (call.path === '/ping' ? bids('15.00')(call) : { body: '{"result":"rejected","reason":"too late"}' }));
    const answer = await node.post('/api/v1/leads', lead(), auth());
    expect(answer.json).toMatchObject({ status: 'accepted', price: '8.00' });
    expect(low.calls.map((call) => call.path)).toEqual(['/ping', '/post']);
  });

  it.each(['0', '-5', 'NaN', '1e309', '', 'free'])('D5: takes a price of %j for no bid', async (price) => {
    high.answer(bids(price));
    const answer = await node.post('/api/v1/leads', lead(), auth());
    expect(answer.json).toMatchObject({ status: 'accepted', price: '8.00' });
    expect(high.calls).toHaveLength(1);
  });
});

describe('a publisher that pings first', () => {
  it('is given the best bid, less our share, and until when it holds; nobody is posted to', async () => {
    const ping = await node.post('/api/v1/leads/ping', somePing(), auth());
    expect(ping.statusCode).toBe(200);
    expect(ping.json).toMatchObject({ status: 'accepted', code: 'ping_bid', price: '12.00' });
    expect(Date.parse(ping.json.expiresAt)).toBeGreaterThan(Date.now());
    expect([...low.calls, ...high.calls].every((call) => call.path === '/ping')).toBe(true);
  });

  it('posts to the bid: nobody is pinged again, and the price stands', async () => {
    const ping = await node.post('/api/v1/leads/ping', somePing(), auth());
    const { pingId } = ping.json;
    high.calls.length = 0;
    low.calls.length = 0;
    const post = await node.post('/api/v1/leads/post', { ...lead(), pingId }, auth());
    expect(post.json).toMatchObject({ status: 'accepted', price: '12.00' });
    expect(high.calls.map((call) => call.path)).toEqual(['/post']);
    expect(low.calls).toHaveLength(0);
  });

  it('what was promised at ping is paid, whatever the publisher is given by now', async () => {
    const own = await buildWorld(node.db, {
      groups: [{ mode: 'auction', tiers: [{ url: high.url, delivery: 'pingPost', price: { kind: 'bid' } }] }],
      publisher: { pingsPerMinute: 100 },
    });
    const key = { authorization: `Bearer ${own.key}` };
    await node.planBook.reload(own.organizationId);
    const promise = async () => (await node.post('/api/v1/leads/ping', somePing(), key)).json;
    const change = async (model: object) => {
      await node.db
        .updateTable('publisher_tier')
        .set({ price_model: JSON.stringify(model) })
        .where('id', '=', own.publisherTierId)
        .execute();
      await node.planBook.reload(own.organizationId);
    };
    for (const model of [
      { kind: 'share', sharePercent: 10 },
      { kind: 'fixed', price: 0 },
    ]) {
      const { pingId, price } = await promise();
      await change(model);
      const post = await node.post('/api/v1/leads/post', { ...lead(), pingId }, key);
      expect(post.json).toMatchObject({ status: 'accepted', price });
      await change({ kind: 'share', sharePercent: 80 });
    }
    // What would leave us less than we must keep is not sold at all, and never for less than was promised.
    const { pingId } = await promise();
    await node.db
      .updateTable('campaign')
      .set({ margin: JSON.stringify({ kind: 'percent', percent: 50 }) })
      .where('id', '=', own.campaignId)
      .execute();
    await node.planBook.reload(own.organizationId);
    high.calls.length = 0;
    const refused = await node.post('/api/v1/leads/post', { ...lead(), pingId }, key);
    expect([refused.json.status, high.calls.length]).toEqual(['rejected', 0]);
  });

  it('sells to a ping once: the same post again gets the first answer, another lead is refused', async () => {
    const { pingId } = (await node.post('/api/v1/leads/ping', somePing(), auth())).json;
    const body = { ...lead(), pingId };
    const first = await node.post('/api/v1/leads/post', body, auth());
    const again = await node.post('/api/v1/leads/post', body, auth());
    const other = await node.post('/api/v1/leads/post', { ...lead(), pingId }, auth());
    expect(again.json).toEqual(first.json);
    expect(other.statusCode).toBe(422);
    expect(high.calls.filter((call) => call.path === '/post')).toHaveLength(1);
  });

  it('needs only the fields that go into a ping', async () => {
    const ping = await node.post('/api/v1/leads/ping', { zip: '01234' }, auth());
    expect(ping.statusCode).toBe(422);
    expect(ping.json.errors).toEqual([{ field: 'state', message: 'State is required' }]);
  });

  it('is told when nobody bids, when the ping is unknown, and when it is missing', async () => {
    low.answer(() => ({ body: '{"result":"rejected"}' }));
    high.answer(() => ({ body: '{"result":"rejected"}' }));
    const none = await node.post('/api/v1/leads/ping', { ...somePing(), zip: '99501' }, auth());
    expect(none.json).toMatchObject({ status: 'rejected', code: 'ping_no_bid' });
    const unknown = await node.post('/api/v1/leads/post', { ...lead(), pingId: 'nope' }, auth());
    expect([unknown.statusCode, unknown.json.code]).toEqual([404, 'ping_unknown']);
    const missing = await node.post('/api/v1/leads/post', lead(), auth());
    expect([missing.statusCode, missing.json.code]).toEqual([400, 'ping_missing']);
  });

  it('cannot make a real sale of a test ping, nor use a real ping up with a test', async () => {
    const testPing = (await node.post('/api/v1/leads/ping', { ...somePing(), test: true }, auth())).json;
    const real = await node.post('/api/v1/leads/post', { ...lead(), pingId: testPing.pingId }, auth());
    expect([real.statusCode, real.json.code]).toEqual([422, 'ping_test_mismatch']);
    const test = await node.post('/api/v1/leads/post', { ...lead(), pingId: testPing.pingId, test: true }, auth());
    expect(test.json.status).toBe('test');
    const realPing = (await node.post('/api/v1/leads/ping', somePing(), auth())).json;
    const mixed = await node.post('/api/v1/leads/post', { ...lead(), pingId: realPing.pingId, test: true }, auth());
    expect(mixed.statusCode).toBe(422);
    expect((await node.post('/api/v1/leads/post', { ...lead(), pingId: realPing.pingId }, auth())).json.status).toBe('accepted');
  });

  it('of a consumer that looks like another one is a ping of its own; one that names its consumer, or has a key, is sent again', async () => {
    const alike = somePing();
    const ping = async (body: object, key?: string) =>
      (await node.post('/api/v1/leads/ping', body, { ...auth(), ...(key && { 'idempotency-key': key }) })).json.pingId;
    const [ann, bob] = [await ping(alike), await ping(alike)];
    expect(ann).not.toBe(bob);
    for (const pingId of [ann, bob])
      expect((await node.post('/api/v1/leads/post', { ...lead(), pingId }, auth())).json).toMatchObject({ status: 'accepted' });
    const named = { ...somePing(), email: `named${++counter}@example.com` };
    expect(await ping(named)).toBe(await ping(named));
    expect(await ping(alike, 'mine')).toBe(await ping(alike, 'mine'));
  });

  it('tells a publisher nothing of what buyers bid and pay', async () => {
    const own = await buildWorld(node.db, {
      groups: [{ mode: 'priority', tiers: [{ url: high.url, delivery: 'pingPost', price: { kind: 'bid' } }] }],
      publisher: { pingsPerMinute: 100 },
    });
    await node.db.updateTable('buyer_tier').set({ post_price_rule: 'refuse' }).where('organization_id', '=', own.organizationId).execute();
    await node.planBook.reload(own.organizationId);
    const key = { authorization: `Bearer ${own.key}` };
    high.answer((call) => bids(call.path === '/ping' ? '50.00' : '35.00')(call));
    const held = (await node.post('/api/v1/leads', lead(), key)).json;
    expect(held).toMatchObject({ code: 'lead_held', msg: 'A buyer accepted; the lead is held until its price is settled.' });
    const later = await fetch(`${node.url}/api/v1/leads/${held.leadId}`, { headers: key });
    expect((await later.text()).replaceAll(held.leadId, '').replace(/"elapsedMs":[\d.]+/, '')).not.toMatch(/50|35/);
  });

  it('wire-quirks 42, D6: a post whose bid has run out is refused with a word of its own', async () => {
    high.answer((call) => ({ body: JSON.stringify({ result: 'accepted', price: '15.00', id: call.path }) }));
    const { pingId } = (await node.post('/api/v1/leads/ping', { ...somePing(), zip: '99502' }, auth())).json;
    await letExpire(pingId);
    const late = await node.post('/api/v1/leads/post', { ...lead(), pingId }, auth());
    expect([late.statusCode, late.json.code]).toEqual([410, 'ping_expired']);
  });

  it('wire-quirks 42: a post that is sent again after its bid has run out hears what became of it, and is sold once', async () => {
    const { pingId } = (await node.post('/api/v1/leads/ping', somePing(), auth())).json;
    high.answer(() => ({ ...ACCEPT, delayMs: 600 }));
    const body = { ...lead(), pingId };
    const post = (sent: object = body) => node.post('/api/v1/leads/post', sent, auth());
    const first = post();
    await expect.poll(() => high.calls.some(({ path }) => path === '/post')).toBe(true);
    await letExpire(pingId);
    const underWay = post();
    const answers = [await first, await underWay, await post()];
    expect(answers.map(({ statusCode, json }) => [statusCode, json.status, json.leadId])).toEqual(
      answers.map(() => [200, 'accepted', answers[0]!.json.leadId]),
    );
    expect(high.calls.filter(({ path }) => path === '/post')).toHaveLength(1);
    const other = await post({ ...body, first_name: 'Somebody else' });
    expect([other.statusCode, other.json.code]).toEqual([422, 'idempotency_mismatch']);
  });
});

/** As if the bids of the ping had held for so long. */
async function letExpire(pingId: string): Promise<void> {
  const { keys } = node.planBook.find(world.organizationId)!;
  const row = (await node.pool.query('select explained from lead_result where lead_id = $1', [pingId])).rows[0];
  const explained = openJson<{ offers: { expiresAt: number }[] }>(keys, 'lead_result.explained', pingId, row.explained);
  for (const offer of explained.offers) offer.expiresAt = Date.now() - 1;
  await node.pool.query('update lead_result set explained = $2 where lead_id = $1', [
    pingId,
    sealJson(keys, 'lead_result.explained', pingId, explained),
  ]);
}

describe('a lead that may be sold to two', () => {
  const shared = async (publisher: { terse?: boolean } = {}, maxSales = 2) => {
    const both = { to: 'sales', from: { kind: 'system', name: 'maxSales' } } as const;
    const tier = (url: string, buyer: string): TierSpec => ({
      ...{ url, buyer, delivery: 'pingPost', price: { kind: 'bid' } },
      endpoint: jsonEndpoint(url, 'pingPost', [both]),
    });
    const own = await buildWorld(node.db, {
      groups: [
        {
          mode: 'auction',
          tiers: [tier(low.url, 'Low'), { ...tier(high.url, 'High'), name: 'One' }, { ...tier(high.url, 'High'), name: 'Two' }],
        },
      ],
      publisher: { pingsPerMinute: 100, ...publisher },
      maxSales,
    });
    await node.planBook.reload(own.organizationId);
    return { authorization: `Bearer ${own.key}` };
  };

  it('engine Intake: its ping names what each sale pays, one for each buyer, and no buyer; the post sells at that', async () => {
    const key = await shared();
    const { json: ping } = await node.post('/api/v1/leads/ping', somePing(), key);
    expect(ping).toMatchObject({ status: 'accepted', price: '12.00', bids: [{ price: '12.00' }, { price: '8.00' }] });
    for (const bid of ping.bids) expect([Object.keys(bid), Date.parse(bid.expiresAt) > Date.now()]).toEqual([['price', 'expiresAt'], true]);
    expect(ping.bids[0].expiresAt).toBe(ping.expiresAt);
    const { json: post } = await node.post('/api/v1/leads/post', { ...lead(), pingId: ping.pingId }, key);
    expect(post).toMatchObject({ status: 'accepted', price: '20.00' });
    expect(post).not.toHaveProperty('bids');
    const posted = [...high.calls, ...low.calls].filter((call) => call.path === '/post');
    expect(posted.map((call) => JSON.parse(call.body).sales)).toEqual(['2', '2']);
    expect(JSON.parse(low.calls[0]!.body).sales).toBe('2');
    const again = await fetch(`${node.url}/api/v1/leads/${ping.pingId}`, { headers: key });
    expect(await again.json()).toMatchObject({ bids: ping.bids });
  });

  it('engine Intake: in XML as well', async () => {
    const key = await shared();
    const { bids } = (await node.post('/api/v1/leads/ping', { ...somePing(), zip: '10007' }, key)).json;
    const headers = { ...key, accept: 'application/xml', 'content-type': 'application/json' };
    const answer = await fetch(`${node.url}/api/v1/leads/ping`, { method: 'POST', headers, body: JSON.stringify(somePing()) });
    const said = (await answer.text()).replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'soon');
    expect(bids).toHaveLength(2);
    expect(said).toContain(
      '<bids><bid><price>12.00</price><expiresAt>soon</expiresAt></bid><bid><price>8.00</price><expiresAt>soon</expiresAt></bid></bids>',
    );
  });

  it('engine Intake: terse answers, exclusive campaigns and pings that nobody bids for name no sales', async () => {
    for (const key of [await shared({ terse: true }), await shared({}, 1)]) {
      const { json } = await node.post('/api/v1/leads/ping', somePing(), key);
      expect([json.price, 'bids' in json]).toEqual(['12.00', false]);
    }
    for (const one of [low, high]) one.answer(() => ({ body: '{"result":"rejected"}' }));
    const { json } = await node.post('/api/v1/leads/ping', somePing(), await shared());
    expect([json.code, 'bids' in json]).toEqual(['ping_no_bid', false]);
  });
});

describe('pings too often', () => {
  it('answer 429 with how long to wait', async () => {
    await insideOneMinute();
    const own = await buildWorld(node.db, { publisher: { pingsPerMinute: 3 } });
    await node.planBook.reload(own.organizationId);
    const answers = [];
    for (let n = 0; n < 5; n++)
      answers.push(await node.post('/api/v1/leads/ping', { ...somePing(), zip: `1000${n}` }, { authorization: `Bearer ${own.key}` }));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200, 429, 429]);
    expect(answers[4]!.json.retry_after).toBeGreaterThan(0);
    expect(answers[4]!.headers.get('retry-after')).toBe(String(answers[4]!.json.retry_after));
  });
});
