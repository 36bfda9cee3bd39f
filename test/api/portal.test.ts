/** product.md, account §6: home-buyer and home-publisher are the portals. Nothing of anybody else is ever in one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { startBuyer } from '#test/harness/buyer.ts';
import { buildSamples, callSample, ELSEWHERE, listRoutes, OWN_PAGE, PUBLIC } from '#test/harness/endpoint-samples.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, signIn } from '#test/harness/office.ts';
import { buildUser, dollars, LEAD, type World } from '#test/harness/world.ts';

const T = '/api/v1/teamMgmt';
const PORTAL = '/api/console/portal';
const NAMES = {
  buyer: 'Marked Ann Finance',
  otherBuyer: 'Marked Bob Credit',
  publisher: 'Marked Clicks',
  otherPublisher: 'Marked Traffic',
};
/** What Ann pays, what the publisher is paid, and what stays with the house. */
const PRICE = '61.37';
const PAYOUT = '37.19';
const MARGIN = '24.18';
const OTHER_PRICE = '58.91';
const BUYS = { body: JSON.stringify({ result: 'accepted', price: PRICE, id: 'B-1' }) };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyerServer: Awaited<ReturnType<typeof startBuyer>>;
let built: Awaited<ReturnType<typeof buildSamples>>;
let strangers: Awaited<ReturnType<typeof buildSamples>>;
let world: World;
let owner: Office & { cookie: string };
let ann: Office;
let clicks: Office;
let annsTier: string;
let bobsTier: string;
const sold: string[] = [];

const memberOf = async (email: string) =>
  (await owner.get(`${T}/team/members`)).json.members.find((one: { email: string }) => one.email === email);

/** Somebody of the world, bound by its owner, who signs in afterwards. */
async function bound(kind: 'buyer' | 'publisher', companyId: string): Promise<Office> {
  const person = await signIn(node, world, { role: 'member' });
  const { json } = await person.get(`${T}/user/is-user-is-logged-in`);
  const member = await memberOf(json.user.email);
  expect((await owner.post(`${T}/team/bind`, { _id: member._id, bound: { kind, companyId } })).json.status).toBe(true);
  // The session that ran ends with it: the next one begins with what holds now.
  expect((await person.get(PORTAL)).statusCode).toBe(401);
  const answer = await node.post('/team-login', { email: json.user.email, password: 'correct-horse-1' }, OWN_PAGE);
  return { ...as(answer.headers.get('set-cookie')!.split(';')[0]!), world } as unknown as Office;
}

function as(cookie: string) {
  const headers = { ...OWN_PAGE, cookie };
  return {
    cookie,
    post: (path: string, body: unknown) => node.post(path, body, headers),
    async get(path: string) {
      const answer = await fetch(node.url + path, { headers });
      const text = await answer.text();
      return { statusCode: answer.status, json: text.startsWith('{') ? JSON.parse(text) : text };
    },
    form: async (path: string, body: URLSearchParams) => (await fetch(node.url + path, { method: 'POST', body, headers })).text(),
  };
}
const cookieOf = (office: Office) => (office as unknown as { cookie: string }).cookie;
const span = () =>
  new URLSearchParams({
    from: new Date(Date.now() - 86_400_000).toISOString(),
    to: new Date(Date.now() + 3_600_000).toISOString(),
  }).toString();

async function post(email: string, more: Record<string, unknown> = {}): Promise<string> {
  const answer = await node.post('/api/v1/leads', { ...LEAD, email, ...more }, { authorization: `Bearer ${world.key}` });
  return answer.json.leadId;
}

beforeAll(async () => {
  node = await startTestWorld();
  buyerServer = await startBuyer(() => BUYS);
  const spec = (mark: string) => ({
    name: `${mark} organization`,
    priceModel: { kind: 'fixed' as const, price: dollars(37.19) },
    // Sent to nobody, and called like one that is.
    fields: [{ field_name: 'work_email', field_human_name: 'Email', type: 'email', privacy_class: 'P2' }],
    groups: [
      {
        mode: 'priority' as const,
        tiers: [
          { name: `${mark} prime`, url: buyerServer.url, buyer: NAMES.buyer, price: { kind: 'fixed' as const, price: dollars(61.37) } },
          {
            name: `${mark} second`,
            url: buyerServer.url,
            buyer: NAMES.otherBuyer,
            price: { kind: 'fixed' as const, price: dollars(58.91) },
          },
        ],
      },
    ],
  });
  built = await buildSamples(node, spec('Harbour'));
  strangers = await buildSamples(node, spec('Strange'));
  world = built.world;
  for (const one of [built.world, strangers.world])
    await node.db.updateTable('publisher').set({ name: NAMES.publisher }).where('id', '=', one.publisherId).execute();
  // A second publisher with a seat of its own.
  const ids = { publisher: crypto.randomUUID(), tier: crypto.randomUUID() };
  await node.db
    .insertInto('publisher')
    .values({ organization_id: world.organizationId, id: ids.publisher, name: NAMES.otherPublisher, affiliate_id: 'AFF2' })
    .execute();
  await node.db
    .insertInto('publisher_tier')
    .values({
      ...{ organization_id: world.organizationId, id: ids.tier, publisher_id: ids.publisher, campaign_id: world.campaignId },
      ...{ name: 'Foreign seat', price_model: JSON.stringify({ kind: 'fixed', price: dollars(11) }) },
    })
    .execute();
  [annsTier, bobsTier] = world.tiers.map((one) => one.buyerTierId) as [string, string];
  await node.planBook.reload(world.organizationId);
  const runner = await buildUser(node.db, world.organizationId);
  const entered = await node.post('/team-login', { email: runner.email, password: runner.password }, OWN_PAGE);
  owner = Object.assign(await signIn(node, world), { cookie: entered.headers.get('set-cookie')!.split(';')[0]! });
  ann = await bound('buyer', world.tiers[0]!.buyerId);
  clicks = await bound('publisher', world.publisherId);
  for (const name of ['a', 'b', 'c']) sold.push(await post(`${name}@example.com`));
});
afterAll(async () => {
  await node.stop();
  await buyerServer.close();
});

