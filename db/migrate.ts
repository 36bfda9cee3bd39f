/** Applies db/migrations/*.sql in order, forward only; several nodes may start at once, one does the work. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { retrying } from '#server/kit/retry.ts';

export const MIGRATIONS = join(import.meta.dirname, 'migrations');

/** Sums of a text that was mended for databases which did not have it yet, and did the same where it could be applied. */
const AS_BEFORE: Readonly<Record<string, string>> = {
  // It asked for CREATEROLE also where the role was there and granted.
  '0006-account.sql': 'd5865b58e9de5644b96dce7a2951ebdb23845cbb53714a4b87e476f0a547ae75',
};

/** Whether a database that has this sum of a migration has what its file does. */
export const isAsApplied = (name: string, applied: string | undefined, sum: string): boolean =>
  applied === sum || applied === AS_BEFORE[name];

/** Brings the database up to date and returns the names of the migrations it applied. Throws when an applied file was edited since. */
export async function migrate(connectionString: string, folder = MIGRATIONS): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {});
  await client.connect();
  try {
    // One lock for all nodes; it ends with the connection, so a killed migration leaves nothing behind.
    await client.query(`select pg_advisory_lock(hashtext('sluice migrations'))`);
    await client.query(
      `create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())`,
    );
    await client.query(`comment on table migration is 'reference'`);
    const applied = new Map((await client.query('select name, checksum from migration')).rows.map((row) => [row.name, row.checksum]));
    const names: string[] = [];
    for (const name of listMigrations(folder)) {
      const text = readFileSync(join(folder, name), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      if (applied.has(name)) {
        if (!isAsApplied(name, applied.get(name), checksum))
          throw new Error(`Migration ${name} was changed after it had been applied to this database.`);
        continue;
      }
      await applyOne(client, name, text, checksum);
      names.push(name);
    }
    return names;
  } finally {
    await client.end();
  }
}

export function listMigrations(folder = MIGRATIONS): string[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-[a-z0-9-]+\.sql$/.test(name))
    .sort();
}

async function applyOne(client: pg.Client, name: string, text: string, checksum: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}

/** Who makes partitions waits for whoever reads, and all who write wait behind it: never long, but often enough. */
const LOCK_WITHIN = '500ms';
/** Over half a minute. */
const TRIES = 8;
const FIRST_PAUSE_MS = 250;
/** Not given the lock, or given up for somebody else's. */
const isAwaited = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '');

/** Makes the month partitions from `from` to two months after `until` (both default to now). */
export async function keepPartitions(
  run: { query(text: string, values: unknown[]): Promise<unknown> },
  now: Date,
  from = now,
): Promise<void> {
  for (let month = monthStart(from); month <= addMonths(monthStart(now), 2); month = addMonths(month, 1)) {
    const ensure = () =>
      run.query(`select set_config('lock_timeout', '${LOCK_WITHIN}', true), ensure_month_partitions($1::date)`, [
        month.toISOString().slice(0, 10),
      ]);
    await retrying(TRIES, FIRST_PAUSE_MS, ensure, isAwaited);
  }
}

function monthStart(instant: Date): Date {
  return new Date(Date.UTC(instant.getUTCFullYear(), instant.getUTCMonth(), 1));
}

function addMonths(month: Date, count: number): Date {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + count, 1));
}
