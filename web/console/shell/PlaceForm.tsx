import { Button } from '@mantine/core';
import { useState } from 'react';
import { SelectSearch } from '#web/ui/SelectSearch.tsx';
import { toOptions } from './place-options.ts';
import { usePlaceChoice } from './use-place.ts';

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
