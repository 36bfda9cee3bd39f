/**
 * The rows of a lead's life and the one statement that writes many of them at once (db/migrations/0005-write-batch-by-key.sql).
 * Amounts are decimal texts, see engine/money.ts; hashes are 128 bits in the form of a UUID.
 */
import type pg from 'pg';
import { type BookOp, type BookResult, bookParameters, readBookRows } from './book.sql.ts';
import { besideOf, withBeside } from './lead-beside.sql.ts';
import type { Statement } from './writer.ts';

export interface NewLead {
  id: string;
  regionId: string;
  verticalId: string;
  campaignId: string;
  publisherId: string;
  publisherTierId: string;
  subId: string;
  /** The code of its state or nation; '' where its vertical has no such field. */
  state: string;
  mode: 'full' | 'ping' | 'post';
  test: boolean;
  pingId: string | null;
  /** Sealed. */
  fields: Buffer;
  lookups: string[];
  idempotency: { fingerprint: string; payloadHash: string; expiresAt: number };
}

export interface ResultRow {
  leadId: string;
  verticalId: string;
  campaignId: string;
  publisherId: string;
  publisherTierId: string;
  test: boolean;
  status: string;
  reason: string | null;
  revenue: string;
  payout: string;
  margin: string;
  duplicateOf: string | null;
  elapsedMs: number;
  buyersMs: number;
  storeMs: number;
  finishedAt: number;
  verdicts: { t: string; g: string; o: string; k: number | undefined; c: string }[];
  /** Sealed. */
  explained: Buffer;
  /** Sealed; undefined when nothing left for a buyer. */
  wires: Buffer | undefined;
  sales: SaleRow[];
  attempts: AttemptRow[];
  checks: CheckRow[];
  /** What promotions added to sales, by the sale's place. */
  promoted: { saleIndex: number; promotionId: string; extra: string }[];
  /** Of the A/B test its campaign was under; null where it was under none. */
  variant: { testId: string; variantId: string; consumer: string } | null;
  /** The landing page or lander it came from. */
  pageId: string | null;
  turns: { groupId: string; buyerTierId: string; at: number }[];
  /** Buyer tiers whose answer is outstanding: their reservations stay, marked unknown. */
  unknown: string[];
  /** How those call the lead, where they said so. */
  references: { buyerTierId: string; reference: string }[];
  /** The link that the publisher was given; undefined where there was none. */
  redirect: RedirectRow | undefined;
  /** Buyer tiers that are to be told that they lost. */
  notices: NoticeRow[];
  /** Webhooks that are to be told what became of it. */
  webhooks: { id: string; webhookId: string; event: string }[];
}

export interface NoticeRow {
  buyerTierId: string;
  groupId: string;
  bid: string | null;
  winning: string;
  dueAt: number;
}

export interface RedirectRow {
  /** The sale whose buyer named the address. */
  saleIndex: number;
  givenAt: number;
  expiresAt: number;
  /** Sealed. */
  url: Buffer;
}

export interface SaleRow {
  buyerId: string;
  buyerTierId: string;
  revenue: string;
  payout: string;
  margin: string;
  bid: string | null;
  postPriceDiffers: boolean;
  buyerRef: string | null;
}

export interface AttemptRow {
  index: number;
  buyerId: string;
  buyerTierId: string;
  groupId: string;
  leg: 'ping' | 'post';
  outcome: string;
  answer: string;
  startedAt: number;
  elapsedMs: number;
  connectMs: number | null;
  waitMs: number | null;
  readMs: number | null;
  bid: string | null;
  price: string | null;
  statusCode: number | null;
}

/** One question to a third-party service. */
export interface CheckRow {
  index: number;
  serviceId: string;
  purpose: 'p2c' | 'thirdParty';
  subjectId: string;
  outcome: string;
  startedAt: number;
  elapsedMs: number;
  connectMs: number | null;
  waitMs: number | null;
  readMs: number | null;
  statusCode: number | null;
  /** Sealed. */
  wire: Buffer;
}

/** A post to a tier that has nothing to book: written down so that a crash cannot hide it. */
export interface Intent {
  leadId: string;
  buyerTierId: string;
}

