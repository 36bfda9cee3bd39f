/**
 * Browsers in which an account was opened before have a budget of tries of their own, so that somebody else's guessing keeps
 * nobody out of an own browser (account §5: throttling locks attackers, not users).
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Cookies } from './signed-in.ts';

const YEAR_S = 365 * 86_400;

export function setDeviceCookie(reply: FastifyReply, cookies: Cookies, masterKey: Buffer, userId: string): void {
  const nonce = randomBytes(16).toString('base64url');
  const value = `${nonce}.${signatureOf(masterKey, userId, nonce).toString('base64url')}`;
  reply.setCookie(cookies.device, value, { path: '/', httpOnly: true, sameSite: 'lax', secure: cookies.secure, maxAge: YEAR_S });
}

/** The name of the caller's device when this account was opened in it before. */
export function knownDevice(request: FastifyRequest, cookies: Cookies, masterKey: Buffer, userId: string): string | undefined {
  const [nonce, signature] = (request.cookies[cookies.device] ?? '').split('.');
  if (!nonce || !signature) return undefined;
  const [given, right] = [Buffer.from(signature, 'base64url'), signatureOf(masterKey, userId, nonce)];
  return given.length === right.length && timingSafeEqual(given, right) ? nonce : undefined;
}

function signatureOf(masterKey: Buffer, userId: string, nonce: string): Buffer {
  return createHmac('sha256', masterKey).update(`device\0${userId}\0${nonce}`).digest();
}
