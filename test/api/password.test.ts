/** Forgotten, reset and changed passwords, activation, and the mails between (account §4, §5, §7, §8). */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { MESSAGES } from '#contract/message.ts';
import { newId } from '#server/kit/ids.ts';
import { sendActivation } from '#server/session/activation.ts';
import { issueToken } from '#server/token/one-time-token.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let strict: TestNode;
let world: World;

const BASE = '/api/v1/teamMgmt';
const NEW = { password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' };

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
  world = await buildWorld(node.db, { name: 'Harbour Leads' });
});
afterAll(async () => {
  await strict.close();
  await node.stop();
});
beforeEach(() => node.pool.query('truncate throttle'));

const mailsTo = async (email: string) => (await node.mailer.read(node.db, 500)).filter((mail) => mail.recipient === email);
const linkIn = (text: string) => new URL(/https?:\S+/.exec(text)![0]);
const host = () => `${world.subDomain}.localhost`;
const canSignIn = async (email: string, password: string) =>
  (await visit(node, { host: host() }).post('/team-login', { email, password })).statusCode;

async function forgot(email: string): Promise<string> {
  await visit(node).post(`${BASE}/user/forgot-password`, { text: email });
  const url = linkIn((await mailsTo(email))[0]!.text);
  expect(url.pathname).toMatch(/^\/reset\/[\w-]{43}$/);
  expect(url.hostname).toBe('localhost');
  return url.pathname.split('/')[2]!;
}

describe('account §7: forgot-password', () => {
  it('A5: sends a link to the address, lower-cased, and answers the same to one that nobody has', async () => {
    const { email } = await buildUser(node.db, world.organizationId, { email: 'forgetful@example.com' });
    const known = await visit(node).post(`${BASE}/user/forgot-password`, { text: ` ${email.toUpperCase()}` });
    const unknown = await visit(node).post(`${BASE}/user/forgot-password`, { text: 'nobody@example.com' });
    expect([known.statusCode, known.json]).toEqual([unknown.statusCode, unknown.json]);
    expect(known.json).toEqual({ status: true, msg: MESSAGES.resetPassEmailSent });
    expect(await mailsTo(email)).toHaveLength(1);
    expect(await mailsTo('nobody@example.com')).toHaveLength(0);
  });

  it('A5: takes as long for an address that nobody has', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    for (const text of [email, 'nobody2@example.com']) {
      const began = performance.now();
      await visit(node).post(`${BASE}/user/forgot-password`, { text });
      // Both wait for the same clock; what is done meanwhile is shorter.
      expect(performance.now() - began).toBeGreaterThan(240);
    }
  });

  it('a stranger who asks ends no link of the person’s own, nor their right to ask; all links end with the first that is used', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    const own = await forgot(email);
    for (let n = 0; n < 6; n++) await visit(node, { address: '198.51.100.9' }).post(`${BASE}/user/forgot-password`, { text: email });
    const again = await forgot(email);
    const send = async (token: string) => (await visit(node).post(`${BASE}/user/reset-password/${token}`, NEW)).statusCode;
    expect([await send(own), await send(again)]).toEqual([200, 410]);
  });

  it('no address gets more than twenty of one kind in an hour, from wherever they are asked for', async () => {
    await insideOneMinute();
    const { email } = await buildUser(node.db, world.organizationId);
    const asked = Array.from({ length: 24 }, (_, n) =>
      visit(node, { address: `198.51.${n}.1` }).post(`${BASE}/user/forgot-password`, { text: email }),
    );
    expect((await Promise.all(asked)).every((one) => one.statusCode === 200)).toBe(true);
    expect(await mailsTo(email)).toHaveLength(20);
  });

  it('account §5, §8: an address is required; what is none, and too many, is said as danger', async () => {
    await insideOneMinute();
    for (const text of ['', '  ', 'no address', 'a@b', 'a@b.co\r\nBcc: x@y.z']) {
      const { statusCode, json } = await visit(node).post(`${BASE}/user/forgot-password`, { text });
      expect([statusCode, json.status, json.msg]).toEqual([400, 'danger', MESSAGES.emailInvalid]);
    }
    for (let n = 0; n < 5; n++) await visit(node).post(`${BASE}/user/forgot-password`, { text: 'often@example.com' });
    const late = await visit(node).post(`${BASE}/user/forgot-password`, { text: 'often@example.com' });
    expect([late.statusCode, late.json.status]).toEqual([429, 'danger']);
    for (const [path, field] of [
      ['user/reset-mfa', 'text'],
      ['team/resend-activation-email', 'email'],
    ] as const)
      expect((await visit(node).post(`${BASE}/${path}`, { [field]: '' })).statusCode).toBe(400);
  });

  it('refuses what is no text', async () => {
    for (const body of [{}, { text: 5 }, { text: 'x'.repeat(300) }, { text: 'a', more: 1 }, []])
      expect((await visit(node).post(`${BASE}/user/forgot-password`, body)).statusCode).toBe(400);
  });
});

