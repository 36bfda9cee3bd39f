/** account §1, §3: publisher tiers that take leads from landers, and from nothing else. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LeadsAnswer, LeadView } from '#contract/lead.ts';
import type { PostingSpecsAnswer } from '#contract/posting-spec.ts';
import type { TreeAnswer } from '#contract/tree.ts';
import type { Warning } from '#contract/warning.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { addLanderTier, buildUser, buildWorld, insertKey, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: Visitor;
let landerTierId: string;
let network = 0;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  network += 1;
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  landerTierId = await addLanderTier(node.db, world);
  await node.planBook.reload(world.organizationId);
  const { email, password } = await buildUser(node.db, world.organizationId);
  owner = visit(node, { host: '127.0.0.1' });
  expect((await owner.post('/team-login', { email, password })).statusCode).toBe(200);
});

const add = (model: string, data: Record<string, unknown>) => owner.post('/api/v1/common/post-add-data', { model, ...data });
const edit = (model: string, _id: string, data: Record<string, unknown>) =>
  owner.post('/api/v1/common/post-edit-data', { model, _id, ...data });
const read = async (model: string, _id: string) =>
  (await owner.post('/api/v1/common/single-data', { model, condition: { _id } })).json.data;
const cardData = (publisherTierId: string | null, more: Record<string, unknown> = {}) => ({
  ...{ verticalId: world.verticalId, name: 'Grace Hopper', hasLander: true, publisherTierId },
  ...{ landerDescription: '<p>A loan?</p>', landerFields: Object.keys(LEAD) },
  ...more,
});
async function addCard(publisherTierId: string, more?: Record<string, unknown>): Promise<string> {
  const { statusCode, json } = await add('card', cardData(publisherTierId, more));
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
/** As it stood in a database before there were kinds: a card and a site that posts share a tier. */
async function oldCard(): Promise<string> {
  const id = await addCard(landerTierId);
  await node.pool.query('update card set publisher_tier_id = $2 where id = $1', [id, world.publisherTierId]);
  return id;
}
const submit = (id: string, more: Record<string, unknown> = {}) =>
  node.app.inject({
    ...{
      method: 'POST',
      url: '/api/v1/drawcard/submit-lander',
      remoteAddress: `198.51.100.${network}`,
      headers: { 'user-agent': 'Phone' },
    },
    payload: { dc_status: 1, dc_rolodex_id: id, rolodexId: id, ...LEAD, ...more },
  });
const post = (key: string, lead: object = LEAD) => node.post('/api/v1/leads', lead, { authorization: `Bearer ${key}` });
const newKey = (id: string) => owner.post(`/api/console/publisher-tiers/${id}/keys/new`, { overlapHours: null });
const allWarnings = async (): Promise<Warning[]> => (await owner.get(`/api/console/campaigns/${world.campaignId}/flow`)).json.warnings;
const warningsOf = async () => (await allWarnings()).filter(({ kind }) => ['noKey', 'noLander'].includes(kind));

