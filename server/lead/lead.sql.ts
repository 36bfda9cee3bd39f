/** The rows of a lead's life and the statements that write many of them at once. Amounts are decimal texts; see engine/money.ts. */
import type pg from 'pg';
import type { IdempotencyHolder } from './lead.store.ts';
import type { Statement } from './pipeline.ts';

export interface NewLead {
  id: string;
  regionId: string;
  verticalId: string;
  campaignId: string;
  publisherId: string;
  publisherTierId: string;
  subId: string;
  mode: 'full' | 'ping' | 'post';
  test: boolean;
  pingId: string | null;
  /** Sealed. */
  fields: Buffer;
  lookups: Buffer[];
  idempotency: { fingerprint: Buffer; payloadHash: Buffer; expiresAt: number };
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
  verdicts: string;
  explained: Buffer;
  /** The sealed first answer, kept for repeated calls. */
  fingerprint: Buffer;
  answer: Buffer;
  sales: SaleRow[];
  attempts: AttemptRow[];
  turns: { groupId: string; buyerTierId: string; at: number }[];
  /** Buyer tiers whose answer is outstanding: their reservations stay, marked unknown. */
  unknown: string[];
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
  wire: Buffer;
}

export interface CallRow {
  id: string;
  publisherTierId: string;
  leadId: string | null;
  method: string;
  path: string;
  statusCode: number;
  code: string;
  elapsedMs: number;
  wire: Buffer;
}

export interface LateRow {
  leadId: string;
  attemptIndex: number;
  buyerTierId: string;
  outcome: string;
  price: string | null;
  afterMs: number;
  wire: Buffer;
  arrivedAt: number;
}

export interface Batch {
  organizationId: string;
  nodeId: string;
  now: number;
  leads: NewLead[];
  results: ResultRow[];
  calls: CallRow[];
  lates: LateRow[];
}

interface Statements {
  before: (Statement | undefined)[];
  after: (Statement | undefined)[];
  /** Who holds each new lead's fingerprint, by lead id. */
  readHolders(answers: (pg.QueryResult | undefined)[]): Map<string, IdempotencyHolder>;
}

export function leadStatements(batch: Batch): Statements {
  // Sorted, so that two batches that want the same fingerprints wait for each other instead of deadlocking.
  const leads = batch.leads.toSorted((a, b) => Buffer.compare(a.idempotency.fingerprint, b.idempotency.fingerprint));
  const { results } = batch;
  return {
    before: leads.length > 0 ? [claimFingerprints(batch, leads), readFingerprints(batch, leads), insertLeads(batch, leads), insertLookups(batch, leads)] : [],
    after: [
      results.length > 0 ? insertResults(batch) : undefined,
      insertSales(batch),
      insertAttempts(batch),
      results.length > 0 ? keepAnswers(batch) : undefined,
      insertTurns(batch),
      markUnknown(batch),
      batch.calls.length > 0 ? insertCalls(batch) : undefined,
      batch.lates.length > 0 ? insertLates(batch) : undefined,
    ],
    readHolders: (answers) => {
      const rows = leads.length > 0 ? (answers[1] as pg.QueryResult).rows : [];
      return new Map(rows.map((row) => [leads[row.i - 1]!.id, { leadId: row.lead_id, payloadHash: row.payload_hash, answer: row.answer }]));
    },
  };
}

function claimFingerprints(batch: Batch, leads: NewLead[]): Statement {
  return {
    name: 'claim-fingerprints',
    text: `insert into idempotency (organization_id, publisher_tier_id, fingerprint, payload_hash, lead_id, expires_at)
      select $1, n.t, n.f, n.p, n.l, n.e from unnest($2::uuid[], $3::bytea[], $4::bytea[], $5::uuid[], $6::timestamptz[]) as n (t, f, p, l, e)
      on conflict (organization_id, publisher_tier_id, fingerprint) do update
        set payload_hash = excluded.payload_hash, lead_id = excluded.lead_id, expires_at = excluded.expires_at, answer = null
        where idempotency.expires_at < $7 and (idempotency.answer is not null or idempotency.expires_at < $7 - interval '10 minutes')`,
    values: [
      batch.organizationId,
      leads.map((lead) => lead.publisherTierId),
      leads.map((lead) => lead.idempotency.fingerprint),
      leads.map((lead) => lead.idempotency.payloadHash),
      leads.map((lead) => lead.id),
      leads.map((lead) => new Date(lead.idempotency.expiresAt)),
      new Date(batch.now),
    ],
  };
}

