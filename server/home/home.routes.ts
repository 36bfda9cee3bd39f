/** home-buyer and home-publisher: who buys and who sends, with how they do today (account §6: open to everybody who is signed in). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import {
  type BuyerDay,
  type Health,
  health,
  homeBuyersAnswer,
  homePageSize,
  homePublishersAnswer,
  homeQuery,
  type PublisherDay,
} from '#contract/home.ts';
import type { Db } from '#server/kit/database.ts';
import { type ConsoleRoutes, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { daysAt } from '#server/overview/overview.sql.ts';
import { listWarnings, worstWarningFirst } from '#server/overview/warnings.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { listEntered } from '#server/region/region.routes.ts';
import { mayEverything, mayReadOverview } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { healthOf, sayRefused, type Warning } from './health.ts';
import { listSubjects, readBuyerDays, readPublisherDays, type Scope } from './home.sql.ts';

export async function homeRoutes(instance: FastifyInstance, options: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, planBook } = options;
  const cookies = sessionCookies(options.config.appEnv);
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
}

interface Looking {
  person: SignedIn;
  own: Db;
  organization: OrganizationPlan;
}

interface Kind<Day> {
  kind: 'buyer' | 'publisher';
  readDays(db: Db, scope: Scope): Promise<Map<string, Day>>;
  none: Day;
  calls(day: Day): number;
  /** What the figures of today say, beside the warnings. */
  sayDay(day: Day): string | undefined;
}

const BUYERS: Kind<BuyerDay> = {
  kind: 'buyer',
  readDays: readBuyerDays,
  none: { attempts: 0, sold: 0, revenue: '0.00', timeouts: 0, terrors: 0, p50Ms: null },
  calls: (day) => day.attempts,
  sayDay: () => undefined,
};

const PUBLISHERS: Kind<PublisherDay> = {
  kind: 'publisher',
  readDays: readPublisherDays,
  none: { leads: 0, sold: 0, refused: 0, payout: '0.00', revenue: '0.00' },
  calls: (day) => day.leads,
  sayDay: sayRefused,
};

async function readHome<Day extends { revenue: string }>(
  { person, own, organization }: Looking,
  { timeZone, search, health: wanted, page }: z.infer<typeof homeQuery>,
  { kind, readDays, none, calls, sayDay }: Kind<Day>,
) {
  const now = Date.now();
  const entered = await listEntered(own, person);
  const verticals = entered.verticals.filter((one) => mayReadOverview(person, one.regionId, one._id));
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
    .sort(worstFirst);
  const counts = Object.fromEntries(health.options.map((word) => [word, rows.filter((row) => row.health === word).length]));
  const matching = wanted ? rows.filter((row) => row.health === wanted) : rows;
  return {
    status: true as const,
    asOf: new Date(now).toISOString(),
    verticals: places.size,
    rows: matching.slice((page - 1) * homePageSize, page * homePageSize),
    total: matching.length,
    counts: counts as Record<Health, number>,
  };
}

const contains = (name: string, part: string): boolean => name.toLowerCase().includes(part.trim().toLowerCase());

const worstFirst = (
  a: { health: Health; name: string; today: { revenue: string } },
  b: { health: Health; name: string; today: { revenue: string } },
): number =>
  health.options.indexOf(a.health) - health.options.indexOf(b.health) ||
  Number(b.today.revenue) - Number(a.today.revenue) ||
  a.name.localeCompare(b.name);

/** What is wrong in these verticals, by the record it is about. What is wrong in several is said once. */
async function warningsOf(db: Db, organization: OrganizationPlan, verticalIds: readonly string[], now: number) {
  const found = await Promise.all(verticalIds.map((verticalId) => listWarnings(db, organization, verticalId, now)));
  const once = new Map(found.flat().map((warning) => [warning.kind + warning.subjectId + warning.text, warning]));
  return Map.groupBy(once.values(), (warning: Warning) => warning.subjectId);
}
