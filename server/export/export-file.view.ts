/** The files of jobs, as people see them. */
import type { ExportFileView } from '#contract/export.ts';
import type { Db } from '#server/kit/database.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { mayStill } from './export.job.ts';
import type { FileRow } from './export-file.sql.ts';

/** By the id of their job. */
export async function listFileViews(
  db: Db,
  organizationId: string,
  ids: readonly string[],
  person: SignedIn,
): Promise<Map<string, ExportFileView>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('export_file')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, viewFile(row, person)]));
}

export function viewFile(row: FileRow, person: SignedIn): ExportFileView {
  return {
    name: row.name,
    bytes: row.byte_count,
    unmasked: row.unmasked,
    keptUntil: row.kept_until.toISOString(),
    gone: goneOf(row),
    mayDownload: mayStill(person, row.vertical_id, row.unmasked),
  };
}

function goneOf(row: FileRow): ExportFileView['gone'] {
  if (row.erased_at) return 'erased';
  if (row.kept_until.getTime() <= Date.now()) return 'expired';
  return row.whole_at ? null : 'making';
}
