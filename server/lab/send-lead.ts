/** One lead of the testing lab through the real engine. With real buyers it is kept as a test lead; with simulated ones nothing is kept at all. */
import type { SendBody } from '#contract/lab.ts';
import type { LeadView } from '#contract/lead.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { compile } from '#engine/compile.ts';
import type { Decision } from '#engine/decision.ts';
import type { RouteLead } from '#engine/lead.ts';
import { route } from '#engine/route.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { askRoom } from '#server/lead/ask-room.sql.ts';
import { type DeliveryAbout, deliverOverWire } from '#server/lead/buyer-delivery.ts';
import { failedDecision } from '#server/lead/failed-lead.ts';
import type { IncomingLead, Intake } from '#server/lead/intake.ts';
import { viewLead } from '#server/lead/lead.view.ts';
import { type Finished, resultRow, round } from '#server/lead/lead-result.ts';
import { getLeadRecord } from '#server/lead/lead-view.sql.ts';
import { newLead, type Prepared, prepareLead } from '#server/lead/new-lead.ts';
import { answerDecision } from '#server/lead/posting.answer.ts';
import { askOverWire } from '#server/lead/service-check.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { redirectOf } from '#server/redirect/redirect-link.ts';
import type { Place } from '#server/region/region.routes.ts';
import { type LabClock, type LabWorld, openLabWorld, realClock, simulatedClock } from './lab-world.ts';
import { recordUnstored } from './record-unstored.ts';
import { findRecordedAnswer } from './recorded-answer.ts';
import { simulateBuyers, simulateServices } from './simulated-buyers.ts';
import { NO_SETTINGS, triedConfiguration } from './tried-configuration.ts';

export interface Sending {
  organization: OrganizationPlan;
  place: Place;
  campaignId: string;
  /** The tree to go by. */
  groups: readonly TreeGroup[];
  body: SendBody;
  /** What was typed, over the values of a past lead where there is one. */
  fields: Record<string, unknown>;
}

/** A person waits for it: no longer than a publisher may. */
const PATIENCE_MS = 60_000;

export async function sendLabLead(intake: Intake, own: Db, sending: Sending): Promise<LeadView> {
  const organization = byTree(sending);
  const incoming = incomingOf(organization, sending);
  const prepared = prepareLead(incoming);
  const isReal = sending.body.buyers === 'real';
  if (isReal) await requireNotErased(intake, incoming, prepared);
  const startedAt = intake.clock();
  const leadId = newId(startedAt);
  if (isReal) await intake.store.receive(organization.organizationId, newLead(incoming, prepared, leadId, startedAt), []);
  const clock = isReal ? realClock(intake.clock) : simulatedClock(startedAt);
  const world = openWorld(intake, own, sending, { incoming, prepared, leadId, clock });
  const decision = await decide(intake, incoming, prepared, leadId, startedAt, clock, world);
  const done: Finished = { leadId, startedAt, world, decision };
  const row = resultOf(incoming, prepared, done, clock.now());
  if (isReal) await intake.store.finish(organization.organizationId, row, []);
  const record = isReal ? await getLeadRecord(own, organization, leadId) : recordUnstored(incoming, prepared, row, startedAt);
  // Nobody paid for a test.
  return { ...viewLead(organization, sending.place, record), mayReturn: false };
}

/** What is sent to real buyers is kept, and of such a person nothing may be. */
async function requireNotErased({ facts }: Intake, { organization, seat }: IncomingLead, { normalised }: Prepared): Promise<void> {
  const found = await facts.findPerson(organization, seat.id, normalised.fields);
  if (found?.isErased)
    throw new HttpError(
      409,
      'lab_person_erased',
      'This person was erased at their wish: send other values, or let the buyers be simulated.',
    );
}

/** The organization as it would be with the tree that was chosen. */
function byTree({ organization, campaignId, groups }: Sending): OrganizationPlan {
  const configuration = triedConfiguration(organization, campaignId, groups, NO_SETTINGS, () => newId());
  const { plan } = compile(configuration);
  const named = configuration.campaigns[0]!.groups.map(({ id, name, mode }) => [id, { name, mode }] as const);
  return { ...organization, plan, groupNames: new Map([...organization.groupNames, ...named]) };
}

