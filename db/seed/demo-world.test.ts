import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpointConfig } from '#contract/endpoint.ts';
import { capWindowAt } from '#engine/window.ts';
import { openAddresses } from '#server/kit/addresses.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import { startMarket } from '#server/market/market.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode } from '#test/harness/node.ts';
import { buildWorld } from '#test/harness/world.ts';
import { demoCurl, demoLead } from './demo-curl.ts';
import { type DemoWorld, seedDemoWorld } from './demo-world.ts';
import { randomOf } from './random.ts';
import { openSimulation, type Simulation } from './simulation.ts';
import { DEMO_TIER } from './world/publishers.ts';

const SMALL = { days: 4, leadsPerDay: 180 };
const HOUR_MS = 3_600_000;

let database: TestDatabase;
let pool: pg.Pool;
let demo: DemoWorld;
let seededAt: number;

beforeAll(async () => {
  database = await freshDatabase();
  seededAt = Date.now();
  demo = (await seed(database.url))!;
  pool = openPool(database.url, 4);
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

function seed(url: string): Promise<DemoWorld | undefined> {
  return seedDemoWorld(TEST_CONFIG, url, () => {}, SMALL);
}

async function rows<T extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<T[]> {
  return (await pool.query<T>(text, values)).rows;
}

async function count(from: string): Promise<number> {
  return (await rows<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;
}

async function openPlans(): Promise<Simulation> {
  const ids = (await rows<{ id: string }>('select id from organization')).map((row) => row.id);
  return openSimulation(ids, {
    pool,
    connectionString: database.url,
    masterKey: TEST_CONFIG.masterKey,
    addresses: openAddresses(TEST_CONFIG),
    marketSeed: demo.marketSeed,
    now: Date.now,
  });
}

describe('what there is', () => {
  test('two organizations, two regions, three verticals, seven publishers, ten buyers, twenty-five tiers', async () => {
    const found = {
      organizations: await count('organization'),
      regions: await count('(select distinct slug from region) r'),
      verticals: await count('(select distinct slug from vertical) v'),
      publishers: await count('publisher'),
      publisherTiers: await count('publisher_tier'),
      buyers: await count('buyer'),
      buyerTiers: await count('buyer_tier'),
      modes: await count('(select distinct mode from tree_group) m'),
      trees: await count('(select campaign_id from tree_group group by 1 having count(distinct mode) = 5) t'),
    };
    expect(found).toMatchObject({
      organizations: 2,
      regions: 2,
      verticals: 3,
      publishers: 7,
      buyers: 10,
      buyerTiers: 25,
      modes: 5,
      trees: 1,
    });
    expect(found.publisherTiers).toBeGreaterThanOrEqual(8);
  });

  test('every vertical has the fields of its trade, and a ping shows nothing of who somebody is', async () => {
    for (const { n } of await rows<{ n: number }>('select count(*)::int as n from field group by organization_id, vertical_id')) {
      expect(n).toBeGreaterThanOrEqual(15);
      expect(n).toBeLessThanOrEqual(30);
    }
    expect(await count(`field where in_ping and privacy_class in ('P2', 'P3')`)).toBe(0);
    expect(await count('field where in_ping and searchable')).toBe(0);
  });

  test('caps of every measure and every period, every price model, every kind of delivery', async () => {
    const caps = await rows<{ measure: string; period: string }>(
      `select c ->> 'measure' as measure, c ->> 'period' as period from (
         select jsonb_array_elements(caps) as c from buyer_tier union all select jsonb_array_elements(caps) from buyer
         union all select jsonb_array_elements(caps) from publisher_tier) all_caps`,
    );
    expect([...new Set(caps.map((cap) => cap.measure))].sort()).toEqual(['money', 'sent', 'sold']);
    expect([...new Set(caps.map((cap) => cap.period))].sort()).toEqual(['day', 'hour', 'month', 'overall', 'week']);
    expect(await count(`(select distinct price_model ->> 'kind' from publisher_tier) k`)).toBe(3);
    expect(await count(`(select distinct endpoint -> 'post' -> 'body' ->> 'format' from buyer_tier) f`)).toBe(4);
    expect(await count(`buyer_tier where status = 'paused'`)).toBe(1);
    expect(await count('posting_key where revoked_at is not null')).toBe(1);
  });

  test('account §1: a card whose lander sends the leads of a tier of its own, which has no key', async () => {
    const [card] = await rows<{ id: string; tier: string }>(
      `select c.id, t.id as tier from card c join publisher_tier t on t.organization_id = c.organization_id and t.id = c.publisher_tier_id
        where c.status = 'active' and c.has_lander and t.kind = 'lander'`,
    );
    expect(
      await count(`publisher_tier t where kind = 'lander' or not exists (select from posting_key k where k.publisher_tier_id = t.id)`),
    ).toBe(1);
    const came = await count(`lead where publisher_tier_id = '${card!.tier}'`);
    expect(came).toBeGreaterThan(0);
    expect(await count(`lead_result where publisher_tier_id = '${card!.tier}' and status = 'invalid'`)).toBe(0);
    expect(await count(`lead_page where page_id = '${card!.id}'`)).toBe(came);
    expect(
      await rows(`select sum(submits)::int as submits, sum(views) > sum(submits) as more from page_hour where page_id = '${card!.id}'`),
    ).toEqual([{ submits: came, more: true }]);
    expect(await rows('select sum(submissions)::int as n from card_day')).toEqual([{ n: came }]);
  });

  test('everything compiles: no tier, campaign or field is left out or repaired, every endpoint is sound', async () => {
    const plans = await openPlans();
    for (const organization of plans.organizations.values()) {
      expect(organization.problems).toEqual([]);
      for (const buyer of organization.buyerWires.values()) {
        expect(endpointConfig.safeParse(buyer.endpoint).error?.issues).toBeUndefined();
        expect(buyer.wire).toBeDefined();
      }
      for (const service of organization.serviceWires.values()) expect(service.wire).toBeDefined();
    }
    await plans.close();
  });

  test('people can sign in, a member with some pages of some verticals only', async () => {
    expect(demo.signIns.map((one) => one.email)).toEqual([
      'owner@acme.example',
      'ops@acme.example',
      'desk@northgate.example',
      'traffic@cashbridge.example',
      'owner@brightside.example',
      'admin@sluice.example',
    ]);
    const node = await startNode(database.url);
    for (const { email, password } of demo.signIns) {
      expect(password.length).toBeGreaterThanOrEqual(8);
      expect(password.length).toBeLessThanOrEqual(20);
      const answer = await node.post('/team-login', { email, password }, { 'x-requested-with': 'sluice' });
      expect(answer.json).toMatchObject({ status: true, user: { email } });
    }
    await node.close();
    const [ops] = await rows<{ permissions: { regionChecked: boolean; verticals: { verticalChecked: boolean }[] }[] }>(
      `select permissions from team_member m join app_user u on u.id = m.user_id where u.email = 'ops@acme.example'`,
    );
    const verticals = ops!.permissions.flatMap((region) => region.verticals);
    expect(verticals.filter((one) => one.verticalChecked)).toHaveLength(2);
    expect(verticals.length).toBeGreaterThan(2);
  });
});

describe('the past', () => {
  test('reaches from its first day to a minute ago, and not further', async () => {
    const [span] = await rows<{ first: string; last: string; finished: Date }>(
      'select min(l.id::text) as first, max(l.id::text) as last, max(r.finished_at) as finished from lead l join lead_result r on r.lead_id = l.id',
    );
    expect(idInstant(span!.first)).toBeGreaterThanOrEqual(seededAt - SMALL.days * 24 * HOUR_MS);
    expect(idInstant(span!.first)).toBeLessThan(seededAt - (SMALL.days - 0.5) * 24 * HOUR_MS);
    expect(idInstant(span!.last)).toBeLessThan(seededAt);
    expect(idInstant(span!.last)).toBeGreaterThan(seededAt - 3 * HOUR_MS);
    expect(span!.finished.getTime()).toBeLessThan(Date.now());
  });

  test('every lead has its result, and every sale adds up', async () => {
    expect(
      await count('lead l where not exists (select from lead_result r where r.organization_id = l.organization_id and r.lead_id = l.id)'),
    ).toBe(0);
    expect(await count(`lead_result where status = 'error'`)).toBe(0);
    expect(await count('sale where payout + margin <> revenue')).toBe(0);
    expect(
      await count(
        `lead_result r where not test and revenue <> coalesce((select sum(revenue) from sale s where s.organization_id = r.organization_id and s.lead_id = r.lead_id), 0)`,
      ),
    ).toBe(0);
    expect(await count('sale')).toBeGreaterThan(SMALL.days * SMALL.leadsPerDay * 0.4);
  });

  test('leads were given back, weeks were paid, and every balance is the sum of its entries', async () => {
    expect(await count('lead_return')).toBeGreaterThan(0);
    expect(await count(`ledger_entry where kind = 'payment'`)).toBe(0);
    expect(
      await count(`balance b where amount <> (select sum(amount) from ledger_entry e
        where e.organization_id = b.organization_id and e.party_kind = b.party_kind and e.party_id = b.party_id)`),
    ).toBe(0);
    expect(await count('promotion_sale')).toBeGreaterThan(0);
  });

  test('knows every way in which a lead can end', async () => {
    const statuses = (await rows<{ status: string }>('select distinct status from lead_result')).map((row) => row.status);
    expect(statuses).toEqual(expect.arrayContaining(['sold', 'unsold', 'invalid', 'rejected', 'duplicate', 'bid']));
    const outcomes = (await rows<{ outcome: string }>('select distinct outcome from attempt')).map((row) => row.outcome);
    expect(outcomes).toEqual(expect.arrayContaining(['sold', 'rejected', 'terrors', 'timeouts']));
    expect(await count('late_answer')).toBeGreaterThan(0);
  });

  test('a service was asked as P2C and for a buyer tier: mostly it passed, now and then it refused, with its time on the lead', async () => {
    const calls = await rows<{ purpose: string; outcome: string; n: number; took: number }>(
      'select purpose, outcome, count(*)::int as n, avg(elapsed_ms)::float as took from service_call group by 1, 2',
    );
    const of = (purpose: string, outcome: string) => calls.find((one) => one.purpose === purpose && one.outcome === outcome)?.n ?? 0;
    expect(of('p2c', 'passed')).toBeGreaterThan(of('p2c', 'refused') * 4);
    expect(of('p2c', 'refused')).toBe(await count(`lead_result where reason = 'publisher-tier-p2c-api-failed'`));
    expect(of('p2c', 'refused')).toBeGreaterThan(0);
    expect(of('thirdParty', 'passed')).toBeGreaterThan(0);
    expect(calls.every(({ took }) => took > 5 && took < 500)).toBe(true);
    expect(await count('service_call c join lead_result r using (organization_id, lead_id) where r.buyers_ms < c.elapsed_ms - 0.1')).toBe(
      0,
    );
  });

  test('consumers paid by card after they were sold: cards of several moves, each added up by the hour', async () => {
    const payments = await rows<{ n: number; early: number; moves: number[] }>(
      `select count(*)::int as n, count(*) filter (where attempted_at < uuid7_instant(lead_id))::int as early, array_agg(distinct move order by move) as moves
         from payment where exists (select from sale s where s.organization_id = payment.organization_id and s.lead_id = payment.lead_id)`,
    );
    expect(payments[0]).toMatchObject({ n: await count('payment'), early: 0, moves: expect.arrayContaining([3]) });
    expect(payments[0]!.moves.length).toBeGreaterThan(1);
    expect(payments[0]!.n).toBeGreaterThan(10);
    expect(await rows(`select sum(attempts)::int as n from payment_hour where cube = 'wide'`)).toEqual([{ n: payments[0]!.n }]);
    expect(await count(`payment where result = 'declined' and reason = ''`)).toBe(0);
  });

  test('leads name the landing pages that they were written on, and were seen there before', async () => {
    const pages = await rows<{ leads: number; submits: number; more: boolean }>(
      `select (select count(*)::int from lead_page g where g.page_id = w.id) as leads, sum(h.submits)::int as submits, sum(h.views) > sum(h.submits) as more
         from landing_page w join page_hour h on h.page_id = w.id group by w.id`,
    );
    expect(pages).toHaveLength(await count('landing_page'));
    for (const { leads, submits, more } of pages) expect([submits, more, leads > 0]).toEqual([leads, true, true]);
  });

  test('an A/B test has run since the first day; each consumer of its campaign is in one variant', async () => {
    const shares = await rows<{ n: number }>(
      `select count(v.lead_id)::int as n from ab_variant a left join lead_variant v on v.variant_id = a.id group by a.id`,
    );
    const ofCampaign = await count(`lead l join ab_test t on t.campaign_id = l.campaign_id
      join lead_variant v on v.lead_id = l.id and v.ab_test_id = t.id`);
    expect(shares).toHaveLength(2);
    for (const { n } of shares) expect(n / ofCampaign).toBeGreaterThan(0.35);
    expect(await count('(select consumer from lead_variant group by 1 having count(distinct variant_id) > 1) c')).toBe(0);
  });

  test('no buyer tier sold more than its caps allow, in any of their windows', async () => {
    const plans = await openPlans();
    const sales = await rows<{ tier: string; buyer: string; lead: string; revenue: string }>(
      'select buyer_tier_id as tier, buyer_id as buyer, lead_id::text as lead, revenue::text from sale',
    );
    const capped = [...plans.organizations.values()].flatMap(({ plan }) =>
      [...plan.campaigns.values()].flatMap((campaign) =>
        campaign.groups.flatMap((group) => group.members.map((member) => member.tier.config)),
      ),
    );
    let checked = 0;
    for (const tier of capped) {
      const rules = [
        ...tier.caps.map((cap) => ({ cap, own: sales.filter((sale) => sale.tier === tier.id) })),
        ...tier.buyerCaps.map((cap) => ({ cap, own: sales.filter((sale) => sale.buyer === tier.buyerId) })),
      ];
      for (const { cap, own } of rules.filter((rule) => rule.cap.measure !== 'sent')) {
        // The cap counts in the window in which the lead was handed over, moments after it came.
        const used = Map.groupBy(own, (sale) => capWindowAt(cap.period, cap.timeZone, idInstant(sale.lead)).windowStartAt);
        for (const window of used.values()) {
          const amount =
            cap.measure === 'sold' ? window.length : window.reduce((sum, sale) => sum + Math.round(Number(sale.revenue) * 10_000), 0);
          expect(amount, `${tier.name}: ${cap.measure} per ${cap.period}`).toBeLessThanOrEqual(cap.limit);
          checked += 1;
        }
      }
    }
    expect(checked).toBeGreaterThan(50);
    await plans.close();
  });

  test('counters agree with what was sold, and only unsettled leads are still reserved', async () => {
    const wrong = await rows(
      `select c.counter, c.used from counter c where c.measure = 'sold' and c.period = 'overall' and c.used <>
         (select count(*) from sale s where s.organization_id = c.organization_id and s.buyer_tier_id = c.scope_id)
         + (select count(*) from promotion_sale s where s.organization_id = c.organization_id and s.promotion_id = c.scope_id)
         + (select count(*) from reservation v where v.organization_id = c.organization_id and v.subject_id = c.scope_id and v.purpose = 'post')`,
    );
    expect(wrong).toEqual([]);
    expect(await count('reservation where unknown_since is null')).toBe(0);
  });

  test('one tier is about to reach its cap', async () => {
    const [tier] = await rows<{ used: number; limit: number }>(
      `select c.used::int, (cap ->> 'limit')::int as limit from buyer_tier t, jsonb_array_elements(t.caps) as cap, counter c
        where t.name like 'Cedar Refinance%' and cap ->> 'period' = 'overall' and c.counter = t.id || ':sold:overall:ever'`,
    );
    expect(tier!.used / tier!.limit).toBeGreaterThan(0.7);
    expect(tier!.used).toBeLessThan(tier!.limit);
  });
});

describe('the lead of the printed command', () => {
  test('sells at once, says the same again, and sells again later', async () => {
    const market = await startMarket({ port: demo.marketPort, seed: demo.marketSeed });
    const node = await startNode(database.url);
    const command = demo.curl(node.url);
    const lines = command.split('\n');
    expect(lines[0]).toMatch(/^curl /);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/ \\$/);
    const key = /Bearer (\S+)'/.exec(command)![1];
    const body = /-d '([^']*)'$/.exec(command)![1]!;
    const post = (text: string) => node.post('/api/v1/leads', text, { 'content-type': 'application/json', authorization: `Bearer ${key}` });
    const first = await post(body);
    expect(first.json).toMatchObject({
      status: 'accepted',
      price: expect.stringMatching(/^\d+\.\d\d/),
      redirectUrl: expect.stringMatching(/^http:\/\/acme\.[^/]+\/r\/[\w-]{43}$/),
    });
    expect((await post(body)).json).toEqual(first.json);
    for (let visit = 0; visit < 12; visit++) {
      const again = await post(body.replace('iPhone OS 18_5', `iPhone OS 17_${visit}`));
      expect(again.json).toMatchObject({ status: 'accepted', redirectUrl: expect.stringMatching(/^http:\/\/acme\.[^/]+\/r\/[\w-]{43}$/) });
      expect(again.json.leadId).not.toBe(first.json.leadId);
    }
    await node.close();
    await market.close();
  });

  test('sells at every hour of the week', async () => {
    const simulation = await openPlans();
    const [acme] = [...simulation.organizations.values()].filter((one) => one.name === 'Acme Leads');
    const seat = [...acme!.publisherSeats.values()].find((one) => one.subId === 'cb-search')!;
    const inbound = { method: 'POST', path: '/api/v1/leads', contentType: 'application/json', body: '{}', ip: '127.0.0.1' };
    const from = Date.now() + HOUR_MS;
    const answers = await Promise.all(
      Array.from({ length: 168 }, (_, hour) => {
        const fields = { ...demoLead(), user_agent: `hour ${hour}` };
        const said = { organization: acme!, seat, mode: 'full' as const, fields, test: false, timeoutMs: 60_000, inbound };
        return simulation.post(said, { at: from + hour * HOUR_MS }, randomOf(DEMO_TIER, hour));
      }),
    );
    expect(answers.map(({ answer }) => answer.status)).toEqual(Array.from({ length: 168 }, () => 'accepted'));
    expect(answers.every(({ answer }) => answer.price && answer.redirectUrl)).toBe(true);
    await simulation.close();
  });
});

