import { useParams } from '@tanstack/react-router';
import { verticalsOf } from '../api/session.ts';
import { useSetup } from '../shell/use-place.ts';

/** The vertical of the address with its ids, for calls that name records and not slugs. */
export function usePlaceIds() {
  const { places, organization } = useSetup();
  const { region = '', vertical = '' } = useParams({ strict: false });
  const found = verticalsOf(places, region).find((one) => one.slug === vertical);
  return { place: { region, vertical }, verticalId: found?._id ?? '', regionId: found?.regionId ?? '', timeZone: organization.timeZone };
}