export interface Batch {
  organizationId: string;
  nodeId: string;
  now: number;
  leads: NewLead[];
  ops: BookOp[];
  intents: Intent[];
  results: ResultRow[];
}

/** A new lead whose fingerprint another lead holds: it was not stored. */
export interface Holder {
  leadId: string;
  payloadHash: string;
}

export function writeStatement(batch: Batch, retry: boolean): Statement {
  // Sorted, so that two batches that want the same fingerprints wait for each other instead of deadlocking.
  const leads = batch.leads.toSorted((a, b) => (a.idempotency.fingerprint < b.idempotency.fingerprint ? -1 : 1));
  const blob = new Blobs();
  const values = [
    batch.organizationId,
    batch.nodeId,
    timeText(batch.now),
    retry,
    undefined,
    ...leadParameters(leads, blob),
    ...bookParameters(batch.ops),
    list(batch.intents, (one) => one.leadId),
    list(batch.intents, (one) => one.buyerTierId),
    ...resultParameters(batch.results, blob),
    ...saleParameters(batch.results),
    ...attemptParameters(batch.results),
    ...turnParameters(batch.results),
    ...unknownParameters(batch.results),
  ];
  const text = textFor(values.length);
  const beside = besideOf(batch.results, blob);
  values[4] = blob.joined();
  return withBeside({ name: 'write_batch', text, values }, beside);
}

export function readAnswers(batch: Batch, result: pg.QueryResult): { holders: Map<string, Holder>; booked: BookResult[] } {
  const holders = new Map<string, Holder>();
  for (const row of result.rows) if (row.kind === 'h') holders.set(row.lead_id, { leadId: row.holder, payloadHash: row.payload_hash });
  return {
    holders,
    booked: readBookRows(
      batch.ops,
      result.rows.filter((row) => row.kind === 'r'),
    ),
  };
}

let text = '';

function textFor(count: number): string {
  text ||= `select * from write_batch(${Array.from({ length: count }, (_, at) => `$${at + 1}`).join(', ')})`;
  return text;
}

/** Sealed texts, end to end; each is found again by its place (from 1) and length. */
export class Blobs {
  readonly parts: Buffer[] = [];
  length = 0;

  add(part: Buffer): [at: number, length: number] {
    const at = this.length + 1;
    this.parts.push(part);
    this.length += part.length;
    return [at, part.length];
  }

  joined(): Buffer {
    return Buffer.concat(this.parts, this.length);
  }
}

function leadParameters(leads: NewLead[], blob: Blobs): unknown[] {
  const fields = leads.map((lead) => blob.add(lead.fields));
  const lookups = leads.flatMap((lead) => lead.lookups.map((hash) => ({ hash, lead: lead.id })));
  return [
    list(leads, (lead) => lead.id),
    list(leads, (lead) => lead.regionId),
    list(leads, (lead) => lead.verticalId),
    list(leads, (lead) => lead.campaignId),
    list(leads, (lead) => lead.publisherId),
    list(leads, (lead) => lead.publisherTierId),
    list(leads, (lead) => quoted(lead.subId)),
    list(leads, (lead) => quoted(lead.state)),
    list(leads, (lead) => lead.mode),
    list(leads, (lead) => lead.test),
    list(leads, (lead) => lead.pingId),
    list(leads, (lead) => lead.idempotency.fingerprint),
    list(leads, (lead) => lead.idempotency.payloadHash),
    list(leads, (lead) => timeText(lead.idempotency.expiresAt)),
    list(fields, ([at]) => at),
    list(fields, ([, length]) => length),
    list(lookups, (one) => one.hash),
    list(lookups, (one) => one.lead),
  ];
}

