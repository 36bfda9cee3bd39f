import { getRouteApi, useMatchRoute, useNavigate, useParams } from '@tanstack/react-router';
import { firstPlace, type Places, verticalsOf } from '../api/session.ts';

const route = getRouteApi('/framed');

export const useSetup = () => route.useRouteContext();

let lastPlace: { region: string; vertical: string } | undefined;

function placeAtHand(places: Places): { region: string; vertical: string | null } {
  const last = lastPlace;
  const isMine = last && verticalsOf(places, last.region).some((one) => one.slug === last.vertical);
  return isMine ? last : (firstPlace(places) ?? { region: '', vertical: null });
}

/** Region and vertical of the address, with the way to another; the page stays the same where it can. */
export function usePlaceChoice() {
  const { places } = useSetup();
  const params = useParams({ strict: false });
  // A page without region and vertical keeps those that were at hand before.
  const { region, vertical } = params.region ? { region: params.region, vertical: params.vertical ?? null } : placeAtHand(places);
  if (params.region && params.vertical) lastPlace = { region: params.region, vertical: params.vertical };
  const navigate = useNavigate();
  const matchRoute = useMatchRoute();
  const goTo = (to: { region: string; vertical: string | null }) => {
    if (!to.vertical) return void navigate({ to: '/setup/$region/no-vertical', params: { region: to.region } });
    const params = { region: to.region, vertical: to.vertical };
    // One lead belongs to one vertical: from its page the way leads to the list.
    const onLeads = matchRoute({ to: '/setup/$region/$vertical/leads', fuzzy: true });
    void navigate({ to: onLeads ? '/setup/$region/$vertical/leads' : '/setup/$region/$vertical/overview', params });
  };
  return {
    region,
    vertical,
    regions: places.regions,
    verticalsIn: (slug: string) => verticalsOf(places, slug),
    goTo,
    /** Console §4: a new region starts with its first vertical. */
    goToRegion: (slug: string) => goTo({ region: slug, vertical: verticalsOf(places, slug)[0]?.slug ?? null }),
  };
}

export function usePlaceName(): string {
  const { region, vertical, regions, verticalsIn } = usePlaceChoice();
  const names = [regions.find((one) => one.slug === region)?.name, verticalsIn(region).find((one) => one.slug === vertical)?.name];
  return names.filter(Boolean).join(' ');
}
