/** Decision 0018: a buyer that pays in advance, or on credit, is sold what it can pay and not one lead more. */
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { compileFunds } from '#engine/funds.ts';
import { newId } from '#server/kit/ids.ts';
import type { ReserveOp } from '#server/lead/book.sql.ts';
import { openLeadStore } from '#server/lead/lead.store.ts';
import type { Counting } from '#server/metric/open-metrics.ts';
import { auditBooks } from '#test/harness/books.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { soldResult } from '#test/harness/sold-result.ts';
import { dollars, LEAD } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let other: TestNode;
let buyer: ScriptedBuyer;
let client: pg.Client;
let office: Office;

beforeAll(async () => {
  node = await startTestWorld();
  other = await startNode(node.database.url);
  buyer = await startBuyer(() => ACCEPT);
  client = new pg.Client({ connectionString: node.database.url });
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await other.close();
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  buyer.answer(() => ACCEPT);
  buyer.calls.length = 0;
  office = await openOffice(node, buyer);
});

const buyerId = () => office.world.tiers[0]!.buyerId;
async function bill(billing: 'none' | 'prepaid' | 'credit', creditLimit: string | null = null): Promise<void> {
  expect((await office.change('buyer', buyerId(), { billing, creditLimit })).statusCode).toBe(200);
  await other.planBook.reload(office.world.organizationId);
}
const enter = (amount: string, kind: 'payment' | 'adjustment' = 'payment') =>
  office.post('/api/console/ledger/entries', { partyKind: 'buyer', partyId: buyerId(), kind, amount, note: 'Bank transfer' });
