/** The report of payments, its file, and the payments behind a figure. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { moveLabel } from '#contract/move.ts';
import {
  paymentListAnswer,
  paymentListDownload,
  paymentListQuery,
  paymentReportAnswer,
  paymentReportDownload,
  paymentReportQuery,
} from '#contract/payment.ts';
import { DIMENSION_WORDS } from '#contract/report-words.ts';
import { askedColumns, requireOwnForm, requireReading, sendCsv, takeForms, wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { type ConsoleRoutes, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import { each, figureColumns } from '#server/report/report.csv.ts';
import { filtersOf } from '#server/report/report-names.sql.ts';
import { spansOf } from '#server/report/report-span.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { buildPaymentReport, listPaymentRows, type NamedPayments } from './build-payment-report.ts';
import { NOBODY } from './payment-hour.sql.ts';
import { findPaymentIds, listPayments, type PaymentLine, type PaymentListOrder, walkPayments } from './payment-list.sql.ts';
import { PAYMENT_PAGE } from './payment-processor.model.ts';
import { NO_PAYMENTS, type PaymentColumn, type PaymentFilters } from './payment-report.sql.ts';

const TITLE = 'Payments that processors reported';

type Narrowed = Pick<
  z.infer<typeof paymentListQuery>,
  'campaignId' | 'publisherId' | 'publisherTierId' | 'buyerId' | 'buyerTierId' | 'processorId' | 'move' | 'bin' | 'reason'
>;

export async function paymentStatsRoutes(instance: FastifyInstance, options: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, planBook } = options;
  const cookies = sessionCookies(options.config.appEnv);
  takeForms(app);

  async function enter(request: FastifyRequest, query: Narrowed & { region: string; vertical: string }) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const place = await requirePlace(own, person, query);
    if (!mayOpenPage(person, PAYMENT_PAGE, place.regionId, place.verticalId)) throw forbidden();
    const scope = { organizationId: person.organizationId, verticalId: place.verticalId };
    return { person, own, scope, filters: await paymentFilters(own, scope, query) };
  }

  async function orderOf(request: FastifyRequest, query: z.infer<typeof paymentReportQuery>) {
    const { own, scope, filters, person } = await enter(request, query);
    const { unit, timeZone, by, sort, rowsBefore } = query;
    const { currency } = await own
      .selectFrom('organization')
      .select('currency')
      .where('id', '=', scope.organizationId)
      .executeTakeFirstOrThrow();
    const rows = { by, sort, hasRowsBefore: rowsBefore === 'true' };
    return { own, person, order: { scope, ...spansOf(query, Date.now()), unit, timeZone, ...rows, filters, currency } };
  }

  async function listOrder(request: FastifyRequest, query: z.infer<typeof paymentListQuery>) {
    const { own, scope, filters, person } = await enter(request, query);
    const { q, result, before } = query;
    const ids = q === undefined ? undefined : await findPaymentIds(own, requireOrganization(planBook, scope.organizationId), scope, q);
    const order: PaymentListOrder = { scope, ids, span: spansOf(query, Date.now()).span, filters, result, before };
    return { own, person, order };
  }

  app.get(
    '/api/console/reports/payments',
    { schema: { tags: ['console'], summary: TITLE, querystring: paymentReportQuery, response: { 200: paymentReportAnswer } } },
    async (request) => {
      const { own, order } = await orderOf(request, request.query);
      return buildPaymentReport(own, order);
    },
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-payments`,
    {
      schema: {
        tags: ['console'],
        summary: `${TITLE}, as CSV, asked for by a hidden form`,
        consumes: ['application/x-www-form-urlencoded'],
        body: paymentReportDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { body } = request;
      const { own, person, order } = await orderOf(request, body);
      const { header, line } = paymentCsv(DIMENSION_WORDS[order.by], body.columns, order.hasRowsBefore);
      return sendCsv(reply, {
        name: `payments-${body.region}-${body.vertical}`,
        ...{ zone: body.timeZone, reader: person, header, rows: each(await listPaymentRows(own, order), line) },
      });
    },
  );
  app.get(
    '/api/console/payments',
    {
      schema: {
        tags: ['console'],
        summary: 'Payments that processors reported, one by one, the newest attempt first',
        querystring: paymentListQuery,
        response: { 200: paymentListAnswer },
      },
    },
    async (request) => {
      const { own, order } = await listOrder(request, request.query);
      return { status: true as const, ...(await listPayments(own, order)) };
    },
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/payments`,
    {
      schema: {
        tags: ['console'],
        summary: 'Payments that processors reported, one by one, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: paymentListDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { body } = request;
      const { own, person, order } = await listOrder(request, body);
      const { timeZone: zone, columns } = body;
      const { header, line } = listCsv(columns, zone);
      const payments = walkPayments(own, order, () => {
        requireReading(reply);
        return enter(request, body);
      });
      return sendCsv(reply, {
        name: `payment-list-${body.region}-${body.vertical}`,
        ...{ zone, reader: person, header, rows: eachOf(payments, line) },
      });
    },
  );
}

/** By the id of a column of the page: one column of the file, or several. */
const LIST_COLUMNS: readonly { id: string; head: string; cell: (one: PaymentLine) => CsvCell }[] = [
  { id: 'processor', head: 'Processor', cell: ({ processor }) => processor },
  { id: 'transaction', head: 'Transaction', cell: ({ transactionId }) => transactionId },
  { id: 'result', head: 'Result', cell: ({ result }) => result },
  { id: 'amount', head: 'Amount', cell: ({ amount }) => amount },
  { id: 'amount', head: 'Refunded', cell: ({ refunded }) => refunded },
  { id: 'amount', head: 'Charged back', cell: ({ chargedBack }) => chargedBack },
  { id: 'amount', head: 'Currency', cell: ({ currency }) => currency },
  { id: 'result', head: 'Reason', cell: ({ reason }) => reason },
  { id: 'bin', head: 'BIN', cell: ({ bin }) => bin },
  { id: 'bin', head: 'BIN move', cell: ({ bin, move }) => (bin === '' ? '' : moveLabel(move)) },
  { id: 'lead', head: 'Publisher', cell: ({ publisher }) => publisher },
  { id: 'lead', head: 'Buyer', cell: ({ buyer }) => buyer },
  { id: 'lead', head: 'Lead id', cell: ({ leadId }) => leadId },
  { id: 'reports', head: 'Reports', cell: ({ reportCount }) => reportCount },
];