describe('account §7: reset-password', () => {
  it('A8, 1.2 reset flow: sets the new password, ends every session, tells by mail, and the link is used up', async () => {
    const { email, password } = await buildUser(node.db, world.organizationId);
    const old = visit(node, { host: host() });
    await old.post('/team-login', { email, password });
    const token = await forgot(email);
    const done = await visit(node).post(`${BASE}/user/reset-password/${token}`, NEW);
    expect(done.json).toMatchObject({ status: true, msg: MESSAGES.passworResetSuccess, user: { email } });
    expect((await old.get('/api/v1/session/list')).statusCode).toBe(401);
    expect([await canSignIn(email, password), await canSignIn(email, NEW.password)]).toEqual([401, 200]);
    expect((await mailsTo(email))[0]!.kind).toBe('password-changed');
    const again = await visit(node).post(`${BASE}/user/reset-password/${token}`, NEW);
    expect([again.statusCode, again.json.msg]).toEqual([410, MESSAGES.passwortokenExpired]);
  });

  it('account §5: both 8 to 20 characters, equal, and not among those tried first; a refusal leaves the link good', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    const token = await forgot(email);
    const send = async (password: string, confirmPassword = password) =>
      (await visit(node).post(`${BASE}/user/reset-password/${token}`, { password, confirmPassword })).json.msg;
    expect(await send('short-7')).toBe(MESSAGES.passwordLength);
    expect(await send('this-one-is-too-long!')).toBe(MESSAGES.passwordLength);
    expect(await send('blue-kettle-7', 'blue-kettle-8')).toBe(MESSAGES.passwordNotMatch);
    expect(await send('Password123')).toBe(MESSAGES.passwordCommon);
    expect(await send('harbourleads1')).toBe(MESSAGES.passwordHoldsName);
    expect(await send('blue-kettle-7')).toBe(MESSAGES.passworResetSuccess);
  });

  it('A8, 1.2 reset flow: refuses links that are unknown, expired, for something else or ended by the use of another', async () => {
    const { userId, email } = await buildUser(node.db, world.organizationId);
    const [, second] = [await forgot(email), await forgot(email)];
    const send = async (token: string) =>
      (await visit(node).post(`${BASE}/user/reset-password/${encodeURIComponent(token)}`, NEW)).statusCode;
    expect(await send('nonsense')).toBe(410);
    await visit(node).post(`${BASE}/user/reset-mfa`, { text: email });
    expect(await send(linkIn((await mailsTo(email))[0]!.text).searchParams.get('token')!)).toBe(410);
    await node.pool.query(`update one_time_token set expires_at = now() where user_id = $1`, [userId]);
    expect(await send(second)).toBe(410);
  });

  it('A8: two who use one link at once: one of them sets the password', async () => {
    const { email } = await buildUser(node.db, world.organizationId);
    const token = await forgot(email);
    const answers = await Promise.all([1, 2, 3].map(() => visit(node).post(`${BASE}/user/reset-password/${token}`, NEW)));
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 410, 410]);
  });
});

