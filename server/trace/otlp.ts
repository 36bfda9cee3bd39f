/** Spans as OTLP/HTTP wants them in JSON (opentelemetry-proto, ExportTraceServiceRequest): ids in hex, times as text of nanoseconds. */
import { type Attributes, SPAN_KINDS, type SpanRecord } from './tracer.ts';

const ERROR = 2;

export function otlpOf(resource: Readonly<Record<string, string>>, spans: readonly SpanRecord[]) {
  return {
    resourceSpans: [
      {
        resource: { attributes: attributesOf(resource) },
        scopeSpans: [{ scope: { name: 'sluice' }, spans: spans.map(spanOf) }],
      },
    ],
  };
}

function spanOf({ traceId, spanId, parentId, name, kind, startedAt, endedAt, attributes, hasFailed, link }: SpanRecord) {
  return {
    traceId,
    spanId,
    ...(parentId && { parentSpanId: parentId }),
    name,
    kind: SPAN_KINDS[kind],
    startTimeUnixNano: nanosecondsOf(startedAt),
    endTimeUnixNano: nanosecondsOf(endedAt),
    attributes: attributesOf(attributes),
    ...(link && { links: [{ traceId: link.traceId, spanId: link.spanId }] }),
    ...(hasFailed && { status: { code: ERROR } }),
  };
}

/** A number of JavaScript holds microseconds of today, and no nanoseconds. */
const nanosecondsOf = (ms: number): string => `${Math.round(ms * 1_000)}000`;

const attributesOf = (attributes: Attributes) =>
  Object.entries(attributes).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: otlpValue(value) }]));

function otlpValue(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
