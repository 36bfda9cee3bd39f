interface ChoiceRowProps {
  label: string;
  options: readonly { value: string; label: string }[];
  value: string;
  onChoose: (value: string) => void;
}

/** One of a few, all in sight. */
export function ChoiceRow({ label, options, value, onChoose }: ChoiceRowProps) {
  return (
    <fieldset className="choice-row no-print" aria-label={label}>
      <span className="muted small" aria-hidden="true">
        {label}
      </span>
      {options.map((one) => (
        <button
          key={one.value}
          type="button"
          className="tool-button"
          aria-pressed={one.value === value}
          onClick={() => onChoose(one.value)}
        >
          {one.label}
        </button>
      ))}
    </fieldset>
  );
}
