/** The rows of a lead that is being settled. */
import { sql } from 'kysely';
import type { Sale } from '#engine/decision.ts';
import { formatMoney } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import type { StoredVerdict } from '#server/lead/lead-view.sql.ts';
import { markReport } from '#server/report/mark-report.sql.ts';

export type { StoredVerdict };

export interface LeadToSettle {
  leadId: string;
  verticalId: string;
  campaignId: string;
  publisherId: string;
  publisherTierId: string;
  pingId: string | null;
  test: boolean;
  status: string;
  verdicts: StoredVerdict[];
  explained: Buffer;
  /** Whether a tier other than this one may hold it too. */
  hasOtherHolds: (buyerTierId: string) => boolean;
}

/** Locks its result: settlements of one lead follow each other. Undefined while it is under way, and where there is none. */
export async function lockLead(db: Db, organizationId: string, leadId: string): Promise<LeadToSettle | undefined> {
  const result = await db
    .selectFrom('lead_result')
    .select(['status', 'verdicts', 'explained'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .forUpdate()
    .executeTakeFirst();
  if (!result) return undefined;
  const lead = await db
    .selectFrom('lead')
    .select(['vertical_id', 'campaign_id', 'publisher_id', 'publisher_tier_id', 'ping_id', 'test'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', leadId)
    .executeTakeFirstOrThrow();
  const holds = await db
    .selectFrom('reservation')
    .select('subject_id')
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('purpose', '=', 'post')
    .where('unknown_since', 'is not', null)
    .execute();
  return {
    leadId,
    verticalId: lead.vertical_id,
    campaignId: lead.campaign_id,
    publisherId: lead.publisher_id,
    publisherTierId: lead.publisher_tier_id,
    pingId: lead.ping_id,
    test: lead.test,
    status: result.status,
    verdicts: result.verdicts as unknown as StoredVerdict[],
    explained: result.explained,
    hasOtherHolds: (buyerTierId) => holds.some((hold) => hold.subject_id !== buyerTierId),
  };
}

/** Whether a post to the buyer tier is on its way, or has been answered a moment ago. */
export async function isWithBuyer(db: Db, organizationId: string, leadId: string, buyerTierId: string): Promise<boolean> {
  const row = await db
    .selectFrom('reservation')
    .select('lead_id')
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('subject_id', '=', buyerTierId)
    .where('purpose', '=', 'post')
    .executeTakeFirst();
  return row !== undefined;
}

/** The sales of the lead so far. */
export function listSales(db: Db, organizationId: string, leadId: string): Promise<{ sale_index: number; buyer_id: string }[]> {
  return db
    .selectFrom('sale')
    .select(['sale_index', 'buyer_id'])
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
}

export async function insertSettledSale(db: Db, organizationId: string, lead: LeadToSettle, saleIndex: number, sale: Sale): Promise<void> {
  await db
    .insertInto('sale')
    .values({
      organization_id: organizationId,
      lead_id: lead.leadId,
      sale_index: saleIndex,
      vertical_id: lead.verticalId,
      buyer_id: sale.buyerId,
      buyer_tier_id: sale.buyerTierId,
      publisher_id: lead.publisherId,
      test: lead.test,
      revenue: formatMoney(sale.revenue),
      payout: formatMoney(sale.payout),
      margin: formatMoney(sale.margin),
      bid: sale.bid === undefined ? null : formatMoney(sale.bid),
      post_price_differs: sale.postPriceDiffers,
      buyer_ref: sale.buyerRef ?? null,
    })
    .execute();
  if (sale.promotion)
    await db
      .insertInto('promotion_sale')
      .values({
        organization_id: organizationId,
        lead_id: lead.leadId,
        sale_index: saleIndex,
        promotion_id: sale.promotion.promotionId,
        extra: formatMoney(sale.promotion.extra),
      })
      .execute();
}

/** The post that turned out to be a sale: caps that are set later count it by its attempt. */
export async function markAttempt(db: Db, organizationId: string, leadId: string, buyerTierId: string, price: string): Promise<void> {
  await sql`update attempt a set outcome = 'sold', price = ${price}
    where a.organization_id = ${organizationId} and a.lead_id = ${leadId} and a.buyer_tier_id = ${buyerTierId} and a.leg = 'post'
      and a.attempt_index = (select max(b.attempt_index) from attempt b
        where b.organization_id = ${organizationId} and b.lead_id = ${leadId} and b.buyer_tier_id = ${buyerTierId} and b.leg = 'post')`.execute(
    db,
  );
}

export interface NewResult {
  status?: string;
  reason?: string | null;
  /** Comes to what was sold before. */
  sold?: { revenue: string; payout: string; margin: string };
  verdicts: StoredVerdict[];
  /** Sealed; where it is left out, what is kept stays. */
  explained?: Buffer;
}

export async function storeResult(db: Db, organizationId: string, { leadId }: LeadToSettle, result: NewResult): Promise<void> {
  const { status, reason, sold, verdicts, explained } = result;
  await db
    .updateTable('lead_result')
    .set({ verdicts: JSON.stringify(verdicts), ...(explained && { explained }) })
    .$if(status !== undefined, (update) => update.set({ status: status!, reason: reason ?? null }))
    .$if(sold !== undefined, (update) =>
      update.set({
        revenue: sql`revenue + ${sold!.revenue}::numeric`,
        payout: sql`payout + ${sold!.payout}::numeric`,
        margin: sql`margin + ${sold!.margin}::numeric`,
        sale_count: sql`sale_count + 1`,
      }),
    )
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  await markReport(db, organizationId, [leadId]);
}
