/** Whose troubles are told: the tiers of one vertical, or only those of one campaign. */
import { compileBuyerTier } from '#engine/compile-tier.ts';
import type { BuyerTierPlan, CampaignPlan, PublisherTierPlan, VerticalPlan } from '#engine/compiled.ts';
import type { BuyerTierConfig } from '#engine/plan.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

export interface WarningScope {
  verticalId: string;
  /** Only what concerns this campaign; `draftTierIds`: buyer tiers that its draft seats beside those of the live tree. */
  campaign?: { id: string; draftTierIds: readonly string[] };
}

export interface Watched {
  campaigns: CampaignPlan[];
  buyerTiers: BuyerTierPlan[];
  publisherTiers: PublisherTierPlan[];
}

/** What is archived is nobody's trouble; what an archived owner still has in use is. */
export function watch({ plan, buyerTierConfigs }: OrganizationPlan, { verticalId, campaign }: WarningScope): Watched {
  const own = [...plan.campaigns.values()].filter(({ config }) => config.verticalId === verticalId && config.status !== 'archived');
  const campaigns = campaign ? own.filter(({ config }) => config.id === campaign.id) : own;
  const live = membersOf(campaigns);
  const vertical = plan.verticals.get(verticalId);
  const configs = (campaign?.draftTierIds ?? []).flatMap((id) => buyerTierConfigs.get(id) ?? []);
  const drawn = vertical ? configs.flatMap((config) => compiled(config, vertical)) : [];
  const watched = new Set(campaigns.map(({ config }) => config.id));
  return {
    campaigns,
    buyerTiers: [...new Map([...drawn, ...live].map((tier) => [tier.config.id, tier])).values()],
    publisherTiers: [...plan.publisherTiers.values()].filter(
      ({ config }) => watched.has(config.campaignId) && config.status !== 'archived',
    ),
  };
}

/** A tier that only a draft seats is in no compiled tree yet; one that cannot be used is told of when it is published. */
function compiled(config: BuyerTierConfig, vertical: VerticalPlan): BuyerTierPlan[] {
  try {
    const tier = compileBuyerTier(config, vertical);
    return Array.isArray(tier) ? [] : [tier];
  } catch {
    return [];
  }
}

const membersOf = (campaigns: CampaignPlan[]): BuyerTierPlan[] =>
  campaigns.flatMap(({ groups }) => groups.flatMap(({ members }) => members.map(({ tier }) => tier)));

export const nameOfBuyerTier = ({ buyerName, name }: { buyerName: string; name: string }): string => `${buyerName}, ${name}`;

export function nameOfSeat({ publisherSeats }: OrganizationPlan, id: string): string {
  const seat = publisherSeats.get(id);
  return seat ? `${seat.publisherName}, ${seat.name}` : id;
}
