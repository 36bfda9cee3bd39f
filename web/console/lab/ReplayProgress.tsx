import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReplayView } from '#contract/replay.ts';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { ExactTime, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { toast } from '#web/ui/toast.ts';
import { cancelReplay } from '../api/replay.ts';
import { replayStatusWord, settingWords, treeWords } from './replay-words.ts';
import './lab.css';

export function ReplayState({ replay: { status, startedBy, createdAt } }: { replay: ReplayView }) {
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

export function ReplayAsked({ replay }: { replay: ReplayView }) {
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

export function ReplayUnderWay({ replay: { _id, status, done, total } }: { replay: ReplayView }) {
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

export function ReplayEnding({ replay: { status, failure } }: { replay: ReplayView }) {
  if (status === 'failed')
    return (
      <p className="form-alert" role="alert">
        It failed: {failure}
      </p>
    );
  if (status === 'cancelled') return <p className="muted lab-lead-in">It was cancelled before it ended.</p>;
  return null;
}
