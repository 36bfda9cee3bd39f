/** Retention (design: data-mgmt/configuration): a vertical keeps the person in its leads for so many days, and really takes it out then. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { rollReports } from '#server/report/roll-reports.ts';
import { applyRetention } from '#server/retention/apply-retention.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { everythingOf } from '#test/harness/everything.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { insertPastLead, inventLead } from '#test/harness/past-leads.ts';
import { LEAD } from '#test/harness/world.ts';

const DAY_MS = 86_400_000;
const PENDING = { body: JSON.stringify({ result: 'pending', id: 'P-1', price: '20.00' }) };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;
let serial = 0;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(({ body }) => (body.includes('Soldier') ? ACCEPT : body.includes('Perhaps') ? PENDING : REJECT));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  office = await openOffice(node, buyer);
});

const add = (data: object) =>
  office.post('/api/v1/common/post-add-data', { model: 'retention', verticalId: office.world.verticalId, ...data });
const edit = (_id: string, data: object) => office.post('/api/v1/common/post-edit-data', { model: 'retention', _id, ...data });
async function keep(data: object): Promise<string> {
  const { statusCode, json } = await add(data);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
/** A lead of its own person; `Soldier` is bought, `Perhaps` is held. */
async function send(firstName: 'Soldier' | 'Nobody' | 'Perhaps'): Promise<string> {
  serial += 1;
  const person = { first_name: firstName, email: `kept${serial}@example.com`, phone: `21255501${String(serial).padStart(2, '0')}` };
  const { json } = await node.post('/api/v1/leads', { ...LEAD, ...person }, { authorization: `Bearer ${office.world.key}` });
  return json.leadId;
}
const REPORTS = {
  ...{ inbound: { unit: 'day', by: 'subId' }, trending: { unit: 'hour', by: 'publisher' }, outbound: { unit: 'day', by: 'buyerTier' } },
  ...{ performance: { by: 'publisher' }, redirect: { unit: 'day', by: 'buyer' }, reason: {}, 'time-outs': {} },
};
const inDays = (days: number) => Date.now() + days * DAY_MS;
const apply = (days: number) => applyRetention(node.db, node.planBook, inDays(days));
const view = async (id: string) => (await office.get(`/api/console/leads/${id}`)).json.lead;
const said = async (id: string) => {
  const lead = await view(id);
  return {
    erasedBy: lead.erasedBy,
    name: lead.fields.find((one: { fieldName: string }) => one.fieldName === 'first_name')?.value ?? null,
    wire: lead.attemptList[0]?.wire !== null,
    body: lead.inbound.body !== '',
  };
};
/** What somebody with all keys can read. */
const everything = () => everythingOf(node, office.world.organizationId);
const changes = async () => (await office.get('/api/v1/change-log?model=keptNoLonger')).json.changes;

it('takes the person out of an unsold lead before a sold one, what was said on the wire before both, and leaves figures and outcomes', async () => {
  const sold = await send('Soldier');
  const unsold = await send('Nobody');
  const before = [await view(sold), await view(unsold)];
  expect(before.map(({ status }) => status)).toEqual(['sold', 'unsold']);
  await keep({ unsoldDays: 90, soldDays: 730, wireDays: 30 });
  expect(await apply(29)).toBe(0);
  expect(await apply(32)).toBe(2);
  expect(await said(sold)).toMatchObject({ erasedBy: null, wire: false, body: false });
  expect((await said(sold)).name).not.toBeNull();
  expect(await apply(89)).toBe(0);
  expect(await apply(92)).toBe(1);
  expect([(await said(sold)).erasedBy, (await said(unsold)).erasedBy]).toEqual([null, 'retention']);
  expect(await apply(732)).toBe(1);
  expect((await said(sold)).erasedBy).toBe('retention');
  expect(await everything()).not.toMatch(/kept\d+@example|Soldier|Nobody|212555/);
  expect(await apply(2000)).toBe(0);
  const after = [await view(sold), await view(unsold)];
  const figures = (lead: Record<string, unknown>) => [lead.status, lead.revenue, lead.payout, lead.margin, lead.attempts];
  expect(after.map(figures)).toEqual(before.map(figures));
  const found = await office.post('/api/console/data-requests/find', { q: `kept${serial}@example.com` });
  expect(found.json.total).toBe(0);
  expect((await changes()).map(({ after: told, userName }: { after: object; userName: string }) => [userName, told])).toEqual([
    ['Rules of keeping', { leads: 1, unsoldDays: 90, soldDays: 730, wireDays: 30 }],
    ['Rules of keeping', { leads: 1, unsoldDays: 90, soldDays: 730, wireDays: 30 }],
    ['Rules of keeping', { calls: 2, unsoldDays: 90, soldDays: 730, wireDays: 30 }],
  ]);
});

