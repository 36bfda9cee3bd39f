/** How a demo buyer tier is spoken to: what its character in the market understands, set up the way its contract says. */
import type { EndpointConfig, LegConfig, MappingRow } from '#contract/endpoint.ts';
import { endpointFor } from '#server/market/endpoints.ts';
import type { Country, Product, WorldBuyerTier } from './world/world.ts';

/** Buyers hold these for us; sealed in the database, never in the endpoint. */
export const DEMO_SECRETS = { username: 'acme-leads', password: 'not-a-real-password', token: 'not-a-real-token' };

export function buyerEndpoint(tier: WorldBuyerTier, marketUrl: string): EndpointConfig {
  const [country, product] = tier.place.split('/') as [Country, Product];
  const endpoint = endpointFor(tier.character, { baseUrl: marketUrl, buyerSlug: tier.slug, vertical: product });
  const suit = (leg: LegConfig): LegConfig => speakAs(tier, country === 'uk' ? speakBritish(leg) : leg);
  const post = agreePrice(tier, nameReference(suit(endpoint.post)));
  return endpoint.ping ? { ping: suit(endpoint.ping), post } : { post };
}

/** Where the price is agreed, what the answer says of it does not count. */
function agreePrice(tier: WorldBuyerTier, leg: LegConfig): LegConfig {
  if (tier.price.kind !== 'fixed') return leg;
  const { price: _ignored, ...response } = leg.response;
  return { ...leg, response };
}

/** The buyer's own number of a lead is kept with the sale, for invoices and returns. */
function nameReference(leg: LegConfig): LegConfig {
  const { leadRef, ...captures } = leg.response.captures ?? {};
  return leadRef ? { ...leg, response: { ...leg.response, captures: { ...captures, buyerRef: leadRef } } } : leg;
}

function speakAs(tier: WorldBuyerTier, leg: LegConfig): LegConfig {
  switch (tier.speaks) {
    case 'basic':
      return { ...leg, auth: { kind: 'basic', username: '{{system.username}}', secret: 'password' } };
    case 'bearer':
      return { ...leg, auth: { kind: 'bearer', secret: 'token' } };
    case 'text':
      return speakText(leg);
    default:
      return leg;
  }
}

/** A gateway from another time: one line of text, put together by hand. */
function speakText(leg: LegConfig): LegConfig {
  if (leg.body.format === 'text') return leg;
  const pairs = leg.body.mapping.map((row) => `${row.to.split('.').at(-1)}=${placeholderOf(row)}`);
  return {
    ...leg,
    headers: { ...leg.headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: { format: 'text', template: pairs.join('&'), escape: 'url' },
  };
}

function placeholderOf({ from, format = [] }: MappingRow): string {
  const words = format.flatMap((one) => {
    if (one.kind === 'date' || one.kind === 'phone') return [`${one.kind}:${one.pattern}`];
    return one.kind === 'case' ? [one.to] : [];
  });
  switch (from.kind) {
    case 'constant':
      return encodeURIComponent(from.value);
    case 'template':
      return from.text;
    case 'field':
      return `{{${[from.field, ...words].join(' | ')}}}`;
    default:
      return `{{${[`${from.kind}.${from.name}`, ...words].join(' | ')}}}`;
  }
}

/** Our fields of a uk vertical under the names that the market knows, dates day first, phones as they are dialled at home. */
const BRITISH: Record<string, string> = { routing_number: 'bank_sort_code' };
const NOT_ASKED_IN_UK = new Set(['bank_name']);

function speakBritish(leg: LegConfig): LegConfig {
  if (leg.body.format === 'text' || leg.body.format === 'query') return leg;
  const mapping = leg.body.mapping.filter(({ from }) => from.kind !== 'field' || !NOT_ASKED_IN_UK.has(from.field)).map(britishRow);
  return { ...leg, body: { ...leg.body, mapping } };
}

function britishRow(row: MappingRow): MappingRow {
  const from = row.from.kind === 'field' ? { ...row.from, field: BRITISH[row.from.field] ?? row.from.field } : row.from;
  const format = row.format?.map((one) => {
    if (one.kind === 'phone') return { ...one, pattern: '0##########' };
    return one.kind === 'date' ? { ...one, pattern: 'DD/MM/YYYY' } : one;
  });
  return format ? { ...row, from, format } : { ...row, from };
}