function resultParameters(rows: ResultRow[], blob: Blobs): unknown[] {
  const explained = rows.map((row) => blob.add(row.explained));
  const wires = rows.map((row) => (row.wires ? blob.add(row.wires) : [0, 0]));
  return [
    list(rows, (row) => row.leadId),
    list(rows, (row) => row.verticalId),
    list(rows, (row) => row.campaignId),
    list(rows, (row) => row.publisherId),
    list(rows, (row) => row.publisherTierId),
    list(rows, (row) => row.test),
    list(rows, (row) => row.status),
    list(rows, (row) => row.reason),
    list(rows, (row) => row.revenue),
    list(rows, (row) => row.payout),
    list(rows, (row) => row.margin),
    list(rows, (row) => row.sales.length),
    list(rows, (row) => row.attempts.length),
    list(rows, (row) => row.duplicateOf),
    list(rows, (row) => row.elapsedMs),
    list(rows, (row) => row.buyersMs),
    list(rows, (row) => row.storeMs),
    list(rows, (row) => timeText(row.finishedAt)),
    JSON.stringify(rows.map((row) => row.verdicts)),
    list(explained, ([at]) => at),
    list(explained, ([, length]) => length),
    list(wires, ([at]) => at!),
    list(wires, ([, length]) => length!),
  ];
}

function saleParameters(results: ResultRow[]): unknown[] {
  const rows = results.flatMap((result, at) => result.sales.map((sale, index) => ({ sale, result: at + 1, index })));
  return [
    list(rows, (row) => row.result),
    list(rows, (row) => row.index),
    list(rows, (row) => row.sale.buyerId),
    list(rows, (row) => row.sale.buyerTierId),
    list(rows, (row) => row.sale.revenue),
    list(rows, (row) => row.sale.payout),
    list(rows, (row) => row.sale.margin),
    list(rows, (row) => row.sale.bid),
    list(rows, (row) => row.sale.postPriceDiffers),
    JSON.stringify(rows.map((row) => row.sale.buyerRef)),
  ];
}

function attemptParameters(results: ResultRow[]): unknown[] {
  const rows = results.flatMap((result, at) => result.attempts.map((attempt) => ({ attempt, result: at + 1 })));
  return [
    list(rows, (row) => row.result),
    list(rows, (row) => row.attempt.index),
    list(rows, (row) => row.attempt.buyerId),
    list(rows, (row) => row.attempt.buyerTierId),
    list(rows, (row) => row.attempt.groupId),
    list(rows, (row) => row.attempt.leg),
    list(rows, (row) => row.attempt.outcome),
    list(rows, (row) => row.attempt.answer),
    list(rows, (row) => timeText(row.attempt.startedAt)),
    list(rows, (row) => row.attempt.elapsedMs),
    list(rows, (row) => row.attempt.connectMs),
    list(rows, (row) => row.attempt.waitMs),
    list(rows, (row) => row.attempt.readMs),
    list(rows, (row) => row.attempt.bid),
    list(rows, (row) => row.attempt.price),
    list(rows, (row) => row.attempt.statusCode),
  ];
}

function turnParameters(results: ResultRow[]): unknown[] {
  const turns = new Map<string, { groupId: string; buyerTierId: string; at: number; count: number }>();
  for (const turn of results.flatMap((result) => result.turns)) {
    const known = turns.get(turn.groupId + turn.buyerTierId);
    turns.set(turn.groupId + turn.buyerTierId, { ...turn, at: Math.max(turn.at, known?.at ?? 0), count: (known?.count ?? 0) + 1 });
  }
  const rows = [...turns.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return [
    list(rows, (row) => row.groupId),
    list(rows, (row) => row.buyerTierId),
    list(rows, (row) => row.count),
    list(rows, (row) => timeText(row.at)),
  ];
}

function unknownParameters(results: ResultRow[]): unknown[] {
  const rows = results.flatMap((result) => result.unknown.map((buyerTierId) => ({ leadId: result.leadId, buyerTierId })));
  return [list(rows, (row) => row.leadId), list(rows, (row) => row.buyerTierId)];
}

/** A PostgreSQL array literal. Every value must be free of quotes, braces, commas and backslashes, or be passed through `quoted`. */
export function list<T>(rows: readonly T[], value: (row: T) => string | number | boolean | null): string {
  let literal = '{';
  for (let at = 0; at < rows.length; at++) {
    if (at > 0) literal += ',';
    const one = value(rows[at]!);
    literal += one === null ? 'NULL' : one;
  }
  return `${literal}}`;
}

/** Free text as an element of an array literal. */
export function quoted(free: string): string {
  return `"${free.replace(/["\\]/g, '\\$&')}"`;
}

export function timeText(instant: number): string {
  return new Date(instant).toISOString();
}
