import type { ReplayBody, ReplayChoices, ReplaySettings, UnaskedRule } from '#contract/replay.ts';

export type ReplayChoice = ReplayChoices['campaigns'][number];

/** What the form holds. `tree`: 'draft', 'live', or the id of a version. */
export interface ReplayDraft {
  campaignId: string;
  publisherTierId: string | null;
  tree: string;
  floor: string;
  margin: string;
  maxSales: string;
  timeLimitMs: string;
  unasked: UnaskedRule;
}

/** As the campaign is: its draft where it has one, its settings unchanged. */
export function beginReplay(campaign: ReplayChoice): ReplayDraft {
  const { floor, margin, maxSales, timeLimitMs } = campaign.settings;
  return {
    campaignId: campaign._id,
    publisherTierId: null,
    tree: campaign.hasDraft ? 'draft' : 'live',
    floor: floor ?? '',
    margin: margin.kind === 'fixed' ? margin.amount : String(margin.percent),
    maxSales: String(maxSales),
    timeLimitMs: String(timeLimitMs),
    unasked: 'likeBefore',
  };
}

/** Only what is another than now. */
export function changedSettings(campaign: ReplayChoice, draft: ReplayDraft): ReplaySettings {
  const now = beginReplay(campaign);
  const { kind } = campaign.settings.margin;
  const margin = draft.margin || '0';
  return {
    ...(draft.floor !== now.floor && { floor: draft.floor || null }),
    ...(draft.margin !== now.margin && {
      margin: kind === 'fixed' ? { kind, amount: margin } : { kind, percent: Number(margin) },
    }),
    ...(draft.maxSales !== now.maxSales && { maxSales: Number(draft.maxSales) }),
    ...(draft.timeLimitMs !== now.timeLimitMs && { timeLimitMs: Number(draft.timeLimitMs) }),
  };
}

export function toReplayBody(
  place: { region: string; vertical: string },
  campaign: ReplayChoice,
  draft: ReplayDraft,
  range: { from: string; to: string },
): ReplayBody {
  const { campaignId, publisherTierId, unasked } = draft;
  const tree: ReplayBody['tree'] =
    draft.tree === 'draft' || draft.tree === 'live' ? { kind: draft.tree } : { kind: 'version', versionId: draft.tree };
  return { ...place, campaignId, publisherTierId, ...range, tree, settings: changedSettings(campaign, draft), unasked };
}