function readFingerprints(batch: Batch, leads: NewLead[]): Statement {
  return {
    name: 'read-fingerprints',
    text: `select n.i::int as i, k.lead_id, k.payload_hash, k.answer from unnest($2::uuid[], $3::bytea[]) with ordinality as n (t, f, i)
      join idempotency k on k.organization_id = $1 and k.publisher_tier_id = n.t and k.fingerprint = n.f`,
    values: [batch.organizationId, leads.map((lead) => lead.publisherTierId), leads.map((lead) => lead.idempotency.fingerprint)],
  };
}

function insertLeads(batch: Batch, leads: NewLead[]): Statement {
  return {
    name: 'insert-leads',
    text: `insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, ping_id, node_id, fields)
      select $1, n.id, n.region, n.vertical, n.campaign, n.publisher, n.tier, n.sub, n.mode, n.test, n.ping, $2, n.fields
      from unnest($3::uuid[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::uuid[], $9::text[], $10::text[], $11::boolean[], $12::uuid[], $13::bytea[], $14::bytea[])
        as n (id, region, vertical, campaign, publisher, tier, sub, mode, test, ping, fields, print)
      where exists (select from idempotency k where k.organization_id = $1 and k.publisher_tier_id = n.tier and k.fingerprint = n.print and k.lead_id = n.id)
      on conflict do nothing`,
    values: [
      batch.organizationId,
      batch.nodeId,
      leads.map((lead) => lead.id),
      leads.map((lead) => lead.regionId),
      leads.map((lead) => lead.verticalId),
      leads.map((lead) => lead.campaignId),
      leads.map((lead) => lead.publisherId),
      leads.map((lead) => lead.publisherTierId),
      leads.map((lead) => lead.subId),
      leads.map((lead) => lead.mode),
      leads.map((lead) => lead.test),
      leads.map((lead) => lead.pingId),
      leads.map((lead) => lead.fields),
      leads.map((lead) => lead.idempotency.fingerprint),
    ],
  };
}

function insertLookups(batch: Batch, leads: NewLead[]): Statement | undefined {
  const rows = leads.flatMap((lead) => lead.lookups.map((hash) => [hash, lead.id] as const));
  if (rows.length === 0) return undefined;
  return {
    name: 'insert-lookups',
    text: `insert into lead_lookup (organization_id, value_hash, lead_id) select $1, n.h, n.l from unnest($2::bytea[], $3::uuid[]) as n (h, l) on conflict do nothing`,
    values: [batch.organizationId, rows.map(([hash]) => hash), rows.map(([, id]) => id)],
  };
}

/** A node that was taken for dead may come back with the truth: it replaces `interrupted`, and nothing else is ever replaced. */
function insertResults(batch: Batch): Statement {
  const rows = batch.results;
  return {
    name: 'insert-results',
    text: `insert into lead_result (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin,
        sale_count, attempt_count, duplicate_of, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained)
      select $1, n.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::uuid[], $6::boolean[], $7::text[], $8::text[], $9::numeric[], $10::numeric[], $11::numeric[],
        $12::smallint[], $13::smallint[], $14::uuid[], $15::real[], $16::real[], $17::real[], $18::timestamptz[], $19::jsonb[], $20::bytea[]) as n
      on conflict (organization_id, lead_id) do update set status = excluded.status, reason = excluded.reason, revenue = excluded.revenue,
        payout = excluded.payout, margin = excluded.margin, sale_count = excluded.sale_count, attempt_count = excluded.attempt_count,
        elapsed_ms = excluded.elapsed_ms, buyers_ms = excluded.buyers_ms, store_ms = excluded.store_ms, finished_at = excluded.finished_at,
        verdicts = excluded.verdicts, explained = excluded.explained
        where lead_result.reason = 'interrupted'`,
    values: [
      batch.organizationId,
      rows.map((row) => row.leadId),
      rows.map((row) => row.verticalId),
      rows.map((row) => row.campaignId),
      rows.map((row) => row.publisherTierId),
      rows.map((row) => row.test),
      rows.map((row) => row.status),
      rows.map((row) => row.reason),
      rows.map((row) => row.revenue),
      rows.map((row) => row.payout),
      rows.map((row) => row.margin),
      rows.map((row) => row.sales.length),
      rows.map((row) => row.attempts.length),
      rows.map((row) => row.duplicateOf),
      rows.map((row) => row.elapsedMs),
      rows.map((row) => row.buyersMs),
      rows.map((row) => row.storeMs),
      rows.map((row) => new Date(row.finishedAt)),
      rows.map((row) => row.verdicts),
      rows.map((row) => row.explained),
    ],
  };
}

