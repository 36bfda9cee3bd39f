/** The figures of one node for Prometheus: counted where things happen, read at /metrics. Names and labels only, nothing of a lead. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import {
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  METRICS,
  type MetricEntry,
  type MetricName,
} from './metric-list.ts';

export interface Metrics {
  contentType: string;
  /** What Prometheus reads. */
  text(): Promise<string>;
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, by?: number): void;
  /** In the unit of its name: seconds. */
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** `read` is asked at each reading, and says the value of each label set there is then. */
  follow<Name extends GaugeName>(name: Name, read: (set: (labels: LabelsOf<Name>, value: number) => void) => void): void;
  /** Done before each reading, for gauges that share a source. */
  before(work: () => Promise<unknown>): void;
  /** All names that there are, those of the process among them. */
  names(): { name: string; help: string; kind: string }[];
  close(): void;
}

/** What those need that count alone. */
export type Counting = Pick<Metrics, 'add' | 'observe'>;

export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  const entries = Object.entries(METRICS) as [MetricName, MetricEntry][];
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  const reads = new Map<string, (gauge: Gauge) => void>();
  for (const [name, { kind, help, labels: labelNames, buckets }] of entries) {
    const told = { name, help, labelNames: [...labelNames], registers: [registry] };
    if (kind === 'counter') counters.set(name, new Counter(told));
    else if (kind === 'histogram') histograms.set(name, new Histogram({ ...told, buckets: [...buckets!] }));
    else
      new Gauge({
        ...told,
        collect() {
          // What was there at the last reading may be gone.
          this.reset();
          if (labelNames.length === 0) this.remove();
          reads.get(name)?.(this);
        },
      });
  }
  const first: (() => Promise<unknown>)[] = [];
  return {
    contentType: registry.contentType,
    async text() {
      await Promise.all(first.map((work) => work().catch(() => {})));
      return registry.metrics();
    },
    add: (name, labels, by = 1) => counters.get(name)!.inc(labels, by),
    observe: (name, labels, value) => histograms.get(name)!.observe(labels, value),
    follow(name, read) {
      reads.set(name, (gauge) => read((labels, value) => gauge.set(labels, value)));
    },
    before: (work) => void first.push(work),
    names: () => registry.getMetricsAsArray().map((one) => ({ name: one.name, help: one.help, kind: String(one.type) })),
    close: () => registry.clear(),
  };
}

/** Where nothing is counted: a past that is made up, tools and tests. */
export const NO_COUNTING: Counting = { add: () => {}, observe: () => {} };
