import { Combobox, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactNode, useMemo, useState } from 'react';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { ChipFrame } from './ChipFrame.tsx';
import { useEnterTakesFirst } from './use-enter-takes-first.ts';

export interface ChipOption {
  value: string;
  label: string;
  mark?: ReactNode;
}

interface FilterChipProps {
  name: string;
  options: readonly ChipOption[];
  value: string | undefined;
  emptyText: string;
  /** What is typed as a choice of its own, where it can be one that is not listed. */
  asTyped?: ((text: string) => ChipOption | undefined) | undefined;
  onChange: (value: string | undefined) => void;
}

const searchFrom = 9;

/** A filter by one of a few that are known. */
export function FilterChip({ name, options, value, emptyText, asTyped, onChange }: FilterChipProps) {
  const [term, setTerm] = useState('');
  const [settled] = useDebouncedValue(term, SEARCH_DELAY_MS);
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      enter.forget();
      setTerm('');
    },
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active');
      if (options.length >= searchFrom) combobox.focusSearchInput();
    },
  });
  const answer = useMemo(() => (settled === term ? {} : undefined), [settled, term]);
  const enter = useEnterTakesFirst(combobox, term, answer);
  const chosen = value === undefined ? undefined : (options.find((option) => option.value === value)?.label ?? value);
  const wanted = settled.trim().toLowerCase();
  const typed = options.some((option) => option.value === wanted) ? undefined : asTyped?.(wanted);
  const shown = [...options.filter((option) => option.label.toLowerCase().includes(wanted)), ...(typed ? [typed] : [])];
  const choose = (next: string) => {
    onChange(next === value ? undefined : next);
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  return (
    <ChipFrame name={name} chosen={chosen} store={combobox} onChoose={choose} onClear={() => onChange(undefined)}>
      {options.length >= searchFrom && (
        <Combobox.Search
          role="combobox"
          aria-expanded={combobox.dropdownOpened}
          value={term}
          onChange={(event) => {
            enter.forget();
            setTerm(event.currentTarget.value);
            combobox.resetSelectedOption();
          }}
          onKeyDown={enter.onKeyDown}
          placeholder="Select..."
          aria-label={`Search ${name}`}
        />
      )}
      <Combobox.Options mah={400} className="chip-options" aria-label={name}>
        {shown.map((option) => (
          <Combobox.Option key={option.value} value={option.value} active={option.value === value} selected={option.value === value}>
            {option.mark ?? option.label}
          </Combobox.Option>
        ))}
        {shown.length === 0 && (
          // biome-ignore lint/a11y/useFocusableInteractive: the list is steered from its button, options never take the focus
          <div role="option" aria-disabled aria-selected={false} className="chip-nothing">
            {options.length === 0 ? emptyText : `No results match "${settled.trim()}"`}
          </div>
        )}
      </Combobox.Options>
    </ChipFrame>
  );
}
