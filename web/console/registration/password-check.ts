import { MESSAGES } from '#contract/message.ts';

/** Account §5: 8 to 20 characters. The server knows what attackers try first. */
export const checkPassword = (password: string): string | null =>
  password.length < 8 || password.length > 20 ? MESSAGES.passwordLength : null;

export const checkName = (name: string, what: string): string | null => (name.trim() === '' ? `${what} is required` : null);
