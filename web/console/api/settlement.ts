import { queryOptions } from '@tanstack/react-query';
import type { QuoteAnswer, SettleAnswer, SettlementOutcome, ToSettleAnswer } from '#contract/settlement.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';

export interface ToSettleSearch {
  buyerTierId?: string | undefined;
}

export const toSettleQuery = (place: Place, { buyerTierId }: ToSettleSearch = {}) =>
  queryOptions({
    queryKey: ['to-settle', place, buyerTierId ?? ''],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...place, ...(buyerTierId && { buyerTierId }) });
      return getJson<ToSettleAnswer>(`/api/console/settlements/open?${query}`, signal);
    },
    staleTime: 5_000,
  });

export interface Settling {
  leadId: string;
  buyerTierId: string;
  outcome: SettlementOutcome;
  price?: string;
  /** What was quoted. */
  payout?: string;
}
/** Not asked again once they are settled: then there is nothing to quote. */
export const quoteQuery = (leads: Omit<Settling, 'outcome' | 'payout'>[]) =>
  queryOptions({
    queryKey: ['settlement-quote', leads],
    queryFn: () => postJson<QuoteAnswer>('/api/console/settlements/quote', { leads }),
    retry: false,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
export const settleLeads = (leads: Settling[]) => postJson<SettleAnswer>('/api/console/settlements', { leads });
