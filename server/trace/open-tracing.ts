/** Tracing as the operator set it up; nothing at all where no collector is named. */
import type { Config } from '#server/kit/config.ts';
import type { Counting } from '#server/metric/open-metrics.ts';
import { openSpanSender } from './span-sender.ts';
import { NO_TRACER, openTracer, type Tracer } from './tracer.ts';

export function openTracing(
  { endpoint, headers, share }: Config['traces'],
  node: { version: string; nodeId: string },
  clock: () => number,
  metrics: Counting,
): Tracer {
  if (!endpoint || share === 0) return NO_TRACER;
  const sender = openSpanSender({
    endpoint,
    headers,
    resource: { 'service.name': 'sluice', 'service.version': node.version, 'service.instance.id': node.nodeId },
    counted: (outcome, spans) => metrics.add('sluice_trace_spans_total', { outcome }, spans),
  });
  return openTracer({ ...sender, share, clock });
}
