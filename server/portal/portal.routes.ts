/** What a portal shows: the company's own leads, figures, caps, returns, statements and posting specifications, and their files. */

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  buyerFiguresAnswer,
  buyerFiguresDownload,
  buyerFiguresQuery,
  buyerLeadAnswer,
  buyerLeadsAnswer,
  buyerLeadsDownload,
  buyerLeadsQuery,
  type PortalKind,
  portalAnswer,
  portalReturnsAnswer,
  portalReturnsDownload,
  portalReturnsQuery,
  portalStatementAnswer,
  portalStatementDownload,
  portalStatementQuery,
  publisherFiguresAnswer,
  publisherFiguresDownload,
  publisherFiguresQuery,
  publisherLeadAnswer,
  publisherLeadsAnswer,
  publisherLeadsDownload,
  publisherLeadsQuery,
} from '#contract/portal.ts';
import { MOST_ROWS } from '#contract/report-limits.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { requireOwnForm, requireReading, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { buildStatement, CSV_PAGE, isMonthProvisional, spanOf, statementLines } from '#server/ledger/build-statement.ts';
import { listEntries, readOpening } from '#server/ledger/statement.sql.ts';
import { describePosting, type PostingSpec } from '#server/posting-spec/describe-posting.ts';
import { openApiOf } from '#server/posting-spec/openapi.ts';
import { SPEC_HEADERS } from '#server/posting-spec/posting-spec.routes.ts';
import { specPage } from '#server/posting-spec/spec-page.ts';
import { each } from '#server/report/report.csv.ts';
import { listBuyerLeads, readBuyerLead, walkBuyerLeads } from './buyer-leads.ts';
import { countOpenRequests } from './change-request.sql.ts';
import { buyerFigureCsv, buyerLeadCsv, publisherFigureCsv, publisherLeadCsv, returnCsv } from './portal.csv.ts';
import { listContacts, readAccount, readBuyerTerms, readTiers } from './portal-company.sql.ts';
import { openPortalDoor, type PortalParts, tierIdsOf, type Visitor } from './portal-door.ts';
import { NO_BUYER_FIGURES, NO_PUBLISHER_FIGURES, readBuyerFigures, readPublisherFigures } from './portal-figures.ts';
import { listPortalReturns, walkPortalReturns } from './portal-returns.sql.ts';
import { listPublisherLeads, readPublisherLead, walkPublisherLeads } from './publisher-leads.ts';

const tags = ['portal'];
const PORTAL = '/api/console/portal';
const leadParams = z.object({ id: z.string().max(60) });

