import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { isOver, JOB_ERRORS_KEPT, type JobView } from '#contract/job.ts';
import { tallyWord } from '#contract/job-words.ts';
import { CsvButton } from '#web/ui/FileTools.tsx';
import { formatCount, formatElapsed } from '#web/ui/format.ts';
import { PrintButton } from '#web/ui/PrintButton.tsx';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { ApiError } from '../api/client.ts';
import { cancelJob, type JobAnswer, jobQuery } from '../api/job.ts';
import { replayQuery } from '../api/replay.ts';
import { downloadCsv } from '../download-csv.ts';
import { FileLink } from '../export/FileLink.tsx';
import { ReplayJob } from '../lab/ReplayJob.tsx';
import { failureText, message } from '../message.ts';
import { usePlace } from '../shell/use-place.ts';
import { GoOnSending } from './GoOnSending.tsx';
import { JobStatusPill } from './JobHistory.tsx';
import { KIND_WORDS } from './list-words.ts';
import '#web/ui/data-table.css';
import './lists.css';
import '../export/export.css';

const refusalCode = (error: Error | null) => (error instanceof ApiError ? error.code : undefined);

/** Console §2 `{id}/trackProcess`: how far a background job is, and what came of it; a replay is one of its own kind. */
export function JobPage() {
  const { id = '' } = useParams({ strict: false });
  const answer = useQuery(jobQuery(id));
  const isNoJob = refusalCode(answer.error) === 'job_unknown';
  const replay = useQuery({ ...replayQuery(id), enabled: isNoJob });
  const error = isNoJob && refusalCode(replay.error) !== 'replay_unknown' ? replay.error : answer.error;
  const client = useQueryClient();
  const over = answer.data && isOver(answer.data.job.status);
  // What it filled has another count now.
  useEffect(() => {
    if (over) void client.invalidateQueries({ queryKey: ['records'] });
  }, [over, client]);
  const job = answer.data?.job;
  const title = job ? (KIND_WORDS[job.kind] ?? 'Job') : replay.data ? 'Replay' : 'Job';
  return (
    <div className="page">
      <title>{`${title} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        {job && <span className="muted">{job.subject ? `${job.subject.name}: ${job.name}` : job.name}</span>}
        {replay.data && <span className="muted">{replay.data.replay.campaign.name}</span>}
        {job && (
          <span className="push">
            <PrintButton isUpright />
          </span>
        )}
      </div>
      {(answer.isPending || replay.isLoading) && <SkeletonLines count={5} height={26} />}
      {!answer.data && !replay.data && !replay.isLoading && error && (
        <ErrorState error={error} onRetry={() => void (isNoJob ? replay : answer).refetch()} />
      )}
      {replay.data && <ReplayJob answer={replay.data} />}
      {answer.data && <Whole answer={answer.data} />}
    </div>
  );
}

function Whole({ answer: { job, errors } }: { answer: JobAnswer }) {
  return (
    <div className="form-stack">
      <section className="card card-pad form-stack" aria-label="Progress">
        <div className="job-head">
          <JobStatusPill status={job.status} />
          <span role="status">{saying(job)}</span>
          <span className="row no-print">
            <BackLink job={job} />
            {job.mayCancel && <Cancel id={job._id} kind={job.kind} />}
          </span>
        </div>
        {job.status === 'receiving' && <GoOnSending job={job} />}
        {job.waitsFor && (
          <p className="muted small">
            It waits until{' '}
            <Link to="/$id/trackProcess" params={{ id: job.waitsFor._id }} className="link">
              {job.waitsFor.name}
            </Link>{' '}
            is over. Cancel that one if it is not wanted any more.
          </p>
        )}
        {job.bytes > 0 && job.status !== 'receiving' && (
          <progress
            className="job-progress"
            aria-label="Progress"
            max={job.bytes}
            value={job.status === 'done' ? job.bytes : job.bytesDone}
          />
        )}
        <dl className="job-facts">
          <Fact name={job.kind === ERASURE || job.kind === EXPORT ? 'Looked at' : 'Rows read'} value={formatCount(job.rowsDone)} />
          {Object.entries(job.tally).map(([word, count]) => (
            <Fact key={word} name={tallyWord(word)} value={formatCount(count)} />
          ))}
          {job.kind !== ERASURE && job.kind !== EXPORT && <Fact name="Wrong" value={formatCount(job.errorCount)} />}
          {job.startedAt && job.endedAt && <Fact name="Took" value={formatElapsed(Date.parse(job.endedAt) - Date.parse(job.startedAt))} />}
        </dl>
        {job.file && job.status === 'done' && (
          <p className="row job-file">
            <FileLink jobId={job._id} file={job.file} />
            {job.file.gone === null && (
              <span className="muted small">
                {job.file.name}, kept until <ExactTime at={job.file.keptUntil} />
                {job.file.unmasked && ', with persons as they are'}
              </span>
            )}
          </p>
        )}
        <p className="muted small">
          Started by {job.startedBy}, <ExactTime at={job.createdAt} />.
        </p>
      </section>
      {job.errorCount > 0 && <Errors job={job} errors={errors} />}
    </div>
  );
}

function saying(job: JobView): string {
  switch (job.status) {
    case 'receiving':
      return 'Not all of the file is here yet.';
    case 'waiting':
      return job.waitsFor ? 'It waits its turn: another import of the same was begun before it.' : 'It begins in a moment.';
    case 'running':
      if (job.kind === EXPORT) return `${share(job)}% of the span is through. You can leave this page; it goes on.`;
      if (job.kind === ERASURE) return 'Under way. You can leave this page; it goes on.';
      return job.bytesDone >= job.bytes
        ? 'The file is read; what it does not have is taken out.'
        : `${share(job)}% of the file is read. You can leave this page; it goes on.`;
    case 'done':
      if (job.kind === ERASURE) return sayErased(job);
      if (job.kind === EXPORT) return job.tally.exported ? 'Done. The file is ready.' : 'Done. No lead was like that; the file is empty.';
      return job.errorCount > 0 ? 'Done. Some lines could not be used.' : 'Done.';
    case 'failed':
      return job.failure ?? 'Failed.';
    case 'cancelled':
      return job.kind === EXPORT ? 'Cancelled. What was made of the file is deleted.' : 'Cancelled. What was done before stands.';
  }
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const ERASURE = 'erasure';
const EXPORT = 'export';
const share = (job: JobView) => Math.floor((100 * job.bytesDone) / Math.max(1, job.bytes));

/** A lead that a buyer is being asked about cannot be taken apart yet; what was damaged cannot be searched by anybody. */
function sayErased({ tally }: JobView): string {
  const done = tally.underWay
    ? 'Done, but for leads that were still under way: they are erased by themselves, about an hour after it was asked for.'
    : 'Done. The proof stands in the change log.';
  return [
    done,
    ...(tally.unsearched ? [sayUnsearched(tally.unsearched)] : []),
    ...(tally.unmatched ? [sayUnmatched(tally.unmatched)] : []),
  ].join(' ');
}

const sayUnsearched = (count: number): string =>
  `${count === 1 ? 'One refused call or sample lead was' : `${formatCount(count)} refused calls and sample leads were`} damaged and could not be searched: whether the person stands there, nobody can tell.`;

const sayUnmatched = (count: number): string =>
  `${count === 1 ? 'One refused call or sample lead has' : `${formatCount(count)} refused calls and sample leads have`} no e-mail address, phone number or other value that a person is known by, and ${count === 1 ? 'stays' : 'stay'}: a name alone is nobody’s own. Refused calls go 90 days after their month.`;

const LIST_OF: Record<string, string> = {
  erasure: 'lead-flow/data-request',
  bankImport: 'bank-mgmt',
  binImport: 'bin-mgmt',
  export: 'data-mgmt/outbound',
};

/** To what it filled. */
function BackLink({ job }: { job: JobView }) {
  const { region, vertical } = usePlace();
  if (!vertical) return null;
  const page = LIST_OF[job.kind] ?? 'data-mgmt/inbound';
  return (
    <Button component={Link} to={`/setup/${region}/${vertical}/${page}` as '/'} size="xs" variant="default">
      {job.kind === ERASURE ? 'To data requests' : job.kind === EXPORT ? 'All exports' : LIST_OF[job.kind] ? 'To the list' : 'All imports'}
    </Button>
  );
}

function Cancel({ id, kind }: { id: string; kind: string }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelJob(id),
    onSuccess: () => void toast('success', message('jobCancelled')),
    onError: (error) => void toast('error', failureText(error, 'Job')),
    onSettled: () => client.invalidateQueries({ queryKey: ['jobs'] }),
  });
  return (
    <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
      {kind === EXPORT ? 'Cancel the export' : 'Cancel the import'}
    </Button>
  );
}

function Errors({ job, errors }: { job: JobView; errors: JobAnswer['errors'] }) {
  const { zone } = useReporting();
  return (
    <section className="card" aria-labelledby="job-errors">
      <div className="card-body lists-card">
        <h2 id="job-errors">Lines that could not be used</h2>
        <p className="row muted small">
          {job.errorCount > errors.length &&
            `The first ${formatCount(Math.min(errors.length, JOB_ERRORS_KEPT))} of ${formatCount(job.errorCount)}.`}
          <CsvButton isPushed onSave={() => downloadCsv('job-errors', { jobId: job._id, timeZone: zone })} />
        </p>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it may be wider than the screen, and is scrolled by keys */}
      <section className="data-table-box job-lines" tabIndex={0} aria-label="Table of lines">
        <table className="data-table">
          <thead>
            <tr>
              <th scope="col" className="num">
                Line
              </th>
              <th scope="col">What is wrong</th>
            </tr>
          </thead>
          <tbody>
            {errors.map(({ line, message: said }) => (
              <tr key={line}>
                <td className="num">{formatCount(line)}</td>
                <td>It {said}.</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}
