/** console §3 "promotions": dated payout rises, exact over several nodes, promised at the ping and told on the sale. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegionPermission } from '#contract/session.ts';
import { newId } from '#server/kit/ids.ts';
import { giveBackPlaces } from '#server/node/give-back-places.ts';
import { endForgotten } from '#server/node/interrupt-leads.ts';
import { auditBooks } from '#test/harness/books.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const SOLD = { body: JSON.stringify({ result: 'accepted' }) };
const EVER = { fromOn: '2020-01-01', toOn: null, timeZone: 'America/New_York' };

let database: TestDatabase;
let nodes: [TestNode, TestNode];
let buyer: ScriptedBuyer;

beforeAll(async () => {
  database = await freshDatabase();
  nodes = [await startNode(database.url), await startNode(database.url)];
  buyer = await startBuyer(() => SOLD);
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await buyer.close();
  await database.drop();
});

interface Place extends World {
  cookie: string;
}

async function openPlace(spec: WorldSpec = {}): Promise<Place> {
  const world = await buildWorld(nodes[0].db, {
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, price: { kind: 'fixed', price: dollars(20) } }] }],
    priceModel: { kind: 'fixed', price: dollars(10) },
    ...spec,
  });
  await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
  buyer.answer(() => SOLD);
  return { ...world, cookie: await signIn(await buildUser(nodes[0].db, world.organizationId)) };
}

async function signIn({ email, password }: { email: string; password: string }): Promise<string> {
  const answer = await nodes[0].post('/team-login', { email, password }, OWN_PAGE);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

const call = (cookie: string, path: string, body: unknown) => nodes[0].post(path, body, { ...OWN_PAGE, cookie });
async function get(cookie: string, path: string) {
  const response = await fetch(nodes[0].url + path, { headers: { ...OWN_PAGE, cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  return { statusCode: response.status, json: (await response.json()) as any };
}

/** A promotion of the whole publisher that pays 2.00 more, unless said otherwise; at work on both nodes. */
async function promote(place: Place, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await call(place.cookie, '/api/v1/common/post-add-data', {
    model: 'promotion',
    name: `Promotion ${newId()}`,
    verticalId: place.verticalId,
    target: { kind: 'publisher', publisherId: place.publisherId },
    raise: { kind: 'fixed', amount: '2' },
    ...EVER,
    ...more,
  });
  expect([answer.statusCode, answer.json.msg]).toEqual([200, 'Saved.']);
  await nodes[1].planBook.reload(place.organizationId);
  return answer.json.data._id;
}

const edit = (place: Place, id: string, data: Record<string, unknown>, cookie = place.cookie) =>
  call(cookie, '/api/v1/common/post-edit-data', { model: 'promotion', _id: id, ...data });
const read = async (place: Place, id: string, cookie = place.cookie) =>
  (await call(cookie, '/api/v1/common/single-data', { model: 'promotion', condition: { _id: id } })).json;

let counter = 0;
function send(place: Place, node = nodes[0], path = '/api/v1/leads', more: Record<string, unknown> = {}) {
  counter += 1;
  const lead = { ...LEAD, email: `p${counter}@example.com`, phone: `212555${String(1000 + counter)}`, ...more };
  return node.post(path, lead, { authorization: `Bearer ${place.key}` });
}
const sendMany = (place: Place, count: number) => Promise.all(Array.from({ length: count }, (_, at) => send(place, nodes[at % 2]!)));
const prices = (answers: { json: { price?: string } }[]) => answers.map(({ json }) => json.price).sort();
const times = (count: number, price: string) => Array.from({ length: count }, () => price);

async function booked(place: Place) {
  const one = async (text: string) => (await nodes[0].pool.query(text, [place.organizationId])).rows;
  return {
    counters: await one('select measure, used::int from counter where organization_id = $1 order by measure'),
    sales: await one('select count(*)::int, sum(extra)::text as extra from promotion_sale where organization_id = $1'),
    money: await one(
      'select sum(revenue)::text as revenue, sum(payout)::text as payout, sum(margin)::text as margin from sale where organization_id = $1',
    ),
    reservations: await one('select purpose from reservation where organization_id = $1'),
  };
}

