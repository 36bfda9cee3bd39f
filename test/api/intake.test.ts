import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openJson } from '#server/kit/crypto.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { buildWorld, dollars, insertKey, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let second: ScriptedBuyer;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
  second = await startBuyer();
  world = await buildWorld(node.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, buyer: 'First' },
          { url: second.url, buyer: 'Second', price: { kind: 'fixed', price: dollars(12.5) } },
        ],
      },
    ],
    testValues: {
      field: 'email',
      sold: 'sold@example.com',
      rejected: 'rejected@example.com',
      timeout: 'timeout@example.com',
      error: 'error@example.com',
    },
  });
  await node.planBook.reload(world.organizationId);
});
afterAll(async () => {
  await node.stop();
  await Promise.all([buyer.close(), second.close()]);
});
beforeEach(() => {
  buyer.calls.length = 0;
  second.calls.length = 0;
  buyer.answer(() => ACCEPT);
  second.answer(() => ACCEPT);
});

let counter = 0;
const someone = () => ({ ...LEAD, email: `ada${++counter}@example.com`, phone: `21255501${String(counter).padStart(2, '0')}` });
const bearer = () => ({ authorization: `Bearer ${world.key}` });

describe('a call that breaks off', () => {
  it('is no fault of the database, and is counted as none', async () => {
    const before = await Promise.all([codes('store_unavailable'), codes('request_broken_off')]);
    for (const path of ['/api/v1/leads', '/team-login']) {
      const { hostname, port } = new URL(node.url);
      const socket = connect(Number(port), hostname);
      socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"em`);
      await new Promise((resolve) => setTimeout(resolve, 100));
      socket.destroy();
    }
    await expect.poll(() => codes('request_broken_off')).toBe(before[1] + 1);
    expect(await codes('store_unavailable')).toBe(before[0]);
    expect((await metricOf(node.url, 'sluice_refusals_total', { status: '503' })) ?? 0).toBe(0);
  });
  const codes = (code: string) => metricOf(node.url, 'sluice_intake_answers_total', { code }).then((count) => count ?? 0);
});

describe('a lead that is posted', () => {
  it('is sold to the first buyer that takes it, with price, currency and redirect', async () => {
    const answer = await node.post('/api/v1/leads', someone(), bearer());
    expect(answer.statusCode).toBe(200);
    expect(answer.json).toMatchObject({
      status: 'accepted',
      code: 'lead_sold',
      price: '16.00',
      currency: 'USD',
      redirectUrl: expect.stringMatching(/^http:\/\/[^/]+\/r\/[\w-]{43}$/),
    });
    expect(JSON.parse(buyer.calls[0]!.body)).toMatchObject({ first_name: 'Ada', zip: '01234', lead_id: answer.json.leadId });
    expect(second.calls).toHaveLength(0);
  });

  it('goes to the next buyer on a no, and says so in the explanation', async () => {
    buyer.answer(() => REJECT);
    const answer = await node.post('/api/v1/leads', someone(), bearer());
    expect(answer.json).toMatchObject({ status: 'accepted', price: '16.00' });
    expect([buyer.calls.length, second.calls.length]).toEqual([1, 1]);
  });

  it('is rejected when nobody buys, with the reason of console §4', async () => {
    buyer.answer(() => REJECT);
    second.answer(() => REJECT);
    const answer = await node.post('/api/v1/leads', someone(), bearer());
    expect(answer.statusCode).toBe(200);
    expect(answer.json).toMatchObject({ status: 'rejected', code: 'lead_unsold', reason: 'buyer-all-tier-failed' });
  });

  it('is stored before any buyer hears of it', async () => {
    let stored = 0;
    buyer.answer(async (call) => {
      const id = JSON.parse(call.body).lead_id;
      stored = (await node.pool.query('select from lead where id = $1', [id])).rowCount ?? 0;
      return ACCEPT;
    });
    await node.post('/api/v1/leads', someone(), bearer());
    expect(stored).toBe(1);
  });

  it('tells the buyer how long it may take', async () => {
    await node.post('/api/v1/leads', { ...someone(), timeoutMs: 1500 }, bearer());
    const told = Number(buyer.calls[0]!.headers['x-deadline-ms']);
    expect(told).toBeGreaterThan(500);
    expect(told).toBeLessThanOrEqual(1500);
  });

  it('can be asked after by its key, and by no other', async () => {
    const answer = await node.post('/api/v1/leads', someone(), bearer());
    const own = await fetch(`${node.url}/api/v1/leads/${answer.json.leadId}`, { headers: bearer() });
    expect(await own.json()).toEqual(answer.json);
    const other = await buildWorld(node.db, {});
    await node.planBook.reload(other.organizationId);
    const stranger = await fetch(`${node.url}/api/v1/leads/${answer.json.leadId}`, { headers: { authorization: `Bearer ${other.key}` } });
    expect(stranger.status).toBe(404);
  });
});

