import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MESSAGES } from '#contract/message.ts';
import type { RegionPermission } from '#contract/session.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const T = '/api/v1/teamMgmt';
type Person = { userId: string; email: string; password: string; cookie: string };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let world: World;
let stranger: World;
let owner: Person;
let strangersOwner: Person;

async function signIn(user: { userId: string; email: string; password: string }): Promise<Person> {
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  return { ...user, cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' };
}
const newMember = async (more: Parameters<typeof buildUser>[2] = {}) =>
  signIn(await buildUser(node.db, world.organizationId, { role: 'member', ...more }));
const call = (path: string, body: unknown, cookie = owner.cookie) => node.post(`${T}/${path}`, body, { ...OWN_PAGE, cookie });
const read = async (path: string, cookie = owner.cookie) => {
  const response = await fetch(`${node.url}${T}/${path}`, { headers: { cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  return { statusCode: response.status, json: (await response.json()) as any };
};
const isSignedIn = async (cookie: string) => (await read('user/is-user-is-logged-in', cookie)).json.status;
const tree = (place: World, pages = ['overview']): RegionPermission[] => [
  {
    regionId: place.regionId,
    regionChecked: true,
    verticals: [{ verticalId: place.verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
  },
];
const memberOf = async (email: string) => (await read('team/members')).json.members.find((one: { email: string }) => one.email === email);

let guests = 0;
async function invite(more: Record<string, unknown> = {}) {
  guests += 1;
  const body = { email: `guest${guests}@example.com`, first_name: 'Gus', last_name: 'Guest', permissions: tree(world), ...more };
  const answer = await call('team/invite', body);
  return { ...body, answer, token: await lastToken() };
}
async function lastToken(): Promise<string> {
  const mails = await node.mailer.read(node.db, 5);
  const mail = mails.find((one) => one.kind === 'invitation');
  return /invitation\/([\w-]{43})/.exec(mail?.text ?? '')?.[1] ?? '';
}
const answerAs = (path: string, body: unknown, cookie = '') => call(`team/member/${path}`, body, cookie);
const registerMember = (teamId: string, more = {}) =>
  call('non-dp/users/register', { first_name: 'Gus', last_name: 'Guest', password: 'own-choice-1', teamId, ...more }, '');

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, { name: 'Harbour Leads' });
  stranger = await buildWorld(node.db);
  owner = await signIn(await buildUser(node.db, world.organizationId, { email: 'owner@example.com' }));
  strangersOwner = await signIn(await buildUser(node.db, stranger.organizationId));
});
afterAll(() => node.stop());

describe('account §4: an invitation', () => {
  it('names the person and the organization, and reading it changes nothing', async () => {
    const { token } = await invite();
    for (let n = 0; n < 2; n++) {
      const { json } = await answerAs('name', { teamId: token });
      expect(json).toMatchObject({
        teamData: { firstName: 'Gus', lastName: 'Guest' },
        organizationName: 'Harbour Leads',
        isUser: false,
        isInvitationSuccess: null,
      });
    }
  });

  it('A9: of a new person: the account is made with their own password, and opens', async () => {
    const { token, email } = await invite();
    expect((await answerAs('accept-invitation', { teamId: token })).json).toMatchObject({
      isInvitationSuccess: 2,
      isUser: false,
      teamId: token,
    });
    expect((await memberOf(email)).status).toBe('invited');
    expect((await registerMember(token)).json).toMatchObject({ status: true, env: true, email });
    const person = await signIn({ userId: '', email, password: 'own-choice-1' });
    expect(await isSignedIn(person.cookie)).toBe(true);
    expect((await memberOf(email)).status).toBe('active');
    const again = await registerMember(token, { password: 'somebody-else' });
    expect([again.statusCode, again.json.code]).toEqual([409, 'invitation_accepted']);
    expect((await answerAs('name', { teamId: token })).json.isInvitationSuccess).toBe(1);
  });

  it('A9: accepted twice at once: one wins, with one password', async () => {
    const { token, email } = await invite();
    const passwords = ['first-try-1', 'second-try-2', 'third-try-33'];
    const answers = await Promise.all(passwords.map((password) => registerMember(token, { password })));
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 409, 409]);
    const winner = passwords[answers.findIndex((one) => one.statusCode === 200)]!;
    for (const password of passwords)
      expect(await isSignedIn((await signIn({ userId: '', email, password })).cookie)).toBe(password === winner);
  });

  it('A9, 1.2 invitations: of somebody who has an account: accepted with their password or their session, and with nobody else’s', async () => {
    const known = await signIn(await buildUser(node.db, stranger.organizationId, { email: 'known@example.com' }));
    const { token } = await invite({ email: known.email });
    expect((await answerAs('name', { teamId: token })).json.isUser).toBe(true);
    expect((await answerAs('accept-invitation', { teamId: token, password: 'wrong-one-1' })).statusCode).toBe(401);
    expect((await answerAs('accept-invitation', { teamId: token }, strangersOwner.cookie)).json.code).toBe('invitation_of_another');
    expect((await registerMember(token)).json.code).toBe('invitation_has_account');
    expect((await answerAs('accept-invitation', { teamId: token, organizationId: stranger.organizationId })).json.code).toBe(
      'invitation_of_another',
    );
    expect((await answerAs('accept-invitation', { teamId: token }, known.cookie)).json).toMatchObject({
      isInvitationSuccess: 2,
      isUser: true,
    });
    expect(
      (await node.db.selectFrom('app_user').select('first_name').where('email', '=', known.email).executeTakeFirst())?.first_name,
    ).toBe('Una');
  });

  it('shows the organization nothing of an account before it accepts: only what was typed', async () => {
    const account = await buildUser(node.db, stranger.organizationId);
    await node.db.updateTable('app_user').set({ mfa_enabled_at: new Date() }).where('id', '=', account.userId).execute();
    const { token } = await invite({ email: account.email });
    const shown = { first_name: 'Gus', last_name: 'Guest', email: account.email };
    expect(await memberOf(account.email)).toMatchObject({ ...shown, userId: null, status: 'invited', isTwoFactorOn: null });
    const { data } = (await call('common/get-data', { model: 'teamMember' })).json;
    expect(data.filter((one: { status: string; userId: unknown }) => one.status === 'invited' && one.userId !== null)).toEqual([]);
    await answerAs('reject-invitation', { teamId: token });
    expect(await memberOf(account.email)).toMatchObject({ ...shown, status: 'rejected', isTwoFactorOn: null });
    const again = await invite({ email: account.email });
    await answerAs('accept-invitation', { teamId: again.token, password: account.password });
    expect(await memberOf(account.email)).toMatchObject({ first_name: 'Una', status: 'active', isTwoFactorOn: true });
  });

  it('A9, 1.2 invitations: rejected, deleted, sent anew, expired, of an inviter who left: no longer opens, and says why', async () => {
    const rejected = await invite();
    expect((await answerAs('reject-invitation', { teamId: rejected.token })).json.isInvitationSuccess).toBe(3);
    expect((await registerMember(rejected.token)).json.code).toBe('invitation_rejected');
    const deleted = await invite();
    await call('team/delete-invitation', { _id: (await memberOf(deleted.email))._id });
    expect((await registerMember(deleted.token)).json.code).toBe('invitation_deleted');
    expect((await answerAs('name', { teamId: deleted.token })).json.isInvitationSuccess).toBe(4);
    const resent = await invite();
    await call('team/resend-invitation', { _id: (await memberOf(resent.email))._id });
    const token = await lastToken();
    expect(token).not.toBe(resent.token);
    expect((await registerMember(resent.token)).json.code).toBe('invitation_deleted');
    expect((await registerMember(token)).statusCode).toBe(200);
    const late = await invite();
    await node.db
      .updateTable('one_time_token')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .where('used_at', 'is', null)
      .execute();
    expect((await registerMember(late.token)).json.code).toBe('invitation_deleted');
    const orphan = await invite();
    await node.db.updateTable('team_member').set({ invited_by: strangersOwner.userId }).where('status', '=', 'invited').execute();
    expect((await registerMember(orphan.token)).json.code).toBe('invitation_deleted');
  });

  it('A9, 1.2 invitations: unknown tokens, and tokens of another purpose, are no invitation', async () => {
    for (const teamId of ['x', 'A'.repeat(43)]) expect((await registerMember(teamId)).statusCode).toBe(404);
    expect((await answerAs('name', { teamId: ['x'] })).statusCode).toBe(400);
    expect((await answerAs('name', {})).statusCode).toBe(400);
  });

  it('carries names as text: no header, no mark-up', async () => {
    const headers = await invite({ first_name: 'Gus\r\nBcc: all@example.com' });
    expect(headers.answer.statusCode).toBe(400);
    await invite({ first_name: '<img src=x>', last_name: '"Guest"' });
    const [mail] = await node.mailer.read(node.db, 1);
    expect(mail!.html).not.toContain('<img');
    expect(mail!.subject).not.toMatch(/[\r\n]/);
  });

  it('is sent once to one person, and never with permissions of another organization', async () => {
    const { email } = await invite();
    expect((await invite({ email: ` ${email.toUpperCase()}` })).answer.json.code).toBe('member_invited');
    expect((await invite({ email: owner.email })).answer.json.code).toBe('member_exists');
    expect((await invite({ permissions: tree(stranger) })).answer.statusCode).toBe(404);
    expect((await invite({ permissions: tree(world, ['nowhere']) })).answer.statusCode).toBe(400);
    expect((await invite({ email: 'a@example.com, b@example.com' })).answer.statusCode).toBe(400);
  });
});

describe('account §5: the password of a new member', () => {
  const REFUSED: [string, string][] = [
    ['short-7', MESSAGES.passwordLength],
    ['this-one-is-too-long!', MESSAGES.passwordLength],
    ['', MESSAGES.passwordLength],
    ['Password123', MESSAGES.passwordCommon],
    ['qwertyuiop', MESSAGES.passwordCommon],
    ['gus-guest-1', MESSAGES.passwordHoldsName],
  ];

  it('has 8 to 20 characters and is none of those tried first: non-dp/users/register', async () => {
    const { token, email } = await invite();
    for (const [password, msg] of REFUSED) {
      const answer = await registerMember(token, { password });
      expect([password, answer.statusCode, answer.json.msg, answer.json.errors[0].field]).toEqual([password, 400, msg, 'password']);
    }
    expect((await memberOf(email)).status).toBe('invited');
    for (const password of ['8-chars!', '20-characters-long-1']) {
      const { token: teamId } = await invite();
      expect([password, (await registerMember(teamId, { password })).statusCode]).toEqual([password, 200]);
    }
  });

  it('has 8 to 20 characters and is none of those tried first: accept-invitation, with the whole payload of account §3', async () => {
    const { token, email } = await invite();
    const accept = (password: string, more = {}) =>
      answerAs('accept-invitation', {
        first_name: 'Augusta',
        last_name: 'Guestova',
        password,
        email,
        organizationId: world.organizationId,
        teamId: token,
        ...more,
      });
    // Without a password the person is sent on to register, and nothing has happened yet.
    for (const [password, msg] of REFUSED.filter(([text]) => text !== '')) {
      const answer = await accept(password === 'gus-guest-1' ? 'augusta-1' : password);
      expect([password, answer.statusCode, answer.json.msg, answer.json.errors[0].field]).toEqual([password, 400, msg, 'password']);
    }
    expect((await accept('own-choice-1', { email: owner.email })).json.code).toBe('invitation_of_another');
    expect((await memberOf(email)).status).toBe('invited');
    expect((await accept('own-choice-1')).json).toMatchObject({ isInvitationSuccess: 2, isUser: true, teamId: token });
    expect(await memberOf(email)).toMatchObject({ status: 'active', first_name: 'Augusta', last_name: 'Guestova' });
    expect(await isSignedIn((await signIn({ userId: '', email, password: 'own-choice-1' })).cookie)).toBe(true);
  });
});

describe('account §4: a member who registers where two-factor is on', () => {
  it('is told that the way on leads over the sign-in, and sets it up there', async () => {
    const strict = await startNode(node.database.url, { twoFactor: true });
    const { token, email } = await invite();
    const body = { first_name: 'Gus', last_name: 'Guest', password: 'own-choice-1', teamId: token };
    const registered = await strict.post(`${T}/non-dp/users/register`, body, OWN_PAGE);
    expect(registered.json).toEqual({ status: true, env: false, msg: MESSAGES.userActivated, email });
    expect(registered.headers.get('set-cookie')).toBeNull();
    const visitor = visit(strict, { host: `${world.subDomain}.localhost` });
    // The link of the invitation has confirmed the address: no second mail is waited for.
    const first = await visitor.post('/team-login', { email, password: 'own-choice-1' });
    expect(first.json).toMatchObject({ status: true, isEnv: false, Qrstatus: '1', qrCode: expect.stringMatching(/^data:image/) });
    const MFA = new TOTP({ secret: Secret.fromBase32(first.json.secret) }).generate();
    expect((await visitor.post('/api/user/verify-mfa', { MFA })).json.organizations).toMatchObject([{ _id: world.organizationId }]);
    expect((await visitor.get(`${T}/user/is-user-is-logged-in`)).json).toMatchObject({ status: true, user: { email } });
    await strict.close();
  });
});

describe('account §4: security notices', () => {
  const noticesTo = async (email: string) =>
    (await node.mailer.read(node.db, 500)).filter((one) => one.recipient === email && one.kind === 'security-notice');
  const setNotices = (securityNotices: boolean) =>
    call('common/update', { model: 'preferences', _id: world.organizationId, data: { securityNotices } });

  it('tell the owner who has joined and who has rejected, unless the preferences say not to', async () => {
    const before = (await noticesTo(owner.email)).length;
    const answerBoth = async () => {
      const [joins, rejects] = [await invite(), await invite()];
      await registerMember(joins.token);
      await answerAs('reject-invitation', { teamId: rejects.token });
      return { joins, rejects };
    };
    const { joins, rejects } = await answerBoth();
    const told = (await noticesTo(owner.email)).slice(0, 2);
    expect(told.map((one) => one.subject)).toEqual([
      `${rejects.email} has rejected your invitation`,
      expect.stringMatching(/^Gus Guest has joined /),
    ]);
    for (const [at, email] of [rejects.email, joins.email].entries())
      for (const body of [told[at]!.text, told[at]!.html]) expect(body).toContain(email);
    expect((await noticesTo(owner.email)).length).toBe(before + 2);
    expect((await setNotices(false)).statusCode).toBe(200);
    await answerBoth();
    expect((await noticesTo(owner.email)).length).toBe(before + 2);
    expect((await setNotices(true)).statusCode).toBe(200);
    await answerBoth();
    expect((await noticesTo(owner.email)).length).toBe(before + 4);
  });

  it('of a hand-over reach the old and the new owner, whatever the preferences say', async () => {
    const place = await buildWorld(node.db, { name: 'Pier Leads' });
    const first = await signIn(await buildUser(node.db, place.organizationId));
    const heir = await buildUser(node.db, place.organizationId, { role: 'member' });
    const update = { model: 'preferences', _id: place.organizationId, data: { securityNotices: false } };
    expect((await call('common/update', update, first.cookie)).statusCode).toBe(200);
    const { members } = (await read('team/members', first.cookie)).json;
    const { _id } = members.find((one: { email: string }) => one.email === heir.email);
    await call('team/hand-over-ownership', { _id, password: 'not-mine-1' }, first.cookie);
    expect(await noticesTo(heir.email)).toEqual([]);
    expect((await call('team/hand-over-ownership', { _id, password: first.password }, first.cookie)).statusCode).toBe(200);
    for (const email of [first.email, heir.email]) {
      const [notice, ...more] = await noticesTo(email);
      expect([notice!.subject, more]).toEqual(['The ownership of Pier Leads was handed over', []]);
      expect(notice!.text).toContain(`(${heir.email}) is now the owner of Pier Leads.`);
    }
  });

  it('that a person’s own password or second factor has changed cannot be silenced by an organization', async () => {
    const member = await newMember();
    await setNotices(false);
    const change = { currentPassword: member.password, password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' };
    expect((await call('user/change-password', change, member.cookie)).statusCode).toBe(200);
    const kinds = (await node.mailer.read(node.db, 20)).filter((one) => one.recipient === member.email).map((one) => one.kind);
    expect(kinds).toContain('password-changed');
    await setNotices(true);
  });
});

describe('account §6: the team is the owner’s', () => {
  it('a member, even with every page, may none of it; nor may a stranger', async () => {
    const member = await newMember({ permissions: tree(world, ['setup', 'overview']) });
    const target = await newMember();
    const { _id } = await memberOf(target.email);
    const calls: [string, unknown][] = [
      ['team/invite', { email: 'z@example.com', first_name: 'Z', last_name: 'Z', permissions: [] }],
      ['team/edit-permissions', { _id, permissions: [] }],
      ['team/disable', { _id }],
      ['team/enable', { _id }],
      ['team/remove', { _id }],
      ['team/resend-invitation', { _id }],
      ['team/delete-invitation', { _id }],
      ['team/hand-over-ownership', { _id, password: member.password }],
    ];
    for (const [path, body] of calls) {
      expect([path, (await call(path, body, member.cookie)).statusCode]).toEqual([path, 403]);
      expect([path, (await call(path, body, '')).statusCode]).toEqual([path, 401]);
      if (path !== 'team/invite')
        expect([
          path,
          (
            await call(
              path,
              { ...(body as object), password: strangersOwner.password, ...(path.includes('hand') ? {} : { password: undefined }) },
              strangersOwner.cookie,
            )
          ).statusCode,
        ]).toEqual([path, 404]);
    }
    expect((await read('team/members', member.cookie)).statusCode).toBe(403);
  });

  it('B1, B6: a change of permissions ends the member’s sessions at once, and holds from the next sign-in', async () => {
    const member = await newMember();
    const { _id } = await memberOf(member.email);
    expect((await call('team/edit-permissions', { _id, permissions: tree(world, ['overview', 'setup']) })).statusCode).toBe(200);
    expect(await isSignedIn(member.cookie)).toBe(false);
    const again = await signIn(member);
    const { json } = await read('user/is-user-is-logged-in', again.cookie);
    expect(json.permissionObj.globalPermission.map((one: { value: string }) => one.value)).toEqual(['overview', 'setup']);
  });

  it('B6: disabled, enabled, removed: each takes effect at once', async () => {
    const member = await newMember();
    const { _id } = await memberOf(member.email);
    await call('team/disable', { _id });
    expect(await isSignedIn(member.cookie)).toBe(false);
    expect((await signIn(member)).cookie).toBe('');
    expect((await call('team/disable', { _id })).statusCode).toBe(409);
    await call('team/enable', { _id });
    const again = await signIn(member);
    expect(await isSignedIn(again.cookie)).toBe(true);
    await call('team/remove', { _id });
    expect(await isSignedIn(again.cookie)).toBe(false);
    expect(await memberOf(member.email)).toBeUndefined();
    expect((await call('team/remove', { _id })).statusCode).toBe(404);
  });

  it('the owner cannot disable, remove or limit themselves', async () => {
    const { _id } = await memberOf(owner.email);
    for (const path of ['team/disable', 'team/remove']) expect((await call(path, { _id })).json.code).toBe('member_is_self');
    expect((await call('team/edit-permissions', { _id, permissions: [] })).json.code).toBe('member_is_self');
  });

  it('a super admin may run the team of the organization they are in', async () => {
    // Every organization is open to them: they choose this one.
    const { email, password } = await buildUser(node.db, world.organizationId, { role: 'member', superAdmin: true });
    const admin = visit(node, { host: `${world.subDomain}.localhost` });
    await admin.post('/team-login', { email, password });
    const target = await newMember();
    expect((await admin.post(`${T}/team/disable`, { _id: (await memberOf(target.email))._id })).statusCode).toBe(200);
  });
});

describe('account §4: two things at one moment', () => {
  it('an invitation that is answered while it is withdrawn or sent again ends one way or the other, never in an error of ours', async () => {
    const codes: number[] = [];
    for (let n = 0; n < 6; n++) {
      const { email, token } = await invite();
      const { _id } = await memberOf(email);
      const change = n % 2 ? 'team/delete-invitation' : 'team/resend-invitation';
      const both = await Promise.all([answerAs('reject-invitation', { teamId: token }), call(change, { _id })]);
      codes.push(...both.map((one) => one.statusCode));
    }
    expect(codes.filter((code) => code >= 500)).toEqual([]);
  });
});

describe('account §1, §6: handing the ownership over', () => {
  it('asks for the password, happens once, and rotates the sessions of both', async () => {
    const place = await buildWorld(node.db);
    const first = await signIn(await buildUser(node.db, place.organizationId));
    const heirs = await Promise.all([1, 2].map(async () => signIn(await buildUser(node.db, place.organizationId, { role: 'member' }))));
    const members = (await read('team/members', first.cookie)).json.members;
    const idOf = (email: string) => members.find((one: { email: string }) => one.email === email)._id;
    const handOver = (at: number, password: string) =>
      call('team/hand-over-ownership', { _id: idOf(heirs[at]!.email), password }, first.cookie);
    expect((await handOver(0, 'not-mine-1')).json.code).toBe('password_wrong');
    const answers = await Promise.all([handOver(0, first.password), handOver(1, first.password)]);
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 403]);
    const won = answers.findIndex((one) => one.statusCode === 200);
    const cookie = answers[won]!.headers.get('set-cookie')!.split(';')[0]!;
    expect(await isSignedIn(first.cookie)).toBe(false);
    expect(await isSignedIn(heirs[won]!.cookie)).toBe(false);
    const { json } = await read('user/is-user-is-logged-in', cookie);
    expect(json.permissionObj).toMatchObject({ isOwner: false });
    expect(json.permissionObj.globalPermission).toHaveLength(25);
    expect((await read('team/members', (await signIn(heirs[won]!)).cookie)).statusCode).toBe(200);
    expect((await read('team/members', cookie)).statusCode).toBe(403);
  });
});

