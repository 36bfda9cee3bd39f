import { Button } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FeedDestination, FeedTrial } from '#contract/export.ts';
import { feedAt, tryFeed } from '../api/export.ts';
import type { RecordRow } from '../api/record.ts';
import { SigningSecret } from '../set-up/SigningSecret.tsx';

/** Whether a file would come to where the feed goes; and what its calls are signed with. */
export function FeedTest({ row }: { row: RecordRow }) {
  const client = useQueryClient();
  const { kind } = row.destination as FeedDestination;
  const trial = useMutation({
    mutationFn: () => tryFeed(row._id),
    // The key that was pinned stands in the record.
    onSuccess: ({ pinned }) => (pinned ? client.invalidateQueries({ queryKey: ['records'] }) : undefined),
  });
  return (
    <section className="belongings" aria-label="Test">
      <div className="set-up-head">
        <h2>Test</h2>
      </div>
      <div className="card card-pad form-stack feed-card">
        <p className="muted small">Sends a file without a lead there, by the settings as they are saved.</p>
        <div className="row">
          <Button size="sm" variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
            Test the destination
          </Button>
        </div>
        <p role="status" className="small feed-said">
          {trial.data && <Said {...trial.data} />}
          {trial.isError && <span className="bad">{trial.error.message}</span>}
        </p>
        {kind === 'http' && <Signing id={row._id} />}
      </div>
    </section>
  );
}

function Said({ taken, said, hostKey, pinned }: FeedTrial) {
  return (
    <>
      <span className={taken ? 'good' : 'bad'}>
        {taken ? 'It works. ' : 'It does not work. '}
        {said}
      </span>
      {hostKey && (
        <>
          {' '}
          The server showed the key <code className="mono">{hostKey}</code>
          {pinned ? ', which is pinned now: compare it with what its owner says.' : '.'}
        </>
      )}
    </>
  );
}

function Signing({ id }: { id: string }) {
  return (
    <>
      <p className="muted small">
        Every call carries <code>X-Sluice-Timestamp</code> and <code>X-Sluice-Signature</code>: HMAC-SHA256, made with this secret, of the
        timestamp, a full stop and the body. <code>X-Sluice-Delivery</code> is the same at every try of a run.
      </p>
      <SigningSecret call={feedAt(id)} loss="whoever takes the files refuses them until it has the new one. They are tried again." />
    </>
  );
}
