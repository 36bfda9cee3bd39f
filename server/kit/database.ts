/** Connections to PostgreSQL. `db` is the typed query builder, `pool` the raw connections behind it. */
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Database } from '#db/types.ts';

export type Db = Kysely<Database>;

// numeric arrives as text (money is never a float), timestamptz as Date; bigint counters fit a number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export interface PoolOptions extends Pick<pg.PoolConfig, 'statement_timeout' | 'connectionTimeoutMillis' | 'idleTimeoutMillis'> {
  /** As psql's PGOPTIONS. */
  options?: string;
  /** Of each new connection, before it is handed out. */
  onConnect?: (client: pg.ClientBase) => Promise<void>;
}

/** Opens a pool. A broken idle connection is dropped, never thrown: PostgreSQL may restart under us. */
export function openPool(connectionString: string, max: number, more: PoolOptions = {}): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    application_name: 'sluice',
    connectionTimeoutMillis: 2_000,
    statement_timeout: 30_000,
    ...more,
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export function openDb(pool: pg.Pool): Db {
  return new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
}