describe('account §2: change-password', () => {
  it('asks for the current one, ends the other sessions and renews this one', async () => {
    const { email, password } = await buildUser(node.db, world.organizationId);
    const [here, there] = [visit(node, { host: host() }), visit(node, { host: host() })];
    for (const visitor of [here, there]) await visitor.post('/team-login', { email, password });
    const before = here.cookies.get(host())!.get('sluice');
    const wrong = await here.post(`${BASE}/user/change-password`, { currentPassword: 'not it', ...NEW });
    expect([wrong.statusCode, wrong.json.errors[0].field]).toEqual([400, 'currentPassword']);
    expect((await here.post(`${BASE}/user/change-password`, { currentPassword: password, ...NEW })).json.msg).toBe(
      MESSAGES.passwordChanged,
    );
    expect(here.cookies.get(host())!.get('sluice')).not.toBe(before);
    expect((await here.get('/api/v1/session/list')).json.sessions).toHaveLength(1);
    expect((await there.get('/api/v1/session/list')).statusCode).toBe(401);
    expect((await visit(node).post(`${BASE}/user/change-password`, { currentPassword: password, ...NEW })).statusCode).toBe(401);
  });

  it('account §5, A4: somebody whose account is being guessed at gets back in by the mail, however many guess', async () => {
    await insideOneMinute();
    const { email } = await buildUser(node.db, world.organizationId);
    for (let n = 0; n < 110; n++)
      await visit(node, { address: `198.51.${100 + (n >> 5)}.${n % 32}` }).post('/team-login', { email, password: 'guess' });
    const own = visit(node, { address: '203.0.113.78' });
    const signIn = () => own.post('/team-login', { email, password: NEW.password });
    expect((await signIn()).statusCode).toBe(429);
    const reset = await own.post(`${BASE}/user/reset-password/${await forgot(email)}`, NEW);
    expect(reset.statusCode).toBe(200);
    expect((await signIn()).statusCode).toBe(200);
  }, 60_000);
});

describe('account §4: what begins with old credentials', () => {
  it('B6: ends with them: a sign-in that is under way while the password changes opens nothing', async () => {
    const { email, password } = await buildUser(node.db, world.organizationId);
    const own = visit(node, { host: host() });
    await own.post('/team-login', { email, password });
    const others = Array.from({ length: 18 }, (_, n) => visit(node, { host: host(), address: `198.51.100.${n}` }));
    const changing = own.post(`${BASE}/user/change-password`, { currentPassword: password, ...NEW });
    // One after the other, so that some have read the old password and are not through when the new one is set.
    const signingIn = [];
    for (const one of others) {
      signingIn.push(one.post('/team-login', { email, password }));
      await new Promise((resolve) => setTimeout(resolve, 4));
    }
    expect((await changing).statusCode).toBe(200);
    await Promise.all(signingIn);
    const open = await Promise.all(others.map(async (one) => (await one.get('/api/v1/session/list')).statusCode));
    expect(open.every((status) => status === 401)).toBe(true);
    expect((await own.get('/api/v1/session/list')).json.sessions).toHaveLength(1);
  });

  it.each(['change-password', 'reset', 'sign-out', 'end all others'])(
    'B6: ends with them: a hand-over does not outlive %s',
    async (how) => {
      const { userId, email, password } = await buildUser(node.db, world.organizationId);
      const own = visit(node, { host: host() });
      await own.post('/team-login', { email, password });
      const userSessionId = await issueToken(node.db, 'hand-over', { userId, organizationId: world.organizationId });
      if (how === 'change-password') await own.post(`${BASE}/user/change-password`, { currentPassword: password, ...NEW });
      if (how === 'reset') await visit(node).post(`${BASE}/user/reset-password/${await forgot(email)}`, NEW);
      if (how === 'sign-out') await own.get('/admin/logout');
      if (how === 'end all others') await own.post('/api/v1/session/end', { all: true });
      const body = { userSessionId, orgId: world.organizationId };
      expect((await visit(node, { host: host() }).post('/api/v1/session/auto-login', body)).statusCode).toBe(401);
    },
  );

  it('A8: a reset link does not outlive a change of the password', async () => {
    const { email, password } = await buildUser(node.db, world.organizationId);
    const token = await forgot(email);
    const own = visit(node, { host: host() });
    await own.post('/team-login', { email, password });
    await own.post(`${BASE}/user/change-password`, { currentPassword: password, ...NEW });
    expect((await visit(node).post(`${BASE}/user/reset-password/${token}`, NEW)).statusCode).toBe(410);
  });

  it('a second factor that was set up before the address was confirmed goes when its owner resets the password', async () => {
    const { userId, email } = await buildUser(node.db, world.organizationId);
    await node.pool.query(`update app_user set email_confirmed_at = null, mfa_enabled_at = now(), mfa_secret = '\\x00' where id = $1`, [
      userId,
    ]);
    await visit(node).post(`${BASE}/user/reset-password/${await forgot(email)}`, NEW);
    const { json } = await visit(strict, { host: host() }).post('/team-login', { email, password: NEW.password });
    expect(json.Qrstatus).toBe('1');
  });
});