describe('engine Price: a promotion on two nodes', () => {
  it('raises exactly as many of the leads that come at once as its cap says; the others are sold as ever', async () => {
    buyer.answer(() => ({ ...SOLD, delayMs: Math.random() * 30 }));
    const place = await openPlace();
    await promote(place, { leadCap: 25 });
    buyer.answer(() => ({ ...SOLD, delayMs: Math.random() * 30 }));
    expect(prices(await sendMany(place, 80))).toEqual([...times(55, '10.00'), ...times(25, '12.00')]);
    expect(await booked(place)).toEqual({
      counters: [
        { measure: 'money', used: dollars(50) },
        { measure: 'sold', used: 25 },
      ],
      sales: [{ count: 25, extra: '50.0000' }],
      money: [{ revenue: '1600.0000', payout: '850.0000', margin: '750.0000' }],
      reservations: [],
    });
  });

  it('pays its money to the last whole rise, and not a ten-thousandth more', async () => {
    const place = await openPlace();
    await promote(place, { moneyCap: '9.9999', raise: { kind: 'percent', percent: 12.5 } });
    expect(prices(await sendMany(place, 30))).toEqual([...times(23, '10.00'), ...times(7, '11.25')]);
    expect((await booked(place)).sales).toEqual([{ count: 7, extra: '8.7500' }]);
  });

  it('fits under the publisher tier’s own money cap as well, which counts the whole payout', async () => {
    const place = await openPlace({
      publisher: { caps: [{ measure: 'money', period: 'day', limit: dollars(50), timeZone: 'America/New_York' }] },
    });
    await promote(place);
    const answers = await sendMany(place, 20);
    const payout = answers.reduce((sum, { json }) => sum + Number(json.price ?? 0), 0);
    expect(payout).toBeLessThanOrEqual(50);
    const { rows } = await nodes[0].pool.query(`select used::int from counter where organization_id = $1 and scope_id = $2`, [
      place.organizationId,
      place.publisherTierId,
    ]);
    expect(rows).toEqual([{ used: dollars(payout) }]);
  });

  it('counts what it paid without a cap, so that a cap set later holds at once', async () => {
    const place = await openPlace();
    const id = await promote(place);
    await sendMany(place, 6);
    expect((await edit(place, id, { leadCap: 8 })).statusCode).toBe(200);
    await nodes[1].planBook.reload(place.organizationId);
    expect(prices(await sendMany(place, 10))).toEqual([...times(8, '10.00'), ...times(2, '12.00')]);
    expect((await read(place, id)).data).toMatchObject({ phase: 'usedUp', soldLeads: 8, extraPaid: '16.00' });
  });
});

describe('reliability: a node that dies between booking a rise and storing the result', () => {
  it('gives the promotion its room back when its lead is ended as interrupted', async () => {
    const place = await openPlace();
    const id = await promote(place, { leadCap: 2 });
    const { leadId } = (await send(place)).json;
    const { pool } = nodes[0];
    const [dead, lost] = [newId(), newId()];
    await pool.query(`insert into node (id, seen_at) values ($1, now() - interval '1 minute')`, [dead]);
    const columns = 'region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, fields';
    await pool.query(
      `insert into lead (organization_id, id, node_id, ${columns}) select organization_id, $3, $4, ${columns} from lead where organization_id = $1 and id = $2`,
      [place.organizationId, leadId, lost, dead],
    );
    const claims = [
      [`${id}:sold:overall:ever`, 1],
      [`${id}:money:overall:ever`, dollars(2)],
    ];
    await pool.query(
      `insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, claims, reserved_at) values ($1, $2, $3, 'promotion', $4, $5, now())`,
      [place.organizationId, lost, place.tiers[0]!.buyerTierId, dead, JSON.stringify(claims)],
    );
    for (const [counter, amount] of claims)
      await pool.query('update counter set used = used + $3 where organization_id = $1 and counter = $2', [
        place.organizationId,
        counter,
        amount,
      ]);
    await expect.poll(async () => (await booked(place)).reservations, { timeout: 20_000 }).toEqual([]);
    expect((await booked(place)).counters).toEqual([
      { measure: 'money', used: dollars(2) },
      { measure: 'sold', used: 1 },
    ]);
    expect(prices(await sendMany(place, 4))).toEqual([...times(3, '10.00'), ...times(1, '12.00')]);
  });
});

