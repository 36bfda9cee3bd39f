/** The one row that says whether this installation has a demo world, and where its simulated buyers listen. */
import { sql, type Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { Db } from '#server/kit/database.ts';
import { announceConfiguration } from '#server/plan/configuration.sql.ts';

export interface DemoRecord {
  organizationIds: string[];
  marketPort: number;
  marketSeed: number;
  finishedAt: Date | null;
}

export async function findDemoRecord(db: Db): Promise<DemoRecord | undefined> {
  const row = await db.selectFrom('demo_world').selectAll().executeTakeFirst();
  return (
    row && { organizationIds: row.organization_ids, marketPort: row.market_port, marketSeed: row.market_seed, finishedAt: row.finished_at }
  );
}

export async function insertDemoRecord(tx: Transaction<Database>, record: Omit<DemoRecord, 'finishedAt'>): Promise<void> {
  const { organizationIds: organization_ids, marketPort: market_port, marketSeed: market_seed } = record;
  await tx.insertInto('demo_world').values({ organization_ids, market_port, market_seed, finished_at: null }).execute();
}

export async function setFinished(db: Db): Promise<void> {
  await db.updateTable('demo_world').set({ finished_at: new Date() }).execute();
}

/** Organizations that are not of the demo world: somebody's own, never to be touched. */
export async function hasOwnOrganizations(db: Db, demoIds: string[]): Promise<boolean> {
  const rows = await db.selectFrom('organization').select('id').execute();
  return rows.some((row) => !demoIds.includes(row.id));
}

/** The market moved: every endpoint that named its old address names the new one, on all nodes. */
export async function moveMarket(db: Db, record: DemoRecord, marketPort: number): Promise<void> {
  const [from, to] = [record.marketPort, marketPort].map((port) => `${marketUrlAt(port)}/`);
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('demo_world').set({ market_port: marketPort }).execute();
    for (const organizationId of record.organizationIds) {
      for (const table of ['buyer_tier', 'service'] as const) {
        await tx
          .updateTable(table)
          .set({ endpoint: sql`replace(endpoint::text, ${from}, ${to})::jsonb` })
          .where('organization_id', '=', organizationId)
          .execute();
      }
      await announceConfiguration(tx, organizationId);
    }
  });
}

export function marketUrlAt(port: number): string {
  return `http://127.0.0.1:${port}`;
}

/** Takes a half-made demo world away, its people included: children before parents, whatever tables there are. */
export async function clearDemoWorld(db: Db, record: DemoRecord, emails: string[]): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const table of await listTenantTables(tx)) {
      await sql`delete from ${sql.table(table)} where organization_id = any(${record.organizationIds}::uuid[])`.execute(tx);
    }
    await tx.deleteFrom('app_user').where('email', 'in', emails).execute();
    await tx.deleteFrom('organization').where('id', 'in', record.organizationIds).execute();
    await tx.deleteFrom('demo_world').execute();
  });
}

/** Tables with an organization_id, those that others refer to last. */
async function listTenantTables(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string; refers_to: string[] }>`
    select c.relname as name, coalesce(array_agg(k.confrelid::regclass::text) filter (where k.confrelid is not null), '{}') as refers_to
      from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
      left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     group by c.relname`.execute(db);
  const left = new Map(rows.map((row) => [row.name, row.refers_to]));
  const order: string[] = [];
  while (left.size > 0) {
    const free = [...left.keys()].filter((name) => ![...left].some(([other, refersTo]) => other !== name && refersTo.includes(name)));
    if (free.length === 0) throw new Error('Tables refer to each other in a circle.');
    for (const name of free) left.delete(name);
    order.push(...free);
  }
  return order;
}
