/** How often somebody may try: counted before it is looked at, so that tries at the same moment cannot pass together. */
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { giveTryBack, takeTry } from '#server/kit/throttle.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

interface Count {
  name: string;
  limit: number;
  windowMs: number;
}

/** Tries of a password for one account from one network; a known device counts for itself alone. */
export function passwordCounts(account: string, network: string, device: string | undefined): Count[] {
  if (device) return [{ name: `login device ${device}`, limit: 10, windowMs: MINUTE_MS }];
  return [
    { name: `login from ${network}`, limit: 60, windowMs: MINUTE_MS },
    { name: `login ${account} from ${network}`, limit: 10, windowMs: MINUTE_MS },
    { name: `login ${account}`, limit: 100, windowMs: HOUR_MS },
  ];
}

/** Tries of a code: whoever may make them has given the password, at the sign-in, with the code, or within the ten minutes before. */
export function codeCounts(userId: string, network: string, device: string | undefined): Count[] {
  if (device) return [{ name: `code device ${device}`, limit: 20, windowMs: HOUR_MS }];
  return [
    { name: `code from ${network}`, limit: 120, windowMs: HOUR_MS },
    { name: `code ${userId}`, limit: 20, windowMs: HOUR_MS },
  ];
}

/** Mails of one kind that one network may have sent: somebody elsewhere keeps nobody from asking for their own. */
export function mailCounts(kind: MailKind, account: string, network: string): Count[] {
  return [
    { name: `mail from ${network}`, limit: 30, windowMs: HOUR_MS },
    { name: `mail ${kind} to ${account} from ${network}`, limit: 5, windowMs: HOUR_MS },
  ];
}

export type MailKind = 'password' | 'two-factor' | 'activation' | 'invitation';

/** Whether an address may get one more mail of a kind, wherever it is asked for; when not, nothing is sent and nothing is said. */
export async function mayMail(db: Db, kind: MailKind, account: string): Promise<boolean> {
  return (await takeTry(db, `mail ${kind} to ${account}`, 20, HOUR_MS)) === 0;
}

/**
 * Takes one try of each count. Returns how to undo it: only tries that failed count, and who knows the password is never kept
 * out by signing in often. Throws 429 when one is used up, and takes none then.
 */
export async function takeTries(db: Db, counts: Count[]): Promise<() => Promise<void>> {
  const now = Date.now();
  const taken: Count[] = [];
  const giveBack = async () => {
    for (const { name, windowMs } of taken.splice(0)) await giveTryBack(db, name, windowMs, now);
  };
  for (const count of counts) {
    const waitMs = await takeTry(db, count.name, count.limit, count.windowMs, now);
    if (waitMs > 0) {
      await giveBack();
      throw tooManyTries(waitMs);
    }
    taken.push(count);
  }
  return giveBack;
}

function tooManyTries(waitMs: number): HttpError {
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds < 120 ? `${seconds} s` : `${Math.ceil(seconds / 60)} minutes`;
  return new HttpError(429, 'session_rate_limited', `Too many tries. Try again in ${wait}.`, { retryAfterSeconds: seconds });
}