describe('account §3: a card', () => {
  it('is given a tier that takes leads from landers, and no other; what to do instead is said', async () => {
    const refused = await add('card', cardData(world.publisherTierId));
    const message = 'Main seat takes posted leads. Choose a publisher tier that takes leads from landers, or add one for this lander.';
    expect([refused.statusCode, refused.json.errors]).toEqual([400, [{ field: 'publisherTierId', message }]]);
    // Not by way of a card whose lander is switched off, either.
    expect((await add('card', cardData(world.publisherTierId, { hasLander: false }))).statusCode).toBe(400);
    const id = await addCard(landerTierId);
    expect((await edit('card', id, { publisherTierId: world.publisherTierId })).statusCode).toBe(400);
    const { rows } = await node.pool.query('select publisher_tier_id from card where organization_id = $1', [world.organizationId]);
    expect(rows).toEqual([{ publisher_tier_id: landerTierId }]);
  });

  it('that had its tier before there were kinds keeps it, and works, until it is given another', async () => {
    const id = await oldCard();
    expect((await edit('card', id, { name: 'Ada Lovelace', publisherTierId: world.publisherTierId })).statusCode).toBe(200);
    expect((await submit(id)).statusCode).toBe(200);
    expect((await post(world.key, { ...LEAD, email: 'b@example.com' })).json.status).toBe('accepted');
    expect((await owner.post('/api/v1/common/post-delete-data', { model: 'card', _id: id })).statusCode).toBe(200);
    expect((await edit('card', id, { status: 'active' })).statusCode).toBe(200);
    expect((await edit('card', id, { publisherTierId: landerTierId })).statusCode).toBe(200);
    expect((await edit('card', id, { publisherTierId: world.publisherTierId })).statusCode).toBe(400);
  });

  it('and an edit of its tier at the same moment never come to a card on a tier for the API', async () => {
    for (let round = 0; round < 8; round++) {
      const tier = await addLanderTier(node.db, world, `Race ${round}`);
      const [card, kind] = await Promise.all([
        add('card', cardData(tier, { name: `Card ${round}` })),
        edit('publisherTier', tier, { kind: 'api' }),
      ]);
      expect([
        [200, 409],
        [400, 200],
      ]).toContainEqual([card.statusCode, kind.statusCode]);
    }
  });
});

describe('account §7: a tier that takes leads from landers', () => {
  it('has no keys, and none is made', async () => {
    const { statusCode, json } = await newKey(landerTierId);
    expect([statusCode, json.code, json.msg]).toEqual([
      409,
      'posting_key_lander',
      expect.stringContaining('Landers takes leads from landers alone'),
    ]);
    expect((await node.pool.query('select from posting_key where publisher_tier_id = $1', [landerTierId])).rowCount).toBe(0);
  });

  it('refuses what is posted with a key that it has all the same, by whatever call, and makes no lead', async () => {
    const key = await insertKey(node.db, world.organizationId, landerTierId);
    await node.planBook.reload(world.organizationId);
    const bearer = { authorization: `Bearer ${key}` };
    for (const path of ['leads', 'leads/ping', 'leads/post']) {
      const { statusCode, json } = await node.post(`/api/v1/${path}`, LEAD, bearer);
      expect([path, statusCode, json]).toMatchObject([
        path,
        403,
        { status: 'invalid', code: 'tier_of_landers', msg: expect.stringContaining('landers') },
      ]);
    }
    expect((await node.pool.query('select from lead where organization_id = $1', [world.organizationId])).rowCount).toBe(0);
    // It stands with the calls that made no lead.
    const logged = async () => (await node.pool.query('select code from api_call where organization_id = $1', [world.organizationId])).rows;
    await expect.poll(logged).toContainEqual({ code: 'tier_of_landers' });
  });

  it('has no posting specification: its link opens nothing, the list says why, and none is switched on', async () => {
    const link = (await owner.post(`/api/console/posting-specs/${world.publisherTierId}`, { change: 'on' })).json.link as string;
    const path = new URL(link).pathname;
    expect((await fetch(node.url + path)).status).toBe(200);
    expect(await owner.post(`/api/console/posting-specs/${landerTierId}`, { change: 'on' })).toMatchObject({
      statusCode: 409,
      json: { code: 'posting_spec_lander', msg: expect.stringContaining('nobody posts to it') },
    });
    await node.pool.query('update posting_key set revoked_at = now() where organization_id = $1', [world.organizationId]);
    expect((await edit('publisherTier', world.publisherTierId, { kind: 'lander' })).statusCode).toBe(200);
    expect((await fetch(node.url + path)).status).toBe(404);
    const { rows } = (await owner.get('/api/console/posting-specs?region=us&vertical=payday')).json as PostingSpecsAnswer;
    expect(rows.map(({ kind, link: shown }) => [kind, shown])).toEqual([
      ['lander', null],
      ['lander', null],
    ]);
  });

  it('keeps price, caps, filters and duplicates as any other', async () => {
    const rules = {
      filter: { field: 'monthly_income', is: 'atLeast', value: 1000 },
      caps: [{ measure: 'sold', period: 'day', limit: 2, timeZone: 'UTC' }],
      duplicate: { fields: ['email'], match: 'all', windowDays: 7, counts: 'received' },
      priceModel: { kind: 'fixed', price: '1.25' },
    };
    expect((await edit('publisherTier', landerTierId, rules)).statusCode).toBe(200);
    const id = await addCard(landerTierId);
    const people = [
      { monthly_income: '900' },
      { email: 'b@example.com' },
      { email: 'b@example.com', first_name: 'Bea' },
      { email: 'c@example.com' },
      { email: 'd@example.com' },
    ];
    for (const more of people) expect((await submit(id, more)).statusCode).toBe(200);
    const { rows } = await node.pool.query('select status, reason, payout from lead_result where organization_id = $1 order by lead_id', [
      world.organizationId,
    ]);
    expect(rows).toMatchObject([
      { status: 'rejected', reason: 'publisher-tier-filter-failed' },
      { status: 'sold', payout: '1.2500' },
      { status: 'duplicate' },
      { status: 'sold' },
      { status: 'rejected' },
    ]);
  });

  it('is no tier of a landing page, whose leads are posted', async () => {
    const page = { verticalId: world.verticalId, name: 'Spring', url: 'loans.example' };
    const { statusCode, json } = await add('landingPage', { ...page, publisherTierId: landerTierId });
    expect([statusCode, json.errors[0]]).toEqual([400, { field: 'publisherTierId', message: expect.stringContaining('by API') }]);
    expect((await add('landingPage', { ...page, publisherTierId: world.publisherTierId })).statusCode).toBe(200);
  });
});