/** Of the person alone, or their own portal. */
const PERSONAL = new Set([
  ...['GET /api/v1/session/list', 'POST /api/v1/session/end', 'POST /api/v1/session/choose-organization', 'POST /api/v1/session/prove'],
  ...['POST /api/v1/session/recovery-codes', `POST ${T}/team/change-status`, `POST ${T}/user/change-password`],
  ...['GET /organization-logos/:kind', 'POST /api/v1/get-regions-and-verticals', 'POST /api/v1/quick-view/get-actions'],
]);
const ENDING = ['POST /api/v1/session/end', 'POST /api/v1/session/choose-organization', `POST ${T}/user/change-password`];
const isPortal = (route: string) => route.includes('/console/portal') || route.includes('/download-file/portal-');
/** Names and amounts of the other side, and of everybody else. */
const FORBIDDEN = {
  buyer: [
    NAMES.otherBuyer,
    NAMES.publisher,
    NAMES.otherPublisher,
    PAYOUT,
    MARGIN,
    OTHER_PRICE,
    'Harbour second',
    'Main seat',
    'Main campaign',
    'Strange',
  ],
  publisher: [
    NAMES.buyer,
    NAMES.otherBuyer,
    NAMES.otherPublisher,
    PRICE,
    MARGIN,
    OTHER_PRICE,
    'Harbour prime',
    'Harbour second',
    'Foreign seat',
    'Strange',
  ],
};

/** The milliseconds of an instant may read like an amount. */
const withoutInstants = (text: string) => text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?/g, '');

describe('account §6: a member of a portal', () => {
  it.each(['buyer', 'publisher'] as const)(
    'of a %s is refused by every other call, and is told nothing of anybody by any',
    async (kind) => {
      const cookie = cookieOf(kind === 'buyer' ? ann : clicks);
      const routes = listRoutes(node).filter((one) => !(one in PUBLIC) && !ELSEWHERE.test(one));
      expect(routes.length).toBeGreaterThan(150);
      let refused = 0;
      for (const samples of [built.samples, strangers.samples])
        for (const route of routes) {
          // These end or change the session that asks.
          if (ENDING.includes(route)) continue;
          const answer = await callSample(node, route, samples[route]!, cookie);
          const text = await answer.text();
          if (!isPortal(route) && !PERSONAL.has(route)) {
            expect([route, answer.status, JSON.parse(text).code]).toEqual([route, 403, 'portal_only']);
            refused += 1;
          }
          const said = withoutInstants(text);
          for (const mark of FORBIDDEN[kind]) expect([route, said.includes(mark) && text]).toEqual([route, false]);
        }
      expect(refused).toBeGreaterThan(250);
    },
  );

  it('could be told: whoever runs the organization finds all of that in the same answers', async () => {
    const texts: string[] = [];
    for (const route of listRoutes(node).filter(
      (one) => one.startsWith('GET /api/console') && !one.includes('/feed') && one in built.samples,
    ))
      texts.push(await (await callSample(node, route, built.samples[route]!, owner.cookie)).text());
    const all = texts.join();
    for (const mark of new Set([...FORBIDDEN.buyer, ...FORBIDDEN.publisher]))
      expect([mark, all.includes(mark)]).toEqual([mark, mark !== 'Strange']);
  });

  it('is told nothing of places, and opens no page', async () => {
    for (const one of [ann, clicks]) {
      const { json } = await one.post('/api/v1/get-regions-and-verticals', {});
      expect([JSON.parse(json.fullRegionDatas), JSON.parse(json.fullVerticalDatas), json.archived]).toEqual([[], [], []]);
      const session = (await one.get(`${T}/user/is-user-is-logged-in`)).json;
      expect(session.verticalPrimaryField).toBeNull();
      expect(session.permissionObj.globalPermission).toEqual([]);
      expect(Object.values(session.permissionObj.pageStatePermission).filter(Boolean)).toEqual([]);
    }
    expect((await ann.get(`${T}/user/is-user-is-logged-in`)).json.permissionObj.bound).toEqual({
      kind: 'buyer',
      companyId: world.tiers[0]!.buyerId,
    });
    expect((await ann.post(`${T}/common/get-data`, { model: 'user' })).json.data).toHaveLength(1);
    expect((await ann.post(`${T}/common/get-data`, { model: 'organization' })).statusCode).toBe(403);
    const quick = await ann.post('/api/v1/quick-view/get-actions', { regionId: '', verticalId: '', regionSlug: '', verticalSlug: '' });
    expect(quick.json.actions.map((one: { id: string }) => one.id)).toEqual(['setup/home-buyer', 'change-password']);
  });

  it('finds of another company what a stranger finds: nothing', async () => {
    const [lead] = sold as [string];
    expect((await ann.get(`${PORTAL}/publisher/leads`)).json.code).toBe('portal_other_side');
    expect((await clicks.get(`${PORTAL}/buyer/leads`)).json.code).toBe('portal_other_side');
    expect((await ann.get(`${PORTAL}/buyer/leads?tierId=${bobsTier}`)).statusCode).toBe(404);
    expect((await ann.get(`${PORTAL}/buyer/figures?${span()}&tierId=${bobsTier}`)).statusCode).toBe(404);
    // Sold to the other one.
    let calls = 0;
    buyerServer.answer(() => {
      calls += 1;
      return calls % 2
        ? { body: JSON.stringify({ result: 'rejected' }) }
        : { body: JSON.stringify({ result: 'accepted', price: OTHER_PRICE }) };
    });
    const both = [await post('x1@example.com'), await post('x2@example.com')];
    buyerServer.answer(() => BUYS);
    const sales = await node.db
      .selectFrom('sale')
      .select(['lead_id', 'buyer_tier_id', 'sale_index'])
      .where('lead_id', 'in', both)
      .execute();
    for (const { lead_id, buyer_tier_id, sale_index } of sales)
      expect((await ann.get(`${PORTAL}/buyer/leads/${lead_id}/${sale_index}`)).statusCode).toBe(buyer_tier_id === annsTier ? 200 : 404);
    expect(sales.some((sale) => sale.buyer_tier_id === bobsTier)).toBe(true);
    expect((await ann.get(`${PORTAL}/buyer/leads/${lead}/1`)).statusCode).toBe(404);
    expect((await owner.get(PORTAL)).json.code).toBe('portal_unbound');
  });
});

