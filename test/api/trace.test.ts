/** Traces of leads (decision 0036): what a collector is told of one, and that nobody waits for it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MOST_WAITING } from '#server/trace/span-sender.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { type CollectedSpan, type Collector, startCollector } from '#test/harness/collector.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildWorld, LEAD, type TierSpec, type World } from '#test/harness/world.ts';

let database: TestDatabase;
let collector: Collector;
let buyer: ScriptedBuyer;
let world: World;
let node: TestNode;
const caps: TierSpec['caps'] = [{ measure: 'sold', period: 'day', limit: 1_000, timeZone: 'UTC' }];

const tracedTo = (url: string, more: Partial<typeof TEST_CONFIG.traces> = {}) => ({
  traces: { ...TEST_CONFIG.traces, endpoint: url, headers: { 'x-team': 'sluice' }, share: 1, ...more },
});

beforeAll(async () => {
  database = await freshDatabase();
  collector = await startCollector();
  buyer = await startBuyer();
  node = await startNode(database.url, tracedTo(collector.url));
  world = await buildWorld(node.db, {
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, caps }, { url: buyer.url, caps }, { url: buyer.url }] }],
  });
  await node.planBook.reload(world.organizationId);
});
beforeEach(() => {
  buyer.answer(() => ACCEPT);
  buyer.calls.length = 0;
  collector.spans.length = 0;
});
afterAll(async () => {
  await node.close();
  await Promise.all([collector.close(), buyer.close()]);
  await database.drop();
});

const post = (at: TestNode, more: object = {}, headers: Record<string, string> = {}, path = '/api/v1/leads') =>
  at.post(path, { ...LEAD, ...more }, { authorization: `Bearer ${world.key}`, ...headers });

/** The spans of the trace that has a lead, once its call is over. */
async function traceOf(leadId: string): Promise<CollectedSpan[]> {
  const root = () => collector.spans.find(({ attributes }) => attributes['sluice.lead_id'] === leadId);
  await expect.poll(root, { timeout: 15_000 }).toBeDefined();
  return collector.spans.filter(({ traceId }) => traceId === root()!.traceId);
}
const only = (spans: CollectedSpan[], name: string) => {
  const found = spans.filter((span) => span.name === name);
  expect([name, found.length]).toEqual([name, 1]);
  return found[0]!;
};

