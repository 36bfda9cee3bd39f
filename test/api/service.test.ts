/** console §4 (P2C, third-party validation): services are asked over the wire, and what they say decides. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { LeadView, OverviewAnswer } from '#contract/lead.ts';
import { ACCEPT, REJECT, type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const LIMIT_MS = 400;

let node: Awaited<ReturnType<typeof startTestWorld>>;
let service: ScriptedBuyer;
let buyer: ScriptedBuyer;
let count = 0;

beforeAll(async () => {
  node = await startTestWorld();
  service = await startBuyer();
  buyer = await startBuyer();
});
afterEach(() => {
  service.answer(() => ACCEPT);
  buyer.answer(() => ACCEPT);
  service.calls.length = 0;
  buyer.calls.length = 0;
});
afterAll(async () => {
  await node.stop();
  await service.close();
  await buyer.close();
});

async function build(spec: WorldSpec): Promise<World> {
  const world = await buildWorld(node.db, spec);
  await node.planBook.reload(world.organizationId);
  return world;
}

const post = (world: World, more: Record<string, unknown> = {}) => {
  count += 1;
  return node.post('/api/v1/leads', { ...LEAD, email: `p${count}@example.com`, ...more }, { authorization: `Bearer ${world.key}` });
};

/** A publisher tier that asks first. */
const withP2c = (onFailure: 'pass' | 'refuse', more: WorldSpec = {}): Promise<World> =>
  build({
    services: { 'Phone check': { url: service.url } },
    publisher: { p2c: { service: 'Phone check', timeLimitMs: LIMIT_MS, onFailure } },
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker' }] }],
    ...more,
  });

/** Two buyer tiers; the first asks, the second takes everything. */
const withValidation = (onFailure: 'pass' | 'refuse', more: WorldSpec = {}): Promise<World> =>
  build({
    services: { 'Phone check': { url: service.url } },
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, buyer: 'Careful', thirdParty: { service: 'Phone check', timeLimitMs: LIMIT_MS, onFailure } },
          { url: buyer.url, buyer: 'Easy' },
        ],
      },
    ],
    ...more,
  });

