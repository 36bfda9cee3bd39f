/** reliability C1–C8: the generic data calls, asked for what is not the caller's, not declared, not meant, or too much. */
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { recordModels } from '#server/record/record.models.ts';
import { type PostAnswer, startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { jsonEndpoint } from '#test/harness/world.ts';

const C = '/api/v1/common';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let office: Office;
let stranger: Office;
/** A record of every model that the first organization has, by the model's name. */
const records = new Map<string, string>();

beforeAll(async () => {
  node = await startTestWorld();
  office = await openOffice(node, undefined);
  stranger = await openOffice(node, undefined);
  for (const [name, model] of recordModels) {
    const { rows } = await node.pool.query(
      `select id from ${model.table} where ${model.organizationColumn === 'organization_id' ? 'organization_id = $1' : '$1::uuid is not null'} limit 1`,
      [office.world.organizationId],
    );
    if (model.organizationColumn === 'organization_id' && rows[0]) records.set(name, rows[0].id);
  }
  const { verticalId, publisherId, publisherTierId, tiers, campaignId } = office.world;
  const { buyerId, buyerTierId } = tiers[0]!;
  const endpoint = { post: jsonEndpoint('https://buyer.example/', 'post').post };
  const answer = { statusCode: 200, headers: {}, body: '{"result":"accepted","price":"20"}' };
  const made: [string, object][] = [
    ['answerSample', { buyerTierId, name: 'S', leg: 'post', answer, expected: { outcome: 'accepted', price: '20' } }],
    ['service', { name: 'S', verticalId, endpoint }],
    ['contact', { firstName: 'C', buyerId }],
    ['card', { name: 'K', verticalId }],
    ['landingPage', { name: 'L', verticalId, publisherTierId, url: 'https://page.example/' }],
    [
      'promotion',
      {
        ...{ name: 'P', verticalId, target: { kind: 'publisher', publisherId }, raise: { kind: 'fixed', amount: '2' } },
        ...{ fromOn: '2026-01-01', timeZone: 'UTC' },
      },
    ],
    ['retention', { verticalId, unsoldDays: 90, soldDays: 730, wireDays: 30 }],
    ['webhook', { name: 'W', verticalId, url: 'https://hook.example/', events: ['lead.sold'] }],
    ['suppressionList', { name: 'D', holds: 'email', form: 'plain' }],
    ['paymentProcessor', { name: 'Z', verticalId }],
    [
      'exportFeed',
      {
        ...{ name: 'E', verticalId, schedule: { every: 'hour', minute: 0 }, content: { columns: ['leadId'] } },
        destination: { kind: 'http', url: 'https://feed.example/' },
      },
    ],
    ['bank', { country: 'uk', code: '123456', name: 'B' }],
    ['binRange', { first: '457173', last: '457173' }],
  ];
  for (const [model, data] of made) await make(model, data);
  await make('binMove', { binRangeId: records.get('binRange'), move: 1, campaignId });
  const id = newId();
  await node.db
    .insertInto('ab_test')
    .values({ organization_id: office.world.organizationId, id, campaign_id: campaignId, name: 'T' })
    .execute();
  records.set('abTest', id);
});
afterAll(() => node.stop());

async function make(model: string, data: object): Promise<void> {
  const { statusCode, json } = await office.post(`${C}/post-add-data`, { model, ...data });
  expect([model, statusCode, json.msg]).toEqual([model, 200, 'Saved.']);
  records.set(model, json.data._id);
}

/** Texts and parameters of every statement that is sent to the database meanwhile. */
async function statementsOf(act: () => Promise<unknown>): Promise<string> {
  const sent: unknown[] = [];
  const query = pg.Client.prototype.query;
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args: unknown[]) {
    sent.push(args.slice(0, 2).map((one) => (typeof one === 'function' ? '' : one)));
    return (query as (...all: unknown[]) => unknown).apply(this, args);
  } as never);
  await act().finally(() => spy.mockRestore());
  return JSON.stringify(sent);
}

