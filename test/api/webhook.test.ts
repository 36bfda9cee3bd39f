/** Webhooks (design: features-api): what becomes of a lead is told to the organization's own systems, signed, at least once, and in the end. */
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutbound } from '#server/delivery/outbound.ts';
import { parseAllowList } from '#server/delivery/outbound-address.ts';
import { openWebhookSender, PAUSED_AFTER_MS, WAITS_MS } from '#server/webhook/webhook-sender.ts';
import { ACCEPT, type BuyerCall, REJECT, type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { insideOneMinute, useUp } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let system: ScriptedBuyer;
let office: Office;
let bought: ScriptedAnswer = ACCEPT;
let serial = 0;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => bought);
  system = await startBuyer(() => ({ status: 204 }));
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), system.close()]);
});
beforeEach(async () => {
  bought = ACCEPT;
  // What an earlier test left to be told is no call of this one's.
  await node.pool.query('delete from webhook_call');
  office = await openOffice(node, buyer);
  system.calls.length = 0;
  system.answer(() => ({ status: 204 }));
});

const EVENTS = ['lead.sold', 'lead.notSold', 'lead.held', 'lead.settled', 'lead.returned'];
const tryAdd = (data: object = {}, by = office) =>
  by.post('/api/v1/common/post-add-data', {
    ...{ model: 'webhook', verticalId: office.world.verticalId, name: 'CRM', url: `${system.url}/hook`, events: EVENTS },
    ...data,
  });
async function add(data: object = {}): Promise<string> {
  const { statusCode, json } = await tryAdd(data);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const send = async (more: object = {}): Promise<string> => (await office.lead(`hook${++serial}@example.com`, { ...more })).json.leadId;
const secretOf = async (id: string): Promise<string> => (await office.get(`/api/console/webhooks/${id}/secret`)).json.secret;
const callsOf = async (id: string) => (await office.get(`/api/console/webhooks/${id}/calls`)).json.calls;
const heard = (count: number) => expect.poll(() => system.calls.length, { timeout: 8_000, interval: 50 }).toBe(count);
const messageOf = ({ body }: BuyerCall) => JSON.parse(body);
/** Another node's sender, at another time. */
async function sendAt(now: number, until: () => Promise<boolean>): Promise<void> {
  const outbound = createOutbound({ allow: parseAllowList('127.0.0.1') });
  const errors: unknown[] = [];
  const sender = openWebhookSender({
    db: node.db,
    planBook: node.planBook,
    outbound,
    clock: () => now,
    onError: (error) => errors.push(error),
    everyMs: 20,
  });
  await expect.poll(until, { timeout: 8_000, interval: 30 }).toBe(true);
  await sender.close();
  await outbound.close();
  expect(errors).toEqual([]);
}

it('are told of a sale, signed as docs/webhooks.md says, with money and names and nothing of the person', async () => {
  const id = await add();
  const leadId = await send({ first_name: 'Secretive' });
  await heard(1);
  const [call] = system.calls as [BuyerCall];
  expect(messageOf(call)).toMatchObject({
    event: 'lead.sold',
    lead: {
      ...{ leadId, region: 'us', vertical: 'payday', status: 'sold', reason: null, currency: 'USD', revenue: '20.0000' },
      sales: [{ buyerName: 'Ann', revenue: '20.0000', buyerReference: 'B-1' }],
      returns: [],
    },
  });
  expect(call.body).not.toMatch(/secretive|hook\d+@|212555/i);
  const timestamp = String(call.headers['x-sluice-timestamp']);
  const expected = createHmac('sha256', await secretOf(id))
    .update(`${timestamp}.${call.body}`)
    .digest('hex');
  expect(call.headers['x-sluice-signature']).toBe(`v1=${expected}`);
  expect([call.headers['x-sluice-event'], call.headers['x-sluice-delivery']]).toEqual(['lead.sold', messageOf(call).id]);
  await expect.poll(async () => (await callsOf(id))[0].state).toBe('told');
  expect(await metricOf(node.url, 'sluice_webhook_calls_total', { outcome: 'taken' })).toBe(1);
  expect((await callsOf(id))[0]).toMatchObject({ leadId, event: 'lead.sold', tries: 1, statusCode: 204, failure: null, nextAt: null });
});

it('hear of leads that nobody bought, of held ones that are settled, and of returns; never of tests and pings', async () => {
  const id = await add();
  bought = REJECT;
  await send();
  bought = { body: JSON.stringify({ result: 'pending', id: 'P-1', price: '20.00' }) };
  const held = await send();
  bought = ACCEPT;
  await office.lead(`hook${++serial}@example.com`, { test: true });
  await node.post('/api/v1/ping', { state: 'NY', zip: '01234', monthly_income: '4000' }, { authorization: `Bearer ${office.world.key}` });
  const settled = await office.post('/api/console/settlements', {
    leads: [{ leadId: held, buyerTierId: office.world.tiers[0]!.buyerTierId, outcome: 'bought', price: '20.00' }],
  });
  const returned = await office.post(`/api/console/leads/${held}/return`, { saleIndex: 0, reason: 'Wrong number', note: '' });
  expect([settled.statusCode, settled.text, returned.statusCode, returned.text]).toMatchObject([
    200,
    expect.anything(),
    200,
    expect.anything(),
  ]);
  await heard(4);
  const told = system.calls.map(messageOf).map(({ event, lead }) => [event, lead.leadId === held]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['lead.notSold', false],
      ['lead.held', true],
      ['lead.settled', true],
      ['lead.returned', true],
    ]),
  );
  expect(await callsOf(id)).toHaveLength(4);
});