describe('console §7: the kind of a tier', () => {
  it('is api unless it is said, and one of two words', async () => {
    const data = { publisherId: world.publisherId, campaignId: world.campaignId, priceModel: { kind: 'fixed', price: '1' } };
    const made = await add('publisherTier', { ...data, name: 'Plain' });
    expect([made.statusCode, made.json.data.kind]).toEqual([200, 'api']);
    const wrong = await add('publisherTier', { ...data, name: 'Other', kind: 'form' });
    expect([wrong.statusCode, wrong.json.errors[0].field]).toEqual([400, 'kind']);
    const { json } = await owner.post('/api/v1/common/get/condition-data', { model: 'publisherTier', condition: { kind: 'lander' } });
    expect(json.data.map(({ name }: { name: string }) => name)).toEqual(['Landers']);
  });

  it('stays while keys or landing pages of it are in use, which are named, and changes when they are not', async () => {
    const page = await add('landingPage', {
      ...{ verticalId: world.verticalId, name: 'Spring', url: 'loans.example', publisherTierId: world.publisherTierId },
    });
    const refused = await edit('publisherTier', world.publisherTierId, { kind: 'lander' });
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'publisher_tier_kind_in_use']);
    expect(refused.json.uses).toEqual([
      `Its posting key ${world.key.slice(0, 7)}… is in use.`,
      'Leads of the landing page Spring are posted to it.',
    ]);
    expect(refused.json.errors).toEqual([{ field: 'kind', message: expect.stringContaining('Revoke its keys') }]);
    const { keys } = (await owner.get(`/api/console/publisher-tiers/${world.publisherTierId}/keys`)).json;
    await owner.post(`/api/console/posting-keys/${keys[0]._id}/revoke`, {});
    await owner.post('/api/v1/common/post-delete-data', { model: 'landingPage', _id: page.json.data._id });
    expect((await edit('publisherTier', world.publisherTierId, { kind: 'lander' })).statusCode).toBe(200);
    expect((await post(world.key)).json.code).toBe('key_revoked');
    const { rows } = await node.pool.query(
      `select before, after from change_log where organization_id = $1 and record_id = $2 order by id desc limit 1`,
      [world.organizationId, world.publisherTierId],
    );
    expect(rows).toEqual([{ before: { kind: 'api' }, after: { kind: 'lander' } }]);
  });

  it('stays while a card names it, also one that is paused; an archived one keeps nobody', async () => {
    const id = await addCard(landerTierId, { status: 'paused' });
    const refused = await edit('publisherTier', landerTierId, { kind: 'api' });
    expect([refused.statusCode, refused.json.uses]).toEqual([409, ['The lander of card Grace Hopper sends its leads to it.']]);
    expect((await read('publisherTier', landerTierId)).kind).toBe('lander');
    await owner.post('/api/v1/common/post-delete-data', { model: 'card', _id: id });
    expect((await edit('publisherTier', landerTierId, { kind: 'api' })).statusCode).toBe(200);
    expect((await newKey(landerTierId)).statusCode).toBe(200);
  });

  it('and a key that is made at the same moment are never both there', async () => {
    for (let round = 0; round < 8; round++) {
      const { json } = await add('publisherTier', {
        ...{
          name: `Race ${round}`,
          publisherId: world.publisherId,
          campaignId: world.campaignId,
          priceModel: { kind: 'fixed', price: '1' },
        },
      });
      const [key, kind] = await Promise.all([newKey(json.data._id), edit('publisherTier', json.data._id, { kind: 'lander' })]);
      expect([
        [200, 409],
        [409, 200],
      ]).toContainEqual([key.statusCode, kind.statusCode]);
    }
  });

  it('travels with an exported configuration; cards do not, which an import says', async () => {
    const document = (await owner.get('/api/v1/configuration/export')).json;
    expect(document.publisherTiers.map(({ name, data }: { name: string; data: { kind: string } }) => [name, data.kind])).toEqual([
      ['Main seat', 'api'],
      ['Landers', 'lander'],
    ]);
    const elsewhere = await buildWorld(node.db);
    const { email, password } = await buildUser(node.db, elsewhere.organizationId);
    const other = visit(node, { host: '127.0.0.1' });
    await other.post('/team-login', { email, password });
    const [seat, landers] = document.publisherTiers;
    const { kind: _, ...old } = seat.data;
    // A document of the version before says no kind.
    const changed = {
      ...document,
      publisherTiers: [
        { ...landers, name: 'New landers' },
        { ...seat, name: 'New seat', data: old },
      ],
    };
    const { statusCode, json } = await other.post('/api/v1/configuration/import', { document: changed, dryRun: false });
    expect([statusCode, json.notes]).toEqual([
      200,
      expect.arrayContaining([
        expect.stringContaining('1 of 3 publisher tiers have no posting key yet'),
        expect.stringContaining('1 of 3 publisher tiers take leads from landers'),
      ]),
    ]);
    const { rows } = await node.pool.query(
      `select name, kind from publisher_tier where organization_id = $1 and name like 'New%' order by name`,
      [elsewhere.organizationId],
    );
    expect(rows).toEqual([
      { name: 'New landers', kind: 'lander' },
      { name: 'New seat', kind: 'api' },
    ]);
  });
});

