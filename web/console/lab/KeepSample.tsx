import { Button, Modal, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { toast } from '#web/ui/toast.ts';
import { addSample } from '../api/lab.ts';
import type { Place } from '../api/lead.ts';

/** These values, kept under a name. */
export function KeepSample({ place, values }: { place: Place; values: Record<string, string> }) {
  const [isOpen, setOpen] = useState(false);
  const [name, setName] = useState('');
  const client = useQueryClient();
  const keep = useMutation({
    mutationFn: () => addSample(place, { name: name.trim(), fields: values }),
    onSuccess: ({ msg }) => {
      setOpen(false);
      setName('');
      void toast('success', msg);
      void client.invalidateQueries({ queryKey: ['lab', place] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Keep as a sample…
      </Button>
      {isOpen && (
        <Modal opened onClose={() => setOpen(false)} title="Keep these values as a sample lead">
          <form
            className="form-stack"
            onSubmit={(event) => {
              event.preventDefault();
              // The form behind the dialog is its parent for React.
              event.stopPropagation();
              if (name.trim()) keep.mutate();
            }}
          >
            <TextInput
              label="Name"
              description="By which it is chosen here, such as “New York, pays monthly”. Do not name a person: the change log keeps it."
              maxLength={120}
              value={name}
              error={keep.error?.message}
              onChange={(event) => {
                keep.reset();
                setName(event.currentTarget.value);
              }}
              data-autofocus
            />
            <DialogEnd label="Keep the sample" isPending={keep.isPending} isBarred={name.trim() === ''} onClose={() => setOpen(false)} />
          </form>
        </Modal>
      )}
    </>
  );
}
