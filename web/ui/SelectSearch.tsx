import { type ComboboxItem, Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';

/** The spec's custom select (console §2): its three texts and a search that waits 300 ms. */

export interface SelectSearchProps extends Omit<SelectProps, 'data' | 'filter' | 'searchable' | 'nothingFoundMessage'> {
  options: ComboboxItem[];
  /** Shown when there is nothing to choose from at all, e.g. "No verticals found." */
  emptyText: string;
}

export function SelectSearch({ options, emptyText, ...props }: SelectSearchProps) {
  const [term, setTerm] = useState('');
  const [settled] = useDebouncedValue(term, SEARCH_DELAY_MS);
  const chosen = options.find((option) => option.value === props.value)?.label;
  // The chosen label in the box is not a search.
  const wanted = settled === chosen ? '' : settled.trim().toLowerCase();
  return (
    <Select
      placeholder="Select..."
      allowDeselect={false}
      {...props}
      data={options}
      searchable
      onSearchChange={setTerm}
      filter={({ options: all }) => all.filter((option) => !('label' in option) || String(option.label).toLowerCase().includes(wanted))}
      nothingFoundMessage={<NothingFound text={options.length === 0 ? emptyText : `No results match "${settled.trim()}"`} />}
    />
  );
}

/** A listbox without an option is not a listbox; this one cannot be chosen. */
function NothingFound({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list is steered from its input, options never take the focus
    <div role="option" aria-disabled aria-selected={false}>
      {text}
    </div>
  );
}
