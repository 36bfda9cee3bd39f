/** console §3 (set-up of buyer tiers): an endpoint is tried before it is stored. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let cookie: string;

const call = (path: string, body: Record<string, unknown>, as = cookie) =>
  node.post(`/api/console/endpoint/${path}`, body, { ...OWN_PAGE, cookie: as });
const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
  cookie = await signIn(await buildUser(node.db, world.organizationId));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const row = (to: string, from: unknown, more = {}) => ({ to, from, ...more });
const endpoint = (more: Record<string, unknown> = {}) => ({
  post: {
    url: buyer.url,
    method: 'POST',
    auth: { kind: 'bearer', secret: 'token' },
    body: {
      format: 'json',
      mapping: [
        row('applicant.email', { kind: 'field', field: 'email' }),
        row('applicant.phone', { kind: 'field', field: 'phone' }, { format: [{ kind: 'phone', pattern: '(###) ###-####' }] }),
        row('key', { kind: 'secret', name: 'key' }),
      ],
    },
    response: {
      outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'result' }, is: 'equal', value: 'accepted' }] }],
      otherwise: 'rejected',
      price: { at: [{ path: 'price' }] },
      redirect: { at: [{ path: 'redirect' }] },
      captures: { id: { at: [{ path: 'id' }] } },
    },
    ...more,
  },
});
const LEAD = { email: ' Sample@Example.com', phone: '212 555 0123', state: 'ny' };

describe('preview', () => {
  it('shows what would be sent, normalised and formatted, with secrets as stars', async () => {
    const { json } = await call('preview', { verticalId: world.verticalId, endpoint: endpoint(), leg: 'post', lead: LEAD });
    expect(json.request).toMatchObject({ method: 'POST', url: expect.stringContaining(buyer.url) });
    expect(JSON.parse(json.request.body)).toEqual({ applicant: { email: 'sample@example.com', phone: '(212) 555-0123' }, key: '******' });
    expect(JSON.stringify(json.request.headers)).toContain('******');
  });

  it('an endpoint that is not complete says where, and a ping shows only what a ping may', async () => {
    const broken = await call('preview', { verticalId: world.verticalId, endpoint: endpoint({ url: '' }), leg: 'post', lead: LEAD });
    expect([broken.statusCode, broken.json.errors[0].field]).toEqual([400, 'endpoint.post.url']);
    expect((await call('preview', { verticalId: world.verticalId, endpoint: endpoint(), leg: 'ping', lead: LEAD })).json.code).toBe(
      'endpoint_ping_missing',
    );
    const both = {
      ping: {
        ...endpoint().post,
        body: {
          format: 'json',
          mapping: [row('email', { kind: 'field', field: 'email' }), row('state', { kind: 'field', field: 'state' })],
        },
      },
      ...endpoint(),
    };
    const { json } = await call('preview', { verticalId: world.verticalId, endpoint: both, leg: 'ping', lead: LEAD });
    expect(json.request.body).not.toContain('sample@example.com');
    expect(json.request.body).toContain('NY');
  });
});

describe('reading a pasted answer', () => {
  it('says the outcome, price, redirect and what was captured, and which rule decided', async () => {
    const body = JSON.stringify({ result: 'accepted', price: '$12,50', redirect: 'https://buyer.example/x', id: 'B-7' });
    const { json } = await call('read', { endpoint: endpoint(), leg: 'post', body });
    expect(json.reading).toMatchObject({ outcome: 'accepted', price: '12.50', captures: { id: 'B-7' }, readAs: 'json', rule: 1 });
    const no = await call('read', { endpoint: endpoint(), leg: 'post', body: '<html>Bad gateway</html>', statusCode: 502 });
    expect(no.json.reading.outcome).not.toBe('accepted');
    expect((await call('read', { endpoint: endpoint(), leg: 'post', body: 'x'.repeat(500_001) })).statusCode).toBe(400);
  });

  it('takes headers and the HTTP code as well as the body', async () => {
    const { post } = endpoint();
    const response = {
      outcomes: [
        {
          outcome: 'accepted',
          when: [
            { at: { part: 'status' }, is: 'equal', value: 204 },
            { at: { header: 'x-result' }, is: 'equal', value: 'ok' },
            { at: { part: 'body' }, is: 'absent' },
          ],
        },
      ],
      otherwise: 'rejected',
      price: { at: [{ path: 'price' }, { header: 'x-price' }], unit: 'cent' },
      captures: { buyerRef: { at: [{ header: 'location', pattern: 'leads/(\\w+)' }] } },
    };
    const asked = { endpoint: { post: { ...post, response } }, leg: 'post', body: '' };
    const headers = { 'X-Result': 'OK', 'X-Price': '1250', Location: '/leads/B77' };
    const yes = (await call('read', { ...asked, headers, statusCode: 204 })).json.reading;
    expect(yes).toMatchObject({ outcome: 'accepted', rule: 1, price: '12.50', captures: { buyerRef: 'B77' } });
    expect((await call('read', { ...asked, headers, statusCode: 200 })).json.reading.outcome).not.toBe('accepted');
    expect((await call('read', { ...asked, statusCode: 204 })).json.reading.outcome).not.toBe('accepted');
  });
});

describe('a test call', () => {
  it('is really made, with the stored secrets of the tier and never showing them', async () => {
    const tierId = world.tiers[0]!.buyerTierId;
    await node.post(
      '/api/v1/common/post-edit-data',
      { model: 'buyerTier', _id: tierId, secrets: { token: 'tok-secret-1', key: 'key-secret-2' } },
      { ...OWN_PAGE, cookie },
    );
    const before = buyer.calls.length;
    const { json } = await call('test-call', { verticalId: world.verticalId, tierId, endpoint: endpoint(), leg: 'post', lead: LEAD });
    expect(buyer.calls).toHaveLength(before + 1);
    expect(buyer.calls.at(-1)!.headers.authorization).toBe('Bearer tok-secret-1');
    expect(json).toMatchObject({ failure: null, response: { statusCode: 200 }, reading: { outcome: 'accepted', price: '20.00', rule: 1 } });
    expect(JSON.stringify(json)).not.toMatch(/tok-secret-1|key-secret-2/);
    expect((await node.pool.query('select count(*)::int as leads from lead')).rows[0].leads).toBe(0);
  });

  it('keeps the time limit of the tier, and says when it was passed', async () => {
    const slow = await startBuyer(() => ({ ...ACCEPT, delayMs: 400 }));
    const asked = { verticalId: world.verticalId, leg: 'post', lead: LEAD, endpoint: endpoint({ url: slow.url, auth: { kind: 'none' } }) };
    const late = (await call('test-call', { ...asked, timeLimitMs: 150 })).json;
    expect(late).toMatchObject({ isTimedOut: true, timeLimitMs: 150, response: null });
    expect(late.elapsedMs).toBeLessThan(400);
    expect((await call('test-call', { ...asked, timeLimitMs: 3000 })).json).toMatchObject({
      isTimedOut: false,
      response: { statusCode: 200 },
    });
    expect((await call('test-call', { ...asked, timeLimitMs: 300_001 })).statusCode).toBe(400);
    await slow.close();
  });

  it('E12: sends stored secrets nowhere but to where they were written for; elsewhere each is asked for anew, by name', async () => {
    const stranger = await startBuyer(() => ACCEPT);
    const tierId = world.tiers[0]!.buyerTierId;
    const elsewhere = [
      endpoint({ url: `${stranger.url}/x?k={{secret.key}}` }),
      endpoint({ url: `${stranger.url}/x`, auth: { kind: 'basic', username: 'me', secret: 'key' } }),
      endpoint({ auth: { kind: 'oauth2', tokenUrl: `${stranger.url}/token`, clientId: 'me', secret: 'key' } }),
    ];
    for (const one of elsewhere) {
      const refused = await call('test-call', { verticalId: world.verticalId, tierId, endpoint: one, leg: 'post', lead: LEAD });
      expect([refused.statusCode, refused.json.code, refused.json.errors[0].field]).toEqual([400, 'endpoint_secrets_needed', 'secrets']);
      expect(refused.json.msg).toContain(`not written for ${new URL(stranger.url).origin}. Write the secret`);
    }
    const half = { verticalId: world.verticalId, tierId, endpoint: elsewhere[0], leg: 'post', lead: LEAD, secrets: { token: 'typed-1' } };
    expect((await call('test-call', half)).json.msg).toContain('Write the secret key anew');
    expect(stranger.calls).toEqual([]);
    const whole = await call('test-call', { ...half, secrets: { token: 'typed-1', key: 'typed-2' } });
    expect(whole.json.reading.outcome).toBe('accepted');
    expect(stranger.calls.map((one) => one.headers.authorization)).toEqual(['Bearer typed-1']);
    expect(JSON.stringify(stranger.calls)).not.toMatch(/tok-secret-1|key-secret-2/);
    expect(whole.text).not.toMatch(/typed-[12]/);
    const none = endpoint({ url: stranger.url, auth: { kind: 'none' }, body: { format: 'json', mapping: [] } });
    expect((await call('test-call', { ...half, endpoint: none, secrets: {} })).statusCode).toBe(200);
    await stranger.close();
  });

  it('a buyer out of reach, and one that may not be called, say why', async () => {
    const gone = await call('test-call', {
      verticalId: world.verticalId,
      endpoint: endpoint({ url: 'http://127.0.0.1:1/', auth: { kind: 'none' } }),
      leg: 'post',
      lead: LEAD,
    });
    expect(gone.json).toMatchObject({ response: null, reading: null });
    expect(gone.json.failure).toBeTruthy();
    const inward = await call('test-call', {
      verticalId: world.verticalId,
      endpoint: endpoint({ url: 'http://169.254.169.254/latest/' }),
      leg: 'post',
      lead: LEAD,
    });
    expect(inward.json.response).toBeNull();
  });

  it('is for who sets the vertical up, with no tier of a stranger’s, and not without end', async () => {
    await insideOneMinute();
    const other = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
    const body = { verticalId: world.verticalId, endpoint: endpoint(), leg: 'post', lead: LEAD };
    expect((await call('test-call', { ...body, tierId: other.tiers[0]!.buyerTierId })).statusCode).toBe(404);
    expect((await call('test-call', { ...body, verticalId: other.verticalId })).statusCode).toBe(404);
    const member = await signIn(await buildUser(node.db, world.organizationId, { role: 'member' }));
    for (const path of ['preview', 'test-call']) expect((await call(path, body, member)).statusCode).toBe(403);
    const answers = [];
    for (let n = 0; n < 31; n++)
      answers.push((await call('test-call', { ...body, endpoint: endpoint({ auth: { kind: 'none' } }) })).statusCode);
    expect(answers.at(-1)).toBe(429);
  });
});
