/** The change log as a file (account §7): one line for each value that changed, the newest change first. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { changeLogDownload } from '#contract/change-log.ts';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { requireOwnForm, sendCsv, takeForms, wallTime } from '#server/kit/csv-file.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { labelOf, requireReader } from './change-log.routes.ts';
import { type ChangeListing, type LoggedChange, listChanges } from './change-log.sql.ts';

const PAGE = 200;
const HEADER = ['Person', 'Network', 'Action', 'Kind', 'Record', 'Value', 'Before', 'After', 'Takes back', 'Change id', 'Record id'];

export async function changeLogCsvRoutes(instance: FastifyInstance, { db, config }: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  takeForms(app);

  app.post(
    `${DOWNLOAD_FILE_URL}/change-log`,
    {
      schema: {
        tags: ['console'],
        summary: 'The changes that the filters of the log find, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: changeLogDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const person = await requireSignedIn(db, cookies, request);
      requireReader(person);
      const { timeZone, isDownloadCSV: _, columns: __, ...filters } = request.body;
      requireAskedSpan('change_log', filters);
      async function* rows(): AsyncGenerator<CsvCell[]> {
        if ([filters.recordId, filters.userId].some((id) => id !== undefined && !isId(id))) return;
        for (let before: string | undefined; ; ) {
          // The right is asked for again with each page.
          const still = await requireSignedIn(db, cookies, request);
          requireReader(still);
          const listing: ChangeListing = { ...filters, before, limit: PAGE };
          const page = await inTenant(db, still.organizationId, (tx) => listChanges(tx, still.organizationId, listing));
          for (const change of page) yield* linesOf(change, timeZone);
          if (page.length < PAGE) return;
          before = page.at(-1)!.id;
        }
      }
      return sendCsv(reply, {
        ...{ name: 'change-log', zone: timeZone, reader: person },
        header: [`When (${timeZone})`, ...HEADER],
        rows: rows(),
      });
    },
  );
}

function linesOf(change: LoggedChange, zone: string): CsvCell[][] {
  const [before, after] = [change.before as Record<string, unknown>, change.after as Record<string, unknown>];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const at = wallTime(new Date(idInstant(change.id)), zone);
  const line = (name: string): CsvCell[] => [
    ...[at, change.user_name, change.address, change.action, labelOf(change.model), change.record_name],
    ...[name, cellOf(before[name]), cellOf(after[name])],
    ...[change.rolls_back, change.id, change.record_id],
  ];
  return names.length === 0 ? [line('')] : names.map(line);
}

function cellOf(value: unknown): CsvCell {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' ? JSON.stringify(value) : (value as CsvCell);
}
