/** The overview page: figures, and the feed of leads as they end. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { feedQuery, overviewAnswer, overviewDownload, overviewQuery } from '#contract/lead.ts';
import type { Feed } from '#server/feed/feed.ts';
import { openLiveStreams } from '#server/feed/live-stream.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { traceOf } from '#server/kit/error-trace.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { type ConsoleRoutes, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { listLeadRows } from '#server/lead/lead-list.sql.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { each } from '#server/report/report.csv.ts';
import { mayFollowLeads, mayReadOverview } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { listWarnings } from '#server/warning/list-warnings.ts';
import { buyerDayCsv, publisherDayCsv } from './day.csv.ts';
import { missedLeads } from './missed-leads.sql.ts';
import { daysAt, listBuyersOf, listPublishersOf, readOverview } from './overview.sql.ts';

type Reading = Parameters<typeof listBuyersOf>;
const ofPublishers = publisherDayCsv(['leads', 'sold', 'soldShare', 'payout', 'revenue']);
const ofBuyers = buyerDayCsv(['attempts', 'sold', 'soldShare', 'revenue', 'timeouts', 'p50Ms']);
const TOPS = [
  {
    ...{ name: 'overview-publishers', what: 'Publisher', header: ofPublishers.header },
    linesOf: async (...of: Reading) =>
      (await listPublishersOf(...of)).map((row): CsvCell[] => [row.name, ...ofPublishers.cells(row), row._id]),
  },
  {
    ...{ name: 'overview-buyers', what: 'Buyer', header: ofBuyers.header },
    linesOf: async (...of: Reading) => (await listBuyersOf(...of)).map((row): CsvCell[] => [row.name, ...ofBuyers.cells(row), row._id]),
  },
] as const;

export async function overviewRoutes(instance: FastifyInstance, options: ConsoleRoutes & { feed: Feed }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const open = openLiveStreams(app, db, cookies);
  takeForms(app);

  async function enter(request: FastifyRequest, query: { region: string; vertical: string }) {
    const person = await requireSignedIn(db, cookies, request);
    const own = tenants.of(person.organizationId);
    const place = await requirePlace(own, person, query);
    if (!mayReadOverview(person, place.regionId, place.verticalId)) throw forbidden();
    return { person, own, scope: { organizationId: person.organizationId, verticalId: place.verticalId } };
  }

  app.get(
    '/api/console/overview',
    { schema: { tags: ['console'], summary: 'Today against yesterday', querystring: overviewQuery, response: { 200: overviewAnswer } } },
    async (request) => {
      const { person, own, scope } = await enter(request, request.query);
      const organization = requireOrganization(options.planBook, person.organizationId);
      const now = Date.now();
      const days = daysAt(request.query.timeZone, now);
      const [figures, warnings] = await Promise.all([
        readOverview(own, scope, days, request.query.timeZone),
        listWarnings(own, organization, scope, now),
      ]);
      return { status: true as const, asOf: new Date(now).toISOString(), ...figures, warnings };
    },
  );

  for (const { name, what, header, linesOf } of TOPS)
    app.post(
      `${DOWNLOAD_FILE_URL}/${name}`,
      {
        schema: {
          ...{ tags: ['console'], summary: `${what}s of today, those of the most revenue first, as CSV, asked for by a hidden form` },
          ...{ consumes: ['application/x-www-form-urlencoded'], body: overviewDownload, response: csvAnswer },
        },
      },
      async (request, reply) => {
        requireOwnForm(request);
        const { timeZone: zone, region, vertical } = request.body;
        const { person, own, scope } = await enter(request, request.body);
        const lines = await linesOf(own, scope, daysAt(zone, Date.now()).today);
        return sendCsv(reply, {
          ...{ name: `${what.toLowerCase()}s-today-${region}-${vertical}`, zone, reader: person },
          header: [what, ...header, `${what} id`],
          rows: each(lines, (line) => line),
        });
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
            description:
              'Events named lead, each with a row of the leads list as JSON; events named here, every 15 seconds, say that nothing was lost.',
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
      const stream = open(request, reply, (now) => mayFollowLeads(now, place.regionId, place.verticalId));
      const rowsOf = (leadIds: string[]) =>
        listLeadRows(own, options.planBook.find(person.organizationId) ?? organization, place.verticalId, leadIds);
      const tell = async (leadIds: string[]) => {
        for (const row of await rowsOf(leadIds)) stream.tell('lead', row);
      };
      // What ends while what was missed is read waits its turn.
      let waiting: string[] | undefined = [];
      const leave = options.feed.follow(organization.organizationId, place.verticalId, async (leadIds) => {
        if (waiting) waiting.push(...leadIds);
        else await tell(leadIds);
      });
      stream.onClose(leave);
      try {
        const last = request.headers['last-event-id'] ?? request.query.after;
        if (isId(last)) {
          const missed = await missedLeads(own, person.organizationId, place.verticalId, idInstant(last));
          const rows = await rowsOf(missed.map(({ id }) => id));
          for (const { id, endedAt } of missed) {
            const row = rows.find((one) => one._id === id);
            if (row) stream.tell('lead', row, endedAt.getTime());
          }
        }
        while (waiting.length > 0) await tell(waiting.splice(0));
        waiting = undefined;
        stream.here();
      } catch (error) {
        // The screen comes back, and begins where it was.
        request.log.error({ err: traceOf(error) }, 'feed ended');
        stream.end();
      }
      return reply;
    },
  );
}
