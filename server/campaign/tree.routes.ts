/** flow-control: a campaign's tree is changed as a draft, compared with what is live, published, and rolled back. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import {
  draftBody,
  flowAnswer,
  flowQuery,
  publishBody,
  rollBackTreeBody,
  type TreeGroup,
  treeAnswer,
  treeChanged,
} from '#contract/tree.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { daysAt } from '#server/overview/overview.sql.ts';
import { listClosedToday, listWarnings } from '#server/overview/warnings.sql.ts';
import { findRow, lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { announceRouting, type Change } from '#server/record/record-change.ts';
import type { Row } from '#server/record/record-model.ts';
import { campaign } from './campaign.models.ts';
import { readFlow } from './flow.sql.ts';
import {
  deleteDraft,
  findDraft,
  findVersion,
  insertVersion,
  listGroups,
  listPosting,
  listSeatable,
  listVersions,
  replaceGroups,
  saveDraft,
} from './tree.sql.ts';

const params = z.object({ id: z.string().max(60) });
const BASE = '/api/console/campaigns/:id';

export async function treeRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary, params });

  app.get(
    `${BASE}/tree`,
    { schema: { ...told('The tree of a campaign: live, its draft, and what was published before'), response: { 200: treeAnswer } } },
    (request) => asPerson(request, async (change) => viewTree(change, await requireCampaign(change, request.params.id, findRow))),
  );

  app.get(
    `${BASE}/flow`,
    {
      schema: {
        ...told('What flows through a campaign today, and what is wrong with it now'),
        querystring: flowQuery,
        response: { 200: flowAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireCampaign(change, request.params.id, findRow);
        const { organizationId } = change.person;
        const now = Date.now();
        const flow = await readFlow(change.tx, organizationId, String(row.id), daysAt(request.query.timeZone, now).today.from);
        const organization = options.planBook.find(organizationId);
        const warnings = organization ? await listWarnings(change.tx, organization, String(row.vertical_id), now) : [];
        return { status: true as const, ...flow, warnings: [...warnings, ...listClosedToday(organization, String(row.id), now)] };
      }),
  );

  app.post(
    `${BASE}/draft`,
    { schema: { ...told('Save the draft of a tree'), body: draftBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireCampaign(change, request.params.id);
        const { groups, version } = request.body;
        await requireSeatable(change, row, groups);
        const draft = await findDraft(change.tx, change.person.organizationId, String(row.id));
        if ((draft?.version ?? null) !== version) throw stale();
        const saved = await saveDraft(change.tx, change.person.organizationId, String(row.id), groups, nameOf(change));
        return { status: true as const, msg: MESSAGES.draftSaved, version: saved };
      }),
  );

  app.post(`${BASE}/draft/discard`, { schema: { ...told('Throw the draft of a tree away'), response: { 200: treeChanged } } }, (request) =>
    asPerson(request, async (change) => {
      const row = await requireCampaign(change, request.params.id);
      await deleteDraft(change.tx, change.person.organizationId, String(row.id));
      return { status: true as const, msg: MESSAGES.draftDiscarded, version: null };
    }),
  );

  app.post(
    `${BASE}/publish`,
    { schema: { ...told('Publish the draft of a tree'), body: publishBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireCampaign(change, request.params.id);
        const draft = await findDraft(change.tx, change.person.organizationId, String(row.id));
        if (!draft) throw new HttpError(409, 'draft_missing', 'There is no draft to publish. Change the tree first.');
        if (draft.version !== request.body.version) throw stale();
        await publish(change, row, draft.groups as TreeGroup[], request.body.note);
        await deleteDraft(change.tx, change.person.organizationId, String(row.id));
        return { status: true as const, msg: MESSAGES.treePublished, version: null };
      }),
  );

  app.post(
    `${BASE}/roll-back`,
    { schema: { ...told('Publish an earlier tree again'), body: rollBackTreeBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireCampaign(change, request.params.id);
        const { versionId } = request.body;
        const { organizationId } = change.person;
        const version = isId(versionId) ? await findVersion(change.tx, organizationId, String(row.id), versionId) : undefined;
        if (!version) throw new HttpError(404, 'tree_version_unknown', 'There is no such published tree of this campaign.');
        const at = new Date(idInstant(version.id)).toISOString().slice(0, 16).replace('T', ' ');
        await publish(change, row, version.groups as TreeGroup[], `Rolled back to the tree of ${at} UTC.`);
        return { status: true as const, msg: MESSAGES.treePublished, version: null };
      }),
  );
}

async function requireCampaign({ tx, person }: Change, id: string, read = lockRow): Promise<Row> {
  const row = isId(id) && campaign.mayRead(person) ? await read(tx, campaign, person, id) : undefined;
  if (!row || row.status === 'archived') throw new HttpError(404, 'campaign_unknown', 'There is no such campaign in your reach.');
  return row;
}

async function publish(change: Change, row: Row, groups: TreeGroup[], note: string): Promise<void> {
  const { tx, person } = change;
  const campaignId = String(row.id);
  await requireSeatable(change, row, groups);
  const before = await listGroups(tx, person.organizationId, campaignId);
  // The tree that was there before anything was published from here can be brought back, too.
  if ((await listVersions(tx, person.organizationId, campaignId)).length === 0 && before.length > 0)
    await insertVersion(tx, version(change, campaignId, before, 'As it was before the first publishing.'));
  await replaceGroups(tx, person.organizationId, campaignId, groups);
  const after = await listGroups(tx, person.organizationId, campaignId);
  await insertVersion(tx, version(change, campaignId, after, note));
  await announceRouting(change);
  await insertChange(tx, person, {
    address: change.address,
    model: 'campaign',
    recordId: campaignId,
    recordName: String(row.name),
    action: 'publish',
    before: { groups: before },
    after: { groups: after },
    rollsBack: null,
  });
}

const nameOf = ({ person }: Change): string => `${person.firstName} ${person.lastName}`.trim() || person.email;
const version = (change: Change, campaign_id: string, groups: TreeGroup[], note: string) => ({
  organization_id: change.person.organizationId,
  campaign_id,
  groups,
  published_by: nameOf(change),
  note,
});

/** Each tier once, of the campaign's own vertical and not archived; group names differ, so that logs can be read. */
async function requireSeatable({ tx, person }: Change, row: Row, groups: TreeGroup[]): Promise<void> {
  const tiers = await listSeatable(tx, person.organizationId, String(row.vertical_id));
  const known = new Map(tiers.map((tier) => [tier.id, tier]));
  const seated = new Set<string>();
  const names = new Set<string>();
  for (const [at, group] of groups.entries()) {
    if (names.has(group.name.toLowerCase())) throw refused(`groups.${at}.name`, `Two groups are called ${group.name}.`);
    names.add(group.name.toLowerCase());
    for (const { buyerTierId } of group.members) {
      const tier = known.get(buyerTierId);
      if (!tier) throw refused(`groups.${at}.members`, `A tier of ${group.name} is archived, or of another vertical. Take it out.`);
      if (seated.has(buyerTierId)) throw refused(`groups.${at}.members`, `${tier.buyer_name}, ${tier.name} stands in the tree twice.`);
      seated.add(buyerTierId);
    }
  }
}

