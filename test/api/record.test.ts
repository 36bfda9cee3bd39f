/** console §7: the fifteen generic data calls over the registry of models, as the set-up screens use them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangeLogChoices } from '#contract/change-log.ts';
import type { RegionPermission } from '#contract/session.ts';
import { newId } from '#server/kit/ids.ts';
import { recordModels } from '#server/record/record.models.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const C = '/api/v1/common';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let stranger: World;
let owner: string;
let strangersOwner: string;

async function signIn(user: { email: string; password: string }): Promise<string> {
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
const call = (path: string, body: unknown, cookie = owner) => node.post(path, body, { ...OWN_PAGE, cookie });
const add = (model: string, data: Record<string, unknown>, cookie = owner) => call(`${C}/post-add-data`, { model, ...data }, cookie);
const edit = (model: string, _id: string, data: Record<string, unknown>, cookie = owner) =>
  call(`${C}/post-edit-data`, { model, _id, ...data }, cookie);
const remove = (model: string, _id: string, cookie = owner) => call(`${C}/post-delete-data`, { model, _id }, cookie);
const find = (model: string, condition: unknown, more = {}, cookie = owner) =>
  call(`${C}/get/condition-data`, { model, condition, ...more }, cookie);
const single = (model: string, condition: unknown, cookie = owner) => call(`${C}/single-data`, { model, condition }, cookie);

async function made(model: string, data: Record<string, unknown>): Promise<Record<string, unknown> & { _id: string }> {
  const answer = await add(model, data);
  expect([answer.statusCode, answer.json.msg]).toEqual([200, 'Saved.']);
  return answer.json.data;
}

let count = 0;
const next = () => String(++count);
const newPublisher = (more = {}) => made('publisher', { name: `Publisher ${next()}`, affiliateId: `aff-${count}`, ...more });
const newBuyer = (more = {}) => made('buyer', { name: `Buyer ${next()}`, ...more });
const ENDPOINT = () => ({
  post: {
    url: buyer.url,
    method: 'POST',
    body: { format: 'json', mapping: [{ to: 'email', from: { kind: 'field', field: 'email' } }] },
    response: {
      outcomes: [{ outcome: 'accepted', when: [{ at: { path: 'result' }, is: 'equal', value: 'accepted' }] }],
      otherwise: 'rejected',
    },
  },
});
const tierData = (buyerId: string, more = {}) => ({
  name: `Tier ${next()}`,
  buyerId,
  verticalId: world.verticalId,
  delivery: 'post',
  price: { kind: 'fixed', price: '12.5' },
  endpoint: ENDPOINT(),
  ...more,
});
const tree = (place: World, pages: string[]): RegionPermission[] => [
  {
    regionId: place.regionId,
    regionChecked: true,
    verticals: [{ verticalId: place.verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
  },
];
const member = async (pages: string[], place = world) =>
  signIn(await buildUser(node.db, world.organizationId, { role: 'member', permissions: tree(place, pages) }));

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  stranger = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await Promise.all([node.planBook.reload(world.organizationId), node.planBook.reload(stranger.organizationId)]);
  owner = await signIn(await buildUser(node.db, world.organizationId));
  strangersOwner = await signIn(await buildUser(node.db, stranger.organizationId));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

describe('console §7: post-add-data, post-edit-data, post-delete-data', () => {
  it('a record is added, read back, edited and archived, and comes back with a status', async () => {
    const { _id, version } = await newPublisher({ notes: 'calls on Mondays' });
    expect((await single('publisher', { _id })).json.data).toMatchObject({ status: 'active', notes: 'calls on Mondays', tierCount: 0 });
    const edited = await edit('publisher', _id, { version, status: 'paused', notes: '' });
    expect(edited.json.data).toMatchObject({ status: 'paused', notes: '', version: 2 });
    expect((await remove('publisher', _id)).json.msg).toBe('Removed.');
    expect((await find('publisher', { _id })).json.total).toBe(0);
    expect((await find('publisher', { _id }, { withArchived: true })).json.data).toMatchObject([{ status: 'archived' }]);
    expect((await edit('publisher', _id, { notes: 'x' })).json.code).toBe('record_archived');
    expect((await edit('publisher', _id, { status: 'paused' })).json.data.status).toBe('paused');
    expect((await remove('publisher', newId())).statusCode).toBe(404);
  });

  it('every wrong value is refused by the name of its field, and nothing of it is kept', async () => {
    const { _id } = await newBuyer();
    const wrong: [Record<string, unknown>, string][] = [
      [{ name: '' }, 'name'],
      [{ name: 'x'.repeat(121) }, 'name'],
      [{ name: 17 }, 'name'],
      [{ name: null }, 'name'],
      [{ name: 'two\nlines' }, 'name'],
      [{ notes: 'x'.repeat(501) }, 'notes'],
      [{ status: 'archived' }, 'status'],
      [{ tierCount: 3 }, 'tierCount'],
      [{ organization_id: stranger.organizationId }, 'organization_id'],
      [{ __proto__x: 1 }, '__proto__x'],
      [{ caps: [{ measure: 'sold', period: 'day', limit: -1, timeZone: 'UTC' }] }, 'caps.0.limit'],
      [{ caps: [{ measure: 'money', period: 'day', limit: 12.5, timeZone: 'UTC' }] }, 'caps.0.limit'],
      [{ caps: [{ measure: 'sold', period: 'day', limit: 1, timeZone: 'Mars/Olympus' }] }, 'caps.0.timeZone'],
    ];
    for (const [data, field] of wrong) {
      const answer = await edit('buyer', _id, data);
      expect([data, answer.statusCode, answer.json.errors?.[0]?.field]).toEqual([data, 400, field]);
    }
    expect((await edit('buyer', _id, {})).json.code).toBe('record_data_missing');
    expect((await add('buyer', {})).json.errors[0]).toEqual({ field: 'name', message: 'is required' });
    expect((await single('buyer', { _id })).json.data.version).toBe(1);
  });

  it('money is exact: nine digits before and four after the point, and never a float (console §5)', async () => {
    const { _id: buyerId } = await newBuyer({ caps: [{ measure: 'money', period: 'day', limit: '999999999.9999', timeZone: 'UTC' }] });
    expect((await single('buyer', { _id: buyerId })).json.data.caps[0].limit).toBe('999999999.9999');
    const tier = await made('buyerTier', tierData(buyerId, { floor: '0.0001', price: { kind: 'bid', minimum: '3' } }));
    expect(tier).toMatchObject({ floor: '0.0001', price: { kind: 'bid', minimum: '3.00' } });
    for (const floor of ['1234567890', '1.23456', '-1', '1e3', 1.5, '.'])
      expect((await edit('buyerTier', tier._id, { floor })).statusCode).toBe(400);
  });

  it('names are unique without regard to case, also when two are added at one moment', async () => {
    const answers = await Promise.all(['Twice', 'twice', 'TWICE'].map((name) => add('buyer', { name })));
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 409, 409]);
    expect(answers.find((one) => one.statusCode === 409)?.json).toMatchObject({ code: 'record_name_taken', errors: [{ field: 'name' }] });
    const { affiliateId } = await newPublisher();
    expect((await add('publisher', { name: 'Other', affiliateId })).json.code).toBe('publisher_affiliate_taken');
    // An archived name is free, until the record comes back.
    const archived = await newBuyer({ name: 'Phoenix' });
    await remove('buyer', archived._id);
    await newBuyer({ name: 'phoenix' });
    expect((await edit('buyer', archived._id, { status: 'active' })).json.code).toBe('record_name_taken');
  });

  it('C9: two people editing one record: the second is told, with the record as it is, and nothing is lost', async () => {
    const { _id, version } = await newBuyer();
    expect((await edit('buyer', _id, { version, notes: 'first' })).statusCode).toBe(200);
    const second = await edit('buyer', _id, { version, notes: 'second' });
    expect([second.statusCode, second.json.code]).toEqual([409, 'record_changed']);
    expect(second.json.current).toMatchObject({ _id, notes: 'first', version: 2 });
    const answers = await Promise.all([1, 2, 3].map((n) => edit('buyer', _id, { version: 2, notes: `at once ${n}` })));
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 409, 409]);
  });

  it('what is in use stays, and says what needs it', async () => {
    const inTree = await remove('buyerTier', world.tiers[0]!.buyerTierId);
    expect([inTree.statusCode, inTree.json.code]).toEqual([409, 'record_in_use']);
    expect(inTree.json.uses[0]).toMatch(/^It stands in group .* of campaign /);
    expect((await remove('buyer', world.tiers[0]!.buyerId)).json.uses[0]).toMatch(/^Its tier /);
    expect((await remove('publisher', world.publisherId)).json.uses[0]).toMatch(/^Its tier /);
    expect((await remove('campaign', world.campaignId)).json.uses[0]).toMatch(/posts to it/);
    expect((await remove('vertical', world.verticalId)).json.code).toBe('record_in_use');
    expect((await remove('region', world.regionId)).json.code).toBe('record_in_use');
    const { data } = (await find('field', { verticalId: world.verticalId, fieldName: 'email' })).json;
    expect((await remove('field', data[0]._id)).json.uses).toContain('It is the primary field of Payday.');
  });
});

describe('console §7: a tier is judged by the engine before it is stored', () => {
  it('a filter, duplicate window or endpoint that would be left out of routing is refused with the reason', async () => {
    const { _id: buyerId } = await newBuyer();
    const wrong: [Record<string, unknown>, RegExp][] = [
      [{ filter: { field: 'nowhere', is: 'present' } }, /nowhere does not exist/],
      [{ filter: { all: [{ field: 'email', is: 'matches', value: '(' }] } }, /pattern/],
      [{ duplicate: { fields: ['nowhere'], match: 'any', windowDays: 3, counts: 'sold' } }, /nowhere/],
      [{ delivery: 'pingPost' }, /needs a ping/],
      [{ endpoint: { post: { ...ENDPOINT().post, url: 'not an address' } } }, /./],
    ];
    for (const [more, why] of wrong) {
      const answer = await add('buyerTier', tierData(buyerId, more));
      expect([more, answer.statusCode]).toEqual([more, 400]);
      expect(answer.json.msg).toMatch(why);
    }
    expect((await find('buyerTier', { buyerId })).json.total).toBe(0);
  });

  it('a tier carries every rule there and back, and reaches the plan of all nodes', async () => {
    const { _id: buyerId } = await newBuyer();
    const rules = {
      filter: { all: [{ field: 'state', is: 'in', value: ['CA', 'NY'] }, { not: { field: 'phone', is: 'absent' } }] },
      hours: { timeZone: 'America/New_York', week: [[{ from: '08:00', to: '24:00' }], [], [], [], [], [], []] },
      pauseDates: { timeZone: 'UTC', days: [{ from: '2026-12-24', to: '2026-12-26', note: 'Christmas' }] },
      caps: [
        { measure: 'sold', period: 'hour', limit: 5, timeZone: 'UTC' },
        { measure: 'money', period: 'month', limit: '1000.50', timeZone: 'Europe/London' },
      ],
      duplicate: { fields: ['email', 'phone'], match: 'any', windowDays: 30, counts: 'sold' },
      qualityFactor: 1.25,
      timeLimitMs: 4000,
    };
    const tier = await made('buyerTier', tierData(buyerId, rules));
    expect((await single('buyerTier', { _id: tier._id })).json.data).toMatchObject(rules);
    await expect.poll(() => node.planBook.find(world.organizationId)?.buyerWires.get(tier._id)?.name).toBe(tier.name);
  });

  it('C4, E12: secrets are sealed, told by name only, and kept apart from one another', async () => {
    const { _id: buyerId } = await newBuyer();
    const tier = await made('buyerTier', tierData(buyerId, { secrets: { password: 'hunter-22', token: 'tok-33' } }));
    expect(tier.secrets).toEqual(['password', 'token']);
    const changed = await edit('buyerTier', tier._id, { secrets: { token: null, username: 'u' } });
    expect(changed.json.data.secrets).toEqual(['password', 'username']);
    await expect
      .poll(() => node.planBook.find(world.organizationId)?.buyerWires.get(tier._id)?.opened)
      .toEqual({ password: 'hunter-22', username: 'u' });
    const everything = JSON.stringify([
      changed.json,
      (await find('buyerTier', {})).json,
      (await node.pool.query('select * from change_log')).rows,
    ]);
    expect(everything).not.toMatch(/hunter-22|tok-33/);
    const { rows } = await node.pool.query('select secrets from buyer_tier where id = $1', [tier._id]);
    expect(rows[0].secrets.toString('latin1')).not.toContain('hunter');
  });
});

describe('console §7: reading by condition', () => {
  it('equality, in, not, ranges and text find what they say; the page, its order and its total are right', async () => {
    const tag = `Zebra ${next()}`;
    for (const [name, limit] of [
      ['b', 3],
      ['a', 1],
      ['c', 2],
    ] as const)
      await newBuyer({ name: `${tag} ${name}`, caps: [{ measure: 'sold', period: 'day', limit, timeZone: 'UTC' }] });
    const names = (answer: { json: { data: { name: string }[] } }) => answer.json.data.map((one) => one.name.slice(-1));
    const like = { name: { text: tag.toUpperCase() } };
    expect(names(await find('buyer', like, { sort: [{ field: 'name' }] }))).toEqual(['a', 'b', 'c']);
    const page = await find('buyer', like, { sort: [{ field: 'name', descending: true }], skip: 1, limit: 1 });
    expect([names(page), page.json.total]).toEqual([['b'], 3]);
    expect(names(await find('buyer', { name: { in: [`${tag} a`, `${tag} c`] } }))).toEqual(['a', 'c']);
    expect(names(await find('buyer', { ...like, name: { text: tag, not: `${tag} a` } }, { sort: [{ field: 'name' }] }))).toEqual([
      'b',
      'c',
    ]);
    expect(names(await find('buyer', { ...like, name: { text: tag, not: [`${tag} a`, `${tag} c`] } }))).toEqual(['b']);
    expect((await find('buyer', { ...like, _id: { not: [] } })).json.total).toBe(3);
    expect((await find('buyer', { ...like, version: { gte: 1, lt: 2 } })).json.total).toBe(3);
    expect((await find('buyer', {}, { search: `${tag} b` })).json.total).toBe(1);
    expect((await find('buyer', { name: { text: '100%' } })).json.total).toBe(0);
    expect((await call(`${C}/get-data`, { model: 'buyer', companyId: world.organizationId })).json.data.length).toBeGreaterThan(3);
  });

  it('tells only the fields that are asked for; a search finds a name as it is written on screen, owner before it', async () => {
    const { _id: buyerId, name } = await newBuyer();
    for (const tier of ['Day', 'Night']) await made('buyerTier', tierData(buyerId, { name: tier }));
    const fields = ['name', 'buyerName', 'secrets'];
    const { json } = await find('buyerTier', {}, { search: `${name}, nig`, fields });
    expect(json.data).toEqual([{ _id: json.data[0]._id, name: 'Night', buyerName: name, secrets: [] }]);
    expect(json.total).toBe(1);
    expect((await find('buyerTier', {}, { search: `${name}, noon`, fields })).json.total).toBe(0);
    // Sorted by a name that stands elsewhere, each once, and nobody lost.
    const byBuyer = { field: 'buyerName' };
    const sorted = (await find('buyerTier', {}, { sort: [byBuyer, { field: 'name', descending: true }, byBuyer], fields })).json;
    expect(sorted.data.map((one: { buyerName: string }) => one.buyerName.toLowerCase())).toEqual(
      sorted.data.map((one: { buyerName: string }) => one.buyerName.toLowerCase()).sort(),
    );
    expect([sorted.data.length, sorted.data.filter((one: { buyerName: string }) => one.buyerName === name)]).toMatchObject([
      (await find('buyerTier', {})).json.total,
      [{ name: 'Night' }, { name: 'Day' }],
    ]);
    // Who of a team is told which fields hangs on others, which are not told along.
    const team = (await find('teamMember', {}, { fields: ['userId'] })).json.data;
    expect(team.map((one: object) => Object.keys(one).sort())).toEqual(team.map(() => ['_id', 'userId']));
    expect((await find('buyer', {}, { fields: ['nothing'] })).json.code).toBe('record_field_unknown');
    expect((await find('buyer', {}, { fields: [] })).statusCode).toBe(400);
  });

  it('C2, C3: an unknown model, field or operator, and what cannot be looked for, is a clear 400', async () => {
    const wrong: [string, unknown, string][] = [
      ['nothing', {}, 'record_model_unknown'],
      ['constructor', {}, 'record_model_unknown'],
      ['buyer', { nothing: 1 }, 'record_field_unknown'],
      ['buyer', { constructor: 1 }, 'record_field_unknown'],
      ['buyer', { name: { $ne: null } }, 'record_operator_unknown'],
      ['buyer', { name: { text: 7 } }, 'record_value_invalid'],
      ['buyer', { caps: [] }, 'record_field_unsearchable'],
      ['buyer', { version: 'one' }, 'record_value_invalid'],
      ['buyer', { version: { gte: {} } }, 'record_value_invalid'],
      ['buyerTier', { secrets: 'x' }, 'record_field_unsearchable'],
    ];
    for (const [model, condition, code] of wrong) {
      const answer = await find(model, condition);
      expect([condition, answer.statusCode, answer.json.code]).toEqual([condition, 400, code]);
    }
    expect((await find('buyer', {}, { sort: [{ field: 'caps' }] })).json.code).toBe('record_field_unsearchable');
    expect((await find('buyer', {}, { limit: 1001 })).statusCode).toBe(400);
    expect((await find('buyer', { name: "x'; drop table buyer; --" })).json.total).toBe(0);
    expect((await single('buyer', { name: 'nobody has this' })).statusCode).toBe(404);
  });

  it('C3: no value of the wrong kind, for whichever field of whichever model, is more than a 400', async () => {
    const values = [
      5,
      true,
      'x',
      { gt: 'x' },
      { gt: '2026-01-01T00:00:00Z' },
      { gte: 1 },
      { in: ['x', 1] },
      { not: 'x' },
      { text: 'x' },
      { in: 'x' },
    ];
    const broken: unknown[] = [];
    const codes = new Set<number>();
    for (const [model, { fields }] of recordModels)
      for (const field of Object.keys(fields))
        for (const value of values) {
          const answer = await find(model, { [field]: value });
          codes.add(answer.statusCode);
          if (answer.statusCode >= 500) broken.push([model, field, value]);
        }
    expect(broken).toEqual([]);
    expect(codes).toEqual(new Set([200, 400]));
  });

  it('get/unique-name tells whether a name is free, leaving the record itself out', async () => {
    const { _id, name } = await newBuyer();
    const isUnique = async (model: string, condition: unknown) => (await call(`${C}/get/unique-name`, { model, condition })).json;
    expect(await isUnique('buyer', { name: String(name).toUpperCase() })).toMatchObject({ isUnique: false });
    expect(await isUnique('buyer', { name, _id })).toMatchObject({ isUnique: true });
    expect(await isUnique('buyer', { name: 'never heard of' })).toMatchObject({ isUnique: true });
    expect(await isUnique('buyerTier', { name: 'x' })).toMatchObject({ code: 'record_value_missing' });
    expect(await isUnique('contact', { name: 'x' })).toMatchObject({ code: 'record_name_free' });
  });
});

describe('console §7: changes by condition', () => {
  it('post-edit-data-with-condition and delete/condition-data reach what the condition finds, all or nothing', async () => {
    const tag = `Batch ${next()}`;
    for (const name of ['x', 'y']) await newBuyer({ name: `${tag} ${name}` });
    const condition = { name: { text: tag } };
    expect(
      (await call(`${C}/post-edit-data-with-condition`, { model: 'buyer', condition, data: { status: 'paused' } })).json,
    ).toMatchObject({ count: 2 });
    expect((await find('buyer', { ...condition, status: 'paused' })).json.total).toBe(2);
    // The second of them has a tier: the first is not removed either.
    const second = (await find('buyer', { name: `${tag} y` })).json.data[0];
    const tier = await made('buyerTier', tierData(second._id));
    expect((await call(`${C}/delete/condition-data`, { model: 'buyer', condition })).json.code).toBe('record_in_use');
    expect((await find('buyer', condition)).json.total).toBe(2);
    await remove('buyerTier', tier._id);
    expect((await call(`${C}/delete/condition-data`, { model: 'buyer', condition })).json).toMatchObject({ count: 2 });
    expect((await call(`${C}/delete/condition-data`, { model: 'buyer', condition })).statusCode).toBe(404);
    expect((await call(`${C}/delete/condition-data`, { model: 'buyer', condition: {} })).json.code).toBe('record_condition_missing');
    // What narrows nothing finds nothing to remove, however it is said.
    for (const nothing of [{ _id: [] }, { _id: {} }, { name: {} }, { status: ['active'] }]) {
      const asked = await Promise.all([
        call(`${C}/delete/condition-data`, { model: 'buyer', condition: nothing }),
        call(`${C}/post-edit-data-with-condition`, { model: 'buyer', condition: nothing, data: { notes: 'all' } }),
        single('buyer', nothing),
      ]);
      expect(asked.map(({ statusCode, json }) => [statusCode, json.code])).toEqual(asked.map(() => [400, 'record_value_invalid']));
    }
  });

  it('edit-key-data edits the one record a condition finds, and no other', async () => {
    const { affiliateId } = await newPublisher();
    const change = (getCondition: unknown, updateCondition: unknown) =>
      call(`${C}/edit-key-data`, { model: 'publisher', getCondition, updateCondition });
    expect((await change({ affiliateId }, { notes: 'by key' })).json.data.notes).toBe('by key');
    expect((await change({ status: 'active' }, { notes: 'all?' })).json.code).toBe('record_ambiguous');
    expect((await change({ affiliateId: 'none' }, { notes: 'x' })).statusCode).toBe(404);
  });
});

describe('console §7: children', () => {
  it('are added, edited and removed under their parent, and under no other', async () => {
    const [mine, other] = [await newPublisher(), await newPublisher()];
    const child = { model: 'publisher', entityId: mine._id, entityKey: 'tiers' };
    const added = await call('/api/common/add-data', {
      ...child,
      isChildInsert: true,
      name: 'Web',
      campaignId: world.campaignId,
      priceModel: { kind: 'share', sharePercent: 70 },
    });
    expect(added.json.data).toMatchObject({ publisherId: mine._id, name: 'Web', publisherName: mine.name });
    const childEntityId = added.json.data._id;
    const changed = await call('/api/common/update-child-data', {
      ...child,
      childEntityId,
      subId: 'home',
      ipAllow: ['10.0.0.0/8', '2001:db8::1'],
    });
    expect(changed.json.data).toMatchObject({ subId: 'home', ipAllow: ['10.0.0.0/8', '2001:db8::1'] });
    const wrong = await call('/api/common/update-child-data', { ...child, childEntityId, ipAllow: ['10.0.0.0/8', '1.2.3'] });
    expect([wrong.statusCode, wrong.json.code, wrong.json.msg]).toEqual([
      400,
      'record_value_invalid',
      'ipAllow.1: "1.2.3" is no IP address or range; write 203.0.113.7 or 203.0.113.0/24.',
    ]);
    const elsewhere = await call('/api/common/update-child-data', { ...child, entityId: other._id, childEntityId, subId: 'x' });
    expect(elsewhere.statusCode).toBe(404);
    expect((await call('/api/common/add-data', { ...child, entityKey: 'nothing', isChildInsert: true })).json.code).toBe(
      'record_key_unknown',
    );
    expect(
      (await call('/api/common/delete', { model: 'publisher', _id: other._id, entityKey: 'tiers', data: [childEntityId] })).statusCode,
    ).toBe(404);
    expect(
      (await call('/api/common/delete', { model: 'publisher', _id: mine._id, entityKey: 'tiers', data: [childEntityId] })).json.count,
    ).toBe(1);
    expect((await find('publisherTier', { publisherId: mine._id })).json.total).toBe(0);
  });

  it('update-data sets one field of a record', async () => {
    const { _id } = await newBuyer();
    const caps = [{ measure: 'sold', period: 'day', limit: 9, timeZone: 'UTC' }];
    expect(
      (await call('/api/common/update-data', { model: 'buyer', entityId: _id, entityKey: 'caps', data: caps })).json.data.caps,
    ).toEqual(caps);
    expect((await call('/api/common/update-data', { model: 'buyer', entityId: _id, entityKey: 'nothing', data: 1 })).statusCode).toBe(400);
    const tier = await made('buyerTier', tierData(_id));
    const price = { model: 'buyerTier', entityId: tier._id, entityKey: 'price', kind: 'fixed', price: '7.25' };
    expect((await call('/api/common/update-data', price)).json.data.price).toEqual({ kind: 'fixed', price: '7.25' });
  });

  it('order-change brings all children of one parent into a new order, and refuses a stale one', async () => {
    const { data } = (await find('field', { verticalId: world.verticalId })).json;
    const ids = data.map((one: { _id: string }) => one._id);
    const turned = [...ids.slice(1), ids[0]];
    expect((await call('/api/common/order-change', { model: 'field', data: turned })).json.count).toBe(ids.length);
    const now = (await find('field', { verticalId: world.verticalId })).json.data.map((one: { _id: string }) => one._id);
    expect(now).toEqual(turned);
    // Of two who move at once the second is told.
    const late = await call('/api/common/order-change', { model: 'field', data: [...ids].reverse(), seen: ids });
    expect([late.statusCode, late.json.code]).toEqual([409, 'record_order_stale']);
    expect((await call('/api/common/order-change', { model: 'field', data: ids, seen: turned })).statusCode).toBe(200);
    await call('/api/common/order-change', { model: 'field', data: turned, seen: ids });
    for (const stale of [turned.slice(1), [...turned, turned[0]], [...turned.slice(1), newId()]])
      expect((await call('/api/common/order-change', { model: 'field', data: stale })).statusCode).toBe(409);
    expect((await call('/api/common/order-change', { model: 'buyer', data: [newId()] })).statusCode).toBe(403);
  });
});

describe('console §6: who may', () => {
  it('a member without set-up sees and changes nothing; one with it, what lies in their vertical', async () => {
    const none = await member(['overview']);
    const some = await member(['setup']);
    const { _id: buyerId } = await newBuyer();
    expect((await find('buyer', {}, {}, none)).statusCode).toBe(403);
    expect((await add('buyer', { name: 'No' }, none)).statusCode).toBe(403);
    expect((await find('buyer', {}, {}, some)).statusCode).toBe(200);
    const region = await made('region', { name: `Region ${next()}`, slug: `region-${count}`, country: 'uk' });
    const vertical = await made('vertical', { name: 'Auto', slug: 'auto', regionId: region._id, primaryField: 'email' });
    await made('field', { verticalId: vertical._id, fieldName: 'email', fieldHumanName: 'Email', type: 'email', privacyClass: 'P2' });
    const elsewhere = await made('buyerTier', tierData(buyerId, { verticalId: vertical._id }));
    const here = await made('buyerTier', tierData(buyerId));
    const seen = (await find('buyerTier', { buyerId }, {}, some)).json.data.map((one: { _id: string }) => one._id);
    expect(seen).toEqual([here._id]);
    expect((await edit('buyerTier', elsewhere._id, { name: 'Mine' }, some)).statusCode).toBe(404);
    expect((await edit('buyerTier', here._id, { remarks: 'x' }, some)).statusCode).toBe(400);
    expect((await edit('buyerTier', here._id, { timeLimitMs: 900 }, some)).statusCode).toBe(200);
    expect((await add('buyerTier', tierData(buyerId, { verticalId: vertical._id }), some)).statusCode).toBe(404);
    expect((await add('region', { name: 'R', slug: 'r', country: 'us' }, some)).statusCode).toBe(403);
    expect((await edit('organization', world.organizationId, { name: 'Mine' }, some)).statusCode).toBe(403);
  });

  describe('a company lies where its tiers do (decision 0016)', () => {
    type Kind = 'buyer' | 'publisher';
    const KINDS: Kind[] = ['buyer', 'publisher'];
    let elsewhere: string;
    let both: World;
    /** Sets up Auto alone, where the world's own vertical is Payday. */
    let auto: string;
    beforeAll(async () => {
      const slug = `auto-${next()}`;
      elsewhere = (await made('vertical', { name: slug, slug, regionId: world.regionId, primaryField: 'email' }))._id;
      const data = { verticalId: elsewhere, fieldName: 'email', fieldHumanName: 'Email', type: 'email', privacyClass: 'P2' };
      await made('field', data);
      both = { ...world, verticalId: elsewhere };
      auto = await member(['setup'], both);
    });
    const newCompany = (kind: Kind, more = {}) => (kind === 'buyer' ? newBuyer(more) : newPublisher(more));
    async function addTier(kind: Kind, id: string, verticalId: string, cookie = owner) {
      if (kind === 'buyer') return add('buyerTier', tierData(id, { verticalId }), cookie);
      const campaign = await made('campaign', { name: `C ${next()}`, verticalId, margin: { kind: 'percent', percent: 5 } });
      const priceModel = { kind: 'fixed', price: '1' };
      return add('publisherTier', { name: `Seat ${next()}`, publisherId: id, campaignId: campaign._id, priceModel }, cookie);
    }

    it.each(KINDS)('a %s of another vertical alone is not there, nor are its contacts', async (kind) => {
      const company = await newCompany(kind);
      expect((await addTier(kind, company._id, world.verticalId)).statusCode).toBe(200);
      const contact = await made('contact', { firstName: 'Ada', [`${kind}Id`]: company._id });
      const ids = async (model: string) =>
        (await find(model, {}, { withArchived: true }, auto)).json.data.map((one: { _id: string }) => one._id);
      expect(await ids(kind)).not.toContain(company._id);
      expect(await ids('contact')).not.toContain(contact._id);
      for (const answer of [
        await single(kind, { _id: company._id }, auto),
        await edit(kind, company._id, { status: 'paused' }, auto),
        await remove(kind, company._id, auto),
        await single('contact', { _id: contact._id }, auto),
        await edit('contact', contact._id, { phone: '+1 212 555 0100' }, auto),
        await remove('contact', contact._id, auto),
        await add('contact', { firstName: 'Eve', [`${kind}Id`]: company._id }, auto),
        await addTier(kind, company._id, elsewhere, auto),
        await call(`${C}/post-edit-data-with-condition`, { model: kind, condition: { _id: company._id }, data: { notes: 'x' } }, auto),
      ])
        expect([answer.statusCode, answer.json.code]).toEqual([404, 'record_unknown']);
    });

    it.each(KINDS)('a %s that is shared is seen, and gets tiers, and is changed by who sets up all of it', async (kind) => {
      const company = await newCompany(kind);
      for (const verticalId of [world.verticalId, elsewhere]) await addTier(kind, company._id, verticalId);
      const contact = await made('contact', { firstName: 'Ada', [`${kind}Id`]: company._id });
      expect((await single(kind, { _id: company._id }, auto)).json.data).toMatchObject({ name: company.name, mayEdit: false });
      expect((await single('contact', { _id: contact._id }, auto)).json.data).toMatchObject({ firstName: 'Ada', mayEdit: false });
      const many = { model: kind, condition: { _id: company._id }, data: { status: 'paused' } };
      for (const answer of [
        await edit(kind, company._id, { status: 'paused' }, auto),
        await edit(kind, company._id, kind === 'buyer' ? { caps: [] } : { affiliateId: 'mine' }, auto),
        await remove(kind, company._id, auto),
        await call(`${C}/post-edit-data-with-condition`, many, auto),
        await edit('contact', contact._id, { phone: '' }, auto),
        await remove('contact', contact._id, auto),
        await add('contact', { firstName: 'Eve', [`${kind}Id`]: company._id }, auto),
      ]) {
        expect([answer.statusCode, answer.json.code]).toEqual([403, 'record_shared']);
        expect(answer.json.msg).toContain('is shared with verticals that you may not set up. The owner can change it');
      }
      expect((await find('contact', { [`${kind}Id`]: company._id })).json.total).toBe(1);
      expect((await addTier(kind, company._id, elsewhere, auto)).statusCode).toBe(200);
      const all = await signIn(
        await buildUser(node.db, world.organizationId, {
          role: 'member',
          permissions: [
            {
              ...tree(world, ['setup'])[0]!,
              verticals: [...tree(world, ['setup']), ...tree(both, ['setup'])].flatMap((one) => one.verticals),
            },
          ],
        }),
      );
      for (const cookie of [owner, all]) {
        expect((await single(kind, { _id: company._id }, cookie)).json.data.mayEdit).toBe(true);
        expect((await edit(kind, company._id, { status: 'paused' }, cookie)).statusCode).toBe(200);
        expect((await edit('contact', contact._id, { phone: '+1 212 555 0100' }, cookie)).statusCode).toBe(200);
      }
    });

    it.each(KINDS)(
      'a %s without a tier, and one whose tiers all lie in one’s own vertical, are changed; so is one with an archived tier there',
      async (kind) => {
        const made = (await add(kind, { name: `Own ${next()}`, ...(kind === 'publisher' && { affiliateId: `own-${count}` }) }, auto)).json
          .data;
        expect(made.mayEdit).toBe(true);
        expect((await edit(kind, made._id, { notes: 'mine' }, auto)).statusCode).toBe(200);
        const tier = (await addTier(kind, made._id, elsewhere, auto)).json.data;
        expect((await edit(kind, made._id, { status: 'paused' }, auto)).statusCode).toBe(200);
        expect((await add('contact', { firstName: 'Eve', [`${kind}Id`]: made._id }, auto)).statusCode).toBe(200);
        // Somebody else's tier may be archived; the company stays shared, for that tier may come back.
        const theirs = (await addTier(kind, made._id, world.verticalId)).json.data;
        expect((await remove(`${kind}Tier`, theirs._id)).statusCode).toBe(200);
        expect((await edit(kind, made._id, { status: 'active' }, auto)).json.code).toBe('record_shared');
        expect((await remove(`${kind}Tier`, tier._id, auto)).statusCode).toBe(200);
        expect((await edit(`${kind}Tier`, tier._id, { status: 'active' }, auto)).statusCode).toBe(200);
      },
    );

    it('mayEdit is neither looked for, sorted by nor written', async () => {
      expect((await find('buyer', { mayEdit: true }, {}, auto)).json.code).toBe('record_field_unsearchable');
      expect((await find('buyer', {}, { sort: [{ field: 'mayEdit' }] }, auto)).json.code).toBe('record_field_unsearchable');
      expect((await add('buyer', { name: 'Mine', mayEdit: true }, auto)).json.code).toBe('record_field_fixed');
    });

    it('what is taken in a vertical is told to who sets it up, by asking as by adding', async () => {
      const name = `Secret ${next()}`;
      const margin = { kind: 'percent', percent: 5 };
      await made('campaign', { name, verticalId: world.verticalId, margin });
      const { _id: buyerId } = await newBuyer();
      await made('buyerTier', tierData(buyerId, { name }));
      for (const one of [name, 'Nobody has this']) {
        const asked = (model: string, within: object) => call(`${C}/get/unique-name`, { model, condition: { name: one, ...within } }, auto);
        for (const answer of [
          await asked('campaign', { verticalId: world.verticalId }),
          await asked('buyerTier', { buyerId }),
          await asked('field', { verticalId: world.verticalId, fieldName: 'email' }),
          await add('campaign', { name: one, verticalId: world.verticalId, margin }, auto),
        ])
          expect([answer.statusCode, answer.json.code]).toEqual([404, 'record_unknown']);
      }
      // Whoever may only enter the vertical learns no more than who may not.
      const enters = [...tree(world, ['overview']), ...tree(both, ['setup'])].flatMap((one) => one.verticals);
      const permissions = [{ ...tree(world, ['setup'])[0]!, verticals: enters }];
      const visitor = await signIn(await buildUser(node.db, world.organizationId, { role: 'member', permissions }));
      const asked = await call(`${C}/get/unique-name`, { model: 'campaign', condition: { name, verticalId: world.verticalId } }, visitor);
      expect(asked.json.code).toBe('record_unknown');
      const free = await call(`${C}/get/unique-name`, { model: 'campaign', condition: { name, verticalId: elsewhere } }, visitor);
      expect(free.json.isUnique).toBe(true);
    });
  });

  it('C1: a stranger finds none of it: another organization’s record is a 404, for every call', async () => {
    const { _id } = await newBuyer();
    const tier = world.tiers[0]!.buyerTierId;
    const { rows: fields } = await node.pool.query('select id from field where vertical_id = $1 limit 1', [world.verticalId]);
    const fieldId = fields[0].id;
    const calls: [string, unknown][] = [
      [`${C}/post-edit-data`, { model: 'buyer', _id, notes: 'x' }],
      [`${C}/post-edit-data-with-condition`, { model: 'buyer', condition: { _id }, data: { notes: 'x' } }],
      [`${C}/post-delete-data`, { model: 'buyer', _id }],
      [`${C}/delete/condition-data`, { model: 'buyer', condition: { _id } }],
      [`${C}/get-data`, { model: 'buyer', companyId: world.organizationId }],
      [`${C}/single-data`, { model: 'buyer', condition: { _id } }],
      [`${C}/edit-key-data`, { model: 'buyer', getCondition: { _id }, updateCondition: { notes: 'x' } }],
      ['/api/common/update-data', { model: 'buyer', entityId: _id, entityKey: 'notes', data: 'x' }],
      [
        '/api/common/update-child-data',
        { model: 'buyer', entityId: world.tiers[0]!.buyerId, childEntityId: tier, entityKey: 'tiers', name: 'x' },
      ],
      ['/api/common/delete', { model: 'buyer', _id: world.tiers[0]!.buyerId, entityKey: 'tiers', data: [tier] }],
      [
        '/api/common/add-data',
        {
          model: 'buyer',
          entityId: _id,
          entityKey: 'tiers',
          isChildInsert: true,
          ...tierData(_id, { verticalId: stranger.verticalId, buyerId: undefined }),
        },
      ],
      ['/api/common/order-change', { model: 'field', data: [fieldId] }],
      [`${C}/post-add-data`, { model: 'buyerTier', ...tierData(_id, { verticalId: stranger.verticalId }) }],
    ];
    for (const [path, body] of calls) {
      expect([path, (await call(path, body, strangersOwner)).statusCode]).toEqual([path, 404]);
      expect([path, (await call(path, body, '')).statusCode]).toEqual([path, 401]);
      expect([path, (await node.post(path, body, { cookie: owner })).statusCode]).toEqual([path, 403]);
    }
    expect((await find('buyer', { _id }, {}, strangersOwner)).json.total).toBe(0);
    expect((await call(`${C}/get/unique-name`, { model: 'buyer', condition: { name: 'x' } }, strangersOwner)).json.isUnique).toBe(true);
  });
});

