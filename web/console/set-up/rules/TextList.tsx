import { TagsInput, type TagsInputProps } from '@mantine/core';
import { type ClipboardEvent, useState } from 'react';
import { formatCount } from '#web/ui/format.ts';
import { type ListLimits, listPasted, sayTaken, type TakenValues, takeValues } from './value-list.ts';
import '../record-form.css';

interface TextListProps extends TagsInputProps {
  limits: ListLimits;
}

/** A list of texts, each a tag; a pasted list is taken one by one, and what became of it is said. */
export function TextList({ value = [], onChange, limits, ...input }: TextListProps) {
  const [taken, setTaken] = useState<TakenValues | null>(null);
  const onPaste = (event: ClipboardEvent) => {
    const text = listPasted(event, limits);
    if (text === null) return;
    event.preventDefault();
    event.stopPropagation();
    const found = takeValues(text, value, limits);
    setTaken(found);
    onChange?.(found.values);
  };
  return (
    <div className="value-list" onPasteCapture={onPaste}>
      <TagsInput
        placeholder={value.length === 0 ? 'Type, then Enter; or paste a list' : undefined}
        maxTags={limits.most}
        maxLength={limits.longest}
        {...input}
        value={value}
        onChange={(next) => {
          setTaken(null);
          onChange?.(next);
        }}
      />
      <p className="muted small" role="status">
        {taken && sayTaken(taken, formatCount, limits)}
      </p>
    </div>
  );
}
