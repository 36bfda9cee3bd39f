import { cpus, totalmem } from 'node:os';
import type pg from 'pg';
import { US_STATES } from '#engine/state.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { openTenants, type Tenants } from '#server/kit/tenant.ts';
import { buildMap } from '#server/report/build-map.ts';
import { ATTEMPTS, buildReport, LEADS, type Ordered } from '#server/report/build-report.ts';
import { compare } from '#server/report/compare.ts';
import { readReasons } from '#server/report/reasons.sql.ts';
import { rollReports } from '#server/report/roll-reports.ts';
import { readTimeouts } from '#server/report/timeouts.sql.ts';
import { buildWorld, type World } from '#test/harness/world.ts';
import { quantile } from './generator.ts';
import { withDatabase } from './with-database.ts';

const SIZES = process.argv.slice(3).map(Number);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const MOST_RAW = 50_000;
const DAYS = 30;
const DAY_MS = 86_400_000;
const TIERS = 10;
const PUBLISHER_TIERS = 8;

export async function benchReports(): Promise<void> {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  console.log(
    `A month of leads, ${TIERS} buyer tiers, ${PUBLISHER_TIERS} publisher tiers; ${machine}; the time of the data of one report, p95 of ${ROUNDS}.\n`,
  );
  for (const leads of SIZES.length > 0 ? SIZES : [20_000, 200_000]) await benchSize(leads);
}

const benchSize = (leads: number): Promise<void> =>
  withDatabase(async (url) => {
    const pool = openPool(url, 4);
    const tenants = openTenants(url, 2);
    await measure(pool, tenants, leads);
    await Promise.all([pool.end(), tenants.close()]);
  });

async function measure(pool: pg.Pool, tenants: Tenants, leads: number): Promise<void> {
  const world = await buildWorld(openDb(pool), {
    groups: [{ mode: 'priority', tiers: Array.from({ length: TIERS }, (_, at) => ({ url: 'http://127.0.0.1:9', buyer: `Buyer ${at}` })) }],
  });
  const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const span = { from: end - DAYS * DAY_MS, to: end };
  await fill(pool, world, leads, span);
  // Before anything is counted: what a report costs that has only rows. Of many that takes longer than anybody waits for.
  const raw = leads <= MOST_RAW ? await timeAll(tenants, world, span, 2) : {};
  const began = performance.now();
  const hours = await rollReports(pool, Date.now());
  const seconds = (performance.now() - began) / 1000;
  await pool.query('analyze');
  const kept = await timeAll(tenants, world, span, ROUNDS);
  const size = await pool.query(
    `select sum(pg_total_relation_size(c.oid))::int8 as bytes from pg_class c where c.relname ~ '^(lead|attempt|latency)_tally_' and c.relkind = 'r'`,
  );
  const counted = `${hours} hours counted in ${seconds.toFixed(1)} s (${Math.round(leads / seconds).toLocaleString('en')} leads a second)`;
  console.log(`${leads.toLocaleString('en')} leads: ${counted}, kept in ${(size.rows[0].bytes / 2 ** 20).toFixed(1)} MiB`);
  console.table(
    Object.fromEntries(Object.keys(kept).map((name) => [name, { 'ms, counted': kept[name], 'ms, from the rows': raw[name] ?? '–' }])),
  );
}

