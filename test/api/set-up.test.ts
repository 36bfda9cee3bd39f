/** console §3: an organization that has nothing is configured by the console's own calls, and sells a lead. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let cookie: string;

const call = (path: string, body: unknown) => node.post(path, body, { ...OWN_PAGE, cookie });
async function add(model: string, data: Record<string, unknown>): Promise<string> {
  const answer = await call('/api/v1/common/post-add-data', { model, ...data });
  expect([answer.statusCode, answer.json.msg]).toEqual([200, 'Saved.']);
  return answer.json.data._id;
}
const stateNow = async (path: string): Promise<string> => (await get(`${path}/tree`)).json.state;
async function get(path: string) {
  const response = await fetch(node.url + path, { headers: { ...OWN_PAGE, cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  return { statusCode: response.status, json: (await response.json()) as any };
}
const post = (key: string, email: string) => node.post('/api/v1/leads', { email, state: 'CA' }, { authorization: `Bearer ${key}` });

let campaignId: string;
let publisherTierId: string;
let verticalId: string;
let tierId: string;
let otherTierId: string;
let key: string;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  const answer = await node.post(
    '/api/v1/teamMgmt/users/register',
    {
      first_name: 'Olive',
      last_name: 'Owner',
      email: 'olive@example.com',
      password: 'correct-horse-1',
      orgDetails: { name: 'From Nothing', userDetail: [], subDomain: 'from-nothing' },
      invitationData: null,
    },
    OWN_PAGE,
  );
  cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const tier = (buyerId: string, name: string) => ({
  name,
  buyerId,
  verticalId,
  delivery: 'post',
  price: { kind: 'fixed', price: '20' },
  endpoint: {
    post: {
      url: buyer.url,
      method: 'POST',
      body: { format: 'json', mapping: [{ to: 'email', from: { kind: 'field', field: 'email' } }] },
      response: {
        outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'result' }, is: 'equal', value: 'accepted' }] }],
        otherwise: 'rejected',
      },
    },
  },
});

describe('console §3: from nothing to a sold lead', () => {
  it('region, vertical, fields, buyer, campaign, tree, publisher and key, each by its call', async () => {
    const regionId = await add('region', { name: 'United States', slug: 'us', country: 'us' });
    verticalId = await add('vertical', { name: 'Payday', slug: 'payday', regionId, primaryField: 'email' });
    const places = await call('/api/v1/get-regions-and-verticals', {});
    expect(JSON.parse(places.json.fullVerticalDatas)).toMatchObject([{ slug: 'payday', regionId }]);
    const field = { verticalId, privacyClass: 'P2' };
    await add('field', { ...field, fieldName: 'email', fieldHumanName: 'Email', type: 'email', required: true, searchable: true });
    await add('field', { ...field, fieldName: 'state', fieldHumanName: 'State', type: 'state', privacyClass: 'P1', inPing: true });
    const buyerId = await add('buyer', { name: 'First Buyer' });
    tierId = await add('buyerTier', tier(buyerId, 'Standard'));
    otherTierId = await add('buyerTier', tier(buyerId, 'Premium'));
    campaignId = await add('campaign', { name: 'Main', verticalId, margin: { kind: 'percent', percent: 10 } });
    const publisherId = await add('publisher', { name: 'First Publisher', affiliateId: 'first' });
    publisherTierId = await add('publisherTier', { name: 'Web', publisherId, campaignId, priceModel: { kind: 'share', sharePercent: 80 } });
    const made = await call(`/api/console/publisher-tiers/${publisherTierId}/keys/new`, {});
    key = made.json.key;
    expect(made.json.keys).toMatchObject([{ prefix: key.slice(0, 12), isLiving: true }]);
    await expect.poll(async () => (await post(key, 'early@example.com')).json.status).toBe('rejected');
  });

  it('console §3: an address that is only a sample is kept while the tier is paused, and refused where leads would be sent to it', async () => {
    const buyerId = await add('buyer', { name: 'Unknown yet' });
    const { endpoint, ...rest } = tier(buyerId, 'Some day');
    const sampled = { ...rest, endpoint: { post: { ...endpoint.post, url: 'https://buyer.example/leads' } } };
    const refused = await call('/api/v1/common/post-add-data', { model: 'buyerTier', ...sampled });
    expect([refused.statusCode, refused.json]).toMatchObject([400, { code: 'endpoint_address_missing', errors: [{ field: 'endpoint' }] }]);
    const _id = await add('buyerTier', { ...sampled, status: 'paused' });
    const edit = (data: object) => call('/api/v1/common/post-edit-data', { model: 'buyerTier', _id, ...data });
    expect((await edit({ notes: 'Asked for it' })).statusCode).toBe(200);
    expect((await edit({ status: 'active' })).json.code).toBe('endpoint_address_missing');
    expect((await edit({ status: 'active', endpoint })).statusCode).toBe(200);
  });

  it('flow-control: a draft changes nothing; published, the next lead is sold by it', async () => {
    const path = `/api/console/campaigns/${campaignId}`;
    const groups = [{ name: 'First', mode: 'priority', members: [{ buyerTierId: tierId }] }];
    const { state } = (await get(`${path}/tree`)).json;
    const draft = await call(`${path}/draft`, { groups, state });
    expect(draft.json).toMatchObject({ msg: 'The draft is saved. Leads go on by the live tree until you publish.', draft: { groups } });
    const seen = (await get(`${path}/tree`)).json;
    expect(seen).toMatchObject({ live: [], draft: { groups, updatedBy: 'Olive Owner' }, versions: [], publisherTiers: [{ name: 'Web' }] });
    // Only what is seated: the others are asked for where one is chosen.
    expect(seen.buyerTiers).toMatchObject([{ name: 'Standard', buyerName: 'First Buyer', status: 'active', buyerStatus: 'active' }]);
    expect(seen.state).toBe(draft.json.state);
    expect((await post(key, 'draft@example.com')).json.status).toBe('rejected');
    expect((await call(`${path}/publish`, { state: seen.state, note: 'opening day' })).statusCode).toBe(200);
    await expect.poll(async () => (await post(key, `sold${newId()}@example.com`)).json.status).toBe('accepted');
    expect((await get(`${path}/tree`)).json).toMatchObject({
      draft: null,
      live: [{ name: 'First' }],
      versions: [{ note: 'opening day', publishedBy: 'Olive Owner' }],
    });
  });

  it('flow-control: what flows today is counted by tier and end, and what is wrong now is said', async () => {
    const { rows } = await node.pool.query('select count(*)::int as sold from sale');
    const flow = (await get(`/api/console/campaigns/${campaignId}/flow?timeZone=UTC`)).json;
    expect(flow.ends.sold).toBe(rows[0].sold);
    expect(flow.publisherTiers).toMatchObject([{ _id: publisherTierId, sold: rows[0].sold }]);
    expect(flow.buyerTiers).toMatchObject([{ _id: tierId, sold: rows[0].sold, revenue: '20.00' }]);
    // Open for a day that is not this one, whenever this runs.
    const closed = Array.from({ length: 7 }, (_, day) =>
      day === (new Date().getUTCDay() + 9) % 7 ? [{ from: '09:00', to: '10:00' }] : [],
    );
    await call('/api/v1/common/post-edit-data', { model: 'buyerTier', _id: tierId, hours: { timeZone: 'UTC', week: closed } });
    await expect
      .poll(async () => (await get(`/api/console/campaigns/${campaignId}/flow`)).json.warnings)
      .toContainEqual({
        ...{ subjectId: tierId, tierIds: [tierId], kind: 'closedToday', mark: 'No hours today' },
        text: 'First Buyer, Standard has no hours today.',
      });
    await call('/api/v1/common/post-edit-data', { model: 'buyerTier', _id: tierId, hours: null });
    await expect.poll(async () => (await get(`/api/console/campaigns/${campaignId}/flow`)).json.warnings).toEqual([]);
    expect((await get(`/api/console/campaigns/${campaignId}/flow?timeZone=Mars`)).statusCode).toBe(400);
  });

  it('flow-control: a group keeps its id over publishing, an earlier tree comes back, and a faulty tree is refused', async () => {
    const path = `/api/console/campaigns/${campaignId}`;
    const { live } = (await get(`${path}/tree`)).json;
    const wider = [
      { ...live[0], members: [...live[0].members, { buyerTierId: otherTierId, weight: 3 }], mode: 'weighted' },
      { name: 'Last', mode: 'auction', members: [] },
    ];
    const saved = (await call(`${path}/draft`, { groups: wider, state: await stateNow(path) })).json;
    await call(`${path}/publish`, { state: saved.state });
    const after = (await get(`${path}/tree`)).json;
    expect(after.live[0]._id).toBe(live[0]._id);
    expect(after.live.map((one: { name: string }) => one.name)).toEqual(['First', 'Last']);
    const wrong = [
      [{ name: 'A', mode: 'priority', members: [{ buyerTierId: newId() }] }],
      [{ name: 'A', mode: 'priority', members: [{ buyerTierId: tierId }, { buyerTierId: tierId }] }],
      [
        { name: 'A', mode: 'priority', members: [] },
        { name: 'a', mode: 'priority', members: [] },
      ],
      [{ name: '', mode: 'priority', members: [] }],
      [{ name: 'A', mode: 'democracy', members: [] }],
      // One group's id twice: published, the second would swallow the first.
      [
        { _id: live[0]._id, name: 'A', mode: 'priority', members: [{ buyerTierId: tierId }] },
        { _id: live[0]._id, name: 'B', mode: 'auction', members: [{ buyerTierId: otherTierId }] },
      ],
    ];
    for (const groups of wrong) expect((await call(`${path}/draft`, { groups, state: after.state })).statusCode).toBe(400);
    expect((await get(`${path}/versions/${after.versions[1]._id}`)).json).toMatchObject({
      status: true,
      groups: live,
      buyerTiers: [{ name: 'Standard' }],
    });
    expect((await get(`${path}/versions/${newId()}`)).json.code).toBe('tree_version_unknown');
    const back = await call(`${path}/roll-back`, { versionId: after.versions[1]._id, state: after.state });
    expect(back.statusCode).toBe(200);
    const now = (await get(`${path}/tree`)).json;
    expect(now.live).toEqual(live);
    expect(now.versions).toHaveLength(3);
    expect((await call(`${path}/roll-back`, { versionId: newId(), state: now.state })).statusCode).toBe(404);
    const log = (await get(`/api/v1/change-log?recordId=${campaignId}`)).json.changes;
    expect(log.map((one: { action: string }) => one.action)).toEqual(['publish', 'publish', 'publish', 'add']);
  });

  it('C9: flow-control: of two who draw at once the second is told, whatever the first did, and overwrites nothing unseen', async () => {
    const path = `/api/console/campaigns/${campaignId}`;
    const { live, state } = (await get(`${path}/tree`)).json;
    const named = (name: string) => [{ ...live[0], name }];
    const stale = [
      ['draft', { groups: named('Second'), state }],
      ['draft/discard', { state }],
      ['publish', { state }],
      ['roll-back', { state, versionId: newId() }],
    ] as const;
    const allAreRefused = async () => {
      for (const [call_, body] of stale) expect([call_, (await call(`${path}/${call_}`, body)).json.code]).toEqual([call_, 'tree_changed']);
    };
    const draft = (await call(`${path}/draft`, { groups: named('First of two'), state })).json;
    await allAreRefused();
    const published = (await call(`${path}/publish`, { state: draft.state })).json;
    expect(published).toMatchObject({ draft: null, live: [{ name: 'First of two' }] });
    await allAreRefused();
    // A draft begun, thrown away and begun again is another draft, were it the same to the letter.
    const once = (await call(`${path}/draft`, { groups: named('Again'), state: published.state })).json;
    const gone = (await call(`${path}/draft/discard`, { state: once.state })).json;
    expect(gone.state).toBe(published.state);
    const twice = (await call(`${path}/draft`, { groups: named('Again'), state: gone.state })).json;
    expect((await call(`${path}/publish`, { state: once.state })).json.code).toBe('tree_changed');
    const back = (await call(`${path}/roll-back`, { state: twice.state, versionId: published.versions[1]._id })).json;
    expect(back).toMatchObject({ live, draft: { groups: named('Again') } });
    expect((await call(`${path}/draft/discard`, { state: back.state })).statusCode).toBe(200);
    const many = await Promise.all(
      Array.from({ length: 8 }, async (_, at) => call(`${path}/draft`, { groups: named(`Race ${at}`), state: await stateNow(path) })),
    );
    expect(many.filter((one) => one.statusCode === 200).length).toBeGreaterThan(0);
    const { draft: last, state: end } = (await get(`${path}/tree`)).json;
    expect(many.filter((one) => one.json.state === end).map((one) => one.json.draft.groups)).toEqual([last.groups]);
    await call(`${path}/draft/discard`, { state: end });
  });

  it('flow-control: a draft whose tier was archived meanwhile is not published, and says which tier and what to do', async () => {
    const path = `/api/console/campaigns/${campaignId}`;
    const { data } = (await call('/api/v1/common/get/condition-data', { model: 'buyerTier', condition: { _id: otherTierId } })).json;
    const goneId = await add('buyerTier', tier(data[0].buyerId, 'Soon gone'));
    const groups = [{ name: 'First', mode: 'priority', members: [{ buyerTierId: goneId, weight: 1 }] }];
    const { state } = (await call(`${path}/draft`, { groups, state: await stateNow(path) })).json;
    await call('/api/v1/common/post-delete-data', { model: 'buyerTier', _id: goneId });
    const refused = await call(`${path}/publish`, { state });
    expect([refused.statusCode, refused.json.code]).toEqual([400, 'tree_invalid']);
    expect(refused.json.msg).toMatch(/^.+, Soon gone of First is archived\. Restore it, or take it out of the tree\.$/);
    await call(`${path}/draft/discard`, { state });
  });

  it('flow-control: groups are read by the generic calls, and changed by publishing alone', async () => {
    const { data } = (await call('/api/v1/common/get/condition-data', { model: 'treeGroup', condition: { campaignId } })).json;
    expect(data).toMatchObject([{ name: 'First' }]);
    for (const [path, body] of [
      ['post-edit-data', { model: 'treeGroup', _id: data[0]._id, name: 'Around the draft' }],
      ['post-add-data', { model: 'treeGroup', campaignId, name: 'Another', mode: 'priority' }],
      ['post-delete-data', { model: 'treeGroup', _id: data[0]._id }],
    ] as const)
      expect([path, (await call(`/api/v1/common/${path}`, body)).statusCode]).toEqual([path, 403]);
  });

  it('D10: keys: a new one replaces the others after an overlap, a revoked one opens nothing at once', async () => {
    const path = `/api/console/publisher-tiers/${publisherTierId}/keys`;
    const second = (await call(`${path}/new`, { overlapHours: 24 })).json;
    expect(second.keys.map((one: { expiresAt: string | null }) => one.expiresAt !== null)).toEqual([false, true]);
    await expect.poll(async () => (await post(second.key, `second${newId()}@example.com`)).json.status).toBe('accepted');
    expect((await post(key, `overlap${newId()}@example.com`)).json.status).toBe('accepted');
    const old = second.keys[1];
    const revoked = (await call(`/api/console/posting-keys/${old._id}/revoke`, {})).json;
    expect([revoked.msg, revoked.keys[1].isLiving]).toEqual(['The key is revoked. It opens nothing from now on.', false]);
    await expect.poll(async () => (await post(key, `late${newId()}@example.com`)).statusCode).toBe(401);
    const third = (await call(`${path}/new`, { overlapHours: 0 })).json;
    await expect.poll(async () => (await post(second.key, `gone${newId()}@example.com`)).statusCode).toBe(401);
    expect(third.keys).toHaveLength(3);
    for (let n = 0; n < 9; n++) expect((await call(`${path}/new`, {})).statusCode).toBe(200);
    expect((await call(`${path}/new`, {})).json.code).toBe('posting_key_too_many');
    const dump = JSON.stringify((await node.pool.query('select * from change_log')).rows) + JSON.stringify((await get(path)).json);
    for (const one of [key, second.key, third.key]) expect(dump).not.toContain(one);
  });

  it('a member without set-up may none of it', async () => {
    const { rows } = await node.pool.query(`select id from organization where sub_domain = 'from-nothing'`);
    const user = await buildUser(node.db, rows[0].id, { role: 'member' });
    const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
    const owner = cookie;
    cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    expect((await get(`/api/console/campaigns/${campaignId}/tree`)).statusCode).toBe(404);
    expect((await call(`/api/console/campaigns/${campaignId}/publish`, { state: 'x' })).statusCode).toBe(404);
    expect((await call(`/api/console/publisher-tiers/${publisherTierId}/keys/new`, {})).statusCode).toBe(404);
    cookie = owner;
  });
});
