/** console §2 "page-stats": landing pages and landers, how many saw them, sent the form, and became a sold lead. */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PageReportAnswer } from '#contract/landing-page.ts';
import { LANDING_PAGE_SCRIPT } from '#contract/landing-page-script.ts';
import { newId } from '#server/kit/ids.ts';
import { countOnPage } from '#server/landing-page/landing-page.sql.ts';
import { rollReports } from '#server/report/roll-reports.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { insideOneMinute } from '#test/harness/minute.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { insertPastLead, inventLead } from '#test/harness/past-leads.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { addLanderTier, buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const HOUR_MS = 3_600_000;
const WARNING = 'The field landingPageId is not known here; it was stored as it came.';
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0', origin: 'https://loans.example' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let owner: Visitor;
let answer = ACCEPT;
let network = 0;

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
  network += 1;
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
  owner = await signedIn(world);
});

async function signedIn({ organizationId }: World): Promise<Visitor> {
  const { email, password } = await buildUser(node.db, organizationId);
  const visitor = visit(node, { host: '127.0.0.1' });
  expect((await visitor.post('/team-login', { email, password })).statusCode).toBe(200);
  return visitor;
}

const tryAdd = (more: Record<string, unknown> = {}, visitor = owner) =>
  visitor.post('/api/v1/common/post-add-data', {
    ...{ model: 'landingPage', verticalId: world.verticalId, publisherTierId: world.publisherTierId },
    ...{ name: 'Spring loans', url: 'loans.example/spring' },
    ...more,
  });
async function add(more: Record<string, unknown> = {}): Promise<string> {
  const { statusCode, json } = await tryAdd(more);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json.data._id;
}
const edit = (_id: string, data: Record<string, unknown>) =>
  owner.post('/api/v1/common/post-edit-data', { model: 'landingPage', _id, ...data });
const addLander = async () => {
  const publisherTierId = await addLanderTier(node.db, world);
  await node.planBook.reload(world.organizationId);
  const { json } = await owner.post('/api/v1/common/post-add-data', {
    ...{ model: 'card', verticalId: world.verticalId, name: 'Grace Hopper', hasLander: true, publisherTierId },
    ...{ landerDescription: '<p>A loan?</p>', landerFields: ['first_name', 'email', 'phone', 'state', 'zip', 'monthly_income'] },
  });
  return json.data._id as string;
};

