/**
 * The second wall between organizations: what a signed-in person asks for runs under a database role that sees one
 * organization's rows (db/migrations/0006-account.sql). A forgotten `where` finds nothing of anybody else's.
 */
import { sql, type Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { Db } from './database.ts';

/** Runs `use` in a transaction that sees and changes this organization's rows only. */
export function inTenant<T>(db: Db, organizationId: string, use: (tx: Transaction<Database>) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await enterTenant(tx, organizationId);
    return use(tx);
  });
}

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
