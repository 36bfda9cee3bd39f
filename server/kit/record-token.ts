/**
 * The secret in an address that stands for one record: postbacks of a buyer tier, the posting specification of a publisher tier, reports of a payment processor. It is made from the
 * organization's key and kept nowhere: it names organization and record, and proves that we gave it out. A new epoch of the record makes it another.
 */
import { timingSafeEqual } from 'node:crypto';
import { keyedHash, type OrganizationKeys } from './crypto.ts';

const ID_BYTES = 16;

export type TokenPurpose = 'postback' | 'posting spec' | 'payments';

/** 64 letters, digits, hyphens and underscores. */
export function makeRecordToken(keys: OrganizationKeys, purpose: TokenPurpose, recordId: string, epoch: number): string {
  const proof = keyedHash(keys, purpose, `${recordId} ${epoch}`);
  return Buffer.concat([keys.organizationId, recordId, proof].map(toBytes)).toString('base64url');
}

/** What a token says of itself; whether it is ours is for `isRecordToken` to say. */
export function readRecordToken(token: string): { organizationId: string; recordId: string } | undefined {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 3 * ID_BYTES) return undefined;
  return { organizationId: toId(bytes.subarray(0, ID_BYTES)), recordId: toId(bytes.subarray(ID_BYTES, 2 * ID_BYTES)) };
}

export function isRecordToken(token: string, keys: OrganizationKeys, purpose: TokenPurpose, recordId: string, epoch: number): boolean {
  const [given, own] = [Buffer.from(token), Buffer.from(makeRecordToken(keys, purpose, recordId, epoch))];
  return given.length === own.length && timingSafeEqual(given, own);
}

const toBytes = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex');

function toId(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
