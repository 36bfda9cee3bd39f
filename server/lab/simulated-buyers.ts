/** Buyers and services that say in the lab what they are told to: the real request is built, and nothing leaves. */
import type { SimulatedAnswer, SimulatedSays } from '#contract/lab.ts';
import type { Answer, BuyerCall, OutsideCheck } from '#engine/effect.ts';
import { parseMoney } from '#engine/money.ts';
import type { BuyerTierConfig, Money } from '#engine/plan.ts';
import { concludeDelivery } from '#server/delivery/conclude-delivery.ts';
import type { CompiledLeg, Delivery, WireRecord } from '#server/delivery/deliver.ts';
import { maskedRequest } from '#server/delivery/mask-secrets.ts';
import type { OutboundResult } from '#server/delivery/outbound-exchange.ts';
import type { BuildInput } from '#server/delivery/wire.ts';
import { contextOf, type DeliveryAbout, shownAtPing } from '#server/lead/buyer-delivery.ts';
import type { Asked } from '#server/lead/service-check.ts';

/** What a buyer that is told to buy pays where neither it nor the lab names a price: 10.00. */
export const NOMINAL_PRICE: Money = 100_000;
/** As long as a simulated buyer or service takes. */
const TAKES_MS = 40;

type Response = NonNullable<WireRecord['response']>;

export interface SimulatedParts {
  about: DeliveryAbout;
  clock: () => number;
  /** A tier that is not named buys. */
  answers: readonly SimulatedAnswer[];
  services: 'passed' | 'refused';
  /** The last answer of a tier that is on record. */
  findRecorded(buyerTierId: string, leg: 'ping' | 'post'): Promise<Response | undefined>;
}

export function simulateBuyers(parts: SimulatedParts): (call: BuyerCall) => Promise<Delivery> {
  const told = new Map(parts.answers.map((one) => [one.buyerTierId, one]));
  return async (call) => {
    const { organization } = parts.about;
    const buyer = organization.buyerWires.get(call.buyerTierId);
    const leg = call.leg === 'ping' ? buyer?.wire?.ping : buyer?.wire?.post;
    if (!buyer || !leg) return failed('endpoint-unusable');
    const answer = told.get(call.buyerTierId);
    const lead = call.leg === 'ping' ? shownAtPing(parts.about) : parts.about.fields;
    const input = { lead, context: contextOf(parts, parts.about, buyer.opened), call };
    const says = answer?.says ?? 'buys';
    if (says === 'recorded') return recorded(leg, input, await parts.findRecorded(call.buyerTierId, call.leg));
    const price = priceOf(organization.buyerTierConfigs.get(call.buyerTierId), answer?.price ?? null);
    return say(leg, input, says, price);
  };
}

export function simulateServices(parts: SimulatedParts): (check: OutsideCheck) => Promise<Asked> {
  return async ({ serviceId, timeoutMs }) => {
    const service = parts.about.organization.serviceWires.get(serviceId);
    if (!service?.wire) return { verdict: { outcome: 'error', reason: 'service-unusable' } };
    if (service.status !== 'active') return { verdict: { outcome: 'error', reason: `service-${service.status}` } };
    const call = { leg: 'post' as const, timeoutMs };
    const input = { lead: parts.about.fields, context: contextOf(parts, parts.about, service.opened), call };
    const delivery = said(service.wire.post, input, { outcome: parts.services === 'passed' ? 'accepted' : 'rejected' });
    return { verdict: { outcome: parts.services }, delivery };
  };
}

/** What it was told to pay, its own price, its minimum, or the nominal one. */
function priceOf(config: BuyerTierConfig | undefined, told: string | null): Money {
  const own = config?.price.kind === 'fixed' ? config.price.price : config?.price.minimum;
  return (told === null ? undefined : parseMoney(told)) ?? own ?? NOMINAL_PRICE;
}

function say(leg: CompiledLeg, input: BuildInput, says: Exclude<SimulatedSays, 'recorded'>, price: Money): Delivery {
  const { timeoutMs } = input.call;
  switch (says) {
    case 'buys':
      return said(leg, input, { outcome: 'accepted', price });
    case 'rejects':
      return said(leg, input, { outcome: 'rejected', reasons: ['told to reject'] });
    case 'silent':
      return ended(leg, input, { kind: 'failure', why: 'timeout', sent: true, timing: { waitMs: timeoutMs, readMs: 0 } }, timeoutMs);
    case 'error':
      return ended(leg, input, { kind: 'failure', why: 'reset', sent: true, timing: { waitMs: TAKES_MS, readMs: 0 } }, TAKES_MS);
  }
}

/** Read by the rules as they stand now. */
function recorded(leg: CompiledLeg, input: BuildInput, response: Response | undefined): Delivery {
  if (!response) return failed('no-recorded-answer');
  const timing = { waitMs: TAKES_MS, readMs: 0 };
  const { status, headers, body } = response;
  return ended(leg, input, { kind: 'response', status, headers, body: Buffer.from(body), timing }, TAKES_MS);
}

function ended(leg: CompiledLeg, input: BuildInput, result: OutboundResult, elapsedMs: number): Delivery {
  return concludeDelivery({ leg, input, ...leg.build(input), result, elapsedMs });
}

/** An answer in the engine's words, which no rule had to read. */
function said(leg: CompiledLeg, input: BuildInput, word: Pick<Answer, 'outcome'> & Partial<Answer>): Delivery {
  const { request, warnings } = leg.build(input);
  const answer: Answer = { reasons: [], captures: {}, sent: true, elapsedMs: TAKES_MS, ...word };
  const timing = { waitMs: TAKES_MS, readMs: 0 };
  return {
    answer,
    wire: { request: maskedRequest(leg.build, input, request), response: null, timing, warnings: [...warnings] },
    shown: { captures: {} },
  };
}

function failed(reason: string): Delivery {
  return {
    answer: { outcome: 'error', reasons: [reason], captures: {}, sent: false, elapsedMs: 0 },
    wire: { request: { method: '', url: '', headers: {} }, response: null, timing: { waitMs: 0, readMs: 0 }, warnings: [] },
    shown: { captures: {} },
  };
}