describe('C1: every model and every call', () => {
  it('C1: there is a record of each model that an organization keeps; a new model needs one here', () => {
    const kept = [...recordModels].filter(([, { organizationColumn, own }]) => organizationColumn === 'organization_id' && !own);
    expect(kept.map(([name]) => name).filter((name) => !records.has(name))).toEqual([]);
  });

  it.each([...recordModels.keys()])('C1: %s of another organization is answered as one that is not there', async (model) => {
    const calls = (_id: string): [string, unknown][] => [
      [`${C}/single-data`, { model, condition: { _id } }],
      [`${C}/get/condition-data`, { model, condition: { _id } }],
      [`${C}/get/condition-data`, { model, condition: { _id: { in: [_id, newId()] } }, withArchived: true }],
      [`${C}/get/condition-data`, { model, condition: { _id: { gte: _id, lte: _id } }, limit: 1 }],
      [`${C}/post-edit-data`, { model, _id, name: 'Taken' }],
      [`${C}/post-edit-data-with-condition`, { model, condition: { _id }, data: { name: 'Taken' } }],
      [`${C}/edit-key-data`, { model, getCondition: { _id }, updateCondition: { name: 'Taken' } }],
      ['/api/common/update-data', { model, entityId: _id, entityKey: 'name', data: 'Taken' }],
      [`${C}/post-delete-data`, { model, _id }],
      [`${C}/delete/condition-data`, { model, condition: { _id } }],
      [`${C}/post-add-data`, { model, _id }],
      ['/api/common/order-change', { model, data: [_id] }],
    ];
    const theirs = records.get(model) ?? office.world.organizationId;
    const [foreign, missing] = [calls(theirs), calls(newId())];
    for (const [at, [path, body]] of foreign.entries()) {
      const [found, nothing] = (await Promise.all([stranger.post(path, body), stranger.post(path, missing[at]![1])])) as [
        PostAnswer,
        PostAnswer,
      ];
      expect([path, found.statusCode, found.json]).toEqual([path, nothing.statusCode, nothing.json]);
    }
    const listing = JSON.stringify({ model, condition: { _id: { in: [theirs] } } });
    const file = await stranger.form('/api/v1/download-file/records', new URLSearchParams({ listing, isDownloadCSV: 'true' }));
    expect(file.trimEnd().split('\r\n').slice(1)).toEqual([]);
    const { rows } = await node.pool.query(`select to_jsonb(t)::text as row from ${recordModels.get(model)!.table} t where id = $1`, [
      theirs,
    ]);
    for (const { row } of rows) expect(row).not.toContain('Taken');
  });
});

describe('C2: names of models', () => {
  it.each<[string, unknown]>([
    ['__proto__', '__proto__'],
    ['constructor', 'constructor'],
    ['toString', 'toString'],
    ['a quote and a statement', 'users"; drop table lead; --'],
    ['a table of the database', 'pg_catalog.pg_user'],
    ['a table that is no model', 'session'],
    ['10 kB', 'canary'.repeat(1_700)],
    ['a list', ['buyer']],
    ['an object', { toString: 'buyer' }],
    ['nothing', null],
  ])('C2: %s is none, and reaches no statement', async (_, model) => {
    const paths = ['get-data', 'get/condition-data', 'post-add-data'];
    for (const path of paths) {
      const body = path === 'get/condition-data' ? { model, condition: {} } : { model };
      const sent = await statementsOf(async () => {
        const { statusCode, json } = await office.post(`${C}/${path}`, body);
        expect([path, statusCode, json.code]).toEqual([path, 400, expect.stringMatching(/^(record_model_unknown|request_invalid)$/)]);
      });
      // One whose name is a text at all is looked for once it is known who asks.
      if (typeof model === 'string' && model.length <= 60) expect(sent).toContain('select');
      if (typeof model === 'string' && model !== 'session') expect(sent).not.toContain(JSON.stringify(model).slice(1, -1));
      expect(sent).not.toMatch(/from "(buyer|session)" as t/);
    }
  });
});