describe('refused posts, which hold a person too', () => {
  const refuse = async (email: string) => {
    // A post without its ping makes no lead.
    const answer = await node.post('/api/v1/leads/post', { ...LEAD, email }, { authorization: `Bearer ${office.world.key}` });
    expect([answer.statusCode, answer.json.leadId]).toEqual([400, undefined]);
    await vi.waitFor(async () => expect(await everything()).toContain(email), { timeout: 15_000, interval: 100 });
  };

  it.each([
    ['with unsold leads', { unsoldDays: 5, soldDays: 40, wireDays: 30 }, 5],
    ['with requests and answers where that is sooner', { unsoldDays: 30, wireDays: 5 }, 5],
    ['with requests and answers alone', { wireDays: 5 }, 5],
  ])('lose what was said %s', async (_when, days, after) => {
    await refuse('turned-away1@example.com');
    await refuse('turned-away2@example.com');
    const body = { verticalId: office.world.verticalId, unsoldDays: null, soldDays: null, wireDays: null };
    expect((await office.post('/api/console/retention/preview', { ...body, ...days })).json).toMatchObject({ refused: 0, isMore: false });
    await keep(days);
    expect(await apply(after)).toBe(0);
    expect(await everything()).toContain('turned-away1');
    expect(await apply(after + 2)).toBe(2);
    expect(await everything()).not.toContain('turned-away');
    expect(await apply(after + 2)).toBe(0);
    expect((await changes())[0].after).toMatchObject({ refusedCalls: 2 });
    const row = (await office.post('/api/v1/common/get-data', { model: 'retention' })).json.data[0];
    expect(row).toMatchObject({ emptiedCalls: 2, erasedLeads: 0 });
  });

  it('stay where people in sold leads alone go, and while a hold is on them', async () => {
    await refuse('turned-away3@example.com');
    const id = await keep({ soldDays: 1 });
    expect(await apply(50)).toBe(0);
    await edit(id, { wireDays: 1, onHold: true, holdReason: 'A lawsuit' });
    expect(await apply(50)).toBe(0);
    expect(await everything()).toContain('turned-away3');
    await edit(id, { onHold: false });
    expect(await apply(50)).toBe(1);
  });
});

it('deletes nothing while a hold is on it, nor where nothing is said', async () => {
  const lead = await send('Nobody');
  const id = await keep({ unsoldDays: 1, onHold: true, holdReason: 'A lawsuit' });
  expect(await apply(50)).toBe(0);
  expect((await edit(id, { onHold: false, unsoldDays: null })).statusCode).toBe(200);
  expect(await apply(50)).toBe(0);
  expect((await said(lead)).erasedBy).toBeNull();
  await edit(id, { unsoldDays: 1 });
  expect(await apply(50)).toBe(1);
});

