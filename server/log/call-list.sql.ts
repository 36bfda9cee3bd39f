/** Calls of publishers, the newest first: those that made a lead, which are kept with it, and all others. */
import { sql } from 'kysely';
import type { CallLogQuery } from '#contract/log.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, isId } from '#server/kit/ids.ts';
import { LOOKED_AT } from '#server/kit/looked-at.ts';
import { findLeadIds } from '#server/lead/lead-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { statusRange } from './status-range.ts';

export interface LeadCall {
  kind: 'lead';
  id: string;
  publisher_tier_id: string;
  mode: 'full' | 'ping' | 'post';
  test: boolean;
  /** Sealed. */
  fields: Buffer;
  status: string | null;
  reason: string | null;
  elapsed_ms: number | null;
  /** Sealed. */
  explained: Buffer | null;
}

export interface OtherCall {
  kind: 'other';
  id: string;
  publisher_tier_id: string;
  lead_id: string | null;
  key_prefix: string | null;
  method: string;
  path: string;
  status_code: number;
  code: string;
  elapsed_ms: number;
  more: number;
  /** Sealed. */
  wire: Buffer;
}

/** `end`: the last call that was looked at where there are more behind it. */
interface Found<Row> {
  rows: Row[];
  end: string | null;
}

/** One page of both; `older`: where the next begins. */
export async function listCalls(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: CallLogQuery,
): Promise<{ rows: (LeadCall | OtherCall)[]; older: string | null }> {
  const leadIds = query.q ? await findLeadIds(db, organization, verticalId, query.q) : undefined;
  if (leadIds?.length === 0) return { rows: [], older: null };
  const [made, others] = await Promise.all([
    listLeadCalls(db, organization.organizationId, verticalId, query, leadIds),
    listOtherCalls(db, organization.organizationId, verticalId, query, leadIds),
  ]);
  // What is older than that, one of the two has not looked at yet.
  const end = [made.end, others.end].reduce((most, one) => (one !== null && (most === null || one > most) ? one : most), null);
  const known = [...made.rows, ...others.rows].filter(({ id }) => end === null || id >= end).sort((a, b) => (a.id < b.id ? 1 : -1));
  const rows = known.slice(0, query.limit);
  return { rows, older: known.length > rows.length ? rows.at(-1)!.id : end };
}

const ELSEWHERE = { refused: 'refused', replayed: 'lead_replayed', asked: 'lead_asked' } as const;
const isElsewhere = (end: string): end is keyof typeof ELSEWHERE => Object.hasOwn(ELSEWHERE, end);