describe('product: the publisher’s portal', () => {
  it('tells its leads with payout and reason, masked, and its tiers, account, specification and keys', async () => {
    const { json } = await clicks.get(`${PORTAL}/publisher/leads`);
    const row = json.rows.find((one: { _id: string }) => one._id === sold[0]);
    expect(row).toMatchObject({ status: 'sold', payout: PAYOUT, reason: null, tierName: 'Main seat', primaryValue: 'a•••@example.com' });
    const one = await clicks.get(`${PORTAL}/publisher/leads/${sold[0]}`);
    expect(one.json.fields.find((field: { label: string }) => field.label === 'Email').value).toBe('a•••@example.com');
    expect(JSON.stringify(one.json)).not.toContain('a@example.com');
    expect((await clicks.get(`${PORTAL}/publisher/leads?q=b@example.com`)).json.rows.map((lead: { _id: string }) => lead._id)).toEqual([
      sold[1],
    ]);
    const portal = (await clicks.get(PORTAL)).json;
    expect(portal.tiers).toMatchObject([{ name: 'Main seat', placeName: 'United States, Payday', keys: [{ isLiving: true }] }]);
    expect(Number(portal.account.balance)).toBeGreaterThanOrEqual(3 * 37.19);
    const page = await clicks.get(`${PORTAL}/posting-specs/${world.publisherTierId}`);
    expect(page.json).toContain('Posting specification');
    expect((await clicks.get(`${PORTAL}/posting-specs/${annsTier}`)).statusCode).toBe(404);
    const file = await clicks.form('/api/v1/download-file/portal-publisher-leads', new URLSearchParams({ isDownloadCSV: 'true' }));
    expect(file).toContain(`,Sold,false,false,,a•••@example.com,Main seat,sub1,${PAYOUT},,${sold[0]}`);
  });

  it('pages through its leads, each once', async () => {
    const seen: string[] = [];
    let before = '';
    for (let page = 0; page < 20; page += 1) {
      const { json } = await clicks.get(`${PORTAL}/publisher/leads?limit=2${before && `&before=${before}`}`);
      seen.push(...json.rows.map((row: { _id: string }) => row._id));
      if (json.older === null) break;
      before = json.older;
    }
    expect(seen.length).toBeGreaterThan(4);
    expect(new Set(seen).size).toBe(seen.length);
    expect([...seen].sort().reverse()).toEqual(seen);
  });

  it('tells figures that add up from its payout alone, by tier, sub id and day', async () => {
    const { json } = await clicks.get(`${PORTAL}/publisher/figures?${span()}`);
    const { attempts, sold: sales, rejected, open, payout, epl } = json.total;
    expect(attempts).toBe(sales + rejected + open);
    expect(Number(payout)).toBeCloseTo(sales * 37.19, 4);
    expect(Number(epl)).toBeCloseTo(Number(payout) / attempts, 3);
    expect(json.rows).toMatchObject([{ name: 'Main seat', now: { attempts } }]);
    expect(json.series.reduce((sum: number, point: { now: { attempts: number } }) => sum + point.now.attempts, 0)).toBe(attempts);
    const bySub = await clicks.get(`${PORTAL}/publisher/figures?${span()}&by=subId`);
    expect(bySub.json.rows).toMatchObject([{ name: 'sub1', now: { attempts } }]);
  });

  it('tells a tier that is told no reasons none', async () => {
    await node.db.updateTable('publisher_tier').set({ terse: true }).where('id', '=', world.publisherTierId).execute();
    await node.planBook.reload(world.organizationId);
    buyerServer.answer(() => ({ body: JSON.stringify({ result: 'rejected' }) }));
    const lead = await post('terse@example.com');
    const read = async () => (await clicks.get(`${PORTAL}/publisher/leads/${lead}`)).json.lead;
    expect(await read()).toMatchObject({ status: 'rejected', reason: null });
    await node.db.updateTable('publisher_tier').set({ terse: false }).where('id', '=', world.publisherTierId).execute();
    await node.planBook.reload(world.organizationId);
    expect(await read()).toMatchObject({ status: 'rejected', reason: 'Buyer(s) Declined' });
    buyerServer.answer(() => BUYS);
  });
});

