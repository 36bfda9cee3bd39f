/**
 * The last step of every sign-in: the session that the person's browser gets, and the way to the organization's own
 * sub-domain (account §4 "Organization choice").
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { MESSAGES } from '#contract/message.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { noteDone } from '#server/security-log/note.ts';
import { issueToken, type LivingSession } from '#server/token/one-time-token.ts';
import { setDeviceCookie } from './device.ts';
import type { Proof } from './proof.ts';
import { deleteSession, insertSession, listOrganizations, type NewSession } from './session.sql.ts';
import { viewOrganization } from './session.view.ts';
import { type Cookies, setSessionCookie } from './signed-in.ts';

export interface SignInParts {
  db: Db;
  config: Config;
  addresses: Addresses;
}

/** One browser's conversation with us. */
export interface Visit {
  request: FastifyRequest;
  reply: FastifyReply;
  cookies: Cookies;
}

export interface Person {
  id: string;
  is_super_admin: boolean;
  credential_epoch: number;
}

type OrganizationRow = Awaited<ReturnType<typeof listOrganizations>>[number];

/** What a sign-in comes to, as contract/sign-in.ts says it. */
export interface Entered {
  organizations: ReturnType<typeof viewOrganization>[];
  autoLoginToken: string;
  userSessionId: string;
  redirectUrl: string | null;
  /** The session's name; '' when it begins elsewhere. */
  userToken: string;
}

const NOWHERE = { autoLoginToken: '', userSessionId: '', redirectUrl: null };

/** Lets the person in, at the host the call came to. `proof`: of this sign-in. Throws 403 when no organization of theirs is there. */
export async function enterOrganization(parts: SignInParts, visit: Visit, person: Person, proof: Proof): Promise<Entered> {
  const entered = await enterHere(parts, visit, person, proof);
  setDeviceCookie(visit.reply, visit.cookies, parts.config.masterKey, person);
  return entered;
}

async function enterHere(parts: SignInParts, visit: Visit, person: Person, proof: Proof): Promise<Entered> {
  const rows = await listOrganizations(parts.db, { id: person.id, isSuperAdmin: person.is_super_admin });
  if (rows.length === 0)
    throw new HttpError(403, 'session_no_organization', 'You are on no team any more. Ask its owner for an invitation.');
  const organizations = rows.map(viewOrganization);
  const subDomain = parts.addresses.subDomainOf(visit.request.hostname);
  if (subDomain) {
    const here = rows.find((row) => row.sub_domain === subDomain);
    if (!here) throw notThisDomain();
    return { organizations, ...NOWHERE, userToken: await signInHere(parts, visit, person, { organizationId: here.id, proof }) };
  }
  const [only] = rows;
  if (rows.length > 1) {
    const userToken = await beginHere(parts, visit, person, { organizationId: null, proof });
    noteDone(visit.request, { kind: 'sign-in', outcome: 'next-step', userId: person.id, factors: proof.by });
    return { organizations, ...NOWHERE, userToken };
  }
  if (subDomain === undefined)
    return { organizations, ...NOWHERE, userToken: await signInHere(parts, visit, person, { organizationId: only!.id, proof }) };
  return { organizations, ...(await handOver(parts, visit, person, only!, { proof })), userToken: '' };
}

/** The chosen one of several: here where hosts are not ours to name, else at its own sub-domain. */
export async function chooseOrganization(
  parts: SignInParts,
  visit: Visit,
  person: Person,
  organizationId: string,
  { session, proof }: { session: LivingSession | null; proof: Proof },
): Promise<Entered> {
  const rows = await listOrganizations(parts.db, { id: person.id, isSuperAdmin: person.is_super_admin });
  const chosen = rows.find((row) => row.id === organizationId);
  if (!chosen) throw new HttpError(404, 'organization_unknown', 'There is no such organization, or you are not on its team.');
  const organizations = rows.map(viewOrganization);
  const subDomain = parts.addresses.subDomainOf(visit.request.hostname);
  if (subDomain === undefined || subDomain === chosen.sub_domain)
    return {
      ...{ organizations, ...NOWHERE },
      userToken: await signInHere(parts, visit, person, { organizationId: chosen.id, endsAt: session?.expiresAt, proof }),
    };
  return { organizations, ...(await handOver(parts, visit, person, chosen, { session, proof })), userToken: '' };
}

/** A session in an organization, which its security log tells of. */
export async function signInHere(
  parts: Pick<SignInParts, 'db'>,
  visit: Visit,
  person: Pick<Person, 'id' | 'credential_epoch'>,
  begun: Begun & { organizationId: string },
): Promise<string> {
  const sessionId = await beginHere(parts, visit, person, begun);
  noteDone(visit.request, { kind: 'sign-in', userId: person.id, organizationId: begun.organizationId, factors: begun.proof.by });
  return sessionId;
}

export interface Begun extends Pick<NewSession, 'organizationId' | 'endsAt' | 'proof'> {
  stage?: NewSession['stage'];
}

/** A session in place of whatever the browser had: what an attacker may have planted before is worth nothing afterwards. */
export async function beginHere(
  { db }: Pick<SignInParts, 'db'>,
  { request, reply, cookies }: Visit,
  person: Pick<Person, 'id' | 'credential_epoch'>,
  { organizationId, stage = 'full', endsAt, proof }: Begun,
): Promise<string> {
  const old = request.cookies[cookies.name];
  if (old) await deleteSession(db, old);
  const userAgent = request.headers['user-agent'] ?? '';
  const { token, sessionId } = await insertSession(db, {
    userId: person.id,
    credentialEpoch: person.credential_epoch,
    organizationId,
    stage,
    address: request.ip,
    userAgent,
    endsAt,
    proof,
  });
  setSessionCookie(reply, cookies, token);
  return sessionId;
}

/** A token for the organization's sub-domain. What the browser held for choosing ends; a session in another organization goes on. */
async function handOver(
  { db, addresses }: SignInParts,
  { request, cookies }: Visit,
  person: Person,
  organization: OrganizationRow,
  { session = null, proof }: { session?: LivingSession | null; proof: Proof },
) {
  const old = request.cookies[cookies.name];
  const ends = old !== undefined && addresses.subDomainOf(request.hostname) === '';
  if (ends) await deleteSession(db, old);
  const token = await issueToken(db, 'hand-over', {
    userId: person.id,
    organizationId: organization.id,
    credentialEpoch: person.credential_epoch,
    session: ends ? null : session,
    proof,
  }).catch((error) => {
    // The session ended while it was being gone on with.
    throw error.code === '23503' ? new HttpError(401, 'session_missing', 'Your session has ended. Sign in again.') : error;
  });
  noteDone(request, { kind: 'sign-in', outcome: 'next-step', userId: person.id, organizationId: organization.id, factors: proof.by });
  const query = new URLSearchParams({ isAutoLogin: '1', userSessionId: token, orgId: organization.id });
  return { autoLoginToken: token, userSessionId: token, redirectUrl: `${addresses.origin(organization.sub_domain)}/?${query}` };
}

export function notThisDomain(): HttpError {
  return new HttpError(403, 'organization_domain_invalid', MESSAGES.invalidOrganizationDomain, { key: '2' });
}
