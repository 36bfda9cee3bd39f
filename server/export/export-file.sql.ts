/** The bytes of files, sealed and in parts, and what is known of each file; gone after some days, or with a person that stood in it. */
import { sql } from 'kysely';
import type { ExportFormat } from '#contract/export.ts';
import { boundTo, type OrganizationKeys, open, seal } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';

export interface NewFile {
  id: string;
  verticalId: string;
  name: string;
  format: ExportFormat;
  unmasked: boolean;
  keptUntil: Date;
}

const bound = (organizationId: string, fileId: string, part: number) => boundTo(organizationId, 'export_part.body', `${fileId} ${part}`);

/** Begun anew where it was begun before. */
export async function beginFile(db: Db, organizationId: string, file: NewFile): Promise<void> {
  const values = { name: file.name, format: file.format, unmasked: file.unmasked, kept_until: file.keptUntil };
  await db.deleteFrom('export_part').where('organization_id', '=', organizationId).where('file_id', '=', file.id).execute();
  await db
    .insertInto('export_file')
    .values({ organization_id: organizationId, id: file.id, vertical_id: file.verticalId, ...values })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'id']).doUpdateSet({ ...values, row_count: 0, byte_count: 0, whole_at: null, erased_at: null }),
    )
    .execute();
}

/** Appended by whoever makes the file, one part after the other. */
export async function addPart(
  db: Db,
  keys: OrganizationKeys,
  file: { id: string; keptUntil: Date },
  part: number,
  text: string,
  leadIds: readonly string[],
): Promise<number> {
  const { organizationId } = keys;
  const bytes = Buffer.from(text);
  await db
    .insertInto('export_part')
    .values({
      organization_id: organizationId,
      file_id: file.id,
      part,
      body: seal(keys.data, bound(organizationId, file.id, part), bytes),
      lead_ids: leadIds as string[],
      kept_until: file.keptUntil,
    })
    .execute();
  await db
    .updateTable('export_file')
    .set((set) => ({ row_count: set('row_count', '+', leadIds.length), byte_count: set('byte_count', '+', bytes.length) }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', file.id)
    .execute();
  return bytes.length;
}

export async function endFile(db: Db, organizationId: string, id: string): Promise<void> {
  await db
    .updateTable('export_file')
    .set({ whole_at: sql`clock_timestamp()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

export function findFile(db: Db, organizationId: string, id: string) {
  return db.selectFrom('export_file').selectAll().where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst();
}
export type FileRow = NonNullable<Awaited<ReturnType<typeof findFile>>>;

/** Undefined beyond the last, and where its bytes are gone. */
export async function readPart(db: Db, keys: OrganizationKeys, fileId: string, part: number): Promise<Buffer | undefined> {
  const { organizationId } = keys;
  const row = await db
    .selectFrom('export_part')
    .select('body')
    .where('organization_id', '=', organizationId)
    .where('file_id', '=', fileId)
    .where('part', '=', part)
    .executeTakeFirst();
  return row && open(keys.data, bound(organizationId, fileId, part), row.body);
}

/** Part by part, to the last byte or not at all: a file whose bytes went meanwhile ends in an error. `each` is asked before every part. */
export async function* readFile(db: Db, keys: OrganizationKeys, file: FileRow, each?: () => Promise<unknown>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for (let part = 0; bytes < file.byte_count; part++) {
    await each?.();
    const body = await readPart(db, keys, file.id, part);
    if (!body) throw new FileGone('The file was deleted meanwhile.');
    bytes += body.length;
    yield body;
  }
}

export class FileGone extends Error {
  override name = 'FileGone';
}

/** What was made of a file that comes to no end is nobody's. */
export async function dropParts(db: Db, organizationId: string, id: string): Promise<void> {
  await db.deleteFrom('export_part').where('organization_id', '=', organizationId).where('file_id', '=', id).execute();
}

const lockOf = (organizationId: string) => `export ${organizationId}`;

/** Before leads are read for a file, and until they stand in it: nobody is erased between. Many may write at once. */
export async function holdPersons(tx: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${lockOf(organizationId)}, 0))`.execute(tx);
}

/** Before a lead is erased, and before anything else of it is locked. */
export async function holdFiles(tx: Db, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${lockOf(organizationId)}, 0))`.execute(tx);
}

/** A person that is erased stands in no file: those that hold the lead go whole, and one that waits to be sent is made anew. How many went. */
export async function dropFilesOf(tx: Db, organizationId: string, leadId: string): Promise<number> {
  const rows = await tx
    .selectFrom('export_part')
    .select('file_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`lead_ids @> ${[leadId]}::uuid[]`)
    .execute();
  for (const { file_id: id } of rows) {
    await dropParts(tx, organizationId, id);
    await tx
      .updateTable('export_file')
      .set({ erased_at: sql`clock_timestamp()` })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .execute();
    await tx
      .updateTable('export_run')
      .set({ is_built: false })
      .where('organization_id', '=', organizationId)
      .where('id', '=', id)
      .where('state', '=', 'due')
      .execute();
  }
  return rows.length;
}
