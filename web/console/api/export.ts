/** Exports and feeds of leads, as the console calls them. */
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ExportColumnsAnswer, ExportContent, FeedRunsAnswer, FeedTrial } from '#contract/export.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';

export const exportColumnsQuery = (place: Place) =>
  queryOptions({
    queryKey: ['export-columns', place],
    queryFn: ({ signal }) => getJson<ExportColumnsAnswer>(`/api/console/exports/columns?${new URLSearchParams({ ...place })}`, signal),
  });

export interface ExportAsked extends Place {
  from: string;
  to: string;
  content: ExportContent;
  reason: string;
}
export const startExport = (asked: ExportAsked) => postJson<{ jobId: string; msg: string }>('/api/console/exports', asked);

export const feedAt = (id: string) => `/api/console/export-feeds/${id}`;

export const feedRunsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['export-feed', id, 'runs'],
    queryFn: ({ pageParam }) => getJson<FeedRunsAnswer>(`${feedAt(id)}/runs${pageParam ? `?before=${pageParam}` : ''}`),
    initialPageParam: '',
    getNextPageParam: (last) => last.older,
    // Something is under way: it is looked at again.
    refetchInterval: ({ state }) => (state.data?.pages.some((page) => page.runs.some((run) => run.state === 'due')) ? 3_000 : false),
  });
export const runFeed = (id: string) => postJson<{ msg: string }>(`${feedAt(id)}/run`, {});
export const runFeedAgain = (id: string, runId: string) => postJson<{ msg: string }>(`${feedAt(id)}/runs/${runId}/again`, {});
export const tryFeed = (id: string) => postJson<FeedTrial>(`${feedAt(id)}/test`, {});
