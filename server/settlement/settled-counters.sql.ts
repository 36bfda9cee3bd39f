/** What a settled lead leaves in the counters of caps, and of what a buyer owes. */
import { sql } from 'kysely';
import type { CompiledCap } from '#engine/cap.ts';
import type { CapClaim } from '#engine/effect.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { LeadToSettle } from './settled-lead.sql.ts';

export interface Claim {
  counter: string;
  amount: number;
}

/**
 * Ends the reservation of a held lead and returns what it claims. Its counters are locked before it, as every batch of leads does;
 * `frees`: its consumer may come again. Throws where a node came back meanwhile and ended it itself.
 */
export async function closeReservation(
  db: Db,
  organizationId: string,
  leadId: string,
  buyerTierId: string,
  frees: boolean,
): Promise<Claim[]> {
  const mine = sql`organization_id = ${organizationId} and lead_id = ${leadId} and subject_id = ${buyerTierId} and purpose = 'post' and unknown_since is not null`;
  await sql`select 1 from counter where organization_id = ${organizationId}
    and counter in (select c ->> 0 from reservation v, jsonb_array_elements(v.claims) c where ${mine}) order by counter for update`.execute(
    db,
  );
  const { rows } = await sql<{
    claims: [string, number][];
    fingerprints: string[];
  }>`delete from reservation where ${mine} returning claims, fingerprints`.execute(db);
  const [held] = rows;
  if (!held) throw new HttpError(409, 'settlement_gone', 'The lead has just been settled by itself. Look at it again.');
  if (frees && held.fingerprints.length > 0)
    await db
      .deleteFrom('duplicate_claim')
      .where('organization_id', '=', organizationId)
      .where('scope_id', '=', buyerTierId)
      .where('lead_id', '=', leadId)
      .where('fingerprint', 'in', held.fingerprints)
      .execute();
  return held.claims.map(([counter, amount]) => ({ counter, amount }));
}

export async function changeCounters(db: Db, organizationId: string, changes: { counter: string; change: number }[]): Promise<void> {
  for (const { counter, change } of changes.filter((one) => one.change !== 0))
    await db
      .updateTable('counter')
      .set({ used: sql`greatest(0, used + ${change}::bigint)` })
      .where('organization_id', '=', organizationId)
      .where('counter', '=', counter)
      .execute();
}

/** A late yes had given its places back; it takes them again in every window that still runs, over the limit where it must: it is a fact. */
export async function countLateSale(
  db: Db,
  { organizationId, plan }: OrganizationPlan,
  lead: LeadToSettle,
  sale: { buyerTierId: string; revenue: Money; payout: Money },
  now: Instant,
): Promise<void> {
  const tier = [...plan.campaigns.values()]
    .flatMap((one) => one.groups)
    .flatMap((one) => one.members)
    .find((one) => one.tier.config.id === sale.buyerTierId)?.tier;
  const seat = plan.publisherTiers.get(lead.publisherTierId);
  const post = await findPost(db, organizationId, lead.leadId, sale.buyerTierId);
  const at = post?.getTime() ?? now;
  const claims = [
    ...claimsOf([...(tier?.caps ?? []), ...(tier?.buyerCaps ?? [])], sale.revenue, at),
    ...claimsOf(seat?.caps ?? [], sale.payout, at),
  ].filter((claim) => claim.period !== 'funds' && (claim.resetsAt === null || claim.resetsAt > now));
  for (const claim of claims.toSorted((a, b) => (a.counter < b.counter ? -1 : 1)))
    await sql`insert into counter as c (organization_id, counter, scope_id, measure, period, used, resets_at)
      values (${organizationId}, ${claim.counter}, ${claim.scopeId}, ${claim.measure}, ${claim.period}, ${claim.amount}, ${claim.resetsAt === null ? null : new Date(claim.resetsAt)})
      on conflict (organization_id, counter) do update set used = c.used + excluded.used`.execute(db);
}

/** What was sent was counted when it was sent. */
function claimsOf(caps: readonly CompiledCap[], money: Money, at: Instant): CapClaim[] {
  return caps.filter((cap) => cap.measure !== 'sent').map((cap) => cap.claimAt(at, cap.measure === 'money' ? money : 1));
}

async function findPost(db: Db, organizationId: string, leadId: string, buyerTierId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('attempt')
    .select('started_at')
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .where('buyer_tier_id', '=', buyerTierId)
    .where('leg', '=', 'post')
    .orderBy('attempt_index', 'desc')
    .executeTakeFirst();
  return row?.started_at;
}
