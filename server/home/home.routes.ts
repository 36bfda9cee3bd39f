/** home-buyer and home-publisher: who buys and who sends, with how they do today (account §6: open to everybody who is signed in). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type CsvCell, csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { HEALTH_WORDS, HEALTHS, type Health, homePageSize } from '#contract/health.ts';
import { type BuyerDay, homeBuyersAnswer, homeDownload, homePublishersAnswer, homeQuery, type PublisherDay } from '#contract/home.ts';
import type { Feed } from '#server/feed/feed.ts';
import { openLiveStreams } from '#server/feed/live-stream.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { type ConsoleRoutes, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { buyerDayCsv, publisherDayCsv } from '#server/overview/day.csv.ts';
import { daysAt } from '#server/overview/overview.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { listEntered } from '#server/region/region.routes.ts';
import { mayEverything, mayReadOverview } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { listWarnings, worstWarningFirst } from '#server/warning/list-warnings.ts';
import { healthOf, sayRefused } from './health.ts';
import { listSubjects, readBuyerDays, readPublisherDays, type Scope } from './home.sql.ts';

export async function homeRoutes(instance: FastifyInstance, options: ConsoleRoutes & { feed: Feed }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, planBook } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const open = openLiveStreams(app, db, cookies);
  takeForms(app);
  const look = async (request: Parameters<typeof requireSignedIn>[2]) => {
    const person = await requireSignedIn(db, cookies, request);
    return { person, own: tenants.of(person.organizationId), organization: requireOrganization(planBook, person.organizationId) };
  };

  app.get(
    '/api/console/home/buyers',
    {
      schema: { tags: ['console'], summary: 'Buyers with their health today', querystring: homeQuery, response: { 200: homeBuyersAnswer } },
    },
    async (request) => readHome(await look(request), request.query, BUYERS),
  );

  app.get(
    '/api/console/home/publishers',
    {
      schema: {
        tags: ['console'],
        summary: 'Publishers with their health today',
        querystring: homeQuery,
        response: { 200: homePublishersAnswer },
      },
    },
    async (request) => readHome(await look(request), request.query, PUBLISHERS),
  );

  app.get(
    '/api/console/home/feed',
    {
      schema: {
        tags: ['console'],
        summary: 'That leads end, wherever the pages of today count them (server-sent events)',
        response: {
          200: {
            description: 'Events named ended, of some leads at a time and without saying which; events named here, every 15 seconds.',
            content: { 'text/event-stream': { schema: z.string() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { person, own } = await look(request);
      const verticals = readable(await listEntered(own, person), person);
      const mayWhat = ({ role, permissions }: SignedIn) => JSON.stringify([role, permissions]);
      // With other permissions other verticals are followed: the screen comes back.
      const stream = open(request, reply, (now) => mayWhat(now) === mayWhat(person));
      for (const { _id } of verticals)
        stream.onClose(options.feed.follow(person.organizationId, _id, async () => stream.tell('ended', {})));
      stream.here();
      return reply;
    },
  );

  for (const { path, kind, what } of [
    { path: 'home-buyers', kind: BUYERS as Kind<AnyDay>, what: 'Buyers' },
    { path: 'home-publishers', kind: PUBLISHERS as Kind<AnyDay>, what: 'Publishers' },
  ])
    app.post(
      `${DOWNLOAD_FILE_URL}/${path}`,
      {
        schema: {
          tags: ['console'],
          summary: `${what} with their health today, as CSV, asked for by a hidden form`,
          consumes: ['application/x-www-form-urlencoded'],
          body: homeDownload,
          response: csvAnswer,
        },
      },
      async (request, reply) => {
        requireOwnForm(request);
        const looking = await look(request);
        const header = [what.slice(0, -1), 'Tier', 'Vertical', 'Health', ...kind.csv.header, 'Wrong', 'id'];
        const rows = linesOf(looking, request.body, kind);
        return sendCsv(reply, { name: path, zone: request.body.timeZone, reader: looking.person, header, rows });
      },
    );
}

const readable = ({ verticals }: Awaited<ReturnType<typeof listEntered>>, person: SignedIn) =>
  verticals.filter((one) => mayReadOverview(person, one.regionId, one._id));

interface Looking {
  person: SignedIn;
  own: Db;
  organization: OrganizationPlan;
}

type AnyDay = BuyerDay | PublisherDay;

interface Kind<Day> {
  kind: 'buyer' | 'publisher';
  readDays(db: Db, scope: Scope): Promise<Map<string, Day>>;
  none: Day;
  calls(day: Day): number;
  csv: { header: string[]; cells: (day: Day) => CsvCell[] };
  /** What the figures of today say, beside the warnings. */
  sayDay(day: Day): string | undefined;
}

const BUYERS: Kind<BuyerDay> = {
  kind: 'buyer',
  readDays: readBuyerDays,
  none: { attempts: 0, sold: 0, revenue: '0.00', timeouts: 0, terrors: 0, p50Ms: null },
  calls: (day) => day.attempts,
  csv: buyerDayCsv(),
  sayDay: () => undefined,
};

const PUBLISHERS: Kind<PublisherDay> = {
  kind: 'publisher',
  readDays: readPublisherDays,
  none: { leads: 0, sold: 0, refused: 0, payout: '0.00', revenue: '0.00' },
  calls: (day) => day.leads,
  csv: publisherDayCsv(),
  sayDay: sayRefused,
};