async function signIn(world: World): Promise<string> {
  const { email, password } = await buildUser(node.db, world.organizationId);
  return (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
}

async function view(world: World, leadId: string): Promise<LeadView> {
  const answer = await fetch(`${node.url}/api/console/leads/${leadId}`, { headers: { cookie: await signIn(world) } });
  return ((await answer.json()) as { lead: LeadView }).lead;
}

const rows = async (leadId: string) =>
  (
    await node.pool.query('select purpose, subject_id, service_id, outcome, elapsed_ms, status_code from service_call where lead_id = $1', [
      leadId,
    ])
  ).rows;

describe('P2C', () => {
  it('console §4: a service that says buy lets the lead go on; it is told the lead, the time it has, and nothing that is not mapped', async () => {
    const world = await withP2c('refuse');
    const { json, headers } = await post(world, { favourite_colour: 'green' });
    expect(json.status).toBe('accepted');
    expect(await metricOf(node.url, 'sluice_service_calls_total', { kind: 'called', outcome: 'passed' })).toBe(1);
    expect(headers.get('server-timing')).toMatch(/services;dur=[\d.]+/);
    const [call] = service.calls;
    expect(JSON.parse(call!.body)).toMatchObject({ first_name: 'Ada', phone: '+12125550123', lead_id: json.leadId });
    expect(call!.body).not.toContain('green');
    expect(Number(call!.headers['x-deadline-ms'])).toBeGreaterThan(LIMIT_MS - 50);
    expect(Number(call!.headers['x-deadline-ms'])).toBeLessThanOrEqual(LIMIT_MS);
    expect(await rows(json.leadId)).toMatchObject([
      { purpose: 'p2c', subject_id: world.publisherTierId, service_id: world.services['Phone check'], outcome: 'passed', status_code: 200 },
    ]);
  });

  it('console §4: a service that says no ends the lead with publisher-tier-p2c-api-failed ("P2C dontBuy"); no buyer hears of it', async () => {
    service.answer(() => REJECT);
    const world = await withP2c('pass');
    const { json } = await post(world);
    expect(json).toMatchObject({ status: 'rejected', reason: 'publisher-tier-p2c-api-failed' });
    expect(buyer.calls).toEqual([]);
    const lead = await view(world, json.leadId);
    expect(lead).toMatchObject({ reasonLabel: 'P2C dontBuy', why: 'The P2C check (Phone check) said no: not wanted.' });
    expect(lead.time.buyersMs).toBe(0);
    expect(lead.time.servicesMs).toBeGreaterThan(0);
    expect(lead.checks).toMatchObject([
      { serviceName: 'Phone check', purpose: 'p2c', outcome: 'refused', buyerTierId: null, reasons: ['not wanted'] },
    ]);
  });

  it('a refused lead gives its place in the publisher tier’s cap back', async () => {
    const world = await withP2c('refuse', {
      publisher: {
        p2c: { service: 'Phone check', timeLimitMs: LIMIT_MS },
        caps: [{ measure: 'sold', period: 'day', limit: 1, timeZone: 'UTC' }],
      },
    });
    service.answer(() => REJECT);
    expect((await post(world)).json.reason).toBe('publisher-tier-p2c-api-failed');
    service.answer(() => ACCEPT);
    await expect.poll(async () => (await post(world)).json.status).toBe('accepted');
    expect((await post(world)).json.reason).toBe('publisher-tier-filter-failed');
  });

  it('at a ping the service sees what was pinged, and a ping that it refuses gets no bid', async () => {
    const world = await withP2c('refuse');
    const ping = () => node.post('/api/v1/leads/ping', { state: 'NY', zip: '01234' }, { authorization: `Bearer ${world.key}` });
    expect((await ping()).json.code).toBe('ping_bid');
    expect(JSON.parse(service.calls[0]!.body)).toMatchObject({ state: 'NY' });
    service.answer(() => REJECT);
    const refused = await node.post('/api/v1/leads/ping', { state: 'TX' }, { authorization: `Bearer ${world.key}` });
    expect(refused.json.reason).toBe('publisher-tier-p2c-api-failed');
  });
});

const HUGE = 'x'.repeat(300 * 1024);
const FAILURES: [string, () => ScriptedAnswer, 'error' | 'timeout', RegExp][] = [
  ['breaks the connection', () => ({ reset: true }), 'error', /failed: connection cut off before an answer came/],
  [
    'answers with an error of its own',
    () => ({ status: 500, body: '{"result":"oops"}' }),
    'error',
    /failed: no rule reads its answer \(HTTP 500\)/,
  ],
  ['answers garbage', () => ({ body: '\u0000{{<<' }), 'error', /failed: unreadable answer/],
  ['answers nothing', () => ({ body: '' }), 'error', /failed: no answer/],
  ['would decide later', () => ({ body: '{"result":"pending"}' }), 'error', /failed: it would decide later/],
  [
    'answers without end',
    () => ({ body: JSON.stringify({ result: 'accepted', pad: HUGE }) }),
    'error',
    /failed: .*its answer is too large/,
  ],
  ['points to an address inside', () => ({ status: 302, headers: { location: 'http://169.254.169.254/latest' } }), 'error', /failed/],
  ['is too slow', () => ({ ...ACCEPT, delayMs: LIMIT_MS * 3 }), 'timeout', /did not answer in time/],
  ['never answers', () => ({ hang: true }), 'timeout', /did not answer in time/],
];

describe.each(FAILURES)('a service that %s', (_, script, outcome, says) => {
  it.each(['pass', 'refuse'] as const)('as P2C on a tier that says %s', async (onFailure) => {
    service.answer(script);
    const world = await withP2c(onFailure);
    const startedAt = performance.now();
    const { json } = await post(world);
    expect(performance.now() - startedAt).toBeLessThan(LIMIT_MS + 1_500);
    expect(json.status).toBe(onFailure === 'pass' ? 'accepted' : 'rejected');
    expect(await rows(json.leadId)).toMatchObject([{ outcome }]);
    const lead = await view(world, json.leadId);
    const step = lead.steps.find((one) => one.code.startsWith('p2c'));
    expect(step?.text ?? lead.why).toMatch(says);
    expect(step?.text ?? lead.why).toContain(onFailure === 'pass' ? 'leads go on without it' : 'no lead goes on without it');
    expect(buyer.calls).toHaveLength(onFailure === 'pass' ? 1 : 0);
  });
});

describe('third-party validation', () => {
  it('console §4: a refusal filters the tier with buyer-tier-third-party-service-validation-failed, and the next tier sells', async () => {
    service.answer(() => REJECT);
    const world = await withValidation('pass');
    const { json } = await post(world);
    expect(json).toMatchObject({ status: 'accepted' });
    expect(buyer.calls).toHaveLength(1);
    const lead = await view(world, json.leadId);
    expect(lead.verdicts).toMatchObject([
      { outcome: 'filtered', text: 'Third-party validation (Phone check) said no: not wanted.' },
      { buyerName: 'Easy', outcome: 'sold' },
    ]);
    expect(lead.checks).toMatchObject([{ purpose: 'thirdParty', buyerTierId: world.tiers[0]!.buyerTierId, outcome: 'refused' }]);
  });

  it('console §4: where every tier is refused the lead is unsold, each with its reason', async () => {
    service.answer(() => REJECT);
    const world = await withValidation('refuse', {
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url, thirdParty: { service: 'Phone check' } }] }],
    });
    const { json } = await post(world);
    expect(json).toMatchObject({ status: 'rejected', reason: 'buyer-all-tier-failed' });
    expect((await view(world, json.leadId)).steps).toContainEqual(expect.objectContaining({ code: 'third-party-refused' }));
  });

  it('tiers of an auction are checked side by side: the wait is that of the slowest, and is told as the services’ own', async () => {
    service.answer(() => ({ ...ACCEPT, delayMs: 150 }));
    const tier = (name: string) => ({
      ...{ url: buyer.url, buyer: name, delivery: 'pingPost' as const, price: { kind: 'bid' as const } },
      thirdParty: { service: 'Phone check', timeLimitMs: 2_000 },
    });
    const world = await withValidation('refuse', { groups: [{ mode: 'auction', tiers: ['A', 'B', 'C', 'D'].map(tier) }] });
    const { json } = await post(world);
    expect(json.status).toBe('accepted');
    const lead = await view(world, json.leadId);
    expect(lead.checks.map((one) => one.buyerTierName)).toHaveLength(4);
    expect(lead.time.servicesMs).toBeGreaterThanOrEqual(145);
    expect(lead.time.servicesMs).toBeLessThan(400);
    const { totalMs, servicesMs, buyersMs, ownMs, storeMs } = lead.time;
    expect(Math.abs(totalMs - servicesMs - buyersMs - ownMs - storeMs)).toBeLessThan(0.1);
    expect(ownMs).toBeLessThan(100);
  });

  it('a service that is busy with the lead does not take more than the publisher has left', async () => {
    service.answer(() => ({ hang: true }));
    const world = await withValidation('pass', {
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url, thirdParty: { service: 'Phone check', timeLimitMs: 20_000 } }] }],
    });
    const startedAt = performance.now();
    await post(world, { timeoutMs: 600 });
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(Number(service.calls[0]!.headers['x-deadline-ms'])).toBeLessThanOrEqual(600);
  });
});

