/** What a password must be (account §5, §9): 8 to 20 characters, and none that an attacker tries first. */
import type { MessageKey } from '#contract/message.ts';
import { COMMON_PASSWORDS, COMMON_STEMS, RUNS } from './guessed-passwords.ts';

export const PASSWORD_LENGTH = { min: 8, max: 20 } as const;

/** Whose password it is: none of these may be what it is made of. */
export interface PasswordOwner {
  email?: string;
  names?: string[];
}

/** What is wrong with a password, as a key of the message catalogue; undefined when nothing is. Length counts characters as people do. */
export function passwordProblem(password: string, about: PasswordOwner = {}): MessageKey | undefined {
  const characters = [...password.normalize('NFC')];
  if (characters.length < PASSWORD_LENGTH.min || characters.length > PASSWORD_LENGTH.max) return 'passwordLength';
  const plain = plainOf(password);
  if (isCommon(plain)) return 'passwordCommon';
  if (holdsName(plain, about)) return 'passwordHoldsName';
  return undefined;
}

/** As guessers write it: lower case, the usual figures for letters undone. */
function plainOf(password: string): string {
  return password.normalize('NFKC').toLowerCase();
}

const LETTERS: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's', '!': 'i' };

function unmasked(text: string): string {
  return text.replace(/[013457@$!]/g, (char) => LETTERS[char]!);
}

function isCommon(plain: string): boolean {
  if (COMMON_PASSWORDS.has(plain) || new Set(plain).size <= 2 || isRepeated(plain) || isRun(plain)) return true;
  const bare = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  return [plain, bare, unmasked(plain), unmasked(bare)].some(isStem);
}

function isStem(text: string): boolean {
  return COMMON_STEMS.has(text) || COMMON_STEMS.has(text.replace(/[^\p{L}\d]/gu, ''));
}

/** One piece over and over: abcabcabc. */
function isRepeated(text: string): boolean {
  for (let size = 1; size <= text.length / 2; size++)
    if (text.length % size === 0 && text === text.slice(0, size).repeat(text.length / size)) return isRun(text.slice(0, size)) || size <= 4;
  return false;
}

/** Made of at most two pieces of runs: qwerty1234, abcd4321. */
function isRun(text: string): boolean {
  const longest = longestRun(text);
  return longest === text.length || (longest >= 3 && longestRun(text.slice(longest)) === text.length - longest);
}

function longestRun(text: string): number {
  const backwards = (run: string) => [...run].reverse().join('');
  const runs = [...RUNS, ...RUNS.map(backwards)];
  let length = text.length;
  while (length > 0 && !runs.some((run) => run.includes(text.slice(0, length)))) length -= 1;
  return length;
}

const SHORTEST_NAME = 4;

/** Nothing but a few characters around the person's own name, address or organization. */
function holdsName(plain: string, { email = '', names = [] }: PasswordOwner): boolean {
  const words = [email, email.split('@')[0]!, ...names, names.join('')].map((word) => plainOf(word).replace(/[^\p{L}\d]/gu, ''));
  const text = unmasked(plain).replace(/[^\p{L}\d]/gu, '');
  return words
    .map(unmasked)
    .some((word) => word.length >= SHORTEST_NAME && text.includes(word) && text.length - word.length <= SHORTEST_NAME);
}
