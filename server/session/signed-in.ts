/** Who is calling: read from the session cookie, never from a body, a header of the caller's or the path. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { noteCaller } from '#server/security-log/note.ts';
import { findSession, type SignedIn, touchSession } from './session.sql.ts';

export interface Cookies {
  /** The `__Host-` prefix, where the connection is secure, keeps sibling sub-domains from planting a cookie. */
  name: string;
  /** Tells a browser in which an account was opened before (device.ts). */
  device: string;
  secure: boolean;
}

export function sessionCookies(appEnv: string): Cookies {
  const secure = appEnv === 'production';
  const prefix = secure ? '__Host-' : '';
  return { name: `${prefix}sluice`, device: `${prefix}sluice-device`, secure };
}

/** The console says so of what it asks by itself while nobody touches it: such a call keeps no session alive (console §4). */
const isUnattended = (request: FastifyRequest): boolean => request.headers['x-unattended'] !== undefined;

/** `seen`: false when the call comes by itself and says nothing of the person being there. */
export async function findSignedIn(db: Db, cookies: Cookies, request: FastifyRequest, seen = true): Promise<SignedIn | undefined> {
  const token = request.cookies[cookies.name];
  const person = token ? await findSession(db, token) : undefined;
  if (person) noteCaller(request, person);
  if (person && seen && !isUnattended(request)) await touchSession(db, person);
  return person;
}

/**
 * The person, or 401 with the way out. A member of a portal is refused: what they may ask has a door of its own (requireAnybody, and
 * server/portal/portal-door.ts), so that no call is open to them that nobody thought of.
 */
export async function requireSignedIn(db: Db, cookies: Cookies, request: FastifyRequest, seen = true): Promise<SignedIn> {
  const person = await requireAnybody(db, cookies, request, seen);
  if (person.bound) throw portalOnly();
  return person;
}

export const portalOnly = (): HttpError =>
  new HttpError(403, 'portal_only', 'Your sign-in is for your own portal. Ask the organization if you need something else.');

/** For what concerns the person alone, such as their password: members of a portal too. */
export async function requireAnybody(db: Db, cookies: Cookies, request: FastifyRequest, seen = true): Promise<SignedIn> {
  const person = await findSignedIn(db, cookies, request, seen);
  if (!person) throw new HttpError(401, 'session_missing', 'You are not signed in, or your session has ended. Sign in again.');
  return person;
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
