/**
 * So many tries per window, by name, counted in the database: exact over all nodes. For sign-ins and the like, which are rare;
 * what is asked thousands of times a second counts in memory (rate-limiter.ts).
 */
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { HttpError } from './http-error.ts';

/** Takes one try. Returns 0, or how many ms to wait when the limit is reached; a refused try is not counted. */
export async function takeTry(db: Db, name: string, limit: number, windowMs: number, now = Date.now()): Promise<number> {
  const startMs = Math.floor(now / windowMs) * windowMs;
  const share = 1 - (now - startMs) / windowMs;
  const start = new Date(startMs);
  const previous = new Date(startMs - windowMs);
  // What the window before still counts, when there was one just before; the count of this window so far.
  const before = sql<number>`case when t.window_start = ${start} then t.before when t.window_start = ${previous} then t.count else 0 end`;
  const count = sql<number>`case when t.window_start = ${start} then t.count else 0 end`;
  const taken = await sql`
    insert into throttle as t (name, window_start, count, before, ends_at) values (${name}, ${start}, 1, 0, ${new Date(startMs + 2 * windowMs)})
    on conflict (name) do update set window_start = excluded.window_start, before = ${before}, count = ${count} + 1, ends_at = excluded.ends_at
      where ${count} + ${before} * ${share}::float8 < ${limit}
    returning 1`.execute(db);
  return taken.rows.length > 0 ? 0 : Math.max(1, startMs + windowMs - now);
}

export interface Limit {
  limit: number;
  windowMs: number;
}

/** Takes one try. Throws 429 with `code` where the limit is reached; `said` is what there was too much of, and how long to wait follows it. */
export async function requireTry(db: Db, name: string, { limit, windowMs }: Limit, code: string, said: string): Promise<void> {
  const waitMs = await takeTry(db, name, limit, windowMs);
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1000);
  const wait = seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`;
  throw new HttpError(429, code, `${said} Wait ${wait}.`, { retryAfterSeconds: seconds });
}

/** Undoes a try that was taken at `takenAt`: it turned out to be rightful. */
export async function giveTryBack(db: Db, name: string, windowMs: number, takenAt: number): Promise<void> {
  const start = new Date(Math.floor(takenAt / windowMs) * windowMs);
  await sql`update throttle set
      count = case when window_start = ${start} then greatest(0, count - 1) else count end,
      before = case when window_start > ${start} then greatest(0, before - 1) else before end
    where name = ${name}`.execute(db);
}
