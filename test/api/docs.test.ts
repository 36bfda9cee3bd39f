import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordModels } from '#server/record/record.models.ts';
import { startTestWorld } from '#test/harness/node.ts';

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Model {
  description: string;
  properties: Record<string, { type?: string; readOnly?: true; enum?: string[]; description?: string }>;
  required: string[];
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Model>; securitySchemes: Record<string, { type: string; in?: string; name?: string }> };
}

let node: Awaited<ReturnType<typeof startTestWorld>>;
let document: Document;
let text: string;

beforeAll(async () => {
  node = await startTestWorld();
  text = await (await fetch(`${node.url}/docs/json`)).text();
  document = JSON.parse(text) as Document;
});
afterAll(() => node.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ call: `${method.toUpperCase()} ${path}`, operation })),
  );
const tagged = (tag: string) => operations().filter(({ operation }) => operation.tags?.includes(tag));
const one = (call: string) => operations().find((entry) => entry.call === call)!.operation;
const POSTS = ['POST /api/v1/leads', 'POST /api/v1/leads/ping', 'POST /api/v1/leads/post'];

/** Whole paths out of the printed tree, in which each level stands four characters further right. */
function listRoutes(tree: string): string[] {
  const above: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const [, indent, part, methods] = /^(.*?── )(\S+)(?: \((.+)\))?$/.exec(line) ?? [];
    if (!indent || !part) return [];
    const depth = indent.length / 4 - 1;
    above.splice(depth, above.length, (above[depth - 1] ?? '') + part);
    return methods ? [above[depth]!] : [];
  });
}

