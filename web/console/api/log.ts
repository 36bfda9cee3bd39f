import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { AttemptLogAnswer, AttemptLogEntry, CallLogAnswer, CallLogEntry } from '#contract/log.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { type AttemptLogSearch, type CallLogSearch, toLogFilters } from '../log/log-search.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';

const pages = <Answer extends { older: string | null }>(
  log: string,
  place: Place,
  search: AttemptLogSearch | CallLogSearch,
  zone: TimeZone,
) =>
  infiniteQueryOptions({
    queryKey: ['log', log, place, search, zone],
    queryFn: ({ pageParam, signal }) => {
      const filters = { ...toLogFilters(place, search, zone, Date.now()), ...(pageParam && { before: pageParam }) };
      return getJson<Answer>(`/api/console/logs/${log}?${new URLSearchParams(filters)}`, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.older,
    staleTime: 5000,
    refetchOnWindowFocus: false,
  });

export const attemptLogQuery = (place: Place, search: AttemptLogSearch, zone: TimeZone) =>
  pages<AttemptLogAnswer>('attempts', place, search, zone);
export const callLogQuery = (place: Place, search: CallLogSearch, zone: TimeZone) => pages<CallLogAnswer>('calls', place, search, zone);

/** One call as its line in the log says it; null where there is none of that id in this vertical. */
export const logRowQuery = <Row>(log: 'attempts' | 'calls', place: Place, id: string) =>
  queryOptions({
    queryKey: ['log-row', log, place, id],
    queryFn: async ({ signal }) => {
      const asked = new URLSearchParams({ ...place, only: id });
      return (await getJson<{ rows: Row[] }>(`/api/console/logs/${log}?${asked}`, signal)).rows[0] ?? null;
    },
    staleTime: 60_000,
  });

/** An entry never changes; unmasked, it is forgotten with the screen. */
export const attemptEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ['log-entry', id],
    queryFn: ({ signal }) => getJson<AttemptLogEntry>(`/api/console/logs/attempts/${id}`, signal),
    staleTime: 60_000,
  });
export const callEntryQuery = (id: string) =>
  queryOptions({
    queryKey: ['log-entry', id],
    queryFn: ({ signal }) => getJson<CallLogEntry>(`/api/console/logs/calls/${id}`, signal),
    staleTime: 60_000,
  });

export const unmaskAttempt = (id: string, reason: string) =>
  postJson<AttemptLogEntry>(`/api/console/logs/attempts/${id}/unmask`, { reason });
export const unmaskCall = (id: string, reason: string) => postJson<CallLogEntry>(`/api/console/logs/calls/${id}/unmask`, { reason });
