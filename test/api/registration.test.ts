import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweep } from '#server/node/sweep.ts';
import { expireRegistrations } from '#server/registration/expire-registrations.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const T = '/api/v1/teamMgmt';
let node: Awaited<ReturnType<typeof startTestWorld>>;
/** The same installation as production runs it: second factor and confirmation on. */
let strict: TestNode;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
});
afterAll(async () => {
  await strict.close();
  await node.stop();
});

let count = 0;
const fresh = (more: Record<string, unknown> = {}, orgDetails: Record<string, unknown> = {}) => {
  count += 1;
  return {
    first_name: 'Ada',
    last_name: 'Byron',
    email: `reg${count}@example.com`,
    password: 'correct-horse-1',
    orgDetails: { name: 'Fresh Leads', userDetail: [], subDomain: `fresh-${count}`, ...orgDetails },
    invitationData: null,
    ...more,
  };
};
const register = (body: unknown, at: TestNode = node) => at.post(`${T}/users/register`, body, OWN_PAGE);
const check = (domain: unknown, key = 'add') => node.post(`${T}/organization/check-domain-exist-status`, { domain, key }, OWN_PAGE);

describe('account §5: the sub-domain', () => {
  it('must not exist already, lower-cased', async () => {
    await register(fresh({}, { subDomain: 'Harbour' }));
    expect((await check('HARBOUR')).json).toEqual({ status: true, domain: 'harbour', msg: expect.stringContaining('taken') });
    expect((await check('harbour-two')).json).toEqual({ status: false, domain: 'harbour-two', msg: '' });
  });

  it('F6: is never one kept for the product, one that looks like another, nor one of a wrong length', async () => {
    for (const name of ['www', 'API', 'admin', 'login', 'mail', 'app', 'docs', 'help', 'static', 'assets', 'status', 'support'])
      expect((await check(name)).json).toMatchObject({ status: true, msg: expect.stringContaining('product itself') });
    const wrong = [
      'ab',
      'a'.repeat(41),
      '-ab',
      'ab-',
      'a.b',
      'a b',
      'аcme',
      'ａcme',
      'xn--cme-7cd',
      'acme\u200b',
      'ac--me',
      'a_b',
      '',
      'ſtore',
    ];
    for (const name of wrong) expect([name, (await check(name)).json.status]).toEqual([name, true]);
    for (const name of ['www', 'аcme', 'xn--cme-7cd']) {
      const answer = await register(fresh({}, { subDomain: name }));
      expect([name, answer.statusCode]).toEqual([name, 400]);
    }
  });

  it('asked for twice at once: one has it, the other is told so and nothing of them is kept', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map(() => register(fresh({}, { subDomain: 'wanted' }))));
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 409, 409, 409]);
    expect(answers.find((one) => one.statusCode === 409)?.json).toMatchObject({
      code: 'sub_domain_taken',
      errors: [{ field: 'orgDetails.subDomain' }],
    });
    const organizations = await node.db.selectFrom('organization').select('id').where('sub_domain', '=', 'wanted').execute();
    expect(organizations).toHaveLength(1);
  });

  it('F6: that an organization gave up is nobody else’s for a while, and its own again when it wants', async () => {
    const answer = await register(fresh({}, { subDomain: 'old-name' }));
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const { organization_id } = await node.db
      .selectFrom('team_member')
      .select('organization_id')
      .where('user_id', '=', answer.json.jsonResponse.user._id)
      .executeTakeFirstOrThrow();
    const rename = (subDomain: string) =>
      node.post(`${T}/common/update`, { model: 'organization', _id: organization_id, data: { subDomain } }, { ...OWN_PAGE, cookie });
    expect((await rename('new-name')).statusCode).toBe(200);
    expect((await check('old-name')).json.status).toBe(true);
    expect((await register(fresh({}, { subDomain: 'old-name' }))).json.code).toBe('sub_domain_taken');
    expect((await rename('harbour')).json.code).toBe('sub_domain_taken');
    expect((await rename('old-name')).statusCode).toBe(200);
    expect((await check('new-name')).json.status).toBe(true);
    for (const name of ['third-name', 'fourth-name', 'fifth-name']) expect((await rename(name)).statusCode).toBe(200);
    // Nobody sits on many names: five changes a day, and the last three given up are held.
    expect((await rename('sixth-name')).json.code).toBe('sub_domain_rate_limited');
    expect((await check('new-name')).json.status).toBe(false);
    expect((await check('third-name')).json.status).toBe(true);
    await node.db
      .updateTable('former_sub_domain')
      .set({ given_up_at: new Date(0) })
      .where('sub_domain', '=', 'third-name')
      .execute();
    await sweep(node.pool, Date.now());
    expect((await check('third-name')).json.status).toBe(false);
  });

  it('wrong types and strangers’ pages are refused', async () => {
    expect((await check(17)).statusCode).toBe(400);
    expect((await check('fine', 'other')).statusCode).toBe(400);
    expect((await node.post(`${T}/organization/check-domain-exist-status`, { domain: 'fine', key: 'add' })).statusCode).toBe(403);
  });
});

