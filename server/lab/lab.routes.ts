/** The testing lab: what it offers, one lead sent, and its samples. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  labAnswer,
  labQuery,
  labTreeAnswer,
  labTreeQuery,
  pastLeadAnswer,
  SAMPLE_LEADS_MOST,
  type SendBody,
  sampleAdd,
  sampleChanged,
  sampleEdit,
  sampleRemove,
  sendAnswer,
  sendBody,
} from '#contract/lab.ts';
import { MESSAGES } from '#contract/message.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { takeTry } from '#server/kit/throttle.ts';
import { dropCardNumber } from '#server/lead/card-number.ts';
import type { Intake } from '#server/lead/intake.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import {
  countSamplesOf,
  deleteSample,
  insertSample,
  isSampleNamed,
  keepSimulatedAnswers,
  lockSample,
  lockSamplesOf,
  updateSample,
} from './lab.sql.ts';
import { viewLab, viewLabTree } from './lab.view.ts';
import { LAB_PAGE, requireLab, requireLabCampaign, requireTree } from './lab-place.ts';
import { findPastLead, requirePastLead } from './past-lead.ts';
import { sendLabLead } from './send-lead.ts';

const BASE = '/api/console/lab';
/** Real buyers hear of it. */
const REAL_SENDS = { limit: 30, windowMs: 60_000 };
const params = z.object({ id: z.string().max(60) });

export interface LabParts extends RecordParts {
  tenants: Tenants;
  intake: Intake;
}

