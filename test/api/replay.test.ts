/** console §2 (page 27): stored leads replayed through the published tree and another, without a buyer hearing of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReplayAnswer, ReplaysAnswer } from '#contract/replay.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { addMoney, formatMoney, parseMoney } from '#engine/money.ts';
import { idInstant, newId } from '#server/kit/ids.ts';
import { readPage } from '#server/lab/stored-leads.sql.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const REPLAYS = '/api/console/lab/replays';
const LEADS = 24;
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;
let from: string;
let to: string;

const as = (cookie: string) => ({ ...OWN_PAGE, cookie });
const get = async <T = ReplayAnswer>(path: string, cookie = owner) => {
  const response = await fetch(node.url + path, { headers: as(cookie) });
  return { statusCode: response.status, json: (await response.json()) as T & { code?: string } };
};
const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
const start = (more: Record<string, unknown> = {}, cookie = owner) =>
  node.post(REPLAYS, { campaignId: world.campaignId, from, to, change: { tree: 'published' }, ...more }, as(cookie));
const tier = (at: number) => world.tiers[at]!.buyerTierId;

async function finished(replayId: string): Promise<ReplayAnswer> {
  for (;;) {
    const { json } = await get(`${REPLAYS}/${replayId}`);
    if (!['waiting', 'running'].includes(json.replay.status)) return json;
    await sleep(50);
  }
}
async function replay(more: Record<string, unknown> = {}) {
  const { statusCode, json } = await start(more);
  expect(statusCode).toBe(200);
  const answer = await finished(json.replayId);
  expect(answer.replay.failure).toBeNull();
  return { id: json.replayId as string, ...answer, result: answer.result! };
}

/** Dear and choosy, then cheap and ready; every third lead is refused by the first. */
beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(({ path, body }) => {
    const n = Number(/person(\d+)/.exec(body)?.[1]);
    if (path.startsWith('/dear')) return n % 3 === 0 ? REJECT : ACCEPT;
    return { body: JSON.stringify({ result: 'accepted', price: '12.00', id: `C-${n}` }) };
  });
  world = await buildWorld(node.db, {
    margin: { kind: 'fixed', amount: dollars(1) },
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: `${buyer.url}/dear`, name: 'dear', price: { kind: 'fixed', price: dollars(20) } },
          { url: `${buyer.url}/cheap`, name: 'cheap', price: { kind: 'fixed', price: dollars(12) } },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  owner = await signIn(await buildUser(node.db, world.organizationId));
  from = new Date(Date.now() - 60_000).toISOString();
  for (let n = 0; n < LEADS; n++) {
    const lead = { ...LEAD, email: `person${n}@example.com`, phone: `21255501${String(n).padStart(2, '0')}` };
    const { json } = await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` });
    expect(json.status).toBe('accepted');
  }
  // One that is not valid, and a test, which counts nowhere.
  await node.post('/api/v1/leads', { ...LEAD, email: 'x' }, { authorization: `Bearer ${world.key}` });
  await node.post('/api/v1/leads', { ...LEAD, test: true }, { authorization: `Bearer ${world.key}` });
  to = new Date(Date.now() + 60_000).toISOString();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

async function saveDraft(groups: TreeGroup[]): Promise<{ state: string }> {
  const path = `/api/console/campaigns/${world.campaignId}`;
  const { json: tree } = await get<{ state: string }>(`${path}/tree`);
  const saved = await node.post(`${path}/draft`, { groups, state: tree.state }, as(owner));
  expect(saved.statusCode).toBe(200);
  return saved.json;
}
const group = (...members: string[]): TreeGroup => ({
  ...{ _id: null, name: 'New', mode: 'priority', timeLimitMs: null },
  members: members.map((buyerTierId) => ({ buyerTierId, weight: null })),
});

describe('stored leads', () => {
  it('come page by page in order of time, those of other campaigns and tests left out, none lost between two pages', async () => {
    const keys = node.planBook.find(world.organizationId)!.keys;
    const readAll = async (campaignId: string, size: number, publisherTierId: string | null = null) => {
      const { organizationId, verticalId } = world;
      const span = { organizationId, verticalId, campaignId, publisherTierId, from: Date.parse(from), to: Date.parse(to) };
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const page = await readPage(node.db, keys, span, { after, size, asksServices: false });
        ids.push(...page.leads.flatMap(({ lead }) => (lead ? [lead.id] : [])));
        after = page.after;
      } while (after !== undefined);
      return ids;
    };
    const whole = await readAll(world.campaignId, 1_000);
    expect(whole).toHaveLength(LEADS);
    expect(whole).toEqual(whole.toSorted());
    for (const size of [1, 2, 3, LEADS + 2]) expect(await readAll(world.campaignId, size)).toEqual(whole);
    expect(await readAll(world.campaignId, 5, world.publisherTierId)).toEqual(whole);
    expect(await readAll(newId(), 2)).toEqual([]);
  });
});

describe('a replay', () => {
  it('of the published tree comes to what really happened, to the cent, where every answer is on record', async () => {
    const calls = buyer.calls.length;
    const { result } = await replay();
    const rows = await sql<{ leads: number; sold: number; revenue: string; payout: string }>`
      select count(*)::int as leads, count(*) filter (where r.sale_count > 0)::int as sold, sum(r.revenue)::text as revenue, sum(r.payout)::text as payout
      from lead l join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
      where l.organization_id = ${world.organizationId}::uuid and not l.test`.execute(node.db);
    const { leads, sold, revenue, payout } = rows.rows[0]!;
    expect(leads).toBe(LEADS + 1);
    const money = { revenue: formatMoney(parseMoney(revenue)!), payout: formatMoney(parseMoney(payout)!) };
    expect(result.really).toMatchObject({ leads, sold, ...money });
    const { reasons, statuses, ...figures } = result.really;
    expect(result.published).toMatchObject(figures);
    expect(statuses).toEqual({ sold: LEADS, invalid: 1 });
    expect(result.published.statuses).toEqual(statuses);
    expect(result.published.reasons).toEqual(reasons);
    expect(result.changed).toEqual(result.published);
    expect(result.sources.published).toEqual({ recorded: 32, drawn: 0, unknown: 0 });
    for (const one of result.buyerTiers) expect(one.published).toEqual(one.really);
    expect(buyer.calls.length).toBe(calls);
  });

  it('of a draft tells the difference per buyer and per group, the same again each time', async () => {
    await saveDraft([group(tier(1)), { ...group(tier(0)), name: 'Then' }]);
    const { result, changed } = await replay({ change: { tree: 'draft' } });
    expect(changed.map(({ name }) => name)).toEqual(['New', 'Then']);
    // The cheap one was asked for eight leads and took them all: so it takes every lead now.
    expect(result.changed).toMatchObject({ sold: LEADS, revenue: formatMoney(LEADS * dollars(12)) });
    expect(result.published.revenue).toBe(formatMoney(16 * dollars(20) + 8 * dollars(12)));
    const [cheap, dear] = result.buyerTiers;
    expect(cheap).toMatchObject({ name: 'cheap', published: { asked: 8, sales: 8 }, changed: { asked: LEADS, sales: LEADS } });
    expect(dear).toMatchObject({
      name: 'dear',
      published: { asked: LEADS, sales: 16 },
      changed: { asked: 0, ends: { notReached: LEADS } },
    });
    expect(result.groups.map(({ name, changed: one }) => [name, one.sales])).toEqual([
      ['New', LEADS],
      ['Then', 0],
      ['Group 1', 0],
    ]);
    expect(result.sources.changed).toEqual({ recorded: 8, drawn: 16, unknown: 0 });
    // The same leads are sold, so none was gained or lost; the list tells what it does to the margin.
    expect([result.gained, result.lost, result.neverAsked]).toEqual([{ leads: 0, ids: [] }, { leads: 0, ids: [] }, []]);
    const { json: list } = await get<ReplaysAnswer>(`${REPLAYS}?region=us&vertical=payday`);
    const margin = (text: string) => parseMoney(text)!;
    expect(list.replays[0]!.marginChange).toBe(formatMoney(margin(result.changed.margin) - margin(result.published.margin)));
    const again = await replay({ change: { tree: 'draft' } });
    expect({ ...again.result, leadsPerSecond: 0 }).toEqual({ ...result, leadsPerSecond: 0 });
  });

  it('by the other rule sells nothing that is not on record', async () => {
    const { result } = await replay({ change: { tree: 'draft' }, unrecorded: 'rejects' });
    // Eight at the cheap one, and those that the dear one took then.
    expect(result.changed).toMatchObject({ sold: LEADS, revenue: result.published.revenue });
    expect(result.buyerTiers[0]!.changed).toMatchObject({ sales: 8, ends: { sold: 8, rejected: 16 } });
  });

  it('of other settings: a price, a floor, a pause and a margin', async () => {
    const settings = (buyerTiers: object[], more = {}) => ({ settings: { buyerTiers, ...more } });
    const dearer = await replay(settings([{ _id: tier(1), price: '15.00' }]));
    expect(dearer.result.changed.revenue).toBe(formatMoney(16 * dollars(20) + 8 * dollars(15)));
    const paused = await replay(settings([{ _id: tier(0), status: 'paused' }]));
    expect(paused.result.buyerTiers[0]!.changed).toMatchObject({ asked: 0, ends: { filtered: LEADS } });
    const floored = await replay(settings([], { floor: '13.00' }));
    expect(floored.result.changed.sold).toBe(16);
    // The leads that only the published tree sells are those, by their ids.
    expect(floored.result.lost.leads).toBe(8);
    const unlike = await node.db
      .selectFrom('sale')
      .select('lead_id')
      .where('organization_id', '=', world.organizationId)
      .where('buyer_tier_id', '=', tier(1))
      .execute();
    expect(floored.result.lost.ids.toSorted()).toEqual(unlike.map((row) => row.lead_id).toSorted());
    const hurried = await replay(settings([], { timeLimitMs: 100 }));
    expect(hurried.result.changed).toMatchObject({ leads: LEADS + 1 });
    const margin = await replay(settings([], { margin: { kind: 'fixed', amount: '5.00' } }));
    expect(addMoney(parseMoney(margin.result.changed.payout)!, parseMoney(margin.result.changed.margin)!)).toBe(
      parseMoney(margin.result.changed.revenue)!,
    );
    expect(margin.result.changed.sold).toBeLessThan(margin.result.published.sold);
  });

  it('takes and books nothing, and keeps nothing personal', async () => {
    const { organizationId } = world;
    const tables = [
      'counter',
      'reservation',
      'duplicate_claim',
      'lead',
      'lead_result',
      'sale',
      'attempt',
      'ledger_entry',
      'group_turn',
    ] as const;
    const count = () =>
      Promise.all(tables.map((table) => node.db.selectFrom(table).selectAll().where('organization_id', '=', organizationId).execute()));
    const before = JSON.stringify(await count());
    await replay({ change: { tree: 'draft' } });
    expect(JSON.stringify(await count())).toBe(before);
    const rows = await node.db.selectFrom('replay').selectAll().where('organization_id', '=', organizationId).execute();
    expect(JSON.stringify(rows)).not.toMatch(/person\d|2125550/);
  });

  it('from its result the draft is published by the same call as ever, and a draft that moved on is refused', async () => {
    await saveDraft([group(tier(1), tier(0))]);
    const { id: replayId, changed, draft } = await replay({ change: { tree: 'draft' } });
    expect(draft).toBe('same');
    const path = `/api/console/campaigns/${world.campaignId}`;
    const { json: tree } = await get<{ state: string; draft: { groups: TreeGroup[] } }>(`${path}/tree`);
    expect(tree.draft.groups).toEqual(changed);
    const moved = await saveDraft([group(tier(0))]);
    expect((await get(`${REPLAYS}/${replayId}`)).json.draft).toBe('changed');
    expect((await node.post(`${path}/publish`, { state: tree.state, note: '' }, as(owner))).json.code).toBe('tree_changed');
    expect((await node.post(`${path}/publish`, { state: moved.state, note: '' }, as(owner))).statusCode).toBe(200);
    expect((await get(`${REPLAYS}/${replayId}`)).json.draft).toBe('gone');
    const { json: after } = await get<{ versions: { _id: string }[] }>(`${path}/tree`);
    const earlier = await replay({ change: { tree: 'version', versionId: after.versions.at(-1)!._id } });
    expect(earlier.changed[0]!.members).toHaveLength(2);
    await node.post(
      `${path}/roll-back`,
      { versionId: after.versions.at(-1)!._id, state: (await get<{ state: string }>(`${path}/tree`)).json.state },
      as(owner),
    );
  });

  it('a cap goes on from what was sold in its window before the span', async () => {
    const { organizationId } = world;
    const overall = { measure: 'sold', period: 'overall', timeZone: 'UTC' };
    const setCap = async (limit: number | null) => {
      const caps = JSON.stringify(limit === null ? [] : [{ ...overall, limit }]);
      await node.db
        .updateTable('buyer_tier')
        .set({ caps })
        .where('organization_id', '=', organizationId)
        .where('id', '=', tier(0))
        .execute();
      await node.planBook.reload(organizationId);
    };
    const sold = await node.db
      .selectFrom('sale')
      .select('lead_id')
      .where('organization_id', '=', organizationId)
      .where('buyer_tier_id', '=', tier(0))
      .orderBy('lead_id')
      .execute();
    // Ten sales before the span, six in it; the cap leaves room for two of those.
    const begins = new Date(idInstant(sold[10]!.lead_id)).toISOString();
    await setCap(12);
    const { result } = await replay({ from: begins });
    const dear = result.buyerTiers.find(({ _id }) => _id === tier(0))!;
    expect([dear.really.sales, dear.published.sales]).toEqual([sold.length - 10, 2]);
    expect(dear.published.ends['filtered 5']).toBeGreaterThan(0);
    await setCap(null);
  });

  it('a lead that was refused as a duplicate of one before the span is refused again', async () => {
    const { publisherTierId, organizationId } = world;
    const duplicate = JSON.stringify({ fields: ['email'], match: 'any', windowDays: 30, counts: 'received' });
    await node.db.updateTable('publisher_tier').set({ duplicate }).where('id', '=', publisherTierId).execute();
    await node.planBook.reload(organizationId);
    const lead = { ...LEAD, email: 'again@example.com' };
    await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` });
    await sleep(20);
    const between = new Date().toISOString();
    await sleep(20);
    const second = await node.post('/api/v1/leads', { ...lead, zip: '10002' }, { authorization: `Bearer ${world.key}` });
    expect(second.json.status).toBe('duplicate');
    const { result } = await replay({ from: between });
    expect([result.really.statuses, result.published.statuses]).toEqual([{ duplicate: 1 }, { duplicate: 1 }]);
    await node.db.updateTable('publisher_tier').set({ duplicate: null }).where('id', '=', publisherTierId).execute();
    await node.planBook.reload(organizationId);
  });
});