describe('/docs/json', () => {
  it('account §7: lists every call there is: intake, account and console', () => {
    expect(tagged('intake').map(({ call }) => call)).toEqual(expect.arrayContaining([...POSTS, 'GET /api/v1/leads/{id}']));
    expect(tagged('account').map(({ call }) => call)).toEqual(
      expect.arrayContaining(['POST /team-login', 'GET /api/v1/teamMgmt/user/is-user-is-logged-in', 'GET /admin/logout']),
    );
    const team = ['common/get-data', 'common/update', 'organization/check-domain-exist-status', 'users/register', 'non-dp/users/register'];
    const people = ['team/change-status', 'team/member/name', 'team/resend-activation-email', 'team/register-member-data'];
    const more = ['team/register-member-activation', 'team/member/accept-invitation', 'user/forgot-password', 'user/reset-mfa'];
    const teamMgmt = [...team, ...people, ...more, 'user/reset-password/{token}'].map((path) => `POST /api/v1/teamMgmt/${path}`);
    const codes = ['verify-mfa', 'validate-mfa', 'register/verify-mfa'].map((path) => `POST /api/user/${path}`);
    expect(tagged('account').map(({ call }) => call)).toEqual(expect.arrayContaining([...teamMgmt, ...codes]));
    const console = ['leads', 'leads/filters', 'leads/choices', 'leads/{id}', 'overview', 'feed', 'demo'].map(
      (path) => `GET /api/console/${path}`,
    );
    expect(tagged('console').map(({ call }) => call)).toEqual(
      expect.arrayContaining([...console, 'POST /api/v1/get-regions-and-verticals']),
    );
    // And nothing that says not what it is for.
    expect(operations().filter(({ operation }) => !operation.tags || !operation.summary)).toEqual([]);
  });

  it('no route of the server but files, health and these pages is left out', () => {
    const routes = listRoutes(node.app.printRoutes({ commonPrefix: false }));
    const documented = new Set(Object.keys(document.paths).map((path) => path.replace(/\{(\w+)\}/g, ':$1')));
    const hidden = routes.filter(
      (path) => !documented.has(path) && !/^\/($|\*|docs|assets|healthz|readyz|metrics|mailbox)|\.\w+$/.test(path),
    );
    expect(routes.length).toBeGreaterThan(10);
    expect(hidden).toEqual([]);
  });

  it.each(POSTS)('%s has its body in three formats, its answers in two, and the Idempotency-Key', (call) => {
    const { requestBody, responses, parameters, security } = one(call);
    expect(Object.keys(requestBody!.content)).toEqual(['application/json', 'application/x-www-form-urlencoded', 'application/xml']);
    expect(Object.keys(requestBody!.content['application/json']!.schema.properties!)).toContain('timeoutMs');
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['200', '202', '400', '401', '409', '413', '415', '422', '429', '503']));
    for (const { content } of Object.values(responses)) expect(Object.keys(content!)).toEqual(['application/json', 'application/xml']);
    expect(parameters).toEqual([expect.objectContaining({ in: 'header', name: 'idempotency-key' })]);
    expect(security).toEqual([{ postingKey: [] }, { postingKeyHeader: [] }]);
  });

  it('the status of a lead names its id and format', () => {
    const { parameters, responses } = one('GET /api/v1/leads/{id}');
    expect(parameters?.map((parameter) => `${parameter.in} ${parameter.name}`).sort()).toEqual(['path id', 'query format']);
    expect(Object.keys(responses['404']!.content!)).toEqual(['application/json', 'application/xml']);
  });

  it('keys may come as a bearer token or as X-Api-Key', () => {
    expect(document.components.securitySchemes).toMatchObject({
      postingKey: { type: 'http' },
      postingKeyHeader: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      session: { type: 'apiKey', in: 'cookie' },
    });
  });

  it('every call of the console and the account says what it answers, when all is well and when it refuses', () => {
    const calls = [...tagged('console'), ...tagged('account')];
    expect(calls.length).toBeGreaterThanOrEqual(9);
    for (const { call, operation } of calls) {
      expect([call, Object.keys(operation.responses)]).toEqual([call, expect.arrayContaining(['200', '4XX', '5XX'])]);
      for (const [code, { content }] of Object.entries(operation.responses))
        for (const { schema } of Object.values(content ?? { missing: { schema: {} } }))
          expect([call, code, Object.keys(schema).length > 0]).toEqual([call, code, true]);
    }
    expect(Object.keys(one('POST /team-login').requestBody!.content['application/json']!.schema.properties!)).toEqual([
      'email',
      'password',
    ]);
  });

  it('console §7: every model of the generic data calls says what it takes, what it only tells, and what is unique', () => {
    const models = Object.fromEntries(
      Object.entries(document.components.schemas).flatMap(([name, model]) => (name.startsWith('record.') ? [[name.slice(7), model]] : [])),
    );
    expect(Object.keys(models)).toEqual([...recordModels.keys()]);
    for (const [name, model] of recordModels) {
      const { properties } = models[name]!;
      expect([name, Object.keys(properties)]).toEqual([name, ['_id', ...Object.keys(model.fields)]]);
      for (const [field, { write }] of Object.entries(model.fields))
        expect([name, field, properties[field]!.readOnly === true]).toEqual([name, field, write === undefined]);
    }
    expect(models.region).toMatchObject({
      description: expect.stringContaining('Unique: name; slug.'),
      required: ['name', 'slug', 'country'],
      properties: {
        name: { type: 'string', maxLength: 120 },
        country: { enum: ['us', 'uk'], description: expect.stringContaining('never changed') },
        verticalCount: { type: 'number', readOnly: true },
      },
    });
    expect(JSON.stringify(models).length).toBeLessThan(40_000);
  });

  it('console §7: rules of many parts are told once, by name, and every reference leads somewhere', () => {
    const { schemas } = document.components;
    const { properties } = schemas['record.buyerTier']!;
    const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(properties).toMatchObject({
      caps: refer('Caps'),
      price: refer('TierPrice'),
      endpoint: refer('Endpoint'),
      filter: { anyOf: [refer('Filter'), { type: 'null' }] },
      thirdParty: { anyOf: [refer('OutsideCheck'), { type: 'null' }] },
    });
    const inner = ['Hours', 'PauseDates', 'DuplicateRule', 'Breaker'].map((name) => JSON.stringify(refer(name)));
    for (const one of inner) expect(JSON.stringify(properties)).toContain(one);
    expect(schemas['record.publisherTier']!.properties).toMatchObject({ priceModel: refer('PriceModel') });
    expect(schemas['record.campaign']!.properties).toMatchObject({ margin: refer('Margin') });
    expect(JSON.stringify(schemas.Filter)).toContain(JSON.stringify({ not: refer('Filter') }));
    for (const [, name] of text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)) expect(Object.keys(schemas)).toContain(name);
    expect(text.match(/"\$ref":"(?!#\/components\/schemas\/)/)).toBeNull();
    for (const { model, fields } of recordModels.values())
      for (const [name, { kind, write }] of Object.entries(fields)) {
        const told = Object.keys(schemas[`record.${model}`]!.properties[name]!);
        if (kind === 'json' && write) expect([model, name, told]).not.toEqual([model, name, ['description']]);
      }
  });

  it('a configuration has its real shape, to be taken in and as it is saved', () => {
    const whole = { $ref: '#/components/schemas/ConfigurationDocument' };
    const { requestBody, description } = one('POST /api/v1/configuration/import');
    expect(requestBody!.content['application/json']!.schema.properties).toMatchObject({ document: whole });
    expect(one('GET /api/v1/configuration/export').responses['200']!.content!['application/json']!.schema).toEqual(whole);
    expect(description).toContain('configuration_invalid');
    const lists = document.components.schemas.ConfigurationDocument!.properties as Record<string, { items?: { properties: object } }>;
    expect(lists.buyerTiers!.items!.properties).toMatchObject({
      place: { type: 'string' },
      data: { properties: { endpoint: { $ref: '#/components/schemas/Endpoint' } }, required: ['delivery', 'price', 'endpoint'] },
    });
    expect(Object.keys((lists.buyerTiers!.items!.properties as { data: Model }).data.properties)).not.toContain('buyerId');
    expect(lists.verticals!.items!.properties).toMatchObject({ fields: { items: { required: expect.arrayContaining(['fieldName']) } } });
  });

  it('stays small enough to be read, and is made once', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(1_500_000);
    expect(node.app.swagger()).toBe(node.app.swagger());
  });

  it('console §7: get-data and unique-name say what their answers mean', () => {
    const answer = (call: string) => JSON.stringify(one(call).responses['200']!.content!['application/json']!.schema);
    expect(answer('POST /api/v1/common/get-data')).toMatch(/How many there are in all.*True when there are more/);
    expect(answer('POST /api/v1/common/get/unique-name')).toMatch(/True when every value asked for is free/);
    expect(one('POST /api/v1/common/get/unique-name').description).toContain('several at once');
  });

  it('says what a call is for in plain words, without the paragraph that asks for it', () => {
    expect(operations().filter(({ operation }) => /§|\((account|console)/.test(operation.summary!))).toEqual([]);
  });
});

describe('/docs', () => {
  it('carries our own mark and title', async () => {
    const page = await (await fetch(`${node.url}/docs/`)).text();
    expect(page).toContain('<title>Sluice API</title>');
    expect(page).not.toContain('favicon-32x32');
    const icon = await fetch(`${node.url}/docs/static/theme/favicon.svg`);
    const mark = readFileSync(new URL('../../web/static/favicon.svg', import.meta.url));
    expect([icon.headers.get('content-type'), await icon.text()]).toEqual(['image/svg+xml', mark.toString()]);
    const start = await (await fetch(`${node.url}/docs/static/swagger-initializer.js`)).text();
    expect(start).toContain(`data:image/svg+xml;base64,${mark.toString('base64')}`);
  });
});
