/** What a settled lead leaves in the counters of caps, and of what a buyer owes. Amounts of money are ten-thousandths. */
import { sql } from 'kysely';
import { addClaims } from '#engine/cap.ts';
import { paidTo } from '#engine/conclude.ts';
import type { PromotionShare, Sale } from '#engine/decision.ts';
import type { CapClaim } from '#engine/effect.ts';
import { formatMoney } from '#engine/money.ts';
import type { Instant } from '#engine/plan.ts';
import { withPromotion } from '#engine/price.ts';
import { promotionClaims } from '#engine/promotion.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { findBalance } from '#server/ledger/entry.sql.ts';
import type { LeadToSettle } from './settled-lead.sql.ts';
import { SettlementRefused } from './settlement-refused.ts';
import type { Terms } from './settlement-terms.ts';

/** What a lead had claimed of a counter. */
interface Taken {
  counter: string;
  amount: number;
  /** Of money: what it claimed under the same cap in the window before, and in the one after, where its price was raised once that of its post was over. */
  inEarlier: number;
  inLater: number;
}

interface Change {
  counter: string;
  change: number;
}

/** Ends the reservation of a held lead and what came on top of it, and gives back all that they took; its consumer may come again. */
export async function giveBack(db: Db, organizationId: string, leadId: string, buyerTierId: string): Promise<void> {
  await lockCounters(db, organizationId, leadId, buyerTierId, []);
  const { claims, fingerprints } = await closeReservation(db, organizationId, leadId, buyerTierId);
  if (fingerprints.length > 0)
    await db
      .deleteFrom('duplicate_claim')
      .where('organization_id', '=', organizationId)
      .where('scope_id', '=', buyerTierId)
      .where('lead_id', '=', leadId)
      .where('fingerprint', 'in', fingerprints)
      .execute();
  await changeCounters(
    db,
    organizationId,
    claims.map(({ counter, amount }) => ({ counter, change: -amount })),
  );
}

export interface SaleToCount {
  lead: LeadToSettle;
  terms: Terms;
  sale: Sale;
  /** Promotions that may raise it, in their order. */
  rises: readonly PromotionShare[];
  /** held: its places are taken. late: they were given back, and are taken again in every window that still runs: it is a fact. */
  kind: 'held' | 'late';
  /** Throws where its money, or the place that a late one takes again, does not fit, as a sale at once would not be made. */
  mustFit: boolean;
}

/**
 * Places in caps stay taken; money counts what is paid, in every cap there is, less what the lead had claimed. What the buyer owes follows
 * from its entries alone. The counters are locked first, as every batch of leads does. Returns the sale with the first promotion that has room.
 */
export async function countSale(db: Db, organizationId: string, counted: SaleToCount, now: Instant): Promise<Sale> {
  const { lead, sale: agreed, rises, kind, mustFit } = counted;
  const { leadId } = lead;
  const { buyerTierId } = agreed;
  const at = (await findBooking(db, organizationId, leadId, buyerTierId))?.getTime() ?? now;
  const choices = [...rises.map((share): Sale => ({ ...agreed, ...withPromotion(agreed, share) })), agreed].map((sale) => ({
    sale,
    claims: lead.test ? [] : wantedClaims(counted, sale, at, now),
  }));
  const used = await lockCounters(
    db,
    organizationId,
    leadId,
    buyerTierId,
    choices.flatMap(({ claims }) => claims),
  );
  const taken = kind === 'held' ? (await closeReservation(db, organizationId, leadId, buyerTierId)).claims : [];
  const roomFor = (claim: CapClaim): Room => {
    const before = taken.find(({ counter }) => counter === claim.counter);
    const amount = Math.max(0, claim.amount - (before?.inEarlier ?? 0));
    return { claim: { ...claim, amount }, more: amount - (before?.amount ?? 0), used: used.get(claim.counter) ?? 0 };
  };
  const hasRoomToRise = ({ sale, claims }: (typeof choices)[number]) =>
    claims.filter((claim) => isRaised(claim, sale, lead)).every((claim) => fits(roomFor(claim)));
  const chosen = choices.find((choice) => choice.sale === agreed || hasRoomToRise(choice))!;
  const { sale } = chosen;
  // What it claimed under the same cap in another window stands there.
  const wanted = chosen.claims.filter(
    ({ counter }) =>
      taken.some((one) => one.counter === counter) || !isMoney(counter) || !taken.some((one) => capOf(one.counter) === capOf(counter)),
  );
  if (mustFit) for (const claim of wanted) requireRoom(roomFor(claim));
  const scopes = new Set([sale.buyerTierId, sale.buyerId, lead.publisherTierId, sale.promotion?.promotionId]);
  const paid = (scopeId: string) => (scopes.has(scopeId) ? paidTo(sale, scopeId) : 0);
  await changeCounters(db, organizationId, [
    ...taken.map((claim) => keptAt(claim, paid, scopes)),
    ...wanted
      .filter((claim) => claim.period !== 'funds' && !taken.some((one) => one.counter === claim.counter))
      .map(({ counter, amount }) => ({ counter, change: amount })),
  ]);
  return sale;
}

