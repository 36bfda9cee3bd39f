/** What is open between us and a buyer, and what was settled. Money is ten-thousandths. */
import { sql } from 'kysely';
import type { SettlementOutcome } from '#contract/settlement.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';

export type SettledVia = 'person' | 'postback' | 'expiry';

export interface SettlementOfLead {
  buyerTierId: string;
  outcome: SettlementOutcome;
  price: Money | null;
  via: SettledVia;
  userName: string | null;
  settledAt: Date;
}

export async function listSettlementsOf(db: Db, organizationId: string, leadId: string): Promise<SettlementOfLead[]> {
  const rows = await db
    .selectFrom('settlement')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  return rows.map((row) => ({
    buyerTierId: row.buyer_tier_id,
    outcome: row.outcome as SettlementOutcome,
    price: row.price === null ? null : parseMoney(row.price)!,
    via: row.via as SettledVia,
    userName: row.user_name,
    settledAt: row.settled_at,
  }));
}

export async function findSettlement(
  db: Db,
  organizationId: string,
  leadId: string,
  buyerTierId: string,
): Promise<SettlementOfLead | undefined> {
  return (await listSettlementsOf(db, organizationId, leadId)).find((one) => one.buyerTierId === buyerTierId);
}

export interface NewSettlement {
  leadId: string;
  buyerTierId: string;
  outcome: SettlementOutcome;
  price: Money | null;
  via: SettledVia;
  by: { userId: string; userName: string } | undefined;
  settledAt: Instant;
}

