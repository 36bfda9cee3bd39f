import { isPlainLine, isSeen } from '#contract/person-name.ts';

export function checkName(name: string, what: string): string | null {
  if (!isSeen(name)) return `${what} is required`;
  return isPlainLine(name) ? null : `${what} is one line of text without a link or invisible characters`;
}
