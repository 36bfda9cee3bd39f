/** A buyer's own leads: what it bought, for how much, and the fields it was sent. Never whose they were, what those cost, or who else was asked. */
import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { keptReference } from '#contract/buyer-reference.ts';
import type { BuyerLead, BuyerLeadAnswer, buyerLeadsQuery } from '#contract/portal.ts';
import { fieldsSentTo } from '#server/data-request/disclosures.ts';
import { idFloor, isId } from '#server/kit/ids.ts';
import { type LookedPage, lookedAtEach, pageOf } from '#server/kit/looked-at.ts';
import { fieldsOf, viewKeptFields } from '#server/lead/lead.view.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { getLeadRecord } from '#server/lead/lead-view.sql.ts';
import { findReturnTerms } from '#server/return/return.sql.ts';
import { tierIdsOf, type Visitor } from './portal-door.ts';
import { unknownLead } from './publisher-leads.ts';

type Query = Omit<z.infer<typeof buyerLeadsQuery>, 'limit'> & { limit: number };

interface SaleRow {
  lead_id: string;
  sale_index: number;
  buyer_tier_id: string;
  test: boolean;
  revenue: string;
  buyer_ref: string | null;
  sold_at: Date;
  returned: string | null;
  reason: string | null;
  returned_at: Date | null;
  is_asked: boolean;
}

/** The newest first. The cursor names a sale. Those given back, or kept, are looked for among so many and no more (looked-at.ts). */
export async function listBuyerLeads(visitor: Visitor, query: Query): Promise<LookedPage<BuyerLead>> {
  const tierIds = tierIdsOf(visitor, query.tierId);
  const base = baseOf(query, visitor.company._id);
  const found = await readSales(visitor, tierIds, base, query);
  const end = query.returned === undefined ? null : await findEnd(visitor, tierIds, base);
  const page = pageOf(found, query.limit, cursorOf, end);
  return { ...page, rows: await viewSales(visitor, page.rows) };
}

const cursorOf = ({ lead_id, sale_index }: Pick<SaleRow, 'lead_id' | 'sale_index'>): string =>
  `${lead_id}-${String(sale_index).padStart(2, '0')}`;

/** Page by page, for a file; `stillMay` is asked before each. */
export async function* walkBuyerLeads(visitor: Visitor, query: Query, stillMay: () => Promise<Visitor>): AsyncGenerator<BuyerLead> {
  let before = query.before;
  for (let now = visitor; ; now = await stillMay()) {
    const { rows, older } = await listBuyerLeads(now, { ...query, before, limit: 200 });
    yield* rows;
    if (older === null) return;
    before = older;
  }
}

async function readSales({ own, organization }: Visitor, tierIds: string[], base: Condition, query: Pick<Query, 'returned' | 'limit'>) {
  const { organizationId } = organization;
  const { rows } = await sql<SaleRow>`
    select f.*, exists (select from change_request q where q.organization_id = ${organizationId} and q.model = 'leadReturn'
        and q.record_id = f.lead_id and q.sale_index = f.sale_index and q.status = 'open') as is_asked
    from unnest(${tierIds}::uuid[]) as own (tier_id)
    cross join lateral (
      select s.lead_id, s.sale_index, s.buyer_tier_id, s.test, s.revenue, s.buyer_ref, coalesce(d.settled_at, r.finished_at) as sold_at,
          x.revenue as returned, x.reason, x.returned_at
        from (${lookedAt(organizationId, base)} limit ${lookedAtEach(tierIds)}) as s
        join lead_result r on r.organization_id = ${organizationId} and r.lead_id = s.lead_id
        left join settlement d on d.organization_id = ${organizationId} and d.lead_id = s.lead_id and d.buyer_tier_id = s.buyer_tier_id
        left join lead_return x on x.organization_id = ${organizationId} and x.lead_id = s.lead_id and x.sale_index = s.sale_index
        where ${matching(query)}
        order by s.lead_id desc, s.sale_index desc limit ${query.limit + 1}) as f
    order by f.lead_id desc, f.sale_index desc limit ${query.limit + 1}`.execute(own);
  return rows;
}