describe('product: the buyer’s portal', () => {
  it('tells what it bought, with the fields it was sent, and its figures, caps and account', async () => {
    const { json } = await ann.get(`${PORTAL}/buyer/leads`);
    const row = json.rows.find((one: { leadId: string }) => one.leadId === sold[0]);
    expect(row).toMatchObject({ price: PRICE, reference: 'B-1', tierName: 'Harbour prime', returned: null, isReturnAsked: false });
    const one = (await ann.get(`${PORTAL}/buyer/leads/${sold[0]}/0`)).json;
    const sent = JSON.parse(buyerServer.calls.find((call) => call.body.includes('a@example.com'))!.body);
    expect(one.fields.map((field: { label: string }) => field.label).sort()).toEqual(
      Object.entries({
        email: 'Email',
        first_name: 'First name',
        phone: 'Phone',
        state: 'State',
        zip: 'ZIP code',
        monthly_income: 'Monthly income',
      })
        .filter(([name]) => name in sent)
        .map(([, label]) => label)
        .sort(),
    );
    expect(JSON.stringify(one)).not.toContain('a@example.com');
    const figures = (await ann.get(`${PORTAL}/buyer/figures?${span()}`)).json;
    expect(figures.total.sold).toBe(json.rows.filter((lead: { test: boolean }) => !lead.test).length);
    expect(Number(figures.total.spent)).toBeCloseTo(figures.total.sold * 61.37, 4);
    expect(figures.total.offered).toBeGreaterThanOrEqual(figures.total.sold);
    expect(figures.total.p50Ms).toBeGreaterThan(0);
    const portal = (await ann.get(PORTAL)).json;
    expect(portal.tiers).toMatchObject([{ name: 'Harbour prime', price: PRICE, returnDays: 14, returnsAtOnce: false }]);
    expect(portal.account.billing).toBe('none');
    const statement = (await ann.get(`${PORTAL}/statement?month=${new Date().toISOString().slice(0, 7)}`)).json;
    expect(statement.groups).toMatchObject([{ kind: 'revenue', tierName: 'Harbour prime', count: figures.total.sold }]);
    const file = await ann.form('/api/v1/download-file/portal-buyer-leads', new URLSearchParams({ isDownloadCSV: 'true' }));
    expect(file).toContain(`,B-1,Harbour prime,Bought,false,${PRICE},,,${sold[0]}`);
  });

  it('tells no field that it was not sent, also where one that it was sent is called the same', async () => {
    const leadId = await post('twice@example.com', { work_email: 'work@elsewhere.example' });
    const { fields } = (await ann.get(`${PORTAL}/buyer/leads/${leadId}/0`)).json;
    expect(fields.filter(({ label }: { label: string }) => label === 'Email')).toEqual([{ label: 'Email', value: 't•••@example.com' }]);
    const csv = await owner.post('/api/console/data-requests/export', { q: leadId, reason: 'Request 4', format: 'csv' });
    expect(csv.text).toContain(',email,twice@example.com,');
    expect(csv.text).toMatch(/,work_email,work@elsewhere\.example,\r?$/m);
  });

  it('asks for a return, which waits; a second one is refused, and its approval gives the lead back once', async () => {
    const body = { leadId: sold[0], saleIndex: 0, reason: 'Duplicate', note: 'We had her already' };
    expect((await ann.post(`${PORTAL}/returns`, { ...body, reason: 'I do not like it' })).json.code).toBe('return_reason_unknown');
    expect((await ann.post(`${PORTAL}/returns`, { ...body, amount: '100.00' })).json.code).toBe('return_amount_too_large');
    const asked = await ann.post(`${PORTAL}/returns`, body);
    expect(asked.json).toMatchObject({ status: true, isReturned: false });
    expect((await ann.post(`${PORTAL}/returns`, body)).json.code).toBe('request_open');
    expect((await ann.get(`${PORTAL}/buyer/leads?q=${sold[0]}`)).json.rows[0].isReturnAsked).toBe(true);
    const [waiting] = (await owner.get('/api/console/change-requests')).json.rows.filter(
      (one: { recordId: string }) => one.recordId === sold[0],
    );
    expect(waiting).toMatchObject({ model: 'leadReturn', company: { name: NAMES.buyer }, whyNot: '' });
    const decide = () => owner.post(`/api/console/change-requests/${waiting._id}/approve`, { version: null });
    const answers = await Promise.all([decide(), decide()]);
    expect(answers.map((one) => one.statusCode).sort()).toEqual([200, 409]);
    expect((await ann.get(`${PORTAL}/returns?${span()}`)).json).toMatchObject({
      rows: [{ amount: PRICE, reason: 'Duplicate' }],
      total: PRICE,
    });
    expect((await clicks.get(`${PORTAL}/returns?${span()}`)).json).toMatchObject({ rows: [{ amount: PAYOUT, note: '' }], total: PAYOUT });
    expect((await clicks.get(`${PORTAL}/publisher/leads?q=${sold[0]}`)).json.rows[0].returned).toBe(PAYOUT);
  });

  it('gives a lead back at once where its tier lets it', async () => {
    await owner.change('buyerTier', annsTier, { portalReturns: true });
    const answer = await ann.post(`${PORTAL}/returns`, { leadId: sold[1], saleIndex: 0, reason: 'Duplicate', amount: '10.00' });
    expect(answer.json).toMatchObject({ isReturned: true });
    expect((await ann.post(`${PORTAL}/returns`, { leadId: sold[1], saleIndex: 0, reason: 'Duplicate' })).json.code).toBe('return_repeated');
    await owner.change('buyerTier', annsTier, { portalReturns: false });
  });

  it('is in time when it asked in time, however late that is decided', async () => {
    const answer = await ann.post(`${PORTAL}/returns`, { leadId: sold[2], saleIndex: 0, reason: 'Duplicate' });
    expect(answer.statusCode).toBe(200);
    // The sale is moved back, not the asking: what was asked too late stays too late.
    const soldAt = new Date(Date.now() - 20 * 86_400_000);
    await node.db.updateTable('lead_result').set({ finished_at: soldAt }).where('lead_id', '=', sold[2]!).execute();
    const { rows } = (await owner.get('/api/console/change-requests')).json;
    const waiting = rows.find((one: { recordId: string }) => one.recordId === sold[2]);
    const approve = (id: string) => owner.post(`/api/console/change-requests/${id}/approve`, { version: null });
    expect((await approve(waiting._id)).json.code).toBe('return_late');
    // Asked ten days ago it was in time.
    const earlier = newId(Date.now() - 10 * 86_400_000);
    await node.db.updateTable('change_request').set({ id: earlier }).where('id', '=', waiting._id).execute();
    expect((await approve(earlier)).statusCode).toBe(200);
  });
});

