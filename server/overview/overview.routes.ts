/** The overview page: figures, and the feed of leads as they end. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { feedQuery, type LeadRow, overviewAnswer, overviewQuery } from '#contract/lead.ts';
import type { Feed } from '#server/feed/feed.ts';
import type { Db } from '#server/kit/database.ts';
import { isId } from '#server/kit/ids.ts';
import { type ConsoleRoutes, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { listLeadRows, listLeads } from '#server/lead/lead-list.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayFollowLeads, mayReadOverview } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { listWarnings } from '#server/warning/list-warnings.ts';
import { daysAt, readFigures, readHours, topBuyers, topPublishers } from './overview.sql.ts';

const HEARTBEAT_MS = 15_000;
/** A session that ended must not go on listening. */
const CHECK_SESSION_MS = 1_000;
const RESUMED_AT_MOST = 50;

export async function overviewRoutes(instance: FastifyInstance, options: ConsoleRoutes & { feed: Feed }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const streams = new Set<{ end(): void }>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });

  app.get(
    '/api/console/overview',
    { schema: { tags: ['console'], summary: 'Today against yesterday', querystring: overviewQuery, response: { 200: overviewAnswer } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const place = await requirePlace(own, person, request.query);
      if (!mayReadOverview(person, place.regionId, place.verticalId)) throw forbidden();
      const organization = requireOrganization(options.planBook, person.organizationId);
      const now = Date.now();
      const days = daysAt(request.query.timeZone, now);
      const scope = { organizationId: person.organizationId, verticalId: place.verticalId };
      const [today, yesterdaySoFar, yesterday, hours, publishers, buyers, warnings] = await Promise.all([
        readFigures(own, scope, days.today),
        readFigures(own, scope, days.yesterdaySoFar),
        readFigures(own, scope, days.yesterday),
        readHours(own, scope, days, request.query.timeZone),
        topPublishers(own, scope, days.today),
        topBuyers(own, scope, days.today),
        listWarnings(own, organization, { verticalId: place.verticalId }, now),
      ]);
      return {
        status: true as const,
        asOf: new Date(now).toISOString(),
        today,
        yesterdaySoFar,
        yesterday,
        hours,
        topPublishers: publishers,
        topBuyers: buyers,
        warnings,
      };
    },
  );

  app.get(
    '/api/console/feed',
    {
      schema: {
        tags: ['console'],
        summary: 'Leads as they end (server-sent events)',
        querystring: feedQuery,
        response: {
          200: {
            description: 'Events named lead, each with a row of the leads list as JSON.',
            content: { 'text/event-stream': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const place = await requirePlace(own, person, request.query);
      if (!mayFollowLeads(person, place.regionId, place.verticalId)) throw forbidden();
      const organization = requireOrganization(options.planBook, person.organizationId);
      const stream = openStream(reply);
      streams.add(stream);
      const last = request.headers['last-event-id'];
      if (typeof last === 'string' && isId(last))
        for (const row of await missed(own, organization, place.verticalId, last)) stream.lead(row);
      const leave = options.feed.follow(organization.organizationId, place.verticalId, async (leadIds) => {
        const current = options.planBook.find(person.organizationId) ?? organization;
        for (const row of await listLeadRows(own, current, place.verticalId, leadIds)) stream.lead(row);
      });
      const beat = setInterval(() => stream.comment('still here'), HEARTBEAT_MS);
      const check = setInterval(() => {
        requireSignedIn(db, cookies, request, false)
          .then((now) => mayFollowLeads(now, place.regionId, place.verticalId) || stream.end())
          .catch(() => stream.end());
      }, CHECK_SESSION_MS);
      reply.raw.on('close', () => {
        leave();
        clearInterval(beat);
        clearInterval(check);
      });
      return reply;
    },
  );
}

/** What ended between two connections of one screen, oldest first. */
async function missed(own: Db, organization: OrganizationPlan, verticalId: string, after: string): Promise<LeadRow[]> {
  const { rows } = await listLeads(own, organization, verticalId, { region: '', vertical: '', limit: RESUMED_AT_MOST, after });
  const ended = rows.filter((row) => row.status !== null).map((row) => row.id);
  return listLeadRows(own, organization, verticalId, ended);
}

function openStream(reply: FastifyReply) {
  reply.hijack();
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive', 'x-accel-buffering': 'no' };
  reply.raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  reply.raw.write(': welcome\n\n');
  return {
    lead: (row: LeadRow) => void reply.raw.write(`id: ${row._id}\nevent: lead\ndata: ${JSON.stringify(row)}\n\n`),
    comment: (text: string) => void reply.raw.write(`: ${text}\n\n`),
    end: () => void reply.raw.end(),
  };
}
