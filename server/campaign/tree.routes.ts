/** flow-control: a campaign's tree is changed as a draft, compared with what is live, published, and rolled back. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import {
  discardBody,
  draftBody,
  flowAnswer,
  flowQuery,
  publishBody,
  rollBackTreeBody,
  type TreeGroup,
  treeAnswer,
  treeChanged,
  treeVersionAnswer,
} from '#contract/tree.ts';
import { utcMinute } from '#engine/utc-minute.ts';
import { findRunningTest } from '#server/ab-test/ab-test.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant, isId } from '#server/kit/ids.ts';
import { daysAt } from '#server/overview/overview.sql.ts';
import { findRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import type { Row } from '#server/record/record-model.ts';
import { listWarnings } from '#server/warning/list-warnings.ts';
import { readFlow } from './flow.sql.ts';
import { personName, publishTree, requireSeatable, seatedIds } from './publish-tree.ts';
import { deleteDraft, findDraft, findVersion, listGroups, listPosting, listSeated, listVersions, saveDraft } from './tree.sql.ts';
import { requireCampaign, requireUnchanged, stateOf } from './tree-state.ts';

const params = z.object({ id: z.string().max(60) });
const versionParams = params.extend({ versionId: z.string().max(60) });
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
    `${BASE}/versions/:versionId`,
    {
      schema: {
        ...told('A tree of a campaign that was published before, to compare it with the live one'),
        params: versionParams,
        response: { 200: treeVersionAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireCampaign(change, request.params.id, findRow);
        const { groups } = await requireVersion(change, row, request.params.versionId);
        return { status: true as const, groups: groups as TreeGroup[], buyerTiers: await viewSeated(change, row, groups as TreeGroup[]) };
      }),
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
        const organization = options.planBook.find(organizationId);
        const draft = await findDraft(change.tx, organizationId, String(row.id), false);
        const draftTierIds = seatedIds((draft?.groups ?? []) as TreeGroup[]);
        const scope = { verticalId: String(row.vertical_id), campaign: { id: String(row.id), draftTierIds } };
        const warnings = organization ? await listWarnings(change.tx, organization, scope, now) : [];
        const flow = await readFlow(change.tx, organizationId, String(row.id), daysAt(request.query.timeZone, now).today.from);
        return { status: true as const, ...flow, warnings };
      }),
  );

  app.post(
    `${BASE}/draft`,
    { schema: { ...told('Save the draft of a tree'), body: draftBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireUnchanged(change, request.params.id, request.body.state);
        const { groups } = request.body;
        await requireSeatable(change, row, groups);
        await saveDraft(change.tx, change.person.organizationId, String(row.id), groups, personName(change));
        return { ...(await viewTree(change, row)), msg: MESSAGES.draftSaved };
      }),
  );

  app.post(
    `${BASE}/draft/discard`,
    { schema: { ...told('Throw the draft of a tree away'), body: discardBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireUnchanged(change, request.params.id, request.body.state);
        await deleteDraft(change.tx, change.person.organizationId, String(row.id));
        return { ...(await viewTree(change, row)), msg: MESSAGES.draftDiscarded };
      }),
  );

  app.post(
    `${BASE}/publish`,
    { schema: { ...told('Publish the draft of a tree'), body: publishBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireUnchanged(change, request.params.id, request.body.state);
        const draft = await findDraft(change.tx, change.person.organizationId, String(row.id));
        if (!draft) throw new HttpError(409, 'draft_missing', 'There is no draft to publish. Change the tree first.');
        await publishTree(change, row, draft.groups as TreeGroup[], request.body.note);
        await deleteDraft(change.tx, change.person.organizationId, String(row.id));
        return { ...(await viewTree(change, row)), msg: MESSAGES.treePublished };
      }),
  );

  app.post(
    `${BASE}/roll-back`,
    { schema: { ...told('Publish an earlier tree again'), body: rollBackTreeBody, response: { 200: treeChanged } } },
    (request) =>
      asPerson(request, async (change) => {
        const row = await requireUnchanged(change, request.params.id, request.body.state);
        const version = await requireVersion(change, row, request.body.versionId);
        const at = utcMinute(idInstant(version.id));
        await publishTree(change, row, version.groups as TreeGroup[], `Rolled back to the tree of ${at}.`);
        return { ...(await viewTree(change, row)), msg: MESSAGES.treePublished };
      }),
  );
}

async function requireVersion({ tx, person }: Change, row: Row, versionId: string) {
  const version = isId(versionId) ? await findVersion(tx, person.organizationId, String(row.id), versionId) : undefined;
  if (!version) throw new HttpError(404, 'tree_version_unknown', 'There is no such published tree of this campaign.');
  return version;
}

async function viewTree({ tx, person }: Change, row: Row) {
  const organizationId = person.organizationId;
  const campaignId = String(row.id);
  const draft = await findDraft(tx, organizationId, campaignId, false);
  const live = await listGroups(tx, organizationId, campaignId);
  const versions = await listVersions(tx, organizationId, campaignId);
  const posting = await listPosting(tx, organizationId, campaignId);
  const test = await findRunningTest(tx, organizationId, campaignId);
  const buyerTiers = await viewSeated({ tx, person }, row, [...live, ...((draft?.groups ?? []) as TreeGroup[])]);
  return {
    status: true as const,
    campaign: {
      _id: campaignId,
      name: String(row.name),
      status: String(row.status),
      verticalId: String(row.vertical_id),
      version: Number(row.version),
    },
    live,
    state: stateOf(live, draft),
    test: test ? { _id: test.id, name: test.name } : null,
    draft: draft
      ? {
          groups: draft.groups as TreeGroup[],
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
    publisherTiers: posting.map(({ id, name, kind, status, publisher_name }) => ({
      ...{ _id: id, name, status, publisherName: publisher_name },
      kind: kind as PublisherTierKind,
    })),
    buyerTiers,
  };
}

/** The tiers of these groups, those among them that were archived meanwhile. */
async function viewSeated({ tx, person }: Pick<Change, 'tx' | 'person'>, row: Row, groups: TreeGroup[]) {
  const tiers = await listSeated(tx, person.organizationId, String(row.vertical_id), seatedIds(groups));
  return tiers.map(({ id, name, status, delivery, buyer_name, buyer_status }) => ({
    _id: id,
    name,
    status,
    delivery,
    buyerName: buyer_name,
    buyerStatus: buyer_status,
  }));
}
