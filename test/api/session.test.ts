import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HASHES_AT_ONCE, HASHES_WAITING, verifyPassword } from '#server/password/password.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };

let database: TestDatabase;
/** Believes a proxy on this machine. */
let behind: TestNode;
let buyer: ScriptedBuyer;
let world: World;
const nodes: TestNode[] = [];

/** Limits are counted in the database, over all nodes: each test begins without any. */
beforeEach(() => behind.pool.query('truncate throttle'));

async function open(trustedProxies: string[] = []): Promise<TestNode> {
  const node = await startNode(database.url, { trustedProxies });
  nodes.push(node);
  return node;
}

beforeAll(async () => {
  database = await freshDatabase();
  buyer = await startBuyer(() => ACCEPT);
  behind = await open(['127.0.0.0/8']);
  world = await buildWorld(behind.db, {
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }],
    publisher: { ipAllow: ['192.0.2.0/24', '2001:db8::/32'] },
  });
  await behind.planBook.reload(world.organizationId);
});
afterAll(async () => {
  for (const node of nodes) await node.close();
  await buyer.close();
  await database.drop();
});

const signIn = (node: TestNode, email: string, password: string, headers = {}) =>
  node.post('/team-login', { email, password }, { ...OWN_PAGE, ...headers });
const countOf = (answers: { statusCode: number; json: { code?: string } }[], code: string) =>
  answers.filter((answer) => answer.json.code === code).length;

