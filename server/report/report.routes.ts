/** The report pages of lead flow: each asks for its own permission, and has its file. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  type AttemptDimension,
  attemptReportAnswer,
  attemptReportDownload,
  attemptReportQuery,
  bidPriceAnswer,
  bidPriceDownload,
  bidPriceQuery,
  type CompareSide,
  compareAnswer,
  compareDownload,
  compareQuery,
  type LeadDimension,
  leadReportAnswer,
  leadReportDownload,
  leadReportQuery,
  mapReportAnswer,
  mapReportDownload,
  mapReportQuery,
  performanceReportAnswer,
  reasonReportAnswer,
  reasonReportDownload,
  reasonReportQuery,
  timeoutReportAnswer,
  timeoutReportDownload,
  timeoutReportQuery,
} from '#contract/report.ts';
import { type Reader, requireOwnForm, sendCsv, takeForms, wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { type ConsoleRoutes, forbidden } from '#server/lead/lead.console.routes.ts';
import { listEntered, requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { readBidPrices } from './bid-prices.sql.ts';
import { buildMap } from './build-map.ts';
import { buildPerformance } from './build-performance.ts';
import { ATTEMPTS, buildReport, LEADS, listReportPoints, listReportRows, type NamedRow } from './build-report.ts';
import { compare } from './compare.ts';
import type { ReportScope } from './read-facts.sql.ts';
import { readReasons } from './reasons.sql.ts';
import { bidPriceCsv, compareCsv, each, mapCsv, pointCsv, reasonCsv, reportCsv, timeoutCsv } from './report.csv.ts';
import type { Dimension, ReportFilters } from './report.sql.ts';
import { filtersOf, nameOfVertical } from './report-names.sql.ts';
import { spansOf } from './report-span.ts';
import { readTimeouts } from './timeouts.sql.ts';

interface Report<Of> {
  /** Of its address. */
  name: string;
  /** Of the page catalogue. */
  page: string;
  title: string;
  by: readonly Of[];
  /** Which rows are told; all without it. */
  isRow?: (figures: { sold: number }) => boolean;
  /** One dimension by the other, and nothing by time. */
  isMatrix?: true;
}

const LEAD_REPORTS: readonly Report<LeadDimension>[] = [
  {
    name: 'inbound',
    page: 'leadFlow-Inbound',
    title: 'What publishers sent',
    by: ['publisher', 'publisherTier', 'campaign', 'state', 'subId', 'variant', 'reason', 'vertical', 'region'],
  },
  { name: 'trending', page: 'leadFlow-Trending', title: 'Leads over time', by: ['campaign', 'publisher', 'publisherTier'] },
];
const ATTEMPT_REPORTS: readonly Report<AttemptDimension>[] = [
  {
    name: 'outbound',
    page: 'leadFlow-Outbound',
    title: 'What buyers did',
    by: ['buyer', 'buyerTier', 'group', 'campaign', 'publisher', 'publisherTier', 'variant', 'state', 'filterReason', 'vertical', 'region'],
  },
  {
    name: 'performance',
    page: 'leadFlow-PerformanceReport',
    title: 'Publishers by buyers',
    by: ['publisher', 'publisherTier', 'buyer', 'buyerTier'],
    isMatrix: true,
  },
  {
    name: 'redirect',
    page: 'leadFlow-RedirectReport',
    title: 'Consumers led on to buyers',
    by: ['buyer', 'buyerTier', 'publisher', 'publisherTier'],
    isRow: ({ sold }) => sold > 0,
  },
];

const reportUrl = (name: string) => `/api/console/reports/${name}`;

