import { CloseButton, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useState } from 'react';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { IconSearch } from './icons.ts';

interface SearchBoxProps {
  /** What is searched for now, as the address says it. */
  value: string;
  label: string;
  className: string;
  onSearch: (text: string) => void;
}

/** Searches 300 ms after the last key (console §9), and at once on Enter; Escape brings back what is searched for. */
export function SearchBox({ value, label, className, onSearch }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const [asked, setAsked] = useState(value);
  // An address that somebody else has changed, such as the way back, is what the box says; one's own search is there already.
  if (asked !== value) {
    setAsked(value);
    if (text.trim() !== value) setText(value);
  }
  const settle = useDebouncedCallback(onSearch, SEARCH_DELAY_MS);
  const type = (next: string) => {
    setText(next);
    settle(next.trim());
  };
  return (
    <>
      <TextInput
        data-search
        size="sm"
        className={className}
        aria-label={label}
        placeholder={label}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={text !== '' && <CloseButton size="md" aria-label="Clear the search" onClick={() => type('')} />}
        value={text}
        maxLength={200}
        autoComplete="off"
        onChange={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') settle.flush();
          if (event.key === 'Escape') type(value);
        }}
      />
      {value !== '' && <span className="print-words" data-words={`${label}: ${value}`} />}
    </>
  );
}
