/** What the figures of reports are called: one list of words for tables, charts, comparisons and files. A file says the unit of its cells behind the word (`fileHead`). */
import { ACCEPT_RATE, OUTCOME_WORDS } from './outcome-words.ts';

/** Of leads, and of buyer tiers tried for them, by the names that rows and columns have. */
export const FIGURE_WORDS = {
  ...{ attempts: OUTCOME_WORDS.attempts, sold: OUTCOME_WORDS.sold, soldShare: ACCEPT_RATE },
  ...{ rejected: OUTCOME_WORDS.rejected, terrors: OUTCOME_WORDS.terrors, timeouts: OUTCOME_WORDS.timeouts },
  ...{ filtered: OUTCOME_WORDS.filtered, open: 'Open', pings: 'Pings', bids: 'Bids', wins: 'Wins', winRate: 'Bids won' },
  ...{ revenue: 'Revenue', payout: 'Payout', margin: 'Margin', epl: 'EPL' },
  ...{ returned: 'Returned', returnedRevenue: 'Returned revenue', returnedPayout: 'Returned payout', returnedMargin: 'Returned margin' },
  ...{ links: 'Links given', followed: 'Redirected', followedShare: 'Of the links', lost: 'Not redirected' },
  ...{ followP50Ms: 'Median delay', followP90Ms: 'p90 delay' },
  ...{ p50Ms: 'Median answer', p75Ms: 'p75 answer', p90Ms: 'p90 answer' },
} as const;

/** What a row had in the span before, and how far that is from what it has. */
export const beforeWord = (word: string): string => `${word} before`;
export const changeWord = (word: string): string => `${word} change`;

/** What reports are told by. */
export const DIMENSION_WORDS = {
  ...{ publisher: 'Publisher', publisherTier: 'Publisher tier', campaign: 'Campaign', subId: 'Sub id', variant: 'Variant' },
  ...{ reason: 'Decline reason', buyer: 'Buyer', buyerTier: 'Buyer tier', group: 'Group', filterReason: 'Filter reason' },
  ...{ state: 'State', vertical: 'Vertical', region: 'Region', processor: 'Processor', move: 'BIN move', bin: 'BIN' },
} as const;

export const REASON_WORDS = { count: 'Count', countShare: 'Of all', before: 'Before' } as const;

export const TIMEOUT_WORDS = {
  ...{ timeLimit: 'Time limit', calls: 'Calls', timeouts: OUTCOME_WORDS.timeouts, timeoutShare: 'Of the calls' },
  ...{ shareBefore: 'Of the calls before', p50Ms: FIGURE_WORDS.p50Ms, p75Ms: FIGURE_WORDS.p75Ms, p90Ms: FIGURE_WORDS.p90Ms },
  ...{ p99Ms: 'p99 answer', lateAccepts: 'Late accepts' },
} as const;

/** Of sales that came of a bid. */
export const BID_PRICE_WORDS = {
  ...{ wins: FIGURE_WORDS.wins, otherPrice: 'At another price', otherPriceShare: 'Of the wins', lower: 'Below the bid' },
  ...{ bid: 'Bid', paid: 'Paid', difference: 'Difference' },
} as const;

/** Of landing pages and landers. */
export const PAGE_WORDS = {
  ...{ views: 'Views', submits: 'Submits', submitShare: 'Of the views', leads: 'Leads' },
  ...{ sold: OUTCOME_WORDS.sold, conversion: 'Conversion' },
} as const;

export const PAYMENT_WORDS = {
  ...{ attempts: OUTCOME_WORDS.attempts, approved: 'Approved', declined: 'Declined', rate: 'Approval rate' },
  ...{ approvedAmount: 'Amount approved', refunds: 'Refunds', refundedAmount: 'Amount refunded' },
  ...{ chargebacks: 'Chargebacks', chargedBackAmount: 'Amount charged back' },
} as const;

const SHARES: readonly string[] = [
  ...['soldShare', 'winRate', 'followedShare', 'countShare', 'timeoutShare', 'shareBefore', 'otherPriceShare', 'submitShare'],
  ...['conversion', 'rate'],
];
const TIMES = /^timeLimit$|Ms$/;

/** The head of a column in a file, whose cells are bare numbers: a share is told in per cent, a time in milliseconds. */
export function fileHead(id: string, word: string): string {
  const figure = id.replace(/(Before|Change)$/, '');
  if (SHARES.includes(id) || SHARES.includes(figure)) return `${word} %`;
  return TIMES.test(figure) ? `${word} ms` : word;
}
