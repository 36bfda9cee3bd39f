/**
 * The life of a lead from the publisher's call to our answer (engine.md "Life of a lead"):
 * normalised -> durable -> checked and routed by the engine -> result stored -> answered.
 */
import type { PostingAnswer } from '#contract/posting.ts';
import type { BidOffer, Decision } from '#engine/decision.ts';
import type { Effect, EffectResult } from '#engine/effect.ts';
import { normaliseLead } from '#engine/field.ts';
import type { RouteLead, RouteMode } from '#engine/lead.ts';
import { formatMoney } from '#engine/money.ts';
import { route } from '#engine/route.ts';
import { type Deliver, deliverOverWire } from './buyer-delivery.ts';
import { keyedHash, openJson, sealJson, sha256 } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { PublisherSeat } from '#server/plan/configuration.sql.ts';
import type { AttemptRow, NewLead, ResultRow } from './lead.sql.ts';
import type { IdempotencyHolder, LeadStore } from './lead.store.ts';
import { type LeadWorld, openLeadWorld, type WireEntry } from './live-world.ts';
import { answerDecision, type GivenAnswer } from './posting.answer.ts';
import type { Rotation } from './rotation.ts';

export interface Intake {
  store: LeadStore;
  rotation: Rotation;
  deliver: Deliver;
  clock: () => number;
  /** The stored first answer of a call that another node, or an earlier one, is still working on. */
  findHolder(organizationId: string, publisherTierId: string, fingerprint: Buffer): Promise<IdempotencyHolder | undefined>;
  /** Told of every lead that ended, for the live feed. */
  ended(event: { organizationId: string; leadId: string; verticalId: string; status: string; ownMs: number; storeMs: number }): void;
}

export interface IncomingLead {
  organization: OrganizationPlan;
  seat: PublisherSeat;
  mode: RouteMode;
  fields: Record<string, unknown>;
  test: boolean;
  timeoutMs: number;
  idempotencyKey: string | undefined;
  /** Mode post: the ping, with the offers it was given. */
  ping?: { pingId: string; offers: BidOffer[] };
  publisherGone: () => boolean;
}

/** `spent`: ms waited for buyers and for the database, of this call; absent when an earlier answer was given again. */
export type Acceptance = GivenAnswer & { leadId: string; replayed: boolean; spent?: { buyersMs: number; storeMs: number } };

/** Two calls with one Idempotency-Key but different leads. */
export class IdempotencyMismatch extends Error {}
/** The same lead is still being worked on elsewhere and the caller's patience ran out. */
export class LeadInFlight extends Error {}

/** What is kept of the explanation, sealed with the lead. */
export interface Explained {
  decision: Pick<Decision, 'why' | 'errors' | 'steps' | 'verdicts' | 'sales' | 'offers' | 'duplicateOfLeadId'>;
  attempts: Decision['attempts'];
  warnings: string[];
  answer: PostingAnswer;
}

/** The end of a lead that failed for a reason of ours: on record, answered, and what a buyer may hold stays reserved. */
const FAILED: Decision = {
  status: 'error',
  reason: 'interrupted',
  why: { code: 'interrupted', params: {} },
  errors: [],
  sales: [],
  offers: [],
  attempts: [],
  verdicts: [],
  steps: [],
};

const PAYLOAD_WINDOW_MS = 60_000;
const KEY_WINDOW_MS = 30 * 86_400_000;

const inFlight = new Map<string, Promise<Acceptance>>();

export function acceptLead(intake: Intake, incoming: IncomingLead): Promise<Acceptance> {
  const { organization, seat } = incoming;
  const vertical = organization.plan.publisherTiers.get(seat.id)?.campaign.vertical.config;
  const normalised = vertical ? normaliseLead(vertical, incoming.fields, incoming.mode === 'ping') : { fields: {}, errors: [], unknown: Object.keys(incoming.fields) };
  const payloadHash = hashPayload(incoming, normalised.fields);
  const fingerprint = fingerprintOf(incoming, payloadHash);
  const name = seat.id + fingerprint.toString('base64');
  const first = inFlight.get(name);
  if (first) return replay(first, payloadHash);
  const working = acceptNew(intake, incoming, { normalised, payloadHash, fingerprint });
  inFlight.set(name, Object.assign(working, { payloadHash }));
  return working.finally(() => inFlight.delete(name));
}

