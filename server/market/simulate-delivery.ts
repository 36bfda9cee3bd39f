/** A delivery without a socket: the real request and the real reading rules, a character in between. For history and simulation. */
import type { BuyerCall } from '#engine/effect.ts';
import { concludeDelivery, type Delivery } from '#server/delivery/conclude-delivery.ts';
import type { TierWire } from '#server/delivery/deliver.ts';
import type { OutboundResult } from '#server/delivery/outbound-exchange.ts';
import type { DeliveryContext, LeadValues } from '#server/delivery/wire.ts';
import { type CharacterName, characterNames, characters } from './characters.ts';
import type { MarketAnswer, MarketLeg, MarketSettings } from './market-answer.ts';
import { readRequest } from './read-request.ts';
import { type ServiceName, serviceNames, simulatedServices } from './services.ts';

/** Whoever answers in the market: buyers, and services that are asked about a lead. */
export type MarketName = CharacterName | ServiceName;

/** From an address of the market: '/bidder/northgate/ping'; undefined when nobody lives there. */
export function readMarketPath(path: string): { character: MarketName; buyerSlug: string; leg: MarketLeg } | undefined {
  const [, name, buyerSlug, leg, ...rest] = path.split('/');
  const character = [...characterNames, ...serviceNames].find((known) => known === name);
  if (!character || !buyerSlug || !/^[\w-]{1,80}$/.test(buyerSlug) || rest.length > 0) return undefined;
  return leg === 'ping' || leg === 'post' ? { character, buyerSlug, leg } : undefined;
}

export interface SimulatedBuyer extends MarketSettings {
  character: MarketName;
  /** As in the endpoint's address: two buyers of one character decide differently. */
  buyerSlug: string;
  seed: string | number;
}

/** Pure: elapsedMs is what the character would have taken, a time limit below it is a timeout. */
export function simulateDelivery(
  buyer: SimulatedBuyer,
  tier: TierWire,
  call: BuyerCall,
  lead: LeadValues,
  context: DeliveryContext,
): Delivery {
  const leg = call.leg === 'ping' ? tier.ping : tier.post;
  if (!leg) throw new Error('endpoint_ping_missing: a tier without a ping leg was asked for a bid.');
  const { request, warnings } = leg.build({ lead, context, call });
  const decided = askCharacter(buyer, call.leg, request.headers['content-type'] ?? '', request.body ?? '');
  const { result, elapsedMs } = resultOf(decided, call.timeoutMs);
  return concludeDelivery({ leg, input: { lead, context, call }, request, warnings, result, elapsedMs });
}

/** What the market answers to one request; the HTTP shell asks the same. */
export function askCharacter(buyer: SimulatedBuyer, leg: MarketLeg, contentType: string, body: string): MarketAnswer {
  const values = readRequest(contentType, body);
  const speaksXml = buyer.character === 'xmlOnly';
  if (!values || (speaksXml && !contentType.includes('xml'))) return unreadable(speaksXml);
  return { ...characters, ...simulatedServices }[buyer.character].decide(values, leg, `${buyer.seed}/${buyer.buyerSlug}`, buyer);
}

function unreadable(speaksXml: boolean): MarketAnswer {
  const [type, body] = speaksXml
    ? ['text/xml', '<response><status>Error</status></response>']
    : ['application/json', '{"status":"error","reason":"unreadable request"}'];
  return { kind: 'answer', status: 400, headers: { 'content-type': type! }, body: body!, delayMs: 1 };
}

function resultOf(decided: MarketAnswer, timeoutMs: number): { result: OutboundResult; elapsedMs: number } {
  const timing = { connectMs: 0, waitMs: Math.min(decided.delayMs, timeoutMs), readMs: 0 };
  const isLate = decided.delayMs >= timeoutMs || (decided.kind === 'failure' && decided.how === 'hang');
  if (isLate)
    return { result: { kind: 'failure', why: 'timeout', sent: true, timing: { ...timing, waitMs: timeoutMs } }, elapsedMs: timeoutMs };
  if (decided.kind === 'failure') return { result: { kind: 'failure', why: 'reset', sent: true, timing }, elapsedMs: decided.delayMs };
  const { status, headers, body } = decided;
  return { result: { kind: 'response', status, headers, body: Buffer.from(body), timing }, elapsedMs: decided.delayMs };
}
