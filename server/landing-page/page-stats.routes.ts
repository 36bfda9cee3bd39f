/** The report of landing pages and landers, and its file. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { type PageReportRow, pageReportAnswer, pageReportDownload, pageReportQuery } from '#contract/landing-page.ts';
import { MOST_ROWS } from '#contract/report-limits.ts';
import { DIMENSION_WORDS } from '#contract/report-words.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { type ConsoleRoutes, forbidden } from '#server/lead/lead.console.routes.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { each, figureColumns } from '#server/report/report.csv.ts';
import { filtersOf } from '#server/report/report-names.sql.ts';
import { spansOf } from '#server/report/report-span.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { buildPageReport, NO_VISITS } from './build-page-report.ts';
import { PAGE_STATS } from './landing-page.model.ts';

const TITLE = 'Landing pages and landers';

export async function pageStatsRoutes(instance: FastifyInstance, options: Omit<ConsoleRoutes, 'planBook'>): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);
  takeForms(app);

  async function report(request: FastifyRequest, query: z.infer<typeof pageReportQuery>) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const place = await requirePlace(own, person, query);
    if (!mayOpenPage(person, PAGE_STATS, place.regionId, place.verticalId)) throw forbidden();
    const scope = { organizationId: person.organizationId, verticalId: place.verticalId };
    const filters = await filtersOf(own, scope.organizationId, query);
    const { unit, timeZone, sort, rowsBefore } = query;
    const order = { ...spansOf(query, Date.now()), unit, timeZone, filters, sort, hasRowsBefore: rowsBefore === 'true' };
    return { person, answer: await buildPageReport(own, scope, order) };
  }

  app.get(
    '/api/console/reports/page-stats',
    { schema: { tags: ['console'], summary: TITLE, querystring: pageReportQuery, response: { 200: pageReportAnswer } } },
    async (request) => {
      const { answer } = await report(request, request.query);
      return { ...answer, rows: answer.rows.slice(0, MOST_ROWS) };
    },
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-page-stats`,
    {
      schema: {
        tags: ['console'],
        summary: `${TITLE}, as CSV, asked for by a hidden form`,
        consumes: ['application/x-www-form-urlencoded'],
        body: pageReportDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { body } = request;
      const { answer, person } = await report(request, body);
      const { header, line } = pageCsv(body.columns, body.rowsBefore === 'true');
      return sendCsv(reply, {
        name: `page-stats-${body.region}-${body.vertical}`,
        ...{ zone: body.timeZone, reader: person, header, rows: each(answer.rows, line) },
      });
    },
  );
}

/** The asked figures in our order; none asked for means all. */
export function pageCsv(asked: string, hasBefore: boolean) {
  const shown = figureColumns({ asked, hasBefore, none: NO_VISITS });
  const tier = DIMENSION_WORDS.publisherTier;
  return {
    header: ['Page', 'Kind', 'Where', tier, 'Status', ...shown.map(({ head }) => head), 'Page id', `${tier} id`],
    line: ({ keys: [page], kind, url, publisherTier, status, ...figures }: PageReportRow): CsvCell[] => [
      ...[page!.name, kind === 'lander' ? 'Lander' : 'Landing page', url, publisherTier.name, status],
      ...shown.map(({ cell }) => cell(figures)),
      ...[page!._id, publisherTier._id],
    ],
  };
}
