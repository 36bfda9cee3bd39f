/** How long buyer tiers take to answer, how often they do not, and what came too late. */
import { sql } from 'kysely';
import type { ReportUnit, TimeoutReportAnswer } from '#contract/report.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { type Ordered, viewSpan } from './build-report.ts';
import { TIME_UNKNOWN } from './cubes.ts';
import { type Buckets, bucketFrom, percentile } from './percentile.ts';
import { type Look, lookAtFacts, type ReportScope } from './read-facts.sql.ts';
import { columnsOf, isAny, matching, type ReportFilters, startOf as unitOf } from './report.sql.ts';
import { pointsOf } from './report-span.ts';
import type { Span } from './split-span.ts';

type Tier = TimeoutReportAnswer['tiers'][number];
interface BucketRow {
  buyer_tier_id: string;
  bucket: number;
  calls: number;
  sold: number;
  revenue: string;
  timeouts: number;
}

type Asked = Pick<Ordered<never>, 'span' | 'before' | 'filters' | 'timeZone'> & {
  unit?: ReportUnit | undefined;
  seriesOf?: string | undefined;
};

export async function readTimeouts(
  db: Db,
  scope: ReportScope,
  { span, before, filters, unit, timeZone, seriesOf }: Asked,
): Promise<TimeoutReportAnswer> {
  const points = unit && pointsOf(span, unit, timeZone);
  return lookAtFacts(db, scope, async (look) => {
    const now = Map.groupBy(await readBuckets(look, span, filters), (row) => row.buyer_tier_id);
    const past = Map.groupBy(await readBuckets(look, before, filters), (row) => row.buyer_tier_id);
    const lates = Map.groupBy(await readLates(look, span, filters), (row) => row.buyer_tier_id);
    const ids = [...new Set([...now.keys(), ...past.keys(), ...lates.keys()])];
    const tiers = (await findTiers(look, ids)).map(({ id, name, time_limit_ms, buyer_id, buyer_name }): Tier => {
      const rows = (now.get(id) ?? []).sort((a, b) => a.bucket - b.bucket);
      const beforehand = past.get(id) ?? [];
      const answered: Buckets = new Map(rows.map((row) => [row.bucket, row.calls - row.timeouts]));
      const lateRows = (lates.get(id) ?? []).sort((a, b) => a.bucket - b.bucket);
      const late: Buckets = new Map(lateRows.map((row) => [row.bucket, row.calls]));
      const sumOf = (of: BucketRow[], what: 'calls' | 'timeouts') => of.reduce((sum, row) => sum + row[what], 0);
      return {
        buyerTier: { _id: id, name: `${buyer_name}, ${name}` },
        buyer: { _id: buyer_id, name: buyer_name },
        timeLimitMs: time_limit_ms,
        ...{ calls: sumOf(rows, 'calls'), timeouts: sumOf(rows, 'timeouts') },
        ...{ callsBefore: sumOf(beforehand, 'calls'), timeoutsBefore: sumOf(beforehand, 'timeouts') },
        ...{
          p50Ms: percentile(answered, 0.5),
          p75Ms: percentile(answered, 0.75),
          p90Ms: percentile(answered, 0.9),
          p99Ms: percentile(answered, 0.99),
        },
        lateAccepts: [...late.values()].reduce((sum, calls) => sum + calls, 0),
        lateP90Ms: percentile(late, 0.9),
        buckets: rows.map(({ bucket, calls, sold, revenue, timeouts }) => ({
          ...startOf(bucket),
          calls,
          sold,
          revenue: money(revenue),
          timeouts,
        })),
        lates: lateRows
          .filter(({ unsold }) => unsold > 0)
          .map(({ bucket, unsold, revenue }) => ({ ...startOf(bucket), calls: unsold, revenue: money(revenue) })),
      };
    });
    const inOrder = tiers.sort((a, b) => b.timeouts - a.timeouts || b.calls - a.calls || (a.buyerTier.name < b.buyerTier.name ? -1 : 1));
    const looked = (inOrder.find(({ buyerTier }) => buyerTier._id === seriesOf) ?? inOrder[0])?.buyerTier._id;
    return {
      status: true as const,
      asOf: new Date().toISOString(),
      ...{ span: viewSpan(span), before: viewSpan(before) },
      tiers: inOrder,
      series:
        looked && unit && points
          ? { buyerTierId: looked, points: await readPoints(look, looked, points, { span, filters, unit, timeZone }) }
          : null,
    };
  });
}