describe('C3: conditions', () => {
  it('C3: whatever is asked is refused, or finds a part of what is one’s own', async () => {
    const names = [...recordModels.keys()];
    const own = new Map<string, Set<string>>();
    for (const model of names) {
      const { json } = await office.post(`${C}/get/condition-data`, { model, condition: {}, withArchived: true });
      own.set(model, new Set(json.data.map((one: { _id: string }) => one._id)));
    }
    const anyValue = fc.oneof(
      fc.jsonValue({ maxDepth: 3 }),
      fc.constantFrom({ $ne: null }, [{}], { text: '%' }, { not: null }, { in: [] }, { gte: '' }, { not: { not: 1 } }),
      fc.constantFrom(stranger.world.organizationId, office.world.verticalId, stranger.world.verticalId),
    );
    const question = fc.constantFrom(...names).chain((model) =>
      fc.record({
        model: fc.constant(model),
        condition: fc.dictionary(
          fc.oneof(
            { arbitrary: fc.constantFrom('_id', ...Object.keys(recordModels.get(model)!.fields)), weight: 4 },
            fc.constantFrom('$or', '$where', 'tenantId', 'organization_id', 'organizationId', '_id._id', 'secrets'),
          ),
          anyValue,
          { maxKeys: 3 },
        ),
        withArchived: fc.boolean(),
      }),
    );
    await fc.assert(
      fc.asyncProperty(question, async (body) => {
        const { statusCode, json } = await office.post(`${C}/get/condition-data`, body);
        expect([200, 400]).toContain(statusCode);
        if (statusCode === 200) for (const one of json.data) expect(own.get(body.model)).toContain(one._id);
      }),
      { numRuns: 100 },
    );
  });

  it('C3: a change or a removal of all that there is, is none', async () => {
    const calls: [string, object][] = [
      ['post-edit-data-with-condition', { condition: {}, data: { notes: 'all' } }],
      ['delete/condition-data', { condition: {} }],
      ['edit-key-data', { getCondition: {}, updateCondition: { notes: 'all' } }],
    ];
    for (const [path, body] of calls) {
      const { statusCode, json } = await office.post(`${C}/${path}`, { model: 'buyer', ...body });
      expect([path, statusCode, json.code]).toEqual([path, 400, 'record_condition_missing']);
      for (const condition of [undefined, null, [], 'all', { _id: { $ne: null } }]) {
        const given = Object.fromEntries(Object.entries(body).map(([key, value]) => [key, /condition$/i.test(key) ? condition : value]));
        expect([path, condition, (await office.post(`${C}/${path}`, { model: 'buyer', ...given })).statusCode]).toEqual([
          path,
          condition,
          400,
        ]);
      }
    }
  });
});

describe('C4: columns that are not declared', () => {
  it.each([...recordModels.keys()])('C4, 1.2 hidden column oracle: of %s are no fields, to look for, sort by or ask for', async (model) => {
    const { table, fields } = recordModels.get(model)!;
    const { rows } = await node.pool.query('select column_name from information_schema.columns where table_name = $1', [table]);
    const hidden = rows.map((row) => row.column_name as string).filter((column) => !Object.hasOwn(fields, column));
    expect(hidden).not.toEqual([]);
    const ask = async (field: string) => {
      const bodies = [
        { condition: { _id: newId(), [field]: { gte: 'a' } } },
        { condition: {}, sort: [{ field }] },
        { condition: {}, fields: [field] },
      ];
      const answers = [];
      for (const body of bodies) {
        const { statusCode, json } = await office.post(`${C}/get/condition-data`, { model, ...body });
        answers.push([statusCode, json.code, json.msg?.replace(field, 'IT'), Object.keys(json)]);
      }
      return answers;
    };
    const unknown = await ask('nobodys_column');
    for (const [status, code] of unknown) expect([status, code]).toEqual([400, 'record_field_unknown']);
    for (const column of hidden) expect([column, await ask(column)]).toEqual([column, unknown]);
  });
});

describe('A10: columns that nobody may write', () => {
  it.each([...recordModels.keys()])('A10, 1.2 self-verification: of %s stay as they are, whoever names them', async (model) => {
    const { table, fields } = recordModels.get(model)!;
    const { rows } = await node.pool.query('select column_name from information_schema.columns where table_name = $1', [table]);
    const columns = rows.map((row) => row.column_name as string).filter((column) => !Object.hasOwn(fields, column));
    const fixed = Object.keys(fields).filter((name) => !fields[name]!.write);
    const { json } = await office.post(`${C}/get/condition-data`, { model, condition: {}, limit: 1 });
    const _id = records.get(model) ?? json.data[0]?._id;
    const whole = async () =>
      (await node.pool.query(`select to_jsonb(t) - 'seen_at' - 'last_seen_at' as row from ${table} t where id = $1`, [_id])).rows;
    const before = await whole();
    const forbidden = [...columns, ...fixed, 'isSuperAdmin', 'organizationId', 'emailVerified', 'constructor'];
    for (const name of forbidden.filter((one) => !['_id', 'version', 'model'].includes(one))) {
      const answer = await office.post(`${C}/post-edit-data`, { model, _id, [name]: fields[name]?.kind === 'number' ? 7 : 'x' });
      expect([name, [400, 403].includes(answer.statusCode)]).toEqual([name, true]);
    }
    expect(await whole()).toEqual(before);
  });
});

