/** The invited person's side: reading, accepting and rejecting an invitation (account §4, §7). Public: the link's token is the authority. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { personName } from '#contract/person-name.ts';
import { memberRegisterAnswer, memberRegisterBody } from '#contract/registration.ts';
import { acceptInvitationBody, invitationAnswer, invitationAnswered, invitationBody } from '#contract/team.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { GateFull } from '#server/kit/gate.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { giveTryBack, takeTry } from '#server/kit/throttle.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { verifyPassword } from '#server/password/password.ts';
import { requirePassword } from '#server/password/require-password.ts';
import { noteBadLink, noteDone, noteSubject } from '#server/security-log/note.ts';
import { findSignedIn, requireOwnPage, sessionCookies } from '#server/session/signed-in.ts';
import { findToken } from '#server/token/one-time-token.ts';
import { acceptInvitation, type NewAccount, rejectInvitation, requireOpenInvitation } from './answer-invitation.ts';
import { getInvitation, type InvitationRow, isUser, standingOf } from './invitation.sql.ts';

const PER_ADDRESS = { limit: 120, windowMs: 60_000 };
const PASSWORD_TRIES = { limit: 10, windowMs: 15 * 60_000 };

export interface InvitationParts {
  db: Db;
  config: Config;
  mailer: Mailer;
}

export async function invitationRoutes(instance: FastifyInstance, options: InvitationParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, mailer } = options;
  const cookies = sessionCookies(config.appEnv);

  app.post(
    '/api/v1/teamMgmt/team/member/name',
    {
      schema: {
        tags: ['account'],
        summary: 'Who is invited, by whom',
        body: invitationBody,
        response: { 200: invitationAnswer },
      },
    },
    async (request) => {
      await enter(request);
      const invitation = await getInvitation(db, request.body.teamId);
      return {
        status: true as const,
        teamData: { firstName: invitation.first_name, lastName: invitation.last_name },
        email: invitation.email,
        organizationId: invitation.organization_id,
        organizationName: invitation.organization_name,
        isUser: isUser(invitation),
        isInvitationSuccess: standingOf(invitation),
      };
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/member/accept-invitation',
    {
      schema: {
        tags: ['account'],
        summary: 'Accept an invitation',
        body: acceptInvitationBody,
        response: { 200: invitationAnswered },
      },
    },
    async (request) => {
      await enter(request);
      const { body } = request;
      const invitation = await open(request, body.teamId);
      requireSame(invitation, body);
      const known = isUser(invitation);
      if (known) {
        await requireInvited(request, invitation, body.password ?? '');
        await acceptInvitation(db, mailer, body.teamId, undefined);
      } else if (body.password) await acceptInvitation(db, mailer, body.teamId, await readAccount(invitation, body));
      if (known || body.password) noteAccepted(request, invitation);
      // Without a password yet, the person goes on to member-register, which accepts (account §2).
      return {
        status: true as const,
        msg: MESSAGES.invitaionAcceptSuccess,
        isInvitationSuccess: 2 as const,
        isUser: known || !!body.password,
        teamId: body.teamId,
      };
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/member/reject-invitation',
    {
      schema: {
        tags: ['account'],
        summary: 'Reject an invitation',
        body: invitationBody,
        response: { 200: invitationAnswered },
      },
    },
    async (request) => {
      await enter(request);
      const invitation = await open(request, request.body.teamId);
      await rejectInvitation(db, mailer, request.body.teamId);
      return {
        status: true as const,
        msg: MESSAGES.invitaionRejected,
        isInvitationSuccess: 3 as const,
        isUser: isUser(invitation),
        teamId: request.body.teamId,
      };
    },
  );

  app.post(
    '/api/v1/teamMgmt/non-dp/users/register',
    {
      schema: {
        tags: ['account'],
        summary: 'Register as an invited member',
        body: memberRegisterBody,
        response: { 200: memberRegisterAnswer },
      },
    },
    async (request) => {
      await enter(request);
      const { body } = request;
      const invitation = await open(request, body.teamId);
      if (isUser(invitation))
        throw new HttpError(
          409,
          'invitation_has_account',
          'There is an account for this address. Accept the invitation with its password.',
        );
      await acceptInvitation(db, mailer, body.teamId, await readAccount(invitation, body));
      noteAccepted(request, invitation);
      return { status: true as const, env: !config.twoFactor, msg: MESSAGES.userActivated, email: invitation.email };
    },
  );

  async function enter(request: FastifyRequest): Promise<void> {
    requireOwnPage(request);
    const waitMs = await takeTry(db, `invitation from ${networkOf(request.ip)}`, PER_ADDRESS.limit, PER_ADDRESS.windowMs);
    if (waitMs > 0) throw tooMany('invitation_rate_limited', waitMs);
  }

  /** The invited person's own session, or their own password. */
  async function requireInvited(request: FastifyRequest, invitation: InvitationRow, password: string): Promise<void> {
    const person = await findSignedIn(db, cookies, request);
    if (person?.userId === invitation.user_id) return;
    if (person && password === '')
      throw new HttpError(
        403,
        'invitation_of_another',
        `This invitation is for ${invitation.email}. Give that account's password, or sign in with it.`,
      );
    noteSubject(request, invitation.user_id, 'password');
    await requireOwnPassword(invitation, password);
  }

  /** The invitation that the link is of. One that is no longer good is written down for whose it is. */
  async function open(request: FastifyRequest, token: string): Promise<InvitationRow> {
    return requireOpenInvitation(db, token).catch(async (error) => {
      noteBadLink(request, await findToken(db, 'invitation', token));
      throw error;
    });
  }

  async function requireOwnPassword(invitation: InvitationRow, password: string): Promise<void> {
    const [name, now] = [`invitation password ${invitation.user_id}`, Date.now()];
    const waitMs = await takeTry(db, name, PASSWORD_TRIES.limit, PASSWORD_TRIES.windowMs, now);
    if (waitMs > 0) throw tooMany('invitation_rate_limited', waitMs);
    const matches = await verifyPassword(invitation.password_hash ?? undefined, password).catch((error) => {
      throw error instanceof GateFull ? tooMany('session_busy', 1000) : error;
    });
    if (!matches)
      throw new HttpError(401, 'password_wrong', 'This is not the password of your account.', {
        errors: [{ field: 'password', message: 'This is not the password of your account.' }],
      });
    await giveTryBack(db, name, PASSWORD_TRIES.windowMs, now);
  }
}

