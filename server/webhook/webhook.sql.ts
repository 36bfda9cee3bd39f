/** Calls of webhooks: made with what became of a lead (lead-beside.sql.ts, `queue_webhooks`), taken up by whichever node is free, and ended here. */
import { type Selectable, sql } from 'kysely';
import type { WebhookEvent } from '#contract/webhook.ts';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';

/** One that an organization's nodes have to know of, when a lead ends. */
export interface WebhookSeat {
  id: string;
  verticalId: string;
  events: readonly string[];
}

/** All but archived ones: what happens while one is paused is told when it goes on. */
export async function listWebhookSeats(db: Db, organizationId: string): Promise<WebhookSeat[]> {
  const rows = await db
    .selectFrom('webhook')
    .select(['id', 'vertical_id', 'events'])
    .where('organization_id', '=', organizationId)
    .where('status', '<>', 'archived')
    .execute();
  return rows.map((row) => ({ id: row.id, verticalId: row.vertical_id, events: row.events }));
}

export async function queueWebhooks(db: Db, organizationId: string, leadId: string, event: WebhookEvent, now: number): Promise<void> {
  await sql`select queue_webhooks(${organizationId}::uuid, ${leadId}::uuid, ${event}, ${new Date(now)}::timestamptz)`.execute(db);
}

export interface TakenCall {
  organizationId: string;
  id: string;
  webhookId: string;
  leadId: string;
  event: string;
  madeAt: Date;
  /** This one included. */
  tries: number;
  /** Whoever is not done by then has lost it. */
  takenUntil: Date;
  url: string;
  secretEpoch: number;
  /** Or since somebody put it right, which begins it anew. */
  failingSince: Date | null;
}

export interface CallsToTake {
  /** Those whose keys this node has. */
  organizationIds: readonly string[];
  /** Of webhooks that have taken nothing lately, or of all others. */
  failing: boolean;
  /** Of one webhook at once on this node, those under way (`underWay`, by webhook) among them. */
  each: number;
  underWay: Readonly<Record<string, number>>;
  most: number;
  leaseMs: number;
}

/**
 * Takes up what is due, a few of each webhook, whichever come first by chance, so that none keeps another. A call on its way is nobody else's, whatever
 * the nodes' clocks say. For the installation's own role.
 */
export async function takeDueCalls(db: Db, now: number, options: CallsToTake): Promise<TakenCall[]> {
  const { organizationIds, failing, each, underWay, most, leaseMs } = options;
  const { rows } = await sql<TakenCall>`
    with taken as (
      select c.organization_id, c.id, w.url, w.secret_epoch, case when ${failing} then greatest(w.failing_since, w.updated_at) end as failing_since
      from (select w.* from webhook w join organization o on o.id = w.organization_id and o.status <> 'suspended'
        where w.organization_id = any (${organizationIds}::uuid[]) and w.status = 'active' and (w.failing_since is not null) = ${failing}
        order by random()) w
      cross join lateral (
        select organization_id, id from webhook_call x
        where x.organization_id = w.organization_id and x.webhook_id = w.id and x.state = 'due' and x.due_at <= ${new Date(now)}
          and (x.taken_until is null or x.taken_until < clock_timestamp())
        order by x.due_at limit greatest(0, ${each}::int - coalesce((${JSON.stringify(underWay)}::jsonb ->> w.id::text)::int, 0)) for update skip locked) c
      limit ${most})
    update webhook_call c set tries = least(c.tries + 1, 32000),
      taken_until = date_trunc('milliseconds', clock_timestamp()) + ${leaseMs}::int * interval '1 millisecond'
    from taken t where c.organization_id = t.organization_id and c.id = t.id
    returning c.organization_id as "organizationId", c.id, c.webhook_id as "webhookId", c.lead_id as "leadId", c.event, c.made_at as "madeAt", c.tries,
      c.taken_until as "takenUntil", t.url, t.secret_epoch as "secretEpoch", t.failing_since as "failingSince"`.execute(db);
  return rows;
}

export interface EndedTry {
  state: 'due' | 'told' | 'failed';
  dueAt: number;
  at: number;
  statusCode: number | null;
  failure: string | null;
  elapsedMs: number;
}

