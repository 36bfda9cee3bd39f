/** console §3 (set-up of third-party services): made, tried, bound to tiers, paused and archived by the console's own calls. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const C = '/api/v1/common';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let http: ScriptedBuyer;
let buyer: ScriptedBuyer;
let world: World;
let cookie: string;

const call = (path: string, body: unknown, as = cookie) => node.post(path, body, { ...OWN_PAGE, cookie: as });
const add = (data: Record<string, unknown>, as = cookie) => call(`${C}/post-add-data`, data, as);
const edit = (model: string, _id: string, data: Record<string, unknown>, as = cookie) =>
  call(`${C}/post-edit-data`, { model, _id, ...data }, as);
const archive = (model: string, _id: string) => call(`${C}/post-delete-data`, { model, _id });
const signIn = async ({ email, password }: { email: string; password: string }) =>
  (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;

beforeAll(async () => {
  node = await startTestWorld();
  http = await startBuyer();
  buyer = await startBuyer();
});
beforeEach(async () => {
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker' }] }] });
  await node.planBook.reload(world.organizationId);
  cookie = await signIn(await buildUser(node.db, world.organizationId));
});
afterAll(async () => {
  await node.stop();
  await http.close();
  await buyer.close();
});

const endpoint = (more: Record<string, unknown> = {}) => ({ post: { ...jsonEndpoint(http.url, 'post').post, ...more } });
const service = (more: Record<string, unknown> = {}) => ({
  model: 'service',
  name: 'Phone check',
  verticalId: world.verticalId,
  endpoint: endpoint(),
  ...more,
});
const addService = async (more: Record<string, unknown> = {}): Promise<string> => (await add(service(more))).json.data._id;
const asks = (serviceId: string, more: Record<string, unknown> = {}) => ({ serviceId, timeLimitMs: 1_000, onFailure: 'refuse', ...more });
const tierId = () => world.tiers[0]!.buyerTierId;
const post = () => node.post('/api/v1/leads', { ...LEAD, email: `${Math.random()}@example.com` }, { authorization: `Bearer ${world.key}` });

/** A tier that stands in no tree. */
async function addTier(): Promise<string> {
  const tier = { name: 'Spare', buyerId: world.tiers[0]!.buyerId, verticalId: world.verticalId, delivery: 'post' };
  return (await add({ model: 'buyerTier', ...tier, price: { kind: 'fixed', price: '5' }, endpoint: endpoint() })).json.data._id;
}

/** A second vertical of the same organization, with a service of its own. */
async function addElsewhere(): Promise<string> {
  const auto = await add({ model: 'vertical', name: 'Auto', slug: 'auto', regionId: world.regionId, primaryField: 'email' });
  return addService({ verticalId: auto.json.data._id, name: 'Elsewhere' });
}