describe('engine Crash: a promotion that was booked for a lead whose end was not heard', () => {
  const counted = async (place: Place) => (await booked(place)).counters.map(({ used }) => used);
  const later = () => Date.now() + 21 * 60_000;

  it('keeps its place while the lead may be sold, is given back where it was not bought, and counts once where it was', async () => {
    for (const [outcome, uses] of [
      ['notBought', [0, 0]],
      ['bought', [dollars(2), 1]],
    ] as const) {
      const place = await openPlace();
      await promote(place, { leadCap: 2 });
      const { pool, planBook } = nodes[0];
      // Its node can write everything but what became of it.
      await pool.query(`create function lose() returns trigger language plpgsql as $$ begin
          if new.organization_id = '${place.organizationId}' then raise exception 'lost'; end if; return new; end $$;
        create trigger lose before insert on lead_result for each row execute function lose()`);
      expect((await send(place)).statusCode).toBe(500);
      await pool.query('drop trigger lose on lead_result; drop function lose()');
      await endForgotten(pool, planBook, later());
      await giveBackPlaces(pool, later());
      expect(await counted(place)).toEqual([dollars(2), 1]);
      const open = await pool.query('select lead_id from reservation where organization_id = $1 and unknown_since is not null', [
        place.organizationId,
      ]);
      const lead = { leadId: open.rows[0].lead_id, buyerTierId: place.tiers[0]!.buyerTierId, outcome };
      const said = { leads: [{ ...lead, ...(outcome === 'bought' && { price: '20.00' }) }] };
      expect((await call(place.cookie, '/api/console/settlements', said)).statusCode).toBe(200);
      expect(await counted(place)).toEqual(uses);
      expect((await booked(place)).reservations).toEqual([]);
    }
  });

  it('that paid is not given back by the others, whatever is left of its booking', async () => {
    const place = await openPlace();
    const id = await promote(place, { leadCap: 2 });
    const { leadId } = (await send(place)).json;
    const claims = JSON.stringify([
      [`${id}:sold:overall:ever`, 1],
      [`${id}:money:overall:ever`, dollars(2)],
    ]);
    await nodes[0].pool.query(
      `insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, claims, reserved_at) values ($1, $2, $3, 'promotion', $4, $5, now())`,
      [place.organizationId, leadId, place.tiers[0]!.buyerTierId, newId(), claims],
    );
    await giveBackPlaces(nodes[0].pool, later());
    expect((await booked(place)).reservations).toEqual([]);
    expect(await counted(place)).toEqual([dollars(2), 1]);
  });
});

