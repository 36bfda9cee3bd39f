/** Entries of a suppression list: put in, taken out and counted, in the same transaction. */
import { sql } from 'kysely';
import type { Tx } from '#server/record/record-model.ts';
import type { KeptEntry } from './entry-hash.ts';

export interface ListKey {
  organizationId: string;
  listId: string;
}

export interface NewEntry {
  hash: string;
  expiresAt: Date | null;
}

/** How many were new; one that is there gets the new expiry. Of the same hash given twice the last counts. */
export async function putEntries(tx: Tx, { organizationId, listId }: ListKey, entries: readonly NewEntry[]): Promise<number> {
  const last = [...new Map(entries.map((entry) => [entry.hash, entry])).values()];
  if (last.length === 0) return 0;
  const { rows } = await sql<{ added: number }>`
    with list as (select generation from suppression_list where organization_id = ${organizationId}::uuid and id = ${listId}::uuid),
    put as (
      insert into suppression_entry (organization_id, list_id, value_hash, generation, expires_at)
      select ${organizationId}::uuid, ${listId}::uuid, n.hash, list.generation, n.expires_at
        from list, unnest(${last.map(({ hash }) => hash)}::uuid[], ${last.map(({ expiresAt }) => expiresAt)}::timestamptz[]) as n (hash, expires_at)
        order by n.hash
      on conflict (organization_id, list_id, value_hash) do update set generation = excluded.generation, expires_at = excluded.expires_at
      returning xmax = 0 as is_new
    )
    select count(*) filter (where is_new)::int as added from put`.execute(tx);
  return countIn(tx, { organizationId, listId }, rows[0]!.added);
}

/** How many rows are gone, and of how many entries there was one. An earlier reading counts only where today's finds nothing. */
export async function removeEntries(
  tx: Tx,
  { organizationId, listId }: ListKey,
  entries: readonly KeptEntry[],
): Promise<{ removed: number; found: number }> {
  const asked = entries.flatMap(({ hashes, earlier }, entry) => [
    ...hashes.map((hash) => ({ entry, hash, isEarlier: false })),
    ...earlier.map((hash) => ({ entry, hash, isEarlier: true })),
  ]);
  if (asked.length === 0) return { removed: 0, found: 0 };
  const { rows } = await sql<{ gone: number; found: number }>`
    with there as (
      select n.* from unnest(${asked.map(({ entry }) => entry)}::int[], ${asked.map(({ hash }) => hash)}::uuid[],
          ${asked.map(({ isEarlier }) => isEarlier)}::bool[]) as n (entry, hash, is_earlier)
        join suppression_entry e on e.organization_id = ${organizationId}::uuid and e.list_id = ${listId}::uuid and e.value_hash = n.hash
    ), gone as (
      delete from suppression_entry where organization_id = ${organizationId}::uuid and list_id = ${listId}::uuid
        and value_hash in (select t.hash from there t
          where not t.is_earlier or not exists (select from there o where o.entry = t.entry and not o.is_earlier))
      returning 1
    )
    select (select count(*) from gone)::int as gone, (select count(distinct entry) from there)::int as found`.execute(tx);
  const { gone, found } = rows[0]!;
  await countIn(tx, { organizationId, listId }, -gone);
  return { removed: gone, found };
}

/** Entries of before the import that replaces all, at most so many at a time. How many are gone. */
export async function removeEarlier(tx: Tx, { organizationId, listId }: ListKey, most: number): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    with list as materialized (select generation from suppression_list where organization_id = ${organizationId}::uuid and id = ${listId}::uuid),
    gone as (
      delete from suppression_entry e where e.organization_id = ${organizationId}::uuid and e.list_id = ${listId}::uuid
        -- An array, so that they are found by index, whatever is thought of how many there are.
        and e.value_hash = any(array(select o.value_hash from suppression_entry o
          where o.organization_id = ${organizationId}::uuid and o.list_id = ${listId}::uuid and o.generation < (select generation from list) limit ${most}))
        -- Asked again of the row as it is once it can be locked: one that was renewed meanwhile stays.
        and e.generation < (select generation from list)
      returning 1
    )
    select count(*)::int as gone from gone`.execute(tx);
  return -(await countIn(tx, { organizationId, listId }, -rows[0]!.gone));
}

/** From now on what is put in belongs to a new generation. */
export async function beginGeneration(tx: Tx, { organizationId, listId }: ListKey): Promise<void> {
  await tx
    .updateTable('suppression_list')
    .set({ generation: sql`generation + 1` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', listId)
    .execute();
}

async function countIn(tx: Tx, { organizationId, listId }: ListKey, change: number): Promise<number> {
  if (change === 0) return 0;
  await tx
    .updateTable('suppression_list')
    .set({ entry_count: sql`entry_count + ${change}::int` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', listId)
    .execute();
  return change;
}
