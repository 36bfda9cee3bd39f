/** console §5, §7: what the set-up calls do with input nobody means well, or nobody can mean. Nothing of it is stored, and the server goes on. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import type { RegionPermission } from '#contract/session.ts';
import { recordModels } from '#server/record/record.models.ts';
import { walkRecords } from '#server/record/walk-records.ts';
import { findSession, type SignedIn } from '#server/session/session.sql.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const C = '/api/v1/common';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let world: World;
let owner: string;
let before: unknown;

async function signIn(user: { email: string; password: string }): Promise<string> {
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}
const call = (path: string, body: unknown, cookie = owner) =>
  node.post(path, body, { ...OWN_PAGE, cookie, 'content-type': 'application/json' });
const add = (model: string, data: object, cookie = owner) => call(`${C}/post-add-data`, { model, ...data }, cookie);
const names = async (model: string) =>
  (await call(`${C}/get/condition-data`, { model, condition: {} })).json.data.map((row: { name: string }) => row.name);

/** How much of everything the organization has, and how much was logged. */
async function stored(): Promise<unknown> {
  const tables = ['publisher', 'publisher_tier', 'buyer', 'buyer_tier', 'contact', 'campaign', 'tree_group', 'vertical', 'change_log'];
  const { rows } = await node.pool.query(`select ${tables.map((table) => `(select count(*) from ${table}) as ${table}`).join(', ')}`);
  return rows[0];
}

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9' }] }] });
  owner = await signIn(await buildUser(node.db, world.organizationId));
});
afterAll(() => node.stop());
beforeEach(async () => {
  before = await stored();
});

const endpoint = (more: object = {}) => ({
  post: { url: 'https://buyer.example/', method: 'POST', body: { format: 'json', mapping: [] }, response: { outcomes: [] }, ...more },
});
const tier = (more: object) => ({
  ...{ name: 'Tier', buyerId: world.tiers[0]!.buyerId, verticalId: world.verticalId, delivery: 'post' },
  ...{ price: { kind: 'fixed', price: '1' }, endpoint: endpoint() },
  ...more,
});
const nested = (levels: number) => {
  let filter: object = { field: 'state', is: 'present' };
  for (let level = 0; level < levels; level++) filter = { not: filter };
  return filter;
};
const rows = (count: number) => Array.from({ length: count }, (_, at) => ({ to: `f${at}`, from: { kind: 'constant', value: 'x' } }));

