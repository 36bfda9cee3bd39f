/**
 * Traces of leads: a span for each step from the call of a publisher to its answer. Nothing of a lead but ids of ours and words from short lists ever stands in one.
 * Where no collector is set `begin` returns undefined, and nothing else is done (decision 0036).
 */
import { isInShare, newSpanId, newTraceId, readTraceparent, type TraceContext, writeTraceparent } from './trace-context.ts';

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;
/** As OTLP numbers them. */
export const SPAN_KINDS = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof SPAN_KINDS;

/** A step that is over. */
export interface SpanRecord {
  traceId: string;
  spanId: string;
  parentId: string | undefined;
  name: string;
  kind: SpanKind;
  /** Milliseconds since the epoch, with fractions. */
  startedAt: number;
  endedAt: number;
  attributes: Attributes;
  hasFailed: boolean;
  /** The step of the caller's own trace that it was asked for in, as the caller says. */
  link?: Pick<TraceContext, 'traceId' | 'spanId'> | undefined;
}

export interface Span {
  /** A step within this one. */
  begin(name: string, attributes?: Attributes, kind?: SpanKind): Span;
  /** How others name this step. */
  traceparent: string;
  /** Once; what is said here is added. */
  end(attributes?: Attributes, hasFailed?: boolean): void;
}

export interface Tracer {
  /** The first step of a call, of a trace of its own; where `traceparent` names one of the caller's, it is linked to that. Undefined where it is not kept. */
  begin(name: string, traceparent: unknown): Span | undefined;
  /** Spans that wait to be sent. */
  waiting(): number;
  /** Sends what waits, for a moment. */
  close(): Promise<void>;
}

export interface TracerOptions {
  /** Takes a span at once, and never throws. */
  keep: (span: SpanRecord) => void;
  waiting: () => number;
  close: () => Promise<void>;
  /** Of all traces, from 0 to 1. */
  share: number;
  clock: () => number;
}

/** Anybody may call: neither which trace is kept nor what it is called is for the caller to say, only what it is linked to. */
export function openTracer({ keep, waiting, close, share, clock }: TracerOptions): Tracer {
  function beginSpan(
    traceId: string,
    parentId: string | undefined,
    name: string,
    kind: SpanKind,
    first: Attributes,
    link?: SpanRecord['link'],
  ): Span {
    const spanId = newSpanId();
    const startedAt = clock();
    let isOver = false;
    return {
      begin: (inner, attributes = {}, innerKind = 'internal') => beginSpan(traceId, spanId, inner, innerKind, attributes),
      traceparent: writeTraceparent({ traceId, spanId, isSampled: true }),
      end(attributes = {}, hasFailed = false) {
        if (isOver) return;
        isOver = true;
        keep({
          traceId,
          spanId,
          parentId,
          name,
          kind,
          startedAt,
          endedAt: clock(),
          attributes: { ...first, ...attributes },
          hasFailed,
          link,
        });
      },
    };
  }

  return {
    begin(name, traceparent) {
      const traceId = newTraceId();
      return isInShare(traceId, share) ? beginSpan(traceId, undefined, name, 'server', {}, readTraceparent(traceparent)) : undefined;
    },
    waiting,
    close,
  };
}

/** Where no collector is set. */
export const NO_TRACER: Tracer = { begin: () => undefined, waiting: () => 0, close: async () => {} };

/** Does `work` within a step of `outer`, where there is one; a promise that it returns is waited for, and what fails marks the step. */
export function traced<T>(outer: Span | undefined, name: string, work: () => T): T {
  if (!outer) return work();
  const span = outer.begin(name);
  const fail = (error: unknown): never => {
    span.end({}, true);
    throw error;
  };
  try {
    const result = work();
    if (!(result instanceof Promise)) {
      span.end();
      return result;
    }
    return result.then((value) => {
      span.end();
      return value;
    }, fail) as T;
  } catch (error) {
    return fail(error);
  }
}
