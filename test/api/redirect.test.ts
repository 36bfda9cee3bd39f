/** engine "Life of a lead", console §2 lead-flow/redirect-report: our own link leads the consumer of a sold lead to its buyer, once counted, and to nowhere else. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LeadView } from '#contract/lead.ts';
import { openJson, unwrapKeys } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { tokenOf } from '#server/redirect/redirect-link.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const BUYERS_OWN = 'https://buyer.example/thanks?id=1';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let second: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  [buyer, second] = [await startBuyer(), await startBuyer()];
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), second.close()]);
});
beforeEach(() => {
  buyer.answer(() => ACCEPT);
  second.answer(() => ACCEPT);
});

async function build(spec: WorldSpec = {}): Promise<World> {
  const world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Ann' }] }], ...spec });
  await node.planBook.reload(world.organizationId);
  return world;
}

let counter = 0;
const send = (world: World, more: object = {}, headers: object = {}, path = '/api/v1/leads') => {
  counter += 1;
  const lead = { ...LEAD, email: `r${counter}@example.com`, phone: `212555${String(1000 + counter)}`, ...more };
  return node.post(path, lead, { authorization: `Bearer ${world.key}`, ...headers });
};
const says = (redirect: unknown) => buyer.answer(() => ({ body: JSON.stringify({ result: 'accepted', price: '20.00', redirect }) }));

/** As a browser does: at the host of the link, with whatever else it sends. */
function follow(link: string, { method = 'GET' as 'GET' | 'HEAD', host = new URL(link).host, accept = 'text/html', ...more } = {}) {
  return node.app.inject({ method, url: new URL(link).pathname, headers: { host, accept, ...more } });
}
const rowOf = async (leadId: string) => (await node.pool.query('select * from redirect where lead_id = $1', [leadId])).rows[0];
const expire = (leadId: string) =>
  node.pool.query(`update redirect set expires_at = now() - interval '1 second' where lead_id = $1`, [leadId]);

