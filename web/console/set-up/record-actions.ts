import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '#web/ui/toast.ts';
import { editRecord, type RecordRow, removeRecord } from '../api/record.ts';

/** What can be done to a record from its list. Archiving can be undone for as long as its toast is there (account §9: 5 s). */
export function useRecordActions({ model, hasPause }: { model: string; hasPause?: false }, row: RecordRow, name: string) {
  const client = useQueryClient();
  const change = useMutation({
    mutationFn: (work: () => Promise<unknown>) => work(),
    onSettled: () => client.invalidateQueries({ queryKey: ['records'] }),
  });
  const run = (work: () => Promise<unknown>, done: string, undo?: () => void) =>
    change.mutate(work, {
      onSuccess: () => void toast('success', done, undo && { label: 'Undo', run: undo }),
      onError: (error) => void toast('error', error.message),
    });
  const setStatus = (status: string, done: string, undo?: () => void) => run(() => editRecord(model, row._id, { status }), done, undo);
  return {
    isPending: change.isPending,
    pause: () => setStatus('paused', `${name} is paused.`, () => setStatus('active', `${name} is active again.`)),
    resume: () => setStatus('active', `${name} is active.`, () => setStatus('paused', `${name} is paused again.`)),
    restore: () =>
      setStatus(hasPause === false ? 'active' : 'paused', hasPause === false ? `${name} is back.` : `${name} is back, paused.`),
    archive: () =>
      run(
        () => removeRecord(model, row._id),
        `${name} is archived.`,
        () => setStatus(row.status ?? 'active', `${name} is back.`),
      ),
  };
}
