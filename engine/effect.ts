/**
 * What the engine asks of the world, and what it is told back. The shell (live, testing lab, replay, simulation)
 * carries effects out; the engine itself has no clock, no socket, no database and no chance.
 *
 * `route` (route.ts) is a generator: it yields one Effect at a time and is resumed with the matching EffectResult,
 * which always says what time it is now.
 */
import type { CapMeasure, CapPeriod, Instant, Money } from './plan.ts';

/** A unit to take from one counter. amount 0 only asks whether there is still room (used < limit). */
export interface CapClaim {
  /** Stable name of the counter: `${scopeId}:${measure}:${period}:${windowStart as ISO instant, or 'ever'}`. */
  counter: string;
  /** The publisher tier, buyer tier or buyer the cap belongs to. */
  scopeId: string;
  measure: CapMeasure;
  /** probe: the place of a half-open tier's probe; its window began when the breaker opened. funds: what a buyer may still spend, see funds.ts. */
  period: CapPeriod | 'probe' | 'funds';
  windowStartAt: Instant | null;
  /** When the counter starts again from nothing; null for overall. */
  resetsAt: Instant | null;
  limit: number;
  amount: number;
  /** Of a claim of nothing: how much is to fit all the same. `limit` is lower by it, so that the rule stays the one above. */
  asked?: number;
}

/** Fingerprint inputs are normalised field values; the shell hashes them with the organization's key. */
export interface DuplicateClaim {
  scopeId: string;
  /** One text per fingerprint: for match 'any' one per non-empty field, for 'all' one for all fields together. */
  fingerprints: string[];
  /** Claims made before this instant no longer count. */
  since: Instant;
  /** false only looks; true also takes the fingerprints for this lead. A lead is never a duplicate of itself. */
  claim: boolean;
  /** The rule counts every received lead: the fingerprints stay taken when the reservation is released. */
  keepOnRelease?: boolean;
}

export interface Reservation {
  subject: { kind: 'publisherTier' | 'buyerTier' | 'promotion'; id: string };
  /**
   * admit: publisher tier caps and duplicates. ping: about to ask for a bid. post: about to hand the lead over. call: what a request takes
   * right before it leaves, a probe's place or that of what is sent once services have let it pass.
   * promotion: the buyer took the lead; what a promotion adds to the payout.
   * raise: the buyer took the lead, or may have, at a higher price than its post reserved; money claims for the difference only.
   */
  purpose: 'admit' | 'ping' | 'post' | 'call' | 'raise' | 'promotion';
  claims: CapClaim[];
  duplicate?: DuplicateClaim;
}

export type Refusal = { by: 'cap'; claim: CapClaim; used: number } | { by: 'duplicate'; earlierLeadId: string; claimedAt: Instant };

/** A question to an outside service: P2C before the tree, third-party validation before a buyer tier is tried. */
export interface OutsideCheck {
  subject: { kind: 'publisherTier' | 'buyerTier'; id: string };
  serviceId: string;
  timeoutMs: number;
}

export interface OutsideVerdict {
  outcome: 'passed' | 'refused' | 'error' | 'timeout';
  /** The service's own word. */
  reason?: string;
}

/** A request to a buyer. Exactly one Answer comes back for each call, in the same order. */
export interface BuyerCall {
  buyerTierId: string;
  leg: 'ping' | 'post';
  /** What is left for this call, told to the buyer as X-Deadline-Ms. */
  timeoutMs: number;
  /** Price offered by configuration or by the ping before; absent where the buyer names it. */
  price?: Money;
  /** Captured from the buyer's ping answer (ids, cookies, tokens). */
  captures?: Record<string, string>;
}

export type Effect =
  /** first: grant the first that fits, in order, and say why those before it did not. each: grant or refuse every one. All or nothing per reservation. */
  | { kind: 'reserve'; mode: 'first' | 'each'; reservations: Reservation[] }
  /**
   * Give back what a granted reservation holds (sold and money claims, claimed fingerprints unless keepOnRelease); sent
   * claims stay counted. Never waits. A ping reservation holds nothing that could be given back and is never released; a
   * raise and a promotion end with the post that they belong to and are never released alone. When the shell records a sale it may lower money counters to the
   * sale's own figures (revenue for buyer scopes, payout for the publisher tier's); post and raise together are enough for them.
   */
  | { kind: 'release'; subject: Reservation['subject']; purpose: Reservation['purpose'] }
  /** Ask outside services, all at once; yielded only where a tier configures one. */
  | { kind: 'check'; checks: OutsideCheck[] }
  /** All at once; the shell resolves when each has answered or run out of its time. */
  | { kind: 'call'; calls: BuyerCall[] };

export type AnswerOutcome = 'accepted' | 'rejected' | 'duplicate' | 'pending' | 'error' | 'timeout';

/** A buyer's answer as read by the delivery rules (server/delivery). */
export interface Answer {
  outcome: AnswerOutcome;
  /** The bid at ping, the price paid at post; absent when the buyer named none. */
  price?: Money;
  redirectUrl?: string;
  /** The buyer's own reasons, as said. */
  reasons: string[];
  captures: Record<string, string>;
  /** Bid not valid after this instant. */
  expiresAt?: Instant;
  /** Whether the request may have reached the buyer (false: refused before anything was sent). */
  sent: boolean;
  /** The request arrived, but what came back, if anything, does not tell what the buyer made of it (reset, unreadable, no rule fits). */
  unclear?: boolean;
  /** The buyer takes no more for now: a refusal, but not of this lead. */
  limited?: boolean;
  /** The buyer asks not to be called before this instant. */
  restsUntil?: Instant;
  elapsedMs: number;
}

export type EffectResult =
  | { kind: 'reserve'; now: Instant; granted: number[]; refused: { index: number; refusal: Refusal }[] }
  | { kind: 'release'; now: Instant }
  | { kind: 'check'; now: Instant; verdicts: OutsideVerdict[] }
  | { kind: 'call'; now: Instant; answers: Answer[]; publisherGone?: boolean };
