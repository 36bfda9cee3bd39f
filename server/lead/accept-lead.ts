/**
 * The life of a lead from the publisher's call to our answer (engine.md "Life of a lead"):
 * normalised -> durable -> checked and routed by the engine -> result stored -> answered.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Decision } from '#engine/decision.ts';
import type { Effect, EffectResult } from '#engine/effect.ts';
import type { LeadFacts } from '#engine/facts.ts';
import type { RouteLead } from '#engine/lead.ts';
import { route } from '#engine/route.ts';
import { newId } from '#server/kit/ids.ts';
import { noticesOf } from '#server/notice/loss-notice.ts';
import { redirectOf } from '#server/redirect/redirect-link.ts';
import { traced } from '#server/trace/tracer.ts';
import { type DeliveryAbout, deliverOverWire } from './buyer-delivery.ts';
import { failedDecision } from './failed-lead.ts';
import {
  type Acceptance,
  AnswerDelayed,
  IdempotencyMismatch,
  type IncomingLead,
  type Intake,
  LeadInFlight,
  type UnderWay,
} from './intake.ts';
import type { Holder, ResultRow } from './lead.sql.ts';
import { type Finished, resultRow, round } from './lead-result.ts';
import { type LeadWorld, openLeadWorld } from './live-world.ts';
import { newLead, type Prepared, prepareLead } from './new-lead.ts';
import { answerDecision } from './posting.answer.ts';
import { askOverWire } from './service-check.ts';
import { consumerOf, groupOfTier } from './variant.ts';

/** What a caller waits beyond its own patience: the engine ends in time, and storing the result takes a millisecond or two. */
const GRACE_MS = 1_000;

export function acceptLead(intake: Intake, incoming: IncomingLead): Promise<Acceptance> {
  const prepared = traced(incoming.span, 'normalise', () => prepareLead(incoming));
  const { payloadHash } = prepared;
  const name = incoming.seat.id + prepared.fingerprint;
  const first = intake.inFlight.get(name);
  if (first) {
    intake.metrics.add('sluice_intake_repeats_total', { found: 'joined' });
    return join(first, incoming, payloadHash);
  }
  // Whoever joins is waiting too: the tree stops early only when all of them have hung up.
  const callers = [incoming.publisherGone];
  const publisherGone = () => callers.every((gone) => gone());
  const working = acceptNew(intake, { ...incoming, publisherGone }, prepared);
  intake.inFlight.set(name, { working, payloadHash, callers });
  const done = working.finally(() => intake.inFlight.delete(name));
  // Only a database that is away keeps a lead longer: it is then finished without its caller.
  return within(done, incoming.timeoutMs + GRACE_MS, () => new AnswerDelayed());
}

/** An equal call while the first is under way: its answer, within this caller's own patience. */
async function join(first: UnderWay, incoming: IncomingLead, payloadHash: string): Promise<Acceptance> {
  if (payloadHash !== first.payloadHash) throw new IdempotencyMismatch();
  first.callers.push(incoming.publisherGone);
  const { statusCode, answer, leadId, isErased } = await within(first.working, incoming.timeoutMs, () => new LeadInFlight());
  return { statusCode, answer, leadId, replayed: true, ...(isErased && { isErased }) };
}

function within<T>(work: Promise<T>, ms: number, refusal: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(refusal()), ms);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

