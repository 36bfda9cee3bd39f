import { TextInput, type TextInputProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { isDigitKey, keepDigits, keepNumber } from './number-text.ts';

type Props<Value> = Omit<TextInputProps, 'value' | 'onChange'> & {
  value?: Value;
  onChange: (value: Value) => void;
  /** Stands at the right end: 'ms'. */
  unit?: string;
  /** How many digits at most; ten when absent. */
  digits?: number;
};

/** Whole numbers as a text: digits only, whatever is typed or pasted (console §5). */
export function DigitsInput({ value = '', onChange, digits = 10, ...rest }: Props<string>) {
  return <DigitKeys {...rest} value={value} onText={(text) => onChange(keepDigits(text).slice(0, digits))} />;
}

/** Whole numbers as a number: empty, and not zero, when no digit remains (console §5). */
export function WholeNumberInput({ value = '', onChange, digits = 10, ...rest }: Props<number | ''>) {
  return <DigitKeys {...rest} value={String(value)} onText={(text) => onChange(keepNumber(keepDigits(text).slice(0, digits)))} />;
}

/** Other keys than those of digits, backspace and delete type nothing (console §5); shortcuts are no typing. */
const holdOthers = (event: KeyboardEvent<HTMLInputElement>): void => {
  if (!event.ctrlKey && !event.metaKey && !event.altKey && !isDigitKey(event.key)) event.preventDefault();
};

function DigitKeys({ unit, onText, ...rest }: Omit<TextInputProps, 'onChange'> & { unit?: string; onText: (text: string) => void }) {
  return (
    <TextInput
      {...rest}
      inputMode="numeric"
      autoComplete="off"
      {...(unit && {
        rightSection: <span className="muted small">{unit}</span>,
        rightSectionWidth: 48,
        rightSectionPointerEvents: 'none' as const,
      })}
      onKeyDown={holdOthers}
      onChange={(event) => onText(event.currentTarget.value)}
    />
  );
}
