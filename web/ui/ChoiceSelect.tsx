import { Combobox, InputBase, type InputBaseProps, useCombobox } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { ASK_AGAIN, ChoiceList, ChoiceNews } from './ChoiceList.tsx';
import { type Choice, type ChoiceSource, useChoices } from './choices.ts';
import { useEnterTakesFirst } from './use-enter-takes-first.ts';

interface ChoiceSelectProps<One extends Choice> extends Omit<InputBaseProps, 'component'>, Pick<ComponentProps<'input'>, 'onBlur'> {
  source: ChoiceSource<One>;
  /** '' for none. */
  value?: string | undefined;
  onChange: (value: string, one: One | undefined) => void;
  emptyText: string;
  /** What stands before the records, such as "Nobody". */
  first?: readonly Choice[];
  /** Said in place of the name of a record that is not there any more. */
  goneText?: string;
  placeholder?: string;
  'aria-label'?: string;
}

/**
 * A select whose records are asked for (console §2: its texts, and a search that waits 300 ms): 20 at a time for what is typed. What is
 * chosen stands there by its name, found or not.
 */
export function ChoiceSelect<One extends Choice>(props: ChoiceSelectProps<One>) {
  const {
    source,
    value = '',
    onChange,
    emptyText,
    first = [],
    goneText = 'Not there any more',
    placeholder = 'Select...',
    ...input
  } = props;
  const [typed, setTyped] = useState<string>();
  const combobox = useCombobox({
    onDropdownOpen: () => combobox.updateSelectedOptionIndex('active', { scrollIntoView: true }),
    onDropdownClose: () => {
      enter.forget();
      setTyped(undefined);
      combobox.resetSelectedOption();
    },
  });
  const isOpen = combobox.dropdownOpened;
  const fixed = first.find((one) => one.value === value);
  const choices = useChoices(source, fixed ? '' : value, typed ?? '', isOpen);
  const { found, isBehind, isGone, remember } = choices;
  const name = fixed?.label ?? choices.chosen?.label ?? (isGone ? goneText : '');
  const enter = useEnterTakesFirst(combobox, typed ?? '', isBehind ? undefined : found.data);
  const choose = (next: string) => {
    if (next === ASK_AGAIN) return void found.refetch();
    const one = found.data?.options.find((option) => option.value === next);
    if (one) remember(one);
    combobox.closeDropdown();
    if (next !== value) onChange(next, one);
  };
  const label = input['aria-label'] ?? (typeof input.label === 'string' ? input.label : 'Choices');
  return (
    <>
      <Combobox store={combobox} onOptionSubmit={choose} disabled={Boolean(input.disabled)} size={input.size ?? 'sm'}>
        <Combobox.Target withExpandedAttribute>
          <InputBase
            {...input}
            rightSection={<Combobox.Chevron size="sm" />}
            rightSectionPointerEvents="none"
            placeholder={placeholder}
            value={typed ?? name}
            spellCheck={false}
            onChange={(event) => {
              enter.forget();
              setTyped(event.currentTarget.value);
              combobox.resetSelectedOption();
              combobox.openDropdown();
            }}
            onClick={(event) => {
              if (!isOpen) event.currentTarget.select();
              combobox.openDropdown();
            }}
            onKeyDown={enter.onKeyDown}
            onBlur={(event) => {
              combobox.closeDropdown();
              input.onBlur?.(event);
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown>
          <ChoiceList choices={choices} value={value} first={first} emptyText={emptyText} label={label} />
        </Combobox.Dropdown>
      </Combobox>
      <ChoiceNews choices={choices} isOpen={isOpen} />
    </>
  );
}
