import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { placesQuery } from '../api/session.ts';

const PLACES = ['region', 'vertical'];

/** After a change of records of a model: lists ask anew, and the header too where regions or verticals are others now. */
export function useRecordsChanged(): (model: string) => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async (model) => {
    await client.invalidateQueries({ queryKey: ['records'] });
    if (!PLACES.includes(model)) return;
    await client.invalidateQueries({ queryKey: placesQuery.queryKey, refetchType: 'none' });
    await router.invalidate();
  };
}