it('G8: by two nodes at once takes each lead once, and goes on where a run was cut off', async () => {
  for (let one = 0; one < 60; one++) await send('Nobody');
  await keep({ unsoldDays: 1 });
  // A run that has no time does a step at most, as one that is killed.
  const cut = await applyRetention(node.db, node.planBook, inDays(3), 1);
  expect(cut).toBeLessThan(60);
  const both = await Promise.all([apply(3), apply(3)]);
  expect(cut + both[0] + both[1] + (await apply(3))).toBe(60);
  const { rows } = await node.pool.query('select erased_leads::int as erased from retention where organization_id = $1', [
    office.world.organizationId,
  ]);
  expect(rows).toEqual([{ erased: 60 }]);
});

it('a lead that cannot be read goes with the others; its calls alone cannot be taken out of it, which is told', async () => {
  const [first, broken, last] = [await send('Nobody'), await send('Nobody'), await send('Nobody')];
  await node.pool.query(`update lead set fields = 'unreadable' where id = $1`, [broken]);
  const id = await keep({ wireDays: 1 });
  expect(await apply(3)).toBe(2);
  expect((await changes())[0].after).toMatchObject({ calls: 2, couldNotBeRead: 1 });
  await edit(id, { unsoldDays: 1 });
  expect(await apply(3)).toBe(3);
  for (const one of [first, broken, last]) expect((await said(one)).erasedBy).toBe('retention');
  expect((await changes())[0].after).toMatchObject({ leads: 3 });
});

it('leaves unsold leads that are kept for ever where only sold ones go', async () => {
  const [sold, unsold] = [await send('Soldier'), await send('Nobody')];
  await keep({ soldDays: 1 });
  expect(await apply(3)).toBe(1);
  expect([(await said(sold)).erasedBy, (await said(unsold)).erasedBy]).toEqual(['retention', null]);
});

it('keeps a lead that a buyer may have as long as sold ones, also an interrupted one; once it came to nothing it goes with unsold ones', async () => {
  const [held, interrupted, after] = [await send('Perhaps'), await send('Perhaps'), await send('Nobody')];
  await node.pool.query(`update lead_result set status = 'error', reason = 'interrupted' where lead_id = $1`, [interrupted]);
  await keep({ unsoldDays: 1 });
  expect(await apply(3)).toBe(1);
  expect([(await said(held)).erasedBy, (await said(interrupted)).erasedBy, (await said(after)).erasedBy]).toEqual([
    null,
    null,
    'retention',
  ]);
  const leads = [held, interrupted].map((leadId) => ({ leadId, buyerTierId: office.world.tiers[0]!.buyerTierId, outcome: 'notBought' }));
  expect((await office.post('/api/console/settlements', { leads })).json.settled).toBe(2);
  expect(await apply(3)).toBe(2);
  expect([(await said(held)).erasedBy, (await said(interrupted)).erasedBy]).toEqual(['retention', 'retention']);
});

