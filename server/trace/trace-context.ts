/** How a trace is named over HTTP: the header `traceparent` (W3C Trace Context, level 1). */
import { randomFillSync } from 'node:crypto';

export interface TraceContext {
  /** 32 hex digits. */
  traceId: string;
  /** 16 hex digits: the span that goes on here. */
  spanId: string;
  /** Whether whoever began it keeps it. */
  isSampled: boolean;
}

const SHAPE = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for what is none: the trace then begins here. */
export function readTraceparent(header: unknown): TraceContext | undefined {
  const [, version, traceId, spanId, flags, more] = (typeof header === 'string' && SHAPE.exec(header)) || [];
  if (!version || !traceId || !spanId || !flags) return undefined;
  // Version 00 has nothing behind the flags; ff is no version.
  if (version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const writeTraceparent = ({ traceId, spanId, isSampled }: TraceContext): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

export const newTraceId = (): string => drawHex(16);
export const newSpanId = (): string => drawHex(8);

// One draw of chance serves many ids: a call for each costs more than all else of a span.
const chance = Buffer.alloc(4_096);
let used = chance.length;

function drawHex(bytes: number): string {
  if (used + bytes > chance.length) {
    randomFillSync(chance);
    used = 0;
  }
  used += bytes;
  return chance.toString('hex', used - bytes, used);
}

/** The same answer for one trace wherever it is asked: the last 56 bits of its id are below the share. */
export function isInShare(traceId: string, share: number): boolean {
  return share >= 1 || Number.parseInt(traceId.slice(18), 16) < share * 2 ** 56;
}
