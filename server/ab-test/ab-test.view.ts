/** A test with its variants, what came of them, and what was changed around it. */
import type { AbTestAnswer, AbTestBoard, VariantView } from '#contract/ab-test.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Margin } from '#engine/plan.ts';
import { isControl } from '#engine/split.ts';
import { readTreeState } from '#server/campaign/tree-state.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Change } from '#server/record/record-change.ts';
import type { Tx } from '#server/record/record-model.ts';
import { readMoneyOf } from '#server/record/shared-fields.ts';
import { maySetUpIn } from '#server/session/session.policy.ts';
import {
  type AbTestRow,
  countLeadsOf,
  listCampaignChanges,
  listVariants,
  type Measured,
  measureCampaign,
  measureVariants,
  readVariant,
  type VariantRow,
} from './ab-test.sql.ts';
import type { TestedCampaign } from './change-test.ts';
import { alphaOf, doubtSplit, type JudgedTest, judgeVariants, planLeads } from './judge-test.ts';
import { findLiveVariants } from './live-variant.ts';

const DAY_MS = 86_400_000;
const MONTH_MS = 30 * DAY_MS;

/** `organization`: as this node routes by it. */
export async function viewTest(
  { tx, person }: Change,
  test: AbTestRow,
  campaign: TestedCampaign,
  organization: OrganizationPlan | undefined,
): Promise<AbTestAnswer> {
  const { organizationId } = person;
  const now = Date.now();
  const variants = await listVariants(tx, organizationId, [test.id]);
  const measured = await measureVariants(tx, organizationId, test);
  const judged = judgedOf(test, variants);
  const results = test.started_at ? judgeVariants(judged, measured) : [];
  const until = test.stopped_at ?? new Date(now);
  const month = test.started_at ? undefined : await measureCampaign(tx, organizationId, campaign.id, now - MONTH_MS);
  const control: Omit<Measured, 'variant_id'> | undefined = month ?? measured.find((one) => one.variant_id === variants[0]?.id);
  const from = test.started_at ?? month?.first_at ?? until;
  const days = Math.max(1, (until.getTime() - from.getTime()) / DAY_MS);
  const leads = month?.leads ?? results.reduce((sum, result) => sum + result.leads, 0);
  const changes = test.started_at ? await listCampaignChanges(tx, organizationId, campaign.id, test.started_at, until) : [];
  const names = await nameTiers(tx, organizationId, variants);
  const live = await findLiveVariants(tx, organizationId, campaign.id, variants);
  return {
    status: true,
    test: { ...viewHead(test, campaign), variants: variants.map((row) => viewVariant(row, names, live.has(row.id))) },
    results,
    alpha: alphaOf(judged),
    leadsNeeded: control ? planLeads(judged, control) : null,
    leadsPerDay: Math.round((leads / days) * 10) / 10,
    problem: organization?.problems.find(({ kind, id }) => kind === 'abTest' && id === test.id)?.text ?? null,
    splitDoubt: doubtSplit(judged, results),
    changes: changes.map(({ id, user_name, action, after }) => ({
      at: new Date(idInstant(id)).toISOString(),
      by: user_name,
      what: action === 'publish' ? 'published a tree' : `changed ${Object.keys(after as object).join(', ')}`,
    })),
    state: await readTreeState(tx, organizationId, campaign.id),
    mayPromote: maySetUpIn(person, campaign.vertical_id),
  };
}

function judgedOf(test: AbTestRow, variants: VariantRow[]): JudgedTest {
  return {
    metric: test.metric as JudgedTest['metric'],
    scale: test.effect_scale === null ? null : Number(test.effect_scale),
    minimumEffect: Number(test.minimum_effect),
    variants: variants.map(({ id, share_percent }) => ({ id, sharePercent: share_percent })),
  };
}

function viewHead(test: AbTestRow, campaign: TestedCampaign) {
  return {
    ...{ _id: test.id, version: test.version, name: test.name, notes: test.notes },
    status: test.status as AbTestAnswer['test']['status'],
    metric: test.metric as AbTestAnswer['test']['metric'],
    minimumEffect: Number(test.minimum_effect),
    plannedLeads: test.planned_leads,
    ...{ campaignId: campaign.id, campaignName: campaign.name },
    ...{ startedAt: test.started_at?.toISOString() ?? null, startedBy: test.started_by },
    ...{ stoppedAt: test.stopped_at?.toISOString() ?? null, stoppedBy: test.stopped_by },
    promotedVariantId: test.promoted_variant_id,
  };
}