describe('account §4: reset of two-factor by mail', () => {
  it('takes the second factor away, ends sessions, and tells the person and the owner', async () => {
    const team = await buildWorld(node.db, { name: 'Lighthouse' });
    const owner = await buildUser(node.db, team.organizationId);
    const { userId, email } = await buildUser(node.db, team.organizationId, { role: 'member' });
    await node.pool.query(`update app_user set mfa_enabled_at = now(), mfa_secret = '\\x00' where id = $1`, [userId]);
    await visit(node).post(`${BASE}/user/reset-mfa`, { text: email });
    const url = linkIn((await mailsTo(email))[0]!.text);
    expect(url.pathname).toBe('/reset-mfa');
    const token = url.searchParams.get('token');
    expect((await visit(node).post(`${BASE}/user/reset-mfa/${token}`)).json).toEqual({ status: true, msg: MESSAGES.mfaReset });
    expect((await node.pool.query('select mfa_secret, mfa_enabled_at from app_user where id = $1', [userId])).rows).toEqual([
      { mfa_secret: null, mfa_enabled_at: null },
    ]);
    expect((await mailsTo(email))[0]!.subject).toBe('Two-factor sign-in was reset');
    const [notice] = await mailsTo(owner.email);
    expect(notice!.text).toContain(`${email}), on the team of Lighthouse,`);
    expect((await visit(node).post(`${BASE}/user/reset-mfa/${token}`)).statusCode).toBe(410);
  });

  it('answers the same for an address that nobody has', async () => {
    const answer = await visit(node).post(`${BASE}/user/reset-mfa`, { text: 'nobody3@example.com' });
    expect(answer.json).toEqual({ status: true, msg: MESSAGES.resetMfaEmailSent });
  });
});

describe('account §4: email confirmation', () => {
  async function register(email: string) {
    const user = await buildUser(node.db, world.organizationId, { email });
    await node.pool.query('update app_user set email_confirmed_at = null where id = $1', [user.userId]);
    await sendActivation(
      node.db,
      { mailer: node.mailer, addresses: { origin: () => 'http://localhost:3000', subDomainOf: () => '' } },
      { id: user.userId, email, first_name: 'Ada' },
    );
    const url = linkIn((await mailsTo(email))[0]!.text);
    return { ...user, url, token: url.searchParams.get('token')! };
  }
  const activate = (token: string, email: string) =>
    visit(node).post(`${BASE}/team/register-member-activation?${new URLSearchParams({ token, email })}`);

  it('opens the account by the link, once; a second look says that it is done', async () => {
    const { userId, email, password, url, token } = await register('confirm@example.com');
    expect(url.pathname).toBe(`/invitation-confirm-email/${userId}`);
    const early = await visit(strict, { host: host() }).post('/team-login', { email, password });
    expect([early.statusCode, early.json.msg]).toEqual([403, MESSAGES.userNotActivated]);
    const shown = await visit(node).post(`${BASE}/team/register-member-data`, { userId, token });
    expect(shown.json.data).toMatchObject({ first_name: 'Una', email, organization: 'Harbour Leads' });
    expect((await activate(token, email)).json).toEqual({ status: true, msg: MESSAGES.userActivated });
    for (const again of [await activate(token, email), await visit(node).post(`${BASE}/team/register-member-data`, { userId, token })])
      expect([again.statusCode, again.json.msg]).toEqual([409, 'user already activated']);
    expect((await visit(strict, { host: host() }).post('/team-login', { email, password })).json.Qrstatus).toBe('1');
  });

  it('tells a stranger nothing: not without the token, not with somebody else’s', async () => {
    const [one, two] = [await register('one@example.com'), await register('two@example.com')];
    for (const body of [
      { userId: one.userId },
      { userId: one.userId, token: two.token },
      { userId: newId(), token: one.token },
      { userId: 'x', token: 'y' },
    ])
      expect((await visit(node).post(`${BASE}/team/register-member-data`, body)).statusCode).toBe(410);
    expect((await activate(two.token, one.email)).statusCode).toBe(410);
    expect((await activate(one.token, one.email)).statusCode).toBe(200);
  });

  it('is sent again on request, to those who wait for it only; the older link ends', async () => {
    const { email, token } = await register('again@example.com');
    const { email: active } = await buildUser(node.db, world.organizationId);
    for (const address of [email, active, 'nobody4@example.com'])
      expect((await visit(node).post(`${BASE}/team/resend-activation-email`, { email: address })).json.msg).toBe(
        MESSAGES.activationEmailSentSuccess,
      );
    expect([(await mailsTo(email)).length, (await mailsTo(active)).length]).toEqual([2, 0]);
    expect((await activate(token, email)).statusCode).toBe(410);
  });
});
