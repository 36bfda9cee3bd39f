/**
 * A cap holds from the moment it is set, for the whole of its window: what was sold and sent before anybody counted is counted then, in
 * the transaction that sets it. Nothing is counted where there is no cap, so one that is new, set again or in another zone has no counter
 * that can be trusted.
 */
import { type RawBuilder, sql } from 'kysely';
import { type CapOwner, type CompiledCap, compileCaps } from '#engine/cap.ts';
import type { CapClaim } from '#engine/effect.ts';
import type { CapConfig, Instant } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';

export interface CapScope {
  organizationId: string;
  owner: Exclude<CapOwner, 'promotion'>;
  id: string;
}

type Row = Record<string, unknown>;

/** Money as in counters: ten-thousandths. */
export interface Used {
  sold: string;
  money: string;
  sent: string;
}

/** A lead is posted to its last buyer no later than this after it came. */
const LONGEST_LIFE_MS = 6 * 60_000;

/** `before`: null for a record that is new, and has sold nothing. */
export async function countChangedCaps(tx: Db, scope: CapScope, row: Row, before: Row | null): Promise<void> {
  if (!before) return;
  const now = Date.now();
  const [caps, earlier] = [row.caps as CapConfig[], before.caps as CapConfig[]];
  const known = new Set(claimsOf(scope.id, earlier, now).map(({ counter }) => counter));
  for (const claim of claimsOf(scope.id, caps, now)) if (!known.has(claim.counter)) await countCap(tx, scope, claim);
}

function claimsOf(scopeId: string, caps: CapConfig[], now: number): CapClaim[] {
  const compiled = compileCaps(scopeId, caps);
  return Array.isArray(compiled) ? compiled.map((cap: CompiledCap) => cap.claimAt(now, 0)) : [];
}

async function countCap(tx: Db, { organizationId, owner, id }: CapScope, claim: CapClaim): Promise<void> {
  const since = claim.windowStartAt ?? 0;
  if (claim.measure !== 'sent') await noteOpen(tx, organizationId, owner, id, claim);
  const used = await readUsed(tx, { organizationId, owner, id }, since, null);
  await sql`insert into counter (organization_id, counter, scope_id, measure, period, used, resets_at)
    values (${organizationId}, ${claim.counter}, ${claim.scopeId}, ${claim.measure}, ${claim.period}, ${used[claim.measure]},
      ${claim.resetsAt === null ? null : new Date(claim.resetsAt)})
    on conflict (organization_id, counter) do update set used = excluded.used`.execute(tx);
}

/** What was sold, sent and paid in [since, until) of when leads came; null: until now. */
export const readUsed = (db: Db, { organizationId, owner, id }: CapScope, since: Instant, until: Instant | null): Promise<Used> =>
  owner === 'publisherTier'
    ? usedByPublisher(db, organizationId, id, since, until)
    : usedByBuyer(db, organizationId, owner, id, since, until);

/** What counts for an open lead stands in its reservation, so that settling it corrects this counter too. Locks them, before any is counted. */
async function noteOpen(tx: Db, organizationId: string, owner: CapScope['owner'], id: string, claim: CapClaim): Promise<void> {
  const isOf =
    owner === 'publisherTier'
      ? sql`exists (select from lead l where l.organization_id = v.organization_id and l.id = v.lead_id and l.publisher_tier_id = ${id} and not l.test)`
      : sql`v.subject_id in ${tiersOf(organizationId, owner, id)}`;
  const raised = sql`coalesce((select max(held.amount) from (${raisedFor(owner, id)}) as held), 0)`;
  const amount = claim.measure === 'sold' ? sql`1` : sql`${reservedFor(owner, organizationId, id)} - ${raised}`;
  const since = new Date(claim.windowStartAt ?? 0);
  const others = sql`coalesce((select jsonb_agg(c) from jsonb_array_elements(v.claims) c where c ->> 0 <> ${claim.counter}), '[]')`;
  await sql`update reservation v set claims = ${others} || jsonb_build_array(jsonb_build_array(${claim.counter}::text, ${amount}))
    where v.organization_id = ${organizationId} and v.purpose = 'post' and v.unknown_since is not null
      and v.reserved_at >= ${since} and ${isOf}`.execute(tx);
  // What it was raised by keeps its own part, so that the two come to the whole in every counter.
  const part = claim.measure === 'sold' ? sql`null::bigint` : sql`nullif(${raised}, 0)`;
  await sql`update reservation v set claims = ${others} || coalesce((select jsonb_build_array(jsonb_build_array(${claim.counter}::text, p.part))
        from (select ${part} as part) as p where v.purpose = 'raise' and p.part is not null), '[]')
    where v.organization_id = ${organizationId} and v.purpose in ('raise', 'promotion') and ${isOf}
      and exists (select from reservation o where o.organization_id = v.organization_id and o.lead_id = v.lead_id and o.subject_id = v.subject_id
        and o.purpose = 'post' and o.unknown_since is not null and o.reserved_at >= ${since})`.execute(tx);
}

