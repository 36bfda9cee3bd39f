/** Decision 0004 and 0018: what nobody knows is held, and settled once: by a person, by the buyer's postback, or by the end of its time. */
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { POSTBACKS_A_MINUTE } from '#contract/settlement.ts';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import type { BookOp } from '#server/lead/book.sql.ts';
import { keepAfterwards } from '#server/lead/keep-afterwards.ts';
import type { ResultRow } from '#server/lead/lead.sql.ts';
import { openLeadStore } from '#server/lead/lead.store.ts';
import { giveBackPlaces } from '#server/node/give-back-places.ts';
import { endForgotten } from '#server/node/interrupt-leads.ts';
import { expirePending } from '#server/settlement/expire-pending.ts';
import { auditBooks } from '#test/harness/books.ts';
import { ACCEPT, REJECT, type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import { soldResult } from '#test/harness/sold-result.ts';
import { dollars, LEAD, type TierSpec, type WorldSpec } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let other: TestNode;
let buyer: ScriptedBuyer;
let client: pg.Client;
let office: Office;

const PENDING: ScriptedAnswer = { body: JSON.stringify({ result: 'pending', id: 'P-1' }) };
const OVERALL = { measure: 'sold', period: 'overall', limit: 5, timeZone: 'UTC' } as const;
const MONEY = { measure: 'money', period: 'overall', limit: dollars(100), timeZone: 'UTC' } as const;

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
  buyer.answer(() => PENDING);
  office = await open();
});

async function open(tier: Partial<TierSpec> = {}, spec: WorldSpec = {}): Promise<Office> {
  const tiers = [{ url: buyer.url, buyer: 'Ann', name: 'Main', caps: [OVERALL, MONEY], ...tier }];
  const made = await openOffice(node, buyer, { groups: [{ mode: 'priority', tiers }], publisher: { caps: [MONEY] }, ...spec });
  await other.planBook.reload(made.world.organizationId);
  return made;
}

const tierId = (at = 0) => office.world.tiers[at]!.buyerTierId;
const hold = async (email = 'ada@example.com'): Promise<string> => {
  const { json } = await office.lead(email);
  expect(json).toMatchObject({ status: 'queued', code: 'lead_held' });
  return json.leadId;
};
const listed = async () => (await office.get('/api/console/settlements/open?region=us&vertical=payday')).json;
const settle = (leadId: string, outcome: 'bought' | 'notBought', price?: string, buyerTierId = tierId()) =>
  office.post('/api/console/settlements', { leads: [{ leadId, buyerTierId, outcome, ...(price && { price }) }] });
const view = async (leadId: string) => (await office.get(`/api/console/leads/${leadId}`)).json.lead;
const used = async () =>
  Object.fromEntries(
    (
      await client.query(`select counter, used from counter where organization_id = $1 and period <> 'funds'`, [
        office.world.organizationId,
      ])
    ).rows.map((row) => [
      `${row.counter.startsWith(office.world.publisherTierId) ? 'publisher' : 'buyer'} ${row.counter.split(':')[1]}`,
      row.used,
    ]),
  );
const rows = async (text: string) => (await client.query(text, [office.world.organizationId])).rows;
const audit = () => auditBooks(client, office.world.organizationId);
const status = async (leadId: string) =>
  (await (
    await fetch(`${node.url}/api/v1/leads/${leadId}`, { headers: { authorization: `Bearer ${office.world.key}` } })
  ).json()) as object;

