/**
 * Who wants to hear of ended leads, on any node. Leads of this node are told at once; other nodes hear by NOTIFY, gathered
 * for a moment so that a busy node says a few sentences a second instead of one per lead.
 */
import type pg from 'pg';
import { type Listener, listen } from '#server/kit/listen.ts';

export interface EndedLead {
  organizationId: string;
  leadId: string;
  verticalId: string;
}

export interface Feed {
  /** Tells followers here and on the other nodes. Never waits. */
  ended(lead: EndedLead): void;
  /** `heard` gets the ids of ended leads, some at a time; returns how to stop. */
  follow(organizationId: string, verticalId: string, heard: (leadIds: string[]) => Promise<void>): () => void;
  close(): Promise<void>;
}

const GATHER_MS = 100;
/** NOTIFY carries up to 8000 bytes: so many leads fit, and a screen shows fewer. */
const TOLD_AT_MOST = 50;

export function openFeed(options: { pool: pg.Pool; connectionString: string; nodeId: string }): Feed {
  const followers = new Map<string, Set<(leadIds: string[]) => Promise<void>>>();
  let gathered = new Map<string, string[]>();
  let timer: NodeJS.Timeout | undefined;

  function tellHere(place: string, leadIds: string[]): void {
    for (const heard of followers.get(place) ?? []) void heard(leadIds).catch(() => {});
  }

  function flush(): void {
    timer = undefined;
    const told = gathered;
    gathered = new Map();
    for (const [place, leadIds] of told) {
      tellHere(place, leadIds);
      const message = JSON.stringify({ node: options.nodeId, place, leadIds });
      options.pool.query(`select pg_notify('sluice_lead', $1)`, [message]).catch(() => {});
    }
  }

  const listener: Listener = listen(
    options.connectionString,
    {
      sluice_lead: (payload) => {
        const { node, place, leadIds } = JSON.parse(payload) as { node: string; place: string; leadIds: string[] };
        if (node !== options.nodeId) tellHere(place, leadIds);
      },
    },
    () => {},
  );

  return {
    ended({ organizationId, leadId, verticalId }) {
      const place = `${organizationId} ${verticalId}`;
      const leadIds = gathered.get(place) ?? [];
      if (leadIds.length < TOLD_AT_MOST) leadIds.push(leadId);
      gathered.set(place, leadIds);
      timer ??= setTimeout(flush, GATHER_MS);
    },
    follow(organizationId, verticalId, heard) {
      const place = `${organizationId} ${verticalId}`;
      const here = followers.get(place) ?? new Set();
      followers.set(place, here.add(heard));
      return () => {
        here.delete(heard);
        if (here.size === 0) followers.delete(place);
      };
    },
    async close() {
      clearTimeout(timer);
      await listener.close();
    },
  };
}
