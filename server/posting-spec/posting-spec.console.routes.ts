/** The links to posting specifications, for who hands them out: listed, switched on and off, renewed. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import {
  POSTING_SPEC_PATH,
  type PostingSpecRow,
  postingSpecAnswer,
  postingSpecBody,
  postingSpecsAnswer,
  postingSpecsQuery,
} from '#contract/posting-spec.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { makeRecordToken } from '#server/kit/record-token.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { forbidden } from '#server/lead/lead.console.routes.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { findSpecTier, listSpecTiers, type SpecTier, storeSpec } from './posting-spec.sql.ts';

const PAGE = 'features-api';

export async function postingSpecConsoleRoutes(
  instance: FastifyInstance,
  options: RecordParts & { tenants: Tenants; addresses: Addresses },
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, planBook, addresses } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const asPerson = openRecordCall(options);

  const linkOf = (
    keys: OrganizationKeys,
    subDomain: string,
    tier: Pick<SpecTier, 'id' | 'kind' | 'spec_open' | 'spec_epoch'>,
  ): string | null =>
    tier.spec_open && tier.kind === 'api'
      ? `${addresses.origin(subDomain)}${POSTING_SPEC_PATH}/${makeRecordToken(keys, 'posting spec', tier.id, tier.spec_epoch)}`
      : null;

  app.get(
    '/api/console/posting-specs',
    {
      schema: {
        tags: ['console'],
        summary: 'Publisher tiers of a vertical with the links to their posting specifications',
        querystring: postingSpecsQuery,
        response: { 200: postingSpecsAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const place = await requirePlace(own, person, request.query);
      if (!mayOpenPage(person, PAGE, place.regionId, place.verticalId)) throw forbidden();
      const organization = planBook.find(person.organizationId);
      if (!organization)
        throw new HttpError(503, 'plan_missing', 'The organization is being loaded. Try again in a moment.', { retryAfterSeconds: 1 });
      const { rows, total } = await listSpecTiers(own, person.organizationId, place.verticalId, request.query);
      return {
        status: true as const,
        rows: rows.map(
          (tier): PostingSpecRow => ({
            publisherTierId: tier.id,
            publisherTierName: tier.name,
            publisherId: tier.publisher_id,
            publisherName: tier.publisher_name,
            campaignName: tier.campaign_name,
            kind: tier.kind as PublisherTierKind,
            isActive: tier.status === 'active' && tier.publisher_status === 'active',
            livingKeys: tier.living_keys,
            link: linkOf(organization.keys, organization.subDomain, tier),
          }),
        ),
        total,
        maySetUp: mayOpenPage(person, 'setup', place.regionId, place.verticalId),
      };
    },
  );

  app.post(
    '/api/console/posting-specs/:id',
    {
      schema: {
        tags: ['console'],
        summary: 'Switch the link to a posting specification on or off, or make it another',
        params: z.object({ id: z.string().max(60) }),
        body: postingSpecBody,
        response: { 200: postingSpecAnswer },
      },
    },
    (request) =>
      asPerson(request, async ({ tx, person, address, keys, routing }) => {
        const { id } = request.params;
        const { change } = request.body;
        const tier = isId(id) ? await findSpecTier(tx, person.organizationId, id) : undefined;
        if (!tier || !mayOpenPage(person, PAGE, tier.region_id, tier.vertical_id))
          throw new HttpError(404, 'publisher_tier_unknown', 'There is no such publisher tier in your reach.');
        if (tier.kind === 'lander' && change !== 'off')
          throw new HttpError(
            409,
            'posting_spec_lander',
            `${tier.name} takes leads from landers alone: nobody posts to it, and there is nothing to specify.`,
          );
        const next = { spec_open: change !== 'off', spec_epoch: tier.spec_epoch + (change === 'renew' ? 1 : 0) };
        if (next.spec_open !== tier.spec_open || next.spec_epoch !== tier.spec_epoch) {
          await storeSpec(tx, person.organizationId, id, next);
          await insertChange(tx, person, {
            ...{ address, model: 'publisherTier', recordId: id, recordName: tier.name, action: 'edit', rollsBack: null },
            before: { postingSpecification: tier.spec_open ? 'open' : 'closed' },
            after: { postingSpecification: change === 'renew' ? 'open, by a new link' : next.spec_open ? 'open' : 'closed' },
          });
          // The page is answered out of the plan.
          routing.isNew = true;
        }
        const said = { on: MESSAGES.specOpened, off: MESSAGES.specClosed, renew: MESSAGES.specRenewed } as const;
        return { status: true as const, msg: said[change], link: linkOf(keys(), tier.sub_domain, { id, kind: tier.kind, ...next }) };
      }),
  );
}
