import { isEmail, plainEmail } from '#contract/email.ts';
import { MESSAGES } from '#contract/message.ts';
import { HttpError } from '#server/kit/http-error.ts';

/** Account §5: an address is required and well formed; its form says nothing of who has an account. */
export function requireAddress(text: string, status?: 'danger'): string {
  const email = plainEmail(text);
  if (isEmail(email)) return email;
  throw new HttpError(400, 'email_invalid', MESSAGES.emailInvalid, {
    errors: [{ field: 'email', message: MESSAGES.emailInvalid }],
    ...(status && { status }),
  });
}
