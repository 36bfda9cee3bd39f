/** Signing in, with and without the second factor, and the way to the organization's sub-domain (account §4-§8). */
import { hashRaw } from '@node-rs/argon2';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { issueToken } from '#server/token/one-time-token.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
/** Asks for the second factor, as production does. */
let strict: TestNode;
let acme: World;
let other: World;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
  [acme, other] = [await buildWorld(node.db, {}), await buildWorld(node.db, {})];
});
afterAll(async () => {
  await strict.close();
  await node.stop();
});
beforeEach(() => node.pool.query('truncate throttle'));

const hostOf = (world: World) => `${world.subDomain}.localhost`;
const ELSEWHERE = '203.0.113.9:3000';
const whoIs = async (visitor: Visitor, host: string) =>
  (await visitor.get('/api/v1/teamMgmt/user/is-user-is-logged-in', { host })).json as {
    status: boolean;
    organization: { _id: string } | null;
  };
const codeOf = (secret: string, at = Date.now()) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function join(userId: string, world: World): Promise<void> {
  await node.db
    .insertInto('team_member')
    .values({ organization_id: world.organizationId, id: newId(), user_id: userId, role: 'member' })
    .execute();
}

/** Registered with an authenticator: the secret. */
async function equip(email: string, password: string): Promise<{ secret: string; recoveryCodes: string[] }> {
  const visitor = visit(strict);
  const { secret } = (await visitor.post('/team-login', { email, password })).json;
  const { recoveryCodes } = (await visitor.post('/api/user/verify-mfa', { MFA: codeOf(secret, Date.now() - 30_000) })).json;
  return { secret, recoveryCodes };
}

