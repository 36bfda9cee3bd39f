import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { toast } from '#web/ui/toast.ts';
import { getJson, postJson } from '../api/client.ts';
import './signing-secret.css';

/** What calls are signed with, told below the address `call`, and made anew after it was asked; `loss` says what becomes of calls then. */
export function SigningSecret({ call, loss }: { call: string; loss: string }) {
  const client = useQueryClient();
  const queryKey = ['secret', call];
  const secret = useQuery({ queryKey, queryFn: () => getJson<{ secret: string }>(`${call}/secret`) });
  const [isShown, setShown] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const renew = useMutation({
    mutationFn: () => postJson<{ secret: string; msg: string }>(`${call}/renew-secret`, {}),
    onSuccess: (answer) => {
      client.setQueryData(queryKey, answer);
      void toast('success', answer.msg);
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setAsking(false),
  });
  if (secret.isPending) return <SkeletonLines count={1} />;
  if (secret.isError) return <ErrorState error={secret.error} onRetry={() => void secret.refetch()} />;
  const text = secret.data.secret;
  return (
    <>
      <span className="row signing-secret">
        <code className="mono">{isShown ? text : `${text.slice(0, 10)}${'•'.repeat(12)}`}</code>
        <Button size="compact-sm" variant="default" onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide' : 'Show'}
        </Button>
        <CopyButton text={text} label="Copy the secret" />
        <Button size="compact-sm" variant="default" onClick={() => setAsking(true)}>
          Make a new secret
        </Button>
      </span>
      {isAsking && (
        <Modal opened onClose={() => setAsking(false)} title="Make a new secret?">
          <div className="form-stack">
            <p>The secret that is in force signs nothing from then on: {loss}</p>
            <DialogEnd
              label="Make the new secret"
              isLoss
              isPending={renew.isPending}
              onGo={() => renew.mutate()}
              onClose={() => setAsking(false)}
            />
          </div>
        </Modal>
      )}
    </>
  );
}
