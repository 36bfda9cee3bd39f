/** Attacks on accounts: guessing, planting, replaying, forging, and what may not be told by the clock (account §4-§9). */
import { connect } from 'node:net';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MESSAGES } from '#contract/message.ts';
import { newId } from '#server/kit/ids.ts';
import { issueToken, type TokenPurpose } from '#server/token/one-time-token.ts';
import { PRODUCTION_CONFIG } from '#test/harness/config.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type VisitAnswer, type VisitOptions, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const T = '/api/v1/teamMgmt';
const NEW = { password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
/** Asks for the second factor, as production does. */
let strict: TestNode;
/** Production in everything. */
let production: TestNode;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
  production = await startNode(node.database.url, { ...PRODUCTION_CONFIG, databaseUrl: node.database.url });
  world = await buildWorld(node.db, { name: 'Harbour Leads' });
});
afterAll(async () => {
  for (const one of [production, strict]) await one.close();
  await node.stop();
});

/** Counts slide with the window; what is counted in a test is counted in one. */
beforeEach(async () => {
  await node.pool.query('truncate throttle');
  const left = 15 * 60_000 - (Date.now() % (15 * 60_000));
  if (left < 20_000) await new Promise((resolve) => setTimeout(resolve, left));
}, 40_000);

const host = () => `${world.subDomain}.localhost`;
const codeOf = (secret: string, offsetMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetMs });
const mailsTo = async (email: string) => (await node.mailer.read(node.db, 500)).filter((mail) => mail.recipient === email);
const linkTo = async (email: string) => new URL(/https?:\S+/.exec((await mailsTo(email))[0]!.text)![0]);
const cookieOf = (visitor: ReturnType<typeof visit>, at = host(), name = 'sluice') => visitor.cookies.get(at)?.get(name);
const isIn = async (visitor: ReturnType<typeof visit>) => (await visitor.get(`${T}/user/is-user-is-logged-in`)).json.status as boolean;
/** A new network each time. */
let networks = 0;
const elsewhere = () => `198.51.${++networks >> 8}.${networks & 255}`;

async function signIn(person: { email: string; password: string }, at: TestNode = node, options: VisitOptions = {}) {
  const visitor = visit(at, { host: host(), ...options });
  const answer = await visitor.post('/team-login', { email: person.email, password: person.password });
  return { visitor, answer };
}

/** Somebody with an authenticator, whose first code was of the step before this one. */
async function equipped(organizationId = world.organizationId) {
  const person = await buildUser(node.db, organizationId);
  const { visitor, answer } = await signIn(person, strict);
  const { secret } = answer.json as { secret: string };
  const firstCode = codeOf(secret, -30_000);
  const { recoveryCodes } = (await visitor.post('/api/user/verify-mfa', { MFA: firstCode })).json;
  return { ...person, secret, firstCode, recoveryCodes, visitor };
}

async function ofPerson(email: string) {
  return node.db.selectFrom('app_user').selectAll().where('email', '=', email).executeTakeFirstOrThrow();
}

async function invite(email: string, owner: ReturnType<typeof visit>): Promise<string> {
  const sent = await owner.post(`${T}/team/invite`, { email, first_name: 'Gus', last_name: 'Guest', permissions: [] });
  expect(sent.statusCode).toBe(200);
  return (await linkTo(email)).pathname.split('/')[2]!;
}

const limited = (answer: VisitAnswer) => [answer.statusCode, Number(answer.headers['retry-after']) > 0];
const LIMITED = [429, true];
const times = async (count: number, call: (n: number) => Promise<VisitAnswer>) => {
  await insideOneMinute();
  const codes: number[] = [];
  for (let n = 0; n < count; n++) codes.push((await call(n)).statusCode);
  return codes;
};

describe('account §4: cookies', () => {
  const attributesOf = (line: string) => line.toLowerCase().split('; ').slice(1);
  const setBy = (answer: VisitAnswer) => [answer.headers['set-cookie']].flat().map(String);

  it('B2: in production are __Host-, Secure, HttpOnly, SameSite=Lax and of the whole host alone', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const visitor = visit(production, { host: `${world.subDomain}.sluice.example` });
    const waiting = await visitor.post('/team-login', { email: person.email, password: person.password });
    const done = await visitor.post('/api/user/verify-mfa', { MFA: codeOf(waiting.json.secret) });
    expect([waiting.statusCode, done.statusCode]).toEqual([200, 200]);
    const out = await visitor.get('/admin/logout');
    const all = [waiting, done, out].flatMap(setBy);
    expect(all.map((line) => line.split('=')[0])).toEqual(['__Host-sluice', '__Host-sluice', '__Host-sluice-device', '__Host-sluice']);
    for (const line of all) {
      expect(attributesOf(line)).toEqual(expect.arrayContaining(['path=/', 'httponly', 'secure', 'samesite=lax']));
      expect(line).not.toMatch(/domain=/i);
    }
  });

  it('F7: in production pages and answers ask for HTTPS for a year, for every sub-domain', async () => {
    for (const url of ['/', '/docs', '/api/v1/leads/x', `${T}/user/is-user-is-logged-in`, '/drawcard/card/x']) {
      const { headers } = await production.app.inject({ url, headers: { host: 'sluice.example' } });
      expect([url, headers['strict-transport-security']]).toEqual([url, 'max-age=31536000; includeSubDomains']);
    }
  });

  it('in test have neither prefix nor Secure, and everything else', async () => {
    const { answer } = await signIn(await buildUser(node.db, world.organizationId));
    const all = setBy(answer);
    expect(all.map((line) => line.split('=')[0])).toEqual(['sluice', 'sluice-device']);
    for (const line of all) {
      expect(attributesOf(line)).toEqual(expect.arrayContaining(['path=/', 'httponly', 'samesite=lax']));
      expect(line).not.toMatch(/secure|domain=/i);
    }
  });

  it('B2: a session cookie without the prefix opens nothing in production', async () => {
    const person = await equipped();
    const visitor = visit(production, { host: `${world.subDomain}.sluice.example` });
    await visitor.get(`${T}/user/is-user-is-logged-in`);
    visitor.cookies.get(`${world.subDomain}.sluice.example`)!.set('sluice', cookieOf(person.visitor)!);
    expect(await isIn(person.visitor)).toBe(true);
    expect(await isIn(visitor)).toBe(false);
  });
});

