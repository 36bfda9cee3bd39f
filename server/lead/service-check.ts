/** Asks third-party services about one lead: by a check of our own at once, or over the wire of buyers, and what the engine makes of the answer. */
import type { Answer, OutsideCheck, OutsideVerdict } from '#engine/effect.ts';
import { judgePreCheck } from '#engine/pre-check.ts';
import { type Delivery, deliver, type WireRecord } from '#server/delivery/deliver.ts';
import { contextOf, type DeliveryAbout, type DeliveryParts } from './buyer-delivery.ts';

/** `delivery` is absent when nobody was called. */
export interface Asked {
  verdict: OutsideVerdict;
  delivery?: Delivery;
}

/** Never waits longer than the check allows: the wire keeps the time limit (outbound.ts). */
export function askOverWire(
  parts: Pick<DeliveryParts, 'deliver' | 'clock'>,
  about: DeliveryAbout,
): (check: OutsideCheck, traceparent?: string) => Promise<Asked> {
  return async ({ serviceId, timeoutMs }, traceparent) => {
    const service = about.organization.serviceWires.get(serviceId);
    if (service && service.status !== 'active') return { verdict: { outcome: 'error', reason: `service-${service.status}` } };
    if (service?.check) return { verdict: judgePreCheck(service.check, about.fields, parts.clock()) };
    if (!service?.wire) return { verdict: { outcome: 'error', reason: 'service-unusable' } };
    const call = { buyerTierId: serviceId, leg: 'post' as const, timeoutMs };
    const context = { ...contextOf(parts, about, service.opened), ...(traceparent && { traceparent }) };
    const delivery = await deliver(parts.deliver.outbound, service.wire, call, about.fields, context);
    return { verdict: verdictOf(delivery.answer, delivery.wire), delivery };
  };
}

/** Accepted is passed, rejected and duplicate are refused; who decides later, errs or says nothing that a rule reads has failed. */
export function verdictOf(answer: Answer, wire: Pick<WireRecord, 'response'>): OutsideVerdict {
  const reason = answer.reasons.join('; ');
  switch (answer.outcome) {
    case 'accepted':
      return { outcome: 'passed' };
    case 'rejected':
    case 'duplicate':
      return { outcome: 'refused', ...(reason && { reason }) };
    case 'timeout':
      return { outcome: 'timeout' };
    case 'pending':
      return { outcome: 'error', reason: reason || 'it would decide later' };
    case 'error':
      return { outcome: 'error', reason: reason || `no rule reads its answer (HTTP ${wire.response?.status})` };
  }
}
