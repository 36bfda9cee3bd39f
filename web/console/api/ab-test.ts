import { queryOptions } from '@tanstack/react-query';
import type { AbTestAnswer, AbTestBoard, VariantBody } from '#contract/ab-test.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { getJson, postJson } from './client.ts';
import { readTree, saveDraft } from './tree.ts';

const BASE = '/api/console/ab-tests';

export const abTestsQuery = (place: { region: string; vertical: string }) =>
  queryOptions({
    queryKey: ['ab-tests', 'board', place],
    queryFn: ({ signal }) => getJson<AbTestBoard>(`${BASE}?${new URLSearchParams(place)}`, signal),
    staleTime: 0,
  });

/** While it runs its figures are asked for again and again. */
export const abTestQuery = (id: string) =>
  queryOptions({
    queryKey: ['ab-tests', 'one', id],
    queryFn: ({ signal }) => getJson<AbTestAnswer>(`${BASE}/${id}`, signal),
    refetchInterval: (query) => (query.state.data?.test.status === 'running' ? 15_000 : false),
    staleTime: 2000,
  });

export type AbTestChanged = AbTestAnswer & { msg: string };
export interface TestFields {
  name: string;
  notes: string;
  metric: 'revenue' | 'margin';
  minimumEffect: number;
  variants: VariantBody[];
}
export const addTest = (campaignId: string, fields: TestFields) => postJson<AbTestChanged>(BASE, { campaignId, ...fields });
export const editTest = (id: string, version: number, fields: TestFields) =>
  postJson<AbTestChanged>(`${BASE}/${id}`, { ...fields, version });
export const stepTest = (id: string, step: 'start' | 'stop' | 'discard' | 'restore', version: number) =>
  postJson<AbTestChanged>(`${BASE}/${id}/${step}`, { version });
/** A variant's tree becomes the draft of its campaign, in the place of the one that was there; groups get ids of their own when they are published. */
export async function draftVariant(campaignId: string, groups: readonly TreeGroup[]): Promise<{ msg: string }> {
  const { state } = await readTree(campaignId);
  return saveDraft(
    campaignId,
    groups.map((group) => ({ ...group, _id: null })),
    state,
  );
}
export const promoteVariant = (id: string, body: { variantId: string; version: number; state: string }) =>
  postJson<AbTestChanged>(`${BASE}/${id}/promote`, body);