describe('what answers say, and what none gives away', () => {
  const inProduction = (url: string, headers: Record<string, string> = {}) =>
    production.app.inject({ url, headers: { host: 'sluice.example', ...headers } });
  const PLACES = ['/', '/docs', '/docs/json', '/healthz', '/metrics', '/nothing', '/%ff', '/api/v1/leads/x', '/r/x', '/drawcard/card/x'];

  it('ASVS 5.0 3.4.3, 3.4.5, 3.4.6: each one, page or not, runs nothing of others, is framed by nobody and passes no address on', async () => {
    for (const url of [...PLACES, `${T}/user/is-user-is-logged-in`, '/api/v1/message'])
      for (const accept of ['text/html', 'application/json']) {
        const { headers } = await inProduction(url, { accept });
        const policy = String(headers['content-security-policy']);
        expect([url, policy]).toEqual([url, expect.stringMatching(/default-src '(self|none)'/)]);
        expect([url, policy]).toEqual([url, expect.stringContaining("base-uri 'none'")]);
        expect([url, policy]).toEqual([url, expect.stringContaining("frame-ancestors 'none'")]);
        expect([url, headers['referrer-policy']]).toEqual([url, expect.stringMatching(/^(no-referrer|same-origin)$/)]);
      }
  });

  it('ASVS 5.0 4.1.1: each one says of its letters that they are UTF-8', async () => {
    for (const url of PLACES) {
      const { headers } = await inProduction(url, { accept: '*/*' });
      expect([url, headers['content-type']]).toEqual([url, expect.stringMatching(/; ?charset=utf-8$/i)]);
    }
  });

  it('ASVS 5.0 5.3.2, 13.4.1, 13.4.3: no file beside the console’s own and no list of a folder, however its address is spelled', async () => {
    const files = ['.git/config', 'package.json', 'server/main.ts', '.data/', 'node_modules/'].flatMap((file) => [
      ...[
        `/${file}`,
        `/../${file}`,
        `/..%2f${file}`,
        `/%2e%2e/${file}`,
        `/assets/..%2f..%2f..%2f${file}`,
        `/docs/static/..%2f..%2f${file}`,
      ],
    ]);
    for (const url of [...files, '/assets', '/assets/', '/help/']) {
      const { statusCode, payload } = await inProduction(url, { accept: '*/*' });
      expect([url, statusCode >= 400 && statusCode < 500]).toEqual([url, true]);
      expect([url, /dependencies|repositoryformatversion|import /.test(payload)]).toEqual([url, false]);
    }
  });

  it('ASVS 5.0 4.2.1, 13.4.4: a call with two lengths is not read, and TRACE repeats nothing', async () => {
    const send = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let answer = '';
        const socket = connect(Number(new URL(production.url).port), '127.0.0.1', () => socket.end(text));
        socket.on('data', (bytes) => (answer += bytes.toString()));
        socket.on('close', () => resolve(answer)).on('error', reject);
      });
    const twice = await send(
      'POST /team-login HTTP/1.1\r\nhost: sluice.example\r\ncontent-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /healthz HTTP/1.1\r\nhost: sluice.example\r\n\r\n',
    );
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
    expect(twice.match(/HTTP\/1\.1/g)).toHaveLength(1);
    const trace = await send('TRACE / HTTP/1.1\r\nhost: sluice.example\r\nx-canary: seen\r\nconnection: close\r\n\r\n');
    expect(trace).toMatch(/^HTTP\/1\.1 (400|404|405|501) /);
    expect(trace).not.toContain('seen');
  });

  it('ASVS 5.0 15.3.7: a parameter that is given twice is refused, not chosen from', async () => {
    const { visitor } = await signIn(await buildUser(node.db, world.organizationId));
    expect((await visitor.get(`${T}/user/is-user-is-logged-in?t=1`)).statusCode).toBe(200);
    expect((await visitor.get(`${T}/user/is-user-is-logged-in?t=1&t=2`)).statusCode).toBe(400);
    expect((await visitor.get(`${T}/user/is-user-is-logged-in?t[]=1`)).json.status).toBe(true);
  });
});

describe('account §4: how long a session lasts', () => {
  it('ASVS 5.0 7.2.3, 7.3.2: twelve hours from its sign-in, whatever is done meanwhile; its cookie holds 256 bits', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const { visitor } = await signIn(person);
    expect(cookieOf(visitor)).toMatch(/^[\w-]{43}$/);
    const own = () => node.db.selectFrom('session').selectAll().where('user_id', '=', person.userId).executeTakeFirstOrThrow();
    const { created_at, expires_at } = await own();
    expect(Math.round((expires_at.getTime() - created_at.getTime()) / 60_000)).toBe(12 * 60);
    await node.pool.query(`update session set seen_at = now() - interval '5 minutes' where user_id = $1`, [person.userId]);
    expect(await isIn(visitor)).toBe(true);
    expect((await own()).expires_at).toEqual(expires_at);
    await node.pool.query(`update session set expires_at = now() - interval '1 second' where user_id = $1`, [person.userId]);
    expect(await isIn(visitor)).toBe(false);
  });
});

