import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import type { ReplayView } from '#contract/replay.ts';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { ExactTime, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { cancelReplay, isUnderWay, replayQuery } from '../api/replay.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { LabFrame } from './LabFrame.tsx';
import { PublishReplayed } from './PublishReplayed.tsx';
import { ReplayResultView } from './ReplayResultView.tsx';
import { replayStatusWord, settingWords, treeWords } from './replay-words.ts';

/** One replay: how far it is, what came of it, and the way to publish what was replayed. */
export function ReplayPage() {
  const { replayId = '' } = useParams({ strict: false }) as { replayId?: string };
  const { place } = usePlaceIds();
  const found = useQuery(replayQuery(replayId));
  const { data } = found;
  return (
    <LabFrame title="Replay" tab="/replay" isInner {...(data && { action: <State replay={data.replay} /> })}>
      {found.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {found.isError && !data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {data && (
        <>
          <section className="card card-pad form-stack" aria-label="What was replayed">
            <Asked replay={data.replay} />
            {isUnderWay(data.replay.status) && <UnderWay replay={data.replay} />}
            <Ending replay={data.replay} />
            {data.result && <PublishReplayed place={place} answer={data} />}
          </section>
          {data.result && <ReplayResultView place={place} result={data.result} mayReadLeads={data.mayReadLeads} />}
        </>
      )}
    </LabFrame>
  );
}

function State({ replay: { status, startedBy, createdAt } }: { replay: ReplayView }) {
  const { label, tone } = replayStatusWord[status];
  return (
    <span className="row">
      <span className={`pill ${tone}`}>{label}</span>
      <span className="muted small">
        {startedBy && `by ${startedBy} `}
        <TimeAgo at={createdAt} />
      </span>
    </span>
  );
}

function Asked({ replay }: { replay: ReplayView }) {
  const { currency, currencyDisplay } = useReporting();
  const settings = settingWords(replay, (amount) => formatMoney(amount, currency, currencyDisplay));
  return (
    <p className="lab-lead-in">
      Leads of <strong>{replay.campaign.name}</strong>
      {replay.publisherTierName && ` from ${replay.publisherTierName}`}, <ExactTime at={replay.from} /> to <ExactTime at={replay.to} />,
      through <strong>{treeWords(replay)}</strong>
      {settings.length > 0 && ` with ${settings.join(', ')}`}. A buyer tier that was never asked about a lead{' '}
      {replay.unrecorded === 'habit' ? 'answers as it mostly did.' : 'declines.'}
    </p>
  );
}

function UnderWay({ replay: { _id, status, done, total } }: { replay: ReplayView }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelReplay(_id),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['replay', _id] }),
  });
  return (
    <>
      <progress className="lab-progress" value={done} max={Math.max(total, 1)} aria-label="Leads replayed" />
      <span className="row">
        <span className="tabular" role="status">
          {status === 'waiting' ? 'Waiting for its turn.' : `${formatCount(done)} of ${formatCount(total)} leads`}
        </span>
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
        <span className="muted small">You can leave this page: it goes on.</span>
      </span>
    </>
  );
}

function Ending({ replay: { status, failure } }: { replay: ReplayView }) {
  if (status === 'failed')
    return (
      <p className="form-alert" role="alert">
        It failed: {failure}
      </p>
    );
  if (status === 'cancelled') return <p className="muted lab-lead-in">It was cancelled before it ended.</p>;
  return null;
}
