/** A lead whose sealed fields were damaged: no list, log, file or message of others is lost for it, and it says what it is. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openRowWriter } from '#server/export/export-columns.ts';
import { isPersonGone } from '#server/lead/person-gone.sql.ts';
import { expirePending } from '#server/settlement/expire-pending.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';

const PLACE = 'region=us&vertical=payday';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let system: ScriptedBuyer;
let office: Office;
let damaged: string;
let sound: string;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
  system = await startBuyer(() => ({ status: 204 }));
  office = await openOffice(node, buyer);
  damaged = (await office.lead('damaged@example.com')).json.leadId;
  sound = (await office.lead('sound@example.com')).json.leadId;
  await node.pool.query(`update lead set fields = set_byte(fields, 20, (get_byte(fields, 20) + 1) % 256) where id = $1`, [damaged]);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), system.close()]);
});

it('stands in the leads list and in both logs beside the others', async () => {
  const leads = (await office.get(`/api/console/leads?${PLACE}`)).json;
  expect(leads.rows.map((row: { _id: string; primaryValue: string }) => [row._id, row.primaryValue])).toEqual([
    [sound, 's•••@example.com'],
    [damaged, 'cannot be opened'],
  ]);
  for (const log of [
    `/api/console/logs/calls?${PLACE}`,
    `/api/console/logs/attempts?${PLACE}`,
    `/api/console/logs/calls?${PLACE}&text=payday`,
  ]) {
    const { statusCode, json } = await office.get(log);
    expect([log, statusCode, json.status]).toEqual([log, 200, true]);
  }
});

it('says on its own page what is wrong, and what to do', async () => {
  const { statusCode, json } = await office.get(`/api/console/leads/${damaged}`);
  expect([statusCode, json.code]).toEqual([409, 'lead_unreadable']);
});

it('can be given back: no word about it is kept, and webhooks that tell of it end instead of being tried for ever', async () => {
  const { json } = await office.post('/api/v1/common/post-add-data', {
    ...{ model: 'webhook', verticalId: office.world.verticalId, name: 'CRM', url: `${system.url}/hook`, events: ['lead.returned'] },
  });
  for (const leadId of [damaged, sound])
    expect(
      (await office.post(`/api/console/leads/${leadId}/return`, { saleIndex: 0, reason: 'Duplicate', note: 'Ada called' })).json.status,
    ).toBe(true);
  await expect.poll(() => system.calls.length, { timeout: 8_000 }).toBe(1);
  const callsOf = async () => (await office.get(`/api/console/webhooks/${json.data._id}/calls`)).json.calls;
  await expect
    .poll(async () => (await callsOf()).map((call: { state: string }) => call.state).sort(), { timeout: 8_000 })
    .toEqual(['failed', 'told']);
  const [failed] = (await callsOf()).filter((call: { state: string }) => call.state === 'failed');
  expect([failed.leadId, failed.failure]).toEqual([damaged, 'What is kept of the lead cannot be opened.']);
  const keys = node.planBook.find(office.world.organizationId)!.keys;
  const gone = (leadId: string) => node.db.transaction().execute((tx) => isPersonGone(tx, keys, leadId));
  expect([await gone(damaged), await gone(sound)]).toEqual([true, false]);
});

it('stands in files without its person', async () => {
  const organization = node.planBook.find(office.world.organizationId)!;
  const { rows } = await node.pool.query('select id, fields from lead where id = any($1) order by id', [[damaged, sound]]);
  const content = { columns: ['field:email'], format: 'jsonl', timeZone: 'UTC', unmasked: true } as never;
  const writer = openRowWriter(
    content,
    organization.plan.verticals.get(office.world.verticalId)!.config.fields as never,
    organization.keys,
  );
  expect(rows.map((row) => JSON.parse(writer.write(row)))).toEqual([{ email: 'cannot be opened' }, { email: 'sound@example.com' }]);
});

it('whose answer was damaged too keeps no log from being read, and is answered with what is wrong', async () => {
  const leadId = (await office.lead('answered@example.com')).json.leadId;
  await node.pool.query(
    `update lead_result set explained = set_byte(explained, 20, (get_byte(explained, 20) + 1) % 256),
       wires = set_byte(wires, 20, (get_byte(wires, 20) + 1) % 256) where lead_id = $1`,
    [leadId],
  );
  for (const log of [
    `/api/console/logs/calls?${PLACE}`,
    `/api/console/logs/attempts?${PLACE}`,
    `/api/console/logs/calls?${PLACE}&text=accepted`,
    `/api/console/logs/attempts?${PLACE}&text=accepted`,
  ]) {
    const { statusCode, json } = await office.get(log);
    expect([log, statusCode, json.rows.length > 0]).toEqual([log, 200, true]);
  }
  const calls = (await office.get(`/api/console/logs/calls?${PLACE}`)).json.rows;
  expect(calls.find((row: { _id: string }) => row._id === leadId)).toMatchObject({ end: 'sold', statusCode: null, code: null });
  const authorization = `Bearer ${office.world.key}`;
  const asked = await fetch(`${node.url}/api/v1/leads/${leadId}`, { headers: { authorization } });
  expect([asked.status, ((await asked.json()) as { code: string }).code]).toEqual([409, 'lead_unreadable']);
  const again = await office.lead('answered@example.com');
  expect([again.statusCode, again.json.code]).toEqual([409, 'lead_unreadable']);
  // Whoever runs the installation hears of it.
  expect(await metricOf(node.url, 'sluice_refusals_total', { status: '409', code: 'lead_unreadable' })).toBeGreaterThanOrEqual(2);
});

it('whose answer was damaged is not settled as bought, keeps no other from it, and ends when its time is over', async () => {
  buyer.answer(() => ({ body: JSON.stringify({ result: 'pending', id: 'P-1' }) }));
  const held = [(await office.lead('held@example.com')).json.leadId, (await office.lead('other@example.com')).json.leadId];
  await node.pool.query(
    `update lead_result set explained = set_byte(explained, 20, (get_byte(explained, 20) + 1) % 256) where lead_id = $1`,
    [held[0]],
  );
  const { buyerTierId } = office.world.tiers[0]!;
  const leads = held.map((leadId) => ({ leadId, buyerTierId, outcome: 'bought' }));
  const quoted = (await office.post('/api/console/settlements/quote', { leads: held.map((leadId) => ({ leadId, buyerTierId })) })).json;
  expect(quoted.leads.map((line: { code: string | null }) => line.code)).toEqual(['settlement_unreadable', null]);
  const { json } = await office.post('/api/console/settlements', { leads });
  expect(json.leads.map((line: { isSettled: boolean; code: string | null }) => [line.isSettled, line.code])).toEqual([
    [false, 'settlement_unreadable'],
    [true, null],
  ]);
  const open = (await office.get(`/api/console/settlements/open?${PLACE}`)).json;
  expect(open.items.map((item: { leadId: string }) => item.leadId)).toEqual([held[0]]);
  const none = (await office.post('/api/console/settlements', { leads: [{ leadId: held[0], buyerTierId, outcome: 'bought' }] })).json;
  expect(none.msg).toContain('It can be settled as not bought');
  expect(await expirePending(node.db, node.planBook, Date.now() + 1_000 * 3_600_000)).toBe(1);
  expect((await office.get(`/api/console/settlements/open?${PLACE}`)).json.total).toBe(0);
  const { rows } = await node.pool.query('select status, verdicts from lead_result where lead_id = $1', [held[0]]);
  expect(rows).toMatchObject([{ status: 'unsold', verdicts: [{ t: buyerTierId, c: 'settled-not-bought' }] }]);
});