/** Eight publisher tiers, three of ten buyer tiers called a lead, a third sold, at all hours, from all states alike. */
async function fill(pool: pg.Pool, world: World, leads: number, span: { from: number; to: number }): Promise<void> {
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  for (const at of [span.from, span.to]) await client.query('select ensure_month_partitions($1)', [new Date(at)]);
  const step = (span.to - span.from) / leads;
  await client.query(
    `create temp table seat as select n, gen_random_uuid() as publisher_tier_id from generate_series(0, ${PUBLISHER_TIERS - 1}) n;
     create temp table tier as select row_number() over (order by id) - 1 as n, id, buyer_id from buyer_tier`,
  );
  await client.query(
    `create temp table made as
      select i, uuid7_at($1::timestamptz + i * $2::float8 * interval '1 millisecond') as id, s.publisher_tier_id, i % 3 = 0 as is_sold from generate_series(0, $3::int - 1) i join seat s on s.n = i % ${PUBLISHER_TIERS}`,
    [new Date(span.from), step, leads],
  );
  const { organizationId, regionId, verticalId, campaignId, publisherId } = world;
  const own = [organizationId, verticalId];
  await client.query(
    `insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, state, mode, test, node_id, fields)
      select $1, id, $3, $2, $4, $5, publisher_tier_id, 'sub ' || i % 5, ($6::text[])[1 + i / 7 % cardinality($6::text[])], 'full', false, $1, '' from made`,
    [...own, regionId, campaignId, publisherId, Object.keys(US_STATES)],
  );
  await client.query(
    `insert into lead_result (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin, sale_count,
        attempt_count, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained)
      select $1, m.id, $2, $3, m.publisher_tier_id, false, case when is_sold then 'sold' else 'unsold' end, case when is_sold then null else 'buyer-all-tier-failed' end,
        case when is_sold then 20 else 0 end, case when is_sold then 16 else 0 end, case when is_sold then 4 else 0 end, is_sold::int, 3, 50, 40, 1, now(),
        (select jsonb_agg(jsonb_build_object('t', t.id, 'g', t.id, 'o',
            case (t.n - m.i % ${TIERS} + ${TIERS}) % ${TIERS} when 0 then 'rejected' when 1 then 'timeouts' when 2 then case when m.is_sold then 'sold' else 'rejected' end
              when 3 then 'filtered' else 'notReached' end, 'k', 7)) from tier t), ''
      from made m`,
    [...own, campaignId],
  );
  await client.query(
    `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms)
      select $1, m.id, a, $2, t.buyer_id, t.id, t.id, false, 'post', case a when 1 then 'timeouts' when 2 then case when is_sold then 'sold' else 'rejected' end else 'rejected' end,
        'x', now(), 20 + (hashtext(m.id::text || a) & 4095)
      from made m cross join generate_series(0, 2) a join tier t on t.n = (m.i + a) % ${TIERS}`,
    own,
  );
  await client.query(
    `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, post_price_differs)
      select $1, m.id, 0, $2, t.buyer_id, t.id, $3, false, 20, 16, 4, false from made m join tier t on t.n = (m.i + 2) % ${TIERS} where is_sold`,
    [...own, publisherId],
  );
  await client.query(
    `insert into redirect (organization_id, lead_id, sale_index, vertical_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id, given_at, expires_at, url, followed_at)
      select $1, m.id, 0, $2, $3, m.publisher_tier_id, t.buyer_id, t.id, now(), now(), '', case when m.i % 4 > 0 then now() + (m.i % 60) * interval '1 second' end
      from made m join tier t on t.n = (m.i + 2) % ${TIERS} where is_sold`,
    [...own, publisherId],
  );
  await client.query('analyze');
  client.release();
}

/** By report: p95 in milliseconds. */
async function timeAll(
  tenants: Tenants,
  world: World,
  span: { from: number; to: number },
  rounds: number,
): Promise<Record<string, number>> {
  const { organizationId, verticalId } = world;
  const db = tenants.of(organizationId);
  const scope = { organizationId, verticalId };
  const before = { from: span.from - (span.to - span.from), to: span.from };
  const order: Omit<Ordered<never>, 'by' | 'unit'> & { unit: 'day' } = {
    span,
    before,
    filters: {},
    unit: 'day',
    timeZone: 'America/New_York',
  };
  const reports: Record<string, () => Promise<unknown>> = {
    'inbound by publisher tier': () => buildReport(db, scope, LEADS, { ...order, by: ['publisherTier'] }),
    'inbound by sub id': () => buildReport(db, scope, LEADS, { ...order, by: ['subId'] }),
    'outbound by buyer tier': () => buildReport(db, scope, ATTEMPTS, { ...order, by: ['buyerTier'] }),
    'trending by hour': () => buildReport(db, scope, LEADS, { ...order, unit: 'hour', by: ['campaign'] }),
    'performance, publisher by buyer': () => buildReport(db, scope, ATTEMPTS, { ...order, unit: null, by: ['publisherTier', 'buyer'] }),
    redirects: () => buildReport(db, scope, ATTEMPTS, { ...order, by: ['buyer'] }),
    reasons: () => readReasons(db, scope, { ...order, leadFilters: {}, attemptFilters: {} }),
    'time-outs': () => readTimeouts(db, scope, order),
    map: () => buildMap(db, scope, order),
    'compare, two states': () =>
      compare(
        db,
        {
          ...{ region: 'us', vertical: 'payday', timeZone: 'America/New_York', unit: 'day', of: 'state', a: 'CA', b: 'TX' },
          ...{ from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() },
        },
        async () => ({ scope, name: '' }),
      ),
  };
  const told: Record<string, number> = {};
  for (const [name, read] of Object.entries(reports)) {
    await read();
    const times: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const began = performance.now();
      await read();
      times.push(performance.now() - began);
    }
    told[name] = Math.round(quantile(times, 0.95));
  }
  return told;
}
