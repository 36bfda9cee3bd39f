/** A publisher's own leads: what it posted, what became of it in the words it hears, and its payout. Never who bought, for how much, or why not. */
import { sql } from 'kysely';
import type { z } from 'zod';
import type { PublisherLead, PublisherLeadAnswer, PublisherLeadStatus, publisherLeadsQuery } from '#contract/portal.ts';
import type { Reason } from '#engine/decision.ts';
import { formatMoney, parseSum } from '#engine/money.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idFloor, idInstant, isId } from '#server/kit/ids.ts';
import { fieldsOf, maskingOf, viewKeptFields } from '#server/lead/lead.view.ts';
import { lookupHashes, money } from '#server/lead/lead-list.sql.ts';
import { getLeadRecord } from '#server/lead/lead-view.sql.ts';
import { maskValue } from '#server/lead/mask.ts';
import { openStoredFields } from '#server/lead/stored-fields.ts';
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

/** The newest first. */
export async function listPublisherLeads(visitor: Visitor, query: Query): Promise<{ rows: PublisherLead[]; older: string | null }> {
  const found = await readRows(visitor, query);
  const rows = found.slice(0, query.limit);
  return { rows: rows.map((row) => viewRow(visitor, row)), older: found.length > query.limit ? rows.at(-1)!.id : null };
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
async function readRows(visitor: Visitor, query: Query): Promise<LeadRow[]> {
  const { own, organization } = visitor;
  const tierIds = tierIdsOf(visitor, query.tierId);
  if (tierIds.length === 0) return [];
  const { rows } = await sql<LeadRow>`
    select f.*, (select sum(x.payout) from lead_return x where x.organization_id = ${organization.organizationId} and x.lead_id = f.id) as returned
    from unnest(${tierIds}::uuid[]) as own (tier_id)
    cross join lateral (
      select l.id, l.publisher_tier_id, l.vertical_id, l.sub_id, l.mode, l.test, l.fields, r.status, r.reason, r.payout
        from lead l left join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
        where l.organization_id = ${organization.organizationId} and l.publisher_tier_id = own.tier_id and ${matching(visitor, query)}
        order by l.id desc limit ${query.limit + 1}) as f
    order by f.id desc limit ${query.limit + 1}`.execute(own);
  return rows;
}

function matching(visitor: Visitor, { status, subId, from, to, before, q }: Query) {
  const conditions = [
    sql`true`,
    ...(from ? [sql`l.id >= ${idFloor(Date.parse(from))}::uuid`] : []),
    ...(to ? [sql`l.id < ${idFloor(Date.parse(to))}::uuid`] : []),
    ...(before && isId(before) ? [sql`l.id < ${before}::uuid`] : []),
    ...(subId === undefined ? [] : [sql`l.sub_id = ${subId}`]),
    ...(status === undefined
      ? []
      : [status === 'waiting' ? sql`(r.status is null or r.status = 'held')` : sql`r.status = any(${HEARD[status]}::text[])`]),
    ...(q?.trim() ? [found(visitor, q.trim())] : []),
  ];
  return sql.join(conditions, sql` and `);
}

/** A lead by its id, or by the exact value of a field that leads are found by. */
function found({ organization, tiers }: Visitor, text: string) {
  if (isId(text.toLowerCase())) return sql`l.id = ${text.toLowerCase()}::uuid`;
  const hashes = [...new Set(tiers.map(({ verticalId }) => verticalId))].flatMap((verticalId) =>
    lookupHashes(organization, verticalId, text),
  );
  return sql`exists (select from lead_lookup k where k.organization_id = l.organization_id and k.lead_id = l.id and k.value_hash = any(${[...new Set(hashes)]}::uuid[]))`;
}

function viewRow({ organization, tiers }: Visitor, row: LeadRow): PublisherLead {
  const vertical = organization.plan.verticals.get(row.vertical_id)?.config;
  const { fields } = openStoredFields(organization.keys, row.id, row.fields);
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
    primaryValue: vertical ? maskValue(primary, fields[vertical.primaryField] ?? '') : '',
  };
}

export async function readPublisherLead(visitor: Visitor, leadId: string): Promise<PublisherLeadAnswer> {
  const { own, organization } = visitor;
  const [row] = isId(leadId) ? await readRows(visitor, { q: leadId, limit: 1 }) : [];
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
