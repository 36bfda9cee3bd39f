/**
 * `npm run bench -- reports [sizes]`: two months of leads of that many, counted by the roller, and an hour at hand that is not; then what each report, the search for
 * a consumer and a download cost, and what reports cost the leads that come in meanwhile.
 */
import { cpus, totalmem } from 'node:os';
import type pg from 'pg';
import { capWindowAt } from '#engine/window.ts';
import { readFlow } from '#server/campaign/flow.sql.ts';
import { readBuyerDays, readPublisherDays } from '#server/home/home.sql.ts';
import { unwrapKeys } from '#server/kit/crypto.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { openTenants, type Tenants } from '#server/kit/tenant.ts';
import { buildPageReport } from '#server/landing-page/build-page-report.ts';
import { daysAt, readOverview } from '#server/overview/overview.sql.ts';
import { buildPaymentReport } from '#server/payment/build-payment-report.ts';
import { readBuyerFigures, readPublisherFigures } from '#server/portal/portal-figures.ts';
import { readBidPrices } from '#server/report/bid-prices.sql.ts';
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
import { type History, openHistory, PUBLISHERS, type Span, SUB_IDS, TIERS } from './history.ts';
import { killAll, start } from './processes.ts';
import { withDatabase } from './with-database.ts';

const SIZES = process.argv.slice(3).map(Number);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);
/** An average hour of 2,000,000 leads a month, whatever the size of the history. */
const HOUR_LEADS = Number(process.env.BENCH_HOUR ?? 2_800);
/** For every second sale. */
const PAYMENTS_EACH = Number(process.env.BENCH_PAYMENTS ?? 1);
const MOST_RAW = 20_000;
const DAYS = 30;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const ZONE = 'America/New_York' as const;

export async function benchReports(): Promise<void> {
  const machine = `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
  console.log(
    `Two months of leads and an hour at hand of ${HOUR_LEADS.toLocaleString('en')} more, six calls each, ${TIERS} buyer tiers, ${PUBLISHERS} publishers with ${SUB_IDS.toLocaleString('en')} sub ids; ${machine}; the time of the data of one report, p95 of ${ROUNDS}.\n`,
  );
  for (const leads of SIZES.length > 0 ? SIZES : [20_000, 200_000]) await benchSize(leads);
}

const benchSize = (leads: number): Promise<void> =>
  withDatabase(async (url) => {
    const pool = openPool(url, 4);
    const tenants = openTenants(url, 2);
    try {
      const market = await start('buyers.ts', []);
      const world = await buildWorld(openDb(pool), { groups: groupsAt(`http://127.0.0.1:${market.port}`) });
      const { rows } = await pool.query('select data_key from organization where id = $1', [world.organizationId]);
      const keys = unwrapKeys(TEST_CONFIG.masterKey, world.organizationId, rows[0].data_key);
      const history = await openHistory(pool, world, keys);
      const made = await measure(pool, tenants, world, history, leads).finally(history.close);
      await benchBeside(pool, url, world, made);
    } finally {
      killAll();
      await Promise.all([pool.end(), tenants.close()]);
    }
  });

/** Two that say no and one that buys for the leads that come in; all ten for those of the months. */
function groupsAt(buyersUrl: string) {
  const tiers = Array.from({ length: TIERS }, (_, at) => {
    const url = `${buyersUrl}/${at < 2 ? 'no' : 'yes'}`;
    const endpoint = jsonEndpoint(url, 'post');
    return { url, buyer: `Buyer ${at}`, endpoint: { post: { ...endpoint.post, url } } };
  });
  return [tiers.slice(0, 4), tiers.slice(4, 7), tiers.slice(7)].map((of) => ({ mode: 'priority' as const, tiers: of }));
}

/** What a report is asked for. */
interface Asked {
  span: Span;
  before: Span;
}

/** The last 30 days with today against those before them, or today against yesterday, up to an instant: in the middle of an hour, as much of it is read of the span before. */
const monthTo = (now: number): Asked => {
  const from = capWindowAt('day', ZONE, now).windowStartAt! - (DAYS - 1) * DAY_MS;
  return { span: { from, to: now }, before: { from: from - DAYS * DAY_MS, to: now - DAYS * DAY_MS } };
};
const todayTo = (now: number): Asked => {
  const from = capWindowAt('day', ZONE, now).windowStartAt!;
  return { span: { from, to: now }, before: { from: from - DAY_MS, to: now - DAY_MS } };
};

