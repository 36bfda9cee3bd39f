import { Button, Modal } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { toast } from '#web/ui/toast.ts';
import { getJson, postJson } from '../api/client.ts';

const keyOf = (call: string) => ['address', call];

/** The address that stands for a record, told by `call` and renewed below it. */
export function useRenewableAddress(call: string) {
  const address = useQuery({ queryKey: keyOf(call), queryFn: () => getJson<{ path: string }>(call) });
  return { address, href: address.data && `${window.location.origin}${address.data.path}` };
}

/** Asks before it makes a new address; `loss` says what the one in force is worth then. */
export function RenewAddress({ call, loss, disabled }: { call: string; loss: string; disabled?: boolean }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const renew = useMutation({
    mutationFn: () => postJson<{ path: string; msg: string }>(`${call}/renew`, {}),
    onSuccess: ({ path, msg }) => {
      client.setQueryData(keyOf(call), { path });
      void toast('success', msg);
    },
    onError: (error) => void toast('error', error.message),
    onSettled: () => setAsking(false),
  });
  return (
    <>
      <div className="row">
        <Button size="sm" variant="default" onClick={() => setAsking(true)} disabled={disabled ?? false}>
          Make a new address
        </Button>
      </div>
      {isAsking && (
        <Modal opened onClose={() => setAsking(false)} title="Make a new address?">
          <div className="form-stack">
            <p>The address that is in force opens nothing from then on: {loss}</p>
            <DialogEnd
              label="Make the new address"
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