describe('the same call again', () => {
  it('D1: gets the first answer, and the tree runs once', async () => {
    const lead = someone();
    const first = await node.post('/api/v1/leads', lead, bearer());
    const again = await node.post('/api/v1/leads', lead, bearer());
    expect(again.json).toEqual(first.json);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(buyer.calls).toHaveLength(1);
  });

  it('D2: gets the first answer in another spelling and format too', async () => {
    const lead = someone();
    const first = await node.post('/api/v1/leads', lead, bearer());
    const form = new URLSearchParams({
      ...lead,
      email: ` ${lead.email.toUpperCase()} `,
      phone: lead.phone.replace(/(...)(...)(....)/, '+1 ($1) $2-$3'),
    });
    const again = await node.post('/api/v1/leads', form.toString(), { ...bearer(), 'content-type': 'application/x-www-form-urlencoded' });
    expect(again.json.leadId).toBe(first.json.leadId);
    expect(buyer.calls).toHaveLength(1);
  });

  it('D1: waits for the first while that is still under way', async () => {
    const lead = someone();
    buyer.answer(() => ({ ...ACCEPT, delayMs: 150 }));
    const answers = await Promise.all(Array.from({ length: 20 }, () => node.post('/api/v1/leads', lead, bearer())));
    expect(new Set(answers.map((answer) => answer.json.leadId)).size).toBe(1);
    expect(buyer.calls).toHaveLength(1);
  });

  it('D1: with an Idempotency-Key but another lead is refused', async () => {
    const headers = { ...bearer(), 'idempotency-key': `order-${counter}` };
    const first = await node.post('/api/v1/leads', someone(), headers);
    const other = await node.post('/api/v1/leads', someone(), headers);
    expect(first.statusCode).toBe(200);
    expect(other.statusCode).toBe(422);
    expect(other.json.code).toBe('idempotency_mismatch');
  });
});

describe('test leads', () => {
  it.each([
    ['sold@example.com', 'test', 200],
    ['rejected@example.com', 'rejected', 200],
    ['error@example.com', 'error', 500],
  ])('%s always gives %s, without touching a buyer', async (email, status, statusCode) => {
    const answer = await node.post('/api/v1/leads', { ...someone(), email, test: true }, bearer());
    expect(answer.json.status).toBe(status);
    expect(answer.statusCode).toBe(statusCode);
    expect(buyer.calls.length + second.calls.length).toBe(0);
  });
});