describe('account §4: organization choice', () => {
  it('with one organization the way leads to its sub-domain, where the sign-in is taken over once', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const visitor = visit(node);
    const { json } = await visitor.post('/team-login', { email, password });
    expect(json).toMatchObject({ status: true, isEnv: true, Qrstatus: '', qrCode: '', organizations: [{ _id: acme.organizationId }] });
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(['msg', 'autoLoginToken', 'userSessionId', '_id', 'organizations', 'user', 'userToken']),
    );
    const target = new URL(json.redirectUrl);
    expect([target.hostname, target.pathname]).toEqual([hostOf(acme), '/']);
    const { isAutoLogin, userSessionId, orgId } = Object.fromEntries(target.searchParams);
    expect([isAutoLogin, userSessionId, orgId]).toEqual(['1', json.userSessionId, acme.organizationId]);
    expect(await whoIs(visitor, 'localhost')).toMatchObject({ status: false });
    const taken = await visitor.post('/api/v1/session/auto-login', { userSessionId, orgId }, { host: hostOf(acme) });
    expect(taken.statusCode).toBe(200);
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: true, organization: { _id: acme.organizationId } });
    const again = await visit(node).post('/api/v1/session/auto-login', { userSessionId, orgId }, { host: hostOf(acme) });
    expect([again.statusCode, again.json.code]).toEqual([401, 'session_handover_ended']);
  });

  it('with several they are listed, and nothing opens until one is chosen', async () => {
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    await join(userId, other);
    const visitor = visit(node);
    const { json } = await visitor.post('/team-login', { email, password });
    expect(json.organizations).toHaveLength(2);
    expect(json.redirectUrl).toBeNull();
    expect(await whoIs(visitor, 'localhost')).toMatchObject({ status: false });
    const chosen = await visitor.post('/api/v1/session/choose-organization', { orgId: other.organizationId });
    expect(new URL(chosen.json.redirectUrl).hostname).toBe(hostOf(other));
    const second = await visitor.post('/api/v1/session/choose-organization', { orgId: acme.organizationId });
    expect(second.statusCode).toBe(401);
  });

  it('a change to another is no new sign-in: the session there ends when the first one would have', async () => {
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    await join(userId, other);
    const visitor = visit(node);
    await visitor.post('/team-login', { email, password }, { host: hostOf(acme) });
    const endsAt = new Date(Date.now() + 3_600_000);
    await node.db.updateTable('session').set({ expires_at: endsAt }).where('user_id', '=', userId).execute();
    const chosen = await visitor.post('/api/v1/session/choose-organization', { orgId: other.organizationId }, { host: hostOf(acme) });
    const { userSessionId } = chosen.json;
    const there = { userSessionId, orgId: other.organizationId };
    expect((await visitor.post('/api/v1/session/auto-login', there, { host: hostOf(other) })).statusCode).toBe(200);
    const sessions = await node.db.selectFrom('session').select('expires_at').where('user_id', '=', userId).execute();
    expect(sessions.map((one) => one.expires_at)).toEqual([endsAt, endsAt]);
  });

  it('one that is not theirs cannot be chosen', async () => {
    const stranger = await buildWorld(node.db, {});
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    await join(userId, other);
    const visitor = visit(node);
    await visitor.post('/team-login', { email, password });
    for (const orgId of [stranger.organizationId, newId(), 'nothing', ''])
      expect((await visitor.post('/api/v1/session/choose-organization', { orgId })).statusCode).toBe(404);
    expect((await visit(node).post('/api/v1/session/choose-organization', { orgId: acme.organizationId })).statusCode).toBe(401);
  });

  it('at the own sub-domain one stays; at somebody else’s the key-2 message comes', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const visitor = visit(node);
    const here = await visitor.post('/team-login', { email, password }, { host: hostOf(acme) });
    expect(here.json.redirectUrl).toBeNull();
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: true });
    const there = await visit(node).post('/team-login', { email, password }, { host: hostOf(other) });
    expect([there.statusCode, there.json.key, there.json.msg]).toEqual([
      403,
      '2',
      'Invalid Organization Domain. Please try different domain again.',
    ]);
  });

  it('at a host that is not ours to name one stays', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const visitor = visit(node);
    expect((await visitor.post('/team-login', { email, password }, { host: ELSEWHERE })).json.redirectUrl).toBeNull();
    expect(await whoIs(visitor, ELSEWHERE)).toMatchObject({ status: true });
  });

  it('A7, 1.2 poisoned mail link: a forged Host names no address we send anybody to', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    for (const host of ['localhost', 'evil.example', `${acme.subDomain}.localhost.evil.example`]) {
      const { json } = await visit(node).post(
        '/team-login',
        { email, password },
        { host, headers: { 'x-forwarded-host': 'evil.example' } },
      );
      if (json.redirectUrl) expect(new URL(json.redirectUrl).hostname).toBe(hostOf(acme));
    }
  });
});