describe('console §5: a huge paste', () => {
  it.each<[string, string, () => object, string]>([
    ['a name of 121 letters', 'buyer', () => ({ name: 'n'.repeat(121) }), 'name'],
    ['notes of 501 letters (txtLimit)', 'buyer', () => ({ name: 'Fine', notes: 'n'.repeat(501) }), 'notes'],
    ['a million letters of notes', 'buyer', () => ({ name: 'Fine', notes: 'n'.repeat(900_000) }), 'notes'],
    ['401 mapping rows', 'buyerTier', () => tier({ endpoint: endpoint({ body: { format: 'json', mapping: rows(401) } }) }), 'endpoint'],
    [
      'a template of 20,001 letters',
      'buyerTier',
      () => tier({ endpoint: endpoint({ body: { format: 'text', escape: 'none', template: 'x'.repeat(20_001) } }) }),
      'endpoint',
    ],
    ['a filter of 60 levels', 'buyerTier', () => tier({ filter: nested(60) }), 'filter'],
    ['101 caps', 'buyerTier', () => tier({ caps: Array(101).fill({ measure: 'sold', period: 'day', limit: 1, timeZone: 'UTC' }) }), 'caps'],
    [
      '10,000 pause dates',
      'buyerTier',
      () => tier({ pauseDates: { timeZone: 'UTC', days: Array(10_000).fill({ from: '2027-01-01', to: '2027-01-01' }) } }),
      'pauseDates',
    ],
    ['a secret of 4,001 letters', 'buyerTier', () => tier({ secrets: { password: 'x'.repeat(4001) } }), 'secrets'],
  ])('%s is refused by the name of its field', async (_, model, data, field) => {
    const answer = await add(model, data());
    expect([answer.statusCode, answer.json.errors?.[0]?.field.split('.')[0]]).toEqual([400, field]);
    expect(answer.json.msg.length).toBeLessThan(400);
    expect(await stored()).toEqual(before);
  });
  it('notes of exactly 500 letters are kept to the letter', async () => {
    const notes = `${'é'.repeat(499)}!`;
    const answer = await add('buyer', { name: 'Five hundred', notes });
    expect([answer.statusCode, answer.json.data.notes]).toEqual([200, notes]);
  });
  it('C7: a body of 10 MiB is refused with what to do, and so is JSON nested 50,000 levels deep; the next call is served', async () => {
    const large = await call(`${C}/post-add-data`, JSON.stringify({ model: 'buyer', name: 'Large', notes: 'x'.repeat(10 * 1024 * 1024) }));
    expect([large.statusCode, large.json.code]).toEqual([413, 'body_too_large']);
    expect(large.json.msg).toContain('Send less of it.');
    const deep = await call(`${C}/post-add-data`, `{"model":"buyer","name":"Deep","caps":${'['.repeat(50_000)}${']'.repeat(50_000)}}`);
    expect(deep.statusCode).toBe(400);
    expect(await stored()).toEqual(before);
    expect((await call(`${C}/get-data`, { model: 'buyer' })).statusCode).toBe(200);
  });
});

describe('console §7: text that is no text, and instants that are none', () => {
  const field = (fieldName: string) => ({
    fieldName,
    fieldHumanName: 'F',
    verticalId: world.verticalId,
    type: 'string',
    privacyClass: 'P1',
  });
  it.each<[string, string, () => object]>([
    ['in a name', 'buyer', () => ({ name: 'half \ud800' })],
    ['in notes', 'buyer', () => ({ name: 'Fine', notes: '\udc00' })],
    ['deep in a setting', 'buyerTier', () => tier({ filter: { field: 'state', is: 'equal', value: 'N\ud800Y' } })],
    ['in an endpoint', 'buyerTier', () => tier({ endpoint: endpoint({ headers: { 'x-a': '\ud800' } }) })],
    [
      'as a name in a setting',
      'buyerTier',
      () => {
        const from = { kind: 'field', field: 'state' };
        const mapping = [{ to: 'state', from, map: { values: { 'N\ud800Y': 'New York' } } }];
        return tier({ endpoint: endpoint({ body: { format: 'json', mapping } }) });
      },
    ],
    ['in a secret', 'buyerTier', () => tier({ secrets: { password: 'a\ud800' } })],
    ['in a field’s options', 'field', () => ({ ...field('half'), type: 'choice', options: ['\ud800'] })],
  ])('D8: half a character %s is refused, and nothing becomes of it', async (_, model, data) => {
    const answer = await add(model, data());
    expect([answer.statusCode, answer.json.code]).toEqual([400, 'request_invalid']);
    expect(answer.json.msg).toContain('half of one that takes two');
    expect(await stored()).toEqual(before);
  });
  it('a whole one outside the first plane is kept', async () => {
    const answer = await add('buyer', { name: 'Rocket 🚀' });
    expect([answer.statusCode, answer.json.data.name]).toEqual([200, 'Rocket 🚀']);
  });
  it.each(['-271821-04-20T00:00:00Z', '+275760-09-13T00:00:00Z', '0000-01-01T00:00:00Z', '-000001-01-01T00:00:00Z', 'soon'])(
    'records are not looked for by the instant %s',
    async (gte) => {
      const answer = await call(`${C}/get/condition-data`, { model: 'buyer', condition: { updatedAt: { gte } } });
      expect([answer.statusCode, answer.json.code]).toEqual([400, 'record_value_invalid']);
      expect(answer.json.msg).toContain('an instant between the years 1 and 9999');
    },
  );
  it.each(['0001-01-03T00:00:00Z', '9999-12-30T23:00:00Z', '2026-11-28T10:00:00+14:00'])('by %s they are', async (gte) => {
    expect((await call(`${C}/get/condition-data`, { model: 'buyer', condition: { updatedAt: { gte } } })).statusCode).toBe(200);
  });
  it('of field names that differ only by the size of letters a vertical has one', async () => {
    expect((await add('field', field('Zed'))).statusCode).toBe(200);
    const second = await add('field', field('zed'));
    expect([second.statusCode, second.json.errors[0].field]).toEqual([409, 'fieldName']);
    const both = await Promise.all([add('field', field('Twin')), add('field', field('tWIN'))]);
    expect(both.map((one) => one.statusCode).toSorted()).toEqual([200, 409]);
  });
});