describe('account §5: brute force', () => {
  it('1.2 lock not on all doors: the password of an invitation: ten tries in a quarter of an hour, over all networks; one’s own session opens it all the same', async () => {
    const home = await buildWorld(node.db);
    const known = await buildUser(node.db, home.organizationId);
    const owner = (await signIn(await buildUser(node.db, world.organizationId))).visitor;
    const teamId = await invite(known.email, owner);
    const accept = (password: string, options: VisitOptions = { address: elsewhere() }) =>
      visit(node, options).post(`${T}/team/member/accept-invitation`, { teamId, password });
    expect(await times(10, () => accept('wrong-one-1'))).toEqual(Array(10).fill(401));
    expect(limited(await accept('wrong-one-1'))).toEqual(LIMITED);
    expect(limited(await accept(known.password))).toEqual(LIMITED);
    const other = await buildUser(node.db, home.organizationId);
    const others = await invite(other.email, owner);
    const untouched = await visit(node).post(`${T}/team/member/accept-invitation`, { teamId: others, password: other.password });
    expect(untouched.statusCode).toBe(200);
    const own = await signIn(known, node, { host: `${home.subDomain}.localhost` });
    expect((await own.visitor.post(`${T}/team/member/accept-invitation`, { teamId })).statusCode).toBe(200);
  });

  it('the password of an invitation: later the rightful person gets in', async () => {
    const home = await buildWorld(node.db);
    const known = await buildUser(node.db, home.organizationId);
    const teamId = await invite(known.email, (await signIn(await buildUser(node.db, world.organizationId))).visitor);
    const accept = (password: string) => visit(node).post(`${T}/team/member/accept-invitation`, { teamId, password });
    await times(11, () => accept('wrong-one-1'));
    await node.pool.query(`update throttle set window_start = window_start - interval '45 minutes'`);
    expect((await accept(known.password)).statusCode).toBe(200);
  });

  it('1.2 lock not on all doors: the password that hands the ownership over: ten tries, and another owner is not kept out', async () => {
    const team = async () => {
      const place = await buildWorld(node.db);
      const owner = await buildUser(node.db, place.organizationId);
      const heir = await buildUser(node.db, place.organizationId, { role: 'member' });
      const { visitor } = await signIn(owner, node, { host: `${place.subDomain}.localhost` });
      const { id: _id } = await node.db.selectFrom('team_member').select('id').where('user_id', '=', heir.userId).executeTakeFirstOrThrow();
      const handOver = (password: string) => visitor.post(`${T}/team/hand-over-ownership`, { _id, password }, { address: elsewhere() });
      return { owner, handOver };
    };
    const [one, two] = [await team(), await team()];
    expect(await times(10, () => one.handOver('wrong-one-1'))).toEqual(Array(10).fill(403));
    expect(limited(await one.handOver(one.owner.password))).toEqual(LIMITED);
    expect((await two.handOver(two.owner.password)).statusCode).toBe(200);
    await node.pool.query(`update throttle set window_start = window_start - interval '45 minutes'`);
    expect((await one.handOver(one.owner.password)).statusCode).toBe(200);
  });

  it('1.2 lock not on all doors: the current password at a change of it: ten a minute; signing in from another network goes on', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const { visitor } = await signIn(person);
    const change = (currentPassword: string, options: VisitOptions = {}) =>
      visitor.post(`${T}/user/change-password`, { currentPassword, ...NEW }, options);
    expect(await times(10, () => change('wrong-one-1'))).toEqual(Array(10).fill(400));
    expect(limited(await change(person.password))).toEqual(LIMITED);
    expect((await signIn(person, node, { address: elsewhere() })).answer.statusCode).toBe(200);
    await node.pool.query(`update throttle set window_start = window_start - interval '3 minutes'`);
    expect((await change(person.password)).statusCode).toBe(200);
  });

  it('1.2 lock not on all doors: the code for new recovery codes: twenty an hour; codes at the sign-in elsewhere are counted apart', async () => {
    const person = await equipped();
    const renew = (MFA: string) => person.visitor.post('/api/v1/session/recovery-codes', { MFA });
    expect(await times(20, () => renew('000000'))).toEqual(Array(20).fill(401));
    expect(limited(await renew(codeOf(person.secret)))).toEqual(LIMITED);
    const again = (await signIn(person, strict, { address: elsewhere() })).visitor;
    expect((await again.post('/api/user/validate-mfa', { MFA: codeOf(person.secret) })).statusCode).toBe(200);
    await node.pool.query(`update throttle set window_start = window_start - interval '3 hours'`);
    expect((await renew(codeOf(person.secret, 30_000))).statusCode).toBe(200);
  });

  it('codes that are right are no guesses: new recovery codes can be made as often as there are codes', async () => {
    const person = await equipped();
    for (let n = 0; n < 22; n++) {
      await node.pool.query('update app_user set mfa_last_step = 0 where id = $1', [person.userId]);
      expect((await person.visitor.post('/api/v1/session/recovery-codes', { MFA: codeOf(person.secret) })).statusCode).toBe(200);
    }
  });

  it('A3, 1.2 brute force: codes from one network: 120 an hour, whoever’s they are; a person elsewhere, and one known here, go on', async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => equipped()));
    await node.pool.query('truncate throttle');
    const address = elsewhere();
    const codes: number[] = [];
    for (const person of people)
      for (let round = 0; round < 4; round++) {
        const { visitor } = await signIn(person, strict, { address });
        codes.push(...(await times(5, () => visitor.post('/api/user/validate-mfa', { MFA: '000000' }))));
        if (codes.length >= 120) break;
      }
    expect(codes.filter((code) => code === 401)).toHaveLength(120);
    const fresh = await equipped();
    const here = await signIn(fresh, strict, { address });
    expect(limited(await here.visitor.post('/api/user/validate-mfa', { MFA: codeOf(fresh.secret) }))).toEqual(LIMITED);
    const there = await signIn(fresh, strict, { address: elsewhere() });
    expect((await there.visitor.post('/api/user/validate-mfa', { MFA: codeOf(fresh.secret) })).statusCode).toBe(200);
    await fresh.visitor.post('/team-login', { email: fresh.email, password: fresh.password }, { address });
    const known = await fresh.visitor.post('/api/user/validate-mfa', { MFA: codeOf(fresh.secret, 30_000) }, { address });
    expect(known.statusCode).toBe(200);
  }, 90_000);

  it('invitations: a hundred an hour for an organization, sent again or anew; another organization is not kept waiting', async () => {
    const [place, other] = [await buildWorld(node.db), await buildWorld(node.db)];
    const ownerOf = async (one: World) =>
      (await signIn(await buildUser(node.db, one.organizationId), node, { host: `${one.subDomain}.localhost` })).visitor;
    const [owner, neighbour] = [await ownerOf(place), await ownerOf(other)];
    const send = (by: typeof owner, n: number) =>
      by.post(`${T}/team/invite`, { email: `many${n}@example.com`, first_name: 'M', last_name: 'M', permissions: [] });
    expect((await times(100, (n) => send(owner, n))).every((code) => code === 200)).toBe(true);
    expect(limited(await send(owner, 100))).toEqual(LIMITED);
    const { id: _id } = await node.db
      .selectFrom('team_member')
      .select('id')
      .where('organization_id', '=', place.organizationId)
      .where('status', '=', 'invited')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(limited(await owner.post(`${T}/team/resend-invitation`, { _id }))).toEqual(LIMITED);
    expect((await send(neighbour, 101)).statusCode).toBe(200);
    await node.pool.query(`update throttle set window_start = window_start - interval '3 hours'`);
    expect((await send(owner, 102)).statusCode).toBe(200);
  });

  it('registrations: sixty an hour from one network, the refused ones too; another network goes on', async () => {
    const address = elsewhere();
    const register = (n: number, options: VisitOptions) =>
      visit(node, options).post(`${T}/users/register`, {
        first_name: 'Ada',
        last_name: 'Byron',
        email: `flood${n}@example.com`,
        password: 'correct-horse-1',
        orgDetails: { name: 'Flood Leads', userDetail: [], subDomain: n < 60 ? 'www' : `flood-${n}` },
        invitationData: null,
      });
    expect(await times(60, (n) => register(n, { address }))).toEqual(Array(60).fill(400));
    const late = await register(60, { address });
    expect(limited(late)).toEqual(LIMITED);
    // Told honestly: the window is an hour, and a minute would send people round in circles.
    expect(Number(late.headers['retry-after'])).toBeGreaterThan((3_600_000 - (Date.now() % 3_600_000)) / 1000 - 5);
    expect((await register(61, { address: elsewhere() })).statusCode).toBe(200);
    await node.pool.query(`update throttle set window_start = window_start - interval '3 hours'`);
    expect((await register(62, { address })).statusCode).toBe(200);
  });
});

