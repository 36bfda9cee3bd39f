import { expect, test } from 'vitest';
import { DECLINE_LABELS, FILTER_REASON_LABELS } from './reason-label.ts';

test('console §4: the publisher decline reasons map, to the letter', () => {
  expect(DECLINE_LABELS).toMatchObject({
    'buyer-tier-check-duplicate-failed': 'Duplicate',
    'publisher-tier-p2c-api-failed': 'P2C dontBuy',
    'publisher-tier-filter-failed': 'Conditional Filter',
    'publisher-tier-lead-duplicate-failed': 'Duplicate',
    'buyer-tier-third-party-service-validation-failed': 'Third party validation failed',
    'buyer-all-tier-failed': 'Buyer(s) Declined',
    'buyer-tier-response-rejected': 'Buyer(s) Declined',
    'publisher-validation-failed': 'Invalid Data',
  });
});

test('console §4: every filter reason key has its label', () => {
  expect(Object.keys(FILTER_REASON_LABELS).map(Number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});
