/** What is known of a lead beside its fields: looked up by the shell before it is routed, and only where some rule asks for it. */
import type { CampaignPlan, TierRules } from './compiled.ts';
import type { Combination, Move } from './move.ts';
import type { SuppressionListConfig } from './plan.ts';

export interface LeadFacts {
  /** Ids of the wanted lists that hold the lead. */
  lists: readonly string[];
  /** Whose lead it is was erased at their wish and is not to be taken again. */
  isErased?: true;
  /** Absent where the bank is not known. */
  bank?: { name: string; move: Move };
  /** The narrowest range that holds the BIN and has a move for this lead; absent where there is none. */
  bin?: { range: string; move: Move; combination: Combination };
}

export interface FactsWanted {
  lists: readonly SuppressionListConfig[];
  bankField: string | undefined;
  binField: string | undefined;
}

/** Of the publisher tier and of every buyer tier of its campaign, or of the variants its campaign is split over, each list once. */
export function factsWanted(rules: TierRules, campaigns: readonly CampaignPlan[]): FactsWanted | undefined {
  const groups = campaigns.flatMap((campaign) => campaign.groups);
  const ofBuyers = groups.flatMap(({ members }) => members.flatMap(({ tier }) => tier.lists));
  const lists = [...new Set([...rules.lists, ...ofBuyers])];
  const { bankField, binField } = campaigns[0]!.vertical;
  return lists.length === 0 && bankField === undefined && binField === undefined ? undefined : { lists, bankField, binField };
}
