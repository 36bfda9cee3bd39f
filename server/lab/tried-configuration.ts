/** One campaign as it would be with another tree or other settings: what lab and replay route by. Nothing of it is stored. */
import type { TriedSettings } from '#contract/replay.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { parseMoney } from '#engine/money.ts';
import type { BuyerTierConfig, CampaignConfig, Configuration, GroupConfig, Margin } from '#engine/plan.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { storeMoneyOf } from '#server/record/shared-fields.ts';

export const NO_SETTINGS: TriedSettings = { margin: null, floor: null, maxSales: null, timeLimitMs: null, buyerTiers: [] };

/** `newGroupId`: names the groups that have no id yet, by their place. A running A/B test is left out: the tree counts. */
export function triedConfiguration(
  organization: OrganizationPlan,
  campaignId: string,
  groups: readonly TreeGroup[],
  settings: TriedSettings,
  newGroupId: (place: number) => string,
): Configuration {
  const { plan, organizationId } = organization;
  const campaign = plan.campaigns.get(campaignId);
  if (!campaign) throw new HttpError(409, 'campaign_unusable', 'The campaign cannot be used as it is set up. flow-control says why.');
  const seated = new Set(groups.flatMap(({ members }) => members.map(({ buyerTierId }) => buyerTierId)));
  const tried = new Map(settings.buyerTiers.map((one) => [one._id, one]));
  return {
    organization: { id: organizationId, timeZone: plan.timeZone, currency: plan.currency },
    verticals: [campaign.vertical.config],
    campaigns: [
      triedCampaign(
        campaign.config,
        groups.map((group, place) => groupConfig(group, newGroupId(place))),
        settings,
      ),
    ],
    publisherTiers: [...plan.publisherTiers.values()].map(({ config }) => config).filter((config) => config.campaignId === campaignId),
    buyerTiers: [...organization.buyerTierConfigs.values()]
      .filter(({ id }) => seated.has(id))
      .map((config) => triedTier(config, tried.get(config.id))),
    promotions: [...plan.promotions.values()].map(({ config }) => config),
    suppressionLists: [...organization.suppressionLists],
  };
}

function groupConfig({ _id, name, mode, timeLimitMs, members }: TreeGroup, newId: string): GroupConfig {
  return {
    id: _id ?? newId,
    name,
    mode,
    ...(timeLimitMs !== null && { timeLimitMs }),
    members: members.map(({ buyerTierId, weight }) => ({ buyerTierId, ...(weight !== null && { weight }) })),
  };
}

function triedCampaign(
  config: CampaignConfig,
  groups: GroupConfig[],
  { margin, floor, maxSales, timeLimitMs }: TriedSettings,
): CampaignConfig {
  return {
    ...config,
    groups,
    ...(margin && { margin: storeMoneyOf('amount')(margin) as Margin }),
    ...(floor !== null && { floor: parseMoney(floor)! }),
    ...(maxSales !== null && { maxSales }),
    ...(timeLimitMs !== null && { timeLimitMs }),
  };
}

function triedTier(config: BuyerTierConfig, tried: TriedSettings['buyerTiers'][number] | undefined): BuyerTierConfig {
  if (!tried) return config;
  const { status, price, floor } = tried;
  return {
    ...config,
    ...(status && { status }),
    ...(price !== null && config.price.kind === 'fixed' && { price: { kind: 'fixed' as const, price: parseMoney(price)! } }),
    ...(floor !== null && { floor: parseMoney(floor)! }),
  };
}
