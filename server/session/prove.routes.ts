/** The one door at which a signed-in person gives factors anew (fresh-proof.ts), behind the limits that a sign-in has. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Factor } from '#contract/error.ts';
import { MESSAGES } from '#contract/message.ts';
import { proveBody, saidAnswer } from '#contract/sign-in.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { verifyPassword } from '#server/password/password.ts';
import { noteDone, notesOf } from '#server/security-log/note.ts';
import { takeCode, takeRecoveryCode } from '#server/two-factor/two-factor.sql.ts';
import { countCode, forgetWrongCodes } from '#server/two-factor/wrong-codes.ts';
import { knownDevice } from './device.ts';
import { factorsOf, isFresh } from './fresh-proof.ts';
import { getUser, setProof, type UserRow } from './session.sql.ts';
import { codeCounts, passwordCounts, takeTries } from './sign-in-tries.ts';
import { requireAnybody, requireOwnPage, sessionCookies } from './signed-in.ts';

export interface ProveParts {
  db: Db;
  config: Config;
  mailer: Mailer;
}

export async function proveRoutes(instance: FastifyInstance, { db, config, mailer }: ProveParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);

  app.post(
    '/api/v1/session/prove',
    {
      schema: {
        tags: ['account'],
        summary:
          'Give password, or password and code, anew: for ten minutes, what asks for a fresh proof of them is open to this session. A code alone is taken where the password was given within ten minutes',
        body: proveBody,
        response: { 200: saidAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireAnybody(db, cookies, request);
      const { password, MFA } = request.body;
      const factors = factorsOf(person, config);
      if (password === undefined && MFA === undefined) throw missing(factors);
      if (MFA !== undefined && !factors.includes('code'))
        throw new HttpError(400, 'session_proof_without_code', 'No code is asked for here. Give your password alone.', {
          errors: [{ field: 'MFA', message: 'No code is asked for here.' }],
        });
      // Codes are looked at for who knows the password alone: else a session that was taken would do to guess them, or to close the factor.
      if (password === undefined && !isFresh(person.proof, 'password')) throw passwordNeeded();
      const user = await getUser(db, person.userId);
      if (password !== undefined) await requirePassword(request, user, password);
      const by = MFA === undefined ? undefined : await requireCode(request, user, MFA.replace(/\s/g, ''));
      const at = new Date().toISOString();
      await setProof(db, person.sessionId, { ...(password !== undefined && { passwordAt: at }), ...(by && { codeAt: at }) });
      const given = [...(password === undefined ? [] : ['password' as const]), ...(by ? [by] : [])];
      noteDone(request, {
        ...{ kind: 'proof', userId: person.userId, organizationId: person.organizationId },
        factors: given.length > 1 ? (`password+${by}` as 'password+code') : given[0]!,
      });
      return { status: true, msg: MESSAGES.proofGiven };
    },
  );

  async function requirePassword(request: FastifyRequest, user: UserRow, password: string): Promise<void> {
    notesOf(request).factors = 'password';
    const device = knownDevice(request, cookies, config.masterKey, user);
    const giveBack = await takeTries(db, passwordCounts(user.email, networkOf(request.ip), device));
    const isRight = await verifyPassword(user.password_hash ?? undefined, password).catch(async (error) => {
      await giveBack();
      throw error;
    });
    const message = 'This is not your password.';
    if (!isRight) throw new HttpError(403, 'password_wrong', message, { errors: [{ field: 'password', message }] });
    await giveBack();
  }

  async function requireCode(request: FastifyRequest, user: UserRow, code: string): Promise<'code' | 'recovery-code'> {
    notesOf(request).factors = 'code';
    const device = knownDevice(request, cookies, config.masterKey, user);
    const giveBack = await takeTries(db, codeCounts(user.id, networkOf(request.ip), device));
    const uncount = device ? undefined : await countCode(db, mailer, user);
    const by = await opens(user, code).catch(async (error) => {
      await giveBack();
      await uncount?.();
      throw error;
    });
    const message = MESSAGES.invalidAuthenticationCode;
    if (!by) throw new HttpError(403, 'session_code_refused', message, { key: '1', errors: [{ field: 'MFA', message }] });
    await giveBack();
    await forgetWrongCodes(db, user.id);
    return by;
  }

  async function opens(user: UserRow, code: string): Promise<'code' | 'recovery-code' | undefined> {
    if (await takeCode(db, config.masterKey, user.id, code)) return 'code';
    return (await takeRecoveryCode(db, user.id, code)) ? 'recovery-code' : undefined;
  }
}

function passwordNeeded(): HttpError {
  const message = 'Enter your password.';
  return new HttpError(403, 'session_proof_without_password', 'Give your password together with the code.', {
    errors: [{ field: 'password', message }],
  });
}

function missing(factors: readonly Factor[]): HttpError {
  const errors = factors.map((factor) =>
    factor === 'password' ? { field: 'password', message: 'Enter your password.' } : { field: 'MFA', message: 'Enter the code.' },
  );
  return new HttpError(400, 'session_proof_empty', 'Give your password, a code of your authenticator, or both.', { errors });
}
