/** Erasures on request, and whose leads are refused since. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { announceConfiguration } from '#server/plan/configuration.sql.ts';
import type { Tx } from '#server/record/record-model.ts';
import type { Erasure } from './erasure.ts';

/** Leads of an hour's age that have no result are not worked on any more, and may be erased; some minutes are for clocks. */
const AGAIN_AFTER_MS = 65 * 60_000;

/** `isDone`: nothing of it is left to be done. What is there already stays as it is. */
export async function insertErasure(tx: Tx, erasure: Erasure, isDone = false): Promise<void> {
  const { organizationId, id, kind, askedAt, sought, personHashes } = erasure;
  const isErased = kind === 'erased';
  await tx
    .insertInto('erasure')
    .values({
      organization_id: organizationId,
      id,
      kind,
      asked_at: askedAt,
      value_hashes: sought.hashes,
      lead_ids: sought.leadIds,
      vertical_ids: sought.verticalIds,
      person_hashes: personHashes,
      again_at: isErased && !isDone ? new Date(askedAt.getTime() + AGAIN_AFTER_MS) : null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (personHashes.length === 0) return;
  if (isErased) await refusePerson(tx, organizationId, id, personHashes);
  else await tx.deleteFrom('erased_person').where('organization_id', '=', organizationId).where('value_hash', 'in', personHashes).execute();
}

async function refusePerson(tx: Tx, organizationId: string, erasureId: string, hashes: readonly string[]): Promise<void> {
  await tx
    .insertInto('erased_person')
    .values(hashes.map((hash) => ({ organization_id: organizationId, value_hash: hash, erasure_id: erasureId })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const first = await tx
    .updateTable('organization')
    .set({ refuses_erased: true })
    .where('id', '=', organizationId)
    .where('refuses_erased', '=', false)
    .executeTakeFirst();
  // From now on its leads are looked up.
  if (first.numUpdatedRows > 0n) await announceConfiguration(tx, organizationId);
}

/** Since when a person is refused, and all hashes that were refused with the same erasures; undefined where they are not. */
export async function findRefused(
  db: Db,
  organizationId: string,
  hashes: readonly string[],
): Promise<{ since: Date; hashes: string[] } | undefined> {
  if (hashes.length === 0) return undefined;
  const { rows } = await sql<{ since: Date | null; hashes: string[] | null }>`
    with own as (select distinct erasure_id from erased_person where organization_id = ${organizationId}::uuid and value_hash = any(${hashes}::uuid[]))
    select (select min(e.asked_at) from own join erasure e on e.organization_id = ${organizationId}::uuid and e.id = own.erasure_id) as since,
      (select array_agg(p.value_hash) from own join erased_person p on p.organization_id = ${organizationId}::uuid and p.erasure_id = own.erasure_id) as hashes`.execute(
    db,
  );
  const { since, hashes: all } = rows[0]!;
  return since && all ? { since, hashes: all } : undefined;
}

/** Those of the ids that the table has. */
export async function listKnown(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from erasure where id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Asked for since then, the oldest first, a page at a time. */
export async function listErasures(db: Db, since: Date, after: string | undefined, limit: number): Promise<Erasure[]> {
  const rows = await db
    .selectFrom('erasure')
    .selectAll()
    .where('id', '>', after ?? idFloor(since.getTime()))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(erasureOf);
}

/** Erasures that are to be gone over once more. */
export async function listDueAgain(db: Db, now: Date, limit: number): Promise<Erasure[]> {
  const rows = await db.selectFrom('erasure').selectAll().where('again_at', '<=', now).orderBy('again_at').limit(limit).execute();
  return rows.map(erasureOf);
}

/** When somebody of these hashes was next accepted again: what came later is no erasure's. */
export async function findAccepted(db: Db, { organizationId, id, personHashes }: Erasure): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`select min(asked_at) as at from erasure
    where organization_id = ${organizationId}::uuid and kind = 'accepted' and id > ${id}::uuid and person_hashes && ${personHashes}::uuid[]`.execute(
    db,
  );
  return rows[0]!.at ?? undefined;
}

export async function endAgain(tx: Tx, { organizationId, id }: Erasure): Promise<void> {
  await tx.updateTable('erasure').set({ again_at: null }).where('organization_id', '=', organizationId).where('id', '=', id).execute();
}

const erasureOf = (row: {
  organization_id: string;
  id: string;
  kind: string;
  asked_at: Date;
  value_hashes: string[];
  lead_ids: string[];
  vertical_ids: string[];
  person_hashes: string[];
}): Erasure => ({
  organizationId: row.organization_id,
  id: row.id,
  kind: row.kind as Erasure['kind'],
  askedAt: row.asked_at,
  sought: { hashes: row.value_hashes, leadIds: row.lead_ids, verticalIds: row.vertical_ids },
  personHashes: row.person_hashes,
});
