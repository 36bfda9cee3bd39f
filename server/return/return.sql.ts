/** Sales that may be given back, the rules by which they may, and what was given back. Money is ten-thousandths. */
import { sql } from 'kysely';
import type { ReturnView } from '#contract/lead-return.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { EnteredBy } from '#server/ledger/entry.sql.ts';
import { markReport } from '#server/report/mark-report.sql.ts';

export interface SoldLead {
  leadId: string;
  saleIndex: number;
  verticalId: string;
  buyerId: string;
  buyerTierId: string;
  publisherId: string;
  publisherTierId: string;
  test: boolean;
  revenue: Money;
  payout: Money;
  soldAt: Instant;
}

export interface ReturnRow extends Omit<SoldLead, 'test' | 'soldAt'> {
  margin: Money;
  reason: string;
  note: string;
  via: ReturnView['via'];
  by: EnteredBy | undefined;
  returnedAt: Instant;
}

export type SaleName = { leadId: string; saleIndex?: number } | { reference: string };

/** Sales by a lead's id, or by what the buyer calls them; only those of `buyerId`, and in `verticalId`, where they are given. At most two: one too many is enough to know. */
export async function findSales(
  db: Db,
  organizationId: string,
  name: SaleName,
  buyerId?: string,
  verticalId?: string,
): Promise<SoldLead[]> {
  let select = db
    .selectFrom('sale as s')
    .innerJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 's.organization_id').onRef('r.lead_id', '=', 's.lead_id'))
    // A sale that was settled later was made later.
    .leftJoin('settlement as d', (join) =>
      join
        .onRef('d.organization_id', '=', 's.organization_id')
        .onRef('d.lead_id', '=', 's.lead_id')
        .onRef('d.buyer_tier_id', '=', 's.buyer_tier_id'),
    )
    .selectAll('s')
    .select(['r.publisher_tier_id', sql<Date>`coalesce(d.settled_at, r.finished_at)`.as('sold_at')])
    .where('s.organization_id', '=', organizationId);
  if (buyerId !== undefined) select = select.where('s.buyer_id', '=', buyerId);
  if (verticalId !== undefined) select = select.where('s.vertical_id', '=', verticalId);
  if ('reference' in name) select = select.where('s.buyer_ref', '=', name.reference);
  else {
    select = select.where('s.lead_id', '=', name.leadId);
    if (name.saleIndex !== undefined) select = select.where('s.sale_index', '=', name.saleIndex);
  }
  const rows = await select.limit(2).execute();
  return rows.map((row) => ({
    leadId: row.lead_id,
    saleIndex: row.sale_index,
    verticalId: row.vertical_id,
    buyerId: row.buyer_id,
    buyerTierId: row.buyer_tier_id,
    publisherId: row.publisher_id,
    publisherTierId: row.publisher_tier_id,
    test: row.test,
    revenue: parseMoney(row.revenue)!,
    payout: parseMoney(row.payout)!,
    soldAt: row.sold_at.getTime(),
  }));
}

/** Exactly one; a stranger's lead, and another buyer's, answer as one that is not there. */
export function requireOne(found: SoldLead[]): SoldLead {
  if (found.length > 1 && found[0]!.leadId === found[1]!.leadId)
    throw new HttpError(
      409,
      'return_sale_ambiguous',
      'The buyer bought this lead more than once. Return the sale that is meant on the page of the lead.',
    );
  if (found.length > 1)
    throw new HttpError(409, 'return_reference_ambiguous', 'Several leads have this reference. Name the lead by our id.');
  if (!found[0]) throw new HttpError(404, 'return_lead_unknown', 'This buyer bought no lead with this id or reference.');
  return found[0];
}

export interface ReturnRules {
  reasons: string[];
  days: number;
  reducesPayout: boolean;
}

export async function findReturnRules(db: Db, organizationId: string, sold: SoldLead): Promise<ReturnRules> {
  const { reasons, daysOf } = await findReturnTerms(db, organizationId, [sold.buyerTierId]);
  const seat = await db
    .selectFrom('publisher_tier')
    .select('returns_reduce_payout')
    .where('organization_id', '=', organizationId)
    .where('id', '=', sold.publisherTierId)
    .executeTakeFirst();
  return { reasons, days: daysOf(sold.buyerTierId), reducesPayout: seat?.returns_reduce_payout ?? true };
}

/** False when the sale was returned before; of two who return it at once one hears so. */
export async function insertReturn(db: Db, organizationId: string, row: ReturnRow): Promise<boolean> {
  const done = await db
    .insertInto('lead_return')
    .values({
      organization_id: organizationId,
      lead_id: row.leadId,
      sale_index: row.saleIndex,
      vertical_id: row.verticalId,
      buyer_id: row.buyerId,
      buyer_tier_id: row.buyerTierId,
      publisher_id: row.publisherId,
      reason: row.reason,
      note: row.note,
      revenue: formatMoney(row.revenue),
      payout: formatMoney(row.payout),
      margin: formatMoney(row.margin),
      via: row.via,
      user_id: row.by?.userId ?? null,
      user_name: row.by?.userName ?? null,
      returned_at: new Date(row.returnedAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  await markReport(db, organizationId, [row.leadId]);
  return Number(done.numInsertedOrUpdatedRows) === 1;
}

export const viewReturn = (row: ReturnRow): ReturnView => ({
  reason: row.reason,
  note: row.note,
  revenue: formatMoney(row.revenue),
  payout: formatMoney(row.payout),
  margin: formatMoney(row.margin),
  via: row.via,
  userName: row.by?.userName ?? null,
  returnedAt: new Date(row.returnedAt).toISOString(),
});

export interface ReturnOfLead extends ReturnView {
  leadId: string;
  saleIndex: number;
}

export async function listReturnsOf(db: Db, organizationId: string, leadIds: string[]): Promise<ReturnOfLead[]> {
  if (leadIds.length === 0) return [];
  const rows = await db
    .selectFrom('lead_return')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', 'in', leadIds)
    .execute();
  return rows.map((row) => ({
    leadId: row.lead_id,
    saleIndex: row.sale_index,
    reason: row.reason,
    note: row.note,
    revenue: told(row.revenue),
    payout: told(row.payout),
    margin: told(row.margin),
    via: row.via as ReturnView['via'],
    userName: row.user_name,
    returnedAt: row.returned_at.toISOString(),
  }));
}

/** "12.5000" of a column as "12.50". */
const told = (amount: string): string => formatMoney(parseMoney(amount)!);

/** Of every buyer tier that has days of its own, else the organization's. */
export async function findReturnTerms(
  db: Db,
  organizationId: string,
  buyerTierIds: string[],
): Promise<{ reasons: string[]; daysOf: (buyerTierId: string) => number }> {
  const organization = await db
    .selectFrom('organization')
    .select(['return_reasons', 'return_days'])
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const tiers =
    buyerTierIds.length === 0
      ? []
      : await db
          .selectFrom('buyer_tier')
          .select(['id', 'return_days'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', buyerTierIds)
          .execute();
  const own = new Map(tiers.map((tier) => [tier.id, tier.return_days]));
  return { reasons: organization.return_reasons, daysOf: (id) => own.get(id) ?? organization.return_days };
}
