import { TextInput, type TextInputProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { SEARCH_DELAY_MS } from '#contract/console-constants.ts';
import { askUnique } from '../api/record.ts';

export interface UniqueRule {
  model: string;
  field: string;
  /** What it must be unique within, such as the region of a vertical. */
  within?: { field: string; id: string };
  /** The record that may keep its value. */
  id?: string | undefined;
}

/** A text that no other record may have: asked for while typing, once it has rested 300 ms (console §9), and told at the input. */
export function UniqueInput({ unique, error, ...props }: TextInputProps & { unique: UniqueRule }) {
  const typed = String(props.value ?? '').trim();
  const taken = useTaken(unique, typed);
  return <TextInput {...props} error={error ?? taken} />;
}

function useTaken({ model, field, within, id }: UniqueRule, typed: string): string | undefined {
  const [first] = useState(typed);
  const [settled] = useDebouncedValue(typed, SEARCH_DELAY_MS);
  // What the record is called already is not asked for.
  const isAsked = settled !== '' && settled === typed && !(id !== undefined && settled === first) && within?.id !== '';
  const condition = { [field]: settled, ...(within && { [within.field]: within.id }), ...(id !== undefined && { _id: id }) };
  const answer = useQuery({
    queryKey: ['unique', model, condition],
    queryFn: ({ signal }) => askUnique(model, condition, signal),
    enabled: isAsked,
    staleTime: 0,
    retry: false,
  });
  return isAsked && answer.data?.isUnique === false ? answer.data.msg : undefined;
}
