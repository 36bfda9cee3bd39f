/** The report of payments, its file, and the payments behind a figure. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { moveLabel } from '#contract/move.ts';
import {
  type PaymentMeasures,
  paymentListAnswer,
  paymentListDownload,
  paymentListQuery,
  paymentReportAnswer,
  paymentReportDownload,
  paymentReportQuery,
} from '#contract/payment.ts';
import { DIMENSION_WORDS, fileHead, PAYMENT_WORDS } from '#contract/report-words.ts';
import { askedColumns, requireOwnForm, requireReading, sendCsv, takeForms, wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { type ConsoleRoutes, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import { each } from '#server/report/report.csv.ts';
import { filtersOf } from '#server/report/report-names.sql.ts';
import { spansOf } from '#server/report/report-span.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { buildPaymentReport, listPaymentRows, type NamedPayments } from './build-payment-report.ts';
import { findPaymentIds, listPayments, type PaymentLine, type PaymentListOrder, walkPayments } from './payment-list.sql.ts';
import { PAYMENT_PAGE } from './payment-processor.model.ts';
import type { PaymentFilters } from './payment-report.sql.ts';

const TITLE = 'Payments that processors reported';
const FIGURES = Object.keys(PAYMENT_WORDS) as (keyof typeof PAYMENT_WORDS)[];
const COLUMNS = FIGURES.map((id) => ({ id, head: fileHead(id, PAYMENT_WORDS[id]) }));

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
    const { unit, timeZone, by } = query;
    const { currency } = await own
      .selectFrom('organization')
      .select('currency')
      .where('id', '=', scope.organizationId)
      .executeTakeFirstOrThrow();
    return { own, person, order: { scope, ...spansOf(query, Date.now()), unit, timeZone, by, filters, currency } };
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
      const { header, line } = paymentCsv(DIMENSION_WORDS[order.by], body.columns);
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
      const zone = body.timeZone;
      return sendCsv(reply, {
        name: `payment-list-${body.region}-${body.vertical}`,
        ...{ zone, reader: person, header: [`Tried (${zone})`, ...LINE_HEADS] },
        rows: linesOf(
          walkPayments(own, order, () => {
            requireReading(reply);
            return enter(request, body);
          }),
          zone,
        ),
      });
    },
  );
}

const LINE_HEADS = [
  ...['Processor', 'Transaction', 'Result', 'Amount', 'Refunded', 'Charged back', 'Currency', 'Reason', 'BIN', 'BIN move'],
  ...['Publisher', 'Buyer', 'Lead id'],
];
async function* linesOf(payments: AsyncIterable<PaymentLine>, zone: string): AsyncGenerator<CsvCell[]> {
  for await (const one of payments)
    yield [
      ...[wallTime(one.attemptedAt, zone), one.processor, one.transactionId, one.result, one.amount, one.refunded, one.chargedBack],
      ...[one.currency, one.reason, one.bin, one.bin === '' ? '' : moveLabel(one.move), one.publisher, one.buyer, one.leadId],
    ];
}

/** A record that is not there, or another organization's or vertical's, answers as not found. */
async function paymentFilters(own: Db, scope: ReportScope, query: Narrowed): Promise<PaymentFilters> {
  const { processorId, move, bin, reason } = query;
  const filters = await filtersOf(own, scope.organizationId, { ...query, state: undefined });
  if (processorId !== undefined && !(await isProcessorOf(own, scope, processorId)))
    throw new HttpError(404, 'report_record_unknown', 'What this report is narrowed to is not there. Take that filter away.');
  return {
    ...(filters as PaymentFilters),
    ...(processorId !== undefined && { processor_id: processorId }),
    ...(move !== undefined && { move }),
    ...(bin !== undefined && { bin }),
    ...(reason !== undefined && { reason }),
  };
}

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
export function paymentCsv(head: string, asked: string) {
  const shown = askedColumns(COLUMNS, asked);
  return {
    header: [head, ...shown.map((column) => column.head), `${head} key`],
    line: ({ keys: [key], now }: NamedPayments): CsvCell[] => [
      key!.name,
      ...shown.map(({ id }) => (id === 'rate' ? rateOf(now) : now[id])),
      key!._id,
    ],
  };
}

const rateOf = ({ approved, attempts }: PaymentMeasures): string | null =>
  attempts === 0 ? null : ((approved / attempts) * 100).toFixed(2);
