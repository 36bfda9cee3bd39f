/** The step-up: what a sign-in rests on changes, and other sessions end, for somebody who has just shown to be the person (ASVS 5.0 7.5). */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const T = '/api/v1/teamMgmt';
const NEW = { password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
/** Asks for the second factor, as production does. */
let strict: TestNode;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
  world = await buildWorld(node.db);
});
afterAll(async () => {
  await strict.close();
  await node.stop();
});
beforeEach(() => node.pool.query('truncate throttle'));

const host = () => `${world.subDomain}.localhost`;
const codeOf = (secret: string, offsetMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetMs });

interface Somebody {
  userId: string;
  email: string;
  password: string;
  visitor: Visitor;
}

async function alone(at: TestNode = node): Promise<Somebody> {
  const person = await buildUser(node.db, world.organizationId);
  const visitor = visit(at, { host: host() });
  await visitor.post('/team-login', { email: person.email, password: person.password });
  return { ...person, visitor };
}

/** Signed in with an authenticator whose code of now has not been used. */
async function equipped(): Promise<Somebody & { secret: string; recoveryCodes: string[] }> {
  const person = await buildUser(node.db, world.organizationId);
  const visitor = visit(strict, { host: host() });
  const { secret } = (await visitor.post('/team-login', { email: person.email, password: person.password })).json;
  const { recoveryCodes } = (await visitor.post('/api/user/verify-mfa', { MFA: codeOf(secret, -30_000) })).json;
  return { ...person, visitor, secret, recoveryCodes };
}

/** As if so many minutes had gone by since the factors were given. */
const age = ({ userId }: { userId: string }, minutes: number, ...names: ('passwordAt' | 'codeAt')[]) =>
  node.pool.query(
    `update session set proof = proof || (select jsonb_object_agg(name, to_char(now() at time zone 'UTC' - make_interval(mins => $2), 'YYYY-MM-DD"T"HH24:MI:SS"Z"')) from unnest($3::text[]) as name)
      where user_id = $1`,
    [userId, minutes, names.length > 0 ? names : ['passwordAt', 'codeAt']],
  );

const endOthers = ({ visitor }: Somebody) => visitor.post('/api/v1/session/end', { all: true });
const asked = (answer: { statusCode: number; json: { code: string; needs: string[] } }) => [
  answer.statusCode,
  answer.json.code,
  answer.json.needs,
];
const NEEDS = (...factors: string[]) => [403, 'session_proof_needed', factors];

