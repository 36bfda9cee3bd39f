/** The figures that a chart, a map or a comparison can be drawn by. */

import { useCallback } from 'react';
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { LeadMeasures } from '#contract/report.ts';
import { formatCents, formatCount } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';

type Measured = Pick<LeadMeasures, 'attempts' | 'sold' | 'timeouts' | 'revenue' | 'payout' | 'margin' | 'epl'>;

export interface Measure {
  label: string;
  /** A rate in per cent, money in units of the currency. */
  of: (now: Measured) => number;
  text: 'count' | 'money' | 'rate';
}

const rate = (part: (now: Measured) => number) => (now: Measured) => (now.attempts === 0 ? 0 : (part(now) / now.attempts) * 100);

export const MEASURES: Record<string, Measure> = {
  attempts: { label: OUTCOME_WORDS.attempts, of: (now) => now.attempts, text: 'count' },
  sold: { label: OUTCOME_WORDS.sold, of: (now) => now.sold, text: 'count' },
  accepted: { label: ACCEPT_RATE, of: rate((now) => now.sold), text: 'rate' },
  revenue: { label: 'Revenue', of: (now) => Number(now.revenue), text: 'money' },
  payout: { label: 'Payout', of: (now) => Number(now.payout), text: 'money' },
  margin: { label: 'Margin', of: (now) => Number(now.margin), text: 'money' },
  epl: { label: 'EPL', of: (now) => Number(now.epl), text: 'money' },
  timeouts: { label: OUTCOME_WORDS.timeouts, of: rate((now) => now.timeouts), text: 'rate' },
};

/** How a value of a measure is written. */
export function useSay(text: Measure['text']): (value: number) => string {
  const { currency, currencyDisplay } = useReporting();
  return useCallback(
    (value: number) =>
      text === 'money'
        ? formatCents(value.toFixed(2), currency, currencyDisplay)
        : text === 'rate'
          ? `${value.toFixed(1)}%`
          : formatCount(value),
    [text, currency, currencyDisplay],
  );
}
