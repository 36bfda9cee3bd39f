/** The second factor: setting it up, showing it, and resetting it by mail (account §4, §5, §7). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { emailTextBody, mfaAnswer, mfaBody, recoveryCodesAnswer, registerMfaBody, saidAnswer } from '#contract/sign-in.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { MasterKey } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { takeTry } from '#server/kit/throttle.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { noteBadLink, noteDone, noteOutcome, noteSubject } from '#server/security-log/note.ts';
import { knownDevice } from '#server/session/device.ts';
import { enterOrganization, type SignInParts, type Visit } from '#server/session/enter-organization.ts';
import { evenly } from '#server/session/evenly.ts';
import { requireFreshProof } from '#server/session/fresh-proof.ts';
import { type Proof, proofBy } from '#server/session/proof.ts';
import { requireAddress } from '#server/session/require-address.ts';
import {
  deleteSession,
  endSession,
  endSessions,
  findUser,
  findUserByEmail,
  findWaiting,
  getUser,
  type UserRow,
} from '#server/session/session.sql.ts';
import { codeCounts, mailCounts, mayMail, takeTries } from '#server/session/sign-in-tries.ts';
import { requireAnybody, requireOwnPage, sessionCookies } from '#server/session/signed-in.ts';
import { endTokens, findToken, issueToken, takeToken } from '#server/token/one-time-token.ts';
import { twoFactorChangedLetter, twoFactorResetLetter, twoFactorResetNotice } from './two-factor.mail.ts';
import {
  enableTwoFactor,
  listOwnersOf,
  makeRecoveryCodes,
  removeTwoFactor,
  renewRecoveryCodes,
  takeCode,
  takeRecoveryCode,
} from './two-factor.sql.ts';
import { countCode, forgetWrongCodes } from './wrong-codes.ts';

export interface TwoFactorRoutes extends SignInParts {
  mailer: Mailer;
}

/** Tries per sign-in; then it begins again with the password. */
const TRIES_PER_SESSION = 5;
const PER_MS = 10 * 60_000;

