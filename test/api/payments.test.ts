/** product.md, key 25: payment attempts that processors report back. Each transaction is one payment, whatever is said of it and in whatever order. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PaymentReportAnswer } from '#contract/payment.ts';
import { MOST_ROWS } from '#contract/report-limits.ts';
import { eraseLead } from '#server/data-request/erase-lead.ts';
import { erasedFields } from '#server/data-request/vertical-place.ts';
import { newId } from '#server/kit/ids.ts';
import { LOOKED_AT } from '#server/kit/looked-at.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { listPaymentRows, type PaymentReportOrder } from '#server/payment/build-payment-report.ts';
import { NO_PAYMENTS } from '#server/payment/payment-report.sql.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';

const HOUR = 3_600_000;
const ADD = '/api/v1/common/post-add-data';
const ZONES = ['UTC', 'America/New_York', 'Europe/London'] as const;

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let office: Office;
let processorId: string;
let address: string;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(({ body }) => ({
    ...ACCEPT,
    body: JSON.stringify({ result: 'accepted', price: '20', id: `B-${JSON.parse(body).email}` }),
  }));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  office = await openOffice(node, buyer);
  processorId = await addProcessor('Cardwell');
  address = await addressOf(processorId);
});

const addProcessor = async (name: string, of = office): Promise<string> => {
  const { json } = await of.post(ADD, { model: 'paymentProcessor', verticalId: of.world.verticalId, name });
  expect(json.msg).toEqual(expect.any(String));
  return json.data._id;
};
const addressOf = async (id: string, of = office): Promise<string> =>
  (await of.get(`/api/console/payment-processors/${id}/address`)).json.path;
const say = (payment: unknown, at = address) => node.post(at, payment);
const form = (payment: Record<string, string>) =>
  node.post(address, new URLSearchParams(payment).toString(), { 'content-type': 'application/x-www-form-urlencoded' });
const get = (payment: Record<string, string>) => fetch(`${node.url}${address}?${new URLSearchParams(payment)}`);

const span = (more: Record<string, string> = {}) =>
  new URLSearchParams({
    ...{ region: 'us', vertical: 'payday', unit: 'day' },
    ...{ from: new Date(Date.now() - 24 * HOUR).toISOString(), to: new Date(Date.now() + HOUR).toISOString() },
    ...more,
  });
const report = async (more: Record<string, string> = {}, of = office): Promise<PaymentReportAnswer> => {
  const { json, statusCode } = await of.get(`/api/console/reports/payments?${span(more)}`);
  expect([statusCode, json.msg]).toEqual([200, undefined]);
  return json;
};
const list = async (more: Record<string, string> = {}, of = office) => (await of.get(`/api/console/payments?${span(more)}`)).json;
const rowsBy = async (by: string, more: Record<string, string> = {}) =>
  Object.fromEntries((await report({ by, ...more })).rows.map(({ keys, now }) => [keys[0]!.name, [now.attempts, now.approved]]));

describe('product.md, key 25: what a processor says', () => {
  it('is taken as JSON, form and query, one or many', async () => {
    expect((await say({ transactionId: 'T-1', result: 'approved', amount: 12.5 })).json).toMatchObject({
      taken: 1,
      payments: [{ outcome: 'taken' }],
    });
    expect((await form({ transactionId: 'T-2', result: 'DECLINED', reason: 'Insufficient funds', amount: '', bin: '' })).json.taken).toBe(
      1,
    );
    expect((await get({ transactionId: 'T-3', result: 'approved', amount: '7.1234' })).status).toBe(200);
    const many = [
      { transactionId: 4, result: 'approved' },
      { transactionId: 'T-1', result: 'refunded', amount: '2.5' },
    ];
    expect((await say({ payments: many })).json).toMatchObject({ taken: 2, refused: 0 });
    expect((await say(many)).json).toMatchObject({ taken: 0, same: 2 });
    expect((await report()).total).toEqual({
      ...{ attempts: 4, approved: 3, declined: 1, refunds: 1, chargebacks: 0 },
      ...{ approvedAmount: '19.6234', refundedAmount: '2.50', chargedBackAmount: '0.00' },
    });
  });

  it('counts once, however often it is said, also at the same moment', async () => {
    const payment = { transactionId: 'T-1', result: 'approved', amount: '10', at: '2026-11-01T10:00:00Z' };
    const answers = await Promise.all(Array.from({ length: 12 }, () => say(payment)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
    expect(answers.reduce((sum, { json }) => sum + json.taken, 0)).toBe(1);
    const { total } = await report({ from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' });
    expect(total).toMatchObject({ attempts: 1, approvedAmount: '10.00' });
  });

  it('is corrected by what is said later of the same transaction, kept in order, and moves to the hour that it names', async () => {
    const at = (hour: number) => new Date(Date.parse('2026-11-01T00:00:00Z') + hour * HOUR).toISOString();
    const day = { from: at(0), to: at(24), unit: 'hour' };
    await say({ transactionId: 'T', result: 'chargeback', amount: '20', at: at(9) });
    expect((await report(day)).total).toMatchObject({ attempts: 1, approved: 1, chargebacks: 1, approvedAmount: '20.00' });
    await say({ transactionId: 'T', result: 'approved', amount: '20.01', at: at(3) });
    await say({ transactionId: 'T', result: 'refunded', amount: '5', at: at(4) });
    const now = await report(day);
    expect(now.total).toMatchObject({ attempts: 1, refunds: 1, chargebacks: 1, approvedAmount: '20.01', refundedAmount: '5.00' });
    expect(now.series.filter((one) => one.now.attempts > 0).map((one) => one.at)).toEqual(['2026-11-01T03:00:00.000Z']);
    await say({ transactionId: 'T', result: 'declined', reason: 'Taken back', at: at(10) });
    expect((await report(day)).total).toMatchObject({
      attempts: 1,
      approved: 0,
      declined: 1,
      refunds: 0,
      chargebacks: 0,
      approvedAmount: '0.00',
    });
    const { payments } = await list(day);
    expect(payments).toHaveLength(1);
    expect(payments[0].reports.map((one: { result: string }) => one.result)).toEqual(['chargeback', 'approved', 'refunded', 'declined']);
  });

  it('stays apart by processor: the same id of another one is another payment', async () => {
    const other = await addressOf(await addProcessor('Paywell'));
    await say({ transactionId: 'T', result: 'approved' });
    await say({ transactionId: 'T', result: 'declined' }, other);
    expect(await rowsBy('processor')).toEqual({ Cardwell: [1, 1], Paywell: [1, 0] });
  });

  it.each([
    [{}, 'transactionId'],
    [{ transactionId: '', result: 'approved' }, 'transactionId'],
    [{ transactionId: 'x'.repeat(201), result: 'approved' }, 'transactionId'],
    [{ transactionId: 'a\0b', result: 'approved' }, 'transactionId'],
    [{ transactionId: { a: 1 }, result: 'approved' }, 'transactionId'],
    ['{"transactionId": 90071992547409931, "result": "approved"}', 'transactionId: is a number that cannot be read to its last digit'],
    ['{"transactionId": 1.10, "result": "approved"}', 'send it as a text, in quotes'],
    ['{"transactionId": "T", "result": "approved", "leadId": 90071992547409932}', 'leadId: is a number'],
    ['{"transactionId": "T", "result": "approved", "bin": 9007199254740993}', 'bin: is a number'],
    [{ transactionId: 'T' }, 'result'],
    [{ transactionId: 'T', result: 'maybe' }, 'approved, declined, refunded or chargeback'],
    [{ transactionId: 'T', result: 'approved', amount: '-1' }, 'amount'],
    [{ transactionId: 'T', result: 'approved', amount: '1.23456' }, 'amount'],
    [{ transactionId: 'T', result: 'approved', amount: '1234567890' }, 'amount'],
    [{ transactionId: 'T', result: 'approved', amount: 1e21 }, 'amount'],
    [{ transactionId: 'T', result: 'approved', currency: 'dollars' }, 'currency'],
    [{ transactionId: 'T', result: 'approved', bin: '12345' }, 'six to eight digits'],
    [{ transactionId: 'T', result: 'approved', at: 'yesterday' }, 'at'],
    [{ transactionId: 'T', result: 'approved', at: '2999-01-01T00:00:00Z' }, 'future'],
    [{ transactionId: 'T', result: 'approved', at: '1999-01-01T00:00:00Z' }, 'years ago'],
    [{ payments: 'x' }, 'list of payments'],
    [{ payments: [] }, '1 to 200'],
    [{ payments: Array.from({ length: 201 }, (_, n) => ({ transactionId: n, result: 'approved' })) }, '1 to 200'],
    [[], '1 to 200'],
    [[7], 'payments.0'],
    ['"x"', ''],
    ['{', ''],
  ])('console §5: %j is refused in words', async (body, word) => {
    const { statusCode, json } = await node.post(address, typeof body === 'string' ? body : JSON.stringify(body), {
      'content-type': 'application/json',
    });
    expect([statusCode, json.status]).toEqual([400, false]);
    expect(JSON.stringify(json)).toContain(word);
    expect((await report()).total.attempts).toBe(0);
  });

  it('console §5: of many, those that cannot be read are refused one by one and lose nothing of the others', async () => {
    const { json, statusCode } = await say({
      payments: [{ transactionId: 'A', result: 'approved' }, { transactionId: 'B' }, 7, { transactionId: 'C', result: 'declined' }],
    });
    expect([statusCode, json.taken, json.refused]).toEqual([200, 2, 2]);
    expect(json.payments.map((one: { transactionId: string; outcome: string }) => [one.transactionId, one.outcome])).toEqual([
      ['A', 'taken'],
      ['B', 'refused'],
      ['', 'refused'],
      ['C', 'taken'],
    ]);
    expect(json.payments[1].msg).toContain('result: is required');
  });

  it('never ends a transaction in an endless list of corrections', async () => {
    const many = Array.from({ length: 60 }, (_, n) => ({ transactionId: 'T', result: 'approved', amount: String(n + 1) }));
    const { json } = await say(many);
    expect([json.taken, json.refused]).toEqual([50, 10]);
    expect((await report()).total).toMatchObject({ attempts: 1, approvedAmount: '50.00' });
  });

  it('is read of a card number to eight digits, and nothing more of it is kept anywhere', async () => {
    const card = '4571731234567899';
    await say({ transactionId: 'T-1', result: 'declined', bin: card, reason: `Card ${card} expired`, amount: '5' });
    await get({ transactionId: 'T-2', result: 'approved', bin: '4571 7312 3456 7899' });
    expect(await rowsBy('bin')).toEqual({ 45717312: [2, 1] });
    expect(await rowsBy('reason')).toEqual({ 'Card 45717312… expired': [1, 0], 'Not declined': [1, 1] });
    for (const table of ['payment', 'payment_report', 'payment_hour', 'api_call']) {
      const { rows } = await node.pool.query(`select t::text as text from ${table} t`);
      expect(rows.map(({ text }) => text).join()).not.toContain('4571731234');
    }
  });
});

describe('product.md, key 25: the address', () => {
  it('opens nothing to who guesses, and nothing any more once it was made anew', async () => {
    const wrong = `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`;
    for (const guess of [wrong, '/api/v1/payments/x', `/api/v1/payments/${'A'.repeat(64)}`]) {
      const { statusCode, json } = await say({ nonsense: 1 }, guess);
      expect([statusCode, json.code]).toEqual([404, 'payment_address_unknown']);
    }
    expect((await fetch(node.url + address, { method: 'HEAD' })).status).toBe(404);
    const renewed = (await office.post(`/api/console/payment-processors/${processorId}/address/renew`, {})).json;
    expect(renewed.path).not.toBe(address);
    expect((await say({ transactionId: 'T', result: 'approved' })).statusCode).toBe(404);
    expect((await say({ transactionId: 'T', result: 'approved' }, renewed.path)).statusCode).toBe(200);
    const { changes } = (await office.get(`/api/v1/change-log?recordId=${processorId}`)).json;
    expect(changes[0]).toMatchObject({ action: 'edit', recordName: 'Cardwell', after: { address: 'made anew' } });
  });

  it('takes nothing of a paused processor and says so, and knows no archived one', async () => {
    await office.change('paymentProcessor', processorId, { status: 'paused' });
    expect((await say({ transactionId: 'T', result: 'approved' })).json).toMatchObject({ code: 'payment_processor_paused' });
    await office.change('paymentProcessor', processorId, { status: 'active' });
    expect((await say({ transactionId: 'T', result: 'approved' })).statusCode).toBe(200);
    await office.post('/api/v1/common/post-delete-data', { model: 'paymentProcessor', _id: processorId });
    expect((await say({ transactionId: 'T', result: 'approved' })).statusCode).toBe(404);
    expect((await report()).rows.map(({ keys }) => keys[0]!.name)).toEqual(['Cardwell']);
  });

  it('holds a flood back with how long to wait', async () => {
    await insideOneMinute();
    const answers = await Promise.all(
      Array.from({ length: 620 }, () => get({ transactionId: 'T', result: 'approved', at: '2026-11-01T10:00:00Z' })),
    );
    const held = answers.filter(({ status }) => status === 429);
    expect(held.length).toBe(20);
    expect(Number(held[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
  }, 60_000);
});

describe('product.md, key 25: who a payment belongs to', () => {
  it('is joined to its lead by our id, the buyer’s and what leads are found by, and to publisher and buyer with it', async () => {
    const { leadId } = (await office.lead('ada@example.com')).json;
    for (const [n, named] of [leadId, leadId.toUpperCase(), 'B-ada@example.com', 'ADA@example.com'].entries())
      expect((await say({ transactionId: n, result: 'approved', leadId: named })).json.payments[0]).toMatchObject({
        leadId,
        msg: 'Counted.',
      });
    expect(await rowsBy('publisher')).toEqual({ 'Publisher One': [4, 4] });
    expect(await rowsBy('buyer')).toEqual({ Ann: [4, 4] });
    expect(await rowsBy('buyerTier', { publisherId: office.world.publisherId })).toMatchObject({ 'Ann, Tier': [4, 4] });
  });

  it('counts without one that is unknown, another organization’s, or one of several, says so, and takes the right one later', async () => {
    const stranger = await openOffice(node, buyer);
    const theirs = (await stranger.lead('bea@example.com')).json.leadId;
    for (const named of [newId(), theirs, 'nobody', 'B-bea@example.com'])
      expect((await say({ transactionId: named, result: 'approved', leadId: named })).json.payments[0]).toMatchObject({
        ...{ outcome: 'taken', leadId: null, msg: expect.stringContaining('there is none') },
      });
    expect(await rowsBy('publisher')).toEqual({ 'No lead': [4, 4] });
    const { leadId } = (await office.lead('cid@example.com')).json;
    expect((await say({ transactionId: 'nobody', result: 'approved', leadId })).json).toMatchObject({ taken: 1 });
    expect(await rowsBy('publisher')).toEqual({ 'No lead': [3, 3], 'Publisher One': [1, 1] });
  });

  it('of a test lead is kept and counted nowhere', async () => {
    const { leadId } = (await office.lead('ada@example.com')).json;
    await node.pool.query('update lead set test = true where id = $1', [leadId]);
    const { json } = await say({ transactionId: 'T', result: 'approved', leadId });
    expect(json.payments[0].msg).toContain('test lead');
    expect((await report()).total.attempts).toBe(0);
    expect((await list()).payments).toEqual([]);
  });

  it('has the move that its BIN had for campaign and publisher, and keeps it when the move changes', async () => {
    const { _id: binRangeId } = (await office.post(ADD, { model: 'binRange', first: '457173', last: '457173', issuer: 'Example Bank' }))
      .json.data;
    const move = (to: number, publisherId: string | null) =>
      office.post(ADD, { model: 'binMove', binRangeId, move: to, campaignId: null, publisherId });
    await move(1, null);
    await move(3, office.world.publisherId);
    const { leadId } = (await office.lead('ada@example.com')).json;
    await say({ transactionId: 1, result: 'declined', bin: '45717399' });
    await say({ transactionId: 2, result: 'approved', bin: '457173', leadId });
    await say({ transactionId: 3, result: 'approved', bin: '500000' });
    await say({ transactionId: 4, result: 'approved' });
    const moves = { 'BLOCK (Blocked)': [1, 0], 'ACCEPT (Medium)': [1, 1], UNSORTED: [1, 1], 'No BIN': [1, 1] };
    expect(await rowsBy('move')).toEqual(moves);
    const ids = await node.pool.query('select id, version from bin_move where organization_id = $1', [office.world.organizationId]);
    for (const { id } of ids.rows) await office.change('binMove', id, { move: 2 });
    await say({ transactionId: 1, result: 'declined', bin: '45717399', reason: 'Again' });
    expect(await rowsBy('move')).toEqual(moves);
    // No cube tells both.
    expect(await rowsBy('bin', { publisherId: office.world.publisherId })).toEqual({ 457173: [1, 1] });
    expect(await rowsBy('reason', { bin: '45717399' })).toEqual({ Again: [1, 0] });
    expect((await list({ move: '3' })).payments).toMatchObject([
      { leadId, bin: '457173', move: 3, publisher: 'Publisher One', buyer: 'Ann' },
    ]);
  });

  it('is handed out to its consumer, loses what is made of a person who is erased, and no figure', async () => {
    const { leadId } = (await office.lead('gracelyn@example.com', { first_name: 'Gracelyn' })).json;
    await say({ transactionId: 'gracelyn@example.com', result: 'declined', leadId, reason: 'Gracelyn has no funds' });
    const handed = await office.post('/api/console/data-requests/export', { q: leadId, reason: 'Request 8', format: 'json' });
    expect(handed.json.leads[0].payments).toMatchObject([
      { processor: 'Cardwell', reports: [{ result: 'declined', reason: expect.stringMatching(/has no funds$/) }] },
    ]);
    const { json } = await office.post('/api/console/data-requests/erase', { q: leadId, reason: 'Request 9', confirm: 'ERASE' });
    await expect.poll(async () => (await office.get(`/api/v1/jobs/${json.jobId}`)).json.job?.status, { timeout: 15_000 }).toBe('done');
    for (const table of ['payment', 'payment_report', 'payment_hour']) {
      const { rows } = await node.pool.query(`select t::text as text from ${table} t where organization_id = $1`, [
        office.world.organizationId,
      ]);
      expect(rows.map(({ text }) => text).join()).not.toMatch(/gracelyn/i);
    }
    expect((await report()).total).toMatchObject({ attempts: 1, declined: 1 });
    expect(await rowsBy('reason')).toEqual({ '••• has no funds': [1, 0] });
    await say({ transactionId: 'gracelyn@example.com', result: 'approved' });
    expect((await report()).total).toMatchObject({ attempts: 1, approved: 1 });
  }, 30_000);
});

describe('product.md, key 25: words of somebody who was erased', () => {
  it('are not kept of a report that comes meanwhile, or of one that is joined to the lead later', async () => {
    const { leadId } = (await office.lead('gracelyn@example.com', { first_name: 'Gracelyn' })).json;
    const { organizationId, keys } = node.planBook.find(office.world.organizationId)!;
    await say({ transactionId: 'of gracelyn', result: 'declined', reason: 'Gracelyn was short' });
    let meanwhile: ReturnType<typeof say> | undefined;
    await inTenant(node.db, organizationId, async (tx) => {
      const mark = { at: new Date(), why: 'retention' } as const;
      expect(await eraseLead(tx, keys, leadId, erasedFields(tx, organizationId), mark)).toMatchObject({ leads: 1 });
      meanwhile = say({ transactionId: 'gracelyn 2', result: 'declined', leadId, reason: 'Gracelyn has no funds' });
      // It waits for what is not committed yet.
      await new Promise((resolve) => setTimeout(resolve, 500));
    });
    expect((await meanwhile!).json).toMatchObject({ taken: 1, payments: [{ leadId }] });
    expect((await say({ transactionId: 'gracelyn 2', result: 'declined', leadId, reason: 'Gracelyn has no funds' })).json.same).toBe(1);
    expect((await say({ transactionId: 'of gracelyn', result: 'declined', reason: 'Gracelyn was short', leadId })).json.taken).toBe(1);
    for (const table of ['payment', 'payment_report', 'payment_hour']) {
      const { rows } = await node.pool.query(`select t::text as text from ${table} t where organization_id = $1`, [organizationId]);
      expect(rows.length).toBeGreaterThan(1);
      expect(rows.map(({ text }) => text).join()).not.toMatch(/gracelyn/i);
    }
    expect(await rowsBy('reason')).toEqual({ '•••': [2, 0] });
    expect((await list()).payments.map(({ reports }: { reports: object[] }) => reports.length)).toEqual([1, 1]);
  }, 30_000);
});

describe('product.md, key 25: walls', () => {
  it('shows neither report, payments, address nor processor to another organization, or to who lacks the page', async () => {
    await say({ transactionId: 'T', result: 'approved' });
    const stranger = await openOffice(node, buyer);
    expect(await report({}, stranger)).toMatchObject({ rows: [], hasPayments: false, hasProcessors: false });
    expect((await list({}, stranger)).payments).toEqual([]);
    expect((await stranger.get(`/api/console/reports/payments?${span({ processorId })}`)).statusCode).toBe(404);
    expect((await stranger.get(`/api/console/payment-processors/${processorId}/address`)).statusCode).toBe(404);
    expect((await stranger.post(`/api/console/payment-processors/${processorId}/address/renew`, {})).statusCode).toBe(404);
    expect((await stranger.change('paymentProcessor', processorId, { name: 'Mine' })).statusCode).toBe(404);
    const as = async (...pages: string[]) => {
      const { regionId, verticalId } = office.world;
      const verticals = [{ verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }];
      const member = await signIn(node, office.world, { role: 'member', permissions: [{ regionId, regionChecked: true, verticals }] });
      return [
        (await member.get(`/api/console/reports/payments?${span()}`)).statusCode,
        (await member.get(`/api/console/payments?${span()}`)).statusCode,
        (await member.get(`/api/console/payment-processors/${processorId}/address`)).statusCode,
        (await member.post(ADD, { model: 'paymentProcessor', verticalId, name: pages.join() || 'x' })).statusCode,
      ];
    };
    expect(await as('leadFlow-Inbound', 'setup')).toEqual([403, 403, 404, 403]);
    expect(await as('payment-processor-stats')).toEqual([200, 200, 404, 403]);
    expect(await as('payment-processor-stats', 'setup')).toEqual([200, 200, 200, 200]);
  });

  it.each([
    ['by=moon', 400],
    ['move=9', 400],
    ['bin=12', 400],
    ['processorId=x', 404],
    ['publisherId=x', 404],
    ['from=x', 400],
    ['unit=second', 400],
  ])('console §5: a report asked for %s is refused in words', async (query, code) => {
    const [name, value] = query.split('=') as [string, string];
    const { statusCode, json } = await office.get(`/api/console/reports/payments?${span({ [name]: value })}`);
    expect([statusCode, json.status, json.msg]).toEqual([code, false, expect.any(String)]);
  });

  it('keeps a vertical from being archived, and no two processors of one name', async () => {
    expect((await office.post(ADD, { model: 'paymentProcessor', verticalId: office.world.verticalId, name: 'cardwell' })).statusCode).toBe(
      409,
    );
    const { json } = await office.post('/api/v1/common/post-delete-data', { model: 'vertical', _id: office.world.verticalId });
    expect(JSON.stringify(json)).toContain('The payment processor Cardwell lies in it.');
  });
});

describe('product.md, key 25: one payment is found', () => {
  const LONG_AGO = { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' };
  const found = async (q: string, more: Record<string, string> = {}, of = office) =>
    (await list({ ...LONG_AGO, q, ...more }, of)).payments.map((one: { transactionId: string }) => one.transactionId);

  it('by the processor’s id of it or our id of its lead, to the letter and in any span', async () => {
    const { leadId } = (await office.lead('payer@example.com')).json;
    await say({ transactionId: 'T-1', result: 'approved', amount: '10', leadId, at: '2026-11-01T10:00:00Z' });
    await say({ transactionId: 'T-2', result: 'declined', reason: 'Do not honor', leadId });
    await say({ transactionId: 'T-10', result: 'approved' });
    expect(await found('T-1')).toEqual(['T-1']);
    expect(await found('  T-1 ')).toEqual(['T-1']);
    for (const other of ['t-1', 'T-', 'T-100', 'payer@example.com', 'Do not honor', leadId.slice(0, 20), '%', "' or true --"])
      expect(await found(other), other).toEqual([]);
    // The newest attempt first.
    expect(await found(leadId)).toEqual(['T-2', 'T-1']);
    expect(await found(leadId.toUpperCase())).toEqual(['T-2', 'T-1']);
    expect(await found(leadId, { result: 'declined' })).toEqual(['T-2']);
    expect(await found('T-1', { result: 'declined' })).toEqual([]);
    expect(await found('T-1', { processorId, publisherId: office.world.publisherId })).toEqual(['T-1']);
    expect(await found('T-10', { publisherId: office.world.publisherId })).toEqual([]);
  });

  it('of each processor that has one of that id, an archived one too', async () => {
    const paywell = await addProcessor('Paywell');
    await say({ transactionId: 'T', result: 'approved' });
    await say({ transactionId: 'T', result: 'declined' }, await addressOf(paywell));
    await node.db.updateTable('payment_processor').set({ status: 'archived' }).where('id', '=', paywell).execute();
    expect(await found('T')).toEqual(['T', 'T']);
    expect(await found('T', { processorId })).toEqual(['T']);
  });

  it('by the whole id that came, also where less of it is kept and shown', async () => {
    await say({ transactionId: 'card 4111111111111111', result: 'approved' });
    expect(await found('card 4111111111111111')).toEqual(['card 41111111…']);
    expect(await found('card 41111111…')).toEqual([]);
  });

  it('none of a test lead, of another organization, or for who lacks the page', async () => {
    const { leadId } = (await office.lead('tester@example.com', { test: true })).json;
    await say({ transactionId: 'T-test', result: 'approved', leadId });
    await say({ transactionId: 'T-own', result: 'approved' });
    expect([await found(leadId), await found('T-test')]).toEqual([[], []]);
    const stranger = await openOffice(node, buyer);
    const theirs = await addressOf(await addProcessor('Cardwell', stranger), stranger);
    const lead = (await stranger.lead('stranger@example.com')).json.leadId;
    await say({ transactionId: 'T-theirs', result: 'approved', leadId: lead }, theirs);
    expect([await found('T-theirs'), await found(lead), await found('T-own', {}, stranger)]).toEqual([[], [], []]);
    expect(await found(lead, {}, stranger)).toEqual(['T-theirs']);
    const { regionId, verticalId } = office.world;
    const pages = [{ value: 'leadFlow-Inbound', pageChecked: true }];
    const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }];
    const member = await signIn(node, office.world, { role: 'member', permissions });
    expect((await member.get(`/api/console/payments?${span({ q: 'T-own' })}`)).statusCode).toBe(403);
  });

  it('account §5: nothing, or too much, is refused in words; the file has what is found', async () => {
    for (const q of ['', '   ', 'x'.repeat(201)]) {
      const { statusCode, json } = await office.get(`/api/console/payments?${span({ q })}`);
      expect([statusCode, json.msg]).toEqual([400, expect.stringContaining('q:')]);
    }
    for (const transactionId of ['T-1', 'T-2']) await say({ transactionId, result: 'approved' });
    const asked = span({ ...LONG_AGO, q: 'T-2', isDownloadCSV: 'true' });
    const lines = (await office.form('/api/v1/download-file/payments', asked)).trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain('T-2');
  });

  it('a lead of many payments is paged through, each once', async () => {
    const { leadId } = (await office.lead('many@example.com')).json;
    const many = Array.from({ length: 60 }, (_, at) => ({ transactionId: `M-${at}`, result: 'approved', leadId }));
    await say({ payments: many });
    const first = await list({ ...LONG_AGO, q: leadId });
    const second = await list({ ...LONG_AGO, q: leadId, before: first.older });
    const ids = [...first.payments, ...second.payments].map((one: { transactionId: string }) => one.transactionId);
    expect([first.payments.length, second.older, new Set(ids).size, ids.length]).toEqual([50, null, 60, 60]);
  });
});

describe('product.md, key 25: figures equal the payments', () => {
  interface Known {
    at: number;
    approved: boolean;
    amount: number;
    bin: string;
    reason: string;
  }
  const figures = (of: readonly Known[]) => {
    const approved = of.filter((one) => one.approved);
    return [of.length, approved.length, (approved.reduce((sum, { amount }) => sum + amount, 0) / 10_000).toFixed(2)];
  };
  const told = ({ attempts, approved, approvedAmount }: PaymentReportAnswer['total']) => [
    attempts,
    approved,
    Number(approvedAmount).toFixed(2),
  ];
  const clocks = new Map(ZONES.map((timeZone) => [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })]));
  const dayIn = (at: number, zone: (typeof ZONES)[number]) => clocks.get(zone)!.format(at);

  it('console §3: over the days on which clocks change, in all three zones, corrected and not', async () => {
    const known = new Map<string, Known>();
    let state = 7;
    const chance = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state / 2 ** 32;
    };
    const days = ['2026-03-07', '2026-03-28', '2026-10-24', '2026-10-31'];
    const sent = Array.from({ length: 400 }, (_, n) => {
      // One in four corrects an earlier one.
      const transactionId = n > 40 && chance() < 0.25 ? `T-${Math.floor(chance() * 40)}` : `T-${n}`;
      const at = Date.parse(`${days[n % 4]}T00:00:00Z`) + Math.floor(chance() * 72 * HOUR);
      const approved = chance() < 0.6;
      const before = known.get(transactionId);
      const later = before ? before.at + 1 + n : at;
      known.set(transactionId, {
        ...{ at: before?.at ?? at, approved, amount: Math.floor(chance() * 90_000) * 100 },
        ...{ bin: ['', '457173', '500000'][n % 3] || before?.bin || '', reason: approved ? '' : ['Funds', 'Fraud'][n % 2]! },
      });
      const one = known.get(transactionId)!;
      return {
        ...{ transactionId, result: approved ? 'approved' : 'declined', at: new Date(later).toISOString() },
        ...{ amount: (one.amount / 10_000).toFixed(4), bin: ['', '457173', '500000'][n % 3]!, reason: one.reason },
      };
    });
    // Corrections of corrections come in the order of their times, which grow with n.
    for (let from = 0; from < sent.length; from += 100) expect((await say(sent.slice(from, from + 100))).json.refused).toBe(0);
    const all = [...known.values()];
    const [from, to] = ['2026-03-01T00:00:00Z', '2026-11-10T00:00:00Z'];
    for (const timeZone of ZONES) {
      const { total, series } = await report({ from, to, timeZone, unit: 'day' });
      expect(told(total)).toEqual(figures(all));
      const byDay = Map.groupBy(all, ({ at }) => dayIn(at, timeZone));
      for (const { at, now } of series)
        expect([at, ...told(now)]).toEqual([at, ...figures(byDay.get(dayIn(Date.parse(at), timeZone)) ?? [])]);
    }
    // An odd span, whose ends lie within hours.
    const oddly = { from: '2026-03-07T23:20:00Z', to: '2026-10-31T02:45:00Z' };
    const within = all.filter(({ at }) => at >= Date.parse(oddly.from) && at < Date.parse(oddly.to));
    for (const [by, key] of [['bin', 'bin'] as const, ['reason', 'reason'] as const]) {
      const { rows, total } = await report({ ...oddly, by });
      expect(told(total)).toEqual(figures(within));
      expect(Object.fromEntries(rows.map(({ keys, now }) => [keys[0]!._id, told(now)]))).toEqual(
        Object.fromEntries([...Map.groupBy(within, (one) => one[key])].map(([value, of]) => [value, figures(of)])),
      );
    }
    // The kept hours and the payments themselves say the same.
    const narrowed = await report({ ...oddly, by: 'reason', bin: '457173' });
    expect(told(narrowed.total)).toEqual(figures(within.filter(({ bin }) => bin === '457173')));
    const pages = [];
    let before: string | null = '';
    while (before !== null) {
      const page: { payments: { _id: string }[]; older: string | null } = await list({ from, to, ...(before && { before }) });
      pages.push(...page.payments.map(({ _id }) => _id));
      before = page.older;
    }
    expect([pages.length, new Set(pages).size]).toEqual([all.length, all.length]);
    // Counted by the version before, which knew no sums, until some hour.
    const sumsFrom = (instant: string) =>
      node.pool.query(
        `create or replace function payment_sums_from() returns timestamptz language sql immutable parallel safe as 'select ''${instant}''::timestamptz'`,
      );
    try {
      await sumsFrom('2026-07-01T00:00:00Z');
      await node.pool.query(`delete from payment_hour where cube = 'sum' and hour_at < payment_sums_from()`);
      const { total } = await report({ from, to });
      expect(told(total)).toEqual(figures(all));
    } finally {
      await sumsFrom('-infinity');
    }
  }, 60_000);

  it('console §4: by more reasons than can be shown, has the most frequent, how many there are, and in a file all others in one line', async () => {
    const at = (n: number) => new Date(Date.now() - (n % 5) * HOUR).toISOString();
    const sent = Array.from({ length: MOST_ROWS + 60 }, (_, n) => ({ reason: `R-${String(n).padStart(4, '0')}`, at: at(n) }));
    const more = sent.slice(-5).flatMap((one, n) => Array.from({ length: n + 1 }, () => one));
    const payments = [...sent, ...more].map((one, n) => ({ transactionId: `T-${n}`, result: 'declined', amount: '3', ...one }));
    payments.push({ transactionId: 'yes', result: 'approved', amount: '10', reason: '', at: at(0) });
    for (let from = 0; from < payments.length; from += 200)
      expect((await say({ payments: payments.slice(from, from + 200) })).json.refused).toBe(0);
    const { rows, rowCount, total } = await report({ by: 'reason' });
    expect([rows.length, rowCount, total.attempts]).toEqual([MOST_ROWS, sent.length + 1, payments.length]);
    const first = rows.slice(0, 6).map(({ keys, now }) => [keys[0]!.name, now.attempts]);
    expect(first).toEqual([...[5, 4, 3, 2, 1].map((n) => [sent.at(n - 6)!.reason, n + 1]), ['Not declined', 1]]);
    const order: PaymentReportOrder = {
      ...{ scope: { organizationId: office.world.organizationId, verticalId: office.world.verticalId }, filters: {}, currency: 'USD' },
      ...{ span: { from: Date.now() - 24 * HOUR, to: Date.now() + HOUR }, before: { from: 0, to: 1 }, by: 'reason' },
      ...{ unit: 'day', timeZone: 'UTC' },
    };
    const cut = await listPaymentRows(node.db, order, 7);
    expect(cut).toHaveLength(8);
    expect(cut.at(-1)).toMatchObject({ keys: [{ name: `All others (${rowCount - 7})` }], now: { declined: rowCount - 7, approved: 0 } });
    expect(cut.reduce((sum, { now }) => sum + now.attempts, 0)).toBe(payments.length);
    expect(await listPaymentRows(node.db, order, rowCount)).toHaveLength(rowCount);

    // Beside the hours of one time of five, which are a part of them, and in their order.
    const before = { from: Date.now() - 1.5 * HOUR, to: Date.now() - 0.5 * HOUR };
    const beside = await listPaymentRows(node.db, { ...order, before, hasRowsBefore: true, sort: '-attemptsBefore' }, 7);
    const past = await listPaymentRows(node.db, { ...order, span: before }, rowCount);
    const attempts = (rows: typeof past, of: 'now' | 'before') => rows.map((row) => row[of]!.attempts);
    const sum = (counts: number[]) => counts.reduce((all, one) => all + one, 0);
    expect(past.length).toBeGreaterThan(8);
    expect(attempts(beside.slice(0, 7), 'before')).toEqual(attempts(past.slice(0, 7), 'now'));
    expect([beside.length, sum(attempts(beside, 'now')), sum(attempts(beside, 'before'))]).toEqual([
      ...[8, payments.length, sum(attempts(past, 'now'))],
    ]);
    expect(beside.at(-1)!.keys[0]!.name).toBe(`All others (${rowCount - 7})`);
    const least = await report({ by: 'reason', sort: 'approved' });
    expect([least.rows.length, least.rows.some(({ now }) => now.approved > 0)]).toEqual([MOST_ROWS, false]);
  });

  it('console §3: rows stand beside what they had before, also of what was there before alone, in the order and in the file', async () => {
    const at = (hoursAgo: number) => new Date(Date.now() - hoursAgo * HOUR).toISOString();
    const { leadId } = (await office.lead('ada@example.com')).json;
    const said = [
      { result: 'approved', amount: '10', bin: '457173', leadId, at: at(2) },
      { result: 'declined', reason: 'Funds', at: at(3) },
      { result: 'declined', reason: 'Funds', bin: '500000', at: at(4) },
      { result: 'declined', reason: 'Fraud', bin: '500000', at: at(30) },
      { result: 'declined', reason: 'Funds', at: at(31) },
      { result: 'approved', amount: '7', bin: '457173', leadId, at: at(32) },
      { result: 'approved', amount: '5', at: at(33) },
    ];
    expect((await say(said.map((one, transactionId) => ({ transactionId, ...one })))).json.taken).toBe(said.length);
    const [now, past] = [
      { from: at(24), to: at(0) },
      { from: at(48), to: at(24) },
    ];
    const both = { ...now, beforeFrom: past.from, beforeTo: past.to };
    const rowsOf = async (query: Record<string, string>) =>
      new Map((await report(query)).rows.map((row) => [row.keys[0]!._id, row.now] as const));
    const ways = ['processor', 'move', 'bin', 'reason', 'campaign', 'publisher', 'publisherTier', 'buyer', 'buyerTier'];
    // No cube tells the last.
    for (const query of [...ways.map((by) => ({ by })), { by: 'reason', bin: '500000' }, { by: 'bin', publisherId: '' }]) {
      const [one, other] = [await rowsOf({ ...now, ...query }), await rowsOf({ ...past, ...query })];
      const { rows, asOf: _, ...told } = await report({ ...both, ...query, rowsBefore: 'true' });
      const known = [...new Set([...one.keys(), ...other.keys()])];
      expect([query, Object.fromEntries(rows.map((row) => [row.keys[0]!._id, [row.now, row.before]]))]).toEqual([
        ...[query, Object.fromEntries(known.map((key) => [key, [one.get(key) ?? NO_PAYMENTS, other.get(key) ?? NO_PAYMENTS]]))],
      ]);
      const { rows: plain, asOf: __, rowCount, ...alone } = await report({ ...both, ...query });
      expect([query, told]).toEqual([query, { ...alone, rowCount: known.length }]);
      expect([plain.map((row) => row.before), rowCount]).toEqual([plain.map(() => undefined), one.size]);
    }
    const inOrder = async (sort: string) =>
      (await report({ ...both, by: 'reason', rowsBefore: 'true', sort })).rows.map(({ keys: [key] }) => key!._id);
    expect(await inOrder('-attemptsChange')).toEqual(['Funds', '', 'Fraud']);
    expect(await inOrder('attemptsBefore')).toEqual(['Funds', 'Fraud', '']);
    expect(await inOrder('rate')).toEqual(['Funds', '', 'Fraud']);
    expect(await inOrder('-approvedAmountBefore')).toEqual(['', 'Funds', 'Fraud']);
    const columns = ['attempts', 'rate', 'approvedAmount'].flatMap((one) => [one, `${one}Before`, `${one}Change`]).join();
    const file = async (more: Record<string, string>) =>
      (await office.form('/api/v1/download-file/report-payments', span({ ...both, isDownloadCSV: 'true', by: 'reason', columns, ...more })))
        .trim()
        .split('\r\n');
    expect(await file({ rowsBefore: 'true', sort: '-attemptsBefore' })).toEqual([
      'Decline reason,Attempts,Attempts before,Attempts change,Approval rate %,Approval rate before %,Approval rate change %,Amount approved,Amount approved before,Amount approved change,Decline reason key',
      'Not declined,1,2,-1,100.0,100.0,0.0,10.00,12.00,-2.0000,',
      'Funds,2,1,1,0.0,0.0,0.0,0.00,0.00,0.0000,Funds',
      'Fraud,0,1,-1,,0.0,,0.00,0.00,0.0000,Fraud',
    ]);
    expect((await file({}))[0]).toBe('Decline reason,Attempts,Approval rate %,Amount approved,Decline reason key');
  });

  it('console §3: those without a lead, a buyer, a BIN or a decline reason are narrowed to by an empty one', async () => {
    const { leadId } = (await office.lead('ada@example.com')).json;
    const said = [
      { result: 'approved', leadId, bin: '457173' },
      { result: 'declined', reason: 'Funds', leadId },
      { result: 'approved' },
      { result: 'declined', reason: 'Funds', bin: '500000' },
    ];
    await say(said.map((one, transactionId) => ({ transactionId, ...one })));
    const ids = (payments: readonly { transactionId: string }[]) => payments.map(({ transactionId }) => transactionId).sort();
    const found = async (query: Record<string, string>) => {
      const { payments } = await list(query);
      const file = await office.form('/api/v1/download-file/payments', span({ isDownloadCSV: 'true', columns: 'transaction', ...query }));
      const lines = file.trim().split('\r\n').slice(1);
      expect(lines.map((line) => line.split(',')[1]).sort()).toEqual(ids(payments));
      for (const by of ['processor', 'reason', 'bin', 'publisher', 'buyerTier']) {
        const { total, rows } = await report({ by, ...query });
        expect([query, by, total.attempts, rows.reduce((sum, { now }) => sum + now.attempts, 0)]).toEqual([
          ...[query, by, payments.length, payments.length],
        ]);
      }
      return ids(payments);
    };
    for (const name of ['campaignId', 'publisherId', 'publisherTierId', 'buyerId', 'buyerTierId'])
      expect([name, await found({ [name]: '' })]).toEqual([name, ['2', '3']]);
    expect(await found({ bin: '' })).toEqual(['1', '2']);
    expect(await found({ move: '0' })).toEqual(['1', '2']);
    expect(await found({ reason: '' })).toEqual(['0', '2']);
    expect(await found({ bin: '', publisherId: '' })).toEqual(['2']);
    expect(await found({ reason: '', publisherId: office.world.publisherId })).toEqual(['0']);
    // Every payment has a processor.
    expect((await office.get(`/api/console/reports/payments?${span({ processorId: '' })}`)).statusCode).toBe(404);
  });

  it('console §4: amounts of other currencies are told apart and stand in no sum', async () => {
    await say({ transactionId: 1, result: 'approved', amount: '10' });
    await say({ transactionId: 2, result: 'approved', amount: '7', currency: 'eur' });
    const { total, otherCurrencies } = await report();
    expect(total).toMatchObject({ attempts: 2, approvedAmount: '10.00' });
    expect(otherCurrencies).toEqual([{ currency: 'EUR', approved: 1, approvedAmount: '7.00' }]);
  });

  it('one whose currency is put right leaves the sum of the other', async () => {
    await say({ transactionId: 1, result: 'approved', amount: '10' });
    const again = await say({ transactionId: 1, result: 'approved', amount: '10', currency: 'EUR' });
    expect(again.json.payments[0].outcome).toBe('taken');
    const { total, otherCurrencies } = await report();
    expect(total).toMatchObject({ attempts: 1, approvedAmount: '0.00' });
    expect(otherCurrencies).toEqual([{ currency: 'EUR', approved: 1, approvedAmount: '10.00' }]);
    expect((await say({ transactionId: 1, result: 'approved', amount: '10', currency: 'EUR' })).json.payments[0].outcome).toBe('same');
    expect((await say({ transactionId: 1, result: 'approved', amount: '10' })).json.payments[0].outcome).toBe('same');
  });

  it('the currency that stands is that of when it happened, and a refund changes none', async () => {
    const [early, late] = ['2026-11-01T09:00:00Z', '2026-11-01T10:00:00Z'];
    const wide = { from: '2026-11-01T00:00:00Z' };
    await say({ transactionId: 1, result: 'approved', amount: '500', currency: 'EUR', at: late });
    await say({ transactionId: 1, result: 'declined', amount: '500', currency: 'USD', at: early });
    await say({ transactionId: 2, result: 'approved', amount: '10000', currency: 'JPY', at: early });
    await say({ transactionId: 2, result: 'refunded', amount: '1', currency: 'USD', at: late });
    const { total, otherCurrencies } = await report(wide);
    expect(total).toMatchObject({ attempts: 2, approved: 2, approvedAmount: '0.00', refundedAmount: '0.00' });
    expect(otherCurrencies).toEqual([
      { currency: 'EUR', approved: 1, approvedAmount: '500.00' },
      { currency: 'JPY', approved: 1, approvedAmount: '10000.00' },
    ]);
    await say({ transactionId: 3, result: 'approved', amount: '10', at: early });
    const more = await say({ transactionId: 3, result: 'refunded', amount: '1000', at: late });
    expect(more.json.payments[0].msg).toBe('Counted without a lead. More went back than was paid.');
  });

  it('a report shows sums of whatever size, and spans of any year', async () => {
    const payments = Array.from({ length: 200 }, (_, at) => ({ transactionId: `L-${at}`, result: 'approved', amount: '999999999.9999' }));
    for (let call = 0; call < 5; call++)
      expect((await say({ payments: payments.map((one) => ({ ...one, transactionId: `${call} ${one.transactionId}` })) })).json.taken).toBe(
        200,
      );
    expect((await report()).total).toMatchObject({ attempts: 1_000, approvedAmount: '999999999999.90' });
    const file = await office.form('/api/v1/download-file/report-payments', span({ isDownloadCSV: 'true' }));
    expect(file).toContain('999999999999.90');
    expect((await report({ from: '0001-01-01T00:00:00Z', to: '0005-01-01T00:00:00Z' })).total.attempts).toBe(0);
  });

  it('shows nobody by the words of a processor', async () => {
    const { leadId } = (await office.lead('theodora@example.com', { first_name: 'Theodora' })).json;
    await say({ transactionId: 'theodora@example.com-7', result: 'declined', reason: 'No funds, Theodora', leadId });
    // Joined to its lead later.
    await say({ transactionId: 'Theodora 8', result: 'declined', reason: 'Theodora again' });
    await say({ transactionId: 'Theodora 8', result: 'declined', reason: 'Theodora again', leadId });
    await say({ transactionId: 'somebody@example.com', result: 'declined', reason: 'ask somebody@example.com' });
    const seen = JSON.stringify([(await list()).payments, await report({ by: 'reason' })]);
    expect(seen).toContain('No funds');
    expect(seen).not.toMatch(/theodora|somebody@/i);
    expect((await list()).payments).toHaveLength(3);
    expect(
      (await say({ transactionId: 'theodora@example.com-7', result: 'declined', reason: 'No funds, Theodora', leadId })).json.same,
    ).toBe(1);
  });

  it('many calls at once wait for each other and hold no connection meanwhile: pages and sign-ins go on', async () => {
    const many = Array.from({ length: 50 }, (_, at) => ({ transactionId: `P-${at}`, result: 'approved', amount: '1' }));
    const calls = Promise.all(Array.from({ length: 60 }, () => node.post(address, { payments: many })));
    for (let at = 0; at < 5; at++) expect((await list()).status).toBe(true);
    const codes = (await calls).map(({ statusCode }) => statusCode);
    expect(new Set(codes)).toEqual(new Set([200]));
    expect((await report()).total).toMatchObject({ attempts: 50, approvedAmount: '50.00' });
  });

  it('account §7: as a file, by the hidden form, with the chosen columns', async () => {
    await say({ transactionId: 1, result: 'approved', amount: '10' });
    await say({ transactionId: 2, result: 'declined', reason: '=HYPERLINK("x")' });
    const file = (more: Record<string, string> = {}) =>
      office.form('/api/v1/download-file/report-payments', span({ isDownloadCSV: 'true', by: 'processor', ...more }));
    expect(await file({ columns: 'attempts,rate' })).toBe(
      `Processor,Attempts,Approval rate %,Processor key\r\nCardwell,2,50.0,${processorId}\r\n`,
    );
    expect(await file({ by: 'reason' })).not.toContain('\n=HYPERLINK');
    expect(
      (await fetch(`${node.url}/api/v1/download-file/report-payments`, { method: 'POST', body: span({ isDownloadCSV: 'true' }) })).status,
    ).toBe(403);
  });

  it('of the payments themselves has all that are narrowed to, however many, and holds no formula', async () => {
    const at = new Date(Date.now() - 2 * HOUR).toISOString();
    for (let begin = 0; begin < 600; begin += 200)
      await say({
        payments: Array.from({ length: 200 }, (_, nth) => ({ transactionId: `T-${begin + nth}`, result: 'approved', amount: '10', at })),
      });
    await say({ transactionId: 'no', result: 'declined', reason: '=HYPERLINK("x")', bin: '457173', amount: '5', at });
    await say({ transactionId: 'T-7', result: 'refunded', amount: '4', at });
    const file = (more: Record<string, string> = {}) =>
      office.form('/api/v1/download-file/payments', span({ isDownloadCSV: 'true', ...more }));
    const lines = (await file()).trim().split('\r\n');
    expect(lines).toHaveLength(602);
    expect(lines[0]).toMatch(/^Tried \(UTC\),Processor,Transaction,Result,Amount,Refunded,/);
    expect(new Set(lines.map((line) => line.split(',')[2])).size).toBe(602);
    const declined = await file({ result: 'declined' });
    expect(declined.trim().split('\r\n')).toHaveLength(2);
    expect(declined).not.toMatch(/,"?=HYPERLINK/);
    const [, refunded] = (await file({ result: 'refunded' })).trim().split('\r\n');
    expect(refunded).toContain(',Cardwell,T-7,refunded,10.00,4.00,,USD,');
    expect(refunded).toMatch(/,2$/);
    const [head, line] = (await file({ result: 'declined', columns: 'reports,bin,nothing,amount' })).trim().split('\r\n');
    expect(head).toBe('Tried (UTC),Amount,Refunded,Charged back,Currency,BIN,BIN move,Reports');
    expect(line!.split(',').slice(1)).toEqual(['5.00', '', '', 'USD', '457173', 'UNSORTED', '1']);
    expect(
      (await fetch(`${node.url}/api/v1/download-file/payments`, { method: 'POST', body: span({ isDownloadCSV: 'true' }) })).status,
    ).toBe(403);
  });

  it('what is narrowed to no index is looked for among so many at a time, and found on a later page', async () => {
    await say({ transactionId: 'old', result: 'declined', amount: '5', at: new Date(Date.now() - 3 * HOUR).toISOString() });
    const many = new Date(Date.now() - 2 * HOUR);
    const made = LOOKED_AT + 10;
    await say({ transactionId: 'like', result: 'approved', amount: '5', at: many.toISOString() });
    await node.pool.query(
      `insert into payment select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'transaction_hash', gen_random_uuid()))).*
        from generate_series(1, $2::int) n join payment p on p.organization_id = $1 and p.transaction_id = 'like'`,
      [office.world.organizationId, made],
    );
    const first = await list({ result: 'declined' });
    expect([first.payments, first.lookedTo]).toEqual([[], many.toISOString()]);
    const second = await list({ result: 'declined', before: first.older });
    expect([second.payments.length, second.older, second.lookedTo]).toEqual([1, null, null]);
    const file = await office.form('/api/v1/download-file/payments', span({ isDownloadCSV: 'true', result: 'declined' }));
    expect(file.trim().split('\r\n')).toHaveLength(2);
  });
});
