import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { IconEye, IconEyeOff } from '#web/ui/icons.ts';
import { isReason, ReasonField } from '#web/ui/ReasonField.tsx';

interface UnmaskProps {
  /** Whether the values are in sight now. */
  isOpen: boolean;
  unmask: (reason: string) => Promise<unknown>;
  onHide: () => void;
}

/** Shows a person's values to who may see them and says why; it is written down first. */
export function Unmask({ isOpen, unmask, onHide }: UnmaskProps) {
  const [asks, setAsks] = useState(false);
  const [reason, setReason] = useState('');
  const look = useMutation({ mutationFn: unmask, onSuccess: () => setAsks(false) });
  const isShort = !isReason(reason);
  if (isOpen)
    return (
      <p className="unmask-note warn small" role="status">
        <IconEye size={15} aria-hidden />
        <span>Values of the person are in sight. The change log says that you looked.</span>
        <button type="button" className="tool-button" onClick={onHide}>
          <IconEyeOff size={14} aria-hidden /> Mask again
        </button>
      </p>
    );
  if (!asks)
    return (
      <button type="button" className="tool-button" onClick={() => setAsks(true)}>
        <IconEye size={14} aria-hidden /> Show the masked values
      </button>
    );
  return (
    <form
      className="unmask-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isShort && !look.isPending) look.mutate(reason.trim());
      }}
    >
      <ReasonField
        size="xs"
        label="Why do you look?"
        says="It stands in the change log, with your name and the time."
        value={reason}
        autoFocus
        error={look.error?.message}
        onChange={setReason}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setAsks(false);
        }}
      />
      <div className="row">
        <Button type="submit" size="xs" disabled={isShort} loading={look.isPending}>
          Show
        </Button>
        <Button size="xs" variant="default" onClick={() => setAsks(false)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