async function readHome<Day extends AnyDay>(looking: Looking, query: z.infer<typeof homeQuery>, kind: Kind<Day>) {
  const now = Date.now();
  const { verticals, rows } = await listHome(looking, query, kind, now);
  const counts = Object.fromEntries(HEALTHS.map((word) => [word, rows.filter((row) => row.health === word).length]));
  const matching = query.health ? rows.filter((row) => row.health === query.health) : rows;
  return {
    status: true as const,
    asOf: new Date(now).toISOString(),
    verticals,
    rows: matching.slice((query.page - 1) * homePageSize, query.page * homePageSize),
    total: matching.length,
    counts: counts as Record<Health, number>,
  };
}

/** All that the search finds, in order. */
async function listHome<Day extends AnyDay>(
  { person, own, organization }: Looking,
  { timeZone, search, sort }: Pick<z.infer<typeof homeQuery>, 'timeZone' | 'search' | 'sort'>,
  { kind, readDays, none, calls, sayDay }: Kind<Day>,
  now: number,
) {
  const order = orderOf(sort, { none, calls });
  const entered = await listEntered(own, person);
  const verticals = readable(entered, person);
  const regions = new Map(entered.regions.map((one) => [one._id, one]));
  const places = new Map(verticals.map((one) => [one._id, { vertical: one, region: regions.get(one.regionId)! }]));
  const scope: Scope = { organizationId: person.organizationId, verticalIds: [...places.keys()], span: daysAt(timeZone, now).today };
  const [{ subjects, tiers }, days, warnings] = await Promise.all([
    listSubjects(own, kind, scope),
    readDays(own, scope),
    warningsOf(own, organization, scope.verticalIds, now),
  ]);
  const tiersOf = Map.groupBy(tiers, (tier) => tier.subjectId);
  const rows = subjects
    // Somebody who may not everything sees who has to do with their verticals.
    .filter((subject) => (tiersOf.has(subject.id) || mayEverything(person)) && contains(subject.name, search))
    .map((subject) => {
      const ofSubject = tiersOf.get(subject.id) ?? [];
      const today = days.get(subject.id) ?? none;
      const wrong = [subject, ...ofSubject].flatMap(({ id }) => warnings.get(id) ?? []).sort(worstWarningFirst);
      const weak = sayDay(today);
      const isOpen = subject.status === 'active' && (ofSubject.length === 0 || ofSubject.some((tier) => tier.status === 'active'));
      return {
        _id: subject.id,
        name: subject.name,
        health: healthOf({ isOpen, calls: calls(today), wrong, isWeak: weak !== undefined }),
        wrong: [...wrong.map(({ text }) => text), ...(weak ? [weak] : [])],
        today,
        tiers: ofSubject.map(({ id, name, status, verticalId }) => {
          const { region, vertical } = places.get(verticalId)!;
          return {
            ...{ _id: id, name, status: status as 'active' | 'paused', region: region.slug, vertical: vertical.slug },
            placeName: `${region.name}, ${vertical.name}`,
            today: days.get(id) ?? none,
          };
        }),
      };
    })
    .sort(order);
  return { verticals: places.size, rows };
}

const contains = (name: string, part: string): boolean => name.toLowerCase().includes(part.trim().toLowerCase());

interface Ordered<Day extends AnyDay = AnyDay> {
  health: Health;
  name: string;
  today: Day;
}

const worstFirst = (a: Ordered, b: Ordered): number =>
  HEALTHS.indexOf(a.health) - HEALTHS.indexOf(b.health) ||
  Number(b.today.revenue) - Number(a.today.revenue) ||
  a.name.localeCompare(b.name);

/** By a figure of the day, whose names those of `none` are, or the share of accepts; equals stand worst first. */
function orderOf<Day extends AnyDay>(
  sort: string | undefined,
  { none, calls }: Pick<Kind<Day>, 'none' | 'calls'>,
): (a: Ordered<Day>, b: Ordered<Day>) => number {
  if (sort === undefined) return worstFirst;
  const field = sort.replace('-', '');
  const names = ['name', ...Object.keys(none), 'soldShare'];
  if (!names.includes(field)) throw new HttpError(400, 'request_invalid', `sort: must be one of ${names.join(', ')}.`);
  const turn = sort.startsWith('-') ? -1 : 1;
  const share = (day: Day) => (calls(day) === 0 ? -1 : day.sold / calls(day));
  const figure = ({ today }: Ordered<Day>) => (field === 'soldShare' ? share(today) : Number(today[field as keyof Day] ?? -1));
  return (a, b) => turn * (field === 'name' ? a.name.localeCompare(b.name) : figure(a) - figure(b)) || worstFirst(a, b);
}

/** A line for each buyer or publisher, and below it one for each of its tiers. */
async function* linesOf<Day extends AnyDay>(
  looking: Looking,
  query: z.infer<typeof homeDownload>,
  kind: Kind<Day>,
): AsyncGenerator<CsvCell[]> {
  const { rows } = await listHome(looking, query, kind, Date.now());
  const { cells } = kind.csv;
  for (const row of rows.filter((one) => !query.health || one.health === query.health)) {
    yield [row.name, '', '', HEALTH_WORDS[row.health], ...cells(row.today), row.wrong.join(' '), row._id];
    for (const tier of row.tiers) {
      const state = tier.status === 'paused' ? HEALTH_WORDS.paused : '';
      yield [row.name, tier.name, tier.placeName, state, ...cells(tier.today), '', tier._id];
    }
  }
}

/** What is wrong in these verticals, by the record it is about. What is wrong in several is said once. */
async function warningsOf(db: Db, organization: OrganizationPlan, verticalIds: readonly string[], now: number) {
  const found = await Promise.all(verticalIds.map((verticalId) => listWarnings(db, organization, { verticalId }, now)));
  const once = new Map(found.flat().map((warning) => [warning.kind + warning.subjectId + warning.text, warning]));
  return Map.groupBy(once.values(), (warning) => warning.subjectId);
}
