/**
 * `npm run bench -- reports [sizes]`: a month of leads of that many, counted by the roller; then what each report, the search for a consumer and a
 * download cost, and what reports cost the leads that come in meanwhile.
 */
import { cpus, totalmem } from 'node:os';
import type pg from 'pg';
import { unwrapKeys } from '#server/kit/crypto.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { openTenants, type Tenants } from '#server/kit/tenant.ts';
import { buildPageReport } from '#server/landing-page/build-page-report.ts';
import { daysAt, readOverview } from '#server/overview/overview.sql.ts';
import { buildPaymentReport } from '#server/payment/build-payment-report.ts';
import { buildMap } from '#server/report/build-map.ts';
import { ATTEMPTS, buildReport, LEADS, type Ordered } from '#server/report/build-report.ts';
import { compare } from '#server/report/compare.ts';
import { readReasons } from '#server/report/reasons.sql.ts';
import { rollReports } from '#server/report/roll-reports.ts';
import { readTimeouts } from '#server/report/timeouts.sql.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { buildWorld, jsonEndpoint, type World } from '#test/harness/world.ts';
import { benchBeside } from './beside-reports.ts';
import { quantile } from './generator.ts';
import { ATTEMPTS as CALLS, fillHistory, PUBLISHER_TIERS, type Span, TIERS } from './history.ts';
import { killAll, start } from './processes.ts';
import { withDatabase } from './with-database.ts';

const SIZES = process.argv.slice(3).map(Number);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
const MOST_RAW = 50_000;
const DAYS = 30;
const DAY_MS = 86_400_000;

export async function benchReports(): Promise<void> {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  console.log(
    `A month of leads, ${CALLS} calls each, ${TIERS} buyer tiers, ${PUBLISHER_TIERS} publisher tiers; ${machine}; the time of the data of one report, p95 of ${ROUNDS}.\n`,
  );
  for (const leads of SIZES.length > 0 ? SIZES : [20_000, 200_000]) await benchSize(leads);
}

const benchSize = (leads: number): Promise<void> =>
  withDatabase(async (url) => {
    const pool = openPool(url, 4);
    const tenants = openTenants(url, 2);
    try {
      const market = await start('buyers.ts', []);
      const world = await buildWorld(openDb(pool), { groups: [{ mode: 'priority', tiers: tiersAt(`http://127.0.0.1:${market.port}`) }] });
      const end = Math.floor(Date.now() / DAY_MS) * DAY_MS;
      const span = { from: end - DAYS * DAY_MS, to: end };
      await measure(pool, tenants, world, leads, span);
      await benchBeside(pool, url, world, leads, span);
    } finally {
      killAll();
      await Promise.all([pool.end(), tenants.close()]);
    }
  });

/** Two that say no and one that buys for the leads that come in; all ten for those of the month. */
const tiersAt = (buyersUrl: string) =>
  Array.from({ length: TIERS }, (_, at) => {
    const url = `${buyersUrl}/${at < 2 ? 'no' : 'yes'}`;
    const endpoint = jsonEndpoint(url, 'post');
    return { url, buyer: `Buyer ${at}`, endpoint: { post: { ...endpoint.post, url } } };
  });

async function measure(pool: pg.Pool, tenants: Tenants, world: World, leads: number, span: Span): Promise<void> {
  const { rows } = await pool.query('select data_key from organization where id = $1', [world.organizationId]);
  const filling = performance.now();
  await fillHistory(pool, world, unwrapKeys(TEST_CONFIG.masterKey, world.organizationId, rows[0].data_key), leads, span);
  const filled = (performance.now() - filling) / 1000;
  // Before anything is counted: what a report costs that has only rows. Of many that takes longer than anybody waits for.
  const raw = leads <= MOST_RAW ? await timeAll(tenants, world, span, 2) : {};
  const began = performance.now();
  const hours = await rollReports(pool, Date.now());
  const seconds = (performance.now() - began) / 1000;
  await pool.query('analyze');
  const kept = await timeAll(tenants, world, span, ROUNDS);
  const size = await pool.query(
    `select sum(pg_total_relation_size(c.oid))::int8 as bytes, pg_database_size(current_database()) as database from pg_class c where c.relname ~ '^(lead|attempt|latency|page)_tally_' and c.relkind = 'r'`,
  );
  const inMiB = (bytes: string) => `${Math.round(Number(bytes) / 2 ** 20).toLocaleString('en')} MiB`;
  const counted = `${hours} hours counted in ${seconds.toFixed(1)} s (${Math.round(leads / seconds).toLocaleString('en')} leads a second)`;
  console.log(
    `${leads.toLocaleString('en')} leads made in ${filled.toFixed(0)} s: ${counted}, kept in ${inMiB(size.rows[0].bytes)} of ${inMiB(size.rows[0].database)}`,
  );
  console.table(
    Object.fromEntries(Object.keys(kept).map((name) => [name, { 'ms, counted': kept[name], 'ms, from the rows': raw[name] ?? '–' }])),
  );
}

/** By report: p95 in milliseconds. */
async function timeAll(tenants: Tenants, world: World, span: Span, rounds: number): Promise<Record<string, number>> {
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
    'page-stats': () => buildPageReport(db, scope, order),
    ...Object.fromEntries(
      (['processor', 'reason', 'bin', 'buyerTier'] as const).map((by) => [
        `payments by ${by}`,
        () => buildPaymentReport(db, { ...order, scope, by, currency: 'USD' }),
      ]),
    ),
    overview: () => readOverview(db, scope, daysAt('UTC', span.to - 60_000), 'UTC'),
    'compare, two states': () =>
      compare(
        db,
        {
          ...{ region: 'us', vertical: 'payday', timeZone: 'America/New_York', unit: 'day', of: 'state', a: 'CA', b: 'TX' },
          ...{ from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() },
        },
        { verticalOf: async () => ({ scope, name: '' }), regionOf: async () => ({ scope, name: '' }) },
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
