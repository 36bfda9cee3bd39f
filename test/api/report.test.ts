/** Reports equal the rows, whatever the roller is doing. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { MIGRATIONS } from '#db/migrate.ts';
import { idFloor, newId } from '#server/kit/ids.ts';
import { openTenants } from '#server/kit/tenant.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { daysAt, readOverview } from '#server/overview/overview.sql.ts';
import { readPublisherFigures } from '#server/portal/portal-figures.ts';
import { ATTEMPTS, buildReport, LEADS, listReportRows } from '#server/report/build-report.ts';
import { FACT_COLUMNS, type FactTable, WEEKLY } from '#server/report/cubes.ts';
import { FOR_COUNTING, factsOf, runsOf } from '#server/report/facts.sql.ts';
import { type Look, lookAtFacts } from '#server/report/read-facts.sql.ts';
import { readLeadFigures } from '#server/report/report.sql.ts';
import { type Rolling, rollReports } from '#server/report/roll-reports.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice, signIn } from '#test/harness/office.ts';
import {
  addSources,
  amountOf,
  callsOf,
  callTime,
  insertPastLead,
  insertPastReturn,
  inventLead,
  inventPost,
  LATE_PRICE,
  leadFigures,
  type OfTier,
  type PastLead,
  type PastTier,
  type PastWorld,
  priceFigures,
  tierFigures,
  timeAt,
  timeFigures,
} from '#test/harness/past-leads.ts';
import { LEAD } from '#test/harness/world.ts';

const HOUR = 3_600_000;
const ZONES = ['UTC', 'America/New_York', 'Europe/London'] as const;
/** Three days around each change of the clocks. */
const CHANGES = ['2026-03-07', '2026-03-28', '2026-10-24', '2026-10-31'];

let node: Awaited<ReturnType<typeof startTestWorld>>;
let tenants: ReturnType<typeof openTenants>;
let buyer: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  tenants = openTenants(node.database.url, 2);
  buyer = await startBuyer();
  for (const month of ['2026-03-01', '2026-04-01', '2026-10-01', '2026-11-01'])
    await node.pool.query('select ensure_month_partitions($1)', [month]);
});
afterAll(async () => {
  await tenants.close();
  await node.stop();
  await buyer.close();
});

const tiers = ['Ann', 'Bob', 'Cid'].map((name) => ({ url: 'http://127.0.0.1:9', buyer: name }));
interface ReportOffice extends Office {
  world: PastWorld;
}
/** Of two publishers and two campaigns. */
async function openReports(): Promise<ReportOffice> {
  const office = await openOffice(node, undefined, { groups: [{ mode: 'priority', tiers }] });
  const world = await addSources(node.db, office.world);
  await node.planBook.reload(world.organizationId);
  return { ...office, world };
}