describe('a lead that is held', () => {
  it('is listed with what is known of it, and settled as bought it is a sale like any other', async () => {
    const leadId = await hold();
    expect(await listed()).toMatchObject({
      total: 1,
      items: [
        {
          ...{
            leadId,
            buyerTierId: tierId(),
            buyerName: 'Ann',
            buyerTierName: 'Main',
            kind: 'held',
            answer: 'pending',
            price: '20.00',
            soldTo: [],
          },
          text: 'The buyer said it will decide later.',
        },
      ],
    });
    expect(await used()).toEqual({ 'buyer sold': 1, 'buyer money': dollars(20), 'publisher money': dollars(16) });
    // What it would come to is said before, and changes nothing.
    const asked = { leads: [{ leadId, buyerTierId: tierId(), price: '15.00' }] };
    expect((await office.post('/api/console/settlements/quote', asked)).json).toEqual({
      ...{ status: true, revenue: '15.00', payout: '12.00', soldBefore: 0 },
      leads: [{ leadId, buyerTierId: tierId(), payout: '12.00', code: null, msg: '' }],
    });
    expect(await used()).toEqual({ 'buyer sold': 1, 'buyer money': dollars(20), 'publisher money': dollars(16) });
    expect((await settle(leadId, 'bought', '15.00')).json).toMatchObject({ status: true, settled: 1, msg: 'The lead is settled.' });
    // Its place stays taken; money counts what is paid: 15 by the buyer, 80 % of it to the publisher.
    expect(await used()).toEqual({ 'buyer sold': 1, 'buyer money': dollars(15), 'publisher money': dollars(12) });
    const lead = await view(leadId);
    expect(lead).toMatchObject({
      status: 'sold',
      reason: null,
      revenue: '15.00',
      payout: '12.00',
      margin: '3.00',
      buyers: [{ buyerName: 'Ann' }],
    });
    expect(lead.why).toBe('Settled by hand: the buyer bought it for USD 15.00: USD 12.00 to the publisher, USD 3.00 margin.');
    expect(lead.sales).toMatchObject([{ saleIndex: 0, revenue: '15.00', buyerRef: 'P-1' }]);
    expect(lead.verdicts[0]).toMatchObject({ outcome: 'sold' });
    expect(await status(leadId)).toMatchObject({ status: 'accepted', code: 'lead_sold', price: '12.00', currency: 'USD' });
    // The same call again is still given its first answer.
    expect((await office.lead('ada@example.com')).json).toMatchObject({ status: 'queued', leadId });
    expect(await listed()).toMatchObject({ total: 0, items: [] });
    expect((await office.get('/api/v1/change-log')).json.changes[0]).toMatchObject({
      ...{ modelLabel: 'Settled lead', recordId: leadId, after: { buyer: 'Ann, Main', outcome: 'bought', price: '15.00', via: 'person' } },
      final: 'A lead is settled once. Return it, or enter an adjustment instead.',
    });
    expect(await audit()).toEqual([]);
  });

  it('settled as not bought gives back its places and its consumer, and the lead is unsold', async () => {
    office = await open({ duplicate: { fields: ['email'], match: 'all', windowDays: 30, counts: 'sold' } });
    const leadId = await hold();
    expect((await settle(leadId, 'notBought')).json.settled).toBe(1);
    expect(await used()).toEqual({ 'buyer sold': 0, 'buyer money': 0, 'publisher money': 0 });
    const lead = await view(leadId);
    expect(lead).toMatchObject({
      status: 'unsold',
      reason: 'buyer-all-tier-failed',
      revenue: '0.00',
      why: 'Settled by hand: the buyer did not buy it.',
    });
    expect(await status(leadId)).toMatchObject({ status: 'rejected', code: 'lead_unsold' });
    buyer.answer(() => ACCEPT);
    expect((await office.lead('ada@example.com', { first_name: 'Again' })).json.status).toBe('accepted');
    expect(await audit()).toEqual([]);
  });

  it('settled as not bought frees its consumer at the publisher tier too, where its rule counts sold leads alone', async () => {
    const rule = (counts: 'sold' | 'received') => ({ duplicate: { fields: ['email'], match: 'all' as const, windowDays: 30, counts } });
    for (const [counts, status] of [
      ['sold', 'accepted'],
      ['received', 'duplicate'],
    ] as const) {
      buyer.answer(() => PENDING);
      office = await open({}, { publisher: rule(counts) });
      const leadId = await hold();
      expect((await office.lead('ada@example.com', { first_name: 'Again' })).json.status).toBe('duplicate');
      await settle(leadId, 'notBought');
      buyer.answer(() => ACCEPT);
      expect((await office.lead('ada@example.com', { first_name: 'Later' })).json.status).toBe(status);
    }
    expect(await audit()).toEqual([]);
  });

  it('is settled at the price and by the terms that it was posted by, whatever was changed since', async () => {
    const leads = [await hold('a@example.com'), await hold('b@example.com')];
    expect((await office.change('buyerTier', tierId(), { price: { kind: 'fixed', price: '30.00' } })).statusCode).toBe(200);
    const share = { priceModel: { kind: 'share', sharePercent: 50 } };
    expect((await office.change('publisherTier', office.world.publisherTierId, share)).statusCode).toBe(200);
    expect((await listed()).items.map(({ price }: { price: string }) => price)).toEqual(['20.00', '20.00']);
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId: leads[0], outcome: 'sold' })).statusCode).toBe(200);
    expect((await settle(leads[1]!, 'bought')).json.settled).toBe(1);
    expect(await rows('select revenue::text, payout::text from sale where organization_id = $1')).toEqual(
      leads.map(() => ({ revenue: '20.0000', payout: '16.0000' })),
    );
    expect(await audit()).toEqual([]);
  });

  it('by a bid that was made anew, because the offer of its ping had run out, is settled at that bid', async () => {
    const tier = { delivery: 'pingPost', price: { kind: 'bid' } } as const;
    const tiers = ['first', 'second'].map((name) => ({ ...tier, url: `${buyer.url}/${name}`, buyer: name, name }));
    office = await open({}, { groups: [{ mode: 'auction', tiers }] });
    expect((await office.change('buyerTier', tierId(), { postPriceRule: 'refuse' })).statusCode).toBe(200);
    const bidding = (bid: string) =>
      buyer.answer(({ path }) => {
        if (path.endsWith('/ping')) return { body: JSON.stringify({ result: 'accepted', price: path.includes('first') ? bid : '9.00' }) };
        return path.includes('first') ? PENDING : REJECT;
      });
    const auth = { authorization: `Bearer ${office.world.key}` };
    bidding('15.00');
    const { pingId } = (await node.post('/api/v1/leads/ping', { ...LEAD, email: 'anew@example.com' }, auth)).json;
    const { keys } = node.planBook.find(office.world.organizationId)!;
    const [ping] = await rows('select explained from lead_result where organization_id = $1');
    const explained = openJson<{ offers: { buyerTierId: string; expiresAt: number }[] }>(
      keys,
      'lead_result.explained',
      pingId,
      ping.explained,
    );
    explained.offers.find((offer) => offer.buyerTierId === tierId())!.expiresAt = Date.now() - 1;
    const kept = sealJson(keys, 'lead_result.explained', pingId, explained);
    await client.query('update lead_result set explained = $2 where lead_id = $1', [pingId, kept]);
    bidding('10.00');
    const { json } = await node.post('/api/v1/leads/post', { ...LEAD, email: 'anew@example.com', pingId }, auth);
    expect(json.code).toBe('lead_held');
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId: json.leadId, outcome: 'sold' })).json).toMatchObject({ status: true, price: '10.00' });
    expect(await rows('select revenue::text, payout::text, post_price_differs as differs from sale where organization_id = $1')).toEqual([
      { revenue: '10.0000', payout: '8.0000', differs: false },
    ]);
  });

  it('is settled once over two nodes, however many say so at once', async () => {
    const leadId = await hold();
    const elsewhere = await signIn(other, office.world);
    const asked = { leadId, buyerTierId: tierId() };
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        [office, elsewhere][at % 2]!.post('/api/console/settlements', {
          leads: [at % 3 === 0 ? { ...asked, outcome: 'notBought' } : { ...asked, outcome: 'bought', price: '20.00' }],
        }),
      ),
    );
    const { outcome } = (await rows('select outcome from settlement where organization_id = $1'))[0]!;
    for (const [at, { statusCode, json }] of answers.entries()) {
      const same = (outcome === 'bought') === (at % 3 !== 0);
      expect([at, statusCode, json.code]).toEqual(same ? [at, 200, undefined] : [at, 409, 'settlement_contradicts']);
    }
    expect(await rows('select count(*)::int as sales from sale where organization_id = $1')).toEqual([
      { sales: outcome === 'bought' ? 1 : 0 },
    ]);
    expect(await used()).toMatchObject({ 'buyer sold': outcome === 'bought' ? 1 : 0 });
    expect(await audit()).toEqual([]);
  });

  it('needs a price where none is known, and nothing is settled without one', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [] });
    const leadId = await hold();
    expect((await listed()).items[0].price).toBeNull();
    expect((await settle(leadId, 'bought')).json).toMatchObject({ code: 'settlement_price_missing' });
    expect((await settle(leadId, 'bought')).statusCode).toBe(400);
    expect(await rows('select * from settlement where organization_id = $1')).toEqual([]);
    expect((await settle(leadId, 'bought', '3')).statusCode).toBe(200);
    expect(await audit()).toEqual([]);
  });

  it('of many each is settled by itself', async () => {
    const [first, second] = [await hold('a@example.com'), await hold('b@example.com')];
    const leads = [
      { leadId: first, buyerTierId: tierId(), outcome: 'bought' },
      { leadId: newId(), buyerTierId: tierId(), outcome: 'bought' },
      { leadId: second, buyerTierId: tierId(), outcome: 'notBought' },
    ];
    const { json } = await office.post('/api/console/settlements', { leads });
    expect([json.settled, json.leads.map((one: { code: string | null }) => one.code)]).toEqual([2, [null, 'settlement_unknown', null]]);
    expect(await listed()).toMatchObject({ total: 0 });
    expect(await audit()).toEqual([]);
  });

  it('is quoted as it is booked: with its promotion, and one after the other where a lead stands at two buyers', async () => {
    const priceModel = { kind: 'fixed', price: dollars(10) } as const;
    // Each of the two may have bought, and a lead is sold once.
    const tiers = [
      { url: `${buyer.url}/slow`, buyer: 'Ann', timeLimitMs: 150 },
      { url: `${buyer.url}/slow`, buyer: 'Bob', timeLimitMs: 150 },
    ];
    office = await open({}, { publisher: {}, priceModel, maxSales: 1, groups: [{ mode: 'priority', tiers }] });
    const { publisherId, verticalId } = office.world;
    const promotion = { name: 'Two more', verticalId, target: { kind: 'publisher', publisherId }, raise: { kind: 'fixed', amount: '2' } };
    const span = { fromOn: '2020-01-01', toOn: null, timeZone: 'America/New_York' };
    await office.post('/api/v1/common/post-add-data', { model: 'promotion', ...promotion, ...span, leadCap: 1 });
    buyer.answer(() => ({ ...ACCEPT, delayMs: 400 }));
    const { leadId } = (await office.lead('both@example.com')).json;
    await expect.poll(async () => (await listed()).total, { timeout: 5_000 }).toBe(2);
    const before = await rows('select counter, used from counter where organization_id = $1 order by 1');
    const asked = [0, 1].map((at) => ({ leadId, buyerTierId: tierId(at), price: '20.00' }));
    const { json: quote } = await office.post('/api/console/settlements/quote', { leads: asked });
    expect(quote).toMatchObject({ revenue: '40.00', payout: '12.00', leads: [{ payout: '12.00' }, { payout: '0.00' }] });
    expect(await rows('select counter, used from counter where organization_id = $1 order by 1')).toEqual(before);
    expect(await rows('select * from settlement where organization_id = $1')).toEqual([]);
    const leads = asked.map((one, at) => ({ ...one, outcome: 'bought', payout: quote.leads[at].payout }));
    expect((await office.post('/api/console/settlements', { leads })).json.settled).toBe(2);
    expect(await view(leadId)).toMatchObject({ revenue: quote.revenue, payout: quote.payout });
    expect(await audit()).toEqual([]);
  });

  it('is settled by what was quoted or not at all', async () => {
    const leadId = await hold();
    const asked = { leadId, buyerTierId: tierId(), price: '20.00' };
    const { json: quote } = await office.post('/api/console/settlements/quote', { leads: [asked] });
    expect(quote.payout).toBe('16.00');
    const { publisherId, verticalId } = office.world;
    const promotion = { name: 'Two more', verticalId, target: { kind: 'publisher', publisherId }, raise: { kind: 'fixed', amount: '2' } };
    const span = { fromOn: '2020-01-01', toOn: null, timeZone: 'America/New_York' };
    expect((await office.post('/api/v1/common/post-add-data', { model: 'promotion', ...promotion, ...span })).statusCode).toBe(200);
    const say = (payout: string) => office.post('/api/console/settlements', { leads: [{ ...asked, outcome: 'bought', payout }] });
    const stale = await say('16.00');
    expect([stale.statusCode, stale.json.code, stale.json.msg]).toEqual([
      ...[409, 'settlement_quote_stale'],
      'The publisher would now be paid 18.00, not 16.00 as was said. Look at it again.',
    ]);
    expect(await listed()).toMatchObject({ total: 1 });
    expect(await rows('select * from ledger_entry where organization_id = $1')).toEqual([]);
    expect((await say('18.00')).statusCode).toBe(200);
    expect(await view(leadId)).toMatchObject({ revenue: '20.00', payout: '18.00' });
    expect(await audit()).toEqual([]);
  });

  it('of many is quoted without those that cannot be settled, and each says why; a single one is refused', async () => {
    const [open, gone] = [await hold('a@example.com'), await hold('b@example.com')];
    await settle(gone, 'notBought');
    const at = (leadId: string, price = '20.00') => ({ leadId, buyerTierId: tierId(), price });
    const quote = (...leads: object[]) => office.post('/api/console/settlements/quote', { leads });
    expect((await quote(at(gone), at(open))).json).toMatchObject({
      ...{ revenue: '20.00', payout: '16.00' },
      leads: [{ code: 'settlement_contradicts', payout: null }, { payout: '16.00' }],
    });
    expect((await quote(at(gone))).json.code).toBe('settlement_contradicts');
    expect((await quote(at(newId()))).json.code).toBe('settlement_unknown');
    const nothing = await quote(at(open, '0'));
    expect([nothing.statusCode, nothing.json.code, nothing.json.msg]).toEqual([
      ...[400, 'settlement_price_missing'],
      'The price must be more than 0. Settle the lead as not bought where the buyer pays nothing.',
    ]);
    const twice = await quote(at(open), at(open));
    expect([twice.statusCode, twice.json.msg]).toEqual([400, expect.stringContaining('once')]);
    for (const price of ['-1', '1234567890123', '12,50', '$5', '1e3', 'NaN', '', ' 5'])
      expect((await quote(at(open, price))).statusCode, price).toBe(400);
    expect((await quote(at(open, '999999999.9999'))).json).toMatchObject({ revenue: '999999999.9999', payout: '799999999.9999' });
  });

  it('at a price too low for the publisher’s pays what there is, never more', async () => {
    office = await open({}, { priceModel: { kind: 'fixed', price: dollars(10) } });
    const leadId = await hold();
    await settle(leadId, 'bought', '6.00');
    expect(await view(leadId)).toMatchObject({ revenue: '6.00', payout: '6.00', margin: '0.00' });
    expect(await audit()).toEqual([]);
  });

  it('is listed by its buyer tier, and by no other', async () => {
    const leadId = await hold();
    const open = (buyerTierId: string) =>
      office.get(`/api/console/settlements/open?${new URLSearchParams({ region: 'us', vertical: 'payday', buyerTierId })}`);
    expect((await open(tierId())).json).toMatchObject({ total: 1, items: [{ leadId, buyerTierId: tierId() }] });
    for (const other of [office.world.publisherTierId, 'nobody', ''])
      expect([other, (await open(other)).json]).toMatchObject([other, { status: true, total: 0, items: [] }]);
    expect((await open('x'.repeat(61))).statusCode).toBe(400);
  });

  it('is not there for a stranger, nor for a member who may not read leads', async () => {
    const leadId = await hold();
    const stranger = await openOffice(node, buyer);
    const body = { leads: [{ leadId, buyerTierId: tierId(), outcome: 'notBought' }] };
    expect((await stranger.post('/api/console/settlements', body)).statusCode).toBe(404);
    expect((await stranger.get('/api/console/settlements/open?region=us&vertical=payday')).json.total).toBe(0);
    const member = await signIn(node, office.world, { role: 'member' });
    expect((await member.post('/api/console/settlements', body)).statusCode).toBe(404);
    expect(await listed()).toMatchObject({ total: 1 });
  });

  it('of a test is settled without an entry in the books', async () => {
    const { json } = await office.lead('t@example.com');
    await client.query('update lead set test = true where id = $1', [json.leadId]);
    expect((await settle(json.leadId, 'bought', '20.00')).statusCode).toBe(200);
    expect(await rows('select test from sale where organization_id = $1')).toEqual([{ test: true }]);
    expect(await rows('select * from ledger_entry where organization_id = $1')).toEqual([]);
  });
});

