/** A consumer is erased though some of what is kept was damaged: what is theirs goes unread, what cannot be searched is told (decision 0026). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openJson } from '#server/kit/crypto.ts';
import type { StoredWire } from '#server/lead/intake.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { waitForJobOf } from '#test/harness/jobs.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { LEAD } from '#test/harness/world.ts';

const BASE = '/api/console/data-requests';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let service: ScriptedBuyer;
let folder: string;
let register: string;
let office: Office;
let people = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-damaged-'));
  register = join(folder, 'erasures.jsonl');
  node = await startTestWorld({ erasureRegister: register });
  buyer = await startBuyer(({ body }) => {
    const { email } = JSON.parse(body) as { email: string };
    return { ...ACCEPT, body: JSON.stringify({ result: 'accepted', price: '20', id: `B-${email}`, reason: email }) };
  });
  service = await startBuyer(() => ACCEPT);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), service.close()]);
  rmSync(folder, { recursive: true, force: true });
});

/** An organization of its own for each case. */
const open = () => openOffice(node, buyer, { services: { check: { url: service.url } }, publisher: { p2c: { service: 'check' } } });
const somebody = () => ({ email: `torn.hopper.${people++}@example.com`, phone: `21255501${10 + people}` });
const damage = (table: string, column: string, key: string, id: string) =>
  sql`update ${sql.table(table)} set ${sql.ref(column)} = set_byte(${sql.ref(column)}, 20, (get_byte(${sql.ref(column)}, 20) + 1) % 256)
    where organization_id = ${office.world.organizationId}::uuid and ${sql.ref(key)} = ${id}::uuid`.execute(node.db);
const find = async (q: string) => (await office.post(`${BASE}/find`, { q })).json;
async function erase(q: string) {
  const { json } = await office.post(`${BASE}/erase`, { q, reason: 'Request 17', confirm: 'ERASE' });
  const job = await waitForJobOf(office, json.jobId);
  expect(job).toMatchObject({ status: 'done' });
  const [proof] = (await office.get(`/api/v1/change-log?recordId=${json.jobId}`)).json.changes;
  expect(proof).toMatchObject({ recordName: 'one person, done', after: job.tally });
  return job.tally;
}
const rowOf = async (table: 'service_call' | 'lead_result', column: string, leadId: string): Promise<Buffer> =>
  (await sql<{ it: Buffer }>`select ${sql.ref(column)} as it from ${sql.table(table)} where lead_id = ${leadId}::uuid`.execute(node.db))
    .rows[0]!.it;

it.each([
  ['its fields', 'lead', 'fields', 'id', 1],
  ['its explanation', 'lead_result', 'explained', 'lead_id', 1],
  ['what went to buyers', 'lead_result', 'wires', 'lead_id', 1],
  ['what went to services', 'service_call', 'wire', 'lead_id', 1],
] as const)('H4: a lead is found, and erased wholly, of which was damaged: %s', async (_what, table, column, key, unreadable) => {
  office = await open();
  const person = somebody();
  const { leadId } = (await office.lead(person.email, person)).json;
  const before = (await office.get(`/api/console/leads/${leadId}`)).json.lead;
  await damage(table, column, key, leadId);
  expect((await office.get(`/api/console/leads/${leadId}`)).json.code).toBe('lead_unreadable');
  expect(await find(person.email)).toMatchObject({ total: 1, leads: [{ lead: { _id: leadId, status: 'sold' }, fields: [], held: null }] });
  const file = await office.post(`${BASE}/export`, { q: person.email, reason: 'Request 17', format: 'json' });
  expect(file.json.leads).toMatchObject([{ leadId, status: 'sold', couldNotBeRead: true }]);

  expect(await erase(person.email)).toMatchObject({ leads: 1, checks: 1, unreadable });

  const { lead } = (await office.get(`/api/console/leads/${leadId}`)).json;
  expect(lead).toMatchObject({ status: 'sold', erasedBy: 'request', revenue: before.revenue, payout: before.payout });
  expect(lead.sales.map((sale: { revenue: string }) => sale.revenue)).toEqual(['20.00']);
  expect(JSON.stringify(lead)).not.toMatch(/hopper|5550/i);
  const { keys } = node.planBook.find(office.world.organizationId)!;
  const wires = openJson<StoredWire[]>(keys, 'lead_result.wires', leadId, await rowOf('lead_result', 'wires', leadId));
  const check = openJson<StoredWire>(keys, 'service_call.wire', `${leadId} 0`, await rowOf('service_call', 'wire', leadId));
  expect([...wires, check].filter(({ request }) => request)).toEqual([]);
  const lookups = await node.db.selectFrom('lead_lookup').select('value_hash').where('lead_id', '=', leadId).execute();
  expect(lookups).toEqual([]);
  const asked = await fetch(`${node.url}/api/v1/leads/${leadId}`, { headers: { authorization: `Bearer ${office.world.key}` } });
  expect(await asked.json()).toMatchObject({ status: 'accepted', code: 'lead_sold', price: '16.00' });
});

