import { useMutation } from '@tanstack/react-query';
import { toast } from '#web/ui/toast.ts';
import { bringBack, editRecord, type RecordRow, removeRecord } from '../api/record.ts';
import { capital, failureText, message } from '../message.ts';
import { useRecordsChanged } from './records-changed.ts';

interface Action {
  work: () => Promise<unknown>;
  /** The message of the catalogue that says it is done. */
  said: 'modulePaused' | 'moduleResumed' | 'moduleRestored' | 'moduleArchived' | 'moduleDeleted';
  undo?: () => void;
  then?: () => void;
}

const NEVER_PAUSED: readonly string[] = ['contact', 'region', 'vertical', 'suppressionList'];

/** Whether records of a model are paused at all; one that is comes back from the archive paused. */
export const isPausable = (model: string): boolean => !NEVER_PAUSED.includes(model);

/** What can be done to a record from its list. Removing can be undone for as long as its toast is there (account §9: 5 s). */
export function useRecordActions({ model, one }: { model: string; one: string }, row: RecordRow, name: string) {
  const changed = useRecordsChanged();
  const module = `${capital(one)} ${name}`;
  const change = useMutation({
    mutationFn: ({ work }: Action) => work(),
    onSuccess: (_, { said, undo, then }) => {
      void toast('success', message(said, module), undo && { label: 'Undo', run: undo });
      then?.();
    },
    onError: (error) => void toast('error', failureText(error, module)),
    onSettled: () => changed(model),
  });
  const setStatus = (status: string, said: Action['said'], undo?: () => void) =>
    change.mutate({ work: () => editRecord(model, row._id, { status }), said, ...(undo && { undo }) });
  return {
    isPending: change.isPending,
    pause: () => setStatus('paused', 'modulePaused', () => setStatus('active', 'moduleResumed')),
    resume: () => setStatus('active', 'moduleResumed', () => setStatus('paused', 'modulePaused')),
    restore: () => setStatus(isPausable(model) ? 'paused' : 'active', 'moduleRestored'),
    archive: (then?: () => void) =>
      change.mutate({
        work: () => removeRecord(model, row._id),
        said: 'moduleArchived',
        undo: () => setStatus(row.status ?? 'active', 'moduleRestored'),
        ...(then && { then }),
      }),
    /** Of a model whose records are deleted and not archived. */
    remove: () =>
      change.mutate({
        work: () => removeRecord(model, row._id),
        said: 'moduleDeleted',
        undo: () => change.mutate({ work: () => bringBack(model, row._id), said: 'moduleRestored' }),
      }),
  };
}