export async function reportRoutes(instance: FastifyInstance, options: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);
  takeForms(app);

  async function enter(request: FastifyRequest, page: string, slugs: { region: string; vertical: string }) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const place = await requirePlace(own, person, slugs);
    if (!mayOpenPage(person, page, place.regionId, place.verticalId)) throw forbidden();
    return { person, own, scope: { organizationId: person.organizationId, verticalId: place.verticalId } };
  }

  /** By vertical or region: all in which the person may open this page, and no other. */
  async function enterBy(request: FastifyRequest, page: string, query: { region: string; vertical: string; by: readonly Dimension[] }) {
    const entered = await enter(request, page, query);
    const { person, own, scope } = entered;
    if (!query.by.some((one) => one === 'vertical' || one === 'region')) return entered;
    return { ...entered, scope: { ...scope, verticals: (await listOpen(own, person, page)).verticals } };
  }

  async function listOpen(own: Db, person: SignedIn, page: string) {
    const { verticals, archived, regions } = await listEntered(own, person);
    const all = [...verticals, ...archived.map(({ vertical }) => vertical)].map(({ _id, regionId }) => ({ verticalId: _id, regionId }));
    const open = all.filter(({ regionId, verticalId }) => mayOpenPage(person, page, regionId, verticalId));
    return { regions: [...regions, ...archived.map(({ region }) => region)], verticals: open };
  }

  for (const report of LEAD_REPORTS) {
    app.get(
      reportUrl(report.name),
      { schema: { tags: ['console'], summary: report.title, querystring: leadReportQuery, response: { 200: leadReportAnswer } } },
      async (request) => {
        const { query } = request;
        const { own, scope } = await enterBy(request, report.page, query);
        const order = { ...orderOf(report, query), unit: query.unit, filters: await filtersOf(own, scope.organizationId, query) };
        return buildReport(own, scope, LEADS, order);
      },
    );
    app.post(
      `${DOWNLOAD_FILE_URL}/report-${report.name}`,
      { schema: downloadSchema(report.title, leadReportDownload) },
      async (request, reply) => {
        requireOwnForm(request);
        const { body } = request;
        const { own, scope, person } = await enterBy(request, report.page, body);
        const order = orderOf(report, body);
        const filters = await filtersOf(own, scope.organizationId, body);
        if (report.name === 'trending') return sendCsv(reply, await pointsFile(own, scope, { ...body, ...order, filters }, person));
        const rows = await listReportRows(own, scope, LEADS, { ...order, filters });
        return sendCsv(reply, fileOf(report, body, person, order, LEADS.none, rows));
      },
    );
  }

  for (const report of ATTEMPT_REPORTS) {
    app.get(
      reportUrl(report.name),
      {
        schema: {
          ...{ tags: ['console'], summary: report.title, querystring: attemptReportQuery },
          response: { 200: report.isMatrix ? performanceReportAnswer : attemptReportAnswer },
        },
      },
      async (request) => {
        const { query } = request;
        const { own, scope } = await enterBy(request, report.page, query);
        const filters = await filtersOf(own, scope.organizationId, query);
        const order = { ...orderOf(report, query), unit: query.unit, filters, hasPointTimes: query.pointTimes === 'true' };
        return report.isMatrix ? buildPerformance(own, scope, order) : buildReport(own, scope, ATTEMPTS, order);
      },
    );
    app.post(
      `${DOWNLOAD_FILE_URL}/report-${report.name}`,
      { schema: downloadSchema(report.title, attemptReportDownload) },
      async (request, reply) => {
        requireOwnForm(request);
        const { body } = request;
        const { own, scope, person } = await enterBy(request, report.page, body);
        const order = orderOf(report, body);
        const filters = await filtersOf(own, scope.organizationId, body);
        const rows = await listReportRows(own, scope, ATTEMPTS, { ...order, filters });
        return sendCsv(reply, fileOf(report, body, person, order, ATTEMPTS.none, rows));
      },
    );
  }

  const reasons = async (request: FastifyRequest, query: z.infer<typeof reasonReportQuery>) => {
    const { own, scope, person } = await enter(request, 'leadFlow-ReasonReport', query);
    const filters = await filtersOf(own, scope.organizationId, query);
    const { unit, timeZone } = query;
    const order = { ...spansOf(query, Date.now()), unit, timeZone };
    const answer = await readReasons(own, scope, {
      ...order,
      leadFilters: but(filters, OF_BUYERS),
      attemptFilters: but(filters, ['sub_id']),
    });
    return { answer, reader: person };
  };

  app.get(
    reportUrl('reason'),
    {
      schema: {
        tags: ['console'],
        summary: 'Why leads were not sold',
        querystring: reasonReportQuery,
        response: { 200: reasonReportAnswer },
      },
    },
    async (request) => (await reasons(request, request.query)).answer,
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-reason`,
    { schema: downloadSchema('Why leads were not sold', reasonReportDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { region, vertical, timeZone: zone, columns } = request.body;
      const { answer, reader } = await reasons(request, request.body);
      return sendCsv(reply, { name: `reasons-${region}-${vertical}`, zone, reader, ...reasonCsv(answer, columns) });
    },
  );

  const timeouts = async (request: FastifyRequest, query: z.infer<typeof timeoutReportQuery>) => {
    const { own, scope, person } = await enter(request, 'buyer-timeout-track', query);
    const filters = await filtersOf(own, scope.organizationId, query);
    const { unit, timeZone, seriesOf } = query;
    return { answer: await readTimeouts(own, scope, { ...spansOf(query, Date.now()), filters, unit, timeZone, seriesOf }), reader: person };
  };

  app.get(
    reportUrl('time-outs'),
    {
      schema: {
        tags: ['console'],
        summary: 'How long buyers take to answer',
        querystring: timeoutReportQuery,
        response: { 200: timeoutReportAnswer },
      },
    },
    async (request) => (await timeouts(request, request.query)).answer,
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-time-outs`,
    { schema: downloadSchema('How long buyers take to answer', timeoutReportDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { region, vertical, timeZone: zone, columns } = request.body;
      const { answer, reader } = await timeouts(request, { ...request.body, unit: undefined });
      return sendCsv(reply, { name: `time-outs-${region}-${vertical}`, zone, reader, ...timeoutCsv(answer, columns) });
    },
  );

  const bidPrices = async (request: FastifyRequest, query: z.infer<typeof bidPriceQuery>) => {
    const { own, scope, person } = await enter(request, 'leadFlow-Outbound', query);
    const filters = await filtersOf(own, scope.organizationId, query);
    return { answer: await readBidPrices(own, scope, spansOf(query, Date.now()).span, filters), reader: person };
  };

  app.get(
    reportUrl('bid-prices'),
    {
      schema: {
        tags: ['console'],
        summary: 'Sales at another price than was bid',
        querystring: bidPriceQuery,
        response: { 200: bidPriceAnswer },
      },
    },
    async (request) => (await bidPrices(request, request.query)).answer,
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-bid-prices`,
    { schema: downloadSchema('Sales at another price than was bid', bidPriceDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { region, vertical, timeZone: zone } = request.body;
      const { answer, reader } = await bidPrices(request, request.body);
      return sendCsv(reply, { name: `bids-and-prices-${region}-${vertical}`, zone, reader, ...bidPriceCsv(answer) });
    },
  );

  const map = async (request: FastifyRequest, query: z.infer<typeof mapReportQuery>) => {
    const { own, scope, person } = await enter(request, 'comm-maps', query);
    const filters = await filtersOf(own, scope.organizationId, query);
    const { timeZone, sort, rowsBefore } = query;
    const order = { ...spansOf(query, Date.now()), filters, timeZone, sort, hasRowsBefore: rowsBefore === 'true' };
    return { answer: await buildMap(own, scope, order), reader: person };
  };

  app.get(
    reportUrl('map'),
    {
      schema: {
        tags: ['console'],
        summary: 'Where leads come from and where they are sold, by state',
        querystring: mapReportQuery,
        response: { 200: mapReportAnswer },
      },
    },
    async (request) => (await map(request, request.query)).answer,
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-map`,
    { schema: downloadSchema('Where leads come from and where they are sold', mapReportDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { region, vertical, timeZone: zone, columns: asked, rowsBefore } = request.body;
      const { answer, reader } = await map(request, request.body);
      const { none } = LEADS;
      const file = mapCsv(answer, { asked, hasBefore: rowsBefore === 'true', none });
      return sendCsv(reply, { name: `map-${region}-${vertical}`, zone, reader, ...file });
    },
  );

  const compared = async (request: FastifyRequest, query: z.infer<typeof compareQuery>) => {
    const { own, person, scope: entered } = await enter(request, COMPARE, query);
    const answer = await compare(own, query, {
      async verticalOf(vertical) {
        const { scope } = await enter(request, COMPARE, { region: query.region, vertical });
        return { scope, name: await nameOfVertical(own, scope) };
      },
      async regionOf(slug) {
        const { regions, verticals } = await listOpen(own, person, COMPARE);
        const region = regions.find((one) => one.slug === slug);
        const within = verticals.filter(({ regionId }) => regionId === region?._id);
        if (!region || within.length === 0)
          throw new HttpError(404, 'region_unknown', 'There is no such region, or you may not work in it.');
        return { scope: { ...entered, verticals: within }, name: region.name };
      },
    });
    return { answer, reader: person };
  };

  app.get(
    reportUrl('compare'),
    { schema: { tags: ['console'], summary: 'Two of a kind side by side', querystring: compareQuery, response: { 200: compareAnswer } } },
    async (request) => (await compared(request, request.query)).answer,
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/report-compare`,
    { schema: downloadSchema('Two of a kind side by side', compareDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { region, vertical, timeZone: zone } = request.body;
      const { answer, reader } = await compared(request, request.body);
      const spanText = ({ from, to }: CompareSide['span']) =>
        `${wallTime(new Date(from), zone).slice(0, 16)} to ${wallTime(new Date(to), zone).slice(0, 16)}`;
      const [a, b] = answer.sides.map(({ key, span }) => key.name || spanText(span)) as [string, string];
      return sendCsv(reply, { name: `compare-${region}-${vertical}`, zone, reader, ...compareCsv(answer, [a, b]) });
    },
  );
}

const COMPARE = 'compare-stats';
const OF_BUYERS = ['buyer_id', 'buyer_tier_id', 'group_id'];
const but = (filters: ReportFilters, columns: readonly string[]): ReportFilters =>
  Object.fromEntries(Object.entries(filters).filter(([column]) => !columns.includes(column)));

function checkedBy<Of extends Dimension>({ by }: Report<Of>, asked: Of[]): Of[] {
  if (asked.some((one) => !by.includes(one)) || new Set(asked).size !== asked.length)
    throw new HttpError(400, 'report_dimension_unknown', `This report tells these apart, one or two at a time: ${by.join(', ')}.`);
  return asked;
}

const downloadSchema = <Body>(title: string, body: Body) => ({
  tags: ['console'],
  summary: `${title}, as CSV, asked for by a hidden form`,
  consumes: ['application/x-www-form-urlencoded'],
  body,
  response: csvAnswer,
});

interface FileQuery {
  region: string;
  vertical: string;
  timeZone: string;
  columns: string;
}

type RowQuery<Of> = Parameters<typeof spansOf>[0] & { by: Of[]; sort?: string | undefined; rowsBefore: 'true' | 'false' };

function orderOf<Of extends Dimension>(report: Report<Of>, query: RowQuery<Of>) {
  const { timeZone, sort, rowsBefore } = query;
  const { isRow } = report;
  return { ...spansOf(query, Date.now()), by: checkedBy(report, query.by), timeZone, sort, hasRowsBefore: rowsBefore === 'true', isRow };
}

function fileOf(
  { name }: Report<Dimension>,
  { region, vertical, timeZone, columns: asked }: FileQuery,
  reader: Reader,
  { by, hasRowsBefore }: { by: readonly Dimension[]; hasRowsBefore: boolean },
  none: object,
  rows: readonly NamedRow<object>[],
) {
  const { header, line } = reportCsv({ by, asked, hasBefore: hasRowsBefore, none });
  return { name: `${name}-${region}-${vertical}`, zone: timeZone, reader, header, rows: each(rows, line) };
}

/** Of what is told by time: a line for each point. */
async function pointsFile(own: Db, scope: ReportScope, query: FileQuery & Parameters<typeof listReportPoints>[2], reader: Reader) {
  const points = await listReportPoints(own, scope, query);
  const { header, line } = pointCsv(Object.keys(LEADS.none), query.columns);
  const at = (point: (typeof points)[number]) => wallTime(new Date(point.at), query.timeZone).slice(0, 16);
  return {
    name: `trending-${query.region}-${query.vertical}`,
    ...{ zone: query.timeZone, reader, header: [`From (${query.timeZone})`, ...header] },
    rows: each(points, (point) => [at(point), ...line(point)]),
  };
}
