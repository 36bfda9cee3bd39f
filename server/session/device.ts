/**
 * Browsers in which an account was opened before have a budget of tries of their own, so that somebody else's guessing keeps
 * nobody out of an own browser (account §5: throttling locks attackers, not users).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MasterKey } from '#server/kit/crypto.ts';
import type { Cookies } from './signed-in.ts';

const YEAR_S = 365 * 86_400;

/** Whose browser it is, and since which credentials: a changed password ends what a stolen one has opened. */
export interface DeviceOwner {
  id: string;
  credential_epoch: number;
}

export function setDeviceCookie(reply: FastifyReply, cookies: Cookies, masterKey: MasterKey, owner: DeviceOwner): void {
  const nonce = randomBytes(16).toString('base64url');
  const value = `${nonce}.${signatureOf(masterKey.seals, owner, nonce).toString('base64url')}`;
  reply.setCookie(cookies.device, value, { path: '/', httpOnly: true, sameSite: 'lax', secure: cookies.secure, maxAge: YEAR_S });
}

/** The name of the caller's device when this account was opened in it before. */
export function knownDevice(request: FastifyRequest, cookies: Cookies, masterKey: MasterKey, owner: DeviceOwner): string | undefined {
  const [nonce, signature] = (request.cookies[cookies.device] ?? '').split('.');
  if (!nonce || !signature) return undefined;
  const given = Buffer.from(signature, 'base64url');
  const { seals, alsoOpens } = masterKey;
  const isRight = (key: Buffer) => {
    const right = signatureOf(key, owner, nonce);
    return given.length === right.length && timingSafeEqual(given, right);
  };
  return isRight(seals) || (alsoOpens && isRight(alsoOpens)) ? nonce : undefined;
}

function signatureOf(key: Buffer, { id, credential_epoch }: DeviceOwner, nonce: string): Buffer {
  return createHmac('sha256', key).update(`device\0${id}\0${credential_epoch}\0${nonce}`).digest();
}
