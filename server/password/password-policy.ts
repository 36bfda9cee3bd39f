/** What a password may be (account §5): 8 to 20 characters, not on the lists that attackers try first, not one's own name. */
import type { MessageKey } from '#contract/message.ts';

const FIRST_TRIED = new Set([
  ...['password', 'password1', 'password123', 'passw0rd', '12345678', '123456789', '1234567890', 'qwertyuiop', 'qwerty123'],
  ...['11111111', 'iloveyou', 'letmein1', 'welcome1', 'abcd1234', 'admin123', 'sunshine1'],
]);

export interface PasswordOwner {
  email: string;
  names: string[];
}

/** The key of the message that says what is wrong with it, or undefined. */
export function passwordProblem(password: string, { email, names }: PasswordOwner): MessageKey | undefined {
  const length = [...password.normalize('NFC')].length;
  if (length < 8 || length > 20) return 'passwordLength';
  const plain = password.toLowerCase();
  if (FIRST_TRIED.has(plain)) return 'passwordCommon';
  const own = [email.split('@')[0]!, ...names].map((name) => name.trim().toLowerCase()).filter((name) => name.length >= 4);
  return own.some((name) => plain.includes(name)) ? 'passwordHoldsName' : undefined;
}
