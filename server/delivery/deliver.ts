/** One call to one buyer: build, send, read. The shell's answer to the engine's BuyerCall, with a record for the attempt log. */

import { noticeLeg } from '#contract/endpoint.notice.ts';
import { TOKEN_CAPTURE, tokenLegOf } from '#contract/endpoint.token.ts';
import type { EndpointConfig, LegConfig } from '#contract/endpoint.ts';
import { compileReading, type Read } from './compile-reading.ts';
import { type Build, compileRequest } from './compile-request.ts';
import { concludeDelivery, type Delivery } from './conclude-delivery.ts';
import { keepToken, type TokenKeeper } from './keep-token.ts';
import { followingOf } from './mask-secrets.ts';
import type { Outbound } from './outbound.ts';
import type { LateAnswer, OutboundResult } from './outbound-exchange.ts';
import type { BuildInput, DeliveryContext, LeadValues, WireCall } from './wire.ts';

export type { Delivery, WireRecord } from './conclude-delivery.ts';

/** A leg with its paths, expressions and templates prepared; keep it as long as the configuration stands. */
export interface CompiledLeg {
  build: Build;
  read: Read;
  /** Where the authentication needs a token fetched first. */
  token?: TokenKeeper;
  followsRedirects: boolean;
  retriesUnsent: boolean;
}

/** One buyer tier on the wire. Calls of one `bulkhead` (the buyer's id) share a concurrency limit. */
export interface TierWire {
  bulkhead: string;
  ping?: CompiledLeg;
  post: CompiledLeg;
  lost?: CompiledLeg;
}

/** For a validated configuration; throws on one that never was. */
export function compileLeg(config: LegConfig): CompiledLeg {
  const leg: CompiledLeg = {
    build: compileRequest(config),
    read: compileReading(config.response, config.url),
    followsRedirects: config.followRedirects === true,
    retriesUnsent: config.retryUnsent === true,
  };
  const tokenLeg = tokenLegOf(config.auth);
  return tokenLeg ? { ...leg, token: keepToken(compileLeg(tokenLeg)) } : leg;
}

export function compileTier(endpoint: EndpointConfig, bulkhead: string): TierWire {
  return {
    bulkhead,
    ...(endpoint.ping && { ping: compileLeg(endpoint.ping) }),
    post: compileLeg(endpoint.post),
    ...(endpoint.lost && { lost: compileLeg(noticeLeg(endpoint.lost)) }),
  };
}

/**
 * Never rejects. A failure of the wire is an answer too: `timeout` or `error` with the reason in a word.
 * `onLate` hears the answer to a post that came within the grace period after its time limit.
 */
export async function deliver(
  outbound: Outbound,
  tier: TierWire,
  call: WireCall,
  lead: LeadValues,
  context: DeliveryContext,
  onLate?: (late: Delivery) => void,
): Promise<Delivery> {
  const leg = tier[call.leg];
  if (!leg) throw new Error(`endpoint_${call.leg}_missing: a tier without this leg was to be called by it.`);
  const input = await withToken(outbound, tier.bulkhead, leg, { lead, context, call });
  if ('answer' in input) return input;
  const { request, warnings } = leg.build(input);
  const conclude = (result: OutboundResult, elapsedMs: number) => concludeDelivery({ leg, input, request, warnings, result, elapsedMs });
  const listens = onLate && call.leg === 'post';
  const result = await outbound.call({
    request,
    timeoutMs: input.call.timeoutMs,
    bulkhead: tier.bulkhead,
    ...(context.traceparent && { traceparent: context.traceparent }),
    ...(leg.retriesUnsent && { retriesUnsent: true }),
    ...(leg.followsRedirects && { following: followingOf(leg.build, input, request) }),
    ...(listens ? { onLateAnswer: (late: LateAnswer) => onLate(conclude(late, late.elapsedMs)) } : {}),
  });
  // Elsewhere it was not sent along.
  const isAnswered = (result.hops ?? []).every(({ url }) => new URL(url).origin === new URL(request.url).origin);
  if (result.kind === 'response' && result.status === 401 && isAnswered) leg.token?.drop();
  return conclude(result, call.timeoutMs - input.call.timeoutMs + spentMs(result.timing));
}

/** By the clock of whoever made the call, so that simulated calls take simulated time. */
function spentMs({ connectMs = 0, waitMs, readMs }: OutboundResult['timing']): number {
  return connectMs + waitMs + readMs;
}

/** The input as it is, or with a token and less time; or the delivery that failed for want of one, of which nothing was sent. */
async function withToken(outbound: Outbound, bulkhead: string, leg: CompiledLeg, input: BuildInput): Promise<BuildInput | Delivery> {
  if (!leg.token) return input;
  const startedAt = performance.now();
  const got = await leg.token.get(outbound, bulkhead, input);
  const elapsedMs = performance.now() - startedAt;
  if (typeof got !== 'string') return { ...got, answer: { ...got.answer, sent: false, elapsedMs } };
  const captures = { ...input.call.captures, [TOKEN_CAPTURE]: got };
  return { ...input, call: { ...input.call, captures, timeoutMs: Math.floor(input.call.timeoutMs - elapsedMs) } };
}