describe('account §4: registration', () => {
  it('in local and test: organization, owner and data key stand, and the person is signed in', async () => {
    const body = fresh({ email: ' New.Owner@Example.com ' });
    const answer = await register(body);
    expect(answer.json).toMatchObject({
      status: true,
      jsonResponse: { isEnv: true, Qrstatus: '', user: { email: 'new.owner@example.com', isActivate: true } },
    });
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const session = await fetch(`${node.url}${T}/user/is-user-is-logged-in?t=1`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ status: true, organization: { name: 'Fresh Leads' }, permissionObj: { isOwner: true } });
  });

  it('with two-factor: a QR code to set up, a mail to confirm, and a session that opens nothing yet', async () => {
    const body = fresh();
    const answer = await register(body, strict);
    expect(answer.json.jsonResponse).toMatchObject({ isEnv: false, Qrstatus: '1', user: { isActivate: false } });
    expect(answer.json.jsonResponse.qrCode).toMatch(/^data:image\/svg\+xml;base64,/);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const session = await fetch(`${strict.url}${T}/user/is-user-is-logged-in?t=1`, { headers: { cookie } });
    expect(await session.json()).toMatchObject({ status: false });
    const [mail] = await node.mailer.read(node.db, 1);
    expect(mail).toMatchObject({ kind: 'activation', recipient: body.email });
    expect(mail!.text).toMatch(new RegExp(`/invitation-confirm-email/${answer.json.jsonResponse.user._id}\\?token=[\\w-]{43}&email=`));
    const { mfa_secret } = await node.db
      .selectFrom('app_user')
      .select('mfa_secret')
      .where('email', '=', body.email)
      .executeTakeFirstOrThrow();
    // Version, nonce, 20 bytes in base32, tag.
    expect(mfa_secret!.length).toBe(1 + 12 + 32 + 16);
  });

  it('account §8, A9: an address that has an account is told so; one that was only invited is free', async () => {
    const body = fresh();
    await register(body);
    const again = await register(fresh({ email: body.email.toUpperCase() }));
    expect([again.statusCode, again.json.code]).toEqual([409, 'email_already_taken']);
    const host = await register(
      fresh({}, { userDetail: [{ email: 'guest@example.com', first_name: 'Gus', last_name: 'Guest', password: 'ignored-by-us' }] }),
    );
    expect(host.statusCode).toBe(200);
    expect((await register(fresh({ email: 'guest@example.com' }))).statusCode).toBe(200);
  });

  it('account §3: people named in userDetail are invited, and their password field sets nothing', async () => {
    const userDetail = [
      { isExisting: false, email: 'Friend@Example.com', first_name: 'Fay', last_name: 'Friend', password: 'not-theirs-1' },
    ];
    await register(fresh({}, { userDetail }));
    const [mail] = await node.mailer.read(node.db, 1);
    expect(mail).toMatchObject({ kind: 'invitation', recipient: 'friend@example.com' });
    const user = await node.db.selectFrom('app_user').selectAll().where('email', '=', 'friend@example.com').executeTakeFirstOrThrow();
    expect(user.password_hash).toBeNull();
    const tooMany = Array.from({ length: 21 }, (_, at) => ({ email: `many${at}@example.com` }));
    expect((await register(fresh({}, { userDetail: tooMany }))).statusCode).toBe(400);
  });

  it('account §5: a password has 8 to 20 characters and is not among those tried first', async () => {
    for (const password of ['short-7', 'x'.repeat(21), 'password123', '', 'adaByron-1']) {
      const answer = await register(fresh({ password, last_name: 'Byron', first_name: 'Adaby' }));
      expect([password, answer.statusCode]).toEqual([password, 400]);
      expect(answer.json.errors[0].field).toBe('password');
    }
    expect((await register(fresh({ password: 'exactly8' }))).statusCode).toBe(200);
    expect((await register(fresh({ password: 'twenty-characters-ok' }))).statusCode).toBe(200);
  });

  it('A10, A12: bad bodies are refused: wrong types, unknown fields, addresses that are two, names with line breaks', async () => {
    const wrong = [
      {},
      fresh({ email: 'a@example.com,b@example.com' }),
      fresh({ email: 'no-at-sign' }),
      fresh({ email: ['a@example.com'] }),
      fresh({ first_name: '' }),
      fresh({ first_name: 'Ada\r\nBcc: everybody@example.com' }),
      fresh({ first_name: 'Ada\u202eBob' }),
      fresh({}, { name: '\u2066Acme' }),
      fresh({ first_name: 'Win at https://evil.example' }),
      fresh({ first_name: 'x'.repeat(81) }),
      fresh({ isSuperAdmin: true }),
      fresh({}, { name: 'x'.repeat(201) }),
      fresh({}, { role: 'owner' }),
    ];
    for (const body of wrong) expect((await register(body)).statusCode).toBe(400);
  });

  it('a region-less organization is entered by its owner, who sees no region', async () => {
    const answer = await register(fresh());
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const places = await node.post('/api/v1/get-regions-and-verticals', {}, { ...OWN_PAGE, cookie });
    expect([places.json.fullRegionDatas, places.json.fullVerticalDatas]).toEqual(['[]', '[]']);
  });
});

