import { Combobox, type useCombobox } from '@mantine/core';
import type { ReactNode } from 'react';
import { IconChevronDown, IconPlus, IconX } from './icons.ts';
import './filter-chip.css';

interface ChipFrameProps {
  name: string;
  /** What is chosen, in words; undefined for nothing. */
  chosen: string | undefined;
  store: ReturnType<typeof useCombobox>;
  onChoose: (value: string) => void;
  onClear: () => void;
  /** Its list. */
  children: ReactNode;
}

/** "+ Status" when empty, "Status: Sold ×" when set; its list opens below it. */
export function ChipFrame({ name, chosen, store, onChoose, onClear, children }: ChipFrameProps) {
  return (
    <span className="chip" data-set={chosen !== undefined || undefined}>
      <Combobox store={store} onOptionSubmit={onChoose} width={320} position="bottom-start">
        <Combobox.Target targetType="button">
          <button type="button" className="chip-body" onClick={() => store.toggleDropdown()}>
            {chosen === undefined && <IconPlus size={14} aria-hidden />}
            {name}
            {chosen !== undefined && <strong>{chosen}</strong>}
            {chosen !== undefined && <IconChevronDown size={14} aria-hidden />}
          </button>
        </Combobox.Target>
        <Combobox.Dropdown>{children}</Combobox.Dropdown>
      </Combobox>
      {chosen !== undefined && <ChipClear name={name} onClear={onClear} />}
    </span>
  );
}

/** What the address narrows a list to, and nothing is chosen from: taken away only. */
export function TextChip({ name, text, onClear }: { name: string; text: string; onClear: () => void }) {
  return (
    <span className="chip" data-set>
      <span className="chip-body">
        {name}
        <strong>{text}</strong>
      </span>
      <ChipClear name={name} onClear={onClear} />
    </span>
  );
}

export function ChipClear({ name, onClear }: { name: string; onClear: () => void }) {
  return (
    <button type="button" className="chip-clear" aria-label={`Clear ${name}`} onClick={onClear}>
      <IconX size={14} aria-hidden />
    </button>
  );
}
