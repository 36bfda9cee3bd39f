/** The log of sign-ins and refusals as a file (account §7), the newest line first. */
import type { FastifyInstance } from 'fastify';
import type { CsvCell } from '#contract/csv.ts';
import { type SecurityLineView, securityLogDownload } from '#contract/security-log.ts';
import { SECURITY_FACTORS_LABELS, SECURITY_KIND_LABELS, SECURITY_OUTCOME_LABELS } from '#contract/security-words.ts';
import { sendHistory } from '#server/history/history-file.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import { isId } from '#server/kit/ids.ts';
import { FILE_PAGE } from '#server/kit/walk-pages.ts';
import { requireSecurityReader, type SecurityLogParts } from './security-log.routes.ts';
import { findSecurityLines } from './security-log.sql.ts';
import { viewSecurityLine } from './security-log.view.ts';

const HEADER = [
  ...['Person', 'By', 'Kind', 'Outcome', 'Known by', 'Network', 'Device', 'Call', 'HTTP status', 'Code', 'Missing'],
  ...['More like it', 'Line id'],
];

export async function securityLogCsvRoutes(app: FastifyInstance, parts: SecurityLogParts): Promise<void> {
  sendHistory(app, parts, {
    list: 'security-log',
    summary: 'The sign-ins and refusals that the filters of the log find',
    form: securityLogDownload,
    open: ({ tx, person, form: { timeZone, isDownloadCSV: _, columns: __, ...filters } }) => {
      requireSecurityReader(person);
      requireAskedSpan('security_log', filters);
      return {
        name: 'sign-ins-and-refusals',
        header: [`When (${timeZone})`, ...HEADER],
        read: async (before) => {
          if (filters.userId !== undefined && !isId(filters.userId)) return { rows: [], older: null };
          const page = await findSecurityLines(tx, person.organizationId, { ...filters, before, limit: FILE_PAGE });
          return { rows: page.rows.map((row) => lineOf(viewSecurityLine(row), timeZone)), older: page.older };
        },
      };
    },
  });
}

function lineOf(line: SecurityLineView, zone: string): CsvCell[] {
  return [
    ...[wallTime(new Date(line.at), zone), line.userName, line.byName, SECURITY_KIND_LABELS[line.kind]],
    ...[SECURITY_OUTCOME_LABELS[line.outcome], SECURITY_FACTORS_LABELS[line.factors], line.network, line.device],
    ...[line.call, line.statusCode, line.code, line.missing, line.more, line._id],
  ];
}
