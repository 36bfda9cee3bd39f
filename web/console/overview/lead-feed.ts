import type { LeadRow } from '#contract/lead.ts';

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

/** Server-sent events with our own second wind: the browser gives up for good when a reconnect is answered with an error. */
export function openLeadFeed(
  url: string,
  { onChange, onLead, onHere }: { onChange: (snapshot: FeedSnapshot) => void; onLead: () => void; onHere?: () => void },
): () => void {
  let snapshot: FeedSnapshot = { state: 'connecting', rows: [], fresh: new Set() };
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let waitMs = 1000;
  let after = '';
  const change = (part: Partial<FeedSnapshot>) => {
    snapshot = { ...snapshot, ...part };
    onChange(snapshot);
  };
  const connect = () => {
    // The browser says by itself how far it came only on a connection that it renews by itself.
    source = new EventSource(after ? `${url}&after=${after}` : url);
    source.addEventListener('open', () => {
      waitMs = 1000;
      change({ state: 'live' });
    });
    source.addEventListener('lead', (event) => {
      after = event.lastEventId;
      const row = JSON.parse(event.data) as LeadRow;
      change({ state: 'live', rows: mergeRow(snapshot.rows, row), fresh: new Set([...snapshot.fresh, row._id].slice(-feedLimit)) });
      onLead();
    });
    source.addEventListener('here', (event) => {
      after = event.lastEventId;
      onHere?.();
    });
    source.addEventListener('error', () => {
      change({ state: 'reconnecting' });
      if (source?.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(connect, waitMs);
      waitMs = Math.min(waitMs * 2, 30_000);
    });
  };
  connect();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}

/** Calls at once, then at most every `everyMs`, and never forgets the last call. */
export function atMostEvery(everyMs: number, action: () => void): { call: () => void; stop: () => void } {
  let last = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const run = () => {
    timer = undefined;
    last = Date.now();
    action();
  };
  return {
    call: () => {
      if (timer) return;
      const waitMs = last + everyMs - Date.now();
      if (waitMs <= 0) run();
      else timer = setTimeout(run, waitMs);
    },
    stop: () => clearTimeout(timer),
  };
}