describe('account §2: who is online', () => {
  it('shows those seen within five minutes, their e-mail and where they are only to the owner, who may end a session', async () => {
    const member = await newMember();
    const own = (await read('monitor/online-users')).json;
    const session = own.users.find((one: { userId: string }) => one.userId === member.userId);
    expect(session).toMatchObject({ isOwnSession: false, network: '127.0.0.1', email: member.email });
    const colleagues = (await read('monitor/online-users', member.cookie)).json;
    expect(colleagues.users.find((one: { userId: string }) => one.userId === owner.userId)).toMatchObject({
      ...{ network: '', device: '', email: '' },
    });
    expect(colleagues.users.find((one: { userId: string }) => one.userId === member.userId)).toMatchObject({ email: member.email });
    expect(JSON.stringify((await read('monitor/online-users', strangersOwner.cookie)).json)).not.toContain(member.userId);
    expect((await call('monitor/end-session', { _id: session._id }, strangersOwner.cookie)).statusCode).toBe(404);
    expect((await call('monitor/end-session', { _id: session._id }, member.cookie)).statusCode).toBe(403);
    expect((await call('monitor/end-session', { _id: session._id })).statusCode).toBe(200);
    expect(await isSignedIn(member.cookie)).toBe(false);
    const idle = await newMember();
    await node.db
      .updateTable('session')
      .set({ seen_at: new Date(Date.now() - 6 * 60_000) })
      .where('user_id', '=', idle.userId)
      .execute();
    expect(JSON.stringify((await read('monitor/online-users')).json)).not.toContain(idle.userId);
    await read('monitor/online-users', idle.cookie);
    expect(JSON.stringify((await read('monitor/online-users')).json)).toContain(idle.userId);
  });
});

