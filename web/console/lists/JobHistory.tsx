import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ImportKind, ImportMode } from '#contract/import.ts';
import type { JobView } from '#contract/job.ts';
import { sayTally } from '#contract/job-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { HistoryBar } from '#web/ui/HistoryBar.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { jobsQuery } from '../api/job.ts';
import { downloadCsv } from '../download-csv.ts';
import { JOB_STATUS, MODES } from './list-words.ts';
import '#web/ui/data-table.css';

const PAGE_SIZE = 10;

/** What was imported before, the newest first. */
export function JobHistory({ kind, subjectId }: { kind: ImportKind; subjectId?: string }) {
  const search = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const page = search.page ?? 1;
  const { zone } = useReporting();
  const jobs = useQuery(jobsQuery({ kind, subjectId, page, pageSize: PAGE_SIZE }));
  if (jobs.isPending) return <SkeletonLines count={3} height={22} />;
  if (!jobs.data) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />;
  if (jobs.data.total === 0) return <p className="muted">Nothing was imported yet.</p>;
  return (
    <div className="card">
      <HistoryBar
        count={jobs.data.total}
        one="import"
        many="imports"
        onSave={() => downloadCsv('jobs', { kind, ...(subjectId && { subjectId }), timeZone: zone })}
      />
      <section className="data-table-box" aria-label="Imports">
        <table className="data-table">
          <thead>
            <tr>
              {['File', ...(subjectId || kind !== 'suppressionImport' ? [] : ['List']), 'How', 'Status', 'Result', 'By', 'When'].map(
                (head) => (
                  <th key={head} scope="col">
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {jobs.data.jobs.map((job) => (
              <Line key={job._id} job={job} showsList={!subjectId && kind === 'suppressionImport'} />
            ))}
          </tbody>
        </table>
      </section>
      <Pager
        total={jobs.data.total}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={(next) => void navigate({ to: '.', search: { ...search, page: next } as never, replace: true })}
      />
    </div>
  );
}

export function JobStatusPill({ status }: { status: JobView['status'] }) {
  const { label, tone } = JOB_STATUS[status];
  return <span className={`pill ${tone}`}>{label}</span>;
}

function Line({ job, showsList }: { job: JobView; showsList: boolean }) {
  return (
    <tr>
      <td>
        <Link to="/$id/trackProcess" params={{ id: job._id }} className="link">
          {job.name}
        </Link>
      </td>
      {showsList && <td>{job.subject?.name}</td>}
      <td>{MODES[job.settings.mode as ImportMode]?.label}</td>
      <td>
        <JobStatusPill status={job.status} />
      </td>
      <td>
        {sayTally(job.tally, formatCount)}
        {job.errorCount > 0 && <span className="bad">{` ${formatCount(job.errorCount)} wrong`}</span>}
      </td>
      <td>{job.startedBy}</td>
      <td>
        <TimeAgo at={job.createdAt} />
      </td>
    </tr>
  );
}
