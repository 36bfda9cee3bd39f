import { Button, Progress } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReplayAnswer, ReplayAsked } from '#contract/replay.ts';
import { formatCount, formatInstant, formatMoney } from '#web/ui/format.ts';
import { ExactTime, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { cancelReplay, isUnderWay, replayQuery } from '../api/replay.ts';
import { PublishReplayed } from './PublishReplayed.tsx';
import { ReplayResultView } from './ReplayResultView.tsx';
import { replayStatusWord, settingWords, treeWords } from './replay-words.ts';
import './lab.css';

type Replay = ReplayAnswer['replay'];

/** One replay: how far it is, what came of it, and the way to publish what was replayed. */
export function ReplayPage() {
  const { region = '', vertical = '', replayId = '' } = useParams({ strict: false });
  const place = { region, vertical };
  const replay = useQuery(replayQuery(replayId));
  const { data } = replay;
  return (
    <div className="page">
      <title>Replay · Sluice</title>
      <div className="page-head">
        <h1>Replay</h1>
        {data && (
          <>
            <span className={`pill ${replayStatusWord[data.status].tone}`}>{replayStatusWord[data.status].label}</span>
            <span className="muted">
              by {data.startedBy} <TimeAgo at={data.startedAt} />
            </span>
          </>
        )}
        <Link to="/setup/$region/$vertical/testing-lab" params={place} className="link push">
          All replays
        </Link>
      </div>
      {replay.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {replay.isError && !data && <ErrorState error={replay.error} onRetry={() => void replay.refetch()} />}
      {data && (
        <>
          <section className="card card-pad form-stack" aria-label="What was replayed">
            <Asked asked={data.asked} total={data.total} />
            {isUnderWay(data.status) && <UnderWay replay={data} />}
            <Ending replay={data} />
            {data.result && <PublishReplayed place={place} replay={data} />}
          </section>
          {data.result && <ReplayResultView place={place} result={data.result} />}
        </>
      )}
    </div>
  );
}

function Asked({ asked, total }: { asked: ReplayAsked; total: number }) {
  const { zone, currency, currencyDisplay } = useReporting();
  const settings = settingWords(asked, (amount) => formatMoney(amount, currency, currencyDisplay));
  return (
    <p className="lab-asked">
      {formatCount(total)} leads of <strong>{asked.campaignName}</strong>
      {asked.publisherTierName && `, from ${asked.publisherTierName}`}, <ExactTime at={asked.from} /> to <ExactTime at={asked.to} />,
      through <strong>{treeWords(asked, (at) => formatInstant(at, zone))}</strong>
      {settings.length > 0 && ` with ${settings.join(', ')}`}. A buyer tier that was never asked about a lead{' '}
      {asked.unasked === 'likeBefore' ? 'answers as it mostly did.' : 'says no.'}
    </p>
  );
}

function UnderWay({ replay: { _id, status, done, total } }: { replay: Replay }) {
  const client = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => cancelReplay(_id),
    onSuccess: ({ msg }) => void toast('success', msg),
    onError: (error) => void toast('error', error.message),
    onSettled: () => client.invalidateQueries({ queryKey: ['replay', _id] }),
  });
  return (
    <>
      <Progress value={(done / total) * 100} aria-label="Leads replayed" />
      <span className="row">
        <span className="tabular" role="status">
          {status === 'waiting' ? 'Waiting for the replay before it.' : `${formatCount(done)} of ${formatCount(total)} leads`}
        </span>
        <Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate()}>
          Cancel
        </Button>
      </span>
    </>
  );
}

function Ending({ replay: { status, problem } }: { replay: Replay }) {
  if (status === 'failed')
    return (
      <p className="form-alert" role="alert">
        It failed: {problem}
      </p>
    );
  if (status === 'lost') return <p className="muted">The server it ran on was stopped before it ended. Start it again.</p>;
  if (status === 'cancelled') return <p className="muted">It was cancelled before it ended.</p>;
  return null;
}