describe('a service that is not asked', () => {
  it('a paused one: the tier’s rule for failures decides, and says why', async () => {
    const services = { 'Phone check': { url: service.url, status: 'paused' as const } };
    const strict = await withP2c('refuse', { services });
    const { json } = await post(strict);
    expect(json.reason).toBe('publisher-tier-p2c-api-failed');
    expect((await view(strict, json.leadId)).why).toBe(
      'The P2C check (Phone check) was not made: its service is paused; no lead goes on without it.',
    );
    const lenient = await withP2c('pass', { services });
    const sold = await post(lenient);
    expect(sold.json.status).toBe('accepted');
    const lead = await view(lenient, sold.json.leadId);
    expect(lead.steps.map((one) => one.text)).toContain(
      'The P2C check (Phone check) was not made: its service is paused; leads go on without it.',
    );
    expect([service.calls, lead.checks]).toEqual([[], []]);
  });

  it('one at a private address is never called', async () => {
    const world = await withP2c('refuse', { services: { 'Phone check': { url: 'http://10.1.2.3' } } });
    const { json } = await post(world);
    expect(json.reason).toBe('publisher-tier-p2c-api-failed');
    expect((await view(world, json.leadId)).why).toMatch(/failed: its address may not be called/);
  });

  it('a test lead asks nobody, as it calls no buyer', async () => {
    const world = await withP2c('refuse', { testValues: { field: 'first_name', sold: 'Testa' } });
    const { json } = await post(world, { first_name: 'Testa' });
    expect([json.status, service.calls, await rows(json.leadId)]).toEqual(['test', [], []]);
    expect((await post(world, { test: true })).json.status).toBe('test');
    expect(service.calls).toEqual([]);
  });
});

