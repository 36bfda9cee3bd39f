/** home-buyer and home-publisher: who buys and who sends, with their health today. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { HomeBuyersAnswer, HomePublishersAnswer } from '#contract/home.ts';
import type { OverviewAnswer } from '#contract/lead.ts';
import { HOUR_MS } from '#engine/zone.ts';
import { readBuyerDays, readPublisherDays } from '#server/home/home.sql.ts';
import { rollReports } from '#server/report/roll-reports.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let taker: ScriptedBuyer;
let broken: ScriptedBuyer;
let world: World;
let stranger: World;
let owner: string;

const BUYERS = '/api/console/home/buyers';
const PUBLISHERS = '/api/console/home/publishers';

async function signIn({ email, password }: { email: string; password: string }): Promise<string> {
  const answer = await node.post('/team-login', { email, password }, { 'x-requested-with': 'sluice' });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function get<Answer>(path: string, cookie = owner): Promise<Answer & { statusCode: number }> {
  const response = await fetch(node.url + path, { headers: { cookie } });
  return { ...((await response.json()) as Answer), statusCode: response.status };
}

function member(pages: string[], of: World = world) {
  const permissions = [
    {
      regionId: of.regionId,
      regionChecked: true,
      verticals: [{ verticalId: of.verticalId, verticalChecked: true, pages: pages.map((value) => ({ value, pageChecked: true })) }],
    },
  ];
  return buildUser(node.db, of.organizationId, { role: 'member', permissions });
}

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  broken = await startBuyer(() => ({ status: 500, body: 'down' }));
  world = await buildWorld(node.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: broken.url, buyer: 'Cracked Cup', name: 'First' },
          { url: taker.url, buyer: 'Asleep', name: 'Night', status: 'paused' },
          { url: taker.url, buyer: 'Taker', name: 'Main' },
          { url: taker.url, buyer: 'Never asked', name: 'Last' },
        ],
      },
    ],
  });
  stranger = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: taker.url, buyer: 'Somebody else’s' }] }] });
  await Promise.all([node.planBook.reload(world.organizationId), node.planBook.reload(stranger.organizationId)]);
  const post = (more: object) => node.post('/api/v1/leads', { ...LEAD, ...more }, { authorization: `Bearer ${world.key}` });
  for (let at = 10; at < 22; at++) await post({ email: `p${at}@example.com`, phone: `21255502${at}` });
  for (let at = 0; at < 4; at++) await post({ email: 'no address', phone: `212555030${at}` });
  owner = await signIn(await buildUser(node.db, world.organizationId));
});
afterAll(async () => {
  await node.stop();
  await Promise.all([taker.close(), broken.close()]);
});

describe('account §2, §6: home-buyer lists the buyers with their health today', () => {
  it('worst first, each with its tiers, and in figures that agree with the overview', async () => {
    const { rows, counts, total, verticals } = await get<HomeBuyersAnswer>(BUYERS);
    expect(rows.map(({ name, health }) => [name, health])).toEqual([
      ['Cracked Cup', 'bad'],
      ['Taker', 'good'],
      ['Never asked', 'quiet'],
      ['Asleep', 'paused'],
    ]);
    expect(rows[0]!.wrong).toEqual(['Cracked Cup, First failed in 12 of 12 attempts in the last hour.']);
    expect([counts, total, verticals]).toEqual([{ bad: 1, warn: 0, good: 1, quiet: 1, paused: 1 }, 4, 1]);
    const { today, topBuyers } = await get<OverviewAnswer>('/api/console/overview?region=us&vertical=payday&timeZone=UTC');
    expect(rows[1]!.today).toMatchObject({ attempts: 12, sold: 12, revenue: today.revenue, timeouts: 0, terrors: 0 });
    // The overview knows times by bucket, as reports do.
    const { p50Ms } = topBuyers.find((one) => one.name === 'Taker')!;
    expect(Math.abs(p50Ms! - rows[1]!.today.p50Ms!)).toBeLessThanOrEqual(rows[1]!.today.p50Ms! * 0.045 + 1);
    expect(rows[0]!.today).toMatchObject({ attempts: 12, sold: 0, revenue: '0.00', terrors: 12 });
    expect(rows[1]!.tiers).toEqual([
      expect.objectContaining({ name: 'Main', status: 'active', region: 'us', vertical: 'payday', today: rows[1]!.today }),
    ]);
  });

  it('is searched by name, narrowed to a health, and paged', async () => {
    const found = await get<HomeBuyersAnswer>(`${BUYERS}?search=%20TAK`);
    expect(found.rows.map(({ name }) => name)).toEqual(['Taker']);
    const quiet = await get<HomeBuyersAnswer>(`${BUYERS}?health=quiet`);
    expect([quiet.rows.map(({ name }) => name), quiet.total, quiet.counts.bad]).toEqual([['Never asked'], 1, 1]);
    const second = await get<HomeBuyersAnswer>(`${BUYERS}?page=2`);
    expect([second.rows, second.total]).toEqual([[], 4]);
  });

  it('is sorted by name and by every figure, either way', async () => {
    const names = async (sort: string) => (await get<HomeBuyersAnswer>(`${BUYERS}?sort=${sort}`)).rows.map(({ name }) => name);
    expect(await names('name')).toEqual(['Asleep', 'Cracked Cup', 'Never asked', 'Taker']);
    expect(await names('-name')).toEqual(['Taker', 'Never asked', 'Cracked Cup', 'Asleep']);
    expect((await names('-revenue'))[0]).toBe('Taker');
    expect((await names('-terrors'))[0]).toBe('Cracked Cup');
    // Whom nobody asked has no share of accepts.
    expect((await names('-soldShare')).map((name) => name === 'Never asked' || name === 'Asleep')).toEqual([false, false, true, true]);
    expect((await names('-soldShare'))[0]).toBe('Taker');
    expect((await names('attempts')).slice(0, 2)).toEqual(['Never asked', 'Asleep']);
    const unknown = await get<{ msg: string }>(`${BUYERS}?sort=constructor`);
    expect([unknown.statusCode, unknown.msg]).toEqual([400, expect.stringContaining('must be one of name, attempts')]);
  });

  it('account §7: is a file as well, with a line for each buyer and for each of its tiers', async () => {
    const file = (asked: Record<string, string>) =>
      fetch(`${node.url}/api/v1/download-file/home-buyers`, {
        method: 'POST',
        headers: { cookie: owner, 'x-requested-with': 'sluice', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ isDownloadCSV: 'true', timeZone: 'UTC', ...asked }),
      });
    expect((await file({ sort: 'constructor' })).status).toBe(400);
    const response = await file({ search: 'taker' });
    expect(response.headers.get('content-disposition')).toMatch(/home-buyers-\d\d[A-Z][a-z]{2}\d{4}\.csv/);
    const lines = (await response.text()).trim().split('\r\n');
    expect(lines[0]).toContain('Buyer,Tier,Vertical,Health,Calls,Accepts,Accept rate %,Revenue,Time-outs,Error,Median answer ms,Wrong,id');
    expect(lines.slice(1).map((line) => line.split(',').slice(0, 2))).toEqual([
      ['Taker', ''],
      ['Taker', 'Main'],
    ]);
  });

  it.each(['health=ill', 'sort=--name', 'page=0', 'page=x', `search=${'a'.repeat(201)}`, 'timeZone=Mars'])(
    '%s is refused',
    async (query) => {
      expect((await get<object>(`${BUYERS}?${query}`)).statusCode).toBe(400);
      expect((await get<object>(`${PUBLISHERS}?${query}`)).statusCode).toBe(400);
    },
  );

  it('a cap that is used up is worth a look; a buyer that is paused itself is paused, whatever its tiers say', async () => {
    const own = await buildWorld(node.db, {
      groups: [
        {
          mode: 'priority',
          tiers: [
            { url: taker.url, buyer: 'Full', caps: [{ measure: 'sold', period: 'day', timeZone: 'UTC', limit: 1 }] },
            { url: taker.url, buyer: 'Away' },
          ],
        },
      ],
    });
    await node.db.updateTable('buyer').set({ status: 'paused' }).where('id', '=', own.tiers[1]!.buyerId).execute();
    await node.planBook.reload(own.organizationId);
    await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${own.key}` });
    const { rows } = await get<HomeBuyersAnswer>(BUYERS, await signIn(await buildUser(node.db, own.organizationId)));
    expect(rows.map(({ name, health }) => [name, health])).toEqual([
      ['Full', 'warn'],
      ['Away', 'paused'],
    ]);
    expect(rows[0]!.wrong[0]).toMatch(/daily sold cap at 1 of 1/);
  });
});

describe('account §2, §6: home-publisher lists the publishers with their health today', () => {
  it('counts what they sent, and says when much of it does not get into the tree', async () => {
    const { rows } = await get<HomePublishersAnswer>(PUBLISHERS);
    const { today } = await get<OverviewAnswer>('/api/console/overview?region=us&vertical=payday&timeZone=UTC');
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({
      health: 'warn',
      wrong: ['4 of 16 leads today did not get into the tree: invalid, rejected or duplicate.'],
      today: { leads: 16, sold: 12, refused: 4, payout: today.payout, revenue: today.revenue },
    });
    expect(rows[0]!.tiers.map((tier) => tier.today)).toEqual([rows[0]!.today]);
  });
});

describe('console §2: what home counts', () => {
  it('is the same of an hour that is kept as of one that is read from its rows', async () => {
    const from = Math.floor(Date.now() / HOUR_MS) * HOUR_MS - HOUR_MS;
    const scope = { organizationId: world.organizationId, verticalIds: [world.verticalId], span: { from, to: from + 2 * HOUR_MS } };
    const read = async () => ({ buyers: await readBuyerDays(node.db, scope), publishers: await readPublisherDays(node.db, scope) });
    const rows = await read();
    expect(rows.buyers.get(world.tiers[2]!.buyerTierId)).toMatchObject({ attempts: 12, sold: 12 });
    expect(rows.publishers.get(world.publisherTierId)).toMatchObject({ leads: 16, sold: 12, refused: 4 });
    await vi.waitFor(async () => expect(await rollReports(node.pool, scope.span.to + HOUR_MS)).toBeGreaterThan(0), 20_000);
    // What is kept is told alone: the rows of leads say nothing any more.
    await node.pool.query('update lead set test = true where organization_id = $1', [world.organizationId]);
    expect(await read()).toEqual(rows);
    await node.pool.query('update lead set test = false where organization_id = $1', [world.organizationId]);
  });
});

describe('console §6: everybody sees the verticals whose overview they may open', () => {
  it('a member with the overview sees those who have to do with the vertical, and nobody else', async () => {
    await node.db
      .insertInto('buyer')
      .values({ organization_id: world.organizationId, id: crypto.randomUUID(), name: 'Without a tier', status: 'active' })
      .execute();
    const cookie = await signIn(await member(['overview']));
    const names = async (who: string) => (await get<HomeBuyersAnswer>(BUYERS, who)).rows.map(({ name }) => name);
    expect(await names(cookie)).not.toContain('Without a tier');
    expect(await names(owner)).toContain('Without a tier');
    expect(await names(cookie)).not.toContain('Somebody else’s');
  });

  it('who may not open it sees no buyer, no publisher and no figure', async () => {
    const cookie = await signIn(await member(['setup']));
    expect(await get(BUYERS, cookie)).toMatchObject({ statusCode: 200, verticals: 0, rows: [], total: 0 });
    expect(await get(PUBLISHERS, cookie)).toMatchObject({ statusCode: 200, verticals: 0, rows: [], total: 0 });
  });
});

describe('frontend: the pages of today are live', () => {
  async function listen(cookie: string) {
    const abort = new AbortController();
    const response = await fetch(`${node.url}/api/console/home/feed`, { headers: { cookie }, signal: abort.signal });
    const reader = response.body!.getReader();
    let text = '';
    /** Names of events up to one of this name, or to the end. */
    const until = async (name: string) => {
      for (;;) {
        const names = [...text.matchAll(/event: (\S+)/g)].map(([, one]) => one!);
        if (names.includes(name)) return names;
        const { value, done } = await reader.read();
        if (done) return [...names, 'end'];
        text += new TextDecoder().decode(value);
      }
    };
    return { until, text: () => text, stop: () => abort.abort() };
  }
  const sell = (email: string) => node.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${world.key}` });

  it('a feed says that leads end, and nothing of them', async () => {
    const feed = await listen(owner);
    expect(await feed.until('here')).toEqual(['here']);
    await sell('live@example.com');
    expect(await feed.until('ended')).toEqual(['here', 'ended']);
    expect(feed.text()).toMatch(/^: welcome\n\nid: \S+\nevent: here\ndata: \{\}\n\nid: \S+\nevent: ended\ndata: \{\}\n\n$/);
    feed.stop();
  });

  it('it tells nobody of places that they may not look at, and ends when permissions change', async () => {
    const other = await listen(await signIn(await buildUser(node.db, stranger.organizationId)));
    const user = await member(['leadFlow-Inbound']);
    const blind = await listen(await signIn(user));
    for (const feed of [other, blind]) expect(await feed.until('here')).toEqual(['here']);
    const own = await listen(owner);
    await sell('later@example.com');
    await own.until('ended');
    own.stop();
    await node.db.updateTable('team_member').set({ permissions: '[]' }).where('user_id', '=', user.userId).execute();
    expect(await blind.until('none')).toEqual(['here', 'end']);
    expect(other.text()).not.toContain('ended');
    other.stop();
  });
});
