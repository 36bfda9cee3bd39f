/** A lead can be read by who works on it; the person behind it cannot: not in what came in, what went out, nor in what buyers said. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EndpointConfig, LegConfig } from '#contract/endpoint.ts';
import type { LeadsAnswer, LeadView } from '#contract/lead.ts';
import { newId } from '#server/kit/ids.ts';
import { type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const PLACE = 'region=us&vertical=payday';

const POSTED = {
  first_name: 'Zébulon',
  last_name: "O'Quillfeather",
  email: 'Mixed.CASE+tag@Example.COM',
  phone: '+1 614.555.0177',
  date_of_birth: '03/07/1985',
  ssn: '219-09-9994',
  state: 'ny',
  zip: '43215',
  monthly_income: '3200',
};
const UNKNOWN = {
  nick_name: 'Wumpelstilz',
  account: { iban: 'GB33BUKB20201555555555', holders: ['Perpetua Marmaduke', { tel: '(740) 555-0188' }] },
};
/** Whatever is left of them when case, accents, escapes and separators are gone; last four digits and domains may show. */
const CANARIES = [
  ...['zebulon', 'quillfeather', 'mixedcase', '614555', '19850307', '03071985', '371985', '21909', 'wumpelstilz'],
  ...['gb33', 'bukb', 'perpetua', 'marmaduke', '740555', 'march71985', 'mar71985', '07mar1985', '030785'],
];

