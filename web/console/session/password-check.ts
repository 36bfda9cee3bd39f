import { MESSAGES } from '#contract/message.ts';
import { repeatError } from '#web/ui/inputs/repeat-password.ts';

/** Account §5, §9: 8 to 20 characters, counted as people do. The server knows more: which are tried first. */
export const passwordLength = { min: 8, max: 20 } as const;

export function checkPasswordLength(password: string): string | null {
  const length = [...password.normalize('NFC')].length;
  return length >= passwordLength.min && length <= passwordLength.max ? null : MESSAGES.passwordLength;
}

/** The first failing of two fields; the mismatch is shown at the second. */
export const checkNewPassword = {
  password: checkPasswordLength,
  confirmPassword: (confirm: string, { password }: { password: string }): string | null =>
    repeatError(confirm, password) && MESSAGES.passwordNotMatch,
};