describe('a lead that a buyer names a price for, and decides on later', () => {
  const pendingAt = (price: string): ScriptedAnswer => ({ body: JSON.stringify({ result: 'pending', id: 'P-1', price }) });
  const bill = async (amount: string) => {
    const buyerId = office.world.tiers[0]!.buyerId;
    expect((await office.change('buyer', buyerId, { billing: 'prepaid' })).statusCode).toBe(200);
    await office.post('/api/console/ledger/entries', { partyKind: 'buyer', partyId: buyerId, kind: 'payment', amount, note: 'x' });
  };
  const account = async () =>
    (await office.get(`/api/console/ledger/account?partyKind=buyer&partyId=${office.world.tiers[0]!.buyerId}`)).json;
  const back = async (body: Record<string, string | number>) =>
    node.post((await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json.path, body);

  it('reserves that price, over money caps and balance, and is corrected when it is settled either way', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [MONEY] });
    await bill('100.00');
    buyer.answer(() => pendingAt('60.00'));
    const first = await hold('a@example.com');
    expect(await used()).toEqual({ 'buyer money': dollars(60), 'publisher money': dollars(48) });
    expect(await account()).toMatchObject({ balance: '100.00', reserved: '60.00', left: '40.00' });
    expect((await back({ leadId: first, outcome: 'sold', price: '50.00' })).statusCode).toBe(200);
    expect(await used()).toEqual({ 'buyer money': dollars(50), 'publisher money': dollars(40) });
    expect(await account()).toMatchObject({ balance: '50.00', reserved: '0.00', left: '50.00' });
    buyer.answer(() => pendingAt('30.00'));
    const second = await hold('b@example.com');
    expect(await account()).toMatchObject({ reserved: '30.00' });
    await settle(second, 'notBought');
    expect(await account()).toMatchObject({ balance: '50.00', reserved: '0.00' });
    expect(await used()).toEqual({ 'buyer money': dollars(50), 'publisher money': dollars(40) });
    expect(await rows('select * from reservation where organization_id = $1')).toEqual([]);
    expect(await audit()).toEqual([]);
  });

  it('is not sold by postbacks beyond what the buyer has paid: it stays held, a person is told why and may settle it', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [] }, { publisher: {} });
    await bill('100.01');
    buyer.answer(() => pendingAt('60.00'));
    const leads = [await hold('0@example.com'), await hold('1@example.com')];
    // What is left is kept for the second, so that no third is sent.
    expect(await account()).toMatchObject({ balance: '100.01', reserved: '100.01', left: '0.00' });
    expect((await office.lead('2@example.com')).json.code).toBe('lead_unsold');
    const answers = await Promise.all(leads.map((leadId) => back({ leadId, outcome: 'sold', price: '60.00' })));
    expect(answers.map((one) => one.json.code ?? 'sold')).toEqual(['sold', 'settlement_funds_short']);
    expect(await account()).toMatchObject({ balance: '40.01', reserved: '40.01' });
    const refused = 1;
    const { items, total } = await listed();
    expect([total, items[0]]).toMatchObject([
      1,
      { price: '60.00', expiresAt: null, refused: expect.stringContaining('The balance of the buyer does not pay 60.00: 40.01 is left') },
    ]);
    expect(await view(leads[refused]!)).toMatchObject({ status: 'held' });
    // It says that it bought: its time does not make it a no.
    await expirePending(node.db, node.planBook, Date.now() + 100 * 3_600_000);
    expect(await listed()).toMatchObject({ total: 1 });
    expect((await settle(leads[refused]!, 'bought', '60.00')).statusCode).toBe(200);
    expect(await account()).toMatchObject({ balance: '-19.99', reserved: '0.00' });
    expect(await rows('select count(*)::int as kept from refused_postback where organization_id = $1')).toEqual([{ kept: 0 }]);
    expect(await audit()).toEqual([]);
  });

  it('is not taken for none by the end of its time while its buyer is told that it stays held', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [] }, { publisher: {} });
    await office.change('buyerTier', tierId(), { pendingHours: 1 });
    await bill('1.00');
    const leads: string[] = [];
    for (let at = 0; at < 20; at++) leads.push(await hold(`${at}@example.com`));
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    const ends = [node, other].map((one) => expirePending(one.db, one.planBook, Date.now() + 2 * 3_600_000));
    const said = leads.map((leadId, at) => [node, other][at % 2]!.post(path, { leadId, outcome: 'sold', price: '60.00' }));
    const [answers] = await Promise.all([Promise.all(said), ...ends]);
    const settled = new Set((await rows('select lead_id from settlement where organization_id = $1')).map((row) => row.lead_id));
    for (const [at, leadId] of leads.entries())
      expect(answers[at]!.json.code).toBe(settled.has(leadId) ? 'settlement_contradicts' : 'settlement_funds_short');
    expect(await rows('select count(*)::int as kept from refused_postback where organization_id = $1')).toEqual([
      { kept: leads.length - settled.size },
    ]);
    expect(await audit()).toEqual([]);
  });

  it('stays held past its time where the buyer says that it bought and not for how much', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [] }, { publisher: {} });
    await office.change('buyerTier', tierId(), { pendingHours: 1 });
    const leadId = await hold();
    for (const call of [
      { leadId, outcome: 'sold' },
      { leadId, outcome: 'sold', price: '0.00' },
    ]) {
      const { statusCode, json } = await back(call);
      expect([statusCode, json.code]).toEqual([400, 'settlement_price_missing']);
    }
    await expirePending(node.db, node.planBook, Date.now() + 2 * 3_600_000);
    expect((await listed()).items).toMatchObject([{ leadId, price: null, refused: expect.stringContaining('Say what the buyer pays') }]);
    expect((await back({ leadId, outcome: 'sold', price: '7.00' })).statusCode).toBe(200);
  });

  /** As a tier is left out of routing whose rules do not fit the vertical any more. */
  const leaveOut = async (table: 'buyer_tier' | 'publisher_tier', id: string) => {
    await client.query(`update ${table} set filter = $2 where id = $1`, [id, JSON.stringify({ field: 'gone', is: 'equal', value: 'x' })]);
    await Promise.all([node, other].map((one) => one.planBook.reload(office.world.organizationId)));
    expect(node.planBook.find(office.world.organizationId)!.problems).toMatchObject([{ severity: 'leftOut', id }]);
  };

  it('is no way around balance, caps and floor where its tier is left out of routing', async () => {
    office = await open({ price: { kind: 'bid' }, floor: '5.00', caps: [MONEY] }, { publisher: {} });
    await bill('150.00');
    const leadId = await hold();
    await leaveOut('buyer_tier', tierId());
    for (const [price, code] of [
      ['5000.00', 'settlement_cap_full'],
      ['4.99', 'settlement_price_low'],
    ] as const)
      expect((await back({ leadId, outcome: 'sold', price })).json.code).toBe(code);
    // A cap that cannot be read is no cap that is open.
    await client.query(`update buyer_tier set caps = $2 where id = $1`, [tierId(), JSON.stringify([{ ...MONEY, limit: -1 }])]);
    await node.planBook.reload(office.world.organizationId);
    expect((await back({ leadId, outcome: 'sold', price: '60.00' })).json.code).toBe('settlement_tier_left_out');
    expect((await settle(leadId, 'bought', '60.00')).statusCode).toBe(200);
    expect(await account()).toMatchObject({ balance: '90.00' });
    expect(await audit()).toEqual([]);
  });

  it('waits for a person where its publisher tier is left out: the buyer said that it bought', async () => {
    office = await open();
    await office.change('buyerTier', tierId(), { pendingHours: 2 });
    const leadId = await hold();
    await leaveOut('publisher_tier', office.world.publisherTierId);
    expect((await back({ leadId, outcome: 'sold', price: '20.00' })).json.code).toBe('settlement_tier_left_out');
    await expirePending(node.db, node.planBook, Date.now() + 3 * 3_600_000);
    expect((await listed()).items).toMatchObject([{ leadId, expiresAt: null, refused: expect.stringContaining('left out of routing') }]);
  });

  it('counts in every money cap what was paid, though nothing was reserved; a cap set meanwhile too', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [MONEY] });
    const [first, second] = [await hold('a@example.com'), await hold('b@example.com')];
    expect((await used())['buyer money']).toBe(0);
    await settle(first, 'bought', '70.00');
    expect(await used()).toEqual({ 'buyer money': dollars(70), 'publisher money': dollars(56) });
    expect((await back({ leadId: second, outcome: 'sold', price: '31.00' })).json.code).toBe('settlement_cap_full');
    expect((await back({ leadId: second, outcome: 'sold', price: '30.00' })).statusCode).toBe(200);
    expect(await used()).toEqual({ 'buyer money': dollars(100), 'publisher money': dollars(80) });
  });

  it('counts in a cap that is set while it is open, at what it holds, and is corrected when it is settled', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [], buyerCaps: [MONEY] }, { publisher: {} });
    buyer.answer(() => pendingAt('40.00'));
    const first = await hold('a@example.com');
    const cap = { measure: 'money', period: 'overall', limit: '90.00', timeZone: 'UTC' };
    await office.change('buyerTier', tierId(), { caps: [cap, { ...cap, measure: 'sold', limit: 5 }] });
    await office.change('publisherTier', office.world.publisherTierId, { caps: [cap] });
    const counted = async () =>
      Object.fromEntries(
        (await rows('select scope_id, measure, used from counter where organization_id = $1'))
          .filter((row) => row.scope_id !== office.world.tiers[0]!.buyerId)
          .map((row) => [`${row.scope_id === tierId() ? 'tier' : 'publisher'} ${row.measure}`, row.used]),
      );
    expect(await counted()).toEqual({ 'tier money': dollars(40), 'tier sold': 1, 'publisher money': dollars(32) });
    await settle(first, 'bought', '50.00');
    expect(await counted()).toEqual({ 'tier money': dollars(50), 'tier sold': 1, 'publisher money': dollars(40) });
    const second = await hold('b@example.com');
    expect(await counted()).toMatchObject({ 'tier money': dollars(90), 'tier sold': 2 });
    await settle(second, 'notBought');
    expect(await counted()).toEqual({ 'tier money': dollars(50), 'tier sold': 1, 'publisher money': dollars(40) });
  });

  it('counts once in a cap that is taken off and set again, and in one of another period, though it was raised', async () => {
    const cap = { measure: 'money', period: 'overall', limit: '90.00', timeZone: 'UTC' };
    office = await open({ price: { kind: 'bid' }, caps: [MONEY] }, { publisher: {} });
    buyer.answer(() => pendingAt('40.00'));
    const [first] = [await hold('a@example.com'), await hold('b@example.com')];
    await office.change('buyerTier', tierId(), { caps: [] });
    await office.change('buyerTier', tierId(), { caps: [cap] });
    await office.change('buyerTier', tierId(), { caps: [cap, { ...cap, period: 'month' }] });
    const counted = async () => (await rows('select used from counter where organization_id = $1 order by period')).map((row) => row.used);
    expect(await counted()).toEqual([dollars(80), dollars(80)]);
    await settle(first, 'notBought');
    expect(await counted()).toEqual([dollars(40), dollars(40)]);
  });

  it('counts at a fixed price for a publisher’s new cap as the payout it is', async () => {
    office = await open({ caps: [] }, { publisher: {} });
    const leadId = await hold();
    const cap = { measure: 'money', period: 'overall', limit: '90.00', timeZone: 'UTC' };
    await office.change('publisherTier', office.world.publisherTierId, { caps: [cap] });
    expect(await used()).toEqual({ 'publisher money': dollars(16) });
    await settle(leadId, 'notBought');
    expect(await used()).toEqual({ 'publisher money': 0 });
  });

  it('is taken by the price rule and the floor of its tier, as a sale at once would be', async () => {
    office = await open({ price: { kind: 'fixed', price: dollars(20) }, floor: '15.00', caps: [] }, { publisher: {} });
    const leadId = await hold('a@example.com');
    expect((await back({ leadId, outcome: 'sold', price: '14.99' })).json.code).toBe('settlement_price_low');
    expect((await listed()).items[0]).toMatchObject({ price: '20.00', refused: expect.stringContaining('less than the floor') });
    await office.change('buyerTier', tierId(), { postPriceRule: 'refuse' });
    expect((await back({ leadId, outcome: 'sold', price: '19.00' })).json).toMatchObject({
      ...{ code: 'settlement_price_refused', msg: expect.stringContaining('19.00 is less than the 20.00') },
    });
    // A higher one is billed as agreed, and the same again is no contradiction.
    for (let time = 0; time < 2; time++)
      expect((await back({ leadId, outcome: 'sold', price: '900.00' })).json).toMatchObject({ outcome: 'sold', price: '20.00' });
    expect(await rows('select revenue, post_price_differs from sale where organization_id = $1')).toEqual([
      { revenue: '20.0000', post_price_differs: true },
    ]);
    expect(await audit()).toEqual([]);
  });
});