describe('account §1: leads of a lander show up everywhere', () => {
  it('with how they came and by whose lander: in the list, its file, and on the page of the lead', async () => {
    const id = await addCard(landerTierId);
    const page = await add('landingPage', {
      ...{ verticalId: world.verticalId, name: 'Spring', url: 'loans.example', publisherTierId: world.publisherTierId },
    });
    await submit(id);
    await post(world.key, { ...LEAD, email: 'b@example.com' });
    await post(world.key, { ...LEAD, email: 'c@example.com', landingPageId: page.json.data._id });
    const { rows } = (await owner.get('/api/console/leads?region=us&vertical=payday')).json as LeadsAnswer;
    expect(rows.map(({ cameBy, publisherTierName }) => [cameBy, publisherTierName])).toEqual([
      [{ kind: 'landingPage', name: 'Spring' }, 'Main seat'],
      [{ kind: 'api', name: '' }, 'Main seat'],
      [{ kind: 'lander', name: 'Grace Hopper' }, 'Landers'],
    ]);
    const lead = (await owner.get(`/api/console/leads/${rows[2]!._id}`)).json.lead as LeadView;
    expect(lead.cameBy).toEqual({ kind: 'lander', name: 'Grace Hopper' });
    const cookie = [...owner.cookies.get('127.0.0.1')!].map(([name, value]) => `${name}=${value}`).join('; ');
    const file = await fetch(`${node.url}/api/v1/download-file/leads`, {
      method: 'POST',
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', columns: 'cameBy' }),
    });
    const lines = (await file.text()).split(/\r?\n/).map((line) => line.split(',')[0]);
    expect(lines).toEqual(expect.arrayContaining(['Landing page: Spring', 'API', 'Lander: Grace Hopper']));
  });

  it('console §2: flow-control says of which kind a tier is, and warns of one that no lander sends to, instead of its keys', async () => {
    const { publisherTiers } = (await owner.get(`/api/console/campaigns/${world.campaignId}/tree`)).json as TreeAnswer;
    expect(publisherTiers.map(({ name, kind }) => [name, kind])).toEqual([
      ['Landers', 'lander'],
      ['Main seat', 'api'],
    ]);
    const text = 'No active card sends the leads of its lander to Publisher One, Landers: none can come.';
    expect(await warningsOf()).toMatchObject([{ kind: 'noLander', mark: 'No lander', text, tierIds: [landerTierId] }]);
    const id = await addCard(landerTierId);
    expect(await warningsOf()).toEqual([]);
    await edit('card', id, { hasLander: false });
    expect(await warningsOf()).toMatchObject([{ kind: 'noLander' }]);
  });

  it('account §4: a tier whose landers are shown is not archived; one that closes them by being paused is told of', async () => {
    const id = await addCard(landerTierId);
    const remove = () => owner.post('/api/v1/common/post-delete-data', { model: 'publisherTier', _id: landerTierId });
    const refused = await remove();
    expect([refused.statusCode, refused.json.uses]).toEqual([409, ['The lander of card Grace Hopper sends its leads to it.']]);
    const overview = async () =>
      (await owner.get('/api/console/overview?region=us&vertical=payday&timeZone=UTC')).json.warnings.filter(
        ({ kind }: Warning) => kind === 'landerClosed',
      );
    const told = async () => (await allWarnings()).filter(({ kind }) => kind === 'landerClosed');
    expect([await told(), await overview()]).toEqual([[], []]);
    const says = (why: string) => [
      {
        kind: 'landerClosed',
        subjectId: id,
        tierIds: [landerTierId],
        mark: 'Lander closed',
        text: `The lander of card Grace Hopper takes no requests: ${why}.`,
      },
    ];
    await edit('publisherTier', landerTierId, { status: 'paused' });
    expect(await told()).toEqual(says('its publisher tier Landers is paused'));
    expect(await overview()).toEqual(says('its publisher tier Landers is paused'));
    await edit('publisherTier', landerTierId, { status: 'active' });
    await edit('publisher', world.publisherId, { status: 'paused' });
    expect(await told()).toEqual(says('its publisher Publisher One is paused'));
    await edit('publisher', world.publisherId, { status: 'active' });
    await edit('campaign', world.campaignId, { status: 'paused' });
    expect(await told()).toEqual([{ ...says('')[0], text: expect.stringMatching(/takes no requests: its campaign .+ is paused\.$/) }]);
    await edit('campaign', world.campaignId, { status: 'active' });
    // Archived before that was refused.
    await node.pool.query(`update publisher_tier set status = 'archived' where id = $1`, [landerTierId]);
    await node.planBook.reload(world.organizationId);
    expect(await told()).toEqual(says('its publisher tier Landers is archived'));
    // A card that is not shown has no lander to close, and holds the tier no longer once it is archived.
    await node.pool.query(`update publisher_tier set status = 'paused' where id = $1`, [landerTierId]);
    await edit('card', id, { status: 'paused' });
    expect(await told()).toEqual([]);
    expect((await remove()).statusCode).toBe(409);
    await owner.post('/api/v1/common/post-delete-data', { model: 'card', _id: id });
    expect((await remove()).statusCode).toBe(200);
  });
});
