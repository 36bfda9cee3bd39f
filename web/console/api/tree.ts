import { queryOptions } from '@tanstack/react-query';
import type { FlowAnswer, TreeAnswer, TreeGroup } from '#contract/tree.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { getJson, postJson } from './client.ts';

const base = (campaignId: string) => `/api/console/campaigns/${campaignId}`;

export const treeQuery = (campaignId: string) =>
  queryOptions({
    queryKey: ['tree', campaignId],
    queryFn: ({ signal }) => getJson<TreeAnswer>(`${base(campaignId)}/tree`, signal),
    refetchOnWindowFocus: false,
    staleTime: 0,
  });

export const flowQuery = (campaignId: string, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['flow', campaignId, timeZone],
    queryFn: ({ signal }) => getJson<FlowAnswer>(`${base(campaignId)}/flow?${new URLSearchParams({ timeZone })}`, signal),
    refetchInterval: 15_000,
    staleTime: 5000,
  });

export interface TreeChanged {
  msg: string;
  version: number | null;
}
export const saveDraft = (campaignId: string, groups: readonly TreeGroup[], version: number | null) =>
  postJson<TreeChanged>(`${base(campaignId)}/draft`, { groups, version });
export const discardDraft = (campaignId: string) => postJson<TreeChanged>(`${base(campaignId)}/draft/discard`, {});
export const publishDraft = (campaignId: string, version: number, note: string) =>
  postJson<TreeChanged>(`${base(campaignId)}/publish`, { version, note });
export const rollBackTree = (campaignId: string, versionId: string) =>
  postJson<TreeChanged>(`${base(campaignId)}/roll-back`, { versionId });