describe('account §7: the generic data calls', () => {
  const get = (body: unknown, cookie = owner.cookie) => call('common/get-data', body, cookie);
  const update = (body: unknown, cookie = owner.cookie) => call('common/update', body, cookie);

  it('A10, 1.2 identity from body: user: one’s own names and zone, and of nobody else', async () => {
    const member = await newMember();
    const data = { first_name: 'Nia', last_name: 'New', reportingTimeZone: 'Europe/London' };
    expect((await update({ model: 'user', _id: member.userId, data }, member.cookie)).json.data).toMatchObject({
      ...data,
      email: member.email,
    });
    expect((await get({ model: 'user' }, member.cookie)).json.data).toHaveLength(1);
    for (const _id of [owner.userId, strangersOwner.userId])
      expect((await update({ model: 'user', _id, data }, member.cookie)).statusCode).toBe(404);
    for (const bad of [
      { email: 'x@example.com' },
      { password_hash: 'x' },
      { is_super_admin: true },
      { __proto__x: 1 },
      { first_name: 7 },
      { reportingTimeZone: 'Mars' },
      {},
    ])
      expect((await update({ model: 'user', _id: member.userId, data: bad }, member.cookie)).statusCode).toBe(400);
  });

  it('organization and preferences: the owner’s, with the sub-domain never twice', async () => {
    const member = await newMember();
    const _id = world.organizationId;
    expect((await update({ model: 'organization', _id, data: { name: 'Harbour', legalFooterText: 'Licensed.' } })).json.data.name).toBe(
      'Harbour',
    );
    expect((await update({ model: 'organization', _id, data: { name: 'Mine' } }, member.cookie)).statusCode).toBe(403);
    expect((await update({ model: 'organization', _id: stranger.organizationId, data: { name: 'Mine' } })).statusCode).toBe(404);
    expect((await update({ model: 'organization', _id, data: { subDomain: stranger.subDomain } })).json.code).toBe('sub_domain_taken');
    expect((await update({ model: 'organization', _id, data: { subDomain: 'www' } })).statusCode).toBe(400);
    expect((await update({ model: 'organization', _id, data: { legalFooterText: 'x'.repeat(5001) } })).statusCode).toBe(400);
    const preferences = {
      timeZone: 'America/New_York',
      currencyDisplay: 'code',
      landingPage: 'setup',
      securityNotices: false,
      breakerNotices: false,
      redirectHours: 48,
      allowFSUsers: [member.userId],
    };
    expect((await update({ model: 'preferences', _id, data: preferences })).json.data).toMatchObject(preferences);
    expect((await get({ model: 'preferences' })).json.data).toEqual([{ _id, ...preferences }]);
    expect((await read('user/is-user-is-logged-in', member.cookie)).json.permissionObj.isRestricted).toBe(true);
    expect((await update({ model: 'preferences', _id, data: { allowFSUsers: [strangersOwner.userId] } })).statusCode).toBe(404);
    expect((await get({ model: 'preferences' }, member.cookie)).statusCode).toBe(403);
  });

  it('teamMember, region, vertical: within the organization, and as far as is ticked', async () => {
    const member = await newMember();
    expect((await get({ model: 'region' }, member.cookie)).json.data).toEqual([]);
    expect((await get({ model: 'region' })).json.data).toMatchObject([{ _id: world.regionId, slug: 'us' }]);
    expect((await get({ model: 'vertical', _id: stranger.verticalId })).statusCode).toBe(404);
    expect((await update({ model: 'vertical', _id: stranger.verticalId, data: { name: 'x' } })).statusCode).toBe(404);
    expect((await update({ model: 'vertical', _id: world.verticalId, data: { name: 'Payday loans' } })).json.data.name).toBe(
      'Payday loans',
    );
    expect((await update({ model: 'vertical', _id: world.verticalId, data: { name: 'x' } }, member.cookie)).statusCode).toBe(403);
    expect((await get({ model: 'teamMember' }, member.cookie)).statusCode).toBe(403);
  });

  it('A10: unknown models and fields are refused by name', async () => {
    expect((await get({ model: 'app_user' })).json.code).toBe('record_model_unknown');
    expect((await get({ model: 'constructor' })).json.code).toBe('record_model_unknown');
    expect((await update({ model: 'user', _id: owner.userId, data: { constructor: 1 } })).json.code).toBe('record_field_unknown');
    expect((await update({ model: 'user', _id: 'x', data: { first_name: 'A' } })).statusCode).toBe(404);
  });
});

