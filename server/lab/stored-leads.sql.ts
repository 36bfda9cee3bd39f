/** Stored leads as a replay reads them: page by page in order of time, with what their buyers and services answered, and what really came of them. */
import { type RawBuilder, sql } from 'kysely';
import type { LeadStatus, Outcome } from '#engine/decision.ts';
import type { AnswerOutcome, OutsideVerdict } from '#engine/effect.ts';
import { parseMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import { type Habit, habitKey, type RecordedCall, type StoredLead } from '#engine/replay.ts';
import type { EndedLead } from '#engine/replay-tally.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import type { StoredVerdict } from '#server/lead/lead-view.sql.ts';
import { openIfSound, type StoredFields } from '#server/lead/stored-fields.ts';

export interface LeadSpan {
  organizationId: string;
  verticalId: string;
  campaignId: string;
  publisherTierId: string | null;
  /** [from, to) */
  from: Instant;
  to: Instant;
}

export interface ReplayedLead {
  /** Undefined where its fields were not valid: that it will be again. */
  lead: StoredLead | undefined;
  really: EndedLead;
}

/** All that came, of other campaigns of the vertical too: what an index finds in order of time. */
const cameIn = ({ organizationId, verticalId, publisherTierId, to }: LeadSpan, begin: RawBuilder<unknown>) => sql`
  l.organization_id = ${organizationId}::uuid and ${begin} and l.id < ${idFloor(to)}::uuid
    and ${publisherTierId === null ? sql`l.vertical_id = ${verticalId}::uuid` : sql`l.publisher_tier_id = ${publisherTierId}::uuid`}`;

const sinceBegin = ({ from }: LeadSpan) => sql`l.id >= ${idFloor(from)}::uuid`;
const isMeant = ({ campaignId }: LeadSpan) => sql`l.campaign_id = ${campaignId}::uuid and not l.test`;

/** Leads to replay, and pings that nobody posted after; counted no further than one beyond `most`. */
export async function countSpan(db: Db, span: LeadSpan, most: number): Promise<{ total: number; pingsLeftOut: number }> {
  const { rows } = await sql<{ leads: number; pings: number; posts: number }>`
    select count(*) filter (where mode <> 'ping')::int as leads, count(*) filter (where mode = 'ping')::int as pings,
      count(*) filter (where mode = 'post')::int as posts
    from (select l.mode from lead l where ${cameIn(span, sinceBegin(span))} and ${isMeant(span)} limit ${2 * most + 2}) as l`.execute(db);
  const { leads, pings, posts } = rows[0]!;
  return { total: leads, pingsLeftOut: Math.max(0, pings - posts) };
}

/** How each buyer tier answered over the span, to whatever lead. */
export async function readHabits(db: Db, span: LeadSpan, buyerTierIds: string[]): Promise<Map<string, Habit>> {
  const { rows } = await sql<{
    buyer_tier_id: string;
    leg: 'ping' | 'post';
    calls: number;
    accepted: number;
    price: string | null;
    ms: number;
  }>`
    select buyer_tier_id, leg, count(*)::int as calls, count(*) filter (where answer = 'accepted')::int as accepted,
      round(avg(case when leg = 'ping' then bid else price end) filter (where answer = 'accepted'), 4)::text as price, avg(elapsed_ms)::float8 as ms
    from attempt
    where organization_id = ${span.organizationId}::uuid and buyer_tier_id = any(${buyerTierIds}::uuid[])
      and lead_id >= ${idFloor(span.from)}::uuid and lead_id < ${idFloor(span.to)}::uuid and not test
    group by 1, 2`.execute(db);
  return new Map(
    rows.map(({ buyer_tier_id, leg, calls, accepted, price, ms }) => {
      const meanPrice = amount(price);
      return [habitKey(buyer_tier_id, leg), { calls, accepted, meanMs: Math.round(ms), ...(meanPrice !== undefined && { meanPrice }) }];
    }),
  );
}

interface LeadRow {
  id: string;
  publisher_tier_id: string;
  ping_id: string | null;
  fields: Buffer;
  status: LeadStatus;
  reason: string | null;
  duplicate_of: string | null;
  verdicts: StoredVerdict[];
}

export interface ReadPage {
  leads: ReplayedLead[];
  /** Where the next page begins: after this lead; undefined at the end. */
  after: string | undefined;
}

/**
 * Of the next `size` leads that came after `after` those to replay: neither tests nor pings, since what was posted after a ping is replayed with what was
 * answered to both. `asksServices`: some tier asks one, so what they answered is read too.
 */
export async function readPage(
  db: Db,
  keys: OrganizationKeys,
  span: LeadSpan,
  page: { after: string | undefined; size: number; asksServices: boolean },
): Promise<ReadPage> {
  // Cut off by time alone and sorted out afterwards: a page takes what it takes, however many more there are.
  const { rows: came } = await sql<LeadRow | (LeadRow & { status: null })>`
    with l as materialized (
      select l.organization_id, l.id, l.publisher_tier_id, l.ping_id, l.fields, ${isMeant(span)} and l.mode <> 'ping' as is_meant from lead l
      where ${cameIn(span, page.after === undefined ? sinceBegin(span) : sql`l.id > ${page.after}::uuid`)}
      order by l.id limit ${page.size}
    )
    select l.id, l.publisher_tier_id, l.ping_id, case when l.is_meant then l.fields end as fields, r.status, r.reason, r.duplicate_of, r.verdicts
    from l left join lead_result r on l.is_meant and r.organization_id = l.organization_id and r.lead_id = l.id order by l.id`.execute(db);
  const after = came.length < page.size ? undefined : came.at(-1)!.id;
  const rows = came.filter((row): row is LeadRow => row.status !== null);
  if (rows.length === 0) return { leads: [], after };
  const ids = rows.map(({ id }) => id);
  const asked = [...ids, ...rows.flatMap(({ ping_id }) => (ping_id ? [ping_id] : []))];
  const [attempts, sales, checks] = await Promise.all([
    readAttempts(db, span.organizationId, asked),
    readSales(db, span.organizationId, ids),
    page.asksServices ? readChecks(db, span.organizationId, asked) : new Map<string, StoredLead['checks']>(),
  ]);
  // What a lead without its person would have come to, nobody can say, nor of one that was damaged: both are left out.
  const kept = rows.flatMap((row) => {
    const stored = openIfSound(keys, row.id, row.fields);
    return stored && !stored.erased ? [{ ...row, stored }] : [];
  });
  const leads = kept.map((row) => {
    const own = attempts.get(row.id) ?? [];
    const all = row.ping_id ? [...(attempts.get(row.ping_id) ?? []), ...own] : own;
    return {
      lead: storedLead(span, row, all, [...(checks.get(row.ping_id ?? '') ?? []), ...(checks.get(row.id) ?? [])]),
      really: reallyEnded(row, all, sales.get(row.id) ?? []),
    };
  });
  return { leads, after };
}

interface Attempt extends RecordedCall {
  groupId: string;
}

async function readAttempts(db: Db, organizationId: string, leadIds: string[]): Promise<Map<string, Attempt[]>> {
  const { rows } = await sql<{
    lead_id: string;
    buyer_tier_id: string;
    group_id: string;
    leg: 'ping' | 'post';
    answer: AnswerOutcome;
    elapsed_ms: number;
    bid: string | null;
    price: string | null;
  }>`select lead_id, buyer_tier_id, group_id, leg, answer, elapsed_ms, bid, price from attempt
    where organization_id = ${organizationId}::uuid and lead_id = any(${leadIds}::uuid[]) order by lead_id, attempt_index`.execute(db);
  const byLead = new Map<string, Attempt[]>();
  for (const row of rows) {
    const price = amount(row.leg === 'ping' ? row.bid : row.price);
    const call: Attempt = {
      buyerTierId: row.buyer_tier_id,
      groupId: row.group_id,
      leg: row.leg,
      outcome: row.answer,
      elapsedMs: row.elapsed_ms,
    };
    if (price !== undefined) call.price = price;
    const known = byLead.get(row.lead_id);
    if (known) known.push(call);
    else byLead.set(row.lead_id, [call]);
  }
  return byLead;
}

async function readSales(db: Db, organizationId: string, leadIds: string[]): Promise<Map<string, EndedLead['sales'][number][]>> {
  const { rows } = await sql<{ lead_id: string; buyer_tier_id: string; revenue: string; payout: string; margin: string }>`
    select lead_id, buyer_tier_id, revenue, payout, margin from sale
    where organization_id = ${organizationId}::uuid and lead_id = any(${leadIds}::uuid[])`.execute(db);
  const byLead = new Map<string, EndedLead['sales'][number][]>();
  for (const row of rows) {
    const [revenue, payout, margin] = [amount(row.revenue)!, amount(row.payout)!, amount(row.margin)!];
    const sale = { buyerTierId: row.buyer_tier_id, revenue, payout, margin };
    byLead.set(row.lead_id, [...(byLead.get(row.lead_id) ?? []), sale]);
  }
  return byLead;
}

async function readChecks(db: Db, organizationId: string, leadIds: string[]): Promise<Map<string, StoredLead['checks']>> {
  const { rows } = await sql<{ lead_id: string; subject_id: string; outcome: OutsideVerdict['outcome']; elapsed_ms: number }>`
    select lead_id, subject_id, outcome, elapsed_ms from service_call
    where organization_id = ${organizationId}::uuid and lead_id = any(${leadIds}::uuid[]) order by call_index`.execute(db);
  return new Map(
    [...Map.groupBy(rows, (row) => row.lead_id)].map(([leadId, own]) => [
      leadId,
      own.map((row) => ({ subjectId: row.subject_id, outcome: row.outcome, elapsedMs: row.elapsed_ms })),
    ]),
  );
}

function storedLead(
  span: LeadSpan,
  row: LeadRow & { stored: StoredFields },
  calls: Attempt[],
  checks: StoredLead['checks'],
): StoredLead | undefined {
  const { fields, invalid } = row.stored;
  if (Object.keys(invalid).length > 0 || row.status === 'invalid') return undefined;
  const lead: StoredLead = {
    id: row.id,
    publisherTierId: row.publisher_tier_id,
    at: idInstant(row.id),
    fields,
    calls: clear(row, calls),
    checks,
  };
  const earlierAt = row.duplicate_of ? idInstant(row.duplicate_of) : span.from;
  if (earlierAt < span.from) lead.earlier = { leadId: row.duplicate_of!, claimedAt: earlierAt };
  return lead;
}

/** Only a lead that was held for it had an error that left open whether the buyer has it. */
function clear({ status }: LeadRow, calls: Attempt[]): readonly RecordedCall[] {
  return status === 'held' ? calls.map((call) => (call.outcome === 'error' ? { ...call, unclear: true } : call)) : calls;
}

function reallyEnded({ status, reason, verdicts }: LeadRow, attempts: Attempt[], sales: EndedLead['sales']): EndedLead {
  return {
    status,
    reason: reason ?? undefined,
    sales,
    attempts,
    verdicts: verdicts.map(({ t, o, k }) =>
      k === undefined ? { buyerTierId: t, outcome: o as Outcome } : { buyerTierId: t, outcome: o as Outcome, filterReasonKey: k },
    ),
  };
}

const amount = (text: string | null): Money | undefined => (text === null ? undefined : parseMoney(text));