describe('console §7: what comes back, and what would break', () => {
  it('an archived tier comes back only after what it belongs to', async () => {
    const publisher = await newPublisher();
    const campaign = await made('campaign', {
      name: `Campaign ${next()}`,
      verticalId: world.verticalId,
      margin: { kind: 'percent', percent: 5 },
    });
    const priceModel = { kind: 'fixed', price: '1' };
    const tier = await made('publisherTier', { name: 'Seat', publisherId: publisher._id, campaignId: campaign._id, priceModel });
    for (const [model, { _id }] of [
      ['publisherTier', tier],
      ['campaign', campaign],
      ['publisher', publisher],
    ] as const)
      expect((await remove(model, _id)).statusCode).toBe(200);
    const refused = await edit('publisherTier', tier._id, { status: 'active' });
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'record_parent_archived']);
    expect(refused.json.msg).toBe(`Publisher ${publisher.name} is archived. Restore that first.`);
    await edit('publisher', publisher._id, { status: 'active' });
    expect((await edit('publisherTier', tier._id, { status: 'active' })).json.msg).toBe(
      `Campaign ${campaign.name} is archived. Restore that first.`,
    );
    await edit('campaign', campaign._id, { status: 'active' });
    expect((await edit('publisherTier', tier._id, { status: 'active' })).json.data.status).toBe('active');
  });

  it('a tier whose rules no longer fit the fields comes back only once they do', async () => {
    const data = { verticalId: world.verticalId, fieldHumanName: 'Age', type: 'integer', privacyClass: 'P1' };
    const field = await made('field', { ...data, fieldName: `age_${next()}` });
    const filter = { field: field.fieldName, is: 'atLeast', value: 21 };
    const tier = await made('buyerTier', tierData((await newBuyer())._id, { filter }));
    const refused = await edit('field', field._id, { type: 'boolean' });
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'field_in_use']);
    expect(refused.json.uses[0]).toContain(String(tier.name));
    expect((await edit('field', field._id, { fieldHumanName: 'Years', type: 'number' })).statusCode).toBe(200);
    await remove('buyerTier', tier._id);
    expect((await edit('field', field._id, { type: 'boolean' })).statusCode).toBe(200);
    expect((await edit('buyerTier', tier._id, { status: 'active' })).json.code).toBe('tier_invalid');
    await edit('field', field._id, { type: 'integer' });
    expect((await edit('buyerTier', tier._id, { status: 'active' })).statusCode).toBe(200);
  });

  it('an option that a filter names stays among the choices as long as the filter names it', async () => {
    const data = { verticalId: world.verticalId, fieldHumanName: 'Make', type: 'choice', privacyClass: 'P1', options: ['Ford', 'Fiat'] };
    const field = await made('field', { ...data, fieldName: `make_${next()}` });
    const filter = { field: field.fieldName, is: 'in', value: ['Fiat'] };
    const tier = await made('buyerTier', tierData((await newBuyer())._id, { filter }));
    const refused = await edit('field', field._id, { options: ['Ford'] });
    expect([refused.statusCode, refused.json.code]).toEqual([409, 'field_in_use']);
    expect(refused.json.uses[0]).toContain(`${tier.name}: “Fiat” is not among the choices`);
    await edit('buyerTier', tier._id, { filter: null });
    expect((await edit('field', field._id, { options: ['Ford'] })).statusCode).toBe(200);
  });
});

