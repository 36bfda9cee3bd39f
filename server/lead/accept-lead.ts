/**
 * The life of a lead from the publisher's call to our answer (engine.md "Life of a lead"):
 * normalised -> durable -> checked and routed by the engine -> result stored -> answered.
 */
import type { BidOffer, Decision, Explanation, Step } from '#engine/decision.ts';
import type { Effect, EffectResult } from '#engine/effect.ts';
import { normaliseLead } from '#engine/field.ts';
import type { RouteLead, RouteMode } from '#engine/lead.ts';
import { formatMoney } from '#engine/money.ts';
import { route } from '#engine/route.ts';
import type { WireRecord } from '#server/delivery/deliver.ts';
import { keyedHash, sealJson, shortHash } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import type { PublisherSeat } from '#server/plan/configuration.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { type Deliver, deliverOverWire } from './buyer-delivery.ts';
import type { AttemptRow, Holder, NewLead, ResultRow } from './lead.sql.ts';
import type { LeadStore } from './lead.store.ts';
import { type LeadWorld, openLeadWorld, type WireEntry } from './live-world.ts';
import { answerDecision, type GivenAnswer } from './posting.answer.ts';
import type { LateRow } from './record.sql.ts';
import type { Rotation } from './rotation.ts';

export interface Intake {
  store: LeadStore;
  rotation: Rotation;
  deliver: Deliver;
  clock: () => number;
  /** The answer a lead of this publisher tier got; undefined while it is under way. */
  findAnswer(organization: OrganizationPlan, publisherTierId: string, leadId: string): Promise<GivenAnswer | undefined>;
  /** Keeps an answer that came after its time limit. */
  recordLate(late: LateRow): Promise<void>;
  /** Calls under way on this node, by publisher tier and fingerprint. */
  inFlight: Map<string, UnderWay>;
  /** Told of every lead that ended, for the live feed. */
  ended(event: { organizationId: string; leadId: string; verticalId: string; status: string; ownMs: number; storeMs: number }): void;
}

/** A call whose lead is being worked on, and everybody who waits for its answer. */
export interface UnderWay {
  working: Promise<Acceptance>;
  payloadHash: string;
  callers: (() => boolean)[];
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
  /** The call as it came, kept with the lead. */
  inbound: Inbound;
}

export interface Inbound {
  method: string;
  path: string;
  contentType: string;
  body: string;
  ip: string;
}

/** `spent`: ms waited for buyers and for the database, of this call; absent when an earlier answer was given again. */
export type Acceptance = GivenAnswer & { leadId: string; replayed: boolean; spent?: { buyersMs: number; storeMs: number } };

/** Two calls with one Idempotency-Key but different leads. */
export class IdempotencyMismatch extends Error {}
/** The same lead is still being worked on elsewhere and the caller's patience ran out. */
export class LeadInFlight extends Error {}

/** One attempt's conversation, as it is kept. */
export type StoredWire = Partial<WireRecord> & { reasons: string[] };

/** The lead is done, but its result cannot be stored within the caller's patience; it will be. */
export class AnswerDelayed extends Error {}