/** Every way to read the text: as it is, and with each escape undone. */
function readings(text: string): string[] {
  const percent = (one: string) => one.replace(/(%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'));
  const references = (one: string) =>
    one
      .replace(/&#x([0-9a-f]+);/gi, (_, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
      .replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('&apos;', "'")
      .replaceAll('&amp;', '&');
  const json = (one: string) => one.replace(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  const once = percent(references(json(text)));
  return [text, once, percent(references(json(once)))];
}

/** Ids, instants and measured times are ours, and any digits may stand in them. */
const OURS = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z|(?<=Ms":)[\d.e-]+/g;

function found(text: string): string[] {
  return readings(text.replace(OURS, ' ')).flatMap((one) => {
    const bare = one
      .normalize('NFKD')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
    return CANARIES.filter((canary) => bare.includes(canary));
  });
}

const field = (name: string) => ({ to: name, from: { kind: 'field', field: name } }) as const;
const ROWS = ['first_name', 'last_name', 'email', 'phone', 'date_of_birth', 'ssn', 'state', 'zip'].map(field);

function leg(url: string, more: Partial<LegConfig>): EndpointConfig {
  const { post } = jsonEndpoint(url, 'post');
  return { post: { ...post, ...more } };
}

const upper = [{ kind: 'case', to: 'upper' }, { kind: 'ascii' }] as const;
const ENDPOINTS: ((url: string) => EndpointConfig)[] = [
  (url) => leg(url, { body: { format: 'json', mapping: ROWS } }),
  (url) =>
    leg(url, {
      url: `${url}/post/{{last_name}}?mail={{email}}`,
      headers: { 'x-caller': '{{phone}}' },
      body: {
        format: 'form',
        mapping: [
          { ...field('first_name'), format: [...upper] },
          { ...field('last_name'), format: [...upper] },
          { ...field('email'), format: [...upper] },
          { ...field('phone'), format: [{ kind: 'phone', pattern: '(###) ###-####' }] },
          { to: 'area', from: { kind: 'field', field: 'phone' }, format: [{ kind: 'slice', from: 2, length: 3 }] },
          { to: 'exchange', from: { kind: 'field', field: 'phone' }, format: [{ kind: 'slice', from: 5, length: 3 }] },
          { ...field('date_of_birth'), format: [{ kind: 'date', pattern: 'MMMM D, YYYY' }] },
          field('state'),
        ],
      },
    }),
  (url) =>
    leg(url, {
      body: {
        format: 'xml',
        root: 'lead',
        mapping: [...ROWS, { to: 'short', from: { kind: 'field', field: 'date_of_birth' }, format: [{ kind: 'date', pattern: 'M/D/YY' }] }],
      },
    }),
  (url) => leg(url, { body: { format: 'json', mapping: ROWS, wrap: { parameter: 'document' } } }),
];

const says = (reason: string, more: object = {}): ScriptedAnswer => ({ body: JSON.stringify({ result: 'rejected', reason, ...more }) });
const ECHOES: ScriptedAnswer[] = [
  says('ZEBULON O’QUILLFEATHER, born 7-MAR-1985, is known as MIXED.CASE+TAG@EXAMPLE.COM', {
    echo: { dob: '19850307', tel: [16145550177, '614-555-0177'], tax: '219 09 9994' },
    pair: 'email=mixed.case%2btag%40example.com&phone=%2B1+614+555+0177&n=O%27QUILLFEATHER',
    soap: '<p><n>Z&#233;bulon</n><m>mixed.case&#43;tag&#64;example.com</m></p>',
  }),
  {
    headers: { 'x-person': 'O%27Quillfeather', 'set-cookie': 'who=mixed.case%2Btag%40example.com', 'x-tel': '(614)555-0177' },
    body: JSON.stringify({ result: 'rejected', reason: 'Caller (614) 555.0177 opted out on 03/07/1985' }).replaceAll('/', '\\/'),
  },
  {
    headers: { 'content-type': 'text/html' },
    body: '<html><!-- mixed.case+tag@example.com --><a title="O&#39;QUILLFEATHER">Z&#xC9;BULON, (614) - 555 - 0177, 3/7/1985 <b>219.09.9994',
  },
  {
    headers: { location: 'https://buyer.example/?p=6145550177' },
    body: JSON.stringify({
      result: 'accepted',
      price: '20.00',
      id: 'MIXED.CASE+TAG@EXAMPLE.COM',
      redirect: 'https://buyer.example/go/Z%c3%a9bulon?m=mixed.case%252Btag%2540example.com&d=1985-03-07&t=1-614-555-0177&s=NY',
    }),
  },
];

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyers: ScriptedBuyer[];
let world: World;
let owner: string;

async function getText(path: string): Promise<string> {
  return (await fetch(node.url + path, { headers: { cookie: owner } })).text();
}

async function post(body: unknown, headers: Record<string, string> = {}): Promise<string> {
  const answer = await node.post('/api/v1/leads', body, { authorization: `Bearer ${world.key}`, ...headers });
  return answer.json.leadId;
}

async function page(leadId: string): Promise<{ text: string; lead: LeadView }> {
  const text = await getText(`/api/console/leads/${leadId}`);
  return { text, lead: (JSON.parse(text) as { lead: LeadView }).lead };
}

beforeAll(async () => {
  node = await startTestWorld();
  buyers = await Promise.all(ECHOES.map((echo) => startBuyer(() => echo)));
  const tiers = buyers.map((buyer, at) => ({ url: buyer.url, buyer: `Buyer ${at}`, endpoint: ENDPOINTS[at]!(buyer.url) }));
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers }] });
  const more = [
    ['last_name', 'string', 'P2'],
    ['date_of_birth', 'date', 'P3'],
    ['ssn', 'string', 'P3'],
  ] as const;
  const rows = more.map(([name, type, privacy], at) => ({
    ...{ organization_id: world.organizationId, id: newId(), vertical_id: world.verticalId, position: 20 + at, field_name: name },
    ...{ field_human_name: name, type, privacy_class: privacy, required: false, in_ping: false, searchable: false },
  }));
  await node.db.insertInto('field').values(rows).execute();
  await node.planBook.reload(world.organizationId);
  const user = await buildUser(node.db, world.organizationId);
  const answer = await node.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  owner = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
});
afterAll(async () => {
  await node.stop();
  await Promise.all(buyers.map((buyer) => buyer.close()));
});

describe('the lead page', () => {
  let text: string;
  let lead: LeadView;
  beforeAll(async () => ({ text, lead } = await page(await post({ ...POSTED, ...UNKNOWN }))));

  it('the test sees what is not masked: the buyers were sent it, and the canaries are found there', () => {
    expect(lead.attemptList.map((attempt) => attempt.outcome)).toEqual(['rejected', 'rejected', 'terrors', 'sold']);
    const sent = buyers.map((buyer) => JSON.stringify(buyer.calls[0])).join();
    for (const canary of ['zebulon', 'quillfeather', 'mixedcase', '614555', '19850307', '21909', 'march71985'])
      expect(found(sent)).toContain(canary);
    expect(found(JSON.stringify({ ...POSTED, ...UNKNOWN }))).toEqual(expect.arrayContaining(['wumpelstilz', 'perpetua', '740555', 'bukb']));
  });

  it('holds nothing of the person, in no spelling', () => {
    expect(found(text)).toEqual([]);
  });

  it('still tells what was sent and said', () => {
    const [json, form, xml, wrapped] = lead.attemptList.map((attempt) => attempt.wire!);
    expect(JSON.parse(json!.requestBody)).toMatchObject({ state: 'NY', zip: '43215', phone: '•••0177', email: 'm•••@example.com' });
    expect(new URLSearchParams(form!.requestBody).get('state')).toBe('NY');
    expect(form!.url).toMatch(/\/post\/O•••\?mail=m•••@example\.com$/);
    expect([form!.requestHeaders['x-caller'], form!.responseHeaders['x-tel']]).toEqual(['•••0177', '(•••0177']);
    expect(Object.fromEntries(new URLSearchParams(form!.requestBody))).toMatchObject({
      area: '•••',
      exchange: '•••',
      date_of_birth: '•••',
    });
    expect(xml!.requestBody).toContain('<state>NY</state>');
    expect(JSON.parse(new URLSearchParams(wrapped!.requestBody).get('document')!)).toMatchObject({ state: 'NY', ssn: '•••9994' });
    expect(JSON.parse(json!.responseBody)).toMatchObject({ result: 'rejected', echo: { dob: '•••', tel: ['•••0177', '•••0177'] } });
    expect(lead.attemptList[0]!.reasons[0]).toBe('Z••• O•••, born •••, is known as m•••@example.com');
    expect(lead.verdicts[1]!.text).toBe('The buyer declined: Caller (•••0177 opted out on •••.');
    expect(lead.redirectUrl).toBe('https://buyer.example/go/Z•••?m=m•••@example.com&d=•••&t=•••0177&s=NY');
  });

  it('shows the publisher’s body field by field, known and unknown', () => {
    expect(JSON.parse(lead.inbound!.body)).toEqual({
      ...{ first_name: 'Z•••', last_name: 'O•••', email: 'M•••@Example.COM', phone: '•••0177', date_of_birth: '•••', ssn: '•••9994' },
      ...{ state: 'ny', zip: '43215', monthly_income: '3200', nick_name: 'W•••' },
      account: { iban: 'G•••', holders: ['P•••', { tel: '7•••' }] },
    });
    expect(lead.fields.find((one) => one.fieldName === 'account')).toMatchObject({ value: 'an object with 3 values', masked: true });
  });
});

describe('bodies of every format', () => {
  const xml = (entries: [string, string][]) =>
    `<?xml version="1.0"?><lead>${entries.map(([name, value]) => `<${name}>${value.replaceAll("'", '&apos;')}</${name}>`).join('')}${'<account><holder>Perpetua MARMADUKE</holder><holder>(740) 555 0188</holder></account>'}</lead>`;
  const shouted = Object.fromEntries(Object.entries(POSTED).map(([name, value]) => [name, value.toUpperCase()]));
  const bodies: [string, string, string][] = [
    ['JSON, upper case', 'application/json', JSON.stringify({ ...shouted, ...UNKNOWN })],
    [
      'JSON, escaped',
      'application/json',
      JSON.stringify({ ...POSTED, ...UNKNOWN }).replace(/[@'é]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
    ],
    [
      'form',
      'application/x-www-form-urlencoded',
      new URLSearchParams({ ...POSTED, 'account[holder]': 'Perpetua Marmaduke', tel2: '740.555.0188' }).toString(),
    ],
    ['XML', 'application/xml', xml(Object.entries({ ...shouted, nick_name: 'Wumpelstilz' }))],
    ['a list under a known name', 'application/json', JSON.stringify({ ...POSTED, first_name: ['Zébulon', { x: 'Wumpelstilz' }] })],
    [
      'columns that slipped',
      'application/json',
      JSON.stringify({ ...POSTED, state: POSTED.email, zip: POSTED.phone, email: 'Wumpelstilz', phone: 'Marmaduke' }),
    ],
    [
      'values as names',
      'application/json',
      JSON.stringify({ ...POSTED, 'mixed.case+tag@example.com': 1, '614-555-0177': { '219-09-9994': 'x' } }),
    ],
    [
      'a note that repeats all',
      'application/json',
      JSON.stringify({ ...POSTED, note: 'ZEBULON OQUILLFEATHER 1 (614) 555 0177', monthly_income: 614 }),
    ],
  ];

  it.each(bodies)('%s', async (_, contentType, body) => {
    const { text, lead } = await page(await post(body, { 'content-type': contentType, 'idempotency-key': newId() }));
    expect(lead.inbound!.body.length).toBeGreaterThan(100);
    expect(found(text)).toEqual([]);
  });

  it('the key in a body is not shown', async () => {
    const { text } = await page(await post({ ...POSTED, key: world.key, nick_name: 'other' }, { authorization: '' }));
    expect(text).not.toContain(world.key.slice(0, 12));
  });
});

describe('list and feed', () => {
  it('hold nothing of the person either', async () => {
    const text = await getText(`/api/console/leads?${PLACE}`);
    expect((JSON.parse(text) as LeadsAnswer).rows.length).toBeGreaterThan(5);
    expect(found(text)).toEqual([]);
  });

  it('the feed tells of a lead without saying whose it is', async () => {
    const abort = new AbortController();
    const response = await fetch(`${node.url}/api/console/feed?${PLACE}`, { headers: { cookie: owner }, signal: abort.signal });
    const reader = response.body!.getReader();
    await post({ ...POSTED, nick_name: 'again' });
    let text = '';
    while (!text.includes('event: lead')) text += new TextDecoder().decode((await reader.read()).value);
    abort.abort();
    expect(text).toContain('m•••@example.com');
    expect(found(text)).toEqual([]);
  });
});