describe('console §2, account §7: tables of a portal', () => {
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  /** Nothing came in the first of both. */
  const quiet = { from: at(-50), to: at(-49) };
  const busy = { from: at(-24), to: at(1) };
  const figures = async (who: Office, kind: string, query: Record<string, string>) =>
    (await who.get(`${PORTAL}/${kind}/figures?${new URLSearchParams(query)}`)).json;
  const lines = async (who: Office, file: string, query: Record<string, string>) =>
    (await who.form(`/api/v1/download-file/${file}`, new URLSearchParams({ isDownloadCSV: 'true', ...query })))
      .replace('\uFEFF', '')
      .trim()
      .split('\r\n');

  it.each([
    ['publisher', 'attempts', 'payout', () => clicks],
    ['buyer', 'offered', 'spent', () => ann],
  ] as const)('of a %s have what each row was in the span before and how far it moved, in its file too', async (kind, all, money, who) => {
    const whole = await figures(who(), kind, busy);
    expect(whole.rows[0].before).toBeUndefined();
    const [own] = whole.rows;
    const fallen = await figures(who(), kind, { ...quiet, beforeFrom: busy.from, beforeTo: busy.to, rowsBefore: 'true' });
    // What was there before alone is a row too.
    expect(fallen.rows).toEqual([
      { key: own.key, name: own.name, now: expect.objectContaining({ [all]: 0, [money]: '0.00' }), before: own.now },
    ]);
    expect([fallen.total[all], fallen.totalBefore]).toEqual([0, whole.total]);
    const risen = await figures(who(), kind, { ...busy, beforeFrom: quiet.from, beforeTo: quiet.to, rowsBefore: 'true' });
    expect([risen.rows[0].now, risen.rows[0].before[all]]).toEqual([own.now, 0]);
    const asked = { ...quiet, beforeFrom: busy.from, beforeTo: busy.to, rowsBefore: 'true', sort: `-${all}Change` };
    const columns = `${all},${all}Before,${all}Change,soldShareBefore,${money}Change`;
    const [head, line] = await lines(who(), `portal-${kind}-figures`, { ...asked, columns });
    const [of, spent] = kind === 'buyer' ? ['Offered', 'Spent'] : ['Attempts', 'Payout'];
    expect(head).toBe(`Tier,${of},${of} before,${of} change,Accept rate before %,${spent} change`);
    expect(line).toBe(
      [
        own.name,
        0,
        own.now[all],
        -own.now[all],
        ((own.now.sold / own.now[all]) * 100).toFixed(1),
        (-Number(own.now[money])).toFixed(4),
      ].join(),
    );
    // Without rows of before there are no columns of them.
    expect((await lines(who(), `portal-${kind}-figures`, busy))[0]).not.toContain('before');
  });

  it('console §3, account §6: sub ids are sorted by figures of one’s own, and stand as without an order by those of the other side', async () => {
    buyerServer.answer(() => ({ body: JSON.stringify({ result: 'rejected' }) }));
    const many = [await post('many-1@example.com'), await post('many-2@example.com')];
    buyerServer.answer(() => BUYS);
    const few = await post('few@example.com');
    await node.db.updateTable('lead').set({ sub_id: 'many' }).where('id', 'in', many).execute();
    await node.db.updateTable('lead').set({ sub_id: 'few' }).where('id', '=', few).execute();
    const names = async (sort: string) =>
      (await figures(clicks, 'publisher', { ...busy, by: 'subId', sort })).rows
        .map(({ name }: { name: string }) => name)
        .filter((name: string) => name === 'many' || name === 'few');
    for (const own of ['-payout', '-soldShare', '-sold', 'attempts']) expect([own, await names(own)]).toEqual([own, ['few', 'many']]);
    for (const other of ['', '-revenue', '-margin', '-leads', '-payoutBefore'])
      expect([other, await names(other)]).toEqual([other, ['many', 'few']]);
  });

  it('account §6: tell nothing of the other side in what they were before, in any column, nor by the order of its figures', async () => {
    for (const [kind, who, marks] of [
      ['buyer', ann, FORBIDDEN.buyer],
      ['publisher', clicks, FORBIDDEN.publisher],
    ] as const)
      for (const [span, before] of [
        [busy, quiet],
        [quiet, busy],
      ] as const)
        for (const sort of ['-revenue', 'marginChange']) {
          const query = { ...span, beforeFrom: before.from, beforeTo: before.to, rowsBefore: 'true', sort };
          const columns = [
            ...Object.keys((await figures(who, kind, query)).total),
            ...['revenue', 'margin', 'leads', 'payout', 'filtered'],
          ];
          const asked = columns.flatMap((one) => [one, `${one}Before`, `${one}Change`]).join();
          const texts = [
            JSON.stringify(await figures(who, kind, query)),
            ...(await lines(who, `portal-${kind}-figures`, { ...query, columns: asked })),
            ...(await lines(who, `portal-${kind}-figures`, query)),
            ...(await lines(who, `portal-${kind}-leads`, { columns: `${asked},consumer,buyers,publisher,campaign` })),
          ].map(withoutInstants);
          for (const mark of marks) expect([kind, sort, mark, texts.filter((text) => text.includes(mark))]).toEqual([kind, sort, mark, []]);
          const [head] = await lines(who, `portal-${kind}-figures`, { ...query, columns: asked });
          expect([kind, head]).toEqual([
            kind,
            expect.not.stringMatching(kind === 'buyer' ? /Payout|Margin|Filtered|Leads/ : /Revenue|Margin|Leads/),
          ]);
        }
  });

  it('lists have the columns that are shown in their files, with the lead’s id', async () => {
    const heads = async (who: Office, file: string, columns: string) =>
      (await lines(who, file, { columns, ...(file === 'portal-returns' && busy) }))[0];
    expect(await heads(clicks, 'portal-publisher-leads', 'payout,status,nothing')).toBe('Received (UTC),Status,Test,Ping,Payout,Lead id');
    expect(await heads(clicks, 'portal-publisher-leads', '')).toBe(
      'Received (UTC),Status,Test,Ping,Reason,Consumer,Tier,Sub id,Payout,Taken back,Lead id',
    );
    expect(await heads(ann, 'portal-buyer-leads', 'price,reason')).toBe('Bought (UTC),Price,Reason,Lead id');
    expect(await heads(ann, 'portal-buyer-leads', '')).toBe('Bought (UTC),Your reference,Tier,State,Test,Price,Given back,Reason,Lead id');
    expect(await heads(ann, 'portal-returns', 'amount')).toBe('Given back (UTC),Lead id,You got back');
    expect(await heads(clicks, 'portal-returns', 'amount')).toBe('Given back (UTC),Lead id,Taken back');
  });
});