describe('who may say it', () => {
  it('reads the list with a page of leads, and settles or returns only with the page setup in the vertical', async () => {
    const leadId = await hold();
    const { regionId, verticalId } = office.world;
    const ticked = (pages: string[]) => ({
      role: 'member' as const,
      permissions: [
        {
          ...{ regionId, regionChecked: true },
          verticals: [{ verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
        },
      ],
    });
    const reader = await signIn(node, office.world, ticked(['leadFlow-Inbound']));
    const open = '/api/console/settlements/open?region=us&vertical=payday';
    expect((await reader.get(open)).json).toMatchObject({ total: 1, maySettle: false });
    const body = { leads: [{ leadId, buyerTierId: tierId(), outcome: 'bought', price: '999999999.9999' }] };
    expect((await reader.post('/api/console/settlements', body)).json.code).toBe('lead_decision_forbidden');
    expect(await view(leadId)).toMatchObject({ status: 'held' });
    const setter = await signIn(node, office.world, ticked(['leadFlow-Inbound', 'setup']));
    expect((await setter.get(open)).json).toMatchObject({ maySettle: true });
    body.leads[0]!.price = '20.00';
    expect((await setter.post('/api/console/settlements', body)).statusCode).toBe(200);
    const giveBack = { saleIndex: 0, reason: 'Duplicate' };
    expect((await reader.get(`/api/console/leads/${leadId}`)).json.lead.mayReturn).toBe(false);
    expect((await reader.post(`/api/console/leads/${leadId}/return`, giveBack)).json.code).toBe('lead_decision_forbidden');
    const file = { region: 'us', vertical: 'payday', buyerId: office.world.tiers[0]!.buyerId, text: `lead,reason\n${leadId},Duplicate` };
    expect((await reader.post('/api/console/returns', file)).json.code).toBe('lead_decision_forbidden');
    expect((await setter.post(`/api/console/leads/${leadId}/return`, giveBack)).statusCode).toBe(200);
  });
});

describe('a lead that failed by an error of ours on its way', () => {
  it('is on record with what was sent, and settled at the price and by the terms that it went by', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [MONEY] });
    const { organizationId } = office.world;
    buyer.answer(() => ({ body: JSON.stringify({ result: 'accepted', price: '40.00' }) }));
    await client.query(`create function lose() returns trigger language plpgsql as $$ begin
        if new.organization_id = '${organizationId}' and new.purpose = 'raise' then raise exception 'lost'; end if; return new; end $$;
      create trigger lose before insert on reservation for each row execute function lose()`);
    const failed = await office.lead('failed@example.com');
    await client.query('drop trigger lose on reservation; drop function lose()');
    expect([failed.statusCode, failed.json.code]).toEqual([500, 'lead_error']);
    const { leadId } = failed.json;
    expect(await view(leadId)).toMatchObject({ status: 'error', attemptList: [{ leg: 'post', buyerName: 'Ann', price: '40.00' }] });
    expect((await listed()).items).toMatchObject([{ leadId, kind: 'held', price: '40.00' }]);
    const share = { priceModel: { kind: 'share', sharePercent: 50 } };
    expect((await office.change('publisherTier', office.world.publisherTierId, share)).statusCode).toBe(200);
    expect((await settle(leadId, 'bought')).json.settled).toBe(1);
    expect(await rows('select revenue::text, payout::text from sale where organization_id = $1')).toEqual([
      { revenue: '40.0000', payout: '32.0000' },
    ]);
    expect(await used()).toEqual({ 'buyer money': dollars(40), 'publisher money': dollars(32) });
    expect(await audit()).toEqual([]);
  });
});

