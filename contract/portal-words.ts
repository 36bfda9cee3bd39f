/** What portals call what they show: one list of words for pages and files, without their schemas. */
import { ACCEPT_RATE, OUTCOME_WORDS } from './outcome-words.ts';
import type { BuyerLead, PublisherLeadStatus } from './portal.ts';
import { FIGURE_WORDS } from './report-words.ts';

export const PUBLISHER_FIGURE_WORDS = {
  ...{ attempts: OUTCOME_WORDS.attempts, sold: OUTCOME_WORDS.sold, soldShare: ACCEPT_RATE },
  // All that were not bought: more than the declines of a report.
  ...{ rejected: 'Rejected', open: FIGURE_WORDS.open, pings: FIGURE_WORDS.pings, bids: FIGURE_WORDS.bids },
  ...{ payout: FIGURE_WORDS.payout, returnedPayout: 'Taken back', epl: FIGURE_WORDS.epl },
} as const;
export type PublisherFigure = keyof typeof PUBLISHER_FIGURE_WORDS;

export const BUYER_FIGURE_WORDS = {
  ...{ offered: 'Offered', sold: OUTCOME_WORDS.sold, soldShare: ACCEPT_RATE, rejected: OUTCOME_WORDS.rejected },
  ...{ timeouts: OUTCOME_WORDS.timeouts, terrors: OUTCOME_WORDS.terrors, pings: FIGURE_WORDS.pings, bids: FIGURE_WORDS.bids },
  ...{
    spent: 'Spent',
    returned: FIGURE_WORDS.returned,
    returnedAmount: 'Given back',
    p50Ms: FIGURE_WORDS.p50Ms,
    p90Ms: FIGURE_WORDS.p90Ms,
  },
} as const;
export type BuyerFigure = keyof typeof BUYER_FIGURE_WORDS;

/** What a publisher hears of a lead. */
export const PUBLISHER_STATUS_WORDS: Readonly<Record<PublisherLeadStatus, string>> = {
  ...{ sold: 'Sold', rejected: 'Rejected', invalid: 'Invalid', duplicate: 'Duplicate', waiting: 'Waiting', error: 'Error' },
  ...{ bid: 'Bid', noBid: 'No bid' },
};

export const PUBLISHER_LEAD_WORDS = {
  ...{ receivedAt: 'Received', status: 'Status', reason: 'Reason', consumer: 'Consumer', tier: 'Tier', subId: 'Sub id' },
  ...{ payout: 'Payout', returned: 'Taken back', id: 'Lead id' },
} as const;
export type PublisherLeadColumn = keyof typeof PUBLISHER_LEAD_WORDS;

export const BUYER_LEAD_WORDS = {
  ...{ soldAt: 'Bought', reference: 'Your reference', tier: 'Tier', state: 'State', price: 'Price', returned: 'Given back' },
  ...{ reason: 'Reason', id: 'Lead id' },
} as const;
export type BuyerLeadColumn = keyof typeof BUYER_LEAD_WORDS;

/** Where a bought lead stands. */
export const buyerLeadState = ({ returned, isReturnAsked }: Pick<BuyerLead, 'returned' | 'isReturnAsked'>): string =>
  returned ? 'Given back' : isReturnAsked ? 'Return asked' : 'Bought';

/** The amount is what a buyer got back, or what was taken back of a publisher's payout. */
export const returnWords = (kind: 'buyer' | 'publisher') =>
  ({
    ...{ returnedAt: 'Given back', id: 'Lead id', tier: 'Tier', reason: 'Reason', note: 'Note' },
    amount: kind === 'buyer' ? 'You got back' : 'Taken back',
  }) as const;
export type ReturnColumn = keyof ReturnType<typeof returnWords>;
