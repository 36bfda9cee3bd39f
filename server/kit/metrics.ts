/** Figures for Prometheus at /metrics; names and labels only, nothing of a lead. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export interface Metrics {
  contentType: string;
  text(): Promise<string>;
  leadEnded(status: string, ownMs: number, storeMs: number): void;
}

export function openMetrics(gauges: { inFlightBatches: () => { batches: number; works: number } }): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'sluice_' });
  const leads = new Counter({
    name: 'sluice_leads_total',
    help: 'Leads that ended, by status.',
    labelNames: ['status'],
    registers: [registry],
  });
  const own = new Histogram({
    name: 'sluice_lead_own_seconds',
    help: 'Our own time per lead, without buyers.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
    registers: [registry],
  });
  const store = new Histogram({
    name: 'sluice_lead_store_seconds',
    help: 'Time per lead waited for the database.',
    buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1],
    registers: [registry],
  });
  new Gauge({
    name: 'sluice_store_batches',
    help: 'Transactions of the lead store since the start.',
    registers: [registry],
    collect() {
      this.set(gauges.inFlightBatches().batches);
    },
  });
  new Gauge({
    name: 'sluice_store_works',
    help: 'Things those transactions carried.',
    registers: [registry],
    collect() {
      this.set(gauges.inFlightBatches().works);
    },
  });
  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    leadEnded(status, ownMs, storeMs) {
      leads.inc({ status });
      own.observe(ownMs / 1000);
      store.observe(storeMs / 1000);
    },
  };
}
