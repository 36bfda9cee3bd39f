/** The third-party services of the demo world: asked about a lead, never sold one. As pure as the buyers (characters.ts). */
import type { EndpointConfig } from '#contract/endpoint.ts';
import { between, drawFor, idFor, leadKey } from './chance.ts';
import type { Decide, MarketAnswer, MarketValues } from './market-answer.ts';

export const serviceNames = ['phoneCheck'] as const;
export type ServiceName = (typeof serviceNames)[number];

export const simulatedServices: Record<ServiceName, { decide: Decide }> = {
  /** Knows which numbers can be called; falls over now and then. */
  phoneCheck: { decide: checkPhone },
};

const AT_FAULT = ['number not in service', 'voip line', 'number was reported'];

function checkPhone(values: MarketValues, _leg: unknown, seed: string): MarketAnswer {
  const phone = values.phone ?? '';
  const draw = drawFor(seed, phone || leadKey(values));
  const delayMs = between(draw('delay'), 12, 70);
  if (draw('mood') < 0.008) return say(503, { message: 'try again later' }, delayMs);
  if (!/^\+?\d{8,15}$/.test(phone)) return say(200, { valid: false, reason: 'not a number' }, delayMs);
  if (draw('verdict') < 0.07) return say(200, { valid: false, reason: AT_FAULT[Math.floor(draw('reason') * AT_FAULT.length)] }, delayMs);
  const line = draw('line') < 0.86 ? 'mobile' : 'landline';
  return say(200, { valid: true, line, lookup_id: idFor(seed, phone) }, delayMs);
}

function say(status: number, body: object, delayMs: number): MarketAnswer {
  return { kind: 'answer', status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body), delayMs };
}

/** How the console would have been told to ask it. `slug`: whose account with the service it is. */
export function serviceEndpointFor(name: ServiceName, { baseUrl, slug }: { baseUrl: string; slug: string }): Pick<EndpointConfig, 'post'> {
  return {
    post: {
      url: `${baseUrl}/${name}/${slug}/post`,
      method: 'POST',
      body: {
        format: 'json',
        mapping: [{ to: 'phone', from: { kind: 'field', field: 'phone' }, format: [{ kind: 'phone', pattern: 'e164' }] }],
      },
      response: {
        outcomes: [
          { outcome: 'accepted', when: [{ at: { path: 'valid' }, is: 'true' }] },
          { outcome: 'rejected', when: [{ at: { path: 'valid' }, is: 'false' }] },
        ],
        otherwise: 'error',
        reasons: [{ path: 'reason' }],
      },
    },
  };
}
