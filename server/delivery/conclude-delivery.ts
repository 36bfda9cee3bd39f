/** What an ended call means for the engine, and what the attempt log keeps of it. Pure. */
import type { Answer } from '#engine/effect.ts';
import type { Instant } from '#engine/plan.ts';
import type { Read, Reading } from './compile-reading.ts';
import type { Build } from './compile-request.ts';
import { maskedRequest, maskSecrets } from './mask-secrets.ts';
import type { BreakPoint } from './open-answer.ts';
import type { OutboundFailure, OutboundResult, OutboundTiming } from './outbound-exchange.ts';
import type { BuildInput, WireRequest, WireResponse, WireWarning } from './wire.ts';

/** What was sent and what came back, for the attempt log: secrets masked, lead values as sent. */
export interface WireRecord {
  request: WireRequest;
  /** null when no answer came in time. */
  response: { status: number; headers: Record<string, string>; body: string } | null;
  failure?: { why: OutboundFailure; detail?: string };
  timing: OutboundTiming;
  readAs?: Reading['readAs'];
  /** The outcome rule that decided, by its place; absent when none did. */
  rule?: number;
  broke?: BreakPoint;
  warnings: WireWarning[];
}

export interface Delivery {
  answer: Answer;
  wire: WireRecord;
  /** The buyer asks not to be called before this instant (429, Retry-After). */
  retryAt?: Instant;
}

/** One call that is over, however it went. */
export interface EndedCall {
  leg: { build: Build; read: Read };
  input: BuildInput;
  request: WireRequest;
  /** What building it had to say. */
  warnings: readonly WireWarning[];
  result: OutboundResult;
  elapsedMs: number;
}

/** Pure: what an ended call means and what the log keeps of it. */
export function concludeDelivery({ leg, input, request, warnings, result, elapsedMs }: EndedCall): Delivery {
  const wire: WireRecord = {
    request: maskedRequest(leg.build, input, request),
    response: null,
    timing: result.timing,
    warnings: [...warnings],
  };
  if (result.kind === 'failure') return concludeFailure(wire, result, elapsedMs);
  const reading = leg.read(result, { ...input, context: { ...input.context, now: input.context.now + Math.round(elapsedMs) } });
  return concludeReading(wire, reading, result, input, request, elapsedMs);
}

function concludeFailure(wire: WireRecord, failure: Extract<OutboundResult, { kind: 'failure' }>, elapsedMs: number): Delivery {
  wire.failure = { why: failure.why, ...(failure.detail === undefined ? {} : { detail: failure.detail }) };
  const outcome = failure.why === 'timeout' ? 'timeout' : 'error';
  const answer: Answer = { outcome, reasons: [failure.why], captures: {}, sent: failure.sent, elapsedMs };
  // Something went out and nothing readable came back: the buyer may have taken it.
  if (failure.sent) answer.unclear = true;
  return { answer, wire };
}

function concludeReading(
  wire: WireRecord,
  reading: Reading,
  response: WireResponse,
  input: BuildInput,
  request: WireRequest,
  elapsedMs: number,
): Delivery {
  const { outcome, price, redirectUrl, reasons, captures, expiresAt } = reading;
  const mask = (text: string) => maskSecrets(text, input, request);
  wire.response = {
    status: response.status,
    headers: flatHeaders(response.headers, mask),
    body: mask(reading.text).replaceAll('\0', '\ufffd'),
  };
  wire.readAs = reading.readAs;
  if (reading.rule !== undefined) wire.rule = reading.rule;
  wire.warnings.push(...reading.warnings);
  if (reading.broke) wire.broke = reading.broke;
  const answer: Answer = { outcome, reasons, captures, sent: true, elapsedMs };
  if (outcome === 'error' && reading.rule === undefined) answer.unclear = true;
  if (price !== undefined) answer.price = price;
  if (redirectUrl !== undefined) answer.redirectUrl = redirectUrl;
  if (expiresAt !== undefined) answer.expiresAt = expiresAt;
  return reading.retryAt === undefined ? { answer, wire } : { answer, wire, retryAt: reading.retryAt };
}

function flatHeaders(headers: WireResponse['headers'], mask: (text: string) => string): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = mask(Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}
