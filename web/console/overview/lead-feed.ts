import type { LeadRow } from '#contract/lead.ts';
import { openEvents } from '../api/events.ts';

export type FeedState = 'connecting' | 'live' | 'reconnecting';
export interface FeedSnapshot {
  state: FeedState;
  /** Newest first, at most `feedLimit`. */
  rows: LeadRow[];
  /** Rows that came after the page was opened; they slide in. */
  fresh: ReadonlySet<string>;
}
export const feedLimit = 50;

/** A lead that comes again (received, then sold) takes the place of its earlier row and does not jump. */
export function mergeRow(rows: readonly LeadRow[], row: LeadRow): LeadRow[] {
  const known = rows.findIndex((one) => one._id === row._id);
  if (known >= 0) return rows.with(known, row);
  return [row, ...rows].slice(0, feedLimit);
}

/** Leads of one place as they end. */
export function openLeadFeed(
  url: string,
  { onChange, onLead, onHere }: { onChange: (snapshot: FeedSnapshot) => void; onLead: () => void; onHere?: () => void },
): () => void {
  let snapshot: FeedSnapshot = { state: 'connecting', rows: [], fresh: new Set() };
  const change = (part: Partial<FeedSnapshot>) => {
    snapshot = { ...snapshot, ...part };
    onChange(snapshot);
  };
  return openEvents(url, {
    onOpen: () => change({ state: 'live' }),
    onLost: () => change({ state: 'reconnecting' }),
    heard: {
      lead: (data) => {
        const row = JSON.parse(data) as LeadRow;
        change({ state: 'live', rows: mergeRow(snapshot.rows, row), fresh: new Set([...snapshot.fresh, row._id].slice(-feedLimit)) });
        onLead();
      },
      here: () => onHere?.(),
    },
  });
}
