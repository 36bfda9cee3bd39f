/** Calls that made no lead are kept for 90 days and the rest of their month: a whole month goes at once, which costs nothing however many there were. */
import type pg from 'pg';

const KEPT_MS = 90 * 86_400_000;
/** A month in use goes at the next look: no call waits behind this. */
const LOCK_WITHIN = '500ms';

/** How many months went. */
export async function dropOldCalls(pool: pg.Pool, now: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'api_call'::regclass and c.relname ~ '^api_call_\\d{4}_\\d{2}$'
        and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < $1::timestamptz at time zone 'UTC'`,
    [new Date(now - KEPT_MS)],
  );
  let gone = 0;
  for (const { name } of rows) if (await dropNow(pool, name)) gone += 1;
  return gone;
}

async function dropNow(pool: pg.Pool, name: string): Promise<boolean> {
  try {
    // As one message it is one transaction.
    await pool.query(`set local lock_timeout = '${LOCK_WITHIN}'; drop table if exists ${name}`);
    return true;
  } catch (error) {
    if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE) return false;
    throw error;
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