function noteAccepted(request: FastifyRequest, { user_id: userId, organization_id: organizationId }: InvitationRow): void {
  noteDone(request, { kind: 'link', userId, organizationId, factors: 'link' });
}

function tooMany(code: string, waitMs: number): HttpError {
  const seconds = Math.ceil(waitMs / 1000);
  return new HttpError(429, code, `Too many tries. Try again in ${seconds} s.`, { retryAfterSeconds: seconds });
}

/** Role, organization and address come from the invitation; a body that says otherwise is another invitation's. */
function requireSame(invitation: InvitationRow, { organizationId, email }: z.infer<typeof acceptInvitationBody>): void {
  const other =
    (organizationId && organizationId !== invitation.organization_id) || (email && email.trim().toLowerCase() !== invitation.email);
  if (other) throw new HttpError(403, 'invitation_of_another', 'This invitation is for another address or organization.');
}

async function readAccount(
  invitation: InvitationRow,
  {
    first_name,
    last_name,
    password,
  }: { first_name?: string | null | undefined; last_name?: string | null | undefined; password?: string | null | undefined },
): Promise<NewAccount> {
  const [firstName, lastName] = [first_name || invitation.first_name, last_name || invitation.last_name];
  // Who was invited without a last name need not have one.
  const isName = [firstName, lastName].every((name) => name === '' || personName.safeParse(name).success);
  if (!isName) throw new HttpError(400, 'name_invalid', 'A name is one line of text without a link or invisible characters.');
  const passwordHash = await requirePassword(password ?? '', {
    email: invitation.email,
    names: [firstName, lastName, invitation.organization_name],
  });
  return { firstName, lastName, passwordHash };
}
