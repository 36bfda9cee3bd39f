/**
 * Notes that a buyer is about to be handed a lead, on a connection of their own. A note is on the disk before the post leaves:
 * whatever dies a moment later, this node, the database or both, whoever finishes the lead knows where it was (decision 0004).
 * Notes that arrive while one statement is under way travel together in the next.
 */
import pg from 'pg';
import { type Intent, list, timeText } from './lead.sql.ts';
import { BY_INDEX } from './writer.ts';

export interface Notes {
  /** Resolves once the note is on the disk; rejects when its connection broke or the lead has ended. Undefined when none is up: note it elsewhere. */
  write(organizationId: string, intent: Intent, now: number): Promise<void> | undefined;
  close(): Promise<void>;
}

interface Note {
  organizationId: string;
  intent: Intent;
  now: number;
  stored: () => void;
  failed: (error: unknown) => void;
}

const RECONNECT_MS = 250;

export function openNotes(connectionString: string, nodeId: string): Notes {
  let client: pg.Client | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let waiting: Note[] = [];

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
      await fresh.query(BY_INDEX);
      client = fresh;
    } catch {
      await fresh.end().catch(() => {});
      again();
    }
  }

  // What is asked for in one turn of the event loop, and while the last statement was under way, is one statement.
  function schedule(): void {
    if (busy) return;
    busy = true;
    setImmediate(async () => {
      const notes = waiting;
      waiting = [];
      try {
        const ended = await insert(notes);
        for (const note of notes)
          if (ended.has(note.intent.leadId)) note.failed(new Error('The lead has ended.'));
          else note.stored();
      } catch (error) {
        for (const note of notes) note.failed(error);
      }
      busy = false;
      if (waiting.length > 0) schedule();
    });
  }

  /** One statement per organization, and one wait for the disk. Returns the leads that have ended, of which nothing was noted. */
  async function insert(notes: Note[]): Promise<Set<string>> {
    if (!client) throw new Error('The connection for notes was lost.');
    const open = client;
    const statements = [...Map.groupBy(notes, (note) => note.organizationId).values()].map((same) => statementOf(nodeId, same));
    const results =
      statements.length === 1
        ? [await open.query(statements[0]!)]
        : await Promise.all([open.query('begin'), ...statements.map((one) => open.query(one)), open.query('commit')]);
    return new Set(results.flatMap(({ rows }) => rows.map(({ ended }) => ended as string)));
  }

  void connect();
  return {
    write(organizationId, intent, now) {
      if (!client) return undefined;
      return new Promise((stored, failed) => {
        waiting.push({ organizationId, intent, now, stored, failed });
        schedule();
      });
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await client?.end().catch(() => {});
    },
  };
}

function statementOf(nodeId: string, notes: Note[]): pg.QueryConfig {
  return {
    name: 'note',
    text: `with note as materialized (select n.*, (select r.lead_id from lead_result r where r.organization_id = $1 and r.lead_id = n.l limit 1) as ended
          from unnest($3::uuid[], $4::uuid[], $5::timestamptz[]) as n (l, s, t)),
        noted as (insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at)
          select $1, l, s, 'post', $2, t from note where ended is null on conflict do nothing)
      select ended from note where ended is not null`,
    values: [
      notes[0]!.organizationId,
      nodeId,
      list(notes, (note) => note.intent.leadId),
      list(notes, (note) => note.intent.buyerTierId),
      list(notes, (note) => timeText(note.now)),
    ],
  };
}