describe('account §2: logos', () => {
  const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
  const put = async (body: Buffer, type = 'image/png', cookie = owner.cookie, kind = 'standard') =>
    (
      await fetch(`${node.url}${T}/organization/logo/${kind}`, {
        method: 'POST',
        body: new Uint8Array(body),
        headers: { ...OWN_PAGE, cookie, 'content-type': type },
      })
    ).status;

  it('console §5, F8: a PNG, JPEG, GIF or BMP of at most 512 KiB, whatever it is called, put up by the owner', async () => {
    expect(await put(Buffer.concat([Buffer.from('GIF89a'), Buffer.from([1, 0, 1, 0]), Buffer.alloc(20)]), 'image/gif')).toBe(200);
    expect(
      await put(Buffer.concat([Buffer.from('BM'), Buffer.alloc(16), Buffer.from([1, 0, 0, 0, 1, 0, 0, 0]), Buffer.alloc(40)]), 'image/bmp'),
    ).toBe(200);
    expect(await put(PNG)).toBe(200);
    const shown = await fetch(`${node.url}/organization-logos/standard`, { headers: { cookie: owner.cookie } });
    expect([shown.status, shown.headers.get('content-type'), Buffer.from(await shown.arrayBuffer()).equals(PNG)]).toEqual([
      200,
      'image/png',
      true,
    ]);
    expect((await read('user/is-user-is-logged-in')).json.organization.logo).toMatch(/^\/organization-logos\/standard\?v=/);
    expect(await put(Buffer.from('<svg onload="alert(1)">'))).toBe(415);
    expect(await put(Buffer.from('<svg/>'), 'image/svg+xml')).toBe(415);
    expect(await put(Buffer.concat([PNG, Buffer.alloc(512 * 1024)]))).toBe(413);
    expect(await put(PNG, 'image/png', (await newMember()).cookie)).toBe(403);
    expect(await put(PNG, 'image/png', '')).toBe(401);
    expect(await put(PNG, 'image/png', owner.cookie, 'other')).toBe(400);
    const shownTo = async (cookie: string) => (await fetch(`${node.url}/organization-logos/standard`, { headers: { cookie } })).status;
    expect(await shownTo(strangersOwner.cookie)).toBe(404);
    expect((await call('organization/logo/standard/remove', {})).statusCode).toBe(200);
    expect(await shownTo(owner.cookie)).toBe(404);
  });
});
