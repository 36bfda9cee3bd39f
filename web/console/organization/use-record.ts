import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { toast } from '#web/ui/toast.ts';
import { changesOf } from '../api/changes-of.ts';
import { sessionQuery } from '../api/session.ts';
import { recordQuery, updateRecord } from '../api/team.ts';
import { message } from '../message.ts';

/** One's own record of a model, and saving fields of it; the frame shows the change at once. `module`: what it is called in messages. */
export function useRecord<Fields extends object>(model: string, module: string) {
  const query = useQuery({ ...recordQuery<Fields>(model), refetchOnWindowFocus: false });
  const refresh = useRefreshSession();
  const client = useQueryClient();
  /** As the form began: what somebody else changes meanwhile is theirs, and not in what is sent. */
  const [began, setBegan] = useState(query.data);
  if (!began && query.data) setBegan(query.data);
  const save = useMutation({
    mutationFn: async (data: Partial<Fields>) => {
      const changed = changesOf({ ...began }, { ...data });
      const isChanged = Object.keys(changed).length > 0;
      if (isChanged) await updateRecord(model, query.data?._id ?? '', changed);
      return isChanged;
    },
    onSuccess: async (isChanged, data) => {
      void toast('success', message(isChanged ? 'moduleSaved' : 'nothingChanged', module));
      setBegan((before) => before && { ...before, ...data });
      await client.invalidateQueries({ queryKey: ['record', model] });
      await refresh();
    },
  });
  return { query, save };
}

/** What the frame knows of person and organization is read anew. */
export function useRefreshSession(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    await client.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: 'none' });
    await client.fetchQuery(sessionQuery);
    await router.invalidate();
  };
}