describe('a service', () => {
  it('is added, bound to both kinds of tiers, and at work in the next call', async () => {
    const id = await addService();
    expect((await edit('publisherTier', world.publisherTierId, { p2c: asks(id) })).json.data.p2c).toEqual(asks(id));
    expect((await edit('buyerTier', tierId(), { thirdParty: asks(id, { onFailure: 'pass' }) })).statusCode).toBe(200);
    http.calls.length = 0;
    expect((await post()).json.status).toBe('accepted');
    expect(http.calls).toHaveLength(2);
    http.answer(() => REJECT);
    expect((await post()).json.reason).toBe('publisher-tier-p2c-api-failed');
    await edit('publisherTier', world.publisherTierId, { p2c: null });
    expect((await post()).json.reason).toBe('buyer-all-tier-failed');
    await edit('service', id, { status: 'paused' });
    expect((await post()).json.status).toBe('accepted');
    http.answer(() => ACCEPT);
  });

  it('is checked like a buyer’s endpoint: a ping, a foreign field of the form, a broken address and a broken expression are refused', async () => {
    const wrong: [Record<string, unknown>, string][] = [
      [{ endpoint: { ...endpoint(), ping: endpoint().post } }, 'record_value_invalid'],
      [{ endpoint: endpoint({ url: 'ftp://example.com' }) }, 'record_value_invalid'],
      [{ endpoint: endpoint({ headers: { host: 'inside' } }) }, 'record_value_invalid'],
      [{ endpoint: undefined }, 'record_value_missing'],
      [{ verticalId: undefined }, 'record_value_missing'],
      [{ status: 'archived' }, 'record_value_invalid'],
      [{ colour: 'green' }, 'record_field_unknown'],
      [{ name: '' }, 'record_value_invalid'],
    ];
    for (const [more, code] of wrong) {
      const answer = await add(service(more));
      expect([answer.statusCode, answer.json.code]).toEqual([400, code]);
    }
  });

  it('has a name of its own in its vertical, stays in it, and can have the same name in another', async () => {
    const id = await addService();
    expect((await add(service({ name: 'PHONE CHECK' }))).json.code).toBe('record_name_taken');
    expect((await edit('service', id, { verticalId: world.verticalId })).json.code).toBe('record_field_fixed');
    const auto = await add({ model: 'vertical', name: 'Auto', slug: 'auto', regionId: world.regionId, primaryField: 'email' });
    expect((await add(service({ verticalId: auto.json.data._id }))).statusCode).toBe(200);
  });

  it('tells only the names of its secrets: in no list, file, log or answer their values', async () => {
    const id = await addService({ secrets: { token: 'tok-5f3a9c' } });
    const list = await call(`${C}/get-data`, { model: 'service' });
    expect(list.json.data).toMatchObject([{ _id: id, secrets: ['token'], tierCount: 0 }]);
    const csv = await fetch(`${node.url}/api/v1/download-file/records`, {
      method: 'POST',
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', origin: node.url },
      body: new URLSearchParams({ listing: '{"model":"service"}', isDownloadCSV: 'true' }),
    });
    const file = await csv.text();
    expect([csv.status, file.includes('Phone check')]).toEqual([200, true]);
    const log = await fetch(`${node.url}/api/v1/change-log`, { headers: { ...OWN_PAGE, cookie } });
    const told = await log.text();
    expect(told).toContain('Phone check');
    for (const text of [list.text, file, told]) expect(text).not.toContain('tok-5f3a9c');
    const { rows } = await node.pool.query<{ secrets: Buffer }>('select secrets from service where id = $1', [id]);
    expect(rows[0]!.secrets.includes('tok-5f3a9c')).toBe(false);
  });

  it('of two who edit it the second sees what changed', async () => {
    const id = await addService();
    expect((await edit('service', id, { notes: 'mine', version: 1 })).statusCode).toBe(200);
    const second = await edit('service', id, { notes: 'theirs', version: 1 });
    expect([second.statusCode, second.json.code, second.json.current.notes]).toEqual([409, 'record_changed', 'mine']);
  });

  it('keeps a field that its mapping names, and its vertical', async () => {
    await addService();
    const fields = await call(`${C}/get-data`, { model: 'field' });
    const zip = fields.json.data.find((one: { fieldName: string }) => one.fieldName === 'zip');
    const refused = await archive('field', zip._id);
    expect([refused.statusCode, refused.json.msg]).toEqual([409, expect.stringContaining('Third-party service Phone check names it.')]);
    const kept = await archive('vertical', world.verticalId);
    expect([kept.statusCode, kept.json.msg]).toEqual([409, expect.stringContaining('third-party service Phone check lies in it')]);
  });
});

