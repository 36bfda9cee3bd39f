import { queryOptions } from '@tanstack/react-query';
import type { InstallationHealth } from '#contract/installation-health.ts';
import { getJson } from './client.ts';

/** The server reads the figures anew so often; a page that nobody sees asks nothing. */
const EVERY_MS = 15_000;

export const installationHealthQuery = queryOptions({
  queryKey: ['installation-health'],
  queryFn: ({ signal }) => getJson<InstallationHealth>('/api/console/installation-health', signal),
  refetchInterval: EVERY_MS,
  staleTime: 2_000,
});
