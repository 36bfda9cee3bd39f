/** The calls of a webhook as a file (account §7), the newest first. */
import type { FastifyInstance } from 'fastify';
import type { CsvCell } from '#contract/csv.ts';
import { webhookCallsDownload } from '#contract/webhook.ts';
import { CALL_STATE_WORDS, EVENT_LABELS } from '#contract/webhook-words.ts';
import { historyPage, sendHistory } from '#server/history/history-file.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import { FILE_PAGE } from '#server/kit/walk-pages.ts';
import type { RecordParts } from '#server/record/record-call.ts';
import { requireWebhook, viewCall } from './webhook.routes.ts';
import { type CallRow, listCalls } from './webhook.sql.ts';

export async function webhookCsvRoutes(app: FastifyInstance, parts: RecordParts): Promise<void> {
  sendHistory(app, parts, {
    list: 'webhook-calls',
    summary: 'What a webhook was told in the last 30 days, and what it is to be told',
    form: webhookCallsDownload,
    open: async ({ tx, person, form: { webhookId, timeZone: zone } }) => {
      const webhook = await requireWebhook({ tx, person }, webhookId);
      return {
        name: `calls-of-${webhook.name}`,
        header: [
          ...[`When (${zone})`, 'Event', 'Lead id', 'State', 'Tries', 'Failure', 'HTTP status', 'Took ms', `Next try (${zone})`],
          'Call id',
        ],
        read: async (before) =>
          historyPage(await listCalls(tx, person.organizationId, webhookId, before, FILE_PAGE), (call) => lineOf(call, zone)),
      };
    },
  });
}

function lineOf(row: CallRow, zone: string): CsvCell[] {
  const call = viewCall(row);
  return [
    ...[wallTime(call.madeAt, zone), EVENT_LABELS[call.event] ?? call.event, call.leadId, CALL_STATE_WORDS[call.state], call.tries],
    ...[call.failure, call.statusCode, call.elapsedMs === null ? null : Math.round(call.elapsedMs)],
    ...[call.nextAt && call.tries > 0 ? wallTime(call.nextAt, zone) : null, call._id],
  ];
}
