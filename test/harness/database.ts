/** A database of a test's own, copied from the migrated template in a few milliseconds. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

export async function freshDatabase(): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`;
  await run(`create database ${name} template template_sluice strategy file_copy`);
  return { url: urlOf(name), drop: () => run(`drop database if exists ${name} with (force)`) };
}

/** One that was never migrated. */
export async function emptyDatabase(): Promise<TestDatabase> {
  const name = `empty_${randomBytes(6).toString('hex')}`;
  await run(`create database ${name}`);
  return { url: urlOf(name), drop: () => run(`drop database if exists ${name} with (force)`) };
}

function urlOf(name: string): string {
  return inject('postgres').replace(/DATABASE(?=\?|$)/, name);
}

async function run(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf('postgres') });
  client.on('error', () => {});
  await client.connect();
  // Copies of the template must not meet: the second waits its turn.
  await client.query(`select pg_advisory_lock(1)`);
  await client.query(sql).finally(() => client.end());
}

/** Statements of this database that wait for a lock, and not those of the files that run beside. */
export async function countWaiting(pool: pg.Pool): Promise<number> {
  const { rowCount } = await pool.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
  );
  return rowCount ?? 0;
}
