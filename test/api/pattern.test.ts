/** console §3, §5: no expression that somebody writes can hold a node up: it is refused wherever it is written, and left out where it is stored. */
import { RE2JS } from 're2js';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, LEAD, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const C = '/api/v1/common';
const HEAVY = '\\pL{1000}'.repeat(50);
let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: string;

const call = (path: string, body: Record<string, unknown>) => node.post(path, body, { ...OWN_PAGE, cookie: owner });
const editTier = (data: object) => call(`${C}/post-edit-data`, { model: 'buyerTier', _id: world.tiers[0]!.buyerTierId, ...data });

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, buyer: 'First' },
          { url: buyer.url, buyer: 'Second' },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  const { email, password } = await buildUser(node.db, world.organizationId);
  owner = (await node.post('/team-login', { email, password }, OWN_PAGE)).headers.get('set-cookie')!.split(';')[0]!;
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const leg = () => ({ ...jsonEndpoint(buyer.url, 'post').post, body: { format: 'json' as const, mapping: [] } });
function endpoint(patterns: string[]) {
  const post = leg();
  return { post: { ...post, response: { ...post.response, reasons: patterns.map((pattern) => ({ pattern })) } } };
}
const withRules = (patterns: string[]) => {
  const post = leg();
  const when = patterns.map((pattern) => ({ at: { part: 'body' as const }, is: 'matches' as const, pattern }));
  const outcomes = Array.from({ length: Math.ceil(when.length / 20) }, (_, at) => ({
    outcome: 'rejected' as const,
    when: when.slice(at * 20, at * 20 + 20),
  }));
  return { post: { ...post, response: { ...post.response, outcomes } } };
};
const field = (more: object) => ({
  model: 'field',
  ...{ fieldName: 'heavy', fieldHumanName: 'Heavy', verticalId: world.verticalId, type: 'string', privacyClass: 'P1' },
  ...more,
});
const leaf = (value: string) => ({ field: 'first_name', is: 'matches', value });

describe('console §3, E7: an expression that is too much is refused where it is written, before it is compiled', () => {
  it.each<[string, string, () => [string, Record<string, unknown>]]>([
    ['in a pasted answer', 'endpoint.post.response', () => ['/api/console/endpoint/read', trial({ body: 'x' })]],
    ['in a preview', 'endpoint.post.response', () => ['/api/console/endpoint/preview', trial({ verticalId: world.verticalId, lead: {} })]],
    [
      'in a test call',
      'endpoint.post.response',
      () => ['/api/console/endpoint/test-call', trial({ verticalId: world.verticalId, lead: {} })],
    ],
    [
      'in a tier’s endpoint',
      'endpoint.post.response',
      () => [
        `${C}/post-edit-data`,
        {
          model: 'buyerTier',
          _id: world.tiers[0]!.buyerTierId,
          endpoint: withRules(Array.from({ length: 900 }, (_, at) => `${at}${HEAVY}`)),
        },
      ],
    ],
    [
      'in a service',
      'endpoint.post.response',
      () => [`${C}/post-add-data`, { model: 'service', name: 'Heavy', verticalId: world.verticalId, endpoint: endpoint([HEAVY]) }],
    ],
    [
      'in a tier’s filter',
      'filter',
      () => [`${C}/post-edit-data`, { model: 'buyerTier', _id: world.tiers[0]!.buyerTierId, filter: { any: Array(20).fill(leaf(HEAVY)) } }],
    ],
    [
      'in a publisher tier’s filter',
      'filter',
      () => [`${C}/post-edit-data`, { model: 'publisherTier', _id: world.publisherTierId, filter: leaf(HEAVY) }],
    ],
    ['in a field', 'pattern', () => [`${C}/post-add-data`, field({ pattern: '\\pL{1000}'.repeat(30) })]],
  ])('%s', async (_, place, request) => {
    const compile = vi.spyOn(RE2JS, 'compile');
    onTestFinished(() => compile.mockRestore());
    const [path, body] = request();
    const { statusCode, json } = await call(path, body);
    expect([statusCode, json.errors[0].field]).toEqual([400, expect.stringContaining(place)]);
    expect(json.msg).toMatch(/too large: repeats such as .* shorten them/);
    expect(compile.mock.calls.filter(([text]) => text.includes('1000'))).toEqual([]);
  });

  const trial = (more: object) => ({ endpoint: endpoint([HEAVY]), leg: 'post', ...more });

  it('an import is refused whole, with the place in the document', async () => {
    const exported = await fetch(`${node.url}/api/v1/configuration/export`, { headers: { ...OWN_PAGE, cookie: owner } });
    // biome-ignore lint/suspicious/noExplicitAny: the document is changed as a person might
    const document = (await exported.json()) as any;
    document.buyerTiers.push({
      ...document.buyerTiers[0],
      name: 'Heavy',
      data: { ...document.buyerTiers[0].data, endpoint: endpoint([HEAVY]) },
    });
    for (const dryRun of [true, false]) {
      const { statusCode, json } = await call('/api/v1/configuration/import', { document, dryRun });
      expect([statusCode, json.msg]).toEqual([400, expect.stringMatching(/^Buyer tier 3: .*too large.*Nothing was imported\.$/)]);
    }
  });

  it('twenty in an endpoint and in a filter are taken, the twenty-first is not', async () => {
    const patterns = Array.from({ length: 21 }, (_, at) => `code${at}[a-z]`);
    expect((await editTier({ endpoint: withRules(patterns.slice(0, 20)) })).statusCode).toBe(200);
    expect((await editTier({ endpoint: withRules(patterns) })).json.msg).toMatch(/An endpoint has at most 20 patterns; join some with \|/);
    expect((await editTier({ filter: { any: patterns.slice(1).map(leaf) } })).statusCode).toBe(200);
    expect((await editTier({ filter: { any: patterns.map(leaf) } })).json.msg).toMatch(
      /A filter has at most 20 patterns; join some with \|/,
    );
    expect((await editTier({ filter: null, endpoint: endpoint(['x']) })).statusCode).toBe(200);
  });

  it('the fields of a vertical share a budget, because every lead meets all of them', async () => {
    for (let at = 0; at < 4; at++)
      expect((await call(`${C}/post-add-data`, field({ fieldName: `big${at}`, pattern: `[a-z]{${900 + at}}` }))).statusCode).toBe(200);
    const refused = await call(`${C}/post-add-data`, field({ fieldName: 'big4', pattern: '[a-z]{900}' }));
    expect([refused.statusCode, refused.json.code]).toEqual([400, 'field_invalid']);
    expect(refused.json.msg).toMatch(/patterns of the fields of a vertical are too large together/);
  });
});