describe('account §4: codes of somebody else, and of nobody', () => {
  it('register/verify-mfa takes the code of the person who waits in this browser, and of nobody else', async () => {
    const [mine, theirs] = [await buildUser(node.db, world.organizationId), await buildUser(node.db, world.organizationId)];
    const { visitor, answer } = await signIn(mine, strict);
    const verify = (userId: string, by = visitor) => by.post('/api/user/register/verify-mfa', { MFA: codeOf(answer.json.secret), userId });
    for (const userId of [theirs.userId, newId(), 'x', '']) {
      const refused = await verify(userId);
      expect([refused.statusCode, refused.json.key, refused.json.msg]).toEqual([401, '3', MESSAGES.invalidUser]);
    }
    const nobody = await verify(mine.userId, visit(strict, { host: host() }));
    expect([nobody.statusCode, nobody.json.key]).toEqual([401, '3']);
    expect((await ofPerson(theirs.email)).mfa_enabled_at).toBeNull();
    expect((await verify(mine.userId)).statusCode).toBe(200);
  });

  it('register/verify-mfa opens nothing for who waits with a code of an authenticator that is in force', async () => {
    const person = await equipped();
    const { visitor } = await signIn(person, strict);
    const answer = await visitor.post('/api/user/register/verify-mfa', { MFA: codeOf(person.secret), userId: person.userId });
    expect([answer.statusCode, answer.json.key]).toEqual([401, '3']);
    expect(await isIn(visitor)).toBe(false);
  });

  it('reset-mfa: an expired, an unknown, a used token and one of every other purpose take nothing away', async () => {
    const person = await equipped();
    const reset = async (token: string) => (await visit(node).post(`${T}/user/reset-mfa/${token}`)).statusCode;
    for (const purpose of ['activation', 'password-reset', 'invitation', 'hand-over'] satisfies TokenPurpose[])
      expect([purpose, await reset(await issueToken(node.db, purpose, { userId: person.userId }))]).toEqual([purpose, 410]);
    expect(await reset('A'.repeat(43))).toBe(410);
    expect(await reset('x')).toBe(410);
    const late = await issueToken(node.db, 'mfa-reset', { userId: person.userId });
    await node.pool.query(`update one_time_token set expires_at = now() - interval '1 second' where user_id = $1`, [person.userId]);
    expect(await reset(late)).toBe(410);
    expect((await ofPerson(person.email)).mfa_enabled_at).not.toBeNull();
    const good = await issueToken(node.db, 'mfa-reset', { userId: person.userId });
    expect([await reset(good), await reset(good)]).toEqual([200, 410]);
  });

  it('activation: an expired token and one of every other purpose open the account at neither call', async () => {
    const { userId, email } = await buildUser(node.db, world.organizationId);
    await node.pool.query('update app_user set email_confirmed_at = null where id = $1', [userId]);
    const both = async (token: string) => [
      (await visit(node).post(`${T}/team/register-member-data`, { userId, token })).statusCode,
      (await visit(node).post(`${T}/team/register-member-activation?${new URLSearchParams({ token, email })}`)).statusCode,
    ];
    for (const purpose of ['mfa-reset', 'password-reset', 'invitation', 'hand-over'] satisfies TokenPurpose[])
      expect([purpose, ...(await both(await issueToken(node.db, purpose, { userId })))]).toEqual([purpose, 410, 410]);
    const late = await issueToken(node.db, 'activation', { userId });
    await node.pool.query(`update one_time_token set expires_at = now() - interval '1 second' where user_id = $1`, [userId]);
    expect(await both(late)).toEqual([410, 410]);
    expect((await ofPerson(email)).email_confirmed_at).toBeNull();
    expect(await both(await issueToken(node.db, 'activation', { userId }))).toEqual([200, 200]);
  });
});

