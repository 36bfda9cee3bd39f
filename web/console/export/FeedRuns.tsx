import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import type { FeedRunView } from '#contract/export.ts';
import { sayBytes, sayRunState } from '#contract/export-words.ts';
import { formatCount, formatElapsed } from '#web/ui/format.ts';
import { HistoryBar } from '#web/ui/HistoryBar.tsx';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { feedRunsQuery, runFeed, runFeedAgain } from '../api/export.ts';
import type { RecordRow } from '../api/record.ts';
import { downloadCsv } from '../download-csv.ts';
import { RUN_STATES } from './export-words.ts';
import '#web/ui/data-table.css';

const HEADS = ['Leads of', 'State', 'Leads', 'Size', 'Tries', 'What came of it'];

/** What was sent, what is to be, and what failed. */
export function FeedRuns({ row }: { row: RecordRow }) {
  const client = useQueryClient();
  const { zone } = useReporting();
  const runs = useInfiniteQuery(feedRunsQuery(row._id));
  const all = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const look = () => client.invalidateQueries({ queryKey: ['export-feed', row._id, 'runs'] });
  const run = useMutation({
    mutationFn: () => runFeed(row._id),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      return look();
    },
    onError: (error) => void toast('error', error.message),
  });
  return (
    <section className="belongings print-alone" aria-label="Runs">
      <div className="set-up-head">
        <h2>Runs</h2>
        <span className="row push no-print">
          <Button size="compact-sm" variant="default" loading={runs.isRefetching} onClick={() => void runs.refetch()}>
            Look again
          </Button>
          {row.status === 'active' && (
            <Button size="compact-sm" variant="default" loading={run.isPending} onClick={() => run.mutate()}>
              Run now
            </Button>
          )}
        </span>
      </div>
      {runs.isPending && <SkeletonLines count={3} height={22} />}
      {runs.isError && <ErrorState error={runs.error} onRetry={() => void runs.refetch()} />}
      {runs.data && all.length === 0 && (
        <p className="muted">
          {row.nextAt ? (
            <>
              It has not run yet. The next run is <ExactTime at={String(row.nextAt)} />.
            </>
          ) : (
            'It has not run yet.'
          )}
        </p>
      )}
      {all.length > 0 && (
        <div className="card">
          <HistoryBar
            count={all.length}
            hasMore={runs.hasNextPage}
            one="run"
            many="runs"
            onSave={() => downloadCsv('feed-runs', { feedId: row._id, timeZone: zone })}
          />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <section className="data-table-box" aria-label="Runs of the feed" tabIndex={0}>
            <table className="data-table">
              <thead>
                <tr>
                  {HEADS.map((head) => (
                    <th key={head} scope="col" className={['Leads', 'Size', 'Tries'].includes(head) ? 'num' : undefined}>
                      {head}
                    </th>
                  ))}
                  <th scope="col" className="no-print">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((one) => (
                  <Line key={one._id} feed={row} run={one} onDone={look} />
                ))}
              </tbody>
            </table>
          </section>
          {runs.hasNextPage && (
            <div className="card-pad no-print">
              <Button size="sm" variant="default" loading={runs.isFetchingNextPage} onClick={() => void runs.fetchNextPage()}>
                Older ones
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function Line({ feed, run, onDone }: { feed: RecordRow; run: FeedRunView; onDone: () => Promise<void> }) {
  const again = useMutation({
    mutationFn: () => runFeedAgain(feed._id, run._id),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      return onDone();
    },
    onError: (error) => void toast('error', error.message),
  });
  return (
    <tr>
      <td>
        <ExactTime at={run.from} /> – <ExactTime at={run.to} />
      </td>
      <td>
        <span className={`pill ${RUN_STATES[run.state].tone}`}>{sayRunState(run)}</span>
      </td>
      <td className="num">{formatCount(run.rows)}</td>
      <td className="num">{sayBytes(run.bytes)}</td>
      <td className="num">{run.tries}</td>
      <td className="feed-why">
        {run.failure && <span className="bad">{run.failure} </span>}
        {run.state === 'sent' && run.lastAt && (
          <>
            Sent <ExactTime at={run.lastAt} />
            {run.elapsedMs !== null && ` in ${formatElapsed(run.elapsedMs)}`}.{' '}
          </>
        )}
        {run.state === 'due' && run.failure && run.nextAt && (
          <span className="muted">
            Next try <ExactTime at={run.nextAt} />.{' '}
          </span>
        )}
        {run.remark && <span className="muted">{run.remark}</span>}
      </td>
      <td className="no-print">
        {feed.status === 'active' && (run.state !== 'due' || run.tries > 0) && (
          <Button size="compact-sm" variant="subtle" loading={again.isPending} onClick={() => again.mutate()}>
            Run again
          </Button>
        )}
      </td>
    </tr>
  );
}