describe('console §4: rules that could never hold', () => {
  const between = (value: number[]) => ({ field: 'monthly_income', is: 'between', value });
  it.each<[string, () => object, RegExp, string]>([
    [
      'a group without conditions',
      () => ({ filter: { any: [] } }),
      /has none, so no lead passes it; add a condition or remove the group\.$/,
      'filter',
    ],
    ['a range that ends before it begins', () => ({ filter: between([5, 1]) }), /ends at 1, before it begins at 5/, 'filter'],
    [
      'a floor above the fixed price',
      () => ({ price: { kind: 'fixed', price: '5' }, floor: '5.01' }),
      /5\.00 is under the floor 5\.01/,
      'floor',
    ],
    [
      'a condition of a field that is none',
      () => ({ filter: { field: 'nonsense', is: 'present' } }),
      /^The field nonsense does not exist\.$/,
      'filter',
    ],
    [
      'a number that is none',
      () => ({ filter: { field: 'monthly_income', is: 'atLeast', value: 'abc' } }),
      /^“abc” is not a value/,
      'filter',
    ],
    [
      'duplicates by a field that is none',
      () => ({ duplicate: { fields: ['nonsense'], match: 'all', windowDays: 1, counts: 'sold' } }),
      /^The field nonsense of the duplicate check does not exist\.$/,
      'duplicate',
    ],
    [
      'conditions that contradict each other',
      () => ({ filter: { all: [between([1, 5]), { field: 'monthly_income', is: 'moreThan', value: 5 }] } }),
      /^The conditions on monthly_income contradict each other, so no lead meets all of them/,
      'filter',
    ],
    [
      'a week without hours',
      () => ({ hours: { timeZone: 'America/New_York', week: [[], [], [], [], [], [], []] } }),
      /^No day of the week has hours/,
      'hours',
    ],
    [
      'a bid that nothing reads of the answer to the ping',
      () => ({ price: { kind: 'bid', minimum: '1' }, delivery: 'pingPost', endpoint: { ...endpoint(), ping: endpoint().post } }),
      /^The buyer names the price, but nothing says where the bid stands in the answer to the ping: it would never buy/,
      'price',
    ],
    [
      'a price that nothing reads of the answer',
      () => ({ price: { kind: 'bid' } }),
      /nothing says where the price stands in its answer, and there is no lowest one/,
      'price',
    ],
  ])('%s is refused with what to do, at its own setting', async (_, rules, words, field) => {
    const answer = await add('buyerTier', tier({ name: 'Never', ...rules() }));
    expect([answer.statusCode, answer.json.code, answer.json.msg]).toEqual([400, 'tier_invalid', expect.stringMatching(words)]);
    expect(answer.json.errors).toEqual([{ field, message: answer.json.msg }]);
    expect(await stored()).toEqual(before);
  });
  it('a price that the buyer names is taken with a lowest one, and while the tier is paused', async () => {
    const price = { kind: 'bid' };
    const paused = await add('buyerTier', tier({ name: 'Not yet', price, status: 'paused' }));
    expect(paused.statusCode).toBe(200);
    const edit = (data: object) => call(`${C}/post-edit-data`, { model: 'buyerTier', _id: paused.json.data._id, ...data });
    expect((await edit({ status: 'active' })).json.code).toBe('tier_invalid');
    expect((await edit({ status: 'active', price: { ...price, minimum: '2' } })).statusCode).toBe(200);
  });
  it('the same of a publisher tier’s filter and hours', async () => {
    const edit = (filter: object) => call(`${C}/post-edit-data`, { model: 'publisherTier', _id: world.publisherTierId, filter });
    expect((await edit({ any: [] })).json.code).toBe('tier_invalid');
    expect((await edit(between([1, 5]))).statusCode).toBe(200);
    const week = [[], [], [], [], [], [], []];
    const shut = { model: 'publisherTier', _id: world.publisherTierId, hours: { timeZone: 'America/New_York', week } };
    expect((await call(`${C}/post-edit-data`, shut)).json.errors).toMatchObject([{ field: 'hours' }]);
  });
  it('a tier that was stored with one can still be paused, and mended', async () => {
    const { _id } = (await add('buyerTier', tier({ name: 'Old rules' }))).json.data;
    await node.pool.query(`update buyer_tier set filter = '{"any": []}', floor = 9 where id = $1`, [_id]);
    const edit = (data: object) => call(`${C}/post-edit-data`, { model: 'buyerTier', _id, ...data });
    expect((await edit({ status: 'paused' })).statusCode).toBe(200);
    expect((await edit({ floor: '8' })).json.code).toBe('tier_invalid');
    expect((await edit({ floor: null, filter: null })).statusCode).toBe(200);
  });
});

