/** The leads that files are made of, as rows with names and money; tests and mere questions for a price are in no file. */
import { sql } from 'kysely';
import type { ExportContent } from '#contract/export.ts';
import type { Db } from '#server/kit/database.ts';

export interface ExportRow {
  id: string;
  /** Sealed. */
  fields: Buffer;
  subId: string;
  /** Null while it is under way. */
  status: string | null;
  reason: string | null;
  revenue: string | null;
  payout: string | null;
  margin: string | null;
  attempts: number | null;
  endedAt: Date | null;
  publisher: string;
  affiliateId: string;
  publisherTier: string;
  campaign: string;
  sales: { buyerId: string; buyer: string; buyerTierId: string; buyerTier: string }[];
  returnedPrice: string | null;
  returnedPayout: string | null;
}

export interface ExportSpan {
  organizationId: string;
  verticalId: string;
  /** Ids sort by time: beyond this one, and before that one. */
  after: string;
  before: string;
}

/** The next leads of a vertical, whatever becomes of them: a look goes so far and no further, however few of them are wanted. */
export async function nextLeadIds(db: Db, { organizationId, verticalId, after, before }: ExportSpan, most: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from lead where organization_id = ${organizationId}::uuid and vertical_id = ${verticalId}::uuid
      and id > ${after}::uuid and id < ${before}::uuid order by id limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** By which a file is narrowed whatever becomes of its leads; and, with `ended`, by that as well. */
export async function readExportRows(
  db: Db,
  organizationId: string,
  verticalId: string,
  ids: readonly string[],
  { outcome, publisherId, publisherTierId, campaignId, buyerId, buyerTierId }: ExportContent,
  ended: 'asked' | 'unasked',
): Promise<ExportRow[]> {
  if (ids.length === 0) return [];
  const only = (column: string, id: string | null) => (id === null ? sql`` : sql` and ${sql.ref(column)} = ${id}::uuid`);
  const bought = (column: string, id: string | null) =>
    id === null
      ? sql``
      : sql` and exists (select from sale y where y.organization_id = l.organization_id and y.lead_id = l.id and ${sql.ref(column)} = ${id}::uuid)`;
  const became =
    ended === 'unasked'
      ? sql``
      : sql`${outcome === 'sold' ? sql` and r.status = 'sold'` : outcome === 'unsold' ? sql` and r.status not in ('sold', 'held')` : sql``}
        ${bought('y.buyer_id', buyerId)}${bought('y.buyer_tier_id', buyerTierId)}`;
  const { rows } = await sql<ExportRow>`
    select l.id, l.fields, l.sub_id as "subId", r.status, r.reason, r.revenue::text, r.payout::text, r.margin::text, r.attempt_count as attempts,
      r.finished_at as "endedAt", p.name as publisher, p.affiliate_id as "affiliateId", t.name as "publisherTier", c.name as campaign,
      (select coalesce(jsonb_agg(jsonb_build_object('buyerId', s.buyer_id, 'buyer', b.name, 'buyerTierId', s.buyer_tier_id, 'buyerTier', bt.name)
          order by s.sale_index), '[]')
        from sale s join buyer b on b.organization_id = s.organization_id and b.id = s.buyer_id
        join buyer_tier bt on bt.organization_id = s.organization_id and bt.id = s.buyer_tier_id
        where s.organization_id = l.organization_id and s.lead_id = l.id) as sales,
      g.revenue::text as "returnedPrice", g.payout::text as "returnedPayout"
    from lead l
    left join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
    join publisher p on p.organization_id = l.organization_id and p.id = l.publisher_id
    join publisher_tier t on t.organization_id = l.organization_id and t.id = l.publisher_tier_id
    join campaign c on c.organization_id = l.organization_id and c.id = l.campaign_id
    left join lateral (select sum(x.revenue) as revenue, sum(x.payout) as payout from lead_return x
      where x.organization_id = l.organization_id and x.lead_id = l.id) g on true
    where l.organization_id = ${organizationId}::uuid and l.vertical_id = ${verticalId}::uuid and l.id = any(${ids}::uuid[])
      and l.mode <> 'ping' and not l.test${only('l.publisher_id', publisherId)}${only('l.publisher_tier_id', publisherTierId)}${only('l.campaign_id', campaignId)}${became}
    order by l.id`.execute(db);
  return rows;
}

/** Nothing more becomes of it by itself: a buyer that may have it has said so, or its time was over. */
export const hasEnded = ({ status }: ExportRow): boolean => status !== null && status !== 'held';

/** Whether what became of it is what the file is of. */
export function isWanted({ status, sales }: ExportRow, { outcome, buyerId, buyerTierId }: ExportContent): boolean {
  if (outcome === 'sold' && status !== 'sold') return false;
  if (outcome === 'unsold' && (status === 'sold' || status === 'held' || status === null)) return false;
  if (buyerId !== null && !sales.some((sale) => sale.buyerId === buyerId)) return false;
  return buyerTierId === null || sales.some((sale) => sale.buyerTierId === buyerTierId);
}