/** What a promotion asks room for: its own caps, and the publisher tier's in money. */
const isRaised = ({ scopeId, measure }: CapClaim, { promotion }: Sale, { publisherTierId }: LeadToSettle): boolean =>
  scopeId === promotion?.promotionId || (scopeId === publisherTierId && measure === 'money');

/** A promised promotion that could not be paid gives its place back too. */
function keptAt(
  { counter, amount, inEarlier, inLater }: Taken,
  paid: (scopeId: string) => number,
  scopes: ReadonlySet<string | undefined>,
): Change {
  const [scopeId = '', measure, period] = counter.split(':');
  if (period === 'funds' || !scopes.has(scopeId)) return { counter, change: -amount };
  if (measure !== 'money') return { counter, change: 0 };
  const due = Math.max(0, paid(scopeId) - inEarlier);
  return { counter, change: (inLater > 0 ? Math.min(due, amount) : due) - amount };
}

/** By the caps there are now, in the windows of what it booked last. */
function wantedClaims({ terms: { tier, seat }, sale: agreed, kind }: SaleToCount, sale: Sale, at: Instant, now: Instant): CapClaim[] {
  const places = kind === 'late' ? { sold: 1 } : {};
  const claims: CapClaim[] = [];
  addClaims(claims, [...(tier?.caps ?? []), ...(tier?.buyerCaps ?? [])], { ...places, money: sale.revenue }, at);
  addClaims(claims, seat.caps, { ...places, money: sale.payout }, at);
  // A held one has taken its place of the promotion that was promised for it.
  const isToTake = kind === 'late' || !agreed.promotion;
  const promotion = isToTake ? seat.promotions.find(({ config }) => config.id === sale.promotion?.promotionId) : undefined;
  if (promotion) claims.push(...promotionClaims(promotion, sale.promotion!.extra, at));
  return claims.filter((claim) => claim.resetsAt === null || claim.resetsAt > now);
}

interface Room {
  claim: CapClaim;
  /** Beyond what the lead has claimed. */
  more: number;
  /** By all, this lead among them. */
  used: number;
}

const fits = ({ claim, more, used }: Room): boolean => more <= 0 || used + more <= claim.limit;

function requireRoom(room: Room): void {
  if (fits(room)) return;
  const { more, used } = room;
  const { period, measure, limit, amount } = room.claim;
  if (measure !== 'money')
    throw new SettlementRefused(
      'settlement_cap_full',
      'A cap of sold leads is full: the place of this lead was given back when its time was over. It stays open until we settle it.',
    );
  const left = formatMoney(Math.max(0, limit - used + amount - more));
  if (period === 'funds')
    throw new SettlementRefused(
      'settlement_funds_short',
      `The balance of the buyer does not pay ${formatMoney(amount)}: ${left} is left for this lead. It stays held until the balance is topped up, or we settle it.`,
    );
  throw new SettlementRefused(
    'settlement_cap_full',
    `${formatMoney(amount)} does not fit under a money cap: ${left} is left for this lead. It stays held until we settle it.`,
  );
}

