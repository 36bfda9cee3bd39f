import { MESSAGES } from '#contract/message.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { hashPassword } from './password.ts';
import { type PasswordOwner, passwordProblem } from './password-policy.ts';

/** The hash to keep; throws when the password is not one to have. */
export async function requirePassword(password: string, owner: PasswordOwner): Promise<string> {
  const problem = passwordProblem(password, owner);
  if (problem)
    throw new HttpError(400, 'password_refused', MESSAGES[problem], { errors: [{ field: 'password', message: MESSAGES[problem] }] });
  return hashPassword(password);
}
