/** Changing region and vertical, and what the quick view offers there (console §2, §4, §6, §7). */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  changeRootVerticalAnswer,
  changeRootVerticalBody,
  quickViewAnswer,
  quickViewBody,
  regionsAnswer,
  verticalsAnswer,
} from '#contract/reporting.ts';
import type { RegionView, VerticalView } from '#contract/session.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { listEntered } from '#server/region/region.routes.ts';
import { pageStatePermissionIn } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { viewPermission } from '#server/session/session.view.ts';
import { requireAnybody, requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { listQuickViewActions } from './quick-view-actions.ts';
import { findQuickViewRecords } from './quick-view-records.ts';

export async function reportingRoutes(instance: FastifyInstance, options: { db: Db; tenants: Tenants; config: Config }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(options.config.appEnv);

  /** The caller, with the regions and verticals they may work in. */
  async function requireAtHand(request: FastifyRequest, enter = requireSignedIn) {
    requireOwnPage(request);
    const person = await enter(options.db, cookies, request);
    const tenant = options.tenants.of(person.organizationId);
    return { person, tenant, ...(await listEntered(tenant, person)) };
  }

  app.post(
    '/api/reporting/change-root-vertical',
    {
      schema: {
        tags: ['console'],
        summary: 'Work in another vertical: what the person may open there',
        body: changeRootVerticalBody,
        response: { 200: changeRootVerticalAnswer },
      },
    },
    async (request) => {
      const { person, tenant, ...atHand } = await requireAtHand(request);
      const { region, vertical } = requirePlaceAtHand(atHand, request.body);
      return {
        permissionObj: { ...viewPermission(person), pageStatePermission: pageStatePermissionIn(person, region._id, vertical._id) },
        verticalPrimaryField: await getPrimaryField(tenant, person, vertical._id),
        regionId: region._id,
        verticalId: vertical._id,
        guid: randomUUID(),
      };
    },
  );

  app.post(
    '/api/reporting/get-Regions',
    { schema: { tags: ['console'], summary: 'Regions the person may work in', response: { 200: regionsAnswer } } },
    async (request) => ({ status: true as const, regions: (await requireAtHand(request)).regions }),
  );

  app.post(
    '/api/reporting/get-verticals',
    { schema: { tags: ['console'], summary: 'Verticals the person may work in', response: { 200: verticalsAnswer } } },
    async (request) => ({ status: true as const, verticals: (await requireAtHand(request)).verticals }),
  );

  app.post(
    '/api/v1/quick-view/get-actions',
    {
      schema: {
        tags: ['console'],
        summary: 'What the quick view offers here',
        body: quickViewBody,
        response: { 200: quickViewAnswer },
      },
    },
    async (request) => {
      const { person, regions, verticals } = await requireAtHand(request, requireAnybody);
      const { regionId, verticalId, search } = request.body;
      if (!verticalId && search !== undefined) return { status: true as const, actions: [] };
      if (!verticalId)
        return { status: true as const, actions: listQuickViewActions(person, null, regions.find((one) => one._id === regionId)?._id) };
      const { region, vertical } = requirePlaceAtHand({ regions, verticals }, { regionId, verticalId });
      // The slugs of the body are what the screen shows; the ids decide.
      const place = { regionId, verticalId, regionSlug: region.slug, verticalSlug: vertical.slug };
      if (search === undefined) return { status: true as const, actions: listQuickViewActions(person, place, regionId) };
      const actions = await inTenant(options.db, person.organizationId, (tx) => findQuickViewRecords(tx, person, place, search));
      return { status: true as const, actions };
    },
  );
}

/** The region and its vertical; one that is not the person's answers as one that is not there. */
function requirePlaceAtHand(atHand: { regions: RegionView[]; verticals: VerticalView[] }, ids: { regionId: string; verticalId: string }) {
  const region = atHand.regions.find((one) => one._id === ids.regionId);
  if (!region) throw new HttpError(404, 'region_unknown', 'There is no such region, or you may not work in it.');
  const vertical = atHand.verticals.find((one) => one._id === ids.verticalId);
  if (!vertical) throw new HttpError(404, 'vertical_unknown', 'There is no such vertical, or you may not work in it.');
  if (vertical.regionId !== region._id)
    throw new HttpError(
      400,
      'vertical_elsewhere',
      `${vertical.name} is not a vertical of ${region.name}. Choose the region it belongs to.`,
    );
  return { region, vertical };
}

async function getPrimaryField(db: Db, person: SignedIn, verticalId: string): Promise<string> {
  const row = await db
    .selectFrom('vertical')
    .select('primary_field')
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', verticalId)
    .executeTakeFirstOrThrow();
  return row.primary_field;
}
