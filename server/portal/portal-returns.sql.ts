/** Leads that were given back: by the buyer, or at the publisher's cost. */
import { sql } from 'kysely';
import type { PortalReturn } from '#contract/portal.ts';
import { PORTAL_RETURNS_MOST } from '#contract/portal.ts';
import { addMoney, formatMoney, parseSum } from '#engine/money.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Visitor } from './portal-door.ts';

interface ReturnRow {
  lead_id: string;
  returned_at: Date;
  tier_id: string;
  reason: string;
  note: string;
  amount: string;
}

/** Those of a span of time, the last first. A publisher hears of none that cost it nothing, and no buyer's own words. */
export async function listPortalReturns(
  { own, organization, company, tiers }: Visitor,
  { from, to }: { from: string; to: string },
): Promise<{ rows: PortalReturn[]; total: string; isCut: boolean }> {
  const isBuyer = company.kind === 'buyer';
  const side = isBuyer
    ? sql`x.buyer_tier_id as tier_id, x.note, x.revenue as amount`
    : sql`l.publisher_tier_id as tier_id, '' as note, x.payout as amount`;
  const whose = isBuyer ? sql`x.buyer_id = ${company._id}` : sql`x.publisher_id = ${company._id} and x.payout > 0`;
  const { rows } = await sql<ReturnRow>`
    select x.lead_id, x.returned_at, x.reason, ${side}
      from lead_return x join lead l on l.organization_id = x.organization_id and l.id = x.lead_id
      where x.organization_id = ${organization.organizationId} and ${whose}
        and x.returned_at >= ${new Date(from)} and x.returned_at < ${new Date(to)}
      order by x.returned_at desc, x.lead_id, x.sale_index limit ${PORTAL_RETURNS_MOST + 1}`.execute(own);
  const told = rows.slice(0, PORTAL_RETURNS_MOST);
  return {
    rows: told.map((row) => ({
      leadId: row.lead_id,
      returnedAt: row.returned_at.toISOString(),
      tierName: tiers.find(({ id }) => id === row.tier_id)?.name ?? '',
      reason: row.reason,
      note: row.note,
      amount: money(row.amount),
    })),
    total: formatMoney(addMoney(...told.map((row) => parseSum(row.amount)))),
    isCut: rows.length > PORTAL_RETURNS_MOST,
  };
}