describe('what is wrong now', () => {
  const warnings = async (world: World) => {
    const path = '/api/console/overview?region=us&vertical=payday&timeZone=UTC';
    const answer = await fetch(node.url + path, { headers: { cookie: await signIn(world) } });
    return ((await answer.json()) as OverviewAnswer).warnings.map((one) => [one.kind, one.text]);
  };

  it('the overview says that a service which tiers ask is paused, and what each of them does then', async () => {
    const services = {
      'Phone check': { url: service.url, status: 'paused' as const },
      Idle: { url: service.url, status: 'paused' as const },
    };
    const world = await withP2c('refuse', {
      services,
      groups: [
        { mode: 'priority', tiers: [{ url: buyer.url, name: 'Careful', thirdParty: { service: 'Phone check', onFailure: 'pass' } }] },
      ],
    });
    expect(await warnings(world)).toEqual([
      ['paused', 'The third-party service Phone check is paused: Main seat lets no lead through; Careful goes on without it.'],
    ]);
  });

  it('the overview says that a service fails, and how often', async () => {
    const world = await withP2c('pass');
    service.answer(() => ({ status: 500 }));
    for (let n = 0; n < 3; n++) await post(world);
    service.answer(() => ACCEPT);
    for (let n = 0; n < 6; n++) await post(world);
    expect(await warnings(world)).toEqual([]);
    await post(world);
    expect(await warnings(world)).toEqual([
      ['errors', 'The third-party service Phone check failed in 3 of 10 questions in the last hour.'],
    ]);
  });
});

describe('what is kept', () => {
  it('a service that repeats its secret tells it to nobody: not to who reads the lead, and of its words nothing to the publisher', async () => {
    const { post: leg } = jsonEndpoint(service.url, 'post');
    const response = { ...leg.response, outcomes: [], otherwise: 'rejected' as const, reasons: [{ part: 'body' as const }] };
    const endpoint = { post: { ...leg, auth: { kind: 'basic' as const, username: 'acme', secret: 'token' }, response } };
    const world = await withP2c('refuse', { services: { 'Phone check': { url: service.url, endpoint } } });
    const cookie = await signIn(world);
    await node.post(
      '/api/v1/common/post-edit-data',
      { model: 'service', _id: world.services['Phone check'], secrets: { token: 'SEEKRIT-XYZ' } },
      { ...OWN_PAGE, cookie },
    );
    service.answer((call) => ({ status: 400, body: `Unknown key SEEKRIT-XYZ (${call.headers.authorization})` }));
    const words = ['SEEKRIT-XYZ', Buffer.from('acme:SEEKRIT-XYZ').toString('base64')];
    const answer = await post(world);
    expect(answer.json).toMatchObject({ status: 'rejected', msg: 'The P2C check said no.' });
    const lead = JSON.stringify(await view(world, answer.json.leadId));
    expect(lead).toContain('Unknown key _masked_');
    const trial = { verticalId: world.verticalId, serviceId: world.services['Phone check'], endpoint, leg: 'post', lead: {} };
    const tried = await node.post('/api/console/endpoint/test-call', trial, { ...OWN_PAGE, cookie });
    expect(tried.json.reading.reasons[0]).toContain('Unknown key _masked_');
    for (const word of words) for (const text of [lead, tried.text, answer.text]) expect(text).not.toContain(word);
  });

  it('E12: a buyer that repeats its secret tells it to nobody who reads the lead; the consumer goes where the buyer said', async () => {
    const { post: leg } = jsonEndpoint(buyer.url, 'post');
    const response = { ...leg.response, reasons: [{ part: 'body' as const }], captures: { buyerRef: { at: [{ path: 'ref' }] } } };
    const endpoint = { post: { ...leg, auth: { kind: 'bearer' as const, secret: 'token' }, response } };
    const world = await build({ groups: [{ mode: 'priority', tiers: [{ url: buyer.url, endpoint }] }] });
    const cookie = await signIn(world);
    await node.post(
      '/api/v1/common/post-edit-data',
      { model: 'buyerTier', _id: world.tiers[0]!.buyerTierId, secrets: { token: 'SEEKRIT-XYZ' } },
      { ...OWN_PAGE, cookie },
    );
    const redirect = 'https://buyer.example/go?key=SEEKRIT-XYZ';
    buyer.answer(() => ({ body: JSON.stringify({ result: 'accepted', price: '20.00', redirect, ref: 'SEEKRIT-XYZ-7' }) }));
    const sold = await post(world);
    const link = new URL(sold.json.redirectUrl);
    const followed = await node.app.inject({ url: link.pathname, headers: { host: link.host } });
    expect([sold.json.status, followed.headers.location]).toEqual(['accepted', redirect]);
    const lead = await view(world, sold.json.leadId);
    expect(lead.sales[0]).toMatchObject({ redirectUrl: expect.stringContaining('_masked_'), buyerRef: '_masked_-7' });
    expect(JSON.stringify(lead)).not.toContain('SEEKRIT-XYZ');
    buyer.answer(() => ({ status: 400, body: '{"a":"SEEKRIT-XYZ"}' }));
    const failed = await post(world);
    const second = JSON.stringify(await view(world, failed.json.leadId));
    expect(second).toContain('_masked_');
    expect(second).not.toContain('SEEKRIT-XYZ');
    expect(failed.text).not.toContain('SEEKRIT-XYZ');
  });

  it('request and answer are sealed in the database, and shown masked: neither secrets nor the person', async () => {
    const { post: leg } = jsonEndpoint(service.url, 'post');
    const endpoint = { post: { ...leg, auth: { kind: 'bearer' as const, secret: 'token' } } };
    const world = await withP2c('refuse', { services: { 'Phone check': { url: service.url, endpoint } } });
    const cookie = await signIn(world);
    const written = await node.post(
      '/api/v1/common/post-edit-data',
      { model: 'service', _id: world.services['Phone check'], secrets: { token: 'tok-5f3a9c' } },
      { ...OWN_PAGE, cookie },
    );
    expect(written.json.data.secrets).toEqual(['token']);
    service.answer((call) => ({
      body: JSON.stringify({ result: 'accepted', echo: call.headers.authorization, about: JSON.parse(call.body).email }),
    }));
    const { json } = await post(world, { email: 'secret.person@example.com' });
    expect(service.calls[0]!.headers.authorization).toBe('Bearer tok-5f3a9c');
    const { rows: kept } = await node.pool.query<{ wire: Buffer }>('select wire from service_call where lead_id = $1', [json.leadId]);
    for (const word of ['secret.person', 'tok-5f3a9c', 'accepted']) expect(kept[0]!.wire.includes(word)).toBe(false);
    const { checks } = await view(world, json.leadId);
    expect(checks[0]!.wire).toMatchObject({ method: 'POST', url: `${service.url}/post`, statusCode: 200 });
    expect(checks[0]!.wire!.responseBody).toContain('accepted');
    for (const word of ['secret.person', 'tok-5f3a9c']) expect(JSON.stringify(checks)).not.toContain(word);
  });

  it('leads that are finished together keep their own conversations', async () => {
    service.answer((call) => (JSON.parse(call.body).state === 'TX' ? REJECT : ACCEPT));
    const world = await withP2c('refuse');
    const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => post(world, { state: at % 2 ? 'TX' : 'NY' })));
    const { rows: kept } = await node.pool.query(
      `select c.outcome, r.status, count(*)::int from service_call c join lead_result r using (organization_id, lead_id)
        where c.organization_id = $1 group by 1, 2 order by 1`,
      [world.organizationId],
    );
    expect(kept).toEqual([
      { outcome: 'passed', status: 'sold', count: 20 },
      { outcome: 'refused', status: 'rejected', count: 20 },
    ]);
    const lead = await view(world, answers[1]!.json.leadId);
    expect(JSON.parse(lead.checks[0]!.wire!.requestBody).lead_id).toBe(answers[1]!.json.leadId);
  });
});