describe('account §2, §4: the hand-over between sub-domains', () => {
  it('B4: is bound to one organization, its host and its time', async () => {
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    await join(userId, other);
    const issue = (world: World) => issueToken(node.db, 'hand-over', { userId, organizationId: world.organizationId });
    const take = async (userSessionId: string, orgId: string, host: string) =>
      (await visit(node).post('/api/v1/session/auto-login', { userSessionId, orgId }, { host })).statusCode;
    expect(await take(await issue(acme), other.organizationId, hostOf(other))).toBe(401);
    expect(await take(await issue(acme), acme.organizationId, hostOf(other))).toBe(403);
    const late = await issue(acme);
    await node.pool.query(`update one_time_token set expires_at = now() - interval '1 second' where user_id = $1 and used_at is null`, [
      userId,
    ]);
    expect(await take(late, acme.organizationId, hostOf(acme))).toBe(401);
    expect(await take('x'.repeat(43), acme.organizationId, hostOf(acme))).toBe(401);
    const twice = await issue(acme);
    const both = await Promise.all([1, 2].map(() => take(twice, acme.organizationId, hostOf(acme))));
    expect(both.sort()).toEqual([200, 401]);
    void [email, password];
  });

  it('B4: does not put somebody else in the place of who is signed in here', async () => {
    const [victim, attacker] = [await buildUser(node.db, acme.organizationId), await buildUser(node.db, acme.organizationId)];
    const visitor = visit(node, { host: hostOf(acme) });
    await visitor.post('/team-login', { email: victim.email, password: victim.password });
    const userSessionId = await issueToken(node.db, 'hand-over', { userId: attacker.userId, organizationId: acme.organizationId });
    const answer = await visitor.post('/api/v1/session/auto-login', { userSessionId, orgId: acme.organizationId });
    expect([answer.statusCode, answer.json.code]).toEqual([409, 'session_of_another']);
    const { user } = (await visitor.get('/api/v1/teamMgmt/user/is-user-is-logged-in')).json;
    expect(user.email).toBe(victim.email);
  });

  it('B4: ends with the session it goes on with, whoever ends that one, and never outlives the credentials it was made with', async () => {
    const signedIn = async () => {
      const person = await buildUser(node.db, acme.organizationId);
      await join(person.userId, other);
      const visitor = visit(node);
      await visitor.post('/team-login', { email: person.email, password: person.password }, { host: hostOf(acme) });
      const { json } = await visitor.post('/api/v1/session/choose-organization', { orgId: other.organizationId }, { host: hostOf(acme) });
      const taken = async () =>
        (
          await visit(node).post(
            '/api/v1/session/auto-login',
            { userSessionId: json.userSessionId, orgId: other.organizationId },
            { host: hostOf(other) },
          )
        ).statusCode;
      return { ...person, taken };
    };
    const ended = await signedIn();
    await node.db.deleteFrom('session').where('user_id', '=', ended.userId).execute();
    expect(await ended.taken()).toBe(401);
    const changed = await signedIn();
    await node.pool.query('update app_user set credential_epoch = credential_epoch + 1 where id = $1', [changed.userId]);
    expect(await changed.taken()).toBe(401);
    expect(await (await signedIn()).taken()).toBe(200);
  });

  it.each([
    ['disabled', `update team_member set status = 'disabled' where user_id = $1`],
    ['removed', 'delete from team_member where user_id = $1'],
    ['disabled everywhere', `update app_user set status = 'disabled' where id = $1`],
  ])('B4: opens nothing to a member who was %s since it was made', async (_, sql) => {
    const { userId } = await buildUser(node.db, acme.organizationId, { role: 'member' });
    const userSessionId = await issueToken(node.db, 'hand-over', { userId, organizationId: acme.organizationId });
    await node.pool.query(sql, [userId]);
    const visitor = visit(node, { host: hostOf(acme) });
    const { statusCode } = await visitor.post('/api/v1/session/auto-login', { userSessionId, orgId: acme.organizationId });
    expect([401, 403]).toContain(statusCode);
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: false });
  });

  it('B7: whose data is told says the session alone, at whatever host, and whatever a body, header or query names', async () => {
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    await node.db
      .insertInto('team_member')
      .values({ organization_id: other.organizationId, id: newId(), user_id: userId, role: 'owner' })
      .execute();
    const visitor = visit(node, { host: hostOf(acme) });
    await visitor.post('/team-login', { email, password });
    // Taken to the other organization's host as a thief or a bug would.
    visitor.cookies.set(hostOf(other), visitor.cookies.get(hostOf(acme))!);
    for (const host of [hostOf(acme), hostOf(other)]) {
      const headers = { 'x-organization-id': other.organizationId, 'x-tenant': other.subDomain };
      const asked = (body: object) => visitor.post('/api/v1/common/get-data', { model: 'region', ...body }, { host, headers });
      expect((await asked({})).json.data).toMatchObject([{ _id: acme.regionId }]);
      expect((await asked({ companyId: other.organizationId })).statusCode).toBe(404);
      expect((await asked({ organizationId: other.organizationId })).statusCode).toBe(400);
      const place = `/api/reporting/change-root-vertical?orgId=${other.organizationId}`;
      const ids = { regionId: other.regionId, verticalId: other.verticalId };
      expect((await visitor.post(place, ids, { host, headers })).statusCode).toBe(404);
    }
  });

  it('B4: a token of another purpose opens nothing', async () => {
    const { userId } = await buildUser(node.db, acme.organizationId);
    const token = await issueToken(node.db, 'password-reset', { userId, organizationId: acme.organizationId });
    const answer = await visit(node).post(
      '/api/v1/session/auto-login',
      { userSessionId: token, orgId: acme.organizationId },
      { host: hostOf(acme) },
    );
    expect(answer.statusCode).toBe(401);
  });
});