function viewVariant(row: VariantRow, names: Map<string, string>, isLive: boolean): VariantView {
  const groups = row.groups as TreeGroup[] | null;
  return {
    ...{ _id: row.id, name: row.name, sharePercent: row.share_percent, isControl: isControl(readVariant(row)) },
    tree: groups && {
      from: row.groups_from,
      own: groups,
      groups: groups.map(({ name, mode, members }) => ({
        name,
        mode,
        tiers: members.map(({ buyerTierId }) => names.get(buyerTierId) ?? 'A tier that is gone'),
      })),
    },
    margin: row.margin === null ? null : (readMoneyOf('amount')(row.margin as Margin as never) as VariantView['margin']),
    floor: row.floor === null ? null : formatMoney(parseMoney(row.floor) ?? 0),
    pricePercent: row.price_percent === null ? null : Number(row.price_percent),
    isLive,
  };
}

/** 'Buyer, tier' by the tier's id. */
async function nameTiers(tx: Tx, organizationId: string, variants: VariantRow[]): Promise<Map<string, string>> {
  const ids = variants.flatMap(({ groups }) =>
    ((groups ?? []) as TreeGroup[]).flatMap(({ members }) => members.map((one) => one.buyerTierId)),
  );
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['t.id', 't.name', 'b.name as buyer_name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, name, buyer_name }) => [id, `${buyer_name}, ${name}`]));
}

const TREES_OFFERED = 20;

export async function viewBoard({ tx, person }: Change, verticalId: string): Promise<AbTestBoard> {
  const { organizationId } = person;
  const campaigns = await tx
    .selectFrom('campaign')
    .select(['id', 'name', 'status'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .orderBy('name')
    .execute();
  const ids = campaigns.map(({ id }) => id);
  if (ids.length === 0) return { status: true, tests: [], campaigns: [] };
  const tests = await tx
    .selectFrom('ab_test')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('campaign_id', 'in', ids)
    .where('status', '<>', 'archived')
    .orderBy('id', 'desc')
    .execute();
  const testIds = tests.map(({ id }) => id);
  const running = tests.filter(({ status }) => status === 'running').map(({ id }) => id);
  const [variants, leads] = [await listVariants(tx, organizationId, testIds), await countLeadsOf(tx, organizationId, running)];
  const drafts = await tx
    .selectFrom('tree_draft')
    .select(['campaign_id', 'updated_at'])
    .where('organization_id', '=', organizationId)
    .where('campaign_id', 'in', ids)
    .execute();
  const versions = await tx
    .selectFrom('tree_version')
    .select(['id', 'campaign_id', 'note'])
    .where('organization_id', '=', organizationId)
    .where('campaign_id', 'in', ids)
    .orderBy('id', 'desc')
    .execute();
  const byTest = Map.groupBy(variants, (variant) => variant.ab_test_id);
  const byCampaign = Map.groupBy(versions, (version) => version.campaign_id);
  return {
    status: true,
    tests: tests.map((test) => {
      const ones = byTest.get(test.id) ?? [];
      return {
        ...{ _id: test.id, name: test.name, campaignId: test.campaign_id, status: test.status as AbTestAnswer['test']['status'] },
        campaignName: campaigns.find(({ id }) => id === test.campaign_id)?.name ?? '',
        variants: ones.map(({ name }) => name),
        leads: test.leads ?? leads.get(test.id) ?? 0,
        plannedLeads: test.planned_leads,
        startedAt: test.started_at?.toISOString() ?? null,
        stoppedAt: test.stopped_at?.toISOString() ?? null,
        promoted: ones.find(({ id }) => id === test.promoted_variant_id)?.name ?? null,
      };
    }),
    campaigns: campaigns
      .filter(({ status }) => status !== 'archived')
      .map(({ id, name }) => ({
        _id: id,
        name,
        draftAt: drafts.find((draft) => draft.campaign_id === id)?.updated_at.toISOString() ?? null,
        versions: (byCampaign.get(id) ?? [])
          .slice(0, TREES_OFFERED)
          .map((version) => ({ _id: version.id, publishedAt: new Date(idInstant(version.id)).toISOString(), note: version.note })),
      })),
  };
}
