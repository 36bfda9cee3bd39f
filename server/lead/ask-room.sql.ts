/** Whether there would be room for reservations, by the counters and duplicates that leads are booked in. Reads only: nothing is taken or locked. */
import { sql } from 'kysely';
import type { CapClaim, DuplicateClaim, Refusal, Reservation } from '#engine/effect.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';

type Held = Map<string, { leadId: string; claimedAt: number }>;

/** One answer for each reservation, in order; undefined where all of it would be granted. */
export async function askRoom(db: Db, keys: OrganizationKeys, reservations: readonly Reservation[]): Promise<(Refusal | undefined)[]> {
  const [used, held] = await Promise.all([
    readCounters(
      db,
      keys.organizationId,
      reservations.flatMap(({ claims }) => claims),
    ),
    readClaims(
      db,
      keys,
      reservations.flatMap(({ duplicate }) => (duplicate ? [duplicate] : [])),
    ),
  ]);
  return reservations.map(({ claims, duplicate }) => {
    // The same rule as `book` goes by: who only asks needs one unit free.
    const full = claims.find((claim) => (used.get(claim.counter) ?? 0) + Math.max(claim.amount, 1) > claim.limit);
    if (full) return { by: 'cap', claim: full, used: used.get(full.counter) ?? 0 };
    return duplicate && earlierOf(keys, duplicate, held);
  });
}

/** Used units by counter; what a buyer owes by its balance is used up as well. */
async function readCounters(db: Db, organizationId: string, claims: CapClaim[]): Promise<Map<string, number>> {
  if (claims.length === 0) return new Map();
  const names = [...new Set(claims.map(({ counter }) => counter))];
  const { rows } = await sql<{ counter: string; used: number }>`
    select counter, used::float8 as used from counter where organization_id = ${organizationId}::uuid and counter = any(${names}::text[])`.execute(
    db,
  );
  const used = new Map(rows.map((row) => [row.counter, row.used]));
  const funds = claims.filter(({ period }) => period === 'funds');
  if (funds.length === 0) return used;
  const balances = await sql<{ party_id: string; owed: number }>`
    select party_id, -(amount * 10000)::float8 as owed from balance
      where organization_id = ${organizationId}::uuid and party_kind = 'buyer' and party_id = any(${funds.map(({ scopeId }) => scopeId)}::uuid[])`.execute(
    db,
  );
  const owed = new Map(balances.rows.map((row) => [row.party_id, row.owed]));
  for (const { counter, scopeId } of funds) if (owed.has(scopeId)) used.set(counter, (used.get(counter) ?? 0) + owed.get(scopeId)!);
  return used;
}

async function readClaims(db: Db, keys: OrganizationKeys, asked: DuplicateClaim[]): Promise<Held> {
  const prints = asked.flatMap(({ scopeId, fingerprints }) => fingerprints.map((text) => ({ scopeId, print: printOf(keys, text) })));
  if (prints.length === 0) return new Map();
  const { rows } = await sql<{ scope_id: string; fingerprint: string; lead_id: string; claimed_at: Date }>`
    select c.scope_id, c.fingerprint, c.lead_id, c.claimed_at
      from unnest(${prints.map((one) => one.scopeId)}::uuid[], ${prints.map((one) => one.print)}::uuid[]) as n (s, f)
      join duplicate_claim c on c.organization_id = ${keys.organizationId}::uuid and c.scope_id = n.s and c.fingerprint = n.f`.execute(db);
  return new Map(rows.map((row) => [row.scope_id + row.fingerprint, { leadId: row.lead_id, claimedAt: row.claimed_at.getTime() }]));
}

function earlierOf(keys: OrganizationKeys, { scopeId, fingerprints, since }: DuplicateClaim, held: Held): Refusal | undefined {
  for (const text of fingerprints) {
    const earlier = held.get(scopeId + printOf(keys, text));
    if (earlier && earlier.claimedAt >= since) return { by: 'duplicate', earlierLeadId: earlier.leadId, claimedAt: earlier.claimedAt };
  }
  return undefined;
}

const printOf = (keys: OrganizationKeys, text: string): string => keyedHash(keys, 'duplicate', text);
