import { Modal, NativeSelect, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { formatCount } from '#web/ui/format.ts';
import { exportPerson } from '../api/data-request.ts';

interface DialogProps {
  q: string;
  total: number;
  onClose: () => void;
}

/** Their data as a file, with every value; who took it and why is written down first. */
export function ExportDialog({ q, total, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const [format, setFormat] = useState<'json' | 'csv'>('json');
  const take = useMutation({
    mutationFn: () => exportPerson(q, reason.trim(), format),
    onSuccess: (text) => {
      saveFile(text, format);
      onClose();
    },
  });
  const isShort = reason.trim().length < 3;
  return (
    <Modal opened onClose={onClose} title="Hand out what is held">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isShort && !take.isPending) take.mutate();
        }}
      >
        <p>
          {total === 1 ? 'One lead' : `${formatCount(total)} leads`} with every value as it is kept, and who was sent which field. The file
          is not masked: give it to nobody but the person.
        </p>
        <NativeSelect
          label="Format"
          value={format}
          data={[
            { value: 'json', label: 'JSON, with all of it' },
            { value: 'csv', label: 'CSV, a line for each value' },
          ]}
          onChange={(event) => setFormat(event.currentTarget.value === 'csv' ? 'csv' : 'json')}
        />
        <TextInput
          label="Why"
          description="Such as the number of the request. It stands in the change log; write nothing of the person."
          value={reason}
          maxLength={200}
          autoComplete="off"
          data-autofocus
          error={take.error?.message}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        <DialogEnd label="Hand out the file" isPending={take.isPending} isBarred={isShort} onClose={onClose} />
      </form>
    </Modal>
  );
}

function saveFile(text: string, format: 'json' | 'csv'): void {
  const type = format === 'json' ? 'application/json' : 'text/csv;charset=utf-8';
  const href = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement('a'), { href, download: `data-request.${format}` });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