describe('account §7: links in mail', () => {
  it.each([
    { name: 'the Host header', headers: {} },
    {
      name: 'every header of a proxy',
      headers: {
        'x-forwarded-host': 'evil.example',
        'x-forwarded-proto': 'https',
        forwarded: 'host=evil.example',
        origin: 'https://evil.example',
      },
    },
  ])('A7, 1.2 poisoned mail link: come from the configuration, whatever $name says', async ({ headers }) => {
    const forged = visit(strict, { host: 'evil.example', headers, address: elsewhere() });
    const person = await equipped();
    await forged.post(`${T}/user/forgot-password`, { text: person.email });
    expect(await linkTo(person.email)).toMatchObject({ hostname: 'localhost', pathname: expect.stringMatching(/^\/reset\//) });
    await forged.post(`${T}/user/reset-mfa`, { text: person.email });
    expect(await linkTo(person.email)).toMatchObject({ hostname: 'localhost', pathname: '/reset-mfa' });
    const email = `forged${networks}@example.com`;
    await forged.post(`${T}/users/register`, {
      first_name: 'Ada',
      last_name: 'Byron',
      email,
      password: 'correct-horse-1',
      orgDetails: { name: 'Forged Leads', userDetail: [], subDomain: `forged-${networks}` },
      invitationData: null,
    });
    expect(await linkTo(email)).toMatchObject({ hostname: 'localhost', pathname: expect.stringMatching(/^\/invitation-confirm-email\//) });
    await forged.post(`${T}/team/resend-activation-email`, { email });
    expect(await linkTo(email)).toMatchObject({ hostname: 'localhost' });
    const owner = (await signIn(await buildUser(node.db, world.organizationId), node, { host: 'evil.example', headers })).visitor;
    await invite(`guest-of-${email}`, owner);
    const [mail] = await mailsTo(`guest-of-${email}`);
    expect(new URL(/https?:\S+/.exec(mail!.text)![0])).toMatchObject({ hostname: 'localhost' });
    for (const one of await node.mailer.read(node.db, 10)) expect(one.text + one.html + one.subject).not.toContain('evil.example');
  });

  it('A7, 1.2 poisoned mail link: come from the configuration, also where the call names another host in its first line', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    const body = JSON.stringify({ text: email });
    const { port } = new URL(node.url);
    const said = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.write(
          [
            `POST http://user@evil.example:81${T}/user/forgot-password HTTP/1.1`,
            ...['host: evil.example:81', 'x-original-host: evil.example', 'forwarded: host=evil.example;proto=http'],
            ...['x-requested-with: sluice', 'content-type: application/json', 'connection: close', `content-length: ${body.length}`],
            `\r\n${body}`,
          ].join('\r\n'),
        ),
      );
      socket.on('data', (part) => (text += part)).on('close', () => resolve(text));
    });
    expect(said).toMatch(/^HTTP\/1\.1 (200|400|404)/);
    const mails = await mailsTo(email);
    for (const mail of mails) expect(mail.text + mail.html).not.toContain('evil.example');
    if (said.startsWith('HTTP/1.1 200')) expect((await linkTo(email)).host).toMatch(/^localhost(:\d+)?$/);
    else expect(mails).toEqual([]);
  });

  it('A7, 1.2 poisoned mail link: in production begin with https and the configured domain', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    await visit(production, { host: 'evil.example' }).post(`${T}/user/forgot-password`, { text: email });
    expect((await linkTo(email)).origin).toBe('https://sluice.example');
  });
});

describe('account §4, §7: what a stranger learns of an account', () => {
  it('A5: a wrong password and a forgotten one are answered alike for whoever there is, was, will be, or is not', async () => {
    const owner = (await signIn(await buildUser(node.db, world.organizationId))).visitor;
    const people = {
      active: (await buildUser(node.db, world.organizationId)).email,
      withFactor: (await equipped()).email,
      disabled: (await buildUser(node.db, world.organizationId)).email,
      unconfirmed: (await buildUser(node.db, world.organizationId)).email,
      invited: 'a5-invited@example.com',
      unknown: 'a5-unknown@example.com',
    };
    await node.pool.query(`update app_user set status = 'disabled' where email = $1`, [people.disabled]);
    await node.pool.query('update app_user set email_confirmed_at = null where email = $1', [people.unconfirmed]);
    await invite(people.invited, owner);
    const told = async (email: string) => {
      const { answer } = await signIn({ email, password: 'not-it-at-all' }, strict, { address: elsewhere() });
      const asked = await Promise.all(
        ['forgot-password', 'reset-mfa'].map((path) => visit(strict, { address: elsewhere() }).post(`${T}/user/${path}`, { text: email })),
      );
      return [answer, ...asked].map((one) => [one.statusCode, one.json, Object.keys(one.headers).sort()]);
    };
    const unknown = await told(people.unknown);
    for (const [who, email] of Object.entries(people)) expect([who, await told(email)]).toEqual([who, unknown]);
  });
});

describe('account §5: what is sent as a password', () => {
  it('A6: is one password however its letters are composed, holds no NUL, and costs nothing where it is far too long', async () => {
    const { userId, email } = await buildUser(node.db, world.organizationId);
    const set = async (password: string) =>
      (
        await visit(node).post(`${T}/user/reset-password/${await issueToken(node.db, 'password-reset', { userId })}`, {
          password,
          confirmPassword: password,
        })
      ).statusCode;
    expect(await set('Kn\u00e4ckebr\u00f6d-77')).toBe(200);
    for (const password of ['Kn\u00e4ckebr\u00f6d-77', 'Kna\u0308ckebro\u0308d-77'])
      expect((await signIn({ email, password })).answer.statusCode).toBe(200);
    for (const password of [
      'Knackebrod-77',
      'KN\u00c4CKEBR\u00d6D-77',
      'Kn\u00e4ckebr\u00f6d-77 ',
      ' Kn\u00e4ckebr\u00f6d-77',
      'Kn\u00e4ckebr\u00f6d-7',
    ])
      expect([password, (await signIn({ email, password })).answer.statusCode]).toEqual([password, 401]);
    for (const password of ['with\u0000nul-77', 'x'.repeat(21), 'x'.repeat(400_000)]) expect(await set(password)).toBe(400);
    expect([400, 401, 413]).toContain((await signIn({ email, password: 'x'.repeat(1_000_000) })).answer.statusCode);
  });
});

describe('account §7: a reset', () => {
  it('A8, 1.2 reset flow: has no step that can be left out, signs nobody in, and leaves the second factor in force', async () => {
    const person = await equipped();
    const token = await issueToken(node.db, 'password-reset', { userId: person.userId });
    const skipped: [string, unknown][] = [
      ['', NEW],
      ['/', NEW],
      ['/null', NEW],
      ['/undefined', NEW],
      ['/%00', NEW],
      [`/${token}x`, NEW],
      [`/${token.slice(1)}`, NEW],
      ['/x', { ...NEW, token }],
      ['/x', { ...NEW, email: person.email, userId: person.userId }],
      [`/${token}`, { ...NEW, userId: newId() }],
      [`/${token}`, { password: [NEW.password], confirmPassword: [NEW.password] }],
      [`/${token}`, { password: null, confirmPassword: null }],
    ];
    for (const [path, body] of skipped) {
      const { statusCode } = await visit(strict, { address: elsewhere() }).post(`${T}/user/reset-password${path}`, body);
      expect([path, [400, 404, 410].includes(statusCode)]).toEqual([path, true]);
    }
    expect(await isIn(person.visitor)).toBe(true);
    const handOver = await issueToken(node.db, 'hand-over', { userId: person.userId, organizationId: world.organizationId });
    const resetting = visit(strict, { host: host() });
    expect((await resetting.post(`${T}/user/reset-password/${token}`, NEW)).statusCode).toBe(200);
    expect([await isIn(resetting), await isIn(person.visitor)]).toEqual([false, false]);
    const there = visit(strict, { host: host() });
    expect((await there.post('/api/v1/session/auto-login', { userSessionId: handOver, orgId: world.organizationId })).statusCode).toBe(401);
    expect((await signIn({ email: person.email, password: NEW.password }, strict)).answer.json.Qrstatus).toBe('2');
  });
});

describe('account §4: a code is good once (RFC 6238 §5.2)', () => {
  const validate = async (person: { email: string; password: string }, MFA: string) => {
    const { visitor } = await signIn(person, strict);
    return (await visitor.post('/api/user/validate-mfa', { MFA })).statusCode;
  };

  it('A2, 1.2 TOTP replay: the code that set the authenticator up does not sign in as well', async () => {
    const person = await equipped();
    expect(await validate(person, person.firstCode)).toBe(401);
    expect(await validate(person, codeOf(person.secret))).toBe(200);
  });

  it('A2, 1.2 TOTP replay: the same code does not open a second time, one after the other, nor make recovery codes', async () => {
    const person = await equipped();
    const MFA = codeOf(person.secret);
    expect([await validate(person, MFA), await validate(person, MFA)]).toEqual([200, 401]);
    expect((await person.visitor.post('/api/v1/session/recovery-codes', { MFA })).statusCode).toBe(401);
  });

  it('A2, 1.2 TOTP replay: after a newer code no older one opens, though its time is not over', async () => {
    const person = await equipped();
    expect(await validate(person, codeOf(person.secret, 30_000))).toBe(200);
    expect(await validate(person, codeOf(person.secret))).toBe(401);
    expect(await validate(person, codeOf(person.secret, -30_000))).toBe(401);
  });

  it('one step to either side is taken, and no further', async () => {
    const person = await equipped();
    await node.pool.query('update app_user set mfa_last_step = 0 where id = $1', [person.userId]);
    for (const steps of [-3, -2.01, 2.01, 3])
      expect([steps, await validate(person, codeOf(person.secret, steps * 30_000))]).toEqual([steps, 401]);
    expect(await validate(person, codeOf(person.secret, 30_000))).toBe(200);
  });
});

describe('account §4: session fixation', () => {
  /** Whoever else holds the cookie of a stage. */
  const holder = (cookie: string, at: TestNode = strict, where = host()) => {
    const visitor = visit(at, { host: where });
    visitor.cookies.set(where, new Map([['sluice', cookie]]));
    return visitor;
  };

  it('B1: the cookie that waited for the set-up is another one afterwards, and the old one is dead', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const { visitor, answer } = await signIn(person, strict);
    const waiting = cookieOf(visitor)!;
    expect((await visitor.post('/api/user/verify-mfa', { MFA: codeOf(answer.json.secret) })).statusCode).toBe(200);
    expect(cookieOf(visitor)).not.toBe(waiting);
    expect(await isIn(visitor)).toBe(true);
    const old = holder(waiting);
    expect(await isIn(old)).toBe(false);
    expect((await old.post('/api/user/verify-mfa', { MFA: codeOf(answer.json.secret, 30_000) })).json.key).toBe('3');
  });

  it('B1: the cookie that waited for a code is another one afterwards, and the old one is dead', async () => {
    const person = await equipped();
    const { visitor } = await signIn(person, strict);
    const waiting = cookieOf(visitor)!;
    expect((await visitor.post('/api/user/validate-mfa', { MFA: codeOf(person.secret) })).statusCode).toBe(200);
    expect(cookieOf(visitor)).not.toBe(waiting);
    const old = holder(waiting);
    expect(await isIn(old)).toBe(false);
    expect((await old.post('/api/user/validate-mfa', { MFA: codeOf(person.secret, 30_000) })).json.key).toBe('3');
  });

  it('B1: the cookie that waited for a choice is another one than the waiting for the code, and dead after the choice', async () => {
    const person = await equipped();
    const other = await buildWorld(node.db);
    await node.db
      .insertInto('team_member')
      .values({ organization_id: other.organizationId, id: newId(), user_id: person.userId, role: 'member' })
      .execute();
    const { visitor } = await signIn(person, strict, { host: 'localhost' });
    const atCode = cookieOf(visitor, 'localhost')!;
    // Nothing can be chosen before the code.
    expect((await visitor.post('/api/v1/session/choose-organization', { orgId: other.organizationId })).statusCode).toBe(401);
    expect((await visitor.post('/api/user/validate-mfa', { MFA: codeOf(person.secret) })).json.organizations).toHaveLength(2);
    const atChoice = cookieOf(visitor, 'localhost')!;
    expect(atChoice).not.toBe(atCode);
    const choose = (cookie: string) =>
      holder(cookie, strict, 'localhost').post('/api/v1/session/choose-organization', { orgId: other.organizationId });
    expect((await choose(atCode)).statusCode).toBe(401);
    expect((await visitor.post('/api/v1/session/choose-organization', { orgId: other.organizationId })).statusCode).toBe(200);
    expect((await choose(atChoice)).statusCode).toBe(401);
  });

  it('B1: a waiting cookie of the attacker’s account, planted in the victim’s browser, gains nothing', async () => {
    const [victim, attacker] = [await equipped(), await equipped()];
    const planted = cookieOf((await signIn(attacker, strict)).visitor)!;
    const browser = holder(planted);
    // The victim's code is none for the attacker's account.
    expect((await browser.post('/api/user/validate-mfa', { MFA: codeOf(victim.secret) })).json.key).toBe('1');
    await browser.post('/team-login', { email: victim.email, password: victim.password });
    expect(cookieOf(browser)).not.toBe(planted);
    expect((await browser.post('/api/user/validate-mfa', { MFA: codeOf(victim.secret, 30_000) })).statusCode).toBe(200);
    const { user } = (await browser.get(`${T}/user/is-user-is-logged-in`)).json;
    expect(user.email).toBe(victim.email);
    // What the attacker kept of it is dead, with the attacker's own code too.
    const kept = holder(planted);
    expect((await kept.post('/api/user/validate-mfa', { MFA: codeOf(attacker.secret, 30_000) })).json.key).toBe('3');
    expect(await isIn(kept)).toBe(false);
  });
});

