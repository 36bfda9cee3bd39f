/** docs/wire-quirks.md, the rows that take more than one answer to see: what a buyer remembers, what it has room for, and what is only a test. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACCEPT, REJECT, type ScriptedAnswer, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, LEAD, type TierSpec, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const BREAKER = { failurePercent: 50, minimumCalls: 1, lookBackMinutes: 5, pauseMinutes: 5 };

let database: TestDatabase;
let nodes: [TestNode, TestNode];
let ann: ScriptedBuyer;
let bob: ScriptedBuyer;

beforeAll(async () => {
  database = await freshDatabase();
  nodes = [await startNode(database.url), await startNode(database.url)];
  [ann, bob] = [await startBuyer(), await startBuyer()];
});
afterAll(async () => {
  await Promise.all(nodes.map((node) => node.close()));
  await Promise.all([ann.close(), bob.close()]);
  await database.drop();
});
beforeEach(() => {
  ann.answer(() => ACCEPT);
  bob.answer(() => ACCEPT);
});

/** Ann's tier first, Bob's behind it. */
async function openPlace(first: Partial<TierSpec> = {}, mode: 'priority' | 'auction' = 'priority'): Promise<World & { tierId: string }> {
  const tiers = [
    { url: ann.url, buyer: 'Ann', name: 'First', ...first },
    { url: bob.url, buyer: 'Bob', name: 'Second' },
  ];
  const world = await buildWorld(nodes[0].db, { groups: [{ mode, tiers }] });
  await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
  ann.calls.length = 0;
  bob.calls.length = 0;
  return { ...world, tierId: world.tiers[0]!.buyerTierId };
}

let counter = 0;
const nextLead = () => {
  counter += 1;
  return { ...LEAD, email: `q${counter}@example.com`, phone: `212555${String(1000 + counter)}` };
};
const send = (place: World, { to = nodes[0], path = '/api/v1/leads', lead = nextLead() as object } = {}) =>
  to.post(path, lead, { authorization: `Bearer ${place.key}` });

async function signIn({ organizationId }: World): Promise<string> {
  const { email, password } = await buildUser(nodes[0].db, organizationId);
  const answer = await nodes[0].post('/team-login', { email, password }, OWN_PAGE);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}
async function get(cookie: string, path: string) {
  const response = await fetch(nodes[0].url + path, { headers: { ...OWN_PAGE, cookie } });
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into by tests
  return (await response.json()) as any;
}
const restsAt = (node: TestNode, { organizationId, tierId }: { organizationId: string; tierId: string }) =>
  node.rests.of(organizationId).find(tierId);

describe('a buyer that sends a lead on', () => {
  const place = (followRedirects: boolean) => {
    const { post } = jsonEndpoint(ann.url, 'post');
    return openPlace({ afterTimeout: 'hold', endpoint: { post: { ...post, ...(followRedirects && { followRedirects }) } } });
  };
  const onward = () =>
    ann.answer(({ path }) => (path.includes('moved') ? ACCEPT : { status: 307, headers: { location: `${ann.url}/moved?who=Ada` } }));

  it('wire-quirks 44: it is followed where its tier says so, and the page of the lead tells where it went', async () => {
    onward();
    const following = await place(true);
    const { json } = await send(following);
    expect([json.status, ann.calls.map(({ method, path }) => [method, path])]).toEqual([
      'accepted',
      [
        ['POST', expect.any(String)],
        ['POST', '/moved?who=Ada'],
      ],
    ]);
    expect(ann.calls[1]!.body).toBe(ann.calls[0]!.body);
    const { lead } = await get(await signIn(following), `/api/console/leads/${json.leadId}`);
    const { statusCode, hops } = lead.attemptList[0].wire;
    expect([statusCode, hops]).toEqual([200, [{ statusCode: 307, method: 'POST', url: expect.stringContaining(`${ann.url}/moved?who=`) }]]);
    expect(hops[0].url).not.toContain('Ada');
  });

  it('wire-quirks 44: elsewhere it is an error, after which a tier that holds keeps the lead from others, as the buyer may have it', async () => {
    onward();
    const { json } = await send(await place(false));
    expect([json.status, ann.calls.length, bob.calls.length]).toEqual(['queued', 1, 0]);
  });
});

