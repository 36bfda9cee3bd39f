/** What the form of a replay holds, and what is sent of it. Pure. */
import type { LabTier } from '#contract/lab.ts';
import type { ReplayBody, TriedSettings } from '#contract/replay.ts';
import { type LabCampaign, treeChoice } from './send-draft.ts';

/** A buyer tier as it is tried; '' is as it is now. */
export interface TriedTier {
  tier: LabTier;
  status: '' | 'active' | 'paused';
  price: string;
  floor: string;
}

/** What the form holds. `tree`: 'draft', 'published', or the id of a version. */
export interface ReplayDraft {
  campaignId: string;
  publisherTierId: string | null;
  tree: string;
  floor: string;
  margin: string;
  maxSales: string;
  timeLimitMs: string;
  tiers: TriedTier[];
  unrecorded: ReplayBody['unrecorded'];
}

/** As the campaign is: its draft where it has one, its settings unchanged. */
export function beginReplay(campaign: LabCampaign): ReplayDraft {
  const { floor, margin, maxSales, timeLimitMs } = campaign.settings;
  return {
    campaignId: campaign._id,
    publisherTierId: null,
    tree: campaign.hasDraft ? 'draft' : 'published',
    floor: floor ?? '',
    margin: margin.kind === 'fixed' ? margin.amount : String(margin.percent),
    maxSales: String(maxSales),
    timeLimitMs: String(timeLimitMs),
    tiers: [],
    unrecorded: 'habit',
  };
}

/** Only what is another than now. An emptied floor is none at all. */
export function triedSettings(campaign: LabCampaign, draft: ReplayDraft): TriedSettings {
  const now = beginReplay(campaign);
  const { kind } = campaign.settings.margin;
  const margin = draft.margin || '0';
  return {
    floor: draft.floor === now.floor ? null : draft.floor || '0',
    margin: draft.margin === now.margin ? null : kind === 'fixed' ? { kind, amount: margin } : { kind, percent: Number(margin) },
    maxSales: draft.maxSales === now.maxSales ? null : Number(draft.maxSales),
    timeLimitMs: draft.timeLimitMs === now.timeLimitMs ? null : Number(draft.timeLimitMs),
    buyerTiers: draft.tiers.flatMap(({ tier, status, price, floor }) =>
      status || price || floor ? [{ _id: tier._id, status: status || null, price: price || null, floor: floor || null }] : [],
    ),
  };
}

export const isAnySetting = ({ margin, floor, maxSales, timeLimitMs, buyerTiers }: TriedSettings): boolean =>
  [margin, floor, maxSales, timeLimitMs].some((one) => one !== null) || buyerTiers.length > 0;

export function toReplayBody(campaign: LabCampaign, draft: ReplayDraft, range: { from: string; to: string }): ReplayBody {
  const { campaignId, publisherTierId, unrecorded } = draft;
  return { campaignId, publisherTierId, ...range, change: treeChoice(draft.tree), settings: triedSettings(campaign, draft), unrecorded };
}