/** False when somebody settled it before; of two at once the second waits, and hears so. */
export async function insertSettlement(db: Db, organizationId: string, row: NewSettlement): Promise<boolean> {
  const done = await db
    .insertInto('settlement')
    .values({
      organization_id: organizationId,
      lead_id: row.leadId,
      buyer_tier_id: row.buyerTierId,
      outcome: row.outcome,
      price: row.price === null ? null : formatMoney(row.price),
      via: row.via,
      user_id: row.by?.userId ?? null,
      user_name: row.by?.userName ?? null,
      settled_at: new Date(row.settledAt),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(done.numInsertedOrUpdatedRows) === 1;
}

export interface OpenLead {
  lead_id: string;
  buyer_tier_id: string;
  kind: 'held' | 'late';
  since: Date;
  publisher_tier_id: string;
  test: boolean;
  answer: string | null;
  /** Of the late answer, of the answer, or of the bid before. */
  price: string | null;
  /** What was agreed before the post: its bid, or the price that was configured then. */
  bid: string | null;
  /** When it was posted; null where nothing is known of that. */
  posted_at: Date | null;
  /** What the buyer said last, and why that could not be taken. */
  refused: string | null;
  refused_price: string | null;
  late_after_ms: number | null;
  pending_hours: number | null;
  sold_tier_ids: string[];
}

/** Which open leads: those of a vertical, or those of one lead, maybe at one tier. */
export type OpenScope = ({ verticalId: string } | { leadId: string }) & { buyerTierId?: string | undefined };

/**
 * A lead that a buyer may hold (its reservation is marked unknown), and a late yes of a lead that went on without it. Nothing that was
 * settled, and nothing of a buyer tier that has a sale of the lead.
 */
const OPEN = sql`
  select v.lead_id, v.subject_id as buyer_tier_id, 'held' as kind, v.unknown_since as since
    from reservation v where v.organization_id = l.organization_id and v.lead_id = l.id and v.purpose = 'post' and v.unknown_since is not null
      and not exists (select from sale s where s.organization_id = v.organization_id and s.lead_id = v.lead_id and s.buyer_tier_id = v.subject_id)
  union all
  select a.lead_id, a.buyer_tier_id, 'late', a.arrived_at
    from late_answer a where a.organization_id = l.organization_id and a.lead_id = l.id and a.outcome = 'accepted'
      and not exists (select from reservation v where v.organization_id = a.organization_id and v.lead_id = a.lead_id and v.subject_id = a.buyer_tier_id and v.purpose = 'post')
      and not exists (select from settlement d where d.organization_id = a.organization_id and d.lead_id = a.lead_id and d.buyer_tier_id = a.buyer_tier_id)
      and not exists (select from sale s where s.organization_id = a.organization_id and s.lead_id = a.lead_id and s.buyer_tier_id = a.buyer_tier_id)`;

/** The leads that have anything open: few, found by the small tables they stand in. */
const LEADS = (organizationId: string) => sql`
  select lead_id from reservation where organization_id = ${organizationId} and unknown_since is not null
  union select a.lead_id from late_answer a where a.organization_id = ${organizationId} and a.outcome = 'accepted'
    and not exists (select from settlement d where d.organization_id = a.organization_id and d.lead_id = a.lead_id and d.buyer_tier_id = a.buyer_tier_id)`;

/** How many of a vertical are held, and how many were accepted too late, by buyer tier. */
export async function countOpenByTier(
  db: Db,
  organizationId: string,
  verticalId: string,
): Promise<{ buyer_tier_id: string; kind: 'held' | 'late'; leads: number }[]> {
  const { rows } = await sql<{ buyer_tier_id: string; kind: 'held' | 'late'; leads: number }>`
    select o.buyer_tier_id, o.kind, count(*)::int as leads from (${LEADS(organizationId)}) as w
      join lead l on l.organization_id = ${organizationId} and l.id = w.lead_id and l.vertical_id = ${verticalId}
      cross join lateral (${OPEN}) as o group by 1, 2`.execute(db);
  return rows;
}

/** The oldest first. */
export async function listOpen(db: Db, organizationId: string, scope: OpenScope, limit: number): Promise<OpenLead[]> {
  const leads = 'leadId' in scope ? sql`select ${scope.leadId}::uuid as lead_id` : LEADS(organizationId);
  const ofTier = scope.buyerTierId ? sql`o.buyer_tier_id = ${scope.buyerTierId}` : sql`true`;
  const narrowed = 'leadId' in scope ? ofTier : sql`l.vertical_id = ${scope.verticalId} and ${ofTier}`;
  const { rows } = await sql<OpenLead>`
    select o.lead_id, o.buyer_tier_id, o.kind, o.since, l.publisher_tier_id, l.test, p.answer, coalesce(nullif(y.price, 0), nullif(p.price, 0), p.bid) as price, p.bid, p.started_at as posted_at, f.why as refused, f.price as refused_price, y.after_ms as late_after_ms,
        t.pending_hours, array(select s.buyer_tier_id from sale s where s.organization_id = l.organization_id and s.lead_id = l.id order by s.sale_index) as sold_tier_ids
      from (${leads}) as w
      join lead l on l.organization_id = ${organizationId} and l.id = w.lead_id
      cross join lateral (${OPEN}) as o
      left join buyer_tier t on t.organization_id = l.organization_id and t.id = o.buyer_tier_id
      left join lateral (select a.answer, a.price, a.bid, a.started_at, a.attempt_index from attempt a
        where a.organization_id = l.organization_id and a.lead_id = l.id and a.buyer_tier_id = o.buyer_tier_id and a.leg = 'post'
        order by a.attempt_index desc limit 1) as p on true
      left join late_answer y on y.organization_id = l.organization_id and y.lead_id = l.id and y.attempt_index = p.attempt_index and y.outcome = 'accepted'
      left join refused_postback f on f.organization_id = l.organization_id and f.lead_id = l.id and f.buyer_tier_id = o.buyer_tier_id
      where ${narrowed} and exists (select from lead_result r where r.organization_id = l.organization_id and r.lead_id = l.id)
      order by o.since, o.lead_id, o.buyer_tier_id limit ${limit}`.execute(db);
  return rows;
}

/** A pending sale whose time is over. */
export interface ExpiredLead {
  organization_id: string;
  lead_id: string;
  buyer_tier_id: string;
}

/**
 * Pending sales of these organizations whose time is over, by key, those behind `after`: one that cannot be ended keeps no other from being
 * read. Not those of which the buyer says that it bought.
 */
export async function listExpired(
  db: Db,
  organizationIds: readonly string[],
  now: Instant,
  after: ExpiredLead | undefined,
  limit: number,
): Promise<ExpiredLead[]> {
  const behind = after
    ? sql`(v.organization_id, v.lead_id, v.subject_id) > (${after.organization_id}::uuid, ${after.lead_id}::uuid, ${after.buyer_tier_id}::uuid)`
    : sql`true`;
  const { rows } = await sql<ExpiredLead>`
    select v.organization_id, v.lead_id, v.subject_id as buyer_tier_id from reservation v
      join buyer_tier t on t.organization_id = v.organization_id and t.id = v.subject_id
      join lateral (select a.answer from attempt a
        where a.organization_id = v.organization_id and a.lead_id = v.lead_id and a.buyer_tier_id = v.subject_id and a.leg = 'post'
        order by a.attempt_index desc limit 1) as p on p.answer = 'pending'
      where v.organization_id = any (${organizationIds}::uuid[]) and ${behind} and v.purpose = 'post' and not exists (select from refused_postback f
          where f.organization_id = v.organization_id and f.lead_id = v.lead_id and f.buyer_tier_id = v.subject_id)
        and v.unknown_since <= ${new Date(now)}::timestamptz - t.pending_hours * interval '1 hour'
      order by v.organization_id, v.lead_id, v.subject_id limit ${limit}`.execute(db);
  return rows;
}

/** Leads that a buyer tier calls so: held ones, and sold ones. At most two. */
export async function findByReference(db: Db, organizationId: string, buyerTierId: string, reference: string): Promise<string[]> {
  const { rows } = await sql<{ lead_id: string }>`
    select lead_id from held_reference where organization_id = ${organizationId} and buyer_tier_id = ${buyerTierId} and reference = ${reference}
    union select s.lead_id from sale s join buyer_tier t on t.organization_id = s.organization_id and t.id = s.buyer_tier_id
      where s.organization_id = ${organizationId} and s.buyer_id = t.buyer_id and s.buyer_ref = ${reference} and s.buyer_tier_id = ${buyerTierId}
    limit 2`.execute(db);
  return rows.map((row) => row.lead_id);
}

/** The sale of a lead to a buyer tier; `isSettled`: not made when it was posted. */
export async function findSaleOf(
  db: Db,
  organizationId: string,
  leadId: string,
  buyerTierId: string,
): Promise<{ price: Money; isSettled: boolean } | undefined> {
  const row = await db
    .selectFrom('sale as s')
    .leftJoin('settlement as d', (join) =>
      join
        .onRef('d.organization_id', '=', 's.organization_id')
        .onRef('d.lead_id', '=', 's.lead_id')
        .onRef('d.buyer_tier_id', '=', 's.buyer_tier_id'),
    )
    .select(['s.revenue', 'd.outcome'])
    .where('s.organization_id', '=', organizationId)
    .where('s.lead_id', '=', leadId)
    .where('s.buyer_tier_id', '=', buyerTierId)
    .executeTakeFirst();
  return row && { price: parseMoney(row.revenue)!, isSettled: row.outcome !== null };
}

/** How the buyer tier called the lead when it held it. */
export async function findReference(db: Db, organizationId: string, buyerTierId: string, leadId: string): Promise<string | null> {
  const row = await db
    .selectFrom('held_reference')
    .select('reference')
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .where('lead_id', '=', leadId)
    .executeTakeFirst();
  return row?.reference ?? null;
}
