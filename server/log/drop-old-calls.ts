/** Calls that made no lead are kept for 90 days and the rest of their month: a whole month goes at once, which costs nothing however many there were. */
import type pg from 'pg';

const KEPT_MS = 90 * 86_400_000;

/** How many months went. */
export async function dropOldCalls(pool: pg.Pool, now: number): Promise<number> {
  const { rows } = await pool.query<{ name: string }>(
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
      where i.inhparent = 'api_call'::regclass and c.relname ~ '^api_call_\\d{4}_\\d{2}$'
        and to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' < $1::timestamptz at time zone 'UTC'`,
    [new Date(now - KEPT_MS)],
  );
  for (const { name } of rows) await pool.query(`drop table if exists ${name}`);
  return rows.length;
}
