/** engine.md "Returns" and reliability D7: a buyer gives a sold lead back once, within its days, and the books hold it. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditBooks } from '#test/harness/books.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { dollars } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let client: pg.Client;
let office: Office;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  client = new pg.Client({ connectionString: node.database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  let next = 0;
  buyer.answer(() => ({ body: JSON.stringify({ result: 'accepted', price: '20.00', id: `B-${++next}` }) }));
  office = await openOffice(node, buyer);
});

const REASON = 'Wrong number';
const sell = async (email = 'ada@example.com'): Promise<string> => (await office.lead(email)).json.leadId;
const giveBack = (leadId: string, more: Record<string, unknown> = {}) =>
  office.post(`/api/console/leads/${leadId}/return`, { saleIndex: 0, reason: REASON, ...more });
const balances = async () =>
  Object.fromEntries(
    (await client.query('select party_kind, amount from balance where organization_id = $1', [office.world.organizationId])).rows.map(
      (row) => [row.party_kind, Number(row.amount)],
    ),
  );
const audit = () => auditBooks(client, office.world.organizationId);
const soldAgo = (leadId: string, days: number) =>
  client.query(`update lead_result set finished_at = now() - $2 * interval '1 day' where lead_id = $1`, [leadId, days]);

describe('a lead that is given back on its page', () => {
  it('pays the buyer back and takes the payout from the publisher; the sale stays, the page, the list and the overview say both', async () => {
    const leadId = await sell();
    expect(await balances()).toEqual({ buyer: -20, publisher: 16, house: 4 });
    const done = await giveBack(leadId, { note: 'The number belongs to somebody else.' });
    expect(done.json).toMatchObject({
      status: true,
      returned: { reason: REASON, revenue: '20.00', payout: '16.00', margin: '4.00', via: 'console', userName: 'Una User' },
    });
    expect(await balances()).toEqual({ buyer: 0, publisher: 0, house: 0 });
    const { lead } = (await office.get(`/api/console/leads/${leadId}`)).json;
    expect(lead).toMatchObject({ status: 'sold', revenue: '20.00', returned: { revenue: '20.00', payout: '16.00', margin: '4.00' } });
    expect(lead.sales[0]).toMatchObject({
      saleIndex: 0,
      revenue: '20.00',
      returned: { reason: REASON, note: 'The number belongs to somebody else.' },
    });
    const { rows } = (await office.get('/api/console/leads?region=us&vertical=payday')).json;
    expect(rows[0]).toMatchObject({ revenue: '20.00', returned: { revenue: '20.00' } });
    const { today } = (await office.get('/api/console/overview?region=us&vertical=payday&timeZone=UTC')).json;
    expect(today).toMatchObject({ revenue: '20.00', returned: { leads: 1, revenue: '20.00', payout: '16.00', margin: '4.00' } });
    expect((await office.get('/api/v1/change-log')).json.changes[0]).toMatchObject({
      modelLabel: 'Return',
      userName: 'Una User',
      recordId: leadId,
      after: { reason: REASON, revenue: '20.00', via: 'console' },
      final: 'A return stands. Enter an adjustment for its buyer and its publisher instead.',
    });
    expect(await audit()).toEqual([]);
  });

  it('in part takes back the same part of the payout, rounded for the publisher', async () => {
    await office.change('publisherTier', office.world.publisherTierId, { priceModel: { kind: 'share', sharePercent: 33.3333 } });
    const done = await giveBack(await sell(), { amount: '0.0007' });
    // 33.3333 % of 20 is 6.6666; of that 0.0007 / 20 is 0.000233.
    expect(done.json.returned).toMatchObject({ revenue: '0.0007', payout: '0.0002', margin: '0.0005' });
    expect(await audit()).toEqual([]);
  });

  it('leaves the publisher its payout where its tier says so: the house bears it', async () => {
    await office.change('publisherTier', office.world.publisherTierId, { returnsReducePayout: false });
    expect((await giveBack(await sell())).json.returned).toMatchObject({ revenue: '20.00', payout: '0.00', margin: '20.00' });
    expect(await balances()).toEqual({ buyer: 0, publisher: 16, house: -16 });
    expect(await audit()).toEqual([]);
  });

  it('D7: is given back once, whoever is quickest', async () => {
    const leadId = await sell();
    const answers = await Promise.all(Array.from({ length: 8 }, () => giveBack(leadId)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect(answers.find((answer) => answer.statusCode === 409)!.json).toMatchObject({
      code: 'return_repeated',
      msg: 'This lead was returned before. A lead is returned once.',
    });
    expect(await balances()).toEqual({ buyer: 0, publisher: 0, house: 0 });
    expect(await audit()).toEqual([]);
  });

  it('D7: is refused too late, by the days of its tier or else of the organization, and to the day', async () => {
    const [first, second, third] = [await sell('a@example.com'), await sell('b@example.com'), await sell('c@example.com')];
    await soldAgo(first, 14.1);
    expect((await giveBack(first)).json).toMatchObject({ code: 'return_late', msg: expect.stringContaining('within 14 days') });
    await office.change('organization', office.world.organizationId, { returnDays: 15 });
    expect((await giveBack(first)).statusCode).toBe(200);
    await office.change('buyerTier', office.world.tiers[0]!.buyerTierId, { returnDays: 1 });
    await soldAgo(second, 1.1);
    expect((await giveBack(second)).json).toMatchObject({ code: 'return_late', msg: expect.stringContaining('within 1 day') });
    await soldAgo(third, 0.9);
    expect((await giveBack(third)).statusCode).toBe(200);
  });

  it('D7: is refused for a reason that is not agreed on, an amount above the price, a test, and where it was not sold', async () => {
    const leadId = await sell();
    expect((await giveBack(leadId, { reason: 'No mood' })).json).toMatchObject({
      code: 'return_reason_unknown',
      msg: expect.stringContaining('Wrong number, Not reachable'),
    });
    expect((await giveBack(leadId, { amount: '20.0001' })).json).toMatchObject({
      code: 'return_amount_too_large',
      msg: expect.stringContaining('sold for 20.00'),
    });
    expect((await giveBack(leadId, { amount: '0' })).json.code).toBe('return_amount_invalid');
    const test = (await office.lead('t@example.com', { test: 'true' })).json.leadId;
    expect((await giveBack(test)).json.code).toMatch(/return_lead_(test|unsold)/);
    buyer.answer(() => REJECT);
    expect((await giveBack(await sell('r@example.com'))).json.code).toBe('return_lead_unsold');
    await office.change('organization', office.world.organizationId, { returnReasons: ['No mood'] });
    expect((await giveBack(leadId, { reason: 'no mood' })).json.returned.reason).toBe('No mood');
    expect(await audit()).toEqual([]);
  });

  it('is not there for a stranger, nor for a member who may not read leads', async () => {
    const leadId = await sell();
    const stranger = await openOffice(node, buyer);
    expect((await stranger.post(`/api/console/leads/${leadId}/return`, { saleIndex: 0, reason: REASON })).statusCode).toBe(404);
    const { regionId, verticalId } = office.world;
    const pages = [{ value: 'overview', pageChecked: true }];
    const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }];
    const member = await signIn(node, office.world, { role: 'member', permissions } as never);
    expect((await member.post(`/api/console/leads/${leadId}/return`, { saleIndex: 0, reason: REASON })).statusCode).toBe(404);
    expect(await balances()).toEqual({ buyer: -20, publisher: 16, house: 4 });
  });

  it('D7: gives no place in a cap back: it was sold in its window', async () => {
    const caps = [{ measure: 'sold', period: 'overall', limit: 1, timeZone: 'UTC' } as const];
    office = await openOffice(node, buyer, {
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url, caps, price: { kind: 'fixed', price: dollars(20) } }] }],
    });
    await giveBack(await sell('a@example.com'));
    expect((await office.lead('b@example.com')).json.code).toBe('lead_unsold');
  });
});

describe('a buyer’s file', () => {
  const send = (text: string, buyerId = office.world.tiers[0]!.buyerId) =>
    office.post('/api/console/returns', { region: 'us', vertical: 'payday', buyerId, text });

  it('returns each line by itself, by our id or the buyer’s reference, and says of each what became of it', async () => {
    const [first, second] = [await sell('a@example.com'), await sell('b@example.com')];
    const done = await send(
      [
        'Lead;Reason;Amount;Note',
        `${first};wrong number;5.00;"says; it is not hers"`,
        'B-2;Duplicate;;',
        'B-2;Duplicate;;',
        'B-9;Duplicate;;',
        `${second};Bad mood;;`,
      ].join('\r\n'),
    );
    expect(done.json.returned).toBe(2);
    expect(done.json.lines.map((one: Record<string, unknown>) => [one.line, one.isReturned, one.code, one.revenue])).toEqual([
      [2, true, null, '5.00'],
      [3, true, null, '20.00'],
      [4, false, 'return_repeated', null],
      [5, false, 'return_lead_unknown', null],
      [6, false, 'return_reason_unknown', null],
    ]);
    expect((await office.get(`/api/console/leads/${first}`)).json.lead.sales[0].returned).toMatchObject({
      via: 'csv',
      note: 'says; it is not hers',
    });
    expect(await balances()).toEqual({ buyer: -15, publisher: 12, house: 3 });
    expect(await audit()).toEqual([]);
  });

  it('goes on behind a line that fails on our side, and cuts a long note before a character, not in it', async () => {
    const [first, second, third] = [await sell('a@example.com'), await sell('b@example.com'), await sell('c@example.com')];
    await client.query(`create function fail_return() returns trigger language plpgsql as $$ begin
      if new.lead_id = '${second}' then raise exception 'out of order'; end if; return new; end $$`);
    await client.query('create trigger fail_return before insert on lead_return for each row execute function fail_return()');
    const note = `${'x'.repeat(499)}\u{1F600} and more`;
    const text = ['lead,reason,note', `${first},${REASON},${note}`, `${second},${REASON},`, `${third},${REASON},`].join('\n');
    const { statusCode, json } = await office.post('/api/console/returns', {
      ...{ region: 'us', vertical: 'payday', buyerId: office.world.tiers[0]!.buyerId, text },
    });
    await client.query('drop trigger fail_return on lead_return');
    expect([statusCode, json.lines.map((line: { code: string | null }) => line.code)]).toEqual([200, [null, 'return_line_failed', null]]);
    expect(json.lines[1].msg).toBe('It failed on our side. Try this line again.');
    expect((await client.query('select note from lead_return where lead_id = $1', [first])).rows).toEqual([{ note: 'x'.repeat(499) }]);
    expect(await audit()).toEqual([]);
  });

  it('that cannot be read is refused whole, and nothing of it is returned', async () => {
    const leadId = await sell();
    for (const text of [
      'lead\nx',
      `lead,reason,colour\n${leadId},Duplicate,red`,
      `lead,reason\n${leadId},"Duplicate`,
      'lead,reason\n',
      `lead,lead,reason\n${leadId},x,Duplicate`,
    ])
      expect((await send(text)).json.code).toBe('return_file_invalid');
    expect(await balances()).toMatchObject({ buyer: -20 });
  });

  it('returns nothing of another buyer, nor of a stranger', async () => {
    office = await openOffice(node, buyer, {
      groups: [
        {
          mode: 'priority',
          tiers: [
            { url: buyer.url, buyer: 'Ann' },
            { url: buyer.url, buyer: 'Bob' },
          ],
        },
      ],
    });
    const leadId = await sell();
    const other = await send(`lead,reason\n${leadId},Duplicate`, office.world.tiers[1]!.buyerId);
    expect(other.json.lines[0]).toMatchObject({ isReturned: false, code: 'return_lead_unknown' });
    const stranger = await openOffice(node, buyer);
    const foreign = await stranger.post('/api/console/returns', {
      region: 'us',
      vertical: 'payday',
      buyerId: office.world.tiers[0]!.buyerId,
      text: `lead,reason\n${leadId},Duplicate`,
    });
    expect(foreign.json).toMatchObject({ returned: 0, lines: [{ code: 'return_lead_unknown' }] });
  });
});

describe('POST /api/v1/returns', () => {
  const makeKey = async (overlapHours: number | null = null): Promise<string> =>
    (await office.post(`/api/console/buyers/${office.world.tiers[0]!.buyerId}/keys/new`, { overlapHours })).json.key;
  const returnBy = (key: string, body: Record<string, unknown>) => node.post('/api/v1/returns', body, { authorization: `Bearer ${key}` });

  it('returns a lead by our id or the buyer’s reference, with the buyer’s own key; the change log names the buyer', async () => {
    const key = await makeKey();
    const leadId = await sell('a@example.com');
    await sell('b@example.com');
    expect((await returnBy(key, { leadId, reason: REASON, amount: '7.5' })).json).toMatchObject({
      status: true,
      leadId,
      amount: '7.50',
      currency: 'USD',
    });
    expect((await returnBy(key, { leadId, reason: REASON })).json).toMatchObject({ code: 'return_repeated' });
    expect((await returnBy(key, { reference: 'B-2', reason: REASON })).json).toMatchObject({ status: true, amount: '20.00' });
    const { changes } = (await office.get('/api/v1/change-log')).json;
    expect(changes[0]).toMatchObject({ modelLabel: 'Return', userName: 'Ann (buyer)', after: { via: 'api' } });
    expect(await audit()).toEqual([]);
  });

  it('gives nothing back where a name is misspelt: it would be the whole price', async () => {
    const key = await makeKey();
    const leadId = await sell('a@example.com');
    const answer = await returnBy(key, { leadId, reason: REASON, amout: '5.00' });
    expect([answer.statusCode, JSON.stringify(answer.json)]).toEqual([400, expect.stringContaining('amout')]);
    expect((await returnBy(key, { leadId, reason: REASON, amount: '5.00' })).json).toMatchObject({ amount: '5.00' });
  });

  it('knows no other buyer’s lead, and says the same as of one that is not there', async () => {
    const key = await makeKey();
    const other = await openOffice(node, buyer);
    const leadId = (await other.lead('x@example.com')).json.leadId;
    const told = { statusCode: 404, code: 'return_lead_unknown', msg: 'This buyer bought no lead with this id or reference.' };
    for (const name of [{ leadId }, { leadId: 'nonsense' }, { reference: 'B-77' }]) {
      const { statusCode, json } = await returnBy(key, { ...name, reason: REASON });
      expect({ statusCode, code: json.code, msg: json.msg }).toEqual(told);
    }
  });

  it('refuses a reference that names several leads', async () => {
    buyer.answer(() => ACCEPT);
    const key = await makeKey();
    await sell('a@example.com');
    await sell('b@example.com');
    expect((await returnBy(key, { reference: 'B-1', reason: REASON })).json.code).toBe('return_reference_ambiguous');
    expect(await balances()).toMatchObject({ buyer: -40 });
  });

  it('is opened by a living key only: replaced, revoked, unknown and missing ones are told apart', async () => {
    const [first, second] = [await makeKey(), await makeKey(0)];
    expect((await returnBy(first, { leadId: 'x', reason: REASON })).json.code).toBe('key_expired');
    expect((await returnBy(second, { leadId: 'x', reason: REASON })).json.code).toBe('return_lead_unknown');
    const { keys } = (await office.get(`/api/console/buyers/${office.world.tiers[0]!.buyerId}/keys`)).json;
    expect(keys.map((one: { isLiving: boolean }) => one.isLiving)).toEqual([true, false]);
    await office.post(`/api/console/return-keys/${keys[0]._id}/revoke`, {});
    expect((await returnBy(second, {})).json.code).toBe('key_revoked');
    expect((await returnBy(`${second.slice(0, -3)}aaa`, {})).json.code).toBe('key_unknown');
    expect((await returnBy('rk_short', {})).json.code).toBe('key_unknown');
    expect((await node.post('/api/v1/returns', {})).json.code).toBe('key_missing');
    expect((await returnBy(office.world.key, {})).json.code).toBe('key_unknown');
  });

  it('asks for one name of the lead, and only what it knows', async () => {
    const key = await makeKey();
    expect((await returnBy(key, { reason: REASON })).json).toMatchObject({
      code: 'request_invalid',
      msg: expect.stringContaining('name the lead by leadId or by reference'),
    });
    expect((await returnBy(key, { leadId: 'a', reference: 'b', reason: REASON })).statusCode).toBe(400);
    for (const wrong of [{ reference: '\0' }, { reference: 'a', note: 'a\0b' }, { reference: 'a', note: '\ud800' }, { leadId: '\0' }])
      expect((await returnBy(key, { reason: REASON, ...wrong })).statusCode).toBe(400);
  });
});
