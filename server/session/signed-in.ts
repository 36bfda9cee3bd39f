/** Who is calling: read from the session cookie, never from a body, a header of the caller's or the path. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { findSession, type SessionStart, type SignedIn } from './session.sql.ts';

export interface Cookies {
  /** The `__Host-` prefix, where the connection is secure, keeps sibling sub-domains from planting a cookie. */
  name: string;
  secure: boolean;
}

export function sessionCookies(appEnv: string): Cookies {
  const secure = appEnv === 'production';
  return { name: secure ? '__Host-sluice' : 'sluice', secure };
}

export async function findSignedIn(db: Db, cookies: Cookies, request: FastifyRequest): Promise<SignedIn | undefined> {
  const token = request.cookies[cookies.name];
  return token ? findSession(db, token) : undefined;
}

/** The person, or 401 with the way out. */
export async function requireSignedIn(db: Db, cookies: Cookies, request: FastifyRequest): Promise<SignedIn> {
  const person = await findSignedIn(db, cookies, request);
  if (!person) throw new HttpError(401, 'session_missing', 'You are not signed in, or your session has ended. Sign in again.');
  return person;
}

/** From where and with what somebody signs in, for the lists of sessions. */
export function startOf(request: FastifyRequest): SessionStart {
  return { address: networkOf(request.ip), userAgent: request.headers['user-agent'] ?? '' };
}

export function setSessionCookie(reply: FastifyReply, cookies: Cookies, token: string): void {
  reply.setCookie(cookies.name, token, { path: '/', httpOnly: true, sameSite: 'lax', secure: cookies.secure });
}

export function clearSessionCookie(reply: FastifyReply, cookies: Cookies): void {
  reply.clearCookie(cookies.name, { path: '/', httpOnly: true, sameSite: 'lax', secure: cookies.secure });
}

/** A header that a foreign page cannot send without our consent; every state change of the console carries it. */
export function requireOwnPage(request: FastifyRequest): void {
  if (request.headers['x-requested-with'] !== 'sluice') {
    throw new HttpError(403, 'request_foreign', 'This call must come from the console itself (header X-Requested-With: sluice).');
  }
}