async function replay(first: Promise<Acceptance>, payloadHash: Buffer): Promise<Acceptance> {
  if (!payloadHash.equals((first as Promise<Acceptance> & { payloadHash: Buffer }).payloadHash)) throw new IdempotencyMismatch();
  const { statusCode, answer, leadId } = await first;
  return { statusCode, answer, leadId, replayed: true };
}

/** What makes two calls one: the ping they post to (it sells once), the caller's own key, or else the same lead. */
function fingerprintOf(incoming: IncomingLead, payloadHash: Buffer): Buffer {
  if (incoming.ping) return sha256(`g ${incoming.ping.pingId}`);
  if (incoming.idempotencyKey) return sha256(`k ${incoming.idempotencyKey}`);
  return sha256(Buffer.concat([Buffer.from('p '), payloadHash]));
}

/** Equal for equal leads however they were written: over normalised values, in order of name. */
function hashPayload(incoming: IncomingLead, fields: Record<string, string>): Buffer {
  const known = Object.keys(fields).sort().map((name) => [name, fields[name]]);
  const others = Object.keys(incoming.fields).sort().filter((name) => !(name in fields)).map((name) => [name, incoming.fields[name]]);
  return sha256(JSON.stringify([incoming.mode, incoming.test, incoming.ping?.pingId ?? null, known, others]));
}

interface Prepared {
  normalised: ReturnType<typeof normaliseLead>;
  payloadHash: Buffer;
  fingerprint: Buffer;
}

async function acceptNew(intake: Intake, incoming: IncomingLead, prepared: Prepared): Promise<Acceptance> {
  const { organization, seat } = incoming;
  const startedAt = intake.clock();
  const leadId = newId(startedAt);
  const lead: RouteLead = {
    id: leadId,
    publisherTierId: seat.id,
    ...(prepared.normalised.errors.length > 0 ? { rawFields: incoming.fields } : { fields: prepared.normalised.fields }),
    mode: incoming.mode,
    test: incoming.test,
    deadlineAt: startedAt + incoming.timeoutMs,
    turns: intake.rotation.of(organization.organizationId),
    ...(incoming.ping && { offers: incoming.ping.offers }),
  };
  const world = openWorld(intake, incoming, prepared, leadId);
  const run = route(organization.plan, lead, { now: startedAt });
  const firstStep = run.next();
  const stored = await receive(intake, incoming, prepared, leadId, startedAt, world, firstStep.done ? undefined : firstStep.value);
  if (stored.holder) return firstAnswer(intake, incoming, prepared, stored.holder, startedAt);
  try {
    const decision = firstStep.done ? firstStep.value : await drive(run, firstStep.value, stored.result, world);
    return await finish(intake, incoming, prepared, { leadId, startedAt, world, decision });
  } catch (error) {
    await finish(intake, incoming, prepared, { leadId, startedAt, world, decision: FAILED }).catch(() => {});
    throw error;
  }
}

function openWorld(intake: Intake, incoming: IncomingLead, prepared: Prepared, leadId: string): LeadWorld {
  const { organization, seat } = incoming;
  const campaign = organization.plan.publisherTiers.get(seat.id)?.campaign;
  const groups = new Map(campaign?.groups.flatMap((group) => group.members.map((member) => [member.tier.config.id, group.config.id])));
  return openLeadWorld({
    organization,
    store: intake.store,
    rotation: intake.rotation,
    leadId,
    clock: intake.clock,
    publisherGone: incoming.publisherGone,
    groupOf: (buyerTierId) => groups.get(buyerTierId),
    deliver: deliverOverWire(intake, { organization, seat, campaign, leadId, fields: prepared.normalised.fields, test: incoming.test }),
  });
}

/** Makes the lead durable and, in the same transaction, books what the engine asks for first. */
async function receive(
  intake: Intake,
  incoming: IncomingLead,
  prepared: Prepared,
  leadId: string,
  startedAt: number,
  world: LeadWorld,
  effect: Effect | undefined,
): Promise<{ holder?: IdempotencyHolder; result?: EffectResult }> {
  const reserve = effect?.kind === 'reserve' ? effect : undefined;
  const ops = reserve ? world.bookingOf(reserve) : [];
  const began = intake.clock();
  const row = newLead(incoming, prepared, leadId, startedAt);
  const { holder, booked } = await intake.store.receive(incoming.organization.organizationId, row, ops);
  world.spent.storeMs += intake.clock() - began;
  if (holder.leadId !== leadId) return { holder };
  return reserve ? { result: world.resultOf(reserve, ops, booked) } : {};
}

