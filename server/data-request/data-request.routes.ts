/** Data-subject requests: one consumer found, handed out or erased, over all verticals in which the person has the page. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { csvAnswer, DOWNLOAD_FILE_URL, fileDay } from '#contract/csv.ts';
import {
  acceptAgainAnswer,
  acceptAgainBody,
  CALLS_SHOWN,
  EXPORT_MOST,
  type ExportPersonBody,
  erasePersonAnswer,
  erasePersonBody,
  exportPersonBody,
  exportPersonForm,
  findPersonAnswer,
  findPersonBody,
  REQUEST_PAGE,
} from '#contract/data-request.ts';
import { MESSAGES } from '#contract/message.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { findRefused, insertErasure } from '#server/erasure/erasure.sql.ts';
import type { Erasure } from '#server/erasure/erasure.ts';
import type { ErasureRegister } from '#server/erasure/erasure-register.ts';
import { hashesOfFound } from '#server/erasure/person-hashes.ts';
import { insertJob, startJob } from '#server/job/job.sql.ts';
import type { JobRunner } from '#server/job/job-runner.ts';
import { networkOf } from '#server/kit/caller.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { traceOf } from '#server/kit/error-trace.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import { listPaymentsOf } from '#server/payment/payment-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Tx } from '#server/record/record-model.ts';
import { listReturnNotes } from '#server/return/return-notes.sql.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { viewRefusedCall, viewSample, wholeCall, wholeSample } from './beside.view.ts';
import { type ErasureSettings, told } from './erase.job.ts';
import { asCsv, asJson, CSV_HEADER, csvRows, type WholeLead, type WholePerson } from './export-file.ts';
import { type BesideSought, type FoundBeside, findBeside } from './find-beside.ts';
import { countFound, idsOf, listFound, type PersonSought, seekPerson } from './find-person.sql.ts';
import { readHeld, wholeLead } from './held-lead.view.ts';

const PAGE = 'leadFlow-DataRequest';
const ONE_LOOK = { most: CALLS_SHOWN, lookForMs: 0 };
/** Whoever waits for the file waits no longer; it says how far back this came. */
const LONG_LOOK = { most: EXPORT_MOST, lookForMs: 20_000 };

