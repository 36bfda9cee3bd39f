/** Who was erased stays erased: refused when sent again, and erased again where a backup is put back (decision 0037). */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eraseLead } from '#server/data-request/erase-lead.ts';
import { erasedFields } from '#server/data-request/vertical-place.ts';
import { openInstallation } from '#server/installation.ts';
import { startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { everythingOf } from '#test/harness/everything.ts';
import { waitForJobOf } from '#test/harness/jobs.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

const BASE = '/api/console/data-requests';
const PERSON = { email: 'grace.hopper@example.com', phone: '2125550188', first_name: 'Gracelyn' };
const OTHER = { email: 'someone.else@example.com', phone: '2125550199', first_name: 'Somebody' };
const TRACES = /.{0,80}(hopper|gracelyn|5550188|555-0188|555 0188).{0,20}/gi;
/** What a reader of all that is kept would find of her: short, so that a failure is. */
const tracesIn = (text: string): string[] => text.match(TRACES) ?? [];
const HOUR_MS = 3_600_000;

let folder: string;
let buyer: ScriptedBuyer;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-erasures-'));
  buyer = await startBuyer(() => ACCEPT);
});
afterAll(async () => {
  await buyer.close();
  rmSync(folder, { recursive: true, force: true });
});

async function erase(office: Office, q: string, more: object = {}): Promise<string> {
  const { json } = await office.post(`${BASE}/erase`, { q, reason: 'Request 17', confirm: 'ERASE', ...more });
  expect(await waitForJobOf(office, json.jobId)).toMatchObject({ status: 'done' });
  return json.jobId;
}
const linesOf = (path: string): { id: string; kind: string; organization: string }[] =>
  existsSync(path)
    ? readFileSync(path, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];

