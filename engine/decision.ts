/** What the engine concludes about one lead, and why; everything a person can be shown comes from here. */
import type { AnswerOutcome } from './effect.ts';
import type { Instant, Money } from './plan.ts';

/** The spec's internal decline reasons (console §4), to the letter, and those of ours that it has no word for. */
export type Reason =
  | 'publisher-validation-failed'
  | 'publisher-tier-filter-failed'
  | 'publisher-tier-lead-duplicate-failed'
  | 'publisher-tier-p2c-api-failed'
  | 'buyer-tier-check-duplicate-failed'
  | 'buyer-tier-third-party-service-validation-failed'
  | 'buyer-tier-response-rejected'
  | 'buyer-all-tier-failed'
  | 'interrupted'
  | 'held-for-settlement';

/** The spec's filter reason keys (console §4): caps 1 daily (and hourly), 2 weekly, 3 monthly, 5 overall; 4 pause date; 6 operation hours; 7 filter; 8 duplicate. */
export type FilterReasonKey = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** attempts counts all of them (console §3). notReached: never offered, with the reason why not. */
export type Outcome = 'sold' | 'rejected' | 'terrors' | 'timeouts' | 'filtered' | 'notReached';

/** One line "why" or "why not": a code with its figures, rendered by explain.ts. */
export interface Explanation {
  code: string;
  params: Record<string, string | number | boolean | null>;
}

export interface Step extends Explanation {
  at: Instant;
  groupId?: string;
  buyerTierId?: string;
}

/** The engine's word on one buyer tier; each tier of the tree has exactly one per lead. */
export interface Verdict {
  buyerTierId: string;
  groupId: string;
  outcome: Outcome;
  filterReasonKey?: FilterReasonKey;
  why: Explanation;
}

/** One request that left for a buyer. */
export interface AttemptRecord {
  buyerTierId: string;
  groupId: string;
  leg: 'ping' | 'post';
  startedAt: Instant;
  elapsedMs: number;
  answer: AnswerOutcome;
  outcome: Outcome;
  bid?: Money;
  price?: Money;
  reasons: string[];
  /** Place in the decision's order of calls, from 0; the shell keeps the wire record under the same number. */
  index: number;
}

export interface Sale {
  buyerTierId: string;
  buyerId: string;
  /** What the buyer pays. */
  revenue: Money;
  /** What the publisher gets. */
  payout: Money;
  margin: Money;
  bid?: Money;
  postPriceDiffers: boolean;
  redirectUrl?: string;
  buyerRef?: string;
}

export interface BidOffer {
  buyerTierId: string;
  bid: Money;
  payout: Money;
  captures: Record<string, string>;
  expiresAt: Instant;
}

/** invalid, rejected and duplicate never reached the tree. held: an answer is outstanding and must be settled first. */
export type LeadStatus = 'sold' | 'unsold' | 'invalid' | 'rejected' | 'duplicate' | 'held' | 'error' | 'bid' | 'noBid';

export interface FieldError {
  field: string;
  message: string;
}

export interface Decision {
  status: LeadStatus;
  reason?: Reason;
  why: Explanation;
  errors: FieldError[];
  duplicateOfLeadId?: string;
  sales: Sale[];
  /** Only for status bid: best first. */
  offers: BidOffer[];
  attempts: AttemptRecord[];
  verdicts: Verdict[];
  steps: Step[];
}
