/** The log of sign-ins and refusals: what is written, where it stands, who reads it, and what it is bounded by (ASVS 5.0 16.3). */
import { connect } from 'node:net';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SecurityLineView } from '#contract/security-log.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { dropOldMonths } from '#server/node/drop-old-months.ts';
import { issueToken } from '#server/token/one-time-token.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type VisitOptions, type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const T = '/api/v1/teamMgmt';
const NEW = { password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' };
const PHONE = { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18 Safari/605' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
/** Asks for the second factor, as production does. */
let strict: TestNode;
let world: World;
let other: World;
let owner: Visitor;

type Person = Awaited<ReturnType<typeof buildUser>>;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
});
afterAll(async () => {
  await strict.close();
  await node.stop();
});
beforeEach(async () => {
  await node.pool.query('truncate throttle');
  [world, other] = [await buildWorld(node.db), await buildWorld(node.db)];
  for (const one of [world, other]) await node.planBook.reload(one.organizationId);
  owner = await signedIn(await buildUser(node.db, world.organizationId));
});

const hostOf = (one: World) => `${one.subDomain}.localhost`;
const codeOf = (secret: string, at = Date.now()) => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

async function signedIn(person: Person, at = world, options: VisitOptions = {}): Promise<Visitor> {
  const visitor = visit(node, { host: hostOf(at), ...options });
  expect((await visitor.post('/team-login', { email: person.email, password: person.password })).statusCode).toBe(200);
  return visitor;
}

/** Registered with an authenticator. */
async function equip({ email, password }: Person) {
  const visitor = visit(strict, { host: hostOf(world) });
  const { secret } = (await visitor.post('/team-login', { email, password })).json;
  const { recoveryCodes } = (await visitor.post('/api/user/verify-mfa', { MFA: codeOf(secret, Date.now() - 30_000) })).json;
  return { secret: secret as string, recoveryCodes: recoveryCodes as string[] };
}

async function read(reader: Visitor, filters: Record<string, string> = {}): Promise<SecurityLineView[]> {
  const answer = await reader.get(`/api/v1/security-log?${new URLSearchParams({ limit: '200', ...filters })}`);
  expect(answer.statusCode).toBe(200);
  return answer.json.lines;
}

const told = ({ kind, outcome, factors }: SecurityLineView) => [kind, outcome, factors].filter(Boolean).join(' ');
/** Of one person, the oldest first, once all that is expected stands there. */
async function linesOf(userId: string, expected: string[], reader = owner): Promise<SecurityLineView[]> {
  await expect.poll(async () => (await read(reader, { userId })).map(told).toReversed(), { timeout: 5_000 }).toEqual(expected);
  return (await read(reader, { userId })).toReversed();
}

