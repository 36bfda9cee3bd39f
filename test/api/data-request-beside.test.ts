/** Data-subject requests (console §2 lead-flow/data-request) over what stands beside leads: sample leads of the lab, and calls that made no lead. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeAgain } from '#server/erasure/make-again.ts';
import { keyedHash } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { everythingOf } from '#test/harness/everything.ts';
import { waitForJobOf } from '#test/harness/jobs.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { LEAD } from '#test/harness/world.ts';

const BASE = '/api/console/data-requests';
const PERSON = { first_name: 'Mildred', email: 'mildred.okonkwo@example.com', phone: '2125550142' };
const OTHER = { first_name: 'Somebody', email: 'someone.else@example.com', phone: '2125550199' };
const SSN = '219-09-9471';
const TRACES = /mildred|okonkwo|5550142|555-0142|219-?09-?9471/i;

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
/** An organization of its own for each case. */
beforeEach(async () => {
  office = await openOffice(node, buyer, {
    fields: [
      { field_name: 'ssn', field_human_name: 'SSN', type: 'string', privacy_class: 'P3' },
      { field_name: 'street', field_human_name: 'Street', type: 'string', privacy_class: 'P2' },
    ],
  });
});

const lead = async (more: object = {}): Promise<string> => (await office.lead(PERSON.email, { ...PERSON, ...more })).json.leadId;
const sample = (name: string, fields: object) =>
  office.post('/api/console/lab/samples', { region: 'us', vertical: 'payday', name, fields: { state: 'NY', ...fields } });
const samples = async (): Promise<string[]> =>
  (await office.get('/api/console/lab?region=us&vertical=payday')).json.samples.map(({ name }: { name: string }) => name);
/** A post without its ping: it makes no lead. */
async function refused(body: object | string, contentType = 'application/json'): Promise<void> {
  const before = (await calls()).length;
  await fetch(`${node.url}/api/v1/leads/post`, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { authorization: `Bearer ${office.world.key}`, 'content-type': contentType },
  });
  await expect.poll(async () => (await calls()).length).toBe(before + 1);
}
const calls = () =>
  node.db
    .selectFrom('api_call')
    .select('id')
    .where('organization_id', '=', office.world.organizationId)
    .where('lead_id', 'is', null)
    .execute();
const find = async (q: string, by = office) => (await by.post(`${BASE}/find`, { q })).json;
const ask = (q: string, more: object = {}, by = office) =>
  by.post(`${BASE}/erase`, { q, reason: 'Request 17', confirm: 'ERASE', mayComeAgain: true, ...more });
async function erase(q: string, more: object = {}) {
  const { json } = await ask(q, more);
  const job = await waitForJobOf(office, json.jobId);
  expect(job).toMatchObject({ status: 'done' });
  const [proof] = (await office.get(`/api/v1/change-log?recordId=${json.jobId}`)).json.changes;
  expect(proof).toMatchObject({ recordName: 'one person, done', after: job.tally });
  return job.tally;
}
const everything = () => everythingOf(node, office.world.organizationId);

