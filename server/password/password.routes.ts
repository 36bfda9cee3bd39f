/** Forgotten, reset and changed passwords (account §5, §7, §8). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES, type MessageKey } from '#contract/message.ts';
import { changePasswordBody, emailTextBody, forgotAnswer, newPasswordBody, resetPasswordAnswer, saidAnswer } from '#contract/sign-in.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { noteBadLink, noteDone, noteOutcome } from '#server/security-log/note.ts';
import { knownDevice, setDeviceCookie } from '#server/session/device.ts';
import { beginHere, type SignInParts } from '#server/session/enter-organization.ts';
import { evenly } from '#server/session/evenly.ts';
import { factorsOf, requireFreshProof } from '#server/session/fresh-proof.ts';
import { requireAddress } from '#server/session/require-address.ts';
import { endSessions, findUser, findUserByEmail, getUser, listOrganizations, setProof, type UserRow } from '#server/session/session.sql.ts';
import { viewUser } from '#server/session/session.view.ts';
import { mailCounts, mayMail, passwordCounts, takeTries } from '#server/session/sign-in-tries.ts';
import { requireAnybody, requireOwnPage, sessionCookies } from '#server/session/signed-in.ts';
import { endTokens, findToken, issueToken, takeToken } from '#server/token/one-time-token.ts';
import { removeTwoFactor } from '#server/two-factor/two-factor.sql.ts';
import { passwordChangedLetter, passwordResetLetter } from './password.mail.ts';
import { hashPassword, verifyPassword } from './password.ts';
import { passwordProblem } from './password-policy.ts';

export interface PasswordRoutes extends SignInParts {
  mailer: Mailer;
}

export async function passwordRoutes(instance: FastifyInstance, options: PasswordRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, mailer, addresses } = options;
  const cookies = sessionCookies(config.appEnv);

  app.post(
    '/api/v1/teamMgmt/user/forgot-password',
    {
      schema: {
        tags: ['account'],
        summary: 'Ask for a link to set a new password; the answer is the same for every address',
        body: emailTextBody,
        response: { 200: forgotAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const email = requireAddress(request.body.text, 'danger');
      await takeTries(db, mailCounts('password', email, networkOf(request.ip))).catch(asDanger);
      await evenly(async () => {
        const user = await findUserByEmail(db, email);
        if (!user || !(await mayMail(db, 'password', email))) return;
        // Earlier links stay good until one is used: a stranger who asks must not end the one that is just being opened.
        await db.transaction().execute(async (tx) => {
          const token = await issueToken(tx, 'password-reset', { userId: user.id });
          await mailer.file(tx, 'password-reset', user.email, passwordResetLetter(`${addresses.origin()}/reset/${token}`));
        });
        noteDone(request, { kind: 'password', outcome: 'link-sent', userId: user.id });
      });
      return { status: true, msg: MESSAGES.resetPassEmailSent };
    },
  );

  app.post(
    '/api/v1/teamMgmt/user/reset-password/:token',
    {
      schema: {
        tags: ['account'],
        summary: 'Set a new password by the link of a mail',
        params: z.object({ token: z.string().max(200) }),
        body: newPasswordBody,
        response: { 200: resetPasswordAnswer },
      },
    },
    async (request, reply) => {
      requireOwnPage(request);
      const { token } = request.params;
      // Looked at first: a password that will not do must not use the link up.
      const found = await findToken(db, 'password-reset', token);
      const user = found && !found.usedAt && found.expiresAt > new Date() ? await findUser(db, found.userId) : undefined;
      if (!user) {
        noteBadLink(request, found);
        throw linkEnded();
      }
      await requireGoodPassword(db, user, request.body);
      const password_hash = await hashPassword(request.body.password);
      await db.transaction().execute(async (tx) => {
        if (!(await takeToken(tx, 'password-reset', token))) throw linkEnded();
        // Whoever set a second factor up before the address was confirmed may have been somebody else.
        if (!user.email_confirmed_at) await removeTwoFactor(tx, user.id);
        await setPassword(tx, user.id, password_hash);
        await endSessions(tx, user.id);
        await endTokens(tx, 'password-reset', user.id);
        await mailer.file(tx, 'password-changed', user.email, passwordChangedLetter());
      });
      noteDone(request, { kind: 'password', userId: user.id, factors: 'link' });
      // Who can open the mail is at home here: somebody else's guessing at the account keeps them out no longer.
      setDeviceCookie(reply, cookies, config.masterKey, await getUser(db, user.id));
      return { status: true, msg: MESSAGES.passworResetSuccess, user: viewUser({ ...user, email_confirmed_at: new Date() }) };
    },
  );

  app.post(
    '/api/v1/teamMgmt/user/change-password',
    {
      schema: {
        tags: ['account'],
        summary: 'Change the own password; the other sessions end. Asks for a fresh proof of the second factor where there is one',
        body: changePasswordBody,
        response: { 200: saidAnswer },
      },
    },
    async (request, reply) => {
      requireOwnPage(request);
      const person = await requireAnybody(db, cookies, request);
      const user = await findUser(db, person.userId);
      if (!user) throw new HttpError(401, 'session_missing', 'You are not signed in, or your session has ended. Sign in again.');
      const device = knownDevice(request, cookies, config.masterKey, user);
      const giveBack = await takeTries(db, passwordCounts(user.email, networkOf(request.ip), device));
      if (!(await verifyPassword(user.password_hash ?? undefined, request.body.currentPassword))) {
        noteOutcome(request, 'wrong-password');
        throw refused('currentPassword', 'wrongCurrentPassword');
      }
      await giveBack();
      // Given now: where a code is asked for as well, that alone is missing.
      await setProof(db, person.sessionId, { passwordAt: new Date().toISOString() });
      requireFreshProof(person, config, ['password']);
      await requireGoodPassword(db, user, request.body);
      const password_hash = await hashPassword(request.body.password);
      await db.transaction().execute(async (tx) => {
        await setPassword(tx, user.id, password_hash);
        await endSessions(tx, user.id);
        await endTokens(tx, 'password-reset', user.id);
        await mailer.file(tx, 'password-changed', user.email, passwordChangedLetter());
      });
      noteDone(request, {
        kind: 'password',
        userId: user.id,
        factors: factorsOf(person, config).length > 1 ? 'password+code' : 'password',
      });
      const changed = await getUser(db, user.id);
      const proof = { ...person.proof, passwordAt: new Date().toISOString() };
      await beginHere(options, { request, reply, cookies }, changed, { organizationId: person.organizationId, proof });
      setDeviceCookie(reply, cookies, config.masterKey, changed);
      return { status: true, msg: MESSAGES.passwordChanged };
    },
  );
}

/** Account §7: this call says 'danger' where others say false. */
function asDanger(error: unknown): never {
  if (!(error instanceof HttpError)) throw error;
  const { statusCode, code, message, retryAfterSeconds } = error;
  throw new HttpError(statusCode, code, message, { status: 'danger', ...(retryAfterSeconds && { retryAfterSeconds }) });
}

