/** The server logs: lists of calls, one call opened, and the look at a person's values, which leaves a line in the change log. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { leadStatus } from '#contract/lead.ts';
import {
  attemptLogAnswer,
  attemptLogDownload,
  attemptLogEntry,
  attemptLogQuery,
  type CallLogQuery,
  callLogAnswer,
  callLogDownload,
  callLogEntry,
  callLogQuery,
  unmaskBody,
} from '#contract/log.ts';
import { explain } from '#engine/explain.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { openJson } from '#server/kit/crypto.ts';
import { requireOwnForm, requireReading, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { lookedTo } from '#server/kit/looked-at.ts';
import { FILE_PAGE, walkPages } from '#server/kit/walk-pages.ts';
import { viewAttempts } from '#server/lead/attempt.view.ts';
import { maskWhy, namesOf } from '#server/lead/decision.view.ts';
import { type ConsoleRoutes, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { fieldsOf, maskingOf, viewInboundCall } from '#server/lead/lead.view.ts';
import { viewLeadRow } from '#server/lead/lead-list.sql.ts';
import { findLeadPlace, getLeadRecord, type LeadRecord } from '#server/lead/lead-view.sql.ts';
import { NO_MASKING } from '#server/lead/mask-text.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage, mayUnmask } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { readAttemptId } from './attempt-log.sql.ts';
import { findAttempts } from './attempt-log.view.ts';
import { findCalls, type KeptCall, maskKeptCall } from './call.view.ts';
import { findOtherCall } from './call-list.sql.ts';
import { attemptLogCsv, callLogCsv } from './log.csv.ts';
import { noteLook } from './note-look.ts';

const idParams = z.object({ id: z.string().max(60) });

export async function logRoutes(instance: FastifyInstance, options: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);

  async function enter(request: FastifyRequest, query: Pick<CallLogQuery, 'region' | 'vertical' | 'from' | 'to'>) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const { regionId, verticalId } = await requirePlace(own, person, query);
    if (!mayOpenPage(person, 'serverLogs', regionId, verticalId)) throw forbidden();
    requireAskedSpan('log', query);
    return { person, own, verticalId, organization: requireOrganization(options.planBook, person.organizationId) };
  }

  /** What one call is opened by: a call of elsewhere, or of a vertical whose logs are closed, is none. */
  async function open(request: FastifyRequest): Promise<{ person: SignedIn; own: Db; organization: OrganizationPlan }> {
    const person = await requireSignedIn(db, cookies, request);
    return { person, own: tenants.of(person.organizationId), organization: requireOrganization(options.planBook, person.organizationId) };
  }

  async function openLead(request: FastifyRequest, leadId: string) {
    const { person, own, organization } = await open(request);
    const place = isId(leadId) ? await findLeadPlace(own, person.organizationId, leadId) : undefined;
    if (!place || !mayOpenPage(person, 'serverLogs', place.regionId, place.verticalId)) throw unknown();
    return { person, own, organization, record: await getLeadRecord(own, organization, leadId) };
  }

  async function openAttempt(request: FastifyRequest, id: string) {
    const place = readAttemptId(id);
    if (!place) throw unknown();
    return { ...(await openLead(request, place.leadId)), index: place.index };
  }

  /** Of a lead, or one that made none. */
  async function openCall(request: FastifyRequest, id: string) {
    const { person, own, organization } = await open(request);
    const other = isId(id) ? await findOtherCall(own, person.organizationId, id) : undefined;
    if (!other) return { ...(await openLead(request, id)), kind: 'lead' as const };
    if (!mayOpenPage(person, 'serverLogs', other.region_id, other.vertical_id)) throw unknown();
    const kept = openJson<KeptCall>(organization.keys, 'api_call.wire', id, other.wire);
    return { person, own, organization, kind: 'other' as const, other, kept };
  }

  app.get(
    '/api/console/logs/attempts',
    {
      schema: {
        tags: ['console'],
        summary: 'Calls to buyers, newest first',
        querystring: attemptLogQuery,
        response: { 200: attemptLogAnswer },
      },
    },
    async (request) => {
      const { own, organization, verticalId } = await enter(request, request.query);
      const page = await findAttempts(own, organization, verticalId, request.query);
      return { status: true as const, ...page, lookedTo: lookedTo(page, request.query.limit) };
    },
  );

  app.get(
    '/api/console/logs/calls',
    {
      schema: {
        tags: ['console'],
        summary: 'Calls of publishers, newest first',
        querystring: callLogQuery,
        response: { 200: callLogAnswer },
      },
    },
    async (request) => {
      const { own, organization, verticalId } = await enter(request, request.query);
      const page = await findCalls(own, organization, verticalId, request.query);
      return { status: true as const, ...page, lookedTo: lookedTo(page, request.query.limit) };
    },
  );

  app.get(
    '/api/console/logs/attempts/:id',
    {
      schema: {
        tags: ['console'],
        summary: 'One call to a buyer as it went over the wire, masked',
        params: idParams,
        response: { 200: attemptLogEntry },
      },
    },
    async (request) => {
      const { person, organization, record, index } = await openAttempt(request, request.params.id);
      return viewEntry(organization, record, index, person, false);
    },
  );

  app.post(
    '/api/console/logs/attempts/:id/unmask',
    {
      schema: {
        tags: ['console'],
        summary: 'The same with the values of the person; the change log says who looked and why',
        params: idParams,
        body: unmaskBody,
        response: { 200: attemptLogEntry },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const { person, organization, record, index } = await openAttempt(request, request.params.id);
      requireUnmasker(person);
      const entry = viewEntry(organization, record, index, person, true);
      const { buyerTierName, leg } = entry.attempt;
      await noteLook(db, person, request.ip, lookedAt(organization, record, request.body.reason, `${leg} to ${buyerTierName}`));
      return entry;
    },
  );

  app.get(
    '/api/console/logs/calls/:id',
    {
      schema: {
        tags: ['console'],
        summary: 'One call of a publisher as it came, masked',
        params: idParams,
        response: { 200: callLogEntry },
      },
    },
    async (request) => {
      const call = await openCall(request, request.params.id);
      const seen =
        call.kind === 'lead'
          ? viewInboundCall(call.organization, call.record)
          : maskKeptCall(call.organization, call.other.vertical_id, call.kept);
      return { status: true as const, ...seen, mayUnmask: mayUnmask(call.person) };
    },
  );

  app.post(
    '/api/console/logs/calls/:id/unmask',
    {
      schema: {
        tags: ['console'],
        summary: 'The same with the values of the person; the change log says who looked and why',
        params: idParams,
        body: unmaskBody,
        response: { 200: callLogEntry },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const call = await openCall(request, request.params.id);
      const { person, organization } = call;
      requireUnmasker(person);
      const { reason } = request.body;
      if (call.kind === 'lead') {
        await noteLook(db, person, request.ip, lookedAt(organization, call.record, reason, 'the publisher’s call'));
        return { status: true as const, ...viewInboundCall(organization, call.record, NO_MASKING), mayUnmask: true };
      }
      const { id, lead_id, publisher_tier_id } = call.other;
      const seat = organization.publisherSeats.get(publisher_tier_id);
      const name = `call that made no lead, ${seat?.publisherName ?? ''}, ${seat?.name ?? ''}`;
      await noteLook(db, person, request.ip, { recordId: lead_id ?? id, name, reason, what: 'the publisher’s call', consumer: '' });
      return { status: true as const, ...call.kept, mayUnmask: true };
    },
  );

  takeForms(app);
  const csv = (summary: string) => ({ tags: ['console'], summary, consumes: ['application/x-www-form-urlencoded'], response: csvAnswer });
  app.post(
    `${DOWNLOAD_FILE_URL}/attempt-log`,
    { schema: { ...csv('The calls to buyers that a search finds, as CSV, asked for by a hidden form'), body: attemptLogDownload } },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone, columns, isDownloadCSV: _, ...query } = request.body;
      const { header, line } = attemptLogCsv(columns, timeZone);
      const { person, own, organization, verticalId } = await enter(request, query);
      const pages = walkPages(async (before) => {
        requireReading(reply);
        await enter(request, query);
        return findAttempts(own, organization, verticalId, { ...query, before, limit: FILE_PAGE });
      });
      return sendCsv(reply, {
        ...{ name: `buyer-tier-logs-${query.region}-${query.vertical}`, zone: timeZone, reader: person },
        ...{ header, rows: lines(pages, line) },
      });
    },
  );
  app.post(
    `${DOWNLOAD_FILE_URL}/call-log`,
    { schema: { ...csv('The calls of publishers that a search finds, as CSV, asked for by a hidden form'), body: callLogDownload } },
    async (request, reply) => {
      requireOwnForm(request);
      const { timeZone, columns, isDownloadCSV: _, ...query } = request.body;
      const { header, line } = callLogCsv(columns, timeZone);
      const { person, own, organization, verticalId } = await enter(request, query);
      const pages = walkPages(async (before) => {
        requireReading(reply);
        await enter(request, query);
        return findCalls(own, organization, verticalId, { ...query, before, limit: FILE_PAGE });
      });
      return sendCsv(reply, {
        ...{ name: `api-process-logs-${query.region}-${query.vertical}`, zone: timeZone, reader: person },
        ...{ header, rows: lines(pages, line) },
      });
    },
  );
}

