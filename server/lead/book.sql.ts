/** Bookings of caps, duplicate windows and reservations, as the database function `book` wants them. */
import type { Reservation } from '#engine/effect.ts';
import { list, timeText } from './lead.sql.ts';

/** A counter by name, with what the database keeps beside it. */
export interface CounterRef {
  counter: string;
  scopeId: string;
  measure: string;
  period: string;
  resetsAt: number | null;
}

export interface PrintRef {
  scopeId: string;
  /** 128 bits of a keyed hash, in the form of a UUID. */
  print: string;
}

export type BookOp = ReserveOp | GiveBackOp;

export interface ReserveOp {
  kind: 'reserve';
  /** Reservations of one effect carry the same object; `first` grants only the first that fits. */
  effect: { first: boolean };
  leadId: string;
  subjectId: string;
  purpose: Reservation['purpose'];
  claims: { ref: CounterRef; limit: number; amount: number }[];
  /** `returns`: a release takes the fingerprints off again. */
  duplicate?: { prints: PrintRef[]; since: number; claim: boolean; returns: boolean };
  /** What a release gives back later; keeps a reservation row when present. */
  hold?: { counter: string; amount: number }[];
}

/** release gives back; settle corrects money counters to what was really paid. Either ends the reservation. */
export interface GiveBackOp {
  kind: 'release' | 'settle';
  leadId: string;
  subjectId: string;
  purpose: Reservation['purpose'];
  changes: { ref: CounterRef; amount: number }[];
  prints: PrintRef[];
}

/** One reserve op's outcome; undefined when it was not looked at (an earlier one of a `first` effect was granted). */
export type BookResult =
  | { granted: true }
  | { granted: false; by: 'cap'; claimIndex: number; used: number }
  | { granted: false; by: 'duplicate'; earlierLeadId: string; claimedAt: number }
  | undefined;

/** The parameters of a batch's bookings: counters and fingerprints, distinct and sorted, and the operations on them. */
export function bookParameters(ops: BookOp[]): unknown[] {
  if (ops.length === 0) return ['{}', '{}', '{}', '{}', '{}', '{}', '{}', null];
  const counters = distinctCounters(ops);
  const prints = distinctPrints(ops);
  const effects = new Map<object, number>();
  const values = ops.map((op) =>
    op.kind === 'reserve' ? reserveJson(op, counters.index, prints.index, effects) : giveBackJson(op, counters.index, prints.index),
  );
  return [
    list(counters.list, (one) => one.counter),
    list(counters.list, (one) => one.scopeId),
    list(counters.list, (one) => one.measure),
    list(counters.list, (one) => one.period),
    list(counters.list, (one) => (one.resetsAt === null ? null : timeText(one.resetsAt))),
    list(prints.list, (one) => one.scopeId),
    list(prints.list, (one) => one.print),
    JSON.stringify(values),
  ];
}

interface BookRow {
  op: number;
  granted: boolean;
  blocked: number | null;
  used: number;
  earlier_lead: string;
  earlier_at: Date;
}

export function readBookRows(ops: BookOp[], rows: BookRow[]): BookResult[] {
  const results: BookResult[] = new Array(ops.length).fill(undefined);
  if (ops.length === 0) return results;
  const names = distinctCounters(ops).list.map((one) => one.counter);
  for (const row of rows) {
    const op = ops[row.op] as ReserveOp;
    if (row.granted) results[row.op] = { granted: true };
    else if (row.blocked !== null) {
      const blockedBy = names[row.blocked - 1];
      results[row.op] = {
        granted: false,
        by: 'cap',
        claimIndex: op.claims.findIndex((claim) => claim.ref.counter === blockedBy),
        used: row.used,
      };
    } else results[row.op] = { granted: false, by: 'duplicate', earlierLeadId: row.earlier_lead, claimedAt: row.earlier_at.getTime() };
  }
  return results;
}

function reserveJson(op: ReserveOp, counter: Map<string, number>, print: Map<string, number>, effects: Map<object, number>): object {
  if (!effects.has(op.effect)) effects.set(op.effect, effects.size);
  const { duplicate, hold } = op;
  return {
    k: 'r',
    e: effects.get(op.effect),
    f: op.effect.first,
    l: op.leadId,
    s: op.subjectId,
    p: op.purpose,
    c: op.claims.map((claim) => [counter.get(claim.ref.counter), claim.limit, claim.amount]),
    ...(duplicate && {
      d: duplicate.prints.map((one) => print.get(printName(one))),
      q: duplicate.since,
      t: duplicate.claim,
      b: duplicate.returns,
    }),
    ...(hold && { h: hold.map((one) => [one.counter, one.amount]) }),
  };
}

function giveBackJson(op: GiveBackOp, counter: Map<string, number>, print: Map<string, number>): object {
  return {
    k: op.kind === 'release' ? 'x' : 's',
    l: op.leadId,
    s: op.subjectId,
    p: op.purpose,
    c: op.changes.map((change) => [counter.get(change.ref.counter), change.amount]),
    d: op.prints.map((one) => print.get(printName(one))),
  };
}

function distinctCounters(ops: BookOp[]) {
  const found = new Map<string, CounterRef>();
  for (const op of ops) for (const { ref } of op.kind === 'reserve' ? op.claims : op.changes) found.set(ref.counter, ref);
  return indexed(found);
}

function distinctPrints(ops: BookOp[]) {
  const found = new Map<string, PrintRef>();
  for (const op of ops) for (const one of op.kind === 'reserve' ? (op.duplicate?.prints ?? []) : op.prints) found.set(printName(one), one);
  return indexed(found);
}

function printName(one: PrintRef): string {
  return one.scopeId + one.print;
}

/** Sorted by name, so that every batch of every node locks in the same order; positions count from 1 as in SQL. */
function indexed<T>(found: Map<string, T>): { list: T[]; index: Map<string, number> } {
  const names = [...found.keys()].sort();
  return { list: names.map((name) => found.get(name)!), index: new Map(names.map((name, at) => [name, at + 1])) };
}
