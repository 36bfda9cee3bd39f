import type { AttemptView, LeadView } from '#contract/lead.ts';

export interface Share {
  name: string;
  kind: 'own' | 'store' | 'buyers';
  ms: number;
  percent: number;
}

/** Where the time went; the shares are of their own sum, so that rounding on the way never leaves a gap in the bar. */
export function timeShares({ ownMs, storeMs, buyersMs }: LeadView['time']): Share[] {
  const sum = ownMs + storeMs + buyersMs || 1;
  const share = (name: string, kind: Share['kind'], ms: number): Share => ({ name, kind, ms, percent: (ms / sum) * 100 });
  return [share('Our own work', 'own', ownMs), share('Storing', 'store', storeMs), share('Waiting for buyers', 'buyers', buyersMs)];
}

export interface Bar {
  attempt: AttemptView;
  left: number;
  width: number;
}

/** Each attempt as a bar on the lead's own clock, in per cent; even the shortest stays visible. */
export function attemptBars(attempts: readonly AttemptView[], totalMs: number): { bars: Bar[]; endMs: number } {
  const endMs = Math.max(totalMs, ...attempts.map((one) => one.offsetMs + one.elapsedMs), 1);
  const bars = attempts.map((attempt) => {
    const width = Math.max((attempt.elapsedMs / endMs) * 100, 0.6);
    return { attempt, width, left: Math.min((attempt.offsetMs / endMs) * 100, 100 - width) };
  });
  return { bars, endMs };
}

/** Round marks for the clock of the waterfall, four or five of them. */
export function clockMarks(endMs: number): number[] {
  const rough = endMs / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? rough;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, at) => at * step);
}