describe('account §7: signing out', () => {
  it.each(['cross-site', 'same-site'])('B3: by a link or picture of a %s page is refused, and the session lives', async (site) => {
    const { visitor } = await signIn(await buildUser(node.db, world.organizationId));
    const refused = await visitor.get('/admin/logout?lastURL=/home', { headers: { 'sec-fetch-site': site, 'x-requested-with': '' } });
    expect([refused.statusCode, refused.json.code]).toEqual([403, 'request_foreign']);
    expect(refused.headers['set-cookie']).toBeUndefined();
    expect(await isIn(visitor)).toBe(true);
    expect((await visitor.get('/admin/logout', { headers: { 'sec-fetch-site': 'same-origin' } })).statusCode).toBe(200);
    expect(await isIn(visitor)).toBe(false);
  });
});

describe('account §5: look-alikes', () => {
  it('A12, 1.2 e-mail spelling: an address with a Cyrillic letter is refused at registration, invitation and sign-in, and is nobody’s', async () => {
    const person = await buildUser(node.db, world.organizationId, { email: 'paula@example.com' });
    const owner = (await signIn(await buildUser(node.db, world.organizationId))).visitor;
    for (const email of ['p\u0430ula@example.com', 'paula@ex\u0430mple.com', 'PAUL\u0410@example.com', 'paula\u200b@example.com']) {
      const registered = await visit(node).post(`${T}/users/register`, {
        first_name: 'Paula',
        last_name: 'Double',
        email,
        password: 'correct-horse-1',
        orgDetails: { name: 'Double Leads', userDetail: [], subDomain: 'double-leads' },
        invitationData: null,
      });
      const invited = await owner.post(`${T}/team/invite`, { email, first_name: 'P', last_name: 'D', permissions: [] });
      const signedIn = await signIn({ email, password: person.password });
      expect([email, registered.statusCode, registered.json.code]).toEqual([email, 400, 'email_invalid']);
      expect([email, invited.statusCode, invited.json.code]).toEqual([email, 400, 'email_invalid']);
      expect([email, signedIn.answer.statusCode]).toEqual([email, 401]);
    }
    const people = await node.db.selectFrom('app_user').select('email').where('email', 'like', '%p%ula%').execute();
    expect(people).toEqual([{ email: 'paula@example.com' }]);
  });

  it('a name that holds what nobody sees is refused wherever one is given', async () => {
    const { visitor } = await signIn(await buildUser(node.db, world.organizationId));
    const teamId = await invite('unseen@example.com', visitor);
    for (const first_name of ['A\u200bda', '\u2060', '\u00ad', 'Ada\u{e0041}', 'A\ufeffda']) {
      const asked = { email: 'never@example.com', first_name, last_name: 'Guest', permissions: [] };
      const joining = { first_name, last_name: 'Guest', password: 'own-choice-1', teamId };
      const organization = { model: 'organization', _id: world.organizationId, data: { name: first_name } };
      const answers = [
        await visitor.post(`${T}/team/invite`, asked),
        await visit(node).post(`${T}/non-dp/users/register`, joining),
        await visit(node).post(`${T}/team/member/accept-invitation`, joining),
        await visitor.post(`${T}/common/update`, organization),
      ];
      expect([first_name, ...answers.map((one) => one.statusCode)]).toEqual([first_name, 400, 400, 400, 400]);
    }
  });
});

