import { Checkbox, Modal, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ERASE_WORD } from '#contract/data-request.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { isReason, ReasonField } from '#web/ui/ReasonField.tsx';
import { toast } from '#web/ui/toast.ts';
import { erasePerson } from '../api/data-request.ts';

interface DialogProps {
  q: string;
  /** What is erased, such as '3 leads'. */
  held: string;
  onClose: () => void;
}

/** Takes the person out of everything; it cannot be undone, so a word has to be typed. */
export function EraseDialog({ q, held, onClose }: DialogProps) {
  const navigate = useNavigate();
  const [reason, setReason] = useState('');
  const [word, setWord] = useState('');
  const [isRefused, setIsRefused] = useState(true);
  const erase = useMutation({
    mutationFn: () => erasePerson(q, reason.trim(), word, !isRefused),
    onSuccess: ({ jobId, msg }) => {
      void toast('success', msg);
      void navigate({ to: '/$id/trackProcess' as '/', params: { id: jobId } as never });
    },
  });
  const isReady = isReason(reason) && word === ERASE_WORD;
  return (
    <Modal opened onClose={onClose} title="Erase this person?">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !erase.isPending) erase.mutate();
        }}
      >
        <p>
          The person is taken out of {held}, of what buyers and services were sent and said, of refused calls and of sample leads. Sales,
          prices and figures stay. <strong>Nobody can bring it back.</strong>
        </p>
        <p className="muted small">
          Buyers keep what they were sent: tell them yourself, the list says who they are. A backup holds the person until it is replaced;
          where one is put back, the person is erased again by itself.
        </p>
        <ReasonField says="Such as the number of the request. It stands in the change log." value={reason} onChange={setReason} />
        <Checkbox
          label="Do not take this person again"
          description="New leads with an e-mail address or phone number of theirs are refused, and nothing of them is kept."
          checked={isRefused}
          onChange={(event) => setIsRefused(event.currentTarget.checked)}
        />
        <TextInput
          label={`Type ${ERASE_WORD} to go on`}
          value={word}
          maxLength={20}
          autoComplete="off"
          spellCheck={false}
          error={erase.error?.message}
          onChange={(event) => setWord(event.currentTarget.value)}
        />
        <DialogEnd label="Erase the person" isLoss isPending={erase.isPending} isBarred={!isReady} onClose={onClose} />
      </form>
    </Modal>
  );
}