describe('what stands beside the leads of a person', () => {
  it('H4: goes where a lead id was asked for: samples of the lab', async () => {
    const leadId = await lead();
    await sample('From life', { ...PERSON, email: 'MILDRED.Okonkwo@example.com' });
    await sample('Made up', OTHER);
    expect(await erase(leadId)).toMatchObject({ leads: 1, samples: 1 });
    expect(await samples()).toEqual(['Made up']);
    expect(await everything()).not.toMatch(TRACES);
  });

  it('H4: goes where a lead id was asked for: calls that made no lead', async () => {
    const leadId = await lead();
    await refused({ ...LEAD, ...PERSON });
    await refused({ ...LEAD, ...OTHER });
    expect(await erase(leadId)).toMatchObject({ leads: 1, refusedCalls: 1 });
    const left = await everything();
    expect(left).not.toMatch(TRACES);
    expect(left).toContain(OTHER.email);
  });

  it('H4: goes though it has another value of theirs than what was asked for', async () => {
    await lead();
    await sample('By number', { first_name: 'Mildred', phone: '(212) 555-0142' });
    await refused({ first_name: 'Mildred', phone: '+1 212 555 0142' });
    await refused({ first_name: 'Mildred', contact: { mobile: '212-555-0142' } });
    expect(await erase(PERSON.email)).toMatchObject({ leads: 1, samples: 1, refusedCalls: 2 });
    expect(await everything()).not.toMatch(TRACES);
  });

  it('H4: goes where it is known by a number of class P3 alone, however that is written', async () => {
    await lead({ ssn: SSN, street: '12 Okonkwo Street' });
    await sample('By card', { first_name: 'Mildred', street: '12 Okonkwo Street', ssn: SSN.replaceAll('-', ' ') });
    await refused({ first_name: 'Mildred', ssn: SSN.replaceAll('-', '') });
    expect(await erase(PERSON.email)).toMatchObject({ leads: 1, samples: 1, refusedCalls: 1 });
    expect(await everything()).not.toMatch(TRACES);
  });

  it('H4: a body that cannot be read as a lead is looked through as a text', async () => {
    const leadId = await lead({ ssn: SSN });
    await refused(`{"first_name": "Mildred", "phone": "(212) 555-0142", "state": `);
    await refused(`first_name: Mildred, mail mildred.okonkwo@example.com please`, 'application/json');
    await refused(`<lead><ssn>${SSN}</ssn><first_name>Mildred</lead>`, 'application/xml');
    await refused('timeoutMs=never&email=mildred.okonkwo%40example.com', 'application/x-www-form-urlencoded');
    expect(await erase(leadId)).toMatchObject({ leads: 1, refusedCalls: 4 });
    expect(await everything()).not.toMatch(TRACES);
  });

  it('H4: what has no value to know anybody by stays, and the proof says how many there are', async () => {
    await lead();
    await sample('A name alone', { first_name: 'Mildred', street: '12 Long Street' });
    await sample('Made up', OTHER);
    await refused({ first_name: 'Mildred' });
    await refused('Mildred was here');
    await refused({ ...LEAD, ...OTHER });
    const tally = await erase(PERSON.email);
    expect(tally).toMatchObject({ leads: 1, unmatched: 3 });
    expect(await samples()).toEqual(['A name alone', 'Made up']);
  });

  it('H4: a value that over a thousand leads have is nobody’s own, and takes no sample of another with it; nor is its next lead refused', async () => {
    const shared = '2125550100';
    await lead({ phone: shared });
    await sample('Of another', { ...OTHER, phone: shared });
    const { organizationId } = office.world;
    const number = keyedHash(node.planBook.find(organizationId)!.keys, 'lookup', `+1${shared}`);
    const rows = Array.from({ length: 1_000 }, () => ({ organization_id: organizationId, value_hash: number, lead_id: newId() }));
    await node.db.insertInto('lead_lookup').values(rows).execute();
    expect(await erase(PERSON.email, { mayComeAgain: false })).toMatchObject({ leads: 1 });
    expect(await samples()).toEqual(['Of another']);
    expect((await office.lead(OTHER.email, { ...OTHER, phone: shared })).json.status).toBe('accepted');
    expect((await office.lead(PERSON.email, PERSON)).json.code).toBe('lead_person_erased');
  });

  it('H4: goes with an erasure that is made again after a backup was put back, one that names a lead alone', async () => {
    const leadId = await lead();
    await sample('From life', PERSON);
    await refused({ ...LEAD, ...PERSON });
    const { organizationId, verticalId } = office.world;
    const sought = { hashes: [], leadIds: [leadId], verticalIds: [verticalId] };
    const { keys } = node.planBook.find(organizationId)!;
    // Asked for a moment from now, so that all of it is from before.
    const askedAt = new Date(Date.now() + 1_000);
    await makeAgain(node.db, keys, { organizationId, id: newId(), kind: 'erased', askedAt, sought, personHashes: [] });
    expect(await everything()).not.toMatch(TRACES);
    const [line] = (await office.get('/api/v1/change-log?model=personalData')).json.changes;
    expect(line).toMatchObject({ after: { leads: 1, samples: 1, refusedCalls: 1 } });
  });

  it('H4: goes when an erasure is gone over once more: what came in the same moment is known by the values of leads that are gone', async () => {
    await erase(await lead(), { mayComeAgain: false });
    await refused({ ...LEAD, first_name: 'Mildred', email: 'another@example.com', phone: PERSON.phone });
    expect(await everything()).toMatch(TRACES);
    await node.erasures.keepAlike(Date.now() + 2 * 3_600_000);
    expect(await everything()).not.toMatch(TRACES);
  });
});

