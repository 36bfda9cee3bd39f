/** Today of buyers, publishers and their tiers, over several verticals at once: from what is kept of hours that are over, and from the rows of the others. */
import { sql } from 'kysely';
import type { BuyerDay, PublisherDay } from '#contract/home.ts';
import type { Reason } from '#engine/decision.ts';
import type { Db } from '#server/kit/database.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { TIME_UNKNOWN } from '#server/report/cubes.ts';
import { percentile } from '#server/report/percentile.ts';
import { type Look, lookAtFacts } from '#server/report/read-facts.sql.ts';
import type { Span } from '#server/report/split-span.ts';

export interface Scope {
  organizationId: string;
  verticalIds: readonly string[];
  span: Span;
}

export interface Subject {
  id: string;
  name: string;
  status: string;
}

export interface SubjectTier extends Subject {
  subjectId: string;
  verticalId: string;
}

/** Those that are not archived, with their tiers in these verticals. */
export async function listSubjects(db: Db, kind: 'buyer' | 'publisher', { organizationId, verticalIds }: Scope) {
  const [subjects, tiers] = await Promise.all([
    db
      .selectFrom(kind)
      .select(['id', 'name', 'status'])
      .where('organization_id', '=', organizationId)
      .where('status', '<>', 'archived')
      .execute(),
    verticalIds.length === 0
      ? []
      : kind === 'buyer'
        ? listBuyerTiers(db, organizationId, verticalIds)
        : listPublisherTiers(db, organizationId, verticalIds),
  ]);
  return { subjects: subjects as Subject[], tiers: tiers as SubjectTier[] };
}

function listBuyerTiers(db: Db, organizationId: string, verticalIds: readonly string[]) {
  return db
    .selectFrom('buyer_tier')
    .select(['id', 'name', 'status', 'buyer_id as subjectId', 'vertical_id as verticalId'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', 'in', verticalIds)
    .where('status', '<>', 'archived')
    .orderBy('name')
    .execute();
}

function listPublisherTiers(db: Db, organizationId: string, verticalIds: readonly string[]) {
  return db
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['t.id', 't.name', 't.status', 't.publisher_id as subjectId', 'c.vertical_id as verticalId'])
    .where('t.organization_id', '=', organizationId)
    .where('c.vertical_id', 'in', verticalIds)
    .where('t.status', '<>', 'archived')
    .orderBy('t.name')
    .execute();
}

/** By buyer id and by buyer tier id; who was not called is not in it. */
export function readBuyerDays(db: Db, scope: Scope): Promise<Map<string, BuyerDay>> {
  return lookAtDay(db, scope, async (look) => {
    const { span } = scope;
    const keys = ['buyer_id', 'buyer_tier_id'];
    const called = look.facts({ table: 'latency_tally', span, keys: [...keys, 'leg', 'bucket'], sums: ['calls', 'timeouts', 'terrors'] });
    const calls = await sql<CallSums>`
      select ${ID} as id, bucket, sum(calls)::int as attempts, sum(timeouts)::int as timeouts, sum(terrors)::int as terrors
      from (${called}) as f where leg <> 'redirect' group by grouping sets ((buyer_id, bucket), (buyer_tier_id, bucket))`.execute(look.db);
    const bought = look.facts({ table: 'attempt_tally', span, keys, sums: ['sales', 'revenue'] });
    const sales = await sql<{ id: string; sold: number; revenue: string }>`
      select ${ID} as id, sum(sales)::int as sold, sum(revenue)::numeric(19, 4) as revenue
      from (${bought}) as f group by grouping sets ((buyer_id), (buyer_tier_id))`.execute(look.db);
    const sold = new Map(sales.rows.map((row) => [row.id, row]));
    const byId = [...Map.groupBy(calls.rows, (row) => row.id)];
    return new Map(byId.map(([id, rows]) => [id, dayOfBuyer(rows, sold.get(id))]));
  });
}

const ID = sql`coalesce(buyer_tier_id, buyer_id)`;

/** Of a buyer's or tier's calls that took about as long. */
interface CallSums {
  id: string;
  bucket: number;
  attempts: number;
  timeouts: number;
  terrors: number;
}

function dayOfBuyer(calls: CallSums[], sales: { sold: number; revenue: string } | undefined): BuyerDay {
  const sum = (of: 'attempts' | 'timeouts' | 'terrors') => calls.reduce((all, one) => all + one[of], 0);
  const timed = new Map(calls.filter(({ bucket }) => bucket !== TIME_UNKNOWN).map(({ bucket, attempts }) => [bucket, attempts]));
  return {
    ...{ attempts: sum('attempts'), timeouts: sum('timeouts'), terrors: sum('terrors'), p50Ms: percentile(timed, 0.5) },
    ...{ sold: sales?.sold ?? 0, revenue: money(sales?.revenue ?? null) },
  };
}

/** Why a lead does not get into the tree: as invalid, rejected or a duplicate. */
const REFUSED: readonly Reason[] = [
  'publisher-validation-failed',
  'publisher-tier-filter-failed',
  'publisher-tier-lead-duplicate-failed',
  'publisher-tier-p2c-api-failed',
];

/** By publisher id and by publisher tier id; who sent nothing is not in it. */
export function readPublisherDays(db: Db, scope: Scope): Promise<Map<string, PublisherDay>> {
  return lookAtDay(db, scope, async (look) => {
    const sent = look.facts({ table: 'lead_tally', span: scope.span, keys: ['publisher_id', 'publisher_tier_id', 'reason'] });
    const { rows } = await sql<PublisherDay & { id: string }>`
      select coalesce(publisher_tier_id, publisher_id) as id, sum(attempts)::int as leads, sum(sold)::int as sold,
        coalesce(sum(attempts) filter (where reason = any(${REFUSED}::text[])), 0)::int as refused,
        sum(payout)::numeric(19, 4) as payout, sum(revenue)::numeric(19, 4) as revenue
      from (${sent}) as f group by grouping sets ((publisher_id), (publisher_tier_id)) having sum(attempts) > 0`.execute(look.db);
    return new Map(rows.map(({ id, ...day }) => [id, { ...day, payout: money(day.payout), revenue: money(day.revenue) }]));
  });
}

async function lookAtDay<Day>(
  db: Db,
  { organizationId, verticalIds }: Scope,
  use: (look: Look) => Promise<Map<string, Day>>,
): Promise<Map<string, Day>> {
  if (verticalIds.length === 0) return new Map();
  const verticals = verticalIds.map((verticalId) => ({ verticalId, regionId: verticalId }));
  return lookAtFacts(db, { organizationId, verticalId: '', verticals }, use);
}
