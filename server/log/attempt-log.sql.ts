/**
 * Calls to buyers, the newest first. What no index finds is looked for among so many calls and no more: a search never reads a
 * table through, it says how far back it came and goes on from there.
 */
import { sql } from 'kysely';
import type { AttemptLogQuery, LoggedOutcome } from '#contract/log.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, isId } from '#server/kit/ids.ts';
import { LOOKED_AT } from '#server/kit/looked-at.ts';
import { findLeadIds } from '#server/lead/lead-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { statusRange } from './status-range.ts';

export interface LoggedAttempt {
  lead_id: string;
  attempt_index: number;
  buyer_tier_id: string;
  leg: 'ping' | 'post';
  outcome: LoggedOutcome;
  started_at: Date;
  status_code: number | null;
  elapsed_ms: number;
  connect_ms: number | null;
  wait_ms: number | null;
  read_ms: number | null;
  bid: string | null;
  price: string | null;
  test: boolean;
  publisher_tier_id: string;
  /** Sealed. */
  fields: Buffer;
  /** Sealed. */
  wires: Buffer | null;
}

export interface AttemptPlace {
  leadId: string;
  index: number;
}

/** "lead id, hyphen, number of the call". */
export function readAttemptId(text: string): AttemptPlace | undefined {
  const [leadId, index] = [text.slice(0, 36), /^-(\d{1,4})$/.exec(text.slice(36))?.[1]];
  return isId(leadId) && index !== undefined ? { leadId, index: Number(index) } : undefined;
}

export const attemptId = ({ lead_id, attempt_index }: Pick<LoggedAttempt, 'lead_id' | 'attempt_index'>): string =>
  `${lead_id}-${attempt_index}`;

/** `end`: the last call that was looked at where there are more behind it. */
export async function listAttempts(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: AttemptLogQuery,
): Promise<{ rows: LoggedAttempt[]; end: string | null }> {
  const { organizationId } = organization;
  const ofTier = !query.q && query.publisherTierId ? await listLeadsOfTier(db, organizationId, query) : undefined;
  const leadIds = query.q ? await findLeadIds(db, organization, verticalId, query.q) : ofTier;
  if (leadIds?.length === 0) return { rows: [], end: null };
  const looked = lookedAt(db, organizationId, query, leadIds).limit(LOOKED_AT).as('a');
  let select = db.selectFrom(looked).selectAll('a').where('a.vertical_id', '=', verticalId);
  if (query.buyerId) select = select.where('a.buyer_id', '=', idOrNone(query.buyerId));
  if (query.http === 'none') select = select.where('a.status_code', 'is', null);
  else if (query.http) select = select.where(({ between }) => between('a.status_code', ...statusRange(query.http!)));
  if (query.campaignId || query.publisherId || query.publisherTierId) select = select.where(isOfLead(organizationId, query));
  if (query.outcome) select = select.where('a.outcome', '=', query.outcome);
  if (query.leg) select = select.where('a.leg', '=', query.leg);
  if (query.tookMs) select = select.where('a.elapsed_ms', '>=', query.tookMs);
  if (query.test) select = select.where('a.test', '=', query.test === 'true');
  const found = select
    .orderBy('a.lead_id', 'desc')
    .orderBy('a.attempt_index', 'desc')
    .limit(query.limit + 1)
    .as('f');
  const rows = (await db
    .selectFrom(found)
    .innerJoin('lead as l', (join) => join.on('l.organization_id', '=', organizationId).onRef('l.id', '=', 'f.lead_id'))
    .leftJoin('lead_result as r', (join) => join.on('r.organization_id', '=', organizationId).onRef('r.lead_id', '=', 'f.lead_id'))
    .selectAll('f')
    .select(['l.publisher_tier_id', 'l.fields', 'r.wires'])
    .orderBy('f.lead_id', 'desc')
    .orderBy('f.attempt_index', 'desc')
    .execute()) as LoggedAttempt[];
  if (rows.length > query.limit) return { rows: rows.slice(0, query.limit), end: attemptId(rows[query.limit - 1]!) };
  const last = await lookedAt(db, organizationId, query, leadIds)
    .offset(LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  if (last) return { rows, end: attemptId(last) };
  // Below the first call of the last lead that was looked at.
  return { rows, end: ofTier?.length === LEADS_LOOKED_AT ? `${ofTier.at(-1)}-0` : null };
}

const LEADS_LOOKED_AT = 5_000;

/** Leads of a publisher tier, the newest first: its calls stand too far apart among all others. */
async function listLeadsOfTier(db: Db, organizationId: string, query: AttemptLogQuery): Promise<string[]> {
  let select = db
    .selectFrom('lead')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('publisher_tier_id', '=', idOrNone(query.publisherTierId!));
  if (query.from) select = select.where('id', '>=', idFloor(Date.parse(query.from)));
  if (query.to) select = select.where('id', '<', idFloor(Date.parse(query.to)));
  const before = query.before === undefined ? undefined : readAttemptId(query.before);
  if (before) select = select.where('id', '<=', before.leadId);
  const rows = await select.orderBy('id', 'desc').limit(LEADS_LOOKED_AT).execute();
  return rows.map(({ id }) => id);
}

/** What a call's lead says, looked up by its id: calls know neither publisher nor campaign. */
function isOfLead(organizationId: string, { campaignId, publisherId, publisherTierId }: AttemptLogQuery) {
  const wanted = { campaign_id: campaignId, publisher_id: publisherId, publisher_tier_id: publisherTierId };
  const all = Object.entries(wanted).flatMap(([column, id]) => (id ? [sql`l.${sql.ref(column)} = ${idOrNone(id)}::uuid`] : []));
  return sql<boolean>`(select ${sql.join(all, sql` and `)} from lead l where l.organization_id = ${organizationId}::uuid and l.id = a.lead_id)`;
}

/** By index alone: of a buyer tier, of some leads, or all. */
function lookedAt(db: Db, organizationId: string, query: AttemptLogQuery, leadIds: string[] | undefined) {
  let select = db.selectFrom('attempt as a').selectAll('a').where('a.organization_id', '=', organizationId);
  if (query.buyerTierId) select = select.where('a.buyer_tier_id', '=', idOrNone(query.buyerTierId));
  if (leadIds) select = select.where(sql<boolean>`a.lead_id = any(${leadIds}::uuid[])`);
  // Ids sort by time: a span of time is a span of ids.
  if (query.from) select = select.where('a.lead_id', '>=', idFloor(Date.parse(query.from)));
  if (query.to) select = select.where('a.lead_id', '<', idFloor(Date.parse(query.to)));
  if (query.only !== undefined) {
    const { leadId, index } = readAttemptId(query.only) ?? { leadId: idOrNone(''), index: 0 };
    select = select.where('a.lead_id', '=', leadId).where('a.attempt_index', '=', index);
  }
  const before = query.before === undefined ? undefined : readAttemptId(query.before);
  if (before)
    select = select
      .where('a.lead_id', '<=', before.leadId)
      .where(sql<boolean>`(a.lead_id, a.attempt_index) < (${before.leadId}::uuid, ${before.index}::smallint)`);
  return select.orderBy('a.lead_id', 'desc').orderBy('a.attempt_index', 'desc');
}

const idOrNone = (text: string): string => (isId(text) ? text : '00000000-0000-0000-0000-000000000000');