describe('engine Caps: a held lead whose price was raised after the end of a window', () => {
  const DAILY = { measure: 'money', period: 'day', limit: dollars(45), timeZone: 'UTC' } as const;
  const NAMED: ScriptedAnswer = { body: JSON.stringify({ result: 'pending', price: '40.00', id: 'P-2' }) };
  const midnight = (daysAgo: number) => `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`;
  const moneyOf = async () =>
    Object.fromEntries(
      (
        await rows(
          `select counter, used from counter where organization_id = $1 and measure = 'money' and period = 'day' and scope_id = '${tierId()}'`,
        )
      ).map((row) => [row.counter.endsWith(midnight(0)) ? 'today' : 'yesterday', row.used]),
    );
  /** Posted at 20.00 before midnight, raised to 40.00 after it. */
  const holdOverMidnight = async (spec: WorldSpec = { publisher: {} }): Promise<string> => {
    office = await open({ caps: [DAILY] }, spec);
    buyer.answer(() => NAMED);
    const leadId = await hold();
    const moved = `replace(counter, '${midnight(0)}', '${midnight(1)}')`;
    await client.query(
      `insert into counter (organization_id, counter, scope_id, measure, period, resets_at, used)
        select organization_id, ${moved}, scope_id, measure, period, $2, case when scope_id = $3 then $4 else used end
          from counter where organization_id = $1 and period = 'day'`,
      [office.world.organizationId, midnight(0), tierId(), dollars(20)],
    );
    // Only its buyer's price was raised.
    await client.query(
      `update counter set used = case when scope_id = $2 then $3 else 0 end where organization_id = $1 and period = 'day' and resets_at > now()`,
      [office.world.organizationId, tierId(), dollars(20)],
    );
    await client.query(
      `update reservation set claims = replace(claims::text, '${midnight(0)}', '${midnight(1)}')::jsonb, reserved_at = reserved_at - interval '1 day'
        where lead_id = $1 and purpose = 'post'`,
      [leadId],
    );
    return leadId;
  };

  it.each([
    ['40.00', 20, 20],
    ['10.00', 10, 0],
    ['45.00', 20, 25],
  ])('counts %s in each window as far as it was claimed there', async (price, yesterday, today) => {
    const leadId = await holdOverMidnight();
    expect((await settle(leadId, 'bought', price)).json.settled).toBe(1);
    expect(await moneyOf()).toEqual({ yesterday: dollars(yesterday), today: dollars(today) });
    expect(await audit()).toEqual([]);
  });

  it('asks for no room again for a publisher who is paid the same whatever the price', async () => {
    const publisher = { ...DAILY, limit: dollars(16) };
    const leadId = await holdOverMidnight({ priceModel: { kind: 'fixed', price: dollars(16) }, publisher: { caps: [publisher] } });
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId, outcome: 'sold', price: '40.00' })).statusCode).toBe(200);
    expect(await moneyOf()).toEqual({ yesterday: dollars(20), today: dollars(20) });
    const ofPublisher = await rows(
      `select used from counter where organization_id = $1 and scope_id = '${office.world.publisherTierId}' and used > 0`,
    );
    expect(ofPublisher).toEqual([{ used: dollars(16) }]);
  });

  it('takes a higher price of its buyer only where the window it was raised in has room', async () => {
    const leadId = await holdOverMidnight();
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId, outcome: 'sold', price: '70.00' })).json).toMatchObject({
      code: 'settlement_cap_full',
      msg: '50.00 does not fit under a money cap: 45.00 is left for this lead. It stays held until we settle it.',
    });
    expect((await node.post(path, { leadId, outcome: 'sold', price: '60.00' })).statusCode).toBe(200);
    expect(await moneyOf()).toEqual({ yesterday: dollars(20), today: dollars(40) });
  });
});

