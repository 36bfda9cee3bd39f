import { LazySelect } from '#web/ui/LazySelect.tsx';
import { toOptions } from './place-options.ts';
import { usePlaceChoice } from './use-place.ts';

/** In the header: a choice takes effect at once. */
export function PlaceSelects() {
  const { chosen, regions, verticalsIn, goTo, goToRegion } = usePlaceChoice();
  const { region, vertical } = chosen;
  return (
    <div className="place-selects">
      <LazySelect
        aria-label="Region"
        size="xs"
        options={toOptions(regions)}
        emptyText="No regions found."
        value={region}
        onChange={(slug) => slug && slug !== region && void goToRegion(slug)}
        className="place-select place-region"
      />
      <LazySelect
        aria-label="Vertical"
        size="xs"
        options={toOptions(verticalsIn(region))}
        emptyText="No verticals found."
        value={vertical}
        onChange={(slug) => slug && slug !== vertical && void goTo({ region, vertical: slug })}
        className="place-select place-vertical"
      />
    </div>
  );
}