function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** In one transaction with its mark, as all that writes leads does. */
async function write(world: Office['world'], leadIds: string[], use: (client: pg.PoolClient) => Promise<unknown>): Promise<void> {
  const client = await node.pool.connect();
  try {
    await client.query('begin');
    await use(client);
    await client.query('select mark_report($1, $2)', [world.organizationId, leadIds]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}

/** Closed with its test: what one that fails leaves open would keep the roller waiting in all that follow. */
async function connect(): Promise<pg.PoolClient> {
  const client = await node.pool.connect();
  onTestFinished(() => client.release(true));
  return client;
}

/** However long that takes. */
async function waitForRoller(client: pg.ClientBase): Promise<void> {
  await client.query('set local statement_timeout = 0');
  await client.query(`select pg_advisory_xact_lock(hashtext('sluice reports'))`);
}

/** A test of the campaign, of which some leads went by these variants. */
async function nameVariants(world: PastWorld, leads: PastLead[]): Promise<string[]> {
  const ids = [...new Set(leads.flatMap(({ variantId }) => variantId || []))];
  const testId = newId();
  const own = [world.organizationId, testId];
  await node.pool.query(`insert into ab_test (organization_id, id, campaign_id, name) values ($1, $2, $3, 'Prices')`, [
    ...own,
    world.campaignId,
  ]);
  for (const [position, id] of ids.entries())
    await node.pool.query(
      'insert into ab_variant (organization_id, ab_test_id, id, position, name, share_percent) values ($1, $2, $3, $4, $5, 50)',
      [...own, id, position, `Variant ${position}`],
    );
  return ids;
}

/** The node's own roller is kept out meanwhile: it would take an organization whose first leads it does not see for one that has none of long ago. */
async function scatter(world: PastWorld, count: number, seed: number): Promise<PastLead[]> {
  const chance = dice(seed);
  const leads: PastLead[] = [];
  for (let nth = 0; nth < count; nth++) {
    const day = Date.parse(`${CHANGES[nth % CHANGES.length]}T00:00:00Z`);
    // Most fall into few hours, and those in which the clocks change are among them.
    const hour = chance() < 0.5 ? 20 + Math.floor(chance() * 16) : Math.floor(chance() * 72);
    const lead = inventLead(world, day + hour * HOUR + Math.floor(chance() * HOUR), chance);
    leads.push(lead, ...(lead.outcome === 'bid' && chance() < 0.6 ? [inventPost(lead, chance)] : []));
  }
  await put(world, leads);
  return leads;
}

async function put(world: PastWorld, leads: PastLead[]): Promise<void> {
  await write(
    world,
    leads.map(({ id }) => id),
    async (client) => {
      await waitForRoller(client);
      for (const lead of leads) await insertPastLead(client, world, lead, node.planBook.find(world.organizationId)?.keys);
    },
  );
}

const ask = (office: Office, name: string, query: Record<string, string>) =>
  office.get(`/api/console/reports/${name}?${new URLSearchParams({ region: 'us', vertical: 'payday', ...query })}`);
const read = async (office: Office, name: string, query: Record<string, string>) => {
  const answer = await ask(office, name, query);
  expect([answer.json.msg, answer.statusCode]).toEqual([undefined, 200]);
  return answer.json;
};

/** The local hour, day, Monday or month of an instant, by the clock of the runtime and nothing of ours. */
function unitOf(at: number, unit: string, zone: string): string {
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(at);
  const day = wall.slice(0, 10);
  if (unit === 'hour') return new Date(Math.floor(at / HOUR) * HOUR).toISOString();
  if (unit === 'day') return day;
  if (unit === 'month') return day.slice(0, 7);
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  return new Date(Date.parse(`${day}T00:00:00Z`) - weekday * 24 * HOUR).toISOString().slice(0, 10);
}

const without = (figures: Record<string, unknown>, ...names: string[]) =>
  Object.fromEntries(Object.entries(figures).filter(([name]) => !names.includes(name)));

/** Every figure over all changes of the clocks, by days of New York. */
const expectExact = (office: ReportOffice, leads: PastLead[]) => expectExactBy(office, leads, ['America/New_York'], ['day'], false);
const expectExactEverywhere = (office: ReportOffice, leads: PastLead[]) =>
  expectExactBy(office, leads, ZONES, ['hour', 'day', 'week', 'month'], true);

/** `isWhole`: what buyers did in every way that reports tell it apart and are narrowed, not in one of each report. */
async function expectExactBy(
  office: ReportOffice,
  leads: PastLead[],
  zones: readonly string[],
  units: readonly string[],
  isWhole: boolean,
): Promise<void> {
  for (const timeZone of zones) {
    for (const unit of units) {
      const span = unit === 'hour' ? ['2026-10-30T00:00:00Z', '2026-11-04T00:00:00Z'] : ['2026-03-01T00:00:00Z', '2026-11-10T00:00:00Z'];
      const [from, to] = span as [string, string];
      const within = leads.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
      const report = await read(office, 'inbound', { from, to, timeZone, unit, by: 'subId' });
      expect(report.total).toEqual(leadFigures(within));
      const bySub = Map.groupBy(within, ({ subId }) => subId);
      expect(Object.fromEntries(report.rows.map((row: Row) => [row.keys[0]!._id, row.now]))).toEqual(
        Object.fromEntries([...bySub].map(([subId, of]) => [subId, leadFigures(of)])),
      );
      const byUnit = Map.groupBy(within, ({ at }) => unitOf(at, unit, timeZone));
      const series = report.series as { at: string; now: Record<string, unknown> }[];
      for (const point of series) {
        const of = byUnit.get(unitOf(Date.parse(point.at), unit, timeZone)) ?? [];
        expect([timeZone, unit, point.at, point.now]).toEqual([timeZone, unit, point.at, leadFigures(of)]);
      }
      expect(series.reduce((sum, point) => sum + Number(point.now.attempts), 0)).toBe(within.filter((lead) => !lead.isPing).length);
      const tried = await read(office, 'outbound', { from, to, timeZone, unit, by: 'group', pointTimes: 'true' });
      expectTiers([timeZone, unit, 'total'], tried.total, within);
      for (const { at, now } of tried.series as { at: string; now: Record<string, unknown> }[]) {
        const of = byUnit.get(unitOf(Date.parse(at), unit, timeZone)) ?? [];
        expectTiers([timeZone, unit, at], now, of);
      }
    }
  }
  const [from, to] = ['2026-03-01T00:00:00Z', '2026-11-10T00:00:00Z'];
  // Neither end is a midnight, and the hours that they lie in are whole in no zone.
  const oddly = { from: '2026-03-07T23:20:00Z', to: '2026-10-31T02:45:00Z' };
  await expectStatesExact(office, leads, oddly);
  await expectTimesExact(office, leads, oddly);
  await expectBuyersExact(office, leads, { from, to }, isWhole);
  await expectTimeoutsExact(office, leads, isWhole);
  const reasons = await read(office, 'reason', { from, to });
  const byReason = Map.groupBy(
    leads.filter(({ reason, isPing }) => reason !== '' && !isPing),
    ({ reason }) => reason,
  );
  expect(Object.fromEntries(reasons.reasons.map((one: { key: string; count: number }) => [one.key, one.count]))).toEqual(
    Object.fromEntries([...byReason].map(([reason, of]) => [reason, of.length])),
  );
  const byReasonToo = await read(office, 'inbound', { from, to, by: 'reason' });
  expect(Object.fromEntries(byReasonToo.rows.map((row: Row) => [row.keys[0]!._id, row.now]))).toEqual(
    Object.fromEntries([...Map.groupBy(leads, ({ reason }) => reason)].map(([reason, of]) => [reason, leadFigures(of)])),
  );
  const filtered = Map.groupBy(
    leads.flatMap(({ tiers }) => tiers).filter(({ filterKey }) => filterKey > 0),
    ({ filterKey }) => String(filterKey),
  );
  expect(Object.fromEntries(reasons.filterReasons.map((one: { key: string; count: number }) => [one.key, one.count]))).toEqual(
    Object.fromEntries([...filtered].map(([key, of]) => [key, of.length])),
  );
}

const TIMES = ['p50Ms', 'p75Ms', 'p90Ms', 'followP50Ms', 'followP90Ms'] as const;

/** A time is told by its bucket. */
function expectTime(what: unknown, told: unknown, exact: number | null): void {
  const isNear = exact === null ? told === null : told !== null && Math.abs(Number(told) - exact) <= exact * 0.045 + 0.5;
  expect([what, told, exact, isNear]).toEqual([what, told, exact, true]);
}

/** All figures of some buyer tiers; times are told of a total, and not of rows of who sent a lead and whom it was sent to at once. */
function expectTiers(what: unknown, now: Record<string, unknown>, leads: PastLead[], isMeant?: OfTier, hasTimes = true): void {
  expect([what, without(now, ...TIMES)]).toEqual([what, tierFigures(leads, isMeant)]);
  const exact = timeFigures(leads, isMeant);
  for (const name of TIMES) expectTime([what, name], now[name], hasTimes ? exact[name] : null);
}

const only =
  (id: string): OfTier =>
  (one) =>
    one === id;

/** What buyers did, by what reports of them tell apart: a row for each pair that occurs, and no other. */
async function expectBuyersExact(
  office: ReportOffice,
  leads: PastLead[],
  span: { from: string; to: string },
  isWhole: boolean,
): Promise<void> {
  const { world } = office;
  const within = leads.filter(({ at }) => at >= Date.parse(span.from) && at < Date.parse(span.to));
  const buyerOf = new Map(world.tiers.map(({ buyerTierId, buyerId }) => [buyerTierId, buyerId]));
  const groupOf = new Map(world.tiers.map(({ buyerTierId, groupId }) => [buyerTierId, groupId]));
  const ofBuyer = { buyerId: world.tiers[1]!.buyerId };
  const narrowed = { campaignId: world.sources![1]!.campaignId, publisherId: world.sources![1]!.publisherId };
  const isNarrowed = ({ source }: PastLead) => source.campaignId === narrowed.campaignId && source.publisherId === narrowed.publisherId;
  const ways = [
    ['outbound', 'buyerTier', (_lead, tier) => [tier], {}],
    ['performance', 'publisher,buyer', ({ source }, tier) => [source.publisherId, buyerOf.get(tier)!], {}],
    ['redirect', 'buyer', (_lead, tier) => [buyerOf.get(tier)!], {}],
    ['outbound', 'publisherTier,buyer', ({ source }, tier) => [source.publisherTierId, buyerOf.get(tier)!], {}],
    ['outbound', 'buyer', (_lead, tier) => [buyerOf.get(tier)!], narrowed],
    ['outbound', 'buyerTier', (_lead, tier) => [tier], ofBuyer],
    ['outbound', 'group', (_lead, tier) => [groupOf.get(tier)!], ofBuyer],
    ['outbound', 'campaign', ({ source }) => [source.campaignId], {}],
    ['performance', 'publisherTier,buyerTier', ({ source }, tier) => [source.publisherTierId, tier], {}],
    ['redirect', 'publisher', ({ source }) => [source.publisherId], {}],
  ] as const satisfies [string, string, (lead: PastLead, buyerTierId: string) => string[], Record<string, string>][];
  for (const [name, by, keysOf, filters] of isWhole ? ways : ways.slice(0, 3)) {
    const isOf: OfTier = (tier) => filters !== ofBuyer || buyerOf.get(tier) === ofBuyer.buyerId;
    const of = filters === narrowed ? within.filter(isNarrowed) : within;
    const report = await read(office, name, { ...span, unit: 'month', by, ...filters });
    const isOfBoth = filters === narrowed || /publisher.*,/.test(by);
    expectTiers([name, by, 'total'], report.total, of, isOf);
    // Of links only those are told who had any.
    const isTold = ({ sale }: PastLead, tier: string) => name !== 'redirect' || sale?.buyerTierId === tier;
    const rows = of.flatMap((lead) =>
      lead.tiers.flatMap(({ buyerTierId }) => (isOf(buyerTierId) && isTold(lead, buyerTierId) ? [keysOf(lead, buyerTierId).join()] : [])),
    );
    expect([name, by, report.rows.map((row: Row) => row.keys.map(({ _id }) => _id).join()).sort()]).toEqual([
      name,
      by,
      [...new Set(rows)].sort(),
    ]);
    for (const { keys, now } of report.rows as Row[]) {
      const ids = keys.map(({ _id }) => _id).join();
      const own = of.filter((lead) => lead.tiers.some(({ buyerTierId }) => keysOf(lead, buyerTierId).join() === ids));
      const isMeant: OfTier = (tier) => isOf(tier) && own.some((lead) => keysOf(lead, tier).join() === ids);
      expectTiers([name, by, ids], now, own, isMeant, !isOfBoth);
    }
  }
}

/** Where the bucket of a time begins, in whole milliseconds. The database keeps four bytes of it. */
function bucketStart(ms: number): number {
  const bucket = Math.floor(8 * Math.log2(Math.max(1, Math.fround(ms))));
  return bucket === 0 ? 0 : Math.round(2 ** (bucket / 8));
}

/** How long buyer tiers took, in all and bucket by bucket, what came too late, and how it was in the span before; of all, of a campaign and of a buyer. */
async function expectTimeoutsExact({ world, ...office }: ReportOffice, leads: PastLead[], isWhole: boolean): Promise<void> {
  const [from, to, beforeFrom, beforeTo] = [
    '2026-10-24T03:40:00Z',
    '2026-11-10T00:00:00Z',
    '2026-03-01T00:00:00Z',
    '2026-04-10T00:00:00Z',
  ] as const;
  const within = (start: string, end: string) => leads.filter(({ at }) => at >= Date.parse(start) && at < Date.parse(end));
  const { campaignId } = world.sources![1]!;
  const { buyerId } = world.tiers[1]!;
  const all: { campaignId?: string; buyerId?: string }[] = [{}, { campaignId }, { buyerId }];
  for (const filters of isWhole ? all : [{ campaignId }]) {
    const isOf = ({ source }: PastLead) => filters.campaignId === undefined || source.campaignId === filters.campaignId;
    const [now, before] = [within(from, to).filter(isOf), within(beforeFrom, beforeTo).filter(isOf)];
    const { tiers } = await read({ ...office, world }, 'time-outs', { from, to, beforeFrom, beforeTo, ...filters });
    const told = new Map((tiers as (Record<string, unknown> & { buyerTier: { _id: string } })[]).map((tier) => [tier.buyerTier._id, tier]));
    for (const { buyerTierId, ...tier } of world.tiers) {
      const [calls, callsBefore] = [callsOf(now, only(buyerTierId)), callsOf(before, only(buyerTierId))];
      const figures = told.get(buyerTierId);
      if ((filters.buyerId && tier.buyerId !== filters.buyerId) || calls.length + callsBefore.length === 0) {
        expect([filters, figures]).toEqual([filters, undefined]);
        continue;
      }
      const timedOut = (of: typeof calls) => of.filter(({ outcome }) => outcome === 'timeouts').length;
      const lates = calls.flatMap(({ late }) => (late?.outcome === 'accepted' ? [late.afterMs] : []));
      expect([filters, figures]).toMatchObject([
        filters,
        {
          ...{ calls: calls.length, timeouts: timedOut(calls), callsBefore: callsBefore.length, timeoutsBefore: timedOut(callsBefore) },
          lateAccepts: lates.length,
          buckets: bucketsOf(now, only(buyerTierId)),
          lates: [...Map.groupBy(lates, bucketStart)]
            .sort(([a], [b]) => a - b)
            .map(([fromMs, of]) => ({ fromMs, calls: of.length, revenue: amountOf(of.length * LATE_PRICE) })),
        },
      ]);
      const answered = calls.filter(({ outcome }) => outcome !== 'timeouts').map(({ elapsedMs }) => elapsedMs);
      for (const [name, share] of [
        ['p50Ms', 0.5],
        ['p75Ms', 0.75],
        ['p90Ms', 0.9],
        ['p99Ms', 0.99],
      ] as const)
        expectTime([filters, name], figures![name], timeAt(answered, share));
      expectTime([filters, 'lateP90Ms'], figures!.lateP90Ms, timeAt(lates, 0.9));
      await expectTierOverTime({ world, ...office }, now, { from, to, ...filters }, buyerTierId);
    }
  }
}

/** The tier that is looked at, point by point. */
async function expectTierOverTime(
  office: ReportOffice,
  leads: PastLead[],
  query: Record<string, string>,
  buyerTierId: string,
): Promise<void> {
  const timeZone = 'America/New_York';
  for (const unit of ['day', 'month']) {
    const { tiers, series } = await read(office, 'time-outs', { ...query, unit, timeZone, seriesOf: buyerTierId });
    const isThere = tiers.some((tier: { buyerTier: { _id: string } }) => tier.buyerTier._id === buyerTierId);
    expect(series.buyerTierId === buyerTierId).toBe(isThere);
    if (!isThere) continue;
    const byUnit = Map.groupBy(leads, ({ at }) => unitOf(at, unit, timeZone));
    for (const { at, calls, timeouts, p50Ms, p90Ms } of series.points) {
      const of = callsOf(byUnit.get(unitOf(Date.parse(at), unit, timeZone)) ?? [], only(buyerTierId));
      const answered = of.filter(({ outcome }) => outcome !== 'timeouts').map(({ elapsedMs }) => elapsedMs);
      expect([unit, at, calls, timeouts]).toEqual([unit, at, of.length, of.length - answered.length]);
      expectTime([unit, at, 'p50Ms'], p50Ms, timeAt(answered, 0.5));
      expectTime([unit, at, 'p90Ms'], p90Ms, timeAt(answered, 0.9));
    }
    const told = series.points.reduce((sum: number, point: { calls: number }) => sum + point.calls, 0);
    expect(told).toBe(callsOf(leads, only(buyerTierId)).length);
  }
}

/** Calls of a buyer tier by how long they took, each sale at the slower of those that it took, of whichever lead: a limit below that would have lost it. */
function bucketsOf(leads: PastLead[], isMeant: OfTier) {
  const calls = callsOf(leads, isMeant);
  const sales = leads.flatMap(({ sale, tiers, ping }) => {
    if (!sale || !isMeant(sale.buyerTierId)) return [];
    const isItsOwn: OfTier = (tier) => tier === sale.buyerTierId;
    const took = [...tiers, ...(ping?.tiers ?? [])].filter(({ buyerTierId }) => isItsOwn(buyerTierId)).flatMap((tier) => tier.calls);
    return [{ fromMs: bucketStart(Math.max(...took.map(({ elapsedMs }) => elapsedMs))), revenue: sale.revenue }];
  });
  const [byTime, soldByTime] = [Map.groupBy(calls, ({ elapsedMs }) => bucketStart(elapsedMs)), Map.groupBy(sales, ({ fromMs }) => fromMs)];
  return [...new Set([...byTime.keys(), ...soldByTime.keys()])]
    .sort((a, b) => a - b)
    .map((fromMs) => {
      const [of, sold] = [byTime.get(fromMs) ?? [], soldByTime.get(fromMs) ?? []];
      const revenue = amountOf(sold.reduce((sum, sale) => sum + sale.revenue, 0));
      return { fromMs, calls: of.length, sold: sold.length, revenue, timeouts: of.filter(({ outcome }) => outcome === 'timeouts').length };
    });
}

/** By state, narrowed to one, and what buyers did with leads of each; by days and by the hour. */
async function expectStatesExact(office: ReportOffice, leads: PastLead[], { from, to }: { from: string; to: string }): Promise<void> {
  const within = leads.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
  const byState = Map.groupBy(within, ({ state }) => state);
  const inbound = await read(office, 'inbound', { from, to, by: 'state' });
  expect(Object.fromEntries(inbound.rows.map((row: Row) => [row.keys[0]!._id, row.now]))).toEqual(
    Object.fromEntries([...byState].map(([state, of]) => [state, leadFigures(of)])),
  );
  const outbound = await read(office, 'outbound', { from, to, by: 'state,buyerTier' });
  expect(outbound.rows.length).toBeGreaterThan(byState.size);
  for (const { keys, now } of outbound.rows as Row[])
    expect([keys, now]).toMatchObject([keys, tierFigures(byState.get(keys[0]!._id)!, only(keys[1]!._id))]);
  const [state, of] = [...byState].find(([code]) => code !== '')!;
  const narrowed = await read(office, 'trending', { from, to, state, by: 'campaign' });
  expect(narrowed.total).toEqual(leadFigures(of));
  expect(narrowed.series.reduce((sum: number, { now }: Row) => sum + Number(now.attempts), 0)).toBe(leadFigures(of).attempts);
}

/** How long calls took, by whatever tells them apart; and inbound by variant. */
async function expectTimesExact(office: ReportOffice, leads: PastLead[], { from, to }: { from: string; to: string }): Promise<void> {
  const within = leads.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
  const groupId = office.world.tiers[0]!.groupId;
  const ways: [by: string, keyOf: (lead: PastLead) => string][] = [
    ['publisher', ({ source }) => source.publisherId],
    ['publisherTier', ({ source }) => source.publisherTierId],
    ['variant', ({ variantId }) => variantId],
    ['state', ({ state }) => state],
    ['group', () => groupId],
    ['vertical', () => office.world.verticalId],
    ['region', () => office.world.regionId],
    ['state,campaign', ({ state, source }) => `${state},${source.campaignId}`],
    ['variant,publisherTier', ({ variantId, source }) => `${variantId},${source.publisherTierId}`],
  ];
  for (const [by, keyOf] of ways) {
    const { rows, total } = await read(office, 'outbound', { from, to, by });
    for (const [key, of] of [...Map.groupBy(within, keyOf), [undefined, within] as const]) {
      const now = key === undefined ? total : rows.find(({ keys }: Row) => keys.map(({ _id }) => _id).join() === key)?.now;
      for (const [figure, share] of [
        ['p50Ms', 0.5],
        ['p75Ms', 0.75],
        ['p90Ms', 0.9],
      ] as const)
        expectTime([by, key, figure], now?.[figure] ?? null, callTime(of, share));
    }
  }
  const inbound = await read(office, 'inbound', { from, to, by: 'variant' });
  expect(Object.fromEntries(inbound.rows.map((row: Row) => [row.keys[0]!._id, row.now]))).toEqual(
    Object.fromEntries([...Map.groupBy(within, ({ variantId }) => variantId)].map(([variant, of]) => [variant, leadFigures(of)])),
  );
  const tried = await read(office, 'outbound', { from, to, by: 'variant,buyerTier' });
  for (const { keys, now } of tried.rows as Row[])
    expect([keys, now]).toMatchObject([
      keys,
      tierFigures(
        within.filter(({ variantId }) => variantId === keys[0]!._id),
        only(keys[1]!._id),
      ),
    ]);
}

interface Row {
  keys: { _id: string; name: string }[];
  now: Record<string, unknown>;
}

const marks = async (organizationId: string) =>
  (await node.pool.query('select count(*)::int as count from report_mark where organization_id = $1', [organizationId])).rows[0]
    .count as number;
/** Whatever the order in which they were written. */
const keptRows = async (organizationId: string) =>
  (
    await node.pool.query(`select (to_jsonb(t) - 'row_number')::text as row from lead_tally t where organization_id = $1 order by 1`, [
      organizationId,
    ])
  ).rows;
/** What every cube of every grain adds up to. */
const tallies = async (organizationId: string, table: string, what: string) =>
  (
    await node.pool.query(`select grain, cube, sum(${what})::int as sum from ${table} where organization_id = $1 group by 1, 2`, [
      organizationId,
    ])
  ).rows as { grain: string; cube: string; sum: number }[];
/** The node has a roller of its own: another run is waited for. */
const roll = async (between: Rolling['between'] = () => {}, now = Date.now(), rolling: Rolling = {}) => {
  for (;;) {
    const done = await rollReports(node.pool, now, { between, weekRestMs: 0, slotLeads: 1, ...rolling });
    if (done !== undefined) return done;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

describe('console §3: reports equal the rows', () => {
  it('G7: before anything is rolled, afterwards, after late changes, and after those are rolled, on both days the clocks change in all three zones', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 400, 7);
    await expectExactEverywhere(office, leads);
    await roll();
    expect(await marks(world.organizationId)).toBe(0);
    await expectExact(office, leads);
    const kept = await keptRows(world.organizationId);
    expect(kept.length).toBeGreaterThan(100);
    // Each cube counts each lead once by the hour, once by stretches of days and once by the week.
    const counted = await tallies(world.organizationId, 'lead_tally', 'attempts + pings');
    expect(counted.map(({ grain, cube }) => `${cube} ${grain}`).sort()).toEqual(
      ['full', 'place', 'source', 'sub', 'variant'].flatMap((cube) => ['day', 'hour', 'week'].map((grain) => `${cube} ${grain}`)),
    );
    expect(counted.map(({ sum }) => sum)).toEqual(counted.map(() => leads.length));
    for (const [table, what] of [
      ['attempt_tally', 'attempts'],
      ['latency_tally', '(select sum(n) from unnest(calls) as n)'],
    ] as const) {
      const sums = (await tallies(world.organizationId, table, what)).map(({ sum }) => sum);
      expect([table, new Set(sums).size, sums.length]).toEqual([table, 1, table === 'latency_tally' ? 18 : 15]);
    }

    // A return, a consumer who follows a link, a lead that is settled, one that arrives late.
    const sold = leads.filter(({ sale }) => sale && sale.returned === undefined && sale.followedAt === undefined);
    const [back, follower] = [sold[0]!, sold[1]!];
    await write(world, [back.id], (client) => insertPastReturn(client, world, back, 5000));
    back.sale!.returned = 5000;
    follower.sale!.followedAt = follower.sale!.linkGivenAt + 4321;
    await write(world, [follower.id], (client) =>
      client.query('update redirect set followed_at = $2 where lead_id = $1', [follower.id, new Date(follower.sale!.followedAt!)]),
    );
    const unsold = leads.find(({ outcome, tiers }) => outcome === 'rejected' && tiers.length > 0)!;
    await write(world, [unsold.id], (client) =>
      client.query(`update lead_result set status = 'held', reason = 'held-for-settlement' where lead_id = $1`, [unsold.id]),
    );
    Object.assign(unsold, { outcome: 'open', reason: 'held-for-settlement' });
    leads.push(...(await scatter(world, 12, 99)));
    expect(await marks(world.organizationId)).toBeGreaterThan(3);
    await expectExact(office, leads);
    await roll();
    expect(await marks(world.organizationId)).toBe(0);
    await expectExactEverywhere(office, leads);

    // Counting an hour twice gives the same.
    const once = await keptRows(world.organizationId);
    await node.pool.query(
      `insert into report_mark select organization_id, hour_id, gen_random_uuid() from lead_tally where organization_id = $1 and grain = 'hour' group by 1, 2`,
      [world.organizationId],
    );
    await roll();
    expect(await keptRows(world.organizationId)).toEqual(once);
  }, 240_000);

  it('an installation that has counted without weeks, sub ids and states alone has them after its upgrade, as counting makes them', async () => {
    const office = await openReports();
    await scatter(office.world, 200, 31);
    await roll();
    const client = await node.pool.connect();
    const rows = async () => {
      const kept: Record<string, { row: string }[]> = {};
      for (const table of WEEKLY)
        kept[table] = (await client.query(`select (to_jsonb(t) - 'row_number')::text as row from ${table} t order by 1`)).rows;
      return kept;
    };
    try {
      await client.query('begin');
      await waitForRoller(client);
      const counted = await rows();
      expect(counted.lead_tally!.filter(({ row }) => row.includes('"week"')).length).toBeGreaterThan(20);
      await client.query(`delete from lead_tally where cube in ('sub', 'variant') or grain = 'week'; alter table lead_tally drop column counting;
        delete from attempt_tally where grain = 'week' or cube in ('all', 'state'); alter table attempt_tally drop column counting;
        delete from latency_tally where grain = 'week' or cube in ('all', 'state'); drop table report_week`);
      for (const name of [
        ...['0059-latency-weeks.sql', '0060-attempt-weeks.sql', '0061-lead-weeks.sql', '0062-kept-weeks.sql'],
        ...['0065-attempt-states.sql', '0066-latency-states.sql', '0067-lead-variants.sql', '0068-kept-states.sql'],
      ])
        await client.query(readFileSync(join(MIGRATIONS, name), 'utf8'));
      expect(await rows()).toEqual(counted);
    } finally {
      await client.query('rollback');
      client.release();
    }
  }, 120_000);

  it('G8: when the roller is killed between any two of its steps', async () => {
    const office = await openReports();
    const leads = await scatter(office.world, 60, 21);
    for (const step of ['advanced', 'waited', 'counted'] as const) {
      // The node's own roller may have counted what was there to count: then more is put there.
      for (let isKilled = false; !isKilled; ) {
        leads.push(...(await scatter(office.world, 8, leads.length)));
        await roll((at) => {
          if (at === step) throw new Error('killed');
        }).catch(({ message }: Error) => {
          isKilled = message === 'killed';
        });
        await expectExact(office, leads);
      }
    }
    await roll();
    await expectExact(office, leads);
  }, 240_000);

  it('console §2: the overview equals the rows: today, yesterday and its part, hour by hour, on days the clocks change', async () => {
    const { world } = await openReports();
    await scatter(world, 150, 51);
    const { organizationId, verticalId } = world;
    const ofLead = `organization_id = $1 and vertical_id = $2 and not test`;
    const fromRows = async ({ from, to }: { from: number; to: number }) => {
      const values = [organizationId, verticalId, idFloor(from), idFloor(to)];
      const of = (select: string) => node.pool.query(select, values);
      const leads =
        await of(`select count(*)::int as leads, count(*) filter (where r.status = 'sold')::int as sold, coalesce(sum(r.revenue), 0) as revenue,
          coalesce(sum(r.payout), 0) as payout, coalesce(sum(r.margin), 0) as margin
        from lead l left join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
        where l.organization_id = $1 and l.vertical_id = $2 and not l.test and l.mode <> 'ping' and l.id >= $3 and l.id < $4`);
      const calls = await of(`select count(*)::int as attempts, count(*) filter (where outcome = 'timeouts')::int as timeouts,
          count(*) filter (where outcome = 'terrors')::int as terrors from attempt where ${ofLead} and lead_id >= $3 and lead_id < $4`);
      const { revenue, payout, margin, ...counts } = leads.rows[0];
      const sums = { revenue: money(revenue), payout: money(payout), margin: money(margin) };
      return { ...counts, ...sums, ...calls.rows[0] };
    };
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      for (const zone of ZONES) {
        for (const change of CHANGES) {
          const days = daysAt(zone, Date.parse(`${change}T17:23:45Z`) + 24 * HOUR);
          const told = await readOverview(node.db, world, days, zone);
          for (const name of ['today', 'yesterday', 'yesterdaySoFar'] as const)
            expect([isRolled, zone, change, name, told[name]]).toMatchObject([isRolled, zone, change, name, await fromRows(days[name])]);
          const sum = (of: 'leads' | 'leadsYesterday' | 'sold') => told.hours.reduce((all, hour) => all + hour[of], 0);
          expect([sum('leads'), sum('sold')]).toEqual([told.today.leads, told.today.sold]);
          expect(told.topPublishers.reduce((all, one) => all + one.leads, 0)).toBe(told.today.leads);
          expect(told.topBuyers.reduce((all, one) => all + one.attempts, 0)).toBe(told.today.attempts);
        }
      }
    }
  });

  it('joins no lead to all that its hour has: counting an hour costs what it has, not its square', async () => {
    const { world } = await openReports();
    await scatter(world, 60, 71);
    const pieces = [Date.parse('2026-10-31T05:00:00Z'), Date.parse('2026-10-31T06:00:00Z')].map((hour) => ({
      hour,
      from: hour,
      to: hour + HOUR,
    }));
    const plans = await node.db.transaction().execute(async (tx) => {
      await FOR_COUNTING.execute(tx);
      const told: string[] = [];
      for (const table of Object.keys(FACT_COLUMNS) as FactTable[]) {
        const { rows } = await sql<Record<string, string>>`explain ${factsOf(table, world.organizationId, pieces)}`.execute(tx);
        told.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      }
      return told;
    });
    for (const plan of plans) {
      expect(plan).toMatch(/lead_id/);
      expect(plan).not.toMatch(/Join Filter: .*lead_id/);
    }
  });

  it('reads nothing of what lies between hours that are far apart', async () => {
    const { world } = await openReports();
    await scatter(world, 60, 72);
    const pieces = ['2026-03-28T05:00:00Z', '2026-10-31T05:00:00Z', '2026-10-31T06:00:00Z']
      .map((at) => Date.parse(at))
      .map((hour) => ({ hour, from: hour, to: hour + HOUR }));
    expect(runsOf(pieces).map((run) => run.length)).toEqual([1, 2]);
    expect(runsOf(pieces.toReversed()).map((run) => run.length)).toEqual([1, 2]);
    const everyDay = Array.from({ length: 40 }, (_, day) => pieces[0]!.hour + day * 24 * HOUR).map((hour) => ({
      hour,
      from: hour,
      to: hour + HOUR,
    }));
    expect([runsOf(everyDay).length, runsOf(everyDay).flat().length]).toEqual([12, 40]);
    await node.db.transaction().execute(async (tx) => {
      await FOR_COUNTING.execute(tx);
      for (const table of Object.keys(FACT_COLUMNS) as FactTable[]) {
        const { rows } = await sql<Record<string, string>>`explain ${factsOf(table, world.organizationId, pieces)}`.execute(tx);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toMatch(/lead_2026_03/);
        expect(plan).toMatch(/lead_2026_1[01]/);
        expect(plan).not.toMatch(/_2026_04/);
      }
    });
  });

  it('while leads are written that began before the hours were over, and while others change what is being counted', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 40, 33);
    // It has marked nothing, for nothing is counted yet; it commits when the roller has moved on already.
    const slow = await connect();
    const late = inventLead(world, Date.parse('2026-10-31T23:10:00Z'), dice(5));
    await slow.query('begin');
    await insertPastLead(slow, world, late);
    await slow.query('select mark_report($1, $2)', [world.organizationId, [late.id]]);
    let hasAdvanced = () => {};
    const advanced = new Promise<void>((resolve) => {
      hasAdvanced = resolve;
    });
    let isWaiting = true;
    const rolling = roll((step) => {
      if (step === 'advanced') hasAdvanced();
      if (step === 'waited') isWaiting = false;
    });
    await advanced;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(isWaiting).toBe(true);
    await expectExact(office, leads);
    await slow.query('commit');
    leads.push(late);
    await expectExact(office, leads);
    await rolling;
    await expectExact(office, leads);

    // Between what an hour was counted from and the commit of the count.
    const first = leads.find(({ sale }) => sale && sale.returned === undefined)!;
    await write(world, [first.id], async () => {});
    let hasReturned = false;
    await roll(async (step) => {
      if (step !== 'counted' || hasReturned) return;
      hasReturned = true;
      await write(world, [first.id], (client) => insertPastReturn(client, world, first, 100));
      first.sale!.returned = 100;
    });
    expect(hasReturned).toBe(true);
    await expectExact(office, leads);
    await roll();
    expect(await marks(world.organizationId)).toBe(0);
    await expectExact(office, leads);
  }, 240_000);
});

