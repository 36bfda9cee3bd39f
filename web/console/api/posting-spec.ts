import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PostingSpecAnswer, PostingSpecsAnswer } from '#contract/posting-spec.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';

export const postingSpecsQuery = (place: Place, q: string, page: number) =>
  queryOptions({
    queryKey: ['posting-specs', place, q, page],
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({ ...place, q, page: String(page) });
      return getJson<PostingSpecsAnswer>(`/api/console/posting-specs?${query}`, signal);
    },
    placeholderData: keepPreviousData,
  });

export const changeSpec = (publisherTierId: string, change: 'on' | 'off' | 'renew') =>
  postJson<PostingSpecAnswer>(`/api/console/posting-specs/${publisherTierId}`, { change });