it('passes no lead by because the database could not be asked', async () => {
  const leads = [await send('Nobody'), await send('Nobody')];
  await keep({ unsoldDays: 1 });
  const client = await node.pool.connect();
  await client.query('begin');
  await client.query('select from lead where id = $1 for update', [leads[0]]);
  let isOver = false;
  const run = apply(3).finally(() => {
    isOver = true;
  });
  run.catch(() => {});
  // Whatever waits for that lead is broken off, as a time limit would.
  while (!isOver) {
    await node.pool.query(
      `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%"lead"%'`,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await expect(run).rejects.toThrow('could not be applied');
  await client.query('rollback');
  client.release();
  expect(await apply(3)).toBe(2);
});

it('leaves nothing to find a lead by, though it was found by more when it came', async () => {
  const lead = await send('Nobody');
  const lookups = async () => (await node.pool.query('select from lead_lookup where lead_id = $1', [lead])).rowCount;
  expect(await lookups()).toBeGreaterThan(0);
  await node.pool.query('update field set searchable = false where organization_id = $1', [office.world.organizationId]);
  await keep({ unsoldDays: 1 });
  expect(await apply(3)).toBe(1);
  expect(await lookups()).toBe(0);
});

it('leaves every report as it was', async () => {
  const leads = [await send('Soldier'), await send('Nobody'), await send('Soldier'), await send('Perhaps'), await send('Nobody')];
  await office.post(`/api/console/leads/${leads[0]}/return`, { saleIndex: 0, reason: 'Wrong number', note: '' });
  const reports = async () => {
    await rollReports(node.pool, inDays(1));
    const [from, to] = [-1, 1].map((days) => new Date(inDays(days)).toISOString().slice(0, 13));
    const span = { region: 'us', vertical: 'payday', timeZone: 'UTC', from: `${from}:00:00Z`, to: `${to}:00:00Z` };
    const asked = Object.entries(REPORTS).map(async ([name, query]) => {
      const { statusCode, json } = await office.get(`/api/console/reports/${name}?${new URLSearchParams({ ...span, ...query })}`);
      expect([statusCode, json.msg]).toEqual([200, undefined]);
      return [name, { ...json, asOf: null }];
    });
    return Object.fromEntries(await Promise.all(asked));
  };
  const before = await reports();
  expect(before.inbound.total).toMatchObject({ attempts: 5, sold: 2 });
  await keep({ unsoldDays: 1, soldDays: 1, wireDays: 1 });
  expect(await apply(3)).toBe(5);
  expect(await reports()).toEqual(before);
});

describe('its rules', () => {
  it.each([
    ['that keep sold leads for less than others', { unsoldDays: 90, soldDays: 30 }, 400, 'retention_sold_sooner'],
    ['of no day', { unsoldDays: 0 }, 400, 'record_value_invalid'],
    ['of a text', { unsoldDays: '90' }, 400, 'record_value_invalid'],
    ['of more than ten years', { wireDays: 3651 }, 400, 'record_value_invalid'],
    ['with a hold for no reason', { onHold: true, holdReason: ' ' }, 400, 'retention_hold_reason'],
    ['of an unknown vertical', { verticalId: '00000000-0000-7000-8000-000000000000' }, 404, 'record_unknown'],
  ])('%s are refused', async (_name, data, statusCode, code) => {
    const answer = await add(data);
    expect([answer.statusCode, answer.json.code]).toEqual([statusCode, code]);
  });

  it('stand once for a vertical, and are not those of another organization', async () => {
    const id = await keep({ unsoldDays: 10 });
    const again = await add({ unsoldDays: 20 });
    expect([again.statusCode, again.json.code]).toEqual([409, 'retention_exists']);
    const stranger = await openOffice(node, buyer);
    const taken = await stranger.post('/api/v1/common/post-edit-data', { model: 'retention', _id: id, unsoldDays: 1 });
    expect(taken.statusCode).toBe(404);
    const preview = await stranger.post('/api/console/retention/preview', {
      ...{ verticalId: office.world.verticalId, unsoldDays: 1, soldDays: null, wireDays: null },
    });
    expect(preview.statusCode).toBe(403);
  });

  it('are told beforehand with how many leads they would take today', async () => {
    await send('Soldier');
    const ask = async (body: object) =>
      (
        await office.post('/api/console/retention/preview', {
          verticalId: office.world.verticalId,
          unsoldDays: null,
          soldDays: null,
          wireDays: null,
          ...body,
        })
      ).json;
    expect(await ask({ unsoldDays: 1, soldDays: 1, wireDays: 1 })).toMatchObject({ unsold: 0, sold: 0, wires: 0 });
    const client = await node.pool.connect();
    await insertPastLead(client, office.world, { ...inventLead(office.world, inDays(-10), () => 0.12), id: newId(inDays(-10)) });
    client.release();
    expect(await ask({ unsoldDays: 1, soldDays: 1, wireDays: 1 })).toMatchObject({ unsold: 1, sold: 0, wires: 1, isMore: false });
  });
});
