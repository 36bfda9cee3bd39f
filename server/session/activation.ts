/** Confirming the address of a new account: the mail, and the three calls behind its link (account §4, §7). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { plainEmail } from '#contract/email.ts';
import { MESSAGES } from '#contract/message.ts';
import { activationQuery, emailBody, memberDataAnswer, memberDataBody, saidAnswer } from '#contract/sign-in.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { noteBadLink, noteDone } from '#server/security-log/note.ts';
import { sendHeldInvitations } from '#server/team/invite-member.ts';
import { endTokens, findToken, issueToken, takeToken } from '#server/token/one-time-token.ts';
import { evenly } from './evenly.ts';
import { requireAddress } from './require-address.ts';
import { findUser, findUserByEmail, listOrganizations, type UserRow } from './session.sql.ts';
import { mailCounts, mayMail, takeTries } from './sign-in-tries.ts';
import { requireOwnPage } from './signed-in.ts';

export interface ActivationParts {
  db: Db;
  mailer: Mailer;
  addresses: Addresses;
}

/** Files the mail with the link that activates an account, in place of an earlier one. */
export async function sendActivation(
  tx: Db,
  { mailer, addresses }: Omit<ActivationParts, 'db'>,
  user: { id: string; email: string; first_name: string },
): Promise<void> {
  await endTokens(tx, 'activation', user.id);
  const token = await issueToken(tx, 'activation', { userId: user.id });
  const url = `${addresses.origin()}/invitation-confirm-email/${user.id}?${new URLSearchParams({ token, email: user.email })}`;
  await mailer.file(
    tx,
    'activation',
    user.email,
    composeMail({
      subject: 'Activate your Sluice account',
      paragraphs: [`Welcome, ${user.first_name}.`, 'One step is left: confirm that this address is yours.'],
      button: { label: 'Activate the account', url },
      after: ['The link is good for three days, once. If you did not register, do nothing: without it the account opens to nobody.'],
    }),
  );
}

export async function activationRoutes(instance: FastifyInstance, options: ActivationParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;

  app.post(
    '/api/v1/teamMgmt/team/register-member-data',
    {
      schema: {
        tags: ['account'],
        summary: 'Whose account a confirmation link activates',
        body: memberDataBody,
        response: { 200: memberDataAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const user = await requireLinked(options, request, request.body.token, (one) => one.id === request.body.userId);
      const [organization] = await listOrganizations(db, { id: user.id, isSuperAdmin: false });
      const { first_name, last_name, email } = user;
      const data = { first_name, last_name, email, organization: organization?.name ?? '', subDomain: organization?.sub_domain ?? '' };
      return { status: true as const, data };
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/register-member-activation',
    {
      schema: {
        tags: ['account'],
        summary: 'Activate an account by the link of a mail',
        querystring: activationQuery,
        response: { 200: saidAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const { token, email } = request.query;
      const user = await requireLinked(options, request, token, (one) => one.email === plainEmail(email));
      await db.transaction().execute(async (tx) => {
        if (!(await takeToken(tx, 'activation', token))) throw linkEnded();
        await tx.updateTable('app_user').set({ email_confirmed_at: new Date() }).where('id', '=', user.id).execute();
        await sendHeldInvitations(tx, options, user);
      });
      noteDone(request, { kind: 'link', userId: user.id, factors: 'link' });
      return { status: true, msg: MESSAGES.userActivated };
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/resend-activation-email',
    {
      schema: {
        tags: ['account'],
        summary: 'Send the activation mail again; the answer is the same for every address',
        body: emailBody,
        response: { 200: saidAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const email = requireAddress(request.body.email);
      await takeTries(db, mailCounts('activation', email, networkOf(request.ip)));
      await evenly(async () => {
        const user = await findUserByEmail(db, email);
        if (user && !user.email_confirmed_at && user.password_hash && (await mayMail(db, 'activation', email)))
          await db.transaction().execute((tx) => sendActivation(tx, options, user));
      });
      return { status: true, msg: MESSAGES.activationEmailSentSuccess };
    },
  );
}

/** The person of a link that is good. Who follows it a second time hears that all is done; a stranger hears nothing. */
async function requireLinked(
  { db }: ActivationParts,
  request: FastifyRequest,
  token: string | undefined,
  isTheirs: (user: UserRow) => boolean,
): Promise<UserRow> {
  const bad = () => {
    if (token) noteBadLink(request, found);
    return linkEnded();
  };
  const found = token ? await findToken(db, 'activation', token) : undefined;
  const user = found ? await findUser(db, found.userId) : undefined;
  if (!found || !user || !isTheirs(user)) throw bad();
  if (user.email_confirmed_at) throw new HttpError(409, 'user_already_activated', MESSAGES.userAlreadyActivated);
  if (found.usedAt || found.expiresAt <= new Date()) throw bad();
  return user;
}

function linkEnded(): HttpError {
  return new HttpError(410, 'token_expired', MESSAGES.passwortokenExpired);
}