describe('C5: too much of it', () => {
  it.each<[string, object]>([
    ['10,000 values', { condition: { _id: { in: Array(10_000).fill(newId()) } } }],
    ['1,000 members', { condition: Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`f${at}`, 'x'])) }],
    ['50 levels', { condition: { name: JSON.parse(`${'{"not":'.repeat(50)}1${'}'.repeat(50)}`) } }],
    ['a page of 10^9', { condition: {}, limit: 1e9 }],
    ['a page of -1', { condition: {}, limit: -1 }],
    ['a page of 1.5', { condition: {}, limit: 1.5 }],
    ['a page of "10"', { condition: {}, limit: '10' }],
    ['10^9 passed over', { condition: {}, skip: 1e9 }],
    ['a text of 501 letters', { condition: { name: { text: '%a'.repeat(251) } } }],
    ['50 fields to sort by', { condition: {}, sort: Array(50).fill({ field: 'name' }) }],
  ])('C5: %s is refused', async (_, body) => {
    expect((await office.post(`${C}/get/condition-data`, { model: 'buyer', ...body })).statusCode).toBe(400);
  });

  it('C5: signs of a pattern are letters to look for, and a query ends in time by itself', async () => {
    const text = '%a'.repeat(250);
    const sent = await statementsOf(async () => {
      const { statusCode, json } = await office.post(`${C}/get/condition-data`, { model: 'buyer', condition: { name: { text } } });
      expect([statusCode, json.total]).toEqual([200, 0]);
    });
    expect(JSON.parse(sent).flat(3).join(' ')).toContain('\\%a\\%a');
    expect((await node.pool.query('show statement_timeout')).rows).toEqual([{ statement_timeout: '30s' }]);
  });
});

describe('C6, C7: bodies', () => {
  const raw = (path: string, body: string, type: string) =>
    fetch(node.url + path, {
      method: 'POST',
      headers: { 'x-requested-with': 'sluice', cookie: '', 'content-type': type },
      body,
    }).then(async (answer) => [answer.status, await answer.text()] as const);

  it.each([
    '{"model":"buyer","name":"P","__proto__":{"polluted":true}}',
    '{"model":"buyer","name":"P","constructor":{"prototype":{"polluted":true}}}',
    '{"model":"buyer","name":"P","caps":[{"__proto__":{"polluted":true}}]}',
  ])('C6: %s pollutes nothing, and is refused', async (body) => {
    const answer = await office.post(`${C}/post-add-data`, JSON.parse(body.replaceAll('__proto__', '__pr')));
    expect(answer.statusCode).toBe(400);
    const [status] = await raw(`${C}/post-add-data`, body, 'application/json');
    expect(status).toBe(400);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each(['application/json\ta', 'application/json, text/plain', 'text/json', 'application/x-json'])(
    'C7, 1.2 schema by-pass: a body said to be %j is not read',
    async (type) => {
      expect((await raw('/team-login', '{"email":7}', type))[0]).toBe(415);
    },
  );

  it.each(['application/json; charset=utf-7', 'Application/JSON', 'application/json;charset="utf-8"'])(
    'C7, 1.2 schema by-pass: a body said to be %j is checked like any other',
    async (type) => {
      const [status, text] = await raw('/team-login', '{"email":7}', type);
      expect([status, text]).toEqual([400, expect.stringContaining('email')]);
    },
  );

  it('C7: a byte order mark changes nothing; a repeated name decides nothing', async () => {
    expect((await raw('/team-login', '\uFEFF{"email":7}', 'application/json'))[0]).toBe(400);
    // The one place where a name could decide whose it is: the organization of the session counts, whichever is read.
    const { organizationId } = stranger.world;
    const body = `{"model":"buyer","companyId":"${office.world.organizationId}","companyId":"${organizationId}"}`;
    const answer = await office.post(`${C}/get-data`, JSON.parse(body));
    expect(answer.statusCode).toBe(404);
  });
});

describe('C8: what the database says', () => {
  it('C8: is told to nobody: a stable code, without a statement, a value or a place in the code', async () => {
    const causes: [string, string, number, string][] = [
      ['unique_violation', "detail = 'Key (email)=(canary@example.com) already exists.'", 409, 'record_name_taken'],
      ['foreign_key_violation', "detail = 'Key (id)=(canary) is not present in table.'", 409, 'record_in_use'],
      ['invalid_text_representation', 'message = \'invalid input syntax for type integer: "canary"\'', 500, 'server_error'],
      ['query_canceled', "message = 'canceling statement: insert into buyer values (canary)'", 500, 'server_error'],
    ];
    for (const [cause, more, status, code] of causes) {
      await node.pool.query(`create function refuse_all() returns trigger language plpgsql as $$ begin
        raise ${cause} using ${more}; end $$`);
      await node.pool.query('create trigger refusing before insert on buyer for each row execute function refuse_all()');
      const { statusCode, json, text } = await office.post(`${C}/post-add-data`, { model: 'buyer', name: `Canary ${cause}` });
      await node.pool.query('drop function refuse_all cascade');
      expect([cause, statusCode, json.code, Object.keys(json)]).toEqual([cause, status, code, ['status', 'code', 'msg']]);
      expect(text).not.toMatch(/canary|insert|at .*:\d+/i);
    }
  });
});