describe('who may, and when', () => {
  it('console §6: the page opens it, in its vertical; a stranger’s replay is not there', async () => {
    const other = await buildWorld(node.db);
    await node.planBook.reload(other.organizationId);
    const stranger = await signIn(await buildUser(node.db, other.organizationId));
    const { id } = await replay();
    expect((await get(`${REPLAYS}/${id}`, stranger)).json.code).toBe('replay_unknown');
    expect((await node.post(`${REPLAYS}/${id}/cancel`, {}, as(stranger))).statusCode).toBe(404);
    expect((await start({}, stranger)).json.code).toBe('campaign_unknown');
    const plain = await signIn(await buildUser(node.db, world.organizationId, { role: 'member' }));
    expect((await get(`${REPLAYS}/${id}`, plain)).statusCode).toBe(404);
    expect((await get(`${REPLAYS}/${id}`)).json).toMatchObject({ mayPublish: true, mayReadLeads: true, draft: null });
    expect((await get(`${REPLAYS}/${id}`)).json).toMatchObject({ place: { region: 'us', vertical: 'payday' } });
    expect((await start({}, plain)).statusCode).toBe(404);
    const log = await get<{ changes: { recordId: string }[] }>('/api/v1/change-log?model=replay');
    expect(log.json.changes.map((one) => one.recordId)).toContain(id);
  });

  it('account §5: a span that ends before it begins or in the future, a draft that is not there and settings that cannot be are refused', async () => {
    expect((await start({ from: to, to: from })).json).toMatchObject({
      ...{ code: 'replay_span_backwards', msg: 'The end must not be before the start.' },
    });
    expect((await start({ from, to: new Date(Date.now() + 72 * 3_600_000).toISOString() })).json).toMatchObject({
      ...{ code: 'replay_span_future', msg: 'Future date is not allowed.' },
    });
    expect((await start({ change: { tree: 'draft' } })).json.code).toBe('draft_missing');
    expect((await start({ publisherTierId: newId() })).json.code).toBe('publisher_tier_unknown');
    for (const buyerTiers of [
      [{ _id: 'x' }],
      [
        { _id: tier(0), status: 'paused' },
        { _id: tier(0), price: '9.00' },
      ],
    ])
      expect((await start({ settings: { buyerTiers } })).json).toMatchObject({
        code: 'replay_settings_invalid',
        errors: [{ field: `settings.buyerTiers.${buyerTiers.length - 1}._id` }],
      });
    await node.db
      .updateTable('buyer_tier')
      .set({ price: JSON.stringify({ kind: 'bid' }) })
      .where('id', '=', tier(1))
      .execute();
    await node.planBook.reload(world.organizationId);
    expect((await start({ settings: { buyerTiers: [{ _id: tier(1), price: '9.00' }] } })).json).toMatchObject({
      code: 'replay_settings_invalid',
      errors: [{ field: 'settings.buyerTiers.0.price' }],
    });
    await node.db
      .updateTable('buyer_tier')
      .set({ price: JSON.stringify({ kind: 'fixed', price: dollars(10) }) })
      .where('id', '=', tier(1))
      .execute();
    await node.planBook.reload(world.organizationId);
  });

  it('is cancelled for good, and begun anew where its node was lost', async () => {
    const { organizationId } = world;
    const cancelled = (await start()).json.replayId;
    const answer = await node.post(`${REPLAYS}/${cancelled}/cancel`, {}, as(owner));
    const { replay: over } = await finished(cancelled);
    expect([answer.statusCode, over.status]).toEqual([200, 'cancelled']);
    expect((await node.post(`${REPLAYS}/${cancelled}/cancel`, {}, as(owner))).json.code).toBe('replay_over');
    const { id, result } = await replay();
    // As if another node had claimed it and died.
    await node.db
      .updateTable('replay')
      .set({ status: 'running', result: null, lease_holder: newId(), lease_until: new Date(Date.now() - 1_000), ended_at: null })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    const again = await finished(id);
    expect({ ...again.result, leadsPerSecond: 0 }).toEqual({ ...result, leadsPerSecond: 0 });
  });
});