export async function dataRequestRoutes(
  instance: FastifyInstance,
  options: RecordParts & { tenants: Tenants; jobs: JobRunner; erasures: Pick<ErasureRegister, 'note'> },
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, planBook, jobs, erasures } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const asPerson = openRecordCall(options);

  function seek(person: SignedIn, q: string): { organization: OrganizationPlan; sought: PersonSought } {
    const organization = requireOrganization(planBook, person.organizationId);
    const verticalIds = [...organization.verticals].flatMap(([id, { regionId }]) => (mayOpenPage(person, PAGE, regionId, id) ? [id] : []));
    if (verticalIds.length === 0)
      throw new HttpError(403, 'page_forbidden', 'You may not open this page here. Ask an owner of your organization to tick it for you.');
    return { organization, sought: seekPerson(organization, verticalIds, q) };
  }

  type Entered = Awaited<ReturnType<typeof enter>>;
  async function enter(request: FastifyRequest, q: string, requireOwn = requireOwnPage) {
    requireOwn(request);
    const person = await requireSignedIn(db, cookies, request);
    return { person, own: tenants.of(person.organizationId), ...seek(person, q) };
  }

  async function seekBeside(organization: OrganizationPlan, sought: PersonSought, look: typeof ONE_LOOK): Promise<FoundBeside> {
    const { organizationId, keys } = organization;
    const { known } = await inTenant(db, organizationId, (tx) => hashesOfFound(tx, keys, sought));
    return findBeside(tenants.of(organizationId), organization, { verticalIds: sought.verticalIds, known }, look);
  }

  app.post(
    '/api/console/data-requests/find',
    {
      schema: {
        tags: ['console'],
        summary: 'What is held of one consumer, the newest lead first, masked, who was sent which field, and what is kept beside leads',
        body: findPersonBody,
        response: { 200: findPersonAnswer },
      },
    },
    async (request) => {
      const { own, organization, sought } = await enter(request, request.body.q);
      const { organizationId } = organization;
      const [found, total] = await Promise.all([
        listFound(own, organizationId, sought, request.body.before, REQUEST_PAGE + 1),
        countFound(own, organizationId, sought, EXPORT_MOST),
      ]);
      const page = found.slice(0, REQUEST_PAGE);
      const refused = await findRefused(own, organizationId, sought.hashes);
      const held = [];
      for (const id of idsOf(page)) held.push((await readHeld(own, organization, id)).view);
      const beside = request.body.before === undefined ? await seekBeside(organization, sought, ONE_LOOK) : null;
      return {
        status: true as const,
        leads: held,
        total,
        older: found.length > page.length ? page.at(-1)!.id : null,
        beside: beside && {
          samples: beside.samples.map((one) => viewSample(organization, one)),
          calls: beside.calls.map((one) => viewRefusedCall(organization, one)),
          searchedTo: beside.searchedTo?.toISOString() ?? null,
        },
        refusedSince: refused?.since.toISOString() ?? null,
      };
    },
  );

  app.post(
    '/api/console/data-requests/export',
    {
      schema: {
        tags: ['console'],
        summary: 'All that is held of one consumer, with every value; the change log says who took it and why',
        body: exportPersonBody,
        response: {
          200: {
            description: 'The file.',
            content: { 'application/json': { schema: z.string() }, 'text/csv': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { format } = request.body;
      const whole = await handOut(request, await enter(request, request.body.q), request.body);
      return reply
        .header('content-disposition', `attachment; filename="data-request-${fileDay(Date.now(), 'UTC')}.${format}"`)
        .type(format === 'json' ? 'application/json; charset=utf-8' : 'text/csv; charset=utf-8')
        .serializer((text) => text as never)
        .send((format === 'json' ? asJson(whole, new Date()) : asCsv(whole)) as never);
    },
  );

  takeForms(app);
  app.post(
    `${DOWNLOAD_FILE_URL}/data-request`,
    {
      schema: {
        tags: ['console'],
        summary: 'The same as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: exportPersonForm,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      const { q, reason, timeZone: zone } = request.body;
      const entered = await enter(request, q, requireOwnForm);
      // Asked for as the file begins: what is refused for too many downloads was not handed out.
      async function* rows() {
        yield* csvRows(await handOut(request, entered, { reason, format: 'csv' }));
      }
      return sendCsv(reply, { name: 'data-request', zone, reader: entered.person, header: CSV_HEADER, rows: rows() });
    },
  );

  app.post(
    '/api/console/data-requests/erase',
    {
      schema: {
        tags: ['console'],
        summary: 'Erase one consumer, as a background job; its proof stands in the change log',
        body: erasePersonBody,
        response: { 200: erasePersonAnswer },
      },
    },
    async (request) => {
      const { q, reason, mayComeAgain } = request.body;
      const asked = await asPerson(request, async ({ tx, person, address, keys, routing }) => {
        const { sought, organization } = seek(person, q);
        const found = await countFound(tx, person.organizationId, sought, 1_000_000);
        const { refused, known } = await hashesOfFound(tx, keys(), sought);
        if (found === 0 && !(await mayStandBeside(tx, organization, { ...sought, known }))) throw nobody();
        const settings: ErasureSettings = { ...sought, reason, found, known };
        const id = await insertJob(tx, person.organizationId, {
          ...{ kind: 'erasure', name: reason, subjectId: null, settings, personId: person.userId },
        });
        await startJob(tx, person.organizationId, id, { parts: 0, bytes: 0 });
        await insertChange(tx, person, {
          ...{ address, model: 'personalData', recordId: id, recordName: 'one person, asked for', action: 'erase' },
          ...{ before: { leads: found }, after: { reason, mayComeAgain }, rollsBack: null },
        });
        const personHashes = mayComeAgain ? [] : refused;
        const erasure: Erasure = { organizationId: person.organizationId, id, kind: 'erased', askedAt: new Date(), sought, personHashes };
        await insertErasure(tx, erasure);
        routing.isNew ||= !mayComeAgain;
        return erasure;
      });
      jobs.wake();
      await note(asked);
      return { status: true as const, jobId: asked.id, msg: MESSAGES.erasureBegun };
    },
  );

  app.post(
    '/api/console/data-requests/accept-again',
    {
      schema: {
        tags: ['console'],
        summary: 'Take the leads of a consumer again who was erased, since they wish it; the change log says who did and why',
        body: acceptAgainBody,
        response: { 200: acceptAgainAnswer },
      },
    },
    async (request) => {
      const { q, reason } = request.body;
      const accepted = await asPerson(request, async ({ tx, person, address }) => {
        const { organizationId } = person;
        const refused = await findRefused(tx, organizationId, seek(person, q).sought.hashes);
        if (!refused)
          throw new HttpError(
            404,
            'data_request_not_refused',
            'Nobody with this value is refused here. Check its spelling, or try another of theirs.',
          );
        const nothing = { hashes: [], leadIds: [], verticalIds: [] };
        const erasure: Erasure = {
          organizationId,
          id: newId(),
          kind: 'accepted',
          askedAt: new Date(),
          sought: nothing,
          personHashes: refused.hashes,
        };
        await insertErasure(tx, erasure);
        await insertChange(tx, person, {
          ...{ address, model: 'personalData', recordId: erasure.id, recordName: 'one person, accepted again', action: 'restore' },
          ...{ before: { refusedSince: refused.since.toISOString() }, after: { reason }, rollsBack: null },
        });
        return erasure;
      });
      await note(accepted);
      return { status: true as const, msg: MESSAGES.acceptedAgain };
    },
  );

  /** All that is held of the person, once it is written down who took them and why. */
  async function handOut(
    request: FastifyRequest,
    { person, own, organization, sought }: Entered,
    { reason, format }: Pick<ExportPersonBody, 'reason' | 'format'>,
  ): Promise<WholePerson> {
    const ids = idsOf(await listFound(own, organization.organizationId, sought, undefined, EXPORT_MOST + 1));
    if (ids.length > EXPORT_MOST)
      throw new HttpError(
        422,
        'data_request_too_large',
        `More than ${EXPORT_MOST} leads have this value: it is no single person’s. Search for another.`,
      );
    const beside = await seekBeside(organization, sought, LONG_LOOK);
    if (ids.length + beside.samples.length + beside.calls.length === 0 && beside.searchedTo === null) throw nobody();
    const leads: WholeLead[] = [];
    for (const id of ids) {
      const payments = await listPaymentsOf(own, organization.organizationId, id);
      const returnNotes = await listReturnNotes(own, organization.organizationId, id);
      leads.push(wholeLead(organization, await readHeld(own, organization, id), { payments, returnNotes }));
    }
    const samples = beside.samples.map((one) => wholeSample(organization, one));
    const refusedCalls = beside.calls.map((one) => wholeCall(organization, one));
    const counts = { leads: ids.length, ...told({ samples: samples.length, refusedCalls: refusedCalls.length }) };
    // It is written down before anything is handed out.
    await inTenant(db, person.organizationId, (tx) =>
      insertChange(tx, person, {
        ...{ address: networkOf(request.ip), model: 'personalData', recordId: newId(), recordName: 'one person, handed out' },
        ...{ action: 'look', before: {}, after: { reason, ...counts, format }, rollsBack: null },
      }),
    );
    return { leads, samples, refusedCalls, refusedCallsSearchedTo: beside.searchedTo };
  }

  /** It is under way whatever becomes of this; only it would have to be asked for again if the database were lost now. */
  async function note(erasure: Erasure): Promise<void> {
    await erasures.note(erasure).catch((error) => {
      app.log.error({ err: traceOf(error) }, 'the register of erasures cannot be written');
      throw new HttpError(
        503,
        'erasure_register_unwritable',
        'It was begun and will be done, but could not be noted outside of the database. Tell whoever runs this installation to look at ERASURE_REGISTER.',
      );
    });
  }
}

/** Whether there is something to erase though no lead is found: calls that one look does not reach may be theirs. */
async function mayStandBeside(tx: Tx, organization: OrganizationPlan, sought: BesideSought): Promise<boolean> {
  const { samples, calls, searchedTo } = await findBeside(tx, organization, sought, { most: 1, lookForMs: 0 });
  return samples.length + calls.length > 0 || searchedTo !== null;
}

const nobody = () =>
  new HttpError(
    404,
    'data_request_nobody',
    'Nothing is held under this value, in the verticals that you may look into. Check its spelling.',
  );
