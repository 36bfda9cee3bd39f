import { useSetup } from '../shell/use-place.ts';

/** The same page of another vertical, by its id; undefined where it is not offered. */
export function usePlaceLink(route: string): (verticalId: string) => string | undefined {
  const { places } = useSetup();
  return (verticalId) => {
    const vertical = places.verticals.find(({ _id }) => _id === verticalId);
    const region = places.regions.find(({ _id }) => _id === vertical?.regionId);
    return vertical && region && `/setup/${region.slug}/${vertical.slug}/${route}`;
  };
}
