/** console §2, §3, §7: regions, verticals and their fields are added, renamed, removed, and brought back as they were. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const C = '/api/v1/common';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;
let setter: string;

async function signIn(user: { email: string; password: string }): Promise<string> {
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
const call = (path: string, body: unknown, cookie = owner) => node.post(path, body, { ...OWN_PAGE, cookie });
const add = (model: string, data: object, cookie = owner) => call(`${C}/post-add-data`, { model, ...data }, cookie);
const edit = (model: string, _id: string, data: object, cookie = owner) => call(`${C}/post-edit-data`, { model, _id, ...data }, cookie);
const remove = (model: string, _id: string, cookie = owner) => call(`${C}/post-delete-data`, { model, _id }, cookie);
const places = async (cookie = owner) => {
  const { fullRegionDatas, fullVerticalDatas, archived } = (await call('/api/v1/get-regions-and-verticals', {}, cookie)).json;
  const names = (text: string) => (JSON.parse(text) as { name: string }[]).map((one) => one.name);
  return { regions: names(fullRegionDatas), verticals: names(fullVerticalDatas), archived };
};
const fieldsOf = async (verticalId: string) =>
  (await call(`${C}/get/condition-data`, { model: 'field', condition: { verticalId } })).json.data as { _id: string; fieldName: string }[];

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
  owner = await signIn(await buildUser(node.db, world.organizationId));
  const pages = [{ value: 'setup', pageChecked: true }];
  const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages }];
  const permissions = [{ regionId: world.regionId, regionChecked: true, verticals }];
  setter = await signIn(await buildUser(node.db, world.organizationId, { role: 'member', permissions }));
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

describe('console §3: regions and verticals', () => {
  it('a second region is added, renamed, archived and restored by who runs the organization alone', async () => {
    const uk = (await add('region', { name: 'United Kingdom', slug: 'uk', country: 'uk' })).json.data;
    expect(uk).toMatchObject({ status: 'active', verticalCount: 0 });
    expect((await edit('region', uk._id, { name: 'Britain' })).json.data.name).toBe('Britain');
    expect((await edit('region', uk._id, { slug: 'gb' })).json.code).toBe('record_field_fixed');
    expect((await places()).regions).toContain('Britain');
    for (const answer of [await add('region', { name: 'x', slug: 'x', country: 'us' }, setter), await remove('region', uk._id, setter)])
      expect([403, 404]).toContain(answer.statusCode);
    expect((await remove('region', uk._id)).statusCode).toBe(200);
    expect((await places()).regions).not.toContain('Britain');
    expect((await add('region', { name: 'Again', slug: 'uk', country: 'uk' })).json.code).toBe('region_slug_taken');
    expect((await edit('region', uk._id, { status: 'active' })).statusCode).toBe(200);
    expect((await places()).regions).toContain('Britain');
  });

  it('a vertical is removed once nothing living is in it, its fields with it, and all of it comes back', async () => {
    const { data: region } = (await add('region', { name: 'North', slug: 'north', country: 'us' })).json;
    const vertical = (await add('vertical', { regionId: region._id, name: 'Solar', slug: 'solar', primaryField: 'email' })).json.data;
    const field = { verticalId: vertical._id, fieldName: 'email', fieldHumanName: 'E-mail', type: 'email', privacyClass: 'P2' };
    expect((await add('field', field)).statusCode).toBe(200);
    const margin = { kind: 'percent', percent: 10 };
    const campaign = (await add('campaign', { name: 'Sun', verticalId: vertical._id, margin })).json.data;
    const kept = await remove('vertical', vertical._id);
    expect([kept.statusCode, kept.json.uses]).toEqual([409, ['The campaign Sun lies in it.']]);
    expect((await remove('region', region._id)).json.uses).toEqual(['The vertical Solar lies in it.']);
    // What is archived no longer holds it.
    expect((await remove('campaign', campaign._id)).statusCode).toBe(200);
    expect((await remove('vertical', vertical._id)).statusCode).toBe(200);
    expect((await places()).verticals).not.toContain('Solar');
    expect((await add('campaign', { name: 'New', verticalId: vertical._id, margin })).statusCode).toBe(404);
    const early = await edit('campaign', campaign._id, { status: 'active' });
    expect([early.statusCode, early.json.code, early.json.msg]).toEqual([
      409,
      'record_parent_archived',
      'Vertical Solar is archived. Restore that first.',
    ]);
    expect((await remove('region', region._id)).statusCode).toBe(200);
    expect((await edit('vertical', vertical._id, { status: 'active' })).json.code).toBe('record_parent_archived');
    await edit('region', region._id, { status: 'active' });
    expect((await edit('vertical', vertical._id, { status: 'active' })).statusCode).toBe(200);
    expect((await edit('campaign', campaign._id, { status: 'active' })).statusCode).toBe(200);
    expect((await fieldsOf(vertical._id)).map((one) => one.fieldName)).toEqual(['email']);
  });

  it('the leads of an archived vertical stay readable, under its place', async () => {
    const sent = await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
    expect(sent.statusCode).toBe(200);
    // What lies in it is archived the way a tree is taken apart.
    await node.db.updateTable('campaign').set({ status: 'archived' }).where('organization_id', '=', world.organizationId).execute();
    await node.db.updateTable('buyer_tier').set({ status: 'archived' }).where('organization_id', '=', world.organizationId).execute();
    expect((await remove('vertical', world.verticalId)).statusCode).toBe(200);
    const { archived, verticals } = await places();
    expect(verticals).not.toContain('Payday');
    expect(archived).toMatchObject([{ region: { slug: 'us' }, vertical: { _id: world.verticalId, slug: 'payday' } }]);
    const read = await fetch(`${node.url}/api/console/leads?region=us&vertical=payday`, { headers: { ...OWN_PAGE, cookie: owner } });
    expect(((await read.json()) as { rows: unknown[] }).rows).toHaveLength(1);
    const one = await fetch(`${node.url}/api/console/leads/${sent.json.leadId}`, { headers: { ...OWN_PAGE, cookie: owner } });
    expect(one.status).toBe(200);
    expect((await edit('vertical', world.verticalId, { status: 'active' })).statusCode).toBe(200);
    for (const table of ['campaign', 'buyer_tier'] as const)
      await node.db.updateTable(table).set({ status: 'active' }).where('organization_id', '=', world.organizationId).execute();
  });
});

describe('console §3, §7: the fields of a vertical', () => {
  const newField = (fieldName: string) =>
    add('field', { verticalId: world.verticalId, fieldName, fieldHumanName: fieldName, type: 'string', privacyClass: 'P1' });

  it('a removed field comes back with its id, its values and its place, for who may set the vertical up', async () => {
    for (const name of ['one', 'two', 'three']) expect((await newField(name)).statusCode).toBe(200);
    const before = await fieldsOf(world.verticalId);
    const two = before.find((one) => one.fieldName === 'two')!;
    expect((await remove('field', two._id, setter)).statusCode).toBe(200);
    // Meanwhile the others close up, and have its number.
    const rest = before.filter((one) => one !== two).map((one) => one._id);
    expect((await call('/api/common/order-change', { model: 'field', data: [rest[1], rest[0], ...rest.slice(2)] })).statusCode).toBe(200);
    await call('/api/common/order-change', { model: 'field', data: rest });
    expect((await add('field', { _id: two._id, fieldHumanName: 'Other' }, setter)).json.code).toBe('record_field_fixed');
    const back = await add('field', { _id: two._id }, setter);
    expect([back.statusCode, back.json.data._id]).toEqual([200, two._id]);
    expect((await fieldsOf(world.verticalId)).map((one) => one._id)).toEqual(before.map((one) => one._id));
    // What is there, what never was, and what is archived does not come back this way.
    expect((await add('field', { _id: two._id })).statusCode).toBe(404);
    expect((await add('field', { _id: world.verticalId })).statusCode).toBe(404);
    expect((await add('vertical', { _id: two._id })).statusCode).toBe(404);
  });
});

describe('console §7: get/unique-name and get-data', () => {
  const isFree = async (model: string, condition: object) => (await call(`${C}/get/unique-name`, { model, condition })).json;

  it('tells of every unique value: names, slugs, affiliate ids, and field names in their vertical', async () => {
    const { verticalId, regionId } = world;
    const taken: [string, object][] = [
      ['region', { name: 'united states' }],
      ['region', { slug: 'us' }],
      ['vertical', { slug: 'payday', regionId }],
      ['vertical', { name: 'PAYDAY', regionId }],
      ['field', { fieldName: 'email', verticalId }],
    ];
    for (const [model, condition] of taken) {
      const answer = await isFree(model, condition);
      expect([condition, answer.isUnique, answer.msg !== '']).toEqual([condition, false, true]);
    }
    for (const [model, condition] of [
      ['region', { slug: 'mars' }],
      ['vertical', { slug: 'payday', regionId: (await add('region', { name: 'West', slug: 'west', country: 'us' })).json.data._id }],
      ['field', { fieldName: 'never', verticalId }],
      ['publisher', { affiliateId: 'never' }],
    ] as const)
      expect([condition, (await isFree(model, condition)).isUnique]).toEqual([condition, true]);
    expect((await isFree('field', { fieldName: 'email' })).code).toBe('record_value_missing');
    const publisher = (await add('publisher', { name: 'Gone', affiliateId: 'gone' })).json.data;
    await remove('publisher', publisher._id);
    // The table keeps an archived affiliate id; the name is free again.
    expect((await isFree('publisher', { affiliateId: 'gone' })).isUnique).toBe(false);
    expect((await isFree('publisher', { name: 'Gone' })).isUnique).toBe(true);
    expect((await isFree('publisher', { affiliateId: 'gone', _id: publisher._id })).isUnique).toBe(true);
  });

  it('console §7: get/unique-name asks for several values at once, and names each that is taken', async () => {
    const { regionId } = world;
    const both = await isFree('vertical', { name: 'Payday', slug: 'payday', regionId });
    expect([both.isUnique, both.msg, both.taken]).toEqual([
      false,
      '"Payday" is taken already. Choose another.',
      [
        { field: 'name', message: '"Payday" is taken already. Choose another.' },
        { field: 'slug', message: expect.stringContaining('has this name in addresses') },
      ],
    ]);
    expect(
      (await isFree('vertical', { name: 'Payday', slug: 'fresh', regionId })).taken.map((one: { field: string }) => one.field),
    ).toEqual(['name']);
    expect(await isFree('vertical', { name: 'Fresh', slug: 'fresh', regionId })).toMatchObject({ isUnique: true, msg: '', taken: [] });
    expect((await isFree('vertical', { name: 'Fresh', slug: ' ', regionId })).code).toBe('record_value_missing');
  });

  it('console §7: an unknown model is refused with the models there are', async () => {
    expect((await call(`${C}/get-data`, { model: 'lead' })).json.msg).toMatch(
      /^There is no model "lead"\. There are user, .*buyerTier, .*treeGroup.*\.$/,
    );
  });

  it('console §7: records that are seen one by one are paged and counted like any others', async () => {
    const verticals = (page: object, cookie = owner) =>
      call(`${C}/get/condition-data`, { model: 'vertical', sort: [{ field: 'slug' }], ...page }, cookie).then(({ json }) => json);
    const all = await verticals({});
    expect(all.total).toBeGreaterThan(1);
    const [first, second] = [await verticals({ limit: 1 }), await verticals({ skip: 1, limit: 1 })];
    expect([first.total, first.isCut, first.data[0]._id]).toEqual([all.total, true, all.data[0]._id]);
    expect([second.total, second.data[0]._id]).toEqual([all.total, all.data[1]._id]);
    const seen = await verticals({ limit: 1 }, setter);
    expect([seen.total, seen.isCut, seen.data.map((one: { _id: string }) => one._id)]).toEqual([1, false, [world.verticalId]]);
  });

  it('console §7: more than a thousand records are counted, and the list says that it is cut', async () => {
    const rows = Array.from({ length: 1001 }, (_, at) => ({
      organization_id: world.organizationId,
      id: crypto.randomUUID(),
      name: `Many ${at}`,
      status: 'active' as const,
    }));
    await node.db.insertInto('buyer').values(rows).execute();
    const all = (await call(`${C}/get-data`, { model: 'buyer' })).json;
    expect([all.data.length, all.total, all.isCut]).toEqual([1000, 1002, true]);
    const ofTeam = (await call('/api/v1/teamMgmt/common/get-data', { model: 'buyer' })).json;
    expect([ofTeam.data.length, ofTeam.total, ofTeam.isCut]).toEqual([1000, 1002, true]);
    const last = (await call(`${C}/get/condition-data`, { model: 'buyer', condition: {}, skip: 1000 })).json;
    expect([last.data.length, last.total, last.isCut]).toEqual([2, 1002, false]);
  });
});