describe('a person who stands in no lead', () => {
  it.each([
    ['a sample of the lab', () => sample('As it came', { ...PERSON, nickname: 'Okonkwo of Yale' }), { samples: 1 }, [1, 0]],
    ['a call that made no lead', () => refused({ ...LEAD, ...PERSON }), { refusedCalls: 1 }, [0, 1]],
  ] as const)('H5: is found, handed out and erased: %s', async (_where, make, tally, held) => {
    await make();
    const stranger = await openOffice(node, buyer);
    const member = await signIn(node, office.world, { role: 'member', permissions: [] });
    expect((await member.post(`${BASE}/find`, { q: PERSON.email })).statusCode).toBe(403);
    expect((await find(PERSON.email, stranger)).beside).toEqual({ samples: [], calls: [], searchedTo: null });
    expect((await ask(PERSON.email, {}, stranger)).json.code).toBe('data_request_nobody');

    const found = await find('(212) 555-0142');
    expect(found).toMatchObject({ total: 0, leads: [] });
    expect([found.beside.samples.length, found.beside.calls.length]).toEqual(held);
    expect(JSON.stringify(found)).not.toMatch(TRACES);
    expect(JSON.stringify(found)).toContain('m•••@example.com');

    const json = await office.post(`${BASE}/export`, { q: PERSON.email, reason: 'Request 16', format: 'json' });
    expect(JSON.stringify([...json.json.samples, ...json.json.refusedCalls])).toContain(PERSON.email);
    expect(json.text).not.toContain(office.world.key);
    const csv = await office.post(`${BASE}/export`, { q: PERSON.email, reason: 'Request 16', format: 'csv' });
    expect(csv.text).toContain(`email,${PERSON.email},`);

    expect(await erase(PERSON.email)).toEqual(tally);
    expect(await everything()).not.toMatch(TRACES);
    expect((await find(PERSON.email)).beside).toEqual({ samples: [], calls: [], searchedTo: null });
    expect((await ask(PERSON.email)).json.code).toBe('data_request_nobody');
    expect((await office.post(`${BASE}/export`, { q: PERSON.email, reason: 'Request 16', format: 'json' })).json.code).toBe(
      'data_request_nobody',
    );
  });

  it('H5: a sample that was called by its person is shown without the name', async () => {
    await sample('Mildred of Yale', PERSON);
    const [one] = (await find(PERSON.email)).beside.samples;
    expect(one.name).toMatch(/•/);
    expect(JSON.stringify(one)).not.toMatch(TRACES);
  });

  it('H5: a call that one look does not reach is handed out and erased all the same, and finding says how far back it came', async () => {
    await refused({ ...LEAD, ...PERSON });
    const { organizationId, publisherTierId } = office.world;
    const call = { organization_id: organizationId, publisher_tier_id: publisherTierId, method: 'POST', path: '/api/v1/leads' };
    const kept = { ...call, status_code: 400, code: 'body_empty', elapsed_ms: 1, wire: Buffer.alloc(40) };
    for (let times = 0; times < 6; times++)
      await node.db
        .insertInto('api_call')
        .values(Array.from({ length: 1_000 }, () => ({ ...kept, id: newId() })))
        .execute();
    expect((await find(PERSON.email)).beside).toEqual({ samples: [], calls: [], searchedTo: expect.any(String) });
    const { json } = await office.post(`${BASE}/export`, { q: PERSON.email, reason: 'Request 16', format: 'json' });
    expect(json).toMatchObject({ refusedCalls: [{ fields: { email: PERSON.email } }], refusedCallsSearchedTo: null });
    expect(await erase(PERSON.email)).toEqual({ refusedCalls: 1, unsearched: 6_000 });
  });

  it('console §6: only where the person has the page', async () => {
    const { regionId } = office.world;
    const vertical = { model: 'vertical', name: 'Auto', slug: 'auto', regionId, primaryField: 'email' };
    const autoId = (await office.post('/api/v1/common/post-add-data', vertical)).json.data._id;
    const pages = [{ value: 'leadFlow-DataRequest', pageChecked: true }];
    const verticals = [{ verticalId: autoId, verticalChecked: true, pages }];
    const elsewhere = await signIn(node, office.world, { role: 'member', permissions: [{ regionId, regionChecked: true, verticals }] });
    await sample('Only here', PERSON);
    await refused({ ...LEAD, ...PERSON });
    expect((await find(PERSON.email, elsewhere)).beside).toEqual({ samples: [], calls: [], searchedTo: null });
    expect((await ask(PERSON.email, {}, elsewhere)).json.code).toBe('data_request_nobody');
  });
});