function newLead(incoming: IncomingLead, prepared: Prepared, leadId: string, startedAt: number): NewLead {
  const { organization, seat } = incoming;
  const campaign = organization.plan.publisherTiers.get(seat.id)?.campaign.config;
  const shell = campaign && organization.verticals.get(campaign.verticalId);
  const { fields, unknown } = prepared.normalised;
  const others = Object.fromEntries(unknown.map((name) => [name, incoming.fields[name]]));
  const invalid = Object.fromEntries(prepared.normalised.errors.map((error) => [error.field, incoming.fields[error.field] ?? null]));
  return {
    id: leadId,
    regionId: shell?.regionId ?? NOWHERE,
    verticalId: campaign?.verticalId ?? NOWHERE,
    campaignId: seat.campaignId,
    publisherId: seat.publisherId,
    publisherTierId: seat.id,
    subId: seat.subId,
    mode: incoming.mode,
    test: incoming.test,
    pingId: incoming.ping?.pingId ?? null,
    fields: sealJson(organization.keys, 'lead.fields', leadId, { fields, unknown: others, invalid }),
    lookups: (shell?.searchable ?? []).flatMap((name) => (fields[name] ? [keyedHash(organization.keys, 'lookup', fields[name])] : [])),
    idempotency: {
      fingerprint: prepared.fingerprint,
      payloadHash: prepared.payloadHash,
      expiresAt: startedAt + (incoming.ping || incoming.idempotencyKey ? KEY_WINDOW_MS : PAYLOAD_WINDOW_MS),
    },
  };
}

/** A seat whose campaign cannot be used still leaves its leads on record. */
const NOWHERE = '00000000-0000-0000-0000-000000000000';

async function drive(
  run: Generator<Effect, Decision, EffectResult>,
  effect: Effect,
  known: EffectResult | undefined,
  world: LeadWorld,
): Promise<Decision> {
  let step = run.next(known ?? (await world.perform(effect)));
  while (!step.done) step = run.next(await world.perform(step.value));
  return step.value;
}

interface Finished {
  leadId: string;
  startedAt: number;
  world: LeadWorld;
  decision: Decision;
}

async function finish(intake: Intake, incoming: IncomingLead, prepared: Prepared, done: Finished): Promise<Acceptance> {
  const { organization, seat } = incoming;
  const { leadId, startedAt, world, decision } = done;
  const given = answerDecision(decision, {
    leadId,
    mode: incoming.mode,
    test: incoming.test,
    terse: seat.terse,
    currency: organization.plan.currency,
    elapsedMs: round(intake.clock() - startedAt),
    unknownFields: prepared.normalised.unknown,
  });
  const row = resultRow(intake, incoming, prepared, done, given);
  const began = intake.clock();
  await intake.store.finish(organization.organizationId, row, world.settlement(decision));
  world.spent.storeMs += intake.clock() - began;
  intake.ended({
    organizationId: organization.organizationId,
    leadId,
    verticalId: row.verticalId,
    status: decision.status,
    ownMs: row.elapsedMs - row.buyersMs,
    storeMs: row.storeMs,
  });
  return { ...given, leadId, replayed: false, spent: world.spent };
}

