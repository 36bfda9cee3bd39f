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

/** The spec's filter reason keys (console §4): caps 1 daily (and hourly), 2 weekly, 3 monthly, 5 overall; 4 pause date; 6 operation hours; 7 filter; 8 duplicate. Ours: 9 breaker, 10 balance, 11 the buyer asked to wait, 12 throttle. */
export type FilterReasonKey = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

/** attempts counts all of them (console §3). notReached: never offered, with the reason why not. */
export type Outcome = 'sold' | 'rejected' | 'terrors' | 'timeouts' | 'filtered' | 'notReached';

/** Everything the engine can say; explain.ts has the sentence for each. */
export type ExplanationCode =
  // the lead as a whole
  | 'publisher-tier-unknown'
  | 'left-out-of-plan'
  | 'fields-invalid'
  | 'person-erased'
  | 'suppressed'
  | 'bank-blocked'
  | 'bin-blocked'
  | 'admitted'
  | 'test-value'
  | 'test-would-ask'
  | 'test-not-sent'
  | 'test-nobody'
  | 'p2c-passed'
  | 'p2c-refused'
  | 'sold'
  | 'unsold'
  | 'bids-offered'
  | 'no-bids'
  | 'variant-taken'
  | 'interrupted'
  | 'explanation-lost'
  | 'lead-not-routed'
  // checks of a publisher tier or buyer tier
  | 'not-active'
  | 'pause-date'
  | 'closed-hours'
  | 'filter-missed'
  | 'filter-empty'
  | 'price-under-floor'
  | 'margin-too-small'
  | 'payout-under-minimum'
  | 'cap-reached'
  | 'funds-short'
  | 'duplicate'
  | 'breaker-open'
  | 'breaker-probing'
  | 'buyer-resting'
  | 'throttled'
  | 'throttled-share'
  | 'third-party-passed'
  | 'third-party-refused'
  // order and bids
  | 'group-started'
  | 'pinged'
  | 'bid'
  | 'no-bid'
  | 'bid-under-floor'
  | 'bid-under-margin'
  | 'bid-expired'
  | 'offered'
  | 'outbid'
  // posting
  | 'posted'
  | 'buyer-rejected'
  | 'buyer-limited'
  | 'buyer-duplicate'
  | 'buyer-error'
  | 'buyer-timeout'
  | 'held-pending'
  | 'held-timeout'
  | 'held-unclear'
  | 'held-no-price'
  | 'held-price-refused'
  | 'held-price-too-low'
  | 'held-price-over-cap'
  | 'held-over-cap'
  | 'price-held-to-cap'
  | 'settled-bought'
  | 'settled-not-bought'
  | 'promotion-paid'
  | 'promotion-cut'
  | 'promotion-used-up'
  | 'bought'
  // never offered
  | 'sold-before-turn'
  | 'buyer-already-bought'
  | 'tier-limit'
  | 'deadline'
  | 'group-time-up'
  | 'publisher-gone'
  | 'held-before-turn'
  | 'offers-before-turn'
  | 'price-unknown-at-ping'
  | 'reservation-unanswered';

/** One line "why" or "why not": a code with its figures, rendered by explain.ts. Money in params is text, instants are numbers. */
export interface Explanation {
  code: ExplanationCode;
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
  /** The spec's reason where it has one for a buyer tier. */
  reason?: Reason;
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
  /** What this request came to. notReached: a ping that was answered with a usable bid decides nothing by itself. */
  outcome: Outcome;
  bid?: Money;
  price?: Money;
  reasons: string[];
  /** Place in the decision's order of calls, from 0; the shell keeps the wire record under the same number. */
  index: number;
}

/** What a promotion adds to a payout; `extra` is part of the payout already. */
export interface PromotionShare {
  promotionId: string;
  name: string;
  extra: Money;
  /** Whether it may go below the least margin, as it was when it was promised or paid. */
  belowMargin: boolean;
}

export interface Sale {
  buyerTierId: string;
  buyerId: string;
  /** What the buyer pays. */
  revenue: Money;
  /** What the publisher gets. */
  payout: Money;
  margin: Money;
  promotion?: PromotionShare;
  bid?: Money;
  postPriceDiffers: boolean;
  redirectUrl?: string;
  buyerRef?: string;
}

export interface BidOffer {
  buyerTierId: string;
  bid: Money;
  payout: Money;
  promotion?: PromotionShare;
  captures: Record<string, string>;
  expiresAt: Instant;
}

/** What the publisher would be paid for one of several sales. */
export type PromisedSale = Pick<BidOffer, 'payout' | 'expiresAt'>;

/** invalid, rejected and duplicate never reached the tree. held: an answer is outstanding and must be settled first. */
export type LeadStatus = 'sold' | 'unsold' | 'invalid' | 'rejected' | 'duplicate' | 'held' | 'error' | 'bid' | 'noBid';

export interface FieldError {
  field: string;
  message: string;
}

export interface VariantTaken {
  testId: string;
  variantId: string;
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
  /** Only for status bid, where the campaign sells a lead to several: one for each sale that the offers give, in the order of the post. */
  promisedSales?: PromisedSale[];
  attempts: AttemptRecord[];
  verdicts: Verdict[];
  steps: Step[];
  /** Buyer tiers whose answer is outstanding or disputed; their reservations stay until a person or a late answer settles them. */
  heldBuyerTierIds?: string[];
  /** The variant of the A/B test by which the lead was routed. */
  variant?: VariantTaken;
  /** Present where test values decided: nothing was reserved or sent and nothing may be counted; `payout` is what to tell the publisher. */
  test?: { result: 'sold' | 'rejected' | 'timeout' | 'error'; payout?: Money };
}
