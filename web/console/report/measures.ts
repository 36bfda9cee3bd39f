/** The figures that a chart, a map or a comparison can be drawn by. */

import { useCallback } from 'react';
import type { LeadMeasures } from '#contract/report.ts';
import { FIGURE_WORDS } from '#contract/report-words.ts';
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
  attempts: { label: FIGURE_WORDS.attempts, of: (now) => now.attempts, text: 'count' },
  sold: { label: FIGURE_WORDS.sold, of: (now) => now.sold, text: 'count' },
  accepted: { label: FIGURE_WORDS.soldShare, of: rate((now) => now.sold), text: 'rate' },
  revenue: { label: FIGURE_WORDS.revenue, of: (now) => Number(now.revenue), text: 'money' },
  payout: { label: FIGURE_WORDS.payout, of: (now) => Number(now.payout), text: 'money' },
  margin: { label: FIGURE_WORDS.margin, of: (now) => Number(now.margin), text: 'money' },
  epl: { label: FIGURE_WORDS.epl, of: (now) => Number(now.epl), text: 'money' },
  timeouts: { label: FIGURE_WORDS.timeouts, of: rate((now) => now.timeouts), text: 'rate' },
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