/** What is kept of the explanation, sealed with the lead; verdicts stand in a column of their own, each with the code of its step. */
export interface Explained {
  why: Explanation;
  errors: Decision['errors'];
  steps: Step[];
  /** Why of tiers whose verdict has no step of its own (never reached, outbid): those that share a reason stand together. */
  unreached: { why: Explanation; buyerTierIds: string[] }[];
  sales: Decision['sales'];
  offers: BidOffer[];
  /** Names of fields the vertical does not know. */
  warnings: string[];
  given: GivenAnswer;
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

/** Storing a result takes a millisecond or two; a caller in a hurry waits this long for it all the same. */
const SHORTEST_WAIT_MS = 1_000;
const PAYLOAD_WINDOW_MS = 60_000;
const KEY_WINDOW_MS = 30 * 86_400_000;

export function acceptLead(intake: Intake, incoming: IncomingLead): Promise<Acceptance> {
  const { organization, seat } = incoming;
  const vertical = organization.plan.publisherTiers.get(seat.id)?.campaign.vertical.config;
  const normalised = vertical
    ? normaliseLead(vertical, incoming.fields, incoming.mode === 'ping')
    : { fields: {}, errors: [], unknown: Object.keys(incoming.fields) };
  const payloadHash = hashPayload(incoming, normalised.fields);
  const fingerprint = fingerprintOf(incoming, payloadHash);
  const name = seat.id + fingerprint;
  const first = intake.inFlight.get(name);
  if (first) return join(first, incoming, payloadHash);
  // Whoever joins is waiting too: the tree stops early only when all of them have hung up.
  const callers = [incoming.publisherGone];
  const publisherGone = () => callers.every((gone) => gone());
  const working = acceptNew(intake, { ...incoming, publisherGone }, { normalised, payloadHash, fingerprint });
  intake.inFlight.set(name, { working, payloadHash, callers });
  return working.finally(() => intake.inFlight.delete(name));
}

/** An equal call while the first is under way: its answer, within this caller's own patience. */
async function join(first: UnderWay, incoming: IncomingLead, payloadHash: string): Promise<Acceptance> {
  if (payloadHash !== first.payloadHash) throw new IdempotencyMismatch();
  first.callers.push(incoming.publisherGone);
  const { statusCode, answer, leadId } = await within(first.working, incoming.timeoutMs, () => new LeadInFlight());
  return { statusCode, answer, leadId, replayed: true };
}

function within<T>(work: Promise<T>, ms: number, refusal: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(refusal()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** What makes two calls one: the ping they post to (it sells once), the caller's own key, or else the same lead. */
function fingerprintOf(incoming: IncomingLead, payloadHash: string): string {
  if (incoming.ping) return shortHash(`g ${incoming.ping.pingId}`);
  return incoming.idempotencyKey ? shortHash(`k ${incoming.idempotencyKey}`) : payloadHash;
}

/** Equal for equal leads however they were written: over normalised values, in order of name. */
function hashPayload(incoming: IncomingLead, fields: Record<string, string>): string {
  const known = Object.keys(fields)
    .sort()
    .map((name) => [name, fields[name]]);
  const others = Object.keys(incoming.fields)
    .sort()
    .filter((name) => !(name in fields))
    .map((name) => [name, incoming.fields[name]]);
  return shortHash(JSON.stringify([incoming.mode, incoming.test, incoming.ping?.pingId ?? null, known, others]));
}

interface Prepared {
  normalised: ReturnType<typeof normaliseLead>;
  payloadHash: string;
  fingerprint: string;
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
  if (!firstStep.done) world.foresee(firstStep.value);
  // A lead with a test value is a test, whether its sender says so or not.
  if (firstStep.done && firstStep.value.test) incoming = { ...incoming, test: true };
  const stored = await receive(intake, incoming, prepared, leadId, startedAt, world, firstStep.done ? undefined : firstStep.value);
  if (stored.holder) return firstAnswer(intake, incoming, prepared, stored.holder, startedAt);
  const decision = await decide(run, firstStep, stored.result, world);
  return finish(intake, incoming, prepared, { leadId, startedAt, world, decision });
}

/** Whatever goes wrong on our side, the lead ends: what a buyer may hold then stays reserved. */
async function decide(
  run: Generator<Effect, Decision, EffectResult>,
  first: IteratorResult<Effect, Decision>,
  known: EffectResult | undefined,
  world: LeadWorld,
): Promise<Decision> {
  if (first.done) return first.value;
  try {
    return await drive(run, first.value, known, world);
  } catch {
    return { ...FAILED, heldBuyerTierIds: world.inDoubt() };
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

/** Makes the lead durable and, in the same transaction, writes what the engine asks for first. */
async function receive(
  intake: Intake,
  incoming: IncomingLead,
  prepared: Prepared,
  leadId: string,
  startedAt: number,
  world: LeadWorld,
  effect: Effect | undefined,
): Promise<{ holder?: Holder; result?: EffectResult }> {
  const reserve = effect?.kind === 'reserve' ? effect : undefined;
  const ops = reserve ? world.bookingOf(reserve) : [];
  const intent = effect?.kind === 'call' ? world.intentOf(effect) : undefined;
  const began = intake.clock();
  const row = newLead(incoming, prepared, leadId, startedAt);
  const { holder, booked } = await intake.store.receive(incoming.organization.organizationId, row, ops, intent);
  world.spent.storeMs += intake.clock() - began;
  if (holder) return { holder };
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
    fields: sealJson(organization.keys, 'lead.fields', leadId, { fields, unknown: others, invalid, inbound: incoming.inbound }),
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
  // What the first effect writes was written with the lead.
  let step = run.next(known ?? (await world.perform(effect, true)));
  while (!step.done) {
    world.foresee(step.value);
    step = run.next(await world.perform(step.value));
  }
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
  const storing = world.settlement(decision).then((ops) => intake.store.finish(organization.organizationId, row, ops));
  // It is tried for as long as it takes; only the caller does not wait for ever.
  await within(storing, Math.max(SHORTEST_WAIT_MS, startedAt + incoming.timeoutMs - began), () => new AnswerDelayed());
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
  const { why, errors, steps, sales, offers } = decision;
  const explained: Explained = {
    why,
    errors,
    steps,
    unreached: groupUnreached(decision),
    sales,
    offers,
    warnings: prepared.normalised.unknown,
    given,
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
    verdicts: decision.verdicts.map((one) => ({
      t: one.buyerTierId,
      g: one.groupId,
      o: one.outcome,
      k: one.filterReasonKey,
      c: one.why.code,
    })),
    explained: sealJson(organization.keys, 'lead_result.explained', leadId, explained),
    wires: sealWires(organization, leadId, decision, world),
    sales: decision.sales.map((sale) => ({
      buyerId: sale.buyerId,
      buyerTierId: sale.buyerTierId,
      revenue: formatMoney(sale.revenue),
      payout: formatMoney(sale.payout),
      margin: formatMoney(sale.margin),
      bid: moneyOrNull(sale.bid),
      postPriceDiffers: sale.postPriceDiffers,
      buyerRef: sale.buyerRef === undefined ? null : storable(sale.buyerRef),
    })),
    attempts: decision.attempts.map((attempt) => attemptRow(organization, attempt, world.wires[attempt.index])),
    turns: decision.attempts
      .filter((one) => one.leg === 'post' && rotates(organization, one.groupId))
      .map((one) => ({ groupId: one.groupId, buyerTierId: one.buyerTierId, at: one.startedAt })),
    unknown: decision.heldBuyerTierIds ?? [],
  };
}

function groupUnreached(decision: Decision): Explained['unreached'] {
  const stepped = new Set(decision.steps.map((step) => `${step.buyerTierId} ${step.code}`));
  const groups = Map.groupBy(
    decision.verdicts.filter((verdict) => !stepped.has(`${verdict.buyerTierId} ${verdict.why.code}`)),
    (verdict) => JSON.stringify(verdict.why),
  );
  return [...groups.values()].map((same) => ({ why: same[0]!.why, buyerTierIds: same.map((verdict) => verdict.buyerTierId) }));
}

/** Only these modes look at whose turn it was. */
function rotates(organization: OrganizationPlan, groupId: string): boolean {
  const mode = organization.groupNames.get(groupId)?.mode;
  return mode === 'roundRobin' || mode === 'weighted';
}

/** By attempt, in one sealed text; undefined when nothing left for a buyer. */
function sealWires(organization: OrganizationPlan, leadId: string, decision: Decision, world: LeadWorld): Buffer | undefined {
  if (decision.attempts.length === 0) return undefined;
  const wires: StoredWire[] = decision.attempts.map((attempt) => ({ ...world.wires[attempt.index]?.record, reasons: attempt.reasons }));
  return sealJson(organization.keys, 'lead_result.wires', leadId, wires);
}

function attemptRow(organization: OrganizationPlan, attempt: Decision['attempts'][number], entry: WireEntry | undefined): AttemptRow {
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
  };
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair, and nobody's reference needs more letters. */
function storable(text: string): string {
  return text.replaceAll('\0', '').slice(0, 200).toWellFormed();
}

function moneyOrNull(money: number | undefined): string | null {
  return money === undefined ? null : formatMoney(money);
}

function round<T extends number | undefined>(ms: T): T extends number ? number : number | null {
  return (ms === undefined ? null : Math.round(ms * 100) / 100) as T extends number ? number : number | null;
}

const POLL_FIRST_ANSWER_MS = 50;

/** Somebody sent this lead before: the first answer, waited for when it is not there yet. */
async function firstAnswer(
  intake: Intake,
  incoming: IncomingLead,
  prepared: Prepared,
  holder: Holder,
  startedAt: number,
): Promise<Acceptance> {
  if (holder.payloadHash !== prepared.payloadHash) throw new IdempotencyMismatch();
  while (intake.clock() - startedAt <= incoming.timeoutMs) {
    const given = await intake.findAnswer(incoming.organization, incoming.seat.id, holder.leadId);
    if (given) return { ...given, leadId: holder.leadId, replayed: true };
    await new Promise((resolve) => setTimeout(resolve, POLL_FIRST_ANSWER_MS));
  }
  throw new LeadInFlight();
}
