import { useId } from 'react';

interface RadioLinesProps<Value extends string> {
  label: string;
  value: Value;
  onChange: (value: Value) => void;
  options: readonly { value: Value; label: string; says: string; disabled?: boolean }[];
}

/** One of a few, each with a sentence that says what it means. */
export function RadioLines<Value extends string>({ label, value, onChange, options }: RadioLinesProps<Value>) {
  const name = useId();
  return (
    <fieldset className="lab-radios">
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value} data-off={option.disabled || undefined}>
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={value === option.value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
          />
          <span>
            <strong>{option.label}</strong>
            <small className="muted">{option.says}</small>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
