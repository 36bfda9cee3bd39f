/** Exports of leads: which columns there are, the start of one, and its file. */
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { z } from 'zod';
import { DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  EXPORT_COLUMNS,
  EXPORTS_AT_ONCE,
  exportColumnsAnswer,
  exportColumnsQuery,
  exportFileForm,
  FIELD_COLUMN,
  FILE_KEPT_DAYS,
  startExportAnswer,
  startExportBody,
} from '#contract/export.ts';
import { MESSAGES } from '#contract/message.ts';
import { DAY_MS } from '#engine/zone.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { findJob, insertJob, startJob } from '#server/job/job.sql.ts';
import type { JobRunner } from '#server/job/job-runner.ts';
import { networkOf } from '#server/kit/caller.ts';
import { fileDay, requireOwnForm, takeForms } from '#server/kit/csv-file.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { requireTry } from '#server/kit/throttle.ts';
import { forbidden } from '#server/lead/lead.console.routes.ts';
import { isMasked } from '#server/lead/mask.ts';
import { findKeys } from '#server/plan/plan-book.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Tx } from '#server/record/record-model.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { spansOf } from '#server/report/report-span.ts';
import { mayOpenPage, mayUnmask } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { EXPORT_JOB, EXPORT_PAGE, type ExportSettings, mayStill } from './export.job.ts';
import { listExportFields } from './export-columns.ts';
import { beginFile, findFile, readFile } from './export-file.sql.ts';
import { viewFile } from './export-file.view.ts';
import { requireContent } from './require-content.ts';

/** Of an organization: each is a file that is kept for days. */
const EXPORTS = { limit: 60, windowMs: 3_600_000 };

