/** Background jobs (console §2 `{id}/trackProcess`): what they were given, how far they are, and an end before theirs. */
import { hash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  isOver,
  JOB_ERRORS_KEPT,
  JOB_PART_BYTES,
  type JobPartsAnswer,
  type JobStatus,
  jobAnswer,
  jobErrorsDownload,
  jobGoBody,
  jobParams,
  jobPartParams,
  jobPartsAnswer,
  jobsAnswer,
  jobsQuery,
} from '#contract/job.ts';
import { doneAnswer } from '#contract/team.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { openRecordCall } from '#server/record/record-call.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import {
  bytesOfPart,
  endJob,
  findJob,
  findPart,
  type JobRow,
  listErrors,
  listJobs,
  listPartNumbers,
  lockJob,
  noteHeard,
  putPart,
  startJob,
  sumParts,
} from './job.sql.ts';
import { mustEnd, viewJobs } from './job.view.ts';
import { JOB_KINDS } from './job-kinds.ts';
import { requireRoomForPart } from './job-room.ts';
import type { JobRunner } from './job-runner.ts';
import { requireOwnJobs } from './own-jobs.ts';

const PART_TOO_LARGE = `A part has at most ${JOB_PART_BYTES / 1024} KiB. Cut the file into parts of that size, and hand them in one by one.`;

