/** console §3 "ab-testing": consumers are split over variants, each always into the same one; what came of them is counted, and the winner published. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegionPermission } from '#contract/session.ts';
import { openJson } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { interruptLeads } from '#server/node/interrupt-leads.ts';
import { auditBooks } from '#test/harness/books.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World, type WorldSpec } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const SOLD = { body: JSON.stringify({ result: 'accepted' }) };
const CONTROL = { name: 'Control', sharePercent: 50 };

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

/** Ann buys at 20.00 and stands first, Bob at 30.00. */
async function openPlace(spec: WorldSpec = {}): Promise<Place> {
  const world = await buildWorld(nodes[0].db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, buyer: 'Ann', name: 'First', price: { kind: 'fixed', price: dollars(20) } },
          { url: buyer.url, buyer: 'Bob', name: 'Second', price: { kind: 'fixed', price: dollars(30) } },
        ],
      },
    ],
    priceModel: { kind: 'fixed', price: dollars(10) },
    ...spec,
  });
  await reload(world);
  return { ...world, cookie: await signIn(await buildUser(nodes[0].db, world.organizationId)) };
}

const reload = (world: World) => Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
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

/** The draft of the campaign has Bob alone. */
async function draftBob(place: Place): Promise<void> {
  const path = `/api/console/campaigns/${place.campaignId}`;
  const { state } = (await get(place.cookie, `${path}/tree`)).json;
  const groups = [{ name: 'Bob first', mode: 'priority', members: [{ buyerTierId: place.tiers[1]!.buyerTierId }] }];
  expect((await call(place.cookie, `${path}/draft`, { groups, state })).statusCode).toBe(200);
}

interface Made {
  _id: string;
  version: number;
  state: string;
  variants: { _id: string; name: string }[];
}
const add = (place: Place, variants: unknown[], more: object = {}) =>
  call(place.cookie, '/api/console/ab-tests', { campaignId: place.campaignId, name: `Test ${newId()}`, variants, ...more });
async function make(place: Place, variants: unknown[], more: object = {}): Promise<Made> {
  const { statusCode, json } = await add(place, variants, more);
  expect([statusCode, json.msg]).toEqual([200, 'The test is saved. It splits nobody until you start it.']);
  return { ...json.test, state: json.state };
}
const step = (place: Place, { _id }: { _id: string }, what: string, body: object, cookie = place.cookie) =>
  call(cookie, `/api/console/ab-tests/${_id}/${what}`, body);
async function start(place: Place, test: Made): Promise<Made> {
  const { statusCode, json } = await step(place, test, 'start', { version: test.version });
  expect([statusCode, json.test?.status]).toEqual([200, 'running']);
  await reload(place);
  return { ...json.test, state: json.state };
}
const view = async (place: Place, { _id }: { _id: string }) => (await get(place.cookie, `/api/console/ab-tests/${_id}`)).json;

const leadOf = (at: number) => ({ ...LEAD, email: `c${at}@example.com`, phone: `212555${String(1000 + at)}` });
const send = (place: Place, at: number, more: object = {}, path = '/api/v1/leads') =>
  nodes[at % 2]!.post(path, { ...leadOf(at), ...more }, { authorization: `Bearer ${place.key}` });
const sendMany = (place: Place, count: number) => Promise.all(Array.from({ length: count }, (_, at) => send(place, at)));
const variantsOf = async (place: Place) =>
  (
    await nodes[0].pool.query(
      'select v.name, l.lead_id from lead_variant l join ab_variant v on v.id = l.variant_id where l.organization_id = $1',
      [place.organizationId],
    )
  ).rows as { name: string; lead_id: string }[];