describe('console §3: of a running hour with many leads, reports equal the rows', () => {
  /** One that is still to come, so that the node's own roller does not take it for over. */
  const hour = Math.floor(Date.now() / HOUR) * HOUR + 2 * HOUR;
  const minute = (of: number) => hour + of * 60_000;

  async function openHour(): Promise<{ office: ReportOffice; leads: PastLead[]; chance: () => number }> {
    const office = await openReports();
    const chance = dice(81);
    const leads = Array.from({ length: 400 }, () => inventLead(office.world, minute(-60 + Math.floor(chance() * 102) + chance()), chance));
    await put(office.world, leads);
    return { office, leads, chance };
  }

  /** What a slot, a marked slot and the minutes after the last tell, each way from other cubes. */
  async function expectHour({ world }: ReportOffice, all: PastLead[], what: string): Promise<void> {
    const { organizationId, verticalId } = world;
    // As whoever is signed in reads it.
    const db = tenants.of(organizationId);
    const before = { from: minute(-200), to: minute(-100) };
    for (const [from, to] of [
      [minute(-60), minute(180)],
      [minute(2.5), minute(38.2)],
    ] as const) {
      const leads = all.filter(({ at }) => at >= from && at < to);
      const order = { span: { from, to }, before, filters: {}, unit: 'hour' as const, timeZone: 'UTC', hasPointTimes: true };
      const scope = { organizationId, verticalId };
      for (const [by, keyOf] of [
        ['subId', ({ subId }: PastLead) => subId],
        ['state', ({ state }: PastLead) => state],
        ['reason', ({ reason }: PastLead) => reason],
      ] as const) {
        const { total, rows, series } = await buildReport(db, scope, LEADS, { ...order, by: [by] });
        expect([what, by, total]).toEqual([what, by, leadFigures(leads)]);
        expect([what, by, Object.fromEntries(rows.map(({ keys, now }) => [keys[0]!._id, now]))]).toEqual([
          ...[what, by],
          Object.fromEntries([...Map.groupBy(leads, keyOf)].map(([key, of]) => [key, leadFigures(of)])),
        ]);
        for (const { at, now } of series)
          expect([what, at, now]).toEqual([what, at, leadFigures(leads.filter((lead) => unitOf(lead.at, 'hour', 'UTC') === at))]);
      }
      const tried = await buildReport(db, scope, ATTEMPTS, { ...order, by: ['buyerTier'] });
      expectTiers([what, 'total'], { ...tried.total }, leads);
      for (const { keys, now } of tried.rows) expectTiers([what, keys[0]!._id], { ...now }, leads, only(keys[0]!._id));
      for (const { at, now } of tried.series)
        expectTiers(
          [what, at],
          { ...now },
          leads.filter((lead) => unitOf(lead.at, 'hour', 'UTC') === at),
        );
      const states = await buildReport(db, scope, ATTEMPTS, { ...order, by: ['state'] });
      for (const { keys, now } of states.rows)
        expectTiers(
          [what, keys[0]!._id],
          { ...now },
          leads.filter(({ state }) => state === keys[0]!._id),
        );
    }
  }

  /** What is marked once that is done, before any roller is at it. */
  const markedBy = async ({ world }: ReportOffice, use: () => Promise<unknown>) => {
    const client = await node.pool.connect();
    try {
      await client.query('begin');
      await waitForRoller(client);
      await use();
      const { rows } = await client.query(
        `select (select count(*)::int from report_mark where organization_id = $1) as hours, (select count(*)::int from report_slot_mark where organization_id = $1) as slots`,
        [world.organizationId],
      );
      return rows[0] as { hours: number; slots: number };
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
  const nothing = async () => {};
  const slotsOf = ({ world }: ReportOffice, table = 'lead_slot', what = 'attempts + pings') => tallies(world.organizationId, table, what);
  /** A sale of that part of the hour that nothing came back of yet. */
  const giveBack = async ({ world }: ReportOffice, leads: PastLead[], from: number, to: number) => {
    const lead = leads.find(({ at, sale }) => sale && sale.returned === undefined && at >= minute(from) && at < minute(to))!;
    await write(world, [lead.id], (client) => insertPastReturn(client, world, lead, 100));
    lead.sale!.returned = 100;
  };
  const hourRows = async ({ world }: ReportOffice) => {
    const kept: unknown[] = [];
    for (const table of WEEKLY)
      kept.push(
        (
          await node.pool.query(
            `select (to_jsonb(t) - 'row_number')::text as row from ${table} t where organization_id = $1 and grain = 'hour' and hour_id = $2 order by 1`,
            [world.organizationId, idFloor(hour)],
          )
        ).rows,
      );
    return kept;
  };

  it('G7: counted by slots, after late changes, after those are counted, and summed up when it is over', async () => {
    const { office, leads, chance } = await openHour();
    const { world } = office;
    await expectHour(office, leads, 'from the rows');
    await roll(undefined, minute(37));
    expect((await markedBy(office, nothing)).slots).toBe(0);
    const counted = leads.filter(({ at }) => at >= hour && at < minute(35)).length;
    expect((await slotsOf(office)).map(({ cube, sum }) => [cube, sum]).sort()).toEqual(
      ['full', 'place', 'source', 'sub', 'variant'].map((cube) => [cube, counted]),
    );
    for (const [table, what] of [
      ['attempt_slot', 'attempts'],
      ['latency_slot', '(select sum(n) from unnest(calls) as n)'],
    ] as const) {
      const sums = (await slotsOf(office, table, what)).map(({ sum }) => sum);
      expect([table, new Set(sums).size, sums.length]).toEqual([table, 1, table === 'latency_slot' ? 6 : 5]);
    }
    await expectHour(office, leads, 'counted');

    const late = [inventLead(world, minute(21), chance), inventLead(world, minute(34.9), chance), inventLead(world, minute(41), chance)];
    const changed = await markedBy(office, async () => {
      await giveBack(office, leads, 10, 15);
      for (const lead of late) await write(world, [lead.id], (client) => insertPastLead(client, world, lead));
    });
    leads.push(...late);
    expect(changed).toEqual({ hours: 0, slots: 3 });
    await expectHour(office, leads, 'changed');
    await roll(undefined, minute(37));
    expect((await markedBy(office, nothing)).slots).toBe(0);
    await expectHour(office, leads, 'counted again');
    // Visits of a page are of an hour, and of no slot.
    const visited = () => node.pool.query('select mark_report($1, $2)', [world.organizationId, [idFloor(hour)]]);
    expect((await markedBy(office, visited)).slots).toBe(0);

    // Between what slots were counted from and the commit of the count.
    await giveBack(office, leads, 0, 10);
    let hasChanged = false;
    await roll(async (step) => {
      if (step !== 'counted' || hasChanged) return;
      hasChanged = true;
      await giveBack(office, leads, 0, 10);
    }, minute(37));
    await expectHour(office, leads, 'changed while it was counted');

    // One slot is marked when the hour is over, another is changed after the progress moved and before the hour is counted.
    await roll(async (step) => {
      if (step === 'waited') await giveBack(office, leads, 15, 35);
    }, minute(63));
    expect(await markedBy(office, nothing)).toEqual({ hours: 0, slots: 0 });
    await expectHour(office, leads, 'over');
    // Its slots are there for another hour.
    expect(await markedBy(office, () => giveBack(office, leads, 0, 60))).toEqual({ hours: 1, slots: 1 });
    await expectHour(office, leads, 'over, and changed');
    await roll(undefined, minute(63));
    const all = leads.filter(({ at }) => at >= hour).length;
    expect((await slotsOf(office)).map(({ sum }) => sum)).toEqual([all, all, all, all, all]);
    await expectHour(office, leads, 'over, changed and counted again');
    // Summed up of slots it is what its rows are.
    const summed = await hourRows(office);
    await roll(undefined, minute(123));
    expect(await slotsOf(office)).toEqual([]);
    await node.pool.query('insert into report_mark values ($1, $2, gen_random_uuid())', [world.organizationId, idFloor(hour)]);
    await roll(undefined, minute(123));
    expect(await hourRows(office)).toEqual(summed);
  }, 240_000);

  it('G8: when the roller is killed between any two of its steps, and when it was away for longer than an hour', async () => {
    const { office, leads, chance } = await openHour();
    for (const step of ['advanced', 'waited', 'counted'] as const) {
      for (let isKilled = false; !isKilled; ) {
        const more = Array.from({ length: 6 }, () => inventLead(office.world, minute(Math.floor(chance() * 35)), chance));
        await put(office.world, more);
        leads.push(...more);
        await roll((at) => {
          if (at === step) throw new Error('killed');
        }, minute(37)).catch(({ message }: Error) => {
          isKilled = message === 'killed';
        });
        await expectHour(office, leads, `killed when it had ${step}`);
      }
    }
    const later = [minute(65), minute(66), minute(125), minute(126)].map((at) => inventLead(office.world, at, chance));
    await put(office.world, later);
    leads.push(...later);
    await roll(undefined, minute(140));
    expect(await markedBy(office, nothing)).toEqual({ hours: 0, slots: 0 });
    expect((await slotsOf(office)).map(({ sum }) => sum)).toEqual([2, 2, 2, 2, 2]);
    await expectHour(office, leads, 'away');
  }, 240_000);

  it('G4: an hour that a node of the version before has counted, its slots being there still, is counted again by both versions alike', async () => {
    const { office, leads } = await openHour();
    const { organizationId } = office.world;
    await roll(undefined, minute(37));
    // As such a node: it knows of hours alone. What is kept of slots is taken away meanwhile.
    const client = await node.pool.connect();
    const own = `where organization_id = '${organizationId}'`;
    const tables = ['lead_slot', 'attempt_slot', 'latency_slot', 'report_slot_progress'];
    for (const table of tables) await client.query(`create temp table ${table}_left as select * from ${table} ${own}`);
    for (const table of tables) await client.query(`delete from ${table} ${own}`);
    await roll(undefined, minute(63));
    for (const table of tables) await client.query(`insert into ${table} select * from ${table}_left`);
    client.release(true);
    await expectHour(office, leads, 'counted by the version before');
    expect(await markedBy(office, () => giveBack(office, leads, 5, 30))).toEqual({ hours: 1, slots: 1 });
    await expectHour(office, leads, 'and changed');
    await roll(undefined, minute(63));
    await expectHour(office, leads, 'and counted');
    // What it would write is refused, and with it all that it counts.
    for (const [table, counting] of [
      ['lead_tally', 2],
      ['attempt_tally', null],
    ])
      await expect(
        node.pool.query(
          `insert into ${table} select (jsonb_populate_record(t, '${JSON.stringify({ counting, row_number: 100_000 })}')).* from ${table} t ${own} limit 1`,
        ),
      ).rejects.toThrow('counting');
    // Nor can one make slots of five minutes: it would not know that they were changed.
    await expect(node.pool.query('insert into report_slots values ($1, $2, $2)', [organizationId, idFloor(hour)])).rejects.toThrow(
      'report_slots_of_minutes',
    );
  }, 240_000);

  it('G7: counted within seconds while very many come in, and changed and ended after that', async () => {
    const { office, leads, chance } = await openHour();
    const { world } = office;
    const upTo = async (at: number) => {
      const counted = leads.filter((lead) => lead.at >= hour && lead.at < at).length;
      expect((await slotsOf(office)).map(({ sum }) => sum)).toEqual([counted, counted, counted, counted, counted]);
    };
    const now = minute(37);
    // Fewer than would make a peak.
    await roll(undefined, now, { peakLeads: 400 });
    await upTo(minute(35));
    await roll(undefined, now, { peakLeads: 1 });
    await upTo(now - 10_000);
    expect(await markedBy(office, nothing)).toEqual({ hours: 0, slots: 0 });
    await expectHour(office, leads, 'at a peak');
    const late = [now - 11_000, now - 25_000, now - 25_001, now - 9_000].map((at) => inventLead(world, at, chance));
    const changed = await markedBy(office, async () => {
      for (const lead of late) await write(world, [lead.id], (client) => insertPastLead(client, world, lead));
      await giveBack(office, leads, 10, 15);
    });
    leads.push(...late);
    // Two of one slot, and one that lies after those that are counted.
    expect(changed).toEqual({ hours: 0, slots: 4 });
    await expectHour(office, leads, 'at a peak, and changed');
    // Young ones wait until nearly all of their leads have ended, and are read from their rows.
    await roll(undefined, now, { peakLeads: 1 });
    expect((await markedBy(office, nothing)).slots).toBe(3);
    await expectHour(office, leads, 'at a peak, and young ones changed');
    await roll(undefined, now + 120_000, { peakLeads: 1_000 });
    expect((await markedBy(office, nothing)).slots).toBe(0);
    await upTo(now);
    await expectHour(office, leads, 'at a peak, changed and counted');
    // More than are read apart from each other.
    const many = Array.from({ length: 60 }, (_, at) => inventLead(world, minute(1) + at * 30_000, chance));
    await put(world, many);
    leads.push(...many);
    expect((await markedBy(office, nothing)).slots).toBeGreaterThanOrEqual(60);
    await expectHour(office, leads, 'changed all over the hour');
    await roll(undefined, now);
    expect(await markedBy(office, nothing)).toEqual({ hours: 0, slots: 0 });
    await expectHour(office, leads, 'changed all over the hour, and counted');
    // It goes on from there, over the end of the hour, which is not over yet for those who count hours.
    const ends = [minute(60) - 1, minute(60), minute(60) + 9_999, minute(60) + 10_000].map((at) => inventLead(world, at, chance));
    await put(world, ends);
    leads.push(...ends);
    await roll(undefined, minute(60) + 20_000, { peakLeads: 1 });
    await upTo(minute(60) + 10_000);
    await expectHour(office, leads, 'over its end');
    const after = [inventLead(world, minute(60) + 5_000, chance), inventLead(world, minute(59), chance)];
    await put(world, after);
    leads.push(...after);
    await expectHour(office, leads, 'changed over its end');
    await roll(undefined, minute(63));
    await expectHour(office, leads, 'over, after a peak');
  }, 240_000);

  it('G7: waits for who looked before what is counted moved on, and drew its number while it did', async () => {
    const { office, leads, chance } = await openHour();
    const other = await openHour();
    const { world } = office;
    await roll(undefined, minute(20), { peakLeads: 1 });
    // Another organization’s row keeps the progress from being known to have moved.
    const holder = await connect();
    await holder.query('begin');
    await holder.query('select from report_slot_progress where organization_id = $1 for update', [other.office.world.organizationId]);
    const steps: string[] = [];
    const rolling = roll((step) => void steps.push(step), minute(37), { peakLeads: 1 });
    await vi.waitFor(
      async () => {
        const { rows } = await node.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query like 'with due as%'`);
        expect(rows.length).toBe(1);
      },
      { timeout: 20_000, interval: 20 },
    );
    const lead = inventLead(world, minute(36), chance);
    const writer = await connect();
    await writer.query('begin');
    await writer.query('select mark_report($1, $2)', [world.organizationId, [lead.id]]);
    await holder.query('rollback');
    await vi.waitFor(() => expect(steps).toContain('advanced'), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(steps).toEqual(['advanced']);
    await insertPastLead(writer, world, lead);
    await writer.query('commit');
    await rolling;
    leads.push(lead);
    const counted = leads.filter(({ at }) => at >= hour && at < minute(37) - 10_000).length;
    expect((await slotsOf(office)).map(({ sum }) => sum)).toEqual([counted, counted, counted, counted, counted]);
    await expectHour(office, leads, 'waited for');
  }, 240_000);

  it('refuses to mark in a transaction that might not see how far was counted', async () => {
    const { world } = await openReports();
    const client = await connect();
    await client.query('begin isolation level repeatable read');
    await expect(client.query('select mark_report($1, $2)', [world.organizationId, [idFloor(hour)]])).rejects.toThrow('read committed');
  });

  it('leaves few leads to their rows', async () => {
    const { office, leads } = await openHour();
    while ((await rollReports(node.pool, minute(37))) === undefined) await new Promise((resolve) => setTimeout(resolve, 50));
    expect([(await markedBy(office, nothing)).slots, await slotsOf(office)]).toEqual([0, []]);
    await expectHour(office, leads, 'few');
  });
});

/** A span with leads and one before it with others, both over changes of the clocks. */
const SPANS = {
  ...{ from: '2026-10-24T02:30:00Z', to: '2026-11-03T00:00:00Z' },
  ...{ beforeFrom: '2026-03-06T00:00:00Z', beforeTo: '2026-03-30T05:15:00Z' },
};
const inSpans = (leads: PastLead[]) => {
  const within = (from: string, to: string) => leads.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
  return [within(SPANS.from, SPANS.to), within(SPANS.beforeFrom, SPANS.beforeTo)] as const;
};
const csvLines = async (office: Office, name: string, query: Record<string, string>) => {
  const form = new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...query });
  return (await office.form(`/api/v1/download-file/report-${name}`, form)).replace('\uFEFF', '').trim().split('\r\n');
};

describe('console §3: by whatever a report tells apart and is narrowed to, it equals the rows, as do its file and the span before', () => {
  interface Way {
    by: string;
    keyOf: (lead: PastLead, tier: PastTier) => string;
  }
  const zone = 'Europe/London';
  const SHOWN = 'attempts,attemptsBefore,attemptsChange,sold,soldShare,soldShareBefore,revenue,revenueBefore,revenueChange,margin';
  type Figures = ReturnType<typeof leadFigures> | ReturnType<typeof tierFigures>;
  const share = ({ sold, attempts }: Figures) => (attempts === 0 ? '' : ((sold / attempts) * 100).toFixed(1));
  const cells = (now: Figures, before: Figures) => [
    ...[now.attempts, before.attempts, now.attempts - before.attempts, now.sold, share(now), share(before)].map(String),
    ...[now.revenue, before.revenue, (Number(now.revenue) - Number(before.revenue)).toFixed(4), now.margin],
  ];

  /** Rows, totals and points of both spans, and the file. `figuresOf` tells a part of the leads that is meant. */
  async function expectWhole(
    office: ReportOffice,
    [name, query]: [string, Record<string, string>],
    [now, before]: readonly [PastLead[], PastLead[]],
    keysOf: (leads: PastLead[]) => string[],
    part: (leads: PastLead[], key?: string) => PastLead[],
    figuresOf: (leads: PastLead[]) => Figures,
  ): Promise<number> {
    const report = await read(office, name, { ...SPANS, timeZone: zone, unit: 'day', rowsBefore: 'true', ...query });
    const what = [name, query];
    const told = (figures: Record<string, unknown>) => without(figures, ...TIMES);
    expect([what, told(report.total), told(report.totalBefore)]).toEqual([what, figuresOf(part(now)), figuresOf(part(before))]);
    const keys = [...new Set([...keysOf(part(now)), ...keysOf(part(before))])].sort();
    const rows = report.rows as (Row & { before: Record<string, unknown> })[];
    expect([what, rows.map((row) => row.keys[0]!._id).sort(), report.rowCount]).toEqual([what, keys, keys.length]);
    for (const {
      keys: [key],
      ...row
    } of rows)
      expect([what, key!._id, told(row.now), told(row.before)]).toEqual([
        ...[what, key!._id, figuresOf(part(now, key!._id)), figuresOf(part(before, key!._id))],
      ]);
    for (const [series, leads] of [
      [report.series, part(now)],
      [report.seriesBefore, part(before)],
    ] as const) {
      const byDay = Map.groupBy(leads, ({ at }) => unitOf(at, 'day', zone));
      for (const point of series as { at: string; now: Record<string, unknown> }[])
        expect([what, point.at, told(point.now)]).toEqual([
          ...[what, point.at, figuresOf(byDay.get(unitOf(Date.parse(point.at), 'day', zone)) ?? [])],
        ]);
    }
    const [head, ...lines] = await csvLines(office, name, { ...SPANS, timeZone: zone, rowsBefore: 'true', columns: SHOWN, ...query });
    expect(head!.split(',').length).toBe(12);
    expect([what, lines.map((line) => line.split(',').slice(-11))]).toEqual([
      what,
      rows.map(({ keys: [key] }) => [...cells(figuresOf(part(now, key!._id)), figuresOf(part(before, key!._id))), key!._id]),
    ]);
    return rows.filter((row) => row.before.attempts !== row.now.attempts).length;
  }

  /** Of kept hours all filters; of rows, which are slow to read, none and another one at each way. */
  function chosen<Name extends string>(filters: Record<Name, string>, at: number, isRolled: boolean): ('' | Name)[] {
    const names = Object.keys(filters) as Name[];
    return ['', ...(isRolled ? names : [names[at % names.length]!])];
  }

  it('inbound and sub ids', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 160, 41);
    await nameVariants(world, leads);
    const { source, variantId } = leads.find((lead) => lead.variantId !== '' && lead.source.publisherId !== world.publisherId)!;
    const filters = { ...source, subId: 'alpha', variantId, state: 'CA' };
    const ways: [by: string, keyOf: (lead: PastLead) => string][] = [
      ['', ({ source: { publisherId } }) => publisherId],
      ['publisherTier', ({ source: { publisherTierId } }) => publisherTierId],
      ['campaign', ({ source: { campaignId } }) => campaignId],
      ['state', ({ state }) => state],
      ['subId', ({ subId }) => subId],
      ['variant', (lead) => lead.variantId],
      ['reason', ({ reason }) => reason],
    ];
    const isBeside = (by: string, filter: string) => {
      const both = [by, filter.replace('Id', '')];
      return both.includes('state') && both.some((one) => ['sub', 'subId', 'variant', 'reason'].includes(one));
    };
    let moved = 0;
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      for (const [at, [by, keyOf]] of ways.entries()) {
        for (const filter of chosen(filters, at, isRolled)) {
          const query: Record<string, string> = { ...(by && { by }), ...(filter && { [filter]: filters[filter] }) };
          if (isBeside(by, filter)) {
            expect([query, (await ask(office, 'inbound', { ...SPANS, ...query })).json.code]).toEqual([query, 'report_state_beside']);
            continue;
          }
          const isMeant = (lead: PastLead) => filter === '' || { ...lead, ...lead.source }[filter] === filters[filter];
          const part = (all: PastLead[], key?: string) => all.filter((lead) => isMeant(lead) && (key === undefined || keyOf(lead) === key));
          moved += await expectWhole(office, ['inbound', query], inSpans(leads), (all) => all.map(keyOf), part, leadFigures);
        }
      }
    }
    expect(moved).toBeGreaterThan(50);
  }, 240_000);

  it('outbound', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 160, 43);
    await nameVariants(world, leads);
    const { source, variantId } = leads.find((lead) => lead.variantId !== '' && lead.source.publisherId !== world.publisherId)!;
    const [, { buyerId, buyerTierId, groupId }] = world.tiers as [unknown, PastWorld['tiers'][number]];
    const filters = { ...source, variantId, state: 'CA', buyerId, buyerTierId, groupId };
    const seat = (tier: PastTier) => world.tiers.find((one) => one.buyerTierId === tier.buyerTierId)!;
    const ways: Way[] = [
      { by: '', keyOf: (_, tier) => seat(tier).buyerId },
      { by: 'buyerTier', keyOf: (_, tier) => tier.buyerTierId },
      { by: 'group', keyOf: (_, tier) => seat(tier).groupId },
      { by: 'campaign', keyOf: (lead) => lead.source.campaignId },
      { by: 'publisher', keyOf: (lead) => lead.source.publisherId },
      { by: 'publisherTier', keyOf: (lead) => lead.source.publisherTierId },
      { by: 'variant', keyOf: (lead) => lead.variantId },
      { by: 'state', keyOf: (lead) => lead.state },
      { by: 'filterReason', keyOf: (_, tier) => String(tier.filterKey) },
    ];
    const isBeside = (by: string, filter: string) => {
      const both = [by, filter.replace('Id', '')];
      return both.includes('state') && both.some((one) => /^(group|publisher|publisherTier|variant|filterReason)$/.test(one));
    };
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      for (const [at, { by, keyOf }] of ways.entries()) {
        for (const filter of chosen(filters, at, isRolled)) {
          const query: Record<string, string> = { ...(by && { by }), ...(filter && { [filter]: filters[filter] }) };
          if (isBeside(by, filter)) {
            expect([query, (await ask(office, 'outbound', { ...SPANS, ...query })).json.code]).toEqual([query, 'report_state_beside']);
            continue;
          }
          const isMeant = (lead: PastLead, tier: PastTier) =>
            filter === '' || { ...lead, ...lead.source, ...seat(tier) }[filter] === filters[filter];
          const part = (all: PastLead[], key?: string) =>
            all.flatMap((lead) => {
              const tiers = lead.tiers.filter((tier) => isMeant(lead, tier) && (key === undefined || keyOf(lead, tier) === key));
              const { sale, ...others } = lead;
              const isBought = tiers.some((tier) => tier.buyerTierId === sale?.buyerTierId);
              return tiers.length === 0 ? [] : [{ ...others, tiers, ...(isBought && { sale: sale! }) }];
            });
          const keysOf = (all: PastLead[]) => all.flatMap((lead) => lead.tiers.map((tier) => keyOf(lead, tier)));
          await expectWhole(office, ['outbound', query], inSpans(leads), keysOf, part, tierFigures);
        }
      }
    }
    // Of what was filtered the list has the leads.
    const rows = (await read(office, 'outbound', { ...SPANS, by: 'filterReason' })).rows as Row[];
    expect(rows.find(({ keys }) => keys[0]!._id === '0')!.keys[0]!.name).toBe('No filter reason');
  }, 240_000);

  it('bids and prices: of each buyer tier as the rows have it, narrowed by each filter, with the leads behind it and its file', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 240, 71);
    const [within] = inSpans(leads);
    const { source } = within.find((lead) => lead.sale?.bid && lead.source.publisherId !== world.publisherId)!;
    const buyerOf = new Map(world.tiers.map(({ buyerTierId, buyerId }) => [buyerTierId, buyerId]));
    const { buyerTierId, buyerId } = world.tiers.at(-1)!;
    const own = { publisherId: source.publisherId, publisherTierId: source.publisherTierId, buyerTierId };
    const narrowings: Record<string, string>[] = [
      ...[{}, { campaignId: source.campaignId }, { publisherId: source.publisherId }, { publisherTierId: source.publisherTierId }],
      ...[{ state: 'CA' }, { buyerId }, { buyerTierId }, { campaignId: source.campaignId, state: 'CA', buyerId }, own],
    ];
    const asked = { from: SPANS.from, to: SPANS.to };
    const listed = async (query: Record<string, string>) => {
      const { buyerId: soldBuyerId, buyerTierId: soldTierId, ...others } = query;
      const sold = { ...(soldBuyerId && { soldBuyerId }), ...(soldTierId && { soldTierId }) };
      const search = new URLSearchParams({
        region: 'us',
        vertical: 'payday',
        ...asked,
        otherPrice: 'true',
        ...others,
        ...sold,
        limit: '200',
      });
      const { total, totalIsExact, rows } = (await office.get(`/api/console/leads?${search}`)).json;
      const ids = new Set(rows.map(({ _id }: { _id: string }) => _id));
      expect([query, totalIsExact, rows.length, ids.size]).toEqual([query, true, total, total]);
      return total;
    };
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      for (const filters of narrowings) {
        const isOf: OfTier = (id) =>
          [undefined, id].includes(filters.buyerTierId) && [undefined, buyerOf.get(id)].includes(filters.buyerId);
        const of = within.filter((lead) =>
          (['campaignId', 'publisherId', 'publisherTierId', 'state'] as const).every((name) =>
            [undefined, { ...lead, ...lead.source }[name]].includes(filters[name]),
          ),
        );
        const answer = await read(office, 'bid-prices', { ...asked, ...filters });
        expect([filters, answer.total]).toEqual([filters, priceFigures(of, isOf)]);
        expect([filters, answer.total.otherPrice > 0]).toEqual([filters, true]);
        const ids = world.tiers.map((tier) => tier.buyerTierId).filter((id) => isOf(id) && priceFigures(of, only(id)).otherPrice > 0);
        const told = answer.tiers as ({ buyerTier: { _id: string; name: string } } & ReturnType<typeof priceFigures>)[];
        expect([filters, told.map(({ buyerTier }) => buyerTier._id).sort()]).toEqual([filters, ids.sort()]);
        for (const { buyerTier, ...prices } of told) {
          expect([filters, prices]).toEqual([filters, priceFigures(of, only(buyerTier._id))]);
          expect(await listed({ ...filters, buyerTierId: buyerTier._id })).toBe(prices.otherPrice);
        }
        expect(await listed(filters)).toBe(answer.total.otherPrice);
      }
    }
    const { tiers, total } = await read(office, 'bid-prices', asked);
    expect(tiers.length).toBeGreaterThan(1);
    expect([total.lower > 0, total.lower < total.otherPrice, total.otherPrice < total.wins]).toEqual([true, true, true]);
    const [head, ...lines] = await csvLines(office, 'bid-prices', asked);
    expect(head).toBe('Buyer tier,Wins,At another price,Of the wins %,Below the bid,Bid,Paid,Difference,Buyer tier id');
    expect(lines.map((line) => line.split(',').slice(-8))).toEqual(
      tiers.map(
        ({
          buyerTier,
          wins,
          otherPrice,
          lower,
          bid,
          paid,
          difference,
        }: ReturnType<typeof priceFigures> & Row['keys'][0] & { buyerTier: { _id: string } }) => [
          ...[wins, otherPrice, ((otherPrice / wins) * 100).toFixed(1), lower, bid, paid, difference].map(String),
          buyerTier._id,
        ],
      ),
    );
    const file = await office.form(
      '/api/v1/download-file/leads',
      new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...asked, otherPrice: 'true', columns: 'id' }),
    );
    expect(file.trim().split('\r\n').length).toBe(1 + total.otherPrice);
  }, 240_000);

  it('bids and prices: a lead that is sold twice is two sales and one lead, a test is none, and a return takes nothing off', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 200, 71);
    const asked = { from: '2026-03-01T00:00:00Z', to: '2026-11-10T00:00:00Z' };
    const sold = leads.filter(({ sale }) => sale?.bid !== undefined);
    const list = async (more: Record<string, string> = {}) => {
      const search = new URLSearchParams({ region: 'us', vertical: 'payday', ...asked, otherPrice: 'true', ...more });
      return (await office.get(`/api/console/leads?${search}`)).json.rows.map(({ _id }: { _id: string }) => _id) as string[];
    };
    const before = await read(office, 'bid-prices', asked);
    expect((await list({ limit: '200' })).sort()).toEqual(sold.map(({ id }) => id).sort());
    expect(sold.length).toBeGreaterThan(3);
    const [twice, test] = sold as [PastLead, PastLead];
    const [, second] = world.tiers as [unknown, PastWorld['tiers'][number]];
    const sell = (lead: PastLead, bid: string) =>
      write(world, [lead.id], (client) =>
        client.query(
          `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, post_price_differs, bid)
            values ($1, $2, 1, $3, $4, $5, $6, false, 10, 7, 3, $7, $8)`,
          [world.organizationId, lead.id, world.verticalId, second.buyerId, second.buyerTierId, lead.source.publisherId, bid !== '10', bid],
        ),
      );
    // At its bid, by another tier: that the lead was sold at another price to somebody says nothing of it.
    await sell(test, '10');
    expect(await list({ soldTierId: second.buyerTierId })).toEqual([]);
    await sell(twice, '12.5');
    expect(await list({ soldTierId: second.buyerTierId })).toEqual([twice.id]);
    expect(await list({ soldBuyerId: second.buyerId })).toEqual([twice.id]);
    expect((await list({ limit: '200' })).sort()).toEqual(sold.map(({ id }) => id).sort());
    // Page by page, back and forth, each lead once.
    const pages: string[] = [];
    for (let older: string | undefined; pages.length < sold.length; older = pages.at(-1))
      pages.push(...(await list({ limit: '1', ...(older && { before: older }) })));
    expect(pages).toEqual(
      sold
        .map(({ id }) => id)
        .sort()
        .reverse(),
    );
    expect((await list({ limit: '1', after: pages.at(-1)! }))[0]).toBe(pages.at(-2));
    const { total, tiers } = await read(office, 'bid-prices', asked);
    expect([total.wins, total.otherPrice, total.lower]).toEqual([
      before.total.wins + 2,
      before.total.otherPrice + 1,
      before.total.lower + 1,
    ]);
    expect(tiers.find(({ buyerTier }: { buyerTier: { _id: string } }) => buyerTier._id === second.buyerTierId)).toMatchObject({
      ...{ wins: 2, otherPrice: 1, lower: 1, bid: '12.50', paid: '10.00', difference: '-2.50' },
    });
    const returned = sold.find(({ sale, id }) => sale!.returned === undefined && id !== test.id)!;
    await write(world, [returned.id], (client) => insertPastReturn(client, world, returned, returned.sale!.revenue));
    expect((await read(office, 'bid-prices', asked)).total).toEqual(total);
    await write(world, [test.id], async (client) => {
      for (const [table, id] of [
        ['lead', 'id'],
        ['lead_result', 'lead_id'],
        ['sale', 'lead_id'],
      ])
        await client.query(`update ${table} set test = true where organization_id = $1 and ${id} = $2`, [world.organizationId, test.id]);
    });
    const after = await read(office, 'bid-prices', asked);
    expect([after.total.wins, after.total.otherPrice]).toEqual([total.wins - 2, total.otherPrice - 1]);
    expect([(await list({ test: 'false', limit: '200' })).includes(test.id), await list({ test: 'true' })]).toEqual([false, [test.id]]);
  });

  it('bids and prices: open by the outbound page alone, of the own organization, and refuse what cannot be meant', async () => {
    const office = await openReports();
    const other = await openReports();
    await scatter(other.world, 60, 79);
    const asked = { from: SPANS.from, to: SPANS.to };
    const { total, tiers } = await read(office, 'bid-prices', asked);
    expect([total, tiers]).toEqual([{ wins: 0, otherPrice: 0, lower: 0, bid: '0.00', paid: '0.00', difference: '0.00' }, []]);
    const [theirs] = other.world.tiers as [PastWorld['tiers'][number]];
    const refusal = async (query: Record<string, string>) => {
      const { statusCode, json } = await ask(office, 'bid-prices', { ...asked, ...query });
      return [statusCode, json.code];
    };
    for (const filter of [
      { buyerTierId: theirs.buyerTierId },
      { buyerId: theirs.buyerId },
      { campaignId: other.world.campaignId },
      { state: 'QQ' },
    ])
      expect([filter, await refusal(filter as Record<string, string>)]).toEqual([filter, [404, 'report_record_unknown']]);
    expect(await refusal({ state: 'CA', publisherId: office.world.publisherId })).toEqual([400, 'report_state_beside']);
    expect(await refusal({ from: asked.to, to: asked.from })).toEqual([400, 'report_span_backwards']);
    const place = { region: 'us', vertical: 'payday' };
    const leads = (of: Office, query: Record<string, string>) =>
      of.get(`/api/console/leads?${new URLSearchParams({ ...place, ...query })}`);
    for (const otherPrice of ['false', 'yes', '']) expect((await leads(office, { otherPrice })).statusCode).toBe(400);
    for (const soldTierId of [theirs.buyerTierId, 'nobody'])
      expect((await leads(office, { otherPrice: 'true', soldTierId })).json).toMatchObject({ rows: [], total: 0, totalIsExact: true });
    for (const [page, status] of [
      ['leadFlow-Outbound', 200],
      ['leadFlow-Inbound', 403],
    ] as const) {
      const { regionId, verticalId } = office.world;
      const verticals = [{ verticalId, verticalChecked: true, pages: [{ value: page, pageChecked: true }] }];
      const permissions = [{ regionId, regionChecked: true, verticals }] as never;
      const member = await signIn(node, office.world, { role: 'member', permissions });
      expect([page, (await ask(member, 'bid-prices', asked)).statusCode]).toEqual([page, status]);
    }
  });

  it('trending, reasons and maps, narrowed by each filter', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 160, 47);
    await roll();
    const { source } = leads.find((lead) => lead.source.publisherId !== world.publisherId)!;
    const filters = { ...source, subId: 'beta', state: 'CA' };
    for (const filter of ['', ...Object.keys(filters)] as ('' | keyof typeof filters)[]) {
      const query = filter ? { [filter]: filters[filter] } : {};
      const [now, before] = inSpans(leads).map((all) =>
        all.filter((lead) => filter === '' || { ...lead, ...lead.source }[filter] === filters[filter]),
      ) as [PastLead[], PastLead[]];
      expect(before.length).toBeGreaterThan(5);
      const trend = await read(office, 'trending', { ...SPANS, ...query, timeZone: zone, unit: 'day', by: 'campaign' });
      expect([filter, trend.total, trend.totalBefore]).toEqual([filter, leadFigures(now), leadFigures(before)]);
      for (const [series, of] of [
        [trend.series, now],
        [trend.seriesBefore, before],
      ] as const)
        for (const point of series)
          expect([filter, point.at, point.now]).toEqual([
            ...[filter, point.at],
            leadFigures(of.filter(({ at }) => unitOf(at, 'day', zone) === unitOf(Date.parse(point.at), 'day', zone))),
          ]);
      if (filter === 'state') continue;

      const reasons = await read(office, 'reason', { ...SPANS, ...query, timeZone: zone, unit: 'day' });
      const [real, realBefore] = [now, before].map((all) => all.filter(({ isPing }) => !isPing)) as [PastLead[], PastLead[]];
      const isSold = ({ outcome }: PastLead) => outcome === 'sold';
      expect(reasons).toMatchObject({
        ...{ attempts: real.length, attemptsBefore: realBefore.length },
        ...{ sold: real.filter(isSold).length, soldBefore: realBefore.filter(isSold).length },
      });
      const counted = (all: PastLead[], key: string) => all.filter(({ reason }) => reason === key).length;
      const keys = new Set([...real, ...realBefore].flatMap(({ reason }) => reason || []));
      expect(Object.fromEntries(reasons.reasons.map((one: ReasonCount) => [one.key, [one.count, one.before]]))).toEqual(
        Object.fromEntries([...keys].map((key) => [key, [counted(real, key), counted(realBefore, key)]])),
      );
      for (const point of reasons.series as { at: string; reasons: { key: string; count: number }[] }[]) {
        const day = real.filter(({ at, reason }) => reason && unitOf(at, 'day', zone) === unitOf(Date.parse(point.at), 'day', zone));
        expect([point.at, Object.fromEntries(point.reasons.map(({ key, count }) => [key, count]))]).toEqual([
          point.at,
          Object.fromEntries([...Map.groupBy(day, ({ reason }) => reason)].map(([key, of]) => [key, of.length])),
        ]);
      }
      // Of a sub id tiers are not told apart.
      if (filter !== 'subId') {
        const passed = (all: PastLead[], key: number) => all.flatMap(({ tiers }) => tiers).filter((tier) => tier.filterKey === key).length;
        const filterKeys = new Set([...real, ...realBefore].flatMap((lead) => lead.tiers.flatMap((tier) => tier.filterKey || [])));
        expect(Object.fromEntries(reasons.filterReasons.map((one: ReasonCount) => [one.key, [one.count, one.before]]))).toEqual(
          Object.fromEntries([...filterKeys].map((key) => [String(key), [passed(real, key), passed(realBefore, key)]])),
        );
      }

      if (filter === 'subId') continue;
      const map = await read(office, 'map', { ...SPANS, ...query, rowsBefore: 'true' });
      expect([map.total, map.totalBefore]).toEqual([leadFigures(now), leadFigures(before)]);
      const states = new Set([...now, ...before].map(({ state }) => state));
      const of = (all: PastLead[], state: string) => leadFigures(all.filter((lead) => lead.state === state));
      expect(Object.fromEntries(map.rows.map((row: Row & { before: unknown }) => [row.keys[0]!._id, [row.now, row.before]]))).toEqual(
        Object.fromEntries([...states].map((state) => [state, [of(now, state), of(before, state)]])),
      );
      const asked = new Set(
        now
          .flatMap((lead) => (lead.state === 'CA' ? lead.tiers.filter(({ outcome }) => outcome !== 'filtered') : []))
          .map((tier) => tier.buyerTierId),
      );
      const coverage = map.coverage?.find((one: { state: string }) => one.state === 'CA');
      if (filter === '' || filter === 'campaignId') expect(coverage.asked).toBe(asked.size);
      else expect(map.coverage).toBe(null);
    }
  }, 120_000);
});

interface ReasonCount {
  key: string;
  count: number;
  before: number;
}

describe('console §3: beyond the rows of an answer', () => {
  /** 63 publishers at eight of 32 buyers each, with a sub id of its own for every lead; before, some others and some of the same. */
  async function openMany() {
    const buyers = Array.from({ length: 32 }, (_, nth) => ({ url: 'http://127.0.0.1:9', buyer: `Buyer ${nth}` }));
    const { world, ...office } = await openOffice(node, undefined, { groups: [{ mode: 'priority', tiers: buyers }] });
    const chance = dice(8);
    const publishers = Array.from({ length: 63 }, () => crypto.randomUUID());
    const leadOf = (at: number, nth: number, subId: string): PastLead => {
      const publisherId = publishers[nth % publishers.length]!;
      const { buyerTierId } = world.tiers[(nth + 3 * Math.floor(nth / publishers.length)) % world.tiers.length]!;
      const isSold = chance() < 0.6;
      const outcome = isSold ? 'sold' : 'rejected';
      const revenue = 1 + Math.floor(chance() * 900_000);
      return {
        ...inventLead(world, at, dice(nth)),
        ...{ isPing: false, subId, variantId: '', outcome, reason: isSold ? '' : 'buyer-all-tier-failed' },
        source: { campaignId: world.campaignId, publisherId, publisherTierId: world.publisherTierId },
        tiers: [{ buyerTierId, outcome, filterKey: 0, calls: [] }],
        ...(isSold
          ? { sale: { buyerTierId, isWon: false, revenue, payout: Math.floor(revenue / 2), linkGivenAt: at } }
          : { sale: undefined as never }),
      };
    };
    const begin = Date.parse('2026-10-31T00:00:00Z');
    const earlier = Date.parse('2026-03-28T00:00:00Z');
    const leads = [
      ...Array.from({ length: 504 }, (_, nth) => leadOf(begin + nth * 60_000, nth, `sub ${nth}`)),
      ...Array.from({ length: 30 }, (_, nth) => leadOf(earlier + nth * 60_000, nth * 7, nth % 2 === 0 ? `gone ${nth}` : `sub ${nth * 7}`)),
    ];
    // Some pairs and sub ids have more leads than others.
    leads.push(...Array.from({ length: 40 }, (_, nth) => leadOf(begin + nth * 61_000, nth * 11, `sub ${nth * 11}`)));
    await write(
      world,
      leads.map(({ id }) => id),
      async (client) => {
        await waitForRoller(client);
        for (const lead of leads) await insertPastLead(client, world, lead);
      },
    );
    return { office: { ...office, world }, leads };
  }
  type Side = { keys: { _id: string }[]; count: number };

  it('performance-report: every pair is in the matrix, alone or among all others, and the file has all in the order of the page', async () => {
    const { office, leads } = await openMany();
    const buyerOf = new Map(office.world.tiers.map(({ buyerTierId, buyerId }) => [buyerTierId, buyerId]));
    const [now] = inSpans(leads);
    const pairOf = ({ source, tiers }: PastLead) => `${source.publisherId} ${buyerOf.get(tiers[0]!.buyerTierId)}`;
    const pairs = Map.groupBy(now, pairOf);
    expect(pairs.size).toBe(504);
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      const { rows, rowCount, matrix, total } = await read(office, 'performance', { ...SPANS, by: 'publisher,buyer' });
      expect([rows.length, rowCount]).toEqual([500, 504]);
      const sides = matrix.sides as [Side, Side];
      expect(sides.map(({ keys, count }) => [keys.length, count])).toEqual([
        [40, 63],
        [25, 32],
      ]);
      expect([matrix.cells.length, matrix.cells[0].length]).toEqual([41, 26]);
      const placeOf = (side: 0 | 1, id: string) => {
        const at = sides[side].keys.findIndex(({ _id }) => _id === id);
        return at === -1 ? sides[side].keys.length : at;
      };
      const byCell = Map.groupBy(now, (lead) => {
        const [publisher, buyerId] = pairOf(lead).split(' ');
        return `${placeOf(0, publisher!)} ${placeOf(1, buyerId!)}`;
      });
      const told = (matrix.cells as (Record<string, unknown> | null)[][]).flatMap((line, y) =>
        line.flatMap((cell, x) => (cell ? [[`${y} ${x}`, cell] as const] : [])),
      );
      expect(Object.fromEntries(told)).toEqual(
        Object.fromEntries(
          [...byCell].map(([cell, of]) => {
            const { attempts, sold, revenue, margin } = tierFigures(of);
            return [cell, { attempts, sold, revenue, margin }];
          }),
        ),
      );
      expect(told.reduce((sum, [, cell]) => sum + Number(cell.attempts), 0)).toBe(total.attempts);
      // The busiest come first, both ways.
      const attemptsOf = (side: 0 | 1) =>
        sides[side].keys.map(({ _id }) => now.filter((lead) => pairOf(lead).split(' ')[side] === _id).length);
      for (const side of [0, 1] as const) expect(attemptsOf(side)).toEqual(attemptsOf(side).toSorted((a, b) => b - a));

      const revenues = [...pairs.values()].map((of) => Number(tierFigures(of).revenue)).sort((a, b) => b - a);
      const sorted = await read(office, 'performance', { ...SPANS, by: 'publisher,buyer', sort: '-revenue' });
      expect(sorted.rows.map((row: Row) => Number(row.now.revenue))).toEqual(revenues.slice(0, 500));
      const least = await read(office, 'performance', { ...SPANS, by: 'publisher,buyer', sort: 'revenue' });
      expect(least.rows.map((row: Row) => Number(row.now.revenue))).toEqual(revenues.toReversed().slice(0, 500));
      const [, ...lines] = await csvLines(office, 'performance', { ...SPANS, by: 'publisher,buyer', sort: '-revenue', columns: 'revenue' });
      expect(lines.map((line) => Number(line.split(',').at(-3)))).toEqual(revenues);
    }
    expect((await read(office, 'performance', { ...SPANS, by: 'publisher' })).matrix).toBe(null);
  }, 120_000);

  it('subId-specific-report: the order is made of all sub ids, of both spans', async () => {
    const { office, leads } = await openMany();
    const [now, before] = inSpans(leads);
    const subIds = [...new Set([...now, ...before].map(({ subId }) => subId))];
    expect(subIds.length).toBeGreaterThan(510);
    const of = (all: PastLead[], subId: string) => leadFigures(all.filter((lead) => lead.subId === subId));
    const all = subIds.map((subId) => ({ subId, now: of(now, subId), before: of(before, subId) }));
    const acceptRate = ({ sold, attempts }: { sold: number; attempts: number }) => (attempts === 0 ? null : sold / attempts);
    const ways: [sort: string, value: (row: (typeof all)[number]) => number | null][] = [
      ['revenue', (row) => Number(row.now.revenue)],
      ['epl', (row) => Number(row.now.epl)],
      ['soldShare', (row) => acceptRate(row.now)],
      ['outcomes', (row) => acceptRate(row.now)],
      ['rejected', (row) => row.now.rejected],
      ['attemptsBefore', (row) => row.before.attempts],
      ['attemptsChange', (row) => row.now.attempts - row.before.attempts],
      ['revenueChange', (row) => Number(row.now.revenue) - Number(row.before.revenue)],
      ['soldShareBefore', (row) => acceptRate(row.before)],
      ['nothing', (row) => -row.now.attempts],
    ];
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      for (const [name, value] of ways)
        for (const sort of [name, `-${name}`]) {
          const report = await read(office, 'inbound', { ...SPANS, by: 'subId', rowsBefore: 'true', sort });
          expect([sort, report.rows.length, report.rowCount]).toEqual([sort, 500, subIds.length]);
          const values = all.map(value);
          const inOrder = values.filter((one) => one !== null).sort((a, b) => (sort.startsWith('-') && name !== 'nothing' ? b - a : a - b));
          const expected = [...inOrder, ...values.filter((one) => one === null)].slice(0, 500);
          const told = (report.rows as Row[]).map(({ keys }) => value(all.find(({ subId }) => subId === keys[0]!._id)!));
          expect([sort, told.map((one) => one?.toFixed(6))]).toEqual([sort, expected.map((one) => one?.toFixed(6))]);
          for (const row of (report.rows as (Row & { before: unknown })[]).slice(0, 40))
            expect([sort, row.now, row.before]).toEqual([sort, of(now, row.keys[0]!._id), of(before, row.keys[0]!._id)]);
        }
    }
    // What was there before alone is no row where nothing is compared.
    const plain = await read(office, 'inbound', { ...SPANS, by: 'subId', sort: '-attemptsBefore' });
    expect([plain.rowCount, plain.rows[0].before, plain.totalBefore.attempts]).toEqual([
      ...[new Set(now.map(({ subId }) => subId)).size, undefined, before.length],
    ]);
  }, 120_000);

  it('what is cut from both spans adds up to what the spans have', async () => {
    const { office, leads } = await openMany();
    const [now, before] = inSpans(leads);
    const { organizationId, verticalId } = office.world;
    const [span, past] = [
      { from: Date.parse(SPANS.from), to: Date.parse(SPANS.to) },
      { from: Date.parse(SPANS.beforeFrom), to: Date.parse(SPANS.beforeTo) },
    ];
    const order = { span, before: past, filters: {}, by: ['subId' as const], hasRowsBefore: true, sort: '-attemptsBefore' };
    const rows = await listReportRows(node.db, { organizationId, verticalId }, LEADS, order, 7);
    const sum = (of: 'now' | 'before') => rows.reduce((all, row) => all + row[of]!.attempts, 0);
    expect([rows.length, rows.at(-1)!.keys[0]!.name.slice(0, 10), sum('now'), sum('before')]).toEqual([
      8,
      'All others',
      now.length,
      before.length,
    ]);
    expect(rows.at(-1)!.before!.attempts).toBe(before.length - 7);
  });
});

describe('console §3 subId-specific-report: of as many sub ids as publishers like', () => {
  const [from, to] = ['2026-10-24T00:00:00Z', '2026-11-03T00:00:00Z'].map(Date.parse) as [number, number];

  it.each([
    { by: ['subId'] as const, most: 2 },
    { by: ['subId', 'reason'] as const, most: 4 },
  ])('those of the most attempts are read, and all others as one: $by', async ({ by, most }) => {
    const office = await openReports();
    const { organizationId, verticalId } = office.world;
    await scatter(office.world, 60, 77);
    const look = <T>(use: (look: Look) => Promise<T>) => lookAtFacts(node.db, { organizationId, verticalId }, use);
    const asked = { span: { from, to }, filters: {} };
    for (const _ of ['from the rows', 'from what is kept']) {
      const [all, cut] = await look(
        async (one) =>
          [
            await readLeadFigures(one, asked, [...by], { unit: 'day', zone: 'Europe/London' }),
            await readLeadFigures(one, { ...asked, most }, [...by], { unit: 'day', zone: 'Europe/London' }),
          ] as const,
      );
      expect(all.rest).toBe(undefined);
      expect(all.rows.length).toBeGreaterThan(most);
      expect([cut.total, cut.series]).toEqual([all.total, all.series]);
      const sizes = all.rows.map(({ now }) => now.attempts).sort((a, b) => b - a);
      expect(cut.rows.map(({ now }) => now.attempts).sort((a, b) => b - a)).toEqual(sizes.slice(0, most));
      for (const row of cut.rows) expect(all.rows).toContainEqual(row);
      expect(cut.rest!.rows).toBe(all.rows.length - most);
      for (const figure of ['attempts', 'sold', 'filtered', 'pings', 'open', 'returned'] as const) {
        const sum = (rows: typeof all.rows) => rows.reduce((before, { now }) => before + now[figure], 0);
        expect([figure, sum(cut.rows) + cut.rest!.now[figure]]).toEqual([figure, sum(all.rows)]);
      }
      const file = await listReportRows(node.db, { organizationId, verticalId }, LEADS, { ...asked, by: [...by] }, most);
      expect(file).toHaveLength(most + 1);
      expect(file.at(-1)).toEqual({
        keys: by.map((_one, at) => ({ _id: '', name: at === 0 ? `All others (${all.rows.length - most})` : '' })),
        now: cut.rest!.now,
      });
      await roll();
    }
  });
});

describe('console §6: by vertical and region, a report is of all verticals that the person may open it in', () => {
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-11-10T00:00:00Z' };

  it('adds up what they may open, and tells nothing of any other', async () => {
    const office = await openReports();
    const { world } = office;
    /** Another vertical of the same region, or of another. */
    const addVertical = async (slug: string, regionId = world.regionId): Promise<string> => {
      const id = crypto.randomUUID();
      const made = { id, slug, name: slug, uid: slug, region_id: regionId };
      await node.pool.query(
        'insert into vertical select (jsonb_populate_record(v, $2)).* from vertical v where organization_id = $1 and id = $3',
        [world.organizationId, made, world.verticalId],
      );
      return id;
    };
    const abroad = crypto.randomUUID();
    await node.pool.query(
      'insert into region select (jsonb_populate_record(r, $2)).* from region r where organization_id = $1 and id = $3',
      [...[world.organizationId, { id: abroad, slug: 'abroad', name: 'Abroad' }, world.regionId]],
    );
    const [auto, far, hidden] = [await addVertical('auto'), await addVertical('far', abroad), await addVertical('hidden', abroad)];
    const own = await scatter(world, 40, 3);
    const others = new Map<string, PastLead[]>();
    for (const [nth, verticalId] of [auto, far, hidden].entries())
      others.set(
        verticalId,
        await scatter({ ...world, verticalId, regionId: verticalId === auto ? world.regionId : abroad }, 20, 50 + nth),
      );
    const ticked = (regionId: string, verticalIds: string[], pages: string[]) => ({
      ...{ regionId, regionChecked: true },
      verticals: verticalIds.map((verticalId) => ({
        ...{ verticalId, verticalChecked: true },
        pages: pages.map((value) => ({ value, pageChecked: true })),
      })),
    });
    const pages = ['leadFlow-Inbound', 'leadFlow-Outbound'];
    const permissions = [
      ticked(world.regionId, [world.verticalId, auto], pages),
      // This one may be entered, and neither page opened.
      {
        ...ticked(abroad, [far], pages),
        verticals: [ticked(abroad, [far], pages).verticals[0]!, ticked(abroad, [hidden], ['leads']).verticals[0]!],
      },
    ];
    const member = await signIn(node, world, { role: 'member', permissions });
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      // Account §6: a portal adds up its company's tiers of several verticals, each sub id once.
      const sent = [...own, ...others.get(auto)!].filter(({ source }) => source.publisherId === world.publisherId);
      const tiers = [world.verticalId, auto].map((verticalId) => ({ id: verticalId, name: 'Tier', verticalId }));
      const visitor = { tiers, organization: { organizationId: world.organizationId }, company: { _id: world.publisherId } };
      const portal = await readPublisherFigures(
        node.db,
        visitor as never,
        { ...span, timeZone: 'UTC', unit: 'month', by: 'subId' } as never,
        Date.now(),
      );
      const figuresOf = (leads: PastLead[]) => {
        const { attempts, sold, open, pings, bids, payout, returnedPayout } = leadFigures(leads);
        return { attempts, sold, rejected: attempts - sold - open, open, pings, bids, payout, returnedPayout };
      };
      expect(without(portal.total as never, 'epl')).toEqual(figuresOf(sent));
      expect(Object.fromEntries(portal.rows.map(({ key, now }) => [key, without(now as never, 'epl')]))).toEqual(
        Object.fromEntries([...Map.groupBy(sent, ({ subId }) => subId)].map(([subId, leads]) => [subId, figuresOf(leads)])),
      );
      for (const [who, seen] of [
        [office, [auto, far, hidden]],
        [member, [auto, far]],
      ] as const) {
        const all = [own, ...seen.map((id) => others.get(id)!)].flat();
        const byVertical = await read(who, 'inbound', { ...span, by: 'vertical' });
        expect(byVertical.total).toEqual(leadFigures(all));
        expect(Object.fromEntries(byVertical.rows.map((row: Row) => [row.keys[0]!._id, row.now]))).toEqual(
          Object.fromEntries([[world.verticalId, leadFigures(own)], ...seen.map((id) => [id, leadFigures(others.get(id)!)])]),
        );
        expect(byVertical.series.reduce((sum: number, { now }: Row) => sum + Number(now.attempts), 0)).toBe(leadFigures(all).attempts);
        expect(JSON.stringify(byVertical).includes('hidden')).toBe(who === office);
        const byRegion = await read(who, 'inbound', { ...span, by: 'region,subId' });
        const away = seen.filter((id) => id !== auto).flatMap((id) => others.get(id)!);
        for (const row of byRegion.rows as Row[])
          expect(row.now).toEqual(
            leadFigures(
              (row.keys[0]!._id === abroad ? away : [...own, ...others.get(auto)!]).filter((one) => one.subId === row.keys[1]!._id),
            ),
          );
        const outbound = await read(who, 'outbound', { ...span, by: 'region' });
        expect(outbound.rows.map((row: Row) => row.keys[0]!.name).sort()).toEqual(['Abroad', 'United States']);
        const abroadTime = callTime(away, 0.5)!;
        const told = Number(outbound.rows.find((row: Row) => row.keys[0]!._id === abroad).now.p50Ms);
        expect(Math.abs(told - abroadTime)).toBeLessThanOrEqual(abroadTime * 0.045 + 0.5);
        const file = await who.form(
          '/api/v1/download-file/report-inbound',
          new URLSearchParams({ region: 'us', vertical: 'payday', ...span, by: 'vertical', isDownloadCSV: 'true' }),
        );
        expect([file.includes('Abroad, far'), file.includes('hidden')]).toEqual([true, who === office]);
      }
    }
    // Any other report is of its vertical alone.
    expect((await read(member, 'inbound', { ...span, by: 'subId' })).total).toEqual(leadFigures(own));
    expect((await ask(member, 'inbound', { ...span, vertical: 'hidden', region: 'abroad', by: 'vertical' })).statusCode).toBe(403);
    expect((await ask(office, 'trending', { ...span, by: 'vertical' })).json.code).toBe('report_dimension_unknown');
  }, 120_000);
});

describe('console §2: maps and comparisons equal the rows', () => {
  const span = { from: '2026-03-01T00:00:00Z', to: '2026-11-10T00:00:00Z' };

  it('comm-maps: figures of each state, and the buyers for it, from the rows and from what is kept', async () => {
    const office = await openReports();
    const leads = await scatter(office.world, 120, 17);
    const expected = [...Map.groupBy(leads, ({ state }) => state)];
    const buyerOf = new Map(office.world.tiers.map(({ buyerTierId, buyerId }) => [buyerTierId, buyerId]));
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      const map = await read(office, 'map', span);
      expect(Object.fromEntries(map.rows.map((row: Row) => [row.keys[0]!._id, row.now]))).toEqual(
        Object.fromEntries(expected.map(([state, of]) => [state, leadFigures(of)])),
      );
      const coverage = Object.fromEntries(map.coverage.map((one: { state: string }) => [one.state, one]));
      for (const [state, of] of expected) {
        const asked = of.flatMap(({ tiers }) =>
          tiers.filter(({ outcome }) => outcome !== 'filtered').map((one) => buyerOf.get(one.buyerTierId)),
        );
        const bought = of.flatMap(({ sale }) => (sale ? [buyerOf.get(sale.buyerTierId)] : []));
        expect([isRolled, coverage[state]]).toEqual([isRolled, { state, asked: new Set(asked).size, bought: new Set(bought).size }]);
      }
      expect((await read(office, 'map', { ...span, publisherId: office.world.publisherId })).coverage).toBe(null);
    }
    const names = (await read(office, 'map', span)).rows.map(({ keys }: Row) => keys[0]!.name).sort();
    expect(names).toEqual(expect.arrayContaining(['California', 'New York', 'Not known', 'Texas']));
    expect(names.length).toBe(expected.length);
    const list = await office.get('/api/console/leads?region=us&vertical=payday&state=CA&test=false&pings=false');
    expect(list.json.total).toBe(leads.filter(({ state, isPing }) => state === 'CA' && !isPing).length);
  });

  it('compare-stats: two of anything that is there side by side, each with the figures it has alone', async () => {
    const office = await openReports();
    const { world } = office;
    const leads = await scatter(world, 120, 23);
    await roll();
    const compare = (of: string, a: string, b: string, more: Record<string, string> = {}) =>
      read(office, 'compare', { ...span, unit: 'month', of, a, b, ...more });
    for (const [of, field] of [
      ['state', 'state'],
      ['subId', 'subId'],
    ] as const) {
      const [a, b] = of === 'state' ? ['CA', 'TX'] : ['alpha', 'beta'];
      const { sides, counts } = await compare(of, a, b);
      expect(counts).toBe('leads');
      for (const [at, value] of [a, b].entries()) {
        const figures = leadFigures(leads.filter((lead) => lead[field] === value));
        expect([of, value, sides[at].total]).toMatchObject([of, value, figures]);
        expect(sides[at].series.reduce((sum: number, { now }: Row) => sum + Number(now.attempts), 0)).toBe(figures.attempts);
      }
    }
    const [first, second] = world.tiers;
    for (const [of, a, b] of [
      ['buyerTier', first!.buyerTierId, second!.buyerTierId],
      ['buyer', first!.buyerId, second!.buyerId],
    ] as const) {
      const { sides, counts } = await compare(of, a, b);
      expect(counts).toBe('attempts');
      const { links, followed, ...shown } = tierFigures(leads, only(first!.buyerTierId));
      expect([of, sides[0].total]).toMatchObject([of, { ...shown, open: null }]);
      expect(sides[0].total.p50Ms).toBeGreaterThan(0);
      expect(sides[1].total.attempts).toBe(tierFigures(leads, only(second!.buyerTierId)).attempts);
    }
    const [own, strange] = [world.sources![0]!, world.sources![2]!];
    for (const [of, field] of [
      ['publisher', 'publisherId'],
      ['publisherTier', 'publisherTierId'],
      ['campaign', 'campaignId'],
    ] as const) {
      const pair = of === 'campaign' ? [own[field], world.sources![1]![field]] : [own[field], strange[field]];
      const { sides } = await compare(of, pair[0]!, pair[1]!);
      for (const [at, id] of pair.entries()) {
        const narrowed = leads.filter(({ source }) => source[field] === id);
        expect([of, sides[at].total]).toMatchObject([of, leadFigures(narrowed)]);
        for (const point of sides[at].series as { at: string; now: Record<string, unknown> }[])
          expect([of, point.at, point.now]).toMatchObject([
            ...[of, point.at, leadFigures(narrowed.filter((lead) => unitOf(lead.at, 'month', 'UTC') === point.at.slice(0, 7)))],
          ]);
      }
    }
    const [variant, otherVariant] = await nameVariants(world, leads);
    for (const [of, a, b] of [
      ['variant', variant!, otherVariant!],
      ['reason', 'buyer-all-tier-failed', 'publisher-validation-failed'],
      ['reason', '', 'publisher-tier-filter-failed'],
    ] as const) {
      const { sides, counts } = await compare(of, a, b);
      expect(counts).toBe('leads');
      for (const [at, value] of [a, b].entries())
        expect([of, value, sides[at].total]).toMatchObject([
          ...[of, value, leadFigures(leads.filter((lead) => (of === 'variant' ? lead.variantId : lead.reason) === value))],
        ]);
    }
    const auto = { id: crypto.randomUUID(), slug: 'auto', name: 'Auto', uid: 'auto' };
    await node.pool.query(
      'insert into vertical select (jsonb_populate_record(v, $2)).* from vertical v where organization_id = $1 and id = $3',
      [...[world.organizationId, auto, world.verticalId]],
    );
    const ofAuto = await scatter({ ...world, verticalId: auto.id }, 30, 24);
    const verticals = await compare('vertical', 'payday', 'auto');
    expect(verticals.sides.map(({ key, total }: { key: { name: string }; total: unknown }) => [key.name, total])).toMatchObject([
      [expect.any(String), leadFigures(leads)],
      ['Auto', leadFigures(ofAuto)],
    ]);
    const abroad = { id: crypto.randomUUID(), slug: 'abroad', name: 'Abroad' };
    await node.pool.query(
      'insert into region select (jsonb_populate_record(r, $2)).* from region r where organization_id = $1 and id = $3',
      [...[world.organizationId, abroad, world.regionId]],
    );
    const far = { id: crypto.randomUUID(), slug: 'far', name: 'Far', uid: 'far', region_id: abroad.id };
    await node.pool.query(
      'insert into vertical select (jsonb_populate_record(v, $2)).* from vertical v where organization_id = $1 and id = $3',
      [...[world.organizationId, far, world.verticalId]],
    );
    const ofFar = await scatter({ ...world, verticalId: far.id, regionId: abroad.id }, 20, 25);
    const regions = await compare('region', 'us', 'abroad');
    expect(regions.sides.map(({ key, total }: { key: { name: string }; total: unknown }) => [key.name, total])).toMatchObject([
      ['United States', leadFigures([...leads, ...ofAuto])],
      ['Abroad', leadFigures(ofFar)],
    ]);
    // Of each region what they may open there.
    const page = [{ value: 'compare-stats', pageChecked: true }];
    const bounded = await signIn(node, world, {
      role: 'member',
      permissions: [
        {
          regionId: world.regionId,
          regionChecked: true,
          verticals: [{ verticalId: world.verticalId, verticalChecked: true, pages: page }],
        },
      ] as never,
    });
    const seen = await ask(bounded, 'compare', { ...span, unit: 'month', of: 'region', a: 'us', b: 'abroad' });
    expect([seen.statusCode, seen.json.code]).toEqual([404, 'region_unknown']);
    const group = first!.groupId;
    const twice = await ask(office, 'compare', { ...span, unit: 'month', of: 'group', a: group, b: crypto.randomUUID() });
    expect([twice.statusCode, twice.json.code]).toEqual([404, 'report_record_unknown']);
    const spring = { from: '2026-03-01T00:00:00Z', to: '2026-04-01T00:00:00Z' };
    const autumn = { bFrom: '2026-10-01T00:00:00Z', bTo: '2026-11-01T00:00:00Z' };
    const spans = await compare('span', '', '', { ...spring, ...autumn });
    const within = (from: string, to: string) => leads.filter(({ at }) => at >= Date.parse(from) && at < Date.parse(to));
    expect(spans.sides[0].total).toMatchObject(leadFigures(within(spring.from, spring.to)));
    expect(spans.sides[1].total).toMatchObject(leadFigures(within(autumn.bFrom, autumn.bTo)));

    const refused = async (query: Record<string, string>) => {
      const { statusCode, json } = await ask(office, 'compare', { ...span, unit: 'month', ...query });
      return [statusCode, json.code];
    };
    expect(await refused({ of: 'state', a: 'CA', b: 'CA' })).toEqual([400, 'compare_same']);
    expect(await refused({ of: 'state', a: 'CA', b: 'ZZ' })).toEqual([404, 'report_record_unknown']);
    expect(await refused({ of: 'publisher', a: world.publisherId, b: first!.buyerId })).toEqual([404, 'report_record_unknown']);
    expect(await refused({ of: 'vertical', a: 'payday', b: 'elsewhere' })).toEqual([404, 'vertical_unknown']);
    expect(await refused({ of: 'region', a: 'us', b: 'elsewhere' })).toEqual([404, 'region_unknown']);
    expect(await refused({ of: 'reason', a: '', b: 'moon-is-full' })).toEqual([404, 'report_record_unknown']);
    expect((await refused({ of: 'moon', a: 'CA', b: 'NY' }))[0]).toBe(400);

    const form = (more: Record<string, string>) =>
      new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...span, ...more });
    const linesOf = async (name: string, more: Record<string, string>) =>
      (await office.form(`/api/v1/download-file/report-${name}`, form(more))).replace('\uFEFF', '').trim().split('\r\n');
    const [head, attempts] = await linesOf('compare', { of: 'state', a: 'CA', b: 'TX', unit: 'month' });
    expect(head).toBe('Figure,California,Texas,Difference,Difference %');
    const [one, other] = ['CA', 'TX'].map((state) => leadFigures(leads.filter((lead) => lead.state === state)).attempts) as [
      number,
      number,
    ];
    expect(attempts).toBe(`Attempts,${one},${other},${other - one},${(((other - one) / one) * 100).toFixed(1)}`);
    const map = await linesOf('map', { columns: 'attempts' });
    expect(map[0]).toBe('State,Attempts,State id,Buyers asked,Buyers that bought');
    expect(map.length).toBe(1 + new Set(leads.map(({ state }) => state)).size);
  });

  it('states are not told apart together with what multiplies them, and the report says so', async () => {
    const office = await openReports();
    const answer = await ask(office, 'inbound', { ...span, unit: 'month', by: 'state,subId' });
    expect([answer.statusCode, answer.json.code]).toEqual([400, 'report_state_beside']);
    expect(answer.json.msg).toBe('States are not counted together with sub ids, variants or reasons. Take one of the two away.');
    expect((await ask(office, 'outbound', { ...span, unit: 'month', by: 'group', state: 'CA' })).json.code).toBe('report_state_beside');
    expect((await ask(office, 'inbound', { ...span, unit: 'month', state: 'QQ' })).json.code).toBe('report_record_unknown');
  });
});

describe('what the product itself writes into hours that are counted', () => {
  it('leads, returns, settlements and followed links show at once', async () => {
    const office = await openOffice(node, buyer, { maxSales: 1 });
    const { world } = office;
    buyer.answer((call) => (call.body.includes('sold') || call.path.includes('sold') ? ACCEPT : REJECT));
    const from = new Date(Date.now() - HOUR).toISOString();
    const to = new Date(Date.now() + HOUR).toISOString();
    const inbound = async () => (await read(office, 'inbound', { from, to })).total;
    const sold = (await office.lead('sold1@example.com')).json;
    await office.lead('refused@example.com');
    const overview = await office.get('/api/console/overview?region=us&vertical=payday&timeZone=UTC');
    const today = await read(office, 'inbound', { from: `${new Date().toISOString().slice(0, 10)}T00:00:00Z`, to });
    expect(overview.json.today).toMatchObject({ leads: 2, sold: 1, revenue: today.total.revenue, payout: today.total.payout });
    expect([overview.json.today.leads, overview.json.today.sold, overview.json.today.margin, overview.json.today.epl]).toEqual([
      ...[today.total.attempts, today.total.sold, today.total.margin, today.total.epl],
    ]);
    // Two hours on, this hour would be over: what comes now is late.
    const counted = await roll(undefined, Date.now() + 2 * HOUR);
    expect(counted).toBeGreaterThan(0);
    expect(await inbound()).toMatchObject({ attempts: 2, sold: 1, rejected: 1, revenue: '20.00', returned: 0 });
    await office.lead('sold2@example.com');
    await office.lead('broken', {});
    expect(await marks(world.organizationId)).toBeGreaterThan(0);
    expect(await inbound()).toMatchObject({ attempts: 4, sold: 2, rejected: 2, revenue: '40.00' });
    await roll(undefined, Date.now() + 2 * HOUR);
    expect(await marks(world.organizationId)).toBe(0);

    const link = new URL(sold.redirectUrl);
    const followed = await node.app.inject({ method: 'GET', url: link.pathname, headers: { host: link.host, accept: 'text/html' } });
    expect(followed.statusCode).toBe(302);
    expect((await read(office, 'redirect', { from, to })).total).toMatchObject({ links: 2, followed: 1 });
    // A lead says its state at the intake, and is counted by it.
    const { rows: states } = await read(office, 'map', { from, to });
    expect(Object.fromEntries(states.map((row: Row) => [row.keys[0]!._id, row.now.attempts]))).toEqual({ NY: 4 });
    const returned = await office.post(`/api/console/leads/${sold.leadId}/return`, { reason: 'Wrong number', saleIndex: 0 });
    expect(returned.statusCode).toBe(200);
    expect(await inbound()).toMatchObject({ returned: 1, returnedRevenue: '20.00' });
    await roll(undefined, Date.now() + 2 * HOUR);
    expect(await inbound()).toMatchObject({ attempts: 4, returned: 1, returnedRevenue: '20.00' });
    expect((await read(office, 'outbound', { from, to })).total).toMatchObject({
      attempts: 3,
      sold: 2,
      rejected: 1,
      followed: 1,
      returned: 1,
    });
  });

  it('console §3: a sale stands at the bid that it came of where that took longer than the post, be the ping the lead’s or the publisher’s', async () => {
    const bidder = await startBuyer(({ path }) => (path.endsWith('/ping') ? { ...ACCEPT, delayMs: 400 } : ACCEPT));
    const tier = { url: bidder.url, buyer: 'Bidder', delivery: 'pingPost' as const, price: { kind: 'bid' as const } };
    const office = await openOffice(node, bidder, { groups: [{ mode: 'priority', tiers: [tier] }] });
    const [from, to] = [new Date(Date.now() - HOUR).toISOString(), new Date(Date.now() + HOUR).toISOString()];
    await office.lead('whole@example.com');
    const { email, ...known } = LEAD;
    const headers = { authorization: `Bearer ${office.world.key}` };
    const ping = await node.post('/api/v1/leads/ping', known, headers);
    const posted = await node.post('/api/v1/leads/post', { ...LEAD, email: `posted.${email}`, pingId: ping.json.pingId }, headers);
    expect(posted.json.status).toBe('accepted');
    for (const _ of ['marked', 'counted']) {
      const { tiers } = await read(office, 'time-outs', { from, to });
      expect(tiers).toHaveLength(1);
      const { calls, buckets } = tiers[0] as { calls: number; buckets: { fromMs: number; calls: number; sold: number; revenue: string }[] };
      expect([calls, buckets.reduce((sum, bucket) => sum + bucket.calls, 0)]).toEqual([4, 4]);
      const sold = buckets.filter((bucket) => bucket.sold > 0);
      expect(sold.every(({ fromMs }) => fromMs > 300)).toBe(true);
      expect(sold.reduce((sum, bucket) => sum + bucket.sold, 0)).toBe(2);
      expect(sold.reduce((sum, { revenue }) => sum + Number(revenue), 0)).toBe(40);
      await roll(undefined, Date.now() + 2 * HOUR);
    }
    await bidder.close();
  });

  it('a held lead that is settled after its hour was counted is sold in it', async () => {
    const silent = await startBuyer(() => ({ hang: true }));
    const tier = {
      url: silent.url,
      buyer: 'Silent',
      timeLimitMs: 150,
      afterTimeout: 'hold' as const,
      price: { kind: 'bid' as const },
    };
    const office = await openOffice(node, silent, { groups: [{ mode: 'priority', tiers: [tier] }] });
    const { world } = office;
    const [from, to] = [new Date(Date.now() - HOUR).toISOString(), new Date(Date.now() + HOUR).toISOString()];
    const { leadId } = (await office.lead('held@example.com')).json;
    await roll(undefined, Date.now() + 2 * HOUR);
    const total = async (name: string) => (await read(office, name, { from, to })).total;
    expect(await total('inbound')).toMatchObject({ attempts: 1, sold: 0, open: 1, revenue: '0.00' });
    expect(await total('outbound')).toMatchObject({ attempts: 1, sold: 0, timeouts: 1 });
    const leads = [{ leadId, buyerTierId: world.tiers[0]!.buyerTierId, outcome: 'bought', price: '12.00' }];
    expect((await office.post('/api/console/settlements', { leads })).json).toMatchObject({ settled: 1 });
    expect(await marks(world.organizationId)).toBeGreaterThan(0);
    for (const state of ['marked', 'counted']) {
      expect([state, await total('inbound')]).toMatchObject([state, { attempts: 1, sold: 1, open: 0, revenue: '12.00' }]);
      expect([state, await total('outbound')]).toMatchObject([state, { attempts: 1, sold: 1, timeouts: 0, revenue: '12.00' }]);
      await roll(undefined, Date.now() + 2 * HOUR);
    }
    await silent.close();
  });
});

describe('console §6: who may read reports', () => {
  const span = { from: '2026-10-30T00:00:00Z', to: '2026-11-04T00:00:00Z' };
  const PAGES: Record<string, string> = {
    inbound: 'leadFlow-Inbound',
    outbound: 'leadFlow-Outbound',
    trending: 'leadFlow-Trending',
    performance: 'leadFlow-PerformanceReport',
    redirect: 'leadFlow-RedirectReport',
    reason: 'leadFlow-ReasonReport',
    'time-outs': 'buyer-timeout-track',
    map: 'comm-maps',
    compare: 'compare-stats',
  };

  it('each report opens by its own page and by no other', async () => {
    const office = await openReports();
    const { world } = office;
    for (const [name, value] of Object.entries(PAGES)) {
      const pages = [{ value, pageChecked: true }];
      const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages }];
      const member = await signIn(node, world, {
        role: 'member',
        permissions: [{ regionId: world.regionId, regionChecked: true, verticals }] as never,
      });
      for (const other of Object.keys(PAGES))
        expect([name, other, (await ask(member, other, { ...span, of: 'state', a: 'CA', b: 'NY' })).statusCode]).toEqual([
          name,
          other,
          other === name ? 200 : 403,
        ]);
    }
  });

  it('tells nothing of another organization, whose records it does not know', async () => {
    const own = await openReports();
    const other = await openReports();
    await scatter(other.world, 20, 3);
    expect((await read(own, 'inbound', span)).total.attempts).toBe(0);
    for (const filter of [{ campaignId: other.world.campaignId }, { publisherTierId: other.world.publisherTierId }, { campaignId: 'x' }]) {
      const answer = await ask(own, 'inbound', { ...span, ...filter });
      expect([answer.statusCode, answer.json.code]).toEqual([404, 'report_record_unknown']);
    }
    const strange = await ask(own, 'outbound', { ...span, buyerTierId: other.world.tiers[0]!.buyerTierId });
    expect(strange.statusCode).toBe(404);
  });

  it('account §5: spans that cannot be meant are refused with what to do', async () => {
    const office = await openReports();
    const refusal = async (query: Record<string, string>) => {
      const { statusCode, json } = await ask(office, 'inbound', { ...span, ...query });
      return [statusCode, json.code, json.msg];
    };
    expect(await refusal({ from: span.to, to: span.from })).toEqual([
      400,
      'report_span_backwards',
      'The end must not be before the start.',
    ]);
    const inThreeDays = new Date(Date.now() + 72 * HOUR).toISOString();
    expect(await refusal({ to: inThreeDays })).toEqual([400, 'report_span_future', 'Future date is not allowed.']);
    expect((await refusal({ from: '2010-01-01T00:00:00Z' }))[1]).toBe('report_span_long');
    expect((await refusal({ from: '2024-01-01T00:00:00Z', unit: 'hour' }))[1]).toBe('report_points_many');
    expect((await refusal({ by: 'buyer' }))[0]).toBe(400);
    expect((await ask(office, 'trending', { ...span, by: 'reason' })).json.code).toBe('report_dimension_unknown');
    expect((await refusal({ by: 'reason', state: 'CA' }))[1]).toBe('report_state_beside');
    expect((await refusal({ unit: 'minute' }))[0]).toBe(400);
  });

  it('account §5: a report over exactly ten years is answered at once, from the rows and from what is kept; one over more is refused', async () => {
    const office = await openReports();
    const leads = await scatter(office.world, 40, 61);
    const decade = { from: '2016-11-10T00:00:00Z', to: '2026-11-10T00:00:00Z' };
    const refusal = async (name: string, query: Record<string, string>) => (await ask(office, name, { ...decade, ...query })).json.code;
    for (const isRolled of [false, true]) {
      if (isRolled) await roll();
      for (const [name, unit, points] of [
        ['inbound', 'week', 523],
        ['outbound', 'month', 121],
        ['time-outs', undefined, 0],
      ] as const) {
        const began = performance.now();
        const report = await read(office, name, { ...decade, timeZone: 'America/New_York', ...(unit && { unit }) });
        expect([name, performance.now() - began < 3_000]).toEqual([name, true]);
        if (unit) expect([name, report.series.length]).toEqual([name, points]);
        if (name === 'inbound') expect(report.total).toEqual(leadFigures(leads));
      }
    }
    expect(await refusal('inbound', { unit: 'day' })).toBe('report_points_many');
    expect(await refusal('inbound', { unit: 'week', from: '2016-11-01T00:00:00Z' })).toBe('report_span_long');
  });

  it('console §3: behind each figure of a buyer tier the list has as many leads, tried and bought', async () => {
    const office = await openReports();
    const leads = await scatter(office.world, 60, 23);
    const { rows } = await read(office, 'outbound', { ...span, by: 'buyerTier' });
    const list = async (query: Record<string, string>) => {
      const asked = new URLSearchParams({
        region: 'us',
        vertical: 'payday',
        from: span.from,
        to: span.to,
        test: 'false',
        pings: 'false',
        ...query,
      });
      const { total, totalIsExact } = (await office.get(`/api/console/leads?${asked}`)).json;
      return [total, totalIsExact];
    };
    expect(rows.length).toBeGreaterThan(2);
    for (const { keys, now } of rows as Row[]) {
      const id = keys[0]!._id;
      expect([id, await list({ triedTierId: id })]).toEqual([id, [now.attempts, true]]);
      expect([id, await list({ soldTierId: id })]).toEqual([id, [now.sold, true]]);
      const { buyerId } = office.world.tiers.find((tier) => tier.buyerTierId === id)!;
      expect([id, await list({ triedBuyerId: buyerId, soldBuyerId: buyerId, status: 'sold' })]).toEqual([id, [now.sold, true]]);
    }
    expect(await list({ triedTierId: 'nobody' })).toEqual([0, true]);
    const file = await office.form(
      '/api/v1/download-file/report-outbound',
      new URLSearchParams({
        region: 'us',
        vertical: 'payday',
        isDownloadCSV: 'true',
        ...span,
        by: 'buyerTier',
        columns: 'sold,soldShare,winRate',
      }),
    );
    const lines = file.replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toBe('Buyer tier,Accepts,Accept rate %,Bids won %,Buyer tier id');
    const within = leads.filter(({ at }) => at >= Date.parse(span.from) && at < Date.parse(span.to));
    const percent = (part: number, whole: number) => (whole === 0 ? '' : ((part / whole) * 100).toFixed(1));
    expect(lines.slice(1).map((line) => line.split(',').slice(-4))).toEqual(
      (rows as Row[]).map(({ keys }) => {
        const { sold, attempts, wins, bids } = tierFigures(within, only(keys[0]!._id));
        return [String(sold), percent(sold, attempts), percent(wins, bids), keys[0]!._id];
      }),
    );
    expect(tierFigures(within).wins).toBeGreaterThan(0);
  });

  it('console §3, §4: behind each reason, filter reason and group the list has the leads that are counted', async () => {
    const office = await openReports();
    const all = await scatter(office.world, 60, 29);
    const leads = all.filter(({ at }) => at >= Date.parse(span.from) && at < Date.parse(span.to));
    const list = async (query: Record<string, string>) => {
      const { from, to } = span;
      const asked = new URLSearchParams({ region: 'us', vertical: 'payday', from, to, test: 'false', pings: 'false', ...query });
      const { statusCode, json } = await office.get(`/api/console/leads?${asked}`);
      return [statusCode, json.total, json.totalIsExact];
    };
    const byReason = await read(office, 'inbound', { ...span, by: 'reason' });
    expect(byReason.rows.map((row: Row) => row.keys[0]!._id)).toContain('');
    for (const { keys, now } of byReason.rows as (Row & { keys: { name: string }[] })[]) {
      const { _id: reason, name } = keys[0]!;
      expect([reason, await list({ reason })]).toEqual([reason, [200, now.attempts, true]]);
      // Several reasons have one label: the key tells them apart.
      expect(name).toContain(reason === '' ? 'No reason' : `(${reason})`);
    }
    const form = new URLSearchParams({
      region: 'us',
      vertical: 'payday',
      isDownloadCSV: 'true',
      ...span,
      by: 'reason',
      columns: 'attempts',
    });
    const lines = (await office.form('/api/v1/download-file/report-inbound', form)).replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toBe('Decline reason,Attempts,Decline reason id');
    expect(lines.slice(1).map((line) => line.split(',').slice(-2))).toEqual(
      byReason.rows.map(({ keys, now }: Row) => [String(now.attempts), keys[0]!._id]),
    );
    const { filterReasons } = await read(office, 'reason', span);
    expect(filterReasons.length).toBeGreaterThan(3);
    const isPassedBy = (key: string, buyerTierId?: string) =>
      leads.filter(({ tiers }) =>
        tiers.some((tier) => String(tier.filterKey) === key && (buyerTierId === undefined || tier.buyerTierId === buyerTierId)),
      ).length;
    for (const { key } of filterReasons as { key: string }[]) {
      expect([key, await list({ filterReason: key })]).toEqual([key, [200, isPassedBy(key), true]]);
      // Of one tier there is one verdict a lead: as many leads as the report counts.
      const { buyerTierId, buyerId } = office.world.tiers[0]!;
      const own = await read(office, 'reason', { ...span, buyerTierId });
      const counted = own.filterReasons.find((one: { key: string }) => one.key === key)?.count ?? 0;
      expect([key, await list({ filterReason: key, triedTierId: buyerTierId })]).toEqual([key, [200, counted, true]]);
      expect([key, await list({ filterReason: key, triedBuyerId: buyerId, triedTierId: buyerTierId })]).toEqual([
        key,
        [200, counted, true],
      ]);
      expect(counted).toBe(isPassedBy(key, buyerTierId));
    }
    const groups = await read(office, 'outbound', { ...span, by: 'group,buyerTier' });
    for (const { keys, now } of groups.rows as Row[]) {
      const [group, tier] = keys;
      expect(await list({ triedGroupId: group!._id, triedTierId: tier!._id })).toEqual([200, now.attempts, true]);
    }
    expect(await list({ triedGroupId: 'nobody' })).toEqual([200, 0, true]);
    for (const filterReason of ['0', '13', 'x', '1 ']) expect((await list({ filterReason }))[0]).toBe(400);
  });

  it('account §7, §9: a report is saved as CSV with the columns that are asked for', async () => {
    const office = await openReports();
    await scatter(office.world, 30, 11);
    const form = new URLSearchParams({
      region: 'us',
      vertical: 'payday',
      isDownloadCSV: 'true',
      ...span,
      by: 'publisherTier',
      columns: 'attempts,sold',
    });
    const file = await office.formAnswer('/api/v1/download-file/report-inbound', form);
    const text = await file.text();
    expect(file.headers.get('content-disposition')).toMatch(/inbound-us-payday-\d\d[A-Z][a-z]{2}\d{4}\.csv/);
    const [head, line] = text.replace('\uFEFF', '').split('\r\n');
    expect(head).toBe('Publisher tier,Attempts,Accepts,Publisher tier id');
    const { total, rows } = await read(office, 'inbound', { ...span, by: 'publisherTier' });
    expect(line).toContain(`,${rows[0].now.attempts},${rows[0].now.sold},${rows[0].keys[0]._id}`);
    const rowsOf = async (name: string, more: Record<string, string> = {}) => {
      const asked = new URLSearchParams({ region: 'us', vertical: 'payday', isDownloadCSV: 'true', ...span, ...more });
      return (await office.form(`/api/v1/download-file/report-${name}`, asked)).replace('\uFEFF', '').trim().split('\r\n');
    };
    const points = await rowsOf('trending', { unit: 'day', timeZone: 'America/New_York', columns: 'attempts' });
    expect(points.slice(0, 3).map((one) => one.split(',')[0])).toEqual(['From (America/New_York)', '2026-10-29 00:00', '2026-10-30 00:00']);
    expect(points.slice(1).reduce((sum, one) => sum + Number(one.split(',')[1]), 0)).toBe(total.attempts);
    const reasons = await read(office, 'reason', span);
    const reasonRows: { count: number; before: number }[] = [...reasons.reasons, ...reasons.filterReasons];
    const sumOf = (of: { count: number }[]) => of.reduce((sum, { count }) => sum + count, 0);
    const reasonLines = await rowsOf('reason');
    expect(reasonLines[0]).toBe('Of,Reason,Key,Count,Of all %,Before');
    const filtered = sumOf(reasons.filterReasons);
    expect(reasonLines.slice(1).map((one) => one.split(',').slice(-3))).toEqual(
      reasonRows.map(({ count, before }, at) => {
        const whole = at < reasons.reasons.length ? reasons.attempts : filtered;
        return [String(count), ((count / whole) * 100).toFixed(1), String(before)];
      }),
    );
    expect((await rowsOf('reason', { columns: 'before,nothing,count' }))[0]).toBe('Of,Reason,Key,Count,Before');
    const { tiers } = await read(office, 'time-outs', span);
    expect((await rowsOf('time-outs')).slice(1).map((one) => one.split(',').at(-1))).toEqual(
      tiers.map((one: { buyerTier: { _id: string } }) => one.buyerTier._id),
    );
    const shown = await rowsOf('time-outs', { columns: 'lateAccepts,timeoutShare' });
    expect(shown[0]).toBe('Buyer tier,Of the calls %,Late accepts,Late accepts p90 ms,Buyer tier id');
    const [first] = tiers as { calls: number; timeouts: number; lateAccepts: number; lateP90Ms: number | null }[];
    expect(shown[1]!.split(',').slice(-4, -1)).toEqual([
      ...[((first!.timeouts / first!.calls) * 100).toFixed(1), String(first!.lateAccepts), String(first!.lateP90Ms ?? '')],
    ]);
    // A late accept that was settled as sold since is among the sales, and no more to be won.
    const won = (report: { tiers: { lates: { calls: number }[]; lateAccepts: number }[] }) => [
      report.tiers.flatMap(({ lates }) => lates).reduce((sum, { calls }) => sum + calls, 0),
      report.tiers.reduce((sum, { lateAccepts }) => sum + lateAccepts, 0),
    ];
    const [open, told] = won({ tiers } as never);
    const settled = await node.pool.query(
      `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, post_price_differs)
        select a.organization_id, a.lead_id, 9, l.vertical_id, t.buyer_id, a.buyer_tier_id, l.publisher_id, false, 1, 1, 0, false
          from late_answer a join lead l on l.organization_id = a.organization_id and l.id = a.lead_id
          join buyer_tier t on t.organization_id = a.organization_id and t.id = a.buyer_tier_id
          where a.organization_id = $1 and a.outcome = 'accepted' and not l.test and l.id >= $2 and l.id < $3 limit 1 returning lead_id`,
      [office.world.organizationId, idFloor(Date.parse(span.from)), idFloor(Date.parse(span.to))],
    );
    expect(won(await read(office, 'time-outs', span))).toEqual([open! - 1, told]);
    await node.pool.query('delete from sale where organization_id = $1 and lead_id = $2 and sale_index = 9', [
      office.world.organizationId,
      settled.rows[0].lead_id,
    ]);
    // A point stands beside the one at the same place of the span before.
    const earlier = { beforeFrom: '2026-10-23T00:00:00Z', beforeTo: '2026-10-28T00:00:00Z' };
    const trend = await read(office, 'trending', { ...span, ...earlier, unit: 'day', timeZone: 'UTC', by: 'campaign' });
    const beside = await rowsOf('trending', { ...earlier, unit: 'day', columns: 'sold,attempts,attemptsBefore,soldBefore' });
    expect(beside[0]).toBe('From (UTC),Attempts,Attempts before,Accepts,Accepts before');
    expect(beside.slice(1).map((one) => one.split(',').slice(1).map(Number))).toEqual(
      trend.series.map(({ now }: Row, at: number) => {
        const before = trend.seriesBefore[at].now;
        return [now.attempts, before.attempts, now.sold, before.sold];
      }),
    );
    expect(trend.totalBefore.attempts).toBeGreaterThan(0);
  });
});
