import { Modal, NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fileDay } from '#contract/csv.ts';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { isReason, ReasonField } from '#web/ui/ReasonField.tsx';
import { useReporting } from '#web/ui/reporting.tsx';
import { exportPerson } from '../api/data-request.ts';
import { downloadCsv } from '../download-csv.ts';

interface DialogProps {
  q: string;
  /** What is handed out, such as '3 leads'. */
  held: string;
  onClose: () => void;
}

/** Their data as a file, with every value; who took it and why is written down first. */
export function ExportDialog({ q, held, onClose }: DialogProps) {
  const [reason, setReason] = useState('');
  const { zone } = useReporting();
  const [format, setFormat] = useState<'json' | 'csv'>('json');
  const take = useMutation({
    mutationFn: () => exportPerson(q, reason.trim()),
    onSuccess: (text) => {
      saveJson(text, `data-request-${fileDay(Date.now(), zone)}.json`);
      onClose();
    },
  });
  const handOut = () => {
    if (format === 'json') return take.mutate();
    downloadCsv('data-request', { q, reason: reason.trim(), timeZone: zone });
    onClose();
  };
  const isShort = !isReason(reason);
  return (
    <Modal opened onClose={onClose} title="Hand out what is held">
      <form
        className="form-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isShort && !take.isPending) handOut();
        }}
      >
        <p>
          The file has {held}, with every value as it is kept, and who was sent which field. It is not masked: give it to nobody but the
          person.
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
        <ReasonField
          says="Such as the number of the request. It stands in the change log."
          value={reason}
          error={take.error?.message}
          onChange={setReason}
        />
        <DialogEnd label="Hand out the file" isPending={take.isPending} isBarred={isShort} onClose={onClose} />
      </form>
    </Modal>
  );
}

function saveJson(text: string, name: string): void {
  const href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = Object.assign(document.createElement('a'), { href, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