async function signIn(world: World): Promise<string> {
  const { email, password } = await buildUser(node.db, world.organizationId);
  return (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
}
async function view(cookie: string, leadId: string): Promise<LeadView> {
  const response = await fetch(`${node.url}/api/console/leads/${leadId}`, { headers: { cookie } });
  return ((await response.json()) as { lead: LeadView }).lead;
}

describe('the publisher of a sold lead', () => {
  it('is given a link of ours at the organization’s address, as JSON, as XML, and when it asks again', async () => {
    const world = await build();
    const { json } = await send(world);
    const link = new RegExp(`^http://${world.subDomain}\\.localhost:\\d+/r/[\\w-]{43}$`);
    expect(json).toMatchObject({ status: 'accepted', redirectUrl: expect.stringMatching(link) });
    const again = await fetch(`${node.url}/api/v1/leads/${json.leadId}`, { headers: { authorization: `Bearer ${world.key}` } });
    expect(await again.json()).toEqual(json);
    const asXml = await send(world, {}, { accept: 'application/xml' });
    const inXml = /<redirectUrl>([^<]+)<\/redirectUrl>/.exec(asXml.text)![1]!;
    expect(inXml).toMatch(link);
    expect(inXml).not.toBe(json.redirectUrl);
  });

  it('of a terse seat is given it too, and nothing more', async () => {
    const { json } = await send(await build({ publisher: { terse: true } }));
    expect(Object.keys(json).sort()).toEqual(['code', 'elapsedMs', 'leadId', 'redirectUrl', 'status']);
    expect((await follow(json.redirectUrl)).headers.location).toBe(BUYERS_OWN);
  });

  it('that wants the buyer’s own address is given that one, and no link is kept', async () => {
    const world = await build({ publisher: { rawRedirect: true } });
    const { json } = await send(world);
    expect(json.redirectUrl).toBe(BUYERS_OWN);
    expect(await rowOf(json.leadId)).toBeUndefined();
    const lead = await view(await signIn(world), json.leadId);
    expect(lead).toMatchObject({ redirect: null, redirectUrl: BUYERS_OWN });
    expect(JSON.parse(lead.inbound!.answer).redirectUrl).toBe(BUYERS_OWN);
  });

  it('after a ping is given it with the post, not with the ping', async () => {
    const tiers = [
      { url: buyer.url, delivery: 'pingPost' as const, price: { kind: 'bid' as const }, endpoint: jsonEndpoint(buyer.url, 'pingPost') },
    ];
    const world = await build({ groups: [{ mode: 'auction', tiers }] });
    const ping = await send(world, {}, {}, '/api/v1/leads/ping');
    expect(ping.json).not.toHaveProperty('redirectUrl');
    const post = await send(world, { pingId: ping.json.pingId }, {}, '/api/v1/leads/post');
    expect((await follow(post.json.redirectUrl)).headers.location).toBe(BUYERS_OWN);
  });

  it.each([
    ['no address', undefined],
    ['an empty one', ''],
    ['a script', 'javascript:alert(1)'],
    ['a page of its own making', 'data:text/html,<script>1</script>'],
    ['a file', 'file:///etc/passwd'],
    ['one with a password', 'https://ann:secret@buyer.example/'],
  ])('is given none where the buyer named %s, and the lead is sold all the same', async (_what, redirect) => {
    says(redirect);
    const { json } = await send(await build());
    expect(json.status).toBe('accepted');
    expect(json).not.toHaveProperty('redirectUrl');
    expect(await rowOf(json.leadId)).toBeUndefined();
  });

  it('is given none for a lead that nobody bought, nor for a test', async () => {
    const world = await build();
    expect((await send(world, { test: true })).json).not.toHaveProperty('redirectUrl');
    buyer.answer(() => REJECT);
    const { json } = await send(world);
    expect(json).not.toHaveProperty('redirectUrl');
    const { rows } = await node.pool.query('select * from redirect where organization_id = $1', [world.organizationId]);
    expect(rows).toEqual([]);
  });

  it('of a lead that was sold twice is given the link to the first buyer that named an address', async () => {
    says(undefined);
    const tiers = [
      { url: buyer.url, buyer: 'Ann' },
      { url: second.url, buyer: 'Bob' },
    ];
    const world = await build({ groups: [{ mode: 'priority', tiers }], maxSales: 2 });
    const { json } = await send(world);
    expect(await rowOf(json.leadId)).toMatchObject({ sale_index: 1, buyer_tier_id: world.tiers[1]!.buyerTierId });
    expect((await follow(json.redirectUrl)).headers.location).toBe(BUYERS_OWN);
  });
});

describe('the consumer who follows it', () => {
  it('comes to the buyer, who learns neither the link nor who holds it; nothing of it is kept on the way', async () => {
    const { json } = await send(await build());
    const answer = await follow(json.redirectUrl);
    expect(answer.statusCode).toBe(302);
    expect(answer.headers).toMatchObject({ location: BUYERS_OWN, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' });
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  it.each(['https://buyer.example/a b?x=1&y=ü#part', 'http://buyer.example:8080/plain', `https://buyer.example/?${'long='.repeat(300)}`])(
    'goes to the letter where the buyer said: %s',
    async (address) => {
      says(address);
      const { json } = await send(await build());
      expect((await follow(json.redirectUrl)).headers.location).toBe(new URL(address).href);
    },
  );

  it('counts once: the first time stands, later ones still lead there', async () => {
    const world = await build();
    const { json } = await send(world);
    expect(await rowOf(json.leadId)).toMatchObject({ follows: 0, followed_at: null, ...{ publisher_tier_id: world.publisherTierId } });
    await follow(json.redirectUrl);
    const first = await rowOf(json.leadId);
    expect(first).toMatchObject({ follows: 1, buyer_id: world.tiers[0]!.buyerId, publisher_id: world.publisherId, sale_index: 0 });
    expect(first.followed_at.getTime()).toBeGreaterThanOrEqual(first.given_at.getTime());
    for (let times = 0; times < 3; times++) expect((await follow(json.redirectUrl)).headers.location).toBe(BUYERS_OWN);
    expect(await rowOf(json.leadId)).toMatchObject({ follows: 4, followed_at: first.followed_at });
  });

  it('counts once when they come all at once', async () => {
    const { json } = await send(await build());
    const answers = await Promise.all(Array.from({ length: 20 }, () => follow(json.redirectUrl)));
    expect(new Set(answers.map((answer) => answer.headers.location))).toEqual(new Set([BUYERS_OWN]));
    const row = await rowOf(json.leadId);
    expect(row.follows).toBe(20);
  });

  it('is not a program that only looks at the head', async () => {
    const { json } = await send(await build());
    const answer = await follow(json.redirectUrl, { method: 'HEAD' });
    expect([answer.statusCode, answer.headers.location]).toEqual([302, BUYERS_OWN]);
    expect(await rowOf(json.leadId)).toMatchObject({ follows: 0, followed_at: null });
  });

  it.each([
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('is not a browser that fetches ahead (%s: %s)', async (name, purpose) => {
    const { json } = await send(await build());
    expect((await follow(json.redirectUrl, { [name]: purpose })).statusCode).toBe(302);
    expect(await rowOf(json.leadId)).toMatchObject({ follows: 0, followed_at: null });
  });

  it('comes there for 24 hours, or for as long as the organization says; afterwards a page says so', async () => {
    const world = await build();
    const hoursOf = async (leadId: string) => {
      const row = await rowOf(leadId);
      return (row.expires_at.getTime() - row.given_at.getTime()) / 3_600_000;
    };
    const first = await send(world);
    expect(await hoursOf(first.json.leadId)).toBe(24);
    const data = { model: 'preferences', _id: world.organizationId, data: { redirectHours: 2 } };
    const headers = { ...OWN_PAGE, cookie: await signIn(world) };
    expect((await node.post('/api/v1/teamMgmt/common/update', data, headers)).statusCode).toBe(200);
    for (const redirectHours of [0, 721, 1.5, '2', null]) {
      const refused = await node.post('/api/v1/teamMgmt/common/update', { ...data, data: { redirectHours } }, headers);
      expect(refused.statusCode, String(redirectHours)).toBe(400);
    }
    await expect.poll(() => node.planBook.find(world.organizationId)?.redirectHours).toBe(2);
    const later = await send(world);
    expect(await hoursOf(later.json.leadId)).toBe(2);
    expect(await hoursOf(first.json.leadId)).toBe(24);

    await follow(later.json.redirectUrl);
    await expire(later.json.leadId);
    const page = await follow(later.json.redirectUrl);
    expect([page.statusCode, page.headers['content-type'], page.headers.location]).toEqual([410, 'text/html; charset=utf-8', undefined]);
    expect(page.body).toContain('<h1>This link has expired</h1>');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    const asked = await follow(later.json.redirectUrl, { accept: 'application/json' });
    expect([asked.statusCode, asked.json().code]).toEqual([410, 'redirect_expired']);
    expect(await rowOf(later.json.leadId)).toMatchObject({ follows: 1 });
  });
});

describe('nobody else comes anywhere', () => {
  it('a token that is made up, cut, changed in any letter, or of a lead without a link', async () => {
    const world = await build();
    const { json } = await send(world);
    const { origin, pathname } = new URL(json.redirectUrl);
    const token = pathname.slice(3);
    const { rows } = await node.pool.query('select data_key from organization where id = $1', [world.organizationId]);
    const keys = unwrapKeys(TEST_CONFIG.masterKey, world.organizationId, rows[0].data_key);
    expect(tokenOf(keys, json.leadId)).toBe(token);
    const changed = [...token].map((letter, at) => token.slice(0, at) + (letter === 'A' ? 'B' : 'A') + token.slice(at + 1));
    const others = [
      'a',
      token.slice(1),
      `${token}A`,
      `${token}=`,
      'A'.repeat(43),
      json.leadId,
      encodeURIComponent('https://evil.example/'),
    ];
    for (const other of [...changed, ...others, tokenOf(keys, newId())]) {
      const answer = await follow(`${origin}/r/${other}`, { accept: 'application/json' });
      expect([answer.statusCode, answer.headers.location], other).toEqual([404, undefined]);
      expect(answer.json().code).toBe('redirect_unknown');
    }
    for (const query of ['?url=https://evil.example/', '?next=//evil.example', '?https://evil.example']) {
      const answer = await node.app.inject({ url: pathname + query, headers: { host: new URL(origin).host } });
      expect(answer.headers.location).toBe(BUYERS_OWN);
    }
    expect((await follow(`${origin}/r/nothing`)).body).toContain('<h1>There is no such link</h1>');
  });

  it('nor a good one at another organization’s address, at ours without one, or at a host that is not ours', async () => {
    const [world, other] = [await build(), await build()];
    const { json } = await send(world);
    for (const host of [
      `${other.subDomain}.localhost`,
      'localhost',
      '127.0.0.1',
      `${world.subDomain}.evil.example`,
      `nobody-here.localhost`,
    ]) {
      const answer = await follow(json.redirectUrl, { host });
      expect([answer.statusCode, answer.headers.location], host).toEqual([404, undefined]);
    }
    expect(await rowOf(json.leadId)).toMatchObject({ follows: 0 });
  });

  it('a link goes on leading where it did after the sub-domain was changed, and new ones stand at the new one', async () => {
    const world = await build();
    const before = await send(world);
    const headers = { ...OWN_PAGE, cookie: await signIn(world) };
    const subDomain = `n${world.subDomain}`;
    const rename = { model: 'organization', _id: world.organizationId, data: { subDomain } };
    expect((await node.post('/api/v1/teamMgmt/common/update', rename, headers)).statusCode).toBe(200);
    await expect.poll(() => node.planBook.find(world.organizationId)?.subDomain).toBe(subDomain);
    expect((await follow(before.json.redirectUrl)).headers.location).toBe(BUYERS_OWN);
    const after = await send(world);
    expect(new URL(after.json.redirectUrl).hostname).toBe(`${subDomain}.localhost`);
    expect((await follow(after.json.redirectUrl)).headers.location).toBe(BUYERS_OWN);
  });
});

describe('what is kept and shown', () => {
  it('H2: the address is sealed, and bound to its lead', async () => {
    const world = await build();
    says('https://buyer.example/welcome/Ada-Lovelace');
    const { json } = await send(world);
    const row = await rowOf(json.leadId);
    expect(row.url.toString('latin1')).not.toContain('Ada');
    const { keys } = node.planBook.find(world.organizationId)!;
    expect(openJson(keys, 'redirect.url', json.leadId, row.url)).toBe('https://buyer.example/welcome/Ada-Lovelace');
    expect(() => openJson(keys, 'redirect.url', newId(), row.url)).toThrow();
  });

  it('the lead’s page says whether and when, without a link that could be followed', async () => {
    const world = await build();
    const cookie = await signIn(world);
    const { json } = await send(world);
    const before = await view(cookie, json.leadId);
    expect(before.redirect).toMatchObject({ followedAt: null, follows: 0, givenAt: expect.any(String), expiresAt: expect.any(String) });
    await follow(json.redirectUrl);
    await follow(json.redirectUrl);
    const after = await view(cookie, json.leadId);
    expect(after.redirect).toMatchObject({ follows: 2, followedAt: (await rowOf(json.leadId)).followed_at.toISOString() });
    expect(JSON.parse(after.inbound!.answer).redirectUrl).toMatch(/\/r\/•••$/);
    expect(JSON.stringify(after)).not.toContain(new URL(json.redirectUrl).pathname.slice(3));
    expect(after.redirectUrl).toBe(BUYERS_OWN);
  });

  it('the switch of a seat is set up, told in the change log, and asked by the next lead', async () => {
    const world = await build();
    const headers = { ...OWN_PAGE, cookie: await signIn(world) };
    const data = { model: 'publisherTier', _id: world.publisherTierId, rawRedirect: true };
    expect((await node.post('/api/v1/common/post-edit-data', data, headers)).statusCode).toBe(200);
    expect((await send(world)).json.redirectUrl).toBe(BUYERS_OWN);
    const { rows } = await node.pool.query('select before, after from change_log where organization_id = $1', [world.organizationId]);
    expect(JSON.stringify(rows)).toContain('rawRedirect');
  });
});