describe('a lead that was interrupted', () => {
  /** As a node leaves it that dies between sending and hearing: reservation unknown, attempt unknown, result interrupted. */
  const interrupt = async (): Promise<string> => {
    const leadId = await hold();
    await client.query(`update lead_result set status = 'error', reason = 'interrupted' where lead_id = $1`, [leadId]);
    await client.query(`update attempt set answer = 'unknown', outcome = 'terrors' where lead_id = $1`, [leadId]);
    return leadId;
  };
  /** What the node would write that was only frozen: it had sold the lead. */
  const comeBack = async (leadId: string, ops: BookOp[] = []) => {
    const store = openLeadStore({ connectionString: node.database.url, nodeId: newId() });
    const isTaken = await store.finish(office.world.organizationId, soldResult(office.world, leadId), ops);
    await store.close();
    return isTaken;
  };

  it('is settled like any other, and a node that comes back afterwards enters nothing', async () => {
    for (const [outcome, sales] of [
      ['notBought', 0],
      ['bought', 1],
    ] as const) {
      office = await open();
      const leadId = await interrupt();
      expect((await listed()).items[0].text).toBe('Our node failed after the lead had been handed over: the answer was never heard.');
      await settle(leadId, outcome, outcome === 'bought' ? '15.00' : undefined);
      expect(await comeBack(leadId)).toBe(false);
      expect(await rows('select count(*)::int as sales from sale where organization_id = $1')).toEqual([{ sales }]);
      expect((await view(leadId)).revenue).toBe(outcome === 'bought' ? '15.00' : '0.00');
      expect(await audit()).toEqual([]);
    }
  });

  it('holds what its price was raised by from when it was posted, and gives all of it back', async () => {
    office = await open({ price: { kind: 'bid' }, caps: [MONEY] });
    const { organizationId } = office.world;
    buyer.answer(() => ({ body: JSON.stringify({ result: 'accepted', price: '40.00' }) }));
    // Its node can write everything but what became of it.
    await client.query(`create function lose() returns trigger language plpgsql as $$ begin
        if new.organization_id = '${organizationId}' then raise exception 'lost'; end if; return new; end $$;
      create trigger lose before insert on lead_result for each row execute function lose()`);
    expect((await office.lead('raised@example.com')).statusCode).toBe(500);
    await client.query('drop trigger lose on lead_result; drop function lose()');
    const counted = { 'buyer money': dollars(40), 'publisher money': dollars(32) };
    expect(await used()).toEqual(counted);
    await endForgotten(node.pool, node.planBook, Date.now() + 21 * 60_000);
    const [stands] = await rows(`select v.lead_id, v.reserved_at = a.started_at as same from reservation v
      join attempt a on a.organization_id = v.organization_id and a.lead_id = v.lead_id where v.organization_id = $1 and v.purpose = 'post'`);
    expect(stands.same).toBe(true);
    await giveBackPlaces(node.pool, Date.now() + 21 * 60_000);
    expect(await used()).toEqual(counted);
    expect((await settle(stands.lead_id, 'notBought')).statusCode).toBe(200);
    expect(await used()).toEqual({ 'buyer money': 0, 'publisher money': 0 });
    expect(await rows('select * from reservation where organization_id = $1')).toEqual([]);
  });

  it('that two buyers may have, of which a person settled one, is a person’s to settle: its node changes nothing of the other', async () => {
    const second = { url: buyer.url, buyer: 'Bob', name: 'Second', caps: [OVERALL] };
    const tiers = [{ url: buyer.url, buyer: 'Ann', name: 'Main', caps: [OVERALL] }, second];
    for (const outcome of ['notBought', 'bought'] as const) {
      office = await open({}, { maxSales: 2, groups: [{ mode: 'priority', tiers }] });
      const leadId = await interrupt();
      const copied = (table: string, columns: string) =>
        `insert into ${table} select (jsonb_populate_record(x, '${columns}')).* from ${table} x where x.lead_id = $1`;
      await client.query(copied('reservation', JSON.stringify({ subject_id: tierId(1), claims: [] })), [leadId]);
      const { buyerId, buyerTierId } = office.world.tiers[1]!;
      await client.query(copied('attempt', JSON.stringify({ attempt_index: 1, buyer_id: buyerId, buyer_tier_id: buyerTierId })), [leadId]);
      expect((await listed()).total).toBe(2);
      expect((await settle(leadId, outcome, outcome === 'bought' ? '15.00' : undefined)).json.settled).toBe(1);
      const settled: BookOp = { kind: 'settle', leadId, subjectId: tierId(1), purpose: 'post', changes: [], prints: [] };
      expect(await comeBack(leadId, [settled])).toBe(false);
      expect((await listed()).items).toMatchObject([{ leadId, buyerName: 'Bob', kind: 'held' }]);
      expect((await settle(leadId, 'bought', '12.00', tierId(1))).json.settled).toBe(1);
      const revenue = outcome === 'bought' ? ['15.0000', '12.0000'] : ['12.0000'];
      expect(
        (await rows('select revenue::text from sale where organization_id = $1 order by sale_index')).map((row) => row.revenue),
      ).toEqual(revenue);
      expect(await audit()).toEqual([]);
    }
  });

  it('of which a part is settled holds whoever its node sold it to afterwards, until a person settles that too', async () => {
    const second = { url: buyer.url, buyer: 'Bob', name: 'Second' };
    office = await open(
      {},
      { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Ann', name: 'Main', caps: [OVERALL] }, second] }] },
    );
    const leadId = await interrupt();
    expect((await settle(leadId, 'notBought')).json.settled).toBe(1);
    const { buyerId, buyerTierId, groupId } = office.world.tiers[1]!;
    const call = {
      leg: 'post',
      startedAt: Date.now(),
      elapsedMs: 5,
      connectMs: 1,
      waitMs: 1,
      readMs: 1,
      bid: '20.00',
      price: '21.00',
      statusCode: 200,
    } as const;
    const row: ResultRow = {
      ...soldResult(office.world, leadId),
      attempts: [
        {
          ...call,
          index: 0,
          buyerId: office.world.tiers[0]!.buyerId,
          buyerTierId: tierId(),
          groupId,
          outcome: 'rejected',
          answer: 'rejected',
        },
        { ...call, index: 1, buyerId, buyerTierId, groupId, outcome: 'sold', answer: 'accepted' },
      ],
    };
    await keepAfterwards(node.db, office.world.organizationId, row);
    await keepAfterwards(node.db, office.world.organizationId, row);
    expect(await rows('select buyer_tier_id, outcome, answer from attempt where organization_id = $1 order by attempt_index')).toEqual([
      { buyer_tier_id: tierId(), outcome: 'terrors', answer: 'rejected' },
      { buyer_tier_id: buyerTierId, outcome: 'terrors', answer: 'accepted' },
    ]);
    expect((await listed()).items).toMatchObject([{ leadId, buyerName: 'Bob', kind: 'held', price: '21.00' }]);
    expect((await settle(leadId, 'bought', undefined, buyerTierId)).json.settled).toBe(1);
    expect(await rows('select buyer_tier_id, revenue::text from sale where organization_id = $1')).toEqual([
      { buyer_tier_id: buyerTierId, revenue: '21.0000' },
    ]);
    expect(await audit()).toEqual([]);
  });

  it.each([
    ['notBought', undefined, 'accepted', '12.00', ['terrors', null], { outcome: 'notBought', price: null }],
    ['bought', '15.00', 'accepted', '12.00', ['sold', '15.0000'], { outcome: 'bought', price: '15.0000' }],
    ['bought', '15.00', 'rejected', null, ['sold', '15.0000'], { outcome: 'bought', price: '15.0000' }],
    ['bought', '12.00', 'accepted', '12.00', ['sold', '12.0000'], undefined],
    ['notBought', undefined, 'timeout', null, ['terrors', null], undefined],
  ] as const)(
    'settled as %s for %s, whose node heard %s for %s after all: the answer is on record, what was settled stands, and what does not fit is told',
    async (outcome, settledFor, answer, price, [kept, keptPrice], contradicted) => {
      const leadId = await interrupt();
      expect((await settle(leadId, outcome, settledFor)).json.settled).toBe(1);
      const { buyerId, groupId } = office.world.tiers[0]!;
      const heard = { index: 0, buyerId, buyerTierId: tierId(), groupId, leg: 'post', startedAt: Date.now(), elapsedMs: 12_000 } as const;
      const rest = { connectMs: 1, waitMs: 1, readMs: 1, bid: null, statusCode: 200 };
      const row: ResultRow = {
        ...soldResult(office.world, leadId),
        attempts: [{ ...heard, ...rest, outcome: answer === 'accepted' ? 'sold' : 'rejected', answer, price }],
      };
      await keepAfterwards(node.db, office.world.organizationId, row);
      await keepAfterwards(node.db, office.world.organizationId, row);
      expect(await rows('select outcome, answer, price::text from attempt where organization_id = $1')).toEqual([
        { outcome: kept, answer, price: keptPrice },
      ]);
      expect(await listed()).toMatchObject({ total: 0 });
      const { changes } = (await office.get(`/api/v1/change-log?recordId=${leadId}`)).json;
      expect(changes.filter(({ action }: { action: string }) => action === 'edit')).toMatchObject(
        contradicted ? [{ before: contradicted, after: { buyer: 'Ann, Main', answeredAfterwards: answer, ...(price && { price }) } }] : [],
      );
      expect(await audit()).toEqual([]);
    },
  );

  it('that its own node ends after all is not to be settled any more', async () => {
    const leadId = await interrupt();
    expect(await comeBack(leadId)).toBe(true);
    expect(await listed()).toMatchObject({ total: 0 });
    expect((await settle(leadId, 'bought', '20.00')).statusCode).toBe(404);
    expect(await rows('select count(*)::int as sales from sale where organization_id = $1')).toEqual([{ sales: 1 }]);
    expect(await audit()).toEqual([]);
  });
});

describe('a late yes', () => {
  const late = async (): Promise<string> => {
    office = await open(
      { timeLimitMs: 150, caps: [OVERALL] },
      {
        groups: [
          {
            mode: 'priority',
            tiers: [
              { url: `${buyer.url}/slow`, buyer: 'Ann', name: 'Main', timeLimitMs: 150, caps: [OVERALL] },
              { url: buyer.url, buyer: 'Bob' },
            ],
          },
        ],
      },
    );
    buyer.answer(({ path }) =>
      path.includes('slow') ? { ...ACCEPT, body: JSON.stringify({ result: 'accepted', price: '21.00' }), delayMs: 400 } : ACCEPT,
    );
    const { json } = await office.lead('late@example.com');
    expect(json.status).toBe('accepted');
    await expect.poll(async () => (await listed()).total, { timeout: 5_000 }).toBe(1);
    return json.leadId;
  };

  it('E10: is listed with who bought instead; taken as bought it is billed, its place counts, and the publisher is not paid twice', async () => {
    const leadId = await late();
    expect((await listed()).items[0]).toMatchObject({
      kind: 'late',
      price: '21.00',
      soldTo: ['Bob'],
      text: expect.stringContaining('accepted after'),
    });
    expect((await used())['buyer sold']).toBe(0);
    const asked = { leads: [{ leadId, buyerTierId: tierId(), price: '21.00' }] };
    expect((await office.post('/api/console/settlements/quote', asked)).json).toMatchObject({
      ...{ revenue: '21.00', payout: '0.00', soldBefore: 1 },
    });
    expect((await settle(leadId, 'bought', '21.00')).json.settled).toBe(1);
    expect((await used())['buyer sold']).toBe(1);
    expect(await view(leadId)).toMatchObject({ status: 'sold', revenue: '41.00', payout: '16.00', margin: '25.00' });
    expect(await listed()).toMatchObject({ total: 0 });
    expect(await audit()).toEqual([]);
  });

  it('by postback is no sale more than its campaign allows: who is billed for what another bought is said by a person', async () => {
    const leadId = await late();
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId, outcome: 'sold', price: '21.00' })).json.code).toBe('settlement_sold_out');
    expect(await view(leadId)).toMatchObject({ revenue: '20.00', payout: '16.00' });
    expect((await listed()).items).toMatchObject([
      { leadId, kind: 'late', soldTo: ['Bob'], refused: expect.stringContaining('as often as') },
    ]);
    expect((await settle(leadId, 'bought', '21.00')).json.settled).toBe(1);
    expect(await audit()).toEqual([]);
  });

  it('by postback is no sale beyond a cap of sold leads: another took its place, and a person says what counts', async () => {
    const one = { ...OVERALL, limit: 1 };
    const slow = { url: buyer.url, buyer: 'Ann', timeLimitMs: 150, caps: [one] };
    office = await open({}, { publisher: {}, groups: [{ mode: 'priority', tiers: [slow] }] });
    buyer.answer(() => ({ ...ACCEPT, delayMs: 400 }));
    const { leadId } = (await office.lead('late@example.com')).json;
    await expect.poll(async () => (await listed()).total, { timeout: 5_000 }).toBe(1);
    buyer.answer(() => ACCEPT);
    expect((await office.lead('next@example.com')).json.status).toBe('accepted');
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId, outcome: 'sold', price: '20.00' })).json.code).toBe('settlement_cap_full');
    expect(await used()).toEqual({ 'buyer sold': 1 });
    expect((await listed()).items).toMatchObject([{ leadId, kind: 'late', refused: expect.stringContaining('cap of sold leads is full') }]);
    expect((await settle(leadId, 'bought', '20.00')).statusCode).toBe(200);
    expect(await used()).toEqual({ 'buyer sold': 2 });
    expect(await audit()).toEqual([]);
  });

  it('by postback is no second sale to a buyer that bought the lead at another of its tiers', async () => {
    const tiers = [
      { url: `${buyer.url}/slow`, buyer: 'Ann', name: 'First', timeLimitMs: 150 },
      { url: buyer.url, buyer: 'Ann', name: 'Second' },
    ];
    office = await open({}, { publisher: {}, maxSales: 2, groups: [{ mode: 'priority', tiers }] });
    buyer.answer(({ path }) => (path.includes('slow') ? { ...ACCEPT, delayMs: 400 } : ACCEPT));
    const { leadId, status: sold } = (await office.lead('late@example.com')).json;
    expect(sold).toBe('accepted');
    await expect.poll(async () => (await listed()).total, { timeout: 5_000 }).toBe(1);
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    expect((await node.post(path, { leadId, outcome: 'sold', price: '20.00' })).json.code).toBe('settlement_bought_before');
    expect(await view(leadId)).toMatchObject({ revenue: '20.00', payout: '16.00' });
    expect((await listed()).items).toMatchObject([{ soldTo: ['Ann'], refused: expect.stringContaining('bought this lead already') }]);
    expect(await audit()).toEqual([]);
  });

  it('counts in the promotion that was promised for it, and is paid no second time from its last place by postback', async () => {
    const priceModel = { kind: 'fixed', price: dollars(10) } as const;
    const slow = { url: buyer.url, buyer: 'Ann', timeLimitMs: 150 };
    office = await open({}, { publisher: {}, priceModel, groups: [{ mode: 'priority', tiers: [slow] }] });
    const { publisherId, verticalId, key } = office.world;
    const promotion = { name: 'Two more', verticalId, target: { kind: 'publisher', publisherId }, raise: { kind: 'fixed', amount: '2' } };
    const span = { fromOn: '2020-01-01', toOn: null, timeZone: 'America/New_York' };
    const made = await office.post('/api/v1/common/post-add-data', { model: 'promotion', ...promotion, ...span, leadCap: 2 });
    expect(made.statusCode).toBe(200);
    const send = (path: string, consumer: number, more = {}) => {
      const lead = { ...LEAD, email: `${consumer}@example.com`, phone: `21255512${consumer}0` };
      return node.post(`/api/v1/leads/${path}`, { ...lead, ...more }, { authorization: `Bearer ${key}` });
    };
    const pings = await Promise.all([1, 2, 3].map((consumer) => send('ping', consumer)));
    const post = (consumer: number) => send('post', consumer, { pingId: pings[consumer - 1]!.json.pingId });
    buyer.answer(() => ({ ...ACCEPT, delayMs: 400 }));
    const [first, second] = [(await post(1)).json.leadId, (await post(2)).json.leadId];
    await expect.poll(async () => (await listed()).total, { timeout: 5_000 }).toBe(2);
    buyer.answer(() => ACCEPT);
    expect((await post(3)).json).toMatchObject({ status: 'accepted', price: '12.00' });
    const { path } = (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json;
    const back = (leadId: string) => node.post(path, { leadId, outcome: 'sold', price: '20.00' });
    expect((await back(first)).statusCode).toBe(200);
    expect((await back(second)).json.code).toBe('settlement_cap_full');
    const paid = await rows('select count(*)::int as leads, sum(extra)::text as extra from promotion_sale where organization_id = $1');
    expect(paid).toEqual([{ leads: 2, extra: '4.0000' }]);
    expect(await rows('select measure, used::int from counter where organization_id = $1 order by 1')).toEqual([
      { measure: 'money', used: dollars(4) },
      { measure: 'sold', used: 2 },
    ]);
    expect(await audit()).toEqual([]);
  });

  it('taken as not bought changes nothing but the list', async () => {
    const leadId = await late();
    const before = await view(leadId);
    await settle(leadId, 'notBought');
    expect(await listed()).toMatchObject({ total: 0 });
    const after = await view(leadId);
    expect([after.status, after.revenue, after.why]).toEqual([before.status, before.revenue, before.why]);
    expect(await audit()).toEqual([]);
  });
});