describe('a buyer that cannot be reached', () => {
  it('engine: is tried once more where its tier says so, which the page of the lead tells; then it is the next one’s turn', async () => {
    const { post } = jsonEndpoint('http://127.0.0.1:1', 'post');
    const twice = await openPlace({ endpoint: { post: { ...post, retryUnsent: true } } });
    const { json } = await send(twice);
    expect([json.status, bob.calls.length]).toEqual(['accepted', 1]);
    const { lead } = await get(await signIn(twice), `/api/console/leads/${json.leadId}`);
    expect(lead.attemptList[0]).toMatchObject({ outcome: 'terrors', isAnswered: false, wire: { statusCode: null } });
    expect(lead.attemptList[0].wire.warnings).toContain('tried twice; at first: connection refused');
  });
});

describe('a buyer that takes no more for now', () => {
  const inBody = jsonEndpoint('http://buyer.test', 'post').post.response;
  const withRule = (): Partial<TierSpec> => {
    const { post } = jsonEndpoint(ann.url, 'post');
    return { endpoint: { post: { ...post, response: { ...inBody, retryAfter: { at: [{ path: 'retry_after' }], unit: 'seconds' } } } } };
  };
  const limits: [string, ScriptedAnswer, () => Partial<TierSpec>, number][] = [
    ['a header', { status: 429, headers: { 'retry-after': '40' } }, () => ({}), 40_000],
    ['its body', { status: 429, body: '{"result":"error","retry_after":50}' }, withRule, 50_000],
    ['its body, under 200', { status: 200, body: '{"result":"rejected","retry_after":"60"}' }, withRule, 60_000],
  ];
  it.each(limits)(
    'wire-quirks 43: asked by %s, it is left alone that long by every node, and the next buyer buys',
    async (_by, said, tier, ms) => {
      ann.answer(() => said);
      const place = await openPlace({ breaker: BREAKER, ...tier() });
      const before = Date.now();
      expect((await send(place)).json).toMatchObject({ status: 'accepted' });
      await expect.poll(() => nodes.map((node) => restsAt(node, place) !== undefined), { interval: 10 }).toEqual([true, true]);
      for (const node of nodes) {
        expect(restsAt(node, place)).toBeGreaterThanOrEqual(before + ms);
        expect(restsAt(node, place)).toBeLessThan(before + ms + 5_000);
      }
      const answers = await Promise.all([...Array(10).keys()].map((at) => send(place, { to: nodes[at % 2]! })));
      expect(answers.map((answer) => answer.json.status)).toEqual(Array(10).fill('accepted'));
      expect([ann.calls.length, bob.calls.length]).toEqual([1, 11]);
    },
  );

  it('wire-quirks 43: it is a limit and no error: the lead, the overview and the breaker say so', async () => {
    ann.answer(() => ({ status: 429, headers: { 'retry-after': '40' } }));
    const place = await openPlace({ breaker: BREAKER });
    const first = await send(place);
    const second = await send(place);
    const cookie = await signIn(place);
    const verdictOf = async (id: string) => (await get(cookie, `/api/console/leads/${id}`)).lead.verdicts[0];
    expect(await verdictOf(first.json.leadId)).toMatchObject({
      outcome: 'rejected',
      text: expect.stringMatching(
        /^The buyer takes no more leads for now: rate limited; nothing is sent to it until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/,
      ),
    });
    expect(await verdictOf(second.json.leadId)).toMatchObject({
      ...{ outcome: 'filtered', filterReasonKey: 11 },
      text: expect.stringMatching(/^The buyer asked to be left alone until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    });
    const { warnings } = await get(cookie, '/api/console/overview?region=us&vertical=payday&timeZone=UTC');
    expect(warnings).toMatchObject([
      { kind: 'resting', subjectId: place.tierId, text: expect.stringContaining('Ann, First takes no more') },
    ]);
    await expect
      .poll(
        async () => (await nodes[0].pool.query('select calls, failures from breaker_minute where buyer_tier_id = $1', [place.tierId])).rows,
      )
      .toEqual([{ calls: 1, failures: 0 }]);
    expect(nodes[0].breakers.of(place.organizationId).find(place.tierId)).toBeUndefined();
  });

  it('wire-quirks 43: it is called again once the time is over, or its tier has been seen to', async () => {
    ann.answer(() => ({ status: 429, headers: { 'retry-after': '1' } }));
    const place = await openPlace();
    await send(place);
    await send(place);
    expect(ann.calls).toHaveLength(1);
    ann.answer(() => ACCEPT);
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await send(place);
    expect(ann.calls).toHaveLength(2);

    ann.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    await send(place);
    const cookie = await signIn(place);
    await expect.poll(() => nodes.map((node) => (restsAt(node, place) ?? 0) > Date.now()), { interval: 10 }).toEqual([true, true]);
    const data = { model: 'buyerTier', _id: place.tierId, timeLimitMs: 2_500 };
    expect((await nodes[0].post('/api/v1/common/post-edit-data', data, { ...OWN_PAGE, cookie })).statusCode).toBe(200);
    await expect.poll(() => nodes.map((node) => restsAt(node, place)), { interval: 10 }).toEqual([undefined, undefined]);
    ann.answer(() => ACCEPT);
    await send(place, { to: nodes[1] });
    expect(ann.calls).toHaveLength(4);
  });

  it('wire-quirks 43: a person ends it by hand, once, told in the change log; a stranger does not', async () => {
    ann.answer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
    const [place, other] = [await openPlace(), await openPlace()];
    await send(place);
    await expect.poll(() => nodes.map((node) => restsAt(node, place) !== undefined), { interval: 10 }).toEqual([true, true]);
    const [cookie, strangers] = [await signIn(place), await signIn(other)];
    const tier = await nodes[0].post('/api/v1/common/get-data', { model: 'buyerTier' }, { ...OWN_PAGE, cookie });
    expect(tier.text).toContain('"restsUntil":"20');
    const end = (as: string, to = nodes[0]) =>
      to.post(`/api/console/buyer-tiers/${place.tierId}/end-rest`, {}, { ...OWN_PAGE, cookie: as });
    expect((await end(strangers)).statusCode).toBe(404);
    expect((await end(cookie)).statusCode).toBe(200);
    expect(restsAt(nodes[0], place)).toBeUndefined();
    await expect.poll(() => restsAt(nodes[1], place), { interval: 10 }).toBeUndefined();
    expect((await end(cookie, nodes[1])).json.code).toBe('rest_over');
    const { rows } = await nodes[0].pool.query('select before from change_log where organization_id = $1', [place.organizationId]);
    expect(JSON.stringify(rows)).toContain('restsUntil');
    ann.answer(() => ACCEPT);
    ann.calls.length = 0;
    await send(place, { to: nodes[1] });
    expect(ann.calls).toHaveLength(1);
  });

  it('wire-quirks 43: a ping that is refused so is no bid, and one without a time keeps nobody away', async () => {
    ann.answer(() => ({ status: 429 }));
    const place = await openPlace({ delivery: 'pingPost', price: { kind: 'bid' } }, 'auction');
    for (let sent = 0; sent < 3; sent++) expect((await send(place)).json.status).toBe('accepted');
    expect(ann.calls.map((call) => call.path)).toEqual(['/ping', '/ping', '/ping']);
    ann.answer(() => ({ status: 429, headers: { 'retry-after': '20' } }));
    for (let sent = 0; sent < 3; sent++) await send(place);
    expect(ann.calls).toHaveLength(4);
  });
});

describe('a buyer that remembers', () => {
  const sold = new Set<string>();
  /** One bid a ZIP code, whoever asks; what was posted to it once it has already. */
  const remembering = (body: string, path: string): ScriptedAnswer => {
    const { zip, ping_ref: ref } = JSON.parse(body);
    if (path === '/ping') return { body: JSON.stringify({ result: 'accepted', price: '25.00', id: `bid ${zip}` }) };
    const again = sold.has(ref);
    sold.add(ref);
    return { body: JSON.stringify({ result: again ? 'duplicate' : 'accepted', price: '25.00', id: ref }) };
  };

  it('wire-quirks 41: a bid that is given again for a second lead is the same bid: whoever posts to it second is told so', async () => {
    ann.answer(({ body, path }) => remembering(body, path));
    const place = await openPlace({ delivery: 'pingPost', price: { kind: 'bid' } }, 'auction');
    const zip = '02134';
    const first = await send(place, { lead: { ...nextLead(), zip } });
    const second = await send(place, { lead: { ...nextLead(), zip } });
    expect(first.json).toMatchObject({ status: 'accepted', price: '20.00' });
    expect(second.json).toMatchObject({ status: 'accepted', price: '16.00' });
    expect(bob.calls).toHaveLength(1);
    const refs = ann.calls.filter(({ path }) => path === '/post').map(({ body }) => JSON.parse(body).ping_ref);
    expect(refs).toEqual([`bid ${zip}`, `bid ${zip}`]);
  });

  it('wire-quirks 41: a publisher that pings the same lead again is given the first bid, and no buyer is asked twice', async () => {
    ann.answer(({ body, path }) => remembering(body, path));
    const place = await openPlace({ delivery: 'pingPost', price: { kind: 'bid' } }, 'auction');
    const { first_name: _, ...lead } = { ...nextLead(), zip: '02135' };
    const ping = (to: TestNode) => send(place, { to, path: '/api/v1/leads/ping', lead });
    const answers = [await ping(nodes[0]), await ping(nodes[1]), await ping(nodes[0])];
    expect(new Set(answers.map((answer) => answer.json.pingId)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.json.price))).toEqual(new Set(['20.00']));
    expect(ann.calls).toHaveLength(1);
  });
});

