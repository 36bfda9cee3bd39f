/** The leads list and the lead page of the console. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import {
  leadChoicesAnswer,
  leadChoicesQuery,
  leadFiltersAnswer,
  leadsAnswer,
  leadsDownload,
  leadsQuery,
  leadViewAnswer,
} from '#contract/lead.ts';
import type { Reason } from '#engine/decision.ts';
import { DECLINE_LABELS, FILTER_REASON_LABELS } from '#engine/reason-label.ts';
import { STATES_BY_COUNTRY } from '#engine/state.ts';
import { listStartedVariants } from '#server/ab-test/ab-test.sql.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import type { Config } from '#server/kit/config.ts';
import { type Reader, requireOwnForm, requireReading, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import type { OrganizationPlan, PlanBook } from '#server/plan/plan-book.ts';
import { type Place, requirePlace } from '#server/region/region.routes.ts';
import { mayChooseForLeads, mayDecideLeads, mayReadLeads } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { leadCsv, walkLeads } from './lead.csv.ts';
import { viewLead } from './lead.view.ts';
import { findLeadChoices } from './lead-choices.ts';
import { countLeads, listLeads, listSalesOf, viewLeadRow } from './lead-list.sql.ts';
import { findLeadPlace, getLeadRecord } from './lead-view.sql.ts';

export interface ConsoleRoutes {
  db: Db;
  tenants: Tenants;
  config: Config;
  planBook: PlanBook;
}

export async function leadConsoleRoutes(instance: FastifyInstance, options: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);

  async function enter(
    request: FastifyRequest,
    query: Pick<z.input<typeof leadsQuery>, 'region' | 'vertical' | 'from' | 'to'>,
    may = mayReadLeads,
  ): Promise<{ own: Db; organization: OrganizationPlan; place: Place; reader: Reader }> {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const place = await requirePlace(own, person, query);
    if (!may(person, place.regionId, place.verticalId)) throw forbidden();
    requireAskedSpan('lead', query);
    return { own, organization: requireOrganization(options.planBook, person.organizationId), place, reader: person };
  }

  app.get(
    '/api/console/leads',
    { schema: { tags: ['console'], summary: 'Leads, newest first', querystring: leadsQuery, response: { 200: leadsAnswer } } },
    async (request) => {
      const { own, organization, place } = await enter(request, request.query);
      const [page, count] = await Promise.all([
        listLeads(own, organization, place.verticalId, request.query),
        countLeads(own, organization, place.verticalId, request.query),
      ]);
      const sales = await listSalesOf(
        own,
        organization.organizationId,
        page.rows.map((row) => row.id),
      );
      return {
        status: true as const,
        rows: page.rows.map((row) => viewLeadRow(organization, row, sales.get(row.id))),
        ...count,
        ...{ older: page.older, newer: page.newer, lookedTo: page.lookedTo },
      };
    },
  );

  takeForms(app);
  app.post(
    `${DOWNLOAD_FILE_URL}/leads`,
    {
      schema: {
        tags: ['console'],
        summary: 'The leads that a list finds, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: leadsDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { columns, timeZone, ...query } = request.body;
      const { own, organization, place, reader } = await enter(request, query);
      const { header, line } = leadCsv(columns, timeZone);
      const leads = walkLeads(own, organization, place.verticalId, { ...query, limit: 1 }, () => {
        requireReading(reply);
        return enter(request, query);
      });
      const name = `leads-${query.region}-${query.vertical}`;
      return sendCsv(reply, { name, zone: timeZone, reader, header, rows: mapping(leads, line) });
    },
  );

  app.get(
    '/api/console/leads/filters',
    {
      schema: {
        tags: ['console'],
        summary: 'What the leads list can be filtered by',
        querystring: leadsQuery.pick({ region: true, vertical: true }),
        response: { 200: leadFiltersAnswer },
      },
    },
    async (request) => {
      const { own, organization, place } = await enter(request, request.query, mayChooseForLeads);
      const reasons = Object.entries(DECLINE_LABELS) as [Reason, string][];
      const [{ country }, variants] = await Promise.all([
        own
          .selectFrom('region')
          .select('country')
          .where('organization_id', '=', organization.organizationId)
          .where('id', '=', place.regionId)
          .executeTakeFirstOrThrow(),
        listStartedVariants(own, organization.organizationId, place.verticalId),
      ]);
      return {
        status: true as const,
        reasons: reasons.map(([value, label]) => ({ value, label: `${label} (${value})` })),
        filterReasons: Object.entries(FILTER_REASON_LABELS).map(([value, label]) => ({ value, label })),
        hasVariants: variants.length > 0,
        states: Object.entries(STATES_BY_COUNTRY[country as 'us' | 'uk']).map(([value, label]) => ({ value, label })),
      };
    },
  );

  app.get(
    '/api/console/leads/choices',
    {
      schema: {
        tags: ['console'],
        summary: 'Campaigns, companies and tiers that leads and reports can be filtered by',
        querystring: leadChoicesQuery,
        response: { 200: leadChoicesAnswer },
      },
    },
    async (request) => {
      const { own, organization, place } = await enter(request, request.query, mayChooseForLeads);
      return { status: true as const, ...(await findLeadChoices(own, organization, place.verticalId, request.query)) };
    },
  );

  app.get(
    '/api/console/leads/:id',
    {
      schema: {
        tags: ['console'],
        summary: 'One lead, explained',
        params: z.object({ id: z.string().max(60) }),
        response: { 200: leadViewAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const { id } = request.params;
      const place = isId(id) ? await findLeadPlace(own, person.organizationId, id) : undefined;
      // A stranger's lead answers as one that does not exist.
      if (!place || !mayReadLeads(person, place.regionId, place.verticalId))
        throw new HttpError(404, 'lead_unknown', 'There is no lead with this id, or you may not see it.');
      const organization = requireOrganization(options.planBook, person.organizationId);
      const mayReturn = mayDecideLeads(person, place.regionId, place.verticalId);
      const lead = viewLead(organization, place, await getLeadRecord(own, organization, id));
      return { status: true as const, lead: { ...lead, mayReturn } };
    },
  );
}

async function* mapping<From, To>(from: AsyncIterable<From>, to: (one: From) => To): AsyncGenerator<To> {
  for await (const one of from) yield to(one);
}

export function requireOrganization(planBook: PlanBook, organizationId: string): OrganizationPlan {
  const organization = planBook.find(organizationId);
  if (!organization)
    throw new HttpError(503, 'plan_missing', 'The organization is being loaded. Try again in a moment.', { retryAfterSeconds: 1 });
  return organization;
}

/** Who may only read leads. */
export function decidingForbidden(): HttpError {
  return new HttpError(
    403,
    'lead_decision_forbidden',
    'You may read leads here, not settle or return them. Ask who sets this vertical up, or an owner for the page "setup".',
  );
}

export function forbidden(): HttpError {
  return new HttpError(403, 'page_forbidden', 'You may not open this page here. Ask an owner of your organization to tick it for you.');
}
