/** What pages of today call the figures of buyers and publishers, in tables and files alike. */
import { ACCEPT_RATE, OUTCOME_WORDS } from './outcome-words.ts';
import { FIGURE_WORDS } from './report-words.ts';

export const BUYER_DAY_WORDS = {
  ...{ attempts: 'Calls', sold: OUTCOME_WORDS.sold, soldShare: ACCEPT_RATE, revenue: FIGURE_WORDS.revenue },
  ...{ timeouts: OUTCOME_WORDS.timeouts, terrors: OUTCOME_WORDS.terrors, p50Ms: FIGURE_WORDS.p50Ms },
} as const;

export const PUBLISHER_DAY_WORDS = {
  ...{ leads: 'Leads', sold: OUTCOME_WORDS.sold, soldShare: ACCEPT_RATE, refused: 'Refused' },
  ...{ payout: FIGURE_WORDS.payout, revenue: FIGURE_WORDS.revenue },
} as const;