describe('formats', () => {
  it('XML in gives XML out when asked for', async () => {
    const lead = someone();
    const xml = `<?xml version="1.0"?><lead>${Object.entries(lead)
      .map(([name, value]) => `<${name}>${value}</${name}>`)
      .join('')}</lead>`;
    const answer = await node.post('/api/v1/leads', xml, { ...bearer(), 'content-type': 'application/xml', accept: 'application/xml' });
    expect(answer.headers.get('content-type')).toContain('application/xml');
    expect(answer.text).toContain('<status>accepted</status>');
    expect(answer.text).toContain('<price>16.00</price>');
  });

  it('XML sent as JSON is still read as XML, and an ampersand survives to the buyer', async () => {
    const xml = `<lead>${Object.entries(someone())
      .map(([name, value]) => `<${name}>${name === 'first_name' ? 'Ada &amp; Bo' : value}</${name}>`)
      .join('')}</lead>`;
    const answer = await node.post('/api/v1/leads', xml, { ...bearer(), 'content-type': 'application/json' });
    expect(answer.json.status).toBe('accepted');
    expect(JSON.parse(buyer.calls[0]!.body).first_name).toBe('Ada & Bo');
  });

  it('XML character references stand for their characters; those that stand for none are refused', async () => {
    const xml = (name: string) =>
      `<lead>${Object.entries({ ...someone(), first_name: name })
        .map(([field, value]) => `<${field}>${value}</${field}>`)
        .join('')}</lead>`;
    await node.post('/api/v1/leads', xml('Jos&#233; &#x4E2D;'), { ...bearer(), 'content-type': 'application/xml' });
    expect(JSON.parse(buyer.calls[0]!.body).first_name).toBe('José 中');
    for (const name of ['A&#0;', 'A&#xD800;', 'A&#x110000;']) {
      const answer = await node.post('/api/v1/leads', xml(name), { ...bearer(), 'content-type': 'application/xml' });
      expect([name, answer.statusCode, answer.json.code]).toEqual([name, 400, 'body_malformed']);
    }
  });

  it('a JSON number with more digits than a float holds keeps all of them', async () => {
    const body = JSON.stringify({ ...someone(), first_name: 'N' }).replace('"N"', '12345678901234567890');
    await node.post('/api/v1/leads', body, { ...bearer(), 'content-type': 'application/json' });
    expect(JSON.parse(buyer.calls[0]!.body).first_name).toBe('12345678901234567890');
  });

  it.each(['on', 'Y', 2, 'maybe'])('test: %j is refused, never guessed', async (test) => {
    const answer = await node.post('/api/v1/leads', { ...someone(), test }, bearer());
    expect([answer.statusCode, answer.json.code]).toEqual([400, 'test_invalid']);
    expect(buyer.calls).toHaveLength(0);
  });

  it('the key is kept nowhere, wherever and however it stands in the body', async () => {
    const { openJson } = await import('#server/kit/crypto.ts');
    const { keys } = node.planBook.find(world.organizationId)!;
    const plain = JSON.stringify({ ...someone(), note: 'key=1', key: world.key });
    const escaped = JSON.stringify({ ...someone(), key: 'K' }).replace(
      '"K"',
      `"\\u${world.key.charCodeAt(0).toString(16).padStart(4, '0')}${world.key.slice(1)}"`,
    );
    for (const body of [plain, escaped]) {
      const { json } = await node.post('/api/v1/leads', body, { 'content-type': 'application/json' });
      expect(json.status).toBe('accepted');
      const row = (await node.pool.query('select fields from lead where id = $1', [json.leadId])).rows[0];
      const stored = JSON.stringify(openJson(keys, 'lead.fields', json.leadId, row.fields));
      expect(stored).not.toContain(world.key);
      expect(stored).not.toContain(world.key.slice(1));
    }
  });

  it('the key may stand in the body, X-Api-Key or Authorization', async () => {
    expect((await node.post('/api/v1/leads', { ...someone(), key: world.key })).json.status).toBe('accepted');
    expect((await node.post('/api/v1/leads', someone(), { 'x-api-key': world.key })).json.status).toBe('accepted');
  });

  it('D8: emoji and right-to-left text arrive as they were sent', async () => {
    const first_name = '👩🏽‍💻 אדה عائشة';
    await node.post('/api/v1/leads', { ...someone(), first_name }, bearer());
    expect(JSON.parse(buyer.calls[0]!.body).first_name).toBe(first_name);
  });
});

describe('whatever a publisher sends is taken or refused, and never an error of ours', () => {
  it.each<[string, () => unknown, number]>([
    [
      '300 unknown fields',
      () => ({ ...someone(), ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`extra_${at}`, 'x'])) }),
      400,
    ],
    ['a field of 1 MiB', () => ({ ...someone(), first_name: 'x'.repeat(1024 * 1024) }), 413],
    ['half of a character', () => `{"email":"half@example.com","first_name":"A\\ud800"}`, 422],
    ['a number as a text, and a text as a number', () => ({ ...someone(), monthly_income: '3200', zip: 1234 }), 200],
    ['bytes that are letters nowhere', () => ({ ...someone(), first_name: '\u0001\uffff\u202e' }), 200],
  ])('D8: %s', async (_, body, code) => {
    const answer = await node.post('/api/v1/leads', body(), { ...bearer(), 'content-type': 'application/json' });
    expect([answer.statusCode, answer.json.status]).toEqual([code, code === 200 ? 'accepted' : 'invalid']);
  });
});

