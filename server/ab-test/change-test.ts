/** A test is made, edited while it is a draft, started, stopped, and its winner promoted. Every step stands in the change log. */
import type { z } from 'zod';
import type { abTestAdd, abTestEdit, VariantBody } from '#contract/ab-test.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { marginProblem } from '#engine/compile-tier.ts';
import { parseMoney } from '#engine/money.ts';
import type { Margin, PriceModel, VariantConfig } from '#engine/plan.ts';
import { shareProblem } from '#engine/price.ts';
import { scalePrice, splitProblem } from '#engine/split.ts';
import { campaign as campaignModel } from '#server/campaign/campaign.models.ts';
import { personName, publishTree, requireSeatable, seatedIds } from '#server/campaign/publish-tree.ts';
import { findDraft, findVersion, listGroups } from '#server/campaign/tree.sql.ts';
import { requireUnchanged } from '#server/campaign/tree-state.ts';
import { type ChangeAction, insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant, isId, newId } from '#server/kit/ids.ts';
import { publisherTier } from '#server/publisher/publisher.models.ts';
import { type Change, editRecord } from '#server/record/record-change.ts';
import type { Row, Tx } from '#server/record/record-model.ts';
import { readMoneyOf } from '#server/record/shared-fields.ts';
import { requireTreePasses } from '#server/sample/require-samples.ts';
import { mayOpenPage, maySetUpIn } from '#server/session/session.policy.ts';
import {
  type AbTestRow,
  countLeadsOf,
  findRunningTest,
  listVariants,
  measureCampaign,
  readVariant,
  type VariantRow,
} from './ab-test.sql.ts';
import { planLeads, sampleOf } from './judge-test.ts';
import { findLiveVariants } from './live-variant.ts';

export interface TestedCampaign {
  id: string;
  name: string;
  status: string;
  vertical_id: string;
  region_id: string;
}

/** The campaign, where the person may test it; 404 `campaign_unknown` otherwise. */
export async function requireTestable({ tx, person }: Change, campaignId: string): Promise<TestedCampaign> {
  const row = isId(campaignId)
    ? await tx
        .selectFrom('campaign as c')
        .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'c.organization_id').onRef('v.id', '=', 'c.vertical_id'))
        .select(['c.id', 'c.name', 'c.status', 'c.vertical_id', 'v.region_id'])
        .where('c.organization_id', '=', person.organizationId)
        .where('c.id', '=', campaignId)
        .executeTakeFirst()
    : undefined;
  if (!row || !mayOpenPage(person, 'ab-testing', row.region_id, row.vertical_id))
    throw new HttpError(404, 'campaign_unknown', 'There is no such campaign in your reach.');
  return row;
}

/** The test and its campaign; `locks` holds it until the change commits. */
export async function requireTest(change: Change, id: string, locks = true): Promise<{ test: AbTestRow; campaign: TestedCampaign }> {
  const { tx, person } = change;
  const test = isId(id)
    ? await tx
        .selectFrom('ab_test')
        .selectAll()
        .where('organization_id', '=', person.organizationId)
        .where('id', '=', id)
        .$if(locks, (query) => query.forUpdate())
        .executeTakeFirst()
    : undefined;
  const campaign = test && (await requireTestable(change, test.campaign_id).catch(() => undefined));
  if (!test || !campaign) throw new HttpError(404, 'ab_test_unknown', 'There is no such A/B test in your reach.');
  return { test, campaign };
}

export async function addTest(change: Change, body: z.infer<typeof abTestAdd>): Promise<string> {
  const { tx, person } = change;
  const campaign = await requireTestable(change, body.campaignId);
  if (campaign.status === 'archived')
    throw new HttpError(409, 'campaign_archived', 'The campaign is archived. Restore it before you test it.');
  const id = newId();
  const { name, notes, metric, minimumEffect } = body;
  await tx
    .insertInto('ab_test')
    .values({
      organization_id: person.organizationId,
      id,
      campaign_id: campaign.id,
      name,
      notes,
      metric,
      minimum_effect: String(minimumEffect),
    })
    .execute();
  await storeVariants(change, id, campaign, body.variants, []);
  await logged(change, { id, name }, 'add', {}, { name, campaignId: campaign.id, ...told(body) });
  return id;
}

export async function editTest(change: Change, id: string, body: z.infer<typeof abTestEdit>): Promise<void> {
  const { tx, person } = change;
  const { test, campaign } = await requireTest(change, id);
  requireVersion(test, body.version);
  requireStatus(
    test,
    'draft',
    'A test that was started is not changed any more: its figures would mean two things. Stop it and make another.',
  );
  const before = await listVariants(tx, person.organizationId, [id]);
  const { name, notes, metric, minimumEffect } = body;
  await tx
    .updateTable('ab_test')
    .set((eb) => ({ name, notes, metric, minimum_effect: String(minimumEffect), version: eb('version', '+', 1), updated_at: new Date() }))
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', id)
    .execute();
  await storeVariants(change, id, campaign, body.variants, before);
  await logged(change, { id, name }, 'edit', { name: test.name, variants: before.map(tellVariant) }, { name, ...told(body) });
}

