/** One call to one buyer: build, send, read. The shell's answer to the engine's BuyerCall, with a record for the attempt log. */
import type { EndpointConfig, LegConfig } from '#contract/endpoint.ts';
import type { Answer, BuyerCall } from '#engine/effect.ts';
import type { Instant } from '#engine/plan.ts';
import { compileReading, type Read, type Reading } from './compile-reading.ts';
import { type Build, compileRequest } from './compile-request.ts';
import { maskedRequest, maskSecrets } from './mask-secrets.ts';
import type { BreakPoint } from './open-answer.ts';
import type { Outbound } from './outbound.ts';
import type { LateAnswer, OutboundFailure, OutboundResult, OutboundTiming } from './outbound-exchange.ts';
import type { BuildInput, DeliveryContext, LeadValues, WireRequest, WireResponse, WireWarning } from './wire.ts';

/** A leg with its paths, expressions and templates prepared; keep it as long as the configuration stands. */
export interface CompiledLeg {
  build: Build;
  read: Read;
}

/** One buyer tier on the wire. Calls of one `bulkhead` (the buyer's id) share a concurrency limit. */
export interface TierWire {
  bulkhead: string;
  ping?: CompiledLeg;
  post: CompiledLeg;
}

/** What was sent and what came back, for the attempt log: secrets masked, lead values as sent. */
export interface WireRecord {
  request: WireRequest;
  /** null when no answer came in time. */
  response: { status: number; headers: Record<string, string>; body: string } | null;
  failure?: { why: OutboundFailure; detail?: string };
  timing: OutboundTiming;
  readAs?: Reading['readAs'];
  broke?: BreakPoint;
  warnings: WireWarning[];
}

export interface Delivery {
  answer: Answer;
  wire: WireRecord;
  /** The buyer asks not to be called before this instant (429, Retry-After). */
  retryAt?: Instant;
}

/** For a validated configuration; throws on one that never was. */
export function compileLeg(config: LegConfig): CompiledLeg {
  return { build: compileRequest(config), read: compileReading(config.response, config.url) };
}

export function compileTier(endpoint: EndpointConfig, bulkhead: string): TierWire {
  const post = compileLeg(endpoint.post);
  return endpoint.ping ? { bulkhead, ping: compileLeg(endpoint.ping), post } : { bulkhead, post };
}

/**
 * Never rejects. A failure of the wire is an answer too: `timeout` or `error` with the reason in a word.
 * `onLate` hears the answer to a post that came within the grace period after its time limit.
 */
export async function deliver(
  outbound: Outbound,
  tier: TierWire,
  call: BuyerCall,
  lead: LeadValues,
  context: DeliveryContext,
  onLate?: (late: Delivery) => void,
): Promise<Delivery> {
  const leg = call.leg === 'ping' ? tier.ping : tier.post;
  if (!leg) throw new Error('endpoint_ping_missing: a tier without a ping leg was asked for a bid.');
  const input: BuildInput = { lead, context, call };
  const startedAt = performance.now();
  const { request, warnings } = leg.build(input);
  const conclude = (result: OutboundResult, elapsedMs: number) => concludeDelivery({ leg, input, request, warnings, result, elapsedMs });
  const listens = onLate && call.leg === 'post';
  const result = await outbound.call({
    request,
    timeoutMs: call.timeoutMs,
    bulkhead: tier.bulkhead,
    ...(listens ? { onLateAnswer: (late: LateAnswer) => onLate(conclude(late, late.elapsedMs)) } : {}),
  });
  return conclude(result, performance.now() - startedAt);
}

/** One call that is over, however it went. */
export interface EndedCall {
  leg: CompiledLeg;
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
  return { answer: { outcome, reasons: [failure.why], captures: {}, sent: failure.sent, elapsedMs }, wire };
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
  const mask = (text: string) => maskSecrets(text, input.context.secrets, request);
  wire.response = {
    status: response.status,
    headers: flatHeaders(response.headers, mask),
    body: mask(reading.text).replaceAll('\0', '\ufffd'),
  };
  wire.readAs = reading.readAs;
  wire.warnings.push(...reading.warnings);
  if (reading.broke) wire.broke = reading.broke;
  const answer: Answer = { outcome, reasons, captures, sent: true, elapsedMs };
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
