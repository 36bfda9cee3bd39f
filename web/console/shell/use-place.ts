import { getRouteApi, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import type { RegionView, SessionView, VerticalView } from '#contract/session.ts';
import { toast } from '#web/ui/toast.ts';
import { changeRootVertical, firstPlace, type Places, recordsAt, sessionQuery, verticalsOf } from '../api/session.ts';
import { permissionIn } from '../guard.ts';
import { refusalText } from '../message.ts';
import { listOfEdit, pageInVertical, pageOfPath } from '../page-in-vertical.ts';
import { mayReadLeads } from '../paths.ts';
import { queryClient } from '../query-client.ts';
import { beginSwitch, placeSwitch, watchPlaceSwitch } from './place-switch.ts';

const route = getRouteApi('/framed');

export const useSetup = () => route.useRouteContext();

let lastPlace: { region: string; vertical: string } | undefined;

function placeAtHand(places: Places): { region: string; vertical: string | null } {
  const last = lastPlace;
  const isMine = last && verticalsOf(places, last.region).some((one) => one.slug === last.vertical);
  return isMine ? last : (firstPlace(places) ?? { region: '', vertical: null });
}

/** Region and vertical that are at hand: those of the address, or, where it has none, those of the page before. */
export function usePlace(): { region: string; vertical: string | null } {
  const { places } = useSetup();
  const params = useParams({ strict: false });
  if (params.region && params.vertical) lastPlace = { region: params.region, vertical: params.vertical };
  return params.region ? { region: params.region, vertical: params.vertical ?? null } : placeAtHand(places);
}

/** The records of region and vertical at hand. */
export function usePlaceRecords(): { region: RegionView | undefined; vertical: VerticalView | undefined } {
  const { places } = useSetup();
  return recordsAt(places, usePlace());
}

/** Console §6: what may be opened is decided for the vertical at hand; without one, whether it may be opened anywhere. */
export function usePermissionHere(): SessionView['permissionObj'] {
  const { session } = useSetup();
  return permissionIn(session, usePlaceRecords().vertical);
}

/** Whether the list of leads of the vertical at hand, and each of them, is open. */
export const useMayReadLeads = (): boolean => mayReadLeads(usePermissionHere());

/** An archived one is offered only while one stands in it, so that its name can be read. */
function listed<One extends { slug: string; name: string }>(living: One[], archived: One | undefined): One[] {
  if (!archived || living.some((one) => one.slug === archived.slug)) return living;
  return [...living, { ...archived, name: `${archived.name} (archived)` }];
}

/** Region and vertical at hand, with the way to another. While a change is on its way its choice is shown already. */
export function usePlaceChoice() {
  const { places } = useSetup();
  const here = usePlace();
  const at = recordsAt(places, here);
  const change = useSyncExternalStore(watchPlaceSwitch, placeSwitch);
  const goTo = useChangePlace();
  return {
    ...here,
    chosen: change?.stage === 'asking' ? change.wanted : here,
    regions: listed(places.regions, at.isArchived ? at.region : undefined),
    verticalsIn: (slug: string) => listed(verticalsOf(places, slug), slug === here.region && at.isArchived ? at.vertical : undefined),
    goTo,
    /** Console §4: a new region starts with its first vertical. */
    goToRegion: (slug: string) => goTo({ region: slug, vertical: verticalsOf(places, slug)[0]?.slug ?? null }),
  };
}

/** Console §4: asks the server for the vertical, then opens the page that stays or comes first there. A refusal is told, and all stays. */
function useChangePlace() {
  const { places } = useSetup();
  const navigate = useNavigate();
  const router = useRouter();
  return async (to: { region: string; vertical: string | null }): Promise<void> => {
    const vertical = verticalsOf(places, to.region).find((one) => one.slug === to.vertical);
    const step = beginSwitch({ region: to.region, vertical: vertical?.slug ?? null });
    try {
      if (!vertical) {
        await navigate({ to: '/setup/$region/no-vertical', params: { region: to.region } });
        step('over');
        return;
      }
      const { permissionObj, verticalPrimaryField } = await changeRootVertical(vertical.regionId, vertical._id);
      // Somebody who signed out or chose again meanwhile goes nowhere.
      if (!step('arriving')) return;
      if (!router.state.matches.some((match) => match.routeId === '/framed')) return void step('over');
      queryClient.setQueryData(sessionQuery.queryKey, (session) => session && { ...session, verticalPrimaryField });
      // Where the person is now, not where they were when they chose.
      const { pathname, searchStr } = router.state.location;
      const before = pageOfPath(pathname);
      const page = pageInVertical(before, permissionObj.pageStatePermission, searchStr);
      const base = `/setup/${to.region}/${vertical.slug}`;
      const kept = before === null ? page : listOfEdit(before, searchStr);
      const state = page === kept ? {} : { barredFrom: `${base}/${kept}` };
      await navigate({ href: page ? `${base}/${page}` : '/home', state });
    } catch (error) {
      if (step('over')) void toast('error', refusalText(error, 'verticalNotOpened'));
    }
  };
}

export function usePlaceName(): string {
  const { region, vertical } = usePlaceRecords();
  return [region?.name, vertical?.name].filter(Boolean).join(' ');
}
