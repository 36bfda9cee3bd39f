import { queryOptions } from '@tanstack/react-query';
import type { FlowAnswer, TreeAnswer, TreeChanged, TreeGroup, TreeVersionAnswer } from '#contract/tree.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { getJson, postJson } from './client.ts';

const base = (campaignId: string) => `/api/console/campaigns/${campaignId}`;

export const readTree = (campaignId: string, signal?: AbortSignal) => getJson<TreeAnswer>(`${base(campaignId)}/tree`, signal);

export const treeQuery = (campaignId: string) =>
  queryOptions({
    queryKey: ['tree', campaignId],
    queryFn: ({ signal }) => readTree(campaignId, signal),
    refetchOnWindowFocus: false,
    staleTime: 0,
  });

/** What was published stays as it was. */
export const treeVersionQuery = (campaignId: string, versionId: string) =>
  queryOptions({
    queryKey: ['tree-version', campaignId, versionId],
    queryFn: ({ signal }) => getJson<TreeVersionAnswer>(`${base(campaignId)}/versions/${versionId}`, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const flowQuery = (campaignId: string, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['flow', campaignId, timeZone],
    queryFn: ({ signal }) => getJson<FlowAnswer>(`${base(campaignId)}/flow?${new URLSearchParams({ timeZone })}`, signal),
    refetchInterval: 15_000,
    staleTime: 5000,
  });

/** `state`: of the tree as it was read, or as the last change left it. */
export const saveDraft = (campaignId: string, groups: readonly TreeGroup[], state: string) =>
  postJson<TreeChanged>(`${base(campaignId)}/draft`, { groups, state });
/** What is live in one campaign becomes the draft of another that has none yet; groups get ids of their own when they are published. */
export async function copyTree(fromId: string, toId: string): Promise<void> {
  const [from, to] = [await readTree(fromId), await readTree(toId)];
  const groups = from.live.map((group) => ({ ...group, _id: null }));
  if (groups.length > 0) await saveDraft(toId, groups, to.state);
}
export const discardDraft = (campaignId: string, state: string) => postJson<TreeChanged>(`${base(campaignId)}/draft/discard`, { state });
export const publishDraft = (campaignId: string, state: string, note: string) =>
  postJson<TreeChanged>(`${base(campaignId)}/publish`, { state, note });
export const rollBackTree = (campaignId: string, versionId: string, state: string) =>
  postJson<TreeChanged>(`${base(campaignId)}/roll-back`, { versionId, state });
