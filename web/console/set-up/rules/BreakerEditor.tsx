import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { type BreakerText, breakerSentence, freshBreaker } from './breaker-text.ts';

interface BreakerEditorProps {
  value: BreakerText | null;
  onChange: (value: BreakerText | null) => void;
  error?: ReactNode;
}

/** When a tier that keeps failing is paused, and for how long. */
export function BreakerEditor({ value, onChange, error }: BreakerEditorProps) {
  const input = (name: keyof BreakerText, label: string, unit: string) => (
    <DigitsInput label={label} unit={unit} value={value?.[name] ?? ''} onChange={(text) => value && onChange({ ...value, [name]: text })} />
  );
  return (
    <>
      <Switch
        label="Pause this tier when it keeps failing"
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? freshBreaker : null)}
      />
      {value && (
        <>
          <div className="form-three">
            {input('failurePercent', 'When so many calls fail', '%')}
            {input('minimumCalls', 'Of at least', 'calls')}
            {input('lookBackMinutes', 'Within', 'min')}
            {input('pauseMinutes', 'Pause for', 'min')}
          </div>
          <p className="muted small rule-says">{breakerSentence(value)}</p>
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
