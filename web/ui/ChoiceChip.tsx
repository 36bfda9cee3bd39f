import { Combobox, useCombobox } from '@mantine/core';
import { useState } from 'react';
import { ChipFrame } from './ChipFrame.tsx';
import { ASK_AGAIN, ChoiceList, ChoiceNews } from './ChoiceList.tsx';
import { type ChoiceSource, useChoices } from './choices.ts';
import { useEnterTakesFirst } from './use-enter-takes-first.ts';

interface ChoiceChipProps {
  name: string;
  source: ChoiceSource;
  value: string | undefined;
  emptyText: string;
  onChange: (value: string | undefined) => void;
}

/** A filter by a record, which is asked for as in a ChoiceSelect. */
export function ChoiceChip({ name, source, value, emptyText, onChange }: ChoiceChipProps) {
  const [typed, setTyped] = useState('');
  const combobox = useCombobox({
    onDropdownClose: () => {
      combobox.resetSelectedOption();
      enter.forget();
      setTyped('');
    },
    onDropdownOpen: () => {
      combobox.updateSelectedOptionIndex('active');
      combobox.focusSearchInput();
    },
  });
  const isOpen = combobox.dropdownOpened;
  const choices = useChoices(source, value, typed, isOpen);
  const { found, isBehind, isGone, remember } = choices;
  const enter = useEnterTakesFirst(combobox, typed, isBehind ? undefined : found.data);
  const choose = (next: string) => {
    if (next === ASK_AGAIN) return void found.refetch();
    const one = found.data?.options.find((option) => option.value === next);
    if (one) remember(one);
    onChange(next === value ? undefined : next);
    combobox.closeDropdown();
    combobox.focusTarget();
  };
  const chosen = value === undefined ? undefined : (choices.chosen?.label ?? (isGone ? 'Not there any more' : '…'));
  return (
    <>
      <ChipFrame name={name} chosen={chosen} store={combobox} onChoose={choose} onClear={() => onChange(undefined)}>
        <Combobox.Search
          role="combobox"
          aria-expanded={isOpen}
          value={typed}
          onChange={(event) => {
            enter.forget();
            setTyped(event.currentTarget.value);
            combobox.resetSelectedOption();
          }}
          onKeyDown={enter.onKeyDown}
          placeholder="Select..."
          aria-label={`Search ${name}`}
        />
        <ChoiceList choices={choices} value={value} emptyText={emptyText} label={name} />
      </ChipFrame>
      <ChoiceNews choices={choices} isOpen={isOpen} />
    </>
  );
}