/** The page of tests alone drafts them and stops them; what changes money takes the set-up. */
function requireSetUp({ person }: Change, campaign: TestedCampaign, what: string): void {
  if (!maySetUpIn(person, campaign.vertical_id))
    throw new HttpError(403, 'ab_test_forbidden', `${what}: that takes the page Set-up in this vertical. Ask who has it.`);
}

/** From now on the campaign's consumers are split. What it takes to decide is fixed with the start, from the month before. */
export async function startTest(change: Change, id: string, version: number, now = Date.now()): Promise<void> {
  const { tx, person } = change;
  const { test, campaign } = await requireTest(change, id);
  requireSetUp(change, campaign, 'To start a test changes how leads are sold and paid');
  requireVersion(test, version);
  requireStatus(test, 'draft', 'This test was started before.');
  if (campaign.status !== 'active')
    throw new HttpError(409, 'campaign_not_active', `The campaign is ${campaign.status}: no lead would come. Resume it first.`);
  const rows = await listVariants(tx, person.organizationId, [id]);
  const fault = splitProblem({ id, campaignId: campaign.id, name: test.name, variants: rows.map(readVariant) });
  if (fault) throw refused('variants', `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`);
  await requireRoom(change, campaign, rows.map(readVariant));
  await requireDifferent(change, campaign, rows);
  for (const row of rows) if (row.groups) await requireSeatable(change, { vertical_id: campaign.vertical_id }, row.groups as TreeGroup[]);
  // Of two tests that start at once the second sees the first.
  await tx
    .selectFrom('campaign')
    .select('id')
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', campaign.id)
    .forUpdate()
    .execute();
  const seated = rows.flatMap((row) => seatedIds((row.groups ?? []) as TreeGroup[]));
  await requireTreePasses(tx, person.organizationId, seated, change.keys);
  const other = await findRunningTest(tx, person.organizationId, campaign.id);
  if (other)
    throw new HttpError(409, 'ab_test_running', `${other.name} runs on this campaign. Stop it first: two tests would blur each other.`);
  const month = await measureCampaign(tx, person.organizationId, campaign.id, now - 30 * 86_400_000);
  const metric = test.metric as 'revenue' | 'margin';
  const effect = (sampleOf(month, metric).mean * Number(test.minimum_effect)) / 100;
  const variants = rows.map((row) => ({ id: row.id, sharePercent: row.share_percent }));
  const planned = planLeads({ metric, scale: null, minimumEffect: Number(test.minimum_effect), variants }, month);
  await step(change, test, {
    ...{ status: 'running', started_at: new Date(now), started_by: personName(change), planned_leads: planned },
    // Without a month to learn from, one currency unit.
    effect_scale: (effect >= 0.0001 ? effect : 1).toFixed(4),
  });
  change.routing.isNew = true;
}