describe('a pending sale', () => {
  const address = async (): Promise<string> => (await office.get(`/api/console/buyer-tiers/${tierId()}/postback`)).json.path;
  const back = async (body: Record<string, string | number>, path?: string) => node.post(path ?? (await address()), body);

  it('is resolved by the buyer’s postback, as JSON, form or query, by our id or its own reference; the same again changes nothing', async () => {
    const leadId = await hold();
    expect((await back({ reference: 'P-1', outcome: 'sold', price: 18.5 })).json).toEqual({
      status: true,
      leadId,
      outcome: 'sold',
      price: '18.50',
    });
    const form = await fetch(node.url + (await address()), { method: 'POST', body: new URLSearchParams({ leadId, outcome: 'sold' }) });
    expect([form.status, await form.json()]).toEqual([200, { status: true, leadId, outcome: 'sold', price: '18.50' }]);
    const query = await fetch(`${node.url}${await address()}?${new URLSearchParams({ leadId, outcome: 'sold', price: '18.50' })}`);
    expect(query.status).toBe(200);
    expect(await view(leadId)).toMatchObject({ status: 'sold', revenue: '18.50', why: expect.stringContaining('The buyer said later:') });
    expect((await office.get('/api/v1/change-log')).json.changes[0]).toMatchObject({ userName: 'Ann (buyer)', after: { via: 'postback' } });
    expect(await audit()).toEqual([]);
  });

  it('is found by a reference of any length, in full or as it is kept; two that begin alike are told apart by our id', async () => {
    const long = (tail: string) => `${'R'.repeat(199)}😀${tail}`;
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending', id: long('first') }) }));
    const first = await hold('a@example.com');
    expect((await back({ reference: long('first'), outcome: 'sold', price: 18 })).json).toMatchObject({ leadId: first, outcome: 'sold' });
    // As the lead's page shows it.
    const { buyerRef } = (await view(first)).sales[0];
    expect(buyerRef).toBe(`${'R'.repeat(199)}\ufffd`);
    expect((await back({ reference: buyerRef, outcome: 'sold', price: 18 })).json).toMatchObject({ leadId: first });
    const query = new URLSearchParams({ reference: long('first'), outcome: 'sold', price: '18' });
    expect((await fetch(`${node.url}${await address()}?${query}`)).status).toBe(200);
    // Another of the same tier begins alike.
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending', id: long('second') }) }));
    const second = await hold('c@example.com');
    expect((await back({ reference: long('second'), outcome: 'sold' })).json.code).toBe('postback_reference_ambiguous');
    expect((await back({ leadId: second, outcome: 'sold' })).json).toMatchObject({ leadId: second });
    expect((await back({ reference: 'R'.repeat(2_001), outcome: 'sold' })).statusCode).toBe(400);
  });

  it('takes few connections at a time: while a whole night’s answers wait for one lead, leads and readiness go on', async () => {
    const leadId = await hold();
    const path = await address();
    const locker = new pg.Client({ connectionString: node.database.url });
    await locker.connect();
    await locker.query('begin');
    await locker.query('select from lead_result where lead_id = $1 for update', [leadId]);
    const waiting = Array.from({ length: 40 }, () => back({ leadId, outcome: 'sold', price: '18.00' }, path));
    await expect
      .poll(async () => (await locker.query(`select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock'`)).rows[0].n)
      .toBeGreaterThan(0);
    expect((await fetch(`${node.url}/readyz`)).status).toBe(200);
    const others = await openOffice(node, buyer);
    buyer.answer(() => ACCEPT);
    expect((await others.lead('meanwhile@example.com')).json.status).toBe('accepted');
    expect((await others.get('/api/console/settlements/open?region=us&vertical=payday')).statusCode).toBe(200);
    await locker.query('commit');
    await locker.end();
    expect(new Set((await Promise.all(waiting)).map(({ statusCode, json }) => `${statusCode} ${json.price}`))).toEqual(
      new Set(['200 18.00']),
    );
  });

  it('is told at most so often in a minute, with how long to wait; nothing is lost by it, and no other tier waits', async () => {
    await insideOneMinute();
    const leadId = await hold();
    const path = await address();
    const calls = Array.from({ length: POSTBACKS_A_MINUTE + 20 }, (_, at) => back({ reference: `none ${at}`, outcome: 'sold' }, path));
    const codes = (await Promise.all(calls)).map(({ json }) => json.code);
    expect(codes.filter((code) => code === 'postback_lead_unknown')).toHaveLength(POSTBACKS_A_MINUTE);
    const refused = await back({ leadId, outcome: 'sold', price: '18.00' }, path);
    expect([refused.statusCode, refused.json.code]).toEqual([429, 'postback_rate_limited']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await view(leadId)).toMatchObject({ status: 'held' });
    const elsewhere = await fetch(`${other.url}${path}?${new URLSearchParams({ leadId, outcome: 'sold', price: '18.00' })}`);
    expect([elsewhere.status, (await elsewhere.json()).price]).toEqual([200, '18.00']);
    office = await open();
    expect((await back({ leadId: await hold(), outcome: 'sold', price: '18.00' })).statusCode).toBe(200);
  });

  it('refuses a second answer that contradicts the first, also by price, and takes nothing back', async () => {
    const [first, second] = [await hold('a@example.com'), await hold('b@example.com')];
    await back({ leadId: first, outcome: 'sold' });
    await back({ leadId: second, outcome: 'rejected' });
    for (const call of [
      { leadId: first, outcome: 'rejected' },
      { leadId: first, outcome: 'sold', price: '19.00' },
      { leadId: second, outcome: 'sold', price: '20.00' },
    ]) {
      const { statusCode, json } = await back(call);
      expect([statusCode, json.code]).toEqual([409, 'settlement_contradicts']);
    }
    expect(await view(first)).toMatchObject({ status: 'sold', revenue: '20.00' });
    expect(await view(second)).toMatchObject({ status: 'unsold' });
    expect(await audit()).toEqual([]);
  });

  it('told as declined with a price, as some systems always send one, is the same when it is told again', async () => {
    const leadId = await hold();
    for (let time = 0; time < 2; time++)
      expect((await back({ leadId, outcome: 'rejected', price: '0.00' })).json).toMatchObject({ outcome: 'rejected', price: null });
    expect((await back({ leadId, outcome: 'sold', price: '20.00' })).json.code).toBe('settlement_contradicts');
  });

  it('whose buyer decides before its own answer has come is asked to say it again', async () => {
    for (const caps of [[OVERALL, MONEY], []]) {
      office = await open({ caps }, { publisher: {} });
      const path = await address();
      const early: { statusCode: number; code: string; retryAfter: string | null }[] = [];
      buyer.answer(async ({ body }) => {
        const { statusCode, json, headers } = await back({ leadId: JSON.parse(body).lead_id, outcome: 'sold', price: '20.00' }, path);
        early.push({ statusCode, code: json.code, retryAfter: headers.get('retry-after') });
        return PENDING;
      });
      const leadId = await hold();
      expect(early).toEqual([{ statusCode: 503, code: 'settlement_too_early', retryAfter: '5' }]);
      expect((await back({ leadId, outcome: 'sold', price: '20.00' }, path)).statusCode).toBe(200);
    }
  });

  it('of a lead that was sold when it was posted only hears what is so already', async () => {
    buyer.answer(() => ACCEPT);
    const leadId = (await office.lead('sold@example.com')).json.leadId;
    expect((await back({ leadId, outcome: 'sold' })).json).toMatchObject({ outcome: 'sold', price: '20.00' });
    expect((await back({ leadId, outcome: 'rejected' })).statusCode).toBe(409);
    buyer.answer(() => REJECT);
    const declined = (await office.lead('no@example.com')).json.leadId;
    expect((await back({ leadId: declined, outcome: 'sold', price: '20.00' })).json.code).toBe('settlement_unknown');
  });

  it('is opened by the tier’s own address only; a new one closes the one before', async () => {
    const leadId = await hold();
    const before = await address();
    const { json } = await office.post(`/api/console/buyer-tiers/${tierId()}/postback/renew`, {});
    expect(json.path).not.toBe(before);
    // A look is no answer.
    const head = await fetch(`${node.url}${json.path}?${new URLSearchParams({ leadId, outcome: 'sold' })}`, { method: 'HEAD' });
    expect(head.status).toBe(404);
    for (const path of [before, '/api/v1/postback/x', `${json.path.slice(0, -4)}AAAA`])
      expect((await back({ leadId, outcome: 'sold' }, path)).json.code).toBe('postback_unknown');
    const stranger = await openOffice(node, buyer);
    expect((await stranger.get(`/api/console/buyer-tiers/${tierId()}/postback`)).statusCode).toBe(404);
    const foreign = (await stranger.get(`/api/console/buyer-tiers/${stranger.world.tiers[0]!.buyerTierId}/postback`)).json.path;
    expect((await back({ leadId, outcome: 'sold' }, foreign)).json.code).toBe('settlement_unknown');
    expect((await back({ reference: 'P-9', outcome: 'sold' }, json.path)).json.code).toBe('postback_lead_unknown');
    for (const reference of ['\0', '\ud800']) expect((await back({ reference, outcome: 'sold' }, json.path)).statusCode).toBe(400);
    expect((await fetch(`${node.url}${json.path}?reference=%00&outcome=sold`)).status).toBe(400);
    expect(await view(leadId)).toMatchObject({ status: 'held' });
  });

  it('that nobody hears of within the tier’s hours was none; what is held for another reason stays', async () => {
    await office.change('buyerTier', tierId(), { pendingHours: 2 });
    const leadId = await hold('a@example.com');
    buyer.answer(() => ({ hang: true }));
    await client.query(`update buyer_tier set after_timeout = 'hold', time_limit_ms = 100 where id = $1`, [tierId()]);
    await node.planBook.reload(office.world.organizationId);
    const silent = await hold('b@example.com');
    const HOUR_MS = 3_600_000;
    expect(await expirePending(node.db, node.planBook, Date.now() + 1.9 * HOUR_MS)).toBe(0);
    const ended = await Promise.all([node, other].map((one) => expirePending(one.db, one.planBook, Date.now() + 2.1 * HOUR_MS)));
    expect(ended[0]! + ended[1]!).toBeGreaterThanOrEqual(1);
    expect(await view(leadId)).toMatchObject({
      status: 'unsold',
      why: 'The buyer did not say in time what it decided: taken as not bought.',
    });
    expect(await view(silent)).toMatchObject({ status: 'held' });
    expect(await rows('select via from settlement where organization_id = $1')).toEqual([{ via: 'expiry' }]);
    expect((await back({ leadId, outcome: 'sold', price: '20.00' })).statusCode).toBe(409);
    expect(await audit()).toEqual([]);
  });

  it('that cannot be ended, or is of an organization that this node does not hold, keeps no other from its end', async () => {
    const HOUR_MS = 3_600_000;
    const [held, foreign] = [office, await open()];
    for (const one of [held, foreign]) await one.change('buyerTier', one.world.tiers[0]!.buyerTierId, { pendingHours: 2 });
    for (const consumer of ['a@example.com', 'b@example.com', 'c@example.com']) await foreign.lead(consumer);
    office = held;
    const leads = [await hold('a@example.com'), await hold('b@example.com'), await hold('c@example.com')];
    // The oldest two cannot be written.
    await client.query(`create function refuse() returns trigger language plpgsql as $$ begin
        if new.lead_id in ('${leads[0]}', '${leads[1]}') then raise exception 'refused'; end if; return new; end $$;
      create trigger refuse before insert on settlement for each row execute function refuse()`);
    const planBook = { list: () => node.planBook.list().filter((one) => one.organizationId === held.world.organizationId) };
    for (let run = 0; run < 2; run++)
      await expect(expirePending(node.db, planBook, Date.now() + 2.1 * HOUR_MS, 2)).rejects.toThrow('2 pending sales could not be ended.');
    await client.query('drop trigger refuse on settlement; drop function refuse()');
    expect(await rows('select lead_id, via from settlement where organization_id = $1')).toEqual([{ lead_id: leads[2], via: 'expiry' }]);
    office = foreign;
    expect((await listed()).total).toBe(3);
  });
});
