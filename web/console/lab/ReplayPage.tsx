import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { isUnderWay, replayQuery } from '../api/replay.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { LabFrame } from './LabFrame.tsx';
import { PublishReplayed } from './PublishReplayed.tsx';
import { ReplayAsked, ReplayEnding, ReplayState, ReplayUnderWay } from './ReplayProgress.tsx';
import { ReplayResultView } from './ReplayResultView.tsx';

/** One replay: how far it is, what came of it, and the way to publish what was replayed. */
export function ReplayPage() {
  const { replayId = '' } = useParams({ strict: false }) as { replayId?: string };
  const { place } = usePlaceIds();
  const found = useQuery(replayQuery(replayId));
  const { data } = found;
  return (
    <LabFrame title="Replay" tab="/replay" isInner {...(data && { action: <ReplayState replay={data.replay} /> })}>
      {found.isPending && (
        <div className="card card-pad">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {found.isError && !data && <ErrorState error={found.error} onRetry={() => void found.refetch()} />}
      {data && (
        <>
          <section className="card card-pad form-stack" aria-label="What was replayed">
            <ReplayAsked replay={data.replay} />
            {isUnderWay(data.replay.status) && <ReplayUnderWay replay={data.replay} />}
            <ReplayEnding replay={data.replay} />
            {data.result && <PublishReplayed place={place} answer={data} />}
          </section>
          {data.result && <ReplayResultView place={place} result={data.result} mayReadLeads={data.mayReadLeads} />}
        </>
      )}
    </LabFrame>
  );
}
