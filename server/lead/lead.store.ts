/**
 * The one writer of leads. Everything that many leads want written at the same moment goes into one statement, so that one
 * commit carries many leads and a hot cap is locked once per batch.
 *
 * Sources: engine.md "Caps" and "Crash"; db/migrations/0002-book.sql for what a booking means.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import type { Doubts } from '#server/node/doubts.ts';
import type { BookOp, BookResult } from './book.sql.ts';
import { type Batch, type Holder, type Intent, type NewLead, type ResultRow, readAnswers, writeStatement } from './lead.sql.ts';
import { openNotes } from './notes.ts';
import { openWriter, StoreUnavailable, type Writer } from './writer.ts';

export { StoreUnavailable };

/** `holder`: the lead was not stored because an equal call came before it. */
export interface Received {
  holder: Holder | undefined;
  booked: BookResult[];
}

interface Work {
  lead?: NewLead;
  result?: ResultRow;
  intent?: Intent;
  ops: BookOp[];
  done: (answer: Received) => void;
  failed: (error: Error) => void;
}

export interface LeadStore {
  /** Makes the lead durable, unless an equal call came before; books `ops`, or notes `intent`, in the same transaction. */
  receive(organizationId: string, lead: NewLead, ops: BookOp[], intent?: Intent): Promise<Received>;
  book(organizationId: string, ops: BookOp[]): Promise<BookResult[]>;
  /** Books releases; keeps trying while the database is away, so that no place in a cap is lost for good. */
  giveBack(organizationId: string, ops: BookOp[]): Promise<void>;
  /** Notes that a tier with nothing to book is about to be handed the lead. Resolves once the note is on the disk; rejects where another node has ended the lead. */
  intend(organizationId: string, intent: Intent): Promise<void>;
  /**
   * Writes what became of the lead. Keeps trying while the database is away: a sale that a buyer made must not be forgotten. False, and nothing of it
   * is written, where another node took this one for dead, ended the lead, and somebody may have settled it.
   */
  finish(organizationId: string, result: ResultRow, ops: BookOp[]): Promise<boolean>;
  /** Waits until everything handed in is written. */
  close(): Promise<void>;
  /** Work that no writer has taken yet. */
  waiting(): number;
}

const LARGEST_BATCH = 256;

export interface LeadStoreOptions {
  connectionString: string;
  nodeId: string;
  writers?: number;
  now?: () => number;
  metrics?: Counting;
  /** Told of leads that may stand though it was said that they were not taken. */
  doubts?: Pick<Doubts, 'add'>;
}

export function openLeadStore(options: LeadStoreOptions): LeadStore {
  const { now = Date.now, metrics = NO_COUNTING } = options;
  const queues = new Map<string, Work[]>();
  const all = Array.from({ length: options.writers ?? 2 }, () => openWriter(options.connectionString));
  const idle = [...all];
  const notes = openNotes(options.connectionString, options.nodeId);
  let scheduled = false;
  let closing = false;

  const put = (organizationId: string, work: Omit<Work, 'done' | 'failed'>): Promise<Received> =>
    new Promise((done, failed) => {
      const queue = queues.get(organizationId) ?? [];
      queue.push({ ...work, done, failed });
      queues.set(organizationId, queue);
      schedule();
    });

  // Work that arrives within one turn of the event loop travels together.
  function schedule(): void {
    if (scheduled || idle.length === 0) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      while (idle.length > 0) {
        const next = takeBatch(queues);
        if (!next) return;
        const writer = idle.pop()!;
        const began = performance.now();
        void writeBatch(writer, next.organizationId, options, now(), next.work).then((outcome) => {
          metrics.add('sluice_store_batches_total', { outcome });
          metrics.add('sluice_store_works_total', {}, next.work.length);
          metrics.observe('sluice_store_batch_seconds', {}, (performance.now() - began) / 1_000);
          idle.push(writer);
          schedule();
        });
      }
    });
  }

  return {
    receive: (organizationId, lead, ops, intent) => put(organizationId, { lead, ops, ...(intent && { intent }) }),
    book: async (organizationId, ops) => (await put(organizationId, { ops })).booked,
    async intend(organizationId, intent) {
      const written = async () => void (await put(organizationId, { intent, ops: [] }));
      // A note whose connection broke is written the slow way, which also says why one of a lead that has ended is not.
      await (notes.write(organizationId, intent, now())?.catch(written) ?? written());
    },
    giveBack: (organizationId, ops) =>
      untilStored(
        () => put(organizationId, { ops }),
        () => closing,
      ),
    async finish(organizationId, result, ops) {
      try {
        await untilStored(
          () => put(organizationId, { result, ops }),
          () => closing,
        );
        return true;
      } catch (error) {
        if (isEndedByAnother(error)) return false;
        throw error;
      }
    },
    waiting: () => queues.values().reduce((sum, queue) => sum + queue.length, 0),
    async close() {
      closing = true;
      while (queues.size > 0 || idle.length < all.length) await sleep(5);
      await Promise.all([...all.map((writer) => writer.close()), notes.close()]);
    },
  };
}

