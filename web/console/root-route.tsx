import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, Outlet } from '@tanstack/react-router';
import { sessionQuery } from './api/session.ts';
import { queryClient } from './query-client.ts';
import { OfflineBanner } from './shell/OfflineBanner.tsx';
import { PageError } from './shell/PageError.tsx';

interface RouterContext {
  queryClient: QueryClient;
}

export const root = createRootRouteWithContext<RouterContext>()({ component: Root, errorComponent: PageError });

/** Who is signed in, asked once and kept until it is doubted. */
export const loadSession = () => queryClient.query({ ...sessionQuery, staleTime: Number.POSITIVE_INFINITY });

function Root() {
  return (
    <>
      <Outlet />
      <OfflineBanner />
    </>
  );
}