it('H4: a refused call and a sample that were damaged keep nobody from being erased, and are told as what nobody could search', async () => {
  office = await open();
  const person = somebody();
  await office.lead(person.email, person);
  const sample = async (name: string) =>
    office.post('/api/console/lab/samples', { region: 'us', vertical: 'payday', name, fields: { ...LEAD, ...person } });
  await sample('From life');
  await sample('From life too');
  const refused = () => node.post('/api/v1/leads/post', { ...LEAD, ...person }, { authorization: `Bearer ${office.world.key}` });
  await refused();
  await refused();
  const ids = async (table: 'api_call' | 'sample_lead') =>
    (await node.db.selectFrom(table).select('id').where('organization_id', '=', office.world.organizationId).orderBy('id').execute()).map(
      ({ id }) => id,
    );
  await expect.poll(async () => (await ids('api_call')).length).toBe(2);
  const [call, torn] = [(await ids('api_call'))[0]!, (await ids('sample_lead'))[0]!];
  await damage('api_call', 'wire', 'id', call);
  await damage('sample_lead', 'fields', 'id', torn);
  expect(await erase(person.email)).toMatchObject({ leads: 1, refusedCalls: 1, samples: 1, unsearched: 2 });
  expect(await ids('sample_lead')).toEqual([torn]);
});

it('H4: damaged rows keep no node from starting after a backup was put back, and the change log says how many there were', async () => {
  office = await open();
  const person = somebody();
  const { leadId } = (await office.lead(person.email, person)).json;
  await erase(person.email);
  // As in the backup: nobody knows of the erasure, and the person is there again.
  const organizationId = office.world.organizationId;
  for (const table of ['erasure', 'erased_person'] as const)
    await node.db.deleteFrom(table).where('organization_id', '=', organizationId).execute();
  const again = (await office.lead(person.email, { ...person, monthly_income: '4700' })).json.leadId;
  await node.post('/api/v1/leads/post', { ...LEAD, ...person }, { authorization: `Bearer ${office.world.key}` });
  const calls = () =>
    node.db.selectFrom('api_call').select('id').where('organization_id', '=', organizationId).where('lead_id', 'is', null);
  await expect.poll(async () => (await calls().execute()).length).toBe(1);
  await damage('api_call', 'wire', 'id', (await calls().executeTakeFirstOrThrow()).id);
  await damage('lead_result', 'explained', 'lead_id', again);
  expect(leadId).not.toBe(again);

  const restarted = await startNode(node.database.url, { erasureRegister: register });
  const there = await signIn(restarted, office.world);
  expect((await there.get(`/api/console/leads/${again}`)).json.lead).toMatchObject({ status: 'sold', erasedBy: 'request' });
  const [line] = (await there.get('/api/v1/change-log?model=personalData')).json.changes;
  expect(line).toMatchObject({
    recordName: 'one person, after a backup was put back',
    after: { leads: 1, unreadable: 1, unsearched: 1 },
  });
  await restarted.close();
});
