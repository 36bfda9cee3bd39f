import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { QuickViewAction, quickViewAnswer, quickViewBody } from '#contract/reporting.ts';
import { postJson } from './client.ts';

const freshMs = 60_000;

/** What the server offers in the quick view at this place (console §7). */
export const quickViewQuery = (place: z.infer<typeof quickViewBody>) =>
  queryOptions({
    queryKey: ['quick-view', place],
    queryFn: async (): Promise<QuickViewAction[]> =>
      (await postJson<z.infer<typeof quickViewAnswer>>('/api/v1/quick-view/get-actions', place)).actions,
    staleTime: freshMs,
  });

/** Records of this place whose names hold the text. */
export const quickViewRecordsQuery = (place: z.infer<typeof quickViewBody>, search: string) =>
  queryOptions({
    ...quickViewQuery({ ...place, search }),
    enabled: search !== '' && place.verticalId !== '',
    // What could not be asked off line is asked when the line is back.
    refetchOnReconnect: true,
  });
