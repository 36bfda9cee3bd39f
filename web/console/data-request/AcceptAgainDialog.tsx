import { Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { isReason, ReasonField } from '#web/ui/ReasonField.tsx';
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
  const isReady = isReason(reason);
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
        <ReasonField
          says="Such as the number of the request. It stands in the change log."
          value={reason}
          error={accept.error?.message}
          onChange={setReason}
        />
        <DialogEnd label="Take them again" isPending={accept.isPending} isBarred={!isReady} onClose={onClose} />
      </form>
    </Modal>
  );
}
