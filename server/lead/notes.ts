/**
 * Notes that a buyer is about to be handed a lead, on a connection of their own that never waits for an answer before it sends
 * the next. A note is in the database's hands before the post leaves: if this node is killed a moment later, the note is still
 * carried out, and whoever finishes the lead knows where it was. Only when node and database die together can a note be lost;
 * the lead itself cannot.
 */
import pg from 'pg';
import { type Intent, list, timeText } from './lead.sql.ts';
import { BY_INDEX } from './writer.ts';

export interface Notes {
  /** Resolves once the note is on its way; `stored` once it is written. Undefined when the connection is not up: note it elsewhere. */
  send(organizationId: string, intent: Intent, now: number): { sent: Promise<void>; stored: Promise<void> } | undefined;
  close(): Promise<void>;
}

interface Waiting {
  organizationId: string;
  now: number;
  intents: Intent[];
  sent: Promise<void>;
  stored: Promise<void>;
}

const RECONNECT_MS = 250;

export function openNotes(connectionString: string, nodeId: string): Notes {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const waiting = new Map<string, Waiting>();

  async function connect(): Promise<void> {
    const fresh = new pg.Client({
      connectionString,
      pipeline: true,
      application_name: 'sluice notes',
      connectionTimeoutMillis: 1_500,
      // A connection that has gone silent must not hold up a lead: its notes are then written the slow way.
      query_timeout: 2_000,
      keepAlive: true,
    } as pg.ClientConfig);
    let lost = false;
    const again = () => {
      if (lost || closed) return;
      lost = true;
      if (client === fresh) client = undefined;
      timer = setTimeout(() => void connect(), RECONNECT_MS);
    };
    fresh.on('error', again);
    fresh.on('end', again);
    try {
      await fresh.connect();
      // A note must outlive this node, not the machine: it need not wait for the disk.
      await fresh.query(`set synchronous_commit = off; ${BY_INDEX}`);
      client = fresh;
    } catch {
      await fresh.end().catch(() => {});
      again();
    }
  }

  // Notes of one turn of the event loop and one organization share a statement.
  function open(organizationId: string, now: number): Waiting {
    const batch: Waiting = { organizationId, now, intents: [], sent: Promise.resolve(), stored: Promise.resolve() };
    let stored!: (result: Promise<unknown>) => void;
    batch.stored = new Promise<unknown>((resolve) => {
      stored = resolve;
    }).then(() => {});
    batch.sent = new Promise((resolve) => {
      setImmediate(() => {
        waiting.delete(organizationId);
        stored(write(batch));
        resolve();
      });
    });
    waiting.set(organizationId, batch);
    return batch;
  }

  function write(batch: Waiting): Promise<unknown> {
    if (!client) return Promise.reject(new Error('The connection for notes was lost.'));
    return client.query({
      name: 'note',
      text: `insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at)
        select $1, n.l, n.s, 'post', $2, $3 from unnest($4::uuid[], $5::uuid[]) as n (l, s)
        where (select r.lead_id from lead_result r where r.organization_id = $1 and r.lead_id = n.l limit 1) is null on conflict do nothing`,
      values: [
        batch.organizationId,
        nodeId,
        timeText(batch.now),
        list(batch.intents, (one) => one.leadId),
        list(batch.intents, (one) => one.buyerTierId),
      ],
    });
  }

  void connect();
  return {
    send(organizationId, intent, now) {
      if (!client) return undefined;
      const batch = waiting.get(organizationId) ?? open(organizationId, now);
      batch.intents.push(intent);
      return batch;
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}
