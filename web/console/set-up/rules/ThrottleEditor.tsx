import { Switch } from '@mantine/core';
import type { ReactNode } from 'react';
import { DigitsInput } from '#web/ui/inputs/DigitsInput.tsx';
import { freshThrottle, type ThrottleText, throttleSentence } from './throttle-text.ts';

interface ThrottleEditorProps {
  value: ThrottleText | null;
  onChange: (value: ThrottleText | null) => void;
  error?: ReactNode;
}

/** When a tier gets a share of its leads only, and how large that is. */
export function ThrottleEditor({ value, onChange, error }: ThrottleEditorProps) {
  const input = (name: keyof ThrottleText, label: string, unit: string) => (
    <DigitsInput label={label} unit={unit} value={value?.[name] ?? ''} onChange={(text) => value && onChange({ ...value, [name]: text })} />
  );
  return (
    <>
      <Switch
        label="Send fewer leads while it is slow or fails"
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? freshThrottle : null)}
      />
      {value && (
        <>
          <div className="form-three">
            {input('failurePercent', 'When so many calls fail', '%')}
            {input('slowPercent', 'Or so many calls are slow', '%')}
            {input('slowMs', 'Slow is longer than', 'ms')}
            {input('minimumCalls', 'Of at least', 'calls')}
            {input('lookBackMinutes', 'Within', 'min')}
            {input('sharePercent', 'Send only so many leads', '%')}
          </div>
          <p className="muted small rule-says">{throttleSentence(value)}</p>
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
