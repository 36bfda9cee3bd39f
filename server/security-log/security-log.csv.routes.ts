/** The log of sign-ins and refusals as a file (account §7), the newest line first. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { type SecurityLineView, securityLogDownload } from '#contract/security-log.ts';
import { SECURITY_FACTORS_LABELS, SECURITY_KIND_LABELS, SECURITY_OUTCOME_LABELS } from '#contract/security-words.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { requireOwnForm, sendCsv, takeForms, wallTime } from '#server/kit/csv-file.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { requireSecurityReader, type SecurityLogParts } from './security-log.routes.ts';
import { findSecurityLines } from './security-log.sql.ts';
import { viewSecurityLine } from './security-log.view.ts';

const PAGE = 200;
const HEADER = [
  ...['Person', 'By', 'Kind', 'Outcome', 'Known by', 'Network', 'Device', 'Call', 'HTTP status', 'Code', 'Missing'],
  ...['More like it', 'Line id'],
];

export async function securityLogCsvRoutes(instance: FastifyInstance, { db, config }: SecurityLogParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  takeForms(app);

  app.post(
    `${DOWNLOAD_FILE_URL}/security-log`,
    {
      schema: {
        tags: ['console'],
        summary: 'The sign-ins and refusals that the filters of the log find, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: securityLogDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const person = await requireSignedIn(db, cookies, request);
      requireSecurityReader(person);
      const { timeZone, isDownloadCSV: _, columns: __, ...filters } = request.body;
      requireAskedSpan('security_log', filters);
      async function* rows(): AsyncGenerator<CsvCell[]> {
        if (filters.userId !== undefined && !isId(filters.userId)) return;
        let before: string | undefined;
        do {
          // The right is asked for again with each page.
          const still = await requireSignedIn(db, cookies, request);
          requireSecurityReader(still);
          const { organizationId } = still;
          const page = await inTenant(db, organizationId, (tx) =>
            findSecurityLines(tx, organizationId, { ...filters, before, limit: PAGE }),
          );
          for (const row of page.rows) yield lineOf(viewSecurityLine(row), timeZone);
          before = page.older ?? undefined;
        } while (before);
      }
      return sendCsv(reply, {
        ...{ name: 'sign-ins-and-refusals', zone: timeZone, reader: person },
        header: [`When (${timeZone})`, ...HEADER],
        rows: rows(),
      });
    },
  );
}

function lineOf(line: SecurityLineView, zone: string): CsvCell[] {
  return [
    ...[wallTime(new Date(line.at), zone), line.userName, line.byName, SECURITY_KIND_LABELS[line.kind]],
    ...[SECURITY_OUTCOME_LABELS[line.outcome], SECURITY_FACTORS_LABELS[line.factors], line.network, line.device],
    ...[line.call, line.statusCode, line.code, line.missing, line.more, line._id],
  ];
}
