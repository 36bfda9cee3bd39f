import { Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { toast } from '#web/ui/toast.ts';
import { acceptAgain } from '../api/data-request.ts';

interface DialogProps {
  q: string;
  onClose: () => void;
}

/** A consumer who was erased wants to be taken again: their new leads are, and what was erased stays erased. */
export function AcceptAgainDialog({ q, onClose }: DialogProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState('');
  const accept = useMutation({
    mutationFn: () => acceptAgain(q, reason.trim()),
    onSuccess: async ({ msg }) => {
      void toast('success', msg);
      await client.invalidateQueries({ queryKey: ['data-request'] });
      onClose();
    },
  });
  const isReady = reason.trim().length >= 3;
  return (
    <Modal opened onClose={onClose} title="Take this person again?">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !accept.isPending) accept.mutate();
        }}
      >
        <p>Only at their own wish. Their new leads are taken like any other; what was erased does not come back.</p>
        <TextInput
          label="Why"
          description="Such as the number of the request. It stands in the change log; write nothing of the person."
          value={reason}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          error={accept.error?.message}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <DialogEnd label="Take them again" isPending={accept.isPending} isBarred={!isReady} onClose={onClose} />
      </form>
    </Modal>
  );
}