function insertSales(batch: Batch): Statement | undefined {
  const rows = batch.results.flatMap((result) => result.sales.map((sale, index) => ({ ...sale, result, index })));
  if (rows.length === 0) return undefined;
  return {
    name: 'insert-sales',
    text: `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, bid, post_price_differs, buyer_ref)
      select $1, n.* from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::boolean[], $9::numeric[], $10::numeric[], $11::numeric[], $12::numeric[], $13::boolean[], $14::text[]) as n
      on conflict do nothing`,
    values: [
      batch.organizationId,
      rows.map((row) => row.result.leadId),
      rows.map((row) => row.index),
      rows.map((row) => row.result.verticalId),
      rows.map((row) => row.buyerId),
      rows.map((row) => row.buyerTierId),
      rows.map((row) => row.result.publisherId),
      rows.map((row) => row.result.test),
      rows.map((row) => row.revenue),
      rows.map((row) => row.payout),
      rows.map((row) => row.margin),
      rows.map((row) => row.bid),
      rows.map((row) => row.postPriceDiffers),
      rows.map((row) => row.buyerRef),
    ],
  };
}

function insertAttempts(batch: Batch): Statement | undefined {
  const rows = batch.results.flatMap((result) => result.attempts.map((attempt) => ({ ...attempt, result })));
  if (rows.length === 0) return undefined;
  return {
    name: 'insert-attempts',
    text: `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at,
        elapsed_ms, connect_ms, wait_ms, read_ms, bid, price, status_code, wire)
      select $1, n.* from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::uuid[], $6::uuid[], $7::uuid[], $8::boolean[], $9::text[], $10::text[], $11::text[], $12::timestamptz[],
        $13::real[], $14::real[], $15::real[], $16::real[], $17::numeric[], $18::numeric[], $19::smallint[], $20::bytea[]) as n
      on conflict (organization_id, lead_id, attempt_index) do update set buyer_id = excluded.buyer_id, buyer_tier_id = excluded.buyer_tier_id,
        group_id = excluded.group_id, leg = excluded.leg, outcome = excluded.outcome, answer = excluded.answer, started_at = excluded.started_at,
        elapsed_ms = excluded.elapsed_ms, connect_ms = excluded.connect_ms, wait_ms = excluded.wait_ms, read_ms = excluded.read_ms,
        bid = excluded.bid, price = excluded.price, status_code = excluded.status_code, wire = excluded.wire
        where attempt.answer = 'unknown'`,
    values: [
      batch.organizationId,
      rows.map((row) => row.result.leadId),
      rows.map((row) => row.index),
      rows.map((row) => row.result.verticalId),
      rows.map((row) => row.buyerId),
      rows.map((row) => row.buyerTierId),
      rows.map((row) => row.groupId),
      rows.map((row) => row.result.test),
      rows.map((row) => row.leg),
      rows.map((row) => row.outcome),
      rows.map((row) => row.answer),
      rows.map((row) => new Date(row.startedAt)),
      rows.map((row) => row.elapsedMs),
      rows.map((row) => row.connectMs),
      rows.map((row) => row.waitMs),
      rows.map((row) => row.readMs),
      rows.map((row) => row.bid),
      rows.map((row) => row.price),
      rows.map((row) => row.statusCode),
      rows.map((row) => row.wire),
    ],
  };
}

