/** account §1-§9: public business cards and their landers, whose submissions are leads like any other. */

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CARD_DESIGNS, contrastOf, DESIGN_KEYS, designOf, gradientOf } from '#contract/card-design.ts';
import { keepTyped, landerProblem, readTyped } from '#contract/lander-check.ts';
import type { LeadView } from '#contract/lead.ts';
import { sanitise } from '#server/card/sanitise.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: Visitor;
let answer = ACCEPT;

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const FIELDS = ['first_name', 'email', 'phone', 'state', 'zip', 'monthly_income'];

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => answer);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});
beforeEach(async () => {
  answer = ACCEPT;
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }], publisher: { kind: 'lander' } });
  await node.planBook.reload(world.organizationId);
  const { email, password } = await buildUser(node.db, world.organizationId);
  owner = visit(node, { host: '127.0.0.1' });
  expect((await owner.post('/team-login', { email, password })).statusCode).toBe(200);
});

const PERSON = {
  ...{ name: 'Grace Hopper', title: 'Rear Admiral', company: 'Harbour <Bank>', email: 'grace@harbour.example', phone: '+1 212 555 0123' },
  ...{ website: 'harbour.example', additional_information: 'Calls back <b>today</b>.' },
};
const lander = () => ({
  hasLander: true,
  publisherTierId: world.publisherTierId,
  landerDescription: '<h2>A loan?</h2><p onclick="x()">Ask <a href="javascript:alert(1)">us</a>.</p><script>bad()</script>',
  landerFields: FIELDS,
});

const tryAdd = (data: Record<string, unknown> = {}) =>
  owner.post('/api/v1/common/post-add-data', { model: 'card', verticalId: world.verticalId, ...PERSON, ...data });
async function add(data: Record<string, unknown> = {}): Promise<string> {
  const { statusCode, json } = await tryAdd(data);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const edit = (_id: string, data: Record<string, unknown>) => owner.post('/api/v1/common/post-edit-data', { model: 'card', _id, ...data });
const readCard = async (_id: string) => (await owner.post('/api/v1/common/single-data', { model: 'card', condition: { _id } })).json.data;

const get = (path: string, headers: Record<string, string> = {}) => fetch(`${node.url}${path}`, { headers });
const json = async (path: string) => {
  const response = await get(path);
  return { statusCode: response.status, json: await response.json() };
};
const submission = (id: string, more: Record<string, unknown> = {}) => ({
  ...{ dc_status: 1, dc_rolodex_id: id, rolodexId: id },
  ...{ ...LEAD, email: ' Ada@Example.com ' },
  ...more,
});
const submit = async (body: unknown) => {
  const response = await fetch(`${node.url}/api/v1/drawcard/submit-lander`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': 'Phone' },
    body: JSON.stringify(body),
  });
  return { statusCode: response.status, json: await response.json() };
};