describe('a lead that is traced', () => {
  it('is told step by step, each below the one that it is a part of', async () => {
    let calls = 0;
    buyer.answer(() => (calls++ < 2 ? REJECT : ACCEPT));
    const { json } = await post(node, { email: 'traced@example.com' });
    const spans = await traceOf(json.leadId);
    const root = only(spans, 'POST /api/v1/leads');
    expect(root.parentSpanId).toBeUndefined();
    expect(root.kind).toBe(2);
    expect(root.attributes).toMatchObject({
      'sluice.code': 'lead_sold',
      'sluice.mode': 'full',
      'http.response.status_code': '200',
      'sluice.organization_id': world.organizationId,
      'sluice.publisher_tier_id': world.publisherTierId,
    });
    for (const name of ['read', 'normalise', 'store', 'route', 'store result'])
      expect([name, only(spans, name).parentSpanId]).toEqual([name, root.spanId]);
    const route = only(spans, 'route');
    expect(route.attributes).toMatchObject({ 'sluice.status': 'sold' });
    const buyers = spans.filter(({ name }) => name === 'buyer call');
    expect(buyers.map(({ parentSpanId, kind }) => [parentSpanId, kind])).toEqual([
      [route.spanId, 3],
      [route.spanId, 3],
      [route.spanId, 3],
    ]);
    expect(
      buyers.map(({ attributes }) => [attributes['sluice.outcome'], attributes['http.response.status_code'], attributes['sluice.leg']]),
    ).toEqual([
      ['rejected', '200', 'post'],
      ['rejected', '200', 'post'],
      ['accepted', '200', 'post'],
    ]);
    expect(buyers.map(({ attributes }) => attributes['sluice.buyer_tier_id'])).toEqual(world.tiers.map(({ buyerTierId }) => buyerTierId));
    // The place in the first cap was booked together with the lead; the last tier has none, and its post is noted.
    expect(only(spans, 'reserve').parentSpanId).toBe(route.spanId);
    expect(only(spans, 'note').parentSpanId).toBe(route.spanId);
    for (const span of spans) {
      const [from, to] = [BigInt(span.startTimeUnixNano), BigInt(span.endTimeUnixNano)];
      expect(from <= to).toBe(true);
      expect(from >= BigInt(root.startTimeUnixNano) && to <= BigInt(root.endTimeUnixNano)).toBe(true);
    }
    expect(collector.requests[0]).toMatchObject({
      path: '/v1/traces',
      headers: { 'x-team': 'sluice', 'content-type': 'application/json' },
    });
  });

  it('tells of the services that were asked, before the tree, by the same step', async () => {
    const asking = await buildWorld(node.db, {
      services: { 'Phone check': { url: buyer.url } },
      publisher: { p2c: { service: 'Phone check', timeLimitMs: 2_000, onFailure: 'pass' } },
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }],
    });
    await node.planBook.reload(asking.organizationId);
    const { json } = await node.post('/api/v1/leads', { ...LEAD, email: 'asked@example.com' }, { authorization: `Bearer ${asking.key}` });
    const spans = await traceOf(json.leadId);
    const check = only(spans, 'check');
    expect([check.kind, check.parentSpanId]).toEqual([3, only(spans, 'route').spanId]);
    expect(check.attributes).toEqual({
      'sluice.service_id': asking.services['Phone check'],
      'sluice.outcome': 'passed',
      'http.response.status_code': '200',
    });
  });

  it('tells of every ping of an auction and of the post to its winner, and of a ping as a call of its own', async () => {
    const tier = { url: buyer.url, delivery: 'pingPost', price: { kind: 'bid' } } as const;
    const asking = await buildWorld(node.db, { groups: [{ mode: 'auction', tiers: [tier, tier] }] });
    await node.planBook.reload(asking.organizationId);
    const key = { authorization: `Bearer ${asking.key}` };
    const sold = await node.post('/api/v1/leads', { ...LEAD, email: 'auction@example.com' }, key);
    const legs = (await traceOf(sold.json.leadId))
      .filter(({ name }) => name === 'buyer call')
      .map(({ attributes }) => attributes['sluice.leg']);
    expect(legs.sort()).toEqual(['ping', 'ping', 'post']);
    const ping = await node.post('/api/v1/leads/ping', { state: LEAD.state, zip: LEAD.zip, monthly_income: '4321' }, key);
    const root = only(await traceOf(ping.json.pingId), 'POST /api/v1/leads/ping');
    expect(root.attributes).toMatchObject({ 'sluice.mode': 'ping', 'sluice.code': 'ping_bid' });
  });

  it('C8, H1: tells of the person nothing, nor of the key or of what a buyer answered', async () => {
    buyer.answer(() => ({ body: JSON.stringify({ result: 'rejected', reason: 'Kanarienvogel is known' }) }));
    const person = { first_name: 'Kanarienvogel', email: 'canary@example.com', phone: '2125550177', odd_field: 'kanari' };
    const { json } = await post(node, person);
    await traceOf(json.leadId);
    await post(node, person, { authorization: 'Bearer kanari-key' });
    await node.post('/api/v1/leads', '{"email":"canary@example.com', {
      authorization: `Bearer ${world.key}`,
      'content-type': 'application/json',
    });
    await expect.poll(() => collector.spans.filter(({ name }) => name.startsWith('POST')).length, { timeout: 15_000 }).toBe(3);
    const told = collector.requests.map(({ body }) => body).join('\n');
    for (const canary of ['Kanari', 'kanari', 'canary', '2125550177', '555-0177', world.key, 'is known', '@example'])
      expect(told).not.toContain(canary);
  });

  it('is linked to the trace of its publisher, who decides neither what it is called nor whether it is kept', async () => {
    const theirs = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
    for (const flags of ['01', '00']) {
      const traceparent = `00-${theirs.traceId}-${theirs.spanId}-${flags}`;
      const { json } = await post(node, { email: `carried${flags}@example.com` }, { traceparent });
      const root = only(await traceOf(json.leadId), 'POST /api/v1/leads');
      expect([root.traceId === theirs.traceId, root.parentSpanId, root.links]).toEqual([false, undefined, [theirs]]);
    }
    const next = await post(node, { email: 'next@example.com' }, { traceparent: 'not one' });
    expect(only(await traceOf(next.json.leadId), 'POST /api/v1/leads').links).toBeUndefined();
  });

  it('is told to no buyer, but where the operator names its host', async () => {
    await post(node, { email: 'private@example.com' }, { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' });
    expect(buyer.calls[0]!.headers.traceparent).toBeUndefined();
    const open = await startNode(database.url, tracedTo(collector.url, { to: [`127.0.0.1:${buyer.port}`] }));
    const { json } = await post(open, { email: 'shared@example.com' });
    const call = only(await traceOf(json.leadId), 'buyer call');
    expect(buyer.calls[1]!.headers.traceparent).toBe(`00-${call.traceId}-${call.spanId}-01`);
    await open.close();
  });
});

describe('a collector that is away', () => {
  it.each<[string, (own: Collector) => Promise<unknown> | unknown]>([
    ['says no', (own) => own.answer(503)],
    ['never answers', (own) => own.answer('never')],
    ['is not there', (own) => own.close()],
  ])('costs spans and no lead: one that %s', async (_name, make) => {
    const own = await startCollector();
    await make(own);
    const away = await startNode(database.url, tracedTo(own.url));
    const spanFigures = async () => {
      const text = await (await fetch(`${away.url}/metrics`)).text();
      const of = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
      return {
        waiting: of('sluice_trace_spans_waiting'),
        lost: of('sluice_trace_spans_total\\{outcome="lost"\\}'),
        dropped: of('sluice_trace_spans_total\\{outcome="dropped"\\}'),
      };
    };
    const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => post(away, { email: `away${at}@example.com` })));
    expect(answers.map(({ json }) => json.code)).toEqual(Array(20).fill('lead_sold'));
    // More than is kept: what is beyond is counted, and forgotten.
    const invalid = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    let told = await spanFigures();
    for (let round = 0; round < 300 && told.dropped === 0; round++) {
      await Promise.all(Array.from({ length: 100 }, () => away.post('/api/v1/leads', '{', invalid)));
      told = await spanFigures();
      expect(told.waiting).toBeLessThanOrEqual(MOST_WAITING);
    }
    expect(told.dropped).toBeGreaterThan(0);
    expect((await post(away, { email: `last-${_name}@example.com`.replaceAll(' ', '') })).json.code).toBe('lead_sold');
    await away.close();
    await own.close();
  });
});

describe('without a collector', () => {
  it('nothing is traced, and a traceparent changes nothing', async () => {
    const plain = await startNode(database.url);
    const { json } = await post(
      plain,
      { email: 'plain@example.com' },
      { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
    );
    expect(json.code).toBe('lead_sold');
    expect(buyer.calls[0]!.headers.traceparent).toBeUndefined();
    const text = await (await fetch(`${plain.url}/metrics`)).text();
    expect(text).toContain('sluice_trace_spans_waiting 0');
    await plain.close();
    expect(collector.spans).toEqual([]);
  });
});
