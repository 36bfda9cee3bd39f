import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { toast } from '#web/ui/toast.ts';
import { sessionQuery } from '../api/session.ts';
import { recordQuery, updateRecord } from '../api/team.ts';
import { message } from '../message.ts';

/** One's own record of a model, and saving fields of it; the frame shows the change at once. `module`: what it is called in messages. */
export function useRecord<Fields extends object>(model: string, module: string) {
  const query = useQuery({ ...recordQuery<Fields>(model), refetchOnWindowFocus: false });
  const refresh = useRefreshSession();
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: (data: Partial<Fields>) => updateRecord(model, query.data?._id ?? '', data),
    onSuccess: async () => {
      void toast('success', message('moduleSaved', module));
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
