import type { LeadView } from '#contract/lead.ts';

export interface Share {
  name: string;
  kind: 'own' | 'store' | 'services' | 'buyers';
  ms: number;
  percent: number;
}

/** Where the time went; the shares are of their own sum, so that rounding on the way never leaves a gap in the bar. */
export function timeShares({ ownMs, storeMs, servicesMs, buyersMs }: LeadView['time']): Share[] {
  const sum = ownMs + storeMs + servicesMs + buyersMs || 1;
  const share = (name: string, kind: Share['kind'], ms: number): Share => ({ name, kind, ms, percent: (ms / sum) * 100 });
  return [
    share('Our own work', 'own', ownMs),
    share('Storing', 'store', storeMs),
    // Most leads are checked by nobody.
    ...(servicesMs > 0 ? [share('Waiting for services', 'services', servicesMs)] : []),
    share('Waiting for buyers', 'buyers', buyersMs),
  ];
}

interface Timed {
  offsetMs: number;
  elapsedMs: number;
}

/** Each call as a bar on the lead's own clock, in per cent; even the shortest stays visible. */
export function callBars<Call extends Timed>(
  calls: readonly Call[],
  totalMs: number,
): { bars: { call: Call; left: number; width: number }[]; endMs: number } {
  const endMs = Math.max(totalMs, ...calls.map((one) => one.offsetMs + one.elapsedMs), 1);
  const bars = calls.map((call) => {
    const width = Math.max((call.elapsedMs / endMs) * 100, 0.6);
    return { call, width, left: Math.min((call.offsetMs / endMs) * 100, 100 - width) };
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
