/**
 * The second wall between organizations: what a signed-in person asks for runs under a database role that sees one
 * organization's rows (db/migrations/0006-account.sql). A forgotten `where` finds nothing of anybody else's.
 */

import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import type { Database } from '#db/types.ts';
import { type Db, openPool, type PoolOptions } from './database.ts';
import { retrying } from './retry.ts';

export interface Tenants {
  /** Queries that see and change this organization's rows only, each on a connection of its own. */
  of(organizationId: string): Db;
  close(): Promise<void>;
}

/** A connection that is told whose it is. */
export type Lend = (organizationId: string) => Promise<pg.PoolClient>;

/** Every connection takes the role when it opens, and is told whose it is each time it is handed out. */
export function openTenants(connectionString: string, max: number, more: PoolOptions = {}): Tenants & { lend: Lend; pool: pg.Pool } {
  const pool = openPool(connectionString, max, { ...more, options: `-c role=sluice_tenant ${more.options ?? ''}` });
  const lend: Lend = async (organizationId) => {
    const client = await pool.connect();
    try {
      await client.query(`select set_config('sluice.organization', $1, false)`, [organizationId]);
      return client;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  };
  return { lend, pool, of: (organizationId) => lentDb(() => lend(organizationId)), close: () => pool.end() };
}

/** Queries on connections that are lent, one for each. */
export const lentDb = (connect: () => Promise<pg.PoolClient>): Db =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool: { connect, end: async () => {} } }) });

/**
 * For changes in one transaction of our own connections. Runs `use` in a transaction that sees and changes this organization's rows only;
 * once more where PostgreSQL ended it because it and another waited for each other: nothing of it was stored.
 */
export function inTenant<T>(db: Db, organizationId: string, use: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  const once = () =>
    db.transaction().execute(async (tx) => {
      await enterTenant(tx, organizationId);
      return use(tx);
    });
  return retrying(DEADLOCK_TRIES, 20, once, isDeadlock);
}

/** What `use` would come to: nothing that it writes is kept. */
export async function rehearse<T>(db: Db, organizationId: string, use: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  try {
    return await inTenant(db, organizationId, async (tx) => {
      throw new Rehearsed(await use(tx));
    });
  } catch (error) {
    if (error instanceof Rehearsed) return error.result as T;
    throw error;
  }
}
class Rehearsed {
  readonly result: unknown;
  constructor(result: unknown) {
    this.result = result;
  }
}

const DEADLOCK_TRIES = 4;
const isDeadlock = (error: unknown): boolean => (error as { code?: string }).code === '40P01';

/** The rest of this transaction sees and changes this organization's rows only. */
export async function enterTenant(tx: Transaction<Database>, organizationId: string): Promise<void> {
  await sql`select set_config('sluice.organization', ${organizationId}, true), set_config('role', 'sluice_tenant', true)`.execute(tx);
}

/** Within a tenant's transaction: what belongs to the installation itself (tokens, mail, passwords). Whoever calls this names every row. */
export async function beyondTenant<T>(tx: Transaction<Database>, use: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  await sql`select set_config('role', 'none', true)`.execute(tx);
  const result = await use(tx);
  await sql`select set_config('role', 'sluice_tenant', true)`.execute(tx);
  return result;
}
