import { Button } from '@mantine/core';
import type { RecordRow } from '../api/record.ts';
import { message } from '../message.ts';
import { useRecordActions } from './record-actions.ts';

interface ArchivedNoteProps {
  model: string;
  /** 'buyer'. */
  one: string;
  row: RecordRow;
}

/** Above the form of an archived record: it can be read, and is changed once it is back. */
export function ArchivedNote({ model, one, row }: ArchivedNoteProps) {
  const { restore, isPending } = useRecordActions({ model, one }, row, String(row.name ?? ''));
  const isShared = row.mayEdit === false;
  return (
    <div className="draft-note" role="note">
      <span>{message('recordArchived', `This ${one}`)}</span>
      {!isShared && (
        <Button size="compact-sm" variant="default" loading={isPending} onClick={restore}>
          Restore
        </Button>
      )}
    </div>
  );
}
