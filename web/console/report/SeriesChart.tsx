import { type ReactNode, useCallback, useState } from 'react';
import { Chart, type ChartColors } from '#web/ui/Chart.tsx';
import type { ChartOption } from '#web/ui/echarts.ts';
import { IconChartBar, IconTable } from '#web/ui/icons.ts';

export interface Series {
  name: string;
  /** Of the bars, from the bottom, but for `other`, which stand beside them; lines are `before`, dashed, `line` and `lineBad`. */
  look: 'main' | 'faint' | 'bad' | 'before' | 'other' | 'line' | 'lineBad';
  /** Null where there is nothing to compare with. */
  values: readonly (number | null)[];
  /** As the table and the chart say them; the plain number without. */
  text?: (value: number) => string;
}

interface SeriesChartProps {
  title: string;
  /** What the points are: "Hour", "Day". */
  unit: string;
  labels: readonly string[];
  series: readonly Series[];
  /** Beside the title. */
  tools?: ReactNode;
}

/** Bars of the span with the span before as a line over them; the same as a table. */
export function SeriesChart({ title, unit, labels, series, tools }: SeriesChartProps) {
  const [isTable, setTable] = useState(false);
  return (
    <section className="card series-card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <div className="row push no-print">
          {tools}
          <button type="button" className="tool-button" onClick={() => setTable(!isTable)}>
            {isTable ? <IconChartBar size={15} aria-hidden /> : <IconTable size={15} aria-hidden />}
            {isTable ? 'Show as chart' : 'Show as table'}
          </button>
        </div>
      </header>
      {isTable ? (
        <SeriesTable title={title} unit={unit} labels={labels} series={series} />
      ) : (
        <SeriesBars title={title} labels={labels} series={series} />
      )}
    </section>
  );
}

type Drawn = Pick<SeriesChartProps, 'title' | 'labels' | 'series'>;

function SeriesBars({ title, labels, series }: Drawn) {
  const option = useCallback((colors: ChartColors) => optionOf(labels, series, colors), [labels, series]);
  return (
    <div className="card-body">
      <p className="series-legend small muted">
        {series.map(({ name, look }) => (
          <span key={name}>
            <i className={`swatch series-${look}`} /> {name}
          </span>
        ))}
      </p>
      <Chart label={title} height={240} option={option} />
    </div>
  );
}

function optionOf(labels: readonly string[], series: readonly Series[], colors: ChartColors): ChartOption {
  const text = { color: colors.muted, fontFamily: 'Inter Variable, sans-serif', fontSize: 11.5 };
  const bars = series.filter(({ look }) => !isLine(look));
  const fill = { main: colors.accent, faint: colors.accent, bad: colors.warn, other: colors.warn };
  const stroke = { before: colors.muted, line: colors.accent, lineBad: colors.warn };
  // Where all is lines, their values are told at the axis too.
  const atAxis = bars.length === 0 ? series[0]?.text : undefined;
  return {
    animationDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 260,
    grid: { left: 8, right: 12, top: 14, bottom: 4, containLabel: true },
    tooltip: {
      trigger: 'axis',
      backgroundColor: colors.card,
      borderColor: colors.line,
      textStyle: { color: colors.ink, fontSize: 12.5 },
    },
    xAxis: {
      type: 'category',
      data: [...labels],
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colors.line } },
      axisLabel: { ...text, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      splitLine: { lineStyle: { color: colors.line } },
      axisLabel: { ...text, ...(atAxis && { formatter: (value: number) => atAxis(value) }) },
    },
    series: series.map(({ name, look, values, text: say }) =>
      isLine(look)
        ? {
            type: 'line' as const,
            name,
            ...(say && { tooltip: { valueFormatter: (value: unknown) => sayOr(say, value) } }),
            data: [...values],
            // A point between two of which nothing is known would not be seen otherwise.
            ...(look === 'before' ? { symbol: 'none' } : { symbol: 'circle', symbolSize: 4 }),
            lineStyle: { color: stroke[look], width: 1.6, ...(look === 'before' && { type: 'dashed' as const }) },
            itemStyle: { color: stroke[look] },
          }
        : {
            type: 'bar' as const,
            name,
            ...(say && { tooltip: { valueFormatter: (value: unknown) => sayOr(say, value) } }),
            stack: look === 'other' ? 'other' : 'now',
            barMaxWidth: 28,
            data: [...values],
            itemStyle: {
              color: fill[look],
              ...(look === 'faint' && { opacity: 0.32 }),
              ...((look === 'other' || name === bars.findLast((one) => one.look !== 'other')?.name) && { borderRadius: [3, 3, 0, 0] }),
            },
          },
    ),
  };
}

const LINES = ['before', 'line', 'lineBad'] as const;
const isLine = (look: Series['look']): look is (typeof LINES)[number] => (LINES as readonly string[]).includes(look);
const sayOr = (say: (value: number) => string, value: unknown): string => (typeof value === 'number' ? say(value) : '–');

function SeriesTable({ title, unit, labels, series }: Drawn & { unit: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x series-table" aria-label={`${title}, as a table`} tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{unit}</th>
            {series.map(({ name }) => (
              <th key={name} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {labels.map((label, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the hour that comes twice in autumn has its label twice
            <tr key={`${label} ${at}`}>
              <th scope="row">{label}</th>
              {series.map(({ name, values, text = (value) => value.toLocaleString('en') }) => (
                <td key={name} className="num">
                  {values[at] === undefined || values[at] === null ? '–' : text(values[at])}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
