import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { AbTestAnswer, AbTestBoard } from '#contract/ab-test.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { formatCount } from '#web/ui/format.ts';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { abTestQuery, abTestsQuery, stepTest } from '../api/ab-test.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { BackMark, SetUpPage } from '../set-up/SetUpPage.tsx';
import { PlaceTabs } from '../shell/PlaceTabs.tsx';
import { TestForm } from './TestForm.tsx';
import { TestResult } from './TestResult.tsx';
import { STATUS } from './test-words.ts';
import './ab-test.css';

/** One test: its form while it is a draft, its result from the start on. */
export function AbTestPage() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const { place } = usePlaceIds();
  const board = useQuery(abTestsQuery(place));
  const found = useQuery({ ...abTestQuery(id ?? ''), enabled: id !== undefined });
  const href = `/setup/${place.region}/${place.vertical}/ab-testing`;
  const navigate = useNavigate();
  const failed = board.isError ? board : found.isError ? found : undefined;
  const { data } = found;
  const frame = (title: string, children: ReactNode, action?: ReactNode) => (
    <SetUpPage
      title={title}
      tabs={<PlaceTabs of="growth" />}
      back={
        <Link to={href as '/'} className="link row">
          <BackMark /> A/B tests
        </Link>
      }
      action={action}
    >
      {children}
    </SetUpPage>
  );
  if (failed) return frame('A/B test', <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />);
  if (!board.data || (id && !data)) return frame('A/B test', <SkeletonLines count={6} height={30} />);
  if (!data)
    return frame(
      'New A/B test',
      <TestForm campaigns={board.data.campaigns} onSaved={({ test }) => void navigate({ href: `${href}/${test._id}`, replace: true })} />,
    );
  const { label, tone } = STATUS[data.test.status];
  const pill = (
    <span className="row">
      <span className="muted small">{data.test.campaignName}</span>
      <span className={`pill ${tone}`}>{label}</span>
    </span>
  );
  if (data.test.status === 'running' || data.test.status === 'stopped') return frame(data.test.name, <TestResult answer={data} />, pill);
  return frame(data.test.name, <Draft key={data.test.version} answer={data} campaigns={board.data.campaigns} href={href} />, pill);
}

function Draft({ answer, campaigns, href }: { answer: AbTestAnswer; campaigns: AbTestBoard['campaigns']; href: string }) {
  const { test } = answer;
  const client = useQueryClient();
  const navigate = useNavigate();
  const [isStarting, setStarting] = useState(false);
  const anew = () => client.invalidateQueries({ queryKey: ['ab-tests'] });
  const restore = async (version: number) => {
    const { msg } = await stepTest(test._id, 'restore', version);
    void toast('success', msg);
    await anew();
  };
  const discard = useMutation({
    mutationFn: () => stepTest(test._id, 'discard', test.version),
    onSuccess: async (changed) => {
      void toast('success', changed.msg, { label: 'Undo', run: () => void restore(changed.test.version) });
      await navigate({ href });
      await anew();
    },
    onError: (error) => void toast('error', error.message),
  });
  return (
    <>
      <TestForm campaigns={campaigns} answer={answer} onSaved={() => void anew()}>
        {answer.mayPromote ? (
          <Button variant="default" onClick={() => setStarting(true)} disabled={test.status === 'archived'}>
            Start…
          </Button>
        ) : (
          <span className="muted small">To start it takes the page Set-up in this vertical.</span>
        )}
        <Button
          variant="subtle"
          color="red"
          loading={discard.isPending}
          onClick={() => discard.mutate()}
          disabled={test.status === 'archived'}
        >
          Throw away
        </Button>
      </TestForm>
      {isStarting && <StartDialog answer={answer} onStarted={anew} onClose={() => setStarting(false)} />}
    </>
  );
}

interface StartDialogProps {
  answer: AbTestAnswer;
  onStarted: () => Promise<void>;
  onClose: () => void;
}

/** As it was saved: what it takes to decide is said before it begins. */
function StartDialog({ answer: { test, leadsNeeded, leadsPerDay }, onStarted, onClose }: StartDialogProps) {
  const start = useMutation({
    mutationFn: () => stepTest(test._id, 'start', test.version),
    onSuccess: async ({ msg }) => {
      void toast('success', msg);
      onClose();
      await onStarted();
    },
  });
  const same = test.variants.find(({ isLive }, at) => at > 0 && isLive);
  return (
    <Modal opened onClose={onClose} title={`Start the test ${test.name}?`} size="lg">
      <div className="form-stack test-dialog">
        <p>
          From the next lead on the consumers of {test.campaignName} are split, as it is saved:{' '}
          {test.variants.map(({ name, sharePercent }) => `${name} ${sharePercent}%`).join(', ')}.
        </p>
        {same && (
          <p className="bad" role="alert">
            {same.name} sells just as {test.variants[0]!.name} and the live campaign do, so there is nothing to find out. Change its tree,
            margin, floor or prices, and save.
          </p>
        )}
        <p className="muted">
          {leadsNeeded === null
            ? 'The campaign has too few leads of the last 30 days to say how many the test takes.'
            : `To find an effect of ${test.minimumEffect}% it takes about ${formatCount(leadsNeeded)} leads, by the last 30 days${
                leadsPerDay > 0
                  ? `: ${formatCount(Math.ceil(leadsNeeded / leadsPerDay))} days at ${formatCount(Math.round(leadsPerDay))} a day`
                  : ''
              }.`}{' '}
          Once it runs nothing of it can be changed; it can be stopped at any time.
        </p>
        <DialogEnd
          label="Start the test"
          isBarred={same !== undefined}
          isPending={start.isPending}
          error={start.error}
          onGo={() => start.mutate()}
          onClose={onClose}
        />
      </div>
    </Modal>
  );
}