describe('who asks a service', () => {
  it('a service of a stranger, of another vertical, archived, or none at all is refused in words', async () => {
    const other = await buildWorld(node.db, { services: { Foreign: { url: http.url } } });
    const archived = await addService({ name: 'Old' });
    await archive('service', archived);
    const wrong: [string, string][] = [
      [other.services.Foreign!, 'service_unknown'],
      [await addElsewhere(), 'service_unknown'],
      [world.campaignId, 'service_unknown'],
      [archived, 'service_archived'],
    ];
    for (const [id, code] of wrong) {
      for (const answer of [
        await edit('publisherTier', world.publisherTierId, { p2c: asks(id) }),
        await edit('buyerTier', tierId(), { thirdParty: asks(id) }),
      ])
        expect([answer.statusCode, answer.json.code, answer.json.errors[0].field]).toEqual([
          400,
          code,
          expect.stringMatching(/serviceId$/),
        ]);
    }
    for (const more of [
      { timeLimitMs: 49 },
      { timeLimitMs: 30_001 },
      { timeLimitMs: 99.5 },
      { onFailure: 'maybe' },
      { serviceId: 'x' },
      { extra: 1 },
    ])
      expect((await edit('buyerTier', tierId(), { thirdParty: { ...asks(archived), ...more } })).json.code).toBe('record_value_invalid');
    const { rows } = await node.pool.query('select p2c from publisher_tier where organization_id = $1 and p2c is not null', [
      world.organizationId,
    ]);
    expect(rows).toEqual([]);
  });

  it('a new tier is checked as well, and a publisher tier that moves to a campaign of another vertical', async () => {
    const elsewhere = await addElsewhere();
    const tier = {
      ...{ model: 'buyerTier', name: 'Second', buyerId: world.tiers[0]!.buyerId, verticalId: world.verticalId, delivery: 'post' },
      ...{ price: { kind: 'fixed', price: '5' }, endpoint: jsonEndpoint(buyer.url, 'post') },
    };
    expect((await add({ ...tier, thirdParty: asks(elsewhere) })).json.code).toBe('service_unknown');
    const id = await addService();
    expect((await add({ ...tier, thirdParty: asks(id) })).statusCode).toBe(200);
    await edit('publisherTier', world.publisherTierId, { p2c: asks(id) });
    const { verticalId } = (await call(`${C}/single-data`, { model: 'service', condition: { _id: elsewhere } })).json.data;
    const campaign = await add({ model: 'campaign', name: 'Autos', verticalId, margin: { kind: 'percent', percent: 10 } });
    const moved = await edit('publisherTier', world.publisherTierId, { campaignId: campaign.json.data._id });
    expect([moved.statusCode, moved.json.code]).toEqual([400, 'service_unknown']);
    expect((await edit('publisherTier', world.publisherTierId, { campaignId: campaign.json.data._id, p2c: null })).statusCode).toBe(200);
  });

  it('keeps it from being archived, by name; once nobody asks it goes, and comes back', async () => {
    const id = await addService();
    await edit('publisherTier', world.publisherTierId, { p2c: asks(id) });
    await edit('buyerTier', tierId(), { thirdParty: asks(id) });
    const list = await call(`${C}/get-data`, { model: 'service' });
    expect(list.json.data[0].tierCount).toBe(2);
    const refused = await archive('service', id);
    expect([refused.statusCode, refused.json.code, refused.json.msg]).toEqual([
      409,
      'record_in_use',
      expect.stringMatching(/Publisher tier Main seat asks it \(P2C\).*Buyer tier Tier asks it \(third-party validation\)/),
    ]);
    await edit('publisherTier', world.publisherTierId, { p2c: null });
    await edit('buyerTier', tierId(), { thirdParty: null });
    expect((await archive('service', id)).statusCode).toBe(200);
    expect((await edit('service', id, { status: 'active' })).statusCode).toBe(200);
  });

  it('binding and archiving at the same moment: never an archived service that is asked', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await addService({ name: `Round ${round}` });
      const [bound, archived] = await Promise.all([edit('buyerTier', tierId(), { thirdParty: asks(id) }), archive('service', id)]);
      expect([bound.statusCode, archived.statusCode].sort(), `round ${round}`).not.toEqual([200, 200]);
      expect([200, 400]).toContain(bound.statusCode);
      await edit('buyerTier', tierId(), { thirdParty: null });
    }
  });

  it('a change that is taken back is checked again: an archived service does not come back by the log', async () => {
    const id = await addService();
    await edit('buyerTier', tierId(), { thirdParty: asks(id) });
    await edit('buyerTier', tierId(), { thirdParty: null });
    await archive('service', id);
    const log = await fetch(`${node.url}/api/v1/change-log`, { headers: { ...OWN_PAGE, cookie } });
    const { changes: rows } = (await log.json()) as { changes: { _id: string; model: string; after: Record<string, unknown> }[] };
    const unbound = rows.find((one) => one.model === 'buyerTier' && one.after.thirdParty === null)!;
    const back = await call('/api/v1/change-log/roll-back', { _id: unbound._id });
    expect([back.statusCode, back.json.code]).toEqual([400, 'service_archived']);
  });

  it.each([
    ['buyerTier', 'thirdParty'],
    ['publisherTier', 'p2c'],
  ] as const)('an archived %s comes back only once the service it asks does', async (model, key) => {
    const id = await addService();
    const tier = model === 'buyerTier' ? await addTier() : world.publisherTierId;
    await edit(model, tier, { [key]: asks(id, { onFailure: 'pass' }) });
    for (const [one, of] of [
      [model, tier],
      ['service', id],
    ] as const)
      expect((await archive(one, of)).statusCode).toBe(200);
    const back = await edit(model, tier, { status: 'active' });
    expect([back.statusCode, back.json.code, back.json.errors?.[0].field]).toEqual([400, 'service_archived', `${key}.serviceId`]);
    await edit('service', id, { status: 'active' });
    expect((await edit(model, tier, { status: 'active' })).json.data[key]).toEqual(asks(id, { onFailure: 'pass' }));
  });
});