describe('account §4: a registration that waits for its address to be confirmed', () => {
  const mailsTo = async (recipient: string) => (await node.mailer.read(node.db, 50)).filter((one) => one.recipient === recipient);
  const registerStrictly = async (guest: string, more = {}) => {
    const body = fresh(more, { userDetail: [{ email: guest, first_name: 'Gil', last_name: 'Guest' }] });
    expect((await register(body, strict)).statusCode).toBe(200);
    return body;
  };

  it('writes to nobody it names until then, and to each of them afterwards', async () => {
    const body = await registerStrictly('held@example.com');
    expect(await mailsTo('held@example.com')).toEqual([]);
    const [mail] = await mailsTo(body.email);
    const token = /token=([\w-]{43})/.exec(mail!.text)![1]!;
    const query = new URLSearchParams({ token, email: body.email });
    const activated = await strict.post(`${T}/team/register-member-activation?${query}`, {}, OWN_PAGE);
    expect(activated.statusCode).toBe(200);
    expect(await mailsTo('held@example.com')).toMatchObject([{ kind: 'invitation', text: expect.stringContaining('Gil') }]);
  });

  it('gives name and address back after a week in which nobody confirmed, and not while a link is good', async () => {
    const body = await registerStrictly('never@example.com');
    const DAY = 86_400_000;
    expect(await expireRegistrations(node.db, Date.now() + 2 * DAY)).toBe(0);
    await node.db
      .updateTable('app_user')
      .set({ password_changed_at: new Date(Date.now() - 8 * DAY) })
      .where('email', '=', body.email)
      .execute();
    await expireRegistrations(node.db, Date.now());
    expect((await check(body.orgDetails.subDomain)).json.status).toBe(true);
    await expireRegistrations(node.db, Date.now() + 4 * DAY);
    expect((await check(body.orgDetails.subDomain)).json.status).toBe(false);
    const left = await node.db.selectFrom('app_user').select('email').where('email', 'in', [body.email, 'never@example.com']).execute();
    expect(left).toEqual([]);
    expect((await register(fresh({ email: body.email }, { subDomain: body.orgDetails.subDomain }))).statusCode).toBe(200);
  });

  it('goes after a month whatever mails are asked for, but never while somebody else is or was in the organization', async () => {
    const DAY = 86_400_000;
    const age = (email: string, days: number) =>
      node.db
        .updateTable('app_user')
        .set({ password_changed_at: new Date(Date.now() - days * DAY) })
        .where('email', '=', email)
        .execute();
    const [often, entered, after] = [
      await registerStrictly('o@example.com'),
      await registerStrictly('e@example.com'),
      await registerStrictly('a@example.com'),
    ];
    for (const [body, days] of [
      [often, 31],
      [entered, 40],
      [after, 9],
    ] as const)
      await age(body.email, days);
    for (const { email } of [often, entered]) await strict.post(`${T}/team/resend-activation-email`, { email }, OWN_PAGE);
    const { id } = await node.db
      .selectFrom('organization')
      .select('id')
      .where('sub_domain', '=', entered.orgDetails.subDomain)
      .executeTakeFirstOrThrow();
    const colleague = await buildUser(node.db, id, { role: 'member' });
    await node.db
      .updateTable('one_time_token')
      .set({ expires_at: new Date(0) })
      .where('purpose', '=', 'activation')
      .execute();
    expect(await expireRegistrations(node.db, Date.now())).toBe(2);
    const left = await node.db
      .selectFrom('app_user')
      .select('email')
      .where('email', 'in', [often.email, entered.email, after.email, colleague.email])
      .execute();
    expect(left.map((row) => row.email).sort()).toEqual([entered.email, colleague.email].sort());
  });

  it('A9, 1.2 invitations: leaves alone whoever confirmed, and the invitation of somebody whose address a stranger registered', async () => {
    const world = await buildWorld(node.db);
    const owner = await buildUser(node.db, world.organizationId);
    const signed = await node.post('/team-login', { email: owner.email, password: owner.password }, OWN_PAGE);
    const cookie = signed.headers.get('set-cookie')!.split(';')[0]!;
    const guest = { email: 'wanted-guest@example.com', first_name: 'Wanda', last_name: 'Guest', permissions: [] };
    await node.post(`${T}/team/invite`, guest, { ...OWN_PAGE, cookie });
    const [mail] = await mailsTo(guest.email);
    const teamId = /invitation\/([\w-]{43})/.exec(mail!.text)![1]!;
    await registerStrictly('whoever@example.com', { email: guest.email, first_name: 'Mallory', last_name: 'Stranger' });
    const named = await node.post(`${T}/team/member/name`, { teamId }, OWN_PAGE);
    expect(named.json.teamData).toEqual({ firstName: 'Wanda', lastName: 'Guest' });
    await node.db
      .updateTable('one_time_token')
      .set({ expires_at: new Date(0) })
      .where('purpose', '=', 'activation')
      .execute();
    await expireRegistrations(node.db, Date.now() + 8 * 86_400_000);
    expect((await node.post(`${T}/team/member/name`, { teamId }, OWN_PAGE)).json).toMatchObject({
      isUser: false,
      isInvitationSuccess: null,
    });
    const kept = await node.db.selectFrom('app_user').select('id').where('id', '=', owner.userId).execute();
    expect(kept).toHaveLength(1);
  });
});