describe('ending sessions', () => {
  it('ASVS 5.0 7.5.2: one’s others end within ten minutes of the sign-in, and later after the password; this one ends always', async () => {
    const person = await alone();
    const other = visit(node, { host: host() });
    const enterThere = () => other.post('/team-login', { email: person.email, password: person.password });
    await enterThere();
    const idThere = async () => {
      const { sessions } = (await person.visitor.get('/api/v1/session/list')).json;
      return sessions.find((one: { isThisOne: boolean }) => !one.isThisOne)._id as string;
    };
    await age(person, 9);
    expect((await endOthers(person)).statusCode).toBe(200);
    await enterThere();
    await age(person, 11);
    expect(asked(await endOthers(person))).toEqual(NEEDS('password'));
    expect(asked(await person.visitor.post('/api/v1/session/end', { _id: await idThere() }))).toEqual(NEEDS('password'));
    expect((await other.get('/api/v1/session/list')).statusCode).toBe(200);
    expect((await person.visitor.post('/api/v1/session/prove', { password: person.password })).statusCode).toBe(200);
    expect((await person.visitor.post('/api/v1/session/end', { _id: await idThere() })).statusCode).toBe(200);
    expect((await other.get('/api/v1/session/list')).statusCode).toBe(401);
    await age(person, 11);
    const { sessions } = (await person.visitor.get('/api/v1/session/list')).json;
    expect((await person.visitor.post('/api/v1/session/end', { _id: sessions[0]._id })).statusCode).toBe(200);
  });

  it('ASVS 5.0 7.5.2: who has a second factor gives both, whichever is missing, and one proof opens no other session', async () => {
    const person = await equipped();
    expect((await endOthers(person)).statusCode).toBe(200);
    await age(person, 11);
    expect(asked(await endOthers(person))).toEqual(NEEDS('password', 'code'));
    await person.visitor.post('/api/v1/session/prove', { password: person.password });
    expect(asked(await endOthers(person))).toEqual(NEEDS('code'));
    expect((await person.visitor.post('/api/v1/session/prove', { MFA: codeOf(person.secret) })).statusCode).toBe(200);
    expect((await endOthers(person)).statusCode).toBe(200);
    await age(person, 11);
    const both = { password: person.password, MFA: person.recoveryCodes[0] };
    expect((await person.visitor.post('/api/v1/session/prove', both)).statusCode).toBe(200);
    expect((await endOthers(person)).statusCode).toBe(200);
    // A recovery code and a code are good once.
    for (const MFA of [person.recoveryCodes[0], codeOf(person.secret)])
      expect((await person.visitor.post('/api/v1/session/prove', { MFA })).json.code).toBe('session_code_refused');
    const second = visit(strict, { host: host() });
    await second.post('/team-login', { email: person.email, password: person.password });
    await second.post('/api/user/validate-mfa', { MFA: person.recoveryCodes[1] });
    await age(person, 11);
    await person.visitor.post('/api/v1/session/prove', { password: person.password, MFA: person.recoveryCodes[2] });
    expect(asked(await second.post('/api/v1/session/end', { all: true }))).toEqual(NEEDS('password', 'code'));
  });

  it('ASVS 5.0 7.5.2: an owner who ends one of their own by the list of who is online is asked as well; of a member, and of this one, not', async () => {
    const [owner, member] = [await alone(), await alone()];
    const other = visit(node, { host: host() });
    await other.post('/team-login', { email: owner.email, password: owner.password });
    await age(owner, 11);
    const { users } = (await owner.visitor.get(`${T}/monitor/online-users`)).json;
    const idOf = (email: string, isOwnSession: boolean) =>
      users.find((one: { email: string; isOwnSession: boolean }) => one.email === email && one.isOwnSession === isOwnSession)._id as string;
    const end = (_id: string) => owner.visitor.post(`${T}/monitor/end-session`, { _id });
    expect(asked(await end(idOf(owner.email, false)))).toEqual(NEEDS('password'));
    expect((await other.get('/api/v1/session/list')).statusCode).toBe(200);
    expect((await end(idOf(member.email, false))).statusCode).toBe(200);
    expect((await member.visitor.get('/api/v1/session/list')).statusCode).toBe(401);
    await owner.visitor.post('/api/v1/session/prove', { password: owner.password });
    expect((await end(idOf(owner.email, false))).statusCode).toBe(200);
    expect((await other.get('/api/v1/session/list')).statusCode).toBe(401);
    await age(owner, 11);
    expect((await end(idOf(owner.email, true))).statusCode).toBe(200);
  });

  it('a session of a version before, and one that a hand-over goes on with, know when the factors were given, or that nobody does', async () => {
    const person = await alone();
    await node.pool.query(`update session set proof = '{}' where user_id = $1`, [person.userId]);
    expect(asked(await endOthers(person))).toEqual(NEEDS('password'));
    const root = visit(node);
    const { json } = await root.post('/team-login', { email: person.email, password: person.password });
    const there = visit(node, { host: host() });
    await there.post('/api/v1/session/auto-login', { userSessionId: json.userSessionId, orgId: world.organizationId });
    expect((await there.post('/api/v1/session/end', { all: true })).statusCode).toBe(200);
    await age(person, 11);
    const chosen = await there.post('/api/v1/session/choose-organization', { orgId: world.organizationId });
    expect(chosen.statusCode).toBe(200);
    expect(asked(await there.post('/api/v1/session/end', { all: true }))).toEqual(NEEDS('password'));
  });
});

