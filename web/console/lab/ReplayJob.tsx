import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReplayAnswer } from '#contract/replay.ts';
import { isUnderWay } from '../api/replay.ts';
import { labPath } from './lab-path.ts';
import { ReplayAsked, ReplayEnding, ReplayState, ReplayUnderWay } from './ReplayProgress.tsx';

/** A replay as a background job: how far it is, its end, and the way to what came of it. */
export function ReplayJob({ answer: { replay, place } }: { answer: ReplayAnswer }) {
  return (
    <section className="card card-pad form-stack" aria-label="Progress">
      <div className="job-head">
        <ReplayState replay={replay} />
        <Button component={Link} to={`${labPath(place, '/replay')}/${replay._id}` as '/'} size="xs" variant="default">
          {replay.status === 'done' ? 'See what came of it' : 'Open it in the testing lab'}
        </Button>
      </div>
      <ReplayAsked replay={replay} />
      {isUnderWay(replay.status) && <ReplayUnderWay replay={replay} />}
      <ReplayEnding replay={replay} />
    </section>
  );
}