describe('two registrations at one moment', () => {
  it('that name the same people, in whatever order and more than once, both stand', async () => {
    const people = (tag: string, order: number[]) =>
      order.map((n) => ({ email: `shared${n}-${tag}@example.com`, first_name: 'Sam', last_name: 'Shared' }));
    for (let round = 0; round < 3; round++) {
      const pair = [people(`r${round}`, [1, 2, 3, 4, 1]), people(`r${round}`, [4, 3, 2, 1])];
      const answers = await Promise.all(pair.map((userDetail) => register(fresh({}, { userDetail }))));
      expect(answers.map((one) => one.statusCode)).toEqual([200, 200]);
    }
  });
});

describe('nobody is who they say they are until they prove it', () => {
  it('A9, 1.2 self-verification: somebody else’s invitation proves nothing of another address', async () => {
    const world = await buildWorld(node.db);
    const owner = await buildUser(node.db, world.organizationId);
    const signed = await node.post('/team-login', { email: owner.email, password: owner.password }, OWN_PAGE);
    const cookie = signed.headers.get('set-cookie')!.split(';')[0]!;
    const invite = { email: 'proof@example.com', first_name: 'Pia', last_name: 'Proof', permissions: [] };
    await node.post(`${T}/team/invite`, invite, { ...OWN_PAGE, cookie });
    const [mail] = await node.mailer.read(node.db, 1);
    const teamId = /invitation\/([\w-]{43})/.exec(mail!.text)![1]!;
    const other = await register(fresh({ invitationData: { teamId } }), strict);
    expect(other.json.jsonResponse.user.isActivate).toBe(false);
    const own = await register(fresh({ email: 'proof@example.com', invitationData: { teamId } }), strict);
    expect(own.json.jsonResponse.user.isActivate).toBe(true);
  });
});
