/** Starting an import: its job is made, and waits for the file. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  columnProblem,
  type ImportKind,
  type ImportSettings,
  layoutProblem,
  startImportAnswer,
  startImportBody,
} from '#contract/import.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { insertJob } from '#server/job/job.sql.ts';
import { JOB_KINDS } from '#server/job/job-kinds.ts';
import { requireRoomForFile } from '#server/job/job-room.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { type Change, forbidden } from '#server/record/record-change.ts';
import { requireLists } from '#server/suppression/suppression.sql.ts';

const MODEL: Readonly<Record<ImportKind, string>> = { suppressionImport: 'suppressionList', bankImport: 'bank', binImport: 'binRange' };

const IMPORT_SAYS = `Then hand the file in, part by part, to /api/v1/jobs/{jobId}/parts/{part}, and say /api/v1/jobs/{jobId}/go.

Imports of one list, of banks and of BIN ranges go one after the other, in the order in which they were begun by \`go\`; \`waitsFor\` of a job names the one that it waits for.
One with the mode \`replace\` fails and takes nothing out where no row of its file could be read, or more could not than could; the latter it does all the same with \`despiteErrors\`.`;

export async function importRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const call = openRecordCall(options);

  app.post(
    '/api/v1/imports',
    {
      schema: {
        tags: ['job'],
        summary: 'Begin an import of a suppression list, of banks or of BIN ranges',
        description: IMPORT_SAYS,
        body: startImportBody,
        response: { 200: startImportAnswer },
      },
    },
    async (request) => {
      const { kind, listId, name, settings } = request.body;
      const jobId = await call(request, async (change) => {
        const { tx, person } = change;
        if (!JOB_KINDS.some((one) => one.kind === kind && one.may(person))) throw forbidden();
        refuseLayout(kind, settings);
        const subject = await findSubject(change, kind, listId);
        await requireRoomForFile(tx, person.organizationId);
        const id = await insertJob(tx, person.organizationId, {
          kind,
          name,
          subjectId: subject?.id ?? null,
          settings,
          personId: person.userId,
        });
        await insertChange(tx, person, {
          address: change.address,
          model: MODEL[kind],
          recordId: subject?.id ?? id,
          recordName: subject?.name ?? name,
          action: 'edit',
          before: {},
          after: { import: `${settings.mode}: ${name}` },
          rollsBack: null,
        });
        return id;
      });
      return { status: true as const, jobId };
    },
  );
}

function refuseLayout(kind: ImportKind, { columns, delimiter, country }: ImportSettings): void {
  const refuse = (code: string, field: string, problem: string | undefined) => {
    if (problem) throw new HttpError(400, code, problem, { errors: [{ field: `settings.${field}`, message: problem }] });
  };
  refuse('import_columns_invalid', 'columns', columnProblem(kind, columns));
  refuse('import_layout_invalid', 'delimiter', layoutProblem(kind, delimiter, country));
}

/** The list that is filled; nothing for banks and BIN ranges. */
async function findSubject(
  { tx, person }: Change,
  kind: ImportKind,
  listId: string | undefined,
): Promise<{ id: string; name: string } | undefined> {
  if (kind !== 'suppressionImport') return undefined;
  if (!listId)
    throw new HttpError(400, 'import_list_missing', 'Say which list to fill.', { errors: [{ field: 'listId', message: 'is required' }] });
  return (await requireLists(tx, person.organizationId, [listId])).get(listId);
}
