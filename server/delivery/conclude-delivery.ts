/** What an ended call means for the engine, and what the attempt log keeps of it. Pure. */
import { TOKEN_CAPTURE } from '#contract/endpoint.token.ts';
import type { Answer } from '#engine/effect.ts';
import { REASON_LETTERS, type Read, type Reading } from './compile-reading.ts';
import type { Build } from './compile-request.ts';
import { maskedRequest, maskSecrets, maskSecretUrl } from './mask-secrets.ts';
import type { BreakPoint } from './open-answer.ts';
import type { FirstTry } from './outbound-again.ts';
import type { OutboundFailure, OutboundResult, OutboundTiming } from './outbound-exchange.ts';
import type { Hop } from './outbound-redirect.ts';
import { sayFailure } from './say-failure.ts';
import type { BuildInput, WireRequest, WireResponse, WireWarning } from './wire.ts';

/** What was sent and what came back, for the attempt log: secrets masked, lead values as sent. */
export interface WireRecord {
  request: WireRequest;
  /** null when no answer came in time. */
  response: { status: number; headers: Record<string, string>; body: string } | null;
  failure?: { why: OutboundFailure; detail?: string };
  /** Why there were two tries; all else is of the second. */
  firstTry?: FirstTry;
  /** Redirects that were followed, in order; what came back is the answer of the last. */
  hops?: Hop[];
  timing: OutboundTiming;
  readAs?: Reading['readAs'];
  /** The outcome rule that decided, by its place; absent when none did. */
  rule?: number;
  broke?: BreakPoint;
  warnings: WireWarning[];
}

export interface Delivery {
  /** Its reasons are for people, without secrets; captures of a ping and the redirect are for the wire, and as they came. */
  answer: Answer;
  wire: WireRecord;
  /** The same two as a person may see them. */
  shown: Pick<Answer, 'captures' | 'redirectUrl'>;
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
  if (result.firstTry) wire.firstTry = result.firstTry;
  if (result.hops) wire.hops = result.hops.map((hop) => ({ ...hop, url: maskSecretUrl(hop.url, input, request) }));
  if (result.kind === 'failure') return concludeFailure(wire, result, elapsedMs);
  const answeredBy = result.hops?.at(-1)?.url;
  const reading = leg.read(
    { ...result, ...(answeredBy !== undefined && { url: answeredBy }) },
    { ...input, context: { ...input.context, now: input.context.now + Math.round(elapsedMs) } },
  );
  return concludeReading(wire, reading, result, input, request, elapsedMs);
}

function concludeFailure(wire: WireRecord, failure: Extract<OutboundResult, { kind: 'failure' }>, elapsedMs: number): Delivery {
  wire.failure = { why: failure.why, ...(failure.detail === undefined ? {} : { detail: failure.detail }) };
  const outcome = failure.why === 'timeout' ? 'timeout' : 'error';
  const answer: Answer = { outcome, reasons: [sayFailure(failure)], captures: {}, sent: failure.sent, elapsedMs };
  // Something went out and nothing readable came back: the buyer may have taken it.
  if (failure.sent) answer.unclear = true;
  return { answer, wire, shown: { captures: {} } };
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
  const shown: Delivery['shown'] = { captures: mapValues(captures, mask) };
  const answer: Answer = {
    outcome,
    reasons: reasons.map((reason) => mask(reason).slice(0, REASON_LETTERS)),
    captures: keptCaptures(captures, shown.captures, input),
    sent: true,
    elapsedMs,
  };
  if (outcome === 'error' && reading.rule === undefined) answer.unclear = true;
  if (price !== undefined) answer.price = price;
  if (redirectUrl !== undefined) {
    answer.redirectUrl = redirectUrl;
    shown.redirectUrl = mask(redirectUrl);
  }
  if (expiresAt !== undefined) answer.expiresAt = expiresAt;
  if (reading.limited) answer.limited = true;
  if (reading.restsUntil !== undefined) answer.restsUntil = reading.restsUntil;
  return { answer, wire, shown };
}

/** What a post captures is only kept and shown; what a ping captures, and a token, goes back over the wire. */
function keptCaptures(captures: Answer['captures'], masked: Answer['captures'], { call }: BuildInput): Answer['captures'] {
  const token = captures[TOKEN_CAPTURE];
  if (call.leg === 'ping') return captures;
  return token === undefined ? masked : { ...masked, [TOKEN_CAPTURE]: token };
}

function mapValues(texts: Record<string, string>, to: (text: string) => string): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, to(text)]));
}

function flatHeaders(headers: WireResponse['headers'], mask: (text: string) => string): Record<string, string> {
  const flat: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) flat[name] = mask(Array.isArray(value) ? value.join(', ') : value);
  }
  return flat;
}