async function* lines<Row>(rows: AsyncIterable<Row>, line: (row: Row) => CsvCell[]): AsyncGenerator<CsvCell[]> {
  for await (const row of rows) yield line(row);
}

function viewEntry(organization: OrganizationPlan, record: LeadRecord, index: number, person: SignedIn, isOpen: boolean) {
  const at = record.attempts.findIndex((one) => one.attempt_index === index);
  if (at < 0) throw unknown();
  const fields = fieldsOf(organization, record);
  const masking = maskingOf(fields, record.stored);
  const { explained, row } = record;
  return {
    status: true as const,
    attempt: viewAttempts(organization, record, isOpen ? NO_MASKING : masking)[at]!,
    leadId: row.id,
    leadStatus: leadStatus.parse(row.status ?? 'received'),
    why: explained ? explain(maskWhy(masking, explained.why), namesOf(organization, fields)) : 'The lead is still under way.',
    mayUnmask: mayUnmask(person),
  };
}

function lookedAt(organization: OrganizationPlan, { row, sales }: LeadRecord, reason: string, what: string) {
  const consumer = viewLeadRow(organization, row, sales).primaryValue;
  return { recordId: row.id, name: `lead ${row.id}`, reason, what, consumer };
}

function requireUnmasker(person: SignedIn): void {
  if (!mayUnmask(person))
    throw new HttpError(403, 'unmask_forbidden', 'Only an owner of the organization may see values unmasked. Ask one to look for you.');
}

const unknown = () => new HttpError(404, 'log_entry_unknown', 'There is no such call, or you may not see it.');
