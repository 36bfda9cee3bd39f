import { Modal, TextInput } from '@mantine/core';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';

/** What publishing would change, in sentences, before it does. */
export function PublishDialog({
  lines,
  isPending,
  onPublish,
  onClose,
}: {
  lines: string[];
  isPending: boolean;
  onPublish: (note: string) => void;
  onClose: () => void;
}) {
  const [note, setNote] = useState('');
  return (
    <Modal opened onClose={onClose} title="Publish this tree?" size="lg">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          onPublish(note);
        }}
      >
        <p>From the next lead on:</p>
        <ul className="flow-lines">
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <TextInput
          label="Note"
          description="Why, for who reads the change log."
          maxLength={500}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        <DialogEnd label="Publish" isPending={isPending} onClose={onClose} />
      </form>
    </Modal>
  );
}