describe('console §3 ab-testing: the split', () => {
  it('sends a consumer always by the same variant, on either node, and leaves everything as it was when it stops', async () => {
    const place = await openPlace();
    await draftBob(place);
    const test = await start(place, await make(place, [CONTROL, { name: 'Bob', sharePercent: 50, tree: { from: 'draft' } }]));
    const first = await sendMany(place, 120);
    expect(first.every(({ json }) => json.status === 'accepted')).toBe(true);
    // The same consumers again, with another income: other leads, on the other node.
    const again = await Promise.all(
      Array.from({ length: 120 }, (_, at) =>
        nodes[(at + 1) % 2]!.post('/api/v1/leads', { ...leadOf(at), monthly_income: '4000' }, { authorization: `Bearer ${place.key}` }),
      ),
    );
    const taken = new Map((await variantsOf(place)).map(({ lead_id, name }) => [lead_id, name]));
    const [once, twice] = [first, again].map((answers) => answers.map(({ json }) => taken.get(json.leadId)));
    expect(twice).toEqual(once);
    const bobs = once!.filter((name) => name === 'Bob').length;
    expect(bobs).toBeGreaterThan(35);
    expect(bobs).toBeLessThan(85);
    const { results, splitDoubt } = await view(place, test);
    expect(splitDoubt).toBeNull();
    // Each consumer sent two leads and is one.
    expect(results.map((one: { consumers: number }) => one.consumers)).toEqual([120 - bobs, bobs]);
    const raw = await nodes[0].pool.query(
      `select v.name, count(*)::int as leads, sum(r.revenue)::text as revenue, sum(r.margin)::text as margin from lead_variant x
        join ab_variant v on v.id = x.variant_id join lead_result r on r.lead_id = x.lead_id where x.organization_id = $1 group by v.name, v.position order by v.position`,
      [place.organizationId],
    );
    expect(results.map((one: { leads: number }) => one.leads)).toEqual(raw.rows.map((row) => row.leads));
    expect(results.map((one: { revenue: string }) => Number(one.revenue))).toEqual(raw.rows.map((row) => Number(row.revenue)));
    expect(results.map((one: { margin: string }) => Number(one.margin))).toEqual(raw.rows.map((row) => Number(row.margin)));
    expect(results.map((one: { epl: string }) => one.epl)).toEqual(['20.00', '30.00']);
    expect(results[1].against).toMatchObject({ liftPercent: 50, difference: 10 });
    // The list is narrowed to a variant, page by page, in a span, and to leads of no test.
    type Listed = { rows: { _id: string }[]; total: number; older: string | null };
    const list = async (more: string, limit = 200): Promise<Listed> =>
      (await get(place.cookie, `/api/console/leads?region=us&vertical=payday&limit=${limit}&${more}`)).json;
    const ids = (found: Listed) => found.rows.map(({ _id }) => _id);
    for (const { _id, name } of test.variants) {
      const own = [...taken]
        .flatMap(([leadId, variant]) => (variant === name ? [leadId] : []))
        .sort()
        .reverse();
      expect([ids(await list(`variantId=${_id}`)), (await list(`variantId=${_id}`)).total]).toEqual([own, own.length]);
      const page = await list(`variantId=${_id}`, 5);
      expect([ids(page), ids(await list(`variantId=${_id}&before=${page.older}`, 5))]).toEqual([own.slice(0, 5), own.slice(5, 10)]);
      expect(ids(await list(`variantId=${_id}&after=${own[3]}`))).toEqual(own.slice(0, 3));
      const since = (minutes: number) => encodeURIComponent(new Date(Date.now() + minutes * 60_000).toISOString());
      expect((await list(`variantId=${_id}&from=${since(-60)}&to=${since(1)}&status=sold`)).total).toBe(own.length);
      expect((await list(`variantId=${_id}&from=${since(1)}`)).total).toBe(0);
      const choices = (await get(place.cookie, `/api/console/leads/choices?region=us&vertical=payday&of=variant&id=${_id}`)).json;
      expect(choices.options.map((one: { name: string }) => one.name.split(', ').at(-1))).toEqual([name]);
    }
    expect((await list(`variantId=${newId()}`)).total).toBe(0);
    expect((await list('variantId=')).total).toBe(0);
    expect((await get(place.cookie, '/api/console/leads/filters?region=us&vertical=payday')).json.hasVariants).toBe(true);
    // One lead's story names its variant.
    const { lead_id } = (await variantsOf(place)).find(({ name }) => name === 'Bob')!;
    const { lead } = (await get(place.cookie, `/api/console/leads/${lead_id}`)).json;
    expect(lead.steps.map(({ text }: { text: string }) => text).join(' ')).toContain('this consumer goes by the variant Bob.');
    expect(lead.verdicts.map(({ groupName }: { groupName: string }) => groupName)).toEqual(['Bob first']);
    const running = await view(place, test);
    expect((await step(place, test, 'stop', { version: running.test.version })).json.test.status).toBe('stopped');
    await reload(place);
    const after = await Promise.all(Array.from({ length: 10 }, (_, at) => send(place, 500 + at)));
    const revenues = await nodes[0].pool.query('select distinct revenue::text from lead_result where lead_id = any($1)', [
      after.map(({ json }) => json.leadId),
    ]);
    expect(revenues.rows).toEqual([{ revenue: '20.0000' }]);
    expect((await list('variantId=')).total).toBe(10);
    // No name, lead or test of another organization.
    const stranger = await openPlace();
    const theirs = await get(stranger.cookie, '/api/console/leads/choices?region=us&vertical=payday&of=variant');
    expect(theirs.json).toMatchObject({ options: [], total: 0 });
    expect((await get(stranger.cookie, '/api/console/leads/filters?region=us&vertical=payday')).json.hasVariants).toBe(false);
    const foreign = await get(stranger.cookie, `/api/console/leads?region=us&vertical=payday&variantId=${test.variants[0]!._id}`);
    expect(foreign.json.total).toBe(0);
    expect((await view(place, test)).results).toEqual(results);
    const board = await get(place.cookie, '/api/console/ab-tests?region=us&vertical=payday');
    expect(board.json.tests).toMatchObject([{ status: 'stopped', leads: 240, variants: ['Control', 'Bob'], promoted: null }]);
  });

  it('a variant of other terms has its own floor, margin and prices; caps of tiers are shared by all', async () => {
    const place = await openPlace({
      groups: [
        {
          mode: 'priority',
          tiers: [
            { url: buyer.url, buyer: 'Ann', price: { kind: 'fixed', price: dollars(20) } },
            {
              url: buyer.url,
              buyer: 'Bob',
              price: { kind: 'fixed', price: dollars(30) },
              caps: [{ measure: 'sold', period: 'overall', limit: 5, timeZone: 'UTC' }],
            },
          ],
        },
      ],
    });
    const dear = { name: 'Dear', sharePercent: 50, floor: '25', pricePercent: 120 };
    const cheap = { name: 'Cheap', sharePercent: 25, margin: { kind: 'fixed', amount: '11' } };
    await start(place, await make(place, [{ ...CONTROL, sharePercent: 25 }, dear, cheap]));
    const answers = await sendMany(place, 60);
    const taken = new Map((await variantsOf(place)).map(({ lead_id, name }) => [lead_id, name]));
    const pricesOf = (variant: string) =>
      [...new Set(answers.filter(({ json }) => taken.get(json.leadId) === variant).map(({ json }) => json.price ?? json.status))].sort();
    expect(pricesOf('Control')).toEqual(['10.00']);
    // Bob's five are shared: Cheap may not take Ann's 20.00 either, and asks Bob too.
    expect(pricesOf('Dear')).toEqual(expect.arrayContaining(['rejected']));
    const bobs = await nodes[0].pool.query(
      'select count(*)::int, min(payout)::text as least, max(payout)::text as most from sale where organization_id = $1 and revenue = 30',
      [place.organizationId],
    );
    expect(bobs.rows[0].count).toBe(5);
    expect(Number(bobs.rows[0].most)).toBeLessThanOrEqual(12);
  });

  it('a lead that was held is settled by the terms of its own variant', async () => {
    const place = await openPlace({ priceModel: { kind: 'share', sharePercent: 50 } });
    const made = await make(place, [CONTROL, { name: 'More', sharePercent: 50, pricePercent: 150 }]);
    await start(place, made);
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
    const paid = new Map<string, Set<string>>();
    for (let at = 0; at < 12; at++) {
      const { leadId } = (
        await nodes[0].post('/api/v1/leads', { ...LEAD, email: `held${at}@example.com` }, { authorization: `Bearer ${place.key}` })
      ).json;
      const [said] = [{ leadId, buyerTierId: place.tiers[0]!.buyerTierId, outcome: 'bought', price: '20.00' }];
      expect((await call(place.cookie, '/api/console/settlements', { leads: [said] })).statusCode).toBe(200);
      const row = await nodes[0].db
        .selectFrom('lead_variant as v')
        .innerJoin('lead_result as r', (join) =>
          join.onRef('r.organization_id', '=', 'v.organization_id').onRef('r.lead_id', '=', 'v.lead_id'),
        )
        .select(['v.variant_id', 'r.payout'])
        .where('v.lead_id', '=', leadId)
        .executeTakeFirstOrThrow();
      paid.set(row.variant_id, (paid.get(row.variant_id) ?? new Set()).add(row.payout));
    }
    buyer.answer(() => SOLD);
    expect([...paid.values()].map((one) => [...one].join()).sort()).toEqual(['10.0000', '15.0000']);
  });

  it('a lead that was held is paid by its own variant though the test was stopped, or its winner promoted, and the publisher’s key changed', async () => {
    for (const end of ['stop', 'promote']) {
      const place = await openPlace({ priceModel: { kind: 'share', sharePercent: 40 }, margin: { kind: 'percent', percent: 10 } });
      const more = { name: 'More', sharePercent: 50, pricePercent: 150, margin: { kind: 'percent', percent: 20 } };
      const test = await start(place, await make(place, [CONTROL, more], { metric: 'margin' }));
      buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
      const held = (await sendMany(place, 12)).map(({ json }) => json.leadId as string);
      buyer.answer(() => SOLD);
      const taken = new Map((await variantsOf(place)).map(({ lead_id, name }) => [lead_id, name]));
      const { test: seen, state } = await view(place, test);
      const winner = { variantId: seen.variants[1]._id, state };
      expect((await step(place, test, end, { version: seen.version, ...(end === 'promote' && winner) })).statusCode).toBe(200);
      await nodes[0].pool.query('update posting_key set revoked_at = now() where organization_id = $1', [place.organizationId]);
      await reload(place);
      const { buyerTierId } = place.tiers[0]!;
      const said = held.map((leadId) => ({ leadId, buyerTierId, outcome: 'bought', price: '20.00' }));
      expect((await call(place.cookie, '/api/console/settlements', { leads: said })).json.settled).toBe(12);
      const { rows } = await nodes[0].pool.query('select lead_id, payout::text from sale where organization_id = $1', [
        place.organizationId,
      ]);
      const paid = (variant: string) => [...new Set(rows.filter((row) => taken.get(row.lead_id) === variant).map((row) => row.payout))];
      expect({ end, control: paid('Control'), more: paid('More') }).toEqual({ end, control: ['8.0000'], more: ['12.0000'] });
      expect(await auditBooks(nodes[0].pool, place.organizationId)).toEqual([]);
    }
  });

  it('a lead that a dead node left in doubt is settled by the terms of its own variant', async () => {
    const place = await openPlace({ priceModel: { kind: 'share', sharePercent: 40 } });
    const test = await start(place, await make(place, [CONTROL, { name: 'More', sharePercent: 50, pricePercent: 150 }]));
    buyer.answer(() => ({ body: JSON.stringify({ result: 'pending' }) }));
    const held = (await sendMany(place, 12)).map(({ json }) => json.leadId as string);
    buyer.answer(() => SOLD);
    const taken = new Map((await variantsOf(place)).map(({ lead_id, name }) => [lead_id, name]));
    // As if the node had died before it stored any result.
    const { pool } = nodes[0];
    const dead = newId();
    await pool.query('update lead set node_id = $2 where organization_id = $1', [place.organizationId, dead]);
    await pool.query('update reservation set node_id = $2, unknown_since = null where organization_id = $1', [place.organizationId, dead]);
    for (const table of ['lead_variant', 'attempt', 'lead_result'])
      await pool.query(`delete from ${table} where organization_id = $1`, [place.organizationId]);
    // Last: a node of the test's own ends what it finds of a dead one at once, and may be first.
    await pool.query(`insert into node (id, seen_at) values ($1, now() - interval '1 minute')`, [dead]);
    await interruptLeads(pool, nodes[0].planBook, 10_000);
    await expect
      .poll(async () => (await pool.query('select 1 from lead_result where organization_id = $1', [place.organizationId])).rowCount)
      .toBe(12);
    expect((await step(place, test, 'stop', { version: (await view(place, test)).test.version })).statusCode).toBe(200);
    await reload(place);
    const { buyerTierId } = place.tiers[0]!;
    const said = held.map((leadId) => ({ leadId, buyerTierId, outcome: 'bought', price: '20.00' }));
    expect((await call(place.cookie, '/api/console/settlements', { leads: said })).json.settled).toBe(12);
    const { rows } = await pool.query('select lead_id, payout::text from sale where organization_id = $1', [place.organizationId]);
    const wrong = rows.filter((row) => row.payout !== (taken.get(row.lead_id) === 'More' ? '12.0000' : '8.0000'));
    expect([rows.length, wrong]).toEqual([12, []]);
    expect(new Set(taken.values()).size).toBe(2);
  });

  /** As it stands, sealed, in what is kept of the lead. */
  const variantOf = async ({ organizationId }: World, leadId: string) => {
    const { keys } = nodes[0].planBook.find(organizationId)!;
    const { rows } = await nodes[0].pool.query('select explained from lead_result where organization_id = $1 and lead_id = $2', [
      organizationId,
      leadId,
    ]);
    const { variant } = openJson<{ variant?: object }>(keys, 'lead_result.explained', leadId, rows[0].explained);
    expect(variant).toBeDefined();
    return variant;
  };

  it('a ping without the primary field and its post go by one variant, and what was promised is paid', async () => {
    const place = await openPlace();
    await start(place, await make(place, [CONTROL, { name: 'Dear', sharePercent: 50, pricePercent: 150 }]));
    for (let at = 0; at < 12; at++) {
      const { email: _, ...withoutEmail } = leadOf(at);
      const ping = await nodes[0].post('/api/v1/leads/ping', withoutEmail, { authorization: `Bearer ${place.key}` });
      const post = await send(place, at, { pingId: ping.json.pingId }, '/api/v1/leads/post');
      expect([post.json.status, post.json.price]).toEqual(['accepted', ping.json.price]);
      expect(await variantOf(place, post.json.leadId)).toEqual(await variantOf(place, ping.json.pingId));
    }
    const names = new Set((await variantsOf(place)).map(({ name }) => name));
    expect([...names].sort()).toEqual(['Control', 'Dear']);
  });

  it('test leads, pings and leads that never reached a tree are no part of the figures', async () => {
    const place = await openPlace();
    const test = await start(place, await make(place, [CONTROL, { name: 'Dear', sharePercent: 50, pricePercent: 150 }]));
    await send(place, 1, { test: true });
    await send(place, 2, { state: 'Nowhere' });
    await send(place, 3, {}, '/api/v1/leads/ping');
    await send(place, 4);
    const { results } = await view(place, test);
    expect(results.reduce((sum: number, { leads }: { leads: number }) => sum + leads, 0)).toBe(1);
  });
});

