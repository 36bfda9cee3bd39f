import { queryOptions } from '@tanstack/react-query';
import type { ChangeRequestsAnswer } from '#contract/change-request.ts';
import { getJson, postJson } from './client.ts';

const URL = '/api/console/change-requests';
export const changeRequestsKey = ['change-requests'];

export const changeRequestsQuery = (which: 'open' | 'decided', page: number) =>
  queryOptions({
    queryKey: [...changeRequestsKey, which, page],
    queryFn: ({ signal }) => getJson<ChangeRequestsAnswer>(`${URL}?${new URLSearchParams({ which, page: String(page) })}`, signal),
    placeholderData: (before, query) => (query?.queryKey[1] === which ? before : undefined),
    refetchInterval: 60_000,
    staleTime: 2000,
  });

export const requestCountQuery = queryOptions({
  queryKey: [...changeRequestsKey, 'count'],
  queryFn: ({ signal }) => getJson<{ open: number }>(`${URL}/count`, signal),
  refetchInterval: 60_000,
  staleTime: 10_000,
});

export const approveRequest = (id: string, body: { version: number | null; isConfirmed: boolean; answer: string }) =>
  postJson<{ msg: string }>(`${URL}/${id}/approve`, body);
export const declineRequest = (id: string, answer: string) => postJson<{ msg: string }>(`${URL}/${id}/decline`, { answer });