async function acceptNew(intake: Intake, incoming: IncomingLead, prepared: Prepared): Promise<Acceptance> {
  const { organization, seat } = incoming;
  const startedAt = intake.clock();
  const leadId = newId(startedAt);
  const consumer = consumerOf(organization, seat.id, prepared.normalised.fields, incoming.ping?.pingId ?? leadId);
  // Of what is invalid only the person is of interest: nothing may be kept of one who was erased.
  const isValid = prepared.normalised.errors.length === 0;
  const facts = await findFacts(intake, incoming, prepared);
  const lead: RouteLead = {
    id: leadId,
    publisherTierId: seat.id,
    ...(isValid ? { fields: prepared.normalised.fields } : { rawFields: incoming.fields }),
    mode: incoming.mode,
    test: incoming.test,
    deadlineAt: startedAt + incoming.timeoutMs,
    turns: intake.rotation.of(organization.organizationId),
    breakers: intake.breakers.of(organization.organizationId),
    rests: intake.rests.of(organization.organizationId),
    throttles: intake.breakers.throttlesOf(organization.organizationId),
    ...(incoming.ping && { offers: incoming.ping.offers, ...(incoming.ping.variantId && { variantId: incoming.ping.variantId }) }),
    ...(consumer && { bucket: consumer.bucket }),
    ...(facts && { facts }),
  };
  const isErased = facts?.isErased && { isErased: true as const };
  if (isErased) [incoming, prepared] = withoutPerson(incoming, prepared, startedAt);
  const world = openWorld(intake, incoming, prepared, leadId, lead);
  const run = route(organization.plan, lead, { now: startedAt });
  const firstStep = run.next();
  if (!firstStep.done) world.foresee(firstStep.value);
  // A lead with a test value is a test, whether its sender says so or not.
  if (firstStep.done && firstStep.value.test) incoming = { ...incoming, test: true };
  const stored = await receive(intake, incoming, prepared, leadId, startedAt, world, firstStep.done ? undefined : firstStep.value);
  if (stored.holder) return { ...(await firstAnswer(intake, incoming, prepared, stored.holder, startedAt)), ...isErased };
  const routing = incoming.span?.begin('route');
  world.trace(routing);
  const decision = await decide(run, firstStep, stored.result, world, () => failedDecision(organization, lead, world));
  routing?.end({ 'sluice.status': decision.status, 'sluice.reason': decision.reason }, decision.reason === 'interrupted');
  return { ...(await finish(intake, incoming, prepared, { leadId, startedAt, world, decision })), ...isErased };
}

/** What is kept of a lead that is refused since its person was erased: that one came, when, and by whose key. */
function withoutPerson(incoming: IncomingLead, prepared: Prepared, startedAt: number): [IncomingLead, Prepared] {
  const { inbound } = incoming;
  const erased = { at: new Date(startedAt).toISOString(), why: 'refused' as const };
  return [
    { ...incoming, fields: {}, inbound: { ...inbound, body: '', ip: '' }, erased },
    { ...prepared, normalised: { fields: {}, errors: [], unknown: [] } },
  ];
}

/** Undefined where no rule asks for anything. */
function findFacts(intake: Intake, { organization, seat, span }: IncomingLead, { normalised }: Prepared): Promise<LeadFacts> | undefined {
  const began = intake.clock();
  const { fields, errors } = normalised;
  const asked =
    errors.length > 0 ? intake.facts.findPerson(organization, seat.id, fields) : intake.facts.find(organization, seat.id, fields);
  if (!asked) return undefined;
  const ended = (outcome: 'found' | 'failed') =>
    intake.metrics.observe('sluice_facts_seconds', { outcome }, (intake.clock() - began) / 1_000);
  asked.then(
    () => ended('found'),
    () => ended('failed'),
  );
  return traced(span, 'look up', () => asked);
}

/** Whatever goes wrong on our side, the lead ends: what a buyer may hold then stays reserved. */
async function decide(
  run: Generator<Effect, Decision, EffectResult>,
  first: IteratorResult<Effect, Decision>,
  known: EffectResult | undefined,
  world: LeadWorld,
  failed: () => Decision,
): Promise<Decision> {
  if (first.done) return first.value;
  try {
    return await drive(run, first.value, known, world);
  } catch {
    return failed();
  }
}

function openWorld(intake: Intake, incoming: IncomingLead, prepared: Prepared, leadId: string, place: RouteLead): LeadWorld {
  const { organization, seat } = incoming;
  const about = aboutOf(incoming, prepared, leadId);
  return openLeadWorld({
    organization,
    store: intake.store,
    rotation: intake.rotation,
    breakers: intake.breakers.watch(organization),
    metrics: intake.metrics,
    rest: (buyerTierId, until) => intake.rests.begin(organization.organizationId, buyerTierId, until),
    leadId,
    clock: intake.clock,
    publisherGone: incoming.publisherGone,
    deadlineAt: intake.clock() + incoming.timeoutMs,
    groupOf: groupOfTier(organization, seat.id, place),
    deliver: countingUnmapped(intake, about),
    askService: askOverWire(intake, about),
  });
}