it('only hear what they asked for, of their own vertical, and nothing once archived; what comes while one is paused waits', async () => {
  const id = await add({ events: ['lead.sold'] });
  await add({ name: 'Other', events: ['lead.returned'] });
  await office.change('webhook', id, { status: 'paused' });
  const leadId = await send();
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(system.calls).toHaveLength(0);
  await office.change('webhook', id, { status: 'active' });
  await heard(1);
  expect(messageOf(system.calls[0]!).lead.leadId).toBe(leadId);
  await office.post('/api/v1/common/post-delete-data', { model: 'webhook', _id: id });
  await send();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(system.calls).toHaveLength(1);
});

it('that do not listen are tried again after the waits that are told, and in the end no more; a person may have it told again', async () => {
  system.answer(() => ({ status: 500 }));
  const id = await add();
  await send();
  await heard(1);
  await expect.poll(async () => (await callsOf(id))[0].failure).toBe('It answered with HTTP 500.');
  const first = (await callsOf(id))[0];
  expect(Date.parse(first.nextAt) - Date.parse(first.lastAt)).toBe(WAITS_MS[0]);
  let now = Date.now();
  for (const [at, wait] of WAITS_MS.entries()) {
    now += wait + 1;
    await sendAt(now, async () => (await callsOf(id))[0].tries === at + 2 && (await callsOf(id))[0].lastAt === new Date(now).toISOString());
  }
  expect(system.calls).toHaveLength(1 + WAITS_MS.length);
  expect((await callsOf(id))[0]).toMatchObject({ state: 'failed', tries: 1 + WAITS_MS.length, nextAt: null });
  system.answer(() => ({ status: 200 }));
  const again = await office.post(`/api/console/webhooks/${id}/calls/${first._id}/again`, {});
  expect(again.statusCode).toBe(200);
  await expect.poll(async () => (await callsOf(id))[0].state, { timeout: 8_000 }).toBe('told');
  // It is the same call: whoever took it before knows it by its id.
  expect(new Set(system.calls.map((call) => call.headers['x-sluice-delivery']))).toEqual(new Set([first._id]));
});

it('that have taken nothing for five days are paused, which the change log says; whoever lets them go on begins anew', async () => {
  system.answer(() => ({ reset: true }));
  const id = await add();
  await send();
  await heard(1);
  await expect.poll(async () => (await callsOf(id))[0].failure).toBe('The connection broke off.');
  const later = Date.now() + PAUSED_AFTER_MS + 60_000;
  await sendAt(
    later,
    async () =>
      (await office.post('/api/v1/common/single-data', { model: 'webhook', condition: { _id: id } })).json.data.status === 'paused',
  );
  const { changes } = (await office.get(`/api/v1/change-log?recordId=${id}`)).json;
  expect(changes[0]).toMatchObject({ userName: 'Nothing taken for five days', before: { status: 'active' }, after: { status: 'paused' } });
  await node.pool.query(`update webhook set failing_since = now() - interval '6 days' where id = $1`, [id]);
  await office.change('webhook', id, { status: 'active' });
  await send();
  const failed = async () => (await callsOf(id))[0].failure;
  await expect.poll(failed, { timeout: 8_000 }).toBe('The connection broke off.');
  const { json } = await office.post('/api/v1/common/single-data', { model: 'webhook', condition: { _id: id } });
  expect(json.data.status).toBe('active');
});

