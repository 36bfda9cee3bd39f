/** account §2-§9: what strangers, programs and careless people do to public cards and landers. */
import { renderSVG } from 'uqr';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DESIGN_KEYS, designOf, gradientOf, inkOf, SOCIAL_KINDS } from '#contract/card-design.ts';
import { isCard } from '#server/card/card-page.ts';
import { openStoredFields } from '#server/lead/stored-fields.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: Visitor;
let network = 0;

const FIELDS = Object.keys(LEAD);
const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
/** Its first letters are those of a GIF, and the rest is a program. */
const GIF_OF_SCRIPT = Buffer.from('GIF89a=1;alert(1)//');
const named = (agent: string) => ({ 'user-agent': agent });

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }], publisher: { kind: 'lander' } });
  await node.planBook.reload(world.organizationId);
  owner = await signIn(world);
  network += 1;
});

async function signIn({ organizationId }: World, person?: Parameters<typeof buildUser>[2]): Promise<Visitor> {
  const { email, password } = await buildUser(node.db, organizationId, person);
  const visitor = visit(node, { host: '127.0.0.1' });
  expect((await visitor.post('/team-login', { email, password })).statusCode).toBe(200);
  return visitor;
}

const lander = () => ({
  ...{ hasLander: true, publisherTierId: world.publisherTierId, landerDescription: '<p>A loan?</p>', landerFields: FIELDS },
});
const tryAdd = (data: Record<string, unknown> = {}) =>
  owner.post('/api/v1/common/post-add-data', { model: 'card', verticalId: world.verticalId, name: 'Grace Hopper', ...data });