const ticked = (pages: string[]) => [
  {
    ...{ regionId: world.regionId, regionChecked: true },
    verticals: [{ verticalId: world.verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
  },
];

const count = (id: string, event: string, headers: Record<string, string> = {}, address = `198.51.100.${network}`) =>
  node.app.inject({
    method: 'POST',
    url: `/api/v1/landing-pages/${id}/${event}`,
    remoteAddress: address,
    headers: { ...BROWSER, ...headers },
  });
const post = (lead: Record<string, unknown>) => node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` });
const person = (n: number) => ({ ...LEAD, email: `ada${network}-${n}@example.com`, phone: `21255${String(50_000 + network * 100 + n)}` });

const toTexts = (lead: Record<string, unknown>) => Object.fromEntries(Object.entries(lead).map(([name, value]) => [name, String(value)]));

const spanAround = (at = Date.now()) => ({
  ...{ region: 'us', vertical: 'payday', unit: 'hour' },
  ...{ from: new Date(at - 12 * HOUR_MS).toISOString(), to: new Date(at + HOUR_MS).toISOString() },
});
const ask = (more: Record<string, string> = {}, visitor = owner) =>
  visitor.get(`/api/console/reports/page-stats?${new URLSearchParams({ ...spanAround(), ...more })}`);
const report = async (more: Record<string, string> = {}) => {
  const { statusCode, json } = await ask(more);
  expect([statusCode, json]).toMatchObject([200, { status: true }]);
  return json as PageReportAnswer;
};
const file = async (more: Record<string, string>): Promise<string[]> => {
  const { body } = await node.app.inject({
    ...{ method: 'POST', url: '/api/v1/download-file/report-page-stats', remoteAddress: '192.0.2.1' },
    headers: {
      ...{ host: '127.0.0.1', 'x-requested-with': 'sluice', 'content-type': 'application/x-www-form-urlencoded' },
      cookie: [...owner.cookies.get('127.0.0.1')!].map(([name, value]) => `${name}=${value}`).join('; '),
    },
    payload: new URLSearchParams({ ...spanAround(), isDownloadCSV: 'true', ...more }).toString(),
  });
  return body.replace('\uFEFF', '').trim().split('\r\n');
};
/** What is counted beside an answer is there a moment later. */
const untilCounted = (id: string, now: Partial<Record<'views' | 'submits' | 'leads' | 'sold', number>>) =>
  expect.poll(async () => (await report()).rows.find(({ keys }) => keys[0]!._id === id)?.now).toMatchObject(now);

describe('console §2 "page-stats": a landing page', () => {
  it('is made for a publisher tier of its vertical, with the address it stands at', async () => {
    const id = await add();
    const { json } = await owner.post('/api/v1/common/single-data', { model: 'landingPage', condition: { _id: id } });
    expect(json.data).toMatchObject({ name: 'Spring loans', url: 'https://loans.example/spring', status: 'active' });
  });

  it.each([
    ['name', ''],
    ['name', 'x'.repeat(200)],
    ['url', ''],
    ['url', 'javascript:alert(1)'],
    ['url', `https://loans.example/${'x'.repeat(600)}`],
    ['publisherTierId', 'x'],
  ])('console §5: a wrong %s is refused in words: %j', async (field, value) => {
    const { statusCode, json } = await tryAdd({ [field]: value });
    expect([statusCode, JSON.stringify(json)]).toEqual([400, expect.stringContaining(field)]);
  });

  it('takes no publisher tier of another organization, and no second page of one name', async () => {
    const other = await buildWorld(node.db);
    expect((await tryAdd({ publisherTierId: other.publisherTierId })).statusCode).toBeGreaterThanOrEqual(400);
    await add();
    expect((await tryAdd()).statusCode).toBe(409);
  });

  it('of another organization is neither seen, changed, nor told of', async () => {
    const id = await add();
    await count(id, 'view');
    await untilCounted(id, { views: 1 });
    const stranger = await signedIn(await buildWorld(node.db));
    expect((await stranger.post('/api/v1/common/post-edit-data', { model: 'landingPage', _id: id, name: 'Mine' })).statusCode).toBe(404);
    expect((await ask({}, stranger)).json.rows).toEqual([]);
    expect((await ask({ publisherTierId: world.publisherTierId }, stranger)).statusCode).toBe(404);
  });

  it('is looked at by who has the page, and made by who has the set-up too', async () => {
    const id = await add();
    const who = async (...pages: string[]) => {
      const { email, password } = await buildUser(node.db, world.organizationId, { role: 'member', permissions: ticked(pages) });
      const visitor = visit(node, { host: '127.0.0.1' });
      await visitor.post('/team-login', { email, password });
      const looked = await ask({}, visitor);
      const read = await visitor.post('/api/v1/common/single-data', { model: 'landingPage', condition: { _id: id } });
      const added = await tryAdd({ name: pages.join() }, visitor);
      return [looked.statusCode, read.statusCode, added.statusCode];
    };
    expect(await who('leadFlow-Inbound', 'setup')).toEqual([403, 403, 403]);
    expect(await who('Page-Stats')).toEqual([200, 200, 403]);
    expect(await who('Page-Stats', 'setup')).toEqual([200, 200, 200]);
  });

  it('keeps its vertical from being archived', async () => {
    await add();
    const { json } = await owner.post('/api/v1/common/post-delete-data', { model: 'vertical', _id: world.verticalId });
    expect(JSON.stringify(json)).toContain('The landing page Spring loans lies in it.');
  });
});