describe('a person who was erased', () => {
  let node: Awaited<ReturnType<typeof startTestWorld>>;
  let office: Office;
  let register: string;
  const everything = () => everythingOf(node, office.world.organizationId);

  beforeAll(async () => {
    register = join(folder, 'one.jsonl');
    node = await startTestWorld({ erasureRegister: register });
    office = await openOffice(node, buyer);
    await office.lead(PERSON.email, PERSON);
    await office.lead(OTHER.email, OTHER);
    await erase(office, PERSON.email);
  });
  afterAll(() => node.stop());

  it.each<[string, object]>([
    ['as before', { ...PERSON, monthly_income: '4100' }],
    ['by the e-mail address alone, in another spelling', { ...PERSON, email: 'GRACE.Hopper@Example.com', phone: '2125550177' }],
    ['by the phone number alone, which nobody had named', { ...PERSON, email: 'new@example.com', phone: '+1 (212) 555-0188' }],
    ['with what cannot be taken', { ...PERSON, state: 'Nowhere', nickname: 'Hopper of Yale' }],
    ['as a test', { ...PERSON, test: true }],
  ])('H4: is refused when sent again, and nothing of them is kept: %s', async (_name, fields) => {
    const bought = buyer.calls.length;
    const { statusCode, json } = await office.lead(PERSON.email, fields as Record<string, unknown>);
    expect([statusCode, json.status, json.code]).toEqual([200, 'rejected', 'lead_person_erased']);
    expect(json.msg).toContain('do not send it again');
    expect(buyer.calls.length).toBe(bought);
    const again = await office.lead(PERSON.email, fields as Record<string, unknown>);
    expect(again.json.code).toBe('lead_person_erased');
    const shown = (await office.get(`/api/console/leads/${json.leadId}`)).json.lead;
    expect(shown).toMatchObject({ status: 'rejected', erasedBy: 'refused', fields: [] });
    // The log of calls is written a moment later.
    await expect
      .poll(async () => (await node.db.selectFrom('api_call').select('id').where('lead_id', '=', json.leadId).execute()).length)
      .toBe(1);
    expect(tracesIn(await everything())).toEqual([]);
  });

  it('an equal call within the minute gets its first answer, and nothing of it is kept either', async () => {
    const { json } = await office.lead(PERSON.email, PERSON);
    expect(json.code).toBe('lead_sold');
    await expect
      .poll(async () => (await node.db.selectFrom('api_call').select('id').where('lead_id', '=', json.leadId).execute()).length)
      .toBe(1);
    expect(tracesIn(await everything())).toEqual([]);
  });

  it('everybody else is taken as before', async () => {
    expect((await office.lead(OTHER.email, { ...OTHER, monthly_income: '5000' })).json.status).toBe('accepted');
  });

  it('the register outside of the database knows it, and holds nothing of them', async () => {
    expect(linesOf(register)).toMatchObject([{ kind: 'erased', organization: office.world.organizationId }]);
    expect(tracesIn(readFileSync(register, 'utf8'))).toEqual([]);
  });

  it('is told to who looks for them, and to no stranger', async () => {
    const found = (await office.post(`${BASE}/find`, { q: '(212) 555-0188' })).json;
    expect(found).toMatchObject({ leads: [], refusedSince: expect.any(String) });
    expect((await office.post(`${BASE}/find`, { q: OTHER.email })).json.refusedSince).toBeNull();
    const stranger = await openOffice(node, buyer);
    expect((await stranger.post(`${BASE}/find`, { q: PERSON.email })).json.refusedSince).toBeNull();
    expect((await stranger.post(`${BASE}/accept-again`, { q: PERSON.email, reason: 'curious' })).json.code).toBe(
      'data_request_not_refused',
    );
    expect((await stranger.lead(PERSON.email, PERSON)).json.status).toBe('accepted');
    const member = await signIn(node, office.world, { role: 'member', permissions: [] });
    expect((await member.post(`${BASE}/accept-again`, { q: PERSON.email, reason: 'curious' })).statusCode).toBe(403);
  });

  it('is not sent to real buyers from the testing lab either', async () => {
    const sent = await office.post('/api/console/lab/send', {
      ...{ publisherTierId: office.world.publisherTierId, buyers: 'real', fields: { ...PERSON, state: 'NY', zip: '01234' } },
    });
    expect(sent.json.code).toBe('lab_person_erased');
  });

  it('is taken again at their own wish, by every value of theirs, and the change log says so', async () => {
    const again = await office.post(`${BASE}/accept-again`, { q: PERSON.email, reason: 'Request 18' });
    expect(again.json).toMatchObject({ status: true });
    expect((await office.lead(PERSON.email, { ...PERSON, monthly_income: '4444' })).json.status).toBe('accepted');
    expect((await office.post(`${BASE}/find`, { q: PERSON.phone })).json).toMatchObject({ total: 1, refusedSince: null });
    const [line] = (await office.get('/api/v1/change-log?model=personalData')).json.changes;
    expect(line).toMatchObject({ action: 'restore', recordName: 'one person, accepted again', after: { reason: 'Request 18' } });
    expect(linesOf(register).map(({ kind }) => kind)).toEqual(['erased', 'accepted']);
    expect((await office.post(`${BASE}/accept-again`, { q: PERSON.email, reason: 'Request 18' })).statusCode).toBe(404);
  });

  it('may come again where that was said at once, and a lead that came later is not theirs to lose', async () => {
    await erase(office, PERSON.email, { mayComeAgain: true });
    expect((await office.lead(PERSON.email, { ...PERSON, monthly_income: '4445' })).json.status).toBe('accepted');
    await node.erasures.keepAlike(Date.now() + 2 * HOUR_MS);
    expect((await office.post(`${BASE}/find`, { q: PERSON.email })).json.total).toBe(1);
  });

  it('whom rules of keeping took out of a lead is no such person', async () => {
    const { leadId } = (await office.lead('kept@example.com', { phone: '2125550166' })).json;
    const { organizationId, keys } = node.planBook.find(office.world.organizationId)!;
    await inTenant(node.db, organizationId, (tx) =>
      eraseLead(tx, keys, leadId, erasedFields(tx, organizationId), { at: new Date(), why: 'retention' }),
    );
    expect((await office.lead('kept@example.com', { phone: '2125550166', monthly_income: '4446' })).json.status).toBe('accepted');
  });

  it('H4: a lead that was at a buyer when its person was erased is erased by itself within about an hour', async () => {
    const slow = { email: 'slow.hopper@example.com', phone: '2125550155', first_name: 'Gracelyn' };
    let atBuyer = () => {};
    const reached = new Promise<void>((resolve) => {
      atBuyer = resolve;
    });
    buyer.answer(() => {
      atBuyer();
      return { ...ACCEPT, delayMs: 1_500 };
    });
    const sending = office.lead(slow.email, slow);
    await reached;
    const jobId = await erase(office, slow.email);
    expect((await office.get(`/api/v1/jobs/${jobId}`)).json.job.tally).toMatchObject({ underWay: 1 });
    const { leadId } = (await sending).json;
    buyer.answer(() => ACCEPT);
    await node.erasures.keepAlike(Date.now());
    expect((await office.get(`/api/console/leads/${leadId}`)).json.lead.erasedAt).toBeNull();
    await node.erasures.keepAlike(Date.now() + 2 * HOUR_MS);
    expect((await office.get(`/api/console/leads/${leadId}`)).json.lead).toMatchObject({ status: 'sold', erasedBy: 'request' });
    expect((await everything()).match(/.{0,80}(slow\.hopper|5550155)/g)).toBeNull();
    const [line] = (await office.get('/api/v1/change-log?model=personalData')).json.changes;
    expect(line).toMatchObject({ recordName: 'one person, gone over once more', userName: 'Register of erasures', after: { leads: 1 } });
  });

  it('a lead that nobody can read keeps no other from being erased', async () => {
    const fields = { email: 'torn.hopper@example.com', phone: '2125550122' };
    const torn = (await office.lead(fields.email, fields)).json.leadId;
    const { leadId } = (await office.lead(fields.email, { ...fields, monthly_income: '4900' })).json;
    await node.db
      .updateTable('lead')
      .set({ fields: Buffer.from('torn') })
      .where('id', '=', torn)
      .execute();
    // Its addresses cannot be told any more; what was sought can.
    const jobId = await erase(office, fields.email);
    expect((await office.get(`/api/v1/jobs/${jobId}`)).json.job.tally).toMatchObject({ leads: 2, unreadable: 1 });
    for (const id of [torn, leadId]) expect((await office.get(`/api/console/leads/${id}`)).json.lead.erasedBy).toBe('request');
  });

  it('an erasure cannot be cancelled: it is on record outside of the database', async () => {
    // One that nobody works on yet.
    await node.db
      .updateTable('job')
      .set({ status: 'running', lease_until: new Date(Date.now() + HOUR_MS), ended_at: null })
      .where('kind', '=', 'erasure')
      .execute();
    const { jobs } = (await office.get('/api/v1/jobs?kind=erasure')).json;
    expect(jobs[0].mayCancel).toBe(false);
    expect((await office.post(`/api/v1/jobs/${jobs[0]._id}/cancel`, {})).json.code).toBe('job_must_end');
  });
});