export interface MadeHistory {
  /** Serials go up to this one. */
  leads: number;
  /** As many as a file of all leads of the vertical has lines. */
  listed: number;
  month: Span;
}

async function measure(pool: pg.Pool, tenants: Tenants, world: World, history: History, leads: number): Promise<MadeHistory> {
  const began = performance.now();
  const secondsSince = (instant: number) => (performance.now() - instant) / 1000;
  const tell = (what: string) => console.log(`  ${secondsSince(began).toFixed(0).padStart(5)} s  ${what}`);
  const over = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const listed = await history.fill(0, leads, { from: monthTo(over).before.from, to: over });
  tell(`${leads.toLocaleString('en')} leads are written`);
  const payments = await history.fillPayments(PAYMENTS_EACH);
  const filled = secondsSince(began);
  tell(`${payments.toLocaleString('en')} payments are written`);
  // Before anything is counted: what a report costs that has only rows. Of many that takes longer than anybody waits for.
  const raw = leads <= MOST_RAW ? await timeAll(tenants, world, monthTo(over), 1) : {};
  const counting = performance.now();
  const hours = await rollReports(pool, Date.now());
  const seconds = secondsSince(counting);
  // As ten minutes later.
  await rollReports(pool, Date.now(), { weekRestMs: 0 });
  await pool.query('analyze');
  tell(`${hours} hours are counted`);
  const kept = await timeAll(tenants, world, monthTo(over), ROUNDS);
  tell('whole hours of a month are timed');
  // The hour that runs now, nearly full: counted up to its last minutes, as a node would have.
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const atHand = await history.fill(leads, HOUR_LEADS, { from: hour, to: hour + HOUR_MS });
  await rollReports(pool, hour + 59 * MINUTE_MS);
  const month = await timeAll(tenants, world, monthTo(hour + 59 * MINUTE_MS), ROUNDS);
  tell('a month with the hour at hand is timed');
  const today = await timeAll(tenants, world, todayTo(hour + 59 * MINUTE_MS), ROUNDS);
  const size = await pool.query(
    `select sum(pg_total_relation_size(c.oid))::int8 as bytes, pg_database_size(current_database()) as database from pg_class c where c.relname ~ '^(lead|attempt|latency|page)_tally_' and c.relkind = 'r'`,
  );
  const inMiB = (bytes: string) => `${Math.round(Number(bytes) / 2 ** 20).toLocaleString('en')} MiB`;
  const counted = `${hours} hours counted in ${seconds.toFixed(1)} s (${Math.round(leads / seconds).toLocaleString('en')} leads a second)`;
  console.log(
    `${leads.toLocaleString('en')} leads and ${payments.toLocaleString('en')} payments made in ${filled.toFixed(0)} s: ${counted}, kept in ${inMiB(size.rows[0].bytes)} of ${inMiB(size.rows[0].database)}`,
  );
  console.table(
    Object.fromEntries(
      Object.keys(kept).map((name) => [
        name,
        {
          'ms, whole hours of a month': kept[name],
          'a month with the hour at hand': month[name],
          'today with the hour at hand': today[name],
          'a month from the rows': raw[name] ?? '–',
        },
      ]),
    ),
  );
  // What comes in next comes now, and not at the end of the hour.
  await pool.query('delete from report_slot_mark');
  await pool.query('delete from report_slot_progress');
  return { leads: leads + HOUR_LEADS, listed: listed + atHand, month: monthTo(hour + 59 * MINUTE_MS).span };
}