/** Of every price, for the publishers' shares and the margin: else what the variant is offered would be held. */
async function requireRoom({ tx, person }: Change, { id }: TestedCampaign, variants: VariantConfig[]): Promise<void> {
  const tiers = await listPriceModels(tx, person.organizationId, id);
  const { margin } = await tx
    .selectFrom('campaign')
    .select('margin')
    .where('organization_id', '=', person.organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  for (const [at, { name, pricePercent = 100, ...variant }] of variants.entries())
    for (const { price_model } of tiers) {
      const why = shareProblem(scalePrice(price_model as PriceModel, pricePercent), variant.margin ?? (margin as Margin));
      if (why) throw refused(`variants.${at}`, `${name}: ${why}.`);
    }
}

const listPriceModels = (tx: Tx, organizationId: string, campaignId: string) =>
  tx
    .selectFrom('publisher_tier')
    .select(['id', 'price_model'])
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .where('status', '<>', 'archived')
    .orderBy('id')
    .execute();

/** A variant that is what is live already makes a test that can find nothing. */
async function requireDifferent({ tx, person }: Change, campaign: TestedCampaign, [control, ...variants]: VariantRow[]): Promise<void> {
  const live = await findLiveVariants(tx, person.organizationId, campaign.id, variants);
  const same = variants.find(({ id }) => live.has(id));
  if (same)
    throw refused(
      `variants.${variants.indexOf(same) + 1}`,
      `${same.name} sells just as ${control!.name} and the live campaign do, so there is nothing to find out. Change its tree, margin, floor or prices.`,
    );
}

/** For good: the next lead goes by the live campaign. The figures stay. */
export async function stopTest(change: Change, id: string, version: number): Promise<void> {
  const { test } = await requireTest(change, id);
  requireVersion(test, version);
  requireStatus(test, 'running', 'Only a running test can be stopped.');
  await step(change, test, await stopNow(change, test));
  change.routing.isNew = true;
}

async function stopNow(change: Change, { id }: AbTestRow): Promise<Step> {
  const leads = (await countLeadsOf(change.tx, change.person.organizationId, [id])).get(id) ?? 0;
  return { status: 'stopped', stopped_at: new Date(), stopped_by: personName(change), leads };
}

/** A draft is thrown away, or taken back out. */
export async function discardTest(change: Change, id: string, version: number, status: 'archived' | 'draft'): Promise<void> {
  const { test } = await requireTest(change, id);
  requireVersion(test, version);
  requireStatus(test, status === 'archived' ? 'draft' : 'archived', 'Only a draft can be thrown away: what ran stays as it was.');
  await step(change, test, { status });
}

/** What the variant changes becomes the campaign's own: its tree is published as from flow-control, with a version to go back to. */
export async function promoteVariant(change: Change, id: string, variantId: string, version: number, state: string): Promise<void> {
  const { tx, person } = change;
  const { test, campaign } = await requireTest(change, id);
  requireSetUp(change, campaign, 'To promote is to publish');
  requireVersion(test, version);
  if (test.promoted_variant_id)
    throw new HttpError(
      409,
      'ab_test_promoted',
      'A variant of this test was promoted already. Go on in flow control, or make another test.',
    );
  if (test.status !== 'running' && test.status !== 'stopped')
    throw new HttpError(409, 'ab_test_status', 'Only a test that ran has a winner.');
  const row = await requireUnchanged(change, campaign.id, state);
  const variant = (await listVariants(tx, person.organizationId, [id])).find((one) => one.id === variantId);
  if (!variant) throw new HttpError(404, 'ab_variant_unknown', 'There is no such variant in this test.');
  if ((await findLiveVariants(tx, person.organizationId, campaign.id, [variant])).size > 0)
    throw new HttpError(409, 'ab_variant_live', `There is nothing to promote: the live campaign sells as ${variant.name} does already.`);
  const stopped = test.status === 'running' ? await stopNow(change, test) : {};
  await step(change, test, { ...stopped, promoted_variant_id: variant.id });
  change.routing.isNew = true;
  if (variant.groups) await publishVariant(change, row, test, variant);
  const terms = {
    ...(variant.margin !== null && { margin: readMoneyOf('amount')(variant.margin as Row) }),
    ...(variant.floor !== null && { floor: variant.floor }),
  };
  if (Object.keys(terms).length > 0) await editRecord(change, campaignModel, campaign.id, terms);
  if (variant.price_percent !== null) await scalePrices(change, campaign.id, Number(variant.price_percent));
}

/** A group that is called as a live one goes on as that: its turns and reports go on, too. */
async function publishVariant(change: Change, row: Row, test: AbTestRow, variant: VariantRow): Promise<void> {
  const live = await listGroups(change.tx, change.person.organizationId, String(row.id));
  const known = new Map(live.map(({ name, _id }) => [name.toLowerCase(), _id]));
  const groups = (variant.groups as TreeGroup[]).map((group) => ({ ...group, _id: known.get(group.name.toLowerCase()) ?? null }));
  await publishTree(change, row, groups, `${variant.name}, the winner of the A/B test ${test.name}.`.slice(0, 500));
}

async function scalePrices(change: Change, campaignId: string, percent: number): Promise<void> {
  for (const { id, price_model } of await listPriceModels(change.tx, change.person.organizationId, campaignId)) {
    const priceModel = scalePrice(price_model as PriceModel, percent);
    await editRecord(change, publisherTier, id, { priceModel: readMoneyOf('price')(priceModel as unknown as Row) });
  }
}

/** All of them anew: a draft has no leads yet that could name one. */
async function storeVariants(
  change: Change,
  testId: string,
  campaign: TestedCampaign,
  bodies: VariantBody[],
  before: VariantRow[],
): Promise<void> {
  const { tx, person } = change;
  const names = new Set(bodies.map(({ name }) => name.toLowerCase()));
  const kept = bodies.flatMap(({ _id }) => _id ?? []);
  if (new Set(kept).size < kept.length) throw refused('variants', 'Two variants have the same _id.');
  if (names.size < bodies.length) throw refused('variants', 'Two variants have the same name.');
  if (bodies.reduce((sum, { sharePercent }) => sum + sharePercent, 0) !== 100) throw refused('variants', 'The shares must come to 100%.');
  const [control] = bodies;
  if (control!.tree || control!.margin || control!.floor !== null || control!.pricePercent !== null)
    throw refused('variants.0', 'The first variant is the control: it goes by the live campaign and changes nothing.');
  const rows = [];
  for (const [position, body] of bodies.entries()) {
    const own = before.find(({ id }) => id === body._id);
    const tree = await takeTree(change, campaign, body, own, `variants.${position}`);
    const margin = body.margin && (body.margin.kind === 'fixed' ? { kind: 'fixed', amount: parseMoney(body.margin.amount) } : body.margin);
    const fault = margin && marginProblem(margin as Margin);
    if (fault) throw refused(`variants.${position}.margin`, `${fault}.`);
    rows.push({
      ...{ organization_id: person.organizationId, id: own?.id ?? newId(), ab_test_id: testId, position, name: body.name },
      ...{ share_percent: body.sharePercent, groups: tree && JSON.stringify(tree.groups), groups_from: tree?.from ?? '' },
      ...{
        margin: margin && JSON.stringify(margin),
        floor: body.floor,
        price_percent: body.pricePercent === null ? null : String(body.pricePercent),
      },
    });
  }
  await tx.deleteFrom('ab_variant').where('organization_id', '=', person.organizationId).where('ab_test_id', '=', testId).execute();
  await tx.insertInto('ab_variant').values(rows).execute();
}

/** The groups of a variant's tree, each with an id of its own: what takes turns in it takes them apart from the live tree. */
async function takeTree(
  change: Change,
  campaign: TestedCampaign,
  { tree, name }: VariantBody,
  own: VariantRow | undefined,
  field: string,
): Promise<{ groups: TreeGroup[]; from: string } | null> {
  const { tx, person } = change;
  if (!tree) return null;
  if (tree.from === 'kept') {
    if (!own?.groups) throw refused(field, `${name} has no tree of its own yet. Choose the draft or a published one.`);
    return { groups: own.groups as TreeGroup[], from: own.groups_from };
  }
  const found =
    tree.from === 'draft'
      ? await findDraft(tx, person.organizationId, campaign.id, false)
      : isId(tree.versionId) && (await findVersion(tx, person.organizationId, campaign.id, tree.versionId));
  if (!found)
    throw refused(
      field,
      tree.from === 'draft' ? 'The campaign has no draft any more. Make one in flow control.' : 'There is no such published tree.',
    );
  const groups = (found.groups as TreeGroup[]).map((group) => ({ ...group, _id: newId() }));
  await requireSeatable(change, { vertical_id: campaign.vertical_id }, groups);
  const at = (instant: number) => `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { groups, from: tree.from === 'draft' ? `The draft as of ${at(Date.now())}` : `Published ${at(idInstant(tree.versionId))}` };
}

type Step = Partial<
  Pick<
    AbTestRow,
    | 'leads'
    | 'status'
    | 'started_at'
    | 'started_by'
    | 'stopped_at'
    | 'stopped_by'
    | 'planned_leads'
    | 'effect_scale'
    | 'promoted_variant_id'
  >
>;

async function step(change: Change, test: AbTestRow, values: Step): Promise<void> {
  await change.tx
    .updateTable('ab_test')
    .set((eb) => ({ ...values, version: eb('version', '+', 1), updated_at: new Date() }))
    .where('organization_id', '=', change.person.organizationId)
    .where('id', '=', test.id)
    .execute();
  const { status, promoted_variant_id: promotedVariantId } = { ...test, ...values };
  await logged(change, test, 'edit', { status: test.status, promotedVariantId: test.promoted_variant_id }, { status, promotedVariantId });
}

function logged(
  change: Change,
  { id, name }: Pick<AbTestRow, 'id' | 'name'>,
  action: ChangeAction,
  before: Row,
  after: Row,
): Promise<void> {
  return insertChange(change.tx, change.person, {
    ...{ address: change.address, model: 'abTest', recordId: id, recordName: name, action, before, after, rollsBack: null },
  });
}

const told = ({ metric, minimumEffect, variants }: z.infer<typeof abTestEdit> | z.infer<typeof abTestAdd>): Row => ({
  metric,
  minimumEffect,
  variants: variants.map(({ name, sharePercent }) => ({ name, sharePercent })),
});
const tellVariant = ({ name, share_percent }: VariantRow): Row => ({ name, sharePercent: share_percent });

function requireVersion(test: AbTestRow, version: number): void {
  if (test.version !== version)
    throw new HttpError(409, 'ab_test_changed', 'Somebody has changed this test meanwhile. Look at what is new, then decide.');
}

function requireStatus(test: AbTestRow, status: string, why: string): void {
  if (test.status !== status) throw new HttpError(409, 'ab_test_status', why);
}

const refused = (field: string, message: string): HttpError =>
  new HttpError(400, 'ab_test_invalid', message, { errors: [{ field, message }] });
