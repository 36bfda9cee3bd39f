/** How the console names declines and filters (console §4, to the letter; our own additions last). */
import type { FilterReasonKey, Reason } from './decision.ts';

export const DECLINE_LABELS: Readonly<Record<Reason, string>> = {
  'buyer-tier-check-duplicate-failed': 'Duplicate',
  'publisher-tier-p2c-api-failed': 'P2C dontBuy',
  'publisher-tier-filter-failed': 'Conditional Filter',
  'publisher-tier-lead-duplicate-failed': 'Duplicate',
  'buyer-tier-third-party-service-validation-failed': 'Third party validation failed',
  'buyer-all-tier-failed': 'Buyer(s) Declined',
  'buyer-tier-response-rejected': 'Buyer(s) Declined',
  'publisher-validation-failed': 'Invalid Data',
  interrupted: 'Interrupted',
  'held-for-settlement': 'Awaiting Settlement',
};

export const FILTER_REASON_LABELS: Readonly<Record<FilterReasonKey, string>> = {
  1: 'Daily purchase cap exceeded',
  2: 'Weekly purchase cap exceeded',
  3: 'Monthly purchase cap exceeded',
  4: 'Pause date',
  5: 'Overall purchase cap exceeded',
  6: 'Operation hours failed',
  7: 'Filter skipped',
  8: 'Duplicate',
  9: 'Breaker open',
  10: 'Balance used up',
  11: 'Buyer asked to wait',
};
