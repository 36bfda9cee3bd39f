/** A job as people see it. */
import { isOver, type JobStatus, type JobView } from '#contract/job.ts';
import { EXPORT_JOB } from '#server/export/export.job.ts';
import { listFileViews } from '#server/export/export-file.view.ts';
import type { Db } from '#server/kit/database.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { findAwaited, type JobRow } from './job.sql.ts';
import { JOB_KINDS } from './job-kinds.ts';

const MUST_END = new Set(JOB_KINDS.filter((one) => one.mustEnd).map(({ kind }) => kind));
export const mustEnd = ({ kind }: Pick<JobRow, 'kind'>): boolean => MUST_END.has(kind);

const IN_TURN = new Set(JOB_KINDS.filter(({ inTurn }) => inTurn).map(({ kind }) => kind));
const SILENT = new Set(JOB_KINDS.filter(({ isSilent }) => isSilent).map(({ kind }) => kind));

/** `may`: whether who asks may cancel it; `person`: who asks. */
export async function viewJobs(
  db: Db,
  organizationId: string,
  rows: JobRow[],
  may: (row: JobRow) => boolean,
  person: SignedIn,
): Promise<JobView[]> {
  if (rows.length === 0) return [];
  const people = await db
    .selectFrom('app_user')
    .select(['id', 'first_name', 'last_name', 'email'])
    .where('id', 'in', [...new Set(rows.map((row) => row.person_id))])
    .execute();
  const subjects = rows.flatMap((row) => (row.subject_id ? [row.subject_id] : []));
  const lists =
    subjects.length === 0
      ? []
      : await db
          .selectFrom('suppression_list')
          .select(['id', 'name'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', subjects)
          .execute();
  const files = await listFileViews(
    db,
    organizationId,
    rows.filter((row) => row.kind === EXPORT_JOB).map((row) => row.id),
    person,
  );
  const awaited = await findAwaited(
    db,
    organizationId,
    rows.filter((row) => IN_TURN.has(row.kind) && row.status === 'waiting').map((row) => row.id),
  );
  const viewAwaited = (before: { id: string; name: string } | undefined) => before && { _id: before.id, name: before.name };
  const nameOf = new Map(people.map((one) => [one.id, `${one.first_name} ${one.last_name}`.trim() || one.email]));
  const listOf = new Map(lists.map((one) => [one.id, one.name]));
  return rows.map((row) => ({
    _id: row.id,
    kind: row.kind,
    status: row.status as JobStatus,
    name: row.name,
    // An export is of a vertical, which its name tells.
    subject: row.subject_id && row.kind !== EXPORT_JOB ? { _id: row.subject_id, name: listOf.get(row.subject_id) ?? '' } : null,
    settings: SILENT.has(row.kind) ? {} : (row.settings as Record<string, unknown>),
    startedBy: nameOf.get(row.person_id) ?? '',
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    bytes: row.bytes,
    bytesDone: row.bytes_done,
    rowsDone: row.rows_done,
    tally: row.tally as Record<string, number>,
    errorCount: row.error_count,
    failure: row.failure,
    waitsFor: viewAwaited(awaited.get(row.id)) ?? null,
    mayCancel: !isOver(row.status as JobStatus) && !mustEnd(row) && may(row),
    file: files.get(row.id) ?? null,
  }));
}