export async function jobRoutes(instance: FastifyInstance, options: RecordParts & { tenants: Tenants; jobs: JobRunner }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const call = openRecordCall(options);
  takeForms(app);
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer', bodyLimit: JOB_PART_BYTES }, (_request, body, parsed) =>
    parsed(null, body),
  );

  app.get(
    '/api/v1/jobs',
    { schema: { tags: ['job'], summary: 'Background jobs, the newest first', querystring: jobsQuery, response: { 200: jobsAnswer } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const { skip, limit, ...asked } = request.query;
      const { rows, total } = await listJobs(own, person.organizationId, { ...requireOwnJobs(person, asked), skip, limit });
      return { status: true as const, jobs: await viewJobs(own, person.organizationId, rows, () => true, person), total };
    },
  );

  app.get(
    '/api/v1/jobs/:id',
    { schema: { tags: ['job'], summary: 'How far a job is, and its first errors', params: jobParams, response: { 200: jobAnswer } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const row = isId(request.params.id) ? await findJob(own, person.organizationId, request.params.id) : undefined;
      const job = requireJob(person, row);
      const [[view], errors] = await Promise.all([
        viewJobs(own, person.organizationId, [job], () => true, person),
        listErrors(own, person.organizationId, job.id),
      ]);
      return { status: true as const, job: view!, errors };
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/job-errors`,
    {
      schema: {
        tags: ['job'],
        summary: 'The lines that a job could not use, as CSV, asked for by a hidden form',
        description: `The first ${JOB_ERRORS_KEPT} of them are kept; where there were more, the last line of the file says how many.`,
        consumes: ['application/x-www-form-urlencoded'],
        body: jobErrorsDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { jobId, timeZone: zone } = request.body;
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const job = requireJob(person, isId(jobId) ? await findJob(own, person.organizationId, jobId) : undefined);
      const rows = errorLines(await listErrors(own, person.organizationId, jobId), job.error_count);
      return sendCsv(reply, { name: `wrong-lines-${job.name}`, zone, reader: person, header: ['Line', 'What is wrong'], rows });
    },
  );

  app.get(
    '/api/v1/jobs/:id/parts',
    {
      schema: {
        tags: ['job'],
        summary: 'What is there of a file that is being handed in',
        description: 'By the hash of each part whoever was interrupted knows whether a file is the same, and sends what is missing.',
        params: jobParams,
        response: { 200: jobPartsAnswer },
      },
    },
    async (request) => {
      const { id } = request.params;
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const job = requireJob(person, isId(id) ? await findJob(own, person.organizationId, id) : undefined);
      requireStillReceiving(job);
      const { keys } = requireOrganization(options.planBook, person.organizationId);
      const parts: JobPartsAnswer['parts'] = [];
      // One after the other: a file may be larger than what a node should hold.
      for (const part of await listPartNumbers(own, person.organizationId, id)) {
        const body = await findPart(own, keys, id, part);
        if (body) parts.push({ part, bytes: body.length, sha256: hash('sha256', body) });
      }
      return { status: true as const, parts };
    },
  );

  app.post(
    '/api/v1/jobs/:id/parts/:part',
    {
      config: { tooLarge: PART_TOO_LARGE },
      schema: {
        tags: ['job'],
        summary: 'Hand in one part of a file, as its bytes',
        description: `Parts are numbered from 0; each has at most ${JOB_PART_BYTES / 1024} KiB. A part that comes again replaces itself.`,
        consumes: ['application/octet-stream'],
        params: jobPartParams,
        response: { 200: doneAnswer },
      },
    },
    async (request) => {
      const { id, part } = request.params;
      const body = request.body;
      if (!Buffer.isBuffer(body)) throw new HttpError(415, 'job_part_type', 'Send the part as application/octet-stream.');
      await call(request, async ({ tx, person, keys }) => {
        await requireReceiving(tx, person, id);
        const more = body.length - (await bytesOfPart(tx, person.organizationId, id, part));
        await requireRoomForPart(tx, person.organizationId, more);
        await putPart(tx, keys(), id, part, body);
        await noteHeard(tx, person.organizationId, id, more);
      });
      return { status: true as const, msg: '' };
    },
  );

  app.post(
    '/api/v1/jobs/:id/go',
    {
      schema: { tags: ['job'], summary: 'All parts are there: begin', params: jobParams, body: jobGoBody, response: { 200: doneAnswer } },
    },
    async (request) => {
      const { id } = request.params;
      await call(request, async ({ tx, person }) => {
        await requireReceiving(tx, person, id);
        const handedIn = await sumParts(tx, person.organizationId, id);
        if (handedIn.parts !== request.body.parts)
          throw new HttpError(409, 'job_parts_missing', 'Some parts of the file are not there yet. Send them again.');
        await startJob(tx, person.organizationId, id, handedIn);
      });
      options.jobs.wake();
      return { status: true as const, msg: '' };
    },
  );

  app.post(
    '/api/v1/jobs/:id/cancel',
    { schema: { tags: ['job'], summary: 'End a job; what it did so far stands', params: jobParams, response: { 200: doneAnswer } } },
    async (request: FastifyRequest<{ Params: { id: string } }>) => {
      const { id } = request.params;
      await call(request, async ({ tx, person }) => {
        const job = requireJob(person, isId(id) ? await lockJob(tx, person.organizationId, id) : undefined);
        if (isOver(job.status as JobStatus)) throw new HttpError(409, 'job_over', 'The job is over already.');
        if (mustEnd(job)) throw new HttpError(409, 'job_must_end', 'This job is on record and goes to its end: it cannot be cancelled.');
        await endJob(tx, person.organizationId, id, 'cancelled');
      });
      return { status: true as const, msg: '' };
    },
  );
}

async function* errorLines(errors: Awaited<ReturnType<typeof listErrors>>, count: number): AsyncGenerator<CsvCell[]> {
  for (const { line, message } of errors) yield [line, `It ${message}.`];
  if (count > errors.length) yield ['', `${count - errors.length} more lines could not be used. Which, is not kept.`];
}

async function requireReceiving(tx: Parameters<typeof lockJob>[0], person: SignedIn, id: string): Promise<JobRow> {
  const job = requireJob(person, isId(id) ? await lockJob(tx, person.organizationId, id) : undefined);
  requireStillReceiving(job);
  return job;
}

function requireStillReceiving({ status }: JobRow): void {
  if (status !== 'receiving') throw new HttpError(409, 'job_begun', 'The job has begun; nothing can be added to it.');
}

/** A job of something that the person may not do is not there for them. */
function requireJob(person: SignedIn, job: JobRow | undefined): JobRow {
  const kind = JOB_KINDS.find((one) => one.kind === job?.kind && one.may(person));
  if (!job || !kind || !(kind.maySubject?.(person, job.subject_id) ?? true) || !isWithin(job, kind.verticals?.(person)))
    throw new HttpError(404, 'job_unknown', 'There is no such job in your organization, or you may not see it.');
  return job;
}

/** As listJobs narrows. */
function isWithin({ settings }: JobRow, verticalIds: string[] | undefined): boolean {
  if (verticalIds === undefined) return true;
  const { verticalIds: all } = settings as { verticalIds: string[] };
  return all.every((id) => verticalIds.includes(id));
}
