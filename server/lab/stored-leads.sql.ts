/** Stored leads as a replay reads them: page by page in order of time, with what their buyers and services answered, and what really came of them. */
import { sql } from 'kysely';
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
import { openStoredFields, type StoredFields } from '#server/lead/stored-fields.ts';

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

/** Neither tests nor pings: what was posted after a ping is replayed with what was answered to both. */
const inSpan = ({ organizationId, verticalId, campaignId, publisherTierId, from, to }: LeadSpan) => sql`
  l.organization_id = ${organizationId}::uuid and l.vertical_id = ${verticalId}::uuid and l.campaign_id = ${campaignId}::uuid
    and l.id >= ${idFloor(from)}::uuid and l.id < ${idFloor(to)}::uuid and not l.test
    ${publisherTierId === null ? sql`` : sql`and l.publisher_tier_id = ${publisherTierId}::uuid`}`;

/** Leads to replay, and pings that nobody posted after; counted no further than one beyond `most`. */
export async function countSpan(db: Db, span: LeadSpan, most: number): Promise<{ total: number; pingsLeftOut: number }> {
  const { rows } = await sql<{ leads: number; pings: number; posts: number }>`
    select count(*) filter (where mode <> 'ping')::int as leads, count(*) filter (where mode = 'ping')::int as pings,
      count(*) filter (where mode = 'post')::int as posts
    from (select l.mode from lead l where ${inSpan(span)} limit ${2 * most + 2}) as l`.execute(db);
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

/** The next `size` leads after `after`. `asksServices`: some tier asks one, so what they answered is read too. */
export async function readPage(
  db: Db,
  keys: OrganizationKeys,
  span: LeadSpan,
  page: { after: string | undefined; size: number; asksServices: boolean },
): Promise<ReadPage> {
  const { rows } = await sql<LeadRow>`
    select l.id, l.publisher_tier_id, l.ping_id, l.fields, r.status, r.reason, r.duplicate_of, r.verdicts
    from lead l join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
    where ${inSpan(span)} and l.mode <> 'ping' ${page.after === undefined ? sql`` : sql`and l.id > ${page.after}::uuid`}
    order by l.id limit ${page.size}`.execute(db);
  if (rows.length === 0) return { leads: [], after: undefined };
  const ids = rows.map(({ id }) => id);
  const asked = [...ids, ...rows.flatMap(({ ping_id }) => (ping_id ? [ping_id] : []))];
  const [attempts, sales, checks] = await Promise.all([
    readAttempts(db, span.organizationId, asked),
    readSales(db, span.organizationId, ids),
    page.asksServices ? readChecks(db, span.organizationId, asked) : new Map<string, StoredLead['checks']>(),
  ]);
  // What a lead without its person would have come to, nobody can say: it is left out.
  const kept = rows.map((row) => ({ ...row, stored: openStoredFields(keys, row.id, row.fields) })).filter(({ stored }) => !stored.erased);
  const leads = kept.map((row) => {
    const own = attempts.get(row.id) ?? [];
    const all = row.ping_id ? [...(attempts.get(row.ping_id) ?? []), ...own] : own;
    return {
      lead: storedLead(span, row, all, [...(checks.get(row.ping_id ?? '') ?? []), ...(checks.get(row.id) ?? [])]),
      really: reallyEnded(row, all, sales.get(row.id) ?? []),
    };
  });
  return { leads, after: rows.length < page.size ? undefined : ids.at(-1)! };
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