describe('wire-quirks 47, E1: an address to which nothing is sent is refused where it is saved', () => {
  const NOT_SENT = /^Nothing is sent there: .* ask whoever runs this installation to allow it \(OUTBOUND_ALLOW\)\.$/;
  const auth = { kind: 'oauth2', tokenUrl: 'http://10.0.0.1/token', clientId: 'me', secret: 'pass' };
  it.each<[string, () => object, string]>([
    ['inside the network', () => endpoint({ url: 'http://169.254.169.254/latest/?of={{state}}' }), 'endpoint.post.url'],
    ['in other words', () => endpoint({ url: 'http://0x0a000001/' }), 'endpoint.post.url'],
    ['a port that is not called', () => endpoint({ url: 'https://buyer.example:5432/' }), 'endpoint.post.url'],
    ['of its ping', () => ({ ...endpoint(), ping: endpoint({ url: 'http://[fc00::1]/' }).post }), 'endpoint.ping.url'],
    ['where its token comes from', () => endpoint({ auth }), 'endpoint.post.auth'],
  ])('%s', async (_, make, field) => {
    const answer = await add('buyerTier', tier({ name: 'Inside', endpoint: make() }));
    expect([answer.statusCode, answer.json.code, answer.json.msg]).toEqual([
      400,
      'endpoint_address_refused',
      expect.stringMatching(NOT_SENT),
    ]);
    expect(answer.json.errors).toEqual([{ field, message: answer.json.msg }]);
    expect(await stored()).toEqual(before);
  });
  it('and one that the installation allows is kept', async () => {
    const answer = await add('buyerTier', tier({ name: 'Allowed', endpoint: endpoint({ url: 'http://127.0.0.1:4711/' }) }));
    expect(answer.statusCode).toBe(200);
  });
  it('a tier stored with one before can still be paused', async () => {
    const { _id } = (await add('buyerTier', tier({ name: 'Of old' }))).json.data;
    const inside = JSON.stringify(endpoint({ url: 'http://10.0.0.1/' }));
    await node.pool.query('update buyer_tier set endpoint = $2 where id = $1', [_id, inside]);
    expect((await call(`${C}/post-edit-data`, { model: 'buyerTier', _id, status: 'paused' })).statusCode).toBe(200);
  });
});