export async function exportRoutes(instance: FastifyInstance, options: RecordParts & { tenants: Tenants; jobs: JobRunner }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, config, planBook, jobs } = options;
  const cookies = sessionCookies(config.appEnv);
  const asPerson = openRecordCall(options);

  app.get(
    '/api/console/exports/columns',
    {
      schema: {
        tags: ['console'],
        summary: 'What columns a file of leads of a vertical can have',
        querystring: exportColumnsQuery,
        response: { 200: exportColumnsAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const { regionId, verticalId } = await requirePlace(own, person, request.query);
      if (!mayOpenPage(person, EXPORT_PAGE, regionId, verticalId)) throw forbidden();
      const fields = await listExportFields(own, person.organizationId, verticalId);
      return {
        status: true as const,
        columns: [
          ...Object.entries(EXPORT_COLUMNS).map(([value, label]) => ({ value, label, personal: false })),
          ...fields.map((field) => ({ value: FIELD_COLUMN + field.fieldName, label: field.fieldHumanName, personal: isMasked(field) })),
        ],
        mayUnmask: mayUnmask(person),
      };
    },
  );

  app.post(
    '/api/console/exports',
    {
      schema: {
        tags: ['console'],
        summary: 'Export leads of a vertical, as a background job',
        description: `Its progress is told by /api/v1/jobs/{jobId}; its file is kept for ${FILE_KEPT_DAYS} days. Tests, and calls that only asked for a price, are not in it.`,
        body: startExportBody,
        response: { 200: startExportAnswer },
      },
    },
    async (request) => {
      const { region, vertical, from, to, content, reason } = request.body;
      const jobId = await asPerson(request, async ({ tx, person, address }) => {
        const { regionId, verticalId } = await requirePlace(tx, person, { region, vertical });
        if (!mayOpenPage(person, EXPORT_PAGE, regionId, verticalId)) throw forbidden();
        spansOf({ from, to, timeZone: content.timeZone }, Date.now());
        const personal = await requireContent(tx, person.organizationId, verticalId, content);
        if (content.unmasked && !mayUnmask(person))
          throw new HttpError(
            403,
            'export_unmask_forbidden',
            'Values of persons are shown to you masked. Leave "unmasked" out, or ask an owner.',
          );
        if (personal && reason === '')
          throw new HttpError(400, 'export_reason_missing', 'Say why you need the values of persons as they are.', {
            errors: [{ field: 'reason', message: 'is required' }],
          });
        await requireRoom(tx, person.organizationId);
        const begun = `exports of ${person.organizationId}`;
        await requireTry(db, begun, EXPORTS, 'export_rate_limited', 'Many exports were begun within the hour.');
        const name = `leads-${region}-${vertical}-${fileDay(Date.now(), content.timeZone)}.${content.format}`;
        const end = Math.min(Date.parse(to), Date.now());
        const settings: ExportSettings = { content, from, to: new Date(Math.max(end, Date.parse(from))).toISOString(), reason, address };
        const id = await insertJob(tx, person.organizationId, {
          ...{ kind: EXPORT_JOB, name, subjectId: verticalId, settings, personId: person.userId },
        });
        await beginFile(tx, person.organizationId, {
          ...{ id, verticalId, name, format: content.format, unmasked: personal },
          keptUntil: new Date(Date.now() + FILE_KEPT_DAYS * DAY_MS),
        });
        const seconds = Math.max(1, Math.round((Date.parse(settings.to) - Date.parse(from)) / 1000));
        await startJob(tx, person.organizationId, id, { parts: 0, bytes: seconds });
        return id;
      });
      jobs.wake();
      return { status: true as const, jobId, msg: MESSAGES.exportBegun };
    },
  );

  takeForms(app);
  app.post(
    `${DOWNLOAD_FILE_URL}/export`,
    {
      schema: {
        tags: ['console'],
        summary: 'The file of an export, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: exportFileForm,
        response: {
          200: {
            description: 'The file.',
            content: { 'text/csv': { schema: z.string() }, 'application/x-ndjson': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { person, own, file } = await enterFile(request, request.body.jobId);
      const keys = await findKeys(db, config.masterKey, planBook, person.organizationId);
      if (file.unmasked)
        await inTenant(db, person.organizationId, (tx) =>
          insertChange(tx, person, {
            ...{ address: networkOf(request.ip), model: 'leadExport', recordId: file.id, recordName: file.name, action: 'look' },
            ...{ before: {}, after: { downloaded: true, leads: Number(file.row_count) }, rollsBack: null },
          }),
        );
      return reply
        .header('content-type', file.format === 'csv' ? 'text/csv; charset=utf-8' : 'application/x-ndjson; charset=utf-8')
        .header('content-disposition', `attachment; filename="${file.name}"`)
        .serializer((body) => body as never)
        .send(Readable.from(readFile(own, keys, file, () => enterFile(request, file.id))) as never);
    },
  );

  async function enterFile(request: FastifyRequest, jobId: string) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const job = isId(jobId) ? await findJob(own, person.organizationId, jobId) : undefined;
    const file = job?.kind === EXPORT_JOB ? await findFile(own, person.organizationId, job.id) : undefined;
    if (!file || !mayStill(person, file.vertical_id, file.unmasked))
      throw new HttpError(404, 'export_unknown', 'There is no such export, or you may not see it.');
    const { gone } = viewFile(file, person);
    if (gone !== null) throw new HttpError(410, `export_${gone}`, GONE[gone]);
    return { person, own, file };
  }
}

const GONE = {
  making: 'The file is not whole yet, or its export was ended. Look at its progress.',
  expired: `Files are kept for ${FILE_KEPT_DAYS} days. Export again.`,
  erased: 'A person in it was erased, so the file was deleted. Export again.',
} as const;

async function requireRoom(tx: Tx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`exports of ${organizationId}`}, 0))`.execute(tx);
  const { count } = await tx
    .selectFrom('job')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('kind', '=', EXPORT_JOB)
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirstOrThrow();
  if (Number(count) >= EXPORTS_AT_ONCE)
    throw new HttpError(
      409,
      'export_many',
      `${EXPORTS_AT_ONCE} exports of your organization are under way. Wait until one is done, or cancel it.`,
    );
}
