/** What a webhook is sent: words about a lead, signed (docs/webhooks.md). Pure. */
import { SIGNATURE_HEADER, TIMESTAMP_HEADER } from '#contract/endpoint.signature.ts';
import type { OutboundResult } from '#server/delivery/outbound-exchange.ts';
import { signatureOf } from '#server/delivery/sign-request.ts';
import type { WireRequest } from '#server/delivery/wire.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import { maskingOf } from '#server/lead/lead.view.ts';
import { openIfSound } from '#server/lead/stored-fields.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { LeadTold } from './webhook.sql.ts';

/** Made from the organization's key, and kept nowhere. */
export const webhookSecretOf = (keys: OrganizationKeys, webhookId: string, epoch: number): string =>
  `whsec_${[1, 2].map((part) => keyedHash(keys, 'webhook', `${webhookId} ${epoch} ${part}`).replaceAll('-', '')).join('')}`;

export interface EventTold {
  id: string;
  event: string;
  /** When it happened. */
  at: Date;
  leadId: string;
}

/** Undefined where what is kept of the lead was damaged. */
export function messageOf(
  organization: OrganizationPlan,
  { id, event, at, leadId }: EventTold,
  lead: LeadTold,
): Record<string, unknown> | undefined {
  const { publisherId, publisherName, publisherTierId, publisherTierName, campaignId, campaignName, ...told } = lead;
  const { fields, verticalId, sales, returns, ...rest } = told;
  const vertical = organization.plan.verticals.get(verticalId)?.config;
  const stored = openIfSound(organization.keys, leadId, fields);
  if (!stored) return undefined;
  const { leaf } = maskingOf(vertical?.fields ?? [], stored);
  // Some buyers call a lead by the person's own number or address.
  const unlessPersonal = (reference: string | null) => (reference !== null && leaf(reference) === reference ? reference : null);
  return {
    ...{ id, event, at: at.toISOString() },
    lead: {
      ...{ leadId, region: vertical?.regionSlug ?? '', vertical: vertical?.slug ?? '', ...rest, currency: organization.plan.currency },
      publisher: { id: publisherId, name: publisherName, tierId: publisherTierId, tierName: publisherTierName },
      campaign: { id: campaignId, name: campaignName },
      sales: sales.map((sale) => ({ ...sale, buyerReference: unlessPersonal(sale.buyerReference) })),
      returns,
    },
  };
}

export function requestOf(
  url: string,
  secret: string,
  { id, event }: Pick<EventTold, 'id' | 'event'>,
  message: object,
  now: number,
): WireRequest {
  const body = JSON.stringify(message);
  const seconds = Math.floor(now / 1000);
  return {
    method: 'POST',
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Sluice-Webhook/1',
      'x-sluice-event': event,
      'x-sluice-delivery': id,
      [TIMESTAMP_HEADER]: String(seconds),
      [SIGNATURE_HEADER]: `v1=${signatureOf(secret, seconds, body)}`,
    },
    body,
  };
}

export interface Said {
  taken: boolean;
  statusCode: number | null;
  /** In words; null where it was taken. */
  failure: string | null;
  elapsedMs: number;
}

const FAILURES: Readonly<Record<Extract<OutboundResult, { kind: 'failure' }>['why'], string>> = {
  timeout: 'There was no answer in time.',
  'refused-address': 'The address may not be called: it is not on the public internet.',
  connect: 'No connection was possible.',
  tls: 'The certificate could not be trusted.',
  reset: 'The connection broke off.',
  'too-large': 'The answer was too large.',
  redirect: 'It led elsewhere, and a redirect is not followed.',
  'too-busy': 'Too many calls to it are under way.',
};

/** Its code is the answer: what else it says, and whether it comes to an end of that, does not matter. */
export function saidBy(result: OutboundResult): Said {
  const { connectMs = 0, waitMs, readMs } = result.timing;
  const statusCode = result.status ?? null;
  const taken = statusCode !== null && statusCode >= 200 && statusCode < 300;
  const why = result.kind === 'failure' ? FAILURES[result.why] : `It answered with HTTP ${result.status}.`;
  return { taken, statusCode, failure: taken ? null : why, elapsedMs: Math.round(connectMs + waitMs + readMs) };
}