describe('a lead that is only a test', () => {
  const testing = (place: World) => {
    const leads = [
      { ...nextLead(), test: true },
      { ...nextLead(), test: 'true' },
      { ...nextLead(), email: 'sold@test.example' },
    ];
    return Promise.all(leads.map((lead) => send(place, { lead })));
  };

  it('wire-quirks 50: reaches no buyer, takes no cap, breaker, turn or money, and is in no report', async () => {
    const caps = [{ measure: 'sold', period: 'day', limit: 1, timeZone: 'UTC' }] as const;
    const testValues = { field: 'email', sold: 'sold@test.example' };
    const world = await buildWorld(nodes[0].db, {
      groups: [{ mode: 'roundRobin', tiers: [{ url: ann.url, buyer: 'Ann', caps: [...caps], breaker: BREAKER }] }],
      publisher: { caps: [...caps] },
      testValues,
    });
    await Promise.all(nodes.map((node) => node.planBook.reload(world.organizationId)));
    ann.calls.length = 0;
    const tests = await testing(world);
    expect(tests.map((answer) => answer.json.status)).toEqual(['test', 'test', 'test']);
    expect(ann.calls).toEqual([]);
    for (const table of ['counter', 'reservation', 'sale', 'attempt', 'group_turn', 'breaker_minute', 'duplicate_claim'])
      expect((await nodes[0].pool.query(`select * from ${table} where organization_id = $1`, [world.organizationId])).rows, table).toEqual(
        [],
      );
    const real = await send(world);
    expect(real.json).toMatchObject({ status: 'accepted', price: '16.00' });
    const { today, topBuyers } = await get(await signIn(world), '/api/console/overview?region=us&vertical=payday&timeZone=UTC');
    expect(today).toMatchObject({ leads: 1, sold: 1, revenue: '20.00' });
    expect(topBuyers).toMatchObject([{ name: 'Ann', sold: 1, revenue: '20.00' }]);
  });

  it.each(['{"result":"accepted","test":true}', '{"result":"accepted","price":"99.00","mode":"TEST"}'])(
    'wire-quirks 50: what a buyer says of tests does not make one of a real lead: %s is a sale',
    async (body) => {
      ann.answer(() => ({ body }));
      const place = await openPlace();
      expect((await send(place)).json.status).toBe('accepted');
      const { rows } = await nodes[0].pool.query('select test from sale where organization_id = $1', [place.organizationId]);
      expect(rows).toEqual([{ test: false }]);
    },
  );

  it('wire-quirks 50: a buyer that refuses everything is not asked for a test', async () => {
    ann.answer(() => REJECT);
    const place = await openPlace();
    expect((await testing(place)).slice(0, 2).map((answer) => answer.json.status)).toEqual(['test', 'test']);
    expect(ann.calls).toHaveLength(1); // the third is no test where there is no test value
  });
});
