/** Leads that were given back: by the buyer, or at the publisher's cost. */
import { sql } from 'kysely';
import type { PortalReturn } from '#contract/portal.ts';
import { PORTAL_RETURNS_MOST } from '#contract/portal.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Visitor } from './portal-door.ts';

interface ReturnRow {
  lead_id: string;
  sale_index: number;
  returned_at: Date;
  tier_id: string;
  reason: string;
  note: string;
  amount: string;
}

interface Span {
  from: string;
  to: string;
}

/** Those of a span of time, the last first, and what all of them come to. */
export async function listPortalReturns(visitor: Visitor, span: Span): Promise<{ rows: PortalReturn[]; total: string; isCut: boolean }> {
  const rows = await readRows(visitor, span, PORTAL_RETURNS_MOST + 1);
  const { rows: sums } = await sql<{ total: string }>`
    select coalesce(sum(${sideOf(visitor).amount}), 0) as total from lead_return x where ${within(visitor, span)}`.execute(visitor.own);
  return {
    rows: rows.slice(0, PORTAL_RETURNS_MOST).map((row) => viewRow(visitor, row)),
    total: money(sums[0]!.total),
    isCut: rows.length > PORTAL_RETURNS_MOST,
  };
}

/** All of them, page by page, for a file; `stillMay` is asked before each. */
export async function* walkPortalReturns(
  visitor: Visitor,
  span: Span,
  stillMay: () => Promise<Visitor>,
  pageSize = PORTAL_RETURNS_MOST,
): AsyncGenerator<PortalReturn> {
  let after: ReturnRow | undefined;
  for (let now = visitor; ; now = await stillMay()) {
    const rows = await readRows(now, span, pageSize, after);
    for (const row of rows) yield viewRow(now, row);
    after = rows.at(-1);
    if (rows.length < pageSize) return;
  }
}

async function readRows(visitor: Visitor, span: Span, limit: number, after?: ReturnRow): Promise<ReturnRow[]> {
  const { amount, tier, note } = sideOf(visitor);
  const beyond = after
    ? sql`(x.returned_at < ${after.returned_at} or (x.returned_at = ${after.returned_at} and (x.lead_id, x.sale_index) > (${after.lead_id}::uuid, ${after.sale_index}::smallint)))`
    : sql`true`;
  const { rows } = await sql<ReturnRow>`
    select x.lead_id, x.sale_index, x.returned_at, x.reason, ${tier} as tier_id, ${note} as note, ${amount} as amount
      from lead_return x join lead l on l.organization_id = x.organization_id and l.id = x.lead_id
      where ${within(visitor, span)} and ${beyond}
      order by x.returned_at desc, x.lead_id, x.sale_index limit ${limit}`.execute(visitor.own);
  return rows;
}

/** A publisher hears no buyer's own words. */
const sideOf = ({ company }: Visitor) =>
  company.kind === 'buyer'
    ? { tier: sql`x.buyer_tier_id`, note: sql`x.note`, amount: sql`x.revenue` }
    : { tier: sql`l.publisher_tier_id`, note: sql`''`, amount: sql`x.payout` };

/** A publisher hears of none that cost it nothing. */
function within({ organization, company }: Visitor, { from, to }: Span) {
  const whose = company.kind === 'buyer' ? sql`x.buyer_id = ${company._id}` : sql`x.publisher_id = ${company._id} and x.payout > 0`;
  return sql`x.organization_id = ${organization.organizationId} and ${whose}
    and x.returned_at >= ${new Date(from)} and x.returned_at < ${new Date(to)}`;
}

const viewRow = ({ tiers }: Visitor, row: ReturnRow): PortalReturn => ({
  leadId: row.lead_id,
  returnedAt: row.returned_at.toISOString(),
  tierName: tiers.find(({ id }) => id === row.tier_id)?.name ?? '',
  reason: row.reason,
  note: row.note,
  amount: money(row.amount),
});