describe('engine Price: a promotion at the ping', () => {
  it('is paid when the lead was held and is settled: its own caps count the extra, and the sale names it', async () => {
    const place = await openPlace({ publisher: { caps: [{ measure: 'money', period: 'overall', limit: dollars(100), timeZone: 'UTC' }] } });
    const promotionId = await promote(place, { moneyCap: '2.00', leadCap: 5 });
    const { pingId } = (await send(place, nodes[0], '/api/v1/leads/ping')).json;
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
    const { json } = await send(place, nodes[0], '/api/v1/leads/post', { pingId });
    expect(json).toMatchObject({ code: 'lead_held' });
    const settle = (outcome: string, leadId: string) =>
      call(place.cookie, '/api/console/settlements', {
        leads: [{ leadId, buyerTierId: place.tiers[0]!.buyerTierId, outcome, ...(outcome === 'bought' && { price: '20.00' }) }],
      });
    expect((await settle('bought', json.leadId)).statusCode).toBe(200);
    const of = async (table: 'promotion_sale' | 'counter') =>
      nodes[0].db.selectFrom(table).selectAll().where('organization_id', '=', place.organizationId).execute();
    expect(await of('promotion_sale')).toMatchObject([{ lead_id: json.leadId, sale_index: 0, promotion_id: promotionId, extra: '2.0000' }]);
    const money = (await of('counter')).filter((row) => 'measure' in row && row.measure === 'money') as {
      scope_id: string;
      used: number;
    }[];
    expect(Object.fromEntries(money.map((row) => [row.scope_id, Number(row.used)]))).toEqual({
      ...{ [promotionId]: dollars(2), [place.publisherTierId]: dollars(12) },
    });
    const { lead } = (await get(place.cookie, `/api/console/leads/${json.leadId}`)).json;
    expect(lead).toMatchObject({ payout: '12.00', sales: [{ promotion: { extra: '2.00' } }] });
  });

  it('that none promised is looked for when a held lead is settled, as a sale at once looks for it', async () => {
    const cap = { measure: 'money', period: 'overall', limit: dollars(100), timeZone: 'UTC' } as const;
    const place = await openPlace({ publisher: { caps: [cap] } });
    await promote(place, { fromOn: '2020-01-01', toOn: '2020-12-31', raise: { kind: 'fixed', amount: '5' } });
    const few = await promote(place, { leadCap: 2, moneyCap: '100.00' });
    const wide = await promote(place, {
      target: { kind: 'campaign', campaignId: place.campaignId },
      raise: { kind: 'fixed', amount: '1' },
    });
    const live = await send(place);
    expect(live.json).toMatchObject({ status: 'accepted', price: '12.00' });
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
    const held: string[] = [];
    for (let at = 0; at < 3; at++) held.push((await send(place)).json.leadId);
    const { buyerTierId } = place.tiers[0]!;
    const settle = (leadId: string, outcome: string) =>
      call(place.cookie, '/api/console/settlements', {
        leads: [{ leadId, buyerTierId, outcome, ...(outcome === 'bought' && { price: '20.00' }) }],
      });
    expect((await settle(held[0]!, 'bought')).json.settled).toBe(1);
    const { path } = (await get(place.cookie, `/api/console/buyer-tiers/${buyerTierId}/postback`)).json;
    expect((await nodes[1].post(path, { leadId: held[1], outcome: 'sold' })).statusCode).toBe(200);
    expect((await settle(held[2]!, 'notBought')).json.settled).toBe(1);
    const sales = await nodes[0].pool.query(
      `select s.lead_id, s.payout::text, s.margin::text, p.promotion_id, p.extra::text from sale s left join promotion_sale p
        on p.organization_id = s.organization_id and p.lead_id = s.lead_id and p.sale_index = s.sale_index where s.organization_id = $1 order by s.lead_id`,
      [place.organizationId],
    );
    expect(sales.rows).toEqual([
      { lead_id: live.json.leadId, payout: '12.0000', margin: '8.0000', promotion_id: few, extra: '2.0000' },
      { lead_id: held[0], payout: '12.0000', margin: '8.0000', promotion_id: few, extra: '2.0000' },
      // Its last place is taken: the next wider one pays.
      { lead_id: held[1], payout: '11.0000', margin: '9.0000', promotion_id: wide, extra: '1.0000' },
    ]);
    const used = async () =>
      (
        await nodes[0].pool.query('select scope_id, measure, used::int from counter where organization_id = $1 and used <> 0', [
          place.organizationId,
        ])
      ).rows.map((row) => [row.scope_id, row.measure, row.used]);
    expect((await used()).sort()).toEqual(
      [
        [few, 'sold', 2],
        [few, 'money', dollars(4)],
        [wide, 'sold', 1],
        [wide, 'money', dollars(1)],
        [place.publisherTierId, 'money', dollars(35)],
      ].sort(),
    );
    expect((await get(place.cookie, `/api/console/leads/${held[0]}`)).json.lead).toMatchObject({
      payout: '12.00',
      sales: [{ promotion: { extra: '2.00' } }],
    });
    expect(await auditBooks(nodes[0].pool, place.organizationId)).toEqual([]);
  });

  it('finds no room in the publisher tier’s own money cap, or in the margin, when its lead is settled: the lead is sold as ever', async () => {
    const cap = { measure: 'money', period: 'overall', limit: dollars(11), timeZone: 'UTC' } as const;
    for (const spec of [{ publisher: { caps: [cap] } }, { margin: { kind: 'fixed', amount: dollars(10) } as const }]) {
      const place = await openPlace(spec);
      await promote(place);
      buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
      const { leadId } = (await send(place)).json;
      const { path } = (await get(place.cookie, `/api/console/buyer-tiers/${place.tiers[0]!.buyerTierId}/postback`)).json;
      expect((await nodes[0].post(path, { leadId, outcome: 'sold' })).statusCode).toBe(200);
      expect((await get(place.cookie, `/api/console/leads/${leadId}`)).json.lead).toMatchObject({
        payout: '10.00',
        sales: [{ promotion: null }],
      });
      expect(await auditBooks(nodes[0].pool, place.organizationId)).toEqual([]);
    }
  });

  it('is promised, and paid at the post, though it was paused in between', async () => {
    const place = await openPlace({
      groups: [{ mode: 'auction', tiers: [{ url: buyer.url, price: { kind: 'bid' }, delivery: 'pingPost' }] }],
      priceModel: { kind: 'share', sharePercent: 50 },
    });
    const id = await promote(place);
    buyer.answer(() => ACCEPT);
    const ping = await send(place, nodes[0], '/api/v1/leads/ping');
    const bid = Number(ping.json.price);
    await edit(place, id, { status: 'paused' });
    const post = await send(place, nodes[0], '/api/v1/leads/post', { pingId: ping.json.pingId });
    expect([post.json.status, Number(post.json.price)]).toEqual(['accepted', bid]);
    const sale = (await get(place.cookie, `/api/console/leads/${post.json.leadId}`)).json.lead.sales[0];
    expect(sale.promotion).toMatchObject({ extra: '2.00' });
    expect(Number(sale.payout)).toBe(Number(sale.revenue) / 2 + 2);
    expect((await send(place, nodes[0], '/api/v1/leads/ping')).json.price).not.toBe(ping.json.price);
  });
});

