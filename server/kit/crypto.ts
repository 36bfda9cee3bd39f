/**
 * What keeps personal data unreadable at rest (reliability §4.2): AES-256-GCM under a key per organization, bound by its
 * additional data to the row it belongs to; and keyed hashes to find equal values without storing them.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hash, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The keys of one organization, in memory only. */
export interface OrganizationKeys {
  organizationId: string;
  /** 32 bytes; encrypts. A key object, because handing raw bytes over at every call costs more than the sealing. */
  data: KeyObject;
  /** 32 bytes; hashes values for look-up and duplicate windows. */
  lookup: KeyObject;
}

/** 1 version byte, 12 nonce bytes, ciphertext, 16 tag bytes. */
export function seal(key: KeyObject | Buffer, bound: string, plain: string | Buffer): Buffer {
  const nonce = nextNonce();
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(bound));
  const body = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain);
  return Buffer.concat([Buffer.of(VERSION), nonce, body, cipher.final(), cipher.getAuthTag()]);
}

/** Throws when the text was changed, belongs to another row, or was sealed with another key. */
export function open(key: KeyObject | Buffer, bound: string, sealed: Buffer): Buffer {
  if (sealed[0] !== VERSION) throw new Error('Sealed with an unknown version.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES));
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(1 + NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
}

/** What a sealed column is bound to: organization, table, column and row, so that nothing can be moved elsewhere. */
export function boundTo(organizationId: string, column: string, row: string): string {
  return `${organizationId}|${column}|${row}`;
}

export function sealJson(keys: OrganizationKeys, column: string, row: string, value: unknown): Buffer {
  return seal(keys.data, boundTo(keys.organizationId, column, row), JSON.stringify(value));
}

export function openJson<T>(keys: OrganizationKeys, column: string, row: string, sealed: Buffer): T {
  try {
    return JSON.parse(open(keys.data, boundTo(keys.organizationId, column, row), sealed).toString('utf8')) as T;
  } catch (error) {
    throw new Unreadable(`${column} of ${row} cannot be opened.`, { cause: error });
  }
}

/** Undefined where it was damaged: it must not keep others. */
export function openJsonIfSound<T>(keys: OrganizationKeys, column: string, row: string, sealed: Buffer): T | undefined {
  try {
    return openJson<T>(keys, column, row, sealed);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** What is sealed was damaged, or belongs elsewhere: another try finds it as it is. */
export class Unreadable extends Error {
  override name = 'Unreadable';
}

/** The installation's own: made of SECRET_KEY, and while that is changed of a second one, which only opens. 32 bytes each. */
export interface MasterKey {
  seals: Buffer;
  alsoOpens?: Buffer;
}

export const sealUnder = (masterKey: MasterKey, bound: string, plain: string | Buffer): Buffer => seal(masterKey.seals, bound, plain);

/** Throws as `open` does where neither opens it. */
export function openUnder({ seals, alsoOpens }: MasterKey, bound: string, sealed: Buffer): Buffer {
  if (!alsoOpens) return open(seals, bound, sealed);
  try {
    return open(seals, bound, sealed);
  } catch {
    return open(alsoOpens, bound, sealed);
  }
}

/** Sealed anew by the key that seals; undefined where it is already. */
export function renewSeal(masterKey: MasterKey, bound: string, sealed: Buffer): Buffer | undefined {
  if (opensWith(masterKey.seals, bound, sealed)) return undefined;
  return sealUnder(masterKey, bound, openUnder(masterKey, bound, sealed));
}

function opensWith(key: Buffer, bound: string, sealed: Buffer): boolean {
  try {
    open(key, bound, sealed);
    return true;
  } catch {
    return false;
  }
}

export const boundToOrganization = (organizationId: string): string => boundTo(organizationId, 'organization.data_key', organizationId);

/** A new data key for an organization, wrapped by the installation's master key. */
export function newDataKey(masterKey: MasterKey, organizationId: string): Buffer {
  return sealUnder(masterKey, boundToOrganization(organizationId), randomBytes(32));
}

export function unwrapKeys(masterKey: MasterKey, organizationId: string, wrapped: Buffer): OrganizationKeys {
  const data = openUnder(masterKey, boundToOrganization(organizationId), wrapped);
  const lookup = Buffer.from(hkdfSync('sha256', data, Buffer.alloc(0), 'sluice lookup', 32));
  return { organizationId, data: createSecretKey(data), lookup: createSecretKey(lookup) };
}

/** Equal for equal texts of one purpose, and tells nothing without the key: 128 bits in the form of a UUID. */
export function keyedHash(keys: OrganizationKeys, purpose: string, text: string): string {
  return uuidForm(createHmac('sha256', keys.lookup).update(`${purpose}\0${text}`).digest('hex'));
}

/** 128 bits of SHA-256 in the form of a UUID: PostgreSQL keeps it in 16 bytes. */
export function shortHash(text: string): string {
  return uuidForm(hash('sha256', text, 'hex'));
}

function uuidForm(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

// One draw of random bytes serves many nonces: a call per message is the dearest part of sealing a short text.
const NONCE_POOL = 512;
let pool = Buffer.alloc(0);
let used = 0;

function nextNonce(): Buffer {
  if (used >= pool.length) {
    pool = randomBytes(NONCE_POOL * NONCE_BYTES);
    used = 0;
  }
  const nonce = pool.subarray(used, used + NONCE_BYTES);
  used += NONCE_BYTES;
  return nonce;
}
