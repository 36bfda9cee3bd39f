import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';

interface NumbersRuleProps<Text extends { [name in keyof Text]: string }> {
  /** What it does when it is switched on. */
  label: string;
  /** As it begins. */
  fresh: Text;
  inputs: readonly (readonly [name: keyof Text, label: string, unit: string])[];
  /** The rule in one sentence, as it stands. */
  sentence: (value: Text) => string;
  value: Text | null;
  onChange: (value: Text | null) => void;
  error?: ReactNode;
}

/** A rule of a tier that is some numbers, or none: a switch, a field for each, and what they come to. */
export function NumbersRule<Text extends { [name in keyof Text]: string }>(props: NumbersRuleProps<Text>) {
  const { label, fresh, inputs, sentence, value, onChange, error } = props;
  return (
    <>
      <Switch label={label} checked={value !== null} onChange={(event) => onChange(event.currentTarget.checked ? fresh : null)} />
      {value && (
        <>
          <div className="form-three">
            {inputs.map(([name, text, unit]) => (
              <DigitsInput
                key={String(name)}
                label={text}
                unit={unit}
                value={value[name]}
                onChange={(typed) => onChange({ ...value, [name]: typed })}
              />
            ))}
          </div>
          <p className="muted small rule-says">{sentence(value)}</p>
        </>
      )}
      {error && (
        <p className="bad small rule-says" role="alert">
          {error}
        </p>
      )}
    </>
  );
}
