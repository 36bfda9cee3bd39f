/**
 * The secret in the address of a buyer tier's postbacks. It is made from the organization's key and kept nowhere: it names organization and
 * tier, and proves that we gave it out. A new epoch of the tier makes it another.
 */
import { timingSafeEqual } from 'node:crypto';
import { keyedHash, type OrganizationKeys } from '#server/kit/crypto.ts';

const ID_BYTES = 16;

export function makePostbackToken(keys: OrganizationKeys, buyerTierId: string, epoch: number): string {
  const proof = keyedHash(keys, 'postback', `${buyerTierId} ${epoch}`);
  return Buffer.concat([keys.organizationId, buyerTierId, proof].map(toBytes)).toString('base64url');
}

/** What a token says of itself; whether it is ours is for `isPostbackToken` to say. */
export function readPostbackToken(token: string): { organizationId: string; buyerTierId: string } | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 3 * ID_BYTES) return undefined;
  return { organizationId: toId(bytes.subarray(0, ID_BYTES)), buyerTierId: toId(bytes.subarray(ID_BYTES, 2 * ID_BYTES)) };
}

export function isPostbackToken(token: string, keys: OrganizationKeys, buyerTierId: string, epoch: number): boolean {
  const [given, own] = [Buffer.from(token), Buffer.from(makePostbackToken(keys, buyerTierId, epoch))];
  return given.length === own.length && timingSafeEqual(given, own);
}

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function toId(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
