import { queryOptions } from '@tanstack/react-query';
import type { PromotionBoard } from '#contract/promotion.ts';
import { getJson } from './client.ts';

/** Asked anew with every change of a record: it is about all promotions together. */
export const promotionBoardQuery = (place: { region: string; vertical: string }) =>
  queryOptions({
    queryKey: ['records', 'promotion', 'board', place],
    queryFn: ({ signal }) => getJson<PromotionBoard>(`/api/console/promotions?${new URLSearchParams(place)}`, signal),
    staleTime: 0,
  });
