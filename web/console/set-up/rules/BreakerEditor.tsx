import type { ReactNode } from 'react';
import { type BreakerText, breakerSentence, freshBreaker } from './breaker-text.ts';
import { NumbersRule } from './NumbersRule.tsx';

interface BreakerEditorProps {
  value: BreakerText | null;
  onChange: (value: BreakerText | null) => void;
  error?: ReactNode;
}

const INPUTS = [
  ['failurePercent', 'When so many calls fail', '%'],
  ['minimumCalls', 'Of at least', 'calls'],
  ['lookBackMinutes', 'Within', 'min'],
  ['pauseMinutes', 'Pause for', 'min'],
] as const;

/** When a tier that keeps failing is paused, and for how long. */
export const BreakerEditor = (props: BreakerEditorProps) => (
  <NumbersRule label="Pause this tier when it keeps failing" fresh={freshBreaker} inputs={INPUTS} sentence={breakerSentence} {...props} />
);
