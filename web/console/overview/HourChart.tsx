import { useCallback, useState } from 'react';
import type { OverviewAnswer } from '#contract/lead.ts';
import { Chart, type ChartColors } from '#web/ui/Chart.tsx';
import type { ChartOption } from '#web/ui/echarts.ts';
import { formatCount } from '#web/ui/format.ts';
import { IconChartBar, IconTable } from '#web/ui/icons.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { hourLabel } from './hour-label.ts';

type Hour = OverviewAnswer['hours'][number];
type Measure = 'leads' | 'revenue';

export function HourChart({ hours }: { hours: Hour[] }) {
  const [measure, setMeasure] = useState<Measure>('leads');
  const [asTable, setAsTable] = useState(false);
  return (
    <section className="card hour-card" aria-labelledby="hour-title">
      <header>
        <h2 id="hour-title">Hour by hour</h2>
        <div className="row push">
          {/* The table shows both. */}
          {!asTable && (
            <fieldset className="toggle-pair" aria-label="What the chart shows">
              {(['leads', 'revenue'] as const).map((one) => (
                <button key={one} type="button" className="tool-button" aria-pressed={measure === one} onClick={() => setMeasure(one)}>
                  {one === 'leads' ? 'Leads' : 'Revenue'}
                </button>
              ))}
            </fieldset>
          )}
          <button type="button" className="tool-button" onClick={() => setAsTable(!asTable)}>
            {asTable ? <IconChartBar size={15} aria-hidden /> : <IconTable size={15} aria-hidden />}
            {asTable ? 'Show as chart' : 'Show as table'}
          </button>
        </div>
      </header>
      {asTable ? <HourTable hours={hours} /> : <HourBars hours={hours} measure={measure} />}
    </section>
  );
}

function HourBars({ hours, measure }: { hours: Hour[]; measure: Measure }) {
  const { zone } = useReporting();
  const option = useCallback(
    (colors: ChartColors) => (measure === 'leads' ? leadOption(hours, colors, zone) : revenueOption(hours, colors, zone)),
    [hours, measure, zone],
  );
  return (
    <div className="card-body">
      <p className="chart-legend small muted">
        <span>
          <i className="swatch swatch-sold" /> {measure === 'leads' ? 'Sold today' : 'Revenue today'}
        </span>
        {measure === 'leads' && (
          <span>
            <i className="swatch swatch-other" /> Not sold today
          </span>
        )}
        <span>
          <i className="swatch swatch-line" /> {measure === 'leads' ? 'Leads' : 'Revenue'} yesterday
        </span>
      </p>
      <Chart
        label={measure === 'leads' ? 'Leads by hour, today and yesterday' : 'Revenue by hour, today and yesterday'}
        height={250}
        option={option}
      />
    </div>
  );
}

function baseOption(hours: Hour[], colors: ChartColors, zone: Parameters<typeof hourLabel>[1]): ChartOption {
  const text = { color: colors.muted, fontFamily: 'Inter Variable, sans-serif', fontSize: 11.5 };
  return {
    animationDuration: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 260,
    grid: { left: 8, right: 8, top: 12, bottom: 4, outerBoundsMode: 'same' },
    textStyle: { fontFamily: text.fontFamily },
    tooltip: {
      trigger: 'axis',
      axisPointer: { type: 'shadow', shadowStyle: { opacity: 0.08 } },
      backgroundColor: colors.card,
      borderColor: colors.line,
      textStyle: { color: colors.ink, fontSize: 12.5 },
    },
    xAxis: {
      type: 'category',
      data: hours.map((one) => hourLabel(one.hour, zone)),
      axisTick: { show: false },
      axisLine: { lineStyle: { color: colors.line } },
      axisLabel: { ...text, hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1, splitLine: { lineStyle: { color: colors.line } }, axisLabel: text },
  };
}

const yesterdayLine = (name: string, data: number[], colors: ChartColors) => ({
  type: 'line' as const,
  name,
  data,
  symbol: 'none',
  lineStyle: { color: colors.warn, width: 2, type: 'dashed' as const },
  itemStyle: { color: colors.warn },
});

function leadOption(hours: Hour[], colors: ChartColors, zone: Parameters<typeof hourLabel>[1]): ChartOption {
  const bar = { type: 'bar' as const, stack: 'today', barMaxWidth: 26 };
  return {
    ...baseOption(hours, colors, zone),
    series: [
      { ...bar, name: 'Sold today', data: hours.map((one) => one.sold), itemStyle: { color: colors.accent } },
      {
        ...bar,
        name: 'Not sold today',
        data: hours.map((one) => one.leads - one.sold),
        itemStyle: { color: colors.accent, opacity: 0.32, borderRadius: [3, 3, 0, 0] },
      },
      yesterdayLine(
        'Leads yesterday',
        hours.map((one) => one.leadsYesterday),
        colors,
      ),
    ],
  };
}

function revenueOption(hours: Hour[], colors: ChartColors, zone: Parameters<typeof hourLabel>[1]): ChartOption {
  return {
    ...baseOption(hours, colors, zone),
    series: [
      {
        type: 'bar',
        name: 'Revenue today',
        barMaxWidth: 26,
        data: hours.map((one) => Number(one.revenue)),
        itemStyle: { color: colors.accent, borderRadius: [3, 3, 0, 0] },
      },
      yesterdayLine(
        'Revenue yesterday',
        hours.map((one) => Number(one.revenueYesterday)),
        colors,
      ),
    ],
  };
}

function HourTable({ hours }: { hours: Hour[] }) {
  const { zone } = useReporting();
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x hour-table" aria-label="Hour by hour, as a table" tabIndex={0}>
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {['Leads', 'Sold', 'Revenue', 'Leads yesterday', 'Sold yesterday', 'Revenue yesterday'].map((head) => (
              <th key={head} scope="col" className="num">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {hours.map((one) => (
            <tr key={one.hour}>
              <th scope="row">{hourLabel(one.hour, zone)}</th>
              <td className="num">{formatCount(one.leads)}</td>
              <td className="num">{formatCount(one.sold)}</td>
              <td className="num">
                <MoneyText amount={one.revenue} faint />
              </td>
              <td className="num">{formatCount(one.leadsYesterday)}</td>
              <td className="num">{formatCount(one.soldYesterday)}</td>
              <td className="num">
                <MoneyText amount={one.revenueYesterday} faint />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