/** The asked columns, all where none is asked for. When it was tried stands in every line. */
function listCsv(asked: string, zone: string) {
  const shown = askedColumns(LIST_COLUMNS, asked);
  return {
    header: [`Tried (${zone})`, ...shown.map(({ head }) => head)],
    line: (one: PaymentLine): CsvCell[] => [wallTime(one.attemptedAt, zone), ...shown.map(({ cell }) => cell(one))],
  };
}

async function* eachOf(payments: AsyncIterable<PaymentLine>, line: (one: PaymentLine) => CsvCell[]): AsyncGenerator<CsvCell[]> {
  for await (const one of payments) yield line(one);
}

/** A record that is not there, or another organization's or vertical's, answers as not found. */
async function paymentFilters(own: Db, scope: ReportScope, query: Narrowed): Promise<PaymentFilters> {
  const { processorId, move, bin, reason } = query;
  const names = Object.keys(RECORDS) as (keyof typeof RECORDS)[];
  const filters = await filtersOf(own, scope.organizationId, Object.fromEntries(names.map((name) => [name, query[name] || undefined])));
  if (processorId !== undefined && !(await isProcessorOf(own, scope, processorId)))
    throw new HttpError(404, 'report_record_unknown', 'What this report is narrowed to is not there. Take that filter away.');
  return {
    ...(filters as PaymentFilters),
    ...Object.fromEntries(names.filter((name) => query[name] === '').map((name) => [RECORDS[name], NOBODY])),
    ...(processorId !== undefined && { processor_id: processorId }),
    ...(move !== undefined && { move }),
    ...(bin !== undefined && { bin }),
    ...(reason !== undefined && { reason }),
  };
}

/** What a payment may have none of: it has no lead, or its lead no buyer. */
const RECORDS = {
  ...{ campaignId: 'campaign_id', publisherId: 'publisher_id', publisherTierId: 'publisher_tier_id' },
  ...{ buyerId: 'buyer_id', buyerTierId: 'buyer_tier_id' },
} as const satisfies Partial<Record<keyof Narrowed, PaymentColumn>>;

async function isProcessorOf(own: Db, { organizationId, verticalId }: ReportScope, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const found = await own
    .selectFrom('payment_processor')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

/** The asked figures in our order; none asked for means all. */
export function paymentCsv(head: string, asked: string, hasBefore: boolean) {
  const shown = figureColumns({ asked, hasBefore, none: NO_PAYMENTS });
  return {
    header: [head, ...shown.map((one) => one.head), `${head} key`],
    line: ({ keys: [key], ...figures }: NamedPayments): CsvCell[] => [key!.name, ...shown.map(({ cell }) => cell(figures)), key!._id],
  };
}