describe('account §4: the second factor', () => {
  it('B1: is set up at the first sign-in: picture, code, recovery codes; and nothing opens before', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const visitor = visit(strict, { host: hostOf(acme) });
    const { json } = await visitor.post('/team-login', { email, password });
    expect(json).toMatchObject({ status: true, isEnv: false, Qrstatus: '1', autoLoginToken: '', organizations: [], redirectUrl: null });
    expect(json.qrCode).toMatch(/^data:image\/svg\+xml;base64,/);
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: false });
    expect((await visitor.get('/api/v1/session/list')).statusCode).toBe(401);
    const done = await visitor.post('/api/user/verify-mfa', { MFA: ` ${codeOf(json.secret).replace(/(...)/, '$1 ')} ` });
    expect(done.json).toMatchObject({ status: true });
    expect(done.json.recoveryCodes).toHaveLength(10);
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: true });
  });

  it('shows a new secret at every sign-in until one is set up; whoever saw an earlier one is out', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const [peeker, owner] = [visit(strict, { host: hostOf(acme) }), visit(strict, { host: hostOf(acme) })];
    const peeked = (await peeker.post('/team-login', { email, password })).json.secret;
    const { secret } = (await owner.post('/team-login', { email, password })).json;
    expect(secret).not.toBe(peeked);
    expect((await owner.post('/api/user/verify-mfa', { MFA: codeOf(secret) })).json.recoveryCodes).toHaveLength(10);
    for (const code of [codeOf(peeked), codeOf(secret, Date.now() + 30_000)])
      expect((await peeker.post('/api/user/verify-mfa', { MFA: code })).json.key).toBe('3');
  });

  it('is asked for at every later sign-in, as Qrstatus 2, without showing the secret', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const { secret } = await equip(email, password);
    const visitor = visit(strict, { host: hostOf(acme) });
    const { json } = await visitor.post('/team-login', { email, password });
    expect(json).toMatchObject({ Qrstatus: '2', qrCode: '', secret: '' });
    const done = await visitor.post('/api/user/validate-mfa', { MFA: codeOf(secret) });
    expect(done.json).toMatchObject({ status: true, organizations: [{ _id: acme.organizationId }] });
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: true });
  });

  it('account §8, A1: a wrong code says so with key 1, nobody waiting with key 3, the wrong domain with key 2', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const { secret } = await equip(email, password);
    const visitor = visit(strict);
    const nobody = await visitor.post('/api/user/validate-mfa', { MFA: '123456' });
    expect([nobody.statusCode, nobody.json.key, nobody.json.msg]).toEqual([401, '3', 'Invalid User. Please try again.']);
    await visitor.post('/team-login', { email, password });
    for (const MFA of ['000000', '', 'abcdef', '12345678901234567890']) {
      const wrong = await visitor.post('/api/user/validate-mfa', { MFA });
      expect([wrong.statusCode, wrong.json.key, wrong.json.msg]).toEqual([401, '1', 'Invalid Authentication Code. Please try again.']);
    }
    for (const MFA of [123456, null, ['123456'], { $ne: '' }])
      expect((await visitor.post('/api/user/validate-mfa', { MFA })).statusCode).toBe(400);
    const foreign = visit(strict, { host: hostOf(other) });
    await foreign.post('/team-login', { email, password });
    const domain = await foreign.post('/api/user/validate-mfa', { MFA: codeOf(secret) });
    expect([domain.statusCode, domain.json.key]).toEqual([403, '2']);
  });

  /** What so many sign-ins over two nodes are answered that send one code at the same moment. */
  async function sendAtOnce(count: number, { email, password }: { email: string; password: string }, MFA: string): Promise<number[]> {
    const second = await startNode(node.database.url, { twoFactor: true });
    const visitors = await Promise.all(
      Array.from({ length: count }, async (_, at) => {
        const visitor = visit(at % 2 ? second : strict, { host: hostOf(acme), address: `198.51.99.${at}` });
        await visitor.post('/team-login', { email, password });
        return visitor;
      }),
    );
    const answers = await Promise.all(visitors.map((one) => one.post('/api/user/validate-mfa', { MFA })));
    await second.close();
    return answers.map((one) => one.statusCode).sort();
  }

  it('A2, 1.2 race: a code that is sent by 18 sign-ins over two nodes at the same moment opens one of them', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { secret } = await equip(person.email, person.password);
    expect(await sendAtOnce(18, person, codeOf(secret))).toEqual([200, ...Array(17).fill(401)]);
  });

  it('A11, 1.2 recovery codes: a recovery code that is sent by ten sign-ins over two nodes at the same moment opens one of them', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { recoveryCodes } = await equip(person.email, person.password);
    expect(await sendAtOnce(10, person, recoveryCodes[3]!)).toEqual([200, ...Array(9).fill(401)]);
  });

  it('A11, 1.2 recovery codes: new ones end all old ones', async () => {
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const { secret, recoveryCodes } = await equip(email, password);
    const enter = async (MFA: string) => {
      const visitor = visit(strict, { host: hostOf(acme) });
      await visitor.post('/team-login', { email, password });
      return { visitor, statusCode: (await visitor.post('/api/user/validate-mfa', { MFA })).statusCode };
    };
    const { visitor } = await enter(recoveryCodes[0]!);
    const renewed = (await visitor.post('/api/v1/session/recovery-codes', { MFA: codeOf(secret) })).json.recoveryCodes;
    expect((await enter(recoveryCodes[1]!)).statusCode).toBe(401);
    expect((await enter(renewed[0])).statusCode).toBe(200);
  });

  it('A3, 1.2 brute force: thirty wrong codes in a row close the second factor for good, and say so by mail; a reset opens it', async () => {
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    const { secret, recoveryCodes } = await equip(email, password);
    let round = 0;
    /** From a network of its own each time, hours after what was before. */
    const enter = async (...codes: string[]) => {
      await node.pool.query(`update throttle set window_start = window_start - interval '1 day' where name not like 'codes in a row%'`);
      const visitor = visit(strict, { host: hostOf(acme), address: `198.51.98.${++round}` });
      await visitor.post('/team-login', { email, password });
      const answers = [];
      for (const MFA of codes) answers.push((await visitor.post('/api/user/validate-mfa', { MFA })).json.code);
      return answers;
    };
    const wrong = Array(5).fill('000000');
    const refused = Array(5).fill('session_code_refused');
    for (let n = 0; n < 5; n++) expect(await enter(...wrong)).toEqual(refused);
    // A right one begins anew.
    expect(await enter(codeOf(secret))).toEqual([undefined]);
    for (let n = 0; n < 6; n++) expect(await enter(...wrong)).toEqual(refused);
    await node.pool.query('update app_user set mfa_last_step = 0 where id = $1', [userId]);
    const closed = ['session_codes_closed', 'session_codes_closed'];
    expect(await enter(codeOf(secret), recoveryCodes[0]!)).toEqual(closed);
    expect(await enter(codeOf(secret), '000000')).toEqual(closed);
    const mails = (await node.mailer.read(node.db, 500)).filter((mail) => mail.recipient === email && mail.kind === 'two-factor-closed');
    expect(mails).toHaveLength(1);
    await visit(node).post(`/api/v1/teamMgmt/user/reset-mfa/${await issueToken(node.db, 'mfa-reset', { userId })}`);
    const again = await equip(email, password);
    expect(await enter(codeOf(again.secret))).toEqual([undefined]);
  });

  it('A11, 1.2 recovery codes: a recovery code opens once, however it is written; another’s does not', async () => {
    const one = await buildUser(node.db, acme.organizationId);
    const two = await buildUser(node.db, acme.organizationId);
    const { recoveryCodes } = await equip(one.email, one.password);
    await equip(two.email, two.password);
    const [code] = recoveryCodes as [string];
    const enter = async ({ email, password }: { email: string; password: string }, MFA: string) => {
      const visitor = visit(strict, { host: hostOf(acme) });
      await visitor.post('/team-login', { email, password });
      return (await visitor.post('/api/user/validate-mfa', { MFA })).statusCode;
    };
    expect(await enter(two, code)).toBe(401);
    expect(await enter(one, ` ${code.toUpperCase().replace('-', ' ')} `)).toBe(200);
    expect(await enter(one, code)).toBe(401);
  });

  it('A3, 1.2 brute force: five wrong codes end the sign-in; twenty an hour are all there are for an account, over all nodes', async () => {
    const second = await startNode(node.database.url, { twoFactor: true });
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const { secret } = await equip(email, password);
    await node.pool.query('truncate throttle');
    let refused = 0;
    for (let round = 0; round < 5; round++) {
      const visitor = visit(round % 2 ? strict : second, { host: hostOf(acme), address: `198.51.100.${round}` });
      await visitor.post('/team-login', { email, password });
      const answers = [];
      for (let n = 0; n < 6; n++) answers.push((await visitor.post('/api/user/validate-mfa', { MFA: '000000' })).json);
      if (round === 0) expect(answers.map((one) => one.key)).toEqual(['1', '1', '1', '1', '1', '3']);
      if (round === 0) expect((await visitor.post('/api/user/validate-mfa', { MFA: codeOf(secret) })).json.key).toBe('3');
      refused += answers.filter((one) => one.key === '1').length;
    }
    expect(refused).toBe(20);
    await second.close();
  });

  it('A4: a person known to this browser is not kept out by somebody else’s guesses', async () => {
    await insideOneMinute();
    const { email, password } = await buildUser(node.db, acme.organizationId);
    const own = visit(node, { host: hostOf(acme) });
    expect((await own.post('/team-login', { email, password })).statusCode).toBe(200);
    for (let n = 0; n < 130; n++)
      await visit(node, { address: `198.51.${100 + (n >> 5)}.${n % 32}` }).post('/team-login', { email, password: 'guess' });
    expect((await visit(node, { address: '203.0.113.77' }).post('/team-login', { email, password })).statusCode).toBe(429);
    expect((await own.post('/team-login', { email, password })).statusCode).toBe(200);
    // A device of before the credentials changed is none any more: a thief who once was in does not keep the door.
    const { credential_epoch } = await node.db
      .selectFrom('app_user')
      .select('credential_epoch')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    await node.db
      .updateTable('app_user')
      .set({ credential_epoch: credential_epoch + 1 })
      .where('email', '=', email)
      .execute();
    expect((await own.post('/team-login', { email, password })).statusCode).toBe(429);
    // The cookie of one account is none for another.
    const stranger = await buildUser(node.db, acme.organizationId);
    for (let n = 0; n < 10; n++) await own.post('/team-login', { email: stranger.email, password: 'guess' });
    expect((await own.post('/team-login', { email: stranger.email, password: 'guess' })).statusCode).toBe(429);
  }, 60_000);

  it('A11: secrets and recovery codes are nowhere to be read in the database', async () => {
    const { userId, email, password } = await buildUser(node.db, acme.organizationId);
    const { secret, recoveryCodes } = await equip(email, password);
    const dump = JSON.stringify([
      (await node.pool.query('select mfa_secret, last_page from app_user where id = $1', [userId])).rows.map((row) =>
        row.mfa_secret.toString('latin1'),
      ),
      (await node.pool.query('select code_hash from recovery_code where user_id = $1', [userId])).rows.map((row) =>
        row.code_hash.toString('latin1'),
      ),
    ]);
    for (const text of [secret, ...recoveryCodes, recoveryCodes[0]!.replace('-', '')]) expect(dump).not.toContain(text);
  });
});

