import { TextInput, type TextInputProps } from '@mantine/core';
import { useReporting } from '../reporting.tsx';
import { keepAmount } from './number-text.ts';

/** As a form's getInputProps hands them over: the value is always a text. */
type Props = Omit<TextInputProps, 'value' | 'onChange'> & { value?: string; onChange: (text: string) => void };

/** Money as people write it: nine digits, a dot, four digits (console §5). `unit` stands in place of the currency, for percents. */
export function AmountInput({ value = '', onChange, onBlur, unit, ...rest }: Props & { unit?: string }) {
  const { currency } = useReporting();
  return (
    <TextInput
      {...rest}
      value={value}
      inputMode="decimal"
      autoComplete="off"
      rightSection={<span className="muted small">{unit ?? currency}</span>}
      rightSectionWidth={48}
      rightSectionPointerEvents="none"
      onChange={(event) => onChange(keepAmount(event.currentTarget.value))}
      onBlur={(event) => {
        // "12." is on the way to something; left alone it is twelve.
        if (value.endsWith('.')) onChange(value.slice(0, -1));
        onBlur?.(event);
      }}
    />
  );
}
