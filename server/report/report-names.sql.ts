/** How the values of a dimension are called, and whether what a report is narrowed to is there. */
import { sql } from 'kysely';
import type { Reason } from '#engine/decision.ts';
import { DECLINE_LABELS, FILTER_REASON_LABELS } from '#engine/reason-label.ts';
import { stateName } from '#engine/state.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { ReportScope } from './read-facts.sql.ts';
import type { Dimension, ReportFilters } from './report.sql.ts';

type Recorded = Exclude<Dimension, 'subId' | 'state' | 'reason' | 'filterReason'>;

/** Archived ones too: what they did stays in reports. */
const NAMES: Record<Recorded, string> = {
  vertical: `select v.id, r.name || ', ' || v.name as name from vertical v
    join region r on r.organization_id = v.organization_id and r.id = v.region_id where v.organization_id = $o`,
  region: 'select id, name from region where organization_id = $o',
  publisher: 'select id, name from publisher where organization_id = $o',
  publisherTier: `select t.id, p.name || ', ' || t.name as name from publisher_tier t
    join publisher p on p.organization_id = t.organization_id and p.id = t.publisher_id where t.organization_id = $o`,
  campaign: 'select id, name from campaign where organization_id = $o',
  variant: `select v.id, t.name || ', ' || v.name as name from ab_variant v
    join ab_test t on t.organization_id = v.organization_id and t.id = v.ab_test_id where v.organization_id = $o`,
  buyer: 'select id, name from buyer where organization_id = $o',
  buyerTier: `select t.id, b.name || ', ' || t.name as name from buyer_tier t
    join buyer b on b.organization_id = t.organization_id and b.id = t.buyer_id where t.organization_id = $o`,
  group: `select g.id, c.name || ', ' || g.name as name from tree_group g
    join campaign c on c.organization_id = g.organization_id and c.id = g.campaign_id where g.organization_id = $o`,
};

/** Of a group that a later tree has no more, and of what has none. */
const NAMELESS: Record<Dimension, string> = {
  ...{ publisher: 'Unknown', publisherTier: 'Unknown', campaign: 'Unknown', buyer: 'Unknown', buyerTier: 'Unknown' },
  ...{ vertical: 'Unknown', region: 'Unknown' },
  ...{
    variant: 'No test',
    group: 'Of an earlier tree',
    subId: 'No sub id',
    state: 'Not known',
    reason: 'No reason',
    filterReason: 'No filter reason',
  },
};

export async function namerOf(
  db: Db,
  organizationId: string,
  dimension: Dimension,
  ids: readonly string[],
): Promise<(id: string) => string> {
  if (dimension === 'subId') return (id) => id || NAMELESS.subId;
  if (dimension === 'state') return (code) => stateName(code) ?? (code || NAMELESS.state);
  if (dimension === 'reason') return nameReason;
  if (dimension === 'filterReason') return (id) => (FILTER_REASON_LABELS as Record<string, string>)[id] ?? NAMELESS.filterReason;
  const known = await findNames(db, organizationId, dimension, ids);
  return (id) => known.get(id) ?? NAMELESS[dimension];
}

/** Several reasons have one label (console §4): each is told with its key. */
function nameReason(key: string): string {
  const label = DECLINE_LABELS[key as Reason];
  return label ? `${label} (${key})` : key || NAMELESS.reason;
}

async function findNames(db: Db, organizationId: string, dimension: Recorded, ids: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(ids.filter(isId))];
  if (wanted.length === 0) return new Map();
  const [before, after] = NAMES[dimension].split('$o') as [string, string];
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from (${sql.raw(before)}${organizationId}${sql.raw(after)}) as named where id = any(${wanted}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function nameOfVertical(db: Db, { organizationId, verticalId }: ReportScope): Promise<string> {
  const { name } = await db
    .selectFrom('vertical')
    .select('name')
    .where('organization_id', '=', organizationId)
    .where('id', '=', verticalId)
    .executeTakeFirstOrThrow();
  return name;
}

const FILTERS: Record<string, Recorded> = {
  ...{ campaignId: 'campaign', publisherId: 'publisher', publisherTierId: 'publisherTier', variantId: 'variant' },
  ...{ buyerId: 'buyer', buyerTierId: 'buyerTier', groupId: 'group' },
};
const COLUMNS: Record<string, string> = {
  ...{ campaignId: 'campaign_id', publisherId: 'publisher_id', publisherTierId: 'publisher_tier_id', variantId: 'variant_id' },
  ...{ buyerId: 'buyer_id', buyerTierId: 'buyer_tier_id', groupId: 'group_id', subId: 'sub_id', state: 'state' },
};

export const unknownRecord = () =>
  new HttpError(404, 'report_record_unknown', 'What this report is narrowed to is not there. Take that filter away.');

/** What a query is narrowed to, by column. A record that is not there, or another organization's, answers as not found. */
export async function filtersOf(db: Db, organizationId: string, query: Record<string, unknown>): Promise<ReportFilters> {
  for (const [field, dimension] of Object.entries(FILTERS)) {
    const id = query[field];
    if (typeof id !== 'string') continue;
    const found = await findNames(db, organizationId, dimension, [id]);
    if (!found.has(id)) throw unknownRecord();
  }
  if (typeof query.state === 'string' && query.state !== '' && !stateName(query.state)) throw unknownRecord();
  const given = Object.entries(COLUMNS).flatMap(([field, column]) => (typeof query[field] === 'string' ? [[column, query[field]]] : []));
  return Object.fromEntries(given);
}
