import type { ReactNode } from 'react';
import { NumbersRule } from './NumbersRule.tsx';
import { freshThrottle, type ThrottleText, throttleSentence } from './throttle-text.ts';

interface ThrottleEditorProps {
  value: ThrottleText | null;
  onChange: (value: ThrottleText | null) => void;
  error?: ReactNode;
}

const INPUTS = [
  ['failurePercent', 'When so many calls fail', '%'],
  ['slowPercent', 'Or so many calls are slow', '%'],
  ['slowMs', 'Slow is longer than', 'ms'],
  ['minimumCalls', 'Of at least', 'calls'],
  ['lookBackMinutes', 'Within', 'min'],
  ['sharePercent', 'Send only so many leads', '%'],
] as const;

/** When a tier gets a share of its leads only, and how large that is. */
export const ThrottleEditor = (props: ThrottleEditorProps) => (
  <NumbersRule
    label="Send fewer leads while it is slow or fails"
    fresh={freshThrottle}
    inputs={INPUTS}
    sentence={throttleSentence}
    {...props}
  />
);
