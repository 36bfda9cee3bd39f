/** The runs of a feed as a file (account §7), the newest first. */
import type { FastifyInstance } from 'fastify';
import type { CsvCell } from '#contract/csv.ts';
import { feedRunsDownload } from '#contract/export.ts';
import { sayRunState } from '#contract/export-words.ts';
import { historyPage, sendHistory } from '#server/history/history-file.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import { FILE_PAGE } from '#server/kit/walk-pages.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { requireFeed, viewRun } from './export-feed.routes.ts';
import { listRuns, type RunRow } from './feed-run.sql.ts';

export async function feedRunCsvRoutes(app: FastifyInstance, parts: RecordParts): Promise<void> {
  sendHistory(app, parts, {
    list: 'feed-runs',
    summary: 'All runs of a feed',
    form: feedRunsDownload,
    open: async ({ tx, person, form: { feedId, timeZone: zone } }) => {
      const feed = await requireFeed({ tx, person }, feedId);
      return {
        name: `runs-of-${feed.name}`,
        header: [
          ...[`Leads from (${zone})`, `Leads to (${zone})`, 'State', 'Leads', 'Bytes', 'Tries', 'Failure', `Sent (${zone})`, 'Took ms'],
          ...[`Next try (${zone})`, 'Remark', 'Run id'],
        ],
        read: async (before) =>
          historyPage(await listRuns(tx, person.organizationId, feedId, before, FILE_PAGE), (run) => lineOf(run, zone)),
      };
    },
  });
}

function lineOf(row: RunRow, zone: string): CsvCell[] {
  const run = viewRun(row);
  const [isSent, isTriedAgain] = [run.state === 'sent', run.state === 'due' && run.failure !== null];
  return [
    ...[wallTime(run.from, zone), wallTime(run.to, zone), sayRunState(run), run.rows, run.bytes, run.tries, run.failure],
    ...(isSent && run.lastAt ? [wallTime(run.lastAt, zone), run.elapsedMs] : [null, null]),
    ...[isTriedAgain && run.nextAt ? wallTime(run.nextAt, zone) : null, run.remark, run._id],
  ];
}