/** The link in the mail proves that the address is the person's own. */
async function setPassword(db: Db, userId: string, password_hash: string): Promise<void> {
  await db
    .updateTable('app_user')
    .set((eb) => ({
      password_hash,
      password_changed_at: new Date(),
      credential_epoch: eb('credential_epoch', '+', 1),
      email_confirmed_at: eb.fn.coalesce('email_confirmed_at', eb.val(new Date())),
    }))
    .where('id', '=', userId)
    .execute();
}

async function requireGoodPassword(db: Db, user: UserRow, body: { password: string; confirmPassword: string }): Promise<void> {
  const organizations = await listOrganizations(db, { id: user.id, isSuperAdmin: false });
  const names = [user.first_name, user.last_name, ...organizations.map((one) => one.name)];
  const problem = passwordProblem(body.password, { email: user.email, names });
  if (problem) throw refused('password', problem);
  if (body.password !== body.confirmPassword) throw refused('confirmPassword', 'passwordNotMatch');
}

function refused(field: string, key: MessageKey): HttpError {
  return new HttpError(400, 'password_refused', MESSAGES[key], { errors: [{ field, message: MESSAGES[key] }] });
}

function linkEnded(): HttpError {
  return new HttpError(410, 'token_expired', MESSAGES.passwortokenExpired);
}
