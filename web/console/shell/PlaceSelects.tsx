import { Button } from '@mantine/core';
import { useState } from 'react';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { usePlaceChoice } from './use-place.ts';

const toOptions = (list: readonly { slug: string; name: string }[]) => list.map(({ slug, name }) => ({ value: slug, label: name }));

/** In the header: a choice takes effect at once. */
export function PlaceSelects() {
  const { chosen, regions, verticalsIn, goTo, goToRegion } = usePlaceChoice();
  const { region, vertical } = chosen;
  return (
    <div className="place-selects">
      <SelectSearch
        aria-label="Region"
        size="xs"
        options={toOptions(regions)}
        emptyText="No regions found."
        value={region}
        onChange={(slug) => slug && slug !== region && void goToRegion(slug)}
        className="place-select place-region"
      />
      <SelectSearch
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

/** In the drawer of a phone: nothing moves until Apply. */
export function PlaceForm({ onApplied }: { onApplied: () => void }) {
  const choice = usePlaceChoice();
  const [region, setRegion] = useState(choice.region);
  const [vertical, setVertical] = useState(choice.vertical);
  const chooseRegion = (slug: string) => {
    setRegion(slug);
    setVertical(choice.verticalsIn(slug)[0]?.slug ?? null);
  };
  const unchanged = region === choice.region && vertical === choice.vertical;
  return (
    <form
      className="place-form"
      onSubmit={(event) => {
        event.preventDefault();
        void choice.goTo({ region, vertical });
        onApplied();
      }}
    >
      <SelectSearch
        label="Region"
        options={toOptions(choice.regions)}
        emptyText="No regions found."
        value={region}
        onChange={(slug) => slug && chooseRegion(slug)}
      />
      <SelectSearch
        label="Vertical"
        options={toOptions(choice.verticalsIn(region))}
        emptyText="No verticals found."
        value={vertical}
        onChange={setVertical}
      />
      <Button type="submit" disabled={unchanged} fullWidth>
        Apply
      </Button>
    </form>
  );
}
