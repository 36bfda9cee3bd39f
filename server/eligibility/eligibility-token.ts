/**
 * The token of a link to the eligibility checker: `el_`, then as base64url the organization's id and 24 random bytes. Whose it is can be read off it, so
 * that no look-up goes over organizations; what opens is the hash of all of it.
 */
import { randomBytes } from 'node:crypto';
import { ELIGIBILITY_TOKEN } from '#contract/eligibility.ts';
import { sha256 } from '#server/kit/crypto.ts';

const SECRET_BYTES = 24;
const ID_BYTES = 16;

export function newEligibilityToken(organizationId: string): { token: string; hash: Buffer } {
  const id = Buffer.from(organizationId.replaceAll('-', ''), 'hex');
  const token = `el_${Buffer.concat([id, randomBytes(SECRET_BYTES)]).toString('base64url')}`;
  return { token, hash: sha256(token) };
}

/** Undefined for what is no token at all. */
export function readEligibilityToken(token: string): { organizationId: string; hash: Buffer } | undefined {
  if (!ELIGIBILITY_TOKEN.test(token)) return undefined;
  const hex = Buffer.from(token.slice(3), 'base64url').subarray(0, ID_BYTES).toString('hex');
  const organizationId = `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  return { organizationId, hash: sha256(token) };
}