function resultRow(intake: Intake, incoming: IncomingLead, prepared: Prepared, done: Finished, given: GivenAnswer): ResultRow {
  const { organization, seat } = incoming;
  const { leadId, startedAt, world, decision } = done;
  const now = intake.clock();
  const sum = (of: 'revenue' | 'payout' | 'margin') => formatMoney(decision.sales.reduce((total, sale) => total + sale[of], 0));
  const explained: Explained = {
    decision: {
      why: decision.why,
      errors: decision.errors,
      steps: decision.steps,
      verdicts: decision.verdicts,
      sales: decision.sales,
      offers: decision.offers,
      ...(decision.duplicateOfLeadId !== undefined && { duplicateOfLeadId: decision.duplicateOfLeadId }),
    },
    attempts: decision.attempts,
    warnings: prepared.normalised.unknown,
    answer: given.answer,
  };
  return {
    leadId,
    verticalId: organization.plan.publisherTiers.get(seat.id)?.campaign.config.verticalId ?? NOWHERE,
    campaignId: seat.campaignId,
    publisherId: seat.publisherId,
    publisherTierId: seat.id,
    test: incoming.test,
    status: decision.status,
    reason: decision.reason ?? null,
    revenue: sum('revenue'),
    payout: sum('payout'),
    margin: sum('margin'),
    duplicateOf: decision.duplicateOfLeadId ?? null,
    elapsedMs: round(now - startedAt),
    buyersMs: round(world.spent.buyersMs),
    storeMs: round(world.spent.storeMs),
    finishedAt: now,
    verdicts: JSON.stringify(decision.verdicts.map((one) => ({ t: one.buyerTierId, g: one.groupId, o: one.outcome, k: one.filterReasonKey, c: one.why.code }))),
    explained: sealJson(organization.keys, 'lead_result.explained', leadId, explained),
    fingerprint: prepared.fingerprint,
    answer: sealJson(organization.keys, 'idempotency.answer', leadId, given),
    sales: decision.sales.map((sale) => ({
      buyerId: sale.buyerId,
      buyerTierId: sale.buyerTierId,
      revenue: formatMoney(sale.revenue),
      payout: formatMoney(sale.payout),
      margin: formatMoney(sale.margin),
      bid: moneyOrNull(sale.bid),
      postPriceDiffers: sale.postPriceDiffers,
      buyerRef: sale.buyerRef ?? null,
    })),
    attempts: decision.attempts.map((attempt) => attemptRow(organization, leadId, attempt, world.wires[attempt.index])),
    turns: decision.attempts.filter((one) => one.leg === 'post').map((one) => ({ groupId: one.groupId, buyerTierId: one.buyerTierId, at: one.startedAt })),
    unknown: decision === FAILED ? world.wires.map((entry) => entry.call.buyerTierId) : decision.status === 'held' ? decision.attempts.filter((one) => one.leg === 'post').map((one) => one.buyerTierId) : [],
  };
}

function attemptRow(organization: OrganizationPlan, leadId: string, attempt: Decision['attempts'][number], entry: WireEntry | undefined): AttemptRow {
  const record = entry?.record;
  return {
    index: attempt.index,
    buyerId: organization.buyerWires.get(attempt.buyerTierId)?.buyerId ?? NOWHERE,
    buyerTierId: attempt.buyerTierId,
    groupId: attempt.groupId,
    leg: attempt.leg,
    // A ping that was answered with a usable bid: what comes of it is the post's to say.
    outcome: attempt.outcome === 'notReached' ? 'bid' : attempt.outcome,
    answer: attempt.answer,
    startedAt: attempt.startedAt,
    elapsedMs: round(attempt.elapsedMs),
    connectMs: round(record?.timing.connectMs),
    waitMs: round(record?.timing.waitMs),
    readMs: round(record?.timing.readMs),
    bid: moneyOrNull(attempt.bid),
    price: moneyOrNull(attempt.price),
    statusCode: record?.response?.status ?? null,
    wire: sealJson(organization.keys, 'attempt.wire', `${leadId} ${attempt.index}`, { ...record, reasons: attempt.reasons }),
  };
}

function moneyOrNull(money: number | undefined): string | null {
  return money === undefined ? null : formatMoney(money);
}

function round<T extends number | undefined>(ms: T): T extends number ? number : number | null {
  return (ms === undefined ? null : Math.round(ms * 100) / 100) as T extends number ? number : number | null;
}

const POLL_FIRST_ANSWER_MS = 50;

/** Somebody sent this lead before: the first answer, waited for when it is not there yet. */
async function firstAnswer(intake: Intake, incoming: IncomingLead, prepared: Prepared, found: IdempotencyHolder, startedAt: number): Promise<Acceptance> {
  const { organization, seat } = incoming;
  let holder: IdempotencyHolder | undefined = found;
  while (holder) {
    if (!holder.payloadHash.equals(prepared.payloadHash)) throw new IdempotencyMismatch();
    if (holder.answer) {
      const given = openJson<GivenAnswer>(organization.keys, 'idempotency.answer', holder.leadId, holder.answer);
      return { ...given, leadId: holder.leadId, replayed: true };
    }
    if (intake.clock() - startedAt > incoming.timeoutMs) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_FIRST_ANSWER_MS));
    holder = await intake.findHolder(organization.organizationId, seat.id, prepared.fingerprint);
  }
  throw new LeadInFlight();
}