async function listLeadCalls(
  db: Db,
  organizationId: string,
  verticalId: string,
  query: CallLogQuery,
  leadIds: string[] | undefined,
): Promise<Found<LeadCall>> {
  if ((query.end && isElsewhere(query.end)) || query.call === 'status' || query.code || query.http) return { rows: [], end: null };
  let inside = db
    .selectFrom('lead')
    .select(['id', 'campaign_id', 'publisher_id', 'publisher_tier_id', 'mode', 'test', 'fields'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId);
  if (query.publisherTierId) inside = inside.where('publisher_tier_id', '=', idOrNone(query.publisherTierId));
  if (leadIds) inside = inside.where('id', 'in', leadIds);
  const [from, to, before] = [query.from && idFloor(Date.parse(query.from)), query.to && idFloor(Date.parse(query.to)), query.before];
  if (from) inside = inside.where('id', '>=', from);
  if (to) inside = inside.where('id', '<', to);
  if (before && isId(before)) inside = inside.where('id', '<', before);
  if (query.only) inside = inside.where('id', '=', idOrNone(query.only));
  inside = inside.orderBy('id', 'desc');
  let select = db
    .selectFrom(inside.limit(LOOKED_AT).as('l'))
    .leftJoin('lead_result as r', (join) => join.on('r.organization_id', '=', organizationId).onRef('r.lead_id', '=', 'l.id'))
    .selectAll('l')
    .select([sql<'lead'>`'lead'`.as('kind'), 'r.status', 'r.reason', 'r.elapsed_ms', 'r.explained']);
  if (query.end === 'received') select = select.where('r.status', 'is', null);
  else if (query.end) select = select.where('r.status', '=', query.end);
  if (query.reason) select = select.where('r.reason', '=', query.reason);
  if (query.campaignId) select = select.where('l.campaign_id', '=', idOrNone(query.campaignId));
  if (query.publisherId) select = select.where('l.publisher_id', '=', idOrNone(query.publisherId));
  if (query.call) select = select.where('l.mode', '=', query.call);
  if (query.test) select = select.where('l.test', '=', query.test === 'true');
  const rows = (await select
    .orderBy('l.id', 'desc')
    .limit(query.limit + 1)
    .execute()) as LeadCall[];
  if (rows.length > query.limit) return { rows, end: rows.at(-1)!.id };
  const last = await inside
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return { rows, end: last?.id ?? null };
}

async function listOtherCalls(
  db: Db,
  organizationId: string,
  verticalId: string,
  query: CallLogQuery,
  leadIds: string[] | undefined,
): Promise<Found<OtherCall>> {
  // Whether a call that made no lead was a test, nobody has read; and a reason is of a lead.
  if ((query.end && !isElsewhere(query.end)) || query.test || query.reason) return { rows: [], end: null };
  let inside = db.selectFrom('api_call').selectAll().where('organization_id', '=', organizationId);
  if (leadIds) inside = inside.where('lead_id', 'in', leadIds);
  const [from, to, before] = [query.from && idFloor(Date.parse(query.from)), query.to && idFloor(Date.parse(query.to)), query.before];
  if (from) inside = inside.where('id', '>=', from);
  if (to) inside = inside.where('id', '<', to);
  if (before && isId(before)) inside = inside.where('id', '<', before);
  if (query.only) inside = inside.where('id', '=', idOrNone(query.only));
  inside = inside.orderBy('id', 'desc');
  let select = db
    .selectFrom(inside.limit(LOOKED_AT).as('c'))
    .innerJoin('publisher_tier as t', (join) => join.on('t.organization_id', '=', organizationId).onRef('t.id', '=', 'c.publisher_tier_id'))
    .innerJoin('campaign as g', (join) => join.on('g.organization_id', '=', organizationId).onRef('g.id', '=', 't.campaign_id'))
    .selectAll('c')
    .select(sql<'other'>`'other'`.as('kind'))
    .where('g.vertical_id', '=', verticalId);
  if (query.publisherTierId) select = select.where('c.publisher_tier_id', '=', idOrNone(query.publisherTierId));
  if (query.campaignId) select = select.where('t.campaign_id', '=', idOrNone(query.campaignId));
  if (query.publisherId) select = select.where('t.publisher_id', '=', idOrNone(query.publisherId));
  if (query.code) select = select.where('c.code', '=', query.code);
  if (query.http) select = select.where(({ between }) => between('c.status_code', ...statusRange(query.http!)));
  if (query.end === 'refused' || query.http) select = select.where('c.code', 'not in', [ELSEWHERE.asked, ELSEWHERE.replayed]);
  if (query.end && query.end !== 'refused') select = select.where('c.code', '=', ELSEWHERE[query.end as keyof typeof ELSEWHERE]);
  if (query.call === 'status') select = select.where('c.method', '=', 'GET');
  else if (query.call) select = select.where('c.method', '=', 'POST').where('c.path', '=', pathOfCall[query.call]);
  const rows = (await select
    .orderBy('c.id', 'desc')
    .limit(query.limit + 1)
    .execute()) as OtherCall[];
  if (rows.length > query.limit) return { rows, end: rows.at(-1)!.id };
  const last = await inside
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return { rows, end: last?.id ?? null };
}

export const pathOfCall = { full: '/api/v1/leads', ping: '/api/v1/leads/ping', post: '/api/v1/leads/post' } as const;

/** The call that made no lead, with the vertical of its tier; undefined when the organization has none of this id. */
export async function findOtherCall(db: Db, organizationId: string, id: string) {
  return db
    .selectFrom('api_call as c')
    .innerJoin('publisher_tier as t', (join) =>
      join.onRef('t.organization_id', '=', 'c.organization_id').onRef('t.id', '=', 'c.publisher_tier_id'),
    )
    .innerJoin('campaign as g', (join) => join.onRef('g.organization_id', '=', 't.organization_id').onRef('g.id', '=', 't.campaign_id'))
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'g.organization_id').onRef('v.id', '=', 'g.vertical_id'))
    .select(['c.id', 'c.lead_id', 'c.wire', 'c.publisher_tier_id', 'g.vertical_id', 'v.region_id'])
    .where('c.organization_id', '=', organizationId)
    .where('c.id', '=', id)
    .executeTakeFirst();
}

const idOrNone = (text: string): string => (isId(text) ? text : '00000000-0000-0000-0000-000000000000');
