import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { WebhookTrial } from '#contract/webhook.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import type { RecordRow } from '../api/record.ts';
import { renewWebhookSecret, tryWebhook, webhookSecretQuery } from '../api/webhook.ts';
import { message } from '../message.ts';

/** What the other side checks calls by, and a call to see whether it does. */
export function WebhookSecret({ row }: { row: RecordRow }) {
  const client = useQueryClient();
  const query = webhookSecretQuery(row._id);
  const secret = useQuery(query);
  const [isShown, setShown] = useState(false);
  const [isRenewing, setRenewing] = useState(false);
  const renew = useMutation({
    mutationFn: () => renewWebhookSecret(row._id),
    onSuccess: (answer) => {
      client.setQueryData(query.queryKey, answer);
      void toast('success', message('webhookSecretRenewed'));
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setRenewing(false),
  });
  const trial = useMutation({ mutationFn: () => tryWebhook(row._id) });
  const text = secret.data?.secret ?? '';
  return (
    <section className="belongings" aria-label="Secret">
      <div className="set-up-head">
        <h2>Secret</h2>
      </div>
      <div className="card card-pad form-stack webhook-card">
        <p className="muted small">
          Every call carries <code>X-Sluice-Timestamp</code> and <code>X-Sluice-Signature</code>: HMAC-SHA256, made with this secret, of the
          timestamp, a full stop and the body. Your system computes the same and refuses what does not match.
        </p>
        {secret.isPending && <SkeletonLines count={1} />}
        {secret.isError && <ErrorState error={secret.error} onRetry={() => void secret.refetch()} />}
        {secret.data && (
          <span className="row webhook-secret">
            <code className="mono">{isShown ? text : `${text.slice(0, 10)}${'•'.repeat(12)}`}</code>
            <Button size="compact-sm" variant="default" onClick={() => setShown(!isShown)}>
              {isShown ? 'Hide' : 'Show'}
            </Button>
            <CopyButton text={text} label="Copy the secret" />
          </span>
        )}
        <div className="row">
          <Button size="sm" variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
            Send a test call
          </Button>
          <Button size="sm" variant="default" onClick={() => setRenewing(true)}>
            Make a new secret
          </Button>
        </div>
        <p role="status" className="small webhook-said">
          {trial.data && <Said {...trial.data} />}
          {trial.isError && <span className="bad">{trial.error.message}</span>}
        </p>
      </div>
      {isRenewing && (
        <Modal opened onClose={() => setRenewing(false)} title="Make a new secret?">
          <div className="form-stack">
            <p>
              The secret that is in force signs nothing from then on: your system refuses calls until it has the new one. They are tried
              again.
            </p>
            <span className="row">
              <Button color="red.9" loading={renew.isPending} onClick={() => renew.mutate()}>
                Make the new secret
              </Button>
              <Button variant="default" onClick={() => setRenewing(false)} data-autofocus>
                Keep it
              </Button>
            </span>
          </div>
        </Modal>
      )}
    </section>
  );
}

function Said({ taken, statusCode, failure, elapsedMs }: WebhookTrial) {
  return taken ? (
    <span className="good">
      Taken with HTTP {statusCode} after {elapsedMs} ms.
    </span>
  ) : (
    <span className="bad">Not taken: {failure}</span>
  );
}