it('G8, G10: are called by one node at a time for each call, whatever the clocks say, and by the next when that node died', async () => {
  system.answer(() => ({ status: 200, delayMs: 1_500 }));
  const id = await add();
  await send();
  await heard(1);
  const [{ _id: callId }] = await callsOf(id);
  const again = await office.post(`/api/console/webhooks/${id}/calls/${callId}/again`, {});
  expect([again.statusCode, again.json.code]).toEqual([409, 'webhook_call_under_way']);
  const times = () => system.calls.filter((call) => call.headers['x-sluice-delivery'] === callId).length;
  // A node whose clock is a day ahead.
  await sendAt(Date.now() + 86_400_000, async () => (await callsOf(id))[0].state === 'told');
  expect(times()).toBe(1);
  await node.pool.query(`update webhook_call set state = 'due', taken_until = now() + interval '2 seconds' where id = $1`, [callId]);
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect(times()).toBe(1);
  await expect.poll(times, { timeout: 8_000 }).toBe(2);
});

it('G8: are not told again for what a node says that lost the call meanwhile', async () => {
  system.answer(() => ({ status: 500, delayMs: 1_000 }));
  const id = await add();
  await send();
  await heard(1);
  await node.pool.query(`update webhook_call set state = 'told', taken_until = null where webhook_id = $1`, [id]);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect((await callsOf(id))[0]).toMatchObject({ state: 'told', failure: null });
});

it('keep no other waiting, however many hang and whatever they have to hear; who listens is told as fast as it takes', async () => {
  const hanging = await startBuyer(() => ({ hang: true }));
  const id = await add();
  const others = await Promise.all([...Array(9).keys()].map((at) => add({ name: `Hanging ${at}`, url: `${hanging.url}/${at}` })));
  const queue = (webhookIds: string[], leadId: string) =>
    node.pool.query(
      `insert into webhook_call (organization_id, id, webhook_id, lead_id, event, made_at, due_at)
        select $1, uuidv7(), w, $2, 'lead.sold', now(), now() - interval '1 hour' from unnest($3::uuid[]) w, generate_series(1, 60)`,
      [office.world.organizationId, leadId, webhookIds],
    );
  await node.pool.query(`update webhook set failing_since = now() where id = any($1)`, [others]);
  const leadId = await send();
  await heard(1);
  await queue(others, leadId);
  await expect.poll(() => hanging.calls.length, { timeout: 8_000 }).toBe(8);
  await queue([id], leadId);
  await heard(61);
  expect(hanging.calls).toHaveLength(8);
  await hanging.close();
});

it('take a call with their code alone: what they say beyond 256 KiB, or never end saying, is not read', async () => {
  system.answer(() => ({ status: 200, body: 'x'.repeat(300_000) }));
  const id = await add();
  await send();
  await heard(1);
  await expect.poll(async () => (await callsOf(id))[0]).toMatchObject({ state: 'told', tries: 1, statusCode: 200, failure: null });
});

it('hear nothing of the person by what a buyer calls the lead', async () => {
  bought = { body: JSON.stringify({ result: 'accepted', price: '20.00', id: 'hooked@example.com' }) };
  await add();
  await office.lead('hooked@example.com', {});
  await heard(1);
  expect(messageOf(system.calls[0]!).lead.sales).toMatchObject([{ buyerName: 'Ann', buyerReference: null }]);
  expect(system.calls[0]!.body).not.toContain('hooked@example.com');
});

