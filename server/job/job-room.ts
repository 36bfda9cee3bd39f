/** How many files an organization may have lying here at once, and how large in all: what is handed in is kept until its job is over. */
import { sql } from 'kysely';
import { importKind } from '#contract/import.ts';
import { HANDED_IN_BYTES, HANDED_IN_FILES, HANDED_IN_NOW, HANDED_IN_SILENT_MINUTES } from '#contract/job.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Tx } from '#server/record/record-model.ts';

/** Before a job is made that waits for a file. Who begins at the same moment waits. */
export async function requireRoomForFile(tx: Tx, organizationId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`files handed in by ${organizationId}`}, 0))`.execute(tx);
  const { receiving, files, bytes } = await sumHandedIn(tx, organizationId);
  if (receiving >= HANDED_IN_NOW)
    throw new HttpError(
      409,
      'import_many_receiving',
      `${HANDED_IN_NOW} files of your organization are being sent already. Send one of them to its end, or cancel its import; one of which nothing comes for ${HANDED_IN_SILENT_MINUTES} minutes ends by itself.`,
    );
  if (files >= HANDED_IN_FILES)
    throw new HttpError(
      409,
      'import_many',
      `${HANDED_IN_FILES} imports of your organization are under way. Wait until one is done, or cancel it.`,
    );
  if (bytes >= HANDED_IN_BYTES) throw full();
}

/** Before a part is kept that makes a file larger by `more` bytes. Of several files at the same moment each may add one part. */
export async function requireRoomForPart(tx: Tx, organizationId: string, more: number): Promise<void> {
  if (more > 0 && (await sumHandedIn(tx, organizationId)).bytes + more > HANDED_IN_BYTES) throw full();
}

const full = () =>
  new HttpError(
    409,
    'import_bytes_full',
    `Files that your organization sent and that are not read yet come to ${HANDED_IN_BYTES / 1024 / 1024} MB. Wait until an import is done, or cancel one; then go on.`,
  );

async function sumHandedIn(tx: Tx, organizationId: string): Promise<{ receiving: number; files: number; bytes: number }> {
  const { rows } = await sql<{ receiving: number; files: number; bytes: number }>`
    select count(*) filter (where status = 'receiving')::int as receiving, count(*)::int as files, coalesce(sum(bytes), 0)::int8 as bytes
      from job where organization_id = ${organizationId}::uuid and status in ('receiving', 'waiting', 'running')
        and kind = any(${importKind.options}::text[])`.execute(tx);
  return rows[0]!;
}