describe('console §3: notes', () => {
  it('campaigns and both kinds of tiers have notes of at most 500 characters, which are logged and can be looked for', async () => {
    const [buyerId, publisherId] = [(await newBuyer())._id, (await newPublisher())._id];
    const notes = 'Asks for the sort code.';
    const campaign = await made('campaign', {
      ...{ name: `Campaign ${next()}`, verticalId: world.verticalId, margin: { kind: 'percent', percent: 10 }, notes },
    });
    const seat = { name: `Seat ${next()}`, publisherId, campaignId: campaign._id, priceModel: { kind: 'share', sharePercent: 80 }, notes };
    const records = [
      ['campaign', campaign],
      ['publisherTier', await made('publisherTier', seat)],
      ['buyerTier', await made('buyerTier', tierData(buyerId, { notes }))],
    ] as const;
    for (const [model, { _id }] of records) {
      expect((await single(model, { _id })).json.data.notes).toBe(notes);
      expect((await edit(model, _id, { notes: 'x'.repeat(501) })).json.code).toBe('record_value_invalid');
      expect((await edit(model, _id, { notes: 'x'.repeat(500) })).statusCode).toBe(200);
    }
    expect((await find('campaign', {}, { search: 'x'.repeat(40) })).json.total).toBe(1);
  });
});