describe('sign-ins', () => {
  it('ASVS 5.0 16.3.1: are written down with person, factor, network and device, refused ones and sign-outs too', async () => {
    const person = await buildUser(node.db, world.organizationId, { role: 'member' });
    const phone = visit(node, { host: hostOf(world), headers: PHONE, address: '198.51.100.7' });
    await phone.post('/team-login', { email: person.email, password: 'wrong-one-1' });
    await phone.post('/team-login', { email: person.email, password: person.password });
    await phone.get('/admin/logout');
    const lines = await linesOf(person.userId, ['sign-in wrong-password password', 'sign-in done password', 'sign-out done']);
    for (const line of lines) expect(line).toMatchObject({ userId: person.userId, network: '198.51.100.7', device: 'Safari on iPhone' });
    expect(lines[0]).toMatchObject({ statusCode: 401, code: 'session_refused', call: 'POST /team-login', byName: null, more: 0 });
    expect(Math.abs(Date.parse(lines[1]!.at) - Date.now())).toBeLessThan(20_000);
  });

  it('ASVS 5.0 16.3.1: the second factor is told: the step before it, wrong codes, the recovery code', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const { secret, recoveryCodes } = await equip(person);
    const enter = async (...codes: string[]) => {
      const visitor = visit(strict, { host: hostOf(world) });
      await visitor.post('/team-login', { email: person.email, password: person.password });
      for (const MFA of codes) await visitor.post('/api/user/validate-mfa', { MFA });
    };
    await enter('000000', codeOf(secret));
    await enter(recoveryCodes[0]!);
    const step = 'sign-in next-step password';
    await linesOf(person.userId, [
      ...[step, 'two-factor done password+code', 'sign-in done password+code'],
      ...[step, 'sign-in wrong-code code', 'sign-in done password+code'],
      ...[step, 'sign-in done password+recovery-code'],
    ]);
  });

  it('ASVS 5.0 16.3.1, 16.3.3: a limit that was reached, a second factor that is closed and a sign-in that was over', async () => {
    const [guessed, closed] = [await buildUser(node.db, world.organizationId), await buildUser(node.db, world.organizationId)];
    await equip(closed);
    await insideOneMinute();
    await node.pool.query('truncate throttle');
    const stranger = visit(node, { address: '198.51.100.8' });
    for (let n = 0; n < 12; n++) await stranger.post('/team-login', { email: guessed.email, password: 'wrong-one-1' });
    const wrong = 'sign-in wrong-password password';
    const limited = await linesOf(guessed.userId, [...Array(10).fill(wrong), ...Array(2).fill('sign-in limit password')]);
    expect(limited.at(-1)).toMatchObject({ statusCode: 429, code: 'session_rate_limited' });
    await node.pool.query(
      `insert into throttle (name, window_start, count, ends_at) values ($1, to_timestamp(floor(extract(epoch from now()) / 315360000) * 315360000), 30, now() + interval '1 day')`,
      [`codes in a row ${closed.userId}`],
    );
    const late = visit(strict, { host: hostOf(world) });
    await late.post('/team-login', { email: closed.email, password: closed.password });
    await late.post('/api/user/validate-mfa', { MFA: '000000' });
    await node.pool.query(`update session set expires_at = now() - interval '1 second' where user_id = $1`, [closed.userId]);
    await late.post('/api/user/validate-mfa', { MFA: '000000' });
    const step = 'sign-in next-step password';
    await linesOf(closed.userId, [
      ...[step, 'two-factor done password+code', 'sign-in done password+code'],
      ...[step, 'sign-in second-factor-closed code', 'sign-in over'],
    ]);
  });

  it('ASVS 5.0 16.3.1: a try stands there, and is counted, though who made it hung up before the answer', async () => {
    const person = await buildUser(node.db, world.organizationId, { role: 'member' });
    const counted = async () => {
      const text = await (await fetch(`${node.url}/metrics`)).text();
      return Number(/^sluice_sign_ins_total\{step="password",outcome="session_refused"\} (\d+)/m.exec(text)?.[1] ?? 0);
    };
    const before = await counted();
    const body = JSON.stringify({ email: person.email, password: 'wrong-one-1' });
    // Held where tries are counted, so that nobody is there any more when the answer is.
    const holder = await node.pool.connect();
    await holder.query('begin');
    await holder.query('lock table throttle in access exclusive mode');
    const socket = connect(Number(new URL(node.url).port), '127.0.0.1');
    socket.write(
      [
        ...['POST /team-login HTTP/1.1', `host: ${hostOf(world)}`, 'x-requested-with: sluice', 'content-type: application/json'],
        ...[`content-length: ${body.length}`, '', body],
      ].join('\r\n'),
    );
    const waits = async () =>
      (await node.pool.query(`select count(*)::int as n from pg_locks where not granted and relation = 'throttle'::regclass`)).rows[0].n;
    await expect.poll(waits).toBeGreaterThan(0);
    const connections = () => new Promise<number>((resolve) => node.app.server.getConnections((_, count) => resolve(count)));
    const open = await connections();
    socket.destroy();
    await expect.poll(connections).toBeLessThan(open);
    await holder.query('commit');
    holder.release();
    await linesOf(person.userId, ['sign-in wrong-password password']);
    expect((await counted()) - before).toBe(1);
  });

  it('ASVS 5.0 16.3.1: what a call committed stands though the same call is refused: a second factor in force at another organization’s address', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const visitor = visit(strict, { host: hostOf(other) });
    const { secret } = (await visitor.post('/team-login', { email: person.email, password: person.password })).json;
    const set = await visitor.post('/api/user/verify-mfa', { MFA: codeOf(secret) });
    expect([set.statusCode, set.json.code]).toEqual([403, 'organization_domain_invalid']);
    const lines = await linesOf(person.userId, [
      ...['sign-in next-step password', 'two-factor done password+code', 'sign-in other-domain code'],
    ]);
    expect(lines.map(({ statusCode, code }) => [statusCode, code])).toEqual([
      ...[
        [200, ''],
        [403, ''],
        [403, 'organization_domain_invalid'],
      ],
    ]);
  });

  it('ASVS 5.0 16.3.1: sessions that were ended say by whom', async () => {
    const member = await buildUser(node.db, world.organizationId, { role: 'member' });
    await node.db.updateTable('app_user').set({ first_name: 'Mona' }).where('id', '=', member.userId).execute();
    const here = await signedIn(member);
    await signedIn(member, world, { headers: PHONE });
    const { sessions } = (await here.get('/api/v1/session/list')).json;
    await here.post('/api/v1/session/end', { all: true });
    const { users } = (await owner.get(`${T}/monitor/online-users`)).json;
    const own = users.find((one: { email: string }) => one.email === member.email);
    expect((await owner.post(`${T}/monitor/end-session`, { _id: own._id })).statusCode).toBe(200);
    await signedIn(member);
    const { id: _id } = await node.db.selectFrom('team_member').select('id').where('user_id', '=', member.userId).executeTakeFirstOrThrow();
    expect((await owner.post(`${T}/team/disable`, { _id })).statusCode).toBe(200);
    const ended = 'session-ended done';
    const lines = await linesOf(member.userId, [...Array(2).fill('sign-in done password'), ended, ended, 'sign-in done password', ended]);
    const by = lines.filter((line) => line.kind === 'session-ended').map(({ userName, byName }) => [userName, byName]);
    expect(by).toEqual([
      ['Mona User', null],
      ['Mona User', 'Una User'],
      ['Mona User', 'Una User'],
    ]);
    expect(sessions).toHaveLength(2);
    // Disabled: the team's owner hears of it when they try all the same.
    await visit(node, { host: hostOf(world) }).post('/team-login', { email: member.email, password: member.password });
    await expect.poll(async () => told((await read(owner, { userId: member.userId }))[0]!)).toBe('sign-in no-organization password');
  });

  it('ASVS 5.0 16.3.1: changes and resets of password and second factor, with the links that were sent', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const visitor = await signedIn(person);
    await visitor.post(`${T}/user/change-password`, { currentPassword: 'wrong-one-1', ...NEW });
    await visitor.post(`${T}/user/change-password`, { currentPassword: person.password, ...NEW });
    await visit(node).post(`${T}/user/forgot-password`, { text: person.email });
    const token = await issueToken(node.db, 'password-reset', { userId: person.userId });
    const reset = (password: string) => visit(node).post(`${T}/user/reset-password/${token}`, { password, confirmPassword: password });
    expect([(await reset('green-kettle-8')).statusCode, (await reset('green-kettle-9')).statusCode]).toEqual([200, 410]);
    await visit(node).post(`${T}/user/reset-mfa`, { text: person.email });
    const mfa = await issueToken(node.db, 'mfa-reset', { userId: person.userId });
    expect((await visit(node).post(`${T}/user/reset-mfa/${mfa}`)).statusCode).toBe(200);
    await linesOf(person.userId, [
      ...['sign-in done password', 'password wrong-password', 'password done password'],
      ...['password link-sent', 'password done link', 'password link-used link'],
      ...['two-factor link-sent', 'two-factor done link'],
    ]);
  });

  it('ASVS 5.0 16.3.1: of an address that nobody has nothing is written, and nothing that somebody typed', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const canary = 'canary-Typed-7';
    const visitor = visit(node, { host: hostOf(world), headers: { 'user-agent': `Chrome/1 ${canary}` } });
    await visitor.post('/team-login', { email: `${canary}@example.com`, password: canary });
    await visitor.post('/team-login', { email: person.email, password: canary });
    await visitor.post(`${T}/user/forgot-password`, { text: `${canary}@example.com` });
    await visitor.post(`${T}/user/reset-password/${canary}`, NEW);
    await visitor.post('/api/v1/session/auto-login', { userSessionId: canary, orgId: canary });
    await owner.get(`/api/console/logs/calls/${canary}?region=${canary}`);
    await linesOf(person.userId, ['sign-in wrong-password password']);
    const rows = (await node.pool.query('select * from security_log')).rows;
    expect(rows.length).toBeGreaterThan(1);
    expect(JSON.stringify(rows)).not.toContain('canary');
  });
});

