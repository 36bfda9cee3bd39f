/** A publisher's own leads: what it posted, what became of it in the words it hears, and its payout. Never who bought, for how much, or why not. */
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { PublisherLead, PublisherLeadAnswer, PublisherLeadStatus, publisherLeadsQuery } from '#contract/portal.ts';
import type { Reason } from '#engine/decision.ts';
import { formatMoney, parseSum } from '#engine/money.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idFloor, idInstant, isId } from '#server/kit/ids.ts';
import { type LookedPage, lookedAtEach, pageOf } from '#server/kit/looked-at.ts';
import { fieldsOf, maskingOf, viewKeptFields } from '#server/lead/lead.view.ts';
import { findByHashes, lookupHashes, money } from '#server/lead/lead-list.sql.ts';
import { getLeadRecord } from '#server/lead/lead-view.sql.ts';
import { maskValue } from '#server/lead/mask.ts';
import { NOT_TO_BE_OPENED, openIfSound } from '#server/lead/stored-fields.ts';
import { tierIdsOf, type Visitor } from './portal-door.ts';

type Query = Omit<z.infer<typeof publisherLeadsQuery>, 'limit'> & { limit: number };

/** Ours by what a publisher hears. */
const HEARD: Record<PublisherLeadStatus, readonly string[]> = {
  sold: ['sold'],
  rejected: ['unsold', 'rejected'],
  invalid: ['invalid'],
  duplicate: ['duplicate'],
  waiting: ['held'],
  error: ['error'],
  bid: ['bid'],
  noBid: ['noBid'],
};
const heard = (status: string | null): PublisherLeadStatus =>
  (Object.keys(HEARD) as PublisherLeadStatus[]).find((one) => status !== null && HEARD[one].includes(status)) ?? 'waiting';

interface LeadRow {
  id: string;
  publisher_tier_id: string;
  vertical_id: string;
  sub_id: string;
  mode: string;
  test: boolean;
  fields: Buffer;
  status: string | null;
  reason: string | null;
  payout: string | null;
  returned: string | null;
}

/** The newest first. What no index finds is looked for among so many leads and no more (looked-at.ts). */
export async function listPublisherLeads(visitor: Visitor, query: Query): Promise<LookedPage<PublisherLead>> {
  const tierIds = tierIdsOf(visitor, query.tierId);
  const base = await baseOf(visitor, query);
  const found = await readRows(visitor, tierIds, base, query);
  const end = query.status === undefined && query.subId === undefined ? null : await findEnd(visitor, tierIds, base);
  const page = pageOf(found, query.limit, (row) => row.id, end);
  return { ...page, rows: page.rows.map((row) => viewRow(visitor, row)) };
}

/** Page by page, for a file; `stillMay` is asked before each. */
export async function* walkPublisherLeads(visitor: Visitor, query: Query, stillMay: () => Promise<Visitor>): AsyncGenerator<PublisherLead> {
  let before = query.before;
  for (let now = visitor; ; now = await stillMay()) {
    const { rows, older } = await listPublisherLeads(now, { ...query, before, limit: 200 });
    yield* rows;
    if (older === null) return;
    before = older;
  }
}

/** Tier by tier, each by its own index: a page costs the same however many leads there are. */
async function readRows({ own, organization }: Visitor, tierIds: string[], base: Condition, query: Query): Promise<LeadRow[]> {
  const { organizationId } = organization;
  const { rows } = await sql<LeadRow>`
    select f.*, (select sum(x.payout) from lead_return x where x.organization_id = ${organizationId} and x.lead_id = f.id) as returned
    from unnest(${tierIds}::uuid[]) as own (tier_id)
    cross join lateral (
      select l.id, l.publisher_tier_id, l.vertical_id, l.sub_id, l.mode, l.test, l.fields, r.status, r.reason, r.payout
        from (${lookedAt(organizationId, base)} limit ${lookedAtEach(tierIds)}) as l
        left join lead_result r on r.organization_id = ${organizationId} and r.lead_id = l.id
        where ${matching(query)}
        order by l.id desc limit ${query.limit + 1}) as f
    order by f.id desc limit ${query.limit + 1}`.execute(own);
  return rows;
}