/** What the post of `v` was raised by, as its claims on money counters of this owner say. */
const raisedFor = (owner: CapScope['owner'], id: string) =>
  sql`select (c ->> 1)::bigint as amount from reservation w, jsonb_array_elements(w.claims) c
    where w.organization_id = v.organization_id and w.lead_id = v.lead_id and w.subject_id = v.subject_id and w.purpose = 'raise'
      and split_part(c ->> 0, ':', 1) = ${scopeOf(owner, id)}::text and split_part(c ->> 0, ':', 2) = 'money'`;

const scopeOf = (owner: CapScope['owner'], id: string) => (owner === 'buyerTier' ? sql`v.subject_id` : sql`${id}::uuid`);

const tiersOf = (organizationId: string, owner: 'buyer' | 'buyerTier', id: string) =>
  sql`(select id from buyer_tier where organization_id = ${organizationId} and ${sql.ref(owner === 'buyer' ? 'buyer_id' : 'id')} = ${id})`;

/** Sales that began in the window, and posts of which nobody knows yet or ever: those under way, and held leads. */
async function usedByBuyer(
  tx: Db,
  organizationId: string,
  owner: 'buyer' | 'buyerTier',
  id: string,
  since: Instant,
  until: Instant | null,
): Promise<Used> {
  const { rows } = await sql<Used>`
    with tier as ${tiersOf(organizationId, owner, id)},
    sold as (
      select s.lead_id, s.buyer_tier_id, s.revenue from sale s
        join attempt a on a.organization_id = s.organization_id and a.lead_id = s.lead_id and a.buyer_tier_id = s.buyer_tier_id
          and a.leg = 'post' and a.outcome = 'sold' and a.started_at >= ${new Date(since)}
        where s.organization_id = ${organizationId} and s.buyer_tier_id in (select id from tier) and s.lead_id >= ${floorOf(since)}
          ${earlierThan('s.lead_id', until)} and not s.test),
    open as (
      select v.lead_id, v.subject_id, ${reservedFor(owner, organizationId, id)} as money from reservation v
        where v.organization_id = ${organizationId} and v.purpose = 'post' and v.subject_id in (select id from tier) and v.reserved_at >= ${new Date(since)}
          ${earlierThan('v.lead_id', until)}
          and not exists (select from sold s where s.lead_id = v.lead_id and s.buyer_tier_id = v.subject_id)),
    sent as (
      select a.lead_id, a.buyer_tier_id from attempt a
        where a.organization_id = ${organizationId} and a.buyer_tier_id in (select id from tier) and a.lead_id >= ${floorOf(since)} ${earlierThan('a.lead_id', until)} and not a.test
          and a.started_at >= ${new Date(since)}
      union select lead_id, subject_id from open)
    select (select count(*) from sold) + (select count(*) from open) as sold,
      coalesce((select sum(revenue) * 10000 from sold), 0)::bigint + coalesce((select sum(money) from open), 0)::bigint as money,
      (select count(*) from sent) as sent`.execute(tx);
  return rows[0]!;
}