/** False where it was somebody else's by then. */
export async function endTry(db: Db, call: Pick<TakenCall, 'organizationId' | 'id' | 'takenUntil'>, ended: EndedTry): Promise<boolean> {
  const done = await db
    .updateTable('webhook_call')
    .set({
      state: ended.state,
      due_at: new Date(ended.dueAt),
      taken_until: null,
      last_at: new Date(ended.at),
      status_code: ended.statusCode,
      failure: ended.failure,
      elapsed_ms: ended.elapsedMs,
    })
    .where('organization_id', '=', call.organizationId)
    .where('id', '=', call.id)
    .where('taken_until', '=', call.takenUntil)
    .executeTakeFirst();
  return Number(done.numUpdatedRows) === 1;
}

/** `since` null: the last call was taken. */
export async function noteFailing(db: Db, call: Pick<TakenCall, 'organizationId' | 'webhookId'>, since: Date | null): Promise<void> {
  await db
    .updateTable('webhook')
    .set({ failing_since: since })
    .where('organization_id', '=', call.organizationId)
    .where('id', '=', call.webhookId)
    .where('failing_since', since === null ? 'is not' : 'is', null)
    .execute();
}

export interface LeadTold {
  /** Sealed: by it is told what would give the person away. */
  fields: Buffer;
  verticalId: string;
  subId: string;
  publisherId: string;
  publisherName: string;
  publisherTierId: string;
  publisherTierName: string;
  campaignId: string;
  campaignName: string;
  status: string;
  reason: string | null;
  revenue: string;
  payout: string;
  margin: string;
  sales: {
    buyerId: string;
    buyerName: string;
    buyerTierId: string;
    buyerTierName: string;
    revenue: string;
    payout: string;
    buyerReference: string | null;
  }[];
  returns: { buyerTierId: string; reason: string; revenue: string; payout: string; returnedAt: string }[];
}

/** What a call says of its lead: what became of it, and nothing of the person. */
export async function findLeadTold(db: Db, organizationId: string, leadId: string): Promise<LeadTold | undefined> {
  const { rows } = await sql<LeadTold>`
    select l.fields, l.vertical_id as "verticalId", l.sub_id as "subId", l.publisher_id as "publisherId", p.name as "publisherName",
      l.publisher_tier_id as "publisherTierId", t.name as "publisherTierName", l.campaign_id as "campaignId", c.name as "campaignName",
      r.status, r.reason, r.revenue::text, r.payout::text, r.margin::text,
      (select coalesce(jsonb_agg(jsonb_build_object('buyerId', s.buyer_id, 'buyerName', b.name, 'buyerTierId', s.buyer_tier_id, 'buyerTierName', bt.name,
          'revenue', s.revenue::text, 'payout', s.payout::text, 'buyerReference', s.buyer_ref) order by s.sale_index), '[]')
        from sale s join buyer b on b.organization_id = s.organization_id and b.id = s.buyer_id
        join buyer_tier bt on bt.organization_id = s.organization_id and bt.id = s.buyer_tier_id
        where s.organization_id = l.organization_id and s.lead_id = l.id) as sales,
      (select coalesce(jsonb_agg(jsonb_build_object('buyerTierId', x.buyer_tier_id, 'reason', x.reason, 'revenue', x.revenue::text, 'payout', x.payout::text,
          'returnedAt', x.returned_at) order by x.sale_index), '[]')
        from lead_return x where x.organization_id = l.organization_id and x.lead_id = l.id) as returns
    from lead l join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
    join publisher p on p.organization_id = l.organization_id and p.id = l.publisher_id
    join publisher_tier t on t.organization_id = l.organization_id and t.id = l.publisher_tier_id
    join campaign c on c.organization_id = l.organization_id and c.id = l.campaign_id
    where l.organization_id = ${organizationId}::uuid and l.id = ${leadId}::uuid`.execute(db);
  return rows[0];
}

export type CallRow = Selectable<Database['webhook_call']>;

export async function listCalls(
  db: Db,
  organizationId: string,
  webhookId: string,
  before: string | undefined,
  limit: number,
): Promise<CallRow[]> {
  return db
    .selectFrom('webhook_call')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Tried again from the beginning, from now on; not while it is on its way. */
export async function tryAgain(
  db: Db,
  organizationId: string,
  webhookId: string,
  id: string,
  now: number,
): Promise<'due' | 'underWay' | 'unknown'> {
  const call = await db
    .selectFrom('webhook_call')
    .select(sql<boolean>`coalesce(taken_until >= clock_timestamp(), false)`.as('isUnderWay'))
    .where('organization_id', '=', organizationId)
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!call) return 'unknown';
  if (call.isUnderWay) return 'underWay';
  await db
    .updateTable('webhook_call')
    .set({ state: 'due', due_at: new Date(now), tries: 0, taken_until: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
  return 'due';
}