describe('console §2 "page-stats": what the script counts', () => {
  it('is taken from pages of anybody, without a cookie, and told to nobody', async () => {
    const id = await add();
    for (const event of ['view', 'view', 'submit']) {
      const { statusCode, body, headers, cookies } = await count(id, event);
      expect([statusCode, body, cookies]).toEqual([204, '', []]);
      expect([headers['access-control-allow-origin'], headers['cross-origin-resource-policy'], headers['cache-control']]).toEqual([
        '*',
        'cross-origin',
        'no-store',
      ]);
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
    await untilCounted(id, { views: 2, submits: 1, leads: 0, sold: 0 });
  });

  it('lets no page of another host read the report', async () => {
    const { headers } = await ask({});
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('says the same of a page that is paused, archived, of a suspended organization, or none, and counts nothing there', async () => {
    const id = await add();
    const known = await count(id, 'view');
    await untilCounted(id, { views: 1 });
    const like = async (one: string) => {
      const { statusCode, body, headers } = await count(one, 'view');
      const { date, ...told } = headers;
      const { date: _, ...toldOfKnown } = known.headers;
      expect([statusCode, body, told]).toEqual([known.statusCode, known.body, toldOfKnown]);
    };
    for (const unknown of [newId(), 'x', '%F0%9F%92%A5', world.organizationId]) await like(unknown);
    await edit(id, { status: 'paused' });
    await like(id);
    await edit(id, { status: 'active' });
    await node.pool.query(`update organization set status = 'suspended' where id = $1`, [world.organizationId]);
    await node.planBook.reload(world.organizationId);
    await like(id);
    const { rows } = await node.pool.query('select sum(views)::int as views from page_hour where organization_id = $1', [
      world.organizationId,
    ]);
    expect(rows).toEqual([{ views: 1 }]);
  });

  it('reads nothing of a body, and refuses what it does not count in words', async () => {
    const id = await add();
    for (const [type, payload] of [
      ['text/plain', 'x'],
      ['application/json', '{'],
      ['application/x-www-form-urlencoded', 'a=b'],
    ] as const) {
      const { statusCode } = await node.app.inject({
        ...{ method: 'POST', url: `/api/v1/landing-pages/${id}/view`, remoteAddress: '198.51.100.250', payload },
        headers: { ...BROWSER, 'content-type': type },
      });
      expect([type, statusCode]).toEqual([type, 204]);
    }
    await untilCounted(id, { views: 3 });
    const wrong = await count(id, 'sold');
    expect([wrong.statusCode, wrong.json()]).toMatchObject([400, { status: false, code: 'request_invalid' }]);
    expect(wrong.headers['access-control-allow-origin']).toBe('*');
  });

  it('is no view where a program looks', async () => {
    const id = await add();
    for (const headers of [
      { 'user-agent': 'Googlebot/2.1' },
      { 'user-agent': 'curl/8.0' },
      { 'user-agent': '' },
      { 'sec-purpose': 'prefetch;prerender' },
    ])
      expect((await count(id, 'view', headers)).statusCode).toBe(204);
    await count(id, 'view');
    await untilCounted(id, { views: 1 });
  });

  it('a flood of one network is held back with how long to wait, and keeps no other from being counted', async () => {
    await insideOneMinute();
    const id = await add();
    const answers = await Promise.all(Array.from({ length: 400 }, () => count(id, 'view', {}, '203.0.113.7')));
    expect(answers.filter(({ statusCode }) => statusCode === 204)).toHaveLength(300);
    const refused = answers.find(({ statusCode }) => statusCode === 429)!;
    expect(refused.json()).toMatchObject({ code: 'landing_page_rate_limited', msg: expect.stringContaining('Wait') });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await count(id, 'view');
    await untilCounted(id, { views: 301 });
  });
});

describe('console §2 "page-stats": a lead and its page', () => {
  it('is joined by landingPageId, in every format, and the lead itself holds no such field', async () => {
    const id = await add();
    const sold = await post({ ...person(1), landingPageId: id });
    expect(sold.json).toMatchObject({ status: 'accepted' });
    expect(sold.json.warnings).toBeUndefined();
    const form = await fetch(`${node.url}/api/v1/leads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...toTexts(person(2)), landingPageId: id.toUpperCase() }),
    });
    expect((await form.json()).status).toBe('accepted');
    answer = REJECT;
    expect((await post({ ...person(3), landingPageId: id })).json.status).toBe('rejected');
    await untilCounted(id, { leads: 3, sold: 2 });
    expect(buyer.calls.every((call) => !JSON.stringify(call).includes(id))).toBe(true);
  });

  it('is taken and warned of where it names a page that is none, or archived', async () => {
    const id = await add();
    await owner.post('/api/v1/common/post-delete-data', { model: 'landingPage', _id: id });
    for (const [n, named] of ['x', newId(), id].entries()) {
      const { statusCode, json } = await post({ ...person(10 + n), landingPageId: named });
      expect([statusCode, json.status, json.warnings]).toEqual([200, 'accepted', [WARNING]]);
    }
    const { rows } = await node.pool.query('select 1 from lead_page where organization_id = $1', [world.organizationId]);
    expect(rows).toEqual([]);
  });

  it('is not counted as a test, nor as a bare ping', async () => {
    const id = await add();
    await post({ ...person(20), test: true, landingPageId: id });
    await node.post('/api/v1/leads/ping', { ...person(21), landingPageId: id }, { authorization: `Bearer ${world.key}` });
    await post({ ...person(22), landingPageId: id });
    await untilCounted(id, { leads: 1, sold: 1 });
  });

  it('is found in the list of leads by its page, and no other is', async () => {
    const id = await add();
    const mine = (await post({ ...person(30), landingPageId: id })).json.leadId;
    await post(person(31));
    const listed = async (pageId: string) => {
      const from = new Date(Date.now() - HOUR_MS).toISOString();
      const { json } = await owner.get(`/api/console/leads?${new URLSearchParams({ region: 'us', vertical: 'payday', pageId, from })}`);
      return [json.total, json.rows.map((row: { _id: string }) => row._id)];
    };
    expect(await listed(id)).toEqual([1, [mine]]);
    expect(await listed(newId())).toEqual([0, []]);
    expect(await listed('x')).toEqual([0, []]);
  });

  it('of a lander is joined by itself, with its views and what was sent', async () => {
    const id = await addLander();
    const page = await fetch(`${node.url}/drawcard/lander/${id}`, { headers: BROWSER });
    expect(page.status).toBe(200);
    const sent = await fetch(`${node.url}/api/v1/drawcard/submit-lander`, {
      method: 'POST',
      headers: { ...BROWSER, 'content-type': 'application/json' },
      body: JSON.stringify({ ...person(40), dc_status: 1, dc_rolodex_id: id, rolodexId: id }),
    });
    expect([sent.status, await sent.json()]).toMatchObject([200, { status: true }]);
    await untilCounted(id, { views: 1, submits: 1, leads: 1, sold: 1 });
    // Nobody says of a lead of theirs that it came from a lander.
    expect((await post({ ...person(41), landingPageId: id })).json.warnings).toEqual([WARNING]);
    await untilCounted(id, { leads: 1 });
  });
});

describe('console §2 "page-stats": the report', () => {
  it('is the sum of the rows: by page, by hour and in all, in the span and in the span before', async () => {
    const [one, other] = [await add(), await add({ name: 'Autumn loans' })];
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const insert = (page: string, hoursAgo: number, views: number, submits: number) =>
      node.pool.query('insert into page_hour (organization_id, page_id, hour_at, views, submits) values ($1, $2, $3, $4, $5)', [
        ...[world.organizationId, page, new Date(now - hoursAgo * HOUR_MS), views, submits],
      ]);
    await insert(one, 1, 40, 4);
    await insert(one, 3, 10, 1);
    await insert(other, 1, 5, 0);
    await insert(one, 15, 100, 7);
    await insert(newId(), 1, 999, 999);
    await post({ ...person(50), landingPageId: one });
    const found = await report();
    expect(found.rows.map(({ keys, now: figures }) => [keys[0]!.name, figures])).toEqual([
      ['Spring loans', { views: 50, submits: 5, leads: 1, sold: 1 }],
      ['Autumn loans', { views: 5, submits: 0, leads: 0, sold: 0 }],
    ]);
    expect(found.total).toEqual({ views: 55, submits: 5, leads: 1, sold: 1 });
    expect(found.totalBefore).toEqual({ views: 100, submits: 7, leads: 0, sold: 0 });
    for (const [series, total] of [
      [found.series, found.total],
      [found.seriesBefore, found.totalBefore],
    ] as const)
      for (const name of ['views', 'submits', 'leads', 'sold'] as const)
        expect([name, series.reduce((sum, point) => sum + point.now[name], 0)]).toEqual([name, total[name]]);
    expect(found.series.filter(({ now: { views } }) => views > 0).map((point) => [point.at, point.now.views])).toEqual([
      [new Date(now - 3 * HOUR_MS).toISOString(), 10],
      [new Date(now - HOUR_MS).toISOString(), 45],
    ]);
  });

  it('console §3: rows stand beside what they had before, also of what was seen before alone, in the order and in the file', async () => {
    const [one, other, gone] = [await add(), await add({ name: 'Autumn loans' }), await add({ name: 'Winter loans' })];
    const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    for (const [page, hoursAgo, views, submits] of [
      [one, 1, 40, 4],
      [one, 15, 100, 5],
      [other, 2, 50, 0],
      [gone, 16, 7, 7],
    ] as const)
      await countOnPage(
        node.db,
        { id: page, organizationId: world.organizationId },
        { views, submits },
        new Date(now - hoursAgo * HOUR_MS),
      );
    await owner.post('/api/v1/common/post-delete-data', { model: 'landingPage', _id: gone });
    const rows = async (more: Record<string, string> = {}) =>
      (await report(more)).rows.map(({ keys: [page], now: { views }, before }) => [page!.name, views, before?.views]);
    expect(await rows()).toEqual([
      ['Autumn loans', 50, undefined],
      ['Spring loans', 40, undefined],
    ]);
    const beside = [
      ['Autumn loans', 50, 0],
      ['Spring loans', 40, 100],
      ['Winter loans', 0, 7],
    ];
    const sortedAs = async (sort: string) => (await rows({ rowsBefore: 'true', sort })).map(([name]) => String(name).split(' ')[0]);
    expect(await rows({ rowsBefore: 'true' })).toEqual(beside);
    expect(await sortedAs('-viewsBefore')).toEqual(['Spring', 'Winter', 'Autumn']);
    expect(await sortedAs('viewsChange')).toEqual(['Spring', 'Winter', 'Autumn']);
    expect(await sortedAs('-submitShare')).toEqual(['Spring', 'Autumn', 'Winter']);
    const { total, totalBefore, rowCount } = await report({ rowsBefore: 'true' });
    expect([total.views, totalBefore.views, rowCount]).toEqual([90, 107, 3]);
    const columns = 'views,viewsBefore,viewsChange,submitShare,submitShareBefore,submitShareChange';
    const [head, ...lines] = await file({ rowsBefore: 'true', sort: '-viewsBefore', columns });
    expect(head).toBe(
      'Page,Kind,Where,Publisher tier,Status,Views,Views before,Views change,Of the views %,Of the views before %,Of the views change %,Page id,Publisher tier id',
    );
    expect(lines.map((line) => line.split(',').slice(-8, -2))).toEqual([
      ['40', '100', '-60', '10.0', '5.0', '5.0'],
      ['0', '7', '-7', '', '100.0', ''],
      ['50', '0', '50', '0.0', '', ''],
    ]);
  });

  it('is narrowed to a publisher, publisher tier or campaign, and says where one is not there', async () => {
    const id = await add();
    await count(id, 'view');
    await untilCounted(id, { views: 1 });
    const { publisher_id, campaign_id } = await node.db
      .selectFrom('publisher_tier')
      .select(['publisher_id', 'campaign_id'])
      .where('id', '=', world.publisherTierId)
      .executeTakeFirstOrThrow();
    for (const filter of [{ publisherId: publisher_id }, { campaignId: campaign_id }, { publisherTierId: world.publisherTierId }])
      expect((await report(filter)).total.views).toBe(1);
    const { statusCode, json } = await ask({ publisherId: newId() });
    expect([statusCode, json.code]).toEqual([404, 'report_record_unknown']);
  });

  it('leaves out archived pages on which nothing happened, and keeps those on which something did', async () => {
    const [seen, unseen] = [await add(), await add({ name: 'Never seen' })];
    await count(seen, 'view');
    await untilCounted(seen, { views: 1 });
    for (const id of [seen, unseen]) await owner.post('/api/v1/common/post-delete-data', { model: 'landingPage', _id: id });
    expect((await report()).rows.map(({ keys, status }) => [keys[0]!.name, status])).toEqual([['Spring loans', 'archived']]);
  });

  it('account §7: is a file with all rows and the chosen columns, asked for by a hidden form', async () => {
    const id = await add({ name: '=Spring' });
    await count(id, 'view');
    await untilCounted(id, { views: 1 });
    const [head, first, ...rest] = await file({ columns: 'sold,views,conversion,submitShare' });
    expect(head).toBe('Page,Kind,Where,Publisher tier,Status,Views,Of the views %,Accepts,Conversion %,Page id,Publisher tier id');
    expect(first).toContain(`'=Spring,Landing page,https://loans.example/spring,`);
    expect([first?.endsWith(`,active,1,0.0,0,0.0,${id},${world.publisherTierId}`), rest]).toEqual([true, []]);
  });

  it.each([
    [{ from: 'yesterday' }, 400],
    [{ unit: 'minute' }, 400],
    [{ vertical: 'nothing' }, 404],
  ])('account §5: %j is refused in words', async (more, expected) => {
    const { statusCode, json } = await ask(more as Record<string, string>);
    expect([statusCode, json.status, typeof json.msg]).toEqual([expected, false, 'string']);
  });
});

describe('the script of a landing page', () => {
  const file = new URL(`../../dist/web${LANDING_PAGE_SCRIPT}`, import.meta.url);

  it('is one file under 2 KiB gzipped that imports, evaluates, stores and writes nothing', () => {
    const text = readFileSync(file, 'utf8');
    expect(gzipSync(text, { level: 9 }).length).toBeLessThan(2 * 1024);
    expect(text).not.toMatch(
      /\bimport\b|\beval\b|new Function|innerHTML|document\.write|cookie|[lL]ocalStorage|sessionStorage|indexedDB|\blocation\b/,
    );
  });

  it('stands at one address for pages of anybody', async () => {
    const { statusCode, headers } = await node.app.inject({ url: LANDING_PAGE_SCRIPT, headers: BROWSER });
    expect([statusCode, headers['access-control-allow-origin'], headers['cross-origin-resource-policy']]).toEqual([
      200,
      '*',
      'cross-origin',
    ]);
    expect(headers['cache-control']).toBe('public, max-age=3600, stale-while-revalidate=86400');
  });
});

describe('console §2 "page-stats": figures equal the rows', () => {
  const DAYS = ['2026-03-07', '2026-03-28', '2026-10-24', '2026-10-31'];
  const SPANS = {
    hour: ['2026-10-30T05:00:00Z', '2026-11-04T00:00:00Z'],
    day: ['2026-03-07T23:00:00Z', '2026-10-31T02:00:00Z'],
    week: ['2026-03-01T00:00:00Z', '2026-11-10T00:00:00Z'],
    month: ['2026-03-01T00:00:00Z', '2026-11-10T00:00:00Z'],
  } as const;
  const NONE = { views: 0, submits: 0, leads: 0, sold: 0 };
  type Figures = typeof NONE;
  interface Seen {
    pageId: string;
    at: number;
    now: Figures;
  }

  const roll = async () => {
    for (;;) {
      if ((await rollReports(node.pool, Date.now())) !== undefined) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const sum = (seen: readonly Seen[]) =>
    seen.reduce(
      (all, { now }) => ({
        ...{ views: all.views + now.views, submits: all.submits + now.submits },
        ...{ leads: all.leads + now.leads, sold: all.sold + now.sold },
      }),
      NONE,
    );
  /** The local day, Monday or month of an instant, or its hour, by the clock of the runtime. */
  function unitOf(at: number, unit: string, zone: string): string {
    if (unit === 'hour') return String(Math.floor(at / HOUR_MS));
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at);
    if (unit === 'day') return day;
    if (unit === 'month') return day.slice(0, 7);
    const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
    return String(Date.parse(`${day}T00:00:00Z`) - weekday * 24 * HOUR_MS);
  }

  async function scatter(pages: readonly string[], count: number, seed: number): Promise<Seen[]> {
    let state = seed;
    const chance = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state / 2 ** 32;
    };
    const seen: Seen[] = [];
    const client = await node.pool.connect();
    await client.query('begin');
    const marked: string[] = [];
    for (let nth = 0; nth < count; nth++) {
      const pageId = pages[nth % pages.length]!;
      const hour = Date.parse(`${DAYS[nth % DAYS.length]}T00:00:00Z`) + Math.floor(chance() * 72) * HOUR_MS;
      if (chance() < 0.5) {
        const [views, submits] = [1 + Math.floor(chance() * 50), Math.floor(chance() * 5)];
        await countOnPage(node.db, { id: pageId, organizationId: world.organizationId }, { views, submits }, new Date(hour + 1));
        seen.push({ pageId, at: hour, now: { ...NONE, views, submits } });
        continue;
      }
      const lead = inventLead(world, hour + Math.floor(chance() * HOUR_MS), chance);
      await insertPastLead(client, world, lead);
      await client.query('insert into lead_page values ($1, $2, $3)', [world.organizationId, lead.id, pageId]);
      marked.push(lead.id);
      const isSold = lead.outcome === 'sold';
      if (!lead.isPing) seen.push({ pageId, at: lead.at, now: { ...NONE, leads: 1, sold: isSold ? 1 : 0 } });
    }
    await client.query('select mark_report($1, $2)', [world.organizationId, marked]);
    await client.query('commit');
    client.release();
    return seen;
  }

  async function expectExact(pages: readonly string[], seen: readonly Seen[]): Promise<void> {
    for (const timeZone of ['UTC', 'America/New_York', 'Europe/London'])
      for (const [unit, [from, to]] of Object.entries(SPANS)) {
        const told = await report({ from, to, unit, timeZone });
        const within = seen.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
        expect([timeZone, unit, told.total]).toEqual([timeZone, unit, sum(within)]);
        for (const page of pages)
          expect(told.rows.find(({ keys }) => keys[0]!._id === page)?.now).toEqual(sum(within.filter(({ pageId }) => pageId === page)));
        const byUnit = Map.groupBy(within, ({ at }) => unitOf(at, unit, timeZone));
        for (const point of told.series)
          expect([timeZone, unit, point.at, point.now]).toEqual([
            ...[timeZone, unit, point.at],
            sum(byUnit.get(unitOf(Math.max(Date.parse(point.at), Date.parse(from)), unit, timeZone)) ?? []),
          ]);
        expect(told.series.reduce((all, { now }) => all + now.views + now.leads, 0)).toBe(told.total.views + told.total.leads);
      }
  }

  it('before they are counted, afterwards, after late changes and after those are counted, on the days the clocks change in all three zones', async () => {
    for (const month of ['2026-03-01', '2026-10-01', '2026-11-01']) await node.pool.query('select ensure_month_partitions($1)', [month]);
    const pages = [await add(), await add({ name: 'Summer loans' })];
    // Seen before any lead came.
    await countOnPage(node.db, { id: pages[0]!, organizationId: world.organizationId }, { views: 3 }, new Date('2026-03-02T10:30:00Z'));
    const seen: Seen[] = [{ pageId: pages[0]!, at: Date.parse('2026-03-02T10:00:00Z'), now: { ...NONE, views: 3 } }];
    seen.push(...(await scatter(pages, 160, 7)));
    await expectExact(pages, seen);
    await roll();
    const { rows } = await node.pool.query(
      `select grain, sum(views + leads)::int as sum from page_tally where organization_id = $1 group by 1 order by 1`,
      [world.organizationId],
    );
    const counted = seen.reduce((all, { now }) => all + now.views + now.leads, 0);
    expect(rows).toEqual([
      { grain: 'day', sum: counted },
      { grain: 'hour', sum: counted },
    ]);
    await expectExact(pages, seen);
    seen.push(...(await scatter(pages, 20, 99)));
    await expectExact(pages, seen);
    await roll();
    await expectExact(pages, seen);
  }, 240_000);
});