describe('account §7: GET /api/v1/drawcard/card/1/{id}', () => {
  it('account §3: tells the card with the fields of the specification, the website with its scheme', async () => {
    const socialMedia = [
      { kind: 'linkedin', url: 'linkedin.com/in/grace', label: '' },
      { kind: 'email', url: 'grace@harbour.example', label: 'Write' },
    ];
    const id = await add({ socialMedia, designKey: 'custom', design_color_hash: '#AA3300' });
    expect(await json(`/api/v1/drawcard/card/1/${id}`)).toEqual({
      statusCode: 200,
      json: {
        status: true,
        data: {
          ...PERSON,
          ...{ avatar: '', website: 'https://harbour.example', designKey: 'custom', design_color_hash: '#aa3300', hasLander: false },
          socialMedia: [{ ...socialMedia[0], url: 'https://linkedin.com/in/grace' }, socialMedia[1]],
        },
      },
    });
  });

  it('account §4: a card that is paused, archived, of a disabled organization, or none at all is not found', async () => {
    const id = await add();
    const look = async () => (await json(`/api/v1/drawcard/card/1/${id}`)).statusCode;
    expect(await look()).toBe(200);
    await edit(id, { status: 'paused' });
    expect(await look()).toBe(404);
    expect((await get(`/drawcard/card/${id}`)).status).toBe(404);
    await edit(id, { status: 'active' });
    await node.pool.query(`update organization set status = 'suspended' where id = $1`, [world.organizationId]);
    await node.planBook.reload(world.organizationId);
    expect(await look()).toBe(404);
    for (const wrong of ['1', 'x'.repeat(50), world.organizationId])
      expect(await json(`/api/v1/drawcard/card/1/${wrong}`)).toMatchObject({
        statusCode: 404,
        json: { status: false, code: 'card_unknown' },
      });
  });

  it.each([
    ['socialMedia', [{ kind: 'linkedin', url: 'javascript:alert(1)' }]],
    ['socialMedia', [{ kind: 'custom', url: 'data:text/html,x' }]],
    ['socialMedia', [{ kind: 'email', url: 'a@b.c?cc="x"@y.z <i>' }]],
    ['socialMedia', [{ kind: 'nothing', url: 'https://a.example' }]],
    ['website', 'javascript:alert(1)'],
    ['name', 'x'.repeat(10_000)],
    ['name', 'Two\nlines'],
    ['designKey', 'pretty'],
    ['design_color_hash', 'red;}body{'],
    ['email', 'nobody'],
    ['phone', 'call me'],
    ['publisherTierId', 'x'],
  ])('console §5: a wrong %s is refused in words: %j', async (field, value) => {
    const { statusCode, json: told } = await tryAdd({ [field]: value });
    expect([statusCode, JSON.stringify(told.errors)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('of another organization is neither changed nor given a picture', async () => {
    const id = await add();
    const other = await buildWorld(node.db);
    const { email, password } = await buildUser(node.db, other.organizationId);
    const stranger = visit(node, { host: '127.0.0.1' });
    await stranger.post('/team-login', { email, password });
    expect((await stranger.post('/api/v1/common/post-edit-data', { model: 'card', _id: id, name: 'Mine' })).statusCode).toBe(404);
    expect((await stranger.post(`/api/console/cards/${id}/picture/remove`, {})).statusCode).toBe(404);
  });
});

describe('account §2: the page of a card', () => {
  it('stands whole without a script, escaped, with a head for link previews', async () => {
    const id = await add({ socialMedia: [{ kind: 'github', url: 'github.com/grace', label: '' }], ...lander() });
    const response = await get(`/drawcard/card/${id}`);
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    const text = await response.text();
    expect(text).toContain('<title>Grace Hopper – Rear Admiral, Harbour &lt;Bank&gt;</title>');
    expect(text).toContain('<meta property="og:title" content="Grace Hopper – Rear Admiral, Harbour &lt;Bank&gt;">');
    expect(text).toContain('href="tel:+12125550123"');
    expect(text).toContain('href="mailto:grace@harbour.example"');
    expect(text).toContain('Calls back &lt;b&gt;today&lt;/b&gt;.');
    expect(text).toMatch(/aria-label="GitHub"[^>]*><svg/);
    expect(text).toContain(`/drawcard/lander/${id}">Get in touch`);
    expect(text).not.toContain('<b>today');
  });

  it('account §9: every design has its gradient at 135 degrees and letters that everybody can read', () => {
    for (const key of DESIGN_KEYS) {
      const design = designOf(key, '#2255aa');
      expect(gradientOf(design)).toMatch(/^linear-gradient\(135deg, #[0-9a-f]{6}, #[0-9a-f]{6}\)$/);
      expect([key, contrastOf(design) >= 4.5]).toEqual([key, true]);
    }
    expect(Object.values(CARD_DESIGNS).map(({ name }) => name)).toEqual(['Professional', 'Modern', 'Elegant', 'Vibrant', 'Natural']);
    expect(new Set(Object.values(CARD_DESIGNS).map(({ style, font }) => style + font)).size).toBe(5);
  });

  it('is a file for an address book, and can be put on a home screen', async () => {
    const id = await add({ additional_information: `One; two, three\n${'long '.repeat(40)}` });
    const file = await (await get(`/drawcard/card/${id}/contact.vcf`)).text();
    expect(file).toContain('BEGIN:VCARD\r\nVERSION:3.0\r\nN:Hopper;Grace;;;\r\nFN:Grace Hopper\r\n');
    expect(file).toContain('NOTE:One\\; two\\, three\\n');
    for (const line of file.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(await json(`/drawcard/card/${id}/app.webmanifest`)).toMatchObject({
      statusCode: 200,
      json: { name: 'Grace Hopper', start_url: `/drawcard/card/${id}` },
    });
  });

  it('shows the picture that was put up, and nothing that is none', async () => {
    const id = await add();
    const put = (bytes: Buffer, type: string) =>
      owner.post(`/api/console/cards/${id}/picture`, bytes, { headers: { 'content-type': type } });
    expect((await put(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/png')).statusCode).toBe(415);
    expect((await put(PNG, 'image/png')).statusCode).toBe(200);
    const { json: told } = await json(`/api/v1/drawcard/card/1/${id}`);
    const picture = await fetch(told.data.avatar.replace(/^https?:\/\/[^/]+/, node.url));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(Buffer.from(await picture.arrayBuffer()).equals(PNG)).toBe(true);
    // A small one stands in the page itself, one of the full size beside it.
    const shown = async () => /class="avatar" src="([^"]+)"/.exec(await (await get(`/drawcard/card/${id}`)).text())![1];
    expect(await shown()).toBe(`data:image/png;base64,${PNG.toString('base64')}`);
    await node.pool.query('update card set avatar = avatar || $2 where id = $1', [id, Buffer.alloc(64 * 1024)]);
    expect(await shown()).toMatch(new RegExp(`^/drawcard/card/${id}/picture\\?at=\\d+$`));
    expect(await (await get(`/drawcard/card/${id}`)).text()).toContain('property="og:image"');
    expect((await owner.post(`/api/console/cards/${id}/picture/remove`, {})).statusCode).toBe(200);
    expect((await get(`/drawcard/card/${id}/picture`)).status).toBe(404);
  });
});

describe('account §7: GET /api/v1/drawcard/get-lander/{rolodexId}', () => {
  it('account §3: tells the description as safe HTML and the fields as a form takes them', async () => {
    const id = await add(lander());
    const { json: told } = await json(`/api/v1/drawcard/get-lander/${id}`);
    expect(told.data.serviceProviderInfo.description).toBe('<h2>A loan?</h2><p>Ask <a rel="noopener nofollow" target="_blank">us</a>.</p>');
    expect(told.data.isOpen).toBe(true);
    const fields = told.data.verticalInfo.fields as Record<string, unknown>[];
    expect(fields.map(({ fieldName, type }) => [fieldName, type])).toEqual([
      ['first_name', 'string'],
      ['email', 'email'],
      ['phone', 'phone'],
      ['state', 'state'],
      ['zip', 'string'],
      ['monthly_income', 'integer'],
    ]);
    expect(Object.keys(fields[0]!)).toEqual(expect.arrayContaining(['fieldName', 'fieldHumanName', 'type', 'minChar', 'maxChar']));
  });

  it('is not there without a lander; closed while its campaign is paused', async () => {
    const bare = await add();
    expect((await json(`/api/v1/drawcard/get-lander/${bare}`)).statusCode).toBe(404);
    expect((await get(`/drawcard/lander/${bare}`)).status).toBe(404);
    const id = await add(lander());
    await owner.post('/api/v1/common/post-edit-data', { model: 'campaign', _id: world.campaignId, status: 'paused' });
    await node.planBook.reload(world.organizationId);
    expect((await json(`/api/v1/drawcard/get-lander/${id}`)).json.data.isOpen).toBe(false);
    const text = await (await get(`/drawcard/lander/${id}`)).text();
    expect(text).toContain('takes no requests at the moment');
    expect(text).not.toContain('<form');
    expect(await submit(submission(id))).toMatchObject({ statusCode: 409, json: { code: 'lander_closed' } });
  });

  it.each([
    ['without a tier', { publisherTierId: null }, 'publisherTierId'],
    ['without words', { landerDescription: '<p> &nbsp;</p><script>x</script>' }, 'landerDescription'],
    ['without a field that every lead needs', { landerFields: ['first_name'] }, 'landerFields'],
    ['with a field that is none', { landerFields: [...FIELDS, 'shoe_size'] }, 'landerFields'],
  ])('%s is refused when it is saved', async (_name, change, field) => {
    const { statusCode, json: told } = await tryAdd({ ...lander(), ...change });
    expect([statusCode, told.errors[0].field]).toEqual([400, field]);
  });

  it.each([
    ['<img src=x onerror=alert(1)>', ''],
    ['<svg><script>alert(1)</script></svg>', ''],
    ['<style>p{}</style><p style="x">a</p>', '<p>a</p>'],
    ['<iframe src="https://a"></iframe>', ''],
    ['<a href="data:text/html,x">a</a>', '<a rel="noopener nofollow" target="_blank">a</a>'],
    ['<a href="//evil.example">a</a>', '<a rel="noopener nofollow" target="_blank">a</a>'],
    ['<a href="JaVaScRiPt:alert(1)">a</a>', '<a rel="noopener nofollow" target="_blank">a</a>'],
    ['<form action="/x"><input name=a></form>', ''],
    [
      '<p><b>fine</b> <a href="https://a.example">a</a></p>',
      '<p><b>fine</b> <a href="https://a.example" rel="noopener nofollow" target="_blank">a</a></p>',
    ],
    ['<<script>script>alert(1)<</script>/script>', expect.not.stringMatching(/<\s*script/i)],
  ])('a description is made safe: %s', (written, safe) => {
    expect(sanitise(written)).toEqual(safe);
  });
});

describe('account §7: POST /api/v1/drawcard/submit-lander', () => {
  it('makes a lead of its publisher tier that is sold and explained, with consent and source as proof', async () => {
    const id = await add({ ...lander(), consentText: 'You may call me about loans.' });
    const before = buyer.calls.length;
    const source = { utm_source: 'spring', gclid: 'abc' };
    const { statusCode, json: told } = await submit(submission(id, { dc_consent: true, dc_source: source }));
    expect([statusCode, told.status]).toEqual([200, true]);
    expect(buyer.calls.length).toBe(before + 1);
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    expect(rows).toHaveLength(1);
    const lead = (await owner.get(`/api/console/leads/${rows[0].id}`)).json.lead as LeadView;
    expect([lead.status, lead.fields.find(({ fieldName }) => fieldName === 'state')?.value]).toEqual(['sold', 'NY']);
    expect(lead.inbound).toMatchObject({ method: 'POST', path: '/api/v1/drawcard/submit-lander', ip: '127.0.0.1' });
    // Kept as it was said; shown masked, like all that somebody sent.
    expect(JSON.parse(lead.inbound!.body)).toMatchObject({
      dc_consent: { text: 'Y•••', agreedAt: '2•••' },
      dc_source: { utm_source: 's•••', gclid: 'a•••' },
      dc_user_agent: 'P•••',
    });
    await expect.poll(async () => readCard(id)).toMatchObject({ submissions: 1, sold: 1 });
  });

  it('account §4: a lead that nobody buys is taken all the same', async () => {
    answer = REJECT;
    const id = await add(lander());
    expect(await submit(submission(id))).toMatchObject({ statusCode: 200, json: { status: true } });
    await expect.poll(async () => readCard(id)).toMatchObject({ submissions: 1, sold: 0 });
  });

  it('sent twice, at once or later, is one lead', async () => {
    const id = await add(lander());
    const body = submission(id, { dc_submission: 'one' });
    const both = await Promise.all([submit(body), submit(body)]);
    expect([...both, await submit(body)].map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const { rows } = await node.pool.query('select count(*)::int as n from lead where organization_id = $1', [world.organizationId]);
    expect(rows[0].n).toBe(1);
    await expect.poll(async () => readCard(id)).toMatchObject({ submissions: 1 });
  });

  it('account §5: says of every field what is wrong with it, and makes no lead', async () => {
    const id = await add({ ...lander(), consentText: 'Yes?' });
    const { statusCode, json: told } = await submit(
      submission(id, { first_name: '', email: 'nobody', phone: '12', state: 'ZZ', monthly_income: 'much' }),
    );
    expect([statusCode, told.code]).toEqual([400, 'lander_invalid']);
    expect(Object.fromEntries((told.errors as { field: string; message: string }[]).map((one) => [one.field, one.message]))).toMatchObject({
      email: 'Please enter a valid email address (e.g., name@example.com)',
      phone: 'Please enter a valid phone number (10-15 digits, numbers only)',
      monthly_income: 'Please enter numbers only',
      state: expect.stringMatching(/^Please enter a valid /),
      dc_consent: expect.any(String),
    });
    expect((await node.pool.query('select from lead where organization_id = $1', [world.organizationId])).rowCount).toBe(0);
  });

  it.each([
    ['the status is not 1', { dc_status: 2 }, 400],
    ['the ids differ', { dc_rolodex_id: 'other' }, 400],
    ['a value is no text', { first_name: { $ne: '' } }, 400],
    ['a name is a prototype', JSON.parse('{"__proto__": {"isAdmin": true}}'), 400],
  ])('when %s', async (_name, more, code) => {
    const id = await add(lander());
    expect((await submit({ ...submission(id), ...more })).statusCode).toBe(code);
  });

  it('a program that fills in the trap is thanked, and makes no lead', async () => {
    const id = await add(lander());
    expect((await submit(submission(id, { dc_website: 'https://spam.example' }))).statusCode).toBe(200);
    expect((await node.pool.query('select from lead where organization_id = $1', [world.organizationId])).rowCount).toBe(0);
  });

  it('a field that the lander does not show is not taken', async () => {
    const id = await add({ ...lander(), landerFields: FIELDS.filter((name) => name !== 'monthly_income') });
    await submit(submission(id, { monthly_income: '99999', note: 'x' }));
    const { rows } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
    const lead = (await owner.get(`/api/console/leads/${rows[0].id}`)).json.lead as LeadView;
    const names = lead.fields.map(({ fieldName }) => fieldName);
    expect([names.includes('zip'), names.includes('monthly_income'), names.includes('note')]).toEqual([true, false, false]);
  });

  it('more than a person sends are refused for a while', async () => {
    await insideOneMinute();
    const id = await add(lander());
    const codes: number[] = [];
    for (let n = 0; n < 14; n++) codes.push((await submit(submission(id, { dc_website: 'x' }))).statusCode);
    expect(codes.at(-1)).toBe(429);
  });
});

describe('account §5: what a lander says', () => {
  const field = (type: string, more = {}) =>
    ({ fieldName: 'x', fieldHumanName: 'Thing', type, required: true, minChar: null, maxChar: null, options: [], ...more }) as never;
  it.each([
    [field('string'), ' ', 'Thing is required'],
    [field('string', { minChar: 3 }), 'ab', 'Thing must be at least 3 characters'],
    [field('string', { maxChar: 3 }), 'abcd', 'Thing must not exceed 3 characters'],
    [field('string', { required: false }), '', undefined],
    [field('email'), 'a@b', 'Please enter a valid email address (e.g., name@example.com)'],
    [field('email'), ' A@B.example ', undefined],
    [field('phone'), '123456789', 'Please enter a valid phone number (10-15 digits, numbers only)'],
    [field('phone'), '1234567890123456', 'Please enter a valid phone number (10-15 digits, numbers only)'],
    [field('phone'), '2125550123', undefined],
    [field('url'), 'example', 'Please enter a valid URL (e.g., https://example.com)'],
    [field('url'), 'https://example.com/a', undefined],
    [field('number'), '1.5', 'Please enter numbers only'],
    [field('integer'), '15', undefined],
    [field('choice', { options: [{ value: 'a', label: 'A' }] }), 'b', 'Please enter a valid Thing'],
  ])('%j of %j: %s', (of, typed, says) => {
    expect(landerProblem(of, typed)).toBe(says);
  });

  it.each([
    ['(212) 555-0123', '2125550123'],
    ['+1 212 555 0123 (evenings)', '12125550123'],
    // None is cut off: that there are too many is told.
    ['1234567890123456', '1234567890123456'],
    // An extension is none of the number's digits.
    ['(212) 555-0123 x45', '2125550123'],
    ['212.555.0123 ext. 9', '2125550123'],
    ['212 555 0123 #9', '2125550123'],
    ['#212 555 0123', '2125550123'],
    ['21x', '21'],
  ])('account §5: of the phone %j the digits %s remain', (typed, kept) => {
    expect(keepTyped('phone', typed)).toBe(kept);
  });

  it('account §5: an e-mail is trimmed and in small letters when it is sent; nothing else is changed', () => {
    expect([readTyped('email', ' Ada@Example.COM '), readTyped('string', ' Ada L '), keepTyped('number', '12.50')]).toEqual([
      'ada@example.com',
      'Ada L',
      '12.50',
    ]);
  });
});

it('the script of the public pages is small', () => {
  const script = readFileSync(new URL('../../dist/web/drawcard.js', import.meta.url));
  expect(gzipSync(script).length).toBeLessThan(60 * 1024);
});