describe('where a line stands', () => {
  it('ASVS 5.0 16.3.1: before an organization is entered in all whose team the person is on, then in that one alone', async () => {
    const person = await buildUser(node.db, world.organizationId, { role: 'member' });
    await node.db
      .insertInto('team_member')
      .values({ organization_id: other.organizationId, id: newId(), user_id: person.userId, role: 'member' })
      .execute();
    const otherOwner = await signedIn(await buildUser(node.db, other.organizationId), other);
    const visitor = visit(node);
    await visitor.post('/team-login', { email: person.email, password: 'wrong-one-1' });
    await visitor.post('/team-login', { email: person.email, password: person.password });
    const { json } = await visitor.post('/api/v1/session/choose-organization', { orgId: world.organizationId });
    const { userSessionId } = json;
    await visitor.post('/api/v1/session/auto-login', { userSessionId, orgId: world.organizationId }, { host: hostOf(world) });
    const before = ['sign-in wrong-password password', 'sign-in next-step password'];
    await linesOf(person.userId, [...before, 'sign-in next-step password', 'sign-in done password']);
    await linesOf(person.userId, before, otherOwner);
  });

  it('ASVS 5.0 16.3.1: an organization learns neither name nor network of an account that it invited and that has not joined', async () => {
    const account = await buildUser(node.db, other.organizationId);
    await node.db.updateTable('app_user').set({ first_name: 'Private', last_name: 'Person' }).where('id', '=', account.userId).execute();
    const invited = (invited_first_name: string) => ({ invited_first_name, invited_last_name: '', invited_email: account.email });
    const id = newId();
    await node.db
      .insertInto('team_member')
      .values({
        ...{ organization_id: world.organizationId, id, user_id: account.userId, role: 'member', status: 'invited' },
        ...invited('Whom we invited'),
      })
      .execute();
    const open = async (usedUp: boolean) => {
      const token = await issueToken(node.db, 'invitation', { userId: account.userId, organizationId: world.organizationId });
      if (usedUp) await node.pool.query('update one_time_token set used_at = now() where user_id = $1', [account.userId]);
      await visit(node, { address: '198.51.100.44', headers: PHONE }).post(`${T}/team/member/accept-invitation`, { teamId: token });
    };
    await open(true);
    const told = async () =>
      (await read(owner, { userId: account.userId })).map(({ userName, network, device }) => [userName, network, device]).toReversed();
    await expect.poll(told).toEqual([['Whom we invited', '', '']]);
    await node.db
      .updateTable('team_member')
      .set({ status: 'rejected', ...invited('') })
      .where('id', '=', id)
      .execute();
    await open(true);
    await expect.poll(told).toEqual([
      ['Whom we invited', '', ''],
      [account.email, '', ''],
    ]);
    await node.db.updateTable('team_member').set({ status: 'active' }).where('id', '=', id).execute();
    await open(true);
    await expect.poll(async () => (await told()).at(-1)).toEqual(['Private Person', '198.51.100.44', 'Safari on iPhone']);
  });

  it('ASVS 5.0 16.3.1: an organization that disabled a member hears of what is refused at its own address, and of nothing elsewhere', async () => {
    const person = await buildUser(node.db, world.organizationId, { role: 'member' });
    const stranger = await buildUser(node.db, other.organizationId);
    await node.db
      .insertInto('team_member')
      .values({ organization_id: other.organizationId, id: newId(), user_id: person.userId, role: 'member' })
      .execute();
    await node.db
      .updateTable('team_member')
      .set({ status: 'disabled' })
      .where('organization_id', '=', world.organizationId)
      .where('user_id', '=', person.userId)
      .execute();
    const otherOwner = await signedIn(stranger, other);
    const enter = (host: string, password = person.password) =>
      visit(node, { host }).post('/team-login', { email: person.email, password });
    for (const host of ['localhost', hostOf(other)]) await enter(host, 'wrong-one-1');
    expect((await enter('localhost')).statusCode).toBe(200);
    await enter(hostOf(other));
    const wrong = 'sign-in wrong-password password';
    await linesOf(person.userId, [wrong, wrong, 'sign-in next-step password', 'sign-in done password'], otherOwner);
    await enter(hostOf(world), 'wrong-one-1');
    await enter(hostOf(world));
    await linesOf(person.userId, [wrong, 'sign-in other-domain password']);
  });

  it('C3: a stranger’s line is never seen: not in the list, the file or the database’s second wall, and nobody may write one', async () => {
    const stranger = await buildUser(node.db, other.organizationId);
    const otherOwner = await signedIn(stranger, other);
    await linesOf(stranger.userId, ['sign-in done password'], otherOwner);
    expect(await read(owner, { userId: stranger.userId })).toEqual([]);
    expect((await read(owner)).some((line) => line.userId === stranger.userId)).toBe(false);
    const file = await owner.post('/api/v1/download-file/security-log', 'isDownloadCSV=true', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect([file.statusCode, String(file.json).includes(stranger.userId)]).toEqual([200, false]);
    const seen = await inTenant(node.db, world.organizationId, (tx) => tx.selectFrom('security_log').select('organization_id').execute());
    expect(new Set(seen.map((row) => row.organization_id))).toEqual(new Set([world.organizationId]));
    for (const statement of ['delete from security_log', 'update security_log set more = 9'])
      await expect(inTenant(node.db, world.organizationId, (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/permission denied/);
  });

  it('ASVS 5.0 16.3.3: links that are forged, used twice or expired, of a hand-over and of a mail', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const take = (userSessionId: string) =>
      visit(node, { host: hostOf(world) }).post('/api/v1/session/auto-login', { userSessionId, orgId: world.organizationId });
    const issue = () => issueToken(node.db, 'hand-over', { userId: person.userId, organizationId: world.organizationId });
    const twice = await issue();
    await take(twice);
    await take(twice);
    const late = await issue();
    await node.pool.query(`update one_time_token set expires_at = now() - interval '1 second' where user_id = $1 and used_at is null`, [
      person.userId,
    ]);
    await take(late);
    await linesOf(person.userId, ['sign-in done', 'sign-in link-used link', 'sign-in link-expired link']);
    await take('x'.repeat(43));
    await visit(node, { host: hostOf(world) }).post(`${T}/user/reset-password/${'y'.repeat(43)}`, NEW);
    await visit(node, { host: hostOf(world) }).post(`${T}/user/reset-mfa/${'z'.repeat(43)}`);
    const forged = async () => (await read(owner, { outcome: 'link-unknown' })).map(({ kind, userId }) => [kind, userId]).toReversed();
    await expect.poll(forged).toEqual([
      ['sign-in', null],
      ['password', null],
      ['two-factor', null],
    ]);
  });
});

describe('refused permissions', () => {
  it('ASVS 5.0 16.3.2: who asked for what, what was missing and from where; by the pattern of the address, not by what was typed', async () => {
    const member = await buildUser(node.db, world.organizationId, { role: 'member' });
    const visitor = await signedIn(member, world, { address: '198.51.100.9' });
    expect((await visitor.get(`${T}/team/members?note=secret`)).statusCode).toBe(403);
    expect((await visitor.get('/api/v1/change-log')).statusCode).toBe(403);
    expect((await visitor.post(`${T}/team/disable`, { _id: 'x' }, { headers: { 'x-requested-with': 'evil' } })).statusCode).toBe(403);
    await node.pool.query(`update session set seen_at = now() - interval '1 hour' where user_id = $1`, [member.userId]);
    expect((await visitor.get('/api/v1/session/list')).statusCode).toBe(401);
    const refused = 'refusal not-permitted';
    const lines = await linesOf(member.userId, ['sign-in done password', refused, refused, 'refusal foreign-page', 'refusal over']);
    expect(lines.slice(1).map(({ call, statusCode, code, missing }) => [call, statusCode, code, missing])).toEqual([
      [`GET ${T}/team/members`, 403, 'team_forbidden', 'the owner’s role'],
      ['GET /api/v1/change-log', 403, 'change_log_forbidden', 'the owner’s role'],
      [`POST ${T}/team/disable`, 403, 'request_foreign', 'the console’s own page'],
      ['GET /api/v1/session/list', 401, 'session_missing', 'a session'],
    ]);
    for (const line of lines.slice(1)) expect(line.network).toBe('198.51.100.9');
  });

  it('ASVS 5.0 16.3.2: a call without a session, or with a cookie of nobody, leaves nothing', async () => {
    await expect.poll(async () => (await read(owner)).map(told)).toEqual(['sign-in done password']);
    const count = async () => (await node.pool.query('select count(*)::int as n from security_log')).rows[0].n as number;
    const before = await count();
    const nobody = visit(node, { host: hostOf(world) });
    await nobody.get('/api/v1/session/list');
    nobody.cookies.get(hostOf(world))!.set('sluice', 'no-session-of-anybody');
    expect((await nobody.get('/api/v1/session/list')).statusCode).toBe(401);
    const member = await buildUser(node.db, world.organizationId, { role: 'member' });
    await signedIn(member);
    await linesOf(member.userId, ['sign-in done password']);
    expect(await count()).toBe(before + 1);
  });

  it('ASVS 5.0 16.3.3: limits that a signed-in person reached', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const visitor = await signedIn(person);
    await insideOneMinute();
    for (let n = 0; n < 11; n++) await visitor.post(`${T}/user/change-password`, { currentPassword: 'wrong-one-1', ...NEW });
    const lines = await linesOf(person.userId, ['sign-in done password', ...Array(10).fill('password wrong-password'), 'password limit']);
    expect(lines.at(-1)).toMatchObject({ statusCode: 429, code: 'session_rate_limited' });
  });

  it('a flood of one person is counted, not kept one by one, and hides nobody else’s lines', async () => {
    const [flooding, quiet] = [
      await buildUser(node.db, world.organizationId, { role: 'member' }),
      await buildUser(node.db, world.organizationId),
    ];
    const visitor = await signedIn(flooding);
    const kept = async () => {
      const { rows } = await node.pool.query('select more from security_log where user_id = $1 and kind = $2', [
        flooding.userId,
        'refusal',
      ]);
      return { lines: rows.length, calls: rows.reduce((sum, row) => sum + 1 + row.more, 0) };
    };
    for (let n = 0; n < 200; n++) await visitor.get('/api/v1/change-log');
    await signedIn(quiet);
    await linesOf(quiet.userId, ['sign-in done password']);
    expect((await kept()).lines).toBeLessThanOrEqual(60);
    // What came beyond the rate stands there when the minute is over.
    await expect.poll(async () => (await kept()).calls, { timeout: 70_000, interval: 500 }).toBe(200);
    expect((await kept()).lines).toBeLessThanOrEqual(62);
  }, 90_000);
});

describe('who reads it, and what it costs', () => {
  it('account §6: the owner and super admins; a member, a portal and nobody do not', async () => {
    const member = await signedIn(await buildUser(node.db, world.organizationId, { role: 'member' }));
    for (const path of ['/api/v1/security-log', '/api/v1/security-log/choices']) {
      const answer = await member.get(path);
      expect([answer.statusCode, answer.json.code]).toEqual([403, 'security_log_forbidden']);
      expect((await visit(node).get(path)).statusCode).toBe(401);
      expect((await owner.get(path)).statusCode).toBe(200);
    }
  });

  it('is narrowed by person, kind, outcome and time, page by page; what cannot be read is refused, and an id of nobody finds nothing', async () => {
    const person = await buildUser(node.db, world.organizationId, { role: 'member' });
    const visitor = await signedIn(person);
    await visitor.get('/api/v1/change-log');
    await visitor.post('/team-login', { email: person.email, password: 'wrong-one-1' });
    await linesOf(person.userId, ['sign-in done password', 'refusal not-permitted', 'sign-in wrong-password password']);
    expect((await read(owner, { userId: person.userId, kind: 'refusal' })).map(told)).toEqual(['refusal not-permitted']);
    expect((await read(owner, { userId: person.userId, outcome: 'not-done' })).map(told)).toEqual([
      'sign-in wrong-password password',
      'refusal not-permitted',
    ]);
    expect((await read(owner, { userId: person.userId, outcome: 'done' })).map(told)).toEqual(['sign-in done password']);
    const soon = new Date(Date.now() + 60_000).toISOString();
    expect(await read(owner, { from: soon })).toEqual([]);
    expect((await read(owner, { to: soon })).length).toBeGreaterThan(2);
    const pages: string[] = [];
    for (let before = ''; ; ) {
      const query = new URLSearchParams({ limit: '1', userId: person.userId, ...(before && { before }) });
      const { lines, older } = (await owner.get(`/api/v1/security-log?${query}`)).json;
      pages.push(...lines.map(told));
      if (!older) break;
      before = older;
    }
    expect(pages.filter(Boolean)).toEqual(['sign-in wrong-password password', 'refusal not-permitted', 'sign-in done password']);
    expect(await read(owner, { userId: 'nonsense' })).toEqual([]);
    expect(await read(owner, { before: 'nonsense' })).toEqual([]);
    for (const query of ['kind=other', 'outcome=fine', 'from=yesterday', 'limit=0', 'limit=201', `userId=${'x'.repeat(61)}`])
      expect([query, (await owner.get(`/api/v1/security-log?${query}`)).statusCode]).toEqual([query, 400]);
    const backwards = new URLSearchParams({ from: soon, to: new Date().toISOString() });
    expect((await owner.get(`/api/v1/security-log?${backwards}`)).json.code).toBe('security_log_span_backwards');
    const { people } = (await owner.get('/api/v1/security-log/choices')).json;
    expect(people.map((one: { _id: string }) => one._id)).toContain(person.userId);
  });

  it('account §7: is a file too, with what is filtered, asked for by a hidden form', async () => {
    const person = await buildUser(node.db, world.organizationId, { role: 'member' });
    await (await signedIn(person)).get('/api/v1/change-log');
    await linesOf(person.userId, ['sign-in done password', 'refusal not-permitted']);
    const form = (fields: Record<string, string>, visitor = owner) =>
      visitor.post('/api/v1/download-file/security-log', new URLSearchParams({ isDownloadCSV: 'true', ...fields }).toString(), {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    const file = await form({ userId: person.userId, kind: 'refusal', timeZone: 'America/New_York' });
    expect(file.headers['content-disposition']).toMatch(/sign-ins-and-refusals-\d\d\w{3}\d{4}\.csv/);
    const lines = String(file.json).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toContain('When (America/New_York),Person,By,Kind,Outcome');
    expect(lines[1]).toContain('Refused call,Not permitted');
    expect(lines[1]).toContain('GET /api/v1/change-log,403,change_log_forbidden,the owner’s role');
    expect(
      String((await form({ userId: 'nonsense' })).json)
        .trim()
        .split('\r\n'),
    ).toHaveLength(1);
    expect((await form({}, visit(node))).statusCode).toBe(401);
    expect((await form({ kind: 'other' })).statusCode).toBe(400);
  });

  it('who leaves the organization keeps their lines, and is still found', async () => {
    const member = await buildUser(node.db, world.organizationId, { role: 'member' });
    await signedIn(member);
    await linesOf(member.userId, ['sign-in done password']);
    const { id: _id } = await node.db.selectFrom('team_member').select('id').where('user_id', '=', member.userId).executeTakeFirstOrThrow();
    expect((await owner.post(`${T}/team/remove`, { _id })).statusCode).toBe(200);
    await linesOf(member.userId, ['sign-in done password', 'session-ended done']);
    const { people } = (await owner.get('/api/v1/security-log/choices')).json;
    expect(people.map((one: { _id: string }) => one._id)).toContain(member.userId);
    // A stranger from now on: nothing of what they try is this organization's.
    await visit(node).post('/team-login', { email: member.email, password: 'wrong-one-1' });
    const next = await buildUser(node.db, world.organizationId);
    await signedIn(next);
    await linesOf(next.userId, ['sign-in done password']);
    await linesOf(member.userId, ['sign-in done password', 'session-ended done']);
  });

  it('a log that cannot be written refuses no call and delays none', async () => {
    const person = await buildUser(node.db, world.organizationId);
    await node.pool.query('alter table security_log rename to security_log_away');
    try {
      const began = performance.now();
      const visitor = await signedIn(person);
      expect((await visitor.get('/api/v1/session/list')).statusCode).toBe(200);
      expect((await visitor.post('/team-login', { email: person.email, password: 'wrong-one-1' })).statusCode).toBe(401);
      expect(performance.now() - began).toBeLessThan(3_000);
    } finally {
      await node.pool.query('alter table security_log_away rename to security_log');
    }
    // Tried again a few times: a database that is away for a moment loses no line.
    await linesOf(person.userId, ['sign-in done password', 'sign-in wrong-password password']);
  });

  it('a month of it goes a year after its end', async () => {
    await sql`select ensure_month_partitions('2019-03-01')`.execute(node.db);
    const end = Date.parse('2019-04-01T00:00:00Z');
    const stands = async () =>
      (await sql<{ it: string | null }>`select to_regclass('security_log_2019_03') as it`.execute(node.db)).rows[0]!.it;
    await dropOldMonths(node.pool, end + 365 * 86_400_000);
    expect(await stands()).toBe('security_log_2019_03');
    await dropOldMonths(node.pool, end + 367 * 86_400_000);
    expect(await stands()).toBeNull();
  });
});
