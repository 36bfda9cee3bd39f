import { useParams } from '@tanstack/react-router';
import { verticalsOf } from '../api/session.ts';
import { useSetup } from '../shell/use-place.ts';

/** Where a record of this vertical is edited, and what the vertical is called; undefined where the person does not reach it. */
export function usePlaceOf() {
  const { places } = useSetup();
  return (verticalId: unknown) => {
    const vertical = places.verticals.find((one) => one._id === verticalId);
    const region = vertical && places.regions.find((one) => one._id === vertical.regionId);
    return region && vertical ? { region: region.slug, vertical: vertical.slug, name: `${region.name}, ${vertical.name}` } : undefined;
  };
}

/** The vertical of the address with its ids, for calls that name records and not slugs. */
export function usePlaceIds() {
  const { places, organization } = useSetup();
  const { region = '', vertical = '' } = useParams({ strict: false });
  const found = verticalsOf(places, region).find((one) => one.slug === vertical);
  return {
    place: { region, vertical },
    verticalId: found?._id ?? '',
    regionId: found?.regionId ?? '',
    country: places.regions.find((one) => one._id === found?.regionId)?.country ?? 'us',
    timeZone: organization.timeZone,
  };
}
