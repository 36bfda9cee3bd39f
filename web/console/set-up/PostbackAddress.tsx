import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { getJson, postJson } from '../api/client.ts';

/** Where the buyer says what it decided of a lead it answered "pending" to. */
export function PostbackAddress({ tierId }: { tierId: string }) {
  const base = `/api/console/buyer-tiers/${tierId}/postback`;
  const client = useQueryClient();
  const queryKey = ['postback', tierId];
  const address = useQuery({ queryKey, queryFn: () => getJson<{ path: string }>(base) });
  const [isRenewing, setRenewing] = useState(false);
  const renew = useMutation({
    mutationFn: () => postJson<{ path: string; msg: string }>(`${base}/renew`, {}),
    onSuccess: ({ path, msg }) => {
      client.setQueryData(queryKey, { path });
      void toast('success', msg);
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setRenewing(false),
  });
  const href = address.data && `${window.location.origin}${address.data.path}`;
  return (
    <section className="belongings" aria-label="Postback address">
      <div className="set-up-head">
        <h2>Postback address</h2>
      </div>
      <div className="card card-pad form-stack">
        <p className="muted small">
          A buyer that answers “pending” calls this address when it has decided, by GET or POST, with leadId or reference, outcome (sold or
          rejected) and price. Whoever has the address can answer for this tier.
        </p>
        {address.isPending && <SkeletonLines count={1} />}
        {address.isError && <ErrorState error={address.error} onRetry={() => void address.refetch()} />}
        {href && (
          <span className="row postback-address">
            <code className="mono">{href}</code> <CopyButton text={href} label="Copy the address" />
          </span>
        )}
        <div className="row">
          <Button size="sm" variant="default" onClick={() => setRenewing(true)} disabled={!href}>
            Make a new address
          </Button>
        </div>
      </div>
      {isRenewing && (
        <Modal opened onClose={() => setRenewing(false)} title="Make a new address?">
          <div className="form-stack">
            <p>
              The address that is in force opens nothing from then on: postbacks sent there are refused until the buyer has the new one.
            </p>
            <DialogEnd
              label="Make the new address"
              isLoss
              isPending={renew.isPending}
              onGo={() => renew.mutate()}
              onClose={() => setRenewing(false)}
            />
          </div>
        </Modal>
      )}
    </section>
  );
}
