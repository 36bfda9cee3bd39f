/** Logs that are kept for so long and the rest of their month: a whole month goes at once, which costs nothing however many lines there were. */
import type pg from 'pg';

const DAY_MS = 86_400_000;
/** Calls that made no lead, and sign-ins and refusals (decision 0044). */
const KEPT_MS = { api_call: 90 * DAY_MS, security_log: 366 * DAY_MS } as const;
/** A month in use goes at the next look: nobody waits behind this. */
const LOCK_WITHIN = '500ms';

/** How many months went. */
export async function dropOldMonths(pool: pg.Pool, now: number): Promise<number> {
  let gone = 0;
  for (const [table, keptMs] of Object.entries(KEPT_MS))
    for (const name of await listOver(pool, table, now - keptMs)) if (await dropNow(pool, name)) gone += 1;
  return gone;
}

async function listOver(pool: pg.Pool, table: string, before: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = $1::regclass and c.relname ~ '_\\d{4}_\\d{2}$'
        and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < $2::timestamptz at time zone 'UTC'`,
    [table, new Date(before)],
  );
  return rows.map(({ name }) => name);
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