/** Answered calls, as for the tiers, and time-outs. */
async function readPoints(
  look: Look,
  tierId: string,
  points: readonly number[],
  { span, filters, unit, timeZone }: Pick<Asked, 'span' | 'filters' | 'timeZone'> & { unit: ReportUnit },
) {
  const narrowed = { ...filters, buyer_tier_id: tierId };
  const source = look.facts({
    ...{ table: 'latency_tally', span, isHourly: unit === 'hour', keys: ['bucket', 'leg', ...columnsOf(narrowed)] },
    sums: ['calls', 'timeouts'],
  });
  const { rows } = await sql<{ at: Date; bucket: number; calls: number; timeouts: number }>`
    select ${unitOf(unit, timeZone)} as at, bucket, sum(calls)::int8 as calls, sum(timeouts)::int8 as timeouts
    from (${source}) as f where ${matching(narrowed)} and leg <> 'redirect' and bucket <> ${sql.lit(TIME_UNKNOWN)} group by 1, 2`.execute(
    look.db,
  );
  const byTime = Map.groupBy(rows, ({ at }) => at.getTime());
  return points.map((at) => {
    const of = byTime.get(at) ?? [];
    const answered: Buckets = new Map(of.map((row) => [row.bucket, row.calls - row.timeouts]));
    const sum = (what: 'calls' | 'timeouts') => of.reduce((all, row) => all + row[what], 0);
    return {
      at: new Date(at).toISOString(),
      ...{ calls: sum('calls'), timeouts: sum('timeouts'), p50Ms: percentile(answered, 0.5), p90Ms: percentile(answered, 0.9) },
    };
  });
}

const startOf = (bucket: number) => ({ fromMs: Math.round(bucketFrom(bucket)) });

async function readBuckets(look: Look, span: Span, filters: ReportFilters): Promise<BucketRow[]> {
  const source = look.facts({
    table: 'latency_tally',
    span,
    filters,
    isTimeless: true,
    keys: ['buyer_tier_id', 'bucket', 'leg', ...columnsOf(filters)],
  });
  const { rows } = await sql<BucketRow>`
    select buyer_tier_id, bucket, sum(calls)::int8 as calls, sum(sold)::int8 as sold, sum(revenue)::numeric(19, 4) as revenue, sum(timeouts)::int8 as timeouts
    from (${source}) as f where ${matching(filters)} and leg <> 'redirect' and bucket <> ${sql.lit(TIME_UNKNOWN)} group by 1, 2
    having ${isAny(['calls', 'sold'])}`.execute(look.db);
  return rows;
}

/** Straight from the rows: they are few, and have an index of their own. What was settled as sold since is among the sales, and no more to be won. By how long the answer took in all, at the price that the buyer named then, or that was agreed before. */
async function readLates({ db, scope }: Look, { from, to }: Span, filters: ReportFilters) {
  // Each table by itself: a join tells the planner nothing of which months there are.
  const within = (alias: string, id: string) =>
    sql`${sql.ref(`${alias}.organization_id`)} = ${scope.organizationId} and ${sql.ref(`${alias}.${id}`)} >= ${idFloor(from)}::uuid and ${sql.ref(`${alias}.${id}`)} < ${idFloor(to)}::uuid`;
  const { rows } = await sql<Pick<BucketRow, 'buyer_tier_id' | 'bucket' | 'calls' | 'revenue'> & { unsold: number }>`
    select buyer_tier_id, latency_bucket(after_ms) as bucket, count(*)::int8 as calls, count(*) filter (where not is_sold)::int8 as unsold,
        coalesce(sum(price) filter (where not is_sold), 0)::numeric(19, 4) as revenue
    from (select a.buyer_tier_id, b.buyer_id, l.campaign_id, a.after_ms, coalesce(nullif(a.price, 0), nullif(p.price, 0), p.bid) as price,
        exists (select from sale s where ${within('s', 'lead_id')} and s.lead_id = a.lead_id and s.buyer_tier_id = a.buyer_tier_id) as is_sold
      from late_answer a
      join attempt p on ${within('p', 'lead_id')} and p.lead_id = a.lead_id and p.attempt_index = a.attempt_index
      join lead l on ${within('l', 'id')} and l.id = a.lead_id
      join buyer_tier b on b.organization_id = ${scope.organizationId} and b.id = a.buyer_tier_id
      where ${within('a', 'lead_id')} and a.outcome = 'accepted' and l.vertical_id = ${scope.verticalId} and not l.test) as late
    where ${matching(filters)} group by 1, 2`.execute(db);
  return rows;
}

function findTiers({ db, scope }: Look, ids: string[]) {
  return db
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['t.id', 't.name', 't.time_limit_ms', 't.buyer_id', 'b.name as buyer_name'])
    .where('t.organization_id', '=', scope.organizationId)
    .where(sql<boolean>`t.id = any(${ids}::uuid[])`)
    .execute();
}