/** `readers`: a replica, where there is one. */
export async function portalRoutes(
  instance: FastifyInstance,
  options: PortalParts & { readers: Tenants; addresses: Addresses },
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, readers, addresses } = options;
  const door = openPortalDoor(options);
  takeForms(app);
  const told = (summary: string) => ({ tags, summary });
  const enterFor = async (request: FastifyRequest, query: { from?: string | undefined; to?: string | undefined }, kind?: PortalKind) => {
    const visitor = await door.enter(request, kind);
    requireAskedSpan('portal', query);
    return visitor;
  };
  const fileOf = <Body>(summary: string, body: Body) => ({
    ...told(`${summary}, as CSV, asked for by a hidden form`),
    consumes: ['application/x-www-form-urlencoded'],
    body,
    response: csvAnswer,
  });

  /** Of a tier of one's own, whether or not a link to it is switched on. */
  const specOf = async (request: FastifyRequest<{ Params: { id: string } }>): Promise<PostingSpec> => {
    const visitor = await door.enter(request, 'publisher');
    const { id } = request.params;
    tierIdsOf(visitor, id);
    const { organization } = visitor;
    const spec = describePosting(organization, id, addresses.origin(organization.subDomain));
    if (!spec) throw new HttpError(404, 'posting_spec_unknown', 'This tier cannot be posted to: it or its campaign is archived.');
    return spec;
  };

  app.get(
    PORTAL,
    { schema: { ...told('The company whose portal the caller is in, and what it is set to'), response: { 200: portalAnswer } } },
    async (request) => {
      const visitor = await door.look(request);
      const { company, organization } = visitor;
      const now = Date.now();
      const { kind, isArchived, ...named } = company;
      const base = {
        ...{ status: true as const, kind, organizationName: organization.name, currency: organization.plan.currency },
        company: { ...named, isArchived },
      };
      if (isArchived)
        return {
          ...base,
          contacts: [],
          tiers: [],
          caps: [],
          capUse: [],
          account: null,
          returnReasons: [],
          returnKeys: [],
          openRequests: 0,
        };
      return {
        ...base,
        contacts: await listContacts(visitor),
        tiers: await readTiers(visitor, now),
        ...(await readBuyerTerms(visitor, now)),
        account: await readAccount(visitor),
        openRequests: await countOpenRequests(visitor.own, organization.organizationId, visitor.person.bound),
      };
    },
  );

  app.get(
    `${PORTAL}/publisher/leads`,
    {
      schema: {
        ...told('What the publisher posted, newest first'),
        querystring: publisherLeadsQuery,
        response: { 200: publisherLeadsAnswer },
      },
    },
    async (request) => ({
      status: true as const,
      ...(await listPublisherLeads(await enterFor(request, request.query, 'publisher'), request.query)),
    }),
  );

  app.get(
    `${PORTAL}/publisher/leads/:id`,
    { schema: { ...told('One lead of the publisher'), params: leadParams, response: { 200: publisherLeadAnswer } } },
    async (request) => readPublisherLead(await door.enter(request, 'publisher'), request.params.id),
  );

  app.get(
    `${PORTAL}/buyer/leads`,
    { schema: { ...told('What the buyer bought, newest first'), querystring: buyerLeadsQuery, response: { 200: buyerLeadsAnswer } } },
    async (request) => ({
      status: true as const,
      ...(await listBuyerLeads(await enterFor(request, request.query, 'buyer'), request.query)),
    }),
  );

  app.get(
    `${PORTAL}/buyer/leads/:id/:sale`,
    {
      schema: {
        ...told('One lead that the buyer bought, with what it was sent of it'),
        params: leadParams.extend({ sale: z.coerce.number().int().min(0).max(19) }),
        response: { 200: buyerLeadAnswer },
      },
    },
    async (request) => readBuyerLead(await door.enter(request, 'buyer'), request.params.id, request.params.sale),
  );

  app.get(
    `${PORTAL}/publisher/figures`,
    { schema: { ...told('The publisher’s figures'), querystring: publisherFiguresQuery, response: { 200: publisherFiguresAnswer } } },
    async (request) => {
      const visitor = await door.enter(request, 'publisher');
      return onePage(await readPublisherFigures(readers.of(visitor.person.organizationId), visitor, request.query, Date.now()));
    },
  );

  app.get(
    `${PORTAL}/buyer/figures`,
    { schema: { ...told('The buyer’s figures'), querystring: buyerFiguresQuery, response: { 200: buyerFiguresAnswer } } },
    async (request) => {
      const visitor = await door.enter(request, 'buyer');
      return onePage(await readBuyerFigures(readers.of(visitor.person.organizationId), visitor, request.query, Date.now()));
    },
  );

  app.get(
    `${PORTAL}/returns`,
    { schema: { ...told('Leads that were given back'), querystring: portalReturnsQuery, response: { 200: portalReturnsAnswer } } },
    async (request) => ({ status: true as const, ...(await listPortalReturns(await enterFor(request, request.query), request.query)) }),
  );

  app.get(
    `${PORTAL}/statement`,
    {
      schema: {
        ...told('The company’s account over a month'),
        querystring: portalStatementQuery,
        response: { 200: portalStatementAnswer },
      },
    },
    async (request) => {
      const { person, company } = await door.enter(request);
      const party = { kind: company.kind, id: company._id, name: company.name };
      const statement = await inTenant(db, person.organizationId, (tx) => buildStatement(tx, person.organizationId, party, request.query));
      // Who of the organization entered it is the organization's own affair.
      return { ...statement, entries: statement.entries.map((entry) => ({ ...entry, userName: null })) };
    },
  );

  app.get(
    `${PORTAL}/posting-specs/:id`,
    {
      schema: {
        ...told('The posting specification of a tier of the publisher, as a page'),
        params: leadParams,
        response: { '2xx': { description: 'The page.', content: { 'text/html': { schema: z.string() } } } },
      },
    },
    async (request, reply) => {
      const spec = await specOf(request);
      return reply
        .headers(SPEC_HEADERS)
        .type('text/html; charset=utf-8')
        .serializer((html) => html as never)
        .send(specPage(spec, new Date(), `${PORTAL}/posting-specs/${request.params.id}/openapi.json`) as never) as never;
    },
  );

  app.get(
    `${PORTAL}/posting-specs/:id/openapi.json`,
    {
      schema: { ...told('The same as an OpenAPI document'), params: leadParams, response: { 200: z.looseObject({ openapi: z.string() }) } },
    },
    async (request, reply) => {
      const spec = await specOf(request);
      reply.headers(SPEC_HEADERS);
      return openApiOf(spec, new Date()) as { openapi: string };
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/portal-publisher-leads`,
    { schema: fileOf('What the publisher posted', publisherLeadsDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone: zone, columns, ...query } = request.body;
      const visitor = await enterFor(request, query, 'publisher');
      const leads = walkPublisherLeads(visitor, { ...query, limit: 1 }, () => {
        requireReading(reply);
        return door.enter(request, 'publisher');
      });
      const { header, line } = publisherLeadCsv(columns, zone);
      return sendCsv(reply, { name: `leads-${visitor.company.name}`, zone, reader: visitor.person, header, rows: mapping(leads, line) });
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/portal-buyer-leads`,
    { schema: fileOf('What the buyer bought', buyerLeadsDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone: zone, columns, ...query } = request.body;
      const visitor = await enterFor(request, query, 'buyer');
      const leads = walkBuyerLeads(visitor, { ...query, limit: 1 }, () => {
        requireReading(reply);
        return door.enter(request, 'buyer');
      });
      const { header, line } = buyerLeadCsv(columns, zone);
      return sendCsv(reply, { name: `leads-${visitor.company.name}`, zone, reader: visitor.person, header, rows: mapping(leads, line) });
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/portal-returns`,
    { schema: fileOf('Leads that were given back', portalReturnsDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone: zone, columns, ...query } = request.body;
      const visitor = await enterFor(request, query);
      const returns = walkPortalReturns(visitor, query, () => door.enter(request));
      const { header, line } = returnCsv(visitor.company.kind, columns, zone);
      return sendCsv(reply, {
        name: `returns-${visitor.company.name}`,
        zone,
        reader: visitor.person,
        header,
        rows: mapping(returns, line),
      });
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/portal-statement`,
    { schema: fileOf('The company’s account over a month, entry by entry', portalStatementDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone: zone, month } = request.body;
      const visitor = await door.enter(request);
      const party = ({ company }: Visitor) => ({ kind: company.kind, id: company._id });
      const { organizationId } = visitor.person;
      const opening = await readOpening(visitor.own, organizationId, party(visitor), spanOf(month, zone));
      const pageFrom = async (after: string | undefined) => {
        const still = await door.enter(request);
        return listEntries(still.own, organizationId, party(still), spanOf(month, zone), { limit: CSV_PAGE, ...(after && { after }) });
      };
      const header = [`Time (${zone})`, 'Kind', 'Tier', 'Lead id', 'Amount', 'Balance', 'Note'];
      const lines = mapping(statementLines(pageFrom, opening, zone), (line) => line.slice(0, header.length));
      const provisional = isMonthProvisional(month, zone, Date.now()) ? '-provisional' : '';
      return sendCsv(reply, {
        name: `statement-${visitor.company.name}-${month}${provisional}`,
        zone,
        reader: visitor.person,
        header,
        rows: lines,
      });
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/portal-publisher-figures`,
    { schema: fileOf('The publisher’s figures', publisherFiguresDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const visitor = await door.enter(request, 'publisher');
      const query = { ...request.body, unit: 'month' as const };
      const figures = await readPublisherFigures(readers.of(visitor.person.organizationId), visitor, query, Date.now());
      const { header, line } = publisherFigureCsv(
        { ...query, asked: query.columns, hasBefore: query.rowsBefore === 'true' },
        NO_PUBLISHER_FIGURES,
      );
      return sendFigures(reply, visitor, query, header, each(wholeFile(figures), line));
    },
  );

  app.post(
    `${DOWNLOAD_FILE_URL}/portal-buyer-figures`,
    { schema: fileOf('The buyer’s figures', buyerFiguresDownload) },
    async (request, reply) => {
      requireOwnForm(request);
      const visitor = await door.enter(request, 'buyer');
      const query = { ...request.body, unit: 'month' as const };
      const figures = await readBuyerFigures(readers.of(visitor.person.organizationId), visitor, query, Date.now());
      const { header, line } = buyerFigureCsv({ asked: query.columns, hasBefore: query.rowsBefore === 'true' }, NO_BUYER_FIGURES);
      return sendFigures(reply, visitor, query, header, each(wholeFile(figures), line));
    },
  );
}

/** A page shows so many rows. */
const onePage = <Row, Answer extends { rows: Row[]; rest: { rows: number } | undefined }>({ rest, ...answer }: Answer) => ({
  ...answer,
  rows: answer.rows.slice(0, MOST_ROWS),
  rowCount: answer.rows.length + (rest?.rows ?? 0),
});

/** A file has all, or of sub ids so many and one for all others. */
const wholeFile = <Row extends { name: string }>({
  rows,
  rest,
}: {
  rows: Row[];
  rest: (Omit<Row, 'name' | 'key'> & { rows: number }) | undefined;
}) => (rest ? [...rows, { ...rest, name: `All others (${rest.rows})` }] : rows);

const sendFigures = (
  reply: Parameters<typeof sendCsv>[0],
  { company, person }: Visitor,
  { timeZone: zone }: { timeZone: string },
  header: string[],
  rows: AsyncIterable<CsvCell[]>,
) => sendCsv(reply, { name: `figures-${company.name}`, zone, reader: person, header, rows });

async function* mapping<From, To>(all: AsyncIterable<From>, to: (one: From) => To): AsyncGenerator<To> {
  for await (const one of all) yield to(one);
}