describe('account §4: recovery codes in the database', () => {
  it('ASVS 5.0 6.5.2: are kept as slowly hashed as passwords, for each person anew; those that an earlier version kept still open', async () => {
    const one = await buildUser(node.db, acme.organizationId);
    const { recoveryCodes } = await equip(one.email, one.password);
    const hashes = await node.db.selectFrom('recovery_code').select('code_hash').where('user_id', '=', one.userId).execute();
    const salt = sha256(`recovery code ${one.userId}`).subarray(0, 16);
    const slow = await hashRaw(recoveryCodes[0]!.replace('-', ''), { memoryCost: 19_456, timeCost: 2, parallelism: 1, salt });
    expect(hashes.filter(({ code_hash }) => code_hash.equals(slow))).toHaveLength(1);
    expect(hashes.filter(({ code_hash }) => code_hash.equals(sha256(one.userId + recoveryCodes[0]!.replace('-', ''))))).toEqual([]);
    await node.db
      .insertInto('recovery_code')
      .values({ user_id: one.userId, code_hash: sha256(`${one.userId}abcde23456`) })
      .execute();
    for (const [MFA, statusCode] of [
      [recoveryCodes[0]!, 200],
      ['abcde-23456', 200],
      ['abcde-23456', 401],
      ['abcde-2345', 401],
    ] as const) {
      const visitor = visit(strict, { host: hostOf(acme) });
      await visitor.post('/team-login', { email: one.email, password: one.password });
      expect((await visitor.post('/api/user/validate-mfa', { MFA })).statusCode).toBe(statusCode);
    }
  });
});