describe('account §5: passwords', () => {
  it('A6: are kept as argon2id, whichever way they were set', async () => {
    const owner = (await signIn(await buildUser(node.db, world.organizationId))).visitor;
    const emails = ['hash-registered@example.com', 'hash-invited@example.com', 'hash-reset@example.com', 'hash-changed@example.com'];
    const [registered, invited, reset, changed] = emails as [string, string, string, string];
    await visit(node).post(`${T}/users/register`, {
      first_name: 'Hana',
      last_name: 'Sholl',
      email: registered,
      password: NEW.password,
      orgDetails: { name: 'Sholl', userDetail: [], subDomain: 'sholl-leads' },
      invitationData: null,
    });
    const teamId = await invite(invited, owner);
    await visit(node).post(`${T}/non-dp/users/register`, { first_name: 'Ivo', last_name: 'Guest', password: NEW.password, teamId });
    const { userId } = await buildUser(node.db, world.organizationId, { email: reset });
    await visit(node).post(`${T}/user/reset-password/${await issueToken(node.db, 'password-reset', { userId })}`, NEW);
    const person = await buildUser(node.db, world.organizationId, { email: changed });
    await (await signIn(person)).visitor.post(`${T}/user/change-password`, { currentPassword: person.password, ...NEW });
    for (const email of emails) {
      const { password_hash } = await ofPerson(email);
      expect([email, password_hash]).toEqual([email, expect.stringMatching(/^\$argon2id\$v=19\$m=\d{5,},t=\d+,p=\d+\$/)]);
      expect((await signIn({ email, password: NEW.password }, node, { host: 'localhost' })).answer.statusCode).toBe(200);
    }
  });

  it('A5: a sign-in takes as long for an account that nobody has, and for one that waits for its invitation', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    await invite('waiting@example.com', (await signIn(await buildUser(node.db, world.organizationId))).visitor);
    const took: [number[], number[], number[]] = [[], [], []];
    for (let round = 0; round < 9; round++)
      for (const [at, one] of [email, `nobody${round}@example.com`, 'waiting@example.com'].entries()) {
        const began = performance.now();
        await signIn({ email: one, password: 'not-it-at-all' }, node, { address: elsewhere() });
        took[at]!.push(performance.now() - began);
      }
    const medians = took.map((all) => all.sort((a, b) => a - b)[4]!);
    // Generous, since the machine is shared: without the hash an answer takes a tenth of the time.
    expect(Math.max(...medians) / Math.min(...medians)).toBeLessThan(4);
  });
});
