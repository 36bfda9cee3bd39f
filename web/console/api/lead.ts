import { queryOptions } from '@tanstack/react-query';
import type { LeadFiltersAnswer, LeadsAnswer, LeadView, OverviewAnswer } from '#contract/lead.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { type LeadsSearch, toLeadsQuery } from '../lead/leads-search.ts';
import { getJson } from './client.ts';

export interface Place {
  region: string;
  vertical: string;
}

/** While a filter or zone changes the old answer stays in sight, dimmed; another region's or vertical's never does. */
const keepOfSamePlace =
  (place: Place) =>
  <Answer>(before: Answer | undefined, query: { queryKey: readonly unknown[] } | undefined): Answer | undefined => {
    const old = query?.queryKey[1] as Place | undefined;
    return old?.region === place.region && old.vertical === place.vertical ? before : undefined;
  };

export const overviewQuery = (place: Place, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['overview', place, timeZone],
    queryFn: ({ signal }) => getJson<OverviewAnswer>(`/api/console/overview?${new URLSearchParams({ ...place, timeZone })}`, signal),
    // The live feed beside it says when to ask anew.
    placeholderData: keepOfSamePlace(place),
    staleTime: 2000,
  });

export const leadsQuery = (place: Place, search: LeadsSearch, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['leads', place, search, timeZone],
    queryFn: ({ signal }) => getJson<LeadsAnswer>(`/api/console/leads?${toLeadsQuery(place, search, timeZone, Date.now())}`, signal),
    placeholderData: keepOfSamePlace(place),
    staleTime: 5000,
  });

/** The newest leads, the start of the live feed. */
export const recentLeadsQuery = (place: Place) =>
  queryOptions({
    queryKey: ['recent-leads', place],
    queryFn: ({ signal }) => getJson<LeadsAnswer>(`/api/console/leads?${new URLSearchParams({ ...place, limit: '20' })}`, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

export const leadFiltersQuery = (place: Place) =>
  queryOptions({
    queryKey: ['lead-filters', place],
    queryFn: ({ signal }) => getJson<LeadFiltersAnswer>(`/api/console/leads/filters?${new URLSearchParams({ ...place })}`, signal),
    staleTime: 60_000,
  });

export const leadQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['lead', leadId],
    queryFn: async ({ signal }) =>
      (await getJson<{ status: true; lead: LeadView }>(`/api/console/leads/${encodeURIComponent(leadId)}`, signal)).lead,
    staleTime: 10_000,
    // A lead still under way is asked for again until it has ended.
    refetchInterval: ({ state }) => (state.data?.status === 'received' ? 2000 : false),
  });