/** How far back all tiers were looked at, where that is not to their beginnings. */
async function findEnd({ own, organization }: Visitor, tierIds: string[], base: Condition): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select e.id from unnest(${tierIds}::uuid[]) as own (tier_id)
      cross join lateral (select l.id from (${lookedAt(organization.organizationId, base)}) as l offset ${lookedAtEach(tierIds) - 1} limit 1) as e
      order by e.id desc limit 1`.execute(own);
  return rows[0]?.id ?? null;
}

type Condition = RawBuilder<unknown>;

/** Leads of a tier, by index alone. */
const lookedAt = (organizationId: string, base: Condition) => sql`
  select l.* from lead l where l.organization_id = ${organizationId} and l.publisher_tier_id = own.tier_id and ${base} order by l.id desc`;

async function baseOf(visitor: Visitor, { from, to, before, q }: Pick<Query, 'from' | 'to' | 'before' | 'q'>): Promise<Condition> {
  const conditions = [
    sql`true`,
    ...(from ? [sql`l.id >= ${idFloor(Date.parse(from))}::uuid`] : []),
    ...(to ? [sql`l.id < ${idFloor(Date.parse(to))}::uuid`] : []),
    ...(before && isId(before) ? [sql`l.id < ${before}::uuid`] : []),
    ...(q?.trim() ? [sql`l.id = any(${await findIds(visitor, q.trim())}::uuid[])`] : []),
  ];
  return sql.join(conditions, sql` and `);
}

function matching({ status, subId }: Pick<Query, 'status' | 'subId'>): Condition {
  const conditions = [
    sql`true`,
    ...(subId === undefined ? [] : [sql`l.sub_id = ${subId}`]),
    ...(status === undefined
      ? []
      : [status === 'waiting' ? sql`(r.status is null or r.status = 'held')` : sql`r.status = any(${HEARD[status]}::text[])`]),
  ];
  return sql.join(conditions, sql` and `);
}

/** A lead by its id, or by the exact value of a field that leads are found by. */
async function findIds({ own, organization, tiers }: Visitor, text: string): Promise<string[]> {
  if (isId(text.toLowerCase())) return [text.toLowerCase()];
  const hashes = [...new Set(tiers.map(({ verticalId }) => verticalId))].flatMap((verticalId) =>
    lookupHashes(organization, verticalId, text),
  );
  return findByHashes(own, organization.organizationId, [...new Set(hashes)]);
}

function viewRow({ organization, tiers }: Visitor, row: LeadRow): PublisherLead {
  const vertical = organization.plan.verticals.get(row.vertical_id)?.config;
  const stored = openIfSound(organization.keys, row.id, row.fields);
  const primary = vertical?.fields.find((one) => one.fieldName === vertical.primaryField);
  const isTerse = organization.publisherSeats.get(row.publisher_tier_id)?.terse ?? false;
  const returned = row.returned === null ? 0 : parseSum(row.returned);
  return {
    _id: row.id,
    receivedAt: new Date(idInstant(row.id)).toISOString(),
    tierName: tiers.find(({ id }) => id === row.publisher_tier_id)?.name ?? '',
    subId: row.sub_id,
    isPing: row.mode === 'ping',
    test: row.test,
    status: heard(row.status),
    reason: row.reason === null || isTerse || row.status === 'sold' ? null : (DECLINE_LABELS[row.reason as Reason] ?? 'Declined'),
    payout: money(row.payout),
    returned: returned > 0 ? formatMoney(returned) : null,
    primaryValue: stored ? maskValue(primary, (vertical && stored.fields[vertical.primaryField]) ?? '') : NOT_TO_BE_OPENED,
  };
}

export async function readPublisherLead(visitor: Visitor, leadId: string): Promise<PublisherLeadAnswer> {
  const { own, organization } = visitor;
  const [row] = await readRows(visitor, tierIdsOf(visitor, undefined), await baseOf(visitor, { q: leadId }), { limit: 1 });
  if (!row) throw unknownLead();
  const record = await getLeadRecord(own, organization, leadId);
  const masking = maskingOf(fieldsOf(organization, record), record.stored);
  return {
    status: true,
    lead: viewRow(visitor, row),
    fields: viewKeptFields(organization, record).map(({ fieldHumanName, fieldName, value }) => ({
      label: fieldHumanName || fieldName,
      value,
    })),
    errors: record.explained?.errors.map(({ field, message }) => ({ field, message: masking.name(message) })) ?? [],
    elapsedMs: record.row.elapsed_ms ?? 0,
    isErased: record.stored.erased !== undefined,
  };
}

export const unknownLead = (): HttpError => new HttpError(404, 'lead_unknown', 'There is no lead of yours with this id.');