describe('who may', () => {
  it('a stranger finds nothing, a member without set-up is refused, one with set-up in another vertical does not see it', async () => {
    const id = await addService();
    const other = await buildWorld(node.db, {});
    const stranger = await signIn(await buildUser(node.db, other.organizationId));
    expect((await edit('service', id, { name: 'Mine now' }, stranger)).statusCode).toBe(404);
    expect((await call(`${C}/get-data`, { model: 'service' }, stranger)).json.data).toEqual([]);
    const member = await signIn(await buildUser(node.db, world.organizationId, { role: 'member' }));
    expect((await call(`${C}/get-data`, { model: 'service' }, member)).statusCode).toBe(403);
    const auto = await add({ model: 'vertical', name: 'Auto', slug: 'auto', regionId: world.regionId, primaryField: 'email' });
    const verticals = [{ verticalId: auto.json.data._id, verticalChecked: true, pages: [{ value: 'setup', pageChecked: true }] }];
    const permissions = [{ regionId: world.regionId, regionChecked: true, verticals }];
    const elsewhere = await signIn(await buildUser(node.db, world.organizationId, { role: 'member', permissions }));
    expect((await call(`${C}/get-data`, { model: 'service' }, elsewhere)).json.data).toEqual([]);
    expect((await edit('service', id, { status: 'paused' }, elsewhere)).statusCode).toBe(404);
    expect((await add(service({ name: 'Smuggled' }), elsewhere)).statusCode).toBe(404);
    const trial = { verticalId: auto.json.data._id, serviceId: id, endpoint: endpoint(), leg: 'post', lead: {} };
    expect((await call('/api/console/endpoint/test-call', trial, elsewhere)).statusCode).toBe(404);
  });
});

