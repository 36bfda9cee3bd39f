/** console §7: calls of the set-up that meet. They wait for each other, never for long, and nobody else waits for them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConfigurationDocument } from '#contract/configuration-document.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { type PostAnswer, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const C = '/api/v1/common';
/** One node with few connections of its own: who keeps them from others is found out at once. */
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;
let counter = 0;

beforeAll(async () => {
  node = await startTestWorld({ databasePool: 5 });
  buyer = await startBuyer();
  world = await buildWorld(node.db, {
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }],
    services: { phone: { url: buyer.url } },
  });
  owner = await signIn(world);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

async function signIn({ organizationId }: World): Promise<string> {
  const { email, password } = await buildUser(node.db, organizationId);
  const answer = await node.post('/team-login', { email, password }, OWN_PAGE);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

const call = (path: string, body: object, cookie = owner) => node.post(path, body, { ...OWN_PAGE, cookie });
const add = (model: string, data: object) => call(`${C}/post-add-data`, { model, ...data });
const edit = (model: string, _id: string, data: object) => call(`${C}/post-edit-data`, { model, _id, ...data });
const remove = (model: string, _id: string) => call(`${C}/post-delete-data`, { model, _id });
const made = async (model: string, data: object): Promise<string> => (await add(model, data)).json.data._id;
const unique = (word: string) => `${word} ${++counter}`;
const get = (path: string, cookie = owner) => fetch(node.url + path, { headers: { ...OWN_PAGE, cookie } });

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; tried < 3_000; tried++) {
    if (await isSo()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error('It did not come to that.');
}

/** How many of this node's database calls wait for a lock. */
const countWaiting = async (): Promise<number> =>
  (await node.pool.query(`select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`))
    .rows[0].n;

/** Another organization goes about its business: sells a ping's lead, reads its set-up and its log, and the node is ready. */
async function openNeighbour() {
  const neighbour = await buildWorld(node.db, {
    groups: [{ mode: 'auction', tiers: [{ url: buyer.url, delivery: 'pingPost', price: { kind: 'bid' } }] }],
    publisher: { pingsPerMinute: 1000 },
  });
  await node.planBook.reload(neighbour.organizationId);
  const cookie = await signIn(neighbour);
  const auth = { authorization: `Bearer ${neighbour.key}` };
  const ping = async () => {
    const shown = { state: 'NY', zip: '01234', monthly_income: String(3000 + ++counter) };
    return { shown, pingId: (await node.post('/api/v1/leads/ping', shown, auth)).json.pingId as string };
  };
  return {
    /** Status codes of everything: a call that waits two seconds for a connection is refused. */
    async business() {
      const { shown, pingId } = await ping();
      const lead = { ...LEAD, email: `neighbour${++counter}@example.com` };
      return Promise.all([
        node.post('/api/v1/leads/post', { ...lead, ...shown, pingId }, auth).then((answer) => answer.json.status),
        get('/api/v1/change-log', cookie).then((answer) => answer.status),
        call(`${C}/get-data`, { model: 'buyer' }, cookie).then((answer) => answer.statusCode),
        get('/readyz').then((answer) => answer.status),
      ]);
    },
  };
}
const NORMAL = ['accepted', 200, 200, 200];

describe('an organization that imports and edits', () => {
  const document = async (buyers: number): Promise<ConfigurationDocument> => ({
    ...(await (await get('/api/v1/configuration/export')).json()),
    buyers: Array.from({ length: buyers }, () => ({ name: unique('Imported'), data: {} })),
    buyerTiers: [],
    campaigns: [],
    publisherTiers: [],
    contacts: [],
  });
  const rehearse = (of: ConfigurationDocument) => call('/api/v1/configuration/import', { document: of, dryRun: true });
  const importing = async (): Promise<boolean> =>
    (
      await node.pool.query(
        `select 1 from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
      )
    ).rowCount! > 0;

  it('keeps neither its own edits nor another organization’s leads, console and readiness waiting', async () => {
    const neighbour = await openNeighbour();
    let isOver = false;
    const rehearsal = rehearse(await document(1_000)).finally(() => {
      isOver = true;
    });
    await until(importing);
    const edits = Promise.all(Array.from({ length: 40 }, () => edit('campaign', world.campaignId, { name: unique('Renamed') })));
    for (let time = 0; time < 3; time++) expect(await neighbour.business()).toEqual(NORMAL);
    const codes = (await edits).map((answer) => answer.statusCode);
    expect(new Set(codes)).toEqual(new Set([200]));
    // All of it went by while it was still at work, or the test shows nothing.
    expect(isOver).toBe(false);
    expect((await rehearsal).json.added).toMatchObject({ buyer: 1_000 });
  });

  it('imports one thing at a time', async () => {
    const first = rehearse(await document(150));
    await until(importing);
    const second = await rehearse(await document(1));
    expect([second.statusCode, second.json.code]).toEqual([409, 'import_under_way']);
    expect((await first).statusCode).toBe(200);
    expect((await rehearse(await document(1))).statusCode).toBe(200);
  });

  it('with forty edits that wait for one record, takes nothing from another organization, and is told to try again', async () => {
    const neighbour = await openNeighbour();
    const holder = await node.pool.connect();
    const waiting: Promise<PostAnswer>[] = [];
    try {
      await holder.query('begin');
      await holder.query('select 1 from campaign where id = $1 for update', [world.campaignId]);
      for (let time = 0; time < 40; time++) waiting.push(edit('campaign', world.campaignId, { name: unique('Waits') }));
      await until(async () => (await countWaiting()) >= 3);
      expect(await neighbour.business()).toEqual(NORMAL);
      // The first three waited as long as anybody may, whichever they are; those behind them come after the record is free again.
      const refused = await Promise.race(waiting);
      expect([refused.statusCode, refused.json.code]).toEqual([409, 'set_up_busy']);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
    const codes = (await Promise.all(waiting)).map((answer) => answer.statusCode);
    expect(codes.filter((code) => code === 200).length).toBeGreaterThanOrEqual(30);
    expect(codes.every((code) => code === 200 || code === 409)).toBe(true);
  });
});

it('console §7: edits of many records at once and of each of them by themselves all come through', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 10; n++) ids.push(await made('buyer', { name: unique('Met') }));
  const codes: number[] = [];
  for (let round = 0; round < 6; round++) {
    const many = (order: string[]) =>
      call(`${C}/post-edit-data-with-condition`, { model: 'buyer', condition: { _id: { in: order } }, data: { notes: unique('many') } });
    const answers = await Promise.all([
      many(ids),
      many(ids.toReversed()),
      ...ids.toReversed().map((id) => edit('buyer', id, { notes: unique('one') })),
    ]);
    codes.push(...answers.map((answer) => answer.statusCode));
  }
  expect(codes.filter((code) => code !== 200)).toEqual([]);
});

describe('console §7: archiving meets what comes to need the record', () => {
  const ROUNDS = 15;
  const endpoint = {
    post: { url: 'https://buyer.example/', method: 'POST', body: { format: 'json', mapping: [] }, response: { outcomes: [] } },
  };
  const tier = (more: object = {}) => ({
    ...{ name: unique('Tier'), buyerId: world.tiers[0]!.buyerId, verticalId: world.verticalId, delivery: 'post' },
    ...{ price: { kind: 'fixed', price: '1' }, endpoint },
    ...more,
  });
  const seat = (more: object = {}) => ({
    ...{ name: unique('Seat'), publisherId: world.publisherId, campaignId: world.campaignId, priceModel: { kind: 'fixed', price: '1' } },
    ...more,
  });
  const campaign = () =>
    made('campaign', { name: unique('Campaign'), verticalId: world.verticalId, margin: { kind: 'fixed', amount: '0' } });
  const newPublisher = () => made('publisher', { name: unique('Publisher'), affiliateId: `P${++counter}` });
  const field = async () => {
    const fieldName = `age_${++counter}`;
    const data = { fieldName, verticalId: world.verticalId, fieldHumanName: fieldName, type: 'integer', privacyClass: 'P1' };
    return { fieldName, _id: await made('field', data) };
  };
  const tree = `/api/console/campaigns/`;
  const stateOf = async (id: string): Promise<string> => ((await (await get(`${tree}${id}/tree`)).json()) as { state: string }).state;

  // Each makes what meets anew, and returns the two calls of which one must be refused.
  it.each<[string, () => Promise<[() => Promise<PostAnswer>, () => Promise<PostAnswer>]>]>([
    [
      'a buyer, and a new tier of it',
      async () => {
        const buyerId = await made('buyer', { name: unique('Buyer') });
        return [() => add('buyerTier', tier({ buyerId })), () => remove('buyer', buyerId)];
      },
    ],
    [
      'a publisher, and a new tier of it',
      async () => {
        const publisherId = await newPublisher();
        return [() => add('publisherTier', seat({ publisherId })), () => remove('publisher', publisherId)];
      },
    ],
    [
      'a campaign, and a publisher tier that posts to it',
      async () => {
        const campaignId = await campaign();
        return [() => add('publisherTier', seat({ campaignId })), () => remove('campaign', campaignId)];
      },
    ],
    [
      'a buyer, and its tier that comes back',
      async () => {
        const buyerId = await made('buyer', { name: unique('Buyer') });
        const id = await made('buyerTier', tier({ buyerId }));
        await remove('buyerTier', id);
        return [() => edit('buyerTier', id, { status: 'active' }), () => remove('buyer', buyerId)];
      },
    ],
    [
      'a tier, and a tree with it that is published',
      async () => {
        const [id, buyerTierId] = [await campaign(), await made('buyerTier', tier())];
        const groups = [{ name: 'Group', mode: 'priority', members: [{ buyerTierId }] }];
        await call(`${tree}${id}/draft`, { state: await stateOf(id), groups });
        const state = await stateOf(id);
        return [() => call(`${tree}${id}/publish`, { state, note: '' }), () => remove('buyerTier', buyerTierId)];
      },
    ],
    [
      'a field that goes, and a filter that begins to use it',
      async () => {
        const [{ fieldName, _id }, id] = [await field(), await made('buyerTier', tier())];
        return [() => edit('buyerTier', id, { filter: { field: fieldName, is: 'atLeast', value: 21 } }), () => remove('field', _id)];
      },
    ],
    [
      'a field of another type, and a filter that begins to use it',
      async () => {
        const [{ fieldName, _id }, id] = [await field(), await made('publisherTier', seat())];
        const filter = { field: fieldName, is: 'atLeast', value: 21 };
        return [() => edit('publisherTier', id, { filter }), () => edit('field', _id, { type: 'boolean' })];
      },
    ],
  ])('%s: one of them is refused, whoever was first', async (_, meeting) => {
    const done: number[][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const [needs, goes] = await meeting();
      const answers = await Promise.all(round % 2 === 0 ? [needs(), goes()] : [goes(), needs()]);
      done.push(answers.map((answer) => answer.statusCode).sort());
    }
    expect(done.filter(([first, second]) => first !== 200 || second! < 400 || second! >= 500)).toEqual([]);
  });

  it('what was left behind by an older race stays behind in an export, by name; the rest is taken in elsewhere', async () => {
    const buyerId = await made('buyer', { name: unique('Gone') });
    const left = tier({ buyerId, name: 'Left' });
    await add('buyerTier', left);
    await node.pool.query(`update buyer set status = 'archived' where id = $1`, [buyerId]);
    const document = (await (await get('/api/v1/configuration/export')).json()) as ConfigurationDocument;
    expect(document.buyerTiers.map((one) => one.name)).not.toContain('Left');
    expect(document.notes.filter((note) => note.includes('Left'))).toEqual([
      `Buyer tier Gone ${/Gone (\d+)/.exec(document.notes.join())![1]}, Left stayed behind, as its buyer did.`,
    ]);
    const elsewhere = await signIn(await buildWorld(node.db, {}));
    const taken = await call('/api/v1/configuration/import', { document, dryRun: true }, elsewhere);
    expect([taken.statusCode, taken.json.notes.some((note: string) => note.includes('Left stayed behind'))]).toEqual([200, true]);
  });
});

describe('change-logs-mgmt: taking a change back meets what comes later', () => {
  const rollBack = (_id: string) => call('/api/v1/change-log/roll-back', { _id });
  const latest = async (recordId: string): Promise<string> =>
    ((await (await get(`/api/v1/change-log?recordId=${recordId}`)).json()) as { changes: { _id: string }[] }).changes[0]!._id;

  it('a saved edit is never undone by the roll back of an earlier one', async () => {
    const lost: string[] = [];
    for (let round = 0; round < 15; round++) {
      const id = await made('buyer', { name: unique('Logged') });
      await edit('buyer', id, { notes: 'first' });
      const change = await latest(id);
      const [back, saved] = await Promise.all([rollBack(change), edit('buyer', id, { notes: 'later' })]);
      expect(saved.statusCode).toBe(200);
      const { notes } = (await call(`${C}/single-data`, { model: 'buyer', condition: { _id: id } })).json.data;
      if (notes !== 'later') lost.push(`${back.statusCode} ${notes}`);
    }
    expect(lost).toEqual([]);
  });

  it('of six who take one change back at once, one does', async () => {
    for (let round = 0; round < 3; round++) {
      const id = await made('buyer', { name: unique('Logged'), notes: 'zero' });
      await edit('buyer', id, { notes: 'first' });
      const change = await latest(id);
      const codes = (await Promise.all(Array.from({ length: 6 }, () => rollBack(change)))).map((answer) => answer.json.code ?? 'done');
      expect(codes.sort()).toEqual([...Array(5).fill('change_rolled_back'), 'done']);
    }
  });
});