async function add(data: Record<string, unknown> = {}): Promise<string> {
  const { statusCode, json } = await tryAdd(data);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const edit = (model: string, _id: string, data: Record<string, unknown>) =>
  owner.post('/api/v1/common/post-edit-data', { model, _id, ...data });
const readCard = async (_id: string) => (await owner.post('/api/v1/common/single-data', { model: 'card', condition: { _id } })).json.data;

/** From a network of its own for each test. */
const call = async (method: 'GET' | 'POST' | 'HEAD', url: string, payload?: unknown, headers: Record<string, string> = {}) => {
  const answer = await node.app.inject({
    ...{ method, url, remoteAddress: `198.51.100.${network}`, headers: { 'user-agent': 'Phone', ...headers } },
    ...(payload !== undefined && { payload: payload as object }),
  });
  const isJson = String(answer.headers['content-type']).includes('application/json');
  return { statusCode: answer.statusCode, headers: answer.headers, text: answer.body, json: isJson ? answer.json() : undefined };
};
const get = (url: string, headers?: Record<string, string>) => call('GET', url, undefined, headers);
const submission = (id: string, more: Record<string, unknown> = {}) => ({
  dc_status: 1,
  dc_rolodex_id: id,
  rolodexId: id,
  ...LEAD,
  ...more,
});
const submit = (body: unknown, headers?: Record<string, string>) => call('POST', '/api/v1/drawcard/submit-lander', body, headers);
const fieldId = async (name: string): Promise<string> =>
  (await node.pool.query('select id from field where vertical_id = $1 and field_name = $2', [world.verticalId, name])).rows[0].id;
const countLeads = async () =>
  (await node.pool.query('select count(*)::int as n from lead where organization_id = $1', [world.organizationId])).rows[0].n as number;

describe('account §4, §7: a submission', () => {
  it('that was refused is corrected and taken; with an id that something else was sent with, it is told to choose another', async () => {
    const id = await add(lander());
    // What only the engine finds wrong is on record under its id.
    const first = await submit(submission(id, { zip: '12', dc_submission: 'one' }));
    expect([first.statusCode, first.json.errors]).toEqual([400, [{ field: 'zip', message: expect.any(String) }]]);
    const taken = await submit(submission(id, { dc_submission: 'one' }));
    expect([taken.statusCode, taken.json.code]).toEqual([409, 'lander_submission_taken']);
    expect((await submit(submission(id, { dc_submission: 'two' }))).statusCode).toBe(200);
  });

  it('that comes many times at once is one lead, counted once; the same id at another card is another', async () => {
    const [id, other] = [await add(lander()), await add(lander())];
    const before = buyer.calls.length;
    const body = submission(id, { dc_submission: 'same' });
    const codes = (await Promise.all(Array.from({ length: 9 }, () => submit(body)))).map(({ statusCode }) => statusCode);
    expect([codes, await countLeads(), buyer.calls.length - before]).toEqual([Array(9).fill(200), 1, 1]);
    await expect.poll(() => readCard(id)).toMatchObject({ submissions: 1, sold: 1 });
    await submit(submission(other, { dc_submission: 'same', email: 'other@example.com', phone: '2125550199' }));
    expect(await countLeads()).toBe(2);
  });

  it('fills no field that the form does not show, by whatever name its source comes, and keeps of a source what is one', async () => {
    const id = await add({ ...lander(), landerFields: FIELDS.filter((name) => name !== 'monthly_income') });
    const junk = Object.fromEntries(Array.from({ length: 1500 }, (_, n) => [`k${n}`, 'x'.repeat(500)]));
    const dc_source = { ...junk, monthly_income: '99999', utm_source: 'spring' };
    expect((await submit(submission(id, { monthly_income: 99999, dc_source }))).statusCode).toBe(200);
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    const { lead } = (await owner.get(`/api/console/leads/${rows[0].id}`)).json;
    expect(lead.fields.map(({ fieldName }: { fieldName: string }) => fieldName)).not.toContain('monthly_income');
    expect(JSON.parse(lead.inbound.body).dc_source).toEqual({ utm_source: 's•••' });
  });

  it.each([
    ['a list', []],
    ['a text', 'x'],
    ['nothing', null],
    ['a value that is a list', { email: ['a@b.example'] }],
    ['an id that is a list', { rolodexId: ['x'] }],
    ['a source that is a list', { dc_source: [] }],
    ['half of a character', { first_name: '\ud83d' }],
    ['a NUL', { first_name: 'a\u0000b' }],
    ['a name of 5000 characters', { first_name: 'x'.repeat(5000) }],
  ])('account §5: with %s is refused, and makes no lead', async (_name, wrong) => {
    const id = await add(lander());
    const isObject = typeof wrong === 'object' && wrong !== null && !Array.isArray(wrong);
    const { statusCode, json } = await submit(JSON.stringify(isObject ? submission(id, wrong) : wrong), {
      'content-type': 'application/json',
    });
    expect([statusCode, json.status, await countLeads()]).toEqual([400, false, 0]);
  });

  it('of a page on another host is taken, with that page as proof, after the question that a browser asks beforehand', async () => {
    const id = await add(lander());
    const foreign = { origin: 'https://loans.example', 'sec-fetch-site': 'cross-site', cookie: 'sluice=x' };
    const asked = await node.app.inject({
      ...{ method: 'OPTIONS', url: '/api/v1/drawcard/submit-lander' },
      headers: { ...foreign, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect([asked.statusCode, asked.headers]).toMatchObject([
      204,
      { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST', 'access-control-allow-headers': 'content-type' },
    ]);
    const answers = [
      await get(`/api/v1/drawcard/card/1/${id}`, foreign),
      await get(`/api/v1/drawcard/get-lander/${id}`, foreign),
      await get('/api/v1/drawcard/get-lander/nothing', foreign),
      await submit(submission(id, { phone: '12' }), foreign),
      await submit(submission(id), foreign),
    ];
    // Refusals are read there as well; no cookie is asked for, and none given.
    for (const { headers } of answers)
      expect([headers['access-control-allow-origin'], headers['access-control-allow-credentials'], headers['set-cookie']]).toEqual([
        '*',
        undefined,
        undefined,
      ]);
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 404, 400, 200]);
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    const { lead } = (await owner.get(`/api/console/leads/${rows[0].id}`)).json;
    // Masked as all that came with the call; one of our own page says no such thing.
    expect(JSON.parse(lead.inbound.body)).toMatchObject({ dc_origin: expect.stringMatching(/^h/) });
    await submit(submission(id, { email: 'own@example.com' }), { origin: 'http://own.example', host: 'own.example' });
    const { rows: own } = await node.pool.query('select id from lead where organization_id = $1 order by id desc limit 1', [
      world.organizationId,
    ]);
    expect(JSON.parse((await owner.get(`/api/console/leads/${own[0].id}`)).json.lead.inbound.body)).not.toHaveProperty('dc_origin');
  });

  it('of a page on another host needs that question: as a form or as text it reaches nobody, and the pages themselves are nobody else’s', async () => {
    const id = await add(lander());
    const sent = async (type: string, payload: string) =>
      (await submit(payload, { 'content-type': type, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).statusCode;
    expect(await sent('application/x-www-form-urlencoded', 'dc_status=1')).toBe(415);
    expect(await sent('text/plain', JSON.stringify(submission(id)))).toBe(400);
    expect(await countLeads()).toBe(0);
    for (const path of [`card/${id}`, `lander/${id}`])
      expect((await get(`/drawcard/${path}`, { origin: 'https://evil.example' })).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('of pages on other hosts comes from many networks: to one card so many a minute, while its own lander goes on', async () => {
    const id = await add(lander());
    const from = async (address: string, headers: Record<string, string>) =>
      (
        await node.app.inject({
          ...{
            method: 'POST',
            url: '/api/v1/drawcard/submit-lander',
            remoteAddress: address,
            headers: { 'user-agent': 'Phone', ...headers },
          },
          payload: submission(id, { dc_website: 'x' }),
        })
      ).statusCode;
    const codes: number[] = [];
    for (let n = 0; n < 70; n++) codes.push(await from(`203.0.113.${n}`, { origin: 'https://evil.example' }));
    expect([codes.filter((code) => code === 200).length, codes.at(-1)]).toEqual([60, 429]);
    expect(await from('203.0.113.200', {})).toBe(200);
  });

  it('to a card without a lander is as if there were no card, also for a program', async () => {
    const id = await add();
    for (const more of [{}, { dc_website: 'x' }])
      expect(await submit(submission(id, more))).toMatchObject({ statusCode: 404, json: { code: 'lander_unknown' } });
  });
});

describe('account §3: the form of a lander', () => {
  it('asks for what every lead needs, also where that was decided after the card was written', async () => {
    const id = await add({ ...lander(), landerFields: FIELDS.filter((name) => name !== 'zip') });
    await edit('field', await fieldId('zip'), { required: true });
    const { json } = await get(`/api/v1/drawcard/get-lander/${id}`);
    expect(json.data.verticalInfo.fields.map(({ fieldName }: { fieldName: string }) => fieldName)).toContain('zip');
    expect((await submit(submission(id))).statusCode).toBe(200);
  });

  it('hides fields whose name begins with dc_: none is chosen, and none that every lead needs may be', async () => {
    const field = { model: 'field', verticalId: world.verticalId, fieldHumanName: 'Secret', type: 'string', privacyClass: 'P0' };
    await owner.post('/api/v1/common/post-add-data', { ...field, fieldName: 'dc_secret', required: false });
    const chosen = await tryAdd({ ...lander(), landerFields: [...FIELDS, 'dc_secret'] });
    expect([chosen.statusCode, chosen.json.errors[0]]).toEqual([
      400,
      { field: 'landerFields', message: expect.stringContaining('dc_secret') },
    ]);
    const id = await add(lander());
    await node.pool.query(`update card set lander_fields = lander_fields || '{dc_secret}' where id = $1`, [id]);
    expect((await get(`/drawcard/lander/${id}`)).text).not.toContain('dc_secret');
    expect((await submit(submission(id))).statusCode).toBe(200);
    await edit('field', await fieldId('dc_secret'), { required: true });
    expect((await tryAdd(lander())).json.errors[0].message).toContain('dc_secret');
  });

  it('asks for no field that is called as the submission itself calls its card', async () => {
    const field = { model: 'field', verticalId: world.verticalId, fieldHumanName: 'Rolodex', type: 'string', privacyClass: 'P0' };
    await owner.post('/api/v1/common/post-add-data', { ...field, fieldName: 'rolodexId', required: false });
    const chosen = await tryAdd({ ...lander(), landerFields: [...FIELDS, 'rolodexId'] });
    expect([chosen.statusCode, chosen.json.errors[0]]).toEqual([
      400,
      { field: 'landerFields', message: expect.stringContaining('No form shows "rolodexId"') },
    ]);
    // Chosen before this was refused, it is left out, and the card is still the one that is meant.
    const id = await add(lander());
    await node.pool.query(`update card set lander_fields = lander_fields || '{rolodexId}' where id = $1`, [id]);
    expect((await get(`/api/v1/drawcard/get-lander/${id}`)).json.data.verticalInfo.fields).toHaveLength(FIELDS.length);
    expect((await submit(submission(id))).statusCode).toBe(200);
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    const { lead } = (await owner.get(`/api/console/leads/${rows[0].id}`)).json;
    expect(lead.fields.map(({ fieldName }: { fieldName: string }) => fieldName)).not.toContain('rolodexId');
  });

  it('reads a field that is called as a part of every object as one that was not given, and takes no new field of such a name', async () => {
    const addField = (fieldName: string) =>
      owner.post('/api/v1/common/post-add-data', {
        ...{ model: 'field', verticalId: world.verticalId, fieldHumanName: 'Odd', type: 'string', privacyClass: 'P0', required: false },
        fieldName,
      });
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const { statusCode, json } = await addField(name);
      expect([name, statusCode, json.errors]).toEqual([
        ...[name, 400],
        [{ field: 'fieldName', message: expect.stringContaining('is a name that every object of a program has by itself') }],
      ]);
    }
    // There since before such names were refused.
    await addField('odd');
    await node.pool.query(`update field set field_name = 'constructor' where vertical_id = $1 and field_name = 'odd'`, [world.verticalId]);
    await node.planBook.reload(world.organizationId);
    const id = await add(lander());
    await node.pool.query(`update card set lander_fields = lander_fields || '{constructor}' where id = $1`, [id]);
    expect((await submit(submission(id))).statusCode).toBe(200);
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    const { statusCode, json } = await owner.get(`/api/console/leads/${rows[0].id}`);
    expect([statusCode, json.lead.status]).toEqual([200, 'sold']);
    expect(json.lead.fields.map(({ fieldName }: { fieldName: string }) => fieldName)).not.toContain('constructor');
    expect(json.lead.inbound.body).not.toContain('native code');
    const told = { email: 'other@example.com', phone: '2125550198', constructor: 'Smith & Sons' };
    expect((await submit(submission(id, told))).statusCode).toBe(200);
    const { rows: both } = await node.pool.query('select id from lead where organization_id = $1 order by id', [world.organizationId]);
    const given = (await owner.get(`/api/console/leads/${both[1].id}`)).json.lead.fields;
    expect(given.find(({ fieldName }: { fieldName: string }) => fieldName === 'constructor')?.value).toBe('Smith & Sons');
  });

  it('asks nobody for their own address: a field for it is filled by the call, whatever is sent', async () => {
    const field = { model: 'field', verticalId: world.verticalId, fieldHumanName: 'IP address', type: 'ip', privacyClass: 'P1' };
    await owner.post('/api/v1/common/post-add-data', { ...field, fieldName: 'ip_address', required: true });
    const id = await add(lander());
    expect((await get(`/drawcard/lander/${id}`)).text).not.toContain('ip_address');
    expect((await submit(submission(id, { ip_address: '192.0.2.9' }))).statusCode).toBe(200);
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    const { lead } = (await owner.get(`/api/console/leads/${rows[0].id}`)).json;
    const kept = lead.fields.find(({ fieldName }: { fieldName: string }) => fieldName === 'ip_address');
    expect([lead.status, kept.value]).toEqual(['sold', `198.51.100.${network}`]);
  });

  it('puts nothing into an address before its script is there, and no name of a field in the place of its own parts', async () => {
    const field = { model: 'field', verticalId: world.verticalId, type: 'string', privacyClass: 'P2', required: false };
    await owner.post('/api/v1/common/post-add-data', { ...field, fieldName: 'reset', fieldHumanName: 'Reset' });
    const id = await add({ ...lander(), landerFields: [...FIELDS, 'reset'] });
    const { text } = await get(`/drawcard/lander/${id}`);
    expect(text).toMatch(/<form [^>]*method="post"/);
    expect(text).toMatch(/<button [^>]*type="submit" disabled>/);
    const names = [...text.matchAll(/<(?:input|select) [^>]*name="([^"]+)"/g)].map(([, name]) => name!);
    expect(names).toContain('field-reset');
    expect(names.filter((name) => !/^(field-|dc_)/.test(name))).toEqual([]);
    // What is pasted is longer than its digits.
    expect(/<input id="field-phone"[^>]*>/.exec(text)![0]).not.toContain('maxlength');
  });

  it('is closed while its tier belongs to a campaign of another vertical', async () => {
    const id = await add(lander());
    await node.pool.query(
      `with v as (insert into vertical (organization_id, id, region_id, slug, name, uid, primary_field)
         select organization_id, gen_random_uuid(), region_id, 'autos', 'Autos', gen_random_uuid(), primary_field from vertical where id = $1 returning id)
       update campaign set vertical_id = v.id from v where campaign.id = $2`,
      [world.verticalId, world.campaignId],
    );
    await node.planBook.reload(world.organizationId);
    expect((await get(`/api/v1/drawcard/get-lander/${id}`)).json.data.isOpen).toBe(false);
    expect((await submit(submission(id))).json.code).toBe('lander_closed');
  });

  it('keeps its vertical and its fields from being taken away', async () => {
    await add({ ...lander(), name: 'Ada Lovelace' });
    const remove = (model: string, _id: string) => owner.post('/api/v1/common/post-delete-data', { model, _id });
    expect((await remove('field', await fieldId('zip'))).json.uses).toContain('The lander of card Ada Lovelace names it.');
    expect((await remove('vertical', world.verticalId)).json.uses).toContain('The card Ada Lovelace lies in it.');
  });
});

describe('account §3, §5: what is saved', () => {
  it.each([
    ['signs', '&'.repeat(19_000)],
    ['links', '<a href="x.example">a</a>'.repeat(700)],
  ])('a description whose %s become too long as HTML is refused at its field, in words', async (_name, landerDescription) => {
    const { statusCode, json } = await tryAdd({ ...lander(), landerDescription });
    expect([statusCode, json.errors]).toEqual([
      400,
      [{ field: 'landerDescription', message: expect.stringContaining('has more than 20000 characters once it is HTML') }],
    ]);
  });

  it.each([
    ['harbour.example:8080/x', 'https://harbour.example:8080/x'],
    ['harbour.example', 'https://harbour.example'],
    ['HTTP://Harbour.example', 'HTTP://Harbour.example'],
    ['', ''],
  ])('account §5: the website %j is kept as %j', async (website, kept) => {
    expect((await readCard(await add({ website }))).website).toBe(kept);
  });

  it.each([
    ['website', 'https://%'],
    ['website', 'https://'],
    ['website', 'https://nowhere'],
    ['website', 'javascript:1'],
    ['website', 'ftp://harbour.example'],
    ['socialMedia', [{ kind: 'website', url: 'https://%%' }]],
    ['socialMedia', [{ kind: 'email', url: 'a@b.example?bcc=x' }]],
    ['socialMedia', [{ kind: 'email', url: 'a%0d%0aBcc:x@b.example' }]],
    ['socialMedia', [{ kind: 'phone', url: '(...) --' }]],
    ['socialMedia', [{ kind: 'github', url: 'github.com/x', label: 'Two\nlines' }]],
    ['socialMedia', [{ kind: 'github', url: 'github.com/x', label: '\u202ebuhtig' }]],
    ['phone', '------'],
    ['phone', '+1 (2) 3-45'],
    ['name', '\u202egrace'],
    ['name', '\u2800'],
  ])('console §5: a %s that leads nowhere or shows nothing is refused at its field: %j', async (field, value) => {
    const { statusCode, json } = await tryAdd({ [field]: value });
    expect([statusCode, json.errors?.[0]?.field]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe('account §2, §4: what strangers get', () => {
  it('a file for an address book in whose head and lines nothing of a name or a text begins anew', async () => {
    const id = await add({
      ...{ name: `Conan O'Brien (Jr) 😀 "x"`, website: 'https://a.example/x,y;z', additional_information: 'One\r\nEND:VCARD\r\nTEL:1' },
    });
    const { headers, text } = await get(`/drawcard/card/${id}/contact.vcf`);
    expect(headers['content-disposition']).toBe(
      `attachment; filename="contact.vcf"; filename*=UTF-8''Conan%20O%27Brien%20%28Jr%29%20%F0%9F%98%80%20%22x%22.vcf`,
    );
    expect(text).toContain('\r\nURL:https://a.example/x,y;z\r\n');
    expect(text).toContain('\r\nNOTE:One\\nEND:VCARD\\nTEL:1\r\n');
    expect(text.match(/^(END|TEL)/gm)).toEqual(['END']);
  });

  it('a name written from right to left stands so, beside words that are not', async () => {
    const { text } = await get(`/drawcard/card/${await add({ name: 'عبد الله', company: 'Harbour' })}`);
    expect(text).toContain('<h1 dir="auto">عبد الله</h1>');
    expect(text).toContain('<p class="company" dir="auto">Harbour</p>');
  });

  it('a picture at its own address for ever, at the bare one that of now, and never of another type than it is', async () => {
    const id = await add();
    const put = (bytes: Buffer, type = 'image/png') =>
      owner.post(`/api/console/cards/${id}/picture`, bytes, { headers: { 'content-type': type } });
    for (const wrong of [GIF_OF_SCRIPT, Buffer.from('%PDF-1.4'), Buffer.from('<html>'), PNG.subarray(0, 12)])
      expect((await put(wrong)).statusCode).toBe(415);
    expect((await put(PNG, 'text/html')).statusCode).toBe(415);
    expect((await put(Buffer.alloc(512 * 1024 + 1))).statusCode).toBe(413);
    // Something behind a picture makes it nothing else.
    expect((await put(Buffer.concat([PNG, Buffer.from('<script>alert(1)</script>')]), 'image/gif')).statusCode).toBe(200);
    const own = new URL((await get(`/api/v1/drawcard/card/1/${id}`)).json.data.avatar);
    const cached = async (path: string) => {
      const { headers } = await get(path);
      return [headers['content-type'], headers['x-content-type-options'], headers['cache-control']];
    };
    expect(await cached(own.pathname + own.search)).toEqual(['image/png', 'nosniff', 'public, max-age=31536000, immutable']);
    for (const path of [own.pathname, `${own.pathname}?at=1`]) expect(await cached(path)).toEqual(['image/png', 'nosniff', 'no-cache']);
  });

  it('no count for who only looks at the head, fetches ahead, or is a program', async () => {
    const id = await add();
    const path = `/drawcard/card/${id}`;
    await call('HEAD', path);
    for (const headers of [
      { 'sec-purpose': 'prefetch' },
      ...['Googlebot/2.1', 'curl/8.5.0', 'python-requests/2.31', 'WhatsApp/2', ''].map(named),
    ])
      expect((await get(path, headers)).statusCode).toBe(200);
    await get(path);
    await expect.poll(async () => (await readCard(id)).cardViews).toBe(1);
  });

  it('the not-found view, whatever stands in the address', async () => {
    for (const id of [
      '__proto__',
      '..%2f..',
      `${'a'.repeat(150)}`,
      "'%20or%201=1",
      '%F0%9F%98%80',
      world.organizationId,
      world.publisherTierId,
    ]) {
      for (const what of ['card', 'lander']) {
        const { statusCode, headers, text } = await get(`/drawcard/${what}/${id}`);
        expect([id, statusCode, headers['content-type']]).toEqual([id, 404, 'text/html; charset=utf-8']);
        expect(text).toContain(what === 'card' ? 'Card not found' : 'Page not found');
      }
      for (const path of ['card/1', 'get-lander']) expect((await get(`/api/v1/drawcard/${path}/${id}`)).json.status).toBe(false);
    }
  });

  it('a page to read, with the time to wait, when there were too many; programs get their own words', async () => {
    await insideOneMinute();
    const id = await add(lander());
    const answers = await Promise.all(Array.from({ length: 301 }, () => get(`/api/v1/drawcard/card/1/${id}`)));
    const refused = answers.find(({ statusCode }) => statusCode === 429)!;
    expect([refused.json.code, Number(refused.headers['retry-after']) > 0]).toEqual(['drawcard_rate_limited', true]);
    for (const what of ['card', 'lander']) {
      const { statusCode, headers, text } = await get(`/drawcard/${what}/${id}`);
      expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([429, 'text/html; charset=utf-8', 'no-cache']);
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(text).toContain('<h1>Please wait a moment</h1>');
      expect(text).toMatch(/Open it again in (a second|\d+ seconds)\./);
    }
    expect((await readCard(id)).cardViews).toBe(0);
  });

  it('pages and files that no cache gives out without asking, and no cookie', async () => {
    const id = await add(lander());
    for (const path of [`card/${id}`, `lander/${id}`, `card/${id}/contact.vcf`, `card/${id}/app.webmanifest`, 'card/1']) {
      const { headers } = await get(`/drawcard/${path}`);
      expect([path, headers['cache-control'], headers['set-cookie']]).toEqual([path, 'no-cache', undefined]);
    }
    for (const path of [`card/1/${id}`, `get-lander/${id}`])
      expect((await get(`/api/v1/drawcard/${path}`)).headers['cache-control']).toBe('no-store');
  });
});

describe('account §6: the console’s calls about cards', () => {
  it('are for who may set up the vertical: not without a session, from another page, for another page, vertical or organization', async () => {
    const id = await add(lander());
    const elsewhere = await buildWorld(node.db);
    await node.planBook.reload(elsewhere.organizationId);
    const { rows } = await node.pool.query(
      `insert into vertical (organization_id, id, region_id, slug, name, uid, primary_field)
         select organization_id, gen_random_uuid(), region_id, 'autos', 'Autos', gen_random_uuid(), primary_field from vertical where id = $1 returning id`,
      [world.verticalId],
    );
    const grant = (page: string, verticalId: string) => ({
      role: 'member' as const,
      permissions: [
        {
          ...{ regionId: world.regionId, regionChecked: true },
          verticals: [{ verticalId, verticalChecked: true, pages: [{ value: page, pageChecked: true }] }],
        },
      ],
    });
    const strangers = {
      'without a session': visit(node, { host: '127.0.0.1' }),
      'another organization': await signIn(elsewhere),
      'another vertical': await signIn(world, grant('setup', rows[0].id)),
      'another page': await signIn(world, grant('leads', world.verticalId)),
    };
    for (const [who, stranger] of Object.entries(strangers)) {
      for (const [path, body] of [
        [`/api/console/cards/${id}/picture`, PNG],
        [`/api/console/cards/${id}/picture/remove`, {}],
        ['/api/v1/common/post-edit-data', { model: 'card', _id: id, name: 'Mine' }],
        ['/api/v1/common/post-delete-data', { model: 'card', _id: id }],
        ['/api/v1/common/post-add-data', { model: 'card', verticalId: world.verticalId, name: 'Mine' }],
      ] as const) {
        const { statusCode } = await stranger.post(path, body, {
          headers: { 'content-type': body === PNG ? 'image/png' : 'application/json' },
        });
        expect([who, path, [401, 403, 404].includes(statusCode)]).toEqual([who, path, true]);
      }
      const { json } = await stranger.post('/api/v1/common/single-data', { model: 'card', condition: { _id: id } });
      expect([who, json.data?.name]).toEqual([who, undefined]);
    }
    expect((await owner.post(`/api/console/cards/${id}/picture/remove`, {}, { headers: { 'x-requested-with': '' } })).statusCode).toBe(403);
    expect((await readCard(id)).name).toBe('Grace Hopper');
  });

  it('take no tier of another organization', async () => {
    const elsewhere = await buildWorld(node.db);
    expect((await tryAdd({ ...lander(), publisherTierId: elsewhere.publisherTierId })).statusCode).toBe(404);
    expect((await tryAdd({ verticalId: elsewhere.verticalId })).statusCode).toBe(404);
  });
});

describe('account §7: the words that are agreed to', () => {
  const kept = async () => {
    const { rows } = await node.pool.query('select id, fields from lead where organization_id = $1 order by id desc limit 1', [
      world.organizationId,
    ]);
    const { keys } = node.planBook.find(world.organizationId)!;
    return JSON.parse(openStoredFields(keys, rows[0].id, rows[0].fields).inbound.body);
  };
  const shown = async (id: string) => {
    const { consentText, consentVersion } = (await get(`/api/v1/drawcard/get-lander/${id}`)).json.data;
    const { text } = await get(`/drawcard/lander/${id}`);
    expect(text).toContain(`data-consent="${consentVersion}"`);
    expect(/<p class="field consent" hidden>/.test(text)).toBe(consentText === '');
    return { consentText, consentVersion };
  };

  it('are those that the page showed: where they have changed since, it is told the new ones, and no lead is made', async () => {
    const id = await add({ ...lander(), consentText: 'Calls about loans.' });
    const first = await shown(id);
    const before = Date.now();
    expect((await submit(submission(id, { dc_consent: true, dc_consent_version: first.consentVersion }))).statusCode).toBe(200);
    const { dc_consent: proof, email } = await kept();
    expect(proof).toEqual({ text: 'Calls about loans.', agreedAt: expect.any(String), version: first.consentVersion });
    expect(Date.parse(proof.agreedAt)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(proof.agreedAt)).toBeLessThanOrEqual(Date.now());
    expect(email).toBe(LEAD.email.toLowerCase());

    await edit('card', id, { consentText: 'Calls about anything, at night.' });
    const other = { email: 'other@example.com', phone: '2125550199', dc_consent: true };
    const stale = await submit(submission(id, { ...other, dc_consent_version: first.consentVersion }));
    const now = await shown(id);
    expect([stale.statusCode, stale.json.code, stale.json.errors, stale.json.current]).toEqual([
      ...[400, 'lander_invalid'],
      [{ field: 'dc_consent', message: expect.stringContaining('These words have changed since you opened the page') }],
      { consentText: 'Calls about anything, at night.', consentVersion: now.consentVersion },
    ]);
    expect([now.consentVersion === first.consentVersion, await countLeads()]).toEqual([false, 1]);
    expect((await submit(submission(id, { ...other, dc_consent_version: now.consentVersion }))).statusCode).toBe(200);
    expect((await kept()).dc_consent).toMatchObject({ text: 'Calls about anything, at night.', version: now.consentVersion });
  });

  it('are told to a page that was opened while none were asked for; once none are asked for, none are kept', async () => {
    const id = await add(lander());
    expect(await shown(id)).toEqual({ consentText: '', consentVersion: '' });
    await edit('card', id, { consentText: 'Now there are some.' });
    const asked = await submit(submission(id));
    expect([asked.statusCode, asked.json.errors[0].field, asked.json.current.consentText]).toEqual([
      ...[400, 'dc_consent'],
      'Now there are some.',
    ]);
    await edit('card', id, { consentText: '' });
    expect((await submit(submission(id, { dc_consent: true, dc_consent_version: 'of-old' }))).statusCode).toBe(200);
    expect(await kept()).not.toHaveProperty('dc_consent');
  });

  it('are not vouched for where a page of somebody else does not say which it showed', async () => {
    const id = await add({ ...lander(), consentText: 'Calls about loans.' });
    expect((await submit(submission(id, { dc_consent: true }))).statusCode).toBe(200);
    expect((await kept()).dc_consent).toEqual({ text: 'Calls about loans.', agreedAt: expect.any(String) });
  });
});

describe('account §2: where a card stands', () => {
  const at = (host: string) => ({ host });

  it('is at its own host, at the root and at hosts that are nobody’s; below another organization it leads home, and calls find nothing', async () => {
    const id = await add({ ...lander() });
    await owner.post(`/api/console/cards/${id}/picture`, PNG, { headers: { 'content-type': 'image/png' } });
    const elsewhere = await buildWorld(node.db);
    await node.planBook.reload(elsewhere.organizationId);
    const home = `${world.subDomain}.localhost`;
    const paths = [`card/${id}`, `lander/${id}`, `card/${id}/picture`, `card/${id}/contact.vcf`, `card/${id}/app.webmanifest`];
    const all = [...paths.map((path) => `/drawcard/${path}`), `/api/v1/drawcard/card/1/${id}`, `/api/v1/drawcard/get-lander/${id}`];
    const codes = async (host: string) => {
      const found: number[] = [];
      for (const path of all) found.push((await get(path, at(host))).statusCode);
      return found;
    };
    for (const host of [home, home.toUpperCase(), 'localhost', '127.0.0.1', 'cards.of-somebody.example'])
      expect([host, await codes(host)]).toEqual([host, Array(all.length).fill(200)]);
    for (const host of [`${elsewhere.subDomain}.localhost`, 'nobody-at-all.localhost'])
      expect([host, await codes(host)]).toEqual([host, [302, 302, 404, 404, 404, 404, 404]]);
    const stray = at(`${elsewhere.subDomain}.localhost`);
    for (const what of ['card', 'lander']) {
      const { headers } = await get(`/drawcard/${what}/${id}?utm_source=spring&x=1`, stray);
      expect(new URL(String(headers.location))).toMatchObject({
        hostname: home,
        pathname: `/drawcard/${what}/${id}`,
        search: '?utm_source=spring&x=1',
      });
    }
    expect((await submit(submission(id), stray)).json.code).toBe('lander_unknown');
    expect(await countLeads()).toBe(0);
    // Of what is not shown, nobody learns where it would be.
    await edit('card', id, { status: 'paused' });
    expect((await get(`/drawcard/card/${id}`, stray)).statusCode).toBe(404);
  });

  it('takes along from card to lander, and back, where the visit came from, and nothing else', async () => {
    const id = await add(lander());
    const query = '?utm_source=spring%26more&gclid=a%22b&other=x&utm_medium=';
    const kept = '?utm_source=spring%26more&amp;gclid=a%22b';
    expect((await get(`/drawcard/card/${id}${query}`)).text).toContain(`href="/drawcard/lander/${id}${kept}">Get in touch`);
    expect((await get(`/drawcard/lander/${id}${query}`)).text).toContain(`href="/drawcard/card/${id}${kept}"`);
    expect((await get(`/drawcard/card/${id}?other=x`)).text).toContain(`href="/drawcard/lander/${id}">Get in touch`);
    // What is shared and searched for is the page itself.
    expect((await get(`/drawcard/card/${id}${query}`)).text).toMatch(
      new RegExp(`<link rel="canonical" href="[^"?]+/drawcard/card/${id}">`),
    );
  });

  it('is found in capitals and with a slash behind it; whatever else is odd about an address leads to the not-found view', async () => {
    const id = await add({ ...lander(), name: 'Ada Lovelace' });
    const capital = id.toUpperCase();
    for (const path of [
      `/drawcard/card/${capital}`,
      `/drawcard/lander/${capital}`,
      `/api/v1/drawcard/card/1/${capital}`,
      `/api/v1/drawcard/get-lander/${capital}`,
    ])
      expect([path, (await get(path)).statusCode]).toEqual([path, 200]);
    expect((await submit({ ...submission(id), dc_rolodex_id: capital, rolodexId: capital })).statusCode).toBe(200);
    for (const what of ['card', 'lander']) {
      const { statusCode, headers } = await get(`/drawcard/${what}/${id}/?utm_source=a`);
      expect([statusCode, headers.location]).toEqual([302, `/drawcard/${what}/${id}?utm_source=a`]);
    }
    const odd = ['', 'x'.repeat(300), 'x'.repeat(5000), '%00', 'a%00b', '%ff', '%', '%zz', `${id}/more`, '..%2f', '.'];
    for (const what of ['card', 'lander'])
      for (const one of odd) {
        const { statusCode, headers, text } = await get(`/drawcard/${what}/${one}`);
        expect([what, one, statusCode, headers['content-type']]).toEqual([what, one, 404, 'text/html; charset=utf-8']);
        expect(text).toContain(what === 'card' ? '<h1>Card not found</h1>' : '<h1>Page not found</h1>');
        expect([headers['x-content-type-options'], String(headers['content-security-policy'])]).toEqual([
          'nosniff',
          expect.stringContaining("frame-ancestors 'none'"),
        ]);
      }
    for (const path of ['/drawcard/', '/drawcard/nothing/here'])
      expect([path, (await get(path)).statusCode, (await get(path)).text.includes('<h1>Page not found</h1>')]).toEqual([path, 404, true]);
    // Programs get their own shape, at every address of ours.
    for (const path of ['/api/v1/drawcard/card/1/%ff', '/api/v1/drawcard/get-lander/%', '/api/console/leads/%ff', '/r/%ff']) {
      const { statusCode, headers, json } = await get(path);
      expect([path, statusCode, json]).toEqual([
        path,
        400,
        { status: false, code: 'address_invalid', msg: expect.stringContaining('%25') },
      ]);
      expect(headers['access-control-allow-origin']).toBe('*');
    }
    expect((await get(`/api/v1/drawcard/card/1/${'x'.repeat(300)}`)).json).toMatchObject({ status: false, code: 'route_unknown' });
  });
});

describe('account §3, §5, §9: the pages', () => {
  it('account §4: what has none of name, e-mail and phone is no card; any one of them is enough, and none is stored without its name', async () => {
    const none = { name: '', email: '', phone: '' };
    expect([none, { ...none, name: 'x' }, { ...none, email: 'x' }, { ...none, phone: 'x' }].map(isCard)).toEqual([false, true, true, true]);
    const id = await add();
    await expect(node.pool.query(`update card set name = '' where id = $1`, [id])).rejects.toThrow('card_name_check');
  });

  it('account §3: every kind of icon has its own; one that is custom is a link', async () => {
    const url = (kind: string) => (kind === 'email' ? 'a@b.example' : kind === 'phone' ? '2125550123' : 'https://a.example/x');
    const id = await add({ socialMedia: SOCIAL_KINDS.map((kind) => ({ kind, url: url(kind), label: kind })) });
    const { text } = await get(`/drawcard/card/${id}`);
    const drawn = SOCIAL_KINDS.map((kind) => new RegExp(`<a [^>]*aria-label="${kind}"[^>]*>(<svg.*?</svg>)</a>`).exec(text)![1]!);
    expect([SOCIAL_KINDS.length, new Set(drawn).size]).toEqual([11, 11]);
    expect(drawn[SOCIAL_KINDS.indexOf('custom')]).toContain('tabler-icon-link"');
    expect(drawn[SOCIAL_KINDS.indexOf('github')]).toContain('tabler-icon-brand-github');
  });

  it.each(DESIGN_KEYS)('account §3, §9: the design %s is on both pages: its gradient, letters, font and style', async (designKey) => {
    const id = await add({ ...lander(), designKey, design_color_hash: '#2255aa' });
    const design = designOf(designKey, '#2255aa');
    for (const what of ['card', 'lander']) {
      const { text } = await get(`/drawcard/${what}/${id}`);
      expect(text).toContain(
        `:root { --gradient: ${gradientOf(design)}; --ink: ${inkOf(design)}; --first: ${design.colors[0]}; --font: ${design.font}; }`,
      );
      expect(text).toContain(`<body class="style-${design.style}">`);
      expect(text).toContain(`<meta name="theme-color" content="${design.colors[0]}">`);
    }
  });

  it('account §5: the form asks for each field as its type and its rules say, and hides a trap for programs', async () => {
    const field = (fieldName: string, type: string, more = {}) =>
      owner.post('/api/v1/common/post-add-data', {
        ...{
          model: 'field',
          verticalId: world.verticalId,
          fieldHumanName: fieldName,
          type,
          privacyClass: 'P0',
          required: false,
          fieldName,
        },
        ...more,
      });
    await field('nickname', 'string', { minChar: 2, maxChar: 9 });
    for (const [name, type] of [
      ['site', 'url'],
      ['sum', 'number'],
      ['day', 'date'],
    ] as const)
      await field(name, type);
    const id = await add({ ...lander(), landerFields: [...FIELDS, 'nickname', 'site', 'sum', 'day'] });
    const { fields } = (await get(`/api/v1/drawcard/get-lander/${id}`)).json.data.verticalInfo;
    expect(fields.find(({ fieldName }: { fieldName: string }) => fieldName === 'nickname')).toMatchObject({ minChar: 2, maxChar: 9 });
    const { text } = await get(`/drawcard/lander/${id}`);
    const input = (name: string) => new RegExp(`<(?:input|select) id="field-${name}"[^>]*>`).exec(text)![0].replaceAll(/\s+/g, ' ');
    const told = (name: string, rest: string, isRequired = false) =>
      `id="field-${name}" name="field-${name}"${isRequired ? ' required' : ''} aria-describedby="field-${name}-problem"${rest}>`;
    expect(input('nickname').replace(' >', '>')).toBe(`<input ${told('nickname', ' type="text" minlength="2" maxlength="9"')}`);
    expect(input('email')).toMatch(/ required aria-describedby="field-email-problem" type="email" autocomplete="email" inputmode="email"/);
    expect(input('email')).toContain('maxlength="254"');
    expect(input('phone')).toContain('type="tel" autocomplete="tel" inputmode="numeric"');
    expect(input('phone')).not.toContain('required');
    expect(input('site')).toContain('type="url" inputmode="url" placeholder="https://"');
    expect(input('sum')).toContain('type="text" inputmode="numeric"');
    expect(input('day')).toContain('type="date"');
    expect(input('state')).toMatch(/^<select /);
    expect(text).toMatch(
      /<p class="trap" aria-hidden="true"><label>[^<]+<input id="field-dc_website" name="dc_website" tabindex="-1" autocomplete="off">/,
    );
  });

  it('a code to scan that leads to the card, a way to write with every sign, a head that says whom one writes to', async () => {
    const id = await add({ ...lander(), company: 'Harbour', email: 'grace+cards@harbour.example' });
    const { text } = await get(`/drawcard/card/${id}`);
    const canonical = /<link rel="canonical" href="([^"]+)">/.exec(text)![1]!;
    expect(new URL(canonical)).toMatchObject({ hostname: `${world.subDomain}.localhost`, pathname: `/drawcard/card/${id}`, search: '' });
    expect(text).toContain(renderSVG(canonical, { border: 2 }));
    expect(text).toContain('href="mailto:grace%2Bcards@harbour.example"');
    const page = (await get(`/drawcard/lander/${id}`)).text;
    expect(page).toContain('<title>Contact Harbour</title>');
    expect(page).toContain('<meta name="description" content="Write to Harbour">');
    expect(page).toContain('<meta property="og:title" content="Contact Harbour">');
  });

  it('can be put on a home screen with a picture or without: an icon that is drawn at any size, and the picture as what it is', async () => {
    const id = await add();
    const mark = { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' };
    const manifest = async () => (await call('GET', `/drawcard/card/${id}/app.webmanifest`)).text;
    expect(JSON.parse(await manifest())).toMatchObject({ name: 'Grace Hopper', short_name: 'Grace Hopper', icons: [mark] });
    expect((await get(`/drawcard/card/${id}`)).text).not.toContain('apple-touch-icon');
    await owner.post(`/api/console/cards/${id}/picture`, PNG, { headers: { 'content-type': 'image/png' } });
    const own = new URL((await get(`/api/v1/drawcard/card/1/${id}`)).json.data.avatar);
    const src = own.pathname + own.search;
    expect(JSON.parse(await manifest()).icons).toEqual([mark, { src, sizes: '1x1', type: 'image/png', purpose: 'any' }]);
    expect((await get(`/drawcard/card/${id}`)).text).toContain(`<link rel="apple-touch-icon" href="${src}">`);
  });

  it('a description is made safe once more when it is shown, and the picture of a disabled organization is not', async () => {
    const id = await add(lander());
    await owner.post(`/api/console/cards/${id}/picture`, PNG, { headers: { 'content-type': 'image/png' } });
    await node.pool.query(`update card set lander_description = '<p onclick="x()">Old</p><script>bad()</script>' where id = $1`, [id]);
    expect((await get(`/api/v1/drawcard/get-lander/${id}`)).json.data.serviceProviderInfo.description).toBe('<p>Old</p>');
    const { text } = await get(`/drawcard/lander/${id}`);
    expect([text.includes('<p>Old</p>'), text.includes('bad()'), text.includes('onclick')]).toEqual([true, false, false]);
    expect((await get(`/drawcard/card/${id}/picture`)).statusCode).toBe(200);
    await node.pool.query(`update organization set status = 'suspended' where id = $1`, [world.organizationId]);
    await node.planBook.reload(world.organizationId);
    expect((await get(`/drawcard/card/${id}/picture`)).statusCode).toBe(404);
  });

  it.each([
    ['publisher_tier', 'paused'],
    ['publisher_tier', 'archived'],
    ['publisher', 'paused'],
    ['campaign', 'paused'],
  ])('account §4: a lander whose %s is %s takes no requests', async (table, status) => {
    const id = await add(lander());
    const of = { publisher_tier: world.publisherTierId, publisher: world.publisherId, campaign: world.campaignId }[table];
    await node.pool.query(`update ${table} set status = $2 where id = $1`, [of, status]);
    await node.planBook.reload(world.organizationId);
    expect((await get(`/api/v1/drawcard/get-lander/${id}`)).json.data.isOpen).toBe(false);
    expect((await submit(submission(id))).json.code).toBe('lander_closed');
    expect(await countLeads()).toBe(0);
  });
});