describe('starting again', () => {
  test('a demo world that is there stays as it is', async () => {
    const before = await Promise.all(['lead', 'sale', 'organization', 'app_user', 'counter'].map(count));
    const startedAt = performance.now();
    const again = await seed(database.url);
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(again).toMatchObject({ marketPort: demo.marketPort, marketSeed: demo.marketSeed, signIns: demo.signIns });
    expect(await Promise.all(['lead', 'sale', 'organization', 'app_user', 'counter'].map(count))).toEqual(before);
  });

  test('where the port of the buyers was taken, they move, and every endpoint with them', async () => {
    const squatter = await listenOn(demo.marketPort);
    const [before] = await rows<{ version: number }>('select sum(configuration_version)::int as version from organization');
    const moved = (await seed(database.url))!;
    await new Promise((resolve) => squatter.close(resolve));
    expect(moved.marketPort).not.toBe(demo.marketPort);
    expect(await count(`buyer_tier where endpoint::text not like '%http://127.0.0.1:${moved.marketPort}/%'`)).toBe(0);
    expect(await count(`buyer_tier where endpoint::text like '%127.0.0.1:${demo.marketPort}/%'`)).toBe(0);
    expect(await count(`service where endpoint::text not like '%http://127.0.0.1:${moved.marketPort}/%'`)).toBe(0);
    const [after] = await rows<{ version: number }>('select sum(configuration_version)::int as version from organization');
    expect(after!.version).toBe(before!.version + 2);
    demo = moved;
  });

  test('buyers that are already there, as beside a second node, stay where they are', async () => {
    const market = await startMarket({ port: demo.marketPort, seed: demo.marketSeed });
    expect((await seed(database.url))!.marketPort).toBe(demo.marketPort);
    await market.close();
  });

  test("somebody's own organizations are never seeded over", async () => {
    const own = await freshDatabase();
    const ownPool = openPool(own.url, 2);
    await buildWorld(openDb(ownPool));
    expect(await seed(own.url)).toBeUndefined();
    expect((await ownPool.query('select count(*)::int as n from organization')).rows).toEqual([{ n: 1 }]);
    expect((await ownPool.query('select count(*)::int as n from demo_world')).rows).toEqual([{ n: 0 }]);
    await ownPool.end();
    await own.drop();
  });

  test('a seeding that was killed is cleared and begun again', async () => {
    const other = await freshDatabase();
    const otherPool = openPool(other.url, 2);
    const leads = async (): Promise<number> => (await otherPool.query('select count(*)::int as n from lead_result')).rows[0].n;
    const killed = seedInChild(other.url);
    while ((await leads()) < 100) await new Promise((resolve) => setTimeout(resolve, 20));
    killed.kill('SIGKILL');
    await new Promise((resolve) => killed.once('exit', resolve));
    const [half] = (await otherPool.query('select organization_ids as ids, finished_at from demo_world')).rows;
    expect(half.finished_at).toBeNull();
    expect(await seed(other.url)).toBeDefined();
    const organizations = (await otherPool.query('select id from organization')).rows.map((row) => row.id);
    expect(organizations).toHaveLength(2);
    expect(organizations.some((id) => half.ids.includes(id))).toBe(false);
    expect((await otherPool.query('select count(*)::int as n from app_user')).rows[0].n).toBe(demo.signIns.length);
    expect((await otherPool.query('select count(*)::int as n from lead l where organization_id = any($1)', [half.ids])).rows[0].n).toBe(0);
    await otherPool.end();
    await other.drop();
  });
});

function listenOn(port: number): Promise<Server> {
  const server = createServer((socket) => socket.destroy());
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

function seedInChild(url: string) {
  const script = `
    const { seedDemoWorld } = await import('#db/seed/demo-world.ts');
    await seedDemoWorld({ appEnv: 'test', rootDomain: 'localhost', port: 3000, masterKey: { seals: Buffer.from('${TEST_CONFIG.masterKey.seals.toString('hex')}', 'hex') } }, '${url}', () => {}, { days: 30, leadsPerDay: 500 });`;
  return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'ignore' });
}

test('the README’s curl is the one that npm start prints', () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', 'README.md'), 'utf8');
  expect(readme.replace(/^ {4}/gm, '')).toContain(demoCurl('http://localhost:3000'));
});
