import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestWorld } from '#test/harness/node.ts';

interface Operation {
  tags?: string[];
  summary?: string;
  security?: Record<string, unknown>[];
  parameters?: { name: string; in: string; required?: boolean }[];
  requestBody?: { content: Record<string, { schema: { properties?: object } }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, { type: string; in?: string; name?: string }> };
}

let node: Awaited<ReturnType<typeof startTestWorld>>;
let document: Document;

beforeAll(async () => {
  node = await startTestWorld();
  document = (await (await fetch(`${node.url}/docs/json`)).json()) as Document;
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
    const console = ['leads', 'leads/filters', 'leads/{id}', 'overview', 'feed', 'demo'].map((path) => `GET /api/console/${path}`);
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
});