it('wait for a node that has the keys of their organization, and lose no try meanwhile', async () => {
  system.answer(() => ({ status: 500 }));
  const id = await add();
  await send();
  await heard(1);
  await expect.poll(async () => (await callsOf(id))[0].failure).not.toBeNull();
  const sender = openWebhookSender({
    ...{
      db: node.db,
      planBook: { find: () => undefined, list: () => [] },
      outbound: createOutbound({ allow: parseAllowList('127.0.0.1') }),
    },
    ...{ clock: () => Date.now() + 3_600_000, onError: () => {}, everyMs: 20 },
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  await sender.close();
  expect((await callsOf(id))[0]).toMatchObject({ state: 'due', tries: 1 });
});

describe('what may be written, and by whom', () => {
  it.each([
    ['no address', { url: 'hook' }],
    ['another scheme', { url: 'ftp://harbour.example/hook' }],
    ['a script', { url: 'javascript:alert(1)' }],
    ['a name and a password', { url: 'https://me:word@harbour.example/' }],
    ['an address that is too long', { url: `https://harbour.example/${'x'.repeat(2000)}` }],
    ['no event', { events: [] }],
    ['an unknown event', { events: ['lead.lost'] }],
    ['an event twice', { events: ['lead.sold', 'lead.sold'] }],
    ['a text for events', { events: 'lead.sold' }],
  ])('%s is refused', async (_name, data) => {
    expect((await tryAdd(data)).statusCode).toBe(400);
  });

  it('a stranger and a member without the page see none of it, and try none of it', async () => {
    const id = await add();
    const leadId = await send();
    await heard(1);
    const [{ _id: callId }] = await callsOf(id);
    const strangers = [await openOffice(node, buyer), await signIn(node, office.world, { role: 'member' })];
    for (const other of strangers) {
      const asked = [
        await other.get(`/api/console/webhooks/${id}/secret`),
        await other.get(`/api/console/webhooks/${id}/calls`),
        await other.post(`/api/console/webhooks/${id}/renew-secret`, {}),
        await other.post(`/api/console/webhooks/${id}/test`, {}),
        await other.post(`/api/console/webhooks/${id}/calls/${callId}/again`, {}),
      ];
      expect(asked.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404]);
    }
    const mine = await office.post(`/api/console/webhooks/${id}/calls/${leadId}/again`, {});
    expect([mine.statusCode, mine.json.code]).toEqual([404, 'webhook_unknown']);
  });

  it('console §3: tests, and calls that are told again, are so many a minute for a person, and then say how long to wait', async () => {
    await insideOneMinute();
    const id = await add();
    const leadId = await send();
    await heard(1);
    expect(leadId).not.toBe('');
    const [{ _id: callId }] = await callsOf(id);
    const { rows } = await node.pool.query('select user_id as id from team_member where organization_id = $1', [
      office.world.organizationId,
    ]);
    await useUp(node.db, `webhook tests of ${rows[0].id}`, 10, 60_000, 1);
    const test = () => office.post(`/api/console/webhooks/${id}/test`, {});
    expect((await test()).json.taken).toBe(true);
    const refused = await test();
    expect([refused.statusCode, refused.json.code]).toEqual([429, 'webhook_test_rate_limited']);
    expect(refused.json.msg).toMatch(/^Many test calls were made\. Wait \d+ seconds\.$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(system.calls.length).toBe(2);
    await useUp(node.db, `webhook calls told again by ${rows[0].id}`, 60, 60_000);
    expect((await office.post(`/api/console/webhooks/${id}/calls/${callId}/again`, {})).json.code).toBe('webhook_again_rate_limited');
    // Another person has tries of their own.
    const colleague = await signIn(node, office.world);
    expect((await colleague.post(`/api/console/webhooks/${id}/test`, {})).json.taken).toBe(true);
  });

  it('a test says what came back, and a renewed secret signs from then on', async () => {
    const id = await add();
    const before = await secretOf(id);
    const { json } = await office.post(`/api/console/webhooks/${id}/renew-secret`, {});
    expect(json.secret).not.toBe(before);
    expect(await office.post(`/api/console/webhooks/${id}/test`, {})).toMatchObject({
      json: { taken: true, statusCode: 204, failure: null },
    });
    const [call] = system.calls as [BuyerCall];
    expect(messageOf(call).event).toBe('test');
    const expected = createHmac('sha256', json.secret).update(`${call.headers['x-sluice-timestamp']}.${call.body}`).digest('hex');
    expect(call.headers['x-sluice-signature']).toBe(`v1=${expected}`);
    const refused = await office.change('webhook', id, { url: 'http://10.0.0.1/hook' });
    expect([refused.statusCode, refused.json.code]).toEqual([400, 'webhook_address_refused']);
    await node.pool.query('update webhook set url = $2 where id = $1', [id, 'http://10.0.0.1/hook']);
    expect((await office.post(`/api/console/webhooks/${id}/test`, {})).json).toMatchObject({
      ...{ taken: false, statusCode: null, failure: 'The address may not be called: it is not on the public internet.' },
    });
  });
});
