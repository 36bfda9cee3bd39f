/** Answer times as lines of a chart: half and nine of ten of the calls of each point. */
import { formatElapsed } from '#web/ui/format.ts';
import type { Series } from './SeriesChart.tsx';

interface Times {
  p50Ms: number | null;
  p90Ms: number | null;
}

export const timeLines = (points: readonly Times[]): Series[] => [
  { name: 'Half within', look: 'line', values: points.map(({ p50Ms }) => p50Ms), text: formatElapsed },
  { name: 'Nine of ten within', look: 'lineBad', values: points.map(({ p90Ms }) => p90Ms), text: formatElapsed },
];

/** Nine of ten of the span before, at the same places. */
export const timeLineBefore = (points: readonly Times[], length: number): Series => ({
  name: 'Nine of ten in the span before',
  look: 'before',
  values: Array.from({ length }, (_, at) => points[at]?.p90Ms ?? null),
  text: formatElapsed,
});
