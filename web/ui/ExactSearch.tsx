import { CloseButton, TextInput } from '@mantine/core';
import { type KeyboardEvent, useState } from 'react';
import { IconSearch } from './icons.ts';

interface ExactSearchProps {
  value: string;
  label: string;
  placeholder: string;
  className: string;
  /** Where `/` leads to; one of a page. */
  isFirst?: boolean;
  onSearch: (text: string) => void;
}

/** Runs on Enter: the server looks for exact values, so a half-typed address can find nothing. */
export function ExactSearch({ value, label, placeholder, className, isFirst = true, onSearch }: ExactSearchProps) {
  const [text, setText] = useState(value);
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') onSearch(text.trim());
    if (event.key === 'Escape' && text !== value) setText(value);
    else if (event.key === 'Escape') event.currentTarget.blur();
  };
  const clear = () => {
    setText('');
    if (value !== '') onSearch('');
  };
  return (
    <>
      <TextInput
        {...(isFirst && { 'data-search': true })}
        className={className}
        size="sm"
        aria-label={label}
        placeholder={placeholder}
        leftSection={<IconSearch size={16} aria-hidden />}
        rightSection={text !== '' && <CloseButton size="md" aria-label="Clear the search" onClick={clear} />}
        value={text}
        maxLength={200}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {value !== '' && <span className="print-words" data-words={`${label}: ${value}`} />}
    </>
  );
}