describe('console §4: what was archived comes back as it was', () => {
  const edit = (_id: string, data: object) => call(`${C}/post-edit-data`, { model: 'buyerTier', _id, ...data });
  it.each<[string, string]>([
    ['an address to which nothing is sent by now', `endpoint = jsonb_set(endpoint, '{post,url}', '"http://10.1.2.3/"')`],
    ['a filter that no lead meets', `filter = '{"any": []}'`],
    ['a week without hours', `hours = '{"timeZone": "UTC", "week": [[], [], [], [], [], [], []]}'`],
    ['a floor above its price', 'floor = 9'],
  ])('with %s', async (what, change) => {
    const { _id } = (await add('buyerTier', tier({ name: `Back with ${what}` }))).json.data;
    await node.pool.query(`update buyer_tier set ${change} where id = $1`, [_id]);
    const removed = await call(`${C}/post-delete-data`, { model: 'buyerTier', _id });
    expect([removed.statusCode, removed.json.data.status]).toEqual([200, 'archived']);
    expect((await edit(_id, { status: 'active' })).json).toMatchObject({ status: true, data: { status: 'active' } });
  });
});

describe('account §7: a file of a list', () => {
  const walk = (between: () => Promise<unknown>) => {
    let pages = 0;
    const enter = async () => {
      // Once for the list and once for each page.
      if (++pages === 3) await between();
      return person;
    };
    return walkRecords({
      db: node.db,
      model: recordModels.get('contact')!,
      listing: { sort: [{ field: 'firstName' }] },
      enter,
      pageSize: 3,
    });
  };
  let person: SignedIn;
  it('holds every record that was there all the time, once, though others go and come meanwhile', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'])
      ids.push((await add('contact', { firstName: `Walk ${name}`, buyerId: world.tiers[0]!.buyerId })).json.data._id);
    person = (await findSession(node.db, owner.split('=')[1]!))!;
    const seen: string[] = [];
    const between = async () => {
      for (const gone of [ids[0], ids[1], ids[6]]) await call(`${C}/post-delete-data`, { model: 'contact', _id: gone });
      await add('contact', { firstName: 'Walk 0', buyerId: world.tiers[0]!.buyerId });
    };
    for await (const row of walk(between)) seen.push(String(row.first_name));
    expect(seen).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'h'].map((name) => `Walk ${name}`));
  });
  it('tells prices and caps as the list does, not as they are stored', async () => {
    const caps = [{ measure: 'money', period: 'day', limit: '10.00', timeZone: 'UTC' }];
    await add('buyerTier', tier({ name: 'In a file', price: { kind: 'fixed', price: '12.5' }, caps }));
    await add('buyerTier', tier({ name: 'In a file too', price: { kind: 'bid', minimum: '3' } }));
    const body = new URLSearchParams({
      ...{ isDownloadCSV: 'true', name: 'tiers', timeZone: 'UTC', columns: 'name,price,caps', heads: '{}' },
      listing: JSON.stringify({ model: 'buyerTier', condition: { name: { text: 'In a file' } }, sort: [{ field: 'name' }] }),
    });
    const file = await fetch(`${node.url}${DOWNLOAD_FILE_URL}/records`, { method: 'POST', headers: { ...OWN_PAGE, cookie: owner }, body });
    expect(
      (await file.text())
        .split('\r\n')
        .slice(1, 3)
        .map((line) => line.split(',').slice(0, 4)),
    ).toEqual([
      ['In a file', '12.50', '1', expect.any(String)],
      ['In a file too', '"Bid', ' at least 3.00"', '0'],
    ]);
  });
});

