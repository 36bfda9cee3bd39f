/** Replays of stored leads: started, watched, cancelled, and kept with a link (product.md, key 27). */
import { isDeepStrictEqual } from 'node:util';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { labQuery } from '#contract/lab.ts';
import { MESSAGES } from '#contract/message.ts';
import {
  REPLAYS_OPEN_MOST,
  type ReplayAnswer,
  type ReplayBody,
  replayAnswer,
  replayBody,
  replayStarted,
  replaysAnswer,
} from '#contract/replay.ts';
import { doneAnswer } from '#contract/team.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { compile } from '#engine/compile.ts';
import { findDraft, listGroups } from '#server/campaign/tree.sql.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { requireAskedSpan } from '#server/kit/asked-span.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { mayOpenPage, mayReadLeads } from '#server/session/session.policy.ts';
import { LAB_PAGE, requireLab, requireLabCampaign, requireTree } from './lab-place.ts';
import { endReplay, findReplay, hasRoomForReplay, insertReplay, listReplays } from './replay.sql.ts';
import { viewReplay, viewResult } from './replay.view.ts';
import type { ReplayRunner } from './replay-runner.ts';
import type { ReplayOutcome } from './run-replay.ts';
import { triedConfiguration } from './tried-configuration.ts';

const BASE = '/api/console/lab/replays';
const params = z.object({ id: z.string().max(60) });

export async function replayRoutes(instance: FastifyInstance, options: RecordParts & { replays: ReplayRunner }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary });

  app.get(
    BASE,
    { schema: { ...told('The replays of a vertical, the newest first'), querystring: labQuery, response: { 200: replaysAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { organizationId } = change.person;
        const { verticalId } = await requireLab(change, request.query);
        const rows = await listReplays(change.tx, organizationId, verticalId);
        const organization = options.planBook.find(organizationId);
        return { status: true as const, replays: rows.map((row) => viewReplay(row, organization)) };
      }),
  );

  app.get(
    `${BASE}/:id`,
    { schema: { ...told('One replay, how far it is, and what came of it'), params, response: { 200: replayAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireReplay(change, request.params.id);
        const organization = options.planBook.find(change.person.organizationId);
        const trees = { published: row.published as unknown as TreeGroup[], changed: row.changed as unknown as TreeGroup[] };
        const result = row.result ? viewResult(row.result as ReplayOutcome, trees, organization) : null;
        return {
          status: true as const,
          replay: viewReplay(row, organization),
          place: { region: row.region_slug, vertical: row.vertical_slug },
          result,
          ...trees,
          mayPublish: mayOpenPage(change.person, 'setup', row.region_id, row.vertical_id),
          mayReadLeads: mayReadLeads(change.person, row.region_id, row.vertical_id),
          draft: await standingOf(change, row.campaign_id, trees.changed, (row.settings as unknown as ReplayBody).change.tree),
        };
      }),
  );

  app.post(
    BASE,
    {
      schema: {
        ...told('Replay stored leads through the published tree and a changed one'),
        description: 'Buyers hear nothing of it, and nothing is booked. It goes on in the background; its page tells how far it is.',
        body: replayBody,
        response: { 200: replayStarted },
      },
    },
    async (request) => {
      const replayId = await asPerson(request, (change) =>
        startReplay(change, requireOrganization(options.planBook, change.person.organizationId), request.body),
      );
      options.replays.wake();
      return { status: true as const, msg: MESSAGES.replayStarted, replayId };
    },
  );

  app.post(
    `${BASE}/:id/cancel`,
    { schema: { ...told('End a replay before its end'), params, response: { 200: doneAnswer } } },
    async (request) => {
      await asPerson(request, async (change) => {
        const row = await requireReplay(change, request.params.id);
        if (!(await endReplay(change.tx, change.person.organizationId, row.id, { status: 'cancelled' })))
          throw new HttpError(409, 'replay_over', 'The replay is over already.');
      });
      options.replays.wake();
      return { status: true as const, msg: MESSAGES.replayCancelled };
    },
  );
}

async function startReplay(change: Change, organization: OrganizationPlan, body: ReplayBody): Promise<string> {
  const { tx, person, address } = change;
  const { organizationId } = person;
  const campaign = await requireLabCampaign(change, body.campaignId);
  requireAskedSpan('replay', body);
  if (body.publisherTierId !== null && organization.publisherSeats.get(body.publisherTierId)?.campaignId !== campaign.id)
    throw new HttpError(404, 'publisher_tier_unknown', 'There is no such publisher tier in this campaign.');
  const published = await listGroups(tx, organizationId, campaign.id);
  const changed = await requireTree(change, campaign.id, body.change);
  requireUsable(organization, campaign.id, changed, body);
  if (!(await hasRoomForReplay(tx, organizationId)))
    throw new HttpError(409, 'replays_busy', `${REPLAYS_OPEN_MOST} replays are under way. Wait for one of them, or cancel it.`);
  const replay = { verticalId: campaign.verticalId, campaignId: campaign.id, personId: person.userId, settings: body, published, changed };
  const id = await insertReplay(tx, organizationId, replay);
  const after = { from: body.from, to: body.to, tree: body.change.tree };
  await insertChange(tx, person, {
    ...{ address, model: 'replay', recordId: id, recordName: campaign.name, action: 'add' as const },
    ...{ before: {}, after, rollsBack: null },
  });
  return id;
}

/** What the engine would leave out, and what would change nothing, is said before anything is replayed. */
function requireUsable(organization: OrganizationPlan, campaignId: string, groups: TreeGroup[], { settings }: ReplayBody): void {
  const seated = new Set(groups.flatMap(({ members }) => members.map(({ buyerTierId }) => buyerTierId)));
  const tried = new Set<string>();
  for (const [at, { _id, price }] of settings.buyerTiers.entries()) {
    const field = (name: string, message: string) =>
      new HttpError(400, 'replay_settings_invalid', message, { errors: [{ field: `settings.buyerTiers.${at}.${name}`, message }] });
    if (!seated.has(_id)) throw field('_id', 'This buyer tier is not in the tree that is tried.');
    if (tried.has(_id)) throw field('_id', 'This buyer tier is named twice. Say once what is tried of it.');
    if (price !== null && organization.buyerTierConfigs.get(_id)?.price.kind === 'bid')
      throw field('price', 'This buyer tier names its price itself. Only a fixed price can be tried.');
    tried.add(_id);
  }
  const { problems } = compile(triedConfiguration(organization, campaignId, groups, settings, (place) => `new ${place}`));
  const fault = problems.find(({ kind, severity }) => kind === 'campaign' && severity === 'leftOut');
  if (fault) throw new HttpError(400, 'replay_settings_invalid', `The campaign cannot be run like that: ${fault.text}.`);
}

/** Whether the draft that was replayed is the same still. */
async function standingOf(
  { tx, person }: Change,
  campaignId: string,
  replayed: TreeGroup[],
  tree: ReplayBody['change']['tree'],
): Promise<ReplayAnswer['draft']> {
  if (tree !== 'draft') return null;
  const draft = await findDraft(tx, person.organizationId, campaignId, false);
  if (!draft) return 'gone';
  return isDeepStrictEqual(draft.groups, replayed) ? 'same' : 'changed';
}

async function requireReplay({ tx, person }: Change, id: string) {
  const row = isId(id) ? await findReplay(tx, person.organizationId, id) : undefined;
  if (!row || !mayOpenPage(person, LAB_PAGE, row.region_id, row.vertical_id))
    throw new HttpError(404, 'replay_unknown', 'There is no such replay in your reach. They are kept for 180 days.');
  return row;
}