export async function labRoutes(instance: FastifyInstance, options: LabParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary });

  app.get(
    BASE,
    { schema: { ...told('What the testing lab of a vertical has to choose from'), querystring: labQuery, response: { 200: labAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const place = await requireLab(change, request.query);
        return viewLab(change, place, requireOrganization(options.planBook, change.person.organizationId));
      }),
  );

  app.get(
    `${BASE}/campaigns/:id/tree`,
    {
      schema: {
        ...told('The buyer tiers that stand in a campaign’s tree, and what each says when its buyer is simulated'),
        params,
        querystring: labTreeQuery,
        response: { 200: labTreeAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { id } = await requireLabCampaign(change, request.params.id);
        const { tree, versionId = '' } = request.query;
        return viewLabTree(change, await requireTree(change, id, tree === 'version' ? { tree, versionId } : { tree }));
      }),
  );

  app.get(
    `${BASE}/past-leads/:id`,
    { schema: { ...told('A past lead, to be tried again; personal values are masked'), params, response: { 200: pastLeadAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const organization = requireOrganization(options.planBook, change.person.organizationId);
        return findPastLead(change, organization, request.params.id);
      }),
  );

  app.post(
    `${BASE}/send`,
    {
      schema: {
        ...told('Send one lead through the real engine, with real or simulated buyers; nothing is booked or counted'),
        description: 'With real buyers the lead is kept as a test lead. With simulated ones nothing is kept.',
        body: sendBody,
        response: { 200: sendAnswer },
      },
    },
    async (request) => {
      const { body } = request;
      const prepared = await asPerson(request, (change) => prepare(change, options, body));
      const lead = await sendLabLead(options.intake, options.tenants.of(prepared.organization.organizationId), prepared);
      return { status: true as const, lead, isStored: body.buyers === 'real' };
    },
  );

  app.post(
    `${BASE}/samples`,
    { schema: { ...told('Keep a sample lead; its values are sealed'), body: sampleAdd, response: { 200: sampleChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const { name, fields } = request.body;
        const { verticalId } = await requireLab(change, request.body);
        await requireFreeName(change, verticalId, name, null);
        await requireRoom(change, verticalId);
        const _id = await insertSample(change.tx, change.keys(), {
          verticalId,
          name,
          fields: withoutCard(change, options, verticalId, fields),
        });
        await logSample(change, _id, name, 'add', {}, { name });
        return { status: true as const, msg: MESSAGES.sampleSaved, _id };
      }),
  );

  app.post(
    `${BASE}/samples/:id`,
    { schema: { ...told('Change a sample lead'), params, body: sampleEdit, response: { 200: sampleChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const { name, fields, version } = request.body;
        const sample = await requireSample(change, request.params.id, version);
        await requireFreeName(change, sample.vertical_id, name, sample.id);
        await updateSample(change.tx, change.keys(), sample.id, { name, fields: withoutCard(change, options, sample.vertical_id, fields) });
        await logSample(change, sample.id, name, 'edit', { name: sample.name }, { name });
        return { status: true as const, msg: MESSAGES.sampleSaved, _id: sample.id };
      }),
  );

  app.post(
    `${BASE}/samples/:id/remove`,
    { schema: { ...told('Remove a sample lead'), params, body: sampleRemove, response: { 200: sampleChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const sample = await requireSample(change, request.params.id, request.body.version);
        await deleteSample(change.tx, change.person.organizationId, sample.id);
        await logSample(change, sample.id, sample.name, 'remove', { name: sample.name }, {});
        return { status: true as const, msg: MESSAGES.sampleRemoved, _id: sample.id };
      }),
  );
}

/** Everything that a send reads and keeps in the database before buyers are asked: a slow buyer must not hold a connection. */
async function prepare(change: Change, options: LabParts, body: SendBody) {
  const { person, tx } = change;
  const organization = requireOrganization(options.planBook, person.organizationId);
  const seat = organization.publisherSeats.get(body.publisherTierId);
  if (!seat) throw new HttpError(404, 'publisher_tier_unknown', 'There is no such publisher tier in your reach.');
  const place = await requireLabCampaign(change, seat.campaignId);
  if (body.buyers === 'real') await limitRealSends(change, options, body);
  const past = body.leadId === null ? undefined : await requirePastLead(change, organization, body.leadId);
  // What is personal is said by the lead's own vertical: under another one's fields it could be read.
  if (past && past.verticalId !== place.verticalId)
    throw new HttpError(409, 'lab_lead_elsewhere', 'The lead is of another vertical. Try it in the lab of its own.');
  const groups = await requireTree(change, seat.campaignId, body.change);
  const told = new Map(body.answers.map((one) => [one.buyerTierId, one]));
  // What is kept for a tier is set for everybody who tries it: only of those that stand in the tree, which the person may open.
  const seated = new Set(groups.flatMap(({ members }) => members.map(({ buyerTierId }) => buyerTierId)));
  const own = [...told.values()].filter(({ buyerTierId }) => seated.has(buyerTierId));
  if (body.buyers === 'simulated') await keepSimulatedAnswers(tx, person.organizationId, own);
  const fields = { ...past?.fields, ...filled(body.fields) };
  return {
    organization,
    place,
    campaignId: seat.campaignId,
    groups,
    body: { ...body, answers: own },
    fields: withoutCard(change, options, place.verticalId, fields),
  };
}

async function limitRealSends({ person }: Change, { db }: LabParts, { leadId }: SendBody): Promise<void> {
  if (leadId !== null)
    throw new HttpError(
      409,
      'lab_lead_personal',
      'A past lead is a person’s, who did not ask to be offered again: it is tried with simulated buyers only. Choose those, or type another lead.',
    );
  if ((await takeTry(db, `lab sends of ${person.userId}`, REAL_SENDS.limit, REAL_SENDS.windowMs)) > 0)
    throw new HttpError(429, 'lab_rate_limited', 'Many leads were sent to real buyers. Wait a minute.', { retryAfterSeconds: 60 });
}

const filled = (fields: Record<string, string>) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== ''));

/** Of a card number only its BIN is ever taken (console §3). */
function withoutCard<T extends Record<string, unknown>>({ person }: Change, { planBook }: LabParts, verticalId: string, fields: T): T {
  const binField = planBook.find(person.organizationId)?.plan.verticals.get(verticalId)?.binField;
  return binField ? (dropCardNumber(binField, { fields, body: Buffer.alloc(0) }).fields as T) : fields;
}

async function requireSample(change: Change, id: string, version: number) {
  const { tx, person } = change;
  const sample = isId(id) ? await lockSample(tx, person.organizationId, id) : undefined;
  if (!sample || !mayOpenPage(person, LAB_PAGE, sample.region_id, sample.vertical_id))
    throw new HttpError(404, 'sample_unknown', 'There is no such sample lead in your reach.');
  if (sample.version !== version)
    throw new HttpError(409, 'sample_changed', 'Somebody has changed this sample meanwhile. Open it again to see it as it is.');
  return sample;
}

async function requireRoom({ tx, person }: Change, verticalId: string): Promise<void> {
  if ((await countSamplesOf(tx, person.organizationId, verticalId)) < SAMPLE_LEADS_MOST) return;
  throw new HttpError(409, 'sample_too_many', `A vertical has at most ${SAMPLE_LEADS_MOST} sample leads. Remove one that nobody needs.`);
}

async function requireFreeName({ tx, person }: Change, verticalId: string, name: string, but: string | null): Promise<void> {
  await lockSamplesOf(tx, person.organizationId, verticalId);
  if (!(await isSampleNamed(tx, person.organizationId, verticalId, name, but))) return;
  const message = `Another sample is called ${name}. Give this one another name.`;
  throw new HttpError(409, 'sample_name_taken', message, { errors: [{ field: 'name', message }] });
}

/** Values are never in the log: they may be a person's. */
function logSample(
  { tx, person, address }: Change,
  recordId: string,
  recordName: string,
  action: 'add' | 'edit' | 'remove',
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  return insertChange(tx, person, { address, model: 'sampleLead', recordId, recordName, action, before, after, rollsBack: null });
}