describe('console §7: names that are code somewhere else', () => {
  const NAMES = ['<script>alert(1)</script>', `"><img src=x onerror=alert(1)>`, `Robert'); drop table buyer;--`, '{{field.email}}'];
  it('F2, F3: are names: stored as typed, found as typed, and no formula in a CSV', async () => {
    for (const name of NAMES) expect((await add('buyer', { name })).statusCode, name).toBe(200);
    expect(await names('buyer')).toEqual(expect.arrayContaining(NAMES));
    for (const name of NAMES) {
      const found = await call(`${C}/get/condition-data`, { model: 'buyer', condition: { name } });
      expect(found.json.data.map((row: { name: string }) => row.name)).toEqual([name]);
      expect((await call(`${C}/get/condition-data`, { model: 'buyer', condition: {}, search: name })).json.data).toHaveLength(1);
    }
    expect((await add('buyer', { name: 'Formula', notes: '=HYPERLINK("http://evil.example")' })).statusCode).toBe(200);
    const csv = await fetch(`${node.url}${DOWNLOAD_FILE_URL}/records`, {
      method: 'POST',
      body: new URLSearchParams({
        isDownloadCSV: 'true',
        listing: JSON.stringify({ model: 'buyer', condition: {} }),
        name: 'buyers',
        columns: 'name,notes',
      }),
      headers: { cookie: owner, 'sec-fetch-site': 'same-origin' },
    });
    expect(csv.status).toBe(200);
    const text = await csv.text();
    expect(text).toContain(`"'=HYPERLINK`);
    expect(text).not.toMatch(/(^|,)"?=/m);
  });
  it.each(['a\u0000b', 'a\u202Eb', '\u200B', ' '])('what nobody sees in a name is refused: %j', async (name) => {
    expect((await add('buyer', { name })).statusCode).toBe(400);
    expect(await stored()).toEqual(before);
  });
});

describe('console §6: a page whose permission was taken while it was open', () => {
  const permissions = (pages: string[]): RegionPermission[] => [
    {
      ...{ regionId: world.regionId, regionChecked: true },
      verticals: [{ verticalId: world.verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
    },
  ];
  it('saves nothing any more, neither with the old session nor with a new one', async () => {
    const user = await buildUser(node.db, world.organizationId, { role: 'member', permissions: permissions(['setup', 'overview']) });
    const member = await signIn(user);
    const { _id, version } = (await add('buyer', { name: 'Mine for now' }, member)).json.data;
    const members = await fetch(`${node.url}/api/v1/teamMgmt/team/members`, { headers: { ...OWN_PAGE, cookie: owner } });
    const list = (await members.json()).members ?? [];
    const seat = list.find((one: { email: string }) => one.email === user.email);
    const taken = await call('/api/v1/teamMgmt/team/edit-permissions', { _id: seat._id, permissions: permissions(['overview']) });
    expect(taken.statusCode).toBe(200);
    const edit = (cookie: string) => call(`${C}/post-edit-data`, { model: 'buyer', _id, version, name: 'Still mine' }, cookie);
    expect((await edit(member)).json.code).toBe('session_missing');
    expect((await edit(await signIn(user))).statusCode).toBe(403);
    expect(await names('buyer')).toContain('Mine for now');
  });
});

describe('console §7: two at once', () => {
  it('of twenty who add one name at once, one has it; the others are told', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => add('buyer', { name: 'Only one' })));
    const codes = answers.map((answer) => answer.statusCode).toSorted();
    expect([codes[0], codes.filter((code) => code === 409).length]).toEqual([200, 19]);
    expect((await names('buyer')).filter((name: string) => name === 'Only one')).toHaveLength(1);
  });
  it('C9: of twenty who edit one record as they read it, one is kept; nineteen see it as it is now', async () => {
    const { _id, version } = (await add('buyer', { name: 'Edited' })).json.data;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => call(`${C}/post-edit-data`, { model: 'buyer', _id, version, notes: `by ${at}` })),
    );
    const kept = answers.filter((answer) => answer.statusCode === 200);
    expect(kept).toHaveLength(1);
    for (const answer of answers.filter((one) => one.statusCode !== 200))
      expect([answer.statusCode, answer.json.code, answer.json.current.notes]).toEqual([409, 'record_changed', kept[0]!.json.data.notes]);
  });
});
