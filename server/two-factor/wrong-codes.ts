/**
 * So many wrong codes one after another, however long they take, close a second factor (decision 0035): three of a million codes are good at any
 * moment, and limits by the hour alone let somebody who knows the password guess for ever. A right code begins anew; so does a reset by mail.
 */
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { giveTryBack, takeTry } from '#server/kit/throttle.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { twoFactorClosedLetter } from './two-factor.mail.ts';

export const WRONG_CODES_MOST = 30;
const TEN_YEARS_MS = 10 * 365 * 86_400_000;
const namesOf = (userId: string) => ({ row: `codes in a row ${userId}`, told: `codes in a row told ${userId}` });

/**
 * Counts a code before it is looked at. Returns how to undo it, for a code that could not be looked at. Throws 403 where there were too many, and
 * tells the person once.
 */
export async function countCode(db: Db, mailer: Mailer, user: { id: string; email: string }): Promise<() => Promise<void>> {
  const { row, told } = namesOf(user.id);
  const now = Date.now();
  if ((await takeTry(db, row, WRONG_CODES_MOST, TEN_YEARS_MS, now)) === 0) return () => giveTryBack(db, row, TEN_YEARS_MS, now);
  await db.transaction().execute(async (tx) => {
    if ((await takeTry(tx, told, 1, TEN_YEARS_MS)) === 0) await mailer.file(tx, 'two-factor-closed', user.email, twoFactorClosedLetter());
  });
  throw new HttpError(403, 'session_codes_closed', 'Too many codes were wrong. Reset two-factor sign-in by mail to go on.');
}

/** After a right code, and with a new second factor. */
export async function forgetWrongCodes(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('throttle')
    .where('name', 'in', Object.values(namesOf(userId)))
    .execute();
}
