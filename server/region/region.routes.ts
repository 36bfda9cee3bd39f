/** Regions and verticals that the person may work in (console §4, §7). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { type RegionView, regionsAndVerticalsAnswer } from '#contract/session.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { mayEnterVertical, mayEverything } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireAnybody, requireOwnPage, sessionCookies } from '#server/session/signed-in.ts';

export async function regionRoutes(instance: FastifyInstance, options: { db: Db; tenants: Tenants; config: Config }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(options.config.appEnv);
  app.post(
    '/api/v1/get-regions-and-verticals',
    {
      schema: {
        tags: ['console'],
        summary: 'Regions and verticals at hand, as JSON texts',
        response: { 200: regionsAndVerticalsAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      // The header asks by itself, now and then: that keeps nobody's session open.
      const person = await requireAnybody(options.db, cookies, request, false);
      const { regions, verticals, archived } = await listEntered(options.tenants.of(person.organizationId), person);
      return { fullRegionDatas: JSON.stringify(regions), fullVerticalDatas: JSON.stringify(verticals), archived };
    },
  );
}

/**
 * Only regions with at least one ticked vertical are offered (console §6); to who may everything, empty ones too. `archived`: verticals
 * that are offered nowhere, whose leads can still be read.
 */
export async function listEntered(db: Db, person: SignedIn) {
  const rows = await db
    .selectFrom('region as r')
    .leftJoin('vertical as v', (join) => join.onRef('r.organization_id', '=', 'v.organization_id').onRef('r.id', '=', 'v.region_id'))
    .select(['v.id', 'v.slug', 'v.name', 'v.uid', 'v.status', 'r.id as region_id', 'r.slug as region_slug', 'r.name as region_name'])
    .select(['r.status as region_status', 'r.country'])
    .where('r.organization_id', '=', person.organizationId)
    .orderBy('r.id')
    .orderBy('v.id')
    .execute();
  const regionOf = (row: (typeof rows)[number]) => ({
    _id: row.region_id,
    slug: row.region_slug,
    name: row.region_name,
    country: row.country as RegionView['country'],
  });
  const entered = rows.filter((row) => (row.id ? mayEnterVertical(person, row.region_id, row.id) : mayEverything(person)));
  const living = entered.filter((row) => row.region_status !== 'archived' && (row.status !== 'archived' || mayEverything(person)));
  const regions = new Map(living.map((row) => [row.region_id, regionOf(row)]));
  const verticals = entered.flatMap((row) => {
    const { id, slug, name, uid, region_id, status } = row;
    const isArchived = status === 'archived' || row.region_status === 'archived';
    return id && slug && name && uid
      ? [{ isArchived, region: regionOf(row), vertical: { _id: id, slug, name, uid, regionId: region_id } }]
      : [];
  });
  return {
    regions: [...regions.values()],
    verticals: verticals.filter((one) => !one.isArchived).map((one) => one.vertical),
    archived: verticals.filter((one) => one.isArchived).map(({ region, vertical }) => ({ region, vertical })),
  };
}

export interface Place {
  regionId: string;
  regionSlug: string;
  verticalId: string;
  verticalSlug: string;
}

/** The region and vertical a console call is about, by their slugs; one that is not the person's answers as one that is not there. */
export async function requirePlace(db: Db, person: SignedIn, slugs: { region: string; vertical: string }): Promise<Place> {
  const row = await db
    .selectFrom('vertical as v')
    .innerJoin('region as r', (join) => join.onRef('r.organization_id', '=', 'v.organization_id').onRef('r.id', '=', 'v.region_id'))
    .select(['v.id', 'v.region_id'])
    .where('v.organization_id', '=', person.organizationId)
    .where('r.slug', '=', slugs.region)
    .where('v.slug', '=', slugs.vertical)
    .executeTakeFirst();
  if (!row || !mayEnterVertical(person, row.region_id, row.id)) {
    throw new HttpError(404, 'vertical_unknown', 'There is no such region and vertical, or you may not work in it.');
  }
  return { regionId: row.region_id, regionSlug: slugs.region, verticalId: row.id, verticalSlug: slugs.vertical };
}
