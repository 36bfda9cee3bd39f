/** Connections to PostgreSQL. `db` is the typed query builder, `pool` the raw connections behind it. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '#db/types.ts';

export type Db = Kysely<Database>;

// numeric arrives as text (money is never a float), timestamptz as Date; bigint counters fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** Opens a pool. A broken idle connection is dropped, never thrown: PostgreSQL may restart under us. `options`: as psql's PGOPTIONS. */
export function openPool(connectionString: string, max: number, options?: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'sluice',
    connectionTimeoutMillis: 2_000,
    statement_timeout: 30_000,
    ...(options && { options }),
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function openDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