describe('a backup that is put back', () => {
  it('H4: the rehearsal: what was erased since the backup is erased again before anything is answered', {
    timeout: 240_000,
  }, async () => {
    const home = mkdtempSync(join(folder, 'home-'));
    const [data, backup, register] = [join(home, 'postgres'), join(home, 'backup'), join(home, 'erasures.jsonl')];
    let server = await startEmbeddedPostgres(data);
    await query(server.url('postgres'), 'create database sluice');
    let node = await startNode(server.url('sluice'), { erasureRegister: register });
    let office = await openOffice(node, buyer);
    const { world } = office;
    const before = { email: 'before@example.com', phone: '2125550144' };
    for (const one of [before, PERSON, OTHER]) await office.lead(one.email, one);
    await erase(office, before.email);

    // As docs/operate/backup.md says: stopped, copied, started.
    await node.close();
    await server.leave();
    execFileSync('cp', ['-a', data, backup]);
    server = await startEmbeddedPostgres(data);
    node = await startNode(server.url('sluice'), { erasureRegister: register });
    office = await signIn(node, world);
    const later = { email: 'later.hopper@example.com', phone: '2125550133', first_name: 'Gracelyn' };
    await office.lead(later.email, later);
    for (const one of [PERSON, later]) await erase(office, one.email);
    await office.post(`${BASE}/accept-again`, { q: before.email, reason: 'Request 19' });
    expect(tracesIn(await everythingOf(node, world.organizationId))).toEqual([]);
    await node.close();
    await server.leave();

    rmSync(data, { recursive: true });
    execFileSync('cp', ['-a', backup, data]);
    server = await startEmbeddedPostgres(data);
    const url = server.url('sluice');
    expect(await query(url, 'select count(*)::int as n from erasure')).toEqual([{ n: 1 }]);
    // Without its register it is as it was: the person is back.
    const without = await openInstallation({ ...TEST_CONFIG, erasureRegister: join(home, 'none.jsonl') }, url);
    expect(tracesIn(await everythingOf(without, world.organizationId))).not.toEqual([]);
    await without.close();

    // Half a line of a node that was killed while it wrote is no reason not to start.
    appendFileSync(register, '{"organization":"');
    // Opened, and not listening yet: nobody was answered anything.
    const opened = await openInstallation({ ...TEST_CONFIG, erasureRegister: register }, url);
    expect(tracesIn(await everythingOf(opened, world.organizationId))).toEqual([]);
    await opened.close();
    const [first, second] = await Promise.all([
      startNode(url, { erasureRegister: register }),
      startNode(url, { erasureRegister: join(home, 'second.jsonl') }),
    ]);
    office = await signIn(first, world);
    const lead = async (fields: typeof later | typeof before) =>
      (await office.lead(fields.email, { ...fields, monthly_income: '4700' })).json;
    expect(await lead({ ...PERSON })).toMatchObject({ code: 'lead_person_erased' });
    // Of a lead that the backup never held, too.
    expect(await lead({ ...later, email: 'another@example.com' })).toMatchObject({ code: 'lead_person_erased' });
    expect(await lead(before)).toMatchObject({ status: 'accepted' });
    expect((await office.post(`${BASE}/find`, { q: OTHER.email })).json.total).toBe(1);
    const lines = (await office.get('/api/v1/change-log?model=personalData')).json.changes as { recordName: string }[];
    expect(lines.filter(({ recordName }) => recordName === 'one person, after a backup was put back')).toHaveLength(3);
    // Each node's own file comes to hold all of it.
    await second.erasures.keepAlike(Date.now());
    const ids = (path: string) => new Set(readFileSync(path, 'utf8').match(/"id":"[^"]+"/g));
    expect(ids(join(home, 'second.jsonl'))).toEqual(ids(register));
    await Promise.all([first.close(), second.close()]);
    await server.leave();
  });

  it('a database that lost its last moments under a running node is caught up with', async () => {
    const register = join(folder, 'moments.jsonl');
    const node = await startTestWorld({ erasureRegister: register });
    const office = await openOffice(node, buyer);
    await office.lead(PERSON.email, PERSON);
    await erase(office, PERSON.email);
    // As a copy that was behind when it took over.
    await sql`delete from erasure`.execute(node.db);
    await sql`delete from erased_person`.execute(node.db);
    expect((await office.lead(PERSON.email, { ...PERSON, phone: '2125550111' })).json.status).toBe('accepted');
    await node.erasures.keepAlike(Date.now());
    expect((await office.lead(PERSON.email, { ...PERSON, monthly_income: '4701' })).json.code).toBe('lead_person_erased');
    expect((await office.post(`${BASE}/find`, { q: PERSON.email })).json.total).toBe(0);
    await node.stop();
  });

  it('a line that was changed, or made without the key of its organization, erases nobody', async () => {
    const register = join(folder, 'forged.jsonl');
    const node = await startTestWorld({ erasureRegister: register });
    const office = await openOffice(node, buyer);
    const { leadId } = (await office.lead(PERSON.email, PERSON)).json;
    await office.lead(OTHER.email, OTHER);
    await erase(office, OTHER.email);
    const [line] = linesOf(register);
    writeFileSync(register, `${JSON.stringify({ ...line, id: leadId, leads: [leadId], hashes: [] })}\nnot a line\n`);
    await node.erasures.keepAlike(Date.now());
    const restarted: TestNode = await startNode(node.database.url, { erasureRegister: register });
    expect((await office.post(`${BASE}/find`, { q: PERSON.email })).json.total).toBe(1);
    await restarted.close();
    await node.stop();
  });

  it('a node does not start where the register cannot be written, and says what to do', async () => {
    writeFileSync(join(folder, 'a-file'), '');
    await expect(startTestWorld({ erasureRegister: join(folder, 'a-file', 'erasures.jsonl') })).rejects.toThrow(
      /^ERASURE_REGISTER: .*cannot be written/,
    );
  });
});

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client
    .query(text)
    .then(({ rows }) => rows)
    .finally(() => client.end());
}
