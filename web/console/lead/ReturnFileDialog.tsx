import { Button, FileInput, Modal } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { CSV_MARK, type CsvCell, csvLine } from '#contract/csv.ts';
import type { ReturnLine } from '#contract/lead-return.ts';
import { ChoiceSelect } from '#web/ui/ChoiceSelect.tsx';
import { DialogEnd } from '#web/ui/DialogEnd.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { leadChoices } from '../api/choices.ts';
import { postJson } from '../api/client.ts';
import type { Place } from '../api/lead.ts';
import { ledgerKey } from '../api/ledger.ts';
import './return-file.css';

interface Done {
  msg: string;
  returned: number;
  lines: ReturnLine[];
}

/** A buyer's file of returns: each line stands for itself, and is told what became of it. */
export function ReturnFileDialog({ place, onClose }: { place: Place; onClose: () => void }) {
  const client = useQueryClient();
  const [buyerId, setBuyerId] = useState('');
  const [file, setFile] = useState<File | null>(null);
  const send = useMutation({
    mutationFn: async () => postJson<Done>('/api/console/returns', { ...place, buyerId, text: await file!.text() }),
    onSuccess: () => {
      for (const queryKey of [['lead'], ['leads'], ['overview'], ledgerKey]) void client.invalidateQueries({ queryKey });
    },
  });
  return (
    <Modal opened onClose={onClose} title="Return the leads of a file" size="lg">
      {send.data ? (
        <Outcome done={send.data} onClose={onClose} />
      ) : (
        <form
          noValidate
          className="form-stack"
          onSubmit={(event) => {
            event.preventDefault();
            if (buyerId && file && !send.isPending) send.mutate();
          }}
        >
          <ChoiceSelect
            label="Buyer"
            value={buyerId}
            onChange={setBuyerId}
            source={leadChoices(place, 'buyer')}
            emptyText="No buyers found."
          />
          <FileInput
            label="CSV file"
            description="Its first line names the columns: lead (our lead id or the buyer’s reference), reason, and maybe amount and note."
            accept=".csv,text/csv"
            value={file}
            onChange={setFile}
            clearable
          />
          <DialogEnd label="Return the leads" isPending={send.isPending} isBarred={!buyerId || !file} onClose={onClose} />
          {send.error && (
            <p className="bad small" role="alert">
              {send.error.message}
            </p>
          )}
        </form>
      )}
    </Modal>
  );
}

function Outcome({ done, onClose }: { done: Done; onClose: () => void }) {
  const refused = done.lines.filter((line) => !line.isReturned);
  return (
    <div className="form-stack">
      <p role="status">
        <strong>{done.msg}</strong> {refused.length > 0 && 'The others are as they were; each says why.'}
      </p>
      <ul className="return-lines">
        {done.lines.map((line) => (
          <li key={line.line}>
            <p className="return-line-head">
              <span className="muted small tabular">Line {line.line}</span>
              <code className="mono">{line.lead}</code>
              {line.revenue && <MoneyText amount={line.revenue} exact />}
            </p>
            <p className={line.isReturned ? 'good' : 'bad'}>{line.msg}</p>
          </li>
        ))}
      </ul>
      <div className="row">
        <Button onClick={onClose}>Done</Button>
        <Button variant="default" onClick={() => save(done.lines)}>
          Save as CSV
        </Button>
      </div>
    </div>
  );
}

function save(lines: ReturnLine[]): void {
  const rows: CsvCell[][] = lines.map(({ line, lead, isReturned, msg, revenue }) => [
    line,
    lead,
    isReturned ? 'returned' : 'refused',
    msg,
    revenue,
  ]);
  const text = CSV_MARK + [['Line', 'Lead', 'Result', 'Why', 'Given back'], ...rows].map(csvLine).join('');
  const href = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  Object.assign(document.createElement('a'), { href, download: 'returns.csv' }).click();
  URL.revokeObjectURL(href);
}