describe('trying and moving', () => {
  it.each(['service', 'buyerTier'] as const)('the stored secrets of a %s stay with the addresses they were written for', async (model) => {
    const at = (url: string, auth: object = { kind: 'bearer', secret: 'token' }) => endpoint({ url, auth });
    const own = 'https://own.example/a';
    const secrets = { token: 'tok-5f3a9c', key: 'key-5f3a9c' };
    const id = model === 'service' ? await addService({ endpoint: at(own), secrets }) : world.tiers[0]!.buyerTierId;
    if (model === 'buyerTier') expect((await edit(model, id, { endpoint: at(own), secrets })).statusCode).toBe(200);
    const needs = async (data: Record<string, unknown>, names: string, origin = 'https://evil.example') => {
      const refused = await edit(model, id, data);
      expect([refused.statusCode, refused.json.code]).toEqual([400, 'endpoint_secrets_needed']);
      expect(refused.json.errors).toEqual([{ field: 'secrets', message: refused.json.msg }]);
      expect(refused.json.msg).toBe(
        `The stored secrets were not written for ${origin}. Write ${names} anew, or remove what is not needed there.`,
      );
    };
    await needs({ endpoint: at('https://evil.example/') }, 'the secrets key, token');
    await needs({ endpoint: at('https://evil.example/', { kind: 'none' }) }, 'the secrets key, token');
    await needs({ endpoint: at('http://own.example/a') }, 'the secrets key, token', 'http://own.example');
    await needs({ endpoint: at('https://evil.example/'), secrets: { token: 'mine' } }, 'the secret key');
    const oauth2 = { kind: 'oauth2', tokenUrl: 'https://evil.example/token', clientId: 'me', secret: 'key' };
    await needs({ endpoint: at(own, oauth2) }, 'the secrets key, token');
    const condition = { model, condition: { _id: id }, data: { endpoint: at('https://evil.example/') } };
    expect((await call(`${C}/post-edit-data-with-condition`, condition)).json.code).toBe('endpoint_secrets_needed');
    expect((await edit(model, id, { endpoint: at('https://own.example/b') })).statusCode).toBe(200);
    const moved = await edit(model, id, { endpoint: at('https://new.example/'), secrets: { token: 'written anew', key: null } });
    expect([moved.statusCode, moved.json.data.secrets]).toEqual([200, ['token']]);
    // What is stored now was written for the new address, and does not go back to the old one by itself.
    await needs({ endpoint: at(own) }, 'the secret token', 'https://own.example');
    expect((await edit(model, id, { endpoint: endpoint(), secrets: { token: null } })).statusCode).toBe(200);
  });

  it('a test call uses the stored secrets of the service, and shows none', async () => {
    const withToken = endpoint({ auth: { kind: 'bearer', secret: 'token' } });
    const id = await addService({ endpoint: withToken, secrets: { token: 'tok-5f3a9c' } });
    http.calls.length = 0;
    const body = { verticalId: world.verticalId, serviceId: id, endpoint: withToken, leg: 'post', lead: LEAD };
    const { json, text } = await call('/api/console/endpoint/test-call', body);
    expect(json.reading.outcome).toBe('accepted');
    expect(http.calls.map((one) => one.headers.authorization)).toEqual(['Bearer tok-5f3a9c']);
    expect(text).not.toContain('tok-5f3a9c');
  });

  it('a configuration takes services along by name, and who asks them; secrets have to be written again', async () => {
    const id = await addService({ secrets: { token: 'never-exported' }, notes: 'Refuses landlines' });
    await edit('publisherTier', world.publisherTierId, { p2c: asks(id, { timeLimitMs: 700 }) });
    await edit('buyerTier', tierId(), { thirdParty: asks(id, { onFailure: 'pass' }) });
    const exported = await fetch(`${node.url}/api/v1/configuration/export`, { headers: { ...OWN_PAGE, cookie } });
    const document = (await exported.json()) as Record<string, unknown>;
    expect(document).toMatchObject({
      services: [{ name: 'Phone check', place: 'us/payday', secrets: ['token'], data: { notes: 'Refuses landlines' } }],
      publisherTiers: [{ p2c: { service: 'Phone check', timeLimitMs: 700, onFailure: 'refuse' } }],
      buyerTiers: [{ thirdParty: { service: 'Phone check', timeLimitMs: 1_000, onFailure: 'pass' } }],
    });
    for (const hidden of [id, 'never-exported']) expect(JSON.stringify(document)).not.toContain(hidden);
    const empty = await buildUser(node.db, (await buildWorld(node.db, {})).organizationId);
    const mover = await signIn(empty);
    const taken = await call('/api/v1/configuration/import', { document }, mover);
    expect(taken.json).toMatchObject({
      added: { service: 1 },
      notes: expect.arrayContaining(['Phone check needs its secrets written again: token.']),
    });
    const [made] = (await call(`${C}/get-data`, { model: 'service' }, mover)).json.data;
    const tiers = (await call(`${C}/get-data`, { model: 'buyerTier' }, mover)).json.data;
    expect(tiers).toMatchObject([{ thirdParty: { serviceId: made._id, timeLimitMs: 1_000, onFailure: 'pass' } }]);
    // Tiers of before, whose service went all the same: the check stays behind, and the document says so.
    await node.pool.query(`update service set status = 'archived' where id = $1`, [id]);
    const later = await fetch(`${node.url}/api/v1/configuration/export`, { headers: { ...OWN_PAGE, cookie } });
    expect(await later.json()).toMatchObject({
      buyerTiers: [expect.not.objectContaining({ thirdParty: expect.anything() })],
      notes: [
        'Buyer tier Taker, Tier asks a service that is archived: that check stayed behind.',
        'Publisher tier Publisher One, Main seat asks a service that is archived: that check stayed behind.',
      ],
    });
    const without = { ...document, services: [] };
    const missing = await call(
      '/api/v1/configuration/import',
      { document: without },
      await signIn(await buildUser(node.db, (await buildWorld(node.db, {})).organizationId)),
    );
    expect([missing.statusCode, missing.json.code]).toEqual([400, 'configuration_reference']);
  });
});
