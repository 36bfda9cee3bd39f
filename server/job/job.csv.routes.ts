/** The histories of imports and exports as files (account §7): the columns of their pages. */
import type { FastifyInstance } from 'fastify';
import type { CsvCell } from '#contract/csv.ts';
import { sayBytes, whyNoFile } from '#contract/export-words.ts';
import type { ImportKind, ImportMode } from '#contract/import.ts';
import { type JobView, jobsDownload } from '#contract/job.ts';
import { IMPORT_MODE_WORDS, JOB_STATUS_WORDS, sayTally } from '#contract/job-words.ts';
import { EXPORT_JOB } from '#server/export/export.job.ts';
import { historyPage, sendHistory } from '#server/history/history-file.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import { FILE_PAGE } from '#server/kit/walk-pages.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { listJobsBefore } from './job.sql.ts';
import { viewJobs } from './job.view.ts';
import { requireOwnJobs } from './own-jobs.ts';

const NAMES: Readonly<Record<ImportKind | 'export', string>> = {
  suppressionImport: 'imports',
  bankImport: 'bank-imports',
  binImport: 'BIN-imports',
  export: 'exports',
};

export async function jobCsvRoutes(app: FastifyInstance, parts: RecordParts): Promise<void> {
  sendHistory(app, parts, {
    list: 'jobs',
    summary: 'All imports of a kind, or all exports of leads',
    form: jobsDownload,
    open: ({ tx, person, form: { timeZone, ...asked } }) => {
      const { organizationId } = person;
      const listing = requireOwnJobs(person, asked);
      const columns = asked.kind === EXPORT_JOB ? EXPORT_COLUMNS : importColumns(asked.kind === 'suppressionImport' && !asked.subjectId);
      return {
        name: NAMES[asked.kind],
        header: [...columns.map(({ head }) => head), 'By', `When (${timeZone})`, 'Job id'],
        read: async (before) => {
          const rows = await listJobsBefore(tx, organizationId, { ...listing, before, limit: FILE_PAGE });
          const views = new Map((await viewJobs(tx, organizationId, rows, () => false, person)).map((job) => [job._id, job]));
          return historyPage(rows, ({ id }) => {
            const job = views.get(id)!;
            return [...columns.map(({ cell }) => cell(job)), job.startedBy, wallTime(job.createdAt, timeZone), id];
          });
        },
      };
    },
  });
}

interface Column {
  head: string;
  cell: (job: JobView) => CsvCell;
}

const name = (head: string): Column => ({ head, cell: (job) => job.name });
const status: Column = { head: 'Status', cell: (job) => JOB_STATUS_WORDS[job.status] };

/** A list is told where the imports of several are. */
const importColumns = (hasLists: boolean): Column[] => [
  name('File'),
  ...(hasLists ? [{ head: 'List', cell: (job: JobView) => job.subject?.name ?? null }] : []),
  { head: 'How', cell: (job) => IMPORT_MODE_WORDS[job.settings.mode as ImportMode] ?? null },
  status,
  { head: 'Result', cell: (job) => sayTally(job.tally, String) },
  { head: 'Wrong', cell: (job) => job.errorCount },
];

const EXPORT_COLUMNS: Column[] = [
  name('Export'),
  status,
  { head: 'Leads', cell: (job) => job.tally.exported ?? 0 },
  { head: 'File', cell: ({ file, status: now }) => (file && now === 'done' ? (whyNoFile(file) ?? sayBytes(file.bytes)) : null) },
];
