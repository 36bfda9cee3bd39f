import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { formatCount } from '#web/ui/format.ts';
import { HistoryBar } from '#web/ui/HistoryBar.tsx';
import { Pager } from '#web/ui/Pager.tsx';
import { TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { jobsQuery } from '../api/job.ts';
import { downloadCsv } from '../download-csv.ts';
import { JobStatusPill } from '../lists/JobHistory.tsx';
import { ListsPage } from '../lists/ListsPage.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { usePlaceName } from '../shell/use-place.ts';
import { ExportForm } from './ExportForm.tsx';
import { FileLink } from './FileLink.tsx';
import '#web/ui/data-table.css';

const PAGE_SIZE = 10;

/** Page key 15: leads leave as a file, now. */
export function ExportsPage() {
  const { verticalId } = usePlaceIds();
  return (
    <ListsPage title="Exports" reach={usePlaceName()}>
      <ExportForm key={verticalId} />
      <section className="belongings print-alone" aria-labelledby="history">
        <div className="set-up-head">
          <h2 id="history">Earlier exports</h2>
        </div>
        <Earlier verticalId={verticalId} />
      </section>
    </ListsPage>
  );
}

function Earlier({ verticalId }: { verticalId: string }) {
  const search = useSearch({ strict: false }) as { page?: number };
  const navigate = useNavigate();
  const page = search.page ?? 1;
  const { zone } = useReporting();
  const jobs = useQuery(jobsQuery({ kind: 'export', subjectId: verticalId, page, pageSize: PAGE_SIZE }));
  if (jobs.isPending) return <SkeletonLines count={3} height={22} />;
  if (!jobs.data) return <ErrorState error={jobs.error} onRetry={() => void jobs.refetch()} />;
  if (jobs.data.total === 0) return <p className="muted">Nothing was exported here yet. Files are kept for seven days.</p>;
  return (
    <div className="card">
      <HistoryBar
        count={jobs.data.total}
        one="export"
        many="exports"
        onSave={() => downloadCsv('jobs', { kind: 'export', subjectId: verticalId, timeZone: zone })}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
      <section className="data-table-box" aria-label="Exports" tabIndex={0}>
        <table className="data-table">
          <thead>
            <tr>
              {['Export', 'Status', 'Leads', 'File', 'By', 'When'].map((head) => (
                <th key={head} scope="col" className={head === 'Leads' ? 'num' : undefined}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {jobs.data.jobs.map((job) => (
              <tr key={job._id}>
                <td>
                  <Link to="/$id/trackProcess" params={{ id: job._id }} className="link">
                    {job.name}
                  </Link>
                </td>
                <td>
                  <JobStatusPill status={job.status} />
                </td>
                <td className="num">{formatCount(job.tally.exported ?? 0)}</td>
                <td>{job.file && job.status === 'done' ? <FileLink jobId={job._id} file={job.file} /> : '–'}</td>
                <td>{job.startedBy}</td>
                <td>
                  <TimeAgo at={job.createdAt} />
                </td>
              </tr>
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