describe('what is stored already', () => {
  it('and is too much leaves its tier out, in words; leads go on to the next', async () => {
    const stored = { filter: leaf(HEAVY), endpoint: withRules(Array.from({ length: 100 }, (_, at) => `${at}${HEAVY}`)) };
    const compile = vi.spyOn(RE2JS, 'compile');
    onTestFinished(() => compile.mockRestore());
    const [first, second] = world.tiers;
    const set = (column: 'filter' | 'endpoint', value: object | null) =>
      node.pool.query(`update buyer_tier set ${column} = $1 where id = $2`, [value && JSON.stringify(value), first!.buyerTierId]);
    for (const column of ['filter', 'endpoint'] as const) {
      await set(column, stored[column]);
      await node.planBook.reload(world.organizationId);
      const { problems } = node.planBook.find(world.organizationId)!;
      expect(problems).toMatchObject([
        { kind: 'buyerTier', id: first!.buyerTierId, severity: 'leftOut', text: expect.stringMatching(/too large.*shorten them/) },
      ]);
      const lead = { ...LEAD, email: `${column}@example.com` };
      const answer = await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` });
      expect(answer.json.status).toBe('accepted');
      const { rows } = await node.pool.query('select buyer_tier_id from sale where lead_id = $1', [answer.json.leadId]);
      expect(rows).toEqual([{ buyer_tier_id: second!.buyerTierId }]);
      if (column === 'filter') await set('filter', null);
    }
    expect(compile.mock.calls.filter(([text]) => text.includes('pL{1000}'))).toEqual([]);
    await set('endpoint', endpoint(['x']));
  });

  it('a change compiles nothing again that it did not change', async () => {
    const patterns = Array.from({ length: 20 }, (_, at) => `kept${at}[a-z]{40}`);
    expect((await editTier({ endpoint: withRules(patterns) })).statusCode).toBe(200);
    const compile = vi.spyOn(RE2JS, 'compile');
    onTestFinished(() => compile.mockRestore());
    const renamed = await call(`${C}/post-edit-data`, { model: 'campaign', _id: world.campaignId, name: 'Renamed' });
    expect(renamed.statusCode).toBe(200);
    await node.planBook.reload(world.organizationId);
    expect(node.planBook.find(world.organizationId)!.plan.campaigns.get(world.campaignId)!.config.name).toBe('Renamed');
    expect(compile).not.toHaveBeenCalled();
  });
});