describe('what a sign-in rests on', () => {
  it('ASVS 5.0 7.5.1: the password changes with the current one, and with a code of now where there is a second factor', async () => {
    const one = await alone();
    await age(one, 11);
    expect((await one.visitor.post(`${T}/user/change-password`, { currentPassword: one.password, ...NEW })).statusCode).toBe(200);
    const two = await equipped();
    const change = (currentPassword: string) => two.visitor.post(`${T}/user/change-password`, { currentPassword, ...NEW });
    await age(two, 11);
    // Who does not know the password hears nothing of what else would be asked for.
    expect((await change('wrong-one-1')).json.code).toBe('password_refused');
    expect(asked(await change(two.password))).toEqual(NEEDS('code'));
    expect((await two.visitor.post('/api/v1/session/prove', { MFA: codeOf(two.secret) })).statusCode).toBe(200);
    expect((await change(two.password)).statusCode).toBe(200);
    // The session that takes its place knows both factors.
    expect((await endOthers(two)).statusCode).toBe(200);
  });

  it('ASVS 5.0 7.5.1: new recovery codes ask for a code, and for the password of the last ten minutes', async () => {
    const person = await equipped();
    await age(person, 11, 'passwordAt');
    const renew = (MFA: string) => person.visitor.post('/api/v1/session/recovery-codes', { MFA });
    expect(asked(await renew(codeOf(person.secret)))).toEqual(NEEDS('password'));
    await person.visitor.post('/api/v1/session/prove', { password: person.password });
    // The code that was sent before is still good: nobody looked at it.
    expect((await renew(codeOf(person.secret))).json.recoveryCodes).toHaveLength(10);
  });
});

