import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

  it('is never one kept for the product, one that looks like another, nor one of a wrong length', async () => {
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

  it('account §8: an address that has an account is told so; one that was only invited is free', async () => {
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

  it('bad bodies are refused: wrong types, unknown fields, addresses that are two, names with line breaks', async () => {
    const wrong = [
      {},
      fresh({ email: 'a@example.com,b@example.com' }),
      fresh({ email: 'no-at-sign' }),
      fresh({ email: ['a@example.com'] }),
      fresh({ first_name: '' }),
      fresh({ first_name: 'Ada\r\nBcc: everybody@example.com' }),
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
  it('somebody else’s invitation proves nothing of another address', async () => {
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
