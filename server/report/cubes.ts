/**
 * What is kept of the facts, each kind in several cubes: the same sums, told apart by fewer keys. A report reads the first that tells what it
 * asks for, so that its cost follows what it shows (decision 0030).
 */
import { HttpError } from '#server/kit/http-error.ts';

export type FactTable = 'lead_tally' | 'attempt_tally' | 'latency_tally' | 'page_tally';

/** What attempts come to (console §3). They are counted beside each other: told apart, they would make every cube several times as long. */
export const OUTCOMES = ['sold', 'rejected', 'terrors', 'timeouts', 'filtered'] as const;

/** In place of a bucket where nobody knows how long a call took: it is a call, and has no time. */
export const TIME_UNKNOWN = -1;

/** Kept by the week as well. What happens on pages is always told by time. */
export const WEEKLY: readonly FactTable[] = ['lead_tally', 'attempt_tally', 'latency_tally'];

interface FactColumns {
  keys: readonly string[];
  sums: readonly string[];
}

/** Columns in the order in which they are stored and read, after organization, vertical, grain, cube, hour and row number. */
export const FACT_COLUMNS: Record<FactTable, FactColumns> = {
  lead_tally: {
    keys: ['campaign_id', 'publisher_id', 'publisher_tier_id', 'sub_id', 'variant_id', 'state', 'reason'],
    sums: [
      ...['attempts', ...OUTCOMES, 'open', 'pings', 'bids'],
      ...['revenue', 'payout', 'margin', 'returned', 'returned_revenue', 'returned_payout', 'returned_margin'],
    ],
  },
  attempt_tally: {
    keys: [
      ...['campaign_id', 'publisher_id', 'publisher_tier_id', 'variant_id', 'state', 'group_id', 'buyer_id', 'buyer_tier_id'],
      'filter_key',
    ],
    sums: [
      ...['attempts', ...OUTCOMES, 'pings', 'bids', 'wins', 'sales', 'revenue', 'payout', 'margin'],
      ...['returned', 'returned_revenue', 'returned_payout', 'returned_margin', 'links', 'followed'],
    ],
  },
  latency_tally: {
    keys: [
      ...['campaign_id', 'publisher_id', 'publisher_tier_id', 'variant_id', 'state', 'group_id', 'buyer_id', 'buyer_tier_id'],
      ...['leg', 'bucket'],
    ],
    sums: ['calls', 'sold', 'timeouts', 'terrors', 'revenue'],
  },
  page_tally: { keys: ['page_id'], sums: ['views', 'submits', 'leads', 'sold'] },
};

export interface Cube {
  name: string;
  keys: readonly string[];
}

const allBut = (table: FactTable, ...names: string[]) => FACT_COLUMNS[table].keys.filter((key) => !names.includes(key));

/** Who changes these empties the tables of slots too: an hour is summed up from what lies there. The smallest first. States and sub ids multiply the rows of whatever is told apart with them: they have cubes of their own. */
export const CUBES: Record<FactTable, readonly Cube[]> = {
  lead_tally: [
    { name: 'source', keys: allBut('lead_tally', 'sub_id', 'variant_id', 'state') },
    { name: 'variant', keys: allBut('lead_tally', 'sub_id', 'reason', 'state') },
    { name: 'place', keys: allBut('lead_tally', 'sub_id', 'variant_id', 'reason') },
    { name: 'sub', keys: ['campaign_id', 'publisher_id', 'publisher_tier_id', 'sub_id'] },
    { name: 'full', keys: allBut('lead_tally', 'state') },
  ],
  attempt_tally: [
    { name: 'all', keys: [] },
    { name: 'state', keys: ['state'] },
    { name: 'buyer', keys: allBut('attempt_tally', 'publisher_id', 'publisher_tier_id', 'variant_id', 'state') },
    { name: 'place', keys: ['campaign_id', 'state', 'buyer_id', 'buyer_tier_id'] },
    { name: 'full', keys: allBut('attempt_tally', 'state') },
  ],
  // Buckets multiply the rows of all else: who sent a lead and who was called are told apart by one of both alone.
  latency_tally: [
    { name: 'all', keys: ['leg', 'bucket'] },
    { name: 'buyer', keys: ['buyer_id', 'buyer_tier_id', 'leg', 'bucket'] },
    { name: 'state', keys: ['state', 'leg', 'bucket'] },
    { name: 'place', keys: ['campaign_id', 'state', 'leg', 'bucket'] },
    { name: 'source', keys: ['campaign_id', 'publisher_id', 'publisher_tier_id', 'variant_id', 'leg', 'bucket'] },
    { name: 'full', keys: ['campaign_id', 'group_id', 'buyer_id', 'buyer_tier_id', 'leg', 'bucket'] },
  ],
  page_tally: [{ name: 'page', keys: FACT_COLUMNS.page_tally.keys }],
};

/** Verticals are told apart by all. */
export const tells = (cube: Cube, keys: readonly string[]): boolean => keys.every((key) => key === VERTICAL_KEY || cube.keys.includes(key));
export const VERTICAL_KEY = 'vertical_id';

/** The smallest that tells all of these apart. Throws an HttpError where none does. */
export function cubeFor(table: FactTable, keys: readonly string[]): Cube {
  const found = CUBES[table].find((cube) => tells(cube, keys));
  if (found) return found;
  const beside = table === 'lead_tally' ? 'sub ids, variants or reasons' : 'publishers, groups, variants or filter reasons';
  throw new HttpError(400, 'report_state_beside', `States are not counted together with ${beside}. Take one of the two away.`);
}