export async function twoFactorRoutes(instance: FastifyInstance, options: TwoFactorRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, mailer } = options;
  const cookies = sessionCookies(config.appEnv);
  const schema = { tags: ['account'], body: mfaBody, response: { 200: mfaAnswer } };

  app.post(
    '/api/user/verify-mfa',
    { schema: { ...schema, summary: 'First code after the picture was scanned' } },
    async (request, reply) => {
      requireOwnPage(request);
      return setUp(options, { request, reply, cookies }, request.body.MFA);
    },
  );

  app.post(
    '/api/user/register/verify-mfa',
    { schema: { ...schema, body: registerMfaBody, summary: 'First code of somebody who just registered' } },
    async (request, reply) => {
      requireOwnPage(request);
      return setUp(options, { request, reply, cookies }, request.body.MFA, request.body.userId);
    },
  );

  app.post(
    '/api/user/validate-mfa',
    { schema: { ...schema, summary: 'The code, or a recovery code, at every later sign-in' } },
    async (request, reply) => {
      requireOwnPage(request);
      const visit = { request, reply, cookies };
      const { user, giveBack, by } = await requireCode(options, visit, 'mfa-code', request.body.MFA);
      const entered = await enterOrganization(options, visit, user, proofBy(by));
      await giveBack();
      return { status: true, msg: MESSAGES.userLoggedInSuccess, recoveryCodes: [], ...entered };
    },
  );

  app.post(
    '/api/v1/session/recovery-codes',
    {
      schema: {
        tags: ['account'],
        summary: 'New recovery codes in place of all old ones; asks for a code, and for a fresh proof of the password',
        body: mfaBody,
        response: { 200: recoveryCodesAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireAnybody(db, cookies, request);
      requireFreshProof(person, config, ['code']);
      const user = await getUser(db, person.userId);
      const device = knownDevice(request, cookies, config.masterKey, user);
      const giveBack = await takeTries(db, codeCounts(person.userId, networkOf(request.ip), device));
      const uncount = device ? undefined : await countCode(db, mailer, user);
      const isRight = await takeCode(db, config.masterKey, person.userId, plainCode(request.body.MFA)).catch(async (error) => {
        await giveBack();
        await uncount?.();
        throw error;
      });
      if (!isRight) throw wrongCode();
      await giveBack();
      await forgetWrongCodes(db, person.userId);
      const made = await makeRecoveryCodes(person.userId);
      await db.transaction().execute(async (tx) => {
        await mailer.file(tx, 'recovery-codes', person.email, twoFactorChangedLetter());
        await renewRecoveryCodes(tx, person.userId, made);
      });
      noteDone(request, { kind: 'two-factor', userId: person.userId, factors: 'code' });
      return { status: true as const, msg: MESSAGES.saved, recoveryCodes: made.codes };
    },
  );

  app.post(
    '/api/v1/teamMgmt/user/reset-mfa',
    {
      schema: {
        tags: ['account'],
        summary: 'Ask for a link that resets two-factor; the answer is the same for every address',
        body: emailTextBody,
        response: { 200: saidAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const email = requireAddress(request.body.text);
      await takeTries(db, mailCounts('two-factor', email, networkOf(request.ip)));
      await evenly(async () => {
        const user = await findUserByEmail(db, email);
        if (!user || !(await mayMail(db, 'two-factor', email))) return;
        await sendResetLink(options, user);
        noteDone(request, { kind: 'two-factor', outcome: 'link-sent', userId: user.id });
      });
      return { status: true, msg: MESSAGES.resetMfaEmailSent };
    },
  );

  app.post(
    '/api/v1/teamMgmt/user/reset-mfa/:token',
    {
      schema: {
        tags: ['account'],
        summary: 'Take the second factor away; the next sign-in sets up a new one',
        params: z.object({ token: z.string().max(200) }),
        response: { 200: saidAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const found = await findToken(db, 'mfa-reset', request.params.token);
      if (!found || found.usedAt || found.expiresAt <= new Date()) noteBadLink(request, found);
      const userId = await db.transaction().execute(async (tx) => {
        const token = await takeToken(tx, 'mfa-reset', request.params.token);
        const user = token && (await findUser(tx, token.userId));
        if (!user) throw new HttpError(410, 'token_expired', MESSAGES.passwortokenExpired);
        await removeTwoFactor(tx, user.id);
        await forgetWrongCodes(tx, user.id);
        await endSessions(tx, user.id);
        await endTokens(tx, 'mfa-reset', user.id);
        await mailer.file(tx, 'two-factor-changed', user.email, twoFactorResetNotice(user, undefined));
        for (const owner of await listOwnersOf(tx, user.id))
          await mailer.file(tx, 'two-factor-changed', owner.email, twoFactorResetNotice(user, owner.organization));
        return user.id;
      });
      noteDone(request, { kind: 'two-factor', userId, factors: 'link' });
      return { status: true, msg: MESSAGES.mfaReset };
    },
  );
}

async function sendResetLink({ db, mailer, addresses }: TwoFactorRoutes, user: UserRow): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const token = await issueToken(tx, 'mfa-reset', { userId: user.id });
    await mailer.file(tx, 'mfa-reset', user.email, twoFactorResetLetter(`${addresses.origin()}/reset-mfa?token=${token}`));
  });
}

/** The first code proves that the secret was scanned: two-factor is in force from here, and recovery codes are shown once. */
async function setUp(options: TwoFactorRoutes, visit: Visit, text: string, registeredUserId?: string) {
  const { db, mailer } = options;
  const { user, giveBack, sessionId } = await requireCode(options, visit, 'mfa-setup', text, registeredUserId);
  const made = await makeRecoveryCodes(user.id);
  const recoveryCodes = made.codes;
  await db.transaction().execute(async (tx) => {
    if (!(await enableTwoFactor(tx, user.id))) throw invalidUser();
    await mailer.file(tx, 'two-factor-changed', user.email, twoFactorChangedLetter());
    await renewRecoveryCodes(tx, user.id, made);
  });
  await giveBack();
  noteDone(visit.request, { kind: 'two-factor', userId: user.id, factors: 'password+code' });
  // Who has just registered still has to open the link in the mail.
  if (!user.email_confirmed_at) {
    await endSession(db, user.id, sessionId);
    const nowhere = { autoLoginToken: '', userSessionId: '', organizations: [], redirectUrl: null };
    return { status: true, msg: MESSAGES.activationEmailSentSuccess, recoveryCodes, ...nowhere };
  }
  const entered = await enterOrganization(options, visit, user, proofBy('password+code'));
  return { status: true, msg: MESSAGES.userLoggedInSuccess, recoveryCodes, ...entered };
}

/** Spaces are removed before a code is looked at (account §5). */
function plainCode(text: string): string {
  return text.replace(/\s/g, '');
}

async function requireCode(
  { db, config, mailer }: TwoFactorRoutes,
  { request, cookies }: Visit,
  stage: 'mfa-setup' | 'mfa-code',
  text: string,
  userId?: string,
): Promise<{ user: UserRow; sessionId: string; giveBack: () => Promise<void>; by: Proof['by'] }> {
  const token = request.cookies[cookies.name];
  const waiting = token ? await findWaiting(db, token) : undefined;
  const user = waiting && waiting.stage === stage ? await findUser(db, waiting.userId) : undefined;
  if (user) noteSubject(request, user.id, 'code');
  if (!token || !waiting || !user || (userId !== undefined && userId !== user.id)) throw invalidUser();
  if ((await takeTry(db, `code session ${waiting.sessionId}`, TRIES_PER_SESSION, PER_MS)) > 0) {
    await deleteSession(db, token);
    noteOutcome(request, 'limit');
    throw invalidUser();
  }
  const device = knownDevice(request, cookies, config.masterKey, user);
  const giveBack = await takeTries(db, codeCounts(user.id, networkOf(request.ip), device));
  // A factor that is being set up shows its secret, and a browser known to the person is not closed by somebody else's guesses.
  const uncount = stage === 'mfa-code' && !device ? await countCode(db, mailer, user) : undefined;
  const by = await opens(db, config.masterKey, user.id, stage, plainCode(text)).catch(async (error) => {
    await giveBack();
    await uncount?.();
    throw error;
  });
  if (!by) throw wrongCode();
  await forgetWrongCodes(db, user.id);
  return { user, sessionId: waiting.sessionId, giveBack, by };
}

async function opens(db: Db, masterKey: MasterKey, userId: string, stage: string, code: string): Promise<Proof['by'] | undefined> {
  if (await takeCode(db, masterKey, userId, code)) return 'password+code';
  return stage === 'mfa-code' && (await takeRecoveryCode(db, userId, code)) ? 'password+recovery-code' : undefined;
}

function wrongCode(): HttpError {
  return new HttpError(401, 'session_code_refused', MESSAGES.invalidAuthenticationCode, { key: '1' });
}

function invalidUser(): HttpError {
  return new HttpError(401, 'session_user_invalid', MESSAGES.invalidUser, { key: '3' });
}