describe('bad input is answered clearly and reaches no buyer', () => {
  const refused = async (body: unknown, headers: Record<string, string> = {}) => {
    const answer = await node.post('/api/v1/leads', body, { ...bearer(), ...headers });
    expect(buyer.calls.length + second.calls.length).toBe(0);
    return [answer.statusCode, answer.json.code, answer.json.status];
  };
  const json = { 'content-type': 'application/json' };
  const xml = { 'content-type': 'application/xml' };

  it('malformed JSON', async () => expect(await refused('{"email": "a@example.com"', json)).toEqual([400, 'body_malformed', 'invalid']));
  it('JSON that is no object', async () => expect(await refused('[1,2]', json)).toEqual([400, 'body_malformed', 'invalid']));
  it('an empty body', async () => expect(await refused('', json)).toEqual([400, 'body_empty', 'invalid']));
  it('a JSON name given twice', async () =>
    expect(await refused('{"email":"a@example.com","email":"b@example.com"}', json)).toEqual([400, 'body_repeated_field', 'invalid']));
  it('C7: a JSON name given twice in two spellings', async () =>
    expect(await refused('{"email":"a@example.com","\\u0065mail":"b@example.com"}', json)).toEqual([
      400,
      'body_repeated_field',
      'invalid',
    ]));
  it('C7: 200,000 nested brackets', async () =>
    expect(await refused(`{"email":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, json)).toEqual([400, 'body_too_deep', 'invalid']));
  it('XML with entities', async () =>
    expect(await refused('<!DOCTYPE x [<!ENTITY a "boom">]><lead><email>&a;</email></lead>', xml)).toEqual([
      400,
      'body_entities',
      'invalid',
    ]));
  it('XML that is not well formed', async () =>
    expect(await refused('<lead><email>a@example.com</lead>', xml)).toEqual([400, 'body_malformed', 'invalid']));
  it('XML nested too deeply', async () =>
    expect(await refused(`${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}`, xml)).toEqual([400, 'body_too_deep', 'invalid']));
  it('C7: a body of 10 MiB', async () =>
    expect(await refused(`{"a":"${'x'.repeat(10 * 1024 * 1024)}"}`, json)).toEqual([413, 'body_too_large', 'invalid']));
  it('bytes that are not UTF-8', async () =>
    expect(await refused(new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]), json)).toEqual([400, 'body_not_utf8', 'invalid']));
  it('D8: NUL bytes in a value', async () =>
    expect(await refused({ ...someone(), first_name: 'A\u0000da' })).toEqual([422, 'lead_invalid', 'invalid']));
  it('a timeout that is none', async () =>
    expect(await refused({ ...someone(), timeoutMs: -5 })).toEqual([400, 'timeout_invalid', 'invalid']));
  it('an unknown campaign', async () =>
    expect(await refused({ ...someone(), campaignId: 'nope' })).toEqual([400, 'campaign_unknown', 'invalid']));
  it('C6: a field named like a trap of the language', async () => {
    await refused('{"__proto__":{"polluted":true},"constructor":{"prototype":{}},"email":"x"}', json);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('a missing primary field and wrong types are told per field, and the lead is on record as invalid', async () => {
    const answer = await node.post('/api/v1/leads', { first_name: 'Ada', state: 'ZZ', monthly_income: 'lots', phone: { a: 1 } }, bearer());
    expect(answer.statusCode).toBe(422);
    expect(answer.json.reason).toBe('publisher-validation-failed');
    expect(answer.json.errors.map((error: { field: string }) => error.field).sort()).toEqual(['email', 'monthly_income', 'phone', 'state']);
    const stored = await node.pool.query('select status from lead_result where lead_id = $1', [answer.json.leadId]);
    expect(stored.rows).toEqual([{ status: 'invalid' }]);
  });

  it('no key, a wrong key, a revoked key, an expired key', async () => {
    const tell = async (headers: Record<string, string>) => {
      const answer = await node.post('/api/v1/leads', someone(), headers);
      return [answer.statusCode, answer.json.code];
    };
    const revoked = await insertKey(node.db, world.organizationId, world.publisherTierId, { revoked_at: new Date(Date.now() - 1000) });
    const expired = await insertKey(node.db, world.organizationId, world.publisherTierId, { expires_at: new Date(Date.now() - 1000) });
    await node.planBook.reload(world.organizationId);
    expect(await tell({})).toEqual([401, 'key_missing']);
    expect(await tell({ authorization: 'Bearer nonsense' })).toEqual([401, 'key_unknown']);
    expect(await tell({ authorization: `Bearer ${revoked}` })).toEqual([401, 'key_revoked']);
    expect(await tell({ authorization: `Bearer ${expired}` })).toEqual([401, 'key_expired']);
    expect(buyer.calls).toHaveLength(0);
  });

  it('unknown fields are stored, sent nowhere, and named', async () => {
    const answer = await node.post('/api/v1/leads', { ...someone(), shoe_size: '42' }, bearer());
    expect(answer.json.warnings).toEqual(['The field shoe_size is not known here; it was stored as it came.']);
    expect(buyer.calls[0]!.body).not.toContain('shoe_size');
  });
});

describe('what is no lead field', () => {
  const stored = async (leadId: string) => {
    const { keys } = node.planBook.find(world.organizationId)!;
    const row = (await node.pool.query('select fields from lead where id = $1', [leadId])).rows[0];
    return openJson<{ unknown: Record<string, unknown> }>(keys, 'lead.fields', leadId, row.fields).unknown;
  };

  it.each([
    ['NUL', 'a\u0000b'],
    ['a lone high surrogate', 'a\ud83d'],
    ['a lone low surrogate', '\ude00b'],
  ])('%s in an unknown field is stored as it came, in value and name', async (_what, text) => {
    const answer = await node.post('/api/v1/leads', { ...someone(), note: text, [`n_${text}`]: 'x' }, bearer());
    expect(answer.statusCode).toBe(200);
    expect(await stored(answer.json.leadId)).toEqual({ note: text, [`n_${text}`]: 'x' });
    expect(buyer.calls).toHaveLength(1);
    for (const format of ['json', 'xml']) {
      const again = await fetch(`${node.url}/api/v1/leads/${answer.json.leadId}?format=${format}`, { headers: bearer() });
      expect(again.status).toBe(200);
      expect(await again.text()).toContain('lead_sold');
    }
  });

  it('a name given twice inside an unknown field does not hinder the lead; the last one is stored', async () => {
    const body = `${JSON.stringify(someone()).slice(0, -1)},"extra":{"a":1,"a":2}}`;
    const answer = await node.post('/api/v1/leads', body, { ...bearer(), 'content-type': 'application/json' });
    expect(answer.json.status).toBe('accepted');
    expect(await stored(answer.json.leadId)).toEqual({ extra: { a: 2 } });
  });
});

describe('a lead that is under way', () => {
  it('is told as queued when asked after, and with its answer when it is over', async () => {
    buyer.answer(() => ({ ...ACCEPT, delayMs: 400 }));
    const posted = node.post('/api/v1/leads', someone(), bearer());
    await expect.poll(() => buyer.calls.length).toBe(1);
    const { lead_id: leadId } = JSON.parse(buyer.calls[0]!.body);
    const status = () => fetch(`${node.url}/api/v1/leads/${leadId}`, { headers: bearer() });
    const early = await status();
    expect([early.status, await early.json()]).toEqual([202, { status: 'queued', code: 'lead_under_way', leadId }]);
    const { json } = await posted;
    expect([(await status()).status, await (await status()).json()]).toEqual([200, json]);
  });

  it('D1: is 409 for the same call on another node whose patience is shorter', async () => {
    const other = await startNode(node.database.url);
    try {
      buyer.answer(() => ({ ...ACCEPT, delayMs: 1_000 }));
      const lead = someone();
      const first = node.post('/api/v1/leads', lead, bearer());
      await expect.poll(() => buyer.calls.length).toBe(1);
      const second = await other.post('/api/v1/leads', { ...lead, timeoutMs: 150 }, bearer());
      expect([second.statusCode, second.json.code, second.headers.get('retry-after')]).toEqual([409, 'lead_in_flight', '1']);
      expect((await first).json.status).toBe('accepted');
      expect(buyer.calls).toHaveLength(1);
    } finally {
      await other.close();
    }
  });
});

describe('a suspended organization', () => {
  it('D10: is told so, and no buyer is called', async () => {
    const suspended = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
    await node.db.updateTable('organization').set({ status: 'suspended' }).where('id', '=', suspended.organizationId).execute();
    await node.planBook.reload(suspended.organizationId);
    const answer = await node.post('/api/v1/leads', someone(), { authorization: `Bearer ${suspended.key}` });
    expect([answer.statusCode, answer.json.status, answer.json.code]).toEqual([403, 'invalid', 'organization_suspended']);
    expect(buyer.calls).toHaveLength(0);
  });
});

describe('a seat that is always answered 200', () => {
  let always: World;
  beforeAll(async () => {
    always = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }], publisher: { always200: true } });
    await node.planBook.reload(always.organizationId);
  });
  const key = () => ({ 'x-api-key': always.key });
  const told = (answer: { statusCode: number; headers: Headers; json: { code: string } }) => [
    answer.statusCode,
    answer.headers.get('x-status-code'),
    answer.json.code,
  ];

  it.each([
    ['a body that is too large', `{"a":"${'x'.repeat(300_000)}"}`, 'application/json', '413', 'body_too_large'],
    ['a media type that is none', '{}', 'application/json, text/xml', '415', 'content_type_invalid'],
    ['a media type that is not read', 'abc', 'image/png', '415', 'body_unsupported'],
    ['a malformed body', '{"a"', 'application/json', '400', 'body_malformed'],
    ['an empty body', '', 'application/json', '400', 'body_empty'],
  ])('gets the true code of %s in a header', async (_what, body, type, statusCode, code) => {
    expect(told(await node.post('/api/v1/leads', body, { ...key(), 'content-type': type }))).toEqual([200, statusCode, code]);
  });

  it('also where the key stands in a body that could be read, and when asking for a lead', async () => {
    expect(told(await node.post('/api/v1/leads', { ...someone(), key: always.key, timeoutMs: -1 }))).toEqual([
      200,
      '400',
      'timeout_invalid',
    ]);
    const get = async (path: string) => {
      const answer = await fetch(`${node.url}/api/v1/leads/${path}`, { headers: key() });
      return told({ statusCode: answer.status, headers: answer.headers, json: (await answer.json()) as { code: string } });
    };
    expect(await get('nothing')).toEqual([200, '404', 'lead_unknown']);
    expect(await get('nothing?format=csv')).toEqual([200, '400', 'format_unknown']);
    const sold = await node.post('/api/v1/leads', someone(), key());
    expect(await get(sold.json.leadId)).toEqual([200, '200', 'lead_sold']);
  });

  it('nobody else is', async () => {
    expect((await node.post('/api/v1/leads', '{"a"', { ...bearer(), 'content-type': 'application/json' })).statusCode).toBe(400);
    const unknown = await node.post('/api/v1/leads', '{"a"', { 'x-api-key': 'nonsense', 'content-type': 'application/json' });
    expect([unknown.statusCode, unknown.headers.get('x-status-code')]).toEqual([400, null]);
  });
});

describe('the format a body asks for', () => {
  it.each([
    ['no key', {}, { format: 'xml' }, 'key_missing'],
    ['an unknown key', { 'x-api-key': 'nonsense' }, { format: 'xml' }, 'key_unknown'],
    ['a timeout that is none', {}, { format: 'xml', timeoutMs: -1 }, 'timeout_invalid'],
    ['another campaign', undefined, { format: 'xml', campaignId: 'nope' }, 'campaign_unknown'],
    ['an invalid lead', undefined, { format: 'xml', state: 'ZZ' }, 'lead_invalid'],
  ])('is that of the answer to %s', async (_what, headers, more, code) => {
    const answer = await node.post('/api/v1/leads', { ...someone(), ...more }, headers ?? bearer());
    expect(answer.headers.get('content-type')).toContain('application/xml');
    expect(answer.text).toContain(`<code>${code}</code>`);
  });

  it('and format=xml in the address that of a lead asked for, refusals included', async () => {
    const { json } = await node.post('/api/v1/leads', someone(), bearer());
    const get = (path: string, headers = bearer()) => fetch(`${node.url}/api/v1/leads/${path}`, { headers });
    for (const [path, headers, code] of [
      [`${json.leadId}?format=xml`, bearer(), 'lead_sold'],
      ['nothing?format=xml', bearer(), 'lead_unknown'],
      [`${json.leadId}?format=xml`, { authorization: 'Bearer nonsense' }, 'key_unknown'],
    ] as const) {
      const answer = await get(path, headers);
      expect(answer.headers.get('content-type')).toContain('application/xml');
      expect(await answer.text()).toContain(`<code>${code}</code>`);
    }
    expect(await (await get(`${json.leadId}?format=json`, { ...bearer(), accept: 'application/xml' } as never)).json()).toEqual(json);
  });
});