function incomingOf(organization: OrganizationPlan, { body, fields }: Sending): IncomingLead {
  const seat = organization.publisherSeats.get(body.publisherTierId);
  if (!seat || !organization.plan.publisherTiers.has(seat.id))
    throw new HttpError(409, 'publisher_tier_unusable', 'The publisher tier cannot be used as it is set up. flow-control says why.');
  return {
    organization,
    seat,
    mode: 'full',
    fields,
    test: true,
    timeoutMs: PATIENCE_MS,
    // Sent twice it is two leads: people try again.
    idempotencyKey: newId(),
    publisherGone: () => false,
    inbound: { method: 'POST', path: 'testing lab', contentType: 'application/json', body: JSON.stringify(fields), ip: '' },
  };
}

interface OneLead {
  incoming: IncomingLead;
  prepared: Prepared;
  leadId: string;
  clock: LabClock;
}

function openWorld(
  intake: Intake,
  own: Db,
  { body, organization: stored }: Sending,
  { incoming, prepared, leadId, clock }: OneLead,
): LabWorld {
  const { organization, seat } = incoming;
  const campaign = organization.plan.publisherTiers.get(seat.id)?.campaign;
  const about: DeliveryAbout = { organization, seat, campaign, leadId, fields: prepared.normalised.fields, test: true };
  const room = { clock, askRoom: (reservations: Parameters<typeof askRoom>[2]) => askRoom(own, organization.keys, reservations) };
  if (body.buyers === 'real')
    return openLabWorld({ ...room, deliver: deliverOverWire(unsettled(intake), about), askService: askOverWire(intake, about) });
  const parts = {
    about,
    clock: clock.now,
    answers: body.answers,
    services: body.services,
    findRecorded: (buyerTierId: string, leg: 'ping' | 'post') => findRecordedAnswer(own, stored, buyerTierId, leg),
  };
  return openLabWorld({ ...room, deliver: simulateBuyers(parts), askService: simulateServices(parts) });
}

/** A yes that comes too late is no sale that somebody must settle: as what is held in the lab is not. */
const unsettled = (intake: Intake): Intake => ({ ...intake, recordLate: async () => {} });

async function decide(
  intake: Intake,
  { organization, seat, fields }: IncomingLead,
  { normalised }: Prepared,
  leadId: string,
  startedAt: number,
  clock: LabClock,
  world: LabWorld,
): Promise<Decision> {
  const isValid = normalised.errors.length === 0;
  const facts = isValid ? await intake.facts.find(organization, seat.id, normalised.fields) : undefined;
  const lead: RouteLead = {
    id: leadId,
    publisherTierId: seat.id,
    ...(isValid ? { fields: normalised.fields } : { rawFields: fields }),
    mode: 'full',
    // Routed as any other; that it is a test is for those who hear of it.
    test: false,
    deadlineAt: startedAt + PATIENCE_MS,
    turns: intake.rotation.of(organization.organizationId),
    breakers: intake.breakers.of(organization.organizationId),
    throttles: intake.breakers.throttlesOf(organization.organizationId),
    rests: intake.rests.of(organization.organizationId),
    ...(facts && { facts }),
  };
  try {
    const run = route(organization.plan, lead, { now: clock.now() });
    let step = run.next();
    while (!step.done) step = run.next(await world.perform(step.value));
    return step.value;
  } catch {
    return failedDecision(organization, lead, { wires: world.wires, inDoubt: () => [] });
  }
}

/** Neither a turn, a hold nor a redirect link comes of it: nothing was reserved, and nobody is sent on. */
function resultOf(incoming: IncomingLead, prepared: Prepared, done: Finished, now: number): ReturnType<typeof resultRow> {
  const { organization, seat } = incoming;
  const given = answerDecision(done.decision, {
    leadId: done.leadId,
    mode: 'full',
    test: true,
    terse: seat.terse,
    redirectUrl: redirectOf(done.decision)?.url,
    currency: organization.plan.currency,
    elapsedMs: round(now - done.startedAt),
    unknownFields: prepared.normalised.unknown,
  });
  return {
    // Nobody is told of a try.
    ...resultRow(now, incoming, prepared, done, given, undefined, []),
    turns: [],
    unknown: [],
    references: [],
    promoted: [],
    variant: null,
    pageId: null,
  };
}