describe('account §5: what a portal lists', () => {
  it.each([
    ['buyer/leads', 'portal-buyer-leads', () => ann],
    ['publisher/leads', 'portal-publisher-leads', () => clicks],
    ['returns', 'portal-returns', () => ann],
  ] as const)('%s is refused of a span that ends before it begins, or lies later than tomorrow', async (path, file, who) => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
    const refusal = async (from: string, to: string) => {
      const { statusCode, json } = await who().get(`${PORTAL}/${path}?${new URLSearchParams({ from, to })}`);
      const text = await who().form(`/api/v1/download-file/${file}`, new URLSearchParams({ isDownloadCSV: 'true', from, to }));
      expect(text.includes('portal_span_')).toBe(statusCode === 400);
      return [statusCode, json.code, json.msg];
    };
    expect(await refusal(at(-1), at(-2))).toEqual([400, 'portal_span_backwards', 'The end must not be before the start.']);
    expect(await refusal(at(72), at(96))).toEqual([400, 'portal_span_future', 'Future date is not allowed.']);
    expect((await refusal(at(-24), at(23)))[0]).toBe(200);
  });
});

describe('product: what a portal asks to have changed', () => {
  const ask = (office: Office, model: string, _id: string, data: unknown, note = '') =>
    office.post(`${PORTAL}/requests`, { model, _id, data, note });
  const list = async (which = 'open') => (await owner.get(`/api/console/change-requests?which=${which}`)).json.rows;
  const approve = (office: Office, one: { _id: string; version: number | null }, more = {}) =>
    office.post(`/api/console/change-requests/${one._id}/approve`, { version: one.version, ...more });
  const find = async (recordId: string) => (await list()).find((one: { recordId: string }) => one.recordId === recordId);
  const caps = (limit: number) => [{ measure: 'sold', period: 'day', limit, timeZone: 'America/New_York' }];

  it('is only what is declared, of its own, and another value than today’s', async () => {
    expect((await ask(ann, 'buyerTier', annsTier, { endpoint: {} })).json.code).toBe('request_field_closed');
    expect((await ask(ann, 'buyerTier', annsTier, { filter: null })).json.code).toBe('request_field_closed');
    expect((await ask(ann, 'publisherTier', world.publisherTierId, { status: 'paused' })).json.code).toBe('request_field_closed');
    expect((await ask(ann, 'buyerTier', bobsTier, { status: 'paused' })).statusCode).toBe(404);
    expect((await ask(ann, 'buyer', world.tiers[1]!.buyerId, { caps: [] })).statusCode).toBe(404);
    expect((await ask(ann, 'buyerTier', strangers.world.tiers[0]!.buyerTierId, { status: 'paused' })).statusCode).toBe(404);
    expect((await ask(clicks, 'publisherTier', world.publisherTierId, { priceModel: { kind: 'fixed', price: '99' } })).json.code).toBe(
      'request_field_closed',
    );
    expect((await ask(clicks, 'publisherTier', world.publisherTierId, { ipAllow: ['nowhere'] })).json.code).toBe('record_value_invalid');
    expect((await ask(ann, 'buyerTier', annsTier, { status: 'active' })).json.code).toBe('request_unchanged');
    expect((await ask(ann, 'buyerTier', annsTier, { price: { kind: 'bid' } })).json.code).toBe('request_price_bid');
    expect((await owner.post(`${PORTAL}/requests`, { model: 'buyerTier', _id: annsTier, data: { status: 'paused' } })).json.code).toBe(
      'portal_unbound',
    );
  });

  it('is applied by an approval, by the record’s own path, and the log names both', async () => {
    await node.db.deleteFrom('change_request').where('model', '=', 'buyerTier').execute();
    const asked = await ask(ann, 'buyerTier', annsTier, { caps: caps(50), price: { kind: 'fixed', price: '62' } }, 'Until Friday');
    expect(asked.json.request).toMatchObject({
      status: 'open',
      before: { caps: [] },
      after: { caps: caps(50), price: { kind: 'fixed', price: '62.00' } },
    });
    expect((await ask(ann, 'buyerTier', annsTier, { status: 'paused' })).json.code).toBe('request_open');
    expect((await owner.get('/api/console/change-requests/count')).json.open).toBe((await list()).length);
    const waiting = await find(annsTier);
    expect(waiting).toMatchObject({ note: 'Until Friday', isStale: false, whyNot: '' });
    expect((await approve(owner, waiting, { answer: 'Gladly' })).json.status).toBe(true);
    const tier = (await ann.get(PORTAL)).json.tiers[0];
    expect(tier).toMatchObject({ caps: caps(50), price: '62.00', capUse: [{ measure: 'sold', period: 'day', limit: '50' }] });
    // It says whose day it is of: one of New York, from midnight to midnight there.
    const [{ timeZone, startsAt, resetsAt }] = tier.capUse;
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'America/New_York', timeStyle: 'medium' });
    expect([timeZone, ...[startsAt, resetsAt].map((at) => clock.format(new Date(at)))]).toEqual([
      ...['America/New_York', '00:00:00', '00:00:00'],
    ]);
    expect([Date.parse(startsAt) <= Date.now(), Date.now() < Date.parse(resetsAt)]).toEqual([true, true]);
    const { changes } = (await owner.get('/api/v1/change-log')).json;
    const line = changes.find((one: { recordId: string }) => one.recordId === annsTier);
    expect(line).toMatchObject({ userName: 'Una User, asked by Una User', after: { caps: caps(50), price: { price: '62.00' } } });
    const mail = (await node.mailer.read(node.db, 10)).find((one) => one.kind === 'change-request');
    expect(mail?.subject).toBe('Your change of Harbour prime is approved');
    expect(mail?.text).toContain('They say: Gladly');
    const [answered] = (await ann.get(`${PORTAL}/requests`)).json.rows.filter((one: { recordId: string }) => one.recordId === annsTier);
    expect(answered).toMatchObject({ status: 'approved', answer: 'Gladly' });
    await owner.change('buyerTier', annsTier, { price: { kind: 'fixed', price: PRICE }, caps: [] });
  });

  it('is refused where the record was changed since, until that is confirmed; an older look is a conflict in words', async () => {
    await ask(ann, 'buyerTier', annsTier, { caps: caps(10) });
    const fresh = await find(annsTier);
    await owner.change('buyerTier', annsTier, { notes: 'looked at' });
    expect((await approve(owner, fresh)).json).toMatchObject({ code: 'record_changed' });
    await owner.change('buyerTier', annsTier, { caps: caps(99) });
    const stale = await find(annsTier);
    expect(stale).toMatchObject({ isStale: true, current: { caps: caps(99) } });
    expect((await approve(owner, stale)).json.code).toBe('request_stale');
    expect((await approve(owner, stale, { isConfirmed: true })).json.status).toBe(true);
    expect((await ann.get(PORTAL)).json.tiers[0].caps).toEqual(caps(10));
    await owner.change('buyerTier', annsTier, { caps: [] });
  });

  it('is decided once: of approve, decline and withdraw at one moment one wins', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { json } = await ask(clicks, 'publisherTier', world.publisherTierId, { ipAllow: ['203.0.113.0/24'] });
      const one = await find(world.publisherTierId);
      const answers = await Promise.all([
        approve(owner, one),
        owner.post(`/api/console/change-requests/${one._id}/decline`, { answer: 'No' }),
        clicks.post(`${PORTAL}/requests/${json.request._id}/withdraw`, {}),
      ]);
      expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
      expect(answers.filter((answer) => answer.statusCode === 409)).toHaveLength(2);
      const [done] = (await clicks.get(`${PORTAL}/requests`)).json.rows;
      expect(done.status).toBe(['approved', 'declined', 'withdrawn'][answers.findIndex((answer) => answer.statusCode === 200)]);
      await owner.change('publisherTier', world.publisherTierId, { ipAllow: [] });
    }
  });

  it('that the record’s own check refuses stays open, and says why', async () => {
    await ask(ann, 'buyerTier', annsTier, { status: 'paused' });
    const one = await find(annsTier);
    await node.db.updateTable('buyer_tier').set({ status: 'archived' }).where('id', '=', annsTier).execute();
    expect((await approve(owner, await find(annsTier))).json.code).toBe('request_closed_to_you');
    await node.db.updateTable('buyer_tier').set({ status: 'active' }).where('id', '=', annsTier).execute();
    expect((await owner.post(`/api/console/change-requests/${one._id}/decline`, {})).statusCode).toBe(400);
    expect((await ann.post(`${PORTAL}/requests/${one._id}/withdraw`, {})).statusCode).toBe(200);
    expect((await clicks.post(`${PORTAL}/requests/${one._id}/withdraw`, {})).statusCode).toBe(404);
  });

  it('is for who sets up: others neither see nor decide', async () => {
    await ask(ann, 'buyerTier', annsTier, { status: 'paused' });
    const one = await find(annsTier);
    const nobody = await signIn(node, world, { role: 'member' });
    expect((await nobody.get('/api/console/change-requests')).statusCode).toBe(403);
    expect((await nobody.get('/api/console/change-requests/count')).statusCode).toBe(403);
    expect((await approve(nobody, one)).statusCode).toBe(403);
    const pages = [{ value: 'setup', pageChecked: true }];
    const permissions = [
      { regionId: world.regionId, regionChecked: true, verticals: [{ verticalId: world.verticalId, verticalChecked: true, pages }] },
    ];
    const setup = await signIn(node, world, { role: 'member', permissions });
    expect((await setup.get('/api/console/change-requests')).json.rows.map((row: { _id: string }) => row._id)).toContain(one._id);
    expect((await approve(setup, one)).json.status).toBe(true);
    await owner.change('buyerTier', annsTier, { status: 'active' });
  });
});

