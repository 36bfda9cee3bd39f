/** Registering an organization, and whether its sub-domain can be had (account §4, §7). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { MESSAGES } from '#contract/message.ts';
import { checkDomainAnswer, checkDomainBody, registerAnswer, registerBody } from '#contract/registration.ts';
import { plainSubDomain, subDomainProblem } from '#contract/sub-domain.ts';
import { networkOf } from '#server/kit/caller.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import { takeTry } from '#server/kit/throttle.ts';
import { isSubDomainTaken } from '#server/organization/sub-domain.sql.ts';
import { beginHere, enterOrganization, type Visit } from '#server/session/enter-organization.ts';
import { NO_PROOF, proofBy } from '#server/session/proof.ts';
import type { UserRow } from '#server/session/session.sql.ts';
import { viewUser } from '#server/session/session.view.ts';
import { findSignedIn, requireOwnPage, sessionCookies } from '#server/session/signed-in.ts';
import { qrCodeOf } from '#server/two-factor/totp.ts';
import { beginSecret } from '#server/two-factor/two-factor.sql.ts';
import { type RegistrationParts, registerOrganization } from './register-organization.ts';

const REGISTRATIONS = { limit: 60, windowMs: 3_600_000 };
const CHECKS = { limit: 240, windowMs: 60_000 };

export async function registrationRoutes(instance: FastifyInstance, options: RegistrationParts & { limiter: RateLimiter }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, limiter } = options;
  const cookies = sessionCookies(config.appEnv);

  app.post(
    '/api/v1/teamMgmt/organization/check-domain-exist-status',
    {
      schema: {
        tags: ['account'],
        summary: 'Whether a sub-domain exists already',
        body: checkDomainBody,
        response: { 200: checkDomainAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const waitMs = limiter.take(`sub-domain from ${networkOf(request.ip)}`, CHECKS.limit, CHECKS.windowMs, Date.now());
      if (waitMs > 0) throw tooMany(waitMs);
      const domain = plainSubDomain(request.body.domain);
      const problem = subDomainProblem(domain);
      if (problem) return { status: true, domain, msg: MESSAGES[problem] };
      // One's own counts as free while editing; which organization that is, the session says and not the body.
      const person = request.body.key === 'edit' ? await findSignedIn(db, cookies, request) : undefined;
      const exists = await isSubDomainTaken(db, domain, person?.organizationId);
      return { status: exists, domain, msg: exists ? MESSAGES.subDomainTaken : '' };
    },
  );

  app.post(
    '/api/v1/teamMgmt/users/register',
    {
      schema: {
        tags: ['account'],
        summary: 'Register an organization and its owner',
        body: registerBody,
        response: { 200: registerAnswer },
      },
    },
    async (request, reply) => {
      requireOwnPage(request);
      const from = `register from ${networkOf(request.ip)}`;
      const waitMs = await takeTry(db, from, REGISTRATIONS.limit, REGISTRATIONS.windowMs);
      if (waitMs > 0) throw tooMany(waitMs);
      const { userId } = await registerOrganization(options, request.body);
      const user = await db.selectFrom('app_user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow();
      const next = await begin(options, { request, reply, cookies }, user);
      const msg = user.email_confirmed_at ? MESSAGES.organizationRegistered : MESSAGES.activationEmailSentSuccess;
      return { status: true as const, msg, jsonResponse: { isEnv: !config.twoFactor, ...next, user: viewUser(user) } };
    },
  );
}

/** Two-factor is set up at once; where it is skipped the person is let in. */
async function begin(options: RegistrationParts, visit: Visit, user: UserRow) {
  const { db, config } = options;
  if (!config.twoFactor) {
    const { redirectUrl } = await enterOrganization(options, visit, user, proofBy('password'));
    return { Qrstatus: '' as const, qrCode: '', secret: '', redirectUrl };
  }
  await beginHere(options, visit, user, { organizationId: null, stage: 'mfa-setup', proof: NO_PROOF });
  const secret = await beginSecret(db, config.masterKey, user.id);
  return { Qrstatus: '1' as const, qrCode: qrCodeOf(secret, user.email), secret, redirectUrl: null };
}

function tooMany(waitMs: number): HttpError {
  return new HttpError(429, 'registration_rate_limited', 'Too many tries from your network. Wait a while and try again.', {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
  });
}
