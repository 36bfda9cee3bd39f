/** The Plan: a Configuration with everything resolved, compiled and checked. Made by compile.ts, never changed after. */
import type { CompiledCap } from './cap.ts';
import type { Explanation } from './decision.ts';
import type { FactsWanted } from './facts.ts';
import type { CompiledFilter, FilterFields } from './filter.ts';
import type {
  BuyerTierConfig,
  CampaignConfig,
  GroupConfig,
  Instant,
  Money,
  PromotionConfig,
  PublisherTierConfig,
  SuppressionListConfig,
  VerticalConfig,
} from './plan.ts';
import type { OpeningHours, Pause } from './schedule.ts';

export interface Plan {
  readonly organizationId: string;
  readonly currency: string;
  readonly timeZone: string;
  readonly verticals: ReadonlyMap<string, VerticalPlan>;
  readonly campaigns: ReadonlyMap<string, CampaignPlan>;
  readonly publisherTiers: ReadonlyMap<string, PublisherTierPlan>;
  /** Publisher tiers that cannot be used, with the reason. */
  readonly brokenPublisherTiers: ReadonlyMap<string, Explanation>;
  /** All of them, those that are over or paused too: what was promised is still paid. */
  readonly promotions: ReadonlyMap<string, PromotionPlan>;
}

export interface PromotionPlan {
  readonly config: PromotionConfig;
  readonly caps: readonly CompiledCap[];
  isOnAt(instant: Instant): boolean;
}

/** `fields`: those of the vertical, and the moves that follow from them. */
export interface VerticalPlan extends FilterFields {
  readonly config: VerticalConfig;
  /** Names of the fields that hold the routing number and the BIN, where it has them. */
  readonly bankField: string | undefined;
  readonly binField: string | undefined;
}

/** What a publisher tier and a buyer tier have in common. */
export interface TierRules {
  readonly filter: CompiledFilter | undefined;
  readonly hours: OpeningHours | undefined;
  readonly pause: Pause | undefined;
  readonly caps: readonly CompiledCap[];
  readonly lists: readonly SuppressionListConfig[];
}

export interface PublisherTierPlan extends TierRules {
  readonly config: PublisherTierConfig;
  readonly campaign: CampaignPlan;
  /** What is to be looked up before a lead of it is routed; undefined: nothing. */
  readonly wanted: FactsWanted | undefined;
  /** Those that are for this seat, the narrowest first. */
  readonly promotions: readonly PromotionPlan[];
  /** While its campaign is under test. */
  readonly split?: SplitPlan;
}

/** A campaign's consumers by variant. */
export interface SplitPlan {
  readonly testId: string;
  readonly name: string;
  readonly variants: readonly VariantSeat[];
}

/** The seat as one variant has it, for the consumers whose bucket is below `below` and not below that of the variant before. */
export interface VariantSeat {
  readonly variantId: string;
  readonly name: string;
  readonly below: number;
  readonly seat: PublisherTierPlan;
}

export interface CampaignPlan {
  readonly config: CampaignConfig;
  readonly vertical: VerticalPlan;
  readonly groups: readonly GroupPlan[];
  /** Members that cannot be used, with the reason; each still gets its verdict. */
  readonly leftOut: readonly { buyerTierId: string; groupId: string; why: Explanation }[];
}

export interface GroupPlan {
  readonly config: GroupConfig;
  readonly members: readonly Member[];
}

/** A buyer tier at its place in a group. */
export interface Member {
  readonly tier: BuyerTierPlan;
  readonly groupId: string;
  readonly weight: number;
  readonly position: number;
}

export interface BuyerTierPlan extends TierRules {
  readonly config: BuyerTierConfig;
  /** Those of the buyer behind the tier, and what it may still spend. */
  readonly buyerCaps: readonly CompiledCap[];
  /** The least it may pay: its floor and its minimum, whichever is higher; the campaign's floor comes on top. */
  readonly floor: Money;
}