/** Sent counts the leads that were let in; sold and money what was sold of them, in payouts. */
async function usedByPublisher(tx: Db, organizationId: string, id: string, since: Instant, until: Instant | null): Promise<Used> {
  const { rows } = await sql<Used>`
    with sold as (
      select s.lead_id, s.buyer_tier_id, s.payout from lead_result r
        join sale s on s.organization_id = r.organization_id and s.lead_id = r.lead_id
        join attempt a on a.organization_id = s.organization_id and a.lead_id = s.lead_id and a.buyer_tier_id = s.buyer_tier_id
          and a.leg = 'post' and a.outcome = 'sold' and a.started_at >= ${new Date(since)}
        where r.organization_id = ${organizationId} and r.publisher_tier_id = ${id} and r.lead_id >= ${floorOf(since)}
          ${earlierThan('r.lead_id', until)} and not r.test),
    open as (
      select v.lead_id, ${reservedFor('publisherTier', organizationId, id)} as money from reservation v
        join lead l on l.organization_id = v.organization_id and l.id = v.lead_id and l.publisher_tier_id = ${id} and not l.test
        where v.organization_id = ${organizationId} and v.purpose = 'post' and v.reserved_at >= ${new Date(since)}
          ${earlierThan('v.lead_id', until)}
          and not exists (select from sold s where s.lead_id = v.lead_id and s.buyer_tier_id = v.subject_id)),
    sent as (
      select l.id from lead l left join lead_result r on r.organization_id = l.organization_id and r.lead_id = l.id
        where l.organization_id = ${organizationId} and l.publisher_tier_id = ${id} and l.id >= ${idFloor(since)}
          ${earlierThan('l.id', until)} and not l.test and l.mode <> 'ping'
          and (r.lead_id is null or r.status not in ('invalid', 'duplicate') and r.reason is distinct from 'publisher-tier-filter-failed'))
    select (select count(*) from sold) + (select count(*) from open) as sold,
      coalesce((select sum(payout) * 10000 from sold), 0)::bigint + coalesce((select sum(money) from open), 0)::bigint as money,
      (select count(*) from sent) as sent`.execute(tx);
  return rows[0]!;
}

const earlierThan = (leadId: string, until: Instant | null) =>
  until === null ? sql`` : sql`and ${sql.ref(leadId)} < ${idFloor(until)}::uuid`;

const floorOf = (since: number): string => idFloor(Math.max(0, since - LONGEST_LIFE_MS));

/**
 * What an open post `v` holds in money counters of this owner, what it was raised by included; where it has none, the price it was answered, or
 * the fixed one of its tier, and of that for a publisher tier the payout. Those of one scope claim alike, whatever their periods.
 */
function reservedFor(owner: CapScope['owner'], organizationId: string, id: string) {
  const price = sql`coalesce(
    (select (coalesce(nullif(a.price, 0), a.bid) * 10000)::bigint from attempt a
      where a.organization_id = v.organization_id and a.lead_id = v.lead_id and a.buyer_tier_id = v.subject_id and a.leg = 'post'
      order by a.attempt_index desc limit 1),
    (select (t.price ->> 'price')::bigint from buyer_tier t
      where t.organization_id = v.organization_id and t.id = v.subject_id and t.price ->> 'kind' = 'fixed'))`;
  return sql`coalesce(
    (select sum(most)::bigint from (
      select max((c ->> 1)::bigint) as most from reservation w, jsonb_array_elements(w.claims) c
        where w.organization_id = v.organization_id and w.lead_id = v.lead_id and w.subject_id = v.subject_id and w.purpose in ('post', 'raise')
          and split_part(c ->> 0, ':', 1) = ${scopeOf(owner, id)}::text and split_part(c ->> 0, ':', 2) = 'money'
        group by w.purpose) as held),
    ${owner === 'publisherTier' ? payoutOf(organizationId, id, price) : price}, 0)`;
}

/** As price.ts pays it: the share, the price, or what the margin leaves where that is more. */
function payoutOf(organizationId: string, publisherTierId: string, price: RawBuilder<unknown>) {
  return sql`(select case s.price_model ->> 'kind'
      when 'share' then floor(${price} * (s.price_model ->> 'sharePercent')::numeric / 100)
      when 'fixed' then (s.price_model ->> 'price')::numeric
      else greatest((s.price_model ->> 'price')::numeric, ${price} - case c.margin ->> 'kind'
        when 'fixed' then (c.margin ->> 'amount')::numeric else ceil(${price} * (c.margin ->> 'percent')::numeric / 100) end) end::bigint
    from publisher_tier s join campaign c on c.organization_id = s.organization_id and c.id = s.campaign_id
    where s.organization_id = ${organizationId} and s.id = ${publisherTierId})`;
}
