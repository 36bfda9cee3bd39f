import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { WebhookCallView } from '#contract/webhook.ts';
import { EVENT_LABELS } from '#contract/webhook-words.ts';
import { HistoryBar } from '#web/ui/HistoryBar.tsx';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import type { RecordRow } from '../api/record.ts';
import { tellWebhookAgain, webhookCallsQuery } from '../api/webhook.ts';
import { downloadCsv } from '../download-csv.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { STATES } from './webhook-words.ts';
import '#web/ui/data-table.css';

const HEADS = ['When', 'Event', 'Lead', 'State', 'Tries', 'What came back'];

/** What it was told in the last 30 days, and what it is to be told. */
export function WebhookCalls({ row }: { row: RecordRow }) {
  const { zone } = useReporting();
  const calls = useInfiniteQuery(webhookCallsQuery(row._id));
  const all = calls.data?.pages.flatMap((page) => page.calls) ?? [];
  return (
    <section className="belongings print-alone" aria-label="Calls">
      <div className="set-up-head">
        <h2>Calls</h2>
        <Button
          size="compact-sm"
          variant="default"
          className="push no-print"
          loading={calls.isRefetching}
          onClick={() => void calls.refetch()}
        >
          Look again
        </Button>
      </div>
      {row.failingSince !== null && (
        <p className="bad small">
          Nothing has been taken since <ExactTime at={String(row.failingSince)} />. After five days it is paused.
        </p>
      )}
      {calls.isPending && <SkeletonLines count={3} height={22} />}
      {calls.isError && <ErrorState error={calls.error} onRetry={() => void calls.refetch()} />}
      {calls.data && all.length === 0 && <p className="muted">Nothing was told yet. The next lead that it is told of stands here.</p>}
      {all.length > 0 && (
        <div className="card">
          <HistoryBar
            count={all.length}
            hasMore={calls.hasNextPage}
            one="call"
            many="calls"
            onSave={() => downloadCsv('webhook-calls', { webhookId: row._id, timeZone: zone })}
          />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys */}
          <section className="data-table-box" aria-label="Calls of the webhook" tabIndex={0}>
            <table className="data-table">
              <thead>
                <tr>
                  {HEADS.map((head) => (
                    <th key={head} scope="col">
                      {head}
                    </th>
                  ))}
                  <th scope="col" className="no-print">
                    <span className="sr-only">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {all.map((call) => (
                  <Line key={call._id} webhookId={row._id} call={call} />
                ))}
              </tbody>
            </table>
          </section>
          {calls.hasNextPage && (
            <div className="card-pad no-print">
              <Button size="sm" variant="default" loading={calls.isFetchingNextPage} onClick={() => void calls.fetchNextPage()}>
                Older ones
              </Button>
            </div>
          )}
        </div>
      )}
    </section>
  );
}

function Line({ webhookId, call }: { webhookId: string; call: WebhookCallView }) {
  const client = useQueryClient();
  const { place } = usePlaceIds();
  const again = useMutation({
    mutationFn: () => tellWebhookAgain(webhookId, call._id),
    onSuccess: ({ msg }) => {
      void toast('success', msg);
      return client.invalidateQueries({ queryKey: ['webhook', webhookId, 'calls'] });
    },
    onError: (error) => void toast('error', error.message),
  });
  const { label, tone } = STATES[call.state];
  return (
    <tr>
      <td>
        <ExactTime at={call.madeAt} />
      </td>
      <td>{EVENT_LABELS[call.event] ?? call.event}</td>
      <td>
        <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: call.leadId }} className="link mono">
          {call.leadId.slice(-12)}
        </Link>
      </td>
      <td>
        <span className={`pill ${tone}`}>{label}</span>
      </td>
      <td className="numeric">{call.tries}</td>
      <td>
        {call.failure ?? (call.statusCode ? `HTTP ${call.statusCode} after ${Math.round(call.elapsedMs ?? 0)} ms` : '–')}
        {call.nextAt && call.tries > 0 && (
          <span className="muted">
            {' '}
            Next try <ExactTime at={call.nextAt} />.
          </span>
        )}
      </td>
      <td className="no-print">
        {(call.state !== 'due' || call.tries > 0) && (
          <Button size="compact-sm" variant="subtle" loading={again.isPending} onClick={() => again.mutate()}>
            {call.state === 'due' ? 'Tell now' : 'Tell again'}
          </Button>
        )}
      </td>
    </tr>
  );
}
