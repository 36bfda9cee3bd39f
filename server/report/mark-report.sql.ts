import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';

/**
 * Whatever changes rows that reports count says so in its own transaction: an hour that was counted already is counted again, and read from
 * its rows until then. Leads of hours that are not counted yet cost one look by key. `write_batch` does it itself.
 */
export async function markReport(tx: Db, organizationId: string, leadIds: readonly string[]): Promise<void> {
  await sql`select mark_report(${organizationId}::uuid, ${[...leadIds]}::uuid[])`.execute(tx);
}
