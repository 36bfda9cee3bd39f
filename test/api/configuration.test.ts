/** console §1: an organization moves in and out with one document. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SAMPLE_LETTERS, SAMPLES_MOST } from '#contract/answer-sample.ts';
import { DOCUMENT_MAX_BYTES } from '#contract/document-size.ts';
import { sealJson } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { SEALED_ANSWER, SEALED_EXPECTED } from '#server/sample/sample.sql.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { copyTiers } from '#test/harness/copy-tiers.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;
let mover: string;
let reader: string;

const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
async function exported(cookie: string, query = '') {
  const answer = await fetch(`${node.url}/api/v1/configuration/export${query}`, { headers: { ...OWN_PAGE, cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: the document is looked into by tests
  return { statusCode: answer.status, json: (await answer.json()) as any };
}
async function register(name: string, subDomain: string): Promise<string> {
  const person = { first_name: 'Mo', last_name: 'Mover', email: `${subDomain}@example.com`, password: 'correct-horse-1' };
  const body = { ...person, invitationData: null, orgDetails: { name, userDetail: [], subDomain } };
  const answer = await node.post('/api/v1/teamMgmt/users/register', body, OWN_PAGE);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}
async function makeKey(cookie: string): Promise<string> {
  const list = await node.post('/api/v1/common/get-data', { model: 'publisherTier' }, { ...OWN_PAGE, cookie });
  return (await node.post(`/api/console/publisher-tiers/${list.json.data[0]._id}/keys/new`, {}, { ...OWN_PAGE, cookie })).json.key;
}
const imported = (document: unknown, more = {}, cookie = mover) =>
  node.post('/api/v1/configuration/import', { document, ...more }, { ...OWN_PAGE, cookie });

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    groups: [{ mode: 'weighted', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }],
    publisher: { caps: [{ measure: 'money', period: 'day', limit: 1_000_000, timeZone: 'UTC' }] },
  });
  owner = await signIn(await buildUser(node.db, world.organizationId));
  await node.post(
    '/api/v1/common/post-edit-data',
    { model: 'buyerTier', _id: world.tiers[0]!.buyerTierId, secrets: { token: 'never-exported' } },
    { ...OWN_PAGE, cookie: owner },
  );
  await node.post(
    '/api/v1/common/post-add-data',
    { model: 'contact', firstName: 'Carla', buyerId: world.tiers[0]!.buyerId },
    { ...OWN_PAGE, cookie: owner },
  );
  const list = await node.post(
    '/api/v1/common/post-add-data',
    { model: 'suppressionList', name: 'Do not call', holds: 'phone', form: 'sha256', entryDays: 90 },
    { ...OWN_PAGE, cookie: owner },
  );
  const use = { model: 'buyerTier', _id: world.tiers[0]!.buyerTierId, suppressionLists: [list.json.data._id] };
  expect((await node.post('/api/v1/common/post-edit-data', use, { ...OWN_PAGE, cookie: owner })).statusCode).toBe(200);
  const { publisherTierId, publisherId, campaignId, verticalId } = world;
  const targets = [
    { kind: 'publisherTier', publisherTierId },
    { kind: 'subId', subId: 'summer' },
    { kind: 'publisher', publisherId },
    { kind: 'campaign', campaignId },
  ];
  for (const target of targets) {
    const raise = { kind: 'fixed', amount: '1.50' };
    const promotion = { model: 'promotion', name: `For ${target.kind}`, verticalId, target, raise, fromOn: '2026-11-01', timeZone: 'UTC' };
    const made = await node.post('/api/v1/common/post-add-data', promotion, { ...OWN_PAGE, cookie: owner });
    expect([target.kind, made.statusCode]).toEqual([target.kind, 200]);
  }
  mover = await register('Moving In', 'moving-in');
  reader = await register('Reading On', 'reading-on');
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

it('a document holds everything by name, and neither ids, secrets nor keys', async () => {
  const { json } = await exported(owner);
  expect(json).toMatchObject({
    format: 'sluice-configuration',
    regions: [{ slug: 'us' }],
    verticals: [{ place: 'us/payday', primaryField: 'email' }],
    suppressionLists: [{ name: 'Do not call', data: { holds: 'phone', form: 'sha256', entryDays: 90 } }],
    buyerTiers: [{ buyer: 'Taker', name: 'Standard', secrets: ['token'], suppressionLists: ['Do not call'] }],
    campaigns: [{ groups: [{ mode: 'weighted', members: [{ buyer: 'Taker', tier: 'Standard' }] }] }],
    publisherTiers: [{ data: { caps: [{ limit: '100.00' }] } }],
    contacts: [{ company: 'Taker', data: { firstName: 'Carla' } }],
  });
  const [publisher, seat, campaign] = [json.publishers[0].name, json.publisherTiers[0].name, json.campaigns[0].name];
  expect(json.promotions.map((one: { for: object }) => one.for)).toEqual(
    expect.arrayContaining([
      { kind: 'publisherTier', publisher, tier: seat },
      { kind: 'subId', subId: 'summer' },
      { kind: 'publisher', publisher },
      { kind: 'campaign', campaign },
    ]),
  );
  expect(json.promotions[0]).toMatchObject({
    place: 'us/payday',
    data: { raise: { kind: 'fixed', amount: '1.50' }, fromOn: '2026-11-01' },
  });
  const text = JSON.stringify(json);
  for (const secret of ['never-exported', world.key, world.campaignId, world.publisherTierId, world.tiers[0]!.buyerTierId])
    expect(text).not.toContain(secret);
});

it('is taken into an empty organization as a whole, comes out the same, and sells a lead', async () => {
  const { json: document } = await exported(owner);
  const rehearsal = await imported(document, { dryRun: true });
  expect(rehearsal.json).toMatchObject({
    added: { region: 1, vertical: 1, buyer: 1, buyerTier: 1, campaign: 1, publisher: 1, publisherTier: 1, promotion: 4, contact: 1 },
  });
  expect((await exported(mover)).json.regions).toEqual([]);
  const { json } = await imported(document);
  expect(json.notes).toEqual([
    '1 suppression list is empty: import the entries.',
    'Taker, Standard needs its secrets written again: token.',
    '1 of 1 publisher tiers have no posting key yet. Make one for each.',
  ]);
  const again = (await exported(mover)).json;
  expect(again).toEqual({ ...document, buyerTiers: document.buyerTiers.map((one: object) => ({ ...one, secrets: [] })) });
  const repeated = await imported(document);
  // What is there already has its secrets.
  expect([repeated.json.added, repeated.json.kept.buyerTier, repeated.json.notes]).toEqual([{}, 1, []]);
  const key = await makeKey(mover);
  expect((await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${key}` })).json.status).toBe('accepted');
});

it('a faulty document says where, and nothing of it is kept', async () => {
  const { json: document } = await exported(owner);
  const before = (await exported(mover)).json;
  const wrong: [unknown, string][] = [
    ['x', 'configuration_invalid'],
    [{ ...document, version: 2 }, 'configuration_invalid'],
    [{ ...document, extra: 1 }, 'configuration_invalid'],
    [{ ...document, buyers: [...document.buyers, { name: 'New one', data: { status: 'sold' } }] }, 'record_value_invalid'],
    [
      {
        ...document,
        publishers: [{ name: 'Second', affiliateId: 'second', data: {} }],
        publisherTiers: [{ ...document.publisherTiers[0], name: 'T', publisher: 'Nobody' }],
      },
      'configuration_reference',
    ],
    [{ ...document, buyerTiers: [{ ...document.buyerTiers[0], name: 'T', suppressionLists: ['Nowhere'] }] }, 'configuration_reference'],
    [
      {
        ...document,
        buyerTiers: [
          {
            ...document.buyerTiers[0],
            name: 'Broken',
            data: { ...document.buyerTiers[0].data, filter: { field: 'nowhere', is: 'present' } },
          },
        ],
      },
      'tier_invalid',
    ],
  ];
  for (const [one, code] of wrong) {
    const answer = await imported(one);
    expect([code, answer.statusCode, answer.json.code]).toEqual([code, 400, code]);
  }
  expect((await exported(mover)).json).toEqual(before);
});

it('is the owner’s', async () => {
  const member = await signIn(await buildUser(node.db, world.organizationId, { role: 'member' }));
  expect((await exported(member)).statusCode).toBe(403);
  expect((await imported({}, {}, member)).statusCode).toBe(403);
});

it.each([-5, 0, 9_007_199_254_740_991, 1.5])('a weight of %d is refused by its place, and nothing is imported', async (weight) => {
  const { json: document } = await exported(owner);
  document.campaigns[0].groups[0].members[0].weight = weight;
  const answer = await imported(document, { dryRun: true });
  expect([answer.statusCode, answer.json.code, answer.json.errors[0].field]).toEqual([
    400,
    'configuration_invalid',
    'document.campaigns.0.groups.0.members.0.weight',
  ]);
});

it('two fields whose names differ only by the size of letters are refused, not made one', async () => {
  const { json: document } = await exported(owner);
  const [field] = document.verticals[0].fields;
  document.verticals[0].place = 'us/letters';
  document.verticals[0].name = 'Letters';
  document.verticals[0].fields.push({ ...field, fieldName: 'Zed' }, { ...field, fieldName: 'zed' });
  const parts = { ...document, services: [], buyers: [], buyerTiers: [], campaigns: [], publishers: [], publisherTiers: [], contacts: [] };
  const answer = await imported(parts, { dryRun: true });
  expect([answer.statusCode, answer.json.code]).toEqual([409, 'record_name_taken']);
  expect(answer.json.msg).toMatch(/^Field \d+: "zed" differs from one .* in small and capital letters alone.* Nothing was imported\.$/);
});

it('a field that is there under other small and capital letters is not taken for it: rules name it to the letter', async () => {
  const { json: document } = await exported(owner);
  const [field] = document.verticals[0].fields;
  field.fieldName = field.fieldName.toUpperCase();
  const parts = { ...document, services: [], buyers: [], buyerTiers: [], campaigns: [], publishers: [], publisherTiers: [], contacts: [] };
  const answer = await imported(parts, { dryRun: true });
  expect([answer.statusCode, answer.json.code]).toEqual([409, 'record_name_taken']);
  expect(answer.json.msg).toMatch(/^Field 1: /);
});

it('the example of docs/configuration.md is taken into an empty organization as it is, and sells a lead', async () => {
  const guide = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const example = /```json\n(.+?)```/s.exec(guide)![1]!;
  expect((await imported(JSON.parse(example), { dryRun: true }, reader)).json.added.buyerTier).toBe(1);
  const { json } = await imported(JSON.parse(example.replaceAll('https://buyer.example/', `${buyer.url}/`)), {}, reader);
  const one = { region: 1, vertical: 1, service: 1, buyer: 1, buyerTier: 1, campaign: 1, publisher: 1, publisherTier: 1, contact: 1 };
  expect(json).toMatchObject({ status: true, added: { ...one, field: 5 }, kept: {} });
  expect(json.notes).toEqual([
    'Harbour Lending, Evening needs its secrets written again: token.',
    '1 of 1 publisher tiers have no posting key yet. Make one for each.',
  ]);
  const headers = { ...OWN_PAGE, cookie: reader };
  const { json: tiers } = await node.post('/api/v1/common/get-data', { model: 'buyerTier' }, headers);
  const secret = { model: 'buyerTier', _id: tiers.data[0]._id, secrets: { token: 'any' } };
  expect((await node.post('/api/v1/common/post-edit-data', secret, headers)).statusCode).toBe(200);
  const lead = { first_name: 'Ada', email: 'ada@example.com', state: 'NJ', monthly_income: 3200, residence: 'rent' };
  const sold = await node.post('/api/v1/leads', lead, { authorization: `Bearer ${await makeKey(reader)}` });
  expect(sold.json).toMatchObject({ status: 'accepted', price: '25.20' });
});

it('an export brings the samples along that an import takes, says which stayed behind, and is taken in as it is', async () => {
  const { organizationId } = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker' }] }] });
  await node.planBook.reload(organizationId);
  const seller = await signIn(await buildUser(node.db, organizationId));
  const { keys } = node.planBook.find(organizationId)!;
  await copyTiers(node.pool, organizationId, 8);
  const { rows: tiers } = await node.pool.query(`select id from buyer_tier where organization_id = $1 and name like 'Tier %'`, [
    organizationId,
  ]);
  // Letters of three bytes each.
  const answer = { statusCode: 200, headers: {}, body: JSON.stringify({ result: 'accepted', says: '好'.repeat(SAMPLE_LETTERS - 100) }) };
  const expected = { outcome: 'accepted' };
  for (const { id: buyerTierId } of tiers) {
    const rows = Array.from({ length: SAMPLES_MOST }, (_, at) => {
      const id = newId();
      const sealed = { answer: sealJson(keys, SEALED_ANSWER, id, answer), expected: sealJson(keys, SEALED_EXPECTED, id, expected) };
      return { organization_id: organizationId, id, buyer_tier_id: buyerTierId, name: `Sample ${at}`, leg: 'post', ...sealed };
    });
    await node.db.insertInto('answer_sample').values(rows).execute();
  }
  const { json: document } = await exported(seller);
  const size = Buffer.byteLength(JSON.stringify({ document, dryRun: false }));
  expect(size).toBeLessThan(DOCUMENT_MAX_BYTES);
  expect(size).toBeGreaterThan(DOCUMENT_MAX_BYTES - 4 * 1024 * 1024);
  const with_ = document.buyerTiers.filter((one: { samples: unknown[] }) => one.samples.length === SAMPLES_MOST);
  const without = document.buyerTiers.filter((one: { samples: unknown[] }) => one.samples.length === 0);
  expect([with_.length + without.length, without.length > 1]).toEqual([9, true]);
  expect(document.notes).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Samples of ${without.length - 1} buyer tiers stayed behind, as with them the document would be larger than the 20 MiB that an import takes: Taker, `,
      ),
    ),
  ]);
  const plain = (await exported(seller, '?samples=false')).json;
  expect(plain.notes).toEqual([]);
  expect(plain.buyerTiers.every((one: { samples: unknown[] }) => one.samples.length === 0)).toBe(true);
  const newcomer = await register('Large Lot', 'large-lot');
  const taken = await imported(document, {}, newcomer);
  expect([taken.statusCode, taken.json.added.buyerTier, taken.json.added.answerSample]).toEqual([200, 9, with_.length * SAMPLES_MOST]);
  const again = (await exported(newcomer)).json;
  const bySecrets = (one: { buyerTiers: object[] }) => one.buyerTiers.map((tier) => ({ ...tier, secrets: [] }));
  expect(bySecrets(again)).toEqual(bySecrets(document));
});

it('wire-quirks 44: what a leg says of redirects and of a second try travels along, and that of a mail is refused', async () => {
  const { json: document } = await exported(owner);
  const [tier] = document.buyerTiers;
  const withPost = (more: object) => {
    const post = { ...tier.data.endpoint.post, ...more };
    return { ...document, buyerTiers: [{ ...tier, data: { ...tier.data, endpoint: { ...tier.data.endpoint, post } } }] };
  };
  const newcomer = await register('Sent On', 'sent-on');
  const mail = { url: 'mailto:leads@buyer.example', body: { format: 'mail', subject: 'Lead', text: 'x', mapping: [] } };
  const refused = await imported(withPost({ ...mail, followRedirects: true }), {}, newcomer);
  expect([refused.statusCode, JSON.stringify(refused.json)]).toEqual([400, expect.stringContaining('A mail is not redirected.')]);
  const switches = { followRedirects: true, retryUnsent: true };
  expect((await imported(withPost(switches), {}, newcomer)).statusCode).toBe(200);
  expect((await exported(newcomer)).json.buyerTiers[0].data.endpoint.post).toMatchObject(switches);
});
