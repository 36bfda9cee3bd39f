/**
 * Writes what concerns the security of an organization, as the answer is sent, whether or not anybody still waits for it: what calls of signing in
 * came to, and every call of a person that was refused for want of a session, a permission or patience (ASVS 5.0 16.3). Never anything that
 * somebody typed.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { SecurityKind, SecurityOutcome } from '#contract/security-words.ts';
import { networkOf } from '#server/kit/caller.ts';
import { sha256 } from '#server/kit/crypto.ts';
import { PROOF_NEEDED } from '#server/session/fresh-proof.ts';
import { nameDevice } from '#server/session/name-device.ts';
import type { Cookies } from '#server/session/signed-in.ts';
import type { Done } from './note.ts';
import type { SecurityEvent, SecurityLog, Subject } from './security-log.ts';

declare module 'fastify' {
  interface FastifyReply {
    isWatched: boolean;
  }
}

/** What a refusal there is about; of all other calls it is the call itself. */
const KINDS: Readonly<Record<string, SecurityKind>> = {
  '/team-login': 'sign-in',
  '/api/user/verify-mfa': 'sign-in',
  '/api/user/register/verify-mfa': 'sign-in',
  '/api/user/validate-mfa': 'sign-in',
  '/api/v1/session/auto-login': 'sign-in',
  '/api/v1/session/choose-organization': 'sign-in',
  '/api/v1/session/prove': 'proof',
  '/api/v1/session/recovery-codes': 'two-factor',
  '/api/v1/teamMgmt/user/reset-mfa/:token': 'two-factor',
  '/api/v1/teamMgmt/user/change-password': 'password',
  '/api/v1/teamMgmt/user/reset-password/:token': 'password',
  '/api/v1/teamMgmt/team/hand-over-ownership': 'proof',
  '/api/v1/teamMgmt/team/register-member-data': 'link',
  '/api/v1/teamMgmt/team/register-member-activation': 'link',
  '/api/v1/teamMgmt/team/member/accept-invitation': 'link',
};

const OUTCOMES: Readonly<Record<string, SecurityOutcome>> = {
  session_refused: 'wrong-password',
  password_wrong: 'wrong-password',
  session_code_refused: 'wrong-code',
  session_codes_closed: 'second-factor-closed',
  session_missing: 'over',
  session_user_invalid: 'over',
  session_code_missing: 'over',
  user_not_activated: 'not-activated',
  session_no_organization: 'no-organization',
  organization_domain_invalid: 'other-domain',
  session_of_another: 'other-account',
  invitation_of_another: 'other-account',
  request_foreign: 'foreign-page',
};

/** Said before anybody asked whose session it is, or where there is none any more: the cookie still tells. */
const BEFORE_CALLER = ['session_missing', 'session_user_invalid', 'session_code_missing', 'request_foreign'];
/** Of the call, whichever it is. */
const OF_ANY_CALL = ['session_missing', 'request_foreign', 'portal_only', 'team_forbidden'];
const RECORDED = [401, 403, 410, 429];

export interface Watch {
  log: SecurityLog;
  now: () => number;
  cookies: Cookies;
  /** Whose address a host is; undefined where it is nobody's. */
  organizationAt: (hostname: string) => string | undefined;
}

export function watchAnswers(app: FastifyInstance, watch: Watch): void {
  app.decorateRequest('securityNotes', null);
  app.decorateReply('isWatched', false);
  // Not `onResponse`: that is never called where the caller has hung up.
  app.addHook('onSend', (request, reply, _payload, done) => {
    // An answer that fails on its way is followed by another one.
    if (!reply.isWatched) record(watch, request, reply);
    reply.isWatched = true;
    done();
  });
}

function record({ log, now, cookies, organizationAt }: Watch, request: FastifyRequest, reply: FastifyReply): void {
  const events: (Done & Pick<SecurityEvent, 'statusCode' | 'code'>)[] = [];
  // What is committed stands, also where the call is refused afterwards.
  for (const done of request.securityNotes?.done ?? []) events.push({ ...done, statusCode: reply.statusCode, code: '' });
  const refused = reply.refusal && refusalOf(request, reply.refusal, cookies);
  if (refused) events.push({ ...refused, statusCode: reply.refusal!.status, code: reply.refusal!.code });
  if (events.length === 0) return;
  const [at, calledAt] = [now(), organizationAt(request.hostname) ?? null];
  for (const [n, event] of events.entries()) {
    if ('isStranger' in event.subject && calledAt === null) continue;
    log.record({
      ...event,
      // Lines of one call stand in the order in which they came about.
      at: at + n,
      calledAt,
      network: networkOf(request.ip),
      device: nameDevice(request.headers['user-agent'] ?? ''),
      method: request.method,
      route: request.routeOptions.url ?? '',
    });
  }
}

/** Undefined where nobody's organization is concerned: a stranger who has no account is counted, and not written down. */
function refusalOf(request: FastifyRequest, { status, code }: { status: number; code: string }, cookies: Cookies): Done | undefined {
  const notes = request.securityNotes;
  if (code === PROOF_NEEDED || (!RECORDED.includes(status) && !notes?.outcome)) return undefined;
  const subject = notes?.subject ?? notes?.caller ?? (BEFORE_CALLER.includes(code) ? ofCookie(request, cookies) : undefined);
  const outcome = status === 429 ? 'limit' : (notes?.outcome ?? OUTCOMES[code] ?? (status === 403 ? 'not-permitted' : 'refused'));
  return subject && { kind: kindOf(request, status, code), outcome, factors: notes?.factors ?? '', subject, byUserId: null };
}

function kindOf(request: FastifyRequest, status: number, code: string): SecurityKind {
  const own = OF_ANY_CALL.includes(code) ? undefined : KINDS[request.routeOptions.url ?? ''];
  return own ?? (status === 429 ? 'limit' : 'refusal');
}

function ofCookie(request: FastifyRequest, { name }: Cookies): Subject | undefined {
  const token = request.cookies?.[name];
  return token ? { tokenHash: sha256(token).toString('hex') } : undefined;
}