describe('console §3 promotions: set up by the generic data calls', () => {
  it('the sale says what was added, and why; pausing ends it with the next lead; the change log has every step', async () => {
    const place = await openPlace();
    const id = await promote(place, { name: 'Black Friday' });
    const { leadId, price } = (await send(place)).json;
    expect(price).toBe('12.00');
    const { lead } = (await get(place.cookie, `/api/console/leads/${leadId}`)).json;
    expect(lead.sales[0]).toMatchObject({ payout: '12.00', margin: '8.00', promotion: { name: 'Black Friday', extra: '2.00' } });
    expect(lead.steps.map((step: { text: string }) => step.text)).toContain('Promotion Black Friday: USD 2.00 more for the publisher.');
    expect((await read(place, id)).data).toMatchObject({ phase: 'on', soldLeads: 1, extraPaid: '2.00', raise: { amount: '2.00' } });
    expect((await edit(place, id, { status: 'paused' })).statusCode).toBe(200);
    expect((await send(place)).json.price).toBe('10.00');
    const archived = await call(place.cookie, '/api/v1/common/post-delete-data', { model: 'promotion', _id: id });
    expect(archived.statusCode).toBe(200);
    expect((await read(place, id)).data).toMatchObject({ phase: 'archived', soldLeads: 1 });
    const log = await nodes[0].pool.query('select action from change_log where organization_id = $1 and record_id = $2 order by id', [
      place.organizationId,
      id,
    ]);
    expect(log.rows.map((row) => row.action)).toEqual(['add', 'edit', 'remove']);
  });

  it('refuses days the wrong way round, a rise of nothing, a zone that is none, and targets that are not of the vertical', async () => {
    const [place, other] = [await openPlace(), await openPlace()];
    const id = await promote(place);
    const refusals = await Promise.all(
      [
        { toOn: '2019-12-31' },
        { raise: { kind: 'fixed', amount: '0' } },
        { timeZone: 'Mars/Olympus' },
        { leadCap: -1 },
        { target: { kind: 'publisher', publisherId: other.publisherId } },
        { target: { kind: 'publisherTier', publisherTierId: other.publisherTierId } },
        { target: { kind: 'campaign', campaignId: newId() } },
      ].map((data) => edit(place, id, data)),
    );
    expect(refusals.map(({ statusCode, json }) => [statusCode, json.code])).toEqual([
      [400, 'record_value_invalid'],
      [400, 'record_value_invalid'],
      [400, 'record_value_invalid'],
      [400, 'record_value_invalid'],
      ...times(3, 'x').map(() => [404, 'promotion_target_unknown']),
    ]);
  });

  it('says where two meet and which of them pays, and where one can add nothing', async () => {
    const place = await openPlace({ priceModel: { kind: 'minimum', price: dollars(5) }, margin: { kind: 'fixed', amount: dollars(4) } });
    await promote(place, { name: 'Wide', target: { kind: 'campaign', campaignId: place.campaignId }, belowMargin: true });
    await promote(place, { name: 'Narrow', target: { kind: 'publisherTier', publisherTierId: place.publisherTierId } });
    await promote(place, { name: 'Long ago', toOn: '2020-02-01' });
    await promote(place, { name: 'Elsewhere', target: { kind: 'subId', subId: 'not of this tier' } });
    const { json } = await get(place.cookie, '/api/console/promotions?region=us&vertical=payday');
    expect(json.overlaps).toEqual([
      expect.objectContaining({
        pays: expect.objectContaining({ name: 'Narrow' }),
        waits: expect.objectContaining({ name: 'Wide' }),
        seatCount: 1,
      }),
    ]);
    expect(json.idle.map((one: { promotion: { name: string } }) => one.promotion.name)).toEqual(['Narrow']);
    // As it is said, so it is: the narrow one finds no room, the wide one may go below the margin.
    expect((await send(place)).json.price).toBe('18.00');
    expect((await get(place.cookie, '/api/console/promotions?region=us&vertical=payday')).json).toMatchObject({
      soldLeads: 1,
      extraPaid: '2.00',
    });
  });

  it('opens to who has the page in the vertical, not to who may only set it up, nor to another organization', async () => {
    const [place, other] = [await openPlace(), await openPlace()];
    const id = await promote(place);
    const allowed = (page: string): RegionPermission[] => [
      {
        regionId: place.regionId,
        regionChecked: true,
        verticals: [{ verticalId: place.verticalId, verticalChecked: true, pages: [{ value: page, pageChecked: true }] }],
      } as RegionPermission,
    ];
    const member = async (page: string) =>
      signIn(await buildUser(nodes[0].db, place.organizationId, { role: 'member', permissions: allowed(page) }));
    const [promoter, builder] = [await member('promotions'), await member('setup')];
    const board = '/api/console/promotions?region=us&vertical=payday';
    expect([(await get(promoter, board)).statusCode, (await get(builder, board)).statusCode]).toEqual([200, 403]);
    expect((await edit(place, id, { notes: 'mine' }, promoter)).statusCode).toBe(200);
    expect((await edit(place, id, { notes: 'mine' }, builder)).statusCode).toBe(403);
    expect((await edit(place, id, { notes: 'mine' }, other.cookie)).statusCode).toBe(404);
    expect(
      (await call(promoter, '/api/v1/common/post-edit-data', { model: 'campaign', _id: place.campaignId, notes: 'x' })).statusCode,
    ).toBe(403);
  });
});