/** How far back all tiers were looked at, where that is not to their beginnings. */
async function findEnd({ own, organization }: Visitor, tierIds: string[], base: Condition): Promise<string | null> {
  const { rows } = await sql<Pick<SaleRow, 'lead_id' | 'sale_index'>>`
    select e.lead_id, e.sale_index from unnest(${tierIds}::uuid[]) as own (tier_id)
      cross join lateral (select s.lead_id, s.sale_index from (${lookedAt(organization.organizationId, base)}) as s
        offset ${lookedAtEach(tierIds) - 1} limit 1) as e
      order by e.lead_id desc, e.sale_index desc limit 1`.execute(own);
  return rows[0] ? cursorOf(rows[0]) : null;
}

type Condition = RawBuilder<unknown>;

/** Sales of a tier, by index alone. */
const lookedAt = (organizationId: string, base: Condition) => sql`
  select s.* from sale s where s.organization_id = ${organizationId} and s.buyer_tier_id = own.tier_id and ${base}
    order by s.lead_id desc, s.sale_index desc`;

function baseOf({ from, to, before, q }: Pick<Query, 'from' | 'to' | 'before' | 'q'>, buyerId: string): Condition {
  const [, leadId, saleIndex] = /^(.{36})-(\d{1,2})$/.exec(before ?? '') ?? [];
  const text = q?.trim();
  const conditions = [
    sql`true`,
    ...(from ? [sql`s.lead_id >= ${idFloor(Date.parse(from))}::uuid`] : []),
    ...(to ? [sql`s.lead_id < ${idFloor(Date.parse(to))}::uuid`] : []),
    // The first of both is for the index.
    ...(isId(leadId)
      ? [sql`s.lead_id <= ${leadId}::uuid`, sql`(s.lead_id, s.sale_index) < (${leadId}::uuid, ${Number(saleIndex)}::smallint)`]
      : []),
    ...(text
      ? [
          isId(text.toLowerCase())
            ? sql`s.lead_id = ${text.toLowerCase()}::uuid`
            : // By the index of references, which begins with the buyer.
              sql`s.buyer_id = ${buyerId} and s.buyer_ref = ${keptReference(text)}`,
        ]
      : []),
  ];
  return sql.join(conditions, sql` and `);
}

const matching = ({ returned }: Pick<Query, 'returned'>): Condition =>
  returned === undefined ? sql`true` : returned === 'true' ? sql`x.lead_id is not null` : sql`x.lead_id is null`;

const DAY_MS = 24 * 3_600_000;

async function viewSales({ own, organization, tiers }: Visitor, rows: SaleRow[]): Promise<BuyerLead[]> {
  const { daysOf } = await findReturnTerms(own, organization.organizationId, [...new Set(rows.map((row) => row.buyer_tier_id))]);
  return rows.map((row) => ({
    leadId: row.lead_id,
    saleIndex: row.sale_index,
    soldAt: row.sold_at.toISOString(),
    tierName: tiers.find(({ id }) => id === row.buyer_tier_id)?.name ?? '',
    test: row.test,
    price: money(row.revenue),
    reference: row.buyer_ref ?? '',
    returned: row.returned === null ? null : { amount: money(row.returned), reason: row.reason ?? '', at: row.returned_at!.toISOString() },
    returnableUntil: row.test ? null : new Date(row.sold_at.getTime() + daysOf(row.buyer_tier_id) * DAY_MS).toISOString(),
    isReturnAsked: row.is_asked,
  }));
}

export async function readBuyerLead(visitor: Visitor, leadId: string, saleIndex: number): Promise<BuyerLeadAnswer> {
  const { own, organization, company } = visitor;
  const base = baseOf({ q: leadId }, company._id);
  const sales = isId(leadId) ? await readSales(visitor, tierIdsOf(visitor, undefined), base, { limit: 20 }) : [];
  const row = sales.find((one) => one.sale_index === saleIndex);
  if (!row) throw unknownLead();
  const record = await getLeadRecord(own, organization, leadId);
  const sent = fieldsSentTo(record, fieldsOf(organization, record), company._id);
  const [lead] = await viewSales(visitor, [row]);
  return {
    status: true,
    lead: lead!,
    fields: viewKeptFields(organization, record)
      .filter(({ fieldName }) => sent.has(fieldName))
      .map(({ fieldHumanName, fieldName, value }) => ({ label: fieldHumanName || fieldName, value })),
    isErased: record.stored.erased !== undefined,
  };
}
