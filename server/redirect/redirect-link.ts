/**
 * Our own link for the consumer of a sold lead (decision 0019): `/r/{token}` at the organization's address. The token is the lead's id and
 * a keyed hash of it, so nobody makes one up, nothing is looked up for one that is made up, and none has to be kept.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Decision } from '#engine/decision.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';
import { isId } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

const ID_BYTES = 16;

/** 43 letters, digits, hyphens and underscores. */
export function tokenOf(keys: OrganizationKeys, leadId: string): string {
  return Buffer.concat([bytesOf(leadId), bytesOf(keyedHash(keys, 'redirect', leadId))]).toString('base64url');
}

/** The lead that a token of this organization is for; undefined for anything else. */
export function leadOf(keys: OrganizationKeys, token: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 2 * ID_BYTES) return undefined;
  const hex = bytes.toString('hex', 0, ID_BYTES);
  const leadId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  const [given, own] = [Buffer.from(token), Buffer.from(tokenOf(keys, leadId))];
  return isId(leadId) && given.length === own.length && timingSafeEqual(given, own) ? leadId : undefined;
}

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

export function linkOf(addresses: Pick<Addresses, 'origin'>, { keys, subDomain }: OrganizationPlan, leadId: string): string {
  return `${addresses.origin(subDomain)}/r/${tokenOf(keys, leadId)}`;
}

/** As people see one of our links: who reads it cannot follow it. */
export function hideToken(link: string): string {
  return link.replace(/[\w-]+$/, '•••');
}

/** The address as a browser writes it; undefined for what is not of the web. */
export function webAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

/** Where the consumer of a sold lead is to go: the first buyer that named an address. */
export function redirectOf({ sales }: Pick<Decision, 'sales'>): { saleIndex: number; url: string } | undefined {
  for (const [saleIndex, sale] of sales.entries()) {
    const url = sale.redirectUrl === undefined ? undefined : webAddress(sale.redirectUrl);
    if (url !== undefined) return { saleIndex, url };
  }
  return undefined;
}