/** As deliverOverWire; what went out without a translation is counted. */
function countingUnmapped(intake: Intake, about: DeliveryAbout): ReturnType<typeof deliverOverWire> {
  const send = deliverOverWire(intake, about);
  return async (...args) => {
    const delivery = await send(...args);
    if (delivery.answer.sent) intake.unmapped.count(about.organization.organizationId, args[0].buyerTierId, delivery.wire.warnings);
    return delivery;
  };
}

function aboutOf({ organization, seat, test }: IncomingLead, prepared: Prepared, leadId: string): DeliveryAbout {
  const campaign = organization.plan.publisherTiers.get(seat.id)?.campaign;
  return { organization, seat, campaign, leadId, fields: prepared.normalised.fields, test };
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
  const storing = traced(incoming.span, 'store', () => intake.store.receive(incoming.organization.organizationId, row, ops, intent));
  const { holder, booked } = await storing.catch((error) => {
    // The caller hears that the lead was not taken: should it have been after all, it holds no place in a cap.
    if (reserve && ops.some((op) => op.hold)) void world.undo(reserve, ops).catch(() => {});
    throw error;
  });
  world.spent.storeMs += intake.clock() - began;
  if (holder) return { holder };
  return reserve ? { result: world.resultOf(reserve, ops, booked) } : {};
}

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

async function finish(
  intake: Intake,
  incoming: IncomingLead,
  prepared: Prepared,
  done: Finished & { world: LeadWorld },
): Promise<Acceptance> {
  const { organization, seat } = incoming;
  const { leadId, startedAt, world, decision } = done;
  const redirect = redirectOf(decision);
  const link = redirect && !seat.rawRedirect ? intake.linkOf(organization, leadId) : undefined;
  const given = answerDecision(decision, {
    leadId,
    mode: incoming.mode,
    test: incoming.test,
    terse: seat.terse,
    redirectUrl: link ?? redirect?.url,
    currency: organization.plan.currency,
    elapsedMs: round(intake.clock() - startedAt),
    unknownFields: prepared.normalised.unknown,
  });
  const notices = noticesOf(organization, decision, world.wires, incoming.ping?.offers);
  const row = resultRow(intake.clock(), incoming, prepared, done, given, link ? redirect : undefined, notices);
  const began = intake.clock();
  const isOurs = await traced(incoming.span, 'store result', () =>
    intake.store.finish(organization.organizationId, row, world.settlement(decision)),
  );
  world.spent.storeMs += intake.clock() - began;
  if (!isOurs) return endedByAnother(intake, incoming, row);
  // Nobody waits for it.
  if (notices.length > 0) intake.notices.send(aboutOf(incoming, prepared, leadId), notices);
  intake.ended({
    organizationId: organization.organizationId,
    leadId,
    verticalId: row.verticalId,
    status: decision.status,
    ownMs: row.elapsedMs - row.buyersMs,
    storeMs: row.storeMs,
    othersMs: row.buyersMs,
  });
  return { ...given, leadId, replayed: false, spent: world.spent };
}

/** This node was taken for dead meanwhile, and its lead ended by another, maybe settled: what stands is what is said. */
async function endedByAnother(intake: Intake, { organization, seat }: IncomingLead, row: ResultRow): Promise<Acceptance> {
  const { leadId } = row;
  await intake.keepAfterwards(organization.organizationId, row);
  const given = await intake.findAnswer(organization, seat.id, leadId);
  if (!given) throw new LeadInFlight();
  return { ...given, leadId, replayed: true };
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
  intake.metrics.add('sluice_intake_repeats_total', { found: 'stored' });
  while (intake.clock() - startedAt <= incoming.timeoutMs) {
    const given = await intake.findAnswer(incoming.organization, incoming.seat.id, holder.leadId);
    if (given) return { ...given, leadId: holder.leadId, replayed: true };
    await sleep(POLL_FIRST_ANSWER_MS);
  }
  throw new LeadInFlight();
}