const account = async () => (await office.get(`/api/console/ledger/account?partyKind=buyer&partyId=${buyerId()}`)).json;
const send = async (email: string, to: TestNode = node) =>
  (await to.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${office.world.key}` })).json;
const warnings = async () =>
  (await office.get('/api/console/overview?region=us&vertical=payday&timeZone=UTC')).json.warnings.filter((one: { kind: string }) =>
    one.kind.startsWith('funds'),
  );
const audit = () => auditBooks(client, office.world.organizationId);

describe('a buyer that pays in advance', () => {
  it('is sold nothing before it has paid, and says why; then what its money pays for, whoever of two nodes sells', async () => {
    await bill('prepaid');
    const refused = await send('a@example.com');
    expect(refused.code).toBe('lead_unsold');
    const { lead } = (await office.get(`/api/console/leads/${refused.leadId}`)).json;
    expect(lead.verdicts[0]).toMatchObject({
      ...{ outcome: 'filtered', filterReasonKey: 10 },
      text: 'The balance of the buyer does not pay for it: USD 0.00 left, USD 20.00 needed.',
    });
    expect(buyer.calls).toEqual([]);
    expect((await enter('145.00')).json).toMatchObject({ status: true, balance: '145.00', left: '145.00' });
    buyer.answer(async () => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 30));
      return Math.random() < 0.3 ? REJECT : ACCEPT;
    });
    // A refusal frees its money again, so more are tried than sold; 145 pays for 7.
    for (let round = 0; round < 4; round++)
      await Promise.all(Array.from({ length: 40 }, (_, at) => send(`r${round}-${at}@example.com`, [node, other][at % 2])));
    // Chance may have refused the last place in every round.
    buyer.answer(() => ACCEPT);
    for (let at = 0; at < 8; at++) await send(`last-${at}@example.com`);
    const sold = await client.query('select count(*)::int as leads from sale where organization_id = $1', [office.world.organizationId]);
    expect(sold.rows).toEqual([{ leads: 7 }]);
    await expect.poll(account).toMatchObject({ balance: '5.00', reserved: '0.00', left: '5.00' });
    expect(await audit()).toEqual([]);
  });

  it('that names its price with the answer alone is sent one lead it cannot pay, and not one after the other: what is left is kept for that', async () => {
    office = await openOffice(node, buyer, {
      groups: [
        {
          mode: 'priority',
          tiers: [
            { url: buyer.url, buyer: 'Ann', price: { kind: 'bid' } },
            { url: `${buyer.url}/bob`, buyer: 'Bob', price: { kind: 'fixed', price: dollars(3) } },
          ],
        },
      ],
    });
    await bill('prepaid');
    await enter('20.01');
    buyer.answer(({ path }) => ({ body: JSON.stringify({ result: 'accepted', price: path.startsWith('/bob') ? 3 : 20 }) }));
    const answers = [await send('a@example.com'), await send('b@example.com'), await send('c@example.com'), await send('d@example.com')];
    expect(answers.map(({ code }) => code)).toEqual(['lead_sold', 'lead_held', 'lead_sold', 'lead_sold']);
    const sold = await client.query('select revenue::text from sale where organization_id = $1 order by lead_id', [
      office.world.organizationId,
    ]);
    expect(sold.rows.map(({ revenue }) => revenue)).toEqual(['20.0000', '3.0000', '3.0000']);
    expect(await account()).toMatchObject({ balance: '0.01', reserved: '0.01', left: '0.00' });
    // Settled as not bought it frees what was kept; topped up it pays for the next.
    const leads = [{ leadId: answers[1].leadId, buyerTierId: office.world.tiers[0]!.buyerTierId, outcome: 'notBought' }];
    expect((await office.post('/api/console/settlements', { leads })).json.settled).toBe(1);
    expect(await account()).toMatchObject({ balance: '0.01', reserved: '0.00', left: '0.01' });
    await enter('40.00');
    expect((await send('e@example.com')).code).toBe('lead_sold');
    expect(await account()).toMatchObject({ balance: '20.01', reserved: '0.00' });
    expect(await audit()).toEqual([]);
  });

  it('may spend again what it pays, what is given back to it and what it is credited; what is taken is gone', async () => {
    await bill('prepaid');
    await enter('20.00');
    const { leadId } = await send('a@example.com');
    expect((await send('b@example.com')).code).toBe('lead_unsold');
    expect((await office.post(`/api/console/leads/${leadId}/return`, { saleIndex: 0, reason: 'Duplicate' })).statusCode).toBe(200);
    expect((await send('c@example.com')).status).toBe('accepted');
    expect((await send('d@example.com')).code).toBe('lead_unsold');
    await enter('25.00', 'adjustment');
    await enter('-5.01', 'adjustment');
    expect(await account()).toMatchObject({ balance: '19.99', left: '19.99' });
    expect((await send('e@example.com')).code).toBe('lead_unsold');
    await enter('0.01');
    expect((await send('f@example.com')).status).toBe('accepted');
    expect(await audit()).toEqual([]);
  });

  it('is entered a payment once, however often the form sends it, and never another under the same key', async () => {
    const key = crypto.randomUUID();
    const body = { key, partyKind: 'buyer', partyId: buyerId(), kind: 'payment', amount: '50.00', note: 'Bank transfer' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => office.post('/api/console/ledger/entries', body)));
    expect(answers.map((one) => [one.statusCode, one.json.balance])).toEqual(Array(4).fill([200, '50.00']));
    const other = await office.post('/api/console/ledger/entries', { ...body, amount: '51.00' });
    expect([other.statusCode, other.json.code]).toEqual([409, 'entry_key_reused']);
    // What was refused has used up no key.
    const fresh = { ...body, key: crypto.randomUUID() };
    expect((await office.post('/api/console/ledger/entries', { ...fresh, partyId: newId() })).statusCode).toBe(404);
    expect((await office.post('/api/console/ledger/entries', fresh)).json.balance).toBe('100.00');
    // Another organization's keys are its own.
    const stranger = await openOffice(node, buyer);
    const theirs = { ...body, partyId: stranger.world.tiers[0]!.buyerId };
    expect((await stranger.post('/api/console/ledger/entries', theirs)).json.balance).toBe('50.00');
    expect(await audit()).toEqual([]);
  });

  it('keeps the money of a held lead aside until it is settled', async () => {
    await bill('prepaid');
    await enter('40.00');
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
    const [first, second] = [(await send('a@example.com')).leadId, (await send('b@example.com')).leadId];
    expect(await account()).toMatchObject({ balance: '40.00', reserved: '40.00', left: '0.00' });
    buyer.answer(() => ACCEPT);
    expect((await send('c@example.com')).code).toBe('lead_unsold');
    const buyerTierId = office.world.tiers[0]!.buyerTierId;
    await office.post('/api/console/settlements', {
      leads: [
        { leadId: first, buyerTierId, outcome: 'bought', price: '12.00' },
        { leadId: second, buyerTierId, outcome: 'notBought' },
      ],
    });
    expect(await account()).toMatchObject({ balance: '28.00', reserved: '0.00', left: '28.00' });
    expect((await send('d@example.com')).status).toBe('accepted');
    expect((await send('e@example.com')).code).toBe('lead_unsold');
    expect(await audit()).toEqual([]);
  });

  it('is told on the overview when four fifths of what it last had are gone, and when nothing is left', async () => {
    await bill('prepaid');
    expect(await warnings()).toMatchObject([{ kind: 'fundsShort', text: 'Ann: nothing is left of its balance, so it gets no leads.' }]);
    await enter('100.00');
    expect(await warnings()).toEqual([]);
    for (let at = 0; at < 4; at++) await send(`${at}@example.com`);
    expect(await warnings()).toMatchObject([{ kind: 'fundsLow', text: 'Ann: USD 20.00 is left of its balance.' }]);
    await send('last@example.com');
    expect(await warnings()).toMatchObject([{ kind: 'fundsShort' }]);
  });
});

describe('what is sold and what is asked for at the same moment', () => {
  it('share no money: a sale counts until its entry does, within one batch too', async () => {
    const { organizationId } = office.world;
    await enter('20.00');
    let batches = 0;
    const metrics: Counting = {
      add(name) {
        if (name === 'sluice_store_batches_total') batches += 1;
      },
      observe: () => {},
    };
    const store = openLeadStore({ connectionString: node.database.url, nodeId: newId(), metrics });
    const counter = compileFunds(buyerId(), 0).claimAt(0, dollars(20));
    const ref = { counter: counter.counter, scopeId: buyerId(), measure: 'money', period: 'funds', resetsAt: null };
    const post = (leadId: string) => ({ leadId, subjectId: office.world.tiers[0]!.buyerTierId, purpose: 'post' as const });
    const reserve = (leadId: string): ReserveOp => ({
      ...post(leadId),
      kind: 'reserve',
      effect: { first: true },
      claims: [{ ref, limit: 0, amount: dollars(20) }],
      hold: [{ counter: ref.counter, amount: dollars(20) }],
    });
    const [first, second] = [newId(), newId()];
    expect(await store.book(organizationId, [reserve(first)])).toEqual([{ granted: true }]);
    // Handed in together, they travel in one statement, the sale before the question.
    await setImmediate();
    const before = batches;
    const settle = { ...post(first), kind: 'settle' as const, changes: [{ ref, amount: -dollars(20) }], prints: [] };
    const [, answer] = await Promise.all([
      store.finish(organizationId, soldResult(office.world, first), [settle]),
      store.book(organizationId, [reserve(second)]),
    ]);
    await setImmediate();
    expect(batches).toBe(before + 1);
    expect(answer).toMatchObject([{ granted: false, by: 'cap', used: 0 }]);
    expect(await account()).toMatchObject({ balance: '0.00' });
    expect((await client.query('select used from counter where counter = $1', [ref.counter])).rows).toEqual([{ used: 0 }]);
    expect(await store.book(organizationId, [reserve(second)])).toMatchObject([{ granted: false }]);
    await store.close();
  });
});

describe('a buyer that buys on credit', () => {
  it('may owe up to its limit, and is told when near it', async () => {
    await bill('credit', '100.00');
    for (let at = 0; at < 3; at++) expect((await send(`${at}@example.com`)).status).toBe('accepted');
    expect(await warnings()).toEqual([]);
    expect((await send('3@example.com')).status).toBe('accepted');
    expect(await warnings()).toMatchObject([{ kind: 'fundsLow', text: 'Ann: owes USD 80.00 of USD 100.00 it may owe.' }]);
    expect((await send('4@example.com')).status).toBe('accepted');
    expect(await warnings()).toMatchObject([
      { kind: 'fundsShort', text: 'Ann: owes USD 100.00 of USD 100.00 it may owe, too much for one more lead.' },
    ]);
    expect((await send('5@example.com')).code).toBe('lead_unsold');
    await bill('none');
    expect((await send('6@example.com')).status).toBe('accepted');
    expect(await account()).toMatchObject({ balance: '-120.00', reserved: null, left: null });
    expect(await audit()).toEqual([]);
  });

  it('needs a limit', async () => {
    const answer = await office.change('buyer', buyerId(), { billing: 'credit' });
    expect([answer.statusCode, answer.json.code]).toEqual([400, 'buyer_limit_missing']);
  });

  it('counts what it owes from before, and what is under way, from the moment it is limited', async () => {
    await send('a@example.com');
    await bill('credit', '50.00');
    expect((await send('b@example.com')).status).toBe('accepted');
    expect((await send('c@example.com')).code).toBe('lead_unsold');
  });
});

describe('a buyer that bids', () => {
  it('is asked only while something is left, and is never sold above it', async () => {
    office = await openOffice(node, buyer, {
      groups: [{ mode: 'auction', tiers: [{ url: buyer.url, buyer: 'Ann', delivery: 'pingPost', price: { kind: 'bid' } }] }],
    });
    await bill('prepaid');
    await enter('30.00');
    expect((await send('a@example.com')).status).toBe('accepted');
    const { leadId } = await send('b@example.com');
    const { lead } = (await office.get(`/api/console/leads/${leadId}`)).json;
    expect(lead.verdicts[0].text).toBe('The balance of the buyer does not pay for it: USD 10.00 left, USD 20.00 needed.');
    await enter('-10.00', 'adjustment');
    const pings = buyer.calls.length;
    const last = await send('c@example.com');
    expect((await office.get(`/api/console/leads/${last.leadId}`)).json.lead.verdicts[0].text).toBe(
      'The balance of the buyer is used up: USD 0.00 left.',
    );
    expect(buyer.calls.length).toBe(pings);
    expect(await audit()).toEqual([]);
  });
});
