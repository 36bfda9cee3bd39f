/** The change log as a file (account §7): one line for each value that changed, the newest change first. */
import type { FastifyInstance } from 'fastify';
import { changeLogDownload } from '#contract/change-log.ts';
import type { CsvCell } from '#contract/csv.ts';
import { linesPage, sendHistory } from '#server/history/history-file.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { FILE_PAGE } from '#server/kit/walk-pages.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { labelOf, requireReader } from './change-log.routes.ts';
import { type LoggedChange, listChanges } from './change-log.sql.ts';

const HEADER = ['Person', 'Network', 'Action', 'Kind', 'Record', 'Value', 'Before', 'After', 'Takes back', 'Change id', 'Record id'];

export async function changeLogCsvRoutes(app: FastifyInstance, parts: RecordParts): Promise<void> {
  sendHistory(app, parts, {
    list: 'change-log',
    summary: 'The changes that the filters of the log find',
    form: changeLogDownload,
    open: ({ tx, person, form: { timeZone, isDownloadCSV: _, columns: __, ...filters } }) => {
      requireReader(person);
      requireAskedSpan('change_log', filters);
      const isNone = [filters.recordId, filters.userId].some((id) => id !== undefined && !isId(id));
      return {
        name: 'change-log',
        header: [`When (${timeZone})`, ...HEADER],
        read: async (before) => {
          const rows = isNone ? [] : await listChanges(tx, person.organizationId, { ...filters, before, limit: FILE_PAGE });
          return linesPage(rows, (change) => linesOf(change, timeZone));
        },
      };
    },
  });
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
