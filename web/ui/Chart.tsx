import { useComputedColorScheme } from '@mantine/core';
import { Suspense, use, useEffect, useRef } from 'react';
import type { ChartOption, EchartsKit } from './echarts.ts';

let loading: Promise<EchartsKit> | undefined;
/** ECharts is as big as the rest of the console: it comes when the first chart does. */
const loadEcharts = () => {
  loading ??= import('./echarts.ts').then((module) => module.echartsKit);
  return loading;
};

export interface ChartColors {
  ink: string;
  muted: string;
  line: string;
  card: string;
  accent: string;
  accentSoft: string;
  good: string;
  warn: string;
}

function readColors(): ChartColors {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--s-${name}`).trim();
  return {
    ink: color('ink'),
    muted: color('muted'),
    line: color('line'),
    card: color('card'),
    accent: color('accent'),
    accentSoft: color('accent-soft'),
    good: color('good'),
    warn: color('warn'),
  };
}

interface ChartProps {
  label: string;
  height: number;
  /** Called again when the scheme changes; the colours are the page's own. */
  option: (colors: ChartColors) => ChartOption;
}

export function Chart(props: ChartProps) {
  return (
    <Suspense fallback={<div style={{ height: props.height }} />}>
      <LoadedChart {...props} />
    </Suspense>
  );
}

function LoadedChart({ label, height, option }: ChartProps) {
  const kit = use(loadEcharts());
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  useEffect(() => {
    if (!box.current) return;
    const chart = kit.init(box.current);
    const observer = new ResizeObserver(() => chart.resize());
    observer.observe(box.current);
    return () => {
      observer.disconnect();
      chart.dispose();
    };
  }, [kit]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new scheme means new colours in the same option
  useEffect(() => {
    const chart = box.current && kit.of(box.current);
    if (!chart) return;
    chart.setOption(option(readColors()), { notMerge: true });
    // Paper is white and as wide as a sheet whatever the screen is, and waits for no animation.
    const paper = matchMedia('print');
    const redraw = () => {
      chart.resize();
      chart.setOption({ ...option(readColors()), animation: false }, { notMerge: true });
      chart.getZr().flush();
    };
    paper.addEventListener('change', redraw);
    return () => paper.removeEventListener('change', redraw);
  }, [kit, option, scheme]);
  return <div ref={box} role="img" aria-label={label} className="chart" style={{ height, width: '100%' }} />;
}