describe('a node that is killed while a service has the lead', () => {
  let victim: ChildProcess | undefined;
  afterEach(() => void victim?.kill('SIGKILL'));

  it('leaves the lead to be finished as interrupted, its place in the cap free again', async () => {
    service.answer(() => ({ hang: true }));
    const world = await withP2c('refuse', {
      publisher: {
        p2c: { service: 'Phone check', timeLimitMs: 20_000 },
        caps: [{ measure: 'sold', period: 'day', limit: 1, timeZone: 'UTC' }],
      },
    });
    victim = fork(join(import.meta.dirname, '..', 'load', 'sluice.ts'), [node.database.url], {
      execPath: join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'node'),
    });
    const { port } = await new Promise<{ port: number }>((resolve) =>
      victim!.once('message', (message) => resolve(message as { port: number })),
    );
    const headers = { authorization: `Bearer ${world.key}`, 'content-type': 'application/json' };
    const lost = fetch(`http://127.0.0.1:${port}/api/v1/leads`, { method: 'POST', headers, body: JSON.stringify(LEAD) }).catch(
      () => undefined,
    );
    await expect.poll(() => service.calls.length, { timeout: 5_000 }).toBe(1);
    victim.kill('SIGKILL');
    await lost;
    const leadId = JSON.parse(service.calls[0]!.body).lead_id as string;
    await node.pool.query(`update node set seen_at = now() - interval '1 minute' where id <> $1`, [node.nodeId]);
    await expect
      .poll(async () => (await node.pool.query('select status, reason from lead_result where lead_id = $1', [leadId])).rows, {
        timeout: 20_000,
      })
      .toEqual([{ status: 'error', reason: 'interrupted' }]);
    expect((await node.pool.query('select 1 from reservation where lead_id = $1', [leadId])).rows).toEqual([]);
    expect(buyer.calls).toEqual([]);
  });
});
