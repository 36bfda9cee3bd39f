import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FeedDestination, FeedTrial } from '#contract/export.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { feedSecretQuery, tryFeed } from '../api/export.ts';
import type { RecordRow } from '../api/record.ts';

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
  const [isShown, setShown] = useState(false);
  const secret = useQuery({ ...feedSecretQuery(id), enabled: isShown });
  return (
    <>
      <p className="muted small">
        Every call carries <code>X-Sluice-Timestamp</code> and <code>X-Sluice-Signature</code>: HMAC-SHA256, made with the feed’s secret, of
        the timestamp, a full stop and the body. <code>X-Sluice-Delivery</code> is the same at every try of a run.
      </p>
      <span className="row feed-secret">
        {isShown && secret.data && <code className="mono">{secret.data.secret}</code>}
        <Button size="compact-sm" variant="default" loading={isShown && secret.isPending} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide the secret' : 'Show the secret'}
        </Button>
        {isShown && secret.data && <CopyButton text={secret.data.secret} label="Copy the secret" />}
      </span>
    </>
  );
}
