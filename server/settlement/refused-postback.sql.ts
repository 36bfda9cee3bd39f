/** What a buyer said last of a lead that could not be taken as it said it: for the person who settles it. */
import { formatMoney } from '#engine/money.ts';
import type { Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';

export interface RefusedPostback {
  leadId: string;
  buyerTierId: string;
  price: Money | undefined;
  why: string;
}

/** The last one stands, while the lead is open. */
export async function keepRefused(db: Db, organizationId: string, { leadId, buyerTierId, price, why }: RefusedPostback): Promise<void> {
  const said = { price: price === undefined ? null : formatMoney(price), why, said_at: new Date() };
  await db
    .insertInto('refused_postback')
    .values({ organization_id: organizationId, lead_id: leadId, buyer_tier_id: buyerTierId, ...said })
    .onConflict((conflict) => conflict.columns(['organization_id', 'lead_id', 'buyer_tier_id']).doUpdateSet(said))
    .execute();
}

export async function forgetRefused(db: Db, organizationId: string, leadId: string, buyerTierId: string): Promise<void> {
  await db
    .deleteFrom('refused_postback')
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('buyer_tier_id', '=', buyerTierId)
    .execute();
}
