import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { DemoSignIn, demoAnswer } from '#contract/demo.ts';
import { NOBODY } from '#contract/nobody.ts';
import type { ChangeRootVerticalAnswer } from '#contract/reporting.ts';
import type { RegionView, regionsAndVerticalsAnswer, SessionView, VerticalView } from '#contract/session.ts';
import { ApiError, getJson, postJson } from './client.ts';

/** Who is signed in; a 401 is an answer too: nobody. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<SessionView> => {
    try {
      return await getJson<SessionView>(`/api/v1/teamMgmt/user/is-user-is-logged-in?t=${Date.now()}`, signal);
    } catch (error) {
      if (error instanceof ApiError && error.httpStatus === 401) return NOBODY;
      throw error;
    }
  },
  staleTime: 5 * 60_000,
});

export interface Places {
  regions: RegionView[];
  verticals: VerticalView[];
  /** Offered nowhere; their leads can still be read at their addresses. */
  archived: { region: RegionView; vertical: VerticalView }[];
}

export const placesQuery = queryOptions({
  queryKey: ['places'],
  queryFn: async (): Promise<Places> => {
    const answer = await postJson<z.infer<typeof regionsAndVerticalsAnswer>>('/api/v1/get-regions-and-verticals', {});
    return {
      regions: JSON.parse(answer.fullRegionDatas) as RegionView[],
      verticals: JSON.parse(answer.fullVerticalDatas) as VerticalView[],
      archived: answer.archived,
    };
  },
  staleTime: 5 * 60_000,
});

export const verticalsOf = (places: Places, regionSlug: string): VerticalView[] => {
  const region = places.regions.find((one) => one.slug === regionSlug);
  return region ? places.verticals.filter((vertical) => vertical.regionId === region._id) : [];
};

/** What stands at these slugs, archived or not. */
export const recordsAt = (places: Places, { region, vertical }: { region: string; vertical: string | null }) => {
  const gone = places.archived.find((one) => one.region.slug === region && one.vertical.slug === vertical);
  const found = verticalsOf(places, region).find((one) => one.slug === vertical);
  return {
    region: places.regions.find((one) => one.slug === region) ?? gone?.region,
    vertical: found ?? gone?.vertical,
    isArchived: !found && gone !== undefined,
  };
};

/** The call of every change of region or vertical (console §4, §7). */
export const changeRootVertical = (regionId: string, verticalId: string) =>
  postJson<ChangeRootVerticalAnswer>('/api/reporting/change-root-vertical', { verticalId, regionId });

/** The first region that has a vertical, or the first region, or nothing. */
export function firstPlace(places: Places): { region: string; vertical: string | null } | null {
  const region = places.regions.find((one) => verticalsOf(places, one.slug).length > 0) ?? places.regions[0];
  return region ? { region: region.slug, vertical: verticalsOf(places, region.slug)[0]?.slug ?? null } : null;
}

/** `lastURL` and `timeStamp` let the next sign-in return to the same page and time span (console §7). */
export const signOut = (lastUrl: string, timeSpan: string): Promise<unknown> =>
  getJson(`/admin/logout?${new URLSearchParams({ t: String(Date.now()), lastURL: lastUrl, timeStamp: timeSpan })}`);

/** Sign-ins of the demo world; only a local server tells them. */
export const demoQuery = queryOptions({
  queryKey: ['demo'],
  queryFn: async ({ signal }): Promise<DemoSignIn[]> => {
    try {
      return (await getJson<z.infer<typeof demoAnswer>>('/api/console/demo', signal)).signIns;
    } catch {
      return [];
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
});
