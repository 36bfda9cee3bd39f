import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { WebhookTrial } from '#contract/webhook.ts';
import type { RecordRow } from '../api/record.ts';
import { tryWebhook, webhookAt } from '../api/webhook.ts';
import { SigningSecret } from '../set-up/SigningSecret.tsx';

/** What the other side checks calls by, and a call to see whether it does. */
export function WebhookSecret({ row }: { row: RecordRow }) {
  const trial = useMutation({ mutationFn: () => tryWebhook(row._id) });
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
        <SigningSecret call={webhookAt(row._id)} loss="your system refuses calls until it has the new one. They are tried again." />
        <div className="row">
          <Button size="sm" variant="default" loading={trial.isPending} onClick={() => trial.mutate()}>
            Send a test call
          </Button>
        </div>
        <p role="status" className="small webhook-said">
          {trial.data && <Said {...trial.data} />}
          {trial.isError && <span className="bad">{trial.error.message}</span>}
        </p>
      </div>
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