/** Of `wanted` and of what the lead has claimed, in order; returns what is used, what a buyer owes by its balance included. */
async function lockCounters(
  db: Db,
  organizationId: string,
  leadId: string,
  buyerTierId: string,
  wanted: CapClaim[],
): Promise<Map<string, number>> {
  const rows = wanted.map(({ counter, scopeId, measure, period, resetsAt }) => ({
    ...{ counter, scope_id: scopeId, measure, period },
    resets_at: resetsAt === null ? null : new Date(resetsAt),
  }));
  await sql`insert into counter (organization_id, counter, scope_id, measure, period, resets_at)
    select ${organizationId}::uuid, n.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as n (counter text, scope_id uuid, measure text, period text, resets_at timestamptz)
    order by n.counter on conflict do nothing`.execute(db);
  const locked = await sql<{ counter: string; used: string; scope_id: string; period: string }>`
    select counter, used::text, scope_id, period from counter where organization_id = ${organizationId}
      and (counter = any (${wanted.map(({ counter }) => counter)}::text[])
        or counter in (select c ->> 0 from reservation v, jsonb_array_elements(v.claims) c where ${held(organizationId, leadId, buyerTierId)}))
      order by counter for update`.execute(db);
  const used = new Map(locked.rows.map((row) => [row.counter, Number(row.used)]));
  for (const { counter, scope_id } of locked.rows.filter((row) => row.period === 'funds'))
    used.set(counter, used.get(counter)! - (await findBalance(db, organizationId, { kind: 'buyer', id: scope_id })));
  return used;
}

const held = (organizationId: string, leadId: string, buyerTierId: string) =>
  sql`organization_id = ${organizationId} and lead_id = ${leadId} and subject_id = ${buyerTierId} and purpose in ('post', 'raise', 'promotion')`;

/** Throws where a node came back meanwhile and ended it itself. */
async function closeReservation(
  db: Db,
  organizationId: string,
  leadId: string,
  buyerTierId: string,
): Promise<{ claims: Taken[]; fingerprints: string[] }> {
  const { rows } = await sql<Booked>`
    delete from reservation where ${held(organizationId, leadId, buyerTierId)} and (purpose <> 'post' or unknown_since is not null)
      returning purpose, claims, fingerprints`.execute(db);
  const post = rows.find((row) => row.purpose === 'post');
  if (!post) throw new HttpError(409, 'settlement_gone', 'The lead has just been settled by itself. Look at it again.');
  return { claims: takenBy(rows), fingerprints: post.fingerprints };
}

export interface Booked {
  purpose: string;
  claims: [counter: string, amount: number][];
  fingerprints: string[];
}

/** By counter. Each booking claims one amount of money for a party, under all of its caps. */
export function takenBy(rows: readonly Pick<Booked, 'purpose' | 'claims'>[]): Taken[] {
  const amounts = new Map<string, number>();
  for (const [counter, amount] of rows.flatMap((row) => row.claims)) amounts.set(counter, (amounts.get(counter) ?? 0) + amount);
  const atPost = new Set(rows.filter(({ purpose }) => purpose === 'post').flatMap(({ claims }) => claims.map(([counter]) => counter)));
  const isSplit = (counter: string) => [...amounts.keys()].some((other) => !atPost.has(other) && capOf(other) === capOf(counter));
  return [...amounts].map(([counter, amount]) => {
    const elsewhere = isMoney(counter) && isSplit(counter) ? totalOf(rows, counter) - amount : 0;
    return { counter, amount, inEarlier: atPost.has(counter) ? 0 : elsewhere, inLater: atPost.has(counter) ? elsewhere : 0 };
  });
}

/** Of a counter's name all but the window; caps of one period in several zones are one here. */
const capOf = (counter: string): string => counter.split(':').slice(0, 3).join(':');
const isMoney = (counter: string): boolean => /^[^:]+:money:(?!funds:)/.test(counter);

/** What all bookings claim of money for the party of a counter. */
const totalOf = (rows: readonly Pick<Booked, 'claims'>[], counter: string): number =>
  rows.reduce(
    (sum, { claims }) => sum + Math.max(0, ...claims.flatMap(([other, amount]) => (capOf(other) === capOf(counter) ? [amount] : []))),
    0,
  );

async function changeCounters(db: Db, organizationId: string, changes: Change[]): Promise<void> {
  for (const { counter, change } of changes.filter((one) => one.change !== 0))
    await db
      .updateTable('counter')
      .set({ used: sql`greatest(0, used + ${change}::bigint)` })
      .where('organization_id', '=', organizationId)
      .where('counter', '=', counter)
      .execute();
}

/** When it booked last, or was posted where nothing of that is left: its windows began before. */
async function findBooking(db: Db, organizationId: string, leadId: string, buyerTierId: string): Promise<Date | undefined> {
  const booked = await sql<{ reserved_at: Date | null }>`
    select max(reserved_at) as reserved_at from reservation where ${held(organizationId, leadId, buyerTierId)}`.execute(db);
  if (booked.rows[0]?.reserved_at) return booked.rows[0].reserved_at;
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
