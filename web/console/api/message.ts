import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { messagesAnswer } from '#contract/reporting.ts';
import { getJson } from './client.ts';

/** The toast messages as the server words them (console §7). */
export const messagesQuery = queryOptions({
  queryKey: ['messages'],
  queryFn: async ({ signal }): Promise<Record<string, string>> =>
    JSON.parse((await getJson<z.infer<typeof messagesAnswer>>('/ampl/message/toastr-notification', signal)).result),
  staleTime: Number.POSITIVE_INFINITY,
});
