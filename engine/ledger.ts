/**
 * Caps, reservations and duplicates in memory: what PostgreSQL does for the live shell, for the testing lab, replay,
 * simulation and the demo history. Every rule of Effect's reserve and release holds here.
 */
import { paidTo } from './conclude.ts';
import type { Decision } from './decision.ts';
import type { CapClaim, DuplicateClaim, Effect, Refusal, Reservation } from './effect.ts';
import type { Instant } from './plan.ts';

type ReserveEffect = Extract<Effect, { kind: 'reserve' }>;
type ReleaseEffect = Extract<Effect, { kind: 'release' }>;

export interface InMemoryLedger {
  reserve(leadId: string, effect: ReserveEffect, now: Instant): { granted: number[]; refused: { index: number; refusal: Refusal }[] };
  release(leadId: string, effect: ReleaseEffect): void;
  /** Ends the lead: a sale's reservations become final at its own figures; those of held tiers stay open. */
  settle(leadId: string, decision: Decision): void;
  used(counter: string): number;
  counters(): ReadonlyMap<string, { used: number; limit: number }>;
  /** Reservations that are neither settled nor given back, as 'leadId subjectId purpose'. */
  open(): string[];
}

interface Ledger {
  counters: Map<string, { used: number; limit: number }>;
  prints: Map<string, { leadId: string; claimedAt: Instant }>;
  /** By lead, then by subject and purpose: held leads keep theirs, and nobody walks over all of them. */
  holdings: Map<string, Map<string, Reservation>>;
}

/** `begun`: what counters have used already, in units or ten-thousandths. */
export function createLedger(begun: ReadonlyMap<string, number> = new Map()): InMemoryLedger {
  const counters = new Map([...begun].map(([counter, used]) => [counter, { used, limit: used }]));
  const ledger: Ledger = { counters, prints: new Map(), holdings: new Map() };
  return {
    reserve: (leadId, effect, now) => reserve(ledger, leadId, effect, now),
    release: (leadId, { subject, purpose }) => release(ledger, leadId, nameOf(subject.id, purpose)),
    settle: (leadId, decision) => settle(ledger, leadId, decision),
    used: (counter) => ledger.counters.get(counter)?.used ?? 0,
    counters: () => ledger.counters,
    open: () => [...ledger.holdings].flatMap(([leadId, own]) => [...own.keys()].map((name) => `${leadId} ${name}`)),
  };
}

function reserve(ledger: Ledger, leadId: string, effect: ReserveEffect, now: Instant) {
  const granted: number[] = [];
  const refused: { index: number; refusal: Refusal }[] = [];
  for (const [index, reservation] of effect.reservations.entries()) {
    const refusal = refusalOf(ledger, leadId, reservation);
    if (refusal) refused.push({ index, refusal });
    else {
      granted.push(index);
      take(ledger, leadId, reservation, now);
      if (effect.mode === 'first') break;
    }
  }
  return { granted, refused };
}

function refusalOf(ledger: Ledger, leadId: string, { claims, duplicate }: Reservation): Refusal | undefined {
  const full = claims.find((claim) => !fits(ledger, claim));
  if (full) return { by: 'cap', claim: full, used: ledger.counters.get(full.counter)?.used ?? 0 };
  return duplicate && findDuplicate(ledger, leadId, duplicate);
}

function fits(ledger: Ledger, claim: CapClaim): boolean {
  const used = ledger.counters.get(claim.counter)?.used ?? 0;
  return claim.amount === 0 ? used < claim.limit : used + claim.amount <= claim.limit;
}

function findDuplicate(ledger: Ledger, leadId: string, claim: DuplicateClaim): Refusal | undefined {
  for (const fingerprint of claim.fingerprints) {
    const earlier = ledger.prints.get(printKey(claim, fingerprint));
    if (earlier && earlier.leadId !== leadId && earlier.claimedAt >= claim.since) {
      return { by: 'duplicate', earlierLeadId: earlier.leadId, claimedAt: earlier.claimedAt };
    }
  }
  return undefined;
}

function take(ledger: Ledger, leadId: string, reservation: Reservation, now: Instant): void {
  for (const claim of reservation.claims) if (claim.amount > 0) add(ledger, claim, claim.amount);
  const { duplicate } = reservation;
  if (duplicate?.claim)
    for (const print of duplicate.fingerprints) ledger.prints.set(printKey(duplicate, print), { leadId, claimedAt: now });
  if (returnable(reservation).length > 0 || (duplicate?.claim && !duplicate.keepOnRelease)) {
    const own = ledger.holdings.get(leadId) ?? new Map<string, Reservation>();
    own.set(nameOf(reservation.subject.id, reservation.purpose), reservation);
    ledger.holdings.set(leadId, own);
  }
}

function add(ledger: Ledger, claim: CapClaim, amount: number): void {
  const counter = ledger.counters.get(claim.counter) ?? { used: 0, limit: claim.limit };
  ledger.counters.set(claim.counter, { used: counter.used + amount, limit: claim.limit });
}

/** Sent claims stay counted whatever happens. */
function returnable(reservation: Reservation): CapClaim[] {
  return reservation.claims.filter((claim) => claim.measure !== 'sent' && claim.amount > 0);
}

/** What the lead held under this name, and holds no longer. */
function takeHolding(ledger: Ledger, leadId: string, name: string): Reservation | undefined {
  const own = ledger.holdings.get(leadId);
  const held = own?.get(name);
  own?.delete(name);
  if (own?.size === 0) ledger.holdings.delete(leadId);
  return held;
}

function release(ledger: Ledger, leadId: string, name: string): void {
  const held = takeHolding(ledger, leadId, name);
  if (!held) return;
  for (const claim of returnable(held)) add(ledger, claim, -claim.amount);
  const { duplicate } = held;
  if (!duplicate?.claim || duplicate.keepOnRelease) return;
  for (const print of duplicate.fingerprints) forget(ledger, printKey(duplicate, print), leadId);
}

function forget(ledger: Ledger, key: string, leadId: string): void {
  if (ledger.prints.get(key)?.leadId === leadId) ledger.prints.delete(key);
}

function settle(ledger: Ledger, leadId: string, decision: Decision): void {
  for (const sale of decision.sales) {
    const due = new Map<string, number>();
    const paidFor = (claim: CapClaim) => paidTo(sale, claim.scopeId);
    for (const purpose of ['post', 'raise', 'promotion'] as const)
      settleHolding(ledger, leadId, nameOf(sale.buyerTierId, purpose), due, paidFor);
  }
  if (decision.sales.length === 0) return;
  for (const [name, { purpose }] of [...(ledger.holdings.get(leadId) ?? [])]) if (purpose === 'admit') takeHolding(ledger, leadId, name);
}

/** Post and raise together may hold more than was paid in the end; the counter keeps what was paid. */
function settleHolding(ledger: Ledger, leadId: string, name: string, due: Map<string, number>, paidFor: (claim: CapClaim) => number): void {
  const held = takeHolding(ledger, leadId, name);
  if (!held) return;
  for (const claim of held.claims) {
    if (claim.measure !== 'money') continue;
    const left = due.get(claim.counter) ?? paidFor(claim);
    if (claim.amount > left) add(ledger, claim, left - claim.amount);
    due.set(claim.counter, Math.max(0, left - claim.amount));
  }
}

function nameOf(subjectId: string, purpose: string): string {
  return `${subjectId} ${purpose}`;
}

function printKey(claim: DuplicateClaim, fingerprint: string): string {
  return `${claim.scopeId} ${fingerprint}`;
}
