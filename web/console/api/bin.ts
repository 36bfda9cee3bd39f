/** BINs, as the console calls for them. */
import { queryOptions } from '@tanstack/react-query';
import type { BinChoices, FoundBin } from '#contract/bin.ts';
import { getJson, postJson } from './client.ts';

export interface MovePlace {
  campaignId: string | null;
  publisherId: string | null;
}

export const lookUpBins = (bins: string[], place: MovePlace) => postJson<{ bins: FoundBin[] }>('/api/v1/bin-lookup', { bins, ...place });
/** What the list of ranges is narrowed to; `moveForAll`: null is none, undefined any. */
export interface SoughtRanges {
  search: string;
  moveForAll?: number | null | undefined;
}
export const moveBins = (sought: SoughtRanges, place: MovePlace, move: number | null) =>
  postJson<{ msg: string; count: number }>('/api/v1/bin-moves', { ...sought, ...place, move });

export const binChoicesQuery = (place: { region: string; vertical: string }) =>
  queryOptions({
    queryKey: ['bin-choices', place.region, place.vertical],
    queryFn: ({ signal }) => getJson<BinChoices>(`/api/console/bin-choices?${new URLSearchParams(place)}`, signal),
  });