function keepAnswers(batch: Batch): Statement {
  return {
    name: 'keep-answers',
    text: `update idempotency k set answer = n.a from unnest($2::uuid[], $3::bytea[], $4::uuid[], $5::bytea[]) as n (t, f, l, a)
      where k.organization_id = $1 and k.publisher_tier_id = n.t and k.fingerprint = n.f and k.lead_id = n.l`,
    values: [
      batch.organizationId,
      batch.results.map((row) => row.publisherTierId),
      batch.results.map((row) => row.fingerprint),
      batch.results.map((row) => row.leadId),
      batch.results.map((row) => row.answer),
    ],
  };
}

function insertTurns(batch: Batch): Statement | undefined {
  const turns = new Map<string, { groupId: string; buyerTierId: string; at: number; count: number }>();
  for (const turn of batch.results.flatMap((result) => result.turns)) {
    const known = turns.get(turn.groupId + turn.buyerTierId);
    turns.set(turn.groupId + turn.buyerTierId, { ...turn, at: Math.max(turn.at, known?.at ?? 0), count: (known?.count ?? 0) + 1 });
  }
  if (turns.size === 0) return undefined;
  const rows = [...turns.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  return {
    name: 'insert-turns',
    text: `insert into group_turn (organization_id, group_id, buyer_tier_id, turns, last_turn_at)
      select $1, n.g, n.b, n.c, n.a from unnest($2::uuid[], $3::uuid[], $4::bigint[], $5::timestamptz[]) as n (g, b, c, a)
      on conflict (organization_id, group_id, buyer_tier_id) do update
        set turns = group_turn.turns + excluded.turns, last_turn_at = greatest(group_turn.last_turn_at, excluded.last_turn_at)`,
    values: [
      batch.organizationId,
      rows.map((row) => row.groupId),
      rows.map((row) => row.buyerTierId),
      rows.map((row) => row.count),
      rows.map((row) => new Date(row.at)),
    ],
  };
}

function markUnknown(batch: Batch): Statement | undefined {
  const rows = batch.results.flatMap((result) => result.unknown.map((buyerTierId) => ({ leadId: result.leadId, buyerTierId })));
  if (rows.length === 0) return undefined;
  return {
    name: 'mark-unknown',
    text: `update reservation r set unknown_since = $4 from unnest($2::uuid[], $3::uuid[]) as n (l, s)
      where r.organization_id = $1 and r.lead_id = n.l and r.subject_id = n.s and r.purpose = 'post'`,
    values: [batch.organizationId, rows.map((row) => row.leadId), rows.map((row) => row.buyerTierId), new Date(batch.now)],
  };
}

function insertCalls(batch: Batch): Statement {
  const rows = batch.calls;
  return {
    name: 'insert-calls',
    text: `insert into api_call (organization_id, id, publisher_tier_id, lead_id, method, path, status_code, code, elapsed_ms, wire)
      select $1, n.* from unnest($2::uuid[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::smallint[], $8::text[], $9::real[], $10::bytea[]) as n
      on conflict do nothing`,
    values: [
      batch.organizationId,
      rows.map((row) => row.id),
      rows.map((row) => row.publisherTierId),
      rows.map((row) => row.leadId),
      rows.map((row) => row.method),
      rows.map((row) => row.path),
      rows.map((row) => row.statusCode),
      rows.map((row) => row.code),
      rows.map((row) => row.elapsedMs),
      rows.map((row) => row.wire),
    ],
  };
}

function insertLates(batch: Batch): Statement {
  const rows = batch.lates;
  return {
    name: 'insert-lates',
    text: `insert into late_answer (organization_id, lead_id, attempt_index, buyer_tier_id, outcome, price, after_ms, wire, arrived_at)
      select $1, n.* from unnest($2::uuid[], $3::smallint[], $4::uuid[], $5::text[], $6::numeric[], $7::real[], $8::bytea[], $9::timestamptz[]) as n
      on conflict do nothing`,
    values: [
      batch.organizationId,
      rows.map((row) => row.leadId),
      rows.map((row) => row.attemptIndex),
      rows.map((row) => row.buyerTierId),
      rows.map((row) => row.outcome),
      rows.map((row) => row.price),
      rows.map((row) => row.afterMs),
      rows.map((row) => row.wire),
      rows.map((row) => new Date(row.arrivedAt)),
    ],
  };
}
