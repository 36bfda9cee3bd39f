/** The promotions of one vertical seen together: whom they can be for, where two meet, and what they have paid. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { sql } from 'kysely';
import { promotionBoard, promotionBoardQuery } from '#contract/promotion.ts';
import type { Db } from '#server/kit/database.ts';
import { type ConsoleRoutes, forbidden } from '#server/lead/lead.console.routes.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { listPromotions, listTargets } from './promotion.sql.ts';
import { findIdle, findOverlaps } from './promotion-board.ts';

export async function promotionRoutes(instance: FastifyInstance, { db, tenants, config }: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  app.get(
    '/api/console/promotions',
    {
      schema: {
        tags: ['console'],
        summary: 'What the promotions of a vertical can be for, where two of them meet, and what they have paid',
        querystring: promotionBoardQuery,
        response: { 200: promotionBoard },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const place = await requirePlace(own, person, request.query);
      if (!mayOpenPage(person, 'promotions', place.regionId, place.verticalId)) throw forbidden();
      const [promotions, targets, paid] = await Promise.all([
        listPromotions(own, person.organizationId, place.verticalId),
        listTargets(own, person.organizationId, place.verticalId),
        sumPaid(own, person.organizationId, place.verticalId),
      ]);
      const now = Date.now();
      return {
        status: true as const,
        targets,
        overlaps: findOverlaps(promotions, targets.publisherTiers, now),
        idle: findIdle(promotions, targets.publisherTiers, now),
        extraPaid: money(paid.extra),
        soldLeads: paid.sold,
      };
    },
  );
}

function sumPaid(db: Db, organizationId: string, verticalId: string) {
  return db
    .selectFrom('promotion_sale as s')
    .innerJoin('promotion as p', (join) => join.onRef('p.organization_id', '=', 's.organization_id').onRef('p.id', '=', 's.promotion_id'))
    .select([sql<number>`count(*)::int`.as('sold'), sql<string>`coalesce(sum(s.extra), 0)::numeric(19, 4)`.as('extra')])
    .where('s.organization_id', '=', organizationId)
    .where('p.vertical_id', '=', verticalId)
    .executeTakeFirstOrThrow();
}
