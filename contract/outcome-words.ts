/** What outcomes are called in reports, logs, portals and their files (console §3): one word for each, wherever it stands. */
export const OUTCOME_WORDS = {
  attempts: 'Attempts',
  sold: 'Accepts',
  rejected: 'Declines',
  terrors: 'Error',
  timeouts: 'Time-outs',
  filtered: 'Filtered',
} as const;

/** Accepts as a share of attempts. */
export const ACCEPT_RATE = 'Accept rate';

/** The outcomes of one call to a buyer; a bid is that of a ping. */
export const CALL_OUTCOME_WORDS = { ...OUTCOME_WORDS, bid: 'Bid' } as const;