describe('console §3 ab-testing: its plan', () => {
  it('is made from the newest leads of the campaign, and fixed with the start', async () => {
    const place = await openPlace();
    let asked = 0;
    buyer.answer(() => (asked++ % 4 === 0 ? { body: JSON.stringify({ result: 'rejected' }) } : SOLD));
    await sendMany(place, 60);
    const test = await make(place, [CONTROL, { name: 'B', sharePercent: 50, floor: '1' }], { minimumEffect: 20 });
    const draft = await view(place, test);
    const { rows } = await nodes[0].pool.query(
      'select avg(revenue)::float8 as mean, var_samp(revenue)::float8 as variance, count(*)::int from lead_result where organization_id = $1',
      [place.organizationId],
    );
    const [{ mean, variance, count }] = rows;
    expect(draft.leadsPerDay).toBe(count);
    // Two sides of 95 %, a power of 80 %, half the leads on either side.
    const expected = ((1.959_964 + 0.841_621) ** 2 * variance * 4) / (mean * 0.2) ** 2;
    expect(Math.abs(draft.leadsNeeded - expected)).toBeLessThanOrEqual(1.5);
    const started = await start(place, test);
    expect((await view(place, started)).test.plannedLeads).toBe(draft.leadsNeeded);
    const kept = await nodes[0].pool.query('select effect_scale::float8 as scale from ab_test where id = $1', [test._id]);
    expect(kept.rows[0].scale).toBeCloseTo(mean * 0.2, 3);
    buyer.answer(() => SOLD);
  });
});

