import { type ReactNode, useMemo } from 'react';
import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { ReportUnit } from '#contract/report.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { pointLabel } from './point-label.ts';
import { drawnSpan, type ReportSearch, unitOf, units } from './report-search.ts';
import { SeriesChart } from './SeriesChart.tsx';

interface Point {
  at: string;
  now: { attempts: number; sold: number };
}

interface OutcomeChartProps {
  answer: { span: { from: string; to: string }; series: Point[]; seriesBefore: Point[] };
  search: ReportSearch;
  change: (part: ReportSearch) => void;
  /** What an attempt is here. */
  what: string;
  /** Beside the units. */
  tools?: ReactNode;
}

export const unitLabel: Record<ReportUnit, string> = { hour: 'Hour', day: 'Day', week: 'Week', month: 'Month' };

/** The labels of a series, and how fine it is. */
export function usePoints(search: ReportSearch, series: readonly { at: string }[]) {
  const { zone } = useReporting();
  const unit = unitOf(search, drawnSpan(search, zone, Date.now()));
  return useMemo(() => ({ unit, labels: series.map(({ at }) => pointLabel(at, unit, zone, series.length > 26)) }), [series, unit, zone]);
}

/** Attempts by time, what was sold of them, and the attempts of the span before. */
export function OutcomeChart({ answer, search, change, what, tools }: OutcomeChartProps) {
  const { unit, labels } = usePoints(search, answer.series);
  const series = useMemo(
    () => [
      { name: OUTCOME_WORDS.sold, look: 'main' as const, values: answer.series.map(({ now }) => now.sold) },
      { name: 'All others', look: 'faint' as const, values: answer.series.map(({ now }) => now.attempts - now.sold) },
      {
        name: `${what} in the span before`,
        look: 'before' as const,
        values: answer.series.map((_, at) => answer.seriesBefore[at]?.now.attempts ?? null),
      },
    ],
    [answer, what],
  );
  return (
    <SeriesChart
      title={`${what} by ${unit}`}
      unit={unitLabel[unit]}
      labels={labels}
      series={series}
      tools={
        <>
          {tools}
          <UnitChoice search={search} span={answer.span} change={change} />
        </>
      }
    />
  );
}

interface ShownChoiceProps {
  /** By their names in the address; the first of them without one. */
  options: readonly { value: string | undefined; label: string }[];
  value: string | undefined;
  change: (part: ReportSearch) => void;
}

/** What a chart shows: the address says it. */
export function ShownChoice({ options, value, change }: ShownChoiceProps) {
  return (
    <fieldset className="toggle-units" aria-label="What the chart shows">
      {options.map((one) => (
        <button
          key={one.label}
          type="button"
          className="tool-button"
          aria-pressed={one.value === value}
          onClick={() => change({ measure: one.value })}
        >
          {one.label}
        </button>
      ))}
    </fieldset>
  );
}

interface UnitChoiceProps {
  search: ReportSearch;
  span: { from: string; to: string };
  change: (part: ReportSearch) => void;
}

const MOST_HOURS = 24 * 14;

/** Only what still can be read: hours of two weeks, days of two years. */
export function UnitChoice({ search, span, change }: UnitChoiceProps) {
  const hours = (Date.parse(span.to) - Date.parse(span.from)) / 3_600_000;
  const open = units.filter((unit) =>
    unit === 'hour' ? hours <= MOST_HOURS : unit === 'day' ? hours > 25 && hours <= 24 * 750 : hours > 24 * 7,
  );
  const chosen = unitOf(search, span);
  return (
    <fieldset className="toggle-units" aria-label="Units of time">
      {open.map((unit) => (
        <button key={unit} type="button" className="tool-button" aria-pressed={unit === chosen} onClick={() => change({ unit })}>
          {unitLabel[unit]}
        </button>
      ))}
    </fieldset>
  );
}
