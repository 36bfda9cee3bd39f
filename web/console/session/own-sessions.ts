import { queryOptions } from '@tanstack/react-query';
import { listSessions } from '../api/account.ts';

export const ownSessionsQuery = queryOptions({
  queryKey: ['own-sessions'],
  queryFn: async ({ signal }) => (await listSessions(signal)).sessions,
  staleTime: 10_000,
});