describe('account §4, §7: sessions', () => {
  const login = async (world = acme, options = {}) => {
    const user = await buildUser(node.db, world.organizationId, options);
    const visitor = visit(node, { host: hostOf(world) });
    await visitor.post('/team-login', { email: user.email, password: user.password });
    return { user, visitor };
  };

  it('B1: are new at every sign-in: what somebody planted before is worth nothing', async () => {
    const { user, visitor } = await login();
    const planted = visitor.cookies.get(hostOf(acme))!.get('sluice')!;
    await visitor.post('/team-login', { email: user.email, password: user.password });
    const renewed = visitor.cookies.get(hostOf(acme))!.get('sluice')!;
    expect(renewed).not.toBe(planted);
    visitor.cookies.get(hostOf(acme))!.set('sluice', planted);
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: false });
  });

  it('are listed to their owner, with device and network, and end one by one or all others at once', async () => {
    const { user, visitor } = await login();
    const phone = visit(node, { host: hostOf(acme), headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18 Safari/605' } });
    await phone.post('/team-login', { email: user.email, password: user.password });
    const { sessions } = (await visitor.get('/api/v1/session/list')).json;
    expect(sessions).toHaveLength(2);
    expect(sessions[0]).toMatchObject({ device: 'Safari on iPhone', network: '192.0.2.1', isThisOne: false });
    expect((await visitor.post('/api/v1/session/end', { _id: sessions[0]._id })).statusCode).toBe(200);
    expect(await whoIs(phone, hostOf(acme))).toMatchObject({ status: false });
    expect((await visitor.post('/api/v1/session/end', { _id: sessions[0]._id })).statusCode).toBe(404);
    await phone.post('/team-login', { email: user.email, password: user.password });
    expect((await visitor.post('/api/v1/session/end', { all: true })).statusCode).toBe(200);
    expect(await whoIs(phone, hostOf(acme))).toMatchObject({ status: false });
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: true });
  });

  it('of somebody else cannot be seen or ended', async () => {
    const [one, two] = [await login(), await login()];
    const { sessions } = (await one.visitor.get('/api/v1/session/list')).json;
    for (const _id of [sessions[0]._id, 'nonsense', newId()])
      expect((await two.visitor.post('/api/v1/session/end', { _id })).statusCode).toBe(404);
    expect((await two.visitor.post('/api/v1/session/end', {})).statusCode).toBe(400);
    expect((await visit(node).post('/api/v1/session/end', { all: true })).statusCode).toBe(401);
    expect(await whoIs(one.visitor, hostOf(acme))).toMatchObject({ status: true });
  });

  it('end by themselves when nobody has been there for a while', async () => {
    const { user, visitor } = await login();
    await node.pool.query(`update session set seen_at = now() - interval '36 minutes' where user_id = $1`, [user.userId]);
    expect(await whoIs(visitor, hostOf(acme))).toMatchObject({ status: false });
  });

  it('console §4: what a page asks by itself while nobody is before it keeps no session alive; a touch does', async () => {
    const { user, visitor } = await login();
    const seen = async () => {
      const { rows } = await node.pool.query('select seen_at from session where user_id = $1', [user.userId]);
      return rows[0].seen_at as Date;
    };
    await node.pool.query(`update session set seen_at = now() - interval '20 minutes' where user_id = $1`, [user.userId]);
    const before = await seen();
    expect((await visitor.get('/api/v1/session/list', { headers: { 'x-unattended': 'true' } })).statusCode).toBe(200);
    expect(await seen()).toEqual(before);
    expect((await visitor.get('/api/v1/session/list')).statusCode).toBe(200);
    expect((await seen()).getTime()).toBeGreaterThan(before.getTime());
  });

  it('account §4, B5: sign-out keeps the last page and its time span, and only a path of ours', async () => {
    const { user, visitor } = await login();
    const timeStamp = JSON.stringify({ timespan: 'customRange', startDate: '2026-11-01', endDate: '2026-11-02' });
    const leave = async (lastURL: string) => {
      await visitor.get(`/admin/logout?${new URLSearchParams({ t: '1', lastURL, timeStamp })}`);
      await visitor.post('/team-login', { email: user.email, password: user.password });
      return (await visitor.get('/api/v1/teamMgmt/user/is-user-is-logged-in')).json.user;
    };
    const page = '/setup/us/payday/leads?status=sold';
    expect(await leave(page)).toMatchObject({ lastPageVisited: page, lastPageVisitedTimeStamp: JSON.parse(timeStamp) });
    const odd = JSON.stringify({ timespan: '\u0000', startDate: '\ud800', endDate: '' });
    const out = await visitor.get(`/admin/logout?${new URLSearchParams({ lastURL: '/home', timeStamp: odd })}`);
    expect(out.statusCode).toBe(200);
    await visitor.post('/team-login', { email: user.email, password: user.password });
    await leave(page);
    for (const wrong of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a\nb'])
      expect((await leave(wrong)).lastPageVisited).toBe(page);
  });

  it('account §7: change-status answers who is signed in, and nobody else', async () => {
    const { visitor } = await login();
    expect((await visitor.post('/api/v1/teamMgmt/team/change-status')).json.status).toBe(true);
    expect((await visit(node).post('/api/v1/teamMgmt/team/change-status')).statusCode).toBe(401);
  });

  it('a super admin enters every organization', async () => {
    const { user } = await login(acme, { superAdmin: true });
    const answer = await visit(node).post('/team-login', { email: user.email, password: user.password }, { host: hostOf(other) });
    expect(answer.statusCode).toBe(200);
  });

  it('every state change needs our own page: a foreign one cannot send the header', async () => {
    const { visitor } = await login();
    for (const path of [
      '/team-login',
      '/api/v1/session/end',
      '/api/v1/session/auto-login',
      '/api/v1/session/choose-organization',
      '/api/user/verify-mfa',
      '/api/user/validate-mfa',
      '/api/v1/teamMgmt/team/change-status',
    ]) {
      const body = { email: 'a@b.co', password: 'x', all: true, userSessionId: 'x', orgId: 'x', MFA: '1' };
      const own = {
        '/team-login': ['email', 'password'],
        '/api/v1/session/end': ['all'],
        '/api/v1/session/auto-login': ['userSessionId', 'orgId'],
        '/api/v1/session/choose-organization': ['orgId'],
      }[path] ?? ['MFA'];
      const payload = path.endsWith('change-status') ? {} : Object.fromEntries(own.map((key) => [key, body[key as keyof typeof body]]));
      const answer = await visitor.post(path, payload, { headers: { 'x-requested-with': '' } });
      expect([path, answer.statusCode, answer.json.code]).toEqual([path, 403, 'request_foreign']);
    }
  });
});
