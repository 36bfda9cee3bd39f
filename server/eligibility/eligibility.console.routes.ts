/** Links to the eligibility checker, made and revoked by who may open the testing lab. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type EligibilityTokenView, tokenAdd, tokenMade, tokensAnswer } from '#contract/eligibility.ts';
import { labQuery } from '#contract/lab.ts';
import { MESSAGES } from '#contract/message.ts';
import { doneAnswer } from '#contract/team.ts';
import { personName } from '#server/campaign/publish-tree.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { LAB_PAGE, requireLab } from '#server/lab/lab-place.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { hasRoomForToken, insertToken, listTokens, lockToken, OPEN_TOKENS_MOST, revokeToken } from './eligibility.sql.ts';
import { newEligibilityToken } from './eligibility-token.ts';

const BASE = '/api/console/lab/eligibility-links';
const DAY_MS = 86_400_000;

export async function eligibilityConsoleRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary });

  app.get(
    BASE,
    { schema: { ...told('The links to the eligibility checker of a vertical'), querystring: labQuery, response: { 200: tokensAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { verticalId } = await requireLab(change, request.query);
        const rows = await listTokens(change.tx, change.person.organizationId, verticalId);
        const organization = options.planBook.find(change.person.organizationId);
        return { status: true as const, tokens: rows.map((row) => viewToken(row, organization)) };
      }),
  );

  app.post(
    BASE,
    {
      schema: {
        ...told('Make a link to the eligibility checker; its token is told this once'),
        body: tokenAdd,
        response: { 200: tokenMade },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { tx, person } = change;
        const { name, days } = request.body;
        const { verticalId } = await requireLab(change, request.body);
        const publisherTierIds = await requireSeats(change, verticalId, request.body.publisherTierIds);
        if (!(await hasRoomForToken(tx, person.organizationId, verticalId)))
          throw new HttpError(409, 'eligibility_links_too_many', `${OPEN_TOKENS_MOST} links are in use. Revoke one that nobody needs.`);
        const { token, hash } = newEligibilityToken(person.organizationId);
        const expiresAt = new Date(Date.now() + days * DAY_MS);
        const _id = await insertToken(tx, {
          organization_id: person.organizationId,
          vertical_id: verticalId,
          name,
          token_hash: hash,
          publisher_tier_ids: publisherTierIds,
          created_by: personName(change),
          expires_at: expiresAt,
        });
        await log(change, _id, name, 'add', {}, { publisherTierIds, expiresAt: expiresAt.toISOString() });
        return { status: true as const, msg: MESSAGES.eligibilityLinkMade, token, _id };
      }),
  );

  app.post(
    `${BASE}/:id/revoke`,
    {
      schema: {
        ...told('Revoke a link to the eligibility checker at once'),
        params: z.object({ id: z.string().max(60) }),
        response: { 200: doneAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { tx, person } = change;
        const { id } = request.params;
        const row = isId(id) ? await lockToken(tx, person.organizationId, id) : undefined;
        if (!row || !mayOpenPage(person, LAB_PAGE, row.region_id, row.vertical_id))
          throw new HttpError(404, 'eligibility_link_unknown', 'There is no such link in your reach.');
        if (!row.revoked_at) {
          await revokeToken(tx, person.organizationId, id);
          await log(change, id, row.name, 'remove', {}, {});
        }
        return { status: true as const, msg: MESSAGES.eligibilityLinkRevoked };
      }),
  );
}

/** Publisher tiers of the vertical that are not archived, each once. */
async function requireSeats({ tx, person }: Change, verticalId: string, ids: string[]): Promise<string[]> {
  const asked = [...new Set(ids)].filter(isId);
  const rows = await tx
    .selectFrom('publisher_tier as t')
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select('t.id')
    .where('t.organization_id', '=', person.organizationId)
    .where('c.vertical_id', '=', verticalId)
    .where('t.status', '<>', 'archived')
    .where('t.id', 'in', asked.length > 0 ? asked : [NO_SEAT])
    .execute();
  if (rows.length < new Set(ids).size)
    throw new HttpError(
      404,
      'publisher_tier_unknown',
      'A publisher tier is archived, or of another vertical. Choose those that the page offers.',
    );
  return asked;
}

const NO_SEAT = '00000000-0000-0000-0000-000000000000';

function viewToken(row: Awaited<ReturnType<typeof listTokens>>[number], organization: OrganizationPlan | undefined): EligibilityTokenView {
  return {
    _id: row.id,
    name: row.name,
    publisherTiers: row.publisher_tier_ids.map((id) => {
      const seat = organization?.publisherSeats.get(id);
      return { _id: id, name: seat ? `${seat.publisherName}, ${seat.name}` : '' };
    }),
    createdBy: row.created_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
    usedAt: row.used_at?.toISOString() ?? null,
  };
}

function log(
  { tx, person, address }: Change,
  recordId: string,
  recordName: string,
  action: 'add' | 'remove',
  before: Record<string, unknown>,
  after: Record<string, unknown>,
): Promise<void> {
  return insertChange(tx, person, { address, model: 'eligibilityLink', recordId, recordName, action, before, after, rollsBack: null });
}