describe('account §2, §6: binding a member', () => {
  it('invites somebody to a portal, with no page at all', async () => {
    const invite = (bound: unknown, email = 'portal@example.com') =>
      owner.post(`${T}/team/invite`, { email, first_name: 'P', last_name: 'P', permissions: [], bound });
    expect((await invite({ kind: 'buyer', companyId: strangers.world.tiers[0]!.buyerId })).json.code).toBe('buyer_unknown');
    expect((await invite({ kind: 'publisher', companyId: world.tiers[0]!.buyerId })).json.code).toBe('publisher_unknown');
    expect((await invite({ kind: 'seller', companyId: world.publisherId })).statusCode).toBe(400);
    expect((await invite({ kind: 'publisher', companyId: world.publisherId })).json.status).toBe(true);
    expect(await memberOf('portal@example.com')).toMatchObject({
      bound: { kind: 'publisher', companyName: NAMES.publisher },
      permissions: [],
    });
  });

  it('is taken off again, and what was ticked does not come back by itself; pages and ownership wait until then', async () => {
    const member = await memberOf('portal@example.com');
    const call = (path: string, body: object) => owner.post(`${T}/team/${path}`, { _id: member._id, ...body });
    expect((await call('edit-permissions', { permissions: [] })).json.code).toBe('member_bound');
    expect((await call('bind', { bound: null })).json.status).toBe(true);
    expect((await memberOf('portal@example.com')).bound).toBeNull();
    expect((await call('edit-permissions', { permissions: [] })).json.status).toBe(true);
    const own = (await owner.get(`${T}/team/members`)).json.members.find((one: { isSelf: boolean }) => one.isSelf);
    const self = await owner.post(`${T}/team/bind`, { _id: own._id, bound: { kind: 'publisher', companyId: world.publisherId } });
    expect(self.json.code).toBe('member_is_self');
  });

  it('shows who is bound to an archived company nothing but that', async () => {
    await node.db.updateTable('publisher').set({ status: 'archived' }).where('id', '=', world.publisherId).execute();
    const { json } = await clicks.get(PORTAL);
    expect(json).toMatchObject({ company: { name: NAMES.publisher, isArchived: true }, tiers: [], account: null });
    expect((await clicks.get(`${PORTAL}/publisher/leads`)).json.code).toBe('portal_company_archived');
    const member = await memberOf('portal@example.com');
    const bind = await owner.post(`${T}/team/bind`, { _id: member._id, bound: { kind: 'publisher', companyId: world.publisherId } });
    expect(bind.json.code).toBe('company_archived');
    await node.db.updateTable('publisher').set({ status: 'active' }).where('id', '=', world.publisherId).execute();
  });
});