/** What `write_batch` says then. */
export const isEndedByAnother = (error: unknown): boolean => (error as { code?: string }).code === 'SL001';

const RETRY_FOR_MS = 10 * 60_000;

async function untilStored(store: () => Promise<unknown>, closing: () => boolean): Promise<void> {
  const started = Date.now();
  for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      await store();
      return;
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || closing() || Date.now() - started > RETRY_FOR_MS) throw error;
      await sleep(pause);
    }
  }
}

/** Up to a batch of work of the organization that has waited longest. */
function takeBatch(queues: Map<string, Work[]>): { organizationId: string; work: Work[] } | undefined {
  for (const [organizationId, queue] of queues) {
    queues.delete(organizationId);
    const work = queue.splice(0, LARGEST_BATCH);
    if (queue.length > 0) queues.set(organizationId, queue); // goes to the back: organizations take turns
    return { organizationId, work };
  }
  return undefined;
}

/** Failed where something of it could not be written; whoever waits for it is told. */
async function writeBatch(
  writer: Writer,
  organizationId: string,
  { nodeId, doubts }: Pick<LeadStoreOptions, 'nodeId' | 'doubts'>,
  now: number,
  work: Work[],
  wasSent = false,
): Promise<'stored' | 'failed' | 'ended'> {
  // What was sent once may stand, though its answer was lost: each of it knows that too.
  let isRepeated = wasSent;
  try {
    await writeOnce(writer, organizationId, nodeId, now, work, (retry) => {
      isRepeated ||= retry;
      return isRepeated;
    });
    return 'stored';
  } catch (error) {
    if (error instanceof StoreUnavailable || work.length === 1) {
      for (const item of work) {
        if (item.lead && isRepeated) doubts?.add(organizationId, item.lead.id);
        item.failed(error as Error);
      }
      return isEndedByAnother(error) ? 'ended' : 'failed';
    }
    // One bad row must not take the others with it.
    const outcomes = new Set<'stored' | 'failed' | 'ended'>();
    for (const item of work)
      outcomes.add(await writeBatch(writer, organizationId, { nodeId, ...(doubts && { doubts }) }, now, [item], isRepeated));
    return outcomes.has('failed') || !outcomes.has('ended') ? 'failed' : 'ended';
  }
}

async function writeOnce(
  writer: Writer,
  organizationId: string,
  nodeId: string,
  now: number,
  work: Work[],
  isRepeated: (retry: boolean) => boolean,
): Promise<void> {
  const batch: Batch = { organizationId, nodeId, now, leads: [], ops: [], intents: [], results: [] };
  for (const item of work) {
    if (item.lead) batch.leads.push(item.lead);
    if (item.result) batch.results.push(item.result);
    if (item.intent) batch.intents.push(item.intent);
    for (const op of item.ops) batch.ops.push(op);
  }
  const result = await writer.write((retry) => writeStatement(batch, isRepeated(retry)));
  const { holders, booked } = readAnswers(batch, result);
  let at = 0;
  for (const item of work) {
    item.done({ holder: item.lead && holders.get(item.lead.id), booked: booked.slice(at, at + item.ops.length) });
    at += item.ops.length;
  }
}
