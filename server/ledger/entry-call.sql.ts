/** Calls that enter something by hand, by the key their caller gave them: what is meant once is entered once. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';

/** False where the same was asked for before under this key; of two at once the second waits. Throws where something else was. */
export async function isNewCall(db: Db, organizationId: string, key: string, asked: object): Promise<boolean> {
  const text = JSON.stringify(asked);
  const row = { organization_id: organizationId, call_key: key, asked: text, entered_at: new Date() };
  const done = await db
    .insertInto('entry_call')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (Number(done.numInsertedOrUpdatedRows) === 1) return true;
  const same = await db
    .selectFrom('entry_call')
    .select(sql<boolean>`asked = ${text}::jsonb`.as('isSame'))
    .where('organization_id', '=', organizationId)
    .where('call_key', '=', key)
    .executeTakeFirstOrThrow();
  if (same.isSame) return false;
  throw new HttpError(
    409,
    'entry_key_reused',
    'Something else was entered already under the key of this form. Look at the account, then open the form anew.',
  );
}