/** By report: p95 in milliseconds. */
async function timeAll(tenants: Tenants, world: World, { span, before }: Asked, rounds: number): Promise<Record<string, number>> {
  const { organizationId, verticalId, campaignId, publisherId } = world;
  const db = tenants.of(organizationId);
  const scope = { organizationId, verticalId };
  const verticals = (
    await db.selectFrom('vertical').select(['id', 'region_id']).where('organization_id', '=', organizationId).execute()
  ).map(({ id, region_id }) => ({ verticalId: id, regionId: region_id }));
  const unit = span.to - span.from > 2 * DAY_MS ? ('day' as const) : ('hour' as const);
  const order: Omit<Ordered<never>, 'by' | 'unit'> & { unit: 'day' | 'hour' } = { span, before, filters: {}, unit, timeZone: ZONE };
  const { buyerTierId, buyerId } = world.tiers[0]!;
  const home = { organizationId, verticalIds: verticals.map((one) => one.verticalId), span: daysAt(ZONE, span.to - 1).today };
  const visitor = (kind: 'buyer' | 'publisher', _id: string) =>
    ({ organization: { organizationId }, company: { _id, kind }, tiers: [{ id: '', name: '', verticalId }] }) as never;
  const text = (at: number) => new Date(at).toISOString();
  const portal = {
    ...{ from: text(span.from), to: text(span.to), beforeFrom: text(before.from), beforeTo: text(before.to) },
    ...{ unit, timeZone: ZONE, tierId: undefined },
  } as const;
  const reports: Record<string, () => Promise<unknown>> = {
    'inbound by publisher tier': () => buildReport(db, scope, LEADS, { ...order, by: ['publisherTier'] }),
    'inbound by sub id': () => buildReport(db, scope, LEADS, { ...order, by: ['subId'] }),
    'inbound by variant': () => buildReport(db, scope, LEADS, { ...order, by: ['variant'] }),
    'inbound by state': () => buildReport(db, scope, LEADS, { ...order, by: ['state'] }),
    'inbound by vertical': () => buildReport(db, { ...scope, verticals }, LEADS, { ...order, by: ['vertical'] }),
    'inbound of one publisher, by sub id': () =>
      buildReport(db, scope, LEADS, { ...order, by: ['subId'], filters: { publisher_id: publisherId, campaign_id: campaignId } }),
    'outbound by buyer tier': () => buildReport(db, scope, ATTEMPTS, { ...order, by: ['buyerTier'] }),
    'outbound by group': () => buildReport(db, scope, ATTEMPTS, { ...order, by: ['group'] }),
    'outbound by state': () => buildReport(db, scope, ATTEMPTS, { ...order, by: ['state'] }),
    'outbound by region': () => buildReport(db, { ...scope, verticals }, ATTEMPTS, { ...order, by: ['region'] }),
    'outbound of one buyer tier, by publisher': () =>
      buildReport(db, scope, ATTEMPTS, { ...order, by: ['publisher'], filters: { buyer_tier_id: buyerTierId, campaign_id: campaignId } }),
    'trending by hour': () => buildReport(db, scope, LEADS, { ...order, unit: 'hour', by: ['campaign'] }),
    'performance, publisher by buyer': () => buildReport(db, scope, ATTEMPTS, { ...order, unit: null, by: ['publisherTier', 'buyer'] }),
    redirects: () => buildReport(db, scope, ATTEMPTS, { ...order, by: ['buyer'] }),
    reasons: () => readReasons(db, scope, { ...order, leadFilters: {}, attemptFilters: {} }),
    'time-outs': () => readTimeouts(db, scope, order),
    'bids and prices': () => readBidPrices(db, scope, order.span, {}),
    map: () => buildMap(db, scope, order),
    'page-stats': () => buildPageReport(db, scope, order),
    ...Object.fromEntries(
      (['processor', 'reason', 'bin', 'buyerTier'] as const).map((by) => [
        `payments by ${by}`,
        () => buildPaymentReport(db, { ...order, scope, by, currency: 'USD' }),
      ]),
    ),
    overview: () => readOverview(db, scope, daysAt(ZONE, span.to - 1), ZONE),
    'home of buyers': () => readBuyerDays(db, home),
    'home of publishers': () => readPublisherDays(db, home),
    'flow of a campaign': () => db.transaction().execute((tx) => readFlow(tx, organizationId, campaignId, home.span.from)),
    'a publisher’s portal, by sub id': () =>
      readPublisherFigures(db, visitor('publisher', publisherId), { ...portal, rowsBefore: 'false', by: 'subId' }, span.to),
    'a buyer’s portal': () => readBuyerFigures(db, visitor('buyer', buyerId), { ...portal, rowsBefore: 'false' }, span.to),
    'compare, two states': () =>
      compare(
        db,
        {
          ...{ region: 'us', vertical: 'payday', timeZone: ZONE, unit, of: 'state', a: 'CA', b: 'TX' },
          ...{ from: text(span.from), to: text(span.to) },
        },
        { verticalOf: async () => ({ scope, name: '' }), regionOf: async () => ({ scope, name: '' }) },
      ),
  };
  const told: Record<string, number> = {};
  const wanted = process.env.BENCH_REPORT;
  for (const [name, read] of Object.entries(reports).filter(([name]) => !wanted || name.includes(wanted))) {
    if (rounds > 1) await read();
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