describe('account §5, §8: guessing passwords', () => {
  it('A4, 1.2 brute force: is limited just as well when all tries come at one moment: of 60 ten are looked at', async () => {
    await insideOneMinute();
    const node = await open();
    const { email } = await buildUser(node.db, world.organizationId);
    const answers = await Promise.all(Array.from({ length: 60 }, () => signIn(node, email, 'wrong')));
    expect(countOf(answers, 'session_refused')).toBe(10);
    expect(countOf(answers, 'session_rate_limited')).toBe(50);
  });

  it('A4, 1.2 limiter key: is counted for the account, however it is spelled', async () => {
    await insideOneMinute();
    const node = await open();
    const { email } = await buildUser(node.db, world.organizationId, { email: 'spelled@example.com' });
    const spellings = [email, ` ${email}`, email.toUpperCase(), 'ｓｐｅｌｌｅｄ@example.com', 'spelled＠example.com\t'];
    const answers = [];
    for (let n = 0; n < 15; n++) answers.push(await signIn(node, spellings[n % spellings.length]!, 'wrong'));
    expect(countOf(answers, 'session_refused')).toBe(10);
  });

  it('does not count sign-ins that succeed, nor keep anybody out who comes often', async () => {
    await insideOneMinute();
    const node = await open();
    const { email, password } = await buildUser(node.db, world.organizationId);
    for (let n = 0; n < 15; n++) expect((await signIn(node, email, password)).statusCode).toBe(200);
    for (let n = 0; n < 9; n++) await signIn(node, email, 'wrong');
    expect((await signIn(node, email, password)).statusCode).toBe(200);
    expect((await signIn(node, email, 'wrong')).statusCode).toBe(401);
    expect((await signIn(node, email, password)).statusCode).toBe(429);
  });

  it('A4, 1.2 limiter key: is limited for a whole IPv6 network', async () => {
    await insideOneMinute();
    const node = await open(['127.0.0.1']);
    const answers = [];
    for (let n = 0; n < 70; n++)
      answers.push(await signIn(node, `v6-${n}@example.com`, 'wrong', { 'x-forwarded-for': `2001:db8:1:2:${n}::${n}` }));
    expect(countOf(answers, 'session_refused')).toBe(60);
    expect((await signIn(node, 'v6@example.com', 'wrong', { 'x-forwarded-for': '2001:db8:1:3::1' })).statusCode).toBe(401);
  });

  it('A4, 1.2 limiter key: in however many spellings the call, the body and the network are written, one count is kept', async () => {
    await insideOneMinute();
    const node = await open(['127.0.0.1']);
    const { email } = await buildUser(node.db, world.organizationId);
    const paths = ['/team-login', '//team-login', '/team-login/', '/Team-Login', '/%74eam-login', '/team-login?x=1', '/./team-login'];
    const bodies = [{ email }, { email: email.toUpperCase() }, { email, text: 'other@example.com' }, { email, username: 'other' }];
    const networks = ['2001:db8:7:1::1', '2001:DB8:7:1:0:0:0:2', '2001:0db8:0007:0001::3', '2001:db8:7:1:ffff::'];
    const codes: string[] = [];
    for (let n = 0; n < 60; n++) {
      const headers = { ...OWN_PAGE, 'x-forwarded-for': networks[n % networks.length]! };
      const body = { ...bodies[n % bodies.length], password: 'wrong' };
      const answer = await node.post(paths[n % paths.length]!, body, headers);
      codes.push(answer.json?.code ?? String(answer.statusCode));
    }
    expect(codes.filter((code) => code === 'session_refused')).toHaveLength(10);
    expect(new Set(codes)).toEqual(new Set(['session_refused', 'session_rate_limited', 'request_invalid', 'route_unknown']));
  });

  it('an address that cannot be one is simply refused', async () => {
    expect((await signIn(behind, 'a\u0000b@example.com', 'wrong')).statusCode).toBe(400);
    const deep = `{"email":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    expect((await behind.post('/team-login', deep, { ...OWN_PAGE, 'content-type': 'application/json' })).statusCode).toBe(400);
    expect((await signIn(behind, 'a\ud800b@example.com', 'wrong')).statusCode).toBe(400);
  });
});

describe('a flood of sign-ins', () => {
  it('E13: has two hashes computed at a time and twenty wait; the rest is turned away', async () => {
    const all = await Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword(undefined, 'x')));
    expect(all.filter((one) => one.status === 'fulfilled')).toHaveLength(HASHES_AT_ONCE + HASHES_WAITING);
  });

  it('E13: is told to come back in a second, which does not count as a try', async () => {
    const node = await open();
    const { email, password } = await buildUser(node.db, world.organizationId);
    let flooding = true;
    // Whoever is done comes again at once, so that no place is ever free.
    const flood = async () => {
      while (flooding) await verifyPassword(undefined, 'x');
    };
    const floods = Array.from({ length: HASHES_AT_ONCE + HASHES_WAITING }, flood);
    try {
      for (let n = 0; n < 12; n++) {
        const answer = await signIn(node, email, 'wrong');
        expect([answer.statusCode, answer.json.code, answer.headers.get('retry-after')]).toEqual([429, 'session_busy', '1']);
      }
    } finally {
      flooding = false;
    }
    await Promise.all(floods);
    expect((await signIn(node, email, password)).statusCode).toBe(200);
  });
});

describe('who calls, behind a proxy', () => {
  const lead = { ...LEAD, email: 'proxy@example.com' };
  const post = async (node: TestNode, forwarded: string | undefined) => {
    await node.planBook.reload(world.organizationId);
    const headers = { authorization: `Bearer ${world.key}`, ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) };
    return (await node.post('/api/v1/leads', lead, headers)).json.code;
  };

  it('A4, 1.2 framework trust: is never believed of somebody who is no proxy of ours', async () => {
    const node = await open();
    expect(await post(node, '192.0.2.7')).toBe('address_refused');
    const elsewhere = await open(['203.0.113.0/24']);
    expect(await post(elsewhere, '192.0.2.7')).toBe('address_refused');
  });

  it('A4, 1.2 framework trust: is believed of a proxy that the operator named, and only its own word', async () => {
    expect(await post(behind, '192.0.2.7')).toBe('lead_sold');
    expect(await post(behind, '2001:db8::1')).toBe('lead_sold');
    expect(await post(behind, '192.0.2.7, 198.51.100.1')).toBe('address_refused');
    expect(await post(behind, '198.51.100.1, 192.0.2.7')).toBe('lead_sold');
    expect(await post(behind, undefined)).toBe('address_refused');
    expect(await post(behind, 'garbage')).toBe('address_refused');
  });

  it('A4, 1.2 framework trust: counts sign-ins by who really calls: a forged address opens no new count', async () => {
    const node = await open();
    const answers = [];
    for (let n = 0; n < 65; n++)
      answers.push(await signIn(node, `forged-${n}@example.com`, 'wrong', { 'x-forwarded-for': `192.0.2.${n}` }));
    expect(countOf(answers, 'session_refused')).toBe(60);
    const through = await open(['127.0.0.1']);
    const believed = [];
    for (let n = 0; n < 65; n++)
      believed.push(await signIn(through, `forged-${n}@example.com`, 'wrong', { 'x-forwarded-for': `192.0.2.${n}` }));
    expect(countOf(believed, 'session_refused')).toBe(65);
  });
});