describe('change-logs-mgmt: who changed what', () => {
  const log = async (query = '', cookie = owner) => {
    const response = await fetch(`${node.url}/api/v1/change-log?${query}`, { headers: { cookie } });
    // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
    return { statusCode: response.status, json: (await response.json()) as any };
  };
  const rollBack = (_id: string, cookie = owner) => call('/api/v1/change-log/roll-back', { _id }, cookie);
  const latest = async (recordId: string) => (await log(`recordId=${recordId}`)).json.changes;

  it('H5: every change stands there with before and after, who and from where; a change of nothing leaves no line', async () => {
    const { _id, name } = await newBuyer();
    await edit('buyer', _id, { notes: 'now', name });
    await edit('buyer', _id, { notes: 'now' });
    await remove('buyer', _id);
    const changes = await latest(_id);
    expect(changes.map((one: { action: string }) => one.action)).toEqual(['remove', 'edit', 'add']);
    expect(changes[1]).toMatchObject({
      modelLabel: 'Buyer',
      recordName: name,
      userName: 'Una User',
      before: { notes: '' },
      after: { notes: 'now' },
    });
    expect(changes[1].network).not.toBe('');
    expect(Object.keys(changes[1].after)).toEqual(['notes']);
    const first = (await log('limit=1')).json;
    expect((await log(`limit=1&before=${first.older}`)).json.changes[0]._id).not.toBe(first.changes[0]._id);
    expect((await log(`search=${encodeURIComponent(String(name))}`)).json.changes).toHaveLength(3);
  });

  it('console §9: is narrowed by kind, person and span of time, and says what there is to choose from', async () => {
    const { _id, name } = await newBuyer();
    const [{ userId, at }] = await latest(_id);
    const of = async (query: string) => (await log(`${query}&search=${encodeURIComponent(String(name))}`)).json.changes;
    expect(await of('model=buyer')).toHaveLength(1);
    expect(await of('model=campaign')).toEqual([]);
    expect(await of(`userId=${userId}`)).toHaveLength(1);
    expect(await of(`userId=${newId()}`)).toEqual([]);
    const instant = (ms: number) => new Date(Date.parse(at) + ms).toISOString();
    expect(await of(`from=${at}`)).toHaveLength(1);
    expect(await of(`from=${instant(1)}`)).toEqual([]);
    // The end of a span is not in it.
    expect(await of(`to=${instant(1)}`)).toHaveLength(1);
    expect(await of(`to=${at}`)).toEqual([]);
    expect((await log('from=yesterday')).statusCode).toBe(400);
    const choices = await fetch(`${node.url}/api/v1/change-log/choices`, { headers: { cookie: owner } });
    const { models, people } = (await choices.json()) as ChangeLogChoices;
    expect(models).toContainEqual({ model: 'buyerTier', label: 'Buyer tier' });
    expect(models).toContainEqual({ model: 'teamMember', label: 'Team member' });
    expect(people).toContainEqual({ _id: userId, name: 'Una User' });
  });

  it('a text is looked for among the newest 20,000, says how far back that was, and the next page goes on from there', async () => {
    const busy = await buildWorld(node.db, { name: 'Busy' });
    await node.planBook.reload(busy.organizationId);
    const cookie = await signIn(await buildUser(node.db, busy.organizationId));
    const insert = (name: string, rows: number) =>
      node.pool.query(
        `insert into change_log (organization_id, id, user_id, user_name, model, record_id, record_name, action)
          select $1, uuidv7(), $2, 'Una User', 'buyer', $2, $3, 'edit' from generate_series(1, $4)`,
        [busy.organizationId, newId(), name, rows],
      );
    await insert('Long ago', 1);
    await insert('Filler', 20_000);
    await insert('Just now', 1);
    const found = async (query: string) => (await log(query, cookie)).json;
    const first = await found('search=long%20ago');
    expect(first.changes).toEqual([]);
    expect(Date.parse(first.lookedTo)).toBeGreaterThan(Date.now() - 60_000);
    const second = await found(`search=long%20ago&before=${first.older}`);
    expect(second.changes.map((one: { recordName: string }) => one.recordName)).toEqual(['Long ago']);
    expect([second.older, second.lookedTo]).toEqual([null, null]);
    // What is there at once needs no further look, and a full page none either.
    expect((await found('search=just%20now')).changes).toHaveLength(1);
    const full = await found('search=filler&limit=10');
    expect([full.changes.length, full.older, full.lookedTo]).toEqual([10, full.changes[9]._id, null]);
    // Without a text nothing is left out.
    expect((await found('limit=10')).lookedTo).toBeNull();
  });

  it('account §7: what is narrowed is saved as CSV, a line for each value, harmless in a spreadsheet, and for the owner alone', async () => {
    const { _id } = await newBuyer();
    await edit('buyer', _id, { notes: '=HYPERLINK("http://x")', caps: [{ measure: 'sold', period: 'day', limit: 1, timeZone: 'UTC' }] });
    const file = (body: Record<string, string>, cookie = owner) =>
      fetch(`${node.url}/api/v1/download-file/change-log`, {
        method: 'POST',
        headers: { cookie, 'x-requested-with': 'sluice' },
        body: new URLSearchParams({ isDownloadCSV: 'true', ...body }),
      });
    const answer = await file({ recordId: _id, model: 'buyer', timeZone: 'America/New_York' });
    expect(answer.headers.get('content-disposition')).toMatch(/filename="change-log-\d{2}[A-Z][a-z]{2}\d{4}\.csv"/);
    const [head, ...lines] = (await answer.text()).trimEnd().split('\r\n');
    expect(head).toContain('When (America/New_York),Person,Network,Action,Kind,Record,Value,Before,After');
    const edits = lines.filter((line) => line.includes(',edit,Buyer,'));
    expect(edits).toHaveLength(2);
    expect(edits.join()).toContain(`notes,,"'=HYPERLINK(""http://x"")"`);
    expect(edits.join()).toContain(`caps,[],"[{""limit"":1`);
    expect(lines.every((line) => line.endsWith(_id))).toBe(true);
    expect((await (await file({ recordId: _id, to: '2020-01-01T00:00:00Z' })).text()).trimEnd().split('\r\n')).toHaveLength(1);
    expect((await file({}, await member(['setup']))).status).toBe(403);
  });

  it('account §7: the file of a list has the columns asked for, in their order, under the heads of the list', async () => {
    const { _id } = await newBuyer({ notes: 'filed' });
    const file = (body: Record<string, string>) =>
      fetch(`${node.url}/api/v1/download-file/records`, {
        method: 'POST',
        headers: { cookie: owner, 'x-requested-with': 'sluice' },
        body: new URLSearchParams({ isDownloadCSV: 'true', listing: JSON.stringify({ model: 'buyer', condition: { _id } }), ...body }),
      });
    const asked = { columns: 'notes,status,secret,notes', heads: JSON.stringify({ notes: 'Notes', status: '=Status' }) };
    const text = await (await file(asked)).text();
    expect(
      text
        .trimEnd()
        .replace(/^\uFEFF/, '')
        .split('\r\n'),
    ).toEqual([`Notes,'=Status,id`, `filed,active,${_id}`]);
    // Refused before a file is begun.
    for (const listing of ['{"model":"buyer","sort":[{"field":"nonsense"}]}', '{"model":"buyer","sort":[{"field":"caps"}]}'])
      expect((await file({ columns: 'notes', listing })).status).toBe(400);
    expect((await file({ columns: 'notes', listing: '{"model":"buyer","search":"\\u0000"}' })).status).toBe(400);
    expect((await file({ columns: 'notes', heads: '[1' })).status).toBe(400);
    expect((await file({ columns: 'notes', heads: '{"notes":1}' })).status).toBe(400);
  });

  it('one change is taken back while nothing later depends on it, and the taking back too', async () => {
    const { _id } = await newBuyer({ notes: 'one' });
    await edit('buyer', _id, { notes: 'two' });
    await edit('buyer', _id, { caps: [{ measure: 'sold', period: 'day', limit: 1, timeZone: 'UTC' }] });
    const [, notes] = await latest(_id);
    expect((await rollBack(notes._id)).statusCode).toBe(200);
    expect((await single('buyer', { _id })).json.data).toMatchObject({ notes: 'one', caps: [{ limit: 1 }] });
    expect((await rollBack(notes._id)).json.code).toBe('change_rolled_back');
    const [taken, , again] = await latest(_id);
    expect([taken.rollsBack, again.isRolledBack]).toEqual([notes._id, true]);
    expect((await rollBack(taken._id)).statusCode).toBe(200);
    expect((await single('buyer', { _id })).json.data.notes).toBe('two');
  });

  it('console §3 "change-logs-mgmt": a payment of a buyer stands in no way of taking a change of it back', async () => {
    const { _id } = await newBuyer({ notes: 'one' });
    await edit('buyer', _id, { notes: 'two' });
    const [edited] = await latest(_id);
    const entry = { partyKind: 'buyer', partyId: _id, kind: 'payment', amount: '5.00', note: 'Paid' };
    expect((await call('/api/console/ledger/entries', entry)).statusCode).toBe(200);
    expect((await rollBack(edited._id)).statusCode).toBe(200);
    expect((await single('buyer', { _id })).json.data.notes).toBe('one');
  });

  it('what was taken back and put in force again counts: nothing is taken back over it', async () => {
    const { _id } = await newBuyer({ notes: 'a' });
    await edit('buyer', _id, { notes: 'b' });
    await edit('buyer', _id, { notes: 'c' });
    const [second, first] = await latest(_id);
    await rollBack(second._id);
    const back = (await latest(_id))[0];
    await rollBack(back._id);
    expect((await single('buyer', { _id })).json.data.notes).toBe('c');
    expect((await rollBack(first._id)).json.code).toBe('change_depended_on');
    const states = (await latest(_id)).map((one: { isRolledBack: boolean }) => one.isRolledBack);
    expect(states).toEqual([false, true, false, false, false]);
    expect((await rollBack(second._id)).statusCode).toBe(200);
    expect((await rollBack(first._id)).statusCode).toBe(200);
    expect((await single('buyer', { _id })).json.data.notes).toBe('a');
  });

  it('secrets stay as they are: a change of them alone is final, one of more is taken back in part and says so', async () => {
    const tier = await made('buyerTier', tierData((await newBuyer())._id, { secrets: { password: 'one' } }));
    await edit('buyerTier', tier._id, { secrets: { password: 'two' } });
    await edit('buyerTier', tier._id, { name: 'Renamed here', secrets: { password: 'three' } });
    const [both, alone] = await latest(tier._id);
    expect([both.final, alone.final]).toEqual([null, 'What was there before is not kept, so it cannot be taken back. Write it anew.']);
    expect((await rollBack(alone._id)).json.code).toBe('change_final');
    expect((await rollBack(both._id)).json.msg).toContain('but for its secrets');
    expect((await single('buyerTier', { _id: tier._id })).json.data.name).toBe(tier.name);
  });

  it('H5: who comes to the team, and what they may, stands there too, in words', async () => {
    const email = `guest${next()}@example.com`;
    const invited = { email, first_name: 'Gil', last_name: 'Guest', permissions: tree(world, ['overview']) };
    expect((await call('/api/v1/teamMgmt/team/invite', invited)).statusCode).toBe(200);
    const members = await fetch(`${node.url}/api/v1/teamMgmt/team/members`, { headers: { cookie: owner } });
    const { _id } = ((await members.json()) as { members: { email: string; _id: string }[] }).members.find((one) => one.email === email)!;
    expect((await call('/api/v1/teamMgmt/team/delete-invitation', { _id })).statusCode).toBe(200);
    const [gone, came] = await latest(_id);
    expect(came).toMatchObject({ modelLabel: 'Team member', recordName: 'Gil Guest', action: 'add', before: {} });
    expect(came.after).toMatchObject({ role: 'member', status: 'invited', permissions: [expect.stringMatching(/: Overview$/)] });
    expect([gone.before.status, gone.after.status]).toEqual(['invited', 'removed']);
    expect((await rollBack(gone._id)).json).toMatchObject({ code: 'change_final' });
  });

  it('a change that a later one builds on says which, and stays', async () => {
    const { _id } = await newBuyer({ notes: 'a' });
    await edit('buyer', _id, { notes: 'b' });
    await edit('buyer', _id, { notes: 'c' });
    const [, first, added] = await latest(_id);
    const refused = await rollBack(first._id);
    expect([refused.statusCode, refused.json.code, refused.json.uses]).toEqual([
      409,
      'change_depended_on',
      ['Una User changed notes afterwards (edit).'],
    ]);
    await made('buyerTier', tierData(_id));
    expect((await rollBack(added._id)).statusCode).toBe(409);
    expect((await single('buyer', { _id })).json.data.notes).toBe('c');
  });

  it('an archived or deleted record and an order come back', async () => {
    const contact = await made('contact', { firstName: 'Carla', buyerId: world.tiers[0]!.buyerId, email: 'carla@example.com' });
    await remove('contact', contact._id);
    expect((await rollBack((await latest(contact._id))[0]._id)).statusCode).toBe(200);
    expect((await single('contact', { _id: contact._id })).json.data).toMatchObject({ status: 'active', company: expect.any(String) });
    const field = await made('field', {
      verticalId: world.verticalId,
      fieldName: `extra_${next()}`,
      fieldHumanName: 'Extra',
      type: 'string',
      privacyClass: 'P1',
    });
    await remove('field', field._id);
    expect((await rollBack((await latest(field._id))[0]._id)).statusCode).toBe(200);
    expect((await single('field', { _id: field._id })).json.data).toMatchObject({ fieldHumanName: 'Extra' });
    const before = (await find('field', { verticalId: world.verticalId })).json.data.map((one: { _id: string }) => one._id);
    await call('/api/common/order-change', { model: 'field', data: [...before].reverse() });
    expect((await rollBack((await latest(world.verticalId))[0]._id)).statusCode).toBe(200);
    expect((await find('field', { verticalId: world.verticalId })).json.data.map((one: { _id: string }) => one._id)).toEqual(before);
  });

  it('is the owner’s, of one organization', async () => {
    const { _id } = await newBuyer();
    const [change] = await latest(_id);
    const some = await member(['setup']);
    expect((await log('', some)).statusCode).toBe(403);
    expect((await rollBack(change._id, some)).statusCode).toBe(403);
    expect((await rollBack(change._id, strangersOwner)).statusCode).toBe(404);
    expect((await log(`recordId=${_id}`, strangersOwner)).json.changes).toEqual([]);
    expect((await log('limit=0')).statusCode).toBe(400);
    expect((await rollBack('x')).statusCode).toBe(404);
  });
});