describe('POST /api/v1/session/prove', () => {
  it('account §5: is refused without a session, from a foreign page, with nothing, of a wrong type, too long, and with a code where none is asked for', async () => {
    const person = await alone();
    const prove = (body: unknown, headers = {}) => person.visitor.post('/api/v1/session/prove', body, { headers });
    expect((await visit(node, { host: host() }).post('/api/v1/session/prove', { password: 'x' })).statusCode).toBe(401);
    expect((await prove({ password: person.password }, { 'x-requested-with': 'evil' })).json.code).toBe('request_foreign');
    expect((await prove({})).json).toMatchObject({ code: 'session_proof_empty', errors: [{ field: 'password' }] });
    expect((await prove({ password: person.password, MFA: '123456' })).json.code).toBe('session_proof_without_code');
    for (const body of [{ password: 7 }, { password: 'x'.repeat(1025) }, { MFA: 'x'.repeat(61) }, { password: 'x', more: 1 }, []])
      expect([body, (await prove(body)).statusCode]).toEqual([body, 400]);
    expect((await prove({ password: 'wrong-one-1' })).json).toMatchObject({ code: 'password_wrong', errors: [{ field: 'password' }] });
    expect((await prove({ password: person.password })).json).toEqual({ status: true, msg: expect.stringMatching(/ten minutes/) });
  });

  it('1.2 lock not on all doors: the password counts with those of the sign-in, ten a minute; another person is not kept out', async () => {
    const [one, two] = [await alone(), await alone()];
    await insideOneMinute();
    const codes: number[] = [];
    for (let n = 0; n < 10; n++) codes.push((await one.visitor.post('/api/v1/session/prove', { password: 'wrong-one-1' })).statusCode);
    expect(codes).toEqual(Array(10).fill(403));
    const limited = await one.visitor.post('/api/v1/session/prove', { password: one.password });
    expect([limited.statusCode, limited.json.code]).toEqual([429, 'session_rate_limited']);
    expect((await one.visitor.post('/team-login', { email: one.email, password: one.password })).statusCode).toBe(429);
    expect((await one.visitor.post(`${T}/user/change-password`, { currentPassword: one.password, ...NEW })).statusCode).toBe(429);
    expect((await two.visitor.post('/api/v1/session/prove', { password: two.password })).statusCode).toBe(200);
  });

  it('1.2 lock not on all doors: the code counts with those of the sign-in, twenty an hour, and thirty in a row close the second factor', async () => {
    const person = await equipped();
    const codes: number[] = [];
    for (let n = 0; n < 20; n++) codes.push((await person.visitor.post('/api/v1/session/prove', { MFA: '000000' })).statusCode);
    expect(codes).toEqual(Array(20).fill(403));
    expect((await person.visitor.post('/api/v1/session/prove', { MFA: codeOf(person.secret) })).statusCode).toBe(429);
    expect((await person.visitor.post('/api/v1/session/recovery-codes', { MFA: codeOf(person.secret) })).statusCode).toBe(429);
    // From a browser that the account does not know, each counts toward the thirty.
    await node.pool.query('truncate throttle');
    person.visitor.cookies.get(host())!.delete('sluice-device');
    for (let n = 0; n < 30; n++) {
      await node.pool.query(`delete from throttle where name like 'code %'`);
      expect((await person.visitor.post('/api/v1/session/prove', { MFA: '000000' })).json.code).toBe('session_code_refused');
    }
    await node.pool.query(`delete from throttle where name like 'code %'`);
    expect((await person.visitor.post('/api/v1/session/prove', { MFA: codeOf(person.secret) })).json.code).toBe('session_codes_closed');
  });

  it('ASVS 5.0 7.5.2, 6.3.1: without the password nobody looks at a code, so that a session that was taken neither guesses one nor closes the second factor', async () => {
    const person = await equipped();
    await age(person, 11);
    await node.pool.query('truncate throttle');
    person.visitor.cookies.get(host())!.delete('sluice-device');
    const prove = (body: unknown) => person.visitor.post('/api/v1/session/prove', body);
    for (const MFA of ['000000', codeOf(person.secret)])
      expect((await prove({ MFA })).json).toMatchObject({ code: 'session_proof_without_password', errors: [{ field: 'password' }] });
    expect((await prove({ password: 'wrong-one-1', MFA: '000000' })).json.code).toBe('password_wrong');
    const counted = await node.pool.query(`select name from throttle where name like 'code%'`);
    expect(counted.rows).toEqual([]);
    // The code that was sent before is still good: nobody looked at it.
    expect((await prove({ password: person.password, MFA: codeOf(person.secret) })).statusCode).toBe(200);
  });

  it('a code that could not be looked at counts as no try', async () => {
    const person = await equipped();
    // From a browser that the account does not know, where those in a row count as well.
    person.visitor.cookies.get(host())!.delete('sluice-device');
    await node.pool.query('truncate throttle');
    const tries = async () =>
      (
        await node.pool.query(`select coalesce(sum(count), 0)::int as n from throttle where name in ($1, $2)`, [
          `code ${person.userId}`,
          `codes in a row ${person.userId}`,
        ])
      ).rows[0].n as number;
    const { mfa_secret } = (await node.pool.query('select mfa_secret from app_user where id = $1', [person.userId])).rows[0];
    await node.pool.query(`update app_user set mfa_secret = 'damaged' where id = $1`, [person.userId]);
    const waiting = visit(strict, { host: host() });
    await waiting.post('/team-login', { email: person.email, password: person.password });
    expect((await waiting.post('/api/user/validate-mfa', { MFA: '000000' })).statusCode).toBe(500);
    for (const path of ['session/prove', 'session/recovery-codes'])
      expect((await person.visitor.post(`/api/v1/${path}`, { MFA: '000000' })).statusCode).toBe(500);
    expect(await tries()).toBe(0);
    await node.pool.query('update app_user set mfa_secret = $2 where id = $1', [person.userId, mfa_secret]);
    expect((await person.visitor.post('/api/v1/session/prove', { MFA: '000000' })).statusCode).toBe(403);
    expect(await tries()).toBe(2);
  });

  it('a race: one code that is sent by two sessions at once proves one of them', async () => {
    const person = await equipped();
    const second = visit(strict, { host: host() });
    await second.post('/team-login', { email: person.email, password: person.password });
    await second.post('/api/user/validate-mfa', { MFA: person.recoveryCodes[0] });
    const MFA = codeOf(person.secret);
    const both = await Promise.all([person.visitor, second].map((one) => one.post('/api/v1/session/prove', { MFA })));
    expect(both.map((one) => one.statusCode).sort()).toEqual([200, 403]);
  });
});