function refused(field: string, message: string): HttpError {
  return new HttpError(400, 'tree_invalid', message, { errors: [{ field, message }] });
}

function stale(): HttpError {
  return new HttpError(409, 'draft_changed', 'Somebody has changed the draft meanwhile. Load it again to see what is new.');
}

async function viewTree({ tx, person }: Change, row: Row) {
  const organizationId = person.organizationId;
  const campaignId = String(row.id);
  const draft = await findDraft(tx, organizationId, campaignId, false);
  const versions = await listVersions(tx, organizationId, campaignId);
  const posting = await listPosting(tx, organizationId, campaignId);
  const tiers = await listSeatable(tx, organizationId, String(row.vertical_id));
  return {
    status: true as const,
    campaign: {
      _id: campaignId,
      name: String(row.name),
      status: String(row.status),
      verticalId: String(row.vertical_id),
      version: Number(row.version),
    },
    live: await listGroups(tx, organizationId, campaignId),
    draft: draft
      ? {
          groups: draft.groups as TreeGroup[],
          version: draft.version,
          updatedAt: draft.updated_at.toISOString(),
          updatedBy: draft.updated_by,
        }
      : null,
    versions: versions.map(({ id, published_by, note }) => ({
      _id: id,
      publishedAt: new Date(idInstant(id)).toISOString(),
      publishedBy: published_by,
      note,
    })),
    publisherTiers: posting.map(({ id, name, status, publisher_name }) => ({ _id: id, name, status, publisherName: publisher_name })),
    buyerTiers: tiers.map(({ id, name, status, delivery, buyer_name, buyer_status }) => ({
      _id: id,
      name,
      status,
      delivery,
      buyerName: buyer_name,
      buyerStatus: buyer_status,
    })),
  };
}
