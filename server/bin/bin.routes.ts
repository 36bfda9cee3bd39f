/** BINs looked up (account §6: open to everybody who is signed in), and moves of many ranges at once. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  binChoicesAnswer,
  binChoicesQuery,
  binLookUpAnswer,
  binLookUpBody,
  binLookUpDownload,
  moveBinsAnswer,
  moveBinsBody,
} from '#contract/bin.ts';
import { csvAnswer, DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { moveLabel } from '#contract/move.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { requireOwnForm, sendCsv, takeForms } from '#server/kit/csv-file.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant, type Tenants } from '#server/kit/tenant.ts';
import { forbidden } from '#server/lead/lead.console.routes.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Tx } from '#server/record/record-model.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPageIn } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { mayManageBins, mayReadBins } from '#server/suppression/suppression.policy.ts';
import { binLookUpCsv } from './bin.csv.ts';
import { requireCampaign, requirePublisher } from './bin.models.ts';
import { lookUpBins, type MovePlace, moveBins } from './bin.sql.ts';

export async function binRoutes(instance: FastifyInstance, options: RecordParts & { tenants: Tenants }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const call = openRecordCall(options);

  async function find(request: FastifyRequest, bins: string[], place: MovePlace) {
    const person = await requireSignedIn(db, cookies, request);
    await inTenant(db, person.organizationId, (tx) => requirePlaceOf(tx, person, place, mayReadBins));
    return { person, found: await lookUpBins(tenants.of(person.organizationId), person.organizationId, bins, place) };
  }

  app.post(
    '/api/v1/bin-lookup',
    {
      schema: {
        tags: ['console'],
        summary: 'Look BINs up: range, issuer, and the move for a campaign and an affiliate',
        description:
          'Campaign and affiliate may be chosen by who has the page of the look-up; for everybody else the moves for all decide.',
        body: binLookUpBody,
        response: { 200: binLookUpAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const { bins, ...place } = request.body;
      const { found } = await find(request, bins, place);
      return { status: true as const, bins: found };
    },
  );

  takeForms(app);
  app.post(
    `${DOWNLOAD_FILE_URL}/bin-lookup`,
    {
      schema: {
        tags: ['console'],
        summary: 'What a look-up of BINs finds, as CSV, asked for by a hidden form',
        consumes: ['application/x-www-form-urlencoded'],
        body: binLookUpDownload,
        response: csvAnswer,
      },
    },
    async (request, reply) => {
      requireOwnForm(request);
      const { bins, campaignId = null, publisherId = null, timeZone: zone } = request.body;
      const { person, found } = await find(request, bins, { campaignId, publisherId });
      return sendCsv(reply, { name: 'bin-look-up', zone, reader: person, ...binLookUpCsv(bins, found) });
    },
  );

  app.get(
    '/api/console/bin-choices',
    {
      schema: {
        tags: ['console'],
        summary: 'Campaigns of a vertical and affiliates, to choose a combination of',
        querystring: binChoicesQuery,
        response: { 200: binChoicesAnswer },
      },
    },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const own = tenants.of(person.organizationId);
      const { verticalId } = await requirePlace(own, person, request.query);
      if (!PAGES.some((page) => mayOpenPageIn(person, page, verticalId))) throw forbidden();
      const [campaigns, publishers] = await Promise.all([
        own
          .selectFrom('campaign')
          .select(['id as _id', 'name'])
          .where('organization_id', '=', person.organizationId)
          .where('vertical_id', '=', verticalId)
          .where('status', '<>', 'archived')
          .orderBy('name')
          .execute(),
        own
          .selectFrom('publisher as p')
          .select(['p.id as _id', 'p.name'])
          .where('p.organization_id', '=', person.organizationId)
          .where('p.status', '<>', 'archived')
          .where(({ exists, selectFrom }) =>
            exists(
              selectFrom('publisher_tier as t')
                .innerJoin('campaign as c', (join) =>
                  join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'),
                )
                .select('t.id')
                .whereRef('t.organization_id', '=', 'p.organization_id')
                .whereRef('t.publisher_id', '=', 'p.id')
                .where('c.vertical_id', '=', verticalId),
            ),
          )
          .orderBy('p.name')
          .execute(),
      ]);
      return { status: true as const, campaigns, publishers };
    },
  );

  app.post(
    '/api/v1/bin-moves',
    {
      schema: {
        tags: ['console'],
        summary: 'Set the move of every BIN range that a search finds, for one combination of campaign and affiliate',
        body: moveBinsBody,
        response: { 200: moveBinsAnswer },
      },
    },
    async (request) => {
      const { moveForAll, campaignId, publisherId, move } = request.body;
      const search = request.body.search.trim();
      const count = await call(request, async ({ tx, person, address }) => {
        if (!mayManageBins(person)) throw forbidden();
        await requirePlaceOf(tx, person, { campaignId, publisherId }, mayManageBins);
        const changed = await moveBins(tx, person.organizationId, { search, moveForAll }, { campaignId, publisherId }, move);
        const what = { move: move === null ? 'none' : moveLabel(move), campaignId, publisherId, ranges: changed };
        const record = {
          model: 'binMove',
          recordId: newId(),
          recordName: nameOfSought(search, moveForAll),
        };
        if (changed > 0) await insertChange(tx, person, { address, ...record, action: 'edit', before: {}, after: what, rollsBack: null });
        return changed;
      });
      return { status: true as const, msg: `${count} ${count === 1 ? 'move' : 'moves'} changed.`, count };
    },
  );
}

const PAGES = ['bin-mgmt', 'bin-lookup'];

function nameOfSought(search: string, moveForAll: number | null | undefined): string {
  if (moveForAll === undefined) return search ? `BIN ranges with "${search}"` : 'All BIN ranges';
  const now = moveForAll === null ? 'BIN ranges without a move for all' : `BIN ranges that were ${moveLabel(moveForAll)}`;
  return search ? `${now}, with "${search}"` : now;
}

/** A campaign of a vertical where the person has one of the pages; an affiliate for who has one anywhere. */
async function requirePlaceOf(
  tx: Tx,
  person: SignedIn,
  { campaignId, publisherId }: MovePlace,
  may: (person: SignedIn) => boolean,
): Promise<void> {
  if (campaignId === null && publisherId === null) return;
  if (!may(person)) throw forbidden();
  const pages = may === mayManageBins ? ['bin-mgmt'] : PAGES;
  if (campaignId !== null) await requireCampaign(tx, person, campaignId, pages);
  if (publisherId !== null) await requirePublisher(tx, person, publisherId, pages);
}