describe('console §3 ab-testing: its life', () => {
  it('is edited as a draft, runs alone on its campaign, and is never changed once it ran', async () => {
    const place = await openPlace();
    const [test, other] = [
      await make(place, [CONTROL, { name: 'B', sharePercent: 50, floor: '5' }]),
      await make(place, [CONTROL, { name: 'C', sharePercent: 50, floor: '2' }]),
    ];
    const variants = [
      { ...CONTROL, sharePercent: 80, _id: test.variants[0]!._id },
      { name: 'B', sharePercent: 20, floor: '6', _id: test.variants[1]!._id },
    ];
    const edited = await call(place.cookie, `/api/console/ab-tests/${test._id}`, { name: 'Renamed', variants, version: test.version });
    expect(edited.json.test).toMatchObject({
      name: 'Renamed',
      variants: [
        { sharePercent: 80, isControl: true },
        { floor: '6.00', sharePercent: 20 },
      ],
    });
    const stale = await call(place.cookie, `/api/console/ab-tests/${test._id}`, { name: 'Late', variants, version: test.version });
    expect([stale.statusCode, stale.json.code]).toEqual([409, 'ab_test_changed']);
    const running = await start(place, { ...edited.json.test, state: '' });
    const second = await step(place, other, 'start', { version: other.version });
    expect([second.statusCode, second.json.code]).toEqual([409, 'ab_test_running']);
    expect((await get(place.cookie, `/api/console/campaigns/${place.campaignId}/tree`)).json.test).toEqual({
      _id: test._id,
      name: 'Renamed',
    });
    const late = await call(place.cookie, `/api/console/ab-tests/${test._id}`, { name: 'Late', variants, version: running.version });
    expect([late.statusCode, late.json.code]).toEqual([409, 'ab_test_status']);
    const discarded = await step(place, other, 'discard', { version: other.version });
    expect(discarded.json.test.status).toBe('archived');
    const board = await get(place.cookie, '/api/console/ab-tests?region=us&vertical=payday');
    expect(board.json.tests.map(({ name }: { name: string }) => name)).toEqual(['Renamed']);
    expect((await step(place, other, 'restore', { version: discarded.json.test.version })).json.test.status).toBe('draft');
    const log = await nodes[0].pool.query(
      `select action, after ->> 'status' as status from change_log where organization_id = $1 and record_id = $2 order by id`,
      [place.organizationId, test._id],
    );
    expect(log.rows).toEqual([
      { action: 'add', status: null },
      { action: 'edit', status: null },
      { action: 'edit', status: 'running' },
    ]);
    const archive = await call(place.cookie, '/api/v1/common/post-delete-data', { model: 'campaign', _id: place.campaignId });
    expect([archive.statusCode, archive.json.code]).toEqual([409, 'record_in_use']);
  });

  it('refuses shares that are no whole, a control that changes something, equal names and a tree that is not there', async () => {
    const place = await openPlace();
    const answers = await Promise.all([
      add(place, [CONTROL, { name: 'B', sharePercent: 40 }]),
      add(place, [
        { ...CONTROL, floor: '5' },
        { name: 'B', sharePercent: 50 },
      ]),
      add(place, [CONTROL, { name: 'control', sharePercent: 50 }]),
      add(place, [CONTROL, { name: 'B', sharePercent: 50, tree: { from: 'draft' } }]),
      add(place, [CONTROL, { name: 'B', sharePercent: 50, tree: { from: 'version', versionId: newId() } }]),
      add(place, [CONTROL]),
    ]);
    expect(answers.map(({ statusCode, json }) => `${statusCode} ${json.code}`)).toEqual([
      ...Array.from({ length: 5 }, () => '400 ab_test_invalid'),
      '400 request_invalid',
    ]);
  });

  it('a variant whose shares and margin are more than the whole price is not started: all that it is offered would be held', async () => {
    const place = await openPlace({ priceModel: { kind: 'share', sharePercent: 80 }, margin: { kind: 'percent', percent: 10 } });
    const dear = await make(place, [CONTROL, { name: 'Dear', sharePercent: 50, pricePercent: 120 }]);
    const refused = await step(place, dear, 'start', { version: dear.version });
    expect([refused.statusCode, refused.json]).toMatchObject([
      400,
      {
        msg: 'Dear: 96 percent for the publisher and a margin of 10 percent are more than the whole price, so what is bought is held.',
        errors: [{ field: 'variants.1' }],
      },
    ]);
    await start(place, await make(place, [CONTROL, { name: 'Fair', sharePercent: 50, pricePercent: 110 }]));
  });

  it('a variant that sells just as the live campaign does is not started, and is nothing to promote', async () => {
    const place = await openPlace();
    const same = await make(place, [CONTROL, { name: 'Same', sharePercent: 50, pricePercent: 100 }]);
    expect((await view(place, same)).test.variants).toMatchObject([{ isLive: true }, { isLive: true }]);
    const refused = await step(place, same, 'start', { version: same.version });
    expect([refused.statusCode, refused.json]).toMatchObject([
      400,
      { msg: expect.stringContaining('Same sells just as Control and the live campaign do'), errors: [{ field: 'variants.1' }] },
    ]);
    const test = await start(place, await make(place, [CONTROL, { name: 'Floor', sharePercent: 50, floor: '3' }]));
    expect((await view(place, test)).test.variants).toMatchObject([{ isLive: true }, { isLive: false }]);
    // Somebody gives the campaign the same floor meanwhile.
    const edit = { model: 'campaign', _id: place.campaignId, floor: '3.00' };
    expect((await call(place.cookie, '/api/v1/common/post-edit-data', edit)).statusCode).toBe(200);
    const now = await view(place, test);
    expect(now.test.variants[1]).toMatchObject({ isLive: true });
    const body = { variantId: now.test.variants[1]._id, version: now.test.version, state: now.state };
    expect((await step(place, test, 'promote', body)).json.code).toBe('ab_variant_live');
    expect((await view(place, test)).test.status).toBe('running');
  });

  it('of two tests of one campaign that start at once one does; two variants of one id are refused', async () => {
    const place = await openPlace();
    const drafts = await Promise.all(['B', 'C'].map((name) => make(place, [CONTROL, { name, sharePercent: 50, floor: '1' }])));
    const answers = await Promise.all(drafts.map((one) => step(place, one, 'start', { version: one.version })));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const other = drafts[answers.findIndex(({ statusCode }) => statusCode === 409)]!;
    const { _id } = other.variants[0]!;
    const twice = {
      name: 'Twice',
      version: other.version,
      variants: [CONTROL, { name: 'D', sharePercent: 50 }].map((one) => ({ ...one, _id })),
    };
    const refused = await call(place.cookie, `/api/console/ab-tests/${other._id}`, twice);
    expect([refused.statusCode, refused.json.code]).toEqual([400, 'ab_test_invalid']);
  });

  it('starts however many leads its effect would take to find', async () => {
    const place = await openPlace();
    let asked = 0;
    buyer.answer(() => (asked++ % 60 === 0 ? SOLD : { body: JSON.stringify({ result: 'rejected' }) }));
    await sendMany(place, 60);
    buyer.answer(() => SOLD);
    const test = await start(
      place,
      await make(
        place,
        [
          { ...CONTROL, sharePercent: 99 },
          { name: 'B', sharePercent: 1, floor: '1' },
        ],
        { minimumEffect: 0.1 },
      ),
    );
    expect((await view(place, test)).test.plannedLeads).toBeGreaterThan(2 ** 31);
  });

  it('promotes the winner: its tree is published with a version, its terms become the campaign’s, and a stale tree is refused', async () => {
    const place = await openPlace({ margin: { kind: 'fixed', amount: dollars(1) } });
    await draftBob(place);
    const bob = {
      name: 'Bob',
      sharePercent: 50,
      tree: { from: 'draft' },
      margin: { kind: 'percent', percent: 25 },
      floor: '12',
      pricePercent: 110,
    };
    const test = await start(place, await make(place, [CONTROL, bob], { metric: 'margin' }));
    const path = `/api/console/campaigns/${place.campaignId}`;
    const seen = await view(place, test);
    const winner = seen.test.variants[1]._id;
    // Somebody publishes meanwhile: what is promoted was not seen beside that.
    const { state } = (await get(place.cookie, `${path}/tree`)).json;
    await call(place.cookie, `${path}/publish`, { state, note: 'meanwhile' });
    const stale = await step(place, test, 'promote', { variantId: winner, version: seen.test.version, state: seen.state });
    expect([stale.statusCode, stale.json.code]).toEqual([409, 'tree_changed']);
    const now = await view(place, test);
    expect(now.changes).toMatchObject([{ by: 'Una User', what: 'published a tree' }]);
    const promoted = await step(place, test, 'promote', { variantId: winner, version: now.test.version, state: now.state });
    expect([promoted.statusCode, promoted.json.msg]).toEqual([200, 'Promoted. The next lead goes by it.']);
    expect(promoted.json.test).toMatchObject({ status: 'stopped', promotedVariantId: winner });
    const tree = (await get(place.cookie, `${path}/tree`)).json;
    expect(tree.live).toMatchObject([{ name: 'Bob first', members: [{ buyerTierId: place.tiers[1]!.buyerTierId }] }]);
    expect(tree.versions[0].note).toMatch(/^Bob, the winner of the A\/B test Test /);
    await reload(place);
    const sold = await send(place, 900);
    expect(sold.json.price).toBe('11.00');
    const { rows } = await nodes[0].pool.query('select margin, floor::text from campaign where id = $1', [place.campaignId]);
    expect(rows).toEqual([{ margin: { kind: 'percent', percent: 25 }, floor: '12.0000' }]);
    // A second time would raise the prices again.
    const after = await view(place, test);
    const again = await step(place, test, 'promote', { variantId: winner, version: after.test.version, state: after.state });
    expect([again.statusCode, again.json.code]).toEqual([409, 'ab_test_promoted']);
    // The history stays, and nothing of it can be promoted by a stranger.
    const stranger = await openPlace();
    expect((await get(stranger.cookie, `/api/console/ab-tests/${test._id}`)).statusCode).toBe(404);
  });

  it('opens to who has the page; to start and to promote takes the page Set-up as well', async () => {
    const place = await openPlace();
    const allowed = (...values: string[]): RegionPermission[] => [
      {
        regionId: place.regionId,
        regionChecked: true,
        verticals: [{ verticalId: place.verticalId, verticalChecked: true, pages: values.map((value) => ({ value, pageChecked: true })) }],
      } as RegionPermission,
    ];
    const member = async (...values: string[]) =>
      signIn(await buildUser(nodes[0].db, place.organizationId, { role: 'member', permissions: allowed(...values) }));
    const [tester, builder, both] = [await member('ab-testing'), await member('setup'), await member('ab-testing', 'setup')];
    const draft = await make({ ...place, cookie: tester }, [CONTROL, { name: 'B', sharePercent: 50, floor: '1' }]);
    const early = await step(place, draft, 'start', { version: draft.version }, tester);
    expect([early.statusCode, early.json.code]).toEqual([403, 'ab_test_forbidden']);
    const test = await start({ ...place, cookie: both }, draft);
    expect((await get(builder, `/api/console/ab-tests/${test._id}`)).statusCode).toBe(404);
    expect((await get(builder, '/api/console/ab-tests?region=us&vertical=payday')).statusCode).toBe(403);
    const { state } = (await get(tester, `/api/console/ab-tests/${test._id}`)).json;
    const body = { variantId: test.variants[1]!._id, version: test.version, state };
    const refused = await step(place, test, 'promote', body, tester);
    expect([refused.statusCode, refused.json.code]).toEqual([403, 'ab_test_forbidden']);
    expect((await step(place, test, 'promote', body, both)).statusCode).toBe(200);
  });
});
