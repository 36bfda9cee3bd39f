/** Argon2id at the strength OWASP names: 19 MiB, two passes, one lane (about 16 ms here). */
import { hash, hashRaw, verify } from '@node-rs/argon2';
import { openGate } from '#server/kit/gate.ts';

const STRENGTH = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
const LONGEST_BYTES = 1024;

/** Hashing shares four threads with name resolution and files (reliability E13): a flood of sign-ins may have two, and a short queue. */
export const HASHES_AT_ONCE = 2;
export const HASHES_WAITING = 20;
const gate = openGate(HASHES_AT_ONCE, HASHES_WAITING);

/** Throws GateFull when too many are being hashed already. */
export function hashPassword(password: string): Promise<string> {
  return gate.enter(() => hash(password.normalize('NFC'), STRENGTH));
}

/** As slow, for a short secret that is found by its hash: always the same 32 bytes for a secret and its salt (16 bytes). Throws GateFull. */
export function hashShortSecret(secret: string, salt: Buffer): Promise<Buffer> {
  return gate.enter(() => hashRaw(secret, { ...STRENGTH, salt }));
}

// What an unknown account costs: as much as a known one.
let dummy: Promise<string> | undefined;

/** False for a wrong password and, after the same time, for no account at all. Throws GateFull when too many are being verified. */
export async function verifyPassword(stored: string | undefined, password: string): Promise<boolean> {
  if (Buffer.byteLength(password) > LONGEST_BYTES) return false;
  return gate.enter(async () => {
    dummy ??= hash('nobody has this password', STRENGTH);
    const matches = await verify(stored ?? (await dummy), password.normalize('NFC'));
    return stored !== undefined && matches;
  });
}
