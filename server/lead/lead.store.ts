/**
 * The one writer of leads. Everything that many leads want written at the same moment goes into one transaction, sent in
 * one go (pipelined), so that one commit carries many leads and a hot cap is locked once per batch.
 *
 * Sources: engine.md "Caps" and "Crash"; db/migrations/0002-book.sql for what a booking means.
 */
import type pg from 'pg';
import { bookStatement, type BookOp, type BookResult, readBookRows } from './book.sql.ts';
import { type Batch, type CallRow, type LateRow, leadStatements, type NewLead, type ResultRow } from './lead.sql.ts';
import { openPipeline, type Pipeline, StoreUnavailable } from './pipeline.ts';

export { StoreUnavailable };

/** Who holds a fingerprint: this lead itself, or an earlier call whose answer (sealed) is there once it was given. */
export interface IdempotencyHolder {
  leadId: string;
  payloadHash: Buffer;
  answer: Buffer | null;
}

export type ReserveOutcome = BookResult[];

type Work =
  | { kind: 'receive'; lead: NewLead; ops: BookOp[]; done: (value: { holder: IdempotencyHolder; booked: ReserveOutcome }) => void }
  | { kind: 'book'; ops: BookOp[]; done: (value: ReserveOutcome) => void }
  | { kind: 'finish'; result: ResultRow; ops: BookOp[]; done: () => void }
  | { kind: 'call'; call: CallRow; done: () => void }
  | { kind: 'late'; late: LateRow; done: () => void };

type Queued = Work & { failed: (error: Error) => void };

export interface LeadStore {
  /** Makes the lead durable, unless its fingerprint is another's; books `ops` in the same transaction. */
  receive(organizationId: string, lead: NewLead, ops: BookOp[]): Promise<{ holder: IdempotencyHolder; booked: ReserveOutcome }>;
  book(organizationId: string, ops: BookOp[]): Promise<ReserveOutcome>;
  /** Writes what became of the lead. Keeps trying while the database is away: a sale that a buyer made must not be forgotten. */
  finish(organizationId: string, result: ResultRow, ops: BookOp[]): Promise<void>;
  recordCall(organizationId: string, call: CallRow): Promise<void>;
  recordLate(organizationId: string, late: LateRow): Promise<void>;
  /** Waits until everything handed in is written. */
  close(): Promise<void>;
  stats(): { batches: number; works: number };
}

const LARGEST_BATCH = 256;

export function openLeadStore(options: { connectionString: string; nodeId: string; writers?: number; now?: () => number }): LeadStore {
  const now = options.now ?? Date.now;
  const queues = new Map<string, Queued[]>();
  const idle: Pipeline[] = Array.from({ length: options.writers ?? 2 }, () => openPipeline(options.connectionString));
  const all = [...idle];
  let scheduled = false;
  let closing = false;
  let batches = 0;
  let works = 0;

  const put = <T>(organizationId: string, make: (done: (value: T) => void) => Work): Promise<T> =>
    new Promise((resolve, reject) => {
      const queue = queues.get(organizationId) ?? [];
      queue.push({ ...make(resolve), failed: reject });
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
        const pipeline = idle.pop()!;
        batches += 1;
        works += next.work.length;
        void writeBatch(pipeline, next.organizationId, options.nodeId, now(), next.work).finally(() => {
          idle.push(pipeline);
          schedule();
        });
      }
    });
  }

  const book = (organizationId: string, ops: BookOp[]) => put<ReserveOutcome>(organizationId, (done) => ({ kind: 'book', ops, done }));

  return {
    book,
    receive: (organizationId, lead, ops) => put(organizationId, (done) => ({ kind: 'receive', lead, ops, done })),
    finish: (organizationId, result, ops) =>
      untilStored(() => put<void>(organizationId, (done) => ({ kind: 'finish', result, ops, done })), () => closing),
    recordCall: (organizationId, call) => put<void>(organizationId, (done) => ({ kind: 'call', call, done })),
    recordLate: (organizationId, late) => untilStored(() => put<void>(organizationId, (done) => ({ kind: 'late', late, done })), () => closing),
    stats: () => ({ batches, works }),
    async close() {
      closing = true;
      while (queues.size > 0 || idle.length < all.length) await new Promise((resolve) => setTimeout(resolve, 5));
      await Promise.all(all.map((pipeline) => pipeline.close()));
    },
  };
}

const RETRY_FOR_MS = 10 * 60_000;

async function untilStored(store: () => Promise<void>, closing: () => boolean): Promise<void> {
  const started = Date.now();
  for (let pause = 100; ; pause = Math.min(pause * 2, 2_000)) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || closing() || Date.now() - started > RETRY_FOR_MS) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** Up to a batch of work of the organization that has waited longest. */
function takeBatch(queues: Map<string, Queued[]>): { organizationId: string; work: Queued[] } | undefined {
  for (const [organizationId, queue] of queues) {
    queues.delete(organizationId);
    const work = queue.splice(0, LARGEST_BATCH);
    if (queue.length > 0) queues.set(organizationId, queue); // goes to the back: organizations take turns
    return { organizationId, work };
  }
  return undefined;
}

async function writeBatch(pipeline: Pipeline, organizationId: string, nodeId: string, now: number, work: Queued[]): Promise<void> {
  try {
    await writeOnce(pipeline, organizationId, nodeId, now, work);
  } catch (error) {
    if (error instanceof StoreUnavailable || work.length === 1) {
      for (const item of work) item.failed(error as Error);
      return;
    }
    // One bad row must not take the others with it.
    for (const item of work) await writeBatch(pipeline, organizationId, nodeId, now, [item]);
  }
}

async function writeOnce(pipeline: Pipeline, organizationId: string, nodeId: string, now: number, work: Queued[]): Promise<void> {
  const batch: Batch = { organizationId, nodeId, now, leads: [], results: [], calls: [], lates: [] };
  const ops: BookOp[] = [];
  const spans = new Map<Queued, [from: number, to: number]>();
  for (const item of work) {
    if (item.kind === 'receive') batch.leads.push(item.lead);
    if (item.kind === 'finish') batch.results.push(item.result);
    if (item.kind === 'call') batch.calls.push(item.call);
    if (item.kind === 'late') batch.lates.push(item.late);
    if ('ops' in item && item.ops.length > 0) {
      spans.set(item, [ops.length, ops.length + item.ops.length]);
      for (const op of item.ops) ops.push(op);
    }
  }
  const statements = leadStatements(batch);
  const newLeads = batch.leads.map((lead) => lead.id);
  const booking = (retry: boolean) => (ops.length > 0 ? bookStatement(batch, newLeads, retry, ops) : undefined);
  const answers = await pipeline.transaction((retry) => [...statements.before, booking(retry), ...statements.after]);
  const holders = statements.readHolders(answers);
  const booked = ops.length > 0 ? readBookRows(ops, answers[statements.before.length] as pg.QueryResult) : [];
  for (const item of work) {
    const [from, to] = spans.get(item) ?? [0, 0];
    if (item.kind === 'receive') item.done({ holder: holders.get(item.lead.id)!, booked: booked.slice(from, to) });
    else if (item.kind === 'book') item.done(booked.slice(from, to));
    else item.done();
  }
}
