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
    await sql`select set_config('sluice.organization', ${organizationId}, true), set_config('role', 'sluice_tenant', true)`.execute(tx);
    return use(tx);
  });
}
